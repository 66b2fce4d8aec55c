"""Rule C6 on our own code: what goes into a stream that has an owner goes with its token, at its place.

Read from the source: each call of a store's `append` or `trim`, of `append_exact` or of `claim`, and each pen
that is made, unless the stream is one of those that everybody may write.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

import radio
from tests.streams.appending import Fault, Known, faults, learn

ROOT = Path(radio.__file__).parent
STORES = {
    "stores/memory.py": "the store itself",
    "stores/sqlite/*.py": "the store itself",
    "stores/s2/*.py": "the store itself",
    "conformance/*.py": "tries the contract, in streams of its own",
    "admin/copying/*.py": "makes a whole store anew, fences and all, while nobody owns anything there",
    "job_cursor.py": "its stream is shared, whatever it is called",
}
"""Below `radio/streams`: where these rules do not apply, and why."""


@cache
def sources() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text() for path in sorted(ROOT.rglob("*.py"))}


def is_store(name: str) -> bool:
    return any(Path(name).match(f"streams/{pattern}") for pattern in STORES)


@pytest.fixture(scope="module")
def known() -> Known:
    """What is a store, or a pen, anywhere in the package."""
    found = Known()
    for _ in range(2):  # a name may be given what a later module annotates
        for source in sources().values():
            learn(ast.parse(source), found)
    return found


def test_no_code_appends_to_an_owned_stream_but_as_its_owner(known: Known) -> None:
    found = [
        f"radio/{name}:{fault.line}: {fault.why}"
        for name, source in sources().items()
        if not is_store(name)
        for fault in faults(source, known)
    ]
    assert found == []


def test_every_exemption_is_of_a_module_that_is_there() -> None:
    names = list(sources())
    assert [
        pattern for pattern in STORES if not any(Path(n).match(f"streams/{pattern}") for n in names)
    ] == []


def test_stores_and_pens_are_known_by_all_their_names(known: Known) -> None:
    assert {"store", "_store"} <= known.stores
    assert "_writer" in known.writers
    assert not known.stores & known.writers


def planted(known: Known, code: str) -> list[Fault]:
    return faults(f"async def f(self, store):\n    {code}\n", known)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("await store.append(names.broadcast(station), [r])", "token"),
        ("await store.append(names.broadcast(station), [r], match_seq_num=3)", "token"),
        ("await store.append(names.broadcast(station), [r], fencing_token=mine)", "place"),
        ("await store.append(names.card(s), [r], fencing_token=None, match_seq_num=3)", "token"),
        ("await store.append(names.card(s), [r], fencing_token=mine, match_seq_num=None)", "place"),
        ("await self._store.append(name, [r], match_seq_num=3)", "token"),
        ("await self._office.store.append(name, [r], match_seq_num=3)", "token"),
        ("await append_exact(store, names.cast(cast), [r], match_seq_num=3)", "token"),
        ("await writer.claim(store, names.cast(cast), [r])", "token"),
        ("await store.trim(names.broadcast(station), 7)", "token"),
        ("await store.trim(names.script(station, run), first, fencing_token=None)", "token"),
        ("CoalescingWriter(store, name, fencing_token=None, start_at=0)", "token"),
        ("await wrapped.append(name, [r], match_seq_num=3)", "neither"),
        ("await somewhere.append(names.broadcast(station), [r])", "neither"),
        ("put = store.append; await put(names.broadcast(station), [r])", "handed on"),
        ("await asyncio.wait_for(self._store.append(names.shows(s), [r]), 3)", "token"),
        ("[await store.append(n, [r], match_seq_num=0) for n in found]", "token"),
    ],
)
def test_a_planted_fault_is_found(known: Known, code: str, why: str) -> None:
    [fault] = planted(known, code)
    assert why in fault.why
    assert fault.line == 2


@pytest.mark.parametrize(
    "code",
    [
        "await store.append(names.broadcast(station), [r], fencing_token=mine, match_seq_num=at)",
        "await self._store.append(names.JOBS, [r])",
        "await store.append(names.member(owner), [r], match_seq_num=at)",
        "await store.trim(names.catalog(cast), tail)",
        "await store.trim(names.broadcast(station), 7, fencing_token=mine)",
        "await claim(store, names.catalog(cast), [r])",
        "await claim(store, names.cast(cast), [meta], fencing_token='')",
        "found.append(r)",
        "await self._writer.append(*batch)",
        "CoalescingWriter(store, name, fencing_token=mine, start_at=0)",
        "await self._contents.trim(first)",
    ],
)
def test_what_is_right_passes(known: Known, code: str) -> None:
    assert planted(known, code) == []


def test_a_local_name_is_followed_to_its_stream(known: Known) -> None:
    source = """
async def write(store, cast):
    name, place = names.{0}(cast), 0
    await store.append(name, [record], match_seq_num=place)

async def write_else(store, cast):
    name = names.member(cast)
    await store.append(name, [record], match_seq_num=place)
"""
    assert faults(source.format("catalog"), known) == []
    assert [fault.line for fault in faults(source.format("cast"), known)] == [4]
