"""CPU time of each process while every station is off and nobody listens.

python -m bench.idle [--seconds 60]
"""

import argparse
import time

import psutil

from bench import radios
from radio.cli.terminal import table
from tests.flow.running import Radio, role_of

SETTLE_S = 20.0
"""Until models are loaded and warm."""


def used(radio: Radio) -> dict[int, tuple[str, float]]:
    """Seconds of CPU by process."""
    found = {}
    for process in (psutil.Process(radio.process.pid), *radio.family()):
        name = role_of(process) or ("up" if process.pid == radio.process.pid else "espeak-ng")
        times = process.cpu_times()
        found[process.pid] = (name, times.user + times.system)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    seconds = parser.parse_args().seconds
    with radios.folder() as place, radios.ended(radios.off(place)) as radio:
        radio.start()
        time.sleep(SETTLE_S)
        before = used(radio)
        time.sleep(seconds)
        after = used(radio)
        radio.stop()
    shares = [(after[pid][0], (after[pid][1] - cpu) / seconds) for pid, (_, cpu) in before.items()]
    shares.append(("sum", sum(share for _, share in shares)))
    print(table([(name, f"{share:.2%}") for name, share in shares], ("PROCESS", "SHARE OF ONE CORE")))


if __name__ == "__main__":
    main()
