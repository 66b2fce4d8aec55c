"""The thread that the voice speaks in, so that the event loop is not blocked."""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from radio.errors import RadioError
from radio.pronunciation import NONE, Pronunciations
from radio.speech.speaker import Speaker, Spoken, Utterance

T = TypeVar("T")

_Task = Callable[[], None]

HUNG_S = 180.0
"""Longer than the longest sentence takes at a tenth of real time; also the limit for several together."""


class VoiceBroken(RadioError):
    """The voice hangs, or fails at every sentence. Only a new process helps."""


class VoiceThread:
    """A speaker that can be awaited. No call can be interrupted; the thread ends with the process at last."""

    def __init__(self, speaker: Speaker) -> None:
        self.name = speaker.name
        self.at_once = speaker.at_once
        self._speaker = speaker
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
        self._thread.start()

    async def warm_up(self) -> None:
        await self._call(self._speaker.warm_up)

    async def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        """See `Speaker.speak`. Cancelling leaves the thread busy until the sentence is done."""
        return await self._call(lambda: self._speaker.speak(text, voice, pronounce))

    async def speak_all(self, sentences: Sequence[Utterance]) -> list[Spoken | Exception]:
        """See `Speaker.speak_all`. Cancelling leaves the thread busy until all are done."""
        return await self._call(lambda: self._speaker.speak_all(sentences))

    def close(self) -> None:
        """Accept no more calls; the thread ends after those already made."""
        self._tasks.put(None)

    async def _call(self, function: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def answer(result: T | None, error: BaseException | None) -> None:
            if done.done():
                return
            if error is not None:
                done.set_exception(error)
            else:
                done.set_result(result)  # type: ignore[arg-type]  # a T unless there is an error

        def task() -> None:
            result, error = None, None
            try:
                result = function()
            except Exception as e:  # noqa: BLE001 - crosses to the caller, who judges it
                error = e
            try:
                loop.call_soon_threadsafe(answer, result, error)
            except RuntimeError:
                return  # the loop is closed: nobody waits

        self._tasks.put(task)
        try:
            async with asyncio.timeout(HUNG_S) as limit:
                return await done
        except TimeoutError as hung:
            if limit.expired():
                raise VoiceBroken(f"the voice has not answered for {HUNG_S:.0f} s") from hung
            raise

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
