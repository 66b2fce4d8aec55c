"""The speaking loop: speaks a sentence of the chosen lane, and with it those of lanes that join it."""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext

from radio.compute_gate import Gate
from radio.errors import BadInput, RadioError
from radio.log import log_event
from radio.mp3 import FRAME_MS
from radio.narrator.context import Context
from radio.narrator.lane_scheduler import Sleep, choose, company
from radio.narrator.lanes import GivenUp, Lane, LaneSentence
from radio.narrator.sharing import to_give_up
from radio.narrator.voice_thread import VoiceBroken, VoiceThread
from radio.speech.speaker import ENGINE, Spoken, Unspeakable, Utterance
from radio.streams.ownership.stream_owner import Owned

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""The scheduler chooses at least this often: runs end and leads shrink with time alone."""
STALE_S = 0.2
"""Pause between two checks while the heartbeat does not get through."""
IDLE_S = 300.0
"""After this long without a sentence the voice is warmed up again."""
SPEED_LOG_S = 60.0
MOST_FAULTS = 3
"""After this many failures in a row the fault is the voice's, not the sentences'."""


class SpeakingLoop:
    """Has the voice to itself while it runs. `gate` is None where no LLM shares its device."""

    def __init__(self, context: Context, voice: VoiceThread, gate: Gate | None = None) -> None:
        self._context = context
        self._voice = voice
        self._gate = gate
        self._last_s = context.clock.monotonic()
        self._told_s = float("-inf")
        self._faults = 0

    async def run(self) -> None:
        while True:
            await self._context.between.run()
            if not self._may_speak():
                await asyncio.sleep(STALE_S)
                continue
            self._context.changed.clear()
            for lane in self._context.lanes:
                await self._try(lane, lane.tidy(self._context.load))
            self._share()
            statuses = self._context.statuses()
            if self._gate is not None:
                self._gate.put_voice_first(any(status.is_in_need for status in statuses))
            choice = choose(statuses)
            if isinstance(choice, Sleep):
                await self._context.wait(LOOK_S if choice.seconds is None else min(choice.seconds, LOOK_S))
            else:
                others = company(statuses, choice.lane, most=self._voice.at_once - 1)
                await self._serve([self._context.lanes[lane] for lane in (choice.lane, *others)])

    def _may_speak(self) -> bool:
        """Whether the others surely see it alive. Lanes owned under an earlier owner id are removed."""
        owner = self._context.member.owner
        for lane in self._context.lanes.owned:
            if lane.owner != owner:
                self._context.lanes.remove_lost(lane, Owned(lane.owner))
        return self._context.member.is_fresh

    def _share(self) -> None:
        """Give a lane up if stations stay below their guard and another narrator has room."""
        context = self._context
        now = context.clock.monotonic()
        strained_s = context.strain.observe(context.statuses(), now)
        owned, load = context.lanes.owned, context.load
        given_up = to_give_up(
            [lane.status(load) for lane in owned],
            context.capacity(),
            context.peers.capacities,
            strained_s=strained_s,
        )
        if given_up is not None:
            context.strain.begin_anew(now)
            log.warning(
                "lane given up: the stations cannot hold their guard",
                extra=log_event("lane.given_up", lane=str(given_up), xrt=round(load.xrt, 2)),
            )
            context.lanes.remove_lost(context.lanes[given_up], GivenUp())

    async def _serve(self, lanes: Sequence[Lane]) -> None:
        """Speak one sentence of each lane, all together."""
        begun = await self._begun(lanes)
        results = await self._results([piece for _, piece in begun])
        fresh: list[Spoken] = []
        for (lane, piece), result in zip(begun, results, strict=True):
            if not self._is_mine(lane):
                continue  # lost while the voice was busy
            if isinstance(result, str):
                await self._try(lane, lane.skip(piece, result))
                continue
            await self._try(lane, lane.put(piece, result))
            if piece.made is None:
                fresh.append(result)
        if fresh:
            self._measure(fresh)

    async def _begun(self, lanes: Sequence[Lane]) -> list[tuple[Lane, LaneSentence]]:
        """The lanes' next sentences. A suspect stays alone; some turn out to be one only when prepared."""
        begun: list[tuple[Lane, LaneSentence]] = []
        for lane in lanes:
            await self._try(lane, lane.prepare())
            if not self._is_mine(lane):
                continue
            status = lane.status(self._context.load)
            if begun and status.is_suspect:
                continue
            if status.is_ready and (piece := lane.begin()) is not None:
                begun.append((lane, piece))
            if status.is_suspect:
                break
        return begun

    async def _results(self, pieces: Sequence[LaneSentence]) -> list[Spoken | str]:
        """For each sentence its audio, or the reason why there is none."""
        silent = [piece for piece in pieces if not (piece.skip or piece.made)]
        spoken = iter(await self._spoken_together(silent))
        return [piece.skip or piece.made or next(spoken) for piece in pieces]

    def _is_mine(self, lane: Lane) -> bool:
        return self._context.lanes.has(lane)

    async def _try(self, lane: Lane, step: Awaitable[None]) -> None:
        try:
            await step
        except RadioError as error:
            self._context.lanes.remove_lost(lane, error)

    async def _spoken_together(self, pieces: Sequence[LaneSentence]) -> list[Spoken | str]:
        """As `_spoken`, for several. A sentence whose first attempt fails is tried again alone."""
        if len(pieces) < 2:
            return [await self._spoken(piece) for piece in pieces]
        firsts = await self._voiced_together(pieces)
        return [
            first if isinstance(first, Spoken) else await self._again(piece, first)
            for piece, first in zip(pieces, firsts, strict=True)
        ]

    async def _spoken(self, piece: LaneSentence) -> Spoken | str:
        """The audio, or the reason why there is none after two attempts."""
        try:
            await self._wake_up()
            return await self._voiced(piece)
        except VoiceBroken:
            raise
        except Exception as first:  # noqa: BLE001 - whatever the voice raises, the lane goes on
            return await self._again(piece, first)

    async def _again(self, piece: LaneSentence, first: Exception) -> Spoken | str:
        log.warning("sentence failed, tried again", extra=log_event("sentence.retry", reason=_why(first)))
        try:
            return await self._voiced(piece)
        except Unspeakable as second:
            if not _is_of_text(second):
                self._count_fault(second)
            return second.reason
        except BadInput as second:
            log.warning("sentence refused: %s", second, extra=log_event("sentence.refused"))
            return _why(second)
        except VoiceBroken:
            raise
        except Exception as second:
            log.exception("sentence failed twice", extra=log_event("sentence.failed"))
            self._count_fault(second)
            return _why(second)

    def _count_fault(self, failed: Exception) -> None:
        self._faults += 1
        if self._faults >= MOST_FAULTS:
            raise VoiceBroken(f"the voice failed at {self._faults} sentences in a row: {failed}") from failed

    async def _voiced(self, piece: LaneSentence) -> Spoken:
        """Speak a sentence. A sentence that no voice could speak also shows that the voice works."""
        try:
            async with self._device():
                spoken = await self._voice.speak(piece.text, piece.voice, piece.pronounce)
        except (Unspeakable, BadInput) as failed:
            if _is_of_text(failed):
                self._faults = 0
            raise
        self._faults = 0
        return spoken

    async def _voiced_together(self, pieces: Sequence[LaneSentence]) -> Sequence[Spoken | Exception]:
        sentences = [Utterance(piece.text, piece.voice, piece.pronounce) for piece in pieces]
        try:
            await self._wake_up()
            async with self._device():
                results = await self._voice.speak_all(sentences)
        except VoiceBroken:
            raise
        except Exception as failed:  # noqa: BLE001 - whatever the voice raises, each is tried again
            return [failed] * len(pieces)
        if any(isinstance(result, Spoken) or _is_of_text(result) for result in results):
            self._faults = 0
        return results

    def _device(self) -> AbstractAsyncContextManager[None]:
        return self._gate.speaking() if self._gate else nullcontext()

    async def _wake_up(self) -> None:
        now = self._context.clock.monotonic()
        is_idle, self._last_s = now - self._last_s > IDLE_S, now
        if is_idle:
            await self._voice.warm_up()

    def _measure(self, spoken: Sequence[Spoken]) -> None:
        """Add to the measured speed: all audio that was spoken together, over all its time."""
        audio_s = sum(each.frames for each in spoken) * FRAME_MS / 1000
        self._context.speed.add(audio_s, sum(each.gen_ms for each in spoken) / 1000)
        now = self._context.clock.monotonic()
        self._last_s = now
        if now - self._told_s >= SPEED_LOG_S:
            self._told_s = now
            load = self._context.load
            is_slow = load.xrt < load.stations
            log.log(
                logging.WARNING if is_slow else logging.INFO,
                "voice slower than its stations play" if is_slow else "voice speed",
                extra=log_event(
                    "voice.speed",
                    xrt=round(load.xrt, 2),
                    stations=load.stations,
                    casts=len(self._context.lanes.casts),
                ),
            )


def _is_of_text(error: Exception) -> bool:
    """Whether the fault lies with the text or the choice of voice, and not with the engine."""
    return isinstance(error, BadInput) or (isinstance(error, Unspeakable) and error.reason != ENGINE)


def _why(error: Exception) -> str:
    return error.reason if isinstance(error, Unspeakable) else type(error).__name__
