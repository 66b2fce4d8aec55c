import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.relay.http.ranges import ByteRange, Unsatisfiable, Wanted, Whole, wanted

TAG = '"abc"'


@pytest.mark.parametrize(
    ("header", "answer"),
    [
        (None, Whole()),
        ("bytes=0-", ByteRange(0, 99)),
        ("bytes=0-1", ByteRange(0, 1)),
        ("bytes=10-19", ByteRange(10, 19)),
        ("bytes=90-500", ByteRange(90, 99)),
        ("bytes=-10", ByteRange(90, 99)),
        ("bytes=-500", ByteRange(0, 99)),
        ("BYTES = 5-6", ByteRange(5, 6)),
        ("bytes=100-", Unsatisfiable()),
        ("bytes=-0", Unsatisfiable()),
        ("bytes=20-10", Whole()),
        ("bytes=0-1,5-6", Whole()),
        ("bytes=", Whole()),
        ("bytes=-", Whole()),
        ("items=0-1", Whole()),
        ("bytes=a-b", Whole()),
        ("bytes=1.5-2", Whole()),
    ],
)
def test_a_range_header_of_a_body_of_100_bytes(header: str | None, answer: Wanted) -> None:
    assert wanted(header, None, TAG, 100) == answer


@pytest.mark.parametrize("other", ['"abd"', 'W/"abc"', "Sun, 29 Nov 2026 00:00:00 GMT", ""])
def test_a_range_of_another_version_is_ignored(other: str) -> None:
    assert wanted("bytes=0-1", other, TAG, 100) == Whole()
    assert wanted("bytes=0-1", TAG, TAG, 100) == ByteRange(0, 1)


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 200))
def test_a_part_always_lies_within_the_body(first: int, last: int, size: int) -> None:
    for header in (f"bytes={first}-{last}", f"bytes={first}-", f"bytes=-{last}"):
        answer = wanted(header, None, TAG, size)
        if isinstance(answer, ByteRange):
            assert 0 <= answer.first <= answer.last < size
            assert answer.content_range(size) == f"bytes {answer.first}-{answer.last}/{size}"
