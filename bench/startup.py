"""From `radio up` to the URL, and to the first sound, with models present and an empty data folder.

    python -m bench.startup [--rounds 3]

"Sound" is the air time of the first sentence: what a listener who is there already hears first.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from bench import radios
from radio.cli.terminal import table
from tests.flow import measure
from tests.flow.running import Radio
from tests.waiting import until


async def first_sound(radio: Radio) -> float:
    """Its air time, in seconds of the epoch."""
    async with radio.store() as store:

        async def is_there() -> bool:
            return bool(await measure.audio_of(store, "harbor"))

        await until(is_there, within_s=300)
        at = (await measure.audio_of(store, "harbor"))[0][1].at
    assert at is not None
    return at / 1000


def one(make: Callable[[Path], Radio]) -> tuple[float, float]:
    """Seconds to the URL and to the first sound."""
    with radios.folder() as place, radios.ended(make(place)) as radio:
        began = time.time()
        radio.start()
        url = time.time() - began
        sound = asyncio.run(first_sound(radio)) - began
        radio.stop()
    return url, sound


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    rows = []
    for what, make in (("reads a file", radios.reading), ("LLM writes", radios.writing)):
        urls, sounds = zip(*(one(make) for _ in range(rounds)), strict=True)
        rows.append((what, rounds, f"{statistics.median(urls):.1f} s", f"{statistics.median(sounds):.1f} s"))
    print(table(rows, ("STATION", "ROUNDS", "TO URL (median)", "TO FIRST SOUND (median)")))


if __name__ == "__main__":
    main()
