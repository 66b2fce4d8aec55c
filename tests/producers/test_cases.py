"""Faults that talking models have had on air, each as one small proof that this host has it not."""

import logging
from pathlib import Path

import pytest

from radio import producer_kinds
from radio.producers.host.output_cleaning import OutputCleaner, Said
from radio.producers.host.prompts import OPENERS, ModelReach, leads, system
from radio.producers.host.sentence_guard import SentenceGuard
from tests.producers.host.test_host_source import TIDES, Parrot, Script
from tests.producers.samples import assignment


def heard(raw: str) -> str:
    """What is left of a model's output after hygiene and guard."""
    hygiene, guard = OutputCleaner(), SentenceGuard("Harbor FM", "en-us")
    said = [o.text for o in [*hygiene.feed(raw), *hygiene.finish()] if isinstance(o, Said)]
    return " ".join(text for text in said if guard.fault_of(text, is_strict=False) is None)


@pytest.mark.parametrize(
    ("case", "raw", "left"),
    [
        ("I-1", "<think>" + "I should say that the sea is calm. " * 500, ""),
        ("I-2", "I plan. I plan more.</think>The sea is calm tonight.<|im_end|>", "The sea is calm tonight."),
        ("I-2", "<|channel|>analysis<|message|>Plan this now.<|end|>The sea is calm.", ""),
        ("I-4", "The sea is calm tonight. Ever notice how a single chord", "The sea is calm tonight."),
        ("I-7", "The sea is calm tonight, see https://made.up/page for it.", None),
        ("I-8", "Sure, here's a talk about the sea. The sea is calm tonight.", "The sea is calm tonight."),
        ("I-11", "Here on Coast Radio it is late. The sea is calm tonight.", "The sea is calm tonight."),
        ("I-12", "(pauses) The sea is calm tonight. [music fades]", "The sea is calm tonight."),
        ("I-13", "## Sea\n\nThe **sea** is `calm` tonight.\n```\ncode()\n```\n", "The sea is calm tonight."),
        ("I-14", "The sea \U0001f30a is calm tonight. │─│", "The sea is calm tonight."),
        ("I-15", "More is at www.example.com/a/b/c?d=e for you.", None),
        ("I-20", "Море сегодня очень спокойно. The sea is calm tonight.", "The sea is calm tonight."),
    ],
)
def test_what_was_heard_elsewhere_is_not_heard_here(case: str, raw: str, left: str | None) -> None:
    said = heard(raw)
    assert said == left if left is not None else not any(s in said for s in ("://", "www", "/")), case


async def test_i6_what_the_model_is_drawn_with_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        await Script(Parrot(), TIDES).write(1)
    begun = next(vars(record) for record in caplog.records if record.message == "host begins")
    told = {key: begun[key] for key in ("model", "context", "temperature", "max_tokens", "strict")}
    assert told == {
        "model": "parrot.gguf", "context": 2048, "temperature": 0.6, "max_tokens": 160, "strict": True,
    }  # fmt: skip


def test_i10_the_prompt_holds_no_example_that_could_be_told_as_news() -> None:
    task = assignment(Path(), persona="Ada, a calm host.")
    assert not any(map(str.isdigit, system(task).content))
    begun = leads(
        producer_kinds.Topic(topic="tea"), ModelReach(is_led=True, sentences=2, memory_tokens=0), 0, ()
    )
    assert all(lead.given == "" for lead in begun)
    assert not any(map(str.isdigit, "".join(OPENERS)))


def test_i20_eight_words_in_a_row_of_what_the_model_was_told_are_not_said() -> None:
    told = "Start your message as follows: this is the voice of the harbour and nothing else."
    guard = SentenceGuard("Harbor FM", "en-us", told=[told])
    echo = "Listen well, this is the voice of the harbour and nothing else tonight."
    assert guard.fault_of(echo, is_strict=False) == "repeated"


async def test_i22_a_host_whose_model_stops_early_still_fills_its_show() -> None:
    written = await Script(
        Parrot(), TIDES, producer_kinds.Topic(topic="bread", facts=("Bread rises.",))
    ).write(2)
    assert all(fact in written for fact in (*TIDES.facts, "Bread rises."))
