"""Workloads from files; every mistake is named with file, line and value."""

from __future__ import annotations

import math
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hunet.model.errors import WorkloadError
from hunet.sim.workload.files import read_workload, workload_from_tables
from hunet.sim.workload.interest_tables import read_infocom06_forms, read_sigcomm2009
from hunet.sim.workload.tables import node_numbers, read_interests, read_messages
from hunet.sim.workload.workload import Workload
from tests.sim.small_traces import TRIANGLE

CONTACTS, NODES = TRIANGLE
NUMBERS = node_numbers(NODES)


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_messages_and_interests_are_read_with_the_original_names(tmp_path: Path) -> None:
    messages = write(tmp_path, "m.csv", "time,source,tag,size,ttl\n7,bob,jazz;chess,10,5h\n2.5,ann, jazz ,,\n")
    interests = write(tmp_path, "i.csv", "node,tag,from,until,level,hops\ncid,jazz,,,,\nann,chess,3,8,0.5,4\n")
    workload = workload_from_tables(messages, interests, NODES)
    assert workload.messages.to_pylist() == [
        {"source": 0, "created": 2.5, "tags": ["jazz"], "size": 140, "ttl": None},
        {"source": 1, "created": 7.0, "tags": ["jazz", "chess"], "size": 10, "ttl": 18000.0},
    ]
    assert workload.interests.to_pylist() == [
        {"node": 2, "tag": "jazz", "from": -math.inf, "until": math.inf, "level": 1.0, "hops": 0},
        {"node": 0, "tag": "chess", "from": 3.0, "until": 8.0, "level": 0.5, "hops": 4},
    ]
    assert workload.tags == ("chess", "jazz")
    assert (workload.buffer, workload.bytes_per_second, workload.ttl) == (None, math.inf, math.inf)


