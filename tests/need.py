"""Real parts that some tests need: players, a browser, models.

A test that needs a part is skipped, with the reason, where the part is absent; with `RADIO_REQUIRE=all`, as
in CI, it fails instead: what was not there was not tested. CI has every part but `torch`, which takes 5 GB,
`aarch64`, a compiler and an emulator for it, and `clang`; only `make soak` needs them.
"""

import os
import shutil
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

from radio.errors import RadioError
from radio.settings import Settings, cache_dir


def need(*parts: str) -> None:
    """Skip the test, or fail it with `RADIO_REQUIRE=all`, unless every part is here."""
    for part in parts:
        reason = PARTS[part]()
        if reason and os.environ.get("RADIO_REQUIRE") == "all":
            pytest.fail(f"{part} is required here: {reason}", pytrace=False)
        if reason:
            pytest.skip(f"{part}: {reason}")


def _command(*names: str) -> Callable[[], str | None]:
    def look() -> str | None:
        return None if any(map(shutil.which, names)) else f"no command {' or '.join(names)}"

    return look


def _model(function: str) -> Callable[[], str | None]:
    def look() -> str | None:
        from radio import models

        try:
            getattr(models, function)(Settings())
        except RadioError as absent:
            return f"{absent} {absent.hint}".strip()
        return None

    return look


def _native() -> str | None:
    from radio.speech.engines import native_library

    return None if native_library.path() else "the native voice library is not built; run `make setup`"


def _s2() -> str | None:
    from radio.app.s2_lite import local_server

    try:
        local_server.check_version(local_server.find(""))
    except RadioError as absent:
        return f"{absent}; {absent.hint}"
    return None


def _torch() -> str | None:
    made = (cache_dir() / "torch" / "pins").is_file()
    return None if made else "no environment with torch; run `deploy/torch`"


def hls_js() -> Path:
    """The script of hls.js, which `deploy/web-parts` fetches."""
    return cache_dir() / "hls.js" / "hls.min.js"


def axe() -> Path:
    """The script of axe-core, which `deploy/web-parts` fetches."""
    return cache_dir() / "axe-core" / "axe.min.js"


def _file(find: Callable[[], Path]) -> Callable[[], str | None]:
    def look() -> str | None:
        return None if find().is_file() else f"no file {find()}; deploy/web-parts fetches it"

    return look


def _module(name: str) -> Callable[[], str | None]:
    def look() -> str | None:
        return None if find_spec(name) else f"no Python module {name}; it comes with .[dev]"

    return look


PARTS: Mapping[str, Callable[[], str | None]] = {
    "ffmpeg": _command("ffmpeg"),
    "mpv": _command("mpv"),
    "vlc": _command("cvlc"),
    "curl": _command("curl"),
    "mpg123": _command("mpg123"),
    "streamripper": _command("streamripper"),
    "nginx": _command("nginx"),
    "espeak": _command("espeak-ng"),
    "aarch64": lambda: _command("aarch64-linux-gnu-g++")() or _command("qemu-aarch64")(),
    "compiler": _command("g++", "c++", "clang++"),
    "clang": _command("clang++"),
    "chromium": _command("chromium", "chromium-browser", "google-chrome"),
    "llm": _model("default_llm"),
    "voice": _model("kokoro"),
    "native": _native,
    "whisper": _model("whisper"),
    "torch": _torch,
    "s2": _s2,
    "hls.js": _file(hls_js),
    "axe": _file(axe),
    "openai": _module("openai"),
}
"""Name of each part, and what looks for it: None if it is here, else what is missing."""
