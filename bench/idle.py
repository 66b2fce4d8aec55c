"""CPU time of each process while nobody listens.

python -m bench.idle [--seconds 60]
    Every station is off.
python -m bench.idle --stations 30 --every 2 [--seconds 60]
    Stations on air, spoken by the tone, each with a show every so many minutes; 0: one show that lasts all
    day. The scheduler must stay below 0.3 % of a core for one station and 2 % for thirty.
"""

import argparse
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import psutil

from bench import radios
from radio.cli.terminal import table
from tests.flow.running import Radio, role_of

SETTLE_S = 20.0
"""Until models are loaded and warm."""
SETTLE_EACH_S = 2.0
"""For each station on air more: its producer starts."""
ONE_SHARE, THIRTY_SHARE = 0.003, 0.02
"""What the scheduler may take of a core."""


def used(radio: Radio) -> Mapping[tuple[str, int], float]:
    """Seconds of CPU by role and process."""
    found = {}
    for process in (psutil.Process(radio.process.pid), *radio.family()):
        name = role_of(process) or ("up" if process.pid == radio.process.pid else "espeak-ng")
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue  # a producer whose run has just ended
        found[name, process.pid] = times.user + times.system
    return found


def measured(radio: Radio, settle_s: float, seconds: float) -> Mapping[str, float]:
    """Shares of one core by role, of the processes that lived all the time."""
    radio.start()
    time.sleep(settle_s)
    before, begun = used(radio), time.monotonic()
    time.sleep(seconds)
    after, took_s = used(radio), time.monotonic() - begun
    radio.stop()
    shares: Counter[str] = Counter()
    for (name, pid), cpu_s in before.items():
        if (name, pid) in after:
            shares[name] += (after[name, pid] - cpu_s) / took_s  # type: ignore[assignment]
    return shares


def limit(stations: int) -> float:
    """Of the scheduler's share: between one station and thirty in proportion."""
    return ONE_SHARE + (THIRTY_SHARE - ONE_SHARE) * (stations - 1) / 29


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--stations", type=int, default=0, help="so many are on air")
    parser.add_argument("--every", type=int, default=2, help="minutes between the starts of their shows")
    options = parser.parse_args()
    stations = options.stations
    with radios.folder() as place, radios.ended(_radio(place, stations, options.every)) as radio:
        shares = measured(radio, SETTLE_S + SETTLE_EACH_S * stations, options.seconds)
    rows = [*shares.items(), ("sum", sum(shares.values()))]
    print(table([(name, f"{share:.2%}") for name, share in rows], ("PROCESS", "SHARE OF ONE CORE")))
    if stations:
        is_kept = shares["scheduler"] <= limit(stations)
        print(f"scheduler: {'within' if is_kept else 'ABOVE'} its limit of {limit(stations):.2%}")
        raise SystemExit(0 if is_kept else 1)


def _radio(place: Path, stations: int, every: int) -> Radio:
    return radios.on_air(place, stations, every) if stations else radios.off(place)


if __name__ == "__main__":
    main()
