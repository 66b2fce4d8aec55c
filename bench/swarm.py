"""Many listeners in one process: they hear a live MP3, keep nothing of it, and know whether a byte came late.

    python -m bench.swarm HOST PORT PATH COUNT [--a-second 500] [--titles]

Prints a line of JSON once all are connected, and one with what they heard once its stdin is closed. A byte is
late if a player that began with the first one, and waits for nothing, has played up to it when it comes.
"""

import argparse
import json
import selectors
import socket
import sys
import time
from dataclasses import dataclass, field
from typing import Final

BYTES_PER_S: Final = 8000
FIRST_S: Final = 2.0
"""Until a listener has its cushion; before, it counts what is late, but not how little is in hand."""
_BUFFER: Final = bytearray(1 << 18)


@dataclass(slots=True)
class Ear:
    """One listener. Times are monotonic seconds, `margin` the least sound that it had in hand, in seconds."""

    sock: socket.socket
    head: bytes = b""
    began: float | None = None
    heard: int = 0
    margin: float = field(default=float("inf"))
    is_late: bool = False
    is_over: bool = False

    def take(self, now: float) -> None:
        """What has come."""
        try:
            size = self.sock.recv_into(_BUFFER)
        except ConnectionError:
            size = 0
        if size == 0:
            self.is_over = True
        elif self.began is None:
            self._begin(bytes(_BUFFER[:size]), now)
        else:
            self.look(now)
            self.heard += size

    def look(self, now: float) -> None:
        """How much sound is in hand."""
        if self.began is not None:
            in_hand = self.heard / BYTES_PER_S - (now - self.began)
            self.is_late = self.is_late or in_hand < 0
            if now - self.began > FIRST_S:
                self.margin = min(self.margin, in_hand)

    def _begin(self, data: bytes, now: float) -> None:
        head, border, sound = (self.head + data).partition(b"\r\n\r\n")
        if not border or not sound:
            self.head += data
            return
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise SystemExit(f"refused: {head.decode(errors='replace')}")
        self.head, self.began, self.heard = b"", now, len(sound)


class Swarm:
    """All of them, on one selector."""

    def __init__(self, host: str, port: int, path: str, *, titles: bool) -> None:
        self._where = (host, port)
        more = "Icy-MetaData: 1\r\n" if titles else ""
        self._request = f"GET {path} HTTP/1.0\r\nHost: {host}\r\nUser-Agent: swarm\r\n{more}\r\n".encode()
        self._selector = selectors.DefaultSelector()
        self.ears: list[Ear] = []

    def join(self) -> None:
        """One more listener."""
        sock = socket.create_connection(self._where, timeout=60)
        sock.sendall(self._request)
        sock.setblocking(False)
        ear = Ear(sock)
        self.ears.append(ear)
        self._selector.register(sock, selectors.EVENT_READ, ear)

    def hear(self, seconds: float) -> None:
        """Listen for so long."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            ready = self._selector.select(min(end - now, 0.05))
            now = time.monotonic()
            for key, _ in ready:
                key.data.take(now)
                if key.data.is_over:
                    self._selector.unregister(key.fileobj)

    def told(self) -> dict[str, float]:
        now = time.monotonic()
        for ear in self.ears:
            ear.look(now)
        begun = [ear for ear in self.ears if ear.began is not None]
        return {
            "listeners": len(self.ears),
            "held": sum(not ear.is_over for ear in begun),
            "late": sum(ear.is_late for ear in begun),
            "least_margin_s": round(min((ear.margin for ear in begun), default=0.0), 3),
            "bytes": sum(ear.heard for ear in begun),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("path")
    parser.add_argument("count", type=int)
    parser.add_argument("--a-second", type=float, default=500)
    parser.add_argument("--titles", action="store_true")
    asked = parser.parse_args()
    swarm = Swarm(asked.host, asked.port, asked.path, titles=asked.titles)
    began = time.monotonic()
    for number in range(asked.count):
        swarm.join()
        swarm.hear(max(began + (number + 1) / asked.a_second - time.monotonic(), 0.0002))
    while any(ear.began is None and not ear.is_over for ear in swarm.ears):
        swarm.hear(0.1)
    print(json.dumps({"connected": len(swarm.ears)}), flush=True)
    with selectors.DefaultSelector() as stdin:
        stdin.register(sys.stdin, selectors.EVENT_READ)
        while not stdin.select(0):
            swarm.hear(0.2)
    print(json.dumps(swarm.told()), flush=True)


if __name__ == "__main__":
    main()
