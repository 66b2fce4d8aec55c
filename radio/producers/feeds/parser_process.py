"""Parsing a feed in a process of its own: a hostile one costs so much time and memory, and nobody else's.

That process ends by itself when its time is up, though its parent is gone.
"""

import asyncio
import json
import os
import resource
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import asdict
from pathlib import Path

import radio
from radio.errors import BadInput
from radio.producers.feeds import feed_parser
from radio.producers.feeds.feed_parser import Item

CPU_S = 20
MEMORY_BYTES = 1 << 30
WALL_S = 60.0
"""The machine may be busy with other things."""
_ROOT = Path(radio.__file__).resolve().parents[1]


async def items(body: bytes, content_type: str = "") -> list[Item]:
    """As `feed_parser.items`.

    Raises:
        BadInput: it is no feed, takes too long or too much memory, or no process can be started for it.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, content_type, str(CPU_S),
            stdin=PIPE, stdout=PIPE, stderr=asyncio.subprocess.DEVNULL,
            env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(_ROOT)},
        )  # fmt: skip
    except OSError as refused:
        raise BadInput(f"no process can be started to read the feed: {refused.strerror}") from refused
    try:
        async with asyncio.timeout(WALL_S):
            answer, _ = await process.communicate(body)
    except TimeoutError:
        raise BadInput(f"the feed takes longer than {WALL_S:.0f} s to read") from None
    finally:
        await _end(process)
    return _read(answer)


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()


def _read(answer: bytes) -> list[Item]:
    try:
        values = json.loads(answer)
    except ValueError:
        raise BadInput("the feed takes too much time or memory to read") from None
    if isinstance(values, dict):
        raise BadInput(values["error"], hint=values["hint"])
    return [Item(**value) for value in values]


def main(content_type: str, cpu_s: str) -> None:
    """The body comes by stdin; items, or what is wrong, go to stdout as JSON."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s), int(cpu_s)))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    told: object
    try:
        told = [asdict(item) for item in feed_parser.items(sys.stdin.buffer.read(), content_type)]
    except BadInput as e:
        told = {"error": str(e), "hint": e.hint}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
