"""The attack on B-SUB and B-SUB-P: who listens to a node's filters, how well can it guess the node's interests?

An attacker takes part as a normal node and keeps every digest its peers tell it ([bsub13] 4.5). It guesses

* by membership: every tag it knows that the last filter confirms;
* by ranking: the q tags with the largest counters in the last filter, q being how many interests people have;
* patiently: the q tags whose smallest counter over all meetings is largest. Relayed interests come and go, own ones
  never fall below the initial value.

It knows all tags of the network, half of them, or those of the messages it relayed. In B-SUB it listens to the genuine
filter, a plain Bloom filter without counters: ranking then cannot tell matches apart and takes the first in the order
of the tags. Beside the measured precision stands the posterior that the paper says can be computed:
p / (p + (1 - p) f), with the prior p = q / K and f the probability that a tag that is not wanted matches all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.sizing import false_positive_rate_of, keys_from_fill_ratio
from hunet.kernels import leaf, loop
from hunet.protocols import make_settings
from hunet.protocols.bsub13 import BSUB13
from hunet.protocols.bsubp import BSUBP
from hunet.protocols.protocol import Protocol, World
from hunet.protocols.quantities import Digest
from hunet.sim.engine.run import Conditions, run
from hunet.sim.engine.scene import Scene

__all__ = ["Attack", "AttackRow", "Heard", "attack", "listen", "posterior"]

Booleans = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


class Heard(NamedTuple):
    """Every digest that the attackers were told, in time order."""

    listener: Ints
    speaker: Ints
    counters: npt.NDArray[np.int64]
    """[i, position]: counters of the filter; 1 for a set bit of a filter without counters."""
    table: npt.NDArray[Any]
    """[hash function, tag]: the positions of each tag."""

    def values(self) -> npt.NDArray[np.int64]:
        """[i, tag]: the smallest counter of each tag; 0 for a tag that is not in the filter."""
        return np.asarray(self.counters[:, self.table].min(axis=1))


@dataclass(frozen=True)
class AttackRow:
    """How well one way of guessing does."""

    protocol: str
    knows: str
    guesses_by: str
    known_share: float
    """Of all tags: how many an attacker knows."""
    precision: float
    recall: float
    posterior: float | None
    """What Bayes' rule expects of guesses by membership."""


@dataclass(frozen=True)
class Attack:
    """Who attacks, on what."""

    scene: Scene
    tags: Sequence[str]
    conditions: Conditions
    listeners: Sequence[int]
    seed: int = 1


def posterior(prior: float, false_match: float) -> float:
    """P(wanted | matches) = p / (p + (1 - p) f)."""
    return prior / (prior + (1 - prior) * false_match)


def attack(on: Attack, changes: Mapping[str, Any] | None = None) -> list[AttackRow]:
    """Both protocols, every extent of knowledge, every way of guessing; `changes` are settings by name."""
    rows = []
    for protocol in (BSUB13, BSUBP):
        settings = make_settings(protocol, changes or {})
        heard = listen(protocol, settings, on)
        for name, knows in _knowledge(on, protocol, settings).items():
            rows += _judge(protocol, heard, on.scene.wants > 0, name, knows)
    return rows


# Listening. Filters spread without regard to messages: contacts alone are replayed, with the protocol's own functions.


@leaf
def _write_genuine(digest: Digest, row: Any) -> None:
    for i in range(row.size):
        row[i] = np.int64((digest.genuine[i >> 6] >> np.uint64(i & 63)) & np.uint64(1))


@leaf
def _write_mixed(digest: Digest, row: Any) -> None:
    for i in range(row.size):
        row[i] = np.int64(digest.mixed[i])


_WRITERS: dict[str, Callable[..., None]] = {"bsub13": _write_genuine, "bsubp": _write_mixed}


@cache
def _listening_loop(protocol: Protocol) -> Callable[..., None]:
    age, tell, hear, write = protocol.age, protocol.tell, protocol.hear, _WRITERS[protocol.name]

    @loop
    def replay(params: Any, state: Any, ours: Any, theirs: Any, scene: Any, place: Any, counters: Any) -> None:
        """`place[contact, side]`: the row for what that side tells, or -1."""
        for contact in range(scene.a.size):
            a, b, now = scene.a[contact], scene.b[contact], scene.start[contact]
            age(params, state, a, now)
            age(params, state, b, now)
            tell(params, state, a, now, None, 0, ours)
            tell(params, state, b, now, None, 0, theirs)
            if place[contact, 0] >= 0:
                write(ours, counters[place[contact, 0]])
            if place[contact, 1] >= 0:
                write(theirs, counters[place[contact, 1]])
            hear(params, state, a, theirs, 0, now)
            hear(params, state, b, ours, 0, now)

    return replay


