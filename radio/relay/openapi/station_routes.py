"""Stations: live, HLS, events, timetable, archive, replays, control."""

from typing import Final

from radio import control
from radio.relay.openapi.building_blocks import (
    OPERATOR,
    Json,
    asked,
    content,
    errors,
    field,
    one_of_path,
    operation,
    ref,
    said,
    told,
    unchanged,
)
from radio.relay.openapi.schemas import STATION_ID, TEXT, WHOLE, holds, one

STATION: Final = one_of_path("station", STATION_ID)
KEY: Final = asked(
    "c",
    {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
    "Pairs a live connection with the events of a page.",
)
FROM: Final = asked("from", WHOLE, "The first record.")
REPLAY: Final = (
    STATION,
    FROM,
    asked("to", WHOLE, "The last record, inclusive; without one it plays on."),
    asked("run", TEXT, "A run, in place of numbers."),
    asked("at", TEXT, "A time, in place of numbers: epoch ms or ISO 8601."),
    asked("download", TEXT, "To be saved as a file."),
)
RANGE: Final = field("Range", TEXT, "Part of the file.")
_SAY: Final = holds("text", ask=one(*(control.SAY, control.SKIP, control.MUTE, control.UNMUTE)), text=TEXT)
_SOUND: Final = {**said("All of it.", "audio/mpeg"), **said("A part of it.", "audio/mpeg", status=206)}

PATHS: Final[Json] = {
    "/stations": {"get": operation("listStations", "Every station.", told("By id.", ref("Stations")))},
    "/stations/{station}": {
        "get": operation(
            "showStation",
            "What is heard of a station now.",
            {**told("The station.", ref("Station")), **unchanged(), **errors(404)},
            parameters=(STATION,),
        )
    },
    "/stations/{station}/live.mp3": {
        "get": operation(
            "hearStation",
            "The endless stream, from the frame that is on air now.",
            {**said("Sound without an end.", "audio/mpeg"), **errors(400, 404)},
            parameters=(
                STATION,
                KEY,
                asked("cl", one("1"), "With a length, for renderers that take nothing without one."),
                field("Icy-MetaData", one("1"), "Titles within the sound."),
            ),
        )
    },
    "/stations/{station}/live.m3u": {
        "get": operation(
            "playlistM3u",
            "A file that leads players to the stream.",
            {**said("M3U.", "audio/x-mpegurl"), **errors(404)},
            parameters=(STATION,),
        )
    },
    "/stations/{station}/live.pls": {
        "get": operation(
            "playlistPls",
            "The same as PLS.",
            {**said("PLS.", "audio/x-scpls"), **errors(404)},
            parameters=(STATION,),
        )
    },
    "/stations/{station}/live.m3u8": {
        "get": operation(
            "hls",
            "The broadcast as HLS.",
            {**said("Names the playlist of now.", "application/vnd.apple.mpegurl"), **errors(404, 429)},
            parameters=(STATION,),
        )
    },
    "/stations/{station}/hls/{epoch}/live.m3u8": {
        "get": operation(
            "hlsPlaylist",
            "The segments of the window.",
            {**said("HLS.", "application/vnd.apple.mpegurl"), **errors(404, 410, 429)},
            parameters=(STATION, one_of_path("epoch", WHOLE)),
        )
    },
    "/stations/{station}/hls/{epoch}/{n}.mp3": {
        "get": operation(
            "hlsSegment",
            "Six seconds of air time.",
            {**_SOUND, **unchanged(), **errors(404, 410, 416, 429)},
            parameters=(STATION, one_of_path("epoch", WHOLE), one_of_path("n", WHOLE), RANGE),
        )
    },
    "/stations/{station}/events": {
        "get": operation(
            "followStation",
            "Captions, shows and states, ahead of time.",
            {**said("Server-sent events.", "text/event-stream"), **errors(400, 404)},
            parameters=(
                STATION,
                KEY,
                FROM,
                field("Last-Event-ID", TEXT, "Where to go on: <store>:<seq>."),
            ),
        )
    },
    "/stations/{station}/schedule": {
        "get": operation(
            "showSchedule",
            "The next seven days.",
            {**told("In the station's own time.", ref("Schedule")), **unchanged(), **errors(404, 429)},
            parameters=(STATION,),
        )
    },
    "/stations/{station}/schedule.ics": {
        "get": operation(
            "showCalendar",
            "The same as a calendar.",
            {**said("iCalendar.", "text/calendar"), **unchanged(), **errors(404, 429)},
            parameters=(STATION,),
        )
    },
    "/stations/{station}/archive": {
        "get": operation(
            "showArchive",
            "Runs that can be heard again.",
            {**told("Newest first.", ref("Archive")), **unchanged(), **errors(400, 404, 429)},
            parameters=(
                STATION,
                asked("before", TEXT, "Runs that began before this time."),
                asked("after", TEXT, "Runs that ended after this time."),
                asked("seq", WHOLE, "The run that holds this record."),
                asked("limit", {"type": "integer", "minimum": 1, "maximum": 500}, "So many at most."),
            ),
        )
    },
    "/stations/{station}/podcast.xml": {
        "get": operation(
            "showPodcast",
            "The finished runs as a podcast.",
            {**said("RSS 2.0.", "application/rss+xml"), **unchanged(), **errors(404, 429)},
            parameters=(STATION,),
        )
    },
    "/stations/{station}/replay.mp3": {
        "get": operation(
            "hearAgain",
            "A broadcast again.",
            {**_SOUND, **unchanged(), **errors(400, 404, 410, 416)},
            parameters=(*REPLAY, RANGE),
        )
    },
    "/stations/{station}/replay.vtt": {
        "get": operation(
            "readAgain",
            "Its captions, in its own time.",
            {**said("WebVTT.", "text/vtt"), **errors(400, 404, 410, 416)},
            parameters=REPLAY,
        )
    },
    "/stations/{station}/control": {
        "post": operation(
            "controlStation",
            "An order of the operator.",
            {
                **told("It is asked for.", ref("Ordered"), status=202),
                **errors(400, 401, 403, 404, 408, 413, 415),
            },
            parameters=(STATION,),
            body=content("application/json", _SAY),
            security=OPERATOR,
        )
    },
}
