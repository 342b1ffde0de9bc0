"""The contract between a protocol and its host, the simulator or a live node.

A protocol is a record of plain functions over its own state. The host keeps the messages, calls the functions in the
order of a contact, and carries bytes. In a contact of two nodes, both ends alike:

    1. age     bring my row to the present time
    2. greet   write my hello: who I am. Only protocols that have `greet` do this round
       meet    judge the peer by its hello, and say whom I face
       obey    accept the peer's verdict on me
    3. tell    write my digest: what I say about myself to this peer (a snapshot)
    4. read    what does a digest say of a tag? A whole number, as the protocol likes
       want    what is a message with a tag worth to the peer, by my reading of what I told and of what it told?
       give    is this very message for this peer, and how urgently?
    5. hear    merge what the peer told me
    6. note    at the sender, for each message that goes over: what travels with it
       take    at the receiver (and for a message just born): carry it on?
       gave    at the sender, when the peer has it for sure: keep my copy?
    7. rank    what is my copy worth to me? Where a buffer is too full, the least goes
       lost    my copy is gone: dropped, or expired
    8. parted  the contact is over: no other with this peer goes on

Round 2: both write their hello; the end with the lower id judges, the other obeys; then the other judges, with the
role it has by now, and the first obeys. `meet` names the peer by a number of my own: my first acquaintance is 0, the
next 1, and so on, so that memory about peers is a row as long as I have peers. It returns the verdict and a `face`: a
whole number that says whom I face, for `tell` and `hear` of this contact (contacts overlap: a row cannot keep it).
While a contact lasts, what is decided over it is decided by the two digests with which it began. My own may have parts
that do not travel; the peer's arrives without them.

Scores: at or below 0 the message stays; `DIRECT` and `BOTH` are above all others and mean that the peer itself wants
the message, and, for `BOTH`, that it is to carry it as well. Both directions are decided before anything moves.

What may be touched: `read`, `want`, `give`, `note` and `rank` change nothing; `take` and `gave` only what I remember of
this very message; `lost` also counts of my row, whatever the order in which copies are lost together. So messages may
move while other contacts go on, and `hear` may come before or after them: the simulator hears last, a device first.
Times are seconds on my own clock. Numbers of nodes, peers and messages are of 63 bits and mean nothing but themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf
from hunet.protocols.layout import NOTHING, Layout
from hunet.protocols.quantities import Digest, Entry, Face, Hello, Note, Now, Peer, Reading, Row, Score, Tag, Verdict
from hunet.protocols.search import Search
from hunet.protocols.world import INTEREST, Message, Peers, Ranges, Social, Wants, World, interests_from

__all__ = [
    "BOTH",
    "DEMOTE",
    "DIRECT",
    "INTEREST",
    "NO",
    "PROMOTE",
    "STAY",
    "YES",
    "Message",
    "Needs",
    "Peers",
    "Protocol",
    "Ranges",
    "Social",
    "Wants",
    "World",
    "interests_from",
]

NO = np.float32(0.0)
YES = np.float32(1.0)
DIRECT = np.finfo(np.float32).max
BOTH = np.float32(np.inf)

STAY, PROMOTE, DEMOTE = 0, 1, 2
"""Verdicts: the peer keeps its role, becomes a broker, or becomes a user."""


# What a protocol that has nothing to say at a step does there.


@leaf
def ignore_interests(params: Any, state: Any, me: Row, wants: Wants) -> None:
    """My interests changed, and nothing of mine depends on them."""


@leaf
def ageless(params: Any, state: Any, me: Row, now: Now) -> None:
    """Nothing of mine decays."""


@leaf
def unspoken(params: Any, state: Any, me: Row, now: Now, hello: Hello) -> None:
    """I greet nobody."""


@leaf
def indifferent(params: Any, state: Any, me: Row, peer: Peer, hello: Hello, now: Now) -> Any:
    """Whoever the peer is, it may stay what it is, and I face it like all others."""
    return STAY, 0


@leaf
def unmoved(params: Any, state: Any, me: Row, verdict: Verdict, now: Now) -> None:
    """The peer's verdict changes nothing."""


@leaf
def silent(params: Any, state: Any, me: Row, now: Now, hello: Hello, face: Face, digest: Digest) -> None:
    """I have nothing to tell."""


