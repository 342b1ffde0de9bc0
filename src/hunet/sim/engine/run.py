"""One simulation: a protocol on a scene under conditions, and what came of it.

The event loop is compiled once per protocol, contact model and options in a process. It runs in chunks of contacts, so
that progress is shown and Ctrl-C works; a run that is interrupted leaves nothing behind.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from hunet.filters.checks import require_int
from hunet.kernels import borrowed
from hunet.model.errors import InvalidValueError
from hunet.protocols.accounts import ACCOUNTS
from hunet.protocols.protocol import Protocol, Ranges, Social, World
from hunet.sim.engine.acquaintances import closeness_of, number_peers, partings
from hunet.sim.engine.arrays import (
    CHANGE,
    CONTROL_BYTES,
    DELIVERIES,
    ERRANDS,
    EVENTS,
    FORWARDS,
    MISTAKEN,
    NOTE_BYTES,
    Contacts,
    Limits,
    changes_of,
    emptied,
    logged_events,
    messages_of,
    new_results,
    new_scratch,
    overflowed,
)
from hunet.sim.engine.audit import Audit, false_rates
from hunet.sim.engine.buffers import new_buffers, ring_words
from hunet.sim.engine.content_ids import MOST_ID_BITS, content_ids, next_alike
from hunet.sim.engine.deliveries import Held
from hunet.sim.engine.entries import in_groups, new_entries
from hunet.sim.engine.event_log import log_table
from hunet.sim.engine.exchange import Options
from hunet.sim.engine.extras import EXTRAS, auditor_of, check_extras, final_extras, share_of_brokers
from hunet.sim.engine.hearsay import PICTURES, can_be_heard, heard_at, heard_table
from hunet.sim.engine.host import Accounts, Host
from hunet.sim.engine.lifetimes import new_lifetimes
from hunet.sim.engine.links import new_links, packed
from hunet.sim.engine.loop import make_loop
from hunet.sim.engine.outcome import Conditions, Outcome
from hunet.sim.engine.scene import Scene, check_scene

__all__ = ["EXTRAS", "Conditions", "Outcome", "run"]

MASKED_TAGS = 64
"""Up to so many tags messages are found by their tags; all tags are asked for in every exchange."""

DIRECT_ENTRIES = 2**25
"""Up to so many entries (nodes x live messages) what protocols remember of messages is found directly."""

FIRST_DELIVERIES = 2**20
FIRST_EVENTS = 2**20
"""Room for results at first; it grows with them, and a run whose results still found none is repeated."""

CHUNK = 50_000
"""Contacts between two looks at the keyboard."""

_UNLIMITED = 2**62

Sizes: TypeAlias = tuple[int, int | None]


_loop_for = cache(make_loop)


def run(
    protocol: Protocol,
    settings: Any,
    scene: Scene,
    tags: Sequence[str],
    conditions: Conditions,
    *,
    seed: int = 1,
    log: bool = False,
    extras: Sequence[str] = (),
    closeness: pa.Table | None = None,
    ranges: Ranges | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Outcome:
    """Simulate a protocol on a scene.

    `closeness` is a table of pairs (a, b, closeness) for protocols that go by it; `ranges` are the cells of points and
    subscriptions, where tags are points. `progress` is called with the contacts done and their total, now and then.
    """
    _check(scene, tags, conditions)
    simulation = _Simulation(protocol, settings, scene, tags, conditions, seed, log, tuple(extras), closeness, ranges)
    sizes: Sizes | None = simulation.first_sizes()
    while sizes is not None:
        sizes = simulation.attempt(sizes, progress)
    return simulation.outcome()


def _check(scene: Scene, tags: Sequence[str], conditions: Conditions) -> None:
    check_scene(scene, len(tags))
    if conditions.contacts not in ("start", "continuous"):
        raise InvalidValueError(f"contact model {conditions.contacts!r}: choose 'start' or 'continuous'")
    if conditions.eviction not in ("oldest", "fair"):
        raise InvalidValueError(f"eviction {conditions.eviction!r}: choose 'oldest' or 'fair'")
    if conditions.clocks is not None:
        nodes, clocks = scene.wants.shape[0], conditions.clocks
        if len(clocks) != nodes or not np.isfinite(clocks).all() or min(clocks, default=0.0) < 0:
            raise InvalidValueError(f"{len(clocks)} clocks for {nodes} nodes: give each one, 0 or more seconds ahead")
    if conditions.buffer is not None and conditions.buffer < 0:
        raise InvalidValueError(f"buffer {conditions.buffer}: give 0 or more messages, or None for no limit")
    if conditions.id_bits is not None:
        require_int("id_bits", conditions.id_bits, 1, MOST_ID_BITS)
    if not conditions.bytes_per_second >= 0:
        raise InvalidValueError(f"bandwidth of {conditions.bytes_per_second} bytes per second: give 0 or more, or inf")


def _social(pairs: pa.Table, scene: Scene) -> Social:
    levels = scene.interests["level"][scene.wants]
    return Social(pairs, scene.wants.shape[0], np.ascontiguousarray(levels, np.float32))


class _Simulation:
    """Everything of one run. An attempt starts from nothing, and is repeated if its result arrays were too short."""

    def __init__(
        self,
        protocol: Protocol,
        settings: Any,
        scene: Scene,
        tags: Sequence[str],
        conditions: Conditions,
        seed: int,
        log: bool,
        extras: tuple[str, ...],
        closeness: pa.Table | None,
        ranges: Ranges | None,
    ) -> None:
        self.protocol, self.settings, self.scene, self.conditions = protocol, settings, scene, conditions
        self.log, self.extras = log, extras
        self.broker_share: list[tuple[float, float]] = []
        self.delivered: list[pa.Table] = []
        self.logged: list[Any] = []
        self.heard: list[Any] = []
        self.nodes = scene.wants.shape[0]
        auditor = auditor_of(extras, protocol, conditions.contacts)
        nodes = self.nodes
        self.words = ring_words(scene.created, scene.expires)
        asked = conditions.own_outside
        self.own_outside = protocol.own_outside if asked is None else asked
        self.room = _UNLIMITED if conditions.buffer is None else conditions.buffer
        acquaintances = None
        if protocol.greet is not None or (auditor is not None and auditor.greet is not None):
            acquaintances = number_peers(scene.a, scene.b, nodes)
        self.world = World(
            nodes,
            tags,
            self.words * 64,
            seed,
            peer_start=acquaintances.start if acquaintances else None,
            closeness=closeness_of(acquaintances, closeness) if acquaintances and closeness is not None else None,
            social=_social(closeness, scene) if protocol.needs.social and closeness is not None else None,
            room=math.inf if conditions.buffer is None else conditions.buffer,
            ranges=ranges,
            began=0.0 if conditions.clocks is None else np.array(conditions.clocks, np.float64),
        )
        self.params = protocol.prepare(settings, self.world)
        places, mapped = self._places("hops" in extras)
        if mapped:
            self.world = replace(self.world, entries=places)
        self.contacts = Contacts(
            scene.a,
            scene.b,
            scene.start,
            scene.end,
            acquaintances.at_a if acquaintances else None,
            acquaintances.at_b if acquaintances else None,
            partings(scene.a, scene.b, scene.start, scene.end) if protocol.parted is not None else None,
        )
        self.horizon = max(float(scene.end.max(initial=0.0)), float(scene.created.max(initial=0.0)))
        self.messages, self.changes = messages_of(scene), changes_of(scene)
        self.alike = None
        if conditions.id_bits is not None:
            self.alike = next_alike(content_ids(scene.created.size, conditions.id_bits, seed))
        self.options = Options(
            mapped=mapped,
            skewed=conditions.clocks is not None,
            fair=conditions.eviction == "fair",
            own_outside=self.own_outside,
            hashed=self.alike is not None,
            lasting=conditions.contacts == "continuous",
            log=log,
            hops="hops" in extras,
            accounts="encodings" in extras,
            auditor=auditor,
        )
        self.loop = _loop_for(protocol, self.options)
        self.cpu_seconds = 0.0

    def _places(self, hops: bool) -> tuple[int, bool]:
        """How many messages a node remembers something of at once, and whether their places are found by a table."""
        world, ring = self.world, self.words * 64
        if self.conditions.buffer is None or world.nodes * ring <= DIRECT_ENTRIES:
            return ring, False
        small, large = (self.protocol.new_state(self.params, replace(world, entries=n)) for n in (1, 2))
        remembers = any(part.shape != other.shape for part, other in zip(small, large, strict=True))
        own = int(np.bincount(self.scene.source).max(initial=0)) if self.own_outside else 0
        # A full buffer, as many again that come in before it is trimmed, and one that is not carried on.
        places = in_groups(2 * (self.conditions.buffer + own) + 2)
        return (places, True) if (remembers or hops) and places < ring else (ring, False)

    def first_sizes(self) -> Sizes:
        """How many deliveries and events to make room for at first."""
        per_tag = np.count_nonzero(self.scene.wants, axis=0)
        if self.scene.change_tag.size:
            comes = self.scene.change_tag[self.scene.change_to > 0]
            per_tag += np.bincount(comes, minlength=per_tag.size)
        pairs = int(per_tag[self.scene.tag].sum()) if self.scene.tag.size else 0
        return min(pairs, FIRST_DELIVERIES), (FIRST_EVENTS if self.log else None)

    def attempt(self, sizes: Sizes, progress: Callable[[int, int], None] | None) -> Sizes | None:
        """Run from the beginning. Returns sizes with which to repeat the run, or None if all went well."""
        scene, world, protocol = self.scene, self.world, self.protocol
        self.state = protocol.new_state(self.params, world)
        check_extras(self.extras, protocol)
        self.broker_share, self.delivered, self.logged, self.heard = [], [], [], []
        hellos = [protocol.hello.new(self.params, world) for _ in range(2)]
        digests, rows = zip(*(packed(protocol.digest.new(self.params, world)) for _ in range(2)), strict=True)
        given = self.conditions
        limits = Limits(self.room, float(given.bytes_per_second), given.shared, given.charge_digests)
        host = Host(
            contacts=self.contacts,
            clocks=None if given.clocks is None else np.array(given.clocks, np.float64),
            messages=self.messages,
            alike=self.alike,
            tags=scene.tag,
            changes=self.changes,
            wants=scene.wants.copy(),
            interests=scene.interests,
            buffers=new_buffers(world.nodes, self.words, self.own_outside, protocol.waits is not None),
            lifetimes=new_lifetimes(scene.expires, self.words),
            entries=new_entries(world.nodes, self.words * 64, world.entries, self.options.mapped, self.options.hops),
            links=new_links(self.contacts, world.nodes, *rows) if self.options.lasting else None,
            scratch=new_scratch(self.words, len(world.tags), len(world.tags) <= MASKED_TAGS, self._evicts_by_rank()),
            results=new_results(scene.created.size, *sizes),
            limits=limits,
            audit=self._new_audit(),
            accounts=self._new_accounts(),
        )
        host.scratch.cursor[CHANGE] = -1
        self.host = host
        total = scene.a.size

        params, state, given_host = borrowed(self.params), borrowed(self.state), borrowed(host)
        told = [borrowed(one) for one in (*hellos, *digests)]

        def simulate(stop: int) -> None:
            self.loop(params, state, given_host, *told, stop, self.horizon)

        simulate(-1)  # compiles, where that is still to be done
        self.cpu_seconds = 0.0
        done = 0
        step = min(CHUNK, max(1, total // 100)) if "broker_share" in self.extras else CHUNK
        hears = self.log and can_be_heard(protocol, world.nodes, len(world.tags))
        if hears:
            step = min(step, -(-total // PICTURES) or 1)
        while True:
            done = min(done + step, total)
            began = time.process_time()
            simulate(done)
            self.cpu_seconds += time.process_time() - began
            if "broker_share" in self.extras and done:
                self.broker_share.append((float(scene.start[done - 1]), share_of_brokers(protocol, self.state)))
            if hears and done:
                now = float(scene.start[done - 1])
                self.heard.append(heard_at(now, protocol, self.params, self.state, given.clocks))
            if progress is not None:
                progress(done, total)
            results = self.host.results
            if overflowed(results):
                return sizes[0] + 2 * int(results.totals[DELIVERIES]), (
                    None if sizes[1] is None else sizes[1] + 2 * int(results.totals[EVENTS])
                )
            # Taken off part by part: one long array would be copied whenever it grows.
            self.delivered.append(self._delivered())
            self.logged.append(logged_events(results))
            if done == total:
                return None
            self.host = self.host._replace(results=emptied(results))
            given_host = borrowed(self.host)

    def _delivered(self) -> pa.Table:
        results = self.host.results
        found = results.deliveries[: results.totals[DELIVERIES]]
        return pa.table(
            {
                "message": found["message"].astype(np.int32),
                "node": found["node"].astype(np.int32),
                "at": np.array(found["at"]),
                "hops": pa.array(np.array(found["hops"])) if self.options.hops else pa.nulls(found.size, pa.uint16()),
            }
        )

    def outcome(self) -> Outcome:
        """What came of it."""
        results, scene = self.host.results, self.scene
        return Outcome(
            Held(self.delivered),
            np.ascontiguousarray(results.tally["copies"]),
            np.ascontiguousarray(results.tally["dropped"]),
            np.ascontiguousarray(self.host.buffers.node["drops"]),
            int(results.totals[FORWARDS]),
            int(results.totals[ERRANDS]),
            int(self.protocol.inspect["lists"](self.state).sum()) if "lists" in self.protocol.inspect else 0,
            int(results.totals[CONTROL_BYTES]),
            self._note_bytes(),
            scene.a.size,
            int(np.count_nonzero(scene.start == scene.end)),
            log_table(np.concatenate(self.logged)) if self.log else None,
            self.state,
            self.cpu_seconds,
            self._extras(),
            heard_table(self.heard, self.world.tags) if self.heard else None,
        )

    def _note_bytes(self) -> int:
        totals = self.host.results.totals
        parcel = self.protocol.parcel(self.params).nbytes
        return int(totals[NOTE_BYTES] + parcel * (totals[FORWARDS] + totals[ERRANDS]))

    def _extras(self) -> dict[str, Any]:
        found: dict[str, Any] = dict(
            final_extras(self.extras, self.protocol, self.params, self.state, self.horizon, self._without_errors)
        )
        if self.host.audit is not None:
            found |= false_rates(self.host.audit.counts, self.options.auditor is self.protocol)
        if self.host.accounts is not None:
            per_contact = self.host.accounts.out / max(1, self.scene.a.size)
            found |= dict(zip(ACCOUNTS, per_contact.tolist(), strict=True))
        if self.alike is not None:
            found["messages_alike"] = int(np.count_nonzero(self.alike != np.arange(self.alike.size)))
            found["mistaken_for_seen"] = int(self.host.results.totals[MISTAKEN])
        if "broker_share" in self.extras:
            found["broker_share"] = self.broker_share
        return found

    def _new_accounts(self) -> Accounts | None:
        if not self.options.accounts:
            return None
        tag_bytes = np.array([len(tag.encode()) for tag in self.world.tags], np.int64)
        return Accounts(tag_bytes, np.zeros(len(ACCOUNTS), np.int64))

    def _evicts_by_rank(self) -> bool:
        return self.protocol.rank is not None or self.options.fair

    def _new_audit(self) -> Audit | None:
        auditor = self.options.auditor
        if auditor is None:
            return None
        same = auditor is self.protocol
        world = replace(self.world, entries=1, exact=same)
        params = auditor.prepare(self.settings if same else auditor.settings(), world)
        blank = self.protocol.digest.new(self.params, self.world)
        return Audit(
            blank,
            auditor.digest.new(params, world),
            params,
            auditor.new_state(params, world),
            auditor.hello.new(params, world),
            auditor.hello.new(params, world),
            auditor.digest.new(params, world),
            auditor.digest.new(params, world),
            np.zeros(2, np.int64),
            np.zeros(8, np.int64),
        )

    def _without_errors(self) -> tuple[Any, Any]:
        """The same contacts in a world where filters never err. What nodes know does not depend on messages."""
        if self.options.auditor is self.protocol:  # it has lived there, through the same contacts
            return self.host.audit.params, self.host.audit.state  # type: ignore[union-attr]
        shadow = copy(self)
        shadow.world = replace(self.world, exact=True)
        shadow.params = self.protocol.prepare(self.settings, shadow.world)
        shadow.extras, shadow.options = (), replace(self.options, auditor=None)
        shadow.loop = _loop_for(self.protocol, shadow.options)
        sizes: Sizes | None = shadow.first_sizes()
        while sizes is not None:
            sizes = shadow.attempt(sizes, None)
        return shadow.params, shadow.state
