"""The report: folders of results as one HTML page that needs nothing else, neither files nor a network.

Pictures are SVG inside the page, numbers are links that save a CSV. Where tables or wide figures do not fit the screen,
they scroll inside their box.
"""

from __future__ import annotations

import base64
import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hunet.atomic import whole_file
from hunet.input_files import readable, require_regular
from hunet.model.errors import ReportError
from hunet.report.contents import FILE, Contents, Rows, Shown, read_contents
from hunet.report.numbers import short
from hunet.report.style import DOTS_PER_INCH

__all__ = ["described", "page", "write_page", "write_report"]

_MOST_BYTES = 400_000
"""A picture that is larger as SVG is shown as PNG, and a CSV that is larger is named only."""
_MOST_ROWS = 60
_WIDE = 9.0
"""Inches from which on a figure has a row of its own."""
_PIXELS = 52
"""On a small screen an inch of a figure is no smaller: one scrolls, and can read it."""
_PROSE = 40
"""Letters from which on a cell may break into lines."""
_VERDICTS = {"holds": "holds", "partly": "partly", "does not hold": "fails", "fails": "fails", "erratum": "erratum"}
"""Classes of words for claims; `fails` is in folders that were written before it became `does not hold`."""
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What a browser may do with the page: show it. It runs no script and loads nothing, whatever a table has in it."""
_HEADINGS = {
    "about": "what the paper says",
    "measured": "what we find",
    "elsewhere": "on other traces",
    "readings": "with other readings",
    "of": "",
    "used": "what we use instead",
}


def write_report(folder: Path, file: Path) -> Path:
    """Write the page of a folder of results. A folder of such folders has a chapter for each."""
    return write_page({part: read_contents(part) for part in described(folder) or [folder]}, file)


def described(folder: Path) -> list[Path]:
    """The folders with results: this one, and those in it."""
    chapters = sorted(found.parent for found in folder.glob(f"*/{FILE}"))
    return [folder, *chapters] if (folder / FILE).is_file() else chapters


def write_page(chapters: Mapping[Path, Contents], file: Path) -> Path:
    """Write the page of these chapters."""
    text = page(chapters)
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(file) as draft:
        draft.write_text(text, encoding="utf-8")
    return file


def page(chapters: Mapping[Path, Contents]) -> str:
    """The HTML of one folder, or of several as chapters, by their folders; one that holds the others stands first."""
    several = len(chapters) > 1
    top, first = next(iter(chapters.items()))
    holds_all = all(top in folder.parents for folder in chapters if folder != top)
    title = first.title if holds_all else ", ".join(one.title for one in chapters.values())
    parts: list[str] = []
    links: list[tuple[str, str]] = []
    for number, (folder, contents) in enumerate(chapters.items(), start=1):
        prefix = f"c{number}-" if several else ""
        sections = _sections(folder, contents)
        if several and not (holds_all and folder == top):
            parts.append(f'<h2 id="{prefix}top">{escape(contents.title)}</h2><p>{escape(contents.headline)}</p>')
            links.append((f"{prefix}top", contents.title))
        elif not several:
            links += [(f"{prefix}{name}", heading) for name, (heading, _) in sections.items()]
        level = "h3" if several else "h2"
        parts += [
            f'<section><{level} id="{prefix}{name}">{escape(heading)}</{level}>{body}</section>'
            for name, (heading, body) in sections.items()
        ]
    menu = "".join(f'<a href="#{name}">{escape(heading)}</a>' for name, heading in links)
    menu += "".join(_link(folder, file, words) for folder, one in chapters.items() for words, file in one.pages.items())
    headline = f'<p class="headline">{escape(first.headline)}</p>' if holds_all else ""
    made = " · ".join(f"{escape(name)} {escape(value)}" for name, value in first.made.items() if name in _IN_HEAD)
    names = ", ".join(folder.name for folder in chapters)
    style = files("hunet.report").joinpath("page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<header><div><h1>{escape(title)}</h1>{headline}<p class="made">{made}</p><nav>{menu}</nav></div></header>\n'
        f"<main>\n{chr(10).join(parts)}\n<footer>Made by hunet from {escape(names)}. "
        "This page is one file and can be sent as it is.</footer>\n</main>\n</body>\n</html>\n"
    )


_IN_HEAD = ("hunet", "on")


def _link(folder: Path, file: str, words: str) -> str:
    """To another page, which lies in the folder of the report."""
    if Path(file).name != file or not file.endswith(".html"):
        raise ReportError(f"'{folder / FILE}' names the page '{file}': only a page in the folder itself can be linked")
    return f'<a href="{escape(quote(file))}">{escape(words)}</a>'


def _sections(folder: Path, contents: Contents) -> dict[str, tuple[str, str]]:
    """By its name in links: heading and body of whatever there is to say."""
    figures = [one for one in contents.shown if one.picture]
    tables = [one for one in contents.shown if not one.picture]
    bodies = {
        "notes": ("Beforehand", "".join(f'<p class="note">{escape(note)}</p>' for note in contents.notes)),
        "figures": ("Figures", _grid(folder, figures)),
        "tables": ("Tables", "".join(_table_of(folder, one) for one in tables)),
        "verdicts": ("The paper's claims", _verdicts(folder, contents.verdicts)),
        "traces": ("Where the contacts come from", _table(contents.traces)),
        "settings": ("Every setting", _table(contents.settings)),
        "errata": ("Errata that apply", _table(contents.errata)),
        "again": ("How to make it again", _again(contents)),
    }
    return {name: (heading, body) for name, (heading, body) in bodies.items() if body}


def _grid(folder: Path, figures: Sequence[Shown]) -> str:
    return f'<div class="figures">{"".join(_figure(folder, one) for one in figures)}</div>' if figures else ""


def _figure(folder: Path, shown: Shown) -> str:
    source, inches = _picture(folder, str(shown.picture))
    kind = ' class="wide"' if inches > _WIDE else ""
    words = escape(shown.caption or shown.title)
    image = f'<img alt="{words}" style="min-width: {_PIXELS * inches:.0f}px" src="{source}">'
    return (
        f'<figure{kind}><h3>{escape(shown.title)}</h3><div class="box">{image}</div>'
        f"<figcaption>{escape(shown.caption)}</figcaption>{_links(folder, shown)}</figure>"
    )


def _picture(folder: Path, name: str) -> tuple[str, float]:
    """What an image element loads, and how many inches wide it was drawn."""
    drawing = f"{name.removesuffix('.png')}.svg"
    if (folder / drawing).is_file() and (folder / drawing).stat().st_size <= _MOST_BYTES:
        text = _bytes(folder, drawing)
        box = re.search(rb'viewBox="0 0 ([0-9.]+) ', text[:4000])
        return f"data:image/svg+xml;base64,{_encoded(text)}", float(box[1]) / 72 if box else _WIDE
    content = _bytes(folder, name)
    width = int.from_bytes(content[16:20], "big")  # where the header of a PNG has it
    return f"data:image/png;base64,{_encoded(content)}", width / DOTS_PER_INCH


def _links(folder: Path, shown: Shown) -> str:
    if shown.data is None:
        return ""
    content = _bytes(folder, shown.data)
    if len(content) > _MOST_BYTES:
        return f'<p class="links soft">numbers: {escape(shown.data)}, in the folder</p>'
    size = f"{max(1, round(len(content) / 1000))} kB"
    link = f'<a download="{escape(shown.data)}" href="data:text/csv;base64,{_encoded(content)}">CSV, {size}</a>'
    return f'<p class="links">numbers: {link}</p>'


def _table_of(folder: Path, shown: Shown) -> str:
    rows = _read(folder, str(shown.data))
    body = _table(rows)
    if len(rows) > _MOST_ROWS:
        body = f"<details><summary>{len(rows):,} rows</summary>{body}</details>"
    caption = f'<p class="soft">{escape(shown.caption)}</p>' if shown.caption else ""
    return f"<h3>{escape(shown.title)}</h3>{caption}{body}{_links(folder, shown)}"


def _verdicts(folder: Path, file: str | None) -> str:
    if file is None:
        return ""
    rows = _read(folder, file)
    if not all("verdict" in row for row in rows):
        raise ReportError(f"'{folder / file}' has no column 'verdict': run the command that made it again")
    counts = Counter(str(row["verdict"]) for row in rows)
    chips = "".join(
        f'<li class="{_kind(word)}"><b>{count}</b>{escape(word)}</li>' for word, count in counts.most_common()
    )
    return f'<ul class="counts">{chips}</ul>{_table(rows)}'


def _kind(verdict: str) -> str:
    return _VERDICTS.get(verdict.removesuffix(" on the surrogate"), "other")


def _again(contents: Contents) -> str:
    made = [{"of": name, "version": value} for name, value in contents.made.items()]
    return f"<pre>{escape(contents.command)}</pre>{_table(made)}"


def _table(rows: Rows) -> str:
    if not rows:
        return ""
    numbers = {name: all(_is_number(row.get(name)) for row in rows) for name in rows[0]}
    head = "".join(_heading(name, number) for name, number in numbers.items())
    lines = ("".join(_cell(name, row.get(name), number) for name, number in numbers.items()) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="box"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _heading(name: str, number: bool) -> str:
    kind = ' class="number"' if number else ""
    return f"<th{kind}>{escape(_HEADINGS.get(name, name.replace('_', ' ')))}</th>"


def _cell(name: str, value: Any, number: bool) -> str:
    text = escape(short(value))
    if name == "verdict":
        return f'<td class="{_kind(str(value))}">{text}</td>'
    kind = "number" if number else "prose" if len(text) > _PROSE else ""
    return f'<td class="{kind}">{text}</td>' if kind else f"<td>{text}</td>"


def _read(folder: Path, name: str) -> list[dict[str, Any]]:
    """A CSV, numbers as numbers."""
    content = _bytes(folder, name)
    with readable(folder / name, ReportError, "table"):
        header, *rows = csv.reader(content.decode("utf-8").splitlines()) if content.strip() else [[]]
        return [dict(zip(header, map(_number, row), strict=True)) for row in rows if row]


def _number(text: str) -> str | float | int:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _bytes(folder: Path, name: str) -> bytes:
    """A file of the folder. A page is made to be sent, so nothing from elsewhere may come into it."""
    path = folder / name
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise ReportError(f"'{folder / FILE}' names '{name}', which lies outside the folder: no page was made")
        require_regular(path, ReportError, "file")
        return path.read_bytes()
    except (OSError, ValueError, RuntimeError) as error:  # no such file; a name that none can have; links in a circle
        reason = error.strerror if isinstance(error, OSError) else error
        raise ReportError(f"'{path}' cannot be read ({reason}): run the command that made it again") from None


def _encoded(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
