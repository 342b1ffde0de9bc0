"""The public face: complete, documented, and light until something of it is used."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hunet

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "notebook.md"
HEAVY = ("pyspark", "numba", "matplotlib", "pandas", "pyarrow", "numpy")


def documented() -> set[str]:
    """The names in the first column of the page's tables."""
    return set(re.findall(r"^\| `(?:hn\.)?(\w+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE))


def test_the_namespace_is_what_is_documented_and_nothing_else() -> None:
    assert set(hunet.__all__) == set(dir(hunet)) == documented()
    assert hunet.__all__ == sorted(hunet.__all__)


@pytest.mark.parametrize("name", sorted(set(hunet.__all__) - {"__version__"}))
def test_each_entry_has_a_docstring_with_an_example(name: str) -> None:
    entry = getattr(hunet, name)
    assert entry.__doc__
    examples = doctest.DocTestParser().get_examples(entry.__doc__)
    assert any(example.want for example in examples), f"hn.{name} shows nothing"
    assert entry is getattr(hunet, name)


def test_no_entry_has_the_name_of_a_room() -> None:
    """Importing a room puts it into the package under its name, over an entry of the same name."""
    rooms = {path.stem for path in Path(hunet.__file__).parent.iterdir()}
    assert not rooms & set(hunet.__all__)


def test_an_unknown_name_is_an_attribute_error_that_lists_what_there_is() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'simulat'.*simulate"):
        hunet.simulat  # noqa: B018


def test_importing_it_loads_nothing_heavy_and_takes_a_tenth_of_a_second() -> None:
    code = (
        "import sys, time; began = time.process_time(); import hunet; took = time.process_time() - began; "
        "hunet.HunetError; print(took < 0.1, [one for one in sys.argv[1:] if one in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code, *HEAVY], capture_output=True, text=True, check=True)
    assert answer.stdout == "True []\n"


@pytest.mark.parametrize(
    ("use", "heavy"),
    [
        ("hunet.claims(paper='mops'); hunet.stored()", ("pyspark", "numba", "matplotlib")),
        ("hunet.generate('conference', nodes=8, days=1).describe(); hunet.read('examples/contacts.csv')",
         ("pyspark", "matplotlib")),
    ],
    ids=["looking", "making"],
)  # fmt: skip
def test_what_is_used_loads_what_it_needs(use: str, heavy: tuple[str, ...]) -> None:
    code = f"import sys, hunet; {use}; print([one for one in sys.argv[1:] if one in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True, cwd=ROOT)
    assert answer.stdout == "[]\n"
