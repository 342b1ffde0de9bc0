"""What the parameters of protocols' functions are: the names that signatures use."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

__all__ = ["Entry", "Face", "Millis", "Note", "Now", "Reading", "Row", "Score", "Tag", "Verdict"]

Row: TypeAlias = "int | np.unsignedinteger[Any]"
"""A node's row of state: 0 on a device."""
Now: TypeAlias = float
"""Seconds on the node's own clock."""
Millis: TypeAlias = "int | np.integer[Any]"
"""Whole milliseconds on the node's own clock, where sums of seconds would depend on the clock in the last digit."""
Tag: TypeAlias = "int | np.unsignedinteger[Any]"
"""A tag, by the node's own number."""
Entry: TypeAlias = "int | np.unsignedinteger[Any]"
"""Where a node's memory of a message lies in its row."""
Reading: TypeAlias = "int | np.int64"
"""What a digest says of a tag: at most 63 bits, of which only the protocol knows the meaning."""
Score: TypeAlias = np.float32
"""What a message is worth to a peer; at or below 0 it stays."""
Note: TypeAlias = "int | np.integer[Any]"
"""What travels with a message, from one end's protocol to the other's."""
Face: TypeAlias = "int | np.int64"
"""Whom a node faces in a contact."""
Verdict: TypeAlias = int
"""What a node makes of its peer: STAY, PROMOTE or DEMOTE."""
