from hypothesis import given
from hypothesis import strategies as st

from radio.control import MuteSpan
from radio.mp3.frames import FRAME_BYTES, FRAME_MS, SILENCE_FRAME
from radio.relay.hls import segment_grid
from radio.relay.hls.segment_grid import SEGMENT_FRAMES, SEGMENT_MS, GridSound

N = 300_000_000
BEGIN = N * SEGMENT_MS
TAG = len(segment_grid.timestamp(N))


def body(number: int, frames: int) -> bytes:
    return b"".join(bytes([number % 250 + 1, k % 256]).ljust(FRAME_BYTES, b"x") for k in range(frames))


def frames_of(segment: bytes) -> list[bytes]:
    return [segment[i : i + FRAME_BYTES] for i in range(TAG, len(segment), FRAME_BYTES)]


def sound(number: int, at: int, frames: int, *, taken: int = 0) -> GridSound:
    return GridSound(at, taken, body(number, frames))


def test_a_segment_holds_a_sound_at_its_air_time_and_silence_around_it() -> None:
    heard = frames_of(segment_grid.segment(N, [sound(1, BEGIN + 10 * FRAME_MS, 5)]))
    assert len(heard) == SEGMENT_FRAMES == 250
    assert heard[:10] == [SILENCE_FRAME] * 10
    assert b"".join(heard[10:15]) == body(1, 5)
    assert heard[15:] == [SILENCE_FRAME] * 235


def test_the_tag_before_a_segment_is_its_air_time_on_the_clock_of_mpeg() -> None:
    tag = segment_grid.timestamp(N)
    size = len(tag) - 10
    assert tag[:10] == b"ID3\x04\x00\x00" + bytes([0, 0, 0, size])
    assert tag[10:20] == b"PRIV" + bytes([0, 0, 0, size - 10]) + b"\0\0"
    owner, _, ticks = tag[20:].partition(b"\0")
    assert owner == b"com.apple.streaming.transportStreamTimestamp"
    assert int.from_bytes(ticks, "big") == N * 6000 * 90 % 2**33
    assert (len(ticks), ticks[:3]) == (8, b"\0\0\0")


def test_what_the_store_took_too_late_is_in_no_segment_that_was_over() -> None:
    taken = BEGIN + SEGMENT_MS - segment_grid.LATE_MS + 1
    late = sound(1, BEGIN + SEGMENT_MS - 240, 20, taken=taken)
    assert frames_of(segment_grid.segment(N, [late])) == [SILENCE_FRAME] * 250
    assert b"".join(frames_of(segment_grid.segment(N + 1, [late]))[:10]) == body(1, 20)[10 * FRAME_BYTES :]
    intime = sound(1, BEGIN + SEGMENT_MS - 240, 20, taken=taken - 1)
    assert b"".join(frames_of(segment_grid.segment(N, [intime]))[240:]) == body(1, 20)[: 10 * FRAME_BYTES]


def test_after_a_step_back_the_time_at_which_the_store_stands_still_makes_nothing_late() -> None:
    stuck = BEGIN + 3_600_000
    said = sound(1, BEGIN, 250, taken=stuck)
    assert b"".join(frames_of(segment_grid.segment(N, [said], since_ms=stuck))) == body(1, 250)
    assert frames_of(segment_grid.segment(N, [said])) == [SILENCE_FRAME] * 250


def test_a_mute_holds_for_segments_that_cannot_be_out_yet_and_so_does_its_end() -> None:
    since, until = BEGIN, BEGIN + 60_000
    muted = [n - N for n in range(N - 5, N + 20) if segment_grid.is_muted(n, [MuteSpan(since, until)])]
    assert muted == list(range(3, 13))
    for n in (N + muted[0], N + muted[-1] + 1):
        asked = since if n == N + muted[0] else until
        assert segment_grid.newest(asked + 2000, BEGIN + 10**9) < n
    assert all(segment_grid.is_muted(n, [MuteSpan(since)]) for n in range(N + 3, N + 1000))
    assert not segment_grid.is_muted(N, [])


