"""Checks that this machine has what the radio needs. Nothing is changed."""

import asyncio
import os
import platform
import shutil
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from radio.clock import SystemClock
from radio.errors import RadioError
from radio.settings import Settings
from radio.streams.stores.sqlite import version

Verdict = Literal["ok", "note", "fail"]
SQLITE_LEAST = (3, 35, 0)
DISK_LEAST_BYTES = 1 << 30
"""Room for about 35 hours of sound."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One result: `note` is worth knowing, `fail` prevents the radio from working."""

    what: str
    verdict: Verdict
    says: str


def examine(settings: Settings) -> Iterator[Finding]:
    """All results, each as soon as it is known."""
    for what, look in _LOOKS:
        try:
            verdict, says = look(settings)
        except RadioError as missing:
            verdict, says = "fail", f"{missing}. {missing.hint}".rstrip(". ")
        except OSError as refused:
            verdict, says = "fail", str(refused)
        yield Finding(what, verdict, says)


def _python(_: Settings) -> tuple[Verdict, str]:
    fits = (3, 11) <= sys.version_info[:2] < (3, 13)
    return (
        "ok" if fits else "fail",
        f"{platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores",
    )


def _sqlite(_: Settings) -> tuple[Verdict, str]:
    return "ok" if sqlite3.sqlite_version_info >= SQLITE_LEAST else "fail", version.described()


def _espeak(_: Settings) -> tuple[Verdict, str]:
    from radio.speech.g2p.espeak import open_espeak

    espeak = open_espeak()
    try:
        return "ok", f"says 'radio' as {espeak.phonemes('radio', 'en-us')}"
    finally:
        espeak.close()


def _voice(settings: Settings) -> tuple[Verdict, str]:
    from radio import models

    return "ok", str(models.kokoro(settings).onnx)


def _llm(settings: Settings) -> tuple[Verdict, str]:
    from radio import models

    return "ok", str(models.llm(settings))


def _engine(settings: Settings) -> tuple[Verdict, str]:
    from radio.speech.speaker import load_speaker

    return "ok", load_speaker(settings).name


def _store(settings: Settings) -> tuple[Verdict, str]:
    if settings.s2_lite:
        return "ok", f"on the local S2 Lite, in {settings.data}; `radio store info --s2-lite` asks it"
    if settings.store == "sqlite" and not (settings.data / "radio.sqlite3").exists():
        return "ok", f"{settings.store}, new in {settings.data}"
    return "ok", asyncio.run(_open_store(settings))


async def _open_store(settings: Settings) -> str:
    from radio.streams.stores.open_store import open_store

    store = await open_store(settings, SystemClock())
    try:
        return f"{settings.store}, {await store.store_id()}"
    finally:
        await store.close()


def _s2_lite(settings: Settings) -> tuple[Verdict, str]:
    from radio.app.s2_lite import local_server

    try:
        binary = local_server.find(settings.s2_lite_binary)
        return "ok", f"{'.'.join(map(str, local_server.check_version(binary)))}, {binary}"
    except RadioError as missing:
        return "fail" if settings.s2_lite else "note", f"{missing}; needed only for --s2-lite"


def _disk(settings: Settings) -> tuple[Verdict, str]:
    folder = next(f for f in (settings.data.absolute(), *settings.data.absolute().parents) if f.exists())
    free = shutil.disk_usage(folder).free
    return "ok" if free >= DISK_LEAST_BYTES else "fail", f"{free / 1e9:.1f} GB free for {settings.data}"


def _port(settings: Settings) -> tuple[Verdict, str]:
    with socket.socket() as probe:
        probe.settimeout(2.0)
        taken = probe.connect_ex((settings.host, settings.port)) == 0
    return (
        ("note", f"{settings.port} answers: a radio, or something else")
        if taken
        else ("ok", f"{settings.port}")
    )


_LOOKS: tuple[tuple[str, Callable[[Settings], tuple[Verdict, str]]], ...] = (
    ("Python", _python),
    ("SQLite", _sqlite),
    ("espeak-ng", _espeak),
    ("LLM", _llm),
    ("voice model", _voice),
    ("engine", _engine),
    ("store", _store),
    ("S2 Lite", _s2_lite),
    ("disk", _disk),
    ("port", _port),
)
