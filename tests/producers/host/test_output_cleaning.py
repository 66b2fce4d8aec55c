import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radio.producers.host.output_cleaning import Outcome, OutputCleaner, Said, Voided

CASES = [
    # plain speech stays as it is written
    ("It is 98.6 degrees at 3 p.m. today. Good.", "It is 98.6 degrees at 3 p.m. today. Good."),
    ("AC/DC played v1.0 (about 200 came). Good!", "AC/DC played v1.0 (about 200 came). Good!"),
    ("Five is less than six: 5 < 6, they say. Is it?", "Five is less than six: 5 < 6, they say. Is it?"),
    ("It cost $5 & more, at 20 °C. Right?", "It cost $5 & more, at 20 °C. Right?"),
    # thoughts
    ("<think>Let me plan. Yes.</think>The sea is calm.", "The sea is calm."),
    ("<thinking>a\nb</thinking>\n\nThe sea is calm.", "The sea is calm."),
    ("<reasoning>Hm.</reasoning> The sea is calm.", "The sea is calm."),
    ("<thought>Hm.</thought>The sea is calm.", "The sea is calm."),
    ("<THINK>Hm.</THINK>The sea is calm.", "The sea is calm."),
    ("<seed:think>Hm.</seed:think>The sea is calm.", "The sea is calm."),
    ("[THINK]Hm.[/THINK]The sea is calm.", "The sea is calm."),
    ("◁think▷Hm.◁/think▷The sea is calm.", "The sea is calm."),
    ("<|begin_of_thought|>Hm.<|end_of_thought|>The sea is calm.", "The sea is calm."),
    ("<|START_THINKING|>Hm.<|END_THINKING|>The sea is calm.", "The sea is calm."),
    ("<|channel|>analysis<|message|>H.<|end|><|start|>assistant<|channel|>final<|message|>The sea.<|return|>",
     "The sea."),
    ("<|channel|>final<|message|>The sea is calm.", "The sea is calm."),
    ("I should greet them. Then talk.</think>The sea is calm.", "The sea is calm."),
    ("The sea is calm. <think>But wait, the user", "The sea is calm."),
    ("<think/>The sea is calm.", "The sea is calm."),
    # turns and special tokens
    ("The sea is calm.<|im_end|>\n<|im_start|>user\nMore!", "The sea is calm."),
    ("<s>The sea is calm.</s>[INST] More! [/INST] No.", "The sea is calm."),
    ("The sea is calm.<|eot_id|>assistant\nAgain.", "The sea is calm."),
    ("The sea is calm.<end_of_turn>\nuser: hi", "The sea is calm."),
    ("The sea is calm.<｜end▁of▁sentence｜>And more.", "The sea is calm."),
    ("The <b>sea</b> is calm.<br>It shines.", "The sea is calm. It shines."),
    # Markdown
    ("# The Sea\n\nThe sea is calm.", "The sea is calm."),
    ("**The Sea**\n\nThe sea is calm.", "The sea is calm."),
    ("**Host:** The sea is calm.", "The sea is calm."),
    ("Host: The sea is calm.", "The sea is calm."),
    ("The **sea** is *very* calm, and `blue`.", "The sea is very calm, and blue."),
    ("- The sea is calm\n- It shines\n", "The sea is calm. It shines."),
    ("1. The sea is calm.\n2) It shines.\n", "The sea is calm. It shines."),
    ("> The sea is calm.", "The sea is calm."),
    ("Look:\n```python\nprint('sea')\n```\nThe sea is calm.", "Look: The sea is calm."),
    ("| a | b |\n|---|---|\n| 1 | 2 |\n\nThe sea is calm.", "The sea is calm."),
    ("The sea is calm.\n\n---\n\n***\n\nIt shines.", "The sea is calm. It shines."),
    ("See [the harbour](https://a.example/x) at night.", "See the harbour at night."),
    ("The _old_ snake_case sea is calm.", "The old snake case sea is calm."),
    # stage directions
    ("(Music fades in. The host smiles.) The sea is calm.", "The sea is calm."),
    ("[Intro jingle] The sea is calm.", "The sea is calm."),
    ("*clears throat* The sea is calm.", "The sea is calm."),
    ("The sea (pauses) is calm.", "The sea is calm."),
    ("The sea is calm. [The lights went out at nine that night.] It shines.",
     "The sea is calm. The lights went out at nine that night. It shines."),
    # what was made up
    ("I am [Your Name] of the sea. The sea is calm.", "The sea is calm."),
    ("Visit https://sea.example/tides?x=1 for more. The sea is calm.", "The sea is calm."),
    ("Write to sea@waves.com today. The sea is calm.", "The sea is calm."),
    ("Go to harbor.fm now. The sea is calm.", "The sea is calm."),
    # pictures, and sentences without an end
    ("The sea 🌊 is calm ✨. It shines 👩‍👩‍👧!", "The sea is calm. It shines!"),
    ("The sea is calm. Ever notice how a single", "The sea is calm."),
    ("The sea is calm. It", "The sea is calm."),
    ("The sea is calm. (And then the", "The sea is calm."),
    ("🌊🌊🌊", ""),
    ("", ""),
]  # fmt: skip


def result(outcomes: list[Outcome]) -> str:
    """What would be said, in the end."""
    said: list[str] = []
    for outcome in outcomes:
        if isinstance(outcome, Voided):
            said.clear()
        elif isinstance(outcome, Said):
            said.append(outcome.text)
    return " ".join(said)


def cleaned(*pieces: str) -> list[Outcome]:
    hygiene = OutputCleaner()
    outcomes = [outcome for piece in pieces for outcome in hygiene.feed(piece)]
    return outcomes + hygiene.finish()


@pytest.mark.parametrize(("raw", "clean"), CASES, ids=[raw[:40] for raw, _ in CASES])
def test_only_speech_is_left(raw: str, clean: str) -> None:
    assert result(cleaned(raw)) == clean


@pytest.mark.parametrize("raw", [raw for raw, _ in CASES], ids=[raw[:40] for raw, _ in CASES])
def test_it_is_the_same_one_character_at_a_time(raw: str) -> None:
    assert cleaned(*raw) == cleaned(raw)


fragments = st.sampled_from(
    [
        *("<think>", "</think>", "<|im_end|>", "<|channel|>", "final", "<|message|>", "◁think▷", "◁/think▷"),
        *("[THINK]", "[/THINK]", "(", ")", "[", "]", "*", "**", "_", "`", "```", "\n", "\n\n", "- ", "1. "),
        *(
            "# ",
            "| ",
            "> ",
            "<",
            "The sea is calm. ",
            "music ",
            "Host: ",
            "It shines! ",
            "https://a.example ",
        ),
        *("🌊", "x", " ", ".", "\x18", "\r"),
    ]
)


@settings(deadline=None)
@given(st.lists(st.one_of(fragments, st.text(max_size=6)), max_size=30), st.data())
def test_it_does_not_depend_on_how_the_output_came_in_pieces(parts: list[str], data: st.DataObject) -> None:
    raw = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=8)))
    pieces = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    assert cleaned(*pieces) == cleaned(raw)


@settings(deadline=None)
@given(st.lists(st.one_of(fragments, st.text(max_size=6)), max_size=30))
def test_no_markup_is_ever_said(parts: list[str]) -> None:
    said = result(cleaned("".join(parts)))
    assert not set(said) & set("*`|\x18\n")
    assert "<|" not in said
    assert "<think>" not in said
    assert "https:" not in said
