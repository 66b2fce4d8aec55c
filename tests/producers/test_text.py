from pathlib import Path
from typing import Any

import pytest

from radio import kinds
from radio.clock import ManualClock
from radio.errors import BadInput
from radio.producers import text
from radio.producers.source import Brief, Words
from radio.settings import Settings
from tests.producers.samples import NOW, assignment


def brief(folder: Path, next_seg: int = 0, at: int = NOW, **options: Any) -> Brief:
    files = tuple(str(folder / name) for name in options.pop("files", ["a.txt"]))
    return Brief(
        assignment=assignment(folder, at=at),
        options=kinds.TextFiles(files=files, **options),
        settings=Settings(),
        clock=ManualClock(),
        next_seg=next_seg,
        written="",
        heard_at=lambda: at,
    )


async def pieces(source: text.TextSource, count: int) -> list[tuple[int, str]]:
    found = []
    stream = source.pieces()
    async for piece in stream:
        assert isinstance(piece, Words)
        found.append((piece.seg, piece.text))
        if len(found) == count:
            break
    await stream.aclose()
    return found


def test_paragraphs_are_read_on_one_line_each() -> None:
    assert text.paragraphs("\ufeffOne\r\nline.\r\n\r\n\n * * *\n\nTwo.", markdown=False) == [
        "One line.",
        "Two.",
    ]


def test_a_paragraph_without_end_is_read_in_parts_and_nothing_is_lost() -> None:
    book = "\n".join(f"Line {n} of a very long book." for n in range(50_000))
    read = text.paragraphs(book, markdown=False)
    assert max(map(len, read)) <= 8_000
    assert all(part.endswith(".") for part in read)
    assert " ".join(read) == " ".join(book.split())
    wordless = text.paragraphs("a" * 20_000, markdown=False)
    assert "".join(wordless) == "a" * 20_000


def test_markdown_is_read_without_its_marks() -> None:
    source = "# The Sea\n\nIt is *very* **big**, says [Ada](https://a.example).\n\n---\n\n> Quoted `text`.\n"
    assert text.paragraphs(source, markdown=True) == [
        "The Sea.", "It is very big, says Ada.", "Quoted text.",
    ]  # fmt: skip


async def test_it_reads_all_files_in_order_and_then_ends(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.")
    (tmp_path / "b.md").write_text("# Three")
    read = await pieces(text.open_source(brief(tmp_path, files=["a.txt", "b.md"])), 9)
    assert read == [(0, "One.\n\n"), (1, "Two.\n\n"), (2, "Three.\n\n")]


async def test_it_goes_on_after_the_paragraphs_that_stand(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.\n\nThree.")
    assert await pieces(text.open_source(brief(tmp_path, next_seg=2)), 9) == [(2, "Three.\n\n")]


async def test_a_loop_begins_again(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.")
    read = await pieces(text.open_source(brief(tmp_path, loop=True, next_seg=1)), 3)
    assert read == [(1, "Two.\n\n"), (2, "One.\n\n"), (3, "Two.\n\n")]


async def test_each_day_begins_with_the_next_file(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(f"{name}.")
    files = ["a.txt", "b.txt", "c.txt"]
    first = [
        (
            await pieces(
                text.open_source(brief(tmp_path, at=NOW + day * 86_400_000, files=files, rotate=True)), 1
            )
        )[0][1]
        for day in range(4)
    ]
    assert sorted(first[:3]) == ["a.\n\n", "b.\n\n", "c.\n\n"]
    assert first[3] == first[0]


def test_files_without_words_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(" \n\n---\n")
    with pytest.raises(BadInput, match="nothing to read"):
        text.open_source(brief(tmp_path))
    with pytest.raises(BadInput, match="cannot read"):
        text.open_source(brief(tmp_path, files=["none.txt"]))
