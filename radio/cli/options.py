"""Options that stand for settings: each field of `Settings` and `Limits`, with its `RADIO_*` variable."""

import functools
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

import click

from radio.log import FORMATS, LEVELS
from radio.settings import (
    SECRETS,
    Limits,
    Settings,
    check_store,
    option,
    own_fields,
    switched_off,
    variable,
)

Command = TypeVar("Command", bound=Callable[..., Any])

HELP: Mapping[str, str] = {
    "host": "Address to listen on; anything but loopback opens the radio to the network.",
    "port": "Port to listen on; 0 lets the system choose one.",
    "base_url": "Public address, if a proxy stands before the relay.",
    "allowed_host": "More names by which the radio may be asked, with commas between.",
    "data": "Folder of store and locks.",
    "schedules": "Folder of station files, *.yaml.",
    "store": "Where streams are kept: sqlite, memory, or s2://BASIN.",
    "s2_endpoint": "Origin of the S2 server; else s2.dev's.",
    "s2_token_file": "File that holds the access token; else the environment does.",
    "s2_lite": "Run a local S2 Lite and keep the streams there (radio up).",
    "s2_lite_exposed": "Run S2 Lite although other machines can reach its port.",
    "s2_lite_port": "Port of the local S2 Lite; 0 lets the system choose one.",
    "s2_lite_binary": "The command s2; else it is looked for in PATH and where make s2-lite puts it.",
    "models": "Folder of model files.",
    "model": "LLM of stations that name none: a listed name or the path of a GGUF.",
    "engine": "What speaks; tone is a test tone for each sentence and needs no model.",
    "isa": "Instruction set of the native voice.",
    "voice_seed": "Seed of the noise in the native voice's source; below 0: none.",
    "torch_device": "Where the engine torch computes; auto: on CUDA where there is one.",
    "torch_precision": "In what the engine torch computes; half: where it is safe; auto: half on CUDA.",
    "tone_xrt": "Seconds of sound that the engine tone makes per second; 0: as fast as it can.",
    "voice": "Voice of casts that name none.",
    "voice_threads": "Threads of the voice; 0: as many as there are cores, at most 4.",
    "llm_threads": "Threads of each LLM.",
    "gate": "Whether LLM and voice take turns; auto: if they share a GPU, or have fewer cores than threads.",
    "casts": "Take and speak casts; those that are there can be heard either way.",
    "casts_lead_s": "Seconds of audio made ahead of a cast's listener before others are served.",
    "casts_keep_s": "Seconds for which a cast is kept after it was last submitted; 0: no limit.",
    "hls_window_s": "Seconds that an HLS player may go back.",
    "disk_floor": "Bytes of free disk space below which the oldest recordings go first; 0: never.",
    "disk_folder": "Folder on the disk that `--disk-floor` is about; else that of the store, if it is here.",
    "trusted_hops": "Proxies before the relay whose X-Forwarded-For is believed.",
    "operator_token_file": "File with the token that controls stations and casts over HTTP.",
    "submit_token_file": "File with the token that whoever hands in a text must send.",
    "wyoming_port": "Port on which Home Assistant finds this radio as a voice; 0: none.",
    "contact": "Mail or web address of the operator, told to the servers of feeds.",
    "log_level": "Least level that is logged.",
    "log_format": "Log for people (text) or for programs (json).",
    "limit_body_bytes": "Bytes of a request's body.",
    "limit_cast_characters": "Characters of a cast's text.",
    "limit_casts_per_client_hour": "Casts that one client may submit in an hour.",
    "limit_casts_per_hour": "Casts that all clients may submit in an hour.",
    "limit_listeners_per_station": "Listeners of one station.",
    "limit_listeners_per_client": "Streams that one client may hear at once.",
    "limit_events_per_client": "Event streams that one client may follow at once.",
    "limit_connections": "Connections of all clients to one relay.",
    "limit_gateway_bytes_per_s": "Bytes a second that one client may read from the gateway.",
    "limit_hls_bytes_per_s": "Bytes a second of HLS that one client may fetch.",
}
STORE_OPTIONS = ("store", "data", "s2_endpoint", "s2_token_file", "s2_lite", "s2_lite_port")
MACHINE_OPTIONS = (
    *STORE_OPTIONS, "s2_lite_binary", "host", "port", "models", "model", "engine", "isa", "torch_device",
    "torch_precision", "tone_xrt", "voice", "voice_threads",
)  # fmt: skip
CHOICES: Mapping[str, tuple[str, ...]] = {
    "engine": ("auto", "native", "onnx", "torch", "tone"),
    "isa": ("auto", "amx", "avx512", "avx2", "base"),
    "torch_device": ("auto", "cuda", "cpu"),
    "torch_precision": ("auto", "float32", "half"),
    "gate": ("auto", "on", "off"),
    "log_level": LEVELS,
    "log_format": FORMATS,
}


