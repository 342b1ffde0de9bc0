"""The secret topics that a node's person follows: kept in the store, and wanted by the tags of these days."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from hunet.model.errors import NodeError
from hunet.node.host import Host
from hunet.node.secret import DAY, PREFIX, Topic, days_around

__all__ = ["SecretTopics"]

_KEPT = "secret topics"
MOST_TOPICS = 64


class SecretTopics:
    """By name. `wall` gives seconds since 1970."""

    def __init__(self, host: Host, wall: Callable[[], float]) -> None:
        self._host, self._wall = host, wall
        kept = json.loads(host.store.get(_KEPT) or "{}")
        self.all = {name: Topic(name, bytes.fromhex(key)) for name, key in kept.items()}
        self._day = -1

    def follow(self, topic: Topic) -> None:
        """Want a topic from now on."""
        if len(self.all) >= MOST_TOPICS and topic.name not in self.all:
            raise NodeError(f"more than {MOST_TOPICS} secret topics: give one up first")
        if (old := self.all.get(topic.name)) is not None and old != topic:
            self._unwant(old)
        self.all[topic.name] = topic
        self._keep()
        self._day = -1
        self.renew()

    def leave(self, name: str) -> bool:
        """Want it no more; whether it was wanted."""
        topic = self.all.pop(name, None)
        if topic is None:
            return False
        self._keep()
        self._unwant(topic)
        return True

    def renew(self) -> None:
        """Want the tags of these days; once a day there is something to do."""
        today = int(self._wall() // DAY)
        if today == self._day:
            return
        self._day = today
        wanted = {topic.tag(day) for topic in self.all.values() for day in days_around(self._wall())}
        known = {text for _, text in self._host.interests.all if text.startswith(PREFIX)}
        for tag in sorted(wanted - known):
            self._host.subscribe(tag)
        for tag in sorted(known - wanted):
            self._host.unsubscribe(tag)
        if wanted != known:
            self._host.tell_anew()

    def open(self, tags: Sequence[str], payload: bytes) -> tuple[str, bytes] | None:
        """The name of the topic and what a message says, if it is of one that I follow."""
        for tag in tags:
            for topic in self.all.values() if tag.startswith(PREFIX) else ():
                text = topic.open(tag, payload)
                if text is not None:
                    return topic.name, text
        return None

    def _unwant(self, topic: Topic) -> None:
        for day in days_around(self._wall()):
            self._host.unsubscribe(topic.tag(day))

    def _keep(self) -> None:
        self._host.store.put(_KEPT, json.dumps({name: topic.key.hex() for name, topic in self.all.items()}))
