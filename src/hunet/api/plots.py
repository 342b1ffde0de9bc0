"""The plots that lie beside a stored trace."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hunet.api.storing import store
from hunet.api.trace import Trace

__all__ = ["stored_plots"]

_PLOTS = {"hours": "contacts-per-hour", "gaps": "inter-contact-times", "degrees": "degrees"}


def stored_plots(trace: Trace, left_out: Callable[[str], None]) -> list[Path]:
    """The plots of a stored version; contacts never change, so plots that are there are right.

    The trace is what counts: of a plot that cannot be drawn or written, `left_out` is told in a sentence.
    """
    folder = store().open(trace.name, trace.about.version).path / "plots"
    paths = {what: folder / f"{name}.png" for what, name in _PLOTS.items()}
    if all(path.exists() for path in paths.values()):
        return list(paths.values())
    from hunet.report.style import save

    drawn = []
    for what, path in paths.items():
        try:
            drawn.append(save(trace.plot(what), path))
        except Exception as error:  # whatever a drawing library raises
            for begun in (path, path.with_suffix(".svg")):
                with suppress(OSError):
                    begun.unlink()
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            left_out(f"the plot {path.stem} is left out: {reason}")
    return drawn
