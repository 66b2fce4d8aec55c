"""Quotation marks that mean inches. Pure; one pass over the text."""

import re
from typing import Final

_UNTIL: Final = re.compile(r"(?<=\d)\"[-–](?=\d{1,3}(?:\.\d)?\")")
_MARK: Final = re.compile(r"(?P<number>(?<![\w.,'/])(?<!' )(?<!ft )(?<!ft\. )\d{1,3}(?:\.\d{1,2})?(?=\"))?\"")


def with_inches(text: str) -> str:
    """`text` with `6"` and `6"-10"` in words, where the mark closes no quotation."""
    return _MARK.sub(_Inches(), _UNTIL.sub("-", text))


class _Inches:
    """`6"`: inches, where the mark closes no quotation. One for each text."""

    def __init__(self) -> None:
        self._is_quoted = False

    def __call__(self, mark: re.Match[str]) -> str:
        if self._is_quoted or not mark["number"]:
            self._is_quoted = not self._is_quoted
            return mark[0]
        return f"{mark['number']} inch" if mark["number"] == "1" else f"{mark['number']} inches"
