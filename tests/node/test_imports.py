"""A node runs on a small board: it loads no compiler, no tables, no simulator."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEVER = ("numba", "llvmlite", "pyarrow", "pandas", "platformdirs", "pyspark", "matplotlib")


def run(code: str) -> str:
    about = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    about.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=about, check=True)
    return done.stdout.strip()


def test_a_node_runs_where_neither_compiler_nor_tables_are_installed() -> None:
    code = f"""
import sys
for name in {NEVER!r}:
    sys.modules[name] = None  # as if it were not installed
import hunet.node.session, hunet.node.frames, hunet.node.handshake, hunet.protocols.settings_file
from hunet.kernels import COMPILED
from hunet.node.clock import VirtualClock
from hunet.node.host import Host
from hunet.node.message import Author
from hunet.node.store import Store
from hunet.protocols import PROTOCOLS, make_settings
for protocol in PROTOCOLS:
    if protocol.deployable:
        host = Host(Store(":memory:"), b"k" * 32, Author.from_seed(b"s" * 32), protocol, make_settings(protocol, {{}}),
                    clock=VirtualClock())
        host.subscribe("jazz")
        host.publish(b"text", ["jazz"])
rooms = {{name.split(".")[1] for name in sys.modules if name.startswith("hunet.")}}
print(COMPILED, sorted(rooms & {{"sim", "pipeline", "traces", "sweeps", "studies"}}))
"""
    assert run(code) == "False []"


def test_a_compiler_that_lacks_something_is_an_error_and_no_reason_to_be_slow() -> None:
    pytest.importorskip("numba")
    code = """
import sys
sys.modules["platformdirs"] = None
try:
    import hunet.kernels
except ImportError as error:
    print(error.name)
"""
    assert run(code) == "platformdirs"
