"""One record of every kind, and two where a kind has fields that may be absent: what the golden files pin."""

from typing import get_args

from radio.streams import records
from radio.streams.records import AnyRecord, Family, ScriptPosition

KINDS: tuple[type[AnyRecord], ...] = get_args(records.AnyRecord)

FAMILIES: dict[str, Family] = {
    "station_input": records.STATION_INPUT,
    "script": records.SCRIPT,
    "memory": records.MEMORY,
    "broadcast": records.BROADCAST,
    "archive": records.ARCHIVE,
    "card": records.CARD,
    "cast": records.CAST,
    "catalog": records.CATALOG,
    "jobs": records.JOBS,
    "dead": records.DEAD,
    "cursor": records.CURSOR,
    "done": records.DONE,
    "control": records.CONTROL,
    "member": records.MEMBER,
    "copy": records.COPY,
}

_AT = 1_796_000_000_016
_RUN = "brief@20261129T0700"
_CAST = "Zm9vYmFyYmF6"
_DAY = {"run": _RUN, "show": "brief", "title": "The Morning Brief", "at": _AT, "until": _AT + 1_800_000}

SAMPLES: dict[str, tuple[str, AnyRecord]] = {
    "input_start": ("station_input", records.InputStart(owner="a1b2c3d4")),
    "begin": (
        "station_input",
        records.Begin(
            run=_RUN,
            show="brief",
            title="The Morning Brief",
            voice="af_heart",
            producer="llm",
            at=_AT,
            until=_AT + 1_800_000,
        ),
    ),
    "begin_of_a_fallback": (
        "station_input",
        records.Begin(
            run="fallback@812",
            show="fallback",
            title="Harbor FM",
            voice="af_heart",
            producer="rerun",
            at=_AT,
            until=_AT + 86_400_000,
            rung="rerun",
        ),
    ),
    "run_end": ("station_input", records.RunEnd(run=_RUN, reason="done")),
    "run_end_with_time": ("station_input", records.RunEnd(run="fallback@812", reason="dry", at=_AT + 20_000)),
    "script_start": ("script", records.ScriptStart(attempt=2, keep=ScriptPosition(7, 120))),
    "text": ("script", records.Text(seg=3, body="Grüße vom Kai – 港.".encode())),
    "text_with_mark": ("script", records.Text(seg=3, mark="books/tide.txt#12", body=b"One.")),
    "clip": (
        "script",
        records.Clip(seg=1, d=24, t="A “tune”", mark="tune.mp3#0", body=bytes([0xFF, 0xF3, 0x00])),
    ),
    "clip_without_mark": ("script", records.Clip(seg=1, d=24, t="A tune", body=bytes([0xFF, 0xF3, 0x00]))),
    "again": ("script", records.Again(seg=2, first=10, last=99, d=450_000, mark=f"{_RUN}#99")),
    "again_without_mark": ("script", records.Again(seg=2, first=10, last=99, d=450_000)),
    "memory_start": ("memory", records.InputStart(owner="a1b2c3d4")),
    "heard": ("memory", records.Heard(run=_RUN, mark="books/tide.txt#12")),
    "cut": ("script", records.Cut(keep=ScriptPosition(9, 0))),
    "script_end": ("script", records.ScriptEnd(reason="done")),
    "script_end_with_discards": (
        "script",
        records.ScriptEnd(reason="until", discarded={"repeated": 3, "stage direction": 1}),
    ),
    "broadcast_start": ("broadcast", records.BroadcastStart(owner="a1b2c3d4", tries=1)),
    "show": ("broadcast", records.ShowBegin(run=_RUN, show="brief", title="The Morning Brief", at=_AT)),
    "audio": (
        "broadcast",
        records.Audio(
            i=4,
            d=72,
            t="Said “Ahoy!”",
            pos=4608,
            at=_AT,
            run=_RUN,
            src=ScriptPosition(7, 44),
            c=12,
            body=bytes([0xFF, 0xF3, 0x00]),
        ),
    ),
    "audio_after_an_epoch": (
        "broadcast",
        records.Audio(
            i=4,
            d=24,
            t="Ahoy",
            pos=4608,
            at=_AT,
            run=_RUN,
            src=ScriptPosition(7, 44),
            epoch=137,
            body=bytes([0xFF, 0xF3, 0x00]),
        ),
    ),
    "audio_of_a_cast": ("cast", records.Audio(i=0, d=24, t="Hello.", pos=0, body=bytes([0xFF, 0xF3, 0x00]))),
    "audio_heard_again": (
        "broadcast",
        records.Audio(
            i=4,
            d=24,
            t="Ahoy",
            pos=4608,
            at=_AT,
            run=_RUN,
            src=ScriptPosition(7, 2),
            of=120,
            body=bytes([0xFF, 0xF3, 0x00]),
        ),
    ),
    "skip": (
        "broadcast",
        records.Skip(i=5, t="***", reason="no phonemes", run=_RUN, src=ScriptPosition(7, 50), c=13),
    ),
    "skip_of_a_cast": ("cast", records.Skip(i=1, t="***", reason="empty")),
    "epoch": ("broadcast", records.Epoch(step=-3600)),
    "broadcast_end": ("broadcast", records.BroadcastEnd(run=_RUN, reason="done")),
    "run": (
        "archive",
        records.ArchivedRun(
            run=_RUN,
            show="brief",
            title="The Morning Brief",
            spans=((10, 99), (120, 130)),
            at=_AT,
            until=_AT + 1_800_000,
            size=14_400_000,
            sentences=101,
        ),
    ),
    "over": ("archive", records.RunOver(run="fallback@41")),
    "card": (
        "card",
        records.Card(
            station="harbor",
            title="Harbor FM",
            description="Ships and small facts.",
            zone="Europe/Berlin",
            language="en-us",
            voice="af_heart",
            lead=(30.0, 10.0),
            keep_ms=1_209_600_000,
            fallback="rerun",
            days=(_DAY,),
        ),
    ),
    "card_with_model": (
        "card",
        records.Card(
            station="harbor",
            title="Harbor FM",
            description="",
            zone="UTC",
            language="en-us",
            voice="af_heart",
            lead=(30.0, 10.0),
            fallback="off",
            days=(),
            model="SmolLM2-135M-Instruct.Q4_1.gguf",
        ),
    ),
    "card_without_limit": (
        "card",
        records.Card(
            station="harbor",
            title="Harbor FM",
            description="",
            zone="UTC",
            language="ja",
            voice="jf_alpha",
            lead=(30.0, 10.0),
            fallback="off",
            days=(),
        ),
    ),
    "card_with_ladder": (
        "card",
        records.Card(
            station="harbor",
            title="Harbor FM",
            description="",
            zone="UTC",
            language="en-us",
            voice="af_heart",
            lead=(30.0, 10.0),
            fallback="rerun",
            days=(),
            ladder={"rung": "ident", "since": _AT, "begun": {"ident": 1, "own": 3}},
        ),
    ),
    "card_start": ("card", records.InputStart(owner="a1b2c3d4")),
    "meta": (
        "cast",
        records.CastMeta(title="A letter", voice="af_heart@1.20", created=_AT, characters=900),
    ),
    "cast_start": ("cast", records.CastStart(owner="a1b2c3d4", first=3, tries=0)),
    "eos": ("cast", records.CastEnd(reason="done", job=17)),
    "eos_of_a_removal_with_its_token": (
        "cast",
        records.CastEnd(reason="removed", job=17, recipes=2, token="0f" * 32),
    ),
    "eos_of_a_removal": ("cast", records.CastEnd(reason="removed", job=17, c=4, recipes=2)),
    "recipe": (
        "catalog",
        records.Recipe(text="Dear all,\n…", voice="af_heart", title="A letter", created=_AT, token="0f" * 32),
    ),
    "recipe_for_an_hour": (
        "catalog",
        records.Recipe(
            text="Dear all,\n…",
            voice="af_heart",
            title="A letter",
            created=_AT,
            token="0f" * 32,
            asked=_AT + 60_000,
            keep_ms=3_600_000,
        ),
    ),
    "job": ("jobs", records.Job(cast=_CAST)),
    "dead": ("dead", records.DeadJob(cast=_CAST, job=17, reason="silent")),
    "copy_begun": ("copy", records.CopyBegun(source="00ff" * 8)),
    "copy_done": (
        "copy",
        records.CopyDone(source="00ff" * 8, streams=3, records=18, digest="0f" * 32),
    ),
    "cursor": ("cursor", records.CursorMark(store="00ff" * 8, next=18)),
    "receipt": (
        "done",
        records.Receipt(
            id=_CAST,
            reason="done",
            voice="af_heart",
            sentences=7,
            skipped=1,
            audio_ms=45_120,
            gen_ms=20_000,
            job=17,
        ),
    ),
    "receipt_of_a_run": (
        "done",
        records.Receipt(
            id=f"harbor/{_RUN}",
            reason="done",
            voice="af_heart",
            sentences=7,
            skipped=0,
            audio_ms=45_120,
            gen_ms=20_000,
        ),
    ),
    "request": (
        "control",
        records.ControlRequest(what="say", target="harbor", detail="A word from the editor."),
    ),
    "request_written_again": (
        "control",
        records.ControlRequest(what="mute", target="harbor", since=_AT),
    ),
    "beat": (
        "member",
        records.Heartbeat(role="narrator", host="board", xrt=1.87, leads={"station/harbor": 21.5}),
    ),
    "live_beat": (
        "member",
        records.Heartbeat(
            role="narrator", host="board", xrt=1.87, live=1, leads={"station harbor": 21.5, "cast x": 0.0}
        ),
    ),
    "beat_short_of_space": ("member", records.Heartbeat(role="narrator", host="board", let_go=67_108_864)),
    "beat_of_a_narrator": (
        "member",
        records.Heartbeat(role="narrator", host="board", xrt=1.87, engine="native avx2, 2 threads"),
    ),
    "first_beat": ("member", records.Heartbeat(role="relay", host="board")),
    "bye": ("member", records.Bye()),
}
"""By the golden file's name: the family of its stream, and the record."""
