"""An LLM in this process, by llama.cpp. The only module that knows llama-cpp-python.

What blocks runs in a thread of its own, in bursts between which the voice may have the device.
"""

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from pathlib import Path

import llama_cpp
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from radio.compute_gate import BURST_S, Bursts, opened
from radio.errors import BadInput, Unsupported
from radio.log import log_event
from radio.producers.models.chat_model import Message, PromptTooLong, Sampling
from radio.settings import Settings
from radio.thread_iteration import iterate_in_thread

log = logging.getLogger(__name__)

SMALL_CONTEXT, CONTEXT = 2048, 4096
"""Tokens: of a small model, and of a larger one, whose cache then is about 0.5 GB at most."""
LARGE_FILE = 500_000_000
"""Bytes: a GGUF of about a thousand million weights."""
SMALL_WEIGHTS = 1_000_000_000
REPEAT_WINDOW = 256
"""Tokens before a new one in which its repetition costs."""
REPEAT_PENALTY = 1.12
_NICE = 10
_TOP_P = 0.9
_MIN_P = 0.08
_FIRST_CHUNK = 8
"""Prompt tokens evaluated at once before the speed is known."""
_CHUNK_S = BURST_S / 2
_SENTENCE_ENDS = (".", "!", "?", "\n")


class _InBursts(llama_cpp.Llama):
    """Evaluates in steps that fit into a burst."""

    bursts = Bursts(None)
    tokens_per_s = _FIRST_CHUNK / _CHUNK_S
    step_s = 0.0
    """How long one token took last."""

    def eval(self, tokens: Sequence[int]) -> None:
        at = 0
        while at < len(tokens):
            chunk = tokens[at : at + max(1, round(self.tokens_per_s * _CHUNK_S))]
            self.bursts.step(self.step_s if len(chunk) == 1 else _CHUNK_S)
            begun = time.monotonic()
            super().eval(chunk)
            self._learn(len(chunk), time.monotonic() - begun)
            at += len(chunk)

    def _learn(self, count: int, seconds: float) -> None:
        if count == 1:
            self.step_s = seconds
        else:
            self.tokens_per_s = min(count / max(seconds, 1e-6), 2 * self.tokens_per_s)


