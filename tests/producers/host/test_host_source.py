"""The host, with a model of the test's own words, and with the real one."""

import asyncio
import random
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from radio import producer_kinds
from radio.clock import SystemClock
from radio.producers import runner
from radio.producers.host import host_source
from radio.producers.host.repetition import words_of
from radio.producers.host.thought_room import ROOM_TOKENS
from radio.producers.host.topic_segment import SegmentWriter, WentWrong
from radio.producers.models.chat_model import ChatModel, Message, OnlyThoughts, PromptTooLong, Sampling
from radio.producers.models.model_cache import ModelCache
from radio.producers.source import Brief, TakeBack, Words
from radio.runs import SPEECH_BYTES_PER_S
from radio.settings import Settings
from radio.streams.records import ScriptEnd, Text
from radio.streams.stores.memory import MemoryStore
from tests.need import need
from tests.producers.samples import assignment, script
from tests.waiting import until

TIDES = producer_kinds.Topic(
    topic="the tides", facts=("Most coasts have two high tides.", "The Baltic has almost none.")
)


class Parrot:
    """A model that says the given lines, one a call, then nothing."""

    name = "parrot.gguf"
    context_tokens = 2048

    def __init__(self, *lines: str, is_small: bool = True) -> None:
        self.is_small = is_small
        self.seeds: list[int] = []
        self.prompts: list[str] = []
        self._left = iter(lines)

    async def tokens(self, chat: Sequence[Message], begun: str = "") -> int:
        return len(" ".join([*(m.content for m in chat), begun]).split())

    async def write(
        self, chat: Sequence[Message], begun: str, sampling: Sampling
    ) -> AsyncGenerator[str, None]:
        self.seeds.append(sampling.seed)
        self.prompts.append("\n".join([*(m.content for m in chat), begun]))
        for word in re.split(r"(?<= )", next(self._left, "")):
            yield word

    async def close(self) -> None:
        """Nothing is open."""


class OneModel(ModelCache):
    def __init__(self, model: ChatModel) -> None:
        super().__init__()
        self._model = model

    async def model(self, settings: Settings, name: str) -> ChatModel:
        return self._model


class Script:
    """What stands of a script that a host writes; `spoken` segments stand whatever is taken back."""

    def __init__(self, model: ChatModel, *topics: producer_kinds.Topic, **changes: Any) -> None:
        self.task = assignment(Path(), producer="llm", title="The Brief", persona="Ada")
        self.pieces: list[Words | TakeBack] = []
        self.stands: dict[int, str] = {}
        values: dict[str, Any] = {
            "assignment": self.task, "options": producer_kinds.Llm(topics=topics), "settings": Settings(),
            "clock": SystemClock(), "next_seg": 0, "written": "", "heard_at": lambda: self.task.at,
            "stands": lambda seg: self.stands.get(seg, ""), "model_cache": OneModel(model),
        }  # fmt: skip
        self.brief = Brief(**{**values, **changes})

    async def write(self, segments: int) -> str:
        """The text of so many segments, or of fewer if the model has no more to say."""
        try:
            return await self.write_to_the_fault(segments)
        except host_source.WritesNothing:
            return self.text

    @property
    def text(self) -> str:
        return "".join(self.stands[seg] for seg in sorted(self.stands))

    async def write_to_the_fault(self, segments: int = 100) -> str:
        """The same, but a model that says nothing is an error."""
        pieces = host_source.open_source(self.brief).pieces()
        first: int | None = None
        async for piece in pieces:
            first = piece.seg if first is None else first
            if piece.seg >= first + segments:
                break
            assert isinstance(piece, Words | TakeBack)
            self.pieces.append(piece)
            if isinstance(piece, Words):
                self.stands[piece.seg] = self.stands.get(piece.seg, "") + piece.text
            else:
                self.stands.pop(piece.seg, None)
        await pieces.aclose()
        return self.text


