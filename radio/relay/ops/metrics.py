"""`GET /metrics`: the figures of this radio as Prometheus reads them.

Each scrape builds its families from `figures`; nothing is kept between two. The names stand in
`docs/operating.md`, which a test compares.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from aiohttp import web
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from radio import __version__
from radio.relay.context import RELAY
from radio.relay.ops.figures import Figures, StationFigures, StoreFigures, gather, seconds

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
STATES: Final = ("on_air", "starting", "silent", "off")
RUNGS: Final = ("own", "rerun", "ident", "silence")
CASTS: Final = ("on", "paused", "off")
STATION: Final = ("station",)
OfStation = Callable[[StationFigures], float]
GAUGES: Final[tuple[tuple[str, str, OfStation], ...]] = (
    ("radio_station_lead_seconds", "Sound made and not heard yet.", lambda one: one.lead_s),
    (
        "radio_station_speech_age_seconds",
        "Since a spoken frame was heard, or it is known.",
        lambda one: one.speech_s,
    ),
    ("radio_station_silence_ratio", "Of the last minute, without a record on air.", lambda one: one.silence),
    ("radio_station_listeners", "Live listeners who stayed.", lambda one: one.listeners),
    ("radio_station_muted", "1 while listeners get silence.", lambda one: one.is_muted),
)
COUNTERS: Final[tuple[tuple[str, str, OfStation], ...]] = (
    (
        "radio_station_late_seconds",
        "Sound that came after its air time.",
        lambda one: seconds(one.late_frames),
    ),
    ("radio_station_slow_listeners_dropped", "Listeners who took nothing.", lambda one: one.dropped),
)


async def metrics(request: web.Request) -> web.StreamResponse:
    """`GET /metrics`."""
    figures = await gather(request.app[RELAY])
    return web.Response(
        body=spell(figures), headers={"Content-Type": CONTENT_TYPE, "Cache-Control": "no-store"}
    )


def spell(figures: Figures) -> bytes:
    """In the text format of Prometheus, with memory, processor time and open files of this process."""
    registry = CollectorRegistry()
    registry.register(_Of(figures))
    ProcessCollector(registry=registry)
    return generate_latest(registry)


class _Of(Collector):
    """Collects figures that were gathered before."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def collect(self) -> Iterable[Metric]:
        figures = self._figures
        yield from _stations(figures.stations)
        yield _one_of("radio_casts", "Whether casts are taken.", "state", CASTS, figures.casts)
        yield from _narrators(figures.store)
        yield from _store(figures)
        yield from _relay(figures)


def _stations(stations: Iterable[StationFigures]) -> Iterator[Metric]:
    for name, about, figure in GAUGES:
        gauge = GaugeMetricFamily(name, about, labels=STATION)
        for one in stations:
            gauge.add_metric([one.station], figure(one))
        yield gauge
    for name, about, figure in COUNTERS:
        counter = CounterMetricFamily(name, about, labels=STATION)
        for one in stations:
            counter.add_metric([one.station], figure(one))
        yield counter
    yield from _states(stations)


def _states(stations: Iterable[StationFigures]) -> Iterator[Metric]:
    state = GaugeMetricFamily("radio_station_state", "1 for the state it is in.", labels=("station", "state"))
    rung = GaugeMetricFamily(
        "radio_station_rung", "1 for the rung of its fallbacks it is on.", labels=("station", "rung")
    )
    begun = GaugeMetricFamily(
        "radio_station_fallbacks", "Fallback runs of the last days.", labels=("station", "rung")
    )
    for one in stations:
        for name in STATES:
            state.add_metric([one.station, name], one.state == name)
        for name in RUNGS:
            rung.add_metric([one.station, name], one.rung == name)
            begun.add_metric([one.station, name], one.begun.get(name, 0))
    yield from (state, rung, begun)


def _narrators(store: StoreFigures | None) -> Iterator[Metric]:
    if store is None:
        return
    yield GaugeMetricFamily("radio_casts_queued", "Casts that are not begun.", store.waiting)
    yield GaugeMetricFamily("radio_casts_admitted", "Casts that are being spoken.", store.admitted)
    yield CounterMetricFamily("radio_casts_failed", "Casts that could not be spoken.", store.failed)
    yield GaugeMetricFamily("radio_narrators", "Narrators that live.", len(store.narrators))
    labels = ("host", "engine", "number")
    speed = GaugeMetricFamily("radio_narrator_xrt", "Sound made in a second, as measured.", labels=labels)
    live = GaugeMetricFamily("radio_narrator_live_stations", "Stations that it speaks.", labels=labels)
    for number, beat in enumerate(store.narrators):
        who = [beat.host, beat.engine or "", str(number)]
        if beat.xrt is not None:
            speed.add_metric(who, beat.xrt)
        live.add_metric(who, beat.live or 0)
    yield from (speed, live)


def _store(figures: Figures) -> Iterator[Metric]:
    about = {"store": figures.store_kind, "version": __version__}
    yield InfoMetricFamily("radio", "This radio.", about)
    yield GaugeMetricFamily("radio_store_up", "1 if the store answered.", figures.store is not None)
    yield GaugeMetricFamily("radio_store_answer_seconds", "How long its answers took.", figures.answered_s)
    for key, name, about_it in (
        ("free_bytes", "radio_disk_free_bytes", "Free on the disk under the recordings."),
        ("floor_bytes", "radio_disk_floor_bytes", "Below this the oldest recordings go."),
        ("let_go_bytes", "radio_disk_let_go_bytes", "What narrators of today let go for it."),
    ):
        if figures.disk is not None and figures.disk[key] is not None:
            yield GaugeMetricFamily(name, about_it, figures.disk[key])


def _relay(figures: Figures) -> Iterator[Metric]:
    yield GaugeMetricFamily("radio_relay_connections", "Open connections.", figures.connections)
    yield CounterMetricFamily(
        "radio_relay_records_unknown", "Records of newer versions passed over.", figures.unknown_records
    )
    streams = GaugeMetricFamily("radio_relay_streams", "Replies that go on.", labels=("kind",))
    for kind, count in figures.streams.items():
        streams.add_metric([kind], count)
    requests = CounterMetricFamily(
        "radio_relay_requests", "Requests answered, by route and class of status.", labels=("route", "status")
    )
    for (route, status), count in sorted(figures.requests.items()):
        requests.add_metric([route, status], count)
    yield from (streams, requests)


def _one_of(name: str, about: str, label: str, names: Iterable[str], chosen: str) -> Metric:
    gauge = GaugeMetricFamily(name, about, labels=(label,))
    for one in names:
        gauge.add_metric([one], one == chosen)
    return gauge
