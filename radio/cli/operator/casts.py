"""`radio casts`: what the operator may do to the casts of this radio."""

import asyncio

import click

from radio import casts as rooms
from radio import control
from radio.cli.options import with_store
from radio.cli.store.own_store import own_store
from radio.errors import BadInput, NotFound
from radio.settings import Settings
from radio.streams import names


@click.group()
def casts() -> None:
    """Pause all casts, go on with them, or remove one."""


@casts.command()
@with_store
def pause(settings: Settings) -> None:
    """Take and speak no casts from now on; what is spoken can be heard."""
    asyncio.run(_ask(settings, control.PAUSE))
    click.echo("casts are paused; a sentence may still be finished. radio casts resume ends it")


@casts.command()
@with_store
def resume(settings: Settings) -> None:
    """Take and speak casts again; those that wait keep their places."""
    asyncio.run(_ask(settings, control.RESUME))
    click.echo("casts go on")


@casts.command()
@click.argument("cast")
@with_store
def remove(settings: Settings, cast: str) -> None:
    """Remove a cast for good, given its link or its id: the same text in its voice is refused after that.

    Before an id that begins with a dash stands -- by itself.
    """
    name = cast_of(cast)
    asyncio.run(_remove(settings, name))
    click.echo(f"{name} goes as soon as a narrator runs; its link says that it is gone")


async def _ask(settings: Settings, what: str) -> None:
    async with own_store(settings) as store:
        await control.ask(store, what, control.CASTS)


async def _remove(settings: Settings, cast: str) -> None:
    async with own_store(settings) as store:
        try:
            await rooms.remove(store, cast, None)
        except NotFound as unknown:
            hint = "a cast's id is the end of its link"
            raise NotFound(f"there is no cast {cast} in this store", hint=hint) from unknown


def cast_of(link: str) -> str:
    """The id in a link like `http://…/c/<id>`, `/casts/<id>.mp3` or the id itself. Raises `BadInput`."""
    path = link.strip().partition("#")[0].partition("?")[0].rstrip("/")
    parts = path.split("/")
    last = parts[-2] if parts[-1] == "events" and len(parts) > 1 else parts[-1].partition(".")[0]
    if not names.CAST_ID.fullmatch(last):
        hint = "give its link, or its id: 12 letters, digits, - or _"
        raise BadInput(f"{link[:80]!r} is no cast", hint=hint)
    return last