def lines(*said: str) -> list[str]:
    """Said after openers: the first sentence of each ends the opener's."""
    return [f" {line} More" for line in said]


async def test_facts_are_said_as_they_stand_and_the_model_adds_to_them() -> None:
    parrot = Parrot(*lines("a slow thing.", "walk along the shore.", "the little ponds."))
    said = await Script(parrot, TIDES).write(1)
    assert said.startswith("Good ")
    assert "This is Harbor FM." in said
    assert re.search(r"Most coasts have two high tides\. [^.]+ walk along the shore\. ", said)
    assert re.search(r"The Baltic has almost none\. [^.]+ the little ponds\. ", said)
    assert said.endswith("\n\n")
    assert "Most coasts have two high tides. " in parrot.prompts[1]


async def test_a_refused_stretch_is_tried_again_with_another_seed_and_then_left_out() -> None:
    parrot = Parrot("", "", *lines("as an AI.", "walk along the shore.", "as an AI.", "9 islands."))
    given = Script(parrot, TIDES)
    said = await given.write(1)
    assert re.search(
        r"Most coasts have two high tides\. [^.]+ walk along the shore\. The Baltic has almost none\. \n",
        said,
    )
    assert len(set(parrot.seeds)) == len(parrot.seeds)
    assert given.brief.discarded["about itself"] == 2
    assert given.brief.discarded["figure"] == 1


async def test_an_unfinished_sentence_is_not_said() -> None:
    given = Script(Parrot(" how slow they", " how slow"), TIDES)
    assert "how slow" not in await given.write(1)
    assert given.brief.discarded["unfinished"] >= 2


async def test_a_host_that_goes_on_finishes_the_segment_that_it_left() -> None:
    written = "Hello. This is Harbor FM. Most coasts have two high tides. "
    given = Script(Parrot(), TIDES, next_seg=1, written=written)
    given.stands[0] = written
    said = await given.write(1)
    assert [piece.seg for piece in given.pieces] == [0] * len(given.pieces)
    assert said == f"{written}The Baltic has almost none. \n\n"


async def test_a_host_that_goes_on_after_a_whole_segment_begins_the_next_and_repeats_nothing() -> None:
    gulls = producer_kinds.Topic(topic="gulls", facts=("Gulls drink sea water.", TIDES.facts[0]))
    written = f"{TIDES.facts[0]} \n\n"
    said = await Script(Parrot(), TIDES, gulls, next_seg=1, written=written).write(1)
    assert said == "Gulls drink sea water. \n\n"


async def test_what_aired_before_is_not_said_again_but_facts_are() -> None:
    aired = (TIDES.facts[0], "They walk along the shore and look at the little ponds.")
    parrot = Parrot(*lines("all. They walk along the shore and look at the little ponds."))
    given = Script(parrot, producer_kinds.Topic(topic="walks"), TIDES, aired=aired)
    said = await given.write(2)
    assert "little ponds" not in said
    assert TIDES.facts[0] in said
    assert given.brief.discarded["repeated"] == 1


async def test_words_that_prove_to_be_thoughts_are_taken_back_and_the_segment_is_told_anew() -> None:
    walks = producer_kinds.Topic(topic="walks")
    parrot = Parrot(
        " calm. I should plan what I say next to them. </think> Yes", *lines("slow. It is good to walk.")
    )
    given = Script(parrot, walks)
    said = await given.write(1)
    assert [piece.seg for piece in given.pieces if isinstance(piece, TakeBack)] == [0]
    assert "plan" not in said
    assert "It is good to walk." in said
    assert said.count("This is Harbor FM.") == 1
    assert given.brief.discarded["segment, thoughts"] == 1


