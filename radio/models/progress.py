"""How a pull shows its progress: a bar on a terminal, plain lines elsewhere."""

import time
from typing import Final, Never, Protocol, TextIO

from tqdm import tqdm

_LINE_EVERY_S: Final = 5.0


class Progress(Protocol):
    """Receives a pull's progress. One download at a time: `begin`, `at` any number of times, `end`."""

    def begin(self, what: str, total: int) -> None:
        """`total` in bytes, about."""
        ...

    def at(self, done: int) -> None:
        """`done` of `total` bytes so far."""
        ...

    def end(self) -> None: ...

    def note(self, text: str) -> None:
        """One line of its own."""
        ...


class NoProgress:
    """Shows nothing."""

    def begin(self, what: str, total: int) -> None: ...

    def at(self, done: int) -> None: ...

    def end(self) -> None: ...

    def note(self, text: str) -> None: ...


class LineProgress:
    """Plain lines, one every few seconds: for logs."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._what, self._total, self._told = "", 0, 0.0

    def begin(self, what: str, total: int) -> None:
        self._what, self._total, self._told = what, total, time.monotonic()
        self.note(f"{what}: {_size(total)}")

    def at(self, done: int) -> None:
        if time.monotonic() - self._told >= _LINE_EVERY_S:
            self._told = time.monotonic()
            self.note(f"{self._what}: {_size(min(done, self._total))} of {_size(self._total)}")

    def end(self) -> None:
        self.note(f"{self._what}: done")

    def note(self, text: str) -> None:
        self._out.write(text + "\n")
        self._out.flush()


class BarProgress:
    """A bar, for a terminal."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._bar: tqdm[Never] | None = None
        self._total, self._done = 0, 0

    def begin(self, what: str, total: int) -> None:
        self._bar = tqdm(total=total, desc=what, unit="B", unit_scale=True, file=self._out)
        self._total, self._done = total, 0

    def at(self, done: int) -> None:
        if self._bar is not None and self._done < done <= self._total:
            self._bar.update(done - self._done)
            self._done = done

    def end(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def note(self, text: str) -> None:
        tqdm.write(text, file=self._out)


def progress_on(out: TextIO) -> Progress:
    """A bar if `out` is a terminal, else lines."""
    return BarProgress(out) if out.isatty() else LineProgress(out)


def _size(number: int) -> str:
    return f"{number / 1e6:.1f} MB"
