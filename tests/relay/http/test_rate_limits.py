import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.relay.http.rate_limits import MAX_CLIENTS, Bucket, ClientBuckets, client_address, retry_after


@pytest.mark.parametrize(
    ("forwarded", "hops", "client"),
    [
        ("", 0, "10.0.0.1"),
        ("", 1, "10.0.0.1"),
        ("6.6.6.6", 0, "10.0.0.1"),
        ("6.6.6.6, 1.2.3.4", 1, "1.2.3.4"),
        ("6.6.6.6, 1.2.3.4, 10.0.0.9", 2, "1.2.3.4"),
        ("1.2.3.4", 2, "1.2.3.4"),
    ],
)
def test_only_trusted_hops_say_who_a_client_is(forwarded: str, hops: int, client: str) -> None:
    assert client_address("10.0.0.1", forwarded, hops) == client


def test_a_bucket_gives_its_capacity_at_once_and_then_its_rate() -> None:
    bucket = Bucket(3, 1, 3, 0.0)
    assert [bucket.take(1, 0.0) for _ in range(4)] == [0.0, 0.0, 0.0, 1.0]
    assert bucket.take(1, 1.0) == 0.0


def test_more_than_the_capacity_is_given_to_a_full_bucket_which_then_owes() -> None:
    bucket = Bucket(10, 1, 10, 0.0)
    assert bucket.take(25, 0.0) == 0.0
    assert bucket.take(1, 0.0) == 16.0


def test_a_bucket_without_capacity_gives_nothing() -> None:
    closed = Bucket(0, 0, 0, 0)
    assert [closed.take(1, now) > 0 for now in (0, 1, 10_000)] == [True] * 3


@given(st.lists(st.tuples(st.floats(0, 3), st.integers(1, 5)), max_size=50))
def test_over_any_time_no_more_is_given_than_capacity_and_rate_allow(asks: list[tuple[float, int]]) -> None:
    bucket, now, given_out = Bucket(5, 2, 5, 0.0), 0.0, 0
    for pause, amount in asks:
        now += pause
        if bucket.take(amount, now) == 0.0:
            given_out += amount
        assert given_out <= 5 + 2 * now + 1e-6


def test_clients_do_not_share_a_bucket_and_the_oldest_is_forgotten() -> None:
    buckets = ClientBuckets(1, 0.001)
    assert buckets.take("a", 1, 0.0) == 0.0
    assert buckets.take("a", 1, 0.0) > 0
    for k in range(MAX_CLIENTS):
        assert buckets.take(f"c{k}", 1, 0.0) == 0.0
    assert buckets.take("a", 1, 0.0) == 0.0


def test_the_wait_is_told_in_whole_seconds() -> None:
    assert [retry_after(s) for s in (0.0, 0.2, 1.0, 1.1)] == ["1", "1", "1", "2"]
