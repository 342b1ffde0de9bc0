"""Does a trace that was just read make sense? What is odd is said in words; what proves a misreading stops it.

Proof is little: ids that are fractions, a contact of years, dates from before there were such traces; and, of more than
1,000 rows, ids that hardly ever come twice or contacts about as long as the trace.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hunet.model.errors import TraceError

__all__ = ["Figures", "Sanity", "judge", "refuse_misread"]

YEAR = 365 * 86_400.0
SOME_ROWS, MANY_ROWS = 20, 1_000
"""From where on shares of rows are odd, and from where on they are proof."""

_FIRST_DATE = 631_152_000.0  # 1990
_LAST_DATE = 4_102_444_800.0  # 2100
_FRACTION = re.compile(r"[+-]?[0-9]*\.[0-9]*[1-9][0-9]*")


@dataclass(frozen=True)
class Figures:
    """What a trace is judged by. Times are seconds as they stood in the files, lengths seconds.

    rows: what was read (positions, where there are some); together: the sum of all contacts' lengths; dates: whether
    times were written as date-times.
    """

    names: Sequence[str]
    rows: int
    bad_lines: int
    backwards: int
    with_self: int
    contacts: int
    together: float
    longest: float
    start: float
    end: float
    dates: bool = False


class Sanity(NamedTuple):
    """What is odd, and what proves that the files were misread: sentences."""

    odd: tuple[str, ...]
    proof: tuple[str, ...]


def judge(trace: Figures) -> Sanity:
    """What to say of a trace."""
    return Sanity(tuple(_odd(trace)), tuple(_proof(trace)))


def refuse_misread(trace: Figures, yes: bool) -> tuple[str, ...]:
    """What is odd about a trace; one that was misread is refused, unless the user says yes to it."""
    odd, proof = judge(trace)
    if proof and not yes:
        raise TraceError(
            f"the files seem to be misread: {'; '.join(proof)} (`hunet trace look` shows how rows are read, --format, "
            f"--columns and --unit change it; if all is as it should be, say --yes, or yes=True)"
        )
    return (*proof, *odd)


def _proof(trace: Figures) -> list[str]:
    found = []
    fractions = [name for name in trace.names if _FRACTION.fullmatch(name)]
    if 2 * len(fractions) > len(trace.names):
        found.append(f"ids such as {fractions[0]} are fractions, as coordinates and times are")
    if len(trace.names) == 1:
        found.append(f"there is one node only, {trace.names[0]}")
    if trace.longest > YEAR:
        found.append(f"a contact lasts {trace.longest / YEAR:,.1f} years")
    if trace.dates and trace.start < _FIRST_DATE:
        found.append("there are dates before 1990")
    if trace.rows > MANY_ROWS and len(trace.names) > trace.rows:
        found.append(f"{trace.rows:,} rows have {len(trace.names):,} different ids")
    if trace.contacts > MANY_ROWS and 2 * trace.together > trace.contacts * (trace.end - trace.start):
        found.append("contacts last on average for more than half of the trace")
    return found


def _odd(trace: Figures) -> list[str]:
    found = []
    if trace.bad_lines > trace.rows:
        found.append(f"more lines were bad ({trace.bad_lines:,}) than good ({trace.rows:,})")
    if trace.rows > SOME_ROWS and 10 * trace.backwards > trace.rows:
        found.append(f"{trace.backwards:,} of {trace.rows:,} rows end before they start: is the end a length?")
    if trace.rows > SOME_ROWS and 2 * trace.with_self > trace.rows:
        found.append(f"{trace.with_self:,} of {trace.rows:,} rows are contacts with oneself")
    if trace.contacts and trace.together == 0:
        found.append("no contact has any length (--lengthen-to gives them one)")
    if trace.end >= _LAST_DATE:
        found.append(f"times reach {trace.end:,.0f} s, which is after 2100: is it another unit (--unit ms or us)?")
    if trace.rows > MANY_ROWS and trace.end - trace.start < 60:
        found.append(f"all of it lasts {trace.end - trace.start:g} s: are times in another unit?")
    return found
