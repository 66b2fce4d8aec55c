"""Tokens and `take`: who may write, and who may become the one who may. Rule T3: no clock decides it."""

import asyncio
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from radio.errors import BadInput
from radio.streams.contract import (
    MAX_TOKEN_BYTES,
    Fence,
    FenceMismatch,
    FromSeq,
    NewRecord,
    StreamNotFound,
    StreamStore,
    Trim,
    Unavailable,
)
from radio.streams.ownership.members import OWNER, new_owner
from radio.streams.ownership.stream_owner import (
    Look,
    Owned,
    Ownership,
    Sealed,
    Token,
    free,
    parse,
    sealed,
    take,
    token,
)

A, B = "aaaaaaaa", "bbbbbbbb"

owners = st.from_regex(OWNER, fullmatch=True).filter(str.isascii)
epochs = st.integers(0, 36**12).filter(lambda epoch: epoch != int("nd", 36))


@given(epochs, owners)
def test_a_token_says_its_epoch_and_owner(epoch: int, owner: str) -> None:
    assert parse(token(epoch, owner)) == Token("owned", epoch, owner=owner)
    assert len(token(epoch, owner).encode()) <= MAX_TOKEN_BYTES


@given(epochs)
def test_a_stream_given_up_keeps_its_epoch(epoch: int) -> None:
    assert parse(free(epoch)) == Token("free", epoch)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=8))
@example("complete")
def test_a_seal_says_its_reason(reason: str) -> None:
    assert parse(sealed(reason)) == Token("end", reason=reason)


def test_no_owner_has_the_token_that_spells_an_end() -> None:
    with pytest.raises(BadInput):
        token(int("nd", 36), A)


def test_tokens_are_spelt_as_stored_radios_have_them() -> None:
    assert token(1, A) == "e1.aaaaaaaa"
    assert token(36 + 35, "0z9y8x7w") == "e1z.0z9y8x7w"
    assert free(10) == "free.a"
    assert sealed("gone") == "end.gone"
    assert parse("") == Token("none")


@pytest.mark.parametrize(
    "text", ["e.aaaaaaaa", "e1.short", "E1.aaaaaaaa", "free.", "end", "mine", "e1.aaaaaaaaa"]
)
def test_a_foreign_token_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse(text)


def test_a_token_that_would_not_fit_is_refused() -> None:
    with pytest.raises(BadInput):
        sealed("x" * 33)
    with pytest.raises(BadInput):
        token(-1, A)


def test_owner_ids_are_random_and_of_eight_characters() -> None:
    made = {new_owner() for _ in range(200)}
    assert len(made) == 200
    assert all(re.fullmatch(r"[0-9a-z]{8}", owner) for owner in made)


async def nobody(owner: str) -> bool:
    return False


async def everybody(owner: str) -> bool:
    return True


async def take_as(
    store: StreamStore, owner: str, *, lives_all: bool = False, epoch: int | None = None
) -> Ownership:
    """Take stream "a", with a start record that names its owner."""

    async def look() -> Look:
        try:
            tail = (await store.check_tail("a")).seq
        except StreamNotFound:
            tail = 0
        return Look(NewRecord(owner.encode()), tail)

    return await take(store, "a", owner, look, lives=everybody if lives_all else nobody, epoch=epoch)


async def starts(store: StreamStore) -> list[str]:
    return [r.body.decode() for r in (await store.read("a", FromSeq(0))).records]


async def test_a_stream_that_is_missing_or_unfenced_can_be_taken(store: StreamStore) -> None:
    assert await take_as(store, A) == Ownership("e1.aaaaaaaa", 1, 2)
    await store.append("b", [NewRecord(b"x")])

    async def look() -> Look:
        return Look([NewRecord(b"start"), NewRecord(b"more")], 1)

    assert await take(store, "b", A, look, lives=nobody) == Ownership("e1.aaaaaaaa", 1, 4)


async def test_what_a_living_process_owns_cannot_be_taken(store: StreamStore) -> None:
    await take_as(store, A)
    with pytest.raises(Owned) as failed:
        await take_as(store, B, lives_all=True)
    assert failed.value.owner == A
    assert await starts(store) == [A]


