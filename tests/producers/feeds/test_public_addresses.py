import pytest

from radio.producers.feeds.public_addresses import is_public


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "::1", "::", "fe80::1%eth0", "fd00::1",
        "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::10.0.0.1",
        "64:ff9b:1::808:808", "2002:7f00:1::", "2002:c0a8:101::1", "2001:0:7f00:1::8.8.8.8",
    ],
)  # fmt: skip
def test_what_leads_into_a_closed_network_is_not_public_however_it_is_wrapped(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "2002:808:808::1", "::ffff:8.8.8.8"]
)
def test_what_leads_to_the_open_internet_is_public(address: str) -> None:
    assert is_public(address)
