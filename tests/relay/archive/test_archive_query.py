import pytest

from radio.clock import ManualClock
from radio.errors import BadInput
from radio.relay.archive.archive_query import ArchivePage, Run, part_of
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air
from tests.relay.serving import relay_on

RUNS: list[Run] = [
    {"run": "c", "at": 3000, "until": None, "from": 30, "to": None, "finished": False},
    {"run": "b", "at": 2000, "until": 2900, "from": 20, "to": 28, "finished": True},
    {"run": "a", "at": 1000, "until": 2000, "from": 10, "to": 18, "finished": True},
]


@pytest.mark.parametrize(
    ("part", "names", "more"),
    [
        (ArchivePage(), "cba", False),
        (ArchivePage(before=3000), "ba", False),
        (ArchivePage(before=3001), "cba", False),
        (ArchivePage(after=2000), "cb", False),
        (ArchivePage(after=1999, before=2000), "a", False),
        (ArchivePage(after=9000), "c", False),
        (ArchivePage(seq=28), "b", False),
        (ArchivePage(seq=29), "", False),
        (ArchivePage(seq=5000), "c", False),
        (ArchivePage(limit=2), "cb", True),
        (ArchivePage(limit=3), "cba", False),
        (ArchivePage(before=2000, limit=1), "a", False),
    ],
)
def test_a_part_holds_what_was_asked_for_and_nothing_else(part: ArchivePage, names: str, more: bool) -> None:
    runs, is_more = part.of(RUNS)
    assert ("".join(run["run"] for run in runs), is_more) == (names, more)


def test_times_are_epoch_ms_or_the_stations_own() -> None:
    asked = part_of({"before": "1796018400000", "after": "2026-11-30T07:00"}, "Europe/Berlin")
    assert asked == ArchivePage(before=1_796_018_400_000, after=1_796_018_400_000)


@pytest.mark.parametrize(
    "query", [{"before": "soon"}, {"limit": "0"}, {"limit": "501"}, {"limit": "-1"}, {"seq": "first"}]
)
def test_what_makes_no_sense_is_refused_with_a_hint(query: dict[str, str]) -> None:
    with pytest.raises(BadInput) as refused:
        part_of(query, "UTC")
    assert next(iter(query)) in str(refused.value)
    assert refused.value.hint


async def test_the_archive_is_read_in_parts(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    seqs = []
    for name in ("brief@20270115T0800", "wires@20270115T0900"):
        await air.show(name, name)
        said = await air.say_many(2)
        await air.end()
        await air.archive(name, name, [(said[0], said[1])])
        seqs.append(said[1])
    async with relay_on(store, clock) as served:
        whole = await served.json("/stations/harbor/archive")
        newest, oldest = whole["runs"]
        first = await served.json("/stations/harbor/archive?limit=1")
        assert (first["runs"], first["more"]) == ([newest], True)
        rest = await served.json(f"/stations/harbor/archive?limit=1&before={newest['at']}")
        assert (rest["runs"], rest["more"]) == ([oldest], False)
        assert first["oldest_at"] == rest["oldest_at"] == oldest["at"]
        assert (await served.json(f"/stations/harbor/archive?seq={seqs[0]}"))["runs"] == [oldest]
        async with served.http.get(served.at("/stations/harbor/archive?limit=none")) as reply:
            assert reply.status == 400
