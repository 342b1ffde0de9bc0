"""Sealed frames on a stream of bytes: what `Link` asks for, over TCP or anything else that keeps bytes in order.

A frame is a byte for its kind and a body. It goes over in records: two bytes for the length (most significant first),
then that many bytes, sealed. Inside is one byte that says whether more of this frame follows (1) or not (0), and a
piece of the frame. There is one way to cut a frame: every piece but the last is as long as a record can be.

A peer is a stranger who happens to know a key. Its record has at most 65,535 bytes, its frame at most `MOST_FRAME`, and
it has so many seconds for a whole frame, however it spreads them. One that does not read what it is sent is left.
"""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Callable

from hunet.model.errors import LinkError
from hunet.node.link import MOST_FRAME
from hunet.node.noise import TAG_BYTES, Cipher

__all__ = ["MOST_RECORD", "PIECE", "SEND_PATIENCE", "FrameReader", "Records", "StreamLink", "records_of"]

MOST_RECORD = 2**16 - 1
"""Bytes of a sealed record: what a Noise message may have."""
PIECE = MOST_RECORD - TAG_BYTES - 1
"""Bytes of a frame that one record carries."""
SEND_PATIENCE = 15.0
"""Seconds that a peer may take to make room for what it is sent."""
_CLOSE_PATIENCE = 1.0
_LENGTH = struct.Struct(">H")
_LAST, _MORE = 0, 1


def records_of(cipher: Cipher, kind: int, body: bytes) -> list[bytes]:
    """A frame as sealed records, each with its length in front."""
    frame = bytes([kind]) + body
    if len(frame) > MOST_FRAME:
        raise LinkError(f"a frame of {len(frame):,} bytes: the limit is {MOST_FRAME:,}")
    out = []
    for at in range(0, len(frame), PIECE):
        flag = _MORE if at + PIECE < len(frame) else _LAST
        sealed = cipher.seal(bytes([flag]) + frame[at : at + PIECE])
        out.append(_LENGTH.pack(len(sealed)) + sealed)
    return out


class FrameReader:
    """Puts the records of one direction together to frames; anything that no sender writes is a `LinkError`."""

    def __init__(self, cipher: Cipher) -> None:
        self._cipher = cipher
        self._pieces: list[bytes] = []
        self._length = 0

    def take(self, sealed: bytes) -> tuple[int, bytes] | None:
        """One more record; the frame that it ends, if it does."""
        text = self._cipher.open(sealed)
        if len(text) < 2 or text[0] not in (_LAST, _MORE):
            raise LinkError("a record without a piece of a frame")
        if text[0] == _MORE and len(text) - 1 != PIECE:
            raise LinkError("a frame that is cut in the wrong place")
        self._length += len(text) - 1
        if self._length + (text[0] == _MORE) > MOST_FRAME:
            raise LinkError(f"a frame of more than {MOST_FRAME:,} bytes")
        self._pieces.append(text[1:])
        if text[0] == _MORE:
            return None
        frame = b"".join(self._pieces)
        self._pieces, self._length = [], 0
        return frame[0], frame[1:]


class Records:
    """A stream as records that are not sealed yet: what the handshake goes over. Every failure is a `LinkError`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def put(self, data: bytes) -> None:
        """One record."""
        await self.write(_LENGTH.pack(len(data)) + data)

    async def write(self, data: bytes) -> None:
        """Bytes as they are."""
        try:
            self._writer.write(data)
            async with asyncio.timeout(SEND_PATIENCE):
                await self._writer.drain()
        except TimeoutError:
            self.abort()
            raise LinkError(f"the peer took nothing for {SEND_PATIENCE:g} s") from None
        except (OSError, RuntimeError) as error:  # RuntimeError: the transport is closed already
            raise LinkError(f"the link broke while sending ({error})") from None

    async def get(self, most: int = MOST_RECORD) -> bytes:
        """One record. The caller minds the time."""
        try:
            (length,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
            if not 0 < length <= most:
                raise LinkError(f"a record of {length:,} bytes: 1 to {most:,} are possible here")
            return await self._reader.readexactly(length)
        except EOFError:
            raise LinkError("the peer left") from None
        except OSError as error:
            raise LinkError(f"the link broke while receiving ({error})") from None

    def abort(self) -> None:
        """Leave at once; what was not sent is lost."""
        self._writer.transport.abort()

    async def close(self) -> None:
        """A peer that walked away takes nothing any more: what is not sent within a second is given up."""
        self._writer.close()
        try:
            async with asyncio.timeout(_CLOSE_PATIENCE):
                await self._writer.wait_closed()
        except OSError:  # TimeoutError is one
            self.abort()


class StreamLink:
    """A link over a stream, after its handshake."""

    def __init__(
        self,
        records: Records,
        peer: bytes,
        contact: bytes,
        ciphers: tuple[Cipher, Cipher],
        key: bytes,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.peer, self.contact, self.key = peer, contact, key
        """`key` is that of the network with which the link was made."""
        self.sent = self.received = 0
        """Bytes, with what seals them."""
        self._records, self._clock = records, clock
        self._sealing, self._frames = ciphers[0], FrameReader(ciphers[1])
        self.heard_at = clock()
        """When the last frame of the peer was whole."""

    async def send(self, kind: int, body: bytes) -> None:
        """Hand a frame over. Sealing and writing are one step, so two tasks may send."""
        data = b"".join(records_of(self._sealing, kind, body))
        self.sent += len(data)
        await self._records.write(data)

    async def receive(self, patience: float) -> tuple[int, bytes]:
        """The next frame, whole within so many seconds."""
        try:
            async with asyncio.timeout(patience):
                frame = None
                while frame is None:
                    sealed = await self._records.get()
                    self.received += _LENGTH.size + len(sealed)
                    frame = self._frames.take(sealed)
        except TimeoutError:
            self._records.abort()
            raise LinkError(f"no whole frame within {patience:g} s") from None
        except LinkError:
            self._records.abort()
            raise
        self.heard_at = self._clock()
        return frame

    def abort(self) -> None:
        """Leave without a word."""
        self._records.abort()

    async def close(self) -> None:
        """Leave; never raises, never waits long."""
        await self._records.close()
