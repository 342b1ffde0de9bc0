"""Measures that are taken only when asked for by name: what relay filters hold, and who is a broker.

All but `broker_share` look at the state at the end, brought to the end of the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.model.errors import InvalidValueError
from hunet.protocols.bsub13 import BSUB13
from hunet.protocols.protocol import Protocol

__all__ = ["EXTRAS", "check_extras", "final_extras", "relay_at", "share_of_brokers"]

EXTRAS: Mapping[str, Mapping[str, str]] = {
    "hops": {"hops_mean": "transfers on the way to a delivery", "hops_max": "the most of them"},
    "centrality": {
        f"delivery_ratio_q{quarter}": f"pairs delivered of those wanted by the {words} quarter of the nodes"
        for quarter, words in enumerate(("least central", "next", "next but one", "most central"), start=1)
    },
    "broker_share": {"broker_share_mean": "share of the nodes that are brokers, mean over time"},
    "fill_ratio": {"fill_ratio": "share of a relay filter's positions that are set"},
    "distinct_counters": {"distinct_counters": "different counter values of a relay filter"},
    "saturated_counters": {"saturated_counters": "counters of a relay filter at the ceiling"},
    "encodings": {
        **{f"control_bytes_E{e}": f"control bytes per contact with E{e} wherever it fits" for e in range(7)},
        "control_bytes_raw": "the same with tags as text instead of filters (AMB-07)",
    },
    "relayed_tags": {"relayed_tags": "tags that a node's relay filters answer for"},
    "relayed_tags_exact": {"relayed_tags_exact": "the same where filters never err"},
    "false_positives": {
        "forwarding_fpr": "false forwards of all forwards (ERR-11)",
        "delivered_fpr": "false deliveries of all that a peer's own filter asked for",
        "injected_fpr": "false ones of a producer's messages that went to a relay",
        "conditional_fpr": "false matches of queries for tags that the peer's filters do not hold",
    },
    "not_by_bsub": {"not_by_bsub": "share of forwards for which B-SUB 2013 saw no reason (AMB-34)"},
}
"""What can be asked for, the numbers that it adds, and what they say; `docs/simulator.md` has the formulas."""

_LOOKS_AT = {
    "broker_share": "broker",
    "fill_ratio": "relay",
    "distinct_counters": "relay",
    "saturated_counters": "relay",
    "relayed_tags": "relay",
    "relayed_tags_exact": "relay",
}
"""What a protocol must let be looked at (`Protocol.inspect`)."""


def auditor_of(names: tuple[str, ...], protocol: Protocol, model: str) -> Protocol | None:
    """The protocol that judges this one, where a measure needs one."""
    asked = [name for name in ("false_positives", "not_by_bsub") if name in names]
    if not asked:
        return None
    if len(asked) > 1 or model != "start":
        raise InvalidValueError(f"{' and '.join(asked)}: one of them at a time, and with contact model 'start'")
    if asked == ["not_by_bsub"] and protocol is BSUB13:
        raise InvalidValueError("not_by_bsub compares other protocols with B-SUB 2013: take 'false_positives' for it")
    return protocol if asked == ["false_positives"] else BSUB13


def check_extras(names: tuple[str, ...], protocol: Protocol) -> None:
    """Refuse measures that do not exist, or not for this protocol."""
    for name in names:
        if name not in EXTRAS:
            raise InvalidValueError(f"no extra measure {name!r}; there are: {', '.join(EXTRAS)}")
        if name == "encodings" and protocol.digest.account is None:
            raise InvalidValueError(f"'encodings' cannot be measured: {protocol.name} tells no filters")
        needs = _LOOKS_AT.get(name)
        if needs is not None and needs not in protocol.inspect:
            raise InvalidValueError(f"{name!r} cannot be measured: {protocol.name} has no {needs}s")


def share_of_brokers(protocol: Protocol, state: Any) -> float:
    """Which part of the nodes are brokers just now."""
    return float(protocol.inspect["broker"](state).mean())


def final_extras(
    names: tuple[str, ...],
    protocol: Protocol,
    params: Any,
    state: Any,
    end: float,
    exact: Callable[[], tuple[Any, Any]],
) -> dict[str, float]:
    """Those of the measures that are taken at the end; `exact` makes params and state of a world without errors."""
    found: dict[str, float] = {}
    if any(_LOOKS_AT.get(name) == "relay" for name in names):
        relay = relay_at(end, protocol, params, state)
        set_counters = relay > 0
        if "fill_ratio" in names:
            found["fill_ratio"] = float(set_counters.mean())
        if "distinct_counters" in names:
            rows = relay.reshape(-1, relay.shape[-1])
            found["distinct_counters"] = float(np.mean([np.unique(row[row > 0]).size for row in rows]))
        if "saturated_counters" in names:
            found["saturated_counters"] = float((relay == params.ceiling).sum(axis=-1).mean())
        if "relayed_tags" in names:
            found["relayed_tags"] = _tags_answered(relay, params.table)
        if "relayed_tags_exact" in names:
            exact_params, exact_state = exact()
            exact_relay = relay_at(end, protocol, exact_params, exact_state)
            found["relayed_tags_exact"] = _tags_answered(exact_relay, exact_params.table)
    return found


def relay_at(
    now: float, protocol: Protocol, params: Any, state: Any, clocks: Sequence[float] | None = None
) -> npt.NDArray[Any]:
    """[node, filter, position]: relay filters, decayed to this time, on a copy."""
    copy = type(state)(*(part.copy() for part in state))
    relay = protocol.inspect["relay"](copy)
    for node in range(relay.shape[0]):
        protocol.age(params, copy, np.uint32(node), now + (clocks[node] if clocks else 0.0))
    return relay


def _tags_answered(relay: npt.NDArray[Any], table: npt.NDArray[Any]) -> float:
    """Tags all of whose counters are set in one of a node's filters; mean over the nodes."""
    known: npt.NDArray[np.bool_] = np.any(np.all(relay[:, :, table] > 0, axis=2), axis=1)
    return float(known.sum(axis=1).mean())
