"""How long people wait for commands: CPU time of whole processes.

A first run compiles its event loop, with nothing in the cache; a warm one finds it there; one from a wheel that carries
loops has neither cache nor compiler to wait for. What a small import takes beyond its CPU time is Java waiting.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.command import cost_of, hunet
from benchmarks.measure import Row, within
from tests.test_installation import build, installed

CORES = 1
FIRST = {"push": (11.0, 5.0), "bsub13": (17.0, 7.0), "mops": (36.0, 14.0)}
"""Protocol: seconds of a first `hunet simulate` before, as somebody waits, and the target."""
WARM = {
    "--help": (None, 0.25),
    "trace list": (1.05, 0.4),
    "simulate crowd --protocol push": (2.4, 1.2),
    "simulate contacts.csv --protocol push": (None, 3.0),
    "trace generate conference --name another": (34.0, 2.5),
}
"""Command: seconds before, and the target."""
REPEATS = 5
FEW = "a,b,start,end\n" + "".join(f"p{i % 5},p{i % 7 + 5},{60 * i},{60 * i + 90}\n" for i in range(20))


def run() -> list[Row]:
    """All rows of the report."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        place = {"HUNET_HOME": f"{folder}/home", "XDG_CACHE_HOME": f"{folder}/cache"}
        contacts = Path(folder, "contacts.csv")
        contacts.write_text(FEW)
        cost_of(hunet("trace generate conference --name crowd"), place)
        for name, (before, target) in FIRST.items():
            place["XDG_CACHE_HOME"] = str(Path(folder, name))  # nothing is there yet
            spent = cost_of(hunet(f"simulate crowd --protocol {name}"), place).cpu
            rows.append(within(f"first hunet simulate, {name}", "s CPU", spent, target, before))
        place["XDG_CACHE_HOME"] = str(Path(folder, "push"))
        for words, (earlier, target) in WARM.items():
            order = hunet(words.replace("contacts.csv", str(contacts)))
            spent = min(cost_of(order, place).cpu for _ in range(REPEATS))
            rows.append(within(f"hunet {words}, warm", "s CPU", spent, target, earlier))
        few = cost_of(hunet(f"trace import {contacts} --name few"), place)
        rows.append(within("hunet trace import, 20 contacts", "s", few.seconds, 12.0, 33.0))
        rows.append(within("the same, by CPU time", "s CPU", few.cpu, 12.0))
        rows.append(
            within("first hunet simulate from a wheel with loops, push", "s CPU", _from_wheel(Path(folder)), 3.0)
        )
    return rows


def _from_wheel(folder: Path) -> float:
    built = build("wheel", folder / "dist", HATCH_BUILD_HOOK_ENABLE_CUSTOM="true", PROTOCOLS="push")
    program = str(installed(built, folder / "venv") / "hunet")
    place = {"HUNET_HOME": f"{folder}/home", "XDG_CACHE_HOME": f"{folder}/nothing", "PYTHONPATH": ""}
    cost_of([program, "--help"], place)  # Python compiles the package's files once
    return cost_of([program, "simulate", "crowd", "--protocol", "push"], place).cpu
