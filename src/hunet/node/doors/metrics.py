"""A node's figures in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hunet.node.service import carried, status

if TYPE_CHECKING:
    from hunet.node.daemon import Node

__all__ = ["MEDIA_TYPE", "metrics"]

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def metrics(node: Node) -> str:
    """All figures."""
    known, load = status(node), carried(node)
    return "".join(
        [
            *_figure("peers", "gauge", "Nodes near now.", known["peers"]),
            *_figure("interests", "gauge", "Tags that this node follows.", len(known["interests"])),
            *_figure("uptime_seconds", "gauge", "Seconds since the node started.", known["seconds"]),
            *_figure("paused", "gauge", "1 while the node meets nobody.", int(known["paused"])),
            *_figure("delivered_total", "counter", "Messages that were wanted and came.", known["delivered"]),
            *_figure("forwarded_total", "counter", "Messages that others took from here.", known["forwarded"]),
            *_labelled(
                "carried_messages", "gauge", "Messages carried.", "whose", {w: load[w]["messages"] for w in _WHOSE}
            ),
            *_labelled("carried_bytes", "gauge", "Their bytes.", "whose", {w: load[w]["bytes"] for w in _WHOSE}),
            *_labelled("room_bytes", "gauge", "Room for them.", "whose", {w: load["room"][w] for w in _WHOSE}),
            *_labelled("gone_total", "counter", "Messages let go or refused.", "why", load["gone"]),
            *_labelled("refused_total", "counter", "Callers that became no peer.", "why", known["refused"]),
            *_labelled("unreached_total", "counter", "Dials that became no contact.", "why", known["unreached"]),
        ]
    )


_WHOSE = ("own", "others")


def _figure(name: str, kind: str, what: str, value: float) -> Iterator[str]:
    yield f"# HELP hunet_{name} {what}\n# TYPE hunet_{name} {kind}\nhunet_{name} {value}\n"


def _labelled(name: str, kind: str, what: str, label: str, values: Mapping[str, float]) -> Iterator[str]:
    yield f"# HELP hunet_{name} {what}\n# TYPE hunet_{name} {kind}\n"
    for value, count in values.items():
        yield f'hunet_{name}{{{label}="{_escaped(value)}"}} {count}\n'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
