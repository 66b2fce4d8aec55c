"""The pages' pure modules, run where they run: in the browser."""

from typing import Any

import pytest
from playwright.sync_api import Page

from radio.voices import VOICES

pytestmark = pytest.mark.browser


@pytest.fixture
def run(page: Page) -> Any:
    """Evaluates an expression with the exports of a module of `web/` as `m`."""
    page.goto("/submit")

    def evaluate(module: str, expression: str) -> Any:
        return page.evaluate(f"import('/web/{module}.js').then((m) => {expression})")

    return evaluate


def test_heard_air_time_follows_the_relays_formula(run: Any) -> None:
    assert run("captions", "m.heard({at: 1000000, ms: 240}, 5000)") == 1_004_760


def test_a_timeline_keeps_air_order_and_drops_what_it_knows(run: Any) -> None:
    code = """(() => { const t = new m.Timeline(3);
      const added = [[5, 50], [4, 40], [5, 50], [6, 60], [7, 70]].map(([seq, at]) => t.add({seq, at}));
      const at = [49, 50, 69, 99].map((now) => t.item(now)?.seq ?? null);
      return { added, seqs: t.items.map((i) => i.seq), at };
    })()"""
    told = run("captions", code)
    assert told == {"added": [True, True, False, True, True], "seqs": [5, 6, 7], "at": [None, 5, 6, 7]}


def test_a_clock_step_moves_what_is_known_and_nothing_else(run: Any) -> None:
    code = """(() => { const t = new m.Timeline();
      t.add({seq: 1, at: 100});
      t.shift(-40);
      return [t.index(59), t.index(60)];
    })()"""
    assert run("captions", code) == [-1, 0]


def test_records_that_were_taken_out_are_forgotten_and_may_not_come_back_by_a_reconnect(run: Any) -> None:
    code = """(() => { const t = new m.Timeline();
      [1, 2, 3, 4].forEach((seq) => t.add({seq, at: seq * 10}));
      t.forget({from: 2, to: 3});
      return [t.items.map((i) => i.seq), t.item(35).seq, t.add({seq: 3, at: 30})];
    })()"""
    assert run("captions", code) == [[1, 4], 1, False]


def test_a_caption_is_lit_from_its_first_to_its_last_sample_and_a_breath_longer(run: Any) -> None:
    times = "[999, 1000, 1999, 2500, 2700].map((now) => m.isLit({at: 1000, d: 1000}, now))"
    assert run("captions", times) == [False, True, True, True, False]
    assert run("captions", "m.isLit(undefined, 0)") is False


def test_vtt_is_read_with_notes_identifiers_hours_and_entities(run: Any) -> None:
    vtt = (
        "WEBVTT\\n\\nNOTE on air 2026-11-29T07:00:00.500Z\\n\\n"
        "1\\n00:00:00.000 --> 00:00:02.400 align:start\\nFish &amp; chips\\n\\n"
        "01:00:02.400 --> 01:00:03.000\\nTwo\\nlines &lt;here&gt;\\n"
    )
    assert run("captions", f"m.parseVtt('{vtt}')") == [
        {"seq": 0, "at": 0, "d": 2400, "t": "Fish & chips", "air": 1_795_935_600_500},
        {"seq": 1, "at": 3_602_400, "d": 600, "t": "Two lines <here>", "air": None},
    ]


def test_a_cue_has_the_number_of_its_record(run: Any) -> None:
    vtt = "WEBVTT\\n\\nNOTE record 12 on air 2026-11-29T07:00:00.500Z\\n\\n00:00.000 --> 00:02.400\\nHere"
    assert run("captions", f"m.parseVtt('{vtt}').map(({{seq, air}}) => [seq, air])") == [
        [12, 1_795_935_600_500]
    ]


