"""Logging of a whole process: one line an event, for people or as JSON.

Only `setup` changes anything, and only a process's entry point calls it. Modules log through the standard
library with a constant message and `extra=log_event("station.taken", station=..., owner=...)`. Programs and
tests read the action and its fields; `docs/log-events.md` lists them all. Text of listeners and prompts never
goes into a log.
"""

import json
import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

from radio.errors import BadInput

LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("text", "json")
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
"""The fields of every record; all others came by `extra`."""
_CHATTY = ("apscheduler", "aiohttp.access", "asyncio", "s2_sdk", "h2", "hpack")
"""Libraries whose routine messages do not help an operator, or show secrets: only warnings are logged."""


class LogSettings(Protocol):
    """The part of the settings that logging needs."""

    @property
    def log_level(self) -> str: ...

    @property
    def log_format(self) -> str: ...


def extras(record: logging.LogRecord) -> Mapping[str, Any]:
    """The fields passed by `extra`, in that order, without those that are None."""
    return {key: value for key, value in vars(record).items() if key not in _OWN and value is not None}


class TextFormat(logging.Formatter):
    """`07:00:00.123 narrator INFO message  key=value`, in local time."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.role = role

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created).strftime("%H:%M:%S.%f")[:-3]
        pairs = "".join(f" {key}={_spell(value)}" for key, value in extras(record).items())
        line = f"{at} {self.role:<9} {record.levelname:<7} {_one_line(record.getMessage())}{pairs}"
        return line + self._trace(record)

    def _trace(self, record: logging.LogRecord) -> str:
        return "\n" + self.formatException(record.exc_info) if record.exc_info else ""


class JsonFormat(logging.Formatter):
    """One JSON object a line; `time` is ISO 8601 in UTC."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.role = role

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        head = {"time": at, "role": self.role, "level": record.levelname.lower(), "logger": record.name}
        line = {**head, "message": record.getMessage(), **extras(record)}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def log_event(action: str, /, **fields: object) -> dict[str, object]:
    """What a log call passes as `extra`.

    Args:
        action: `noun.what_happened` in lower case, a literal, and listed in `docs/log-events.md`.
        fields: facts that a program may read; None is left out of the line.
    """
    return {"action": action, **fields}


def setup(settings: LogSettings, role: str) -> None:
    """Send this process's log to stderr. `role` names the process in each line.

    Raises:
        BadInput: the level or format is not one of `LEVELS`, `FORMATS`.
    """
    if settings.log_level not in LEVELS:
        raise BadInput(f"no log level {settings.log_level!r}", hint="one of " + ", ".join(LEVELS))
    if settings.log_format not in FORMATS:
        raise BadInput(f"no log format {settings.log_format!r}", hint="one of " + ", ".join(FORMATS))
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(TextFormat(role) if settings.log_format == "text" else JsonFormat(role))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    logging.captureWarnings(True)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger().level))


def _spell(value: object) -> str:
    """A value as written after `key=`: quoted if it would not be read as one word."""
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    text = str(value)
    return (
        text
        if text and not any(c.isspace() or c in '"=' for c in text)
        else json.dumps(text, ensure_ascii=False)
    )


def _one_line(text: str) -> str:
    return text.replace("\r", "\\r").replace("\n", "\\n")
