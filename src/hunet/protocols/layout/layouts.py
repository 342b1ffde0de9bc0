"""What follows from a list of parts."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hunet.kernels import leaf
from hunet.protocols.layout.arrays import local
from hunet.protocols.layout.part import Kernel, Part, Several
from hunet.protocols.quantities import Digest
from hunet.protocols.wire import Reader, Writer

if TYPE_CHECKING:
    from hunet.protocols.protocol import World

__all__ = ["NOTHING", "Layout", "layout"]


@dataclass(frozen=True, eq=False)
class Layout:
    """What a digest or a hello consists of; see `layout`."""

    parts: Part
    record: Callable[..., Any]
    """The NamedTuple class of its arrays."""
    size: Kernel
    """params, digest -> bytes, without encoding it; a kernel."""
    account: Kernel | None
    """params, digest, bytes of every tag, out: what the digest would cost in each encoding (`accounts.py`); a kernel.
    None where no filter is told."""
    derive: Callable[[Any, Any], None]

    def new(self, params: Any, world: World) -> Any:
        """An empty digest, for `tell` to fill."""
        return self.record(**self.parts.new(params, world))

    def encode(self, params: Any, digest: Digest) -> bytes:
        """The digest as bytes."""
        out = Writer()
        self.parts.write(out, params, digest)
        return out.bytes()

    def decode(self, params: Any, data: bytes, digest: Digest) -> None:
        """Fill the digest with what `encode` wrote, and all that was not told with 0; else raise and change nothing."""
        reader = Reader(data)
        arrived = self.record(*map(np.zeros_like, digest))
        self.parts.read(reader, params, arrived)
        reader.finish()
        self.refresh(params, arrived)
        for mine, told in zip(digest, arrived, strict=True):
            mine[...] = told

    def refresh(self, params: Any, digest: Digest) -> None:
        """Work out anew what does not travel but follows from what does: the table of positions may have grown."""
        self.parts.refresh(params, digest)
        self.derive(params, digest)


def _nothing_follows(params: Any, digest: Digest) -> None:
    """All parts stand for themselves."""


def layout(
    *parts: Part, derive: Callable[[Any, Any], None] = _nothing_follows, measured_by: Literal["m", "tag_bytes"] = "m"
) -> Layout:
    """The layout of a digest that consists of these parts, one after the other.

    `derive(params, digest)` is called when a digest has arrived: it works out local parts, and raises `DecodeError` for
    what nobody would tell. `measured_by`: the parameter that sizes depend on, positions of filters or bytes of a tag.
    """
    together = Several(parts or (local("nothing", np.uint8),))  # a record without arrays cannot be compiled
    at = {name: place for place, name in enumerate(together.names)}
    accounted = together.account(at, in_rows=False)
    return Layout(
        together,
        _record(tuple(together.names)),
        _size(together.size(at, in_rows=False) or _no_bytes, accounted is not None, measured_by == "tag_bytes"),
        accounted and _account(accounted),
        derive,
    )


@leaf
def _no_bytes(m: Any, digest: Digest, row: Any) -> Any:
    return 0


def _size(of_parts: Kernel, has_filters: bool, names_tags: bool) -> Kernel:
    @leaf
    def by_positions(params: Any, digest: Digest) -> Any:
        return of_parts(params.m if has_filters else 0, digest, 0)

    @leaf
    def by_tag_bytes(params: Any, digest: Digest) -> Any:
        return of_parts(params.tag_bytes, digest, 0)

    return by_tag_bytes if names_tags else by_positions


def _account(of_parts: Kernel) -> Kernel:
    @leaf
    def account(params: Any, digest: Digest, tag_bytes: Any, out: Any) -> None:
        of_parts(params, digest, 0, tag_bytes, out)

    return account


@cache
def _record(names: tuple[str, ...]) -> Callable[..., Any]:
    """One class for all digests with these names; this module knows it, so that loops kept on disk find it again."""
    record = namedtuple("_".join(("Record", *names)), names, module=__name__)  # type: ignore[misc]
    globals()[record.__name__] = record
    return record


NOTHING = layout()
"""Says nothing, in no bytes."""
