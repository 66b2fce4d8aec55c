"""The Hugging Face hub: files that its cache already has, and downloads. Needs the extra `hub`."""

import importlib.util
import re
from pathlib import Path
from typing import Any, Final

from radio.errors import RadioError, Unsupported
from radio.models.catalog import HubFile

_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class HubFailed(RadioError):
    """The hub did not give this file."""


def is_installed() -> bool:
    """Whether the extra `hub` is installed."""
    return importlib.util.find_spec("huggingface_hub") is not None


def cached(file: HubFile, cache: Path | None = None) -> Path | None:
    """Path of `file` in the hub's cache on this machine; None if it is not there. No network."""
    if not is_installed():
        return None
    found = _hub().try_to_load_from_cache(file.repository, file.path, cache_dir=cache)
    return Path(found) if isinstance(found, str) else None


def sha256(file: HubFile, endpoint: str | None = None) -> tuple[str, int]:
    """SHA-256 and size that the hub states for a large file.

    Raises:
        HubFailed: no answer, or the hub states no SHA-256 (small files have none).
        Unsupported: the extra is missing.
    """
    hub = _hub()
    url = hub.hf_hub_url(file.repository, file.path, endpoint=endpoint)
    try:
        stated = hub.get_hf_file_metadata(url)
    except (OSError, ValueError) as failed:  # what the library raises, its HTTP errors included
        raise _failed(file, failed) from failed
    if stated.size is None or not _SHA256.fullmatch(stated.etag or ""):
        raise HubFailed(f"the hub states no SHA-256 for {file.repository}/{file.path}")
    return str(stated.etag), int(stated.size)


def download(file: HubFile, into: Path, endpoint: str | None = None) -> Path:
    """Download `file` into the folder `into`; an interrupted download continues.

    Raises:
        HubFailed: no answer, or no such file.
        Unsupported: the extra is missing.
    """
    hub = _hub()
    try:
        return Path(hub.hf_hub_download(file.repository, file.path, local_dir=into, endpoint=endpoint))
    except (OSError, ValueError) as failed:
        raise _failed(file, failed) from failed


def _hub() -> Any:
    if not is_installed():
        raise Unsupported(
            "the Hugging Face hub cannot be asked", hint="Install the extra: pip install 'radio[hub]'."
        )
    import huggingface_hub

    return huggingface_hub


def _failed(file: HubFile, failed: Exception) -> HubFailed:
    return HubFailed(
        f"the hub did not give {file.repository}/{file.path}: {failed}",
        hint="Check the name and the network.",
    )