def test_days_begin_and_end_by_the_stations_clock_also_when_clocks_are_set(run: Any) -> None:
    code = """['2026-10-25T12:00Z', '2026-03-29T12:00Z', '2026-11-30T23:30Z'].map((t) => {
      const start = m.startOfDay(Date.parse(t), 'Europe/Berlin');
      const [noon, after] = [m.hourOf(start, 12, 'Europe/Berlin'), m.dayAfter(start, 'Europe/Berlin')];
      const again = m.dayAfter(m.dayBefore(start, 'Europe/Berlin'), 'Europe/Berlin');
      return [start, noon, after, again].map((ms) => new Date(ms).toISOString().slice(0, 16));
    })"""
    assert run("days", code) == [
        ["2026-10-24T22:00", "2026-10-25T11:00", "2026-10-25T23:00", "2026-10-24T22:00"],
        ["2026-03-28T23:00", "2026-03-29T10:00", "2026-03-29T22:00", "2026-03-28T23:00"],
        ["2026-11-30T23:00", "2026-12-01T11:00", "2026-12-01T23:00", "2026-11-30T23:00"],
    ]
    midnight = "new Date(m.startOfDay(Date.parse('2018-11-04T15:00Z'), 'America/Sao_Paulo')).toISOString()"
    assert run("days", midnight) == "2018-11-04T03:00:00.000Z"  # there was no 00:00 on that day


def test_a_sleep_timer_is_due_after_its_minutes_or_with_the_show(run: Any) -> None:
    code = """[["", 9e9, "A"], ["15", 899999, "A"], ["15", 900000, "A"], ["show", 9e9, "A"], ["show", 1, "B"]]
      .map(([chosen, now, on]) => m.isDue({ chosen, set_ms: 0, show: "A" }, now, on))"""
    assert run("sleep", code) == [False, False, True, False, True]


def test_a_place_in_the_queue_is_put_in_words(run: Any) -> None:
    code = (
        "[[1, 0], [1, 4.2], [3, 125]].map(([position, estimate_s]) => m.queueWords({ position, estimate_s }))"
    )
    assert run("queue", code) == [
        "Next in the queue.",
        "Next in the queue, first words in about 5 seconds.",
        "Number 3 in the queue, first words in about 2 minutes.",
    ]


def test_every_language_of_the_voices_has_its_sample_sentence(run: Any) -> None:
    languages = sorted({voice.language for voice in VOICES.values()})
    told = run("sample", f"{languages}.map((language) => m.sentenceIn(language))")
    english = run("sample", "m.SENTENCES.en")
    assert [language for language, text in zip(languages, told, strict=True) if text == english] == [
        "en-gb",
        "en-us",
    ]


def test_waits_double_up_to_a_minute_and_half_of_each_is_chance(run: Any) -> None:
    assert run("times", "[0, 1, 5, 6, 60].map((n) => m.backoff(n, () => 1))") == [
        1000,
        2000,
        32000,
        60000,
        60000,
    ]
    assert run("times", "[0, 6].map((n) => m.backoff(n, () => 0))") == [500, 30000]


def test_days_and_hours_are_those_of_the_stations_zone(run: Any) -> None:
    newyear = 1_798_756_740_000  # 2026-12-31 23:39 in Berlin, 22:39 UTC
    assert run("times", f"m.clock({newyear}, 'Europe/Berlin')") == "23:39"
    assert run("times", f"m.day({newyear}, 'Asia/Tokyo')") == "Friday 1 January"
    assert run("times", f"[m.dayKey({newyear}, 'Europe/Berlin'), m.dayKey({newyear}, 'Asia/Tokyo')]") == [
        "2026-12-31",
        "2027-01-01",
    ]
    assert run("times", f"m.zoneName('America/New_York', {newyear})") == "New York time, GMT-5"
    assert run("times", f"m.zoneName('UTC', {newyear})") == "UTC time"


def test_the_hour_that_comes_twice_keeps_its_name(run: Any) -> None:
    fold = 1_792_886_400_000 + 30 * 60_000  # 2026-10-25 00:30 UTC: 02:30 in Berlin, for the first time
    assert run(
        "times", f"[m.clock({fold}, 'Europe/Berlin'), m.clock({fold} + 3600000, 'Europe/Berlin')]"
    ) == ["02:30", "02:30"]
    assert run("times", f"m.zoneName('Europe/Berlin', {fold} + 3600000)") == "Berlin time, GMT+1"


def test_times_in_words(run: Any) -> None:
    assert run("times", "[0, 59999, 60000, 3600000 + 61000].map(m.elapsed)") == [
        "0:00",
        "0:59",
        "1:00",
        "1:01:01",
    ]
    assert run("times", "[1, 41000, 300000, 7200000].map(m.duration)") == [
        "1 second",
        "41 seconds",
        "5 minutes",
        "2 hours",
    ]