@leaf
def nothing(params: Any, digest: Digest, tag: Tag) -> Any:
    """No digest says anything of tags."""
    return 0


@leaf
def anything(params: Any, mine: Reading, theirs: Reading, own: bool) -> Any:
    """Every tag is worth the same."""
    return YES


@leaf
def as_wanted(params: Any, state: Any, me: Row, entry: Entry, message: Message, score: Score, heard: Digest) -> Any:
    """The tag alone decides."""
    return score


@leaf
def no_note(params: Any, state: Any, me: Row, entry: Entry, message: Message, score: Score, heard: Digest) -> Any:
    """Nothing travels beside the message."""
    return 0


@leaf
def carry(params: Any, state: Any, me: Row, entry: Entry, message: Message, note: Note) -> Any:
    """I carry everything I get."""
    return True


@leaf
def keep_copy(
    params: Any, state: Any, me: Row, entry: Entry, message: Message, score: Score, note: Note, heard: Digest
) -> Any:
    """I keep my copy."""
    return True


@leaf
def deaf(params: Any, state: Any, me: Row, digest: Digest, face: Face, now: Now) -> None:
    """What I heard changes nothing."""


def zero(params: Any) -> int:
    """A note of mine is 0."""
    return 0


def nothing_remembered(params: Any, state: Any, me: Row, tag: Tag) -> None:
    """Nothing of mine is remembered by tag but interests, and these are told anew."""


def as_it_is(params: Any, state: Any, me: Row, before: Any, now: Now) -> None:
    """What my row says holds under any settings."""


def nameless(params: Any, world: World, tag: int, name: str) -> None:
    """Nothing of mine depends on what tags are called."""


class Nothing(NamedTuple):
    """The state of a protocol that has none."""

    nothing: npt.NDArray[np.uint8]


def no_state(params: Any, world: World) -> Nothing:
    """State for a protocol that remembers nothing."""
    return Nothing(np.zeros((world.nodes, 1), np.uint8))


@dataclass(frozen=True)
class Needs:
    """What a protocol must be told before it starts."""

    closeness: bool = False
    """Who is close to whom (`World.closeness`)."""
    social: bool = False
    """How all are related (`World.social`)."""
    history: bool = False
    """Nothing, but it has to live through the time before the first message: it learns from its own contacts."""


def no_parcel(params: Any) -> npt.NDArray[np.uint64]:
    """Nothing goes over with a message but the note."""
    return np.zeros(0, np.uint64)


