"""What numba does with a kernel on its way to machine code: its usual steps, without those for what no kernel has.

Kernels have no closures, generators, `with` blocks, whole-array expressions or exceptions made at run time; numba looks
for each of these in every function, and rewrites it each time. It also writes down arguments, settings and times of
every step, for listeners that are not there.
"""

from __future__ import annotations

from typing import Any

from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager, _pass_registry
from numba.core.postproc import PostProcessor
from numba.core.typed_passes import (
    AnnotateTypes,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    LiteralPropagationSubPipelinePass,
    ReconstructSSA,
    RewriteSemanticConstants,
    TranslateByteCode,
)

__all__ = ["KernelPasses"]


class _Steps(PassManager):  # type: ignore[misc]
    """Steps one after the other, and nothing else."""

    def run(self, state: Any) -> None:
        for kind, _ in self.passes:
            step = _pass_registry.get(kind)
            step.pass_inst.analysis = self._analysis
            if step.pass_inst.run_pass(state) and step.mutates_CFG:
                PostProcessor(state.func_ir).run()


class KernelPasses(CompilerBase):  # type: ignore[misc]
    """The steps, in numba's order."""

    def define_pipelines(self) -> list[PassManager]:
        passes = _Steps("kernel")
        for one in (
            TranslateByteCode,
            FixupArgs,
            IRProcessing,
            RewriteSemanticConstants,
            DeadBranchPrune,
            GenericRewrites,
            ReconstructSSA,
            DeadBranchPrune,
            LiteralPropagationSubPipelinePass,
            NopythonTypeInference,
            PreLowerStripPhis,
            IRLegalization,
            AnnotateTypes,
            NativeLowering,
            NoPythonBackend,
        ):
            passes.add_pass(one, one.__name__)
        passes.finalize()
        return [passes]
