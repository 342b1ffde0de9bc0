"""What is said under a secret topic is for those who know its phrase."""

from __future__ import annotations

import asyncio

import pytest

from hunet.model.errors import DecodeError, InvalidValueError
from hunet.node.budget import DAY
from hunet.node.clock import VirtualClock
from hunet.node.message import Envelope
from hunet.node.secret import Secret, day_of, secret_of
from tests.node.meetings import a_host, inbox, meet

TOPIC = "secret:the old mill at night"


def test_its_tag_is_another_every_day_and_in_every_network() -> None:
    topic, elsewhere = secret_of(TOPIC, b"a" * 16), Secret(TOPIC, b"b" * 16)
    tags = [topic.tag(day) for day in range(5)] + [elsewhere.tag(0)]
    assert len(set(tags)) == 6
    assert all(len(tag) == 27 for tag in tags)
    assert set(tags[:3]) <= set(topic.tags(2))


def test_what_is_sealed_is_opened_by_the_phrase_alone() -> None:
    topic, other = secret_of(TOPIC, b"a" * 16), Secret(TOPIC + "!", b"a" * 16)
    tag = topic.tag(7)
    sealed = topic.seal(b"text", tag)
    assert topic.open(sealed, [tag]) == b"text"
    assert topic.seal(b"text", tag) != sealed
    for wrong in (lambda: other.open(sealed, [tag]), lambda: topic.open(sealed, [topic.tag(8)])):
        with pytest.raises(DecodeError, match="this secret"):
            wrong()
    for damaged in (b"", sealed[:-1], sealed[:11], sealed + b"x"):
        with pytest.raises(DecodeError, match="this secret"):
            topic.open(damaged, [tag])


def test_a_phrase_that_is_guessed_at_once_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="7 letters"):
        Secret("secret:hamster", b"a" * 16)


@pytest.mark.interpreted
def test_it_goes_through_others_who_do_not_understand_it() -> None:
    clock = VirtualClock(20_000 * DAY + DAY - 60_000)
    a, b, c = (a_host(i, clock=clock, wall=clock) for i in range(3))
    c.subscribe(TOPIC)
    mid = a.publish(b"text", [TOPIC], lifetime=DAY)
    asyncio.run(meet(a, b))
    clock.now += 120_000  # a new day
    asyncio.run(meet(b, c))
    assert inbox(c) == [mid]
    carried = Envelope.decode(b.shelf.envelope(b.shelf.held[mid]))
    assert b"text" not in carried.payload
    assert b.opened(carried) is carried
    (delivered,) = c.store.deliveries()
    read = c.opened(Envelope.decode(delivered.envelope))
    assert (read.tags, read.payload) == ((TOPIC,), b"text")
    assert day_of(clock.now) == 20_001


@pytest.mark.interpreted
def test_a_message_has_one_secret_topic_and_no_other_tag() -> None:
    a = a_host(1)
    with pytest.raises(InvalidValueError, match="no other tag"):
        a.publish(b"text", [TOPIC, "jazz"])


@pytest.mark.interpreted
def test_a_reader_goes_on_reading_from_day_to_day() -> None:
    clock = VirtualClock(20_000 * DAY)
    a, b = (a_host(i, clock=clock, wall=clock) for i in range(2))
    b.subscribe(TOPIC)
    for _ in range(12):
        clock.now += DAY
        a.publish(b"text", [TOPIC], lifetime=DAY // 2)
        asyncio.run(meet(a, b))
    assert len(inbox(b)) == 12
    assert b.unsubscribe(TOPIC)
    clock.now += DAY
    a.publish(b"text", [TOPIC], lifetime=DAY // 2)
    asyncio.run(meet(a, b))
    assert len(inbox(b)) == 12
