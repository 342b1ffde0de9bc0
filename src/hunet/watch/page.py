"""The page: data, styles and scripts in one HTML file that needs nothing else, neither files nor a network."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from hunet.atomic import whole_file
from hunet.watch.packing import pack
from hunet.watch.preparing import prepare
from hunet.watch.show import Show

__all__ = ["Page", "page_of"]

_SCRIPTS = ("data", "times", "colours", "story", "clock", "stage", "charts", "tree", "panel", "main")
"""In the order in which they stand on each other; together they are one script."""
_FRAME_HEIGHT = 860
"""Of the page inside a notebook, in pixels."""


@dataclass(frozen=True, repr=False)
class Page:
    """A page to watch; a notebook shows it, `save` writes it."""

    title: str
    html: str

    def save(self, path: str | Path) -> Path:
        """Write it, making its folder."""
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(file) as draft:
            draft.write_text(self.html, encoding="utf-8")
        return file

    def __repr__(self) -> str:
        return f"Page {self.title!r}, {len(self.html) / 1e6:.1f} MB: save('page.html') and open it in a browser"

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {_FRAME_HEIGHT}px; border: 0"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(self.html)}"></iframe>'


def page_of(show: Show, message: str | None = None) -> Page:
    """The page of a trace, of one or two simulations, or of logs of nodes; `message` is picked when it opens."""
    prepared = prepare(show, message)
    title = f"{show.network.title}: {' and '.join(play.title for play in show.plays)}".removesuffix(": ")
    style, script = _asset("watch.css"), "".join(_asset(f"{name}.js") for name in _SCRIPTS)
    # Nothing but this very script may run and nothing may be loaded, whatever names the data has in it.
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    html = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"{_asset('body.html')}"
        f'<script type="text/plain" id="data">{pack(*prepared)}</script>\n'
        f'<script type="module">{script}</script>\n</html>\n'
    )
    return Page(title, html)


def _asset(name: str) -> str:
    return files("hunet.watch").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
