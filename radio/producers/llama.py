"""An LLM in this process, by llama.cpp. The only module that knows llama-cpp-python.

Everything here blocks: it runs in a thread of its own.
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import llama_cpp
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from radio.errors import BadInput, Unsupported

log = logging.getLogger(__name__)

CONTEXT_TOKENS = 2048
REPEAT_WINDOW = 256
"""Tokens before a new one in which its repetition costs."""
REPEAT_PENALTY = 1.12
_NICE = 10
_TOP_P = 0.9
_MIN_P = 0.08


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat; `role` is `system` or `user`."""

    role: str
    content: str


class Model:
    """A loaded GGUF. Not to be used by two threads at once."""

    def __init__(self, path: Path, *, threads: int) -> None:
        """Load it.

        Raises:
            BadInput: llama.cpp cannot read the file.
            Unsupported: it has no chat template.
        """
        begun = time.monotonic()
        try:
            self._llama = llama_cpp.Llama(
                model_path=str(path),
                n_ctx=CONTEXT_TOKENS,
                n_threads=threads,
                n_threads_batch=threads,
                last_n_tokens_size=REPEAT_WINDOW,
                verbose=False,
            )
        except (ValueError, RuntimeError) as e:
            raise BadInput(
                f"{path} cannot be loaded: {e}", hint="it must be a GGUF that llama.cpp knows"
            ) from e
        self._formatter = self._chat_format(path)
        seconds = time.monotonic() - begun
        extra = {"action": "llm.loaded", "model": path.name, "seconds": seconds, "threads": threads}
        log.info("model loaded", extra=extra)

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
        return metadata.get("tokenizer.ggml.add_bos_token", by_default) == "true"

    def _token_text(self, key: str) -> str:
        number = int(self._llama.metadata.get(key, -1))
        return self._llama.detokenize([number], special=True).decode(errors="replace") if number >= 0 else ""

    def prompt(self, messages: Sequence[Message], begun: str) -> str:
        """The chat in the model's own template, with the model's answer begun by these words."""
        turns = [{"role": m.role, "content": m.content} for m in messages]
        text: str = self._formatter(messages=turns).prompt  # type: ignore[arg-type]
        return text.removeprefix(self._added) + begun

    def tokens(self, text: str) -> int:
        """How many tokens the text is."""
        return len(self._llama.tokenize(text.encode(), special=True))

    def write(
        self, prompt: str, *, max_tokens: int, temperature: float, seed: int, stop: Sequence[str] = ()
    ) -> Iterator[str]:
        """The words that follow the prompt, as they are made.

        Raises:
            BadInput: the prompt leaves no room in the context.
        """
        _yield_to_the_voice()
        if self.tokens(prompt) + max_tokens > CONTEXT_TOKENS:
            raise BadInput(f"prompt and answer are longer than {CONTEXT_TOKENS} tokens")
        chunks = self._llama.create_completion(
            prompt,
            max_tokens=max_tokens,
            temperature=temperature,
            top_p=_TOP_P,
            min_p=_MIN_P,
            repeat_penalty=REPEAT_PENALTY,
            seed=seed,
            stop=list(stop),
            stream=True,
        )
        for chunk in chunks:
            assert not isinstance(chunk, str)
            yield chunk["choices"][0]["text"]


def _yield_to_the_voice() -> None:
    """This thread takes the processor when others leave it: words in hand can wait, sound cannot."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
