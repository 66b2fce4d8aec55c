from radio.narrator.back_off import FIRST_S, MOST_S, BackOff


def test_each_pause_is_twice_the_one_before_up_to_the_longest_until_it_is_reset() -> None:
    back_off = BackOff()
    pauses = [back_off.next() for _ in range(8)]
    assert pauses[:3] == [FIRST_S, 2 * FIRST_S, 4 * FIRST_S]
    assert pauses[-2:] == [MOST_S, MOST_S]
    assert pauses == sorted(pauses)
    back_off.reset()
    assert back_off.next() == FIRST_S
