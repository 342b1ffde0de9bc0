"""Public data sets that can be fetched by name, each with its page, its licence and the checksum of every file.

A file that does not have its checksum is refused: the set has changed, or the way to it is broken. hunet ships none of
this data, it only knows where it is; whoever fetches a set accepts its licence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pooch  # type: ignore[import-untyped]

from hunet.model.errors import TraceError
from hunet.model.names import unknown

TIMEOUT = 30


@dataclass(frozen=True)
class RemoteFile:
    """A file of a data set; `part` is contacts or metadata."""

    url: str
    sha256: str
    part: str = "contacts"

    @property
    def name(self) -> str:
        return self.url.rpartition("/")[2]


@dataclass(frozen=True)
class DataSet:
    """A public data set: what it is called and shows, where its page is, on which terms it is given and how to cite."""

    name: str
    title: str
    page: str
    licence: str
    cite: str
    format: str
    files: tuple[RemoteFile, ...]


_SITE = "https://www.sociopatterns.org"
_CC0 = "CC0 1.0 (public domain; please cite)"
_BY_NC_SA = "CC BY-NC-SA 3.0 (name the source, no commercial use, share alike)"


def _sociopatterns(file: str, sha256: str, part: str = "contacts") -> RemoteFile:
    return RemoteFile(f"{_SITE}/assets/data/{file}", sha256, part)


CATALOG: tuple[DataSet, ...] = (
    DataSet(
        name="sfhh",
        title="SFHH conference, Nice 2009: 403 people, face to face",
        page=f"{_SITE}/datasets/sfhh-conference-data-set/",
        licence=_CC0,
        cite="M. Génois and A. Barrat, EPJ Data Science 7, 11 (2018)",
        format="sociopatterns",
        files=(_sociopatterns("SFHH_tij.dat.gz", "77de2e3d490e0d2426f55c19bbd8d4255f1d3b39a20820474a88dd15d1aa1556"),),
    ),
    DataSet(
        name="invs13",
        title="Office building (InVS), France 2013: 92 people, face to face",
        page=f"{_SITE}/datasets/contacts-in-a-workplace/",
        licence=_CC0,
        cite="M. Génois et al., Network Science 3, 326 (2015)",
        format="sociopatterns",
        files=(
            _sociopatterns(
                "workplace_InVS_tij.dat.zip", "bf818f7e819864e134c90ed82f2cda6ca9d9548d43fe4d05002ac068c91258c0"
            ),
            _sociopatterns(
                "workplace_InVS_metadata.txt",
                "4a62b35fa54376b29425731e1a13e73138f09e3c8ff6b04823103e20a99af8f0",
                "metadata",
            ),
        ),
    ),
    DataSet(
        name="ht2009",
        title="ACM Hypertext conference, Turin 2009: 113 people, face to face",
        page=f"{_SITE}/datasets/hypertext-2009-dynamic-contact-network/",
        licence=_BY_NC_SA,
        cite="L. Isella et al., Journal of Theoretical Biology 271, 166 (2011)",
        format="sociopatterns",
        files=(
            _sociopatterns(
                "ht2009_contact_list.dat.gz", "43014e65bb8f6aa7d75d36a8ab61279b617bee88197e04a330c4386305ae1738"
            ),
        ),
    ),
    DataSet(
        name="primary-school",
        title="Primary school, Lyon 2009: 242 children and teachers, face to face",
        page=f"{_SITE}/datasets/primary-school-temporal-network-data/",
        licence=_BY_NC_SA,
        cite="V. Gemmetto et al., BMC Infect. Dis. 14, 695 (2014); J. Stehlé et al., PLoS ONE 6(8), e23176 (2011)",
        format="sociopatterns",
        files=(
            _sociopatterns("primaryschool.csv.gz", "5c93d9f5a61ad44b3c90fb5146d42345ae86dd44d77bc5da2461989d3d547fc9"),
            _sociopatterns(
                "primaryschool_metadata.txt",
                "92844d1206ba38825d6ca801563cfc5c0f1c993f3efd012012c21aceaeff4329",
                "metadata",
            ),
        ),
    ),
    DataSet(
        name="high-school-2011",
        title="High school, Marseilles 2011: 126 students, face to face",
        page=f"{_SITE}/datasets/high-school-dynamic-contact-networks/",
        licence=_BY_NC_SA,
        cite="J. Fournet and A. Barrat, PLoS ONE 9(9), e107878 (2014)",
        format="sociopatterns",
        files=(
            _sociopatterns(
                "highschool_2011.csv.gz", "e8ae344a9046864367c500dc8b30a8aed00d943273af0e84707d73d8c35c9a54"
            ),
            _sociopatterns(
                "highschool_2011_metadata.txt",
                "b2d96709be38d57488919859354fd6a26c7d625f6d093eab2133291ba22ec4c2",
                "metadata",
            ),
        ),
    ),
)


def find_data_set(name: str, catalog: Sequence[DataSet] = CATALOG) -> DataSet:
    """A data set by its name."""
    for known in catalog:
        if known.name == name:
            return known
    raise TraceError(unknown("data set in the catalog", name, [known.name for known in catalog]))


def fetch(data_set: DataSet, cache: Path) -> dict[RemoteFile, Path]:
    """Download the files of a data set that are not in the cache yet; return where each of them lies."""
    pooch.get_logger().setLevel("WARNING")
    return {file: _fetch(data_set, file, cache / data_set.name) for file in data_set.files}


def _fetch(data_set: DataSet, file: RemoteFile, folder: Path) -> Path:
    try:
        path = pooch.retrieve(
            file.url,
            known_hash=f"sha256:{file.sha256}",
            fname=file.name,
            path=folder,
            downloader=pooch.HTTPDownloader(timeout=TIMEOUT),
        )
    except ValueError as error:
        raise TraceError(
            f"'{file.url}' does not have the checksum in hunet's catalog and was discarded: the data set "
            f"{data_set.name!r} has changed; see {data_set.page}"
        ) from error
    except OSError as error:
        raise TraceError(f"cannot download '{file.url}': {error} (see {data_set.page})") from error
    return Path(path)
