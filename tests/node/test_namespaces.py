"""Three machines that are network namespaces: one walks between two that never meet."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from hunet.node.door import ask
from hunet.node.network import Network
from tests.needed import skip_or_fail

FIRST_CONTACT = 3.0
"""Seconds from arriving to the first contact."""


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


class Places:
    """Two places, each a bridge in a namespace of its own that nobody lives in; people are plugged in and out."""

    def __init__(self) -> None:
        self._mark = f"hn{os.getpid() % 100_000}"
        self._made: list[str] = []
        self.air = self._namespace("air")
        for place in ("1", "2"):
            self._in_the_air("link", "add", f"br{place}", "type", "bridge", "forward_delay", "0")
            self._in_the_air("link", "set", f"br{place}", "up")

    def _namespace(self, name: str) -> str:
        made = f"{self._mark}-{name}"
        ip("netns", "add", made)
        self._made.append(made)
        ip("-n", made, "link", "set", "lo", "up")
        return made

    def _in_the_air(self, *arguments: str) -> None:
        ip("-n", self.air, *arguments)

    def person(self, name: str, number: int) -> str:
        """Somebody with a network card that is nowhere yet."""
        made = self._namespace(name)
        ip("link", "add", "card", "netns", made, "type", "veth", "peer", "name", name, "netns", self.air)
        ip("-n", made, "addr", "add", f"10.77.0.{number}/24", "dev", "card")
        ip("-n", made, "link", "set", "card", "up")
        return made

    def goes_to(self, name: str, place: str) -> None:
        self._in_the_air("link", "set", name, "down")
        self._in_the_air("link", "set", name, "master", f"br{place}")
        self._in_the_air("link", "set", name, "up")

    def close(self) -> None:
        for made in reversed(self._made):
            subprocess.run(["ip", "netns", "del", made], check=False, capture_output=True)


@pytest.fixture
def places() -> Iterator[Places]:
    if shutil.which("ip") is None:
        skip_or_fail("the command ip is missing (Debian: apt install iproute2)")
    try:
        ip("netns", "add", f"hn-probe-{os.getpid()}")
        ip("netns", "del", f"hn-probe-{os.getpid()}")
    except subprocess.CalledProcessError as error:
        skip_or_fail(f"network namespaces are not allowed here ({error.stderr.strip()})")
    with ExitStack() as cleaning:
        made = Places()
        cleaning.callback(made.close)
        yield made


def took(what: Callable[[], object], seconds: float = 20.0) -> float:
    began = time.monotonic()
    while not what():
        assert time.monotonic() - began < seconds, "it did not happen"
        time.sleep(0.05)
    return time.monotonic() - began


def test_one_who_walks_carries_a_message_between_two_who_never_meet(places: Places, tmp_path: Path) -> None:
    network = Network.new("village")
    homes = {name: tmp_path / name for name in ("ann", "bob", "cem")}
    with ExitStack() as stopping:
        for number, (name, home) in enumerate(homes.items(), 1):
            network.save(home)
            command = [sys.executable, "-m", "hunet.cli", "node", "run", "--home", str(home), "--json"]
            inside = places.person(name, number)
            process = subprocess.Popen(["ip", "netns", "exec", inside, *command], stdout=subprocess.PIPE, text=True)
            stopping.callback(process.wait)
            stopping.callback(process.terminate)
            assert process.stdout is not None
            assert process.stdout.readline() == "{\n"
            stopping.callback(process.stdout.close)
        places.goes_to("ann", "1")
        places.goes_to("cem", "2")
        ask(homes["cem"], "sub", tag="news")
        ask(homes["ann"], "pub", tags=["news"], data="aGVsbG8=")

        def near(name: str) -> set[str]:
            return {one["peer"] for one in ask(homes[name], "peers")["peers"]}

        me = {name: ask(home, "status")["me"] for name, home in homes.items()}
        assert near("ann") == near("cem") == set()
        places.goes_to("bob", "1")
        assert took(lambda: me["bob"] in near("ann")) < FIRST_CONTACT
        took(lambda: ask(homes["bob"], "status")["carried"]["others"] == 1)
        places.goes_to("bob", "2")
        assert took(lambda: me["bob"] in near("cem")) < FIRST_CONTACT
        took(lambda: ask(homes["cem"], "inbox")["messages"])
        (message,) = ask(homes["cem"], "inbox")["messages"]
        assert (message["text"], message["hops"], message["from"]) == ("hello", 2, me["bob"])
        assert me["ann"] not in near("cem")
