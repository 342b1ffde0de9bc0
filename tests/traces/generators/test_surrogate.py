"""The surrogate keeps what is known: contacts and time per pair, events per hour."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hunet.model.errors import DecodeError, InvalidValueError
from hunet.traces.generators.surrogate import SurrogateSettings, generate, read_event_times, read_pair_table
from tests.traces.generators.invented import CONTACTS, EVENT_TIMES, SECONDS, write_invented_trace
from tests.traces.generators.shape import shape_of


def test_the_pair_table_and_the_event_times_are_read(tmp_path: Path) -> None:
    table, times = write_invented_trace(tmp_path)
    read = read_pair_table(table)
    assert read.contacts.tolist() == CONTACTS
    assert read.seconds.tolist() == SECONDS
    assert read_event_times(times).tolist() == EVENT_TIMES


def test_contacts_and_time_of_each_pair_are_the_mean_of_both_directions(tmp_path: Path) -> None:
    settings = SurrogateSettings(*write_invented_trace(tmp_path), first=1, last=4)
    shape = shape_of(generate(settings, 3).contacts, 4, EVENT_TIMES[-1])
    found = shape.per_pair()
    assert {pair: count for pair, (count, _) in found.items()} == {(0, 1): 4, (0, 2): 1, (1, 2): 59, (2, 3): 2}
    expected = {(0, 1): 800.0, (0, 2): 0.5, (1, 2): 44500.0, (2, 3): 15.0}
    assert {pair: total for pair, (_, total) in found.items()} == pytest.approx(expected)


def test_a_pair_that_was_together_nearly_all_the_time_still_fits(tmp_path: Path) -> None:
    table, times = write_invented_trace(tmp_path)
    times.unlink()
    times = tmp_path / "short.txt"
    times.write_text(",".join(str(float(t)) for t in range(0, 44_600, 10)))
    for seed in range(20):
        shape = shape_of(generate(SurrogateSettings(table, times, first=2, last=3), seed).contacts, 2, 44_590)
        count, total = shape.per_pair()[0, 1]
        assert (count, round(total, 6)) == (59, 44500.0)


def test_only_the_devices_asked_for_are_kept_under_their_own_names(tmp_path: Path) -> None:
    made = generate(SurrogateSettings(*write_invented_trace(tmp_path), first=3, last=4), 1)
    assert made.nodes["name"].to_pylist() == ["3", "4"]
    assert made.contacts.num_rows == 2


def test_infocom06_keeps_counts_times_and_hours(real_traces: Path) -> None:
    folder = real_traces / "haggle-infocom06-nocontacts"
    settings = SurrogateSettings(folder / "table.Exp6.dat.gz", folder / "aggregates" / "event_times.infopy.gz")
    table, times = read_pair_table(settings.table), read_event_times(settings.event_times)
    assert table.contacts[:98, :98].sum() == 178_213
    assert table.contacts[20:98, 20:98].sum() == 133_799
    assert len(times) == 303_420
    made = generate(settings, 1)
    shape = shape_of(made.contacts, 78, times[-1])
    assert len(shape.a) == 67_636  # B-SUB prints 67,360
    seen, lasted = table.contacts[20:98, 20:98], table.seconds[20:98, 20:98]
    for (a, b), (count, total) in shape.per_pair().items():
        assert count == (seen[a, b] + seen[b, a] + 1) // 2
        assert total == pytest.approx((lasted[a, b] + lasted[b, a]) / 2)
    hours = int(times[-1] // 3600) + 1
    real = np.histogram(times, bins=np.arange(hours + 1) * 3600.0)[0] / len(times)
    assert np.abs(shape.per_hour(hours) - real).sum() / 2 < 0.002  # moved to another hour: 2 in 1,000 at most


def test_a_surrogate_of_infocom05_has_gaps_like_the_trace_itself(trace_files: Path, tmp_path: Path) -> None:
    """Infocom05's contacts are known, so what the surrogate makes up can be compared: the gaps between contacts."""
    folder = trace_files / "haggle-infocom05"
    a, b, start, end = np.loadtxt(folder / "contacts.Exp3.dat", usecols=(0, 1, 2, 3), unpack=True)
    inside = (a <= 41) & (b <= 41) & (a != b)
    times = tmp_path / "times.txt"
    times.write_text(",".join(map(str, np.sort(np.concatenate((start[inside], end[inside]))).tolist())))
    made = generate(SurrogateSettings(folder / "table.Exp3.dat", times, first=1, last=41), 1)
    shape = shape_of(made.contacts, 41, float(end[inside].max()))
    order = np.lexsort((start[inside], b[inside], a[inside]))
    a, b, start, end = (column[inside][order] for column in (a, b, start, end))
    real = (start[1:] - end[:-1])[(a[1:] == a[:-1]) & (b[1:] == b[:-1])]
    for seconds in (600, 3600, 14400, 43200, 86400):
        assert shape.share_of_gaps_above(seconds) == pytest.approx((real > seconds).mean(), abs=0.12)


def test_files_that_are_not_what_they_should_be_are_refused_by_name_and_line(tmp_path: Path) -> None:
    table, _ = write_invented_trace(tmp_path)
    wrong = tmp_path / "wrong.dat"
    wrong.write_text("1 2 3\n")
    with pytest.raises(DecodeError, match=r"wrong\.dat, line 1: no 'ID 1'"):
        read_pair_table(wrong)
    lines = table.read_text().splitlines()
    lines[2] = lines[2].replace("\t4\t", "\tfour\t")
    wrong.write_text("\n".join(lines))
    with pytest.raises(DecodeError, match=r"wrong\.dat, line 3: expected 4 whole numbers"):
        read_pair_table(wrong)
    wrong.write_text("\n".join(table.read_text().splitlines()[:3]))
    with pytest.raises(DecodeError, match=r"wrong\.dat, line 4: expected 4 whole numbers, found ''"):
        read_pair_table(wrong)
    for text in ("1.0,soon", "5", "", "nan,2"):
        wrong.write_text(text)
        with pytest.raises(DecodeError, match=r"wrong\.dat"):
            read_event_times(wrong)


def test_devices_and_files_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    table, times = write_invented_trace(tmp_path)
    with pytest.raises(InvalidValueError, match="first device 4 must be below the last, 3"):
        SurrogateSettings(table, times, first=4, last=3)
    with pytest.raises(InvalidValueError, match="last device 98 is above 4"):
        generate(SurrogateSettings(table, times), 1)
    short = tmp_path / "short.txt"
    short.write_text("0,100")
    with pytest.raises(InvalidValueError, match="do not fit into the 100 s"):
        generate(SurrogateSettings(table, short, first=1, last=4), 1)
    lonely = tmp_path / "lonely.dat"
    lonely.write_text(table.read_text().replace("\t2\t0\n", "\t0\t0\n").replace("\t0\t2\n", "\t0\t0\n"))
    with pytest.raises(InvalidValueError, match=r"devices 3-4 of .* never met"):
        generate(SurrogateSettings(lonely, times, first=3, last=4), 1)
