"""Tokens that the operator gives a process, by file or environment; no error shows one."""

import re
from pathlib import Path
from typing import Final

from radio.errors import BadInput

LEAST_CHARACTERS: Final = 16
"""Minimum length of a token of this radio's own: a shorter one could be guessed."""
_TOKEN: Final = re.compile(r"[\x21-\x7e]+")


def token_of(given: str, file: str, *, what: str, option: str) -> str:
    """The token in the file, or else the environment's; "" if there is neither.

    Args:
        given: the environment's.
        what: its name in errors, such as `access token`.
        option: the one that names the file.

    Raises:
        BadInput: the file cannot be read or is empty, or the token has characters other than printable ASCII.
    """
    token, source = given.strip(), "the environment"
    if file:
        source, token = file, _read(Path(file), what, option)
    if token and not _TOKEN.fullmatch(token):
        raise BadInput(f"the {what} of {source} is none: it has spaces or other characters within")
    return token


def _read(path: Path, what: str, option: str) -> str:
    try:
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as e:
        raise BadInput(f"cannot read the {what}: {e}", hint=f"see {option}") from e
    if not token:
        raise BadInput(f"{path} holds no {what}", hint=f"see {option}")
    return token
