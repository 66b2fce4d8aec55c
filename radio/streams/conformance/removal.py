"""Trim, retention, delete, list: X1 to X7, D1 to D4."""

import inspect

from radio.streams.conformance.expectations import eventually_equal, expect, expect_equal, raises
from radio.streams.conformance.fixture import Lab, numbered
from radio.streams.contract import (
    Fence,
    FromSeq,
    FromTimestamp,
    InvalidRequest,
    NewRecord,
    StreamNotFound,
    StreamStore,
    Trim,
)
from radio.streams.overwriting import Overwriting

CREATED_SLACK_MS = 1000
"""A store may keep the moment of creation in whole seconds."""


async def X1_a_trim_takes_one_number_and_never_lowers_the_point(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, *numbered(*range(6)))
    ack = await lab.store.trim(a, 4)
    expect_equal((ack.start.seq, ack.end.seq), (6, 7))
    await lab.store.trim(a, 2)
    await eventually_equal(lambda: lab.bodies(a), [b"4", b"5"])
    expect_equal((await lab.store.check_tail(a)).seq, 8)


async def X1_a_trim_in_a_batch_takes_what_stands_before_its_point(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0", b"1")
    await lab.store.append(a, [NewRecord(b"last"), Trim(2), NewRecord(b"after")])
    await eventually_equal(lambda: lab.bodies(a), [b"last", b"after"])


async def X2_the_effect_of_a_trim_is_seen_by_every_handle(lab: Lab) -> None:
    a = lab.name("a")
    other = await lab.another()
    await lab.put(a, *numbered(*range(6)))
    await lab.store.trim(a, 5)

    async def first() -> int:
        return (await other.read(a, FromSeq(0))).records[0].seq

    await eventually_equal(first, 5, "the first that stands")


async def X3_numbers_go_on_after_a_trim(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [NewRecord(b"0"), Fence("t")])
    await lab.store.trim(a, 99)
    expect_equal((await lab.store.check_tail(a)).seq, 3)
    expect_equal((await lab.put(a, b"3")).start.seq, 3)
    expect_equal(await lab.store.fencing_token(a), "t")


async def X4_a_trim_beyond_the_tail_takes_all_that_is_there_itself_included(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0", b"1")
    await lab.store.trim(a, 1000)
    await eventually_equal(lambda: lab.seqs(a, include_commands=True), [])
    await lab.put(a, b"3")
    expect_equal(await lab.seqs(a), [3])


async def X5_a_trim_done_twice_does_what_it_did_once(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0", b"1", b"2")
    for _ in range(3):
        await lab.store.trim(a, 2)
    await eventually_equal(lambda: lab.bodies(a), [b"2"])


async def X6_a_janitor_keeps_a_window_of_time(lab: Lab) -> None:
    a = lab.name("a")
    now = await lab.now_ms()
    hour = 3_600_000
    for number in range(10):
        when = now - (10 - number) * hour
        await lab.store.append(a, [NewRecord(b"%d" % number, timestamp=when)])
    window = await lab.store.read(a, FromTimestamp(now - 3 * hour), max_records=1)
    await lab.store.trim(a, window.records[0].seq)
    await eventually_equal(lambda: lab.bodies(a), [b"7", b"8", b"9"])


async def X7_a_record_of_ten_years_ago_stands(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [NewRecord(b"x", timestamp=await lab.now_ms() - 10 * 365 * 86_400_000)])
    await lab.put(lab.name("b"), b"y")
    expect_equal(await lab.bodies(a), [b"x"])


async def D1_a_deleted_stream_is_gone_at_once(lab: Lab) -> None:
    a = lab.name("a")
    other = await lab.another()
    await lab.put(a, b"x")
    expect_equal(await lab.store.delete(a), True)
    for store in (lab.store, other):
        with raises(StreamNotFound):
            await store.read(a, FromSeq(0))
        with raises(StreamNotFound):
            await store.check_tail(a)
        expect_equal(await lab.names(store=store), [])


async def D2_delete_can_be_repeated(lab: Lab) -> None:
    a = lab.name("a")
    expect_equal(await lab.store.delete(a), False)
    await lab.put(a, b"x")
    expect_equal(await lab.store.delete(a, missing_ok=False), True)
    expect_equal(await lab.store.delete(a), False)
    with raises(StreamNotFound):
        await lab.store.delete(a, missing_ok=False)


async def D3_list_gives_names_with_a_prefix_in_order_of_their_bytes(lab: Lab) -> None:
    names = ["a", "a-b", "a/1", "a/10", "a/2", "a/B", "a/b", "a0", "b/1", "~"]
    for name in reversed(names):
        await lab.put(lab.name(name), b"x")
    expect_equal(await lab.names(), sorted(names))
    expect_equal(await lab.names("a/"), ["a/1", "a/10", "a/2", "a/B", "a/b"])
    expect_equal(await lab.names("a/1"), ["a/1", "a/10"])
    expect_equal(await lab.names("zz"), [])


async def D3_list_goes_on_after_a_name_and_says_whether_there_is_more(lab: Lab) -> None:
    names = [lab.name(f"a/{n:02}") for n in range(7)]
    prefix = lab.name("a/")
    for name in names:
        await lab.put(name, b"x")
    found: list[str] = []
    more = True
    while more:
        page = await lab.store.list(prefix, start_after=found[-1] if found else "", limit=3)
        found += [i.name for i in page.items]
        more = page.has_more
    expect_equal(found, names)
    expect_equal((await lab.store.list(prefix, limit=7)).has_more, False)
    expect_equal((await lab.store.list(prefix, limit=6)).has_more, True)
    rest = await lab.store.list(prefix, start_after=lab.name("a/04x"))
    expect_equal([i.name for i in rest.items], names[5:])


async def D3_list_shows_empty_streams_and_when_each_began(lab: Lab) -> None:
    a = lab.name("a")
    before = await lab.now_ms()
    await lab.store.append(a, [Trim(9)])
    after = await lab.now_ms()
    (info,) = (await lab.store.list(a)).items
    expect_equal(info.name, a)
    expect(
        before - CREATED_SLACK_MS <= info.created_ms <= after + CREATED_SLACK_MS,
        f"created at {info.created_ms}, not between {before} and {after}",
    )


async def D3_list_refuses_a_limit_outside_1_to_1000(lab: Lab) -> None:
    for limit in (0, 1001, -1):
        with raises(InvalidRequest):
            await lab.store.list(limit=limit)


async def D4_a_store_can_do_what_the_contract_names_and_no_more(lab: Lab) -> None:
    methods = {n for n, _ in inspect.getmembers(lab.store, inspect.ismethod) if not n.startswith("_")}
    beyond = _methods(Overwriting) if isinstance(lab.store, Overwriting) else frozenset()
    expect_equal(methods - {"open"} - beyond, _methods(StreamStore))


def _methods(protocol: type) -> frozenset[str]:
    named = {name for name, method in vars(protocol).items() if inspect.isfunction(method)}
    return frozenset(name for name in named if not name.startswith("_"))
