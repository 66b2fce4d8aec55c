"""Runs: their ids, the assignments of their producers, and which of them have begun and ended."""

from radio.runs.assignment import (
    SPEECH_BYTES_PER_S,
    Assignment,
    fallback_id,
    from_json,
    is_fallback,
    run_id,
    to_json,
)
from radio.runs.history import Run, RunHistory

__all__ = [
    "SPEECH_BYTES_PER_S",
    "Assignment",
    "Run",
    "RunHistory",
    "fallback_id",
    "from_json",
    "is_fallback",
    "run_id",
    "to_json",
]
