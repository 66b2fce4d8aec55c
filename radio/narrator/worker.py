"""The narrator: takes stations and casts, and speaks them under one scheduler with one voice.

streams -> acquirers -> lanes -> lane scheduler -> speaking loop and voice thread -> lanes -> streams
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from radio.clock import Clock
from radio.compute_gate import Gate, opened
from radio.errors import first_of
from radio.log import log_event
from radio.narrator.acquire import CastAcquirer, StationAcquirer, forever
from radio.narrator.cast.job_queue import JobQueue
from radio.narrator.cast.removal import CastRemoval
from radio.narrator.cast_requests import CastRequests
from radio.narrator.context import Context, new_context
from radio.narrator.peers import NARRATOR
from radio.narrator.retention.cast_expiry import CastExpiry
from radio.narrator.retention.disk_quota import DiskQuota
from radio.narrator.retention.shared_streams import SharedStreams
from radio.narrator.retention.station_recordings import StationRecordings
from radio.narrator.speaking import SpeakingLoop
from radio.narrator.station.air_time import ClockWatch
from radio.narrator.station.lane import StationLane
from radio.narrator.voice_thread import VoiceBroken, VoiceThread
from radio.settings import Settings
from radio.speech.speaker import Speaker
from radio.streams.contract import StreamStore
from radio.streams.ownership.members import BEAT_S, ttl_of
from radio.streams.ownership.stream_owner import Member

log = logging.getLogger(__name__)

WATCH_S = 1.0
"""Seconds between two comparisons of the wall clock with the monotonic one."""
TRIAL = "Good morning. This is how fast the voice speaks on this machine."
"""Spoken at the start, and not broadcast, to measure the speed."""


async def run(
    settings: Settings, store: StreamStore, clock: Clock, stop: asyncio.Event, speaker: Speaker
) -> None:
    """Speak until `stop` is set; then give up all lanes in good order. The caller closes the speaker.

    Raises:
        VoiceBroken: the process should end; the lanes are given up.
    """
    voice = VoiceThread(speaker)
    try:
        ttl_s = ttl_of(settings.store)
        async with Member(store, clock, role=NARRATOR, data=settings.data, ttl_s=ttl_s) as member:
            context = new_context(
                settings, store, clock, stop, member, engine=speaker.name, at_once=speaker.at_once
            )
            member.status = context.vitals
            await _speak(context, voice)
    except BaseExceptionGroup as failures:
        if broken := failures.subgroup(VoiceBroken):
            raise first_of(broken) from failures
        raise
    finally:
        voice.close()


async def _speak(context: Context, voice: VoiceThread) -> None:
    with _gate(context.settings) as gate:
        async with asyncio.TaskGroup() as tasks:
            parts = tasks.create_task(_parts(context, voice, gate), name="narrator")
            await context.stop.wait()
            parts.cancel()
    log.info("narrator stopped", extra=log_event("narrator.stopped"))


@contextmanager
def _gate(settings: Settings) -> Iterator[Gate | None]:
    gate = opened(
        settings.data,
        settings.gate,
        who="voice",
        voice_threads=settings.voice_threads,
        llm_threads=settings.llm_threads,
    )
    try:
        yield gate
    finally:
        if gate is not None:
            gate.close()


async def _parts(context: Context, voice: VoiceThread, gate: Gate | None) -> None:
    await _warm_up(context, voice)
    queue = JobQueue(context.store, context.clock)
    work = {
        "jobs": queue.run,
        "stations": StationAcquirer(context).run,
        "casts": CastAcquirer(context, queue).run,
        "requests": CastRequests(context, queue).run,
        "speaking": SpeakingLoop(context, voice, gate).run,
        "clock": lambda: _watch_clock(context),
        "recordings": StationRecordings(context).run,
        "disk": DiskQuota(context).run,
        "expiry": CastExpiry(context, CastRemoval(context, queue)).run,
        "shared streams": SharedStreams(context).run,
        "peers": lambda: _refresh_peers(context),
    }
    async with asyncio.TaskGroup() as tasks:
        for what, part in work.items():
            tasks.create_task(forever(what, part, context.clock), name=what)


async def _warm_up(context: Context, voice: VoiceThread) -> None:
    await voice.warm_up()
    trial = await voice.speak(TRIAL, context.settings.voice)
    context.speed.add(trial.frames * 0.024, max(trial.gen_ms, 0.001) / 1000)
    log.info(
        "narrator ready",
        extra=log_event(
            "narrator.ready", engine=voice.name, owner=context.member.owner, xrt=round(context.xrt, 2)
        ),
    )


async def _refresh_peers(context: Context) -> None:
    while True:
        await context.peers.refresh()
        await asyncio.sleep(BEAT_S)


async def _watch_clock(context: Context) -> None:
    watch = ClockWatch()
    while True:
        step_ms = watch.observe(context.clock.now_ms(), context.clock.monotonic())
        if step_ms:
            lanes = [lane for lane in context.lanes if isinstance(lane, StationLane)]
            for lane in lanes:
                lane.step(step_ms)
            context.changed.set()
            others = context.claims.known - {lane.station for lane in lanes}
            await context.claims.missed_steps.note(context.store, others, step_ms)
        await asyncio.sleep(WATCH_S)