def test_parquet_says_the_same_as_csv(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"time": [7, 2], "source": ["bob", "ann"], "tag": ["jazz;chess", "jazz"]}), tmp_path / "m.parquet"
    )
    text = write(tmp_path, "m.csv", "time,source,tag\n7,bob,jazz;chess\n2,ann,jazz\n")
    assert read_messages(tmp_path / "m.parquet", NUMBERS).equals(read_messages(text, NUMBERS))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("time,source,tag\n1,ann,x\n\nsoon,bob,x\n", "line 4: time 'soon' is not a finite number"),
        ("time,source,tag\n1,ann,x\n,bob,x\n", "line 3: time '' is empty"),
        ("time,source,tag\n-1,ann,x\n", "line 2: time '-1' is below 0"),
        ("time,source,tag\ninf,ann,x\n", "line 2: time 'inf' is not a finite number"),
        ("time,source,tag\n1,bbo,x\n", "line 2: there is no node 'bbo'; did you mean 'bob'"),
        ("time,source,tag\n1,,x\n", "line 2: source is empty"),
        ("time,source,tag\n1,ann,x;;y\n", "line 2: tag 'x;;y' has an empty tag"),
        ("time,source,tag\n1,ann,x;y;x\n", "line 2: tag 'x;y;x' names a tag twice"),
        ("time,source,tag,size\n1,ann,x,1.5\n", "line 2: size '1.5' is not a whole number of bytes"),
        ("time,source,tag,ttl\n1,ann,x,9y\n", "line 2: ttl '9y': there is no unit 'y'"),
        ("time,source,tag,tll\n1,ann,x,9\n", "line 1: there is no column 'tll'; did you mean 'ttl'"),
        ("time,tag\n1,x\n", "line 1: the column 'source' is missing"),
        ("time,source,tag\n1,ann\n", "line 2: '1,ann' has 2 fields, the first line has 3"),
        ("", "is empty: its first line must name the columns"),
    ],
)
def test_a_mistake_in_messages_is_named_with_its_line_and_value(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(WorkloadError) as caught:
        read_messages(write(tmp_path, "m.csv", text), NUMBERS)
    assert complaint in str(caught.value)
    assert "m.csv" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("node,tag,from,until\nann,x,5,5\n", "line 2: until '5' is not after from"),
        ("node,tag,from,until\nann,x,later,\n", "line 2: from 'later' is not a finite number"),
        ("node,tag,level\nann,x,\nann,y,0\n", "line 3: level '0' is not above 0 and at most 1"),
        ("node,tag,level\nann,x,1.01\n", "line 2: level '1.01' is not above 0 and at most 1"),
        ("node,tag,hops\nann,x,2.5\n", "line 2: hops '2.5' is not a whole number from 0 (no limit) to 65535"),
        ("node,tag\ndora,x\n", "line 2: there is no node 'dora'"),
    ],
)
def test_a_mistake_in_interests_is_named_with_its_line_and_value(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(WorkloadError) as caught:
        read_interests(write(tmp_path, "i.csv", text), NUMBERS)
    assert complaint in str(caught.value)


def test_a_mistake_in_parquet_is_named_with_its_row(tmp_path: Path) -> None:
    pq.write_table(pa.table({"time": [1.0, None], "source": ["ann", "bob"], "tag": ["x", "x"]}), tmp_path / "m.parquet")
    with pytest.raises(WorkloadError, match=r"m\.parquet', row 2: time None is empty"):
        read_messages(tmp_path / "m.parquet", NUMBERS)


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(WorkloadError, match="does not exist"):
        read_messages(tmp_path / "none.csv", NUMBERS)


def read(folder: Path, text: str) -> Workload:
    return read_workload(write(folder, "w.toml", text), CONTACTS, NODES, seed=1)


def test_a_toml_file_describes_a_generated_workload(tmp_path: Path) -> None:
    workload = read(
        tmp_path,
        """
        name = "small"
        ttl = "10min"
        buffer = 7
        bandwidth = "1kB/s"
        [tags]
        names = ["a", "b", "c"]
        weights = [2, 1, 1]
        [interests]
        per_node = 2
        weighted = false
        hops = [2, 3]
        [messages]
        process = "periodic"
        every = "4s"
        size = [1, 5]
        """,
    )
    assert workload.name == "small"
    assert (workload.ttl, workload.buffer, workload.bytes_per_second) == (600.0, 7, 1000.0)
    assert workload.tags == ("a", "b", "c")
    assert workload.interests.num_rows == 6
    assert set(workload.interests.column("hops").to_pylist()) == {2, 3}
    assert workload.messages.num_rows == 30  # 3 nodes, 40 s
    assert set(workload.messages.column("size").to_pylist()) <= set(range(1, 6))


def test_a_toml_file_may_mix_files_and_chance(tmp_path: Path) -> None:
    write(tmp_path, "i.csv", "node,tag\nann,x\nbob,x\ncid,y\n")
    workload = read(tmp_path, '[interests]\nfile = "i.csv"\n[messages]\nevery = "1s"\n')
    assert workload.tags == ("x", "y")
    tags = [tag for (tag,) in workload.messages.column("tags").to_pylist()]
    assert tags.count("x") > tags.count("y") > 0  # published as often as they are wanted


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("bufer = 7\n", "line 1: there is no key 'bufer'; did you mean 'buffer'"),
        ("[tags]\ncount = 3\n[messages]\nevry = '3s'\n", "line 4: there is no key 'evry'; did you mean 'every'"),
        ("[tags]\ncount = 3\n[messages]\nevery = '3 parsec'\n", "line 4: every '3 parsec': there is no unit 'parsec'"),
        ("[tags]\ncount = 3\n[messages]\nprocess = 'x'\n", "[messages]: process 'x': use periodic, poisson, uniform"),
        ("[tags]\ncount = 3\n[messages]\nsize = [1, 2, 3]\n", "line 4: size = [1, 2, 3]"),
        ("[tags]\ncount = 3\n[interests]\nper_node = 'two'\n", "line 4: per_node = 'two' must be of type int"),
        ("[tags]\ncount = 3\n[interests]\nhops = 'far'\n", "line 4: hops = 'far' must be of type int or list"),
        ("[tags]\ncount = 3\n[interests]\nhops = [3]\n", "line 4: hops = [3]: write a hop limit as 2 or [1, 3]"),
        ("[tags]\ncount = 3\n[interests]\nhops = [0, 3]\n", "hops from 0 to 3: give 1 to 65535, the smaller first"),
        ("[tags]\npool = 'trends'\n", "[tags]: there is no pool of tags 'trends'; did you mean 'trends-2009'"),
        ("ttl = \n", "line 1: this is not TOML: Invalid value"),
        ("[messages]\nevery = '5s'\n", "[tags] does not say of what"),
        ("tags = 3\n", "line 1: [tags] must be a section"),
        ("buffer = 0\n[tags]\ncount = 1\n", "line 1: buffer '0'"),
        ("[interests]\ntable = 'sigcom2009'\n", "did you mean 'sigcomm2009'"),
    ],
)
def test_a_mistake_in_toml_is_named_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(WorkloadError) as caught:
        read(tmp_path, text)
    assert complaint in str(caught.value)
    assert "w.toml" in str(caught.value)


