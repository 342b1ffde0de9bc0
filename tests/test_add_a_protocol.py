"""The page on adding a protocol is true: its file is a protocol, its test passes, and the line puts it on the list."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import hunet.protocols
from tests.conformance import test_battery, test_what_may_be_touched
from tests.interpreted import interpreted_only
from tests.twin import test_twin

PAGE = Path(__file__).parents[1] / "docs" / "add-a-protocol.md"
FILE, TEST = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def load(name: str, text: str, folder: Path) -> ModuleType:
    path = folder / f"{name.rpartition('.')[2]}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def coin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The module that the page describes, as if it lay where the page puts it."""
    yield load("hunet.protocols.coin", FILE, tmp_path_factory.mktemp("coin"))
    del sys.modules["hunet.protocols.coin"]


def test_the_tests_of_the_page_pass(coin: ModuleType, tmp_path: Path) -> None:
    written = load("test_coin_of_the_page", TEST, tmp_path)
    tests = [run for name, run in inspect.getmembers(written, inspect.isfunction) if name.startswith("test_")]
    assert len(tests) == 3
    for run in tests:
        run()


def test_with_the_line_the_protocol_is_found_by_its_name(coin: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunet.protocols, "PROTOCOLS", (*hunet.protocols.PROTOCOLS, coin.COIN))
    found = hunet.protocols.protocol_named("coin")
    assert hunet.protocols.make_settings(found, {"heads": "0.3"}) == coin.CoinSettings(0.3)


@interpreted_only
@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
def test_the_common_batteries_run_over_it_without_an_entry_elsewhere(coin: ModuleType, continuous: bool) -> None:
    for battery in (
        test_battery.test_a_run_repeated_is_the_same_to_the_last_bit,
        test_battery.test_nothing_is_delivered_or_passed_on_after_its_time_to_live,
        test_battery.test_copies_are_conserved_and_nobody_gets_a_message_twice,
        test_twin.test_devices_that_exchange_bytes_end_as_the_simulation,
        test_what_may_be_touched.test_choosing_changes_nothing_and_moving_a_message_only_its_entry,
    ):
        battery(coin.COIN, continuous)
