"""What a simulation works on: the scene, as whoever asks for a run gives it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.model.errors import InvalidValueError

__all__ = ["Scene", "check_scene"]


class Scene(NamedTuple):
    """Contacts, messages and changes of interest, each in time order.

    At equal times changes of interest come first, then births, then contacts.
    """

    a: npt.NDArray[np.uint32]
    b: npt.NDArray[np.uint32]
    start: npt.NDArray[np.float64]
    end: npt.NDArray[np.float64]
    created: npt.NDArray[np.float64]
    expires: npt.NDArray[np.float64]
    """The last instant at which each message is alive."""
    source: npt.NDArray[np.uint32]
    size: npt.NDArray[np.int64]
    tag_start: npt.NDArray[np.int64]
    """Message i has the tags `tag[tag_start[i]:tag_start[i + 1]]`."""
    tag: npt.NDArray[np.uint32]
    change_at: npt.NDArray[np.float64]
    change_node: npt.NDArray[np.uint32]
    change_tag: npt.NDArray[np.uint32]
    change_to: npt.NDArray[np.uint32]
    """The interest from then on, as a place in `interests`."""
    wants: npt.NDArray[Any]
    """[node, tag]: the exact interests at time 0, as places in `interests`."""
    interests: npt.NDArray[Any]
    """Every different INTEREST; the first is none at all."""


def check_scene(scene: Scene, tags: int) -> None:
    """Refuse a scene that the event loop, which checks nothing, could not run over."""
    nodes = scene.wants.shape[0]
    if scene.wants.ndim != 2 or scene.wants.shape[1] != tags:
        raise InvalidValueError(f"interests have the shape {scene.wants.shape}, but there are {tags} tags")
    _same_length(scene, ("a", "b", "start", "end"))
    _same_length(scene, ("created", "expires", "source", "size"))
    _same_length(scene, ("change_at", "change_node", "change_tag", "change_to"))
    if scene.tag_start.size != scene.created.size + 1 or (
        scene.tag_start.size and scene.tag_start[-1] != scene.tag.size
    ):
        raise InvalidValueError("tag_start must have one entry more than there are messages, and end at the last tag")
    for name, limit in (("a", nodes), ("b", nodes), ("source", nodes), ("change_node", nodes)):
        _below(name, getattr(scene, name), limit, "nodes")
    for name in ("tag", "change_tag"):
        _below(name, getattr(scene, name), tags, "tags")
    for name in ("wants", "change_to"):
        _below(name, getattr(scene, name), scene.interests.size, "interests")
    for name in ("start", "created", "change_at"):
        values = getattr(scene, name)
        if values.size and not (np.isfinite(values).all() and values[0] >= 0 and (values[1:] >= values[:-1]).all()):
            raise InvalidValueError(
                f"times in {name!r} must be finite, not negative and in order: sort the table by it"
            )
    if (scene.a == scene.b).any() or (scene.end < scene.start).any():
        raise InvalidValueError("a contact is of two different nodes and ends no earlier than it starts")
    if (scene.expires < scene.created).any():
        raise InvalidValueError("a message cannot expire before it is created: give a time to live of 0 or more")


def _same_length(scene: Scene, names: tuple[str, ...]) -> None:
    sizes = {name: getattr(scene, name).size for name in names}
    if len(set(sizes.values())) > 1:
        raise InvalidValueError(f"these columns must have the same length: {sizes}")


def _below(name: str, values: npt.NDArray[Any], limit: int, what: str) -> None:
    if values.size and int(values.max()) >= limit:
        raise InvalidValueError(f"{name!r} has the number {int(values.max())}, but there are {limit} {what}")
