"""The root of the command line: its commands, and how errors end."""

import difflib
import logging
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NoReturn

import click

from radio import __version__
from radio.app.checks.settings_check import BadSettings
from radio.child_processes import UNCHANGING_STATUS, is_child, mouth, say_last_words
from radio.cli.editor import on_air, redact, schedules
from radio.cli.exit_status import FAILED, OK, WRONG_USE
from radio.cli.listener import cast, listen
from radio.cli.operator import casts, machine, models, processes
from radio.cli.store import commands
from radio.errors import BadInput, RadioError, Unsupported
from radio.log import log_event
from radio.settings import SECRETS

log = logging.getLogger(__name__)

OTHER_VARIABLES = frozenset({"RADIO_CHILD", "RADIO_REQUIRE"}).union(*SECRETS.values())
"""Variables that no option has: for a radio's own children, for tests and benches, and what is secret."""
_PREFIX = "RADIO_"
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


@click.group(context_settings=CONTEXT)
@click.version_option(__version__, prog_name="radio")
def cli() -> None:
    """A radio that writes and speaks its own programmes on one small machine."""


for _command in (
    processes.up, processes.relay, processes.narrate, processes.schedule, processes.produce,
    processes.s2_lite, schedules.check, schedules.timetable,
    cast.cast, casts.casts, listen.listen, listen.stations,
    on_air.preview, on_air.say, on_air.skip, on_air.mute, on_air.unmute, redact.redact,
    machine.voices, models.models, commands.store, machine.doctor,
):  # fmt: skip
    cli.add_command(_command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; its exit status: 0, 1 (it failed), 2 (wrong use)."""
    parent = mouth() if is_child() else None
    show = partial(_log_error, parent) if is_child() else _print_error
    for line in [] if is_child() else unknown_variables(os.environ):
        click.echo(f"radio: {line}", err=True)
    try:
        status = cli.main(args=argv, prog_name="radio", standalone_mode=False)
    except click.ClickException as wrong:
        wrong.show()
        return wrong.exit_code
    except click.Abort:
        return FAILED
    except RadioError as error:
        return _as_child(parent, [error], _report(error, show))
    except BaseExceptionGroup as group:
        return _as_child(parent, leaves(group), _report_group(group, show))
    return status if isinstance(status, int) else OK


def run() -> NoReturn:
    """`main`, and the end of the process at once.

    All is closed by then, but a thread may still speak or load a model. Libraries that are taken apart
    meanwhile abort the process, or take longer than stopping may.
    """
    status = FAILED
    try:
        status = main()
    except SystemExit as ended:  # click's, where whoever read the output has gone
        status = ended.code if isinstance(ended.code, int) else FAILED
    except BaseException:  # noqa: BLE001 - shown as the interpreter shows it
        sys.excepthook(*sys.exc_info())
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(BrokenPipeError):
            stream.flush()
    os._exit(status)


def _print_error(error: RadioError) -> None:
    click.echo(f"radio: {error}", err=True)
    if error.hint:
        click.echo(f"       {error.hint}", err=True)


def _log_error(parent: int | None, error: RadioError) -> None:
    """A process of a radio says it in the radio's one log, and to who started it."""
    say_last_words(parent, f"{error}. {error.hint}\n".replace(". \n", "\n"))
    log.error("process failed", extra=log_event("process.failed", error=str(error), hint=error.hint or None))


def _as_child(parent: int | None, errors: Iterable[BaseException], status: int) -> int:
    """The exit status of a process of a radio: its own one where another start would end the same way."""
    is_lasting = any(isinstance(error, BadSettings | Unsupported) for error in errors)
    return UNCHANGING_STATUS if parent is not None and is_lasting else status


def _report(error: RadioError, show: Callable[[RadioError], None]) -> int:
    show(error)
    return WRONG_USE if isinstance(error, BadInput) else FAILED


def _report_group(group: BaseExceptionGroup, show: Callable[[RadioError], None]) -> int:
    """Report errors of tasks if all were raised on purpose; anything else is a fault and shows all."""
    known, unknown = group.split(RadioError)
    if unknown is not None or known is None:
        raise group
    return max(_report(error, show) for error in leaves(known) if isinstance(error, RadioError))


def leaves(group: BaseExceptionGroup) -> Iterable[BaseException]:
    """The errors in a group, however deep."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from leaves(error)
        else:
            yield error


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """A warning for each `RADIO_*` variable that means nothing here, with what is near to it."""
    known = known_variables()
    return [
        f"{name} is not a setting" + _did_you_mean(name, known)
        for name in sorted(environment)
        if name.startswith(_PREFIX) and name not in known
    ]


def known_variables() -> frozenset[str]:
    """Every variable that some option reads."""
    options = (p for command in _all_commands(cli) for p in command.params)
    spelt = (p.envvar for p in options if p.envvar)
    return OTHER_VARIABLES | {
        name for names in spelt for name in ([names] if isinstance(names, str) else names)
    }


def _all_commands(command: click.Command) -> Iterable[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from _all_commands(inner)


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    """What all begin with makes nothing near."""
    own = sorted(one.removeprefix(_PREFIX) for one in known if one.startswith(_PREFIX))
    near = difflib.get_close_matches(name.removeprefix(_PREFIX), own, n=1)
    return f"; did you mean {_PREFIX}{near[0]}?" if near else ""
