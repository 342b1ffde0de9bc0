"""The catalog of public data sets, and fetching from a server on this machine."""

from __future__ import annotations

import hashlib
import http.server
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from hunet.model.errors import TraceError
from hunet.traces.catalog import CATALOG, DataSet, RemoteFile, fetch, find_data_set
from hunet.traces.formats import FORMATS

CONTENT = b"20 1 2\n40 1 2\n"


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: object) -> None:
        """Keep the output of the tests clean."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """(the folder that is served, its address)."""
    folder = tmp_path / "served"
    folder.mkdir()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder))) as listening:
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,))
        thread.start()
        yield folder, f"http://127.0.0.1:{listening.server_port}"
        listening.shutdown()
        thread.join()


def data_set(address: str, sha256: str) -> DataSet:
    file = RemoteFile(f"{address}/small.dat", sha256)
    return DataSet("small", "a small set", "https://example.org/small", "CC0", "nobody", "sociopatterns", (file,))


def test_a_set_is_fetched_once_and_then_kept(server: tuple[Path, str], tmp_path: Path) -> None:
    folder, address = server
    (folder / "small.dat").write_bytes(CONTENT)
    small = data_set(address, hashlib.sha256(CONTENT).hexdigest())
    (path,) = fetch(small, tmp_path / "cache").values()
    assert (path.read_bytes(), path.name) == (CONTENT, "small.dat")
    (folder / "small.dat").unlink()
    assert fetch(small, tmp_path / "cache") == {small.files[0]: path}


def test_a_file_with_another_checksum_is_refused(server: tuple[Path, str], tmp_path: Path) -> None:
    folder, address = server
    (folder / "small.dat").write_bytes(CONTENT + b"60 1 2\n")
    with pytest.raises(TraceError, match=r"does not have the checksum .* see https://example\.org/small"):
        fetch(data_set(address, hashlib.sha256(CONTENT).hexdigest()), tmp_path / "cache")
    assert not list((tmp_path / "cache").rglob("*.dat"))


def test_a_file_that_is_not_there_is_named(server: tuple[Path, str], tmp_path: Path) -> None:
    _folder, address = server
    with pytest.raises(TraceError, match=f"cannot download '{address}/small.dat'"):
        fetch(data_set(address, "0" * 64), tmp_path / "cache")


def test_a_server_that_does_not_answer_is_named(server: tuple[Path, str], tmp_path: Path) -> None:
    _folder, address = server
    unreachable = data_set(address, "0" * 64)
    nowhere = replace(unreachable.files[0], url="http://127.0.0.1:1/small.dat")
    with pytest.raises(TraceError, match="cannot download"):
        fetch(replace(unreachable, files=(nowhere,)), tmp_path / "cache")


def test_every_set_says_where_it_comes_from_and_on_which_terms() -> None:
    assert len({known.name for known in CATALOG}) == len(CATALOG)
    for known in CATALOG:
        assert known.licence.startswith(("CC0", "CC BY"))
        assert known.page.startswith("https://")
        assert known.cite
        assert known.format in {form.name for form in FORMATS}
        assert known.files[0].part == "contacts"


def test_a_set_is_found_by_its_name() -> None:
    assert find_data_set("sfhh").licence.startswith("CC0")
    with pytest.raises(TraceError, match="there is no data set in the catalog 'infocom06'; there are: sfhh, "):
        find_data_set("infocom06")


def test_the_checksums_are_those_of_the_published_files(real_traces: Path) -> None:
    for known in CATALOG:
        for file in known.files:
            content = (real_traces / "sociopatterns" / file.name).read_bytes()
            assert hashlib.sha256(content).hexdigest() == file.sha256
