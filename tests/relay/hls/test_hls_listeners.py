from hypothesis import given
from hypothesis import strategies as st

from radio.relay.hls.hls_listeners import HEARD_S, MAX_PLAYERS, STAYED_S, HlsListeners


def test_a_player_counts_while_it_fetches_playlists_and_one_look_is_a_probe() -> None:
    audience = HlsListeners(most=20)
    audience.looked("1.1.1.1", "vlc", 0.0)
    assert audience.counted(0.0) == audience.counted(10.0) == 0
    audience.looked("1.1.1.1", "vlc", 6.0)
    audience.looked("1.1.1.1", "mpv", 6.0)
    assert audience.counted(6.0) == audience.counted(6.0 + HEARD_S) == 1
    assert audience.counted(6.1 + HEARD_S) == 0


def test_who_comes_back_after_a_while_stays_anew() -> None:
    audience = HlsListeners(most=20)
    audience.looked("1.1.1.1", "vlc", 0.0)
    audience.looked("1.1.1.1", "vlc", 100.0)
    assert audience.counted(100.0) == 0


def test_no_address_counts_for_more_players_than_it_may_have() -> None:
    audience = HlsListeners(most=3)
    for now in (0.0, 6.0):
        for player in range(50):
            audience.looked("1.1.1.1", f"player {player}", now)
        audience.looked("2.2.2.2", "vlc", now)
    assert audience.counted(6.0) == 4


def test_what_is_remembered_is_bounded() -> None:
    audience = HlsListeners(most=MAX_PLAYERS * 2)
    for now in (0.0, 6.0):
        for player in range(MAX_PLAYERS + 500):
            audience.looked("1.1.1.1", str(player), now)
    assert len(audience._players) == MAX_PLAYERS


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.floats(0, 30)), max_size=40))
def test_as_many_are_counted_as_stayed_and_looked_lately(looks: list[tuple[str, str, float]]) -> None:
    audience, now = HlsListeners(most=20), 0.0
    seen: dict[tuple[str, str], list[float]] = {}
    for address, player, later in looks:
        now += later
        audience.looked(address, player, now)
        mine = seen.setdefault((address, player), [])
        if mine and now - mine[-1] > HEARD_S:
            mine.clear()
        mine.append(now)
    stayed = [mine for mine in seen.values() if now - mine[-1] <= HEARD_S and mine[-1] - mine[0] >= STAYED_S]
    assert audience.counted(now) == len(stayed)
