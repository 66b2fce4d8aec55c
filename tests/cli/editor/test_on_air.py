"""Commands of an editor: what they make and write, and how they refuse."""

import asyncio
from pathlib import Path

import pytest

from radio import control, mp3
from radio.cli import main
from radio.clock import ManualClock, SystemClock
from radio.settings import Settings
from radio.streams import names, records
from radio.streams.admin.store_identity import ID_FILE
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from radio.streams.stores.open_store import open_store
from tests.flow.stations import READ_ALOUD, tale
from tests.need import need
from tests.relay.airing import Air

TALE = tale(8)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a station file, and the settings that name it."""
    (tmp_path / "schedules").mkdir()
    (tmp_path / "schedules" / "harbor.yaml").write_text(READ_ALOUD)
    (tmp_path / "schedules" / "tales.txt").write_text("\n\n".join(TALE))
    for name, value in {"ENGINE": "tone", "DATA": "data", "SCHEDULES": "schedules"}.items():
        monkeypatch.setenv(f"RADIO_{name}", value if name == "ENGINE" else str(tmp_path / value))
    return tmp_path


async def with_store(place: Path) -> StreamStore:
    (place / "data").mkdir(exist_ok=True)
    return await open_store(Settings(data=place / "data"), SystemClock())


def known_station(place: Path) -> None:
    async def write() -> None:
        store = await with_store(place)
        start = records.encode(records.InputStart(owner="scheduler"))
        await store.append(names.station_input("harbor"), [start])
        await store.close()

    asyncio.run(write())


def asked(place: Path) -> list[tuple[str, str, str]]:
    async def read() -> list[tuple[str, str, str]]:
        store = await with_store(place)
        try:
            page = await store.read(names.CONTROL, FromSeq(0))
        except StreamNotFound:
            return []
        finally:
            await store.close()
        found = [records.decode(records.CONTROL, record) for record in page.records]
        return [(r.what, r.target, r.detail) for r in found if isinstance(r, records.ControlRequest)]

    return asyncio.run(read())


def test_a_preview_is_written_and_spoken_and_airs_nowhere(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need("espeak")
    out = place / "preview.mp3"
    assert main(["preview", "harbor", "tales", "--for", "4", "--out", str(out)]) == 0
    seconds = sum(1 for _ in mp3.frames(out.read_bytes())) * mp3.FRAME_MS / 1000
    assert 4 <= seconds < 20
    told = capsys.readouterr().err
    assert TALE[0] in told
    assert f"{seconds:.1f} s of tales, not aired" in told
    assert not (place / "data").exists()


def test_a_show_that_ends_early_is_heard_to_its_end(place: Path) -> None:
    need("espeak")
    (place / "schedules" / "tales.txt").write_text(TALE[0])
    out = place / "preview.mp3"
    assert main(["preview", "harbor", "tales", "--for", "60", "--out", str(out)]) == 0
    assert 0 < len(out.read_bytes()) < 20_000 * 8


def test_a_preview_says_words_as_the_station_s_list_does(place: Path) -> None:
    need("espeak")
    (place / "schedules" / "tales.txt").write_text("The pier is open today.")
    lengths = []
    for listed in ("", "pronounce: {pier: the pier at the end of the harbor behind the old lighthouse}\n"):
        (place / "schedules" / "harbor.yaml").write_text(READ_ALOUD + listed)
        out = place / "preview.mp3"
        assert main(["preview", "harbor", "tales", "--for", "60", "--out", str(out)]) == 0
        lengths.append(len(out.read_bytes()))
        out.unlink()
    assert lengths[1] > 1.5 * lengths[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("preview", "harbor", "tails"), "did you mean tales?"),
        (("preview", "harbour", "tales"), "did you mean harbor?"),
        (("say", "harbour", "Hello."), "did you mean harbor?"),
        (("say", "harbor", "  "), "there is nothing to say"),
        (("say", "harbor", "Word after word. " * 400), "at most 5000 at once"),
        (("mute", "nowhere"), "stations: harbor"),
    ],
)
def test_what_is_misspelt_is_refused_with_a_hint_and_changes_nothing(
    place: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    known_station(place)
    out = ["--out", str(place / "out.mp3")] if words[0] == "preview" else []
    assert main([*words, *out]) != 0
    assert says in capsys.readouterr().err
    assert asked(place) == []
    assert not (place / "out.mp3").exists()


def test_where_there_is_no_store_none_is_made(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mute", "harbor"]) != 0
    told = capsys.readouterr().err
    assert "there is no store in" in told
    assert "name the radio's folder with --data or RADIO_DATA" in told
    assert not (place / "data").exists()


def test_the_hand_of_the_editor_writes_requests_in_order(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known_station(place)
    text = "The ferry at nine is cancelled. Please take the bus from the old harbor instead."
    assert main(["say", "harbor", text]) == 0
    assert "2 sentences" in capsys.readouterr().out
    for command in ("skip", "mute", "unmute"):
        assert main([command, "harbor"]) == 0
    first, second = asked(place)[:2]
    assert f"{first[2]} {second[2]}" == text
    assert asked(place)[2:] == [
        (control.SKIP, "harbor", ""),
        (control.MUTE, "harbor", ""),
        (control.UNMUTE, "harbor", ""),
    ]


def aired(place: Path) -> list[int]:
    """Three sentences were on air; their numbers."""

    async def write() -> list[int]:
        store = await with_store(place)
        air = await Air(store, ManualClock(1_800_000_000_000)).begin()
        said = [*await air.say_many(2), await air.say("Sentence 2.", gap_ms=2400)]
        await store.close()
        return said

    return asyncio.run(write())


def captions(place: Path) -> list[str]:
    async def read() -> list[str]:
        store = await with_store(place)
        page = await store.read(names.broadcast("harbor"), FromSeq(0))
        await store.close()
        found = [records.decode(records.BROADCAST, record) for record in page.records]
        return [audio.t for audio in found if isinstance(audio, records.Audio)]

    return asyncio.run(read())


def test_records_are_redacted_by_number_told_with_their_time_and_erased(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known_station(place)
    said = aired(place)
    assert main(["redact", "harbor", str(said[1]), str(said[2])]) == 0
    told = capsys.readouterr().out
    assert "2 sentences, 4." in told
    assert "on air from 2027-01-15 09:00:02 to 09:00:08" in told  # in the station's zone
    assert "is erased from the store" in told
    assert asked(place) == [("redact", "harbor", f"{said[1]} {said[2]}")]
    assert captions(place) == ["Sentence 0.", "", ""]
    assert main(["redact", "harbor", str(said[1]), str(said[1])]) == 0  # once more hurts nothing
    assert "1 sentence, " in capsys.readouterr().out


@pytest.mark.parametrize(
    "times",
    [
        ("2027-01-15T09:00:02.500", "2027-01-15T09:00:03"),  # the station's own
        ("2027-01-15T08:00:02.500Z", "2027-01-15T03:00:03-05:00"),
        ("2027-01-15T09:00:02.500", "2027-01-15T09:00:05"),  # the pause after it
    ],
)
def test_records_are_redacted_by_when_they_were_on_air(place: Path, times: tuple[str, str]) -> None:
    known_station(place)
    aired(place)
    assert main(["redact", "harbor", *times]) == 0
    assert captions(place) == ["Sentence 0.", "", "Sentence 2."]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("harbor", "3", "2"), "2 lies before 3"),
        (("harbor", "3", "99"), "there are 0 to 4"),
        (("harbor", "-1", "2"), "No such option"),
        (("harbor", "one", "2"), "neither a record's number nor a time"),
        (("harbor", "2", "20270115"), "there are 0 to 4"),
        (("harbor", "2", "2027-01-15T09:30"), "was not on air yet"),
        (("harbour", "3", "3"), "did you mean harbor?"),
    ],
)
def test_what_cannot_be_redacted_is_refused_with_a_hint_and_changes_nothing(
    place: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    known_station(place)
    aired(place)
    assert main(["redact", *words]) != 0
    assert says in capsys.readouterr().err
    assert asked(place) == []
    assert captions(place) == ["Sentence 0.", "Sentence 1.", "Sentence 2."]


def test_what_a_rerun_has_heard_again_is_taken_out_where_it_was_heard_first_too(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def rerun() -> tuple[list[int], list[int]]:
        store = await with_store(place)
        air = await Air(store, ManualClock(1_800_000_000_000)).begin()
        firsts = await air.say_many(4)
        copies = [await air.say(f"Sentence {k}.", of=firsts[k]) for k in (1, 2, 3, 1)]
        await store.close()
        return firsts, copies

    known_station(place)
    firsts, copies = asyncio.run(rerun())
    assert main(["redact", "harbor", str(copies[0]), str(copies[1])]) == 0
    assert "2 taken out where they were heard first" in capsys.readouterr().out
    assert [detail for _, _, detail in asked(place)] == [
        f"{copies[0]} {copies[1]}",
        f"{firsts[1]} {firsts[2]}",
    ]
    assert captions(place) == ["Sentence 0.", "", "", "Sentence 3.", "", "", "Sentence 3.", "Sentence 1."]


def test_a_station_that_was_never_on_air_has_nothing_to_redact(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known_station(place)
    assert main(["redact", "harbor", "0", "0"]) != 0
    assert "there are none" in capsys.readouterr().err


def test_a_store_that_the_radio_of_this_folder_does_not_use_is_refused(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known_station(place)
    (place / "data" / ID_FILE).write_text("that of the store to which this one was moved\n")
    assert main(["mute", "harbor"]) != 0
    told = capsys.readouterr().err
    assert "uses another store than sqlite" in told
    assert "--s2-lite" in told
    assert asked(place) == []
