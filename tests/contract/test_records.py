"""What a record weighs, and how SQLite keeps its headers: N2, N3."""

from hypothesis import given
from hypothesis import strategies as st

from radio.streams.call_checks import metered
from radio.streams.contract import Headers, NewRecord
from radio.streams.stores.sqlite.schema import pack, unpack

header = st.tuples(st.binary(min_size=1, max_size=40), st.binary(max_size=400))


@given(st.lists(header).map(tuple))
def test_N2_headers_of_any_kind_survive_the_sqlite_columns(headers: Headers) -> None:
    assert unpack(pack(headers)) == headers


@given(st.binary(max_size=200), st.lists(header, max_size=5).map(tuple))
def test_N3_a_record_is_metered_as_s2_meters_it(body: bytes, headers: Headers) -> None:
    plain = 8 + 2 * len(headers) + sum(len(n) + len(v) for n, v in headers) + len(body)
    assert metered(NewRecord(body, headers)) == plain
