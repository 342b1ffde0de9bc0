"""`make wheel-with-kernels`: a wheel that carries compiled loops, so that a first simulation need not wait for them.

A hook of hatchling's, which only that command switches on. It simulates with every protocol, or those of $PROTOCOLS, in
both contact models, with a cache of its own and for the processors of `hunet.kernel_level` instead of this one; what
lies in that cache then goes into the wheel's folder `hunet/kernels`. An entry fits one Python, numpy, numba and system:
where one of them is another, loops are compiled as ever. So the wheel is tagged for this Python and this system.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODELS = ("start", "continuous")


class KernelsInWheel(BuildHookInterface[Any]):
    """Called by hatchling before the files of the wheel are put together, and after."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and add what was compiled."""
        from hunet.kernel_level import LEVEL, has_level
        from hunet.protocols import PROTOCOLS

        if sys.platform != "linux" or not has_level():
            sys.exit(f"hunet: loops of a wheel are compiled on Linux, on a processor that has all of {LEVEL}")
        self._folder = tempfile.TemporaryDirectory()
        place = Path(self._folder.name)
        environment = os.environ | {
            "HUNET_HOME": str(place / "home"),
            "XDG_CACHE_HOME": str(place / "cache"),
            "NUMBA_CPU_NAME": LEVEL,
            "NUMBA_CPU_FEATURES": "",
        }
        protocols = os.environ.get("PROTOCOLS", "").split() or [protocol.name for protocol in PROTOCOLS]
        _hunet(environment, "trace generate conference --days 1 --name crowd")
        orders = [f"simulate crowd --protocol {name} --contacts {model}" for name in protocols for model in MODELS]
        with ThreadPoolExecutor(os.cpu_count()) as together:
            for order in together.map(partial(_hunet, environment), orders):
                self.app.display_info(f"compiled: hunet {order}")
        build_data["force_include"][str(place / "cache" / "hunet" / "kernels")] = "hunet/kernels"
        build_data["pure_python"] = False
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        build_data["tag"] = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        self._folder.cleanup()


def _hunet(environment: dict[str, str], order: str) -> str:
    command = [sys.executable, "-m", "hunet.cli", *order.split()]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"hunet: no wheel was built: 'hunet {order}' failed: {done.stderr.strip()}")
    return order
