"""The protocols, each in one file that reads like its description in the paper.

A protocol sees its own row of state and what the peer sent, never the peer's row: so what was simulated is what a
device runs. This room knows no trace, no event loop, no buffer, no socket and no clock; who has seen what, what
expires and what fits into a contact is its host's business.
"""
