"""The host, with a model of the test's own words, and with the real one."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from radio import kinds, models
from radio.clock import SystemClock
from radio.producers import llm, runner
from radio.producers.llama import Message, Model
from radio.producers.source import Brief, Words
from radio.settings import Settings
from radio.streams.memory import MemoryStore
from radio.streams.records import ScriptEnd, Text
from tests.need import need
from tests.producers.samples import assignment, script
from tests.waiting import until

TIDES = kinds.Topic(
    topic="the tides", facts=("Most coasts have two high tides.", "The Baltic has almost none.")
)


class Parrot:
    """A model that says the given lines, one a call, then nothing."""

    lines: Sequence[str] = ()
    seeds: list[int]
    prompts: list[str]

    def __init__(self, path: Path, *, threads: int) -> None:
        self._left = iter(type(self).lines)

    def prompt(self, messages: Sequence[Message], begun: str) -> str:
        return "\n".join(m.content for m in messages) + "\n" + begun

    def write(self, prompt: str, *, seed: int, **_: Any) -> Iterator[str]:
        type(self).seeds.append(seed)
        type(self).prompts.append(prompt)
        yield from re.split(r"(?<= )", next(self._left, ""))


@pytest.fixture
def parrot(monkeypatch: pytest.MonkeyPatch) -> type[Parrot]:
    Parrot.seeds, Parrot.prompts = [], []
    monkeypatch.setattr(llm, "Model", Parrot)
    monkeypatch.setattr(models, "llm", lambda settings, name: Path(name))
    return Parrot


def brief(*topics: kinds.Topic, next_seg: int = 0, written: str = "") -> Brief:
    task = assignment(Path(), producer="llm", title="The Brief", persona="Ada")
    return Brief(
        assignment=task, options=kinds.Llm(topics=topics), settings=Settings(), clock=SystemClock(),
        next_seg=next_seg, written=written, heard_at=lambda: task.at,
    )  # fmt: skip


async def segment(given: Brief, seg: int) -> str:
    """All that is said in one segment."""
    said = ""
    pieces = llm.open_source(given).pieces()
    async for piece in pieces:
        assert isinstance(piece, Words)
        if piece.seg != seg:
            break
        said += piece.text
    await pieces.aclose()
    return said


async def test_facts_are_said_as_they_stand_and_the_model_adds_to_them(parrot: type[Parrot]) -> None:
    parrot.lines = [" how slow they are. More", " They come and go. More", " It is nearly closed. More", " x"]
    said = await segment(brief(TIDES), 0)
    assert "You are listening to Harbor FM." in said
    assert "Most coasts have two high tides. They come and go. " in said
    assert "The Baltic has almost none. It is nearly closed. " in said
    assert said.endswith("\n\n")
    assert parrot.prompts[1].endswith("Most coasts have two high tides.")


async def test_a_refused_stretch_is_tried_again_with_another_seed_and_then_left_out(
    parrot: type[Parrot],
) -> None:
    parrot.lines = [
        "",
        "",
        " Sure, here is more. Yes",
        " They come and go. More",
        " As an AI I float. No",
        " 9 islands.",
    ]
    said = await segment(brief(TIDES), 0)
    assert "Most coasts have two high tides. They come and go. The Baltic has almost none. \n\n" in said
    assert len(set(parrot.seeds)) == len(parrot.seeds)


async def test_an_unfinished_sentence_is_not_said(parrot: type[Parrot]) -> None:
    parrot.lines = [" how slow they", " how slow"]
    said = await segment(brief(TIDES), 0)
    assert "how slow" not in said


async def test_what_the_model_was_told_is_never_said(parrot: type[Parrot]) -> None:
    parrot.lines = ["", "", " And you speak to the listener in short, warm, simple sentences. More", ""]
    assert "simple sentences" not in await segment(brief(TIDES), 0)


async def test_a_host_that_goes_on_begins_with_the_next_topic_and_repeats_nothing(
    parrot: type[Parrot],
) -> None:
    parrot.lines = []
    other = kinds.Topic(topic="gulls", facts=("Gulls drink sea water.", "Most coasts have two high tides."))
    said = await segment(brief(TIDES, other, next_seg=1, written="Most coasts have two high tides. "), 1)
    assert said == "Gulls drink sea water. \n\n"


async def test_a_model_that_says_nothing_ends_the_run(parrot: type[Parrot]) -> None:
    parrot.lines = []
    pieces = [piece async for piece in llm.open_source(brief(kinds.Topic(topic="x"))).pieces()]
    assert [type(piece) for piece in pieces] == [Words]
    assert len(parrot.prompts) == llm.TRIES * 3 * 20


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
        tasks.create_task(runner.run(Settings(), store, clock, stop, task))
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


@pytest.mark.model
def test_the_real_model_is_asked_in_its_own_template() -> None:
    need("llm")
    model = Model(models.llm(Settings()), threads=1)
    prompt = model.prompt([Message("system", "You are Ada."), Message("user", "Hello.")], "Good morning")
    assert prompt.endswith("<|im_start|>assistant\nGood morning")
    assert prompt.startswith("<|im_start|>system\nYou are Ada.<|im_end|>")
    with pytest.raises(ValueError, match="longer than"):
        next(model.write(prompt, max_tokens=5000, temperature=0.5, seed=1))