def test_profiles_of_sigcomm2009_are_dealt_by_name_or_by_chance(tmp_path: Path) -> None:
    write(tmp_path, "interests1.csv", "# Format: user_id;group_id\nann;1\nann;2\ndora;7\n")
    write(tmp_path, "interests2.csv", "# Format: user_id;group_id;time_added\nann;1;50\nbob;3;25\n")
    assert [profile.name for profile in read_sigcomm2009(tmp_path)] == ["ann", "dora", "bob"]
    text = '[interests]\ntable = "sigcomm2009"\nfolder = "."\ndeal = "{}"\n[messages]\nevery = "10s"\n'
    by_name = read(tmp_path, text.format("name")).interests.to_pylist()
    assert [(row["node"], row["tag"], row["from"]) for row in by_name] == [
        (0, "group 1", -math.inf),
        (0, "group 2", -math.inf),
        (1, "group 3", 25.0),
    ]
    dealt = read(tmp_path, text.format("chance")).interests.to_pylist()
    assert {row["node"] for row in dealt} == {0, 1, 2}
    assert {row["tag"] for row in dealt} == {"group 1", "group 2", "group 3", "group 7"}


def test_a_mistake_in_a_published_table_is_named(tmp_path: Path) -> None:
    write(tmp_path, "interests1.csv", "ann;1\n")
    write(tmp_path, "interests2.csv", "ann;1;noon\n")
    with pytest.raises(WorkloadError, match=r"interests2\.csv', line 1: time 'noon' is not a number"):
        read_sigcomm2009(tmp_path)
    write(tmp_path, "interests1.csv", "ann;1;2\n")
    with pytest.raises(WorkloadError, match=r"interests1\.csv', line 1: 'ann;1;2' has 3 fields, expected 2"):
        read_sigcomm2009(tmp_path)
    write(tmp_path, "21.dat", "Name=21\ntopics=1,x\n")
    with pytest.raises(WorkloadError, match=r"21\.dat', line 2: topic 'x' is not a number"):
        read_infocom06_forms(tmp_path)


def test_the_real_tables_have_the_people_their_description_counts(real_traces: Path) -> None:
    sigcomm = read_sigcomm2009(real_traces / "sigcomm2009")
    assert len(sigcomm) == 76
    assert sum(since == -math.inf for one in sigcomm for _, since in one.tags) == 1080
    forms = read_infocom06_forms(real_traces / "haggle-infocom06-nocontacts" / "forms")
    assert (forms[0].name, [tag for tag, _ in forms[0].tags]) == (
        "21",
        ["topic 15", "topic 22", "topic 24", "topic 32"],
    )
    assert len(forms) == 79
