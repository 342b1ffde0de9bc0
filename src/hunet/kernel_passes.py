"""What numba does with a kernel on its way to machine code: its usual steps, without those for what no kernel has.

Kernels have no closures, generators, `with` blocks, whole-array expressions or exceptions made at run time; numba looks
for each of these in every function, and rewrites it each time.
"""

from __future__ import annotations

from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
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


class KernelPasses(CompilerBase):  # type: ignore[misc]
    """The steps, in numba's order."""

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("kernel")
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
