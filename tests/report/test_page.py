"""`hunet report`: one page that holds everything and shows it everywhere."""

from __future__ import annotations

import base64
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hunet.cli.main import app
from hunet.model.errors import ReportError
from hunet.report.contents import Contents, Shown, pictures_in, read_contents, write_contents
from hunet.report.page import page
from hunet.report.style import PALETTE, axes_in_house_style, new_figure, save
from tests.report.browser import measure

LONG = "where_a_very_long_name_without_any_space_stands_that_no_narrow_screen_could_ever_hold_in_one_line.csv.gz"


def draw(path: Path, width: float) -> None:
    figure = new_figure(width, 3.0)
    axes = figure.subplots()
    axes.plot([1, 2, 3], [1, 4, 9], color=PALETTE[0])
    axes_in_house_style(axes, "Squares", "x", "y")
    save(figure, path)


@pytest.fixture
def folder(tmp_path: Path, results: Path) -> Path:
    """Results to be changed at will."""
    return Path(shutil.copytree(results, tmp_path / "results"))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results as a reproduction leaves them, with everything that could be too wide."""
    out = tmp_path_factory.mktemp("made") / "results"
    for name, width in (("F1", 4.0), ("F2", 5.0), ("F10", 12.0)):
        draw(out / f"{name}.png", width)
    (out / "F1.csv").write_text("x,y\n1,1\n2,4\n3,9\n", encoding="utf-8")
    wide = ",".join(f"measure_{number}" for number in range(30))
    (out / "T1.csv").write_text(f"name,{wide}\n{LONG}{',12345.678' * 30}\n", encoding="utf-8")
    claims = ("claim,about,verdict,measured", 'X-01,"below 1 & above 0",holds,0.5',
              'X-02,"many, <all>",does not hold,"none, of 3"', "X-03,about data,needs data,absent\n")  # fmt: skip
    (out / "claims.csv").write_text("\n".join(claims), encoding="utf-8")
    write_contents(
        out,
        Contents(
            title="Squares <reproduced>",
            headline="Of 3 claims: 1 holds, 1 does not hold.",
            command=f"hunet reproduce squares --out {LONG}",
            made={"on": "2026-01-01", "hunet": "1.2.3", "numpy": "2.0"},
            shown=[*pictures_in(out, {"F": "A caption & more."}), Shown("T1", "Much.", data="T1.csv")],
            verdicts="claims.csv",
            settings=[{"of": "push", "setting": "k", "value": "3"}],
            traces=[{"trace": "mine", "nodes": 41, "origin": LONG, "surrogate": "yes"}],
            errata=[{"id": "ERR-01", "where": "IV-A", "printed": "c_i", "used": "c_j"}],
            notes=["Reality is not stored here."],
        ),
    )
    return out


def test_the_page_needs_neither_files_nor_a_network(folder: Path) -> None:
    text = page({folder: read_contents(folder)})
    loaded = re.findall(r'(?:src|href)="([^"]{0,30})', text)
    assert len(loaded) > 10
    assert all(one.startswith(("data:image/svg+xml;base64,", "data:text/csv;base64,", "#")) for one in loaded)
    assert not re.search(r"<link|<script|@import|url\(|https?://", text)


def test_it_says_all_that_the_folder_says(folder: Path) -> None:
    text = page({folder: read_contents(folder)})
    for part in ("Squares &lt;reproduced&gt;", "Of 3 claims: 1 holds, 1 does not hold.", "hunet reproduce squares",
                 "1.2.3", "A caption &amp; more.", "below 1 &amp; above 0", "many, &lt;all&gt;", "ERR-01",
                 "is not stored",
                 '<td class="holds">holds</td>', '<td class="fails">does not hold</td>',
                 '<td class="other">needs data</td>',
                 "12,346", "2026-01-01"):  # fmt: skip
        assert part in text
    assert "<reproduced>" not in text
    assert text.index(">F2<") < text.index(">F10<")
    assert text.count('<figure class="wide">') == 1


def test_numbers_can_be_saved_from_the_page(folder: Path) -> None:
    text = page({folder: read_contents(folder)})
    found = re.search(r'download="F1.csv" href="data:text/csv;base64,([^"]+)"', text)
    assert found
    assert base64.b64decode(found[1]) == (folder / "F1.csv").read_bytes()


def test_a_figure_is_saved_as_png_and_as_svg_and_equal_figures_are_equal_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        draw(tmp_path / f"{name}.png", 4.0)
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


def test_a_figure_that_exists_as_png_only_is_shown_too(folder: Path) -> None:
    (folder / "F1.svg").unlink()
    assert page({folder: read_contents(folder)}).count("data:image/png;base64,") == 1


def test_several_folders_become_chapters(folder: Path, tmp_path: Path) -> None:
    folder.rename(tmp_path / "all-one")
    both = tmp_path / "all"
    both.mkdir()
    (tmp_path / "all-one").rename(both / "one")
    draw(both / "two" / "F1.png", 4.0)
    write_contents(both / "two", Contents("Cubes", "None.", "hunet compare", {}, pictures_in(both / "two", {})))
    done = CliRunner().invoke(app, ["report", str(both)])
    assert f"report: {both / 'report.html'}" in done.stdout
    text = (both / "report.html").read_text(encoding="utf-8")
    assert text.count("<img") == 4
    assert '<a href="#c2-top">Cubes</a>' in text


@pytest.mark.parametrize("damage", ["nothing there", "no picture", "no json"])
def test_what_cannot_be_shown_is_refused_and_no_page_is_written(folder: Path, damage: str) -> None:
    if damage == "nothing there":
        (folder / "contents.json").unlink()
    elif damage == "no picture":
        for ending in ("png", "svg"):
            (folder / f"F1.{ending}").unlink()
    else:
        (folder / "contents.json").write_text("{", encoding="utf-8")
    done = CliRunner().invoke(app, ["report", str(folder)])
    assert isinstance(done.exception, ReportError)
    assert str(folder) in str(done.exception)
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize("part", ["picture", "data", "verdicts"])
@pytest.mark.parametrize("way", ["above", "absolute", "link"])
def test_a_file_outside_the_folder_is_refused_and_no_page_is_written(folder: Path, part: str, way: str) -> None:
    secret = folder.parent / "secret.png"
    secret.write_text("claim,about,verdict,measured\n", encoding="utf-8")
    if way == "link":
        (folder / "inside.png").symlink_to(secret)
    named = {"above": "../secret.png", "absolute": str(secret), "link": "inside.png"}[way]
    contents = read_contents(folder)
    if part == "verdicts":
        write_contents(folder, replace(contents, verdicts=named))
    else:
        write_contents(folder, replace(contents, shown=[replace(contents.shown[0], **{part: named})]))
    done = CliRunner().invoke(app, ["report", str(folder)])
    assert isinstance(done.exception, ReportError)
    assert (
        str(done.exception)
        == f"'{folder / 'contents.json'}' names '{named}', which lies outside the folder: no page was made"
    )
    assert not (folder / "report.html").exists()


def test_a_drawing_beside_a_picture_is_no_way_out_of_the_folder(folder: Path) -> None:
    (folder.parent / "secret.svg").write_text("<svg/>", encoding="utf-8")
    (folder / "F1.svg").unlink()
    (folder / "F1.svg").symlink_to(folder.parent / "secret.svg")
    with pytest.raises(ReportError, match=r"names 'F1\.svg', which lies outside"):
        page({folder: read_contents(folder)})


def test_a_folder_may_itself_be_a_link_and_its_files_link_to_each_other(folder: Path) -> None:
    (folder / "F1.csv").rename(folder / "numbers.csv")
    (folder / "F1.csv").symlink_to("numbers.csv")
    (folder.parent / "link").symlink_to(folder)
    assert page({folder.parent / "link": read_contents(folder)}).count("<img") == 3


@pytest.mark.parametrize("name", ["..", ".", "a\0b"])
def test_a_name_that_no_file_has_is_an_error_of_ours(folder: Path, name: str) -> None:
    contents = read_contents(folder)
    with pytest.raises(ReportError):
        page({folder: replace(contents, shown=[replace(contents.shown[0], picture=name)])})


@pytest.mark.parametrize("width", [1280, 390])
def test_in_a_browser_nothing_overflows_and_every_figure_shows(folder: Path, tmp_path: Path, width: int) -> None:
    CliRunner().invoke(app, ["report", str(folder)])
    found = measure(folder / "report.html", width, tmp_path)
    assert found.past == []
    assert found.width <= width
    assert (found.images, found.broken) == (3, [])


def test_pages_of_the_folder_are_linked_and_others_are_not(folder: Path) -> None:
    contents = read_contents(folder)
    text = page({folder: replace(contents, pages={"Watch <it>": "watch 1.html"})})
    assert '<a href="watch%201.html">Watch &lt;it&gt;</a>' in text
    for elsewhere in ("../watch.html", "javascript:alert(1).html/", "https://example.org/x.html", "watch.exe"):
        with pytest.raises(ReportError, match="only a page in the folder itself"):
            page({folder: replace(contents, pages={"x": elsewhere})})