async def test_a_segment_that_says_what_another_said_is_cut_told_once_more_and_then_left_out() -> None:
    words = [
        ("seagulls above crooked masts. Evening colours", "painted fishing boats and wooden houses."),
        ("crooked wooden masts. Painted seagulls like evening houses.", "fishing above colours and boats."),
    ]
    first = lines(*words[0], "quiet lanterns along wooden jetties.")
    second = lines(*words[1], "wooden jetties and along them quiet lanterns.")
    tea, walks, salt = (producer_kinds.Topic(topic=topic) for topic in ("tea", "walks", "salt"))
    given = Script(Parrot(*first, *second, *second, *lines("the taste of it.")), tea, walks, salt)
    said = await given.write(3)
    assert "seagulls above crooked masts." in given.stands[0]
    assert [piece.seg for piece in given.pieces if isinstance(piece, TakeBack)] == [1, 1]
    assert given.stands.get(1) is None
    assert "the taste of it." in said
    assert given.brief.discarded["segment, repeated"] == 2


async def test_a_segment_of_which_nothing_could_be_said_is_tried_once_more_and_its_opening_is_heard() -> None:
    again = "They walk along the shore and look at the little ponds."
    parrot = Parrot(*lines(*[again] * 6), "", "", *lines("a warm cup."))
    given = Script(parrot, producer_kinds.Topic(topic="tea"), aired=(again,))
    said = await given.write(1)
    assert said.count("This is Harbor FM.") == 1
    assert "a warm cup." in said
    assert given.brief.discarded["repeated"] == 6


async def test_what_was_spoken_of_a_segment_stands_and_is_not_told_twice() -> None:
    spoken = f"Hello. This is Harbor FM. {TIDES.facts[0]} "
    given = Script(Parrot(" calm and I plan it </think> Yes"), TIDES)
    source = host_source.open_source(given.brief).pieces()
    after: list[str] | None = None
    async for piece in source:
        if isinstance(piece, TakeBack):
            given.stands[0], after = spoken, []
        elif isinstance(piece, Words) and after is not None:
            after.append(piece.text)
            if piece.text == "\n\n":
                break
    await source.aclose()
    assert after == [f"{TIDES.facts[1]} ", "\n\n"]


