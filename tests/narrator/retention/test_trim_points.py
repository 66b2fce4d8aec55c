"""Trims and removals on the stores that last: SQLite, and a real S2 Lite, where a trim is seen later."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from radio import casts
from radio.clock import SystemClock
from radio.narrator import cast_requests
from radio.narrator.retention import policy, station_recordings
from radio.narrator.retention.shared_streams import renew_control, trim_dead
from radio.settings import Settings
from radio.streams import names, records
from radio.streams.stores.open_store import open_store
from tests.narrator.cast.test_removal import is_empty
from tests.narrator.retention.test_station_recordings import KEEP_MS, PIECES, Tape, is_trimmed_to
from tests.narrator.studio import RUN, STATION, Studio
from tests.need import need
from tests.s2_server import S2Server, new_basin
from tests.waiting import until


@pytest.fixture(params=["sqlite", "s2"])
async def studio(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Studio]:
    monkeypatch.setattr(policy, "LOOK_S", (0.2, 0.2))
    monkeypatch.setattr(station_recordings, "TICK_S", 0.2)
    monkeypatch.setattr(cast_requests, "AGAIN_S", 0.2)
    settings, server = Settings(data=tmp_path), None
    if request.param == "s2":
        need("s2")
        server = S2Server(tmp_path / "s2")
        server.start()
        settings = Settings(data=tmp_path, store=f"s2://{new_basin()}", s2_endpoint=server.origin)
    store = await open_store(settings, SystemClock())
    yield Studio(tmp_path, store)
    await store.close()
    if server is not None:
        server.stop()


async def test_a_broadcast_is_kept_and_taken_over_exactly(studio: Studio) -> None:
    tape = Tape(studio)
    await tape.finished_run()
    await tape.open_run(spoken=2)
    await tape.other_sounds()
    await studio.card(keep_ms=KEEP_MS)
    async with tape.listening():
        await studio.killed_narrator(3, after=True, until_over=names.broadcast("nobody"), within_s=10)
        async with studio.narrator():
            await until(lambda: any(e == records.BroadcastEnd(run=RUN, reason="done") for e in tape.heard))
            await studio.archived()
            await until(lambda: is_trimmed_to(studio, names.broadcast(STATION), 6), within_s=180)
    assert tape.captions(RUN) == [piece.strip() for piece in PIECES]


async def test_a_cast_is_removed_and_submitted_anew(studio: Studio) -> None:
    made = await casts.submit(studio.store, studio.clock, text="A letter. It ends.", voice="af_heart")
    async with studio.narrator():
        await studio.cast_over(made.cast)
        await casts.remove(studio.store, made.cast, made.token)
        await until(lambda: is_empty(studio, made.cast), within_s=180)
        again = await casts.submit(studio.store, studio.clock, text="A letter. It ends.", voice="af_heart")
        assert again.created
        await until(lambda: _is_done(studio, made.cast))


async def _is_done(studio: Studio, cast: str) -> bool:
    return (await casts.look(studio.store, cast)).state.status == "done"


LONG_AGO = 1_000
"""Epoch ms: no relay need know the time of what was asked then."""


async def test_shared_streams_are_kept_short(studio: Studio) -> None:
    muted = records.ControlRequest(what="mute", target="tower", since=LONG_AGO)
    for _ in range(2):
        dead = [records.DeadJob(cast="AAAAAAAAAAAA", job=n, reason="silent") for n in range(600)]
        await studio.write(names.JOBS_DEAD, *dead)
        words = [
            records.ControlRequest(what=w, target=STATION, since=LONG_AGO) for w in ("mute", "unmute")
        ] * 300
        await studio.write(names.CONTROL, muted, *words)
    await trim_dead(studio.store)
    await renew_control(studio.store)
    await until(lambda: is_trimmed_to(studio, names.JOBS_DEAD, 200), within_s=180)
    await until(lambda: is_trimmed_to(studio, names.CONTROL, 1202), within_s=180)
    found = await studio.events(names.CONTROL, records.CONTROL)
    assert found == [muted]
