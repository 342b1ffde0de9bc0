"""A network is a name and a key: invitations, joining, rotation; and the keys of a node on disk."""

from __future__ import annotations

import json
import random
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from hunet.model.errors import NodeError
from hunet.node.identity import Identity, public_of
from hunet.node.network import GRACE, Network, invitation_of, read_invitation

HOLDER = bytes(range(32))
SCHEMA = '[attributes.price]\ntype = "number"\nmin = 0\nmax = 1000\n'


@pytest.mark.parametrize("holder", [None, HOLDER])
@pytest.mark.parametrize("schema", [None, SCHEMA])
@pytest.mark.parametrize("name", ["a", "Käsemarkt 2026", "x" * 40])
def test_an_invitation_makes_a_member_of_whoever_gets_it(name: str, schema: str | None, holder: bytes | None) -> None:
    network = Network.new(name, schema, holder)
    text = invitation_of(network)
    assert read_invitation(text) == network
    assert read_invitation(f"  {text[:20].lower()}\n{text[20:40]}-{text[40:]} ") == network


def test_no_two_networks_of_a_name_are_the_same() -> None:
    assert Network.new("village").keys != Network.new("village").keys


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\nb", "-", "a/b", "_x"])
def test_a_name_is_a_few_letters(name: str) -> None:
    with pytest.raises(NodeError, match="names no network"):
        Network.new(name)


def test_a_mistyped_invitation_is_said_to_be_one() -> None:
    text = invitation_of(Network.new("village", SCHEMA))
    chance = random.Random(1)
    for _ in range(300):
        at = chance.randrange(6, len(text))
        wrong = text[:at] + chance.choice("ABCXYZ234567") + text[at + 1 :]
        cut = text[: chance.randrange(len(text))]
        for damaged in {wrong, cut, text + "A"} - {text}:
            with pytest.raises(NodeError, match=r"mistyped|no invitation"):
                read_invitation(damaged)


def test_an_invitation_cannot_fill_the_memory() -> None:
    """A megabyte of blanks packs into a kilobyte."""
    bomb = Network("bomb", bytes(16), Network.new("x").keys, " " * 2**20)
    with pytest.raises(NodeError, match="mistyped or not whole"):
        read_invitation(invitation_of(bomb))
    with pytest.raises(NodeError, match="no invitation"):
        read_invitation("HUNET:" + "A" * 10**6)


def test_a_rotated_network_accepts_the_old_key_for_a_time() -> None:
    network = Network.new("village")
    old = network.keys[0].secret
    rotated = network.rotated(now=1000.0, grace=50.0)
    new = rotated.keys[0].secret
    assert new != old
    assert rotated.salt == network.salt
    assert rotated.accepted(1049.0) == (new, old)
    assert rotated.accepted(1050.0) == (new,)
    assert read_invitation(invitation_of(rotated)).accepted(0.0) == (new,)


def test_without_grace_the_old_key_is_gone_at_once() -> None:
    rotated = Network.new("village").rotated(now=1000.0, grace=0.0)
    assert len(rotated.keys) == 1


def test_rotating_again_does_not_prolong_the_oldest_key() -> None:
    network = Network.new("village")
    twice = network.rotated(0.0, grace=10.0).rotated(5.0, grace=100.0)
    assert [key.until for key in twice.keys] == [None, 105.0, 10.0]
    many = network
    for _ in range(20):
        many = many.rotated(0.0)
    assert len(many.keys) == 8


def test_who_gets_the_new_invitation_stays_and_who_does_not_is_left_behind() -> None:
    founder = Network.new("village")
    member = outcast = read_invitation(invitation_of(founder))
    founder = founder.rotated(now=0.0)
    member = member.joined(read_invitation(invitation_of(founder)), now=100.0)
    for now in (200.0, GRACE * 2):
        assert founder.accepted(now)[0] == member.accepted(now)[0]
    assert outcast.accepted(200.0)[0] in founder.accepted(200.0)
    assert outcast.accepted(GRACE * 2)[0] not in founder.accepted(GRACE * 2)


def test_an_older_invitation_or_one_of_another_network_is_refused() -> None:
    first = Network.new("village")
    second = first.rotated(0.0)
    assert second.joined(read_invitation(invitation_of(second)), 0.0) == second
    with pytest.raises(NodeError, match="older"):
        second.joined(first, 1.0)
    with pytest.raises(NodeError, match=r"hunet node wipe"):
        second.joined(Network.new("village"), 1.0)


def test_a_network_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    network = Network.new("village", SCHEMA, HOLDER).rotated(5.0)
    network.save(home)
    assert Network.at(home) == network
    assert stat.S_IMODE((home / "network.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_a_network_made_before_there_were_settings_keys_is_the_same_without_one(tmp_path: Path) -> None:
    network = Network.new("village")
    network.save(tmp_path)
    file = tmp_path / "network.json"
    old = {name: value for name, value in json.loads(file.read_text()).items() if name != "settings_key"}
    file.write_text(json.dumps(old))
    assert Network.at(tmp_path) == network
    assert Network.at(tmp_path).holder is None


def test_an_invitation_with_another_settings_key_is_of_another_network() -> None:
    """Whoever is a member could write one, and send settings by it."""
    mine = Network.new("village", holder=HOLDER)
    for other in (None, bytes(32)):
        with pytest.raises(NodeError, match=r"hunet node wipe"):
            mine.joined(replace(mine, holder=other), 0.0)


def test_without_a_network_a_node_says_what_to_type(tmp_path: Path) -> None:
    with pytest.raises(NodeError, match=r"hunet node network new NAME.*hunet node join INVITATION"):
        Network.at(tmp_path)


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"keys": []}', '{"name": "x", "salt": "", "keys": [], "schema": null}']
)
def test_a_damaged_file_is_said_to_be_damaged(tmp_path: Path, content: str) -> None:
    file = tmp_path / "network.json"
    file.write_text(content)
    file.chmod(0o600)
    with pytest.raises(NodeError, match="damaged"):
        Network.at(tmp_path)


def test_an_identity_is_made_once_and_its_two_keys_differ(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first, second = Identity.at(home), Identity.at(home)
    assert first.author.public == second.author.public
    assert public_of(first.link) == public_of(second.link)
    assert first.author.public != public_of(first.link)
    assert {stat.S_IMODE(file.stat().st_mode) for file in home.iterdir()} == {0o600}


def test_keys_that_others_may_read_or_of_another_length_are_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    Identity.at(home)
    (home / "link.key").chmod(0o644)
    with pytest.raises(NodeError, match="chmod 600"):
        Identity.at(home)
    (home / "link.key").chmod(0o600)
    (home / "link.key").write_bytes(bytes(33))
    with pytest.raises(NodeError, match="a key has 32"):
        Identity.at(home)
    home.chmod(0o755)
    with pytest.raises(NodeError, match="chmod 700"):
        Identity.at(home)
