from pathlib import Path

import pytest

from radio.app import up
from radio.errors import BadInput
from radio.settings import Settings


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        (Settings(), "http://127.0.0.1:8321/"),
        (Settings(host="0.0.0.0", port=80), "http://127.0.0.1:80/"),
        (Settings(host="::1"), "http://[::1]:8321/"),
        (Settings(base_url="https://radio.example/fm"), "https://radio.example/fm/"),
    ],
)
def test_the_address_is_one_that_a_browser_here_can_open(settings: Settings, url: str) -> None:
    assert up.address(settings) == url


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("192.168.1.7", False)],
)
def test_only_loopback_is_closed_to_the_network(host: str, expected: bool) -> None:
    assert up.is_loopback(host) is expected


def test_a_basin_that_cannot_be_is_said_before_anything_is_started(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not the name of a basin"):
        up.up(Settings(store="s2://radio", s2_lite=True, data=tmp_path), print)


def test_the_memory_store_cannot_serve_several_processes(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="one process"):
        up.up(Settings(store="memory", data=tmp_path), print)