def listen(protocol: Protocol, settings: Any, on: Attack) -> Heard:
    """What the attackers hear on a trace; interests are those at its beginning."""
    scene = on.scene
    world = World(scene.wants.shape[0], on.tags, 1, on.seed)
    params = protocol.prepare(settings, world)
    state = protocol.new_state(params, world)
    for node in range(world.nodes):
        protocol.subscribe(params, state, node, scene.interests[scene.wants[node]])
    ears = np.zeros(world.nodes, np.bool_)
    ears[list(on.listeners)] = True
    told = np.column_stack((ears[scene.b], ears[scene.a]))  # what a tells is heard by b
    place = np.where(told, np.cumsum(told.ravel()).reshape(told.shape) - 1, -1)
    counters = np.zeros((int(told.sum()), params.m), np.int64)
    digests = (protocol.digest.new(params, world) for _ in range(2))
    _listening_loop(protocol)(params, state, *digests, scene, place, counters)
    sides = np.column_stack((scene.a, scene.b)).astype(np.int64)
    return Heard(sides[:, ::-1][told], sides[told], counters, params.table)


def _knowledge(on: Attack, protocol: Protocol, settings: Any) -> dict[str, Booleans]:
    """[node, tag]: the tags each attacker knows, by how it came to know them."""
    nodes, tags = on.scene.wants.shape
    everything = np.ones((nodes, tags), np.bool_)
    half = np.zeros((nodes, tags), np.bool_)
    half[:, np.random.Generator(np.random.PCG64(on.seed)).permutation(tags)[: tags // 2]] = True
    learned = np.zeros((nodes, tags), np.bool_)
    outcome = run(protocol, settings, on.scene, on.tags, on.conditions, seed=on.seed, log=True)
    assert outcome.log is not None
    log = outcome.log
    came = np.asarray(log.column("kind").cast("string").to_numpy() == "forward")
    node, message = log.column("to").fill_null(0).to_numpy()[came], log.column("message").to_numpy()[came]
    for i in range(int(np.diff(on.scene.tag_start).max(initial=0))):
        has = on.scene.tag_start[message] + i < on.scene.tag_start[message + 1]
        learned[node[has], on.scene.tag[on.scene.tag_start[message[has]] + i]] = True
    return {"all tags": everything, "half of the tags": half, "tags of messages it relayed": learned}


# Guessing.


def _judge(protocol: Protocol, heard: Heard, wants: Booleans, name: str, knows: Booleans) -> list[AttackRow]:
    values = heard.values()
    pair = heard.listener * wants.shape[0] + heard.speaker
    # The last digest of each pair, and the smallest value of each tag over all its digests.
    pairs, last_from_behind, which = np.unique(pair[::-1], return_index=True, return_inverse=True)
    last = values[::-1][last_from_behind]
    least = np.full((pairs.size, values.shape[1]), np.iinfo(np.int64).max)
    np.minimum.at(least, which, values[::-1])
    listener, speaker = pairs // wants.shape[0], pairs % wants.shape[0]
    known, truth = knows[listener], wants[speaker]
    most = int(wants.sum(axis=1).max(initial=0))
    fill = (heard.counters[::-1][last_from_behind] > 0).mean(axis=1)
    expected = _expected(fill, most, wants.shape[1], heard)
    guesses = {
        "membership": (last > 0) & known,
        "ranking": _top(np.where(known, last, 0), most),
        "patience": _top(np.where(known, least, 0), most),
    }
    return [
        AttackRow(
            protocol.name,
            name,
            way,
            float(known.mean()),
            *_score(guess, truth),
            expected if way == "membership" else None,
        )
        for way, guess in guesses.items()
    ]


def _expected(fill: npt.NDArray[np.float64], wanted: int, tags: int, heard: Heard) -> float:
    """The mean posterior over filters of this fill: f is the share of the other tags in the filter, and those that
    match by accident."""
    k, m = heard.table.shape[0], heard.counters.shape[1]
    prior = wanted / tags
    found = []
    for ratio in fill.tolist():
        ratio = min(ratio, 1 - 1 / m)
        others = min(max(keys_from_fill_ratio(ratio, m, k) - wanted, 0.0) / (tags - wanted), 1.0)
        accident = false_positive_rate_of(ratio, k)
        found.append(posterior(prior, others + (1 - others) * accident))
    return float(np.mean(found))


def _top(values: npt.NDArray[np.int64], count: int) -> Booleans:
    """The `count` largest of each row that are above 0; of equals, the first."""
    order = np.argsort(-values, axis=1, kind="stable")[:, :count]
    chosen = np.zeros(values.shape, np.bool_)
    np.put_along_axis(chosen, order, True, axis=1)
    return chosen & (values > 0)


def _score(guess: Booleans, truth: Booleans) -> tuple[float, float]:
    """Precision and recall over all pairs of attacker and node met."""
    right = int((guess & truth).sum())
    return right / max(int(guess.sum()), 1), right / max(int(truth.sum()), 1)