async def test_a_segment_that_goes_wrong_to_the_last_ends_if_words_of_it_were_spoken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else the next segment runs into its paragraph, and a restart tells it again."""

    async def wrong(*_: object, **__: object) -> AsyncGenerator[str, None]:
        yield "The water is calm."
        raise WentWrong("repeats")

    monkeypatch.setattr(SegmentWriter, "segment", wrong)
    given = Script(Parrot(), producer_kinds.Topic(topic="the tides"))
    source = host_source.open_source(given.brief).pieces()
    segment: list[str] = []
    async for piece in source:
        if isinstance(piece, TakeBack):
            given.stands[0] = "The water is calm. "
            segment = []
        elif isinstance(piece, Words):
            if piece.seg:
                break
            segment.append(piece.text)
    await source.aclose()
    assert segment == ["\n\n"]


async def test_a_show_hands_over_once_before_its_end() -> None:
    parrot = Parrot(*lines(*(f"thing number {n} of the evening." for n in ("one", "two", "three"))))
    until_ms = assignment(Path()).until
    topics = (producer_kinds.Topic(topic="tea"), producer_kinds.Topic(topic="walks"))
    late = {"written": "x \n\n", "next_seg": 1, "heard_at": lambda: until_ms - 30_000}
    given = Script(parrot, *topics, **late)
    said = await given.write(3)
    assert said.count("The Brief is nearly over") == 1
    assert said.startswith("The Brief is nearly over")


async def test_words_with_a_clock_say_for_when_they_were_written() -> None:
    given = Script(Parrot(), TIDES)
    await given.write(1)
    clocks = [piece.heard_about for piece in given.pieces if isinstance(piece, Words) and piece.heard_about]
    assert clocks == [given.task.at]


async def test_a_topic_that_does_not_fit_into_the_model_is_refused_before_the_first_word() -> None:
    long = producer_kinds.Topic(topic="the tides", facts=("The tide comes and goes. " * 500,))
    with pytest.raises(PromptTooLong, match=r"the tides.* needs .* parrot.gguf has 2048") as refused:
        await Script(Parrot(), TIDES, long).write(1)
    assert refused.value.hint


async def test_a_larger_model_tells_whole_segments_and_remembers_what_it_said() -> None:
    parrot = Parrot(
        "The moon pulls the water towards it. Boats wait for it in the bay.",
        "Tea is best when it rains outside. It warms both of my hands.",
        "The moon has not changed its mind.",
        is_small=False,
    )
    said = await Script(parrot, TIDES, producer_kinds.Topic(topic="tea")).write(3)
    assert "Boats wait for it in the bay. \n\n" in said
    assert "It warms both of my hands. \n\n" in said
    assert "Say something else about it than before." in parrot.prompts[2]
    assert parrot.prompts[2].index("The moon pulls the water") < parrot.prompts[2].index("Tea is best")


class Forgetful(Parrot):
    """Every other sentence of it is one of a few, and it goes on for too long."""

    WORDS = tuple(
        f"{a}{b}{c}" for a in "bdfgklm" for b in ("en", "ol", "ar") for c in ("t", "dle", "ster", "ning")
    )

    async def write(
        self, chat: Sequence[Message], begun: str, sampling: Sampling
    ) -> AsyncGenerator[str, None]:
        dice = random.Random(sampling.seed)
        for article in ("the", *["The"] * 5):
            source = random.Random(dice.randrange(30)) if dice.random() < 0.5 else dice
            yield f" {article} {' '.join(source.choices(self.WORDS, k=9))}. "


async def test_in_an_hour_even_a_host_with_little_to_say_does_not_repeat_itself() -> None:
    topics = [
        producer_kinds.Topic(topic=t, facts=(f"There is much to say of {t}.",))
        for t in ("tea", "gulls", "salt")
    ]
    given = Script(Forgetful(), *topics)
    text, seg = "", 0
    source = host_source.open_source(
        replace(given.brief, heard_at=lambda: given.task.at + round(len(text) / SPEECH_BYTES_PER_S * 1000))
    ).pieces()
    async with aclosing(source):
        async for piece in source:
            if isinstance(piece, Words):
                given.stands[piece.seg] = given.stands.get(piece.seg, "") + piece.text
            else:
                given.stands.pop(piece.seg, None)
            seg = max(seg, piece.seg)
            text = "".join(given.stands.values())
            if len(text) > 3600 * SPEECH_BYTES_PER_S:
                break
    said = [" ".join(words_of(sentence)) for sentence in re.split(r"(?<=[.!?])\s+", text.strip())]
    counted = [sentence for sentence in said if len(sentence.split()) >= 5]
    assert len(text) > 3600 * SPEECH_BYTES_PER_S
    assert len(counted) > 250
    assert len(counted) - len(set(counted)) < 0.01 * len(counted)
    assert given.brief.discarded["repeated"] > 0


async def test_a_larger_model_that_goes_on_remembers_what_stands() -> None:
    parrot = Parrot("Tea is best when it rains outside.", is_small=False)
    told = "The moon pulls the water towards it. \n\n"
    given = Script(parrot, TIDES, producer_kinds.Topic(topic="tea"), next_seg=1, written=told)
    given.stands[0] = told
    await given.write(1)
    assert "Talk to the listeners about the tides." in parrot.prompts[0]
    assert "The moon pulls the water towards it." in parrot.prompts[0]


async def test_a_model_that_says_nothing_is_a_fault() -> None:
    parrot = Parrot()
    given = Script(parrot, producer_kinds.Topic(topic="x"))
    with pytest.raises(host_source.WritesNothing, match=r"parrot\.gguf has written nothing"):
        await given.write_to_the_fault()
    [opening] = given.pieces
    assert isinstance(opening, Words)
    assert "It is " in opening.text
    assert len(parrot.prompts) == 2 * 2 * 3 * 20


class Thinker(Parrot):
    """A model that thinks aloud until its tokens are spent: of `thoughts` tokens, then it speaks."""

    def __init__(self, thoughts: int, *lines: str, is_told: bool = False, is_small: bool = False) -> None:
        super().__init__(*lines, is_small=is_small)
        self._thoughts = thoughts
        self._is_told = is_told
        self.asked: list[int] = []

    async def write(
        self, chat: Sequence[Message], begun: str, sampling: Sampling
    ) -> AsyncGenerator[str, None]:
        self.asked.append(sampling.max_tokens)
        if sampling.max_tokens > self._thoughts:
            yield "<think>What to say?</think>"
            yield next(self._left, "")
        elif self._is_told:
            raise OnlyThoughts("parrot.gguf spent its whole answer on thoughts", hint="switch it off")
        else:
            yield "<think>What to say? The listener wants"


@pytest.mark.parametrize("is_told", [True, False])
@pytest.mark.parametrize("is_small", [True, False])
async def test_of_a_model_that_only_thinks_the_facts_are_said_and_the_fault_is_named(
    caplog: pytest.LogCaptureFixture, is_told: bool, is_small: bool
) -> None:
    thinker = Thinker(100_000, is_told=is_told, is_small=is_small)
    gulls = producer_kinds.Topic(topic="gulls", facts=("Gulls drink sea water.",))
    given = Script(thinker, TIDES, gulls)
    with pytest.raises(host_source.WritesNothing):
        await given.write_to_the_fault()
    said = "".join(given.stands.values())
    assert [said.count(fact) for fact in (*TIDES.facts, *gulls.facts)] == [1, 1, 1]
    assert said.count("Harbor FM") == 1
    assert len(thinker.asked) == 2
    assert given.brief.discarded["thoughts alone"] == 2
    named = [record for record in caplog.records if getattr(record, "action", "") == "llm.only_thinks"]
    assert len(named) == 1
    assert "thoughts" in named[0].getMessage()


@pytest.mark.parametrize("is_told", [True, False])
async def test_a_model_that_needs_room_for_its_thoughts_gets_it(is_told: bool) -> None:
    thinker = Thinker(500, "The moon pulls the water towards it.", "Boats wait in the bay.", is_told=is_told)
    said = await Script(thinker, TIDES, producer_kinds.Topic(topic="tea")).write(2)
    assert "The moon pulls the water towards it." in said
    assert "Boats wait in the bay." in said
    most = thinker.asked[0]
    assert thinker.asked[1:3] == [most + ROOM_TOKENS] * 2


@pytest.mark.model
async def test_the_real_model_writes_a_clean_segment_into_the_store() -> None:
    need("llm")
    clock = SystemClock()
    store = MemoryStore(clock)
    now = clock.now_ms()
    options = {
        "producer": "llm",
        "topics": [{"topic": "the tides", "facts": list(TIDES.facts)}, "a cup of tea"],
    }
    task = assignment(
        Path(), producer="llm", options=options, at=now, until=now + 3_600_000, persona="Ada, a calm host."
    )
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run(Settings(gate="off"), store, clock, stop, task))
        await until(lambda: _second_segment(store), within_s=300)
        stop.set()
    written = await script(store)
    first = "".join(r.text for r in written if isinstance(r, Text) and r.seg == 0)
    assert not any(isinstance(r, ScriptEnd) for r in written)
    assert all(fact in first for fact in TIDES.facts)
    assert len(re.findall(r"[.!?](?=\s)", first)) >= 4
    assert not set(first) & set("*#`<>[]|_")
    assert not re.search(r"as an ai|here is|sure,", first, re.IGNORECASE)
    sentences = re.split(r"(?<=[.!?])\s+", first.strip())
    assert len(sentences) == len(set(sentences))


async def _second_segment(store: MemoryStore) -> bool:
    return any(isinstance(record, Text) and record.seg >= 1 for record in await _script(store))


async def _script(store: MemoryStore) -> Sequence[object]:
    return await script(store) if (await store.list()).items else []
