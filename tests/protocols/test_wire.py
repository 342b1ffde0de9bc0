"""Numbers, filters and headers as bytes; the reader takes only what the writer writes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hunet.filters.encodings import COUNTER_ENCODINGS, Encoding, pack_row
from hunet.model.errors import DecodeError
from hunet.protocols.wire import Header, Reader, Writer, bloom_bytes, counter_bytes, number_bytes, position_bytes

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("number", [0, 1, 127, 128, 16383, 16384, 2**32, 2**63 - 1])
def test_numbers_survive_and_their_size_is_known(number: int) -> None:
    out = Writer()
    out.number(number)
    assert Reader(out.bytes()).number() == number
    assert number_bytes(number) == len(out.bytes())


@pytest.mark.parametrize("data", [b"", b"\x80", b"\x80\x00", b"\xff" * 10, b"\x05"])
def test_numbers_that_are_cut_padded_endless_or_too_large_are_refused(data: bytes) -> None:
    with pytest.raises(DecodeError):
        Reader(data).number(4)


@pytest.mark.parametrize("m", [1, 7, 64, 100, 256, 1000])
@pytest.mark.parametrize("ceiling", [255, 1000, 2**32 - 1])
def test_filters_survive_and_their_size_is_known(m: int, ceiling: int) -> None:
    random = np.random.default_rng(m)
    kind = np.uint8 if ceiling < 256 else np.uint16 if ceiling < 2**16 else np.uint32
    for share in (0.0, 0.02, 0.3, 1.0):
        row = np.where(random.random(m) < share, random.integers(1, ceiling + 1, m), 0).astype(kind)
        words = np.zeros((m + 63) // 64, np.uint64)
        words.view(np.uint8)[: (m + 7) // 8] = np.packbits(row != 0, bitorder="little")
        out = Writer()
        out.bloom(words, m)
        assert len(out.bytes()) == bloom_bytes(words, m)
        out.counters(row)
        assert len(out.bytes()) == bloom_bytes(words, m) + counter_bytes(row, m)
        out.positions(row)
        assert len(out.bytes()) == bloom_bytes(words, m) + counter_bytes(row, m) + position_bytes(row, m)
        reader = Reader(out.bytes())
        assert np.array_equal(reader.bloom(m), words)
        assert np.array_equal(reader.counters(m, kind, ceiling), row)
        assert np.array_equal(reader.positions(m, kind), (row != 0).astype(kind))
        reader.finish()


def test_a_filter_in_the_longer_of_its_encodings_is_refused() -> None:
    row = np.zeros(256, np.uint8)
    row[5] = 9
    longer = bytes([4]) + np.packbits(row != 0).tobytes() + bytes([9])
    with pytest.raises(DecodeError, match="E4 where E2 is due"):
        Reader(bytes([len(longer)]) + longer).counters(256, np.uint8, 255)
    plain = bytes([0]) + np.packbits(row != 0).tobytes()
    with pytest.raises(DecodeError, match="E0 where E1 is due"):
        Reader(bytes([len(plain)]) + plain).positions(256, np.uint8)


ROWS = {
    Encoding.E2: [(i, 7) for i in range(9)],
    Encoding.E3: [(3, 9), (200, 4)],
    Encoding.E4: [(i, i + 1) for i in range(200)],
    Encoding.E5: [(i, 1 + i % 2) for i in range(24)],
    Encoding.E6: [(i, 1 + i % 5) for i in range(180)],
}


@pytest.mark.parametrize("due", ROWS, ids=lambda encoding: encoding.name)
def test_counters_go_out_in_the_smallest_encoding_and_arrive_in_no_other(due: Encoding) -> None:
    row = np.zeros(256, np.uint8)
    for position, counter in ROWS[due]:
        row[position] = counter
    out = Writer()
    out.counters(row)
    assert out.bytes()[number_bytes(counter_bytes(row, 256))] == due
    assert np.array_equal(Reader(out.bytes()).counters(256, np.uint8, 255), row)
    for other in set(COUNTER_ENCODINGS) - {due, *([] if due == Encoding.E2 else [Encoding.E2])}:
        body = bytes([other]) + pack_row(row, other)
        out = Writer()
        out.number(len(body))
        with pytest.raises(DecodeError, match=f"{other.name} where {due.name} is due"):
            Reader(out.bytes() + body).counters(256, np.uint8, 255)


HEADER = Header(300, 7, 12_500, None, 140, ("jazz", "chess", "größer"), 2, 4, bytes(range(16)))


def test_headers_survive() -> None:
    assert Header.decode(HEADER.encode(), 4, 16) == HEADER
    at_once = replace(HEADER, lifetime=0)
    assert Header.decode(at_once.encode(), 4, 16) == at_once


def test_headers_that_are_cut_or_have_bad_tags_or_say_more_than_their_protocol_can_are_refused() -> None:
    data = HEADER.encode()
    last_tag = data.rindex(bytes([len("größer".encode())]))
    for length in range(last_tag + 1):
        if length not in (last_tag, data.index(b"\x05chess")):  # there a header ends as well
            with pytest.raises(DecodeError):
                Header.decode(data[:length], 4, 16)
    for bad in (replace(HEADER, tags=("jazz", "jazz")), replace(HEADER, tags=()), replace(HEADER, note=5)):
        with pytest.raises(DecodeError):
            Header.decode(bad.encode(), 4, 16)
    with pytest.raises(DecodeError, match="UTF-8"):
        Header.decode(data.replace(b"jazz", b"ja\xffz"), 4, 16)
