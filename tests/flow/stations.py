"""Stations that are on air all day, made for tests."""

HEAD = """\
station: harbor
title: Harbor FM
description: Ships, tides and small facts.
timezone: UTC
voice: af_heart
persona: Ada, a calm night host who loves ships and small facts.
lead: {target: 30s, guard: 10s}
fallback: off
shows:
"""
WRITTEN_LIVE = (
    HEAD
    + """\
  - id: tides
    title: Tides
    hours: "00:00-00:00"
    producer: llm
    topics: [the tides of the sea, old lighthouses, how ships find their way, the weather at sea]
"""
)
READ_ALOUD = (
    HEAD
    + """\
  - id: tales
    title: Tales
    hours: "00:00-00:00"
    producer: text
    files: ["tales.txt"]
"""
)
BOATS = ("ferry", "trawler", "cutter", "tugboat", "schooner", "barge", "pilot boat", "dredger")
CARGO = ("salt", "timber", "oranges", "letters", "coal", "wool", "bells", "apples", "rope", "barrels of tar")
PLACES = ("the old pier", "the north island", "the fish market", "the lighthouse", "the river mouth")


def tale(count: int) -> list[str]:
    """So many sentences, no two alike, each long enough to stand by itself."""
    return [
        f"On day {number + 1} the {BOATS[number % len(BOATS)]} carries {CARGO[number % len(CARGO)]} "
        f"to {PLACES[number % len(PLACES)]}."
        for number in range(count)
    ]
