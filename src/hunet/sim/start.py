"""The contact model `start`: one exchange when a contact begins, as the papers have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hunet.kernels import leaf, loop
from hunet.protocols.protocol import Protocol
from hunet.sim.buffers import purge
from hunet.sim.exchange import make_exchange
from hunet.sim.scene import CONTROL_BYTES

__all__ = ["make_start_loop"]


def make_start_loop(protocol: Protocol) -> Callable[..., None]:
    """The compiled event loop for one protocol."""
    age, tell, hear = protocol.age, protocol.tell, protocol.hear
    subscribe, size = protocol.subscribe, protocol.size
    select, fit, send, publish = make_exchange(protocol)

    @leaf
    def until(params: Any, state: Any, now: Any, scene: Any, buffers: Any, desk: Any, notes: Any, room: Any) -> None:
        """Everything that happens before the contacts of `now`: changes of interest first, then births."""
        cursor = desk.cursor
        while True:
            change, birth = cursor[3], cursor[1]
            has_change = change < scene.change_at.size and scene.change_at[change] <= now
            has_birth = birth < scene.created.size and scene.created[birth] <= now
            if has_change and (not has_birth or scene.change_at[change] <= scene.created[birth]):
                node = scene.change_node[change]
                scene.wants[node, scene.change_tag[change]] = scene.change_on[change]
                age(params, state, node, scene.change_at[change])
                subscribe(params, state, node, scene.wants[node])
                cursor[3] = change + 1
            elif has_birth:
                advance(scene, desk, scene.created[birth])
                purge(buffers, scene.source[birth], cursor[2])
                cursor[1] = birth + 1
                publish(params, state, birth, scene, buffers, notes, cursor[2], room)
            else:
                return

    @leaf
    def advance(scene: Any, desk: Any, now: Any) -> None:
        """Let the oldest live message be the first that is not over."""
        oldest = desk.cursor[2]
        while oldest < desk.cursor[1] and scene.expires[oldest] < now:
            oldest += 1
        desk.cursor[2] = oldest

    @loop
    def run(
        params: Any,
        state: Any,
        digest_a: Any,
        digest_b: Any,
        scene: Any,
        buffers: Any,
        desk: Any,
        notes: Any,
        room: Any,
        bytes_per_second: Any,
        stop: Any,
    ) -> None:
        """Simulate contacts from the cursor up to, not including, number `stop`."""
        cursor = desk.cursor
        for contact in range(cursor[0], stop):
            now = scene.start[contact]
            until(params, state, now, scene, buffers, desk, notes, room)
            advance(scene, desk, now)
            oldest, newest = cursor[2], cursor[1]
            a, b = scene.a[contact], scene.b[contact]
            purge(buffers, a, oldest)
            purge(buffers, b, oldest)
            age(params, state, a, now)
            age(params, state, b, now)
            tell(params, state, a, now, digest_a)
            tell(params, state, b, now, digest_b)
            notes.totals[CONTROL_BYTES] += size(params, digest_a) + size(params, digest_b)
            # Both directions alike, in a loop: written out twice, they would be compiled twice.
            for side in range(2):
                me, peer = (a, b) if side == 0 else (b, a)
                theirs = digest_b if side == 0 else digest_a
                cursor[4] += 1
                count = select(params, state, me, peer, theirs, scene, buffers, desk, side, cursor[4], oldest, newest)
                if bytes_per_second != np.inf:
                    capacity = bytes_per_second * (scene.end[contact] - now)
                    count = fit(scene, desk.chosen[side], desk.score[side], count, capacity)
                desk.count[side] = count
            for side in range(2):
                me, peer = (a, b) if side == 0 else (b, a)
                for i in range(desk.count[side]):
                    m = desk.chosen[side, i]
                    send(params, state, me, peer, m, desk.score[side, i], now, scene, buffers, notes, oldest, room)
            hear(params, state, a, digest_b, now)
            hear(params, state, b, digest_a, now)
        cursor[0] = stop

    return run
