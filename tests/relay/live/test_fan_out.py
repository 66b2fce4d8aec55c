from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from radio.mp3.frames import FRAME_BYTES, FRAME_MS, SILENCE_FRAME
from radio.relay.live.fan_out import CUSHION_FRAMES, PORTION_FRAMES, WRITE_DEADLINE_S, FanOut, Listener, Title
from radio.relay.live.frame_pump import FramePump
from radio.relay.live.icy_metadata import Injector
from tests.relay.live.test_frame_pump import MONO, NOW, body
from tests.relay.live.test_icy_metadata import split


@dataclass
class Wire:
    """A connection that takes all at once, or nothing while it is `stuck`."""

    stuck: bool = False
    is_gone: bool = False
    writes: list[bytes] = field(default_factory=list)
    waiting: int = 0

    @property
    def got(self) -> bytes:
        return b"".join(self.writes)

    def write(self, data: bytes) -> None:
        self.writes.append(data)
        self.waiting = self.waiting + len(data) if self.stuck else 0

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def is_closing(self) -> bool:
        return self.is_gone

    def abort(self) -> None:
        self.is_gone = True


def on_air(seconds: float) -> FramePump[Title]:
    """A line with so much sound from now on."""
    pump: FramePump[Title] = FramePump(NOW, MONO)
    for number in range(round(seconds / 2.4)):
        pump.place(NOW + number * 2400, body(number, 100), Title(number, f"title {number // 8}"))
    return pump


def join(
    fanout: FanOut, pump: FramePump[Title], now: float, *, titles: bool = False
) -> tuple[Listener, Wire]:
    wire = Wire()
    listener = Listener(wire, pump.line(now), now, injector=Injector() if titles else None)
    fanout.add(listener, pump, now)
    return listener, wire


def line(pump: FramePump[Title], start: int, size: int) -> bytes:
    return b"".join(sound for sound, _ in pump.read(start, start + size // FRAME_BYTES))


@given(st.lists(st.tuples(st.floats(0.0, 2.0), st.booleans()), min_size=1, max_size=25))
def test_whoever_joins_whenever_hears_the_line_and_has_nearly_all_of_the_cushion_in_hand(
    moments: list[tuple[float, bool]],
) -> None:
    pump, fanout, now = on_air(80), FanOut("harbor", lambda: "Harbor FM"), MONO
    joined: list[tuple[Listener, Wire]] = []
    for later, titles in moments:
        joined.append(join(fanout, pump, now, titles=titles))
        now += later
        pump.tick(now)
        fanout.step(pump, now)
        on = pump.line(now)
        for listener, _ in joined:
            least = min(pump.committed, on + CUSHION_FRAMES) - PORTION_FRAMES
            assert least < listener.cursor <= min(pump.committed, on + CUSHION_FRAMES)
    for listener, wire in joined:
        sound, _ = split(wire.got) if listener.injector is not None else (wire.got, [])
        assert sound == line(pump, listener.began, len(sound))
        assert len(sound) == (listener.cursor - listener.began) * FRAME_BYTES


def test_in_step_a_listener_is_written_to_once_a_second_and_all_get_the_same_bytes() -> None:
    pump, fanout = on_air(60), FanOut("harbor", lambda: "Harbor FM")
    (_, one), (_, other) = join(fanout, pump, MONO), join(fanout, pump, MONO)
    ticks = [MONO + k * 10 * FRAME_MS / 1000 for k in range(1, 41)]
    for now in ticks:
        pump.tick(now)
        fanout.step(pump, now)
    assert len(one.writes) == 1 + len(ticks) * 10 // PORTION_FRAMES
    assert all(mine is theirs for mine, theirs in zip(one.writes, other.writes, strict=True))


def test_who_takes_nothing_is_dropped_after_its_time_and_others_are_not() -> None:
    pump, fanout = on_air(60), FanOut("harbor", lambda: "Harbor FM")
    (_, quick), (slow, stuck) = join(fanout, pump, MONO), join(fanout, pump, MONO)
    stuck.stuck, now = True, MONO
    while not slow.finished.is_set() and now < MONO + 60:
        now += 0.24
        pump.tick(now)
        fanout.step(pump, now)
    assert (stuck.is_gone, quick.is_gone, fanout.dropped) == (True, False, 1)
    assert WRITE_DEADLINE_S < now - MONO < WRITE_DEADLINE_S + 3


def test_a_muted_station_is_silence_for_all_in_step() -> None:
    pump, fanout = on_air(60), FanOut("harbor", lambda: "Harbor FM")
    fanout.is_muted = True
    listener, wire = join(fanout, pump, MONO)
    assert wire.got == SILENCE_FRAME * (listener.cursor - listener.began)
