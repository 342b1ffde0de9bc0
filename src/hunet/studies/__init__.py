"""Questions asked of the rooms below, answered with tables and figures.

A study computes through the public face of other rooms and draws through `report`. It knows nothing of the command
line, and nothing below knows of it.
"""
