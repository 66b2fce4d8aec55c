from collections.abc import Sequence

from radio.producers.host.chat_history import ChatHistory, Turn
from radio.producers.models.chat_model import Message


def turn(topic: str, words: int) -> Turn:
    return Turn(topic, Message("user", topic), " ".join(["word"] * (words - 1)))


async def count(chat: Sequence[Message]) -> int:
    return sum(len(message.content.split()) for message in chat)


async def topics(turns: ChatHistory, topic: str, budget: int) -> list[str]:
    return [m.content for m in await turns.fitting(topic, budget, count) if m.role == "user"]


async def test_the_newest_that_fit_stand_in_the_order_in_which_they_were_told() -> None:
    turns = ChatHistory()
    for topic in ("tea", "salt", "bread"):
        turns.keep(turn(topic, 10))
    assert await topics(turns, "ferries", 100) == ["tea", "salt", "bread"]
    assert await topics(turns, "ferries", 25) == ["salt", "bread"]
    assert await topics(turns, "ferries", 9) == []


async def test_what_was_said_of_the_same_topic_comes_first() -> None:
    turns = ChatHistory()
    for topic in ("tea", "salt", "bread"):
        turns.keep(turn(topic, 10))
    assert await topics(turns, "tea", 25) == ["tea", "bread"]
    assert await topics(turns, "tea", 10) == ["tea"]


async def test_a_prompt_grows_no_further_however_long_the_run() -> None:
    turns = ChatHistory()
    for n in range(500):
        turns.keep(turn(f"topic{n}", 2))
    assert len(await topics(turns, "tea", 10_000)) == 40


async def test_a_segment_of_which_nothing_was_said_is_not_remembered() -> None:
    turns = ChatHistory()
    turns.keep(Turn("tea", Message("user", "tea"), ""))
    assert await topics(turns, "tea", 100) == []
