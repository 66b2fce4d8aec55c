"""HLS of a broadcast of which an operator took records out."""

import pytest

from radio import control
from radio.clock import ManualClock
from radio.mp3.frames import FRAME_BYTES, SILENCE_FRAME
from radio.redaction import REDACT, spell
from radio.relay.hls.segment_cutter import _Made
from radio.relay.live.station_feed import StationFeed
from radio.streams.contract import StreamStore
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air
from tests.relay.hls.test_hls_routes import SILENT, get, listed, live, media, segment
from tests.relay.serving import relay_on
from tests.waiting import until


async def test_segments_made_before_and_after_a_redaction_are_silent_there_from_every_relay(
    any_store: StreamStore, clock: ManualClock
) -> None:
    air = await Air(any_store, clock).begin()
    await live(air, clock, 40)
    taken = [seq for seq, _ in air.said][2:4]
    want = b"".join(
        SILENCE_FRAME * (len(audio.body) // FRAME_BYTES) if seq in taken else audio.body
        for seq, audio in air.said
    )
    async with relay_on(any_store, clock) as served, relay_on(any_store, clock) as other:
        numbers, _ = await listed(served, await media(served))
        before = {n: await segment(served, n) for n in numbers}
        _, _, old = await get(served, f"/stations/harbor/hls/0/{numbers[2]}.mp3")
        await control.ask(any_store, REDACT, "harbor", [spell(taken[0], taken[1])])
        folded = [relay.relay.store.redactions for relay in (served, other)]
        await until(lambda: all(redactions.holds("harbor", taken[0]) for redactions in folded))
        after = {n: await segment(served, n) for n in numbers}
        assert after != before
        made = b"".join(after.values())
        assert made == want[: len(made)]
        assert {n: await segment(other, n) for n in reversed(numbers)} == after
        _, _, new = await get(served, f"/stations/harbor/hls/0/{numbers[2]}.mp3")
        assert new["ETag"] != old["ETag"]


async def test_a_segment_that_was_being_made_when_its_sound_was_taken_out_is_made_again(
    air: Air, store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await air.begin()
    await live(air, clock, 20)
    async with relay_on(store, clock) as served:
        numbers, _ = await listed(served, await media(served))
        segments = served.relay.segments
        make = segments._make
        made: list[int] = []

        async def slowly(station: StationFeed, epoch: int, n: int, since_ms: int) -> _Made:
            one = await make(station, epoch, n, since_ms)
            made.append(n)
            if len(made) == 1:
                await control.ask(store, REDACT, "harbor", [spell(0, air.said[-1][0])])
                await until(lambda: bool(station.redacted))
            return one

        monkeypatch.setattr(segments, "_make", slowly)
        assert await segment(served, numbers[1]) == SILENT
        assert made == [numbers[1]] * 2
