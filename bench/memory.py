"""Memory of each process while an LLM writes a station, a cast is spoken, and one listener hears.

    python -m bench.memory [--seconds 60]

RSS counts pages shared with others (model files are mapped) in each process; PSS shares them out, so its sum
is what the radio takes. The LLM is the bundled one; a 3B model of 4 bits takes about 2 GB more.
"""

import argparse
import asyncio

import psutil

from bench import radios
from bench.startup import first_sound
from radio.cli.terminal import table
from tests.flow import players
from tests.flow.running import Radio, role_of
from tests.flow.stations import tale
from tests.flow.test_casts import submit


async def busy(radio: Radio, seconds: float) -> None:
    """A listener and a cast beside the station."""
    await first_sound(radio)
    await submit(radio, " ".join(tale(8)))
    await players.hear(f"{radio.url}stations/harbor/live.mp3", seconds=seconds)


def rows(radio: Radio) -> list[tuple[str, int, int]]:
    """(process, RSS, PSS) in bytes."""
    processes = [psutil.Process(radio.process.pid), *radio.family()]
    found = []
    for process in processes:
        used = process.memory_full_info()
        found.append(
            (
                role_of(process) or ("up" if process.pid == radio.process.pid else "espeak-ng"),
                used.rss,
                used.pss,
            )
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    seconds = parser.parse_args().seconds
    with radios.folder() as place, radios.ended(radios.writing(place)) as radio:
        radio.start()
        asyncio.run(busy(radio, seconds))
        found = rows(radio)
        radio.stop()
    found.append(("sum", sum(rss for _, rss, _ in found), sum(pss for _, _, pss in found)))
    shown = [(name, f"{rss / 1e6:.0f} MB", f"{pss / 1e6:.0f} MB") for name, rss, pss in found]
    print(table(shown, ("PROCESS", "RSS", "PSS")))


if __name__ == "__main__":
    main()
