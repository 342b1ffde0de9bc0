"""The name of a compiled loop changes with all that it is compiled from, and with nothing else."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba.core import config

import hunet.kernel_key
from hunet.kernel_key import COMPILED_BY, UnknownError, text_of
from hunet.protocols import PROTOCOLS
from hunet.sim.engine.exchange import Options
from hunet.sim.engine.loop import make_loop

STEPS = '''
"""Steps."""

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hunet.kernels import leaf, rare

if TYPE_CHECKING:
    from fractions import Fraction

LENGTH = 1
UNUSED = 1


class Point(NamedTuple):
    x: int
    y: int = 0


def caption():
    return "a picture"


@leaf
def half(x):
    return x / 2


@leaf
def step(x, by=2, *, more=1):
    """One step."""
    # as long as it is
    return x + LENGTH * by + more


@rare
def walk(x):
    point = Point(x, np.uint8(1))
    return step(point.x) + sum([n + 7 for n in range(3)]) + math.pi
'''

LOOPS = """
import strangers.steps as steps
from hunet.kernels import loop
from strangers.steps import walk


def make(often, function):
    @loop
    def run(out):
        if often:
            out[0] = function(out[0])
        out[0] = steps.half(walk(out[0]))
    return run


run = make(True, walk)
"""

BASE = {"strangers": '"""A package."""', "strangers.steps": STEPS, "strangers.loops": LOOPS}


def text(loop: Any, *arguments: Any) -> str:
    return text_of(loop, tuple(map(numba.typeof, arguments)))


def modules(monkeypatch: pytest.MonkeyPatch, sources: dict[str, str]) -> list[ModuleType]:
    """Modules as they would be imported from such files."""
    made = [ModuleType(name) for name in sources]
    for module, source in zip(made, sources.values(), strict=True):
        monkeypatch.setitem(sys.modules, module.__name__, module)
        parent, _, name = module.__name__.rpartition(".")
        if parent:
            setattr(sys.modules[parent], name, module)
        exec(compile(source, f"{module.__name__}.py", "exec", dont_inherit=True), module.__dict__)
    return made


def text_after(monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str) -> str:
    assert old in BASE[file]
    return text(modules(monkeypatch, BASE | {file: BASE[file].replace(old, new)})[-1].run)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("strangers", "A package", "A package of steps"),
        ("strangers", '"""', 'NAME = 5\n"""'),
        ("strangers.steps", "Steps.", "More steps."),
        ("strangers.steps", "One step.", "A step."),
        ("strangers.steps", '    """One step."""\n', ""),
        ("strangers.steps", "def half(x):\n", 'def half(x):\n    """The half."""\n'),
        ("strangers.steps", "# as long", "# just as long"),
        ("strangers.steps", "LENGTH = 1", "\n\nLENGTH = 2 - 1"),
        ("strangers.steps", "UNUSED = 1", "UNUSED = 2"),
        ("strangers.steps", "a picture", "a figure"),
        ("strangers.steps", "fractions import Fraction", "decimal import Decimal"),
        ("strangers.loops", "import strangers.steps", "import json, strangers.steps"),
    ],
)
def test_what_no_kernel_is_compiled_from_does_not_count(
    monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str
) -> None:
    assert text_after(monkeypatch, file, old, new) == text_after(monkeypatch, file, "", "")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("strangers.steps", "LENGTH * by", "LENGTH - by"),
        ("strangers.steps", "x / 2", "x / 3"),
        ("strangers.steps", "LENGTH = 1", "LENGTH = 2"),
        ("strangers.steps", "LENGTH = 1", "LENGTH = 1.0"),
        ("strangers.steps", "LENGTH = 1", "LENGTH = True"),
        ("strangers.steps", "LENGTH = 1", "LENGTH = np.uint8(1)"),
        ("strangers.steps", "LENGTH = 1", "LENGTH = np.uint16(1)"),
        ("strangers.steps", "by=2", "by=3"),
        ("strangers.steps", "more=1", "more=3"),
        ("strangers.steps", "x: int\n    y: int = 0", "y: int\n    x: int = 0"),
        ("strangers.steps", "y: int = 0", "y: int = 1"),
        ("strangers.steps", "n + 7", "n + 8"),
        ("strangers.steps", "math.pi", "math.e"),
        ("strangers.steps", "np.uint8", "np.uint16"),
        ("strangers.steps", "@rare", "@leaf"),
        ("strangers.loops", "steps.half", "steps.step"),
        ("strangers.loops", "make(True", "make(False"),
        ("strangers.loops", "True, walk", "True, steps.step"),
    ],
)
def test_what_a_loop_is_compiled_from_counts(monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str) -> None:
    assert text_after(monkeypatch, file, old, new) != text_after(monkeypatch, file, "", "")


def test_constants_that_look_alike_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "from hunet.kernels import loop\nimport numpy as np\nVALUE = {}\n@loop\ndef run(): return VALUE"
    values = ["1", "1.0", "True", "'1'", "b'1'", "None", "0.0", "-0.0", "(1, 2)", "(1, (2,))", "((1,), 2)", "(1, 2.0)"]
    values += ["np.int64(1)", "np.float64(1)", "np.dtype('i8')", "np.dtype([('a', 'i8')])", "slice(1, 2)", "np.int64"]
    texts = {text(modules(monkeypatch, {"one": source.format(value)})[0].run) for value in values}
    assert len(texts) == len(values)


class One(NamedTuple):
    a: Any
    b: Any


class Two(NamedTuple):
    b: Any
    a: Any


ARGUMENTS = [
    np.zeros(1, np.int64),
    np.zeros(1, np.uint8),
    np.zeros((1, 1), np.int64),
    np.zeros(1, [("a", "i8"), ("b", "i8")]),
    np.zeros(1, [("b", "i8"), ("a", "i8")]),
    np.zeros(1, [("a", "i8"), ("b", "i8", 2)]),
    np.zeros(1, np.dtype([("a", "i1"), ("b", "i8")], align=True)),
    np.zeros(1, np.dtype([("a", "i1"), ("b", "i8")])),
    1,
    1.0,
    True,
    None,
    (1, 2.0),
    (1, (2.0,)),
    One(1, 2.0),
    Two(1, 2.0),
    One(1, 2),
    Two(1, 2),
    One(One(1, 2), 2),
    One(Two(1, 2), 2),
]


def test_every_type_of_argument_counts_with_the_fields_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    readonly = np.zeros(1, np.int64)
    readonly.setflags(write=False)
    arguments = [*ARGUMENTS, readonly, np.zeros((2, 2), np.int64)[:, 1:], np.zeros((2, 2), np.int64).T]
    run = modules(monkeypatch, BASE)[-1].run
    assert len({text(run, argument) for argument in arguments}) == len(arguments)
    assert text(run, np.zeros(1, np.int64)) == text(run, np.ones(5, np.int64))


UNKNOWN = {
    "a function that is no kernel": "def other(x): return x",
    "a function that numba was taught elsewhere": "from numba.extending import register_jitable\n"
    "@register_jitable\ndef other(x): return x",
    "a function that is compiled in another way": "import numba\n@numba.njit\ndef other(x): return x",
    "an object": "other = object()",
    "a list": "other = [1]",
    "an array": "import numpy as np\nother = np.zeros(3)",
    "a member of an enumeration": "import enum\nclass Colour(enum.IntEnum):\n    RED = 1\nother = Colour.RED",
    "a module of somebody": "import strangers as other",
    "something in a tuple": "other = (1, [])",
    "fields that cannot be found by name": "from collections import namedtuple\nother = namedtuple('Hidden', 'x')",
}


@pytest.mark.parametrize("other", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_what_cannot_be_described_is_said_to_be_unknown(monkeypatch: pytest.MonkeyPatch, other: str) -> None:
    loops = f"{LOOPS}\n{other}\nfrom hunet.kernels import leaf\n@leaf\ndef far(x): return other(x)\nrun = make(1, far)"
    with pytest.raises(UnknownError):
        text(modules(monkeypatch, BASE | {"strangers.loops": loops})[-1].run)


def test_a_global_that_is_bound_anew_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    # numba may have compiled a kernel with what was there before, and would use that in the next loop
    _, steps, loops = modules(monkeypatch, BASE)
    before = text(loops.run)
    monkeypatch.setattr(steps, "LENGTH", 5)
    with pytest.raises(UnknownError, match="bound anew"):
        text(loops.make(False, steps.half))
    monkeypatch.setattr(steps, "LENGTH", 1)
    assert text(loops.run) == before


def test_a_function_that_calls_itself_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "{}from hunet.kernels import leaf, loop\n@leaf\ndef f(x): return f(x - {})\n@loop\ndef run(x): return f(x)"
    (one,), (same,), (other,) = (
        modules(monkeypatch, {"one": source.format(*parts)}) for parts in (("", 1), ("\n", 1), ("", 2))
    )
    assert text(one.run) == text(same.run) != text(other.run)


@pytest.mark.parametrize(
    ("where", "name", "counts"),
    [(numba, "__version__", True), (config, "BOUNDSCHECK", True), (config, "NUMBA_NUM_THREADS", False)],
)
def test_what_the_compiler_is_told_counts(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, counts: bool) -> None:
    run = modules(monkeypatch, BASE)[-1].run
    before = text(run)
    with monkeypatch.context() as changed:
        changed.setattr(where, name, "another")
        changed.setattr(hunet.kernel_key, "_compiler", hunet.kernel_key._compiler.__wrapped__)
        assert (text(run) != before) == counts
    assert text(run) == before


@pytest.mark.parametrize("lasting", [False, True])
def test_the_loop_of_every_protocol_is_known_and_each_is_another(lasting: bool) -> None:
    described = {text(make_loop(protocol, Options(lasting=lasting))) for protocol in PROTOCOLS}
    assert len(described) == len(PROTOCOLS)


def test_nobody_but_these_modules_teaches_numba_anything() -> None:
    # what an overload elsewhere makes of a function would not be in the text
    package = Path(hunet.__file__).parent
    taught = re.compile(r"^\s*(import|from) (numba|llvmlite)\b", re.MULTILINE)
    found = {path.relative_to(package).as_posix() for path in package.rglob("*.py") if taught.search(path.read_text())}
    assert found == {f"{name.rpartition('.')[2]}.py" for name in COMPILED_BY} | {"kernel_cache.py", "kernel_level.py"}
