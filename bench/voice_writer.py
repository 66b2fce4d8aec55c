"""An LLM that writes beside the voice, in a process of its own: `bench.voice_beside` starts it.

It is loaded as a producer loads it, one thread, without the compute gate. Each line on standard input holds
the tokens a second that it shall write (0: without rest) and the name of a budget; it writes until the next
line, whatever that is, and then tells in JSON how many tokens it computed, how long computing them took, and
how long it wrote. What one stretch writes too much or too little, the next one of the same budget makes up
for.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from radio import models
from radio.producers.models.chat_model import Message, Sampling
from radio.producers.models.llama import LlamaModel
from radio.settings import Settings

CHAT: Final = (
    Message("system", "You are Ada, a calm radio host. You speak in short sentences."),
    Message("user", "Talk about the harbour, its boats and the people who wait for them."),
)
MOST_TOKENS: Final = 400
LOOK_S: Final = 0.2


@dataclass
class Meter:
    """What was computed so far: tokens of answers, and seconds by the clock."""

    tokens: int = 0
    seconds: float = 0.0

    def watch(self, model: LlamaModel) -> None:
        evaluate = model._llama.eval

        def counted(tokens: Sequence[int]) -> None:
            begun = time.monotonic()
            evaluate(tokens)
            if len(tokens) == 1:
                self.tokens += 1
                self.seconds += time.monotonic() - begun

        model._llama.eval = counted  # type: ignore[method-assign]

    async def wait_until_idle(self) -> None:
        """The model's thread works a burst or two ahead of who takes its words."""
        seen = -1
        while seen != self.tokens:
            seen = self.tokens
            await asyncio.sleep(LOOK_S)


@dataclass
class Budget:
    """What has been written at one rate, and for how long."""

    tokens: int = 0
    seconds: float = 0.0

    def rest_s(self, rate: float, tokens: int, seconds: float) -> float:
        """How long to rest after `tokens` more in `seconds` more."""
        return (self.tokens + tokens) / rate - (self.seconds + seconds) if rate else 0.0


async def words_for_ever(model: LlamaModel) -> AsyncGenerator[str, None]:
    seed = 0
    while True:
        seed += 1
        sampling = Sampling(max_tokens=MOST_TOKENS, temperature=0.7, seed=seed)
        async with aclosing(model.write(CHAT, "", sampling)) as words:
            async for word in words:
                yield word


async def stretch(
    words: AsyncGenerator[str, None], meter: Meter, budget: Budget, rate: float, over: "asyncio.Task[str]"
) -> dict[str, float]:
    """Writes until `over` is done."""
    tokens, computed, begun = meter.tokens, meter.seconds, time.monotonic()
    while not over.done():
        rest_s = budget.rest_s(rate, meter.tokens - tokens, time.monotonic() - begun)
        if rest_s > 0:
            await asyncio.wait([over], timeout=rest_s)
        else:
            await anext(words)
    done = {
        "tokens": meter.tokens - tokens,
        "computing_s": meter.seconds - computed,
        "seconds": time.monotonic() - begun,
    }
    await meter.wait_until_idle()
    budget.tokens += meter.tokens - tokens
    budget.seconds += done["seconds"]
    return done


async def serve() -> None:
    settings = Settings(gate="off", llm_threads=1)
    model = await asyncio.to_thread(LlamaModel, models.llm(settings), settings)
    meter, budgets = Meter(), dict[str, Budget]()
    meter.watch(model)
    tell(name=Path(model.name).stem)
    async with asyncio.TaskGroup() as group, aclosing(words_for_ever(model)) as words:
        await anext(words)
        await meter.wait_until_idle()
        tell(ready=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            rate, _, name = line.strip().partition(" ")
            over = group.create_task(asyncio.to_thread(sys.stdin.readline))
            tell(**await stretch(words, meter, budgets.setdefault(name, Budget()), float(rate), over))
    await model.close()


def tell(**values: object) -> None:
    print(json.dumps(values), flush=True)


if __name__ == "__main__":
    asyncio.run(serve())
