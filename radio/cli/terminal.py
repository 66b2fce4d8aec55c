"""What a person sees: tables, and bars while something takes its time."""

import json
import sys
import unicodedata
from collections.abc import Sequence
from typing import Any

import click
from tqdm import tqdm


def table(rows: Sequence[Sequence[object]], head: Sequence[str]) -> str:
    """Columns two blanks apart, without trailing blanks."""
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(_width(row[column]) for row in cells) for column in range(len(head))]
    lines = ("  ".join(_pad(cell, width) for cell, width in zip(row, widths, strict=True)) for row in cells)
    return "\n".join(line.rstrip() for line in lines)


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def bar(total: float | None, unit: str, label: str) -> "tqdm[Any]":
    """A progress bar on stderr; nothing where that is no terminal."""
    return tqdm(
        total=total,
        unit=unit,
        desc=label,
        unit_scale=unit == "B",
        file=sys.stderr,
        disable=not sys.stderr.isatty(),
        leave=False,
    )


def clock(ms: int) -> str:
    """A length of time, `1:02:03` or `2:03`."""
    minutes, seconds = divmod(round(ms / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def counted(number: int, noun: str) -> str:
    """`1 sentence`, `2 sentences`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
