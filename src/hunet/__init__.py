"""hunet: interest-driven publish/subscribe for human networks.

People carry devices, devices meet, and what one person publishes reaches those who care, hop by hop, without
servers. Each subpackage is a room with one subject; `docs/design.md` has the map and the arrows between them.
"""

__version__ = "0.1.0"