def rows() -> list[tuple[str, Any]]:
    """(name, default) of every setting; those of `Limits` have `limit_` before their names."""
    defaults = {field.name: _default(field) for field in fields(Settings)}
    own = [(name, defaults[name]) for name in own_fields()]
    return own + [("limit_" + field.name, _default(field)) for field in fields(Limits)]


def _default(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def _option(name: str, default: Any, *, hidden: bool = False) -> Callable[[Command], Command]:
    is_switch = isinstance(default, bool)
    return click.option(
        f"{option(name)}/{switched_off(name)}" if is_switch else option(name),
        name,
        envvar=variable(name),
        type=click.Choice(CHOICES[name]) if name in CHOICES else type(default),
        default=default,
        show_default=str(default) or "none",
        show_envvar=True,
        hidden=hidden,
        help=HELP.get(name, ""),
    )


def with_settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command every settings option; it receives one `settings` instead."""
    return _with_all(command, shown=[name for name, _ in rows()])


def _with_all(command: Callable[..., Any], *, shown: Collection[str]) -> Callable[..., Any]:
    @functools.wraps(command)
    def run(**given: Any) -> Any:
        names = [name for name, _ in rows()]
        values = {name: given.pop(name) for name in names}
        return command(settings=build(values), **given)

    for name, default in reversed(rows()):
        run = _option(name, default, hidden=name not in shown)(run)
    return run


def build(values: Mapping[str, Any]) -> Settings:
    """Settings from the values of all options, and the secrets of the environment.

    Raises:
        BadSettings: what is wrong with them, alone and together, but for tokens.
        BadInput: no store has that name.
    """
    from radio.app.checks import settings_check

    check_store(values["store"])
    limits = {
        name.removeprefix("limit_"): value for name, value in values.items() if name.startswith("limit_")
    }
    own = {name: value for name, value in values.items() if not name.startswith("limit_")}
    settings = Settings(**own, **secrets(), limits=Limits(**limits))
    settings_check.check(settings, with_tokens=False)
    return settings


def secrets() -> dict[str, Any]:
    """Those of the environment, by the field of `Settings`."""
    return {
        name: next((os.environ[one] for one in variables if os.environ.get(one)), "")
        for name, variables in SECRETS.items()
    }


def with_machine(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of what a machine must have; it receives one `settings` instead.

    The others are taken too, and not shown: what the environment says is checked whole.
    """
    return _with_all(command, shown=MACHINE_OPTIONS)


def with_store(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say where the streams are; it receives one `settings` instead."""

    @functools.wraps(command)
    def run(**given: Any) -> Any:
        from radio.app.s2_lite.local_server import on_it

        settings = build({name: given.pop(name) for name in STORE_OPTIONS})
        return command(settings=on_it(settings) if settings.s2_lite else settings, **given)

    return _with_options(run, STORE_OPTIONS)


def _with_options(command: Command, names: Sequence[str]) -> Command:
    defaults = dict(rows())
    for name in reversed(names):
        command = _option(name, defaults[name])(command)
    return command


def url(command: Command) -> Command:
    """The option of commands that talk to a running radio."""
    return click.option(
        "--url",
        envvar="RADIO_URL",
        default="http://127.0.0.1:8321/",
        show_default=True,
        show_envvar=True,
        help="Address of the radio.",
    )(command)


def as_json(command: Command) -> Command:
    """The option of commands whose answer a program may read."""
    return click.option("--json", "as_json", envvar="RADIO_JSON", is_flag=True, help="Print JSON.")(command)


def with_models(command: Command) -> Command:
    """Only the models folder, for commands that need no other setting."""
    return _option("models", dict(rows())["models"])(command)
