"""What language models have been seen to write, and what of it is said: hygiene, then the guard."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radio.producers.host.output_cleaning import Discarded, OutputCleaner, Said, Voided
from radio.producers.host.sentence_guard import SentenceGuard

CALM = "The sea is calm tonight."
KNOWN = ["Ada", "Harbor FM", "the tides", "CNN"]
LOOP = "The sea and the boat and the sea and the boat and the sea and the boat are calm tonight."

# (what the model wrote, what is said, and a reason that is counted; "" if nothing is discarded)
TABLE = [
    # plain speech is left alone
    (CALM, CALM, ""),
    ("Is it late? It is! The sea is calm tonight.", "Is it late? It is! The sea is calm tonight.", ""),
    ("Dr. Gray paid $3.50 at 6 p.m. for it. Good for him, I say.", "Good for him, I say.", "figure"),
    ("“The sea is calm,” she said. We believed her at once.",
     "“The sea is calm,” she said. We believed her at once.", ""),
    ("I think (and so do you) that the sea is calm.", "I think (and so do you) that the sea is calm.", ""),
    # chat preambles
    (f"Sure! {CALM}", CALM, "preamble"),
    (f"Sure, here's a short talk about the tides:\n\n{CALM}", CALM, "preamble"),
    (f"Certainly! Here is your radio script.\n\n{CALM}", CALM, "preamble"),
    (f"Of course, I would love to help. {CALM}", CALM, "preamble"),
    (f"Absolutely, let me do that for you. {CALM}", CALM, "preamble"),
    (f"Okay, so the topic is the tides. {CALM}", CALM, "preamble"),
    (f"Great question, my dear friend of the sea! {CALM}", CALM, "preamble"),
    (f"I'd be happy to talk about the tides. {CALM}", CALM, "preamble"),
    (f"Let me tell you about the tides. {CALM}", CALM, "preamble"),
    (f"Below is a segment for your listeners. {CALM}", CALM, "preamble"),
    (f"In this segment we talk about the tides. {CALM}", CALM, "preamble"),
    (f"As a radio host, I would say this. {CALM}", CALM, "preamble"),
    (f"Thank you for your message about the tides. {CALM}", CALM, "preamble"),
    # about itself
    (f"As an AI language model, I have no sea. {CALM}", CALM, "preamble"),
    (f"I have no body, as an AI. {CALM}", CALM, "about itself"),
    (f"But I'm only a language model, you see. {CALM}", CALM, "about itself"),
    (f"I'm sorry, but I can't talk about that. {CALM}", CALM, "preamble"),
    (f"I apologize for the confusion about the sea. {CALM}", CALM, "preamble"),
    (f"Unfortunately, I do not know the tide. {CALM}", CALM, "preamble"),
    (f"{CALM} I hope this helps you with the tides.", CALM, "about itself"),
    (f"{CALM} Let me know if you want more of it.", CALM, "preamble"),
    (f"{CALM} Feel free to ask about anything else.", CALM, "about itself"),
    (f"{CALM} In conclusion, the sea is very large.", CALM, "about itself"),
    (f"{CALM}\n\nWord count: one hundred and twenty words.", CALM, "about itself"),
    (f"{CALM}\n\n(Word count: 120)", CALM, "stage direction"),
    (f"{CALM} Your request was about the tides, wasn't it?", CALM, "about itself"),
    # sign-offs and greetings in the middle
    (f"Thanks for listening to us, my friends. {CALM}", CALM, "preamble"),
    (f"That's all for today, my dear friends. {CALM}", CALM, "sign-off"),
    (f"This is your host, signing off now. {CALM}", CALM, "sign-off"),
    (f"And so, until next time, keep well. {CALM}", CALM, "sign-off"),
    (f"Stay tuned for more of the tides. {CALM}", CALM, "sign-off"),
    (f"We'll be right back after the news. {CALM}", CALM, "sign-off"),
    (f"Have a wonderful evening, all of you. {CALM}", CALM, "sign-off"),
    (f"Goodbye to you and to the sea. {CALM}", CALM, "sign-off"),
    (f"Hello and welcome to the show, friends. {CALM}", CALM, "greeting"),
    (f"Good evening, ladies and gentlemen at home. {CALM}", CALM, "greeting"),
    (f"Dear listeners, tonight we speak of tides. {CALM}", CALM, "greeting"),
    (f"My name is Ada and I love the sea. {CALM}", CALM, "greeting"),
    # role names and made-up turns
    (f"Host: {CALM}", CALM, "label"),
    (f"**Ada:** {CALM}", CALM, "label"),
    (f"Ada: {CALM}", CALM, "label"),
    (f"ASSISTANT: {CALM}", CALM, "label"),
    (f"{CALM}\nUser: Tell me more about it.\nAda: The boats are out.", CALM, "turn"),
    (f"{CALM}\n\nHuman: And the boats, where are they?", CALM, "turn"),
    (f"{CALM}\n### Instruction:\nWrite about the boats at sea.", CALM, "turn"),
    (f"{CALM}\nQuestion: why is the sea so calm tonight?", CALM, "turn"),
    (f"{CALM}<|im_end|>\n<|im_start|>user\nMore, please, of the sea.", CALM, "turn"),
    (f"{CALM}</s><s>[INST] Say it again, my friend. [/INST] No.", CALM, "turn"),
    (f"{CALM}<|endoftext|>Wikipedia is a large thing.", CALM, "turn"),
    # thoughts
    (f"<think>The user wants tides. I plan.</think>{CALM}", CALM, "thoughts"),
    (f"I should plan this well first.</think>\n\n{CALM}", CALM, "thoughts"),
    (f"<thinking>\nPlan: be brief and calm.\n</thinking>{CALM}", CALM, "thoughts"),
    (f"{CALM} <think>Now I go on and on", CALM, "thoughts"),
    (f"<|channel|>analysis<|message|>We plan.<|end|><|channel|>final<|message|>{CALM}", CALM, ""),
    # stage directions
    (f"(soft music playing) {CALM}", CALM, "stage direction"),
    (f"[Sound of waves] {CALM}", CALM, "stage direction"),
    (f"*pauses for a moment* {CALM}", CALM, "stage direction"),
    (f"_laughs_ {CALM}", CALM, "stage direction"),
    ("The sea (long pause) is calm tonight.", CALM, "stage direction"),
    (f"{CALM} [End of segment]", CALM, "stage direction"),
    (f"[Cue jingle]\n(The host clears her throat.)\n{CALM}", CALM, "stage direction"),
    # Markdown, tables, lists, code
    (f"# Tonight's Talk\n\n{CALM}", CALM, "heading"),
    (f"**The Tides: A Talk**\n\n{CALM}", CALM, "heading"),
    (f"| Tide | Time |\n|------|------|\n| high | 6:00 |\n\n{CALM}", CALM, "table"),
    (f"```\nfor tide in tides: print(tide)\n```\n{CALM}", CALM, "code"),
    (f"The function main() starts the sea. {CALM}", CALM, "code"),
    (f"It is \\frac{{a}}{{b}} of all the sea. {CALM}", CALM, "placeholder"),
    ("1. The sea is calm tonight.\n2. The boats are still out there.",
     "The sea is calm tonight. The boats are still out there.", ""),
    ("* The sea is calm tonight\n* The boats are still out there\n",
     "The sea is calm tonight. The boats are still out there.", ""),
    ("The **sea** is ~~not~~ *calm* `tonight`.", "The sea is not calm tonight.", ""),
    (f"---\n{CALM}\n***\n___", CALM, ""),
    # JSON, HTML, control characters
    (f'{{"segment": "tides", "text": "It rises."}}\n{CALM}', CALM, "json"),
    (f'{{\n  "text": "It rises and falls.",\n  "n": 2\n}}\n{CALM}', CALM, "json"),
    (f'["The tide rises.", "It falls."]\n{CALM}', CALM, "json"),
    (f"<p>{CALM}</p><br/>", CALM, "markup"),
    (f"<div class='talk'><b>{CALM}</b></div>", CALM, "markup"),
    (f"<script>alert('It is the sea.');</script>{CALM}", CALM, "markup"),
    (f"<style>p {{ color: red }}</style>\n{CALM}", CALM, "markup"),
    (f"<!-- The host says this. It is a note. -->{CALM}", CALM, "markup"),
    (f'<tool_call>{{"name": "tide"}}</tool_call>{CALM}', CALM, "markup"),
    ("The sea &amp; the sky are calm&nbsp;tonight.", "The sea & the sky are calm tonight.", ""),
    ("&lt;b&gt;The sea&lt;/b&gt; is calm tonight.", CALM, ""),
    ("\x1b[31mThe sea\x1b[0m is calm tonight.", CALM, "markup"),
    ("The\u200b sea\u00ad is \ufeffcalm\u202e tonight.", CALM, "symbols"),
    ("The sea\x00 is\x07 calm\x7f tonight.", CALM, "symbols"),
    ("The sea is calm tonight.\u2028\u2028The boats are still out there.",
     "The sea is calm tonight. The boats are still out there.", ""),
    # pictures, links, marks of social media
    ("The sea 🌊 is calm ✨ tonight.", CALM, "symbols"),
    ("The sea is calm tonight :) 😀", CALM, "symbols"),
    ("#sea The sea is calm tonight.", CALM, ""),
    ("👩‍👩‍👧🌊", "", "no speech"),
    (f"{CALM} #sea #calm #tides", CALM, "unfinished"),
    (f"{CALM} Follow us on www.harborfm.com for it.", CALM, "address"),
    (f"{CALM} Write to ada@harbor.example.com today.", CALM, "address"),
    ("The [sea](https://sea.example) is calm tonight.", CALM, ""),
    # what was made up
    (f"This is [Host Name] with the tides. {CALM}", CALM, "placeholder"),
    (f"This is {{host}} with all the tides. {CALM}", CALM, "placeholder"),
    (f"You are with us on 98.5 FM tonight. {CALM}", CALM, "other station"),
    (f"Here on Coast Radio the sea is calm. {CALM}", CALM, "other station"),
    (f"Doctor Samuel Brook measured it himself. {CALM}", CALM, "name"),
    (f"It rises 43 feet in a single day. {CALM}", CALM, "figure"),
    # other languages
    (f"Море сегодня очень спокойно, друзья. {CALM}", CALM, "other language"),
    (f"今夜の海はとても静かです。 {CALM}", CALM, "other language"),
    (f"El mar está muy tranquilo en la noche. {CALM}", CALM, "other language"),
    (f"Das Meer ist heute sehr ruhig und die Boote sind im Hafen. {CALM}", CALM, "other language"),
    # loops, echoes, ends that are none
    (LOOP, "", "loop"),
    ("very " * 200, "", "unfinished"),
    ("Calm, calm, calm, calm, calm is the sea.", "", "loop"),
    (f"{CALM} {CALM} {CALM}", CALM, "repeated"),
    ("You speak to the listener in short, warm, simple sentences.", "", "repeated"),
    (f"{CALM} Have you ever noticed how the", CALM, "unfinished"),
    (f"{CALM} (And then the boats", CALM, "unfinished"),
    (f"{CALM} It", CALM, "unfinished"),
    ("...", "", "no speech"),
    ("", "", ""),
]  # fmt: skip


def heard(*pieces: str) -> tuple[str, Counter[str]]:
    """What is said in the end, and what was discarded."""
    discarded: Counter[str] = Counter()
    hygiene = OutputCleaner(discarded=discarded, names=["Ada"])
    told = ["You speak to the listener in short, warm, simple sentences."]
    guard = SentenceGuard("Harbor FM", "en-us", told=told)
    said: list[str] = []
    for outcome in [*(o for piece in pieces for o in hygiene.feed(piece)), *hygiene.finish()]:
        match outcome:
            case Said(text):
                fault = guard.fault_of(text, known=KNOWN)
                if fault is None:
                    said.append(text)
                    guard.remember(text)
                else:
                    discarded[fault] += 1
            case Discarded(reason):
                discarded[reason] += 1
            case Voided():
                said.clear()
                guard.rewind(0)
    return " ".join(said), +discarded


IDS = [f"{n}: {raw[:32]!r}" for n, (raw, _, _) in enumerate(TABLE)]


def test_the_table_is_long_enough() -> None:
    assert len({raw for raw, _, _ in TABLE}) >= 80


@pytest.mark.parametrize(("raw", "said", "reason"), TABLE, ids=IDS)
def test_only_speech_is_said_and_each_discard_is_counted(raw: str, said: str, reason: str) -> None:
    result, discarded = heard(raw)
    assert result == said
    assert not reason or discarded[reason] > 0


@pytest.mark.parametrize("raw", [raw for raw, _, _ in TABLE], ids=IDS)
def test_one_character_at_a_time_gives_the_same(raw: str) -> None:
    assert heard(*raw) == heard(raw)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from([raw for raw, _, _ in TABLE]), max_size=4), st.data())
def test_outputs_one_after_the_other_give_the_same_however_they_are_cut(
    parts: list[str], data: st.DataObject
) -> None:
    raw = data.draw(st.sampled_from(["", " ", "\n", "\n\n"])).join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=12)))
    pieces = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    assert heard(*pieces) == heard(raw)
