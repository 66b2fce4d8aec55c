import dataclasses
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.app import up
from radio.app.checks import settings_check
from radio.app.checks.settings_check import BadSettings
from radio.cli.entry import main
from radio.settings import Limits, Settings, option, own_fields

WRONG: list[tuple[str, Any, str]] = [
    ("port", 99_999, "--port is 99999: it must be from 0 to 65535"),
    ("wyoming_port", -1, "--wyoming-port is -1: it must be from 0 to 65535"),
    ("hls_window_s", float("inf"), "--hls-window-s is inf: it must be from 6 to 2678400"),
    ("casts_keep_s", -5.0, "--casts-keep-s is -5.0: it must be from 0 to"),
    ("tone_xrt", float("nan"), "--tone-xrt is nan: it must be from 0 to 10000"),
    ("trusted_hops", -1, "--trusted-hops is -1: it must be from 0 to 16"),
    ("voice", "nosuch", "--voice is 'nosuch':"),
    ("base_url", "javascript:alert(1)", "--base-url is 'javascript:alert(1)': it must be like https://"),
    ("base_url", "https://u:p@radio.example/", "--base-url is"),
    ("base_url", "https://radio.example:x/", "--base-url is"),
    ("host", "http://x/", "--host is 'http://x/': it must be a name or an address"),
    ("model", "", "--model is empty"),
    ("model", "a\udcff", "--model: character 2 is U+DCFF"),
    ("data", Path(__file__), "it must be a folder, and this is a file"),
    ("operator_token", "short", "RADIO_OPERATOR_TOKEN: the operator token has 5 characters"),
    ("submit_token_file", "/nowhere/token", "--submit-token-file: cannot read the submit token"),
    ("store", "s2://x", "--store is s2://x: not the name of a basin"),
]


@pytest.mark.parametrize(("name", "value", "said"), WRONG)
def test_a_setting_that_cannot_be_is_refused_before_anything_starts(
    tmp_path: Path, name: str, value: Any, said: str
) -> None:
    settings = dataclasses.replace(Settings(data=tmp_path / "data"), **{name: value})
    with pytest.raises(BadSettings) as refused:
        up.up(settings, print)
    assert said in str(refused.value)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("name", [field.name for field in fields(Limits)])
def test_a_limit_of_none_is_refused(name: str) -> None:
    nothing: dict[str, Any] = {name: 0}
    settings = Settings(limits=Limits(**nothing))
    said = f"--limit-{name.replace('_', '-')} is 0: it must be from 1"
    with pytest.raises(BadSettings, match=said):
        settings_check.check(settings)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (Settings(port=8000, wyoming_port=8000), "--wyoming-port is 8000: --port is the same port"),
        (Settings(port=4002, s2_lite=True), "--s2-lite-port is 4002: --port is the same port"),
        (Settings(wyoming_port=10200, submit_token="x" * 16), "it knows no tokens"),
    ],
)
def test_two_settings_that_contradict_each_other_are_refused(settings: Settings, said: str) -> None:
    with pytest.raises(BadSettings, match=said):
        settings_check.check(settings)


def test_all_that_is_wrong_is_said_at_once() -> None:
    settings = Settings(port=-1, voice="nosuch", trusted_hops=-1)
    assert len(list(settings_check.problems(settings))) == 3


def test_the_defaults_are_right_and_every_number_has_a_range() -> None:
    settings_check.check(Settings())
    plain = Settings()
    numbers = {
        name for name in own_fields()
        if isinstance(getattr(plain, name), int | float) and not isinstance(getattr(plain, name), bool)
    }  # fmt: skip
    assert numbers == set(settings_check.RANGES)


@given(name=st.sampled_from(sorted(settings_check.RANGES)), value=st.floats() | st.integers())
def test_a_number_is_in_its_range_or_refused_by_name(name: str, value: float) -> None:
    least, most = settings_check.RANGES[name]
    changed: dict[str, Any] = {name: value}
    found = list(settings_check.problems(Settings(**changed)))
    is_refused = any(text.startswith(f"{option(name)} is {value}:") for text in found)
    assert is_refused != (least <= value <= most)


@pytest.mark.parametrize("command", ["up", "doctor", "relay", "narrate", "schedule"])
def test_each_command_that_runs_a_process_ends_with_status_2_and_the_name(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADIO_HLS_WINDOW_S", "inf")
    assert main([command]) == 2
    assert "--hls-window-s is inf: it must be from 6" in capsys.readouterr().err
