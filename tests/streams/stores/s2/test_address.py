"""Which basin, where, and with which token: what an operator may say, and what is refused with a hint."""

from pathlib import Path

import pytest

from radio.errors import BadInput
from radio.settings import Settings
from radio.streams.stores.s2.address import CLOUD, S2Address, place_of

LITE = "http://127.0.0.1:4002"


def test_s2_lite_has_one_origin_and_needs_no_token() -> None:
    place = place_of(Settings(store="s2://radio-main", s2_endpoint=f"{LITE}/"))
    assert place == S2Address("radio-main", LITE, LITE)
    assert not place.is_cloud


def test_without_an_endpoint_it_is_the_cloud_with_its_token() -> None:
    place = place_of(Settings(store="s2://radio-main", s2_token=" secret \n"))
    assert (place.account, place.streams, place.token) == (*CLOUD, "secret")
    assert place.is_cloud


def test_account_and_basin_may_have_two_origins() -> None:
    place = place_of(
        Settings(store="s2://radio-main", s2_endpoint="https://a.example, https://{basin}.b.example")
    )
    assert (place.account, place.streams) == ("https://a.example", "https://{basin}.b.example")


def test_the_file_of_the_token_goes_before_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("of-the-file\n")
    told = Settings(store="s2://radio-main", s2_token="of-the-environment", s2_token_file=str(file))
    assert place_of(told).token == "of-the-file"


@pytest.mark.parametrize(
    "basin", ["", "short", "-radio-main", "radio-main-", "Radio-Main", "radio_main", "r" * 49, "radio/main"]
)
def test_a_bad_name_of_a_basin_is_refused(basin: str) -> None:
    with pytest.raises(BadInput, match="basin") as failed:
        place_of(Settings(store=f"s2://{basin}", s2_endpoint=LITE))
    assert "s2://BASIN" in failed.value.hint


@pytest.mark.parametrize("basin", ["radiomai", "radio-main", "0" * 48])
def test_a_name_of_8_to_48_characters_is_a_basin(basin: str) -> None:
    assert place_of(Settings(store=f"s2://{basin}", s2_endpoint=LITE)).basin == basin


@pytest.mark.parametrize(
    "endpoint",
    [
        "127.0.0.1:4002",
        "ftp://x",
        f"{LITE}/v1",
        "http://me:secret@host",
        f"{LITE},ftp://x",
        f"{LITE},https://x",
    ],
)
def test_what_is_no_origin_is_refused(endpoint: str) -> None:
    with pytest.raises(BadInput):
        place_of(Settings(store="s2://radio-main", s2_endpoint=endpoint))


def test_the_cloud_without_a_token_is_refused_with_a_hint() -> None:
    with pytest.raises(BadInput, match="token") as failed:
        place_of(Settings(store="s2://radio-main"))
    assert "RADIO_S2_TOKEN" in failed.value.hint


def test_a_file_without_a_token_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("\n")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    for path in (empty, binary, tmp_path / "missing"):
        with pytest.raises(BadInput, match="token") as failed:
            place_of(Settings(store="s2://radio-main", s2_token_file=str(path)))
        assert "--s2-token-file" in failed.value.hint


@pytest.mark.parametrize("token", ["very secret", "very\nsecret", "véry-secret"])
def test_a_token_that_no_header_can_carry_is_refused_and_not_shown(token: str) -> None:
    with pytest.raises(BadInput) as failed:
        place_of(Settings(store="s2://radio-main", s2_token=token))
    assert token not in f"{failed.value} {failed.value.hint}"


def test_nothing_that_is_printed_shows_the_token() -> None:
    place = place_of(Settings(store="s2://radio-main", s2_token="very-secret"))
    assert "very-secret" not in f"{place} {place!r}"
    assert place.without_token("Bearer very-secret!") == "Bearer ***!"