@dataclass(frozen=True)
class Protocol:
    """A protocol: its name, its settings, how to make its state, what its digest consists of, and its functions.

    Signatures, `me` being my row:

        subscribe(params, state, me, wants)                      my interests changed; wants[tag] is an INTEREST
        age(params, state, me, now)
        greet(params, state, me, now, hello)
        meet(params, state, me, peer, hello, now) -> (verdict, face)
        obey(params, state, me, verdict, now)
        tell(params, state, me, now, hello, face, digest)        hello: the peer's
        read(params, digest, tag) -> reading                     a whole number of at most 63 bits
        want(params, mine, theirs, own) -> score                 from two readings; own: did I publish the message?
        give(params, state, me, entry, message, score, heard) -> score      the highest score of its tags goes in
        hear(params, state, me, digest, face, now)
        note(params, state, me, entry, message, score, heard) -> note       a whole number, at most `most_note`
        take(params, state, me, entry, message, note) -> carry?  entry: where my memory of this message lies
        gave(params, state, me, entry, message, score, note, heard) -> keep my copy?
        rank(params, state, me, entry, message) -> worth
        lost(params, state, me, entry, message, dropped)         dropped: from a full buffer; else it expired
        waits(params, state, me, entry, message) -> bool         see there
        parted(params, state, me, peer, now)                     peer: my number for it, as in `meet`
        adopt(params, state, me, before, now)                    my settings were others until now; before: their params
        forget_tag(params, state, me, tag)                       a tag's number goes to another tag
        forget_peer(params, state, me, peer)                     an acquaintance's number goes to somebody else
    """

    name: str
    title: str
    settings: type[Any]
    """A NamedTuple class: every parameter with its default."""
    prepare: Callable[[Any, World], Any]
    """settings, world -> params: what the functions read (a NamedTuple of numbers and arrays)."""
    new_state: Callable[[Any, World], Any] = no_state
    """params, world -> state: a NamedTuple of arrays, one row per node."""
    digest: Layout = NOTHING
    """What `tell` fills, and its bytes."""
    hello: Layout = NOTHING
    """What `greet` fills, and its bytes."""
    subscribe: Callable[..., None] = ignore_interests
    age: Callable[..., None] = ageless
    greet: Callable[..., None] | None = None
    meet: Callable[..., Any] = indifferent
    obey: Callable[..., None] = unmoved
    tell: Callable[..., None] = silent
    read: Callable[..., Any] = nothing
    want: Callable[..., Any] = anything
    give: Callable[..., Any] = as_wanted
    hear: Callable[..., None] = deaf
    note: Callable[..., Any] = no_note
    take: Callable[..., Any] = carry
    gave: Callable[..., Any] = keep_copy
    rank: Callable[..., Any] | None = None
    """None: the oldest copy goes first."""
    lost: Callable[..., None] | None = None
    waits: Callable[..., Any] | None = None
    """Whether my copy waits for those who want it: by `want` and `give`, it goes to none but a peer at `DIRECT` or
    above. Nothing but `take` and `gave` of this message changes that. A host that knows it need not look at every
    message in every contact; one that does not ask does the same, more slowly."""
    parted: Callable[..., None] | None = None
    """The contact with a peer is over. A node that is switched off in a contact is not told so."""
    adopt: Callable[..., None] | None = None
    """A device runs with other settings from now on, of those in `searched`: bring a row that was aged to now under the
    former ones to what holds under mine. None: the row begins anew."""
    forget_tag: Callable[..., None] = nothing_remembered
    forget_peer: Callable[..., None] | None = None
    """A device has room for so many tags and acquaintances; then it gives numbers out again. None: this protocol's
    acquaintances cannot be forgotten one by one, and where there is no room a newcomer is left alone."""
    heeds: frozenset[str] = frozenset()
    """Which of an interest's `level` and `hops` it looks at; all look at its tag and end."""
    rules: int = 1
    """The version of its rules and defaults. Nodes compare it, and the settings that differ from their defaults: it is
    raised with every change after which two that run the same by that would not understand each other. A new setting,
    whose default leaves all as it was, is none."""
    most_note: Callable[[Any], int] = zero
    """params -> the largest note: what a peer sends above it is refused."""
    parcel: Callable[[Any], npt.NDArray[np.uint64]] = no_parcel
    """params -> words that go over with a message beside the note: `note` writes them, `take` and `gave` read them."""
    name_tag: Callable[[Any, World, int, str], None] = nameless
    """params, world, number, name: a tag got a number; fill in what depends on its name. `subscribe` comes next."""
    own_outside: bool = False
    """Whether its authors keep a node's own messages outside its buffer; conditions may say otherwise for all."""
    independent: bool = False
    """Whether a message goes, without limits, where it would go if it were the only one: then a simulation can be split
    by messages. So it is where no function but `give`, `note`, `take`, `gave`, `rank` and `lost` of the message itself
    depends on it, and none on its number."""
    needs: Needs = Needs()
    deployable: bool = True
    """Whether it runs on a device as it is."""
    errands: bool = False
    """Whether a message may also be on errands to destinations.

    Then `give` is asked for every message I hold, whatever its tags are worth, also for those that the peer holds
    already (`message.known`). Such a one costs no time, is no forward and no delivery: only `note`, `take` and `gave`
    are called. A protocol with errands keeps its copies.
    """
    inspect: Mapping[str, Callable[[Any], npt.NDArray[Any]]] = field(default_factory=dict, compare=False)
    """What may be looked at in a state from outside, by name. `relay`: [node, filter, position], counters; `broker`:
    [node], roles; `lists`: [node, kind], lists taken over."""
    peer_memory: Sequence[str] = ()
    """Fields of the state that lie flat by acquaintance (`World.peer_start`), not by row."""
    searched: Mapping[str, Search] = field(default_factory=dict, compare=False)
    """Settings that are worth looking for a good value of (`hunet tune`), and where. Sizes of filters are not: they
    follow from the number of interests (`hunet filter size`)."""