def test_the_servers_clock_is_known_by_difference(run: Any) -> None:
    assert (
        run("times", "(() => { const c = new m.ServerClock(); c.set(5000, 1000); return c.now(1500); })()")
        == 5500
    )


def test_voices_in_words(run: Any) -> None:
    assert (
        run("voices", "m.voiceWords('af_heart(2)+bf_emma(1)@1.20')") == "Heart and Emma, 1.20 times as fast"
    )
    assert run("voices", "['en-us', 'ja', 'pt-br'].map(m.languageName)") == [
        "American English",
        "Japanese",
        "Brazilian Portuguese",
    ]


FOLLOW = """(() => {
  const [opened, timers] = [[], []];
  let hidden = false;
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  window.EventSource = class extends EventTarget {
    static CLOSED = 2;
    readyState = 1;
    constructor(url) { super(); this.url = url; opened.push(this); }
    close() { this.readyState = 2; }
    fail() { this.readyState = 2; this.dispatchEvent(new Event("error")); }
  };
  window.setTimeout = (call) => timers.push(call);
  window.clearTimeout = (id) => { delete timers[id - 1]; };
  const see = (is) => { hidden = !is; document.dispatchEvent(new Event("visibilitychange")); };
  const run = () => timers.splice(0).forEach((call) => call?.());
  const online = () => window.dispatchEvent(new Event("online"));
  const count = () => [opened.length, opened.filter((one) => one.readyState !== 2).length];
  let busy = false;
  const stream = m.follow("/events", {}, () => busy);
  const told = {};
  %s
  stream.close();
  return told;
})()"""


def test_a_page_at_rest_stays_at_rest_when_the_network_comes_back(run: Any) -> None:
    steps = """
      see(false); run(); told.rests = count();
      online(); told.online = count();
      see(true); told.seen = count();
      see(false); busy = true; online(); told.heard = count();"""
    told = run("follow", FOLLOW % steps)
    assert told == {"rests": [1, 0], "online": [1, 0], "seen": [2, 1], "heard": [3, 1]}


def test_a_retry_that_falls_due_on_a_hidden_page_waits_until_it_is_seen(run: Any) -> None:
    steps = """
      opened[0].fail(); see(false); run(); told.hidden = count();
      see(true); told.seen = count();
      opened[1].fail(); run(); told.retried = count();"""
    told = run("follow", FOLLOW % steps)
    assert told == {"hidden": [1, 0], "seen": [2, 1], "retried": [3, 1]}


def test_what_may_happen_once_a_minute_waits_for_the_minute(run: Any) -> None:
    code = """(() => { const once = new m.AtMost(60000);
      return [0, 1, 59999, 60000, 60001].map((t) => once.allows(t)); })()"""
    assert run("times", code) == [True, False, False, True, False]


def test_a_station_that_is_off_air_is_put_in_words(run: Any) -> None:
    evening = 1_798_743_600_000  # 2026-12-31 20:00 in Berlin
    station = "{state: 'off', title: 'S', zone: 'Europe/Berlin', now: {run: null, title: 'S'}, next: %s}"
    soon = station % f"{{title: 'Brief', at: {evening + 3_600_000}}}"
    morning = station % f"{{title: 'Brief', at: {evening + 12 * 3_600_000}}}"
    told = f"(s) => [m.nowWords(s, {evening}), m.nextWords(s, {evening})]"
    words = f"[{soon}, {morning}, {station % 'null'}].map({told})"
    assert run("airwords", words) == [
        ["Off air until 21:00", "Next: Brief, 21:00, Berlin time, GMT+1"],
        ["Off air until Friday 1 January, 08:00", "Next: Brief, Friday 1 January, 08:00, Berlin time, GMT+1"],
        ["Off air", "Nothing is planned."],
    ]
    assert run("airwords", "['off', 'on_air'].map((state) => m.soundWords({state}, false))") == [
        "",
        "Press play to listen live",
    ]
    assert (
        run("airwords", "m.soundWords({state: 'on_air', muted: true}, true)")
        == "Muted by the editor for the moment"
    )
