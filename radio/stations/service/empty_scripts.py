"""What a scheduler looks for in the scripts of its runs."""

from contextlib import aclosing

from radio.streams import names
from radio.streams.contract import StreamStore
from radio.streams.reading import all_events
from radio.streams.records import SCRIPT, Cut, ScriptEnd, ScriptStart


async def is_empty(store: StreamStore, station: str, run: str) -> bool:
    """Whether nothing to be heard was ever written of a run."""
    async with aclosing(all_events(store, SCRIPT, names.script(station, run))) as events:
        async for _, written in events:
            if not isinstance(written, ScriptStart | Cut | ScriptEnd):
                return False
    return True
