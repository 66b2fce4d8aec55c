"""The checks before a local S2 Lite runs: its command, its version, and who could reach its port.

S2 Lite listens on every address of the machine and has no passwords. So it runs only on a machine that no
other can reach, or if the operator has stated that something keeps others out.
"""

import dataclasses
import logging
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from radio.app import network_interfaces
from radio.errors import BadInput, Unsupported
from radio.log import log_event
from radio.settings import Settings, cache_dir

log = logging.getLogger(__name__)

BASIN = "radio-main"
"""Basin of the radio, unless the operator names another."""
LEAST = (0, 43)
COMMAND = "s2"
FOLDER = "s2"
"""Folder of the streams, in the data folder."""
HOST = "127.0.0.1"
"""Address for this machine's own processes."""
ALL_HOSTS = "0.0.0.0"
"""Address on which it listens."""
_ANSWERS_WITHIN_S = 20.0
_HOW_TO_INSTALL = (
    "`make s2-lite` builds it, in about 12 minutes; --s2-lite-binary names one that is elsewhere"
)
_HOW_TO_CLOSE = (
    "keep others from port {port} first: systemd's IPAddressDeny=any with IPAddressAllow=localhost "
    "(deploy/radio-s2-lite.service), a firewall, or an internal network of containers (deploy/compose.yaml); "
    "then say so with --s2-lite-exposed. The store sqlite needs no port at all"
)


def examine(settings: Settings) -> Path:
    """The command to run, after all checks.

    Raises:
        BadInput: other machines could reach its port, and the operator has not allowed it.
        Unsupported: there is no `s2` here, or it is too old.
    """
    reachable = network_interfaces.reachable()
    if not settings.s2_lite_exposed:
        refuse_exposure(reachable, settings.s2_lite_port)
    elif reachable:
        log.warning(
            "S2 Lite has no passwords and listens on all addresses; see that others cannot reach its port",
            extra=log_event("s2_lite.exposed", interfaces=",".join(reachable)),
        )
    binary = find(settings.s2_lite_binary)
    check_version(binary)
    return binary


def refuse_exposure(reachable: Sequence[str], port: int) -> None:
    """Raises `BadInput` if other machines can reach this one through an interface."""
    if reachable:
        raise BadInput(
            f"S2 Lite listens on all addresses of this machine ({', '.join(reachable)}) and knows no "
            "passwords: whoever reaches its port can read and delete every stream",
            hint=_HOW_TO_CLOSE.format(port=port or "(--s2-lite-port)"),
        )


def find(named: str) -> Path:
    """The binary that the operator names, or else the one in PATH, or else the one in the cache."""
    if named:
        found = shutil.which(named)
        if found is None:
            raise Unsupported(f"there is no program {named}", hint=_HOW_TO_INSTALL)
        return Path(found)
    cached = cache_dir() / "s2" / "bin" / COMMAND
    found = shutil.which(COMMAND) or shutil.which(str(cached))
    if found is None:
        raise Unsupported(f"there is no `{COMMAND}` in PATH, nor {cached}", hint=_HOW_TO_INSTALL)
    return Path(found)


def check_version(binary: Path) -> tuple[int, ...]:
    """Its version; raises `Unsupported` if it is too old, or is another program."""
    try:
        said = subprocess.run(
            [binary, "--version"],
            capture_output=True,
            text=True,
            check=False,
            timeout=_ANSWERS_WITHIN_S,
            env={**os.environ, "S2_NO_UPDATE_CHECK": "1"},
        ).stdout.strip()
    except (OSError, subprocess.TimeoutExpired) as mute:
        raise Unsupported(f"{binary} does not run: {mute}", hint=_HOW_TO_INSTALL) from mute
    found = re.fullmatch(r"s2 (\d+)\.(\d+)\.(\d+)\S*(?: \(.*\))?", said)
    if found is None:
        raise Unsupported(f"{binary} is not the command of s2.dev", hint=_HOW_TO_INSTALL)
    version = tuple(map(int, found.groups()))
    if version < LEAST:
        raise Unsupported(
            f"{binary} is {said}; the radio needs {'.'.join(map(str, LEAST))} or newer", hint=_HOW_TO_INSTALL
        )
    return version


def on_it(settings: Settings) -> Settings:
    """These settings with the local S2 Lite as the store."""
    store = f"s2://{BASIN}" if settings.store == "sqlite" else settings.store
    if not store.startswith("s2://"):
        raise BadInput(
            f"--s2-lite cannot hold the store {store}", hint="leave --store out, or name a basin: s2://…"
        )
    return dataclasses.replace(
        settings,
        store=store,
        s2_endpoint=f"http://{HOST}:{settings.s2_lite_port}",
        s2_lite=False,
        disk_folder=settings.disk_folder or str(settings.data),
    )
