"""What JSON of this radio holds. Objects name all their members, so that a test sees it when one is added."""

from typing import Any, Final

from radio.relay.openapi.building_blocks import Json, ref

TEXT: Final = {"type": "string"}
WHOLE: Final = {"type": "integer"}
NUMBER: Final = {"type": "number"}
YES: Final = {"type": "boolean"}
STATION_ID: Final = {"type": "string", "pattern": "^[a-z0-9-]{1,32}$"}
CAST_ID: Final = {"type": "string", "pattern": "^[A-Za-z0-9_-]{12}$"}


def maybe(schema: Json) -> Json:
    """That, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def one(*values: Any) -> Json:
    """One of these."""
    return {"enum": list(values)}


def many(schema: Json) -> Json:
    """A list."""
    return {"type": "array", "items": schema}


def holds(*optional: str, **members: Json) -> Json:
    """An object with these members and no others; all are there but the `optional` ones."""
    named = {name.rstrip("_"): schema for name, schema in members.items()}
    required = [name for name in named if name not in optional]
    return {"type": "object", "properties": named, "required": required, "additionalProperties": False}


def links(*names: str) -> Json:
    """Addresses of this radio, by what is there."""
    return holds(**dict.fromkeys(names, TEXT))


_PLANNED: Final = {"run": TEXT, "show": TEXT, "title": TEXT, "at": WHOLE, "until": WHOLE}
_DISK: Final = holds(
    free_bytes=maybe(WHOLE), floor_bytes=WHOLE, low=maybe(YES), let_go_bytes=maybe(WHOLE)
)  # fmt: skip
_HEARD: Final = holds(
    station=STATION_ID,
    state=ref("State"),
    ready=YES,
    lead_ms=WHOLE,
    seconds_since_speech=maybe(NUMBER),
    silence_ratio=maybe(NUMBER),
    late_frames=WHOLE,
    slow_listeners_dropped=WHOLE,
)
_FALLBACK: Final = holds(
    rung=maybe(one("own", "rerun", "ident", "silence")),
    since=maybe(WHOLE),
    begun={"type": "object", "additionalProperties": WHOLE},
)

SCHEMAS: Final[Json] = {
    "Problem": {
        "type": "object",
        "required": ["type", "title", "status", "detail", "hint"],
        "properties": {"type": TEXT, "title": TEXT, "status": WHOLE, "detail": TEXT, "hint": TEXT},
        "description": "RFC 9457, with a hint; further members are facts that programs may use.",
    },
    "State": one("on_air", "starting", "silent", "off"),
    "Station": holds(
        schema_version=one(1),
        station=STATION_ID,
        title=TEXT,
        description=TEXT,
        language=TEXT,
        zone=TEXT,
        voice=TEXT,
        state=ref("State"),
        muted=YES,
        store=TEXT,
        seq=maybe(WHOLE),
        lead_ms=WHOLE,
        listeners=WHOLE,
        server_time=WHOLE,
        now=ref("Now"),
        next=maybe(holds(**_PLANNED)),
        model=maybe(TEXT),
        fallback=maybe(_FALLBACK),
        urls=links(
            "page",
            "live",
            "m3u",
            "pls",
            "hls",
            "events",
            "schedule",
            "archive",
            "replay",
            "podcast",
            "calendar",
        ),
    ),
    "Now": holds(
        run=maybe(TEXT),
        show=maybe(TEXT),
        title=TEXT,
        kind=one("show", "fallback", "starting", "off"),
        started_at=maybe(WHOLE),
        until=maybe(WHOLE),
        sentence=maybe(TEXT),
        changed_at=maybe(WHOLE),
    ),
    "Stations": holds(stations=many(ref("Station"))),
    "Schedule": holds(
        station=STATION_ID, zone=TEXT, shows=many(holds(**_PLANNED, local_start=TEXT, offset=TEXT))
    ),
    "Archive": holds(station=STATION_ID, runs=many(ref("ArchivedRun")), more=YES, oldest_at=maybe(WHOLE)),
    "ArchivedRun": holds(
        run=TEXT,
        show=TEXT,
        title=TEXT,
        at=maybe(WHOLE),
        until=maybe(WHOLE),
        from_=WHOLE,
        to=maybe(WHOLE),
        bytes=maybe(WHOLE),
        sentences=WHOLE,
        audio_ms=maybe(WHOLE),
        finished=YES,
        urls=links("mp3", "vtt", "download"),
    ),
    "Ordered": holds("station", station=STATION_ID, ask=TEXT, seq=WHOLE),
    "Cast": holds(
        "token",
        schema_version=one(1),
        cast=CAST_ID,
        title=TEXT,
        voice=TEXT,
        status=one("queued", "live", "done", "failed"),
        position=maybe(WHOLE),
        estimate_s=maybe(NUMBER),
        paused=YES,
        created=maybe(WHOLE),
        characters=WHOLE,
        sentences=WHOLE,
        skipped=WHOLE,
        audio_ms=WHOLE,
        reason=maybe(TEXT),
        urls=links("page", "mp3", "vtt", "txt", "events"),
        token=TEXT,
    ),
    "Removing": holds(cast=CAST_ID, status=one("removing")),
    "Voices": holds(
        casts=one("on", "paused", "off"),
        characters=WHOLE,
        default=TEXT,
        token=YES,
        voices=many(holds(name=TEXT, language=TEXT, gender=TEXT)),
    ),
    "SpeechVoices": holds(voices=many(holds(id=TEXT, name=TEXT, language=TEXT, gender=TEXT, spoken_by=TEXT))),
    "Model": holds(id=TEXT, object=one("model"), created=WHOLE, owned_by=TEXT),
    "Models": holds(object=one("list"), data=many(ref("Model"))),
    "SpeechError": holds(error=holds(message=TEXT, type=TEXT, param=maybe(TEXT), code=maybe(TEXT))),
    "Records": holds(
        "tail",
        records=many(
            holds(
                seq_num=WHOLE,
                timestamp=WHOLE,
                headers=many({"type": "array", "prefixItems": [TEXT, TEXT], "items": False}),
                body={"type": "string", "contentEncoding": "base64"},
            )
        ),
        next=WHOLE,
        tail=holds(seq_num=WHOLE, timestamp=WHOLE),
    ),
    "Health": holds(
        status=one("ok", "not ok"),
        version=TEXT,
        store=TEXT,
        casts=one("on", "paused", "off"),
        disk=maybe(_DISK),
        stations=many(_HEARD),
    ),
    "Readiness": holds(status=one("ready", "not ready"), disk=maybe(_DISK), stations=many(_HEARD)),
}
