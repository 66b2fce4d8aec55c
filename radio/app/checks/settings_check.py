"""The limits of every setting, and of settings together, checked before anything starts. Opens no port or
store.

Each fault names the option, the value and what is allowed. Secrets are named but never shown.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Final
from urllib.parse import urlsplit

from radio import voices, writable_text
from radio.errors import BadInput
from radio.settings import S2_SCHEME, Limits, Settings, option, own_fields, variable
from radio.streams.stores.s2.address import place_of
from radio.tokens import LEAST_CHARACTERS, token_of
from radio.writable_text import UnwritableText

Range = tuple[float, float]
_DAY_S: Final = 86_400.0
_CENTURY_S: Final = 36_525 * _DAY_S
RANGES: Final[Mapping[str, Range]] = {
    "port": (0, 65_535),
    "s2_lite_port": (0, 65_535),
    "wyoming_port": (0, 65_535),
    "voice_seed": (-(2**31), 2**31 - 1),
    "tone_xrt": (0, 10_000),
    "voice_threads": (0, 64),
    "llm_threads": (1, 1024),
    "casts_lead_s": (0, 3600),
    "casts_keep_s": (0, _CENTURY_S),
    "hls_window_s": (6, 31 * _DAY_S),
    "disk_floor": (0, 2**60),
    "trusted_hops": (0, 16),
}
"""Least and most, both allowed, of each numeric setting; a limit is at least 1."""
LEAST_LIMIT, MOST_LIMIT = 1, 2**40
_HOST = re.compile(r"[^\s/?#@]*")


class BadSettings(BadInput):
    """The settings cannot be used."""


def check(settings: Settings, *, with_tokens: bool = True) -> None:
    """Raises `BadSettings` with all faults, one in a line.

    Args:
        with_tokens: check the tokens too; only the process that serves listeners must be able to read their
            files.
    """
    found = [*problems(settings), *(_tokens(settings) if with_tokens else ())]
    if found:
        raise BadSettings("\n       ".join(found), hint="docs/settings.md lists every setting")


def problems(settings: Settings) -> Iterator[str]:
    """All faults except those of tokens, each with the option, its value and what is allowed."""
    unwritable = list(_unwritable(settings))
    yield from unwritable
    yield from _numbers(settings)
    if not unwritable:
        yield from _texts(settings)
        yield from _pairs(settings)


def _unwritable(settings: Settings) -> Iterator[str]:
    for name in own_fields():
        value = getattr(settings, name)
        if isinstance(value, str):
            try:
                writable_text.checked(value)
            except UnwritableText as e:
                yield f"{option(name)}: {e}"


def _numbers(settings: Settings) -> Iterator[str]:
    for name, (least, most) in RANGES.items():
        value = getattr(settings, name)
        if not (math.isfinite(value) and least <= value <= most):
            yield f"{option(name)} is {value}: it must be from {_number(least)} to {_number(most)}"
    for field in fields(Limits):
        value = getattr(settings.limits, field.name)
        if not LEAST_LIMIT <= value <= MOST_LIMIT:
            name = option("limit_" + field.name)
            yield f"{name} is {value}: it must be from {LEAST_LIMIT} to {MOST_LIMIT}"


def _number(value: float) -> str:
    return str(int(value))


def _texts(settings: Settings) -> Iterator[str]:
    if not _HOST.fullmatch(settings.host):
        yield f"--host is {settings.host!r}: it must be a name or an address alone, as 127.0.0.1"
    if settings.base_url and not _is_web_address(settings.base_url):
        yield f"--base-url is {settings.base_url!r}: it must be like https://radio.example/fm"
    if not settings.model.strip():
        yield "--model is empty: it must be a listed name, the path of a GGUF, or default"
    try:
        voices.parse(settings.voice)
    except BadInput as e:
        yield f"--voice is {settings.voice!r}: {e}. {e.hint}".rstrip(". ")
    for name in ("data", "schedules", "models"):
        path = getattr(settings, name)
        if path.exists() and not path.is_dir():
            yield f"{option(name)} is {path}: it must be a folder, and this is a file"


def _is_web_address(url: str) -> bool:
    """`http` or `https`, a host, and optionally a port and a path; nothing else."""
    if not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        is_plain = parts.username is None and not parts.query and not parts.fragment
        return parts.scheme in ("http", "https") and bool(parts.hostname) and is_plain and parts.port != 0
    except ValueError:  # the port is no number, or brackets are not closed
        return False


def _tokens(settings: Settings) -> Iterator[str]:
    for name in ("operator_token", "submit_token"):
        given, file = getattr(settings, name), getattr(settings, name + "_file")
        what = name.replace("_", " ")
        try:
            token = token_of(given, file, what=what, option=option(name + "_file"))
        except BadInput as e:
            yield f"{option(name + '_file')}: {e}"
            continue
        if token and len(token) < LEAST_CHARACTERS:
            source = f"{option(name + '_file')} {file}" if file else variable(name)
            yield f"{source}: the {what} has {len(token)} characters, and needs {LEAST_CHARACTERS}"
    if settings.store.startswith(S2_SCHEME) and not settings.s2_lite:
        try:
            place_of(settings)
        except BadInput as e:
            yield f"--store is {settings.store}: {e}. {e.hint}".rstrip(". ")


def _pairs(settings: Settings) -> Iterator[str]:
    ports = {"port": settings.port, "wyoming_port": settings.wyoming_port}
    if settings.s2_lite:
        ports["s2_lite_port"] = settings.s2_lite_port
    seen: dict[int, str] = {}
    for name, port in ports.items():
        if port and port in seen:
            yield f"{option(name)} is {port}: {option(seen[port])} is the same port"
        seen.setdefault(port, name)
    if settings.wyoming_port and (settings.submit_token or settings.submit_token_file):
        yield (
            f"--wyoming-port is {settings.wyoming_port}: it knows no tokens, "
            "and this radio asks for a submit token; leave one of them out"
        )
