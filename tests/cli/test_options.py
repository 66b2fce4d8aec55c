from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from radio.cli.entry import cli
from radio.cli.options import CHOICES, HELP, rows, with_settings
from radio.errors import BadInput
from radio.settings import SECRETS, TOKEN_VARIABLES, Limits, Settings, emptied, to_environment, variable

OTHERS = {
    "store": "s2://another-basin", "base_url": "https://radio.example/", "voice": "bf_emma",
    "s2_lite_port": 7,
}  # fmt: skip


def settings_of(argv: list[str], **environment: str) -> Settings:
    seen: list[Settings] = []

    @click.command()
    @with_settings
    def command(settings: Settings) -> None:
        seen.append(settings)

    result = CliRunner().invoke(command, argv, env=environment, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return seen[0]


def test_without_options_all_is_default() -> None:
    assert settings_of([]) == Settings()


def test_every_setting_has_an_option_with_help() -> None:
    expected = {f.name for f in fields(Settings)} - {"limits", *SECRETS} | {
        f"limit_{f.name}" for f in fields(Limits)
    }
    assert {name for name, _ in rows()} == expected == set(HELP)
    assert set(CHOICES) <= expected


def test_a_process_is_told_the_same_settings_by_its_environment() -> None:
    told = Settings(
        port=9,
        data=Path("a b"),
        host="",
        base_url="https://x/",
        casts_lead_s=12.5,
        engine="tone",
        s2_lite=False,
        limits=Limits(cast_characters=7),
    )
    inherited = {"RADIO_PORT": "1234", "RADIO_S2_LITE": "1", "RADIO_VOICE": "bf_emma"}
    assert settings_of(emptied(told), **{**inherited, **to_environment(told)}) == told
    assert emptied(told) == ["--host="]


def test_every_option_has_its_variable() -> None:
    for name, default in rows():
        changed = CHOICES[name][-1] if name in CHOICES else OTHERS.get(name, type(default)("7"))
        settings = settings_of([], **{variable(name): str(changed)})
        holder = settings.limits if name.startswith("limit_") else settings
        assert getattr(holder, name.removeprefix("limit_")) == changed


def test_the_access_token_comes_from_the_environment_and_is_shown_nowhere() -> None:
    for name in TOKEN_VARIABLES:
        told = settings_of([], **{name: "very-secret"})
        assert told.s2_token == "very-secret"
        assert "very-secret" not in repr(told) + str(told) + str(to_environment(told))
        assert settings_of([], **to_environment(told), **{name: "very-secret"}) == told
    assert settings_of([], RADIO_S2_TOKEN="mine", S2_ACCESS_TOKEN="of others").s2_token == "mine"


@pytest.mark.parametrize("name", ["operator_token", "submit_token"])
def test_the_tokens_of_operator_and_submitters_come_from_the_environment_and_are_shown_nowhere(
    name: str,
) -> None:
    told = settings_of([], **{f"RADIO_{name.upper()}": "very-secret"})
    assert getattr(told, name) == "very-secret"
    assert "very-secret" not in repr(told) + str(told) + str(to_environment(told))


def test_no_option_takes_a_token() -> None:
    assert not set(SECRETS) & {name for name, _ in rows()}


def test_a_store_of_no_known_kind_is_refused_with_a_hint() -> None:
    with pytest.raises(BadInput, match="postgres") as failed:
        settings_of(["--store", "postgres"])
    assert "s2://BASIN" in failed.value.hint


@pytest.mark.parametrize(
    ("command", "shown", "left_out"),
    [
        (["redact"], ["--data", "--store", "--s2-lite"], ["--port", "--engine", "--limit-body-bytes"]),
        (["say"], ["--data", "--store", "--s2-lite"], ["--port", "--engine", "--limit-body-bytes"]),
        (["doctor"], ["--data", "--port", "--models", "--engine"], ["--hls-window-s", "--limit-body-bytes"]),
    ],
)
def test_a_command_shows_the_settings_that_it_uses_alone(
    command: list[str], shown: list[str], left_out: list[str]
) -> None:
    words = CliRunner().invoke(cli, [*command, "--help"], catch_exceptions=False).output.split()
    options = {word.split("/")[0] for word in words}
    assert set(shown) <= options
    assert not set(left_out) & options
