"""How fast sentences are cut, beside pySBD if it is installed; and which of its golden rules hold.

    python -m bench.sentences [--rules FILE --language en]

The same text, in one run, best of three: characters per second of the splitter fed whole, fed by tokens of
four characters, and of `pysbd.Segmenter`. `--rules` reads the tables of a test file of pySBD's repository.
"""

import argparse
import ast
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from radio.cli.terminal import table
from radio.sentences import Splitter

TEXT = (
    "The harbor is quiet tonight, and nobody knows why. Dr. Lund met Mr. Berg at 3.14 p.m. by the old pier. "
    "“Where is the ferry?” she asked him. It had left for the U.S. coast on Sept. 5, 1987, they say.\n\n"
)
CHARS = 100_000


def pieces(text: str, size: int, *, max_chars: int = 200, language: str = "en") -> list[str]:
    splitter = Splitter(max_chars=max_chars, language=language)
    found = [s for at in range(0, len(text), size) for s in splitter.feed(text[at : at + size])]
    return [sentence.text for sentence in found + splitter.finish()]


def best_s(work: Callable[[], object]) -> float:
    """CPU seconds, the least of three."""
    taken = []
    for _ in range(3):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


def rows() -> Iterator[tuple[str, str]]:
    text = (TEXT * (CHARS // len(TEXT) + 1))[:CHARS]
    yield "radio, whole", f"{CHARS / best_s(lambda: pieces(text, CHARS)):,.0f}"
    yield "radio, tokens of 4 characters", f"{CHARS / best_s(lambda: pieces(text, 4)):,.0f}"
    if find_spec("pysbd") is None:
        yield "pysbd", "not installed"
        return
    segmenter = import_module("pysbd").Segmenter(language="en", clean=False)
    yield "pysbd, whole", f"{CHARS / best_s(lambda: segmenter.segment(text)):,.0f}"


def golden(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Texts and their sentences of every table in the file."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List):
            for row in node.value.elts:
                cells = row.args[:2] if isinstance(row, ast.Call) else getattr(row, "elts", [])
                text, expected = map(ast.literal_eval, cells)
                yield text, expected


def say_rules(path: Path, language: str) -> None:
    judged = [
        (text, pieces(text, len(text), max_chars=4000, language=language), expected)
        for text, expected in golden(path)
    ]
    held = [found for _, found, expected in judged if found == expected]
    print(f"rules that hold      {len(held)} of {len(judged)}")
    for text, found, expected in judged:
        if found != expected:
            print(f"{text}\n    theirs  {expected}\n    ours    {found}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rules", type=Path, help="a test file of pySBD, as tests/lang/test_english.py")
    parser.add_argument("--language", default="en", help="of the rules")
    args = parser.parse_args()
    print(f"command              python -m bench.sentences {' '.join(sys.argv[1:])}".rstrip())
    if args.rules:
        say_rules(args.rules, args.language)
    else:
        print(table(list(rows()), ("SPLITTER", "CHARACTERS A SECOND")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
