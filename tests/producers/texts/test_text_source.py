"""Files read aloud: always the same words, and where a run goes on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from radio import producer_kinds
from radio.clock import ManualClock
from radio.errors import BadInput
from radio.producers.source import Brief
from radio.producers.texts import text_source
from radio.settings import Settings
from radio.streams.records import Heard
from tests.producers.samples import NOW, assignment


class Told:
    """A memory that holds this."""

    def __init__(self, *marks: str) -> None:
        self.heard: Sequence[Heard] = [Heard(run="before@20270114T0900", mark=mark) for mark in marks]

    async def add(self, mark: str) -> None:
        raise AssertionError(f"a text adds nothing itself: {mark}")


def brief(folder: Path, next_seg: int = 0, at: int = NOW, **options: Any) -> Brief:
    files = tuple(str(folder / name) for name in options.pop("files", ["a.txt"]))
    return Brief(
        assignment=assignment(folder, at=at),
        options=producer_kinds.TextFiles(
            files=files if "text" not in options else (), **{k: options[k] for k in options.keys() - _BRIEF}
        ),
        settings=Settings(),
        clock=ManualClock(),
        next_seg=next_seg,
        written="",
        heard_at=lambda: at,
        **{k: options[k] for k in options.keys() & _BRIEF},
    )


_BRIEF = {"marks", "memory"}


async def pieces(source: text_source.TextSource, count: int = 99) -> list[tuple[int, str]]:
    found = []
    stream = source.pieces()
    async for piece in stream:
        found.append((piece.seg, piece.text.removesuffix("\n\n")))
        if len(found) == count:
            break
    await stream.aclose()
    return found


def mark(folder: Path, name: str, n: int) -> str:
    return f"{folder.name}/{name}#{n}"


async def words(given: Brief, count: int = 99) -> list[str]:
    return [said for _, said in await pieces(text_source.open_source(given), count)]


async def test_it_reads_all_files_in_order_and_then_ends(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.")
    (tmp_path / "b.md").write_text("# Three\n\nFour.\n\n## Five\n")
    read = await pieces(text_source.open_source(brief(tmp_path, files=["a.txt", "b.md"])))
    assert read == [(0, "One."), (0, "Two."), (1, "Three."), (1, "Four."), (2, "Five.")]


async def test_a_paragraph_goes_out_with_a_blank_line_and_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.")
    found = [piece async for piece in text_source.open_source(brief(tmp_path)).pieces()]
    assert [piece.text for piece in found] == ["One.\n\n", "Two.\n\n"]
    assert [piece.mark for piece in found] == [mark(tmp_path, "a.txt", 0), mark(tmp_path, "a.txt", 1)]


async def test_after_a_crash_it_goes_on_after_what_stands(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.\n\nThree.")
    given = brief(tmp_path, next_seg=1, marks=[mark(tmp_path, "a.txt", 0)], memory=Told("a#9"))
    assert await pieces(text_source.open_source(given)) == [(1, "Two."), (1, "Three.")]


async def test_a_later_run_goes_on_after_what_was_heard(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.\n\nThree.")
    heard = Told(mark(tmp_path, "a.txt", 0), mark(tmp_path, "a.txt", 1))
    assert await words(brief(tmp_path, memory=heard)) == ["Three."]
    assert await words(brief(tmp_path, memory=heard, resume=False)) == ["One.", "Two.", "Three."]
    assert await words(brief(tmp_path, memory=heard, rotate=True)) == ["One.", "Two.", "Three."]


async def test_when_all_was_heard_a_later_run_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.")
    assert await words(brief(tmp_path, memory=Told(mark(tmp_path, "a.txt", 1)))) == ["One.", "Two."]


async def test_once_heard_never_read_again_but_what_came_after_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.")
    heard = Told(mark(tmp_path, "a.txt", 1))
    assert await words(brief(tmp_path, memory=heard, once=True)) == []
    (tmp_path / "b.txt").write_text("Three.")
    both = brief(tmp_path, files=["a.txt", "b.txt"], memory=heard, once=True)
    assert await words(both) == ["Three."]


async def test_files_that_came_went_or_shrank_meanwhile_confuse_nothing(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(f"{name} one.\n\n{name} two.")
    files = ["a.txt", "b.txt", "c.txt"]
    shrunk = Told(mark(tmp_path, "b.txt", 7))
    assert await words(brief(tmp_path, files=files, memory=shrunk), 1) == ["c one."]
    gone = Told(mark(tmp_path, "none.txt", 1))
    assert await words(brief(tmp_path, files=files, memory=gone), 1) == ["a one."]
    for broken in ("", "#", "a.txt", "a.txt#x"):
        assert await words(brief(tmp_path, files=files, memory=Told(broken)), 1) == ["a one."]


async def test_marks_of_other_kinds_and_files_are_passed_over(tmp_path: Path) -> None:
    """Fallback runs of a station share one memory, whatever kind writes them."""
    (tmp_path / "a.txt").write_text("One.\n\nTwo.\n\nThree.")
    heard = Told(mark(tmp_path, "a.txt", 0), "brief@20270110T0900#33", "text#0")
    assert await words(brief(tmp_path, memory=heard)) == ["Two.", "Three."]


async def test_a_loop_begins_again_with_a_new_segment(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.")
    given = brief(tmp_path, loop=True, next_seg=4, marks=[mark(tmp_path, "a.txt", 0)])
    assert await pieces(text_source.open_source(given), 4) == [
        (4, "Two."),
        (5, "One."),
        (5, "Two."),
        (6, "One."),
    ]


async def test_a_run_may_be_a_chapter_and_the_next_run_is_the_next(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nOne.\n\n# B\n\nTwo.\n\n# C\n\nThree.\n")
    given = brief(tmp_path, files=["a.md"], chapters=1)
    assert await words(given) == ["A.", "One."]
    heard = Told(mark(tmp_path, "a.md", 1))
    assert await words(brief(tmp_path, files=["a.md"], chapters=1, memory=heard)) == ["B.", "Two."]
    crashed = brief(tmp_path, files=["a.md"], chapters=2, marks=[mark(tmp_path, "a.md", n) for n in range(3)])
    assert await words(crashed) == ["Two."]


async def test_each_day_begins_with_the_next_file(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(f"{name}.")
    files = ["a.txt", "b.txt", "c.txt"]
    days = [NOW + day * 86_400_000 for day in range(4)]
    first = [(await words(brief(tmp_path, at=day, files=files, rotate=True), 1))[0] for day in days]
    assert sorted(first[:3]) == ["a.", "b.", "c."]
    assert first[3] == first[0]


async def test_words_may_stand_in_the_station_file_itself(tmp_path: Path) -> None:
    assert await words(brief(tmp_path, text="We are off.\n\nCome back soon.")) == [
        "We are off.",
        "Come back soon.",
    ]


def test_files_without_words_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(" \n\n---\n")
    with pytest.raises(BadInput, match="nothing to read"):
        text_source.open_source(brief(tmp_path))
    with pytest.raises(BadInput, match="nothing to read"):
        text_source.open_source(brief(tmp_path, files=["none.txt"]))


async def test_a_file_that_cannot_be_read_is_left_out_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a.epub").write_bytes(b"no book")
    (tmp_path / "b.txt").write_text("One.")
    assert await words(brief(tmp_path, files=["a.epub", "b.txt"])) == ["One."]
    assert "text left out" in caplog.text