def test_a_mute_of_before_an_epoch_holds_from_its_beginning() -> None:
    assert segment_grid.is_muted(N, [MuteSpan(BEGIN + 3_600_000)], since_ms=BEGIN + 3_600_000)
    assert not segment_grid.is_muted(N, [MuteSpan(BEGIN + 1, BEGIN + 2)], since_ms=BEGIN + 3_600_000)


def test_the_newest_segment_is_covered_and_not_far_ahead_or_else_over() -> None:
    assert segment_grid.newest(BEGIN, None) == N - 2
    assert segment_grid.newest(BEGIN + segment_grid.SETTLED_MS, None) == N - 1
    assert segment_grid.newest(BEGIN, BEGIN + SEGMENT_MS - FRAME_MS) == N - 1
    assert segment_grid.newest(BEGIN, BEGIN + SEGMENT_MS) == N
    assert segment_grid.newest(BEGIN, BEGIN + 10**9) == N + 2


def test_a_window_goes_back_to_the_first_sound_but_has_six_segments() -> None:
    hour = 3_600_000
    assert segment_grid.oldest(N, hour, BEGIN - 10**9, is_whole=True) == N - 599
    assert segment_grid.oldest(N, hour, BEGIN - 60_001, is_whole=True) == N - 11
    assert segment_grid.oldest(N, hour, BEGIN, is_whole=True) == N - 5
    assert segment_grid.oldest(N, hour, BEGIN - 60_001, is_whole=False) == N - 10
    assert segment_grid.oldest(N, hour, None, is_whole=True) == N - 5
    assert segment_grid.oldest(N, 0, BEGIN - 10**9, is_whole=True) == N - 5


def test_a_playlist_numbers_its_segments_and_says_when_the_first_is_heard() -> None:
    lines = segment_grid.playlist(N, N + 1, is_over=False).splitlines()
    assert lines == [
        "#EXTM3U",
        "#EXT-X-VERSION:3",
        "#EXT-X-TARGETDURATION:6",
        f"#EXT-X-MEDIA-SEQUENCE:{N}",
        "#EXT-X-INDEPENDENT-SEGMENTS",
        "#EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:00.000Z",
        "#EXTINF:6,",
        f"{N}.mp3",
        "#EXTINF:6,",
        f"{N + 1}.mp3",
    ]
    assert segment_grid.playlist(N, N, is_over=True).endswith(f"{N}.mp3\n#EXT-X-ENDLIST\n")


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(1, 500)), max_size=12))
def test_segments_end_to_end_are_the_broadcast_with_its_gaps(parts: list[tuple[int, int]]) -> None:
    sounds, whole, at = [], b"", BEGIN
    for number, (gap, frames) in enumerate(parts):
        at += gap * FRAME_MS
        sounds.append(sound(number, at, frames))
        whole += SILENCE_FRAME * gap + body(number, frames)
        at += frames * FRAME_MS
    count = len(whole) // FRAME_BYTES // SEGMENT_FRAMES + 1
    made = b""
    for n in range(N, N + count):
        begin, end = segment_grid.begin_ms(n), segment_grid.end_ms(n)
        heard = [s for s in sounds if s.at < end and s.at + len(s.body) // 8 > begin]
        made += segment_grid.segment(n, heard)[TAG:]
    assert made == whole + SILENCE_FRAME * ((len(made) - len(whole)) // FRAME_BYTES)


@given(st.integers(0, 300), st.integers(1, 300), st.integers(0, 300), st.integers(1, 300))
def test_what_overlaps_is_joined_where_the_earlier_ends(a: int, long: int, b: int, short: int) -> None:
    first = sound(1, BEGIN + a * FRAME_MS, long)
    second = sound(2, BEGIN + (a + b) * FRAME_MS, short)
    heard = frames_of(segment_grid.segment(N, [first, second]))
    assert len(heard) == SEGMENT_FRAMES
    want = [SILENCE_FRAME] * a + frames_of(bytes(TAG) + first.body)
    cut = max(len(want) - a - b, 0)
    want += [SILENCE_FRAME] * max(a + b - len(want), 0) + frames_of(bytes(TAG) + second.body)[cut:]
    assert heard == (want + [SILENCE_FRAME] * SEGMENT_FRAMES)[:SEGMENT_FRAMES]
