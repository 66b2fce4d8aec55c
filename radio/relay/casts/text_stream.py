"""A text that is still being written while it is spoken: whole sentences out, as many as are there."""

import asyncio
from collections.abc import AsyncIterator

from radio.relay.http.problems import TooLarge
from radio.sentences import Splitter


class TextStream:
    """Fed by one task, spoken by another. `most`: characters that are taken."""

    def __init__(self, most: int) -> None:
        self._splitter, self._most = Splitter(), most
        self._left = most
        self._sentences: list[str] = []
        self._changed = asyncio.Event()
        self.is_finished = False

    def add(self, text: str) -> None:
        """More of it. Raises `TooLarge`."""
        self._left -= len(text)
        if self._left < 0:
            raise TooLarge(f"a text has at most {self._most} characters", hint="send it in parts")
        self._take([sentence.text for sentence in self._splitter.feed(text)])

    def finish(self) -> None:
        """Nothing more comes."""
        self.is_finished = True
        self._take([sentence.text for sentence in self._splitter.finish()])

    def _take(self, sentences: list[str]) -> None:
        self._sentences += sentences
        self._changed.set()

    async def parts(self) -> AsyncIterator[str]:
        """All sentences that are there, and then again, to the end."""
        while True:
            self._changed.clear()
            if self._sentences:
                text, self._sentences = " ".join(self._sentences), []
                yield text
            elif self.is_finished:
                return
            else:
                await self._changed.wait()
