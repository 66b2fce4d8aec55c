"""HLS on the air-time grid: segment n is the 250 frames of air time [6n, 6n + 6) s, and n its media sequence.

Pure, and a matter of records alone, so that every relay makes the same bytes at any time: what counts is when
the store took a record or a request, never when a relay read it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from radio.control import MuteSpan
from radio.mp3.frames import BYTES_PER_MS, FRAME_BYTES, FRAME_MS, SILENCE_FRAME

SEGMENT_MS: Final = 6000
SEGMENT_FRAMES: Final = SEGMENT_MS // FRAME_MS
AHEAD_MS: Final = 18_000
"""Segments are there so long before they are over: who begins three before the end hears the air."""
LATE_MS: Final = 1000
"""A record that the store took later than so long before a segment's end is not in it."""
SETTLED_MS: Final = 1000
"""A segment that no record covers to its end is there so long after it. Clocks may differ by both."""
MUTE_MS: Final = AHEAD_MS + 2000
"""A mute, and its end, holds for segments that end later than so long after it: none of them is out yet."""
LEAST_SEGMENTS: Final = 6
"""A playlist has no fewer: players begin three before the end, which moves on by three when sound comes."""
LISTS_KEPT: Final = 64
"""Playlists made: of each station one is asked for by all, for 6 s."""

_OWNER: Final = b"com.apple.streaming.transportStreamTimestamp\0"
_CLOCK_PER_MS: Final = 90


@dataclass(frozen=True, slots=True)
class GridSound:
    """Audio from air time `at` (epoch ms) on, which the store took at `taken` (epoch ms)."""

    at: int
    taken: int
    body: bytes


def begin_ms(n: int) -> int:
    """Air time at which segment n begins."""
    return n * SEGMENT_MS


def end_ms(n: int) -> int:
    """Air time at which segment n is over."""
    return (n + 1) * SEGMENT_MS


def segment(n: int, sounds: Iterable[GridSound], *, since_ms: int = 0) -> bytes:
    """Segment n: its timestamp and 250 frames, silence where nothing was on air.

    Args:
        sounds: in the order of their records; what overlaps what came before is heard from there on.
        since_ms: when the store took the `epoch` that these air times count in. After a step back a store
            gives all records this time until its clock has come so far, so it tells of none that it is late.
    """
    frames = bytearray()
    for sound in sounds:
        if sound.taken > end_ms(n) - LATE_MS and sound.taken > since_ms:
            continue
        first = (sound.at - begin_ms(n)) // FRAME_MS
        heard = sound.body[max(len(frames) // FRAME_BYTES - first, 0) * FRAME_BYTES :]
        frames += SILENCE_FRAME * (min(first, SEGMENT_FRAMES) - len(frames) // FRAME_BYTES)
        frames += heard[: SEGMENT_FRAMES * FRAME_BYTES - len(frames)]
    frames += SILENCE_FRAME * (SEGMENT_FRAMES - len(frames) // FRAME_BYTES)
    return timestamp(n) + bytes(frames)


def timestamp(n: int) -> bytes:
    """The ID3 tag before a segment of packed audio: where it stands on the clock of 90 kHz, in 33 bits."""
    ticks = begin_ms(n) * _CLOCK_PER_MS % (1 << 33)
    content = _OWNER + ticks.to_bytes(8, "big")
    frame = b"PRIV" + _synchsafe(len(content)) + b"\0\0" + content
    return b"ID3\x04\0\0" + _synchsafe(len(frame)) + frame


def _synchsafe(size: int) -> bytes:
    """28 bits in four bytes of seven."""
    return bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0))


BITS_PER_S: Final = (len(timestamp(0)) + SEGMENT_MS * BYTES_PER_MS) * 8000 // SEGMENT_MS + 1


def is_muted(n: int, mutes: Sequence[MuteSpan], *, since_ms: int = 0) -> bool:
    """Whether segment n is silent because the editor wants it so.

    Args:
        since_ms: as of `segment`: a mute of before an epoch holds from its beginning on. So does one of the
            time by which a clock was set back, for it cannot be told from earlier ones, and so does its end.
    """

    def holds(asked_ms: int) -> bool:
        return asked_ms <= since_ms or end_ms(n) > asked_ms + MUTE_MS

    return any(holds(mute.since) and (mute.until is None or not holds(mute.until)) for mute in mutes)


def newest(now_ms: int, made_until: int | None) -> int:
    """The newest segment that is there: covered by sound and not too far ahead, or long enough over."""
    over = (now_ms - SETTLED_MS) // SEGMENT_MS - 1
    if made_until is None:
        return over
    return max(over, min(made_until, now_ms + AHEAD_MS) // SEGMENT_MS - 1)


def oldest(newest_n: int, window_ms: int, first_ms: int | None, *, is_whole: bool) -> int:
    """The oldest segment of a window.

    Args:
        first_ms: air time of the first sound of the epoch that stands; None if none does.
        is_whole: nothing was before that; else what was is gone, and with it the segment that it begins in.
    """
    least = newest_n - LEAST_SEGMENTS + 1
    begin = newest_n + 1 - max(window_ms // SEGMENT_MS, LEAST_SEGMENTS)
    if first_ms is None:
        return least
    if is_whole:
        return max(begin, min(first_ms // SEGMENT_MS, least))
    return max(begin, min(-(-first_ms // SEGMENT_MS), newest_n))


def variants(epoch: int) -> str:
    """The playlist at the station's lasting address: it names the one of this epoch."""
    stream = f'#EXT-X-STREAM-INF:BANDWIDTH={BITS_PER_S},CODECS="mp4a.40.34"'
    return "\n".join(["#EXTM3U", "#EXT-X-INDEPENDENT-SEGMENTS", stream, f"hls/{epoch}/live.m3u8", ""])


@lru_cache(maxsize=LISTS_KEPT)
def playlist(first: int, last: int, *, is_over: bool) -> str:
    """Segments `first` to `last`; `is_over`: none comes after."""
    lines = [
        "#EXTM3U",
        "#EXT-X-VERSION:3",
        f"#EXT-X-TARGETDURATION:{SEGMENT_MS // 1000}",
        f"#EXT-X-MEDIA-SEQUENCE:{first}",
        "#EXT-X-INDEPENDENT-SEGMENTS",
        f"#EXT-X-PROGRAM-DATE-TIME:{_date_time(begin_ms(first))}",
    ]
    for n in range(first, last + 1):
        lines += [f"#EXTINF:{SEGMENT_MS // 1000},", f"{n}.mp3"]
    return "\n".join([*lines, *(["#EXT-X-ENDLIST"] if is_over else []), ""])


def _date_time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
