"""The LLM in this process."""

import asyncio
import threading
from pathlib import Path

import pytest

from radio import models
from radio.compute_gate import BURST_S, Bursts, Gate
from radio.errors import BadInput
from radio.producers.models import llama
from radio.producers.models.chat_model import Message, PromptTooLong, Sampling
from radio.producers.models.llama import LlamaModel, merged
from radio.settings import Settings
from tests.need import need
from tests.waiting import until

CHAT = [Message("system", "You are Ada."), Message("user", "Hello.")]


def test_a_template_without_a_system_turn_gets_its_words_with_the_first_user_turn() -> None:
    chat = [*CHAT, Message("assistant", "Good evening."), Message("user", "And now?")]
    assert merged(chat) == [Message("user", "You are Ada.\n\nHello."), *chat[2:]]
    assert merged(chat[1:]) == chat[1:]
    assert merged(CHAT[:1]) == []


def test_a_file_that_is_no_gguf_is_refused_with_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF, but not really")
    with pytest.raises(BadInput, match=r"broken\.gguf cannot be loaded") as refused:
        LlamaModel(path, Settings(data=tmp_path))
    assert "GGUF" in refused.value.hint


class Steps(Bursts):
    """Notes how long each step was expected to take, and how many tokens it had."""

    def __init__(self) -> None:
        super().__init__(None, lambda: 0.0)
        self.expected: list[float] = []

    def step(self, expected_s: float) -> None:
        self.expected.append(expected_s)


@pytest.fixture
async def model(tmp_path: Path) -> LlamaModel:
    need("llm")
    settings = Settings(data=tmp_path, gate="on")
    return await asyncio.to_thread(LlamaModel, models.llm(settings), settings)


async def answer(model: LlamaModel, chat: list[Message], *, seed: int = 1, most: int = 24) -> list[str]:
    sampling = Sampling(max_tokens=most, temperature=0.9, seed=seed)
    return [words async for words in model.write(chat, "The sea", sampling)]


@pytest.mark.model
async def test_it_is_asked_in_its_own_template_and_refuses_what_does_not_fit(model: LlamaModel) -> None:
    prompt = model.prompt(CHAT, "Good morning")
    assert prompt.endswith("<|im_start|>assistant\nGood morning")
    assert prompt.startswith("<|im_start|>system\nYou are Ada.<|im_end|>")
    assert (model.is_small, model.context_tokens) == (True, llama.SMALL_CONTEXT)
    count = await model.tokens(CHAT, "Good morning")
    sampling = Sampling(max_tokens=5000, temperature=0.5, seed=1)
    with pytest.raises(PromptTooLong, match=f"a prompt of {count} tokens and an answer of 5000") as refused:
        await anext(model.write(CHAT, "Good morning", sampling))
    assert refused.value.hint
    await model.close()


@pytest.mark.model
async def test_the_seed_decides_the_words(model: LlamaModel) -> None:
    await answer(model, CHAT)  # a prompt that is evaluated in other steps is another sum of floats
    first, again, other = ["".join(await answer(model, CHAT, seed=seed)) for seed in (1, 1, 2)]
    assert first == again != other
    await model.close()


@pytest.mark.model
async def test_a_long_prompt_is_evaluated_in_steps_that_fit_into_a_burst(
    model: LlamaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Steps()
    monkeypatch.setattr(model._llama, "bursts", steps)
    monkeypatch.setattr(model._llama, "tokens_per_s", 80.0)
    monkeypatch.setattr(model._llama, "_learn", lambda count, seconds: None)
    chat = [Message("user", "Tell me of the boats and the tides. " * 20)]
    await answer(model, chat, most=2)
    most_tokens = 80 * BURST_S / 2
    prompt_steps = [expected for expected in steps.expected if expected == BURST_S / 2]
    assert len(prompt_steps) >= await model.tokens(chat, "The sea") / most_tokens
    await model.close()


@pytest.mark.model
async def test_the_device_is_free_whenever_words_come_out(model: LlamaModel, tmp_path: Path) -> None:
    voice = Gate(tmp_path / "gate", who="voice", patience_s=60)
    sampling = Sampling(max_tokens=30, temperature=0.9, seed=1)
    words = model.write(CHAT, "The sea", sampling)
    async for _ in words:
        async with voice.speaking():
            assert voice.without == 0
    await model.close()
    voice.close()


@pytest.mark.model
async def test_who_wants_no_more_words_ends_the_model_s_work(model: LlamaModel) -> None:
    words = model.write(CHAT, "The sea", Sampling(max_tokens=800, temperature=0.9, seed=1))
    await anext(words)
    await words.aclose()
    await until(lambda: not any(thread.name == "llm" for thread in threading.enumerate()))
    await model.close()
