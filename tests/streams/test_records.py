"""The codec: formats pinned by golden files, both ways; any caption survives; the unknown is refused.

`python -m tests.streams.test_records` writes the golden files that are missing; it never changes one.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.errors import BadInput
from radio.streams import records
from radio.streams.contract import NewRecord, Record
from radio.streams.records import ScriptPosition, UnknownRecord, decode, encode
from tests.streams.samples import FAMILIES, KINDS, SAMPLES

GOLDEN = Path(__file__).parent / "golden"


def stored(new: NewRecord, seq: int = 0) -> Record:
    return Record(seq, 1, new.headers, new.body)


def golden_form(new: NewRecord) -> dict[str, Any]:
    """A record as its golden file spells it: headers as pairs of text, a body as text, or in hex."""
    try:
        body = {"body": new.body.decode()}
    except UnicodeDecodeError:
        body = {"body_hex": new.body.hex()}
    return {"headers": [[n.decode(), v.decode()] for n, v in new.headers], **body}


def from_golden(form: dict[str, Any]) -> Record:
    body = form["body"].encode() if "body" in form else bytes.fromhex(form["body_hex"])
    return Record(0, 1, tuple((n.encode(), v.encode()) for n, v in form["headers"]), body)


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_record_is_written_as_its_golden_file_says(sample: str) -> None:
    _, record = SAMPLES[sample]
    assert golden_form(encode(record)) == json.loads((GOLDEN / f"{sample}.json").read_text())


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_golden_file_is_read_as_the_record_it_was(sample: str) -> None:
    family, record = SAMPLES[sample]
    decoded = decode(FAMILIES[family], from_golden(json.loads((GOLDEN / f"{sample}.json").read_text())))
    assert decoded == record
    assert type(decoded) is type(record)


def test_every_kind_of_every_family_has_a_sample_and_every_sample_a_golden_file() -> None:
    assert {type(record) for _, record in SAMPLES.values()} == set(KINDS)
    members = {(family, kind) for family, kinds in FAMILIES.items() for kind in kinds}
    assert {(family, type(record)) for family, record in SAMPLES.values()} == members
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(SAMPLES)


def test_events_are_distinct_within_each_family() -> None:
    for family in FAMILIES.values():
        assert len({kind.EVENT for kind in family}) == len(family)


captions = st.text(st.characters(exclude_categories=["Cs"]))
positions = st.builds(ScriptPosition, st.integers(0, 1 << 62), st.integers(0, 1 << 62))
numbers = st.integers(0, 1 << 53)
maybe_run = st.none() | st.just("brief@20261129T0700")


@given(
    st.builds(
        records.Audio,
        i=numbers,
        d=numbers,
        t=captions,
        pos=numbers,
        at=st.none() | numbers,
        run=maybe_run,
        src=st.none() | positions,
        c=st.none() | numbers,
        body=st.binary(),
    )
)
def test_any_caption_and_any_sound_survive(record: records.Audio) -> None:
    assert decode(records.BROADCAST, stored(encode(record))) == record
    assert decode(records.CAST, stored(encode(record))) == record


@given(
    st.builds(
        records.Skip,
        i=numbers,
        t=captions,
        reason=captions,
        run=maybe_run,
        src=st.none() | positions,
        c=st.none() | numbers,
    )
)
def test_any_skip_survives(record: records.Skip) -> None:
    assert decode(records.BROADCAST, stored(encode(record))) == record


@given(numbers, captions)
def test_any_text_survives(seg: int, text: str) -> None:
    record = records.Text(seg=seg, body=text.encode())
    decoded = decode(records.SCRIPT, stored(encode(record)))
    assert decoded == record
    assert isinstance(decoded, records.Text)
    assert decoded.text == text


@given(captions, captions, numbers)
def test_any_recipe_survives(text: str, title: str, created: int) -> None:
    record = records.Recipe(text=text, voice="af_heart", title=title, created=created, token="00" * 32)
    assert decode(records.CATALOG, stored(encode(record))) == record


@given(st.lists(st.tuples(numbers, numbers)), captions)
def test_any_archived_run_survives(spans: list[tuple[int, int]], title: str) -> None:
    record = records.ArchivedRun(
        run="r", show="s", title=title, spans=tuple(spans), at=1, until=2, size=3, sentences=4
    )
    assert decode(records.ARCHIVE, stored(encode(record))) == record


@given(st.none() | st.floats(0, 1e6), st.none() | st.dictionaries(captions, st.floats(0, 1e6)))
def test_any_heartbeat_survives(xrt: float | None, leads: dict[str, float] | None) -> None:
    record = records.Heartbeat(role="narrator", host="h", xrt=xrt, leads=leads)
    assert decode(records.MEMBER, stored(encode(record))) == record


@given(positions)
def test_a_script_position_is_read_as_it_is_spelt(position: ScriptPosition) -> None:
    assert ScriptPosition.parse(str(position)) == position


@given(positions, positions)
def test_script_positions_are_ordered_by_seq_and_then_by_offset(a: ScriptPosition, b: ScriptPosition) -> None:
    assert (a < b) == ((a.seq, a.offset) < (b.seq, b.offset))


@pytest.mark.parametrize("text", ["", "5", ":", "5:", ":5", "-1:0", "1:-1", "a:b", "1:2:3", "1.0:2", "1: 2"])
def test_anything_else_is_no_script_position(text: str) -> None:
    with pytest.raises(BadInput):
        ScriptPosition.parse(text)


def test_air_time_ends_when_the_last_sample_was_heard() -> None:
    audio = records.Audio(i=0, d=48, t="", pos=0, at=1000, body=b"")
    assert audio.until == 1048
    with pytest.raises(BadInput):
        _ = records.Audio(i=0, d=48, t="", pos=0, body=b"").until


def changed(sample: str, **headers: str) -> Record:
    """A sample with some of its headers replaced; "" leaves one out."""
    new = encode(SAMPLES[sample][1])
    pairs = {n.decode(): v.decode() for n, v in new.headers} | headers
    return Record(3, 1, tuple((n.encode(), v.encode()) for n, v in pairs.items() if v), new.body)


@pytest.mark.parametrize(
    "record",
    [
        Record(3, 1, (), b"token", "fence"),
        Record(3, 1, (), b"{}"),
        changed("audio", v="2"),
        changed("audio", v=""),
        changed("audio", e="sing"),
        changed("audio", e="begin"),
        changed("audio", d="long"),
        changed("audio", d=""),
        changed("audio", src="7"),
        Record(3, 1, ((b"e", b"epoch"), (b"v", b"1")), b"not json"),
        Record(3, 1, ((b"e", b"epoch"), (b"v", b"1")), b"\xff"),
        Record(3, 1, ((b"e", b"epoch"), (b"v", b"1")), b"[]"),
        Record(3, 1, ((b"e", b"epoch"), (b"v", b"1")), b"7"),
        Record(3, 1, ((b"e", b"epoch"), (b"v", b"1")), b"{}"),
        Record(3, 1, ((b"e", b"skip"), (b"v", b"1")), b'{"i":1,"t":"","reason":"","src":5}'),
    ],
)
def test_a_record_of_another_format_is_refused_with_its_number(record: Record) -> None:
    with pytest.raises(UnknownRecord, match="record 3"):
        decode(records.BROADCAST, record)


def test_a_newer_writer_may_add_fields() -> None:
    more = changed("audio", mood="calm")
    assert decode(records.BROADCAST, more) == SAMPLES["audio"][1]
    epoch = Record(0, 1, ((b"e", b"epoch"), (b"v", b"1")), b'{"step":24,"why":"set by hand"}')
    assert decode(records.BROADCAST, epoch) == records.Epoch(step=24)


def test_the_event_is_known_without_decoding() -> None:
    assert records.event_of(stored(encode(records.Bye()))) == "bye"
    assert records.event_of(Record(0, 1, (), b"t", "fence")) is None


def write_missing() -> None:
    for name, (_, record) in SAMPLES.items():
        path = GOLDEN / f"{name}.json"
        if not path.exists():
            path.write_text(json.dumps(golden_form(encode(record)), indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    write_missing()
