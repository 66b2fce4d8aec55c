"""Time: T1 and the half of T2 that a client's value shows."""

from radio.streams.conformance.expectations import expect, expect_equal
from radio.streams.conformance.fixture import Lab
from radio.streams.contract import Fence, NewRecord, Trim


async def T1_a_timestamp_is_the_stores_now_or_what_the_writer_said_before_it(lab: Lab) -> None:
    a = lab.name("a")
    now = await lab.now_ms()
    await lab.store.append(
        a,
        [
            NewRecord(b"old", timestamp=now - 5000),
            NewRecord(b"older", timestamp=now - 9000),
            NewRecord(b"unsaid"),
            NewRecord(b"future", timestamp=now + 600_000),
        ],
    )
    after = await lab.now_ms()
    old, older, unsaid, future = [r.timestamp for r in await lab.everything(a)]
    expect_equal((old, older), (now - 5000, now - 5000), "what the writer said, raised to the one before")
    expect(now <= unsaid <= future <= after, f"not between {now} and {after}: {unsaid}, {future}")


async def T1_commands_have_timestamps_too(lab: Lab) -> None:
    a = lab.name("a")
    now = await lab.now_ms()
    await lab.store.append(a, [NewRecord(b"x", timestamp=7), Fence("t"), Trim(0)])
    after = await lab.now_ms()
    said, fence, trim = [r.timestamp for r in await lab.everything(a, include_commands=True)]
    expect_equal(said, 7)
    expect(now <= fence <= trim <= after, f"not between {now} and {after}: {fence}, {trim}")


async def T1_a_command_has_the_time_that_its_writer_said(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [NewRecord(b"x", timestamp=7), Fence("t", timestamp=8), Trim(0, timestamp=9)])
    stored = await lab.everything(a, include_commands=True)
    expect_equal([r.timestamp for r in stored], [7, 8, 9])


async def T2_timestamps_never_go_down(lab: Lab) -> None:
    a = lab.name("a")
    first = (await lab.put(a, b"x")).end.timestamp
    ack = await lab.store.append(a, [NewRecord(b"y", timestamp=first - 3_600_000)])
    expect_equal(ack.start.timestamp, first, "an older value, raised to the last record's")
    expect_equal((await lab.store.check_tail(a)).timestamp, first)
