import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.relay.live.icy_metadata import CHANGE_BYTES, MAX_BLOCK, METAINT, Injector, block, escape


def split(stream: bytes, metaint: int = METAINT) -> tuple[bytes, list[bytes]]:
    """As a player reads it: audio, and the text of each block."""
    audio, titles = bytearray(), list[bytes]()
    while len(stream) >= metaint:
        audio += stream[:metaint]
        if len(stream) == metaint:
            return bytes(audio), titles
        size = stream[metaint] * 16
        titles.append(stream[metaint + 1 : metaint + 1 + size])
        stream = stream[metaint + 1 + size :]
    return bytes(audio + stream), titles


@given(st.text())
def test_a_block_has_its_length_is_padded_and_holds_one_quoted_title(title: str) -> None:
    made = block(title)
    assert len(made) == 1 + made[0] * 16 <= 1 + MAX_BLOCK
    text = made[1:].rstrip(b"\0").decode()
    assert text.startswith("StreamTitle='")
    assert text.endswith("';")
    inside = text[len("StreamTitle='") : -2]
    assert "'" not in inside
    assert inside.isprintable() or not any(ord(c) < 32 for c in inside)


@pytest.mark.parametrize(
    ("title", "safe"),
    [
        ("It's on", "It’s on"),
        ("a\r\nb\0c", "a bc"),
        ("x';StreamUrl='y", "x’;StreamUrl=’y"),
        ("  Łódź 🎙 ", "Łódź 🎙"),
    ],
)
def test_titles_are_escaped(title: str, safe: str) -> None:
    assert escape(title) == safe


def test_a_long_title_is_cut_at_a_character_border() -> None:
    made = block("🎙" * 2000)
    assert made[0] == 255 or len(made) <= 1 + MAX_BLOCK
    assert made[1:].rstrip(b"\0").decode().endswith("🎙';")


@given(st.lists(st.binary(max_size=40_000), max_size=12), st.integers(100, 9000))
def test_blocks_stand_at_the_exact_distance_however_the_audio_comes(
    chunks: list[bytes], metaint: int
) -> None:
    injector = Injector(metaint)
    stream = b"".join(injector.feed(chunk, "Night Book") for chunk in chunks)
    audio, titles = split(stream, metaint)
    assert audio == b"".join(chunks)
    assert len(titles) == len(audio) // metaint
    assert [t.rstrip(b"\0") for t in titles[:1]] == [b"StreamTitle='Night Book';"][: len(titles)]
    assert all(t == b"" for t in titles[1:])


def test_a_title_changes_at_most_once_in_ten_seconds() -> None:
    injector = Injector()
    stream = b"".join(injector.feed(bytes(METAINT), f"title {k}") for k in range(15))
    _, titles = split(stream)
    changed = [k for k, text in enumerate(titles) if text]
    assert changed[0] == 0
    assert all((b - a) * METAINT >= CHANGE_BYTES for a, b in itertools.pairwise(changed))
    assert len(changed) == 3