class LlamaModel:
    """A loaded GGUF, as a `ChatModel`."""

    def __init__(self, path: Path, settings: Settings) -> None:
        """Load it. Blocks.

        Raises:
            BadInput: llama.cpp cannot read the file.
            Unsupported: it has no chat template.
        """
        begun = time.monotonic()
        self.name = path.name
        self._llama = _loaded(path, settings.llm_threads)
        self.context_tokens = min(self._llama.n_ctx(), self._llama._model.n_ctx_train())
        self.is_small = llama_cpp.llama_model_n_params(self._llama.model) < SMALL_WEIGHTS
        self._formatter = self._chat_format(path)
        self._takes_system = _takes_system(self._formatter)
        self._gate = opened(
            settings.data,
            settings.gate,
            who="llm",
            voice_threads=settings.voice_threads,
            llm_threads=settings.llm_threads,
            on_gpu=_has_gpu(),
        )
        self._llama.bursts = Bursts(self._gate)
        seconds = time.monotonic() - begun
        extra = log_event("llm.loaded", model=path.name, seconds=round(seconds, 2))
        is_gated = self._gate is not None
        more = {"threads": settings.llm_threads, "context": self.context_tokens, "gate": is_gated}
        log.info("model loaded", extra={**extra, **more})

    async def tokens(self, chat: Sequence[Message], begun: str = "") -> int:
        return len(self._tokens(chat, begun))

    async def write(
        self, chat: Sequence[Message], begun: str, sampling: Sampling
    ) -> AsyncGenerator[str, None]:
        tokens = self._tokens(chat, begun)
        if len(tokens) + sampling.max_tokens > self.context_tokens:
            raise PromptTooLong(
                f"a prompt of {len(tokens)} tokens and an answer of {sampling.max_tokens} do not fit into "
                f"the {self.context_tokens} of {self.name}",
                hint="shorten persona, prompt or facts, or take a model with a larger context",
            )
        output = self._bursts(tokens, sampling)
        async with aclosing(iterate_in_thread(output, name="llm", bound=1)) as words:
            async for word in words:
                yield word

    async def close(self) -> None:
        await asyncio.to_thread(self._llama.close)
        if self._gate is not None:
            self._gate.close()

    def _bursts(self, tokens: list[int], sampling: Sampling) -> Iterator[str]:
        """The answer, a burst or a sentence at a time, each once the device is free for others."""
        if self._gate is None:
            _yield_to_the_voice()
        words, bursts = "", self._llama.bursts
        try:
            for word in self._completion(tokens, sampling):
                words += word
                if bursts.is_spent(self._llama.step_s) or word.rstrip(" ").endswith(_SENTENCE_ENDS):
                    bursts.end()
                    yield words
                    words = ""
        finally:
            bursts.end()
        if words:
            yield words

    def _completion(self, tokens: list[int], sampling: Sampling) -> Iterator[str]:
        chunks = self._llama.create_completion(
            tokens,
            max_tokens=sampling.max_tokens,
            temperature=sampling.temperature,
            top_p=_TOP_P,
            min_p=_MIN_P,
            repeat_penalty=REPEAT_PENALTY,
            seed=sampling.seed,
            stop=list(sampling.stop),
            stream=True,
        )
        for chunk in chunks:
            assert not isinstance(chunk, str)
            yield chunk["choices"][0]["text"]

    def _tokens(self, chat: Sequence[Message], begun: str) -> list[int]:
        """The chat in the model's own template, with the model's answer begun by these words."""
        text = self.prompt(chat, begun)
        tokens: list[int] = self._llama.tokenize(text.encode(), add_bos=self._adds_bos(), special=True)
        return tokens

    def prompt(self, chat: Sequence[Message], begun: str) -> str:
        """The same as text."""
        turns = [
            {"role": m.role, "content": m.content} for m in (chat if self._takes_system else merged(chat))
        ]
        text: str = self._formatter(messages=turns, enable_thinking=False).prompt  # type: ignore[arg-type]
        return text.removeprefix(self._added) + begun

    def _chat_format(self, path: Path) -> Jinja2ChatFormatter:
        template = self._llama.metadata.get("tokenizer.chat_template")
        if not template:
            raise Unsupported(f"{path} has no chat template", hint="take an instruct or chat model")
        eos, bos = (self._token_text(f"tokenizer.ggml.{name}_token_id") for name in ("eos", "bos"))
        self._added = bos if self._adds_bos() else ""
        return Jinja2ChatFormatter(template=template, eos_token=eos, bos_token=bos)

    def _adds_bos(self) -> bool:
        """Whether llama.cpp itself puts the begin token before a prompt; a template may hold it too."""
        metadata = self._llama.metadata
        by_default = "true" if metadata.get("tokenizer.ggml.model") == "llama" else "false"
        return bool(metadata.get("tokenizer.ggml.add_bos_token", by_default) == "true")

    def _token_text(self, key: str) -> str:
        number = int(self._llama.metadata.get(key, -1))
        if number < 0:
            return ""
        text: bytes = self._llama.detokenize([number], special=True)
        return text.decode(errors="replace")


def merged(chat: Sequence[Message]) -> list[Message]:
    """The chat for a template without a system turn: its words stand before those of the first user turn."""
    system = "\n\n".join(m.content for m in chat if m.role == "system")
    turns = [m for m in chat if m.role != "system"]
    if not system or not turns:
        return turns
    return [Message(turns[0].role, f"{system}\n\n{turns[0].content}"), *turns[1:]]


def _takes_system(formatter: Jinja2ChatFormatter) -> bool:
    turns = [{"role": "system", "content": "SYSTEM"}, {"role": "user", "content": "USER"}]
    try:
        return "SYSTEM" in formatter(messages=turns).prompt  # type: ignore[arg-type]
    except ValueError:
        return False  # the template itself refuses it


def _loaded(path: Path, threads: int) -> _InBursts:
    try:
        return _InBursts(
            model_path=str(path),
            n_ctx=CONTEXT if path.stat().st_size >= LARGE_FILE else SMALL_CONTEXT,
            n_threads=threads,
            n_threads_batch=threads,
            n_gpu_layers=-1 if _has_gpu() else 0,
            last_n_tokens_size=REPEAT_WINDOW,
            verbose=False,
        )
    except (ValueError, RuntimeError, OSError) as e:
        raise BadInput(f"{path} cannot be loaded: {e}", hint="it must be a GGUF that llama.cpp knows") from e


def _has_gpu() -> bool:
    return bool(llama_cpp.llama_supports_gpu_offload())


def _yield_to_the_voice() -> None:
    """This thread takes the processor when others leave it: words in hand can wait, sound cannot.

    Not where a gate orders the two: who holds it and is kept from computing holds up the other.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
