"""The probabilistic filters that all five papers rest on: arrays in, arrays out.

`Hashing` turns keys into positions; `BloomFilter`, `CountingBloomFilter`, `TCBF`, `TCBFPool` and `SpTBF` keep them;
`codec` turns filters into bytes and back; `sizing` has the papers' equations. The classes are for people; beneath
them lie the array functions (`bits`, `counters`, `pool`, `slots`) that compiled loops call.

This room knows no clock (time is always an argument), no file, no message and no protocol.
"""

from hunet.filters.bloom import BloomFilter
from hunet.filters.counting import CountingBloomFilter
from hunet.filters.hashing import PUBLIC_KEY, Hashing
from hunet.filters.pool import TCBFPool
from hunet.filters.spatiotemporal import SpTBF
from hunet.filters.temporal import TCBF

__all__ = ["PUBLIC_KEY", "TCBF", "BloomFilter", "CountingBloomFilter", "Hashing", "SpTBF", "TCBFPool"]