async def test_what_a_dead_process_owned_is_taken_with_the_next_epoch(store: StreamStore) -> None:
    first = await take_as(store, A)
    second = await take_as(store, B)
    assert (second.token, second.epoch) == ("e2.bbbbbbbb", 2)
    with pytest.raises(FenceMismatch):
        await store.append("a", [NewRecord(b"late")], fencing_token=first.token)
    assert await starts(store) == [A, B]


async def test_ones_own_stream_can_be_taken_again(store: StreamStore) -> None:
    await take_as(store, A)
    again = await take_as(store, A, lives_all=True)
    assert again.token == "e2.aaaaaaaa"


async def test_a_stream_given_up_is_taken_with_the_next_epoch(store: StreamStore) -> None:
    mine = await take_as(store, A)
    await store.append("a", [Fence(free(mine.epoch))], fencing_token=mine.token)
    assert (await take_as(store, B, lives_all=True)).token == "e2.bbbbbbbb"


async def test_the_epoch_that_spells_an_end_is_passed_over(store: StreamStore) -> None:
    before = int("nd", 36) - 1
    await store.append("a", [Fence(token(before, A))])
    taken = await take_as(store, B)
    assert (parse(taken.token).owner, taken.epoch) == (B, before + 2)


async def test_a_sealed_stream_is_nobodys(store: StreamStore) -> None:
    mine = await take_as(store, A)
    await store.append("a", [NewRecord(b"eos"), Fence(sealed("done"))], fencing_token=mine.token)
    for epoch in (None, 99):
        with pytest.raises(Sealed) as failed:
            await take_as(store, B, epoch=epoch)
        assert failed.value.token == "end.done"
    with pytest.raises(FenceMismatch):
        await store.append("a", [NewRecord(b"late")], fencing_token=mine.token)


async def test_of_two_producers_the_higher_attempt_wins_alive_or_not(store: StreamStore) -> None:
    first = await take_as(store, A, epoch=1)
    assert first.token == "e1.aaaaaaaa"
    second = await take_as(store, B, lives_all=True, epoch=2)
    assert (second.token, second.epoch) == ("e2.bbbbbbbb", 2)
    for epoch in (1, 2):
        with pytest.raises(Owned):
            await take_as(store, A, epoch=epoch)
    assert (await take_as(store, A, lives_all=True, epoch=7)).epoch == 7


async def test_of_many_who_take_at_once_one_becomes_the_owner(store: StreamStore) -> None:
    names = [new_owner() for _ in range(8)]
    results = await asyncio.gather(
        *(take_as(store, name, lives_all=True) for name in names), return_exceptions=True
    )
    won = [r for r in results if isinstance(r, Ownership)]
    assert len(won) == 1
    assert sum(isinstance(r, Owned) for r in results) == 7
    assert await store.fencing_token("a") == won[0].token
    assert len(await starts(store)) == 1


async def test_what_was_seen_still_holds_when_the_stream_is_ours(store: StreamStore) -> None:
    """A record that comes between look and take makes the taker look again."""
    await store.append("a", [NewRecord(b"0")])
    looks = 0

    async def look() -> Look:
        nonlocal looks
        looks += 1
        tail = (await store.check_tail("a")).seq
        if looks < 3:
            await store.append("a", [NewRecord(b"%d" % looks)])
        return Look(NewRecord(b"start after %d" % tail), tail)

    mine = await take(store, "a", A, look, lives=nobody)
    assert looks == 3
    assert await starts(store) == ["0", "1", "2", "start after 3"]
    assert mine.next_seq == 5


async def test_a_look_that_is_always_late_ends_as_unavailable(store: StreamStore) -> None:
    await store.append("a", [NewRecord(b"0")])

    async def look() -> Look:
        return Look(NewRecord(b"start"), 0)

    with pytest.raises(Unavailable):
        await take(store, "a", A, look, lives=nobody)
    assert await starts(store) == ["0"]


async def test_ownership_holds_though_every_record_is_trimmed(store: StreamStore) -> None:
    mine = await take_as(store, A)
    await store.append("a", [Trim(99)], fencing_token=mine.token, match_seq_num=mine.next_seq)
    with pytest.raises(Owned):
        await take_as(store, B, lives_all=True)
