"""`radio cast`: have a text spoken at a link of its own."""

import asyncio
import re
import sys
from contextlib import aclosing
from pathlib import Path

import click

from radio.cli.client import Json, RadioClient
from radio.cli.listener.listen import save, sink
from radio.cli.options import as_json, secrets, url
from radio.cli.terminal import bar, clock, counted, print_json
from radio.errors import BadInput, RadioError
from radio.tokens import token_of

_FILE_NAME = re.compile(r"[^\s。！？、，]*(?:/[^\s。！？、，]*|[^\s./。！？、，]\.[A-Za-z]\w{0,4})")
"""One word with a slash in it, or an extension at its end: nobody means it to be spoken."""


class CastFailed(RadioError):
    """The cast could not be spoken."""


@click.command()
@click.argument("text")
@click.option(
    "--voice", envvar="RADIO_VOICE", help="Voice or blend; else the radio's own.  [env var: RADIO_VOICE]"
)
@click.option("--speed", type=click.FloatRange(0.5, 2.0), help="Speed of speech.")
@click.option("--title", help="Title on the cast's page.")
@click.option("--wait", is_flag=True, help="Return when all of it has been spoken.")
@click.option("--out", help="Write the MP3 to this file (- for stdout) while it is made; waits too.")
@click.option(
    "--submit-token-file", envvar="RADIO_SUBMIT_TOKEN_FILE", default="", show_envvar=True,
    help="File with the token of a radio that asks for one; else RADIO_SUBMIT_TOKEN holds it.",
)  # fmt: skip
@url
@as_json
def cast(
    text: str,
    voice: str | None,
    speed: float | None,
    title: str | None,
    wait: bool,
    out: str | None,
    submit_token_file: str,
    url: str,
    as_json: bool,
) -> None:
    """Have TEXT spoken: the text itself, a file that holds it, or - for stdin."""
    asked = {"text": read_text(text), "voice": voice, "speed": speed, "title": title}
    body = {key: value for key, value in asked.items() if value is not None}
    if wait or out is not None:
        body["wait"] = True
    asyncio.run(_cast(RadioClient(url, token=_token(submit_token_file)), body, wait, out, as_json))


def _token(file: str) -> str:
    given = secrets()["submit_token"]
    return token_of(given, file, what="submit token", option="--submit-token-file")


async def _cast(radio: RadioClient, body: Json, wait: bool, out: str | None, as_json: bool) -> None:
    async with radio as client:
        submitted = await client.post("casts", body)
        _show(client, submitted, as_json and not (wait or out), to_stderr=out == "-" or (as_json and wait))
        if out is not None:
            await _begun(client, submitted)
            with sink(out) as file:
                await save(client.stream(submitted["urls"]["mp3"]), file, None, submitted["cast"])
        if wait or out is not None:
            done = await _finished(client, submitted)
            _show_done(client, {**submitted, **done}, as_json, to_stderr=out == "-")


def _show(client: RadioClient, cast: Json, as_json: bool, *, to_stderr: bool) -> None:
    if as_json:
        print_json(cast)
        return
    click.echo(client.address(cast["urls"]["page"]), err=to_stderr)
    if cast["status"] == "queued" and cast.get("position"):
        about = f", about {clock(round(1000 * estimate_s))}" if (estimate_s := cast["estimate_s"]) else ""
        click.echo(f"queued at {cast['position']}{about}; stations on air go first", err=True)


def _show_done(client: RadioClient, cast: Json, as_json: bool, *, to_stderr: bool) -> None:
    if cast["status"] != "done":
        raise CastFailed(f"the cast ended as {cast['status']}: {cast.get('reason') or 'no reason given'}")
    if as_json and not to_stderr:
        print_json(cast)
    else:
        skipped = f", {cast['skipped']} skipped" if cast["skipped"] else ""
        click.echo(
            f"spoken: {counted(cast['sentences'], 'sentence')}, {clock(cast['audio_ms'])}{skipped}", err=True
        )


async def _begun(client: RadioClient, cast: Json) -> None:
    """Wait until something of the cast can be heard, or nothing comes of it any more."""
    async with aclosing(client.events(cast["urls"]["events"])) as events:  # type: ignore[type-var]
        async for kind, data in events:
            if kind in ("caption", "end") or (kind == "status" and data["status"] != "queued"):
                return


async def _finished(client: RadioClient, cast: Json) -> Json:
    """The cast once nothing more comes of it, with a bar of what has been spoken."""
    with bar(cast["characters"], "char", cast["cast"]) as progress:
        async with aclosing(client.events(cast["urls"]["events"])) as events:  # type: ignore[type-var]
            async for kind, data in events:
                if kind == "caption":
                    progress.update(len(data["t"]) + 1)
                elif kind == "end":
                    break
    return await client.get(f"casts/{cast['cast']}")


def read_text(argument: str) -> str:
    """The text that an argument stands for. Raises `BadInput` if it holds none."""
    if argument == "-":
        text = _decode_stdin()
    elif _is_file(argument):
        text = _decode(Path(argument))
    elif _FILE_NAME.fullmatch(argument):
        raise BadInput(f"there is no file {argument}", hint="give a text, an existing file, or -")
    else:
        text = argument
    if not text.strip():
        raise BadInput("there is no text to speak", hint="give a text, a file, or - for stdin")
    return text


def _is_file(argument: str) -> bool:
    try:
        return Path(argument).is_file()
    except (OSError, ValueError):
        return False  # too long for a name, or not one: it is the text itself


def _decode_stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as garbled:
        raise BadInput("stdin is not a text in UTF-8", hint="convert it first") from garbled


def _decode(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as garbled:
        raise BadInput(f"{path} is not a text in UTF-8", hint="convert it first") from garbled
    except OSError as refused:
        raise RadioError(f"{path} cannot be read: {refused.strerror}") from refused
