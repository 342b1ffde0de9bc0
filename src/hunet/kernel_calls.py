"""What kernels call is compiled once, whoever calls it.

numba compiles a function anew for callers that were told something else, of whatever kind: a `leaf`, a `rare` and a
`loop` would each have their own. It also compares all settings of all callers, one by one, at every call. What a
function takes over from its caller are these four, where it is not told them itself; so they alone count here. That is
private to numba, whose version is pinned.
"""

from __future__ import annotations

from typing import Any

from numba.core.targetconfig import ConfigStack
from numba.core.typing.templates import _OverloadFunctionTemplate

__all__ = ["compile_callees_once"]


def _implementation(template: Any, arguments: Any, named: Any) -> Any:
    told, caller = template._jit_options, ConfigStack.top_or_none()
    inherited = caller and (
        "_nrt" in told or caller.nrt,
        "error_model" in told or caller.error_model,
        "forceinline" in told or caller.forceinline,
        "fastmath" in told or caller.fastmath.encode(),
    )
    key = template.context, tuple(arguments), tuple(named.items()), inherited
    if key in template._impl_cache:
        return template._impl_cache[key]
    return template._build_impl(key, arguments, named)


def compile_callees_once() -> None:
    """Have numba do so from now on."""
    _OverloadFunctionTemplate._get_impl = _implementation
