"""What the operator sets, by option or `RADIO_*` variable. What an editor sets is in station files.

Built once by the command line and passed by constructor; nothing reads the environment later. Every field is
described in `docs/settings.md`; a test compares the two.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from radio.errors import BadInput

TOKEN_VARIABLES = ("RADIO_S2_TOKEN", "S2_ACCESS_TOKEN")
"""Variables for `s2_token`; the first that is set counts."""
SECRETS: Mapping[str, tuple[str, ...]] = {
    "s2_token": TOKEN_VARIABLES,
    "operator_token": ("RADIO_OPERATOR_TOKEN",),
    "submit_token": ("RADIO_SUBMIT_TOKEN",),
}
"""Fields that no command line, log or error may show, and the variables that give them to child processes."""
STORES = ("sqlite", "memory")
S2_SCHEME = "s2://"
"""Before the name of a basin: a store that `STORES` does not name."""


def cache_dir() -> Path:
    """Folder of models and other large files, which several installations may share."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "radio"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits for one listener, submitter or client."""

    body_bytes: int = 1 << 20
    cast_characters: int = 50_000
    casts_per_client_hour: int = 60
    casts_per_hour: int = 600
    listeners_per_station: int = 1000
    listeners_per_client: int = 20
    events_per_client: int = 40
    connections: int = 10_000
    """Of all clients to one relay, whatever they ask."""
    gateway_bytes_per_s: int = 4 << 20
    """Per client."""
    hls_bytes_per_s: int = 4 << 20
    """Per client; a listener takes 8 kB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The operator's settings, with their defaults."""

    host: str = "127.0.0.1"
    port: int = 8321
    base_url: str = ""
    """The public address, if there is a proxy in front of the relay; "" uses the request's."""
    allowed_host: str = ""
    """Host names, separated by commas, under which the radio answers besides its own addresses and
    `base_url`."""
    data: Path = Path("var")
    """Store, locks and logs."""
    schedules: Path = Path("schedules")
    """Station files, `*.yaml`."""
    store: str = "sqlite"
    """`sqlite` (a file in `data`), `memory` (nothing is kept; one process only), or `s2://BASIN`."""
    s2_endpoint: str = ""
    """Origin of the S2 server: one (`http://127.0.0.1:4002`, S2 Lite), or the account's and the basin's
    separated by a comma; "" is s2.dev's."""
    s2_token: str = field(default="", repr=False)
    """The access token of s2.dev: only from the environment (`TOKEN_VARIABLES`), no option, never shown."""
    s2_token_file: str = ""
    """File with the access token; it has priority over the environment."""
    s2_lite: bool = False
    """`radio up` runs an S2 Lite of its own in `data` and keeps the streams there."""
    s2_lite_exposed: bool = False
    """S2 Lite may run although other machines can reach its port, because something else keeps them out."""
    s2_lite_port: int = 4002
    """0 lets the system choose one."""
    s2_lite_binary: str = ""
    """The binary `s2`; "" looks for it in PATH and where `make s2-lite` puts it."""
    models: Path = field(default_factory=lambda: cache_dir() / "models")
    model: str = "default"
    """The LLM of stations that name none: a listed name or the path of a GGUF."""
    engine: str = "auto"
    """The voice: `auto`, `native`, `onnx`, `torch`, or `tone` (a test tone a sentence, no model)."""
    isa: str = "auto"
    """Instruction set of the native voice: `auto`, `amx`, `avx512`, `avx2`, `base`."""
    voice_seed: int = 0
    """Seed of the noise in the native voice's source, as in the original model; below 0: no noise."""
    torch_device: str = "auto"
    """Device of the engine `torch`: `cuda`, `cpu`, or `auto` (CUDA if there is one)."""
    torch_precision: str = "auto"
    """Precision of the engine `torch`: `float32`, `half` where that is safe, or `auto` (half on CUDA)."""
    tone_xrt: float = 0.0
    """Seconds of sound that the engine `tone` makes per second; 0: as fast as it can."""
    voice: str = "af_heart"
    """The voice of casts that name none."""
    voice_threads: int = 0
    """Threads of the voice; 0: the number of cores, at most 4."""
    llm_threads: int = 1
    gate: str = "auto"
    """Whether LLM and voice take turns: `auto` (where they share a device), `on`, `off`."""
    casts: bool = True
    """Whether casts are accepted and spoken; finished casts can be played either way."""
    casts_lead_s: float = 30.0
    """Audio made ahead of a cast's listener before other lanes are served."""
    casts_keep_s: float = 0.0
    """How long a cast is kept after it was last submitted; 0: no limit."""
    hls_window_s: float = 3600.0
    """Window of HLS: how far back a player may go."""
    disk_floor: int = 512 << 20
    """Bytes of free disk space below which the oldest recordings are deleted first; 0: never."""
    disk_folder: str = ""
    """Folder on the disk that `disk_floor` watches; "" is `data`, if the store is there."""
    trusted_hops: int = 0
    """Number of proxies in front of the relay whose `X-Forwarded-For` is trusted."""
    operator_token: str = field(default="", repr=False)
    """With it, a client may control stations and casts over HTTP; "": nobody may. Never an option, never
    shown."""
    operator_token_file: str = ""
    """File with the operator's token; it has priority over the environment."""
    submit_token: str = field(default="", repr=False)
    """A client must send it to submit a text; "": anybody may. Never an option, never shown."""
    submit_token_file: str = ""
    """File with the submit token; it has priority over the environment."""
    wyoming_port: int = 0
    """Port on which Home Assistant finds this radio as a voice; 0: none."""
    contact: str = ""
    """Mail or web address of the operator, sent to the servers of feeds."""
    log_level: str = "info"
    log_format: str = "text"
    """`text` for people, `json` for programs."""
    limits: Limits = field(default_factory=Limits)


def check_store(store: str) -> None:
    """Raises `BadInput` unless it names a kind of store; whether the store exists is checked when it is
    opened."""
    if store not in STORES and not store.startswith(S2_SCHEME):
        raise BadInput(f"no store is called {store!r}", hint=f"it is {', '.join(STORES)} or {S2_SCHEME}BASIN")


def own_fields() -> list[str]:
    """The fields of `Settings` that have an option: all except limits and secrets."""
    return [f.name for f in fields(Settings) if f.name not in {"limits", *SECRETS}]


def to_environment(settings: Settings) -> dict[str, str]:
    """The `RADIO_*` variables that give a process of this radio the same settings; it inherits the secrets.

    Every variable is set, so that nothing else in the environment counts. An empty variable counts as not
    set; `emptied` gives the options for empty values.
    """
    own = {name: getattr(settings, name) for name in own_fields()}
    limits = {"limit_" + f.name: getattr(settings.limits, f.name) for f in fields(Limits)}
    return {variable(name): str(value) for name, value in {**own, **limits}.items()}


def emptied(settings: Settings) -> list[str]:
    """Options for the settings that are empty although their default is not."""
    plain = Settings()
    return [
        f"{option(name)}=" for name in own_fields() if getattr(settings, name) == "" != getattr(plain, name)
    ]


def option(name: str) -> str:
    """The command-line option of a field; a field of `Limits` has `limit_` before its name."""
    return "--" + name.replace("_", "-")


def switched_off(name: str) -> str:
    """The command-line option that says no to a field that is true or false."""
    return "--no-" + name.replace("_", "-")


def variable(name: str) -> str:
    """The environment variable of a field; a field of `Limits` has `limit_` before its name."""
    return "RADIO_" + name.upper()
