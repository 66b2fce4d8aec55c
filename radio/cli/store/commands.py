"""`radio store`: what is in the store, whether it keeps its promises, and how to move, trim and save it."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing

import click

from radio.cli.exit_status import FAILED, OK
from radio.cli.options import as_json, with_store
from radio.cli.store import copy, info
from radio.cli.terminal import counted, print_json
from radio.clock import SystemClock
from radio.errors import BadInput
from radio.settings import Settings
from radio.streams.conformance import RULES, Rule
from radio.streams.conformance.live_check import Outcome, try_rules
from radio.streams.stores.open_store import open_store


@click.group()
def store() -> None:
    """The store of all streams: look into it, check it, copy it, trim it, save it."""


for _command in (info.info, copy.copy_store, info.trim, copy.backup, copy.restore):
    store.add_command(_command)


@store.command()
@click.option("--rule", "wanted", multiple=True, help="Only rules of this number, like A9; may be repeated.")
@with_store
@as_json
def check(settings: Settings, wanted: tuple[str, ...], as_json: bool) -> int:
    """Try the numbered rules of the store contract, in streams of its own that it removes again."""
    outcomes = asyncio.run(_check(settings, _chosen(wanted), quiet=as_json))
    broken = [outcome for outcome in outcomes if outcome.broken]
    if as_json:
        print_json([_row(outcome) for outcome in outcomes])
    else:
        numbers = {outcome.rule.number for outcome in outcomes}
        held = numbers - {outcome.rule.number for outcome in broken}
        tried = counted(len(outcomes), "check")
        click.echo(f"{len(held)} of {counted(len(numbers), 'rule')} held, {tried}, {len(broken)} broken")
    return FAILED if broken else OK


async def _check(settings: Settings, rules: Sequence[Rule], *, quiet: bool) -> list[Outcome]:
    clock = SystemClock()
    outcomes = []
    async with aclosing(try_rules(lambda: open_store(settings, clock), clock, rules)) as trying:
        async for outcome in trying:
            outcomes.append(outcome)
            if not quiet:
                click.echo(_line(outcome, len(outcomes), len(rules)))
    return outcomes


def _chosen(wanted: Sequence[str]) -> Sequence[Rule]:
    """The rules of these numbers; all if none is named."""
    known = {rule.number for rule in RULES}
    if unknown := sorted(set(wanted) - known):
        raise BadInput(f"no rule {', '.join(unknown)} to try", hint="docs/streams.md has the rules")
    return [rule for rule in RULES if not wanted or rule.number in wanted]


def _line(outcome: Outcome, number: int, total: int) -> str:
    verdict = "broken" if outcome.broken else "held"
    line = f"{number:>{len(str(total))}}/{total} {verdict:<6} {outcome.rule.number:<4} {outcome.rule.says}"
    return f"{line}\n       {outcome.broken}" if outcome.broken else line


def _row(outcome: Outcome) -> dict[str, object]:
    rule = outcome.rule
    return {
        "rule": rule.number,
        "says": rule.says,
        "held": not outcome.broken,
        "broken": outcome.broken or None,
        "seconds": round(outcome.seconds, 3),
    }
