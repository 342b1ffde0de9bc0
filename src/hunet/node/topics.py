"""Tags with slashes in them: `talks/room 1` is below `talks`, and who wants `talks/#` gets it.

A network finds messages by whole tags, so a message below others says so itself: beside `a/b/c` it carries the prefix
tags `a/#` and `a/b/#`. They are made when a message is published and not shown to anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hunet.node.secret import is_secret

__all__ = ["BELOW", "interests_of", "matches", "plain", "with_prefixes"]

BELOW = "/#"
"""What a tag ends with that means everything below."""


def with_prefixes(tags: Iterable[str]) -> tuple[str, ...]:
    """The tags, and the prefix tags of those with slashes, each once.

    >>> with_prefixes(["talks/room 1/late", "jazz"])
    ('talks/room 1/late', 'jazz', 'talks/#', 'talks/room 1/#')
    """
    tags = list(tags)
    parents = [
        "/".join(levels[:i]) + BELOW
        for tag in tags
        if not is_secret(tag) and (levels := tag.split("/"))
        for i in range(1, len(levels))
    ]
    return tuple(dict.fromkeys([*tags, *parents]))


def plain(tags: Sequence[str]) -> list[str]:
    """What a person wrote: without prefix tags.

    >>> plain(with_prefixes(["talks/room 1/late", "jazz"]))
    ['talks/room 1/late', 'jazz']
    """
    return [tag for tag in tags if not tag.endswith(BELOW)]


def matches(pattern: str, tag: str) -> bool:
    """Whether a tag is what a pattern asks for: this very tag; with `/#`, it and all below; with `#`, any.

    >>> [matches("talks/#", tag) for tag in ("talks/room 1", "talks", "talkshow")], matches("#", "jazz")
    ([True, True, False], True)
    """
    if pattern == "#":
        return True
    if pattern.endswith(BELOW):
        return tag == pattern[: -len(BELOW)] or tag.startswith(pattern[:-1])
    return tag == pattern


def interests_of(pattern: str) -> tuple[str, ...]:
    """The tags that a node must want so that a pattern is answered. Nobody can want everything of a network: `#` is
    what this node gets anyway.

    >>> interests_of("talks/#"), interests_of("jazz"), interests_of("#")
    (('talks/#', 'talks'), ('jazz',), ())
    """
    if pattern == "#":
        return ()
    return (pattern, pattern[: -len(BELOW)]) if pattern.endswith(BELOW) else (pattern,)
