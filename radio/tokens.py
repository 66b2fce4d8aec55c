"""Tokens that the operator gives a process: from a file, or from the environment; no error shows one."""

import re
from pathlib import Path
from typing import Final

from radio.errors import BadInput

LEAST_CHARACTERS: Final = 16
"""Of a token of this radio's own: a shorter one could be guessed."""
_TOKEN: Final = re.compile(r"[\x21-\x7e]+")


def token_of(given: str, file: str, *, what: str, option: str) -> str:
    """What stands in the file, else what came with the environment; "" if neither names one.

    Args:
        given: of the environment.
        what: how errors call it, as `access token`.
        option: the one that names the file.

    Raises:
        BadInput: the file cannot be read or holds none, or the token has other than printable ASCII in it.
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
