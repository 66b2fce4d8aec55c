// A station's page: live with captions in step, the timetable, and what was on before.

import { MUTED, STATES, nextWords, nowWords, soundWords } from "./airwords.js";
import { get } from "./api.js";
import { Archive } from "./archive.js";
import { Timeline, heard } from "./captions.js";
import { CaptionView, captionSwitches } from "./captionview.js";
import { SeekBar, plight, showButton, spaceToggles } from "./controls.js";
import { find, pageId, playMarks, say } from "./dom.js";
import { follow } from "./follow.js";
import { mediaSession } from "./mediasession.js";
import { notice } from "./notice.js";
import { Player } from "./player.js";
import { Replay } from "./replay.js";
import { AtMost, ServerClock, clock, day } from "./times.js";
import { showTimetable } from "./timetable.js";

const TICK_MS = 100;
const LAG_MS = 15_000;
const REJOIN_MS = 60_000;
const REFRESH_MS = 60_000;
/** The relay calls a station off air when nothing was heard for so long. */
const GAP_MS = 5000;

const id = pageId();
const mark = crypto.getRandomValues(new Uint32Array(2)).join("");
const parts = Object.fromEntries(
  ["audio", "play", "state", "title", "about", "status", "now", "next", "seek", "back", "captions", "notice", "reading", "archive", "day"]
    .map((name) => [name, find(`#${name}`)]));

const server = new ServerClock();
const captions = new Timeline();
const shows = new Timeline(50);
const rejoins = new AtMost(REJOIN_MS);
const view = new CaptionView(parts.captions);
const player = new Player(parts.audio);
const bar = new SeekBar({ bar: find("#bar"), elapsed: find("#elapsed"), total: find("#total") }, (ms) => player.seek(ms));
const archive = new Archive(find("#runs"), playRun);
const live = { kind: "live", open: () => ({ url: `${station.urls.live}?c=${mark}&t=${Date.now()}`, base_ms: 0, seek_ms: 0 }) };

parts.play.append(...playMarks());

let station = null;
let join = null;
let replay = null;
let tellSystem = null;
let asked = 0;

/** The air time that is heard: by the sound if it plays live, else what a listener would hear now. */
function airTime() {
  if (!replay && join && player.active) return heard(join, player.position_ms);
  return server.now();
}

function playLive() {
  replay = null;
  view.reset();
  player.play(live);
}

function toggle() {
  if (player.active) player.pause();
  else player.play(player.source ?? live);
}

function playRun(run) {
  if (replay?.run.run === run.run) return toggle();
  replay = new Replay(run, station.urls.replay, (error) => notice(parts.notice, error));
  view.reset();
  player.play(replay.source, 0);
}

function onCaption(caption) {
  captions.add(caption);
}

function onState(state) {
  const turned = station !== null && (station.state !== state.state || station.now.run !== state.now.run);
  station = state;
  server.set(state.server_time);
  document.title = `${state.title} · radio`;
  say(parts.title, state.title);
  say(parts.about, state.description);
  parts.state.dataset.state = state.state;
  say(parts.state, STATES[state.state] ?? state.state);
  parts.captions.lang = state.language;
  arrange();
  describe();
  if (turned) refresh();
}

/** Whether nothing can be heard or read here now: a listener who is a little behind still has the last words. */
function isQuiet() {
  if (replay || station.state !== "off") return false;
  const now = airTime();
  const last = captions.item(now);
  return !last || now > last.at + last.d + GAP_MS;
}

/** Off air, what can be heard comes first: the archive before the timetable. The archive keeps its place and its focus. */
function arrange() {
  const off = station.state === "off";
  if ((parts.archive.nextElementSibling === parts.day) === off) return;
  if (off) parts.archive.after(parts.day);
  else parts.archive.before(parts.day);
}

function onEpoch({ step }) {
  captions.shift(step);
  shows.shift(step);
  if (join) join = { ...join, at: join.at + step };
}

/** An operator took records out: their words go from the page too. */
function onRedact(records) {
  captions.forget(records);
  view.reset();
}

function onReset() {
  captions.clear();
  shows.clear();
  join = null;
}

function nowTitle() {
  if (replay) return replay.run.title;
  const now = airTime();
  return (station.state === "on_air" && shows.item(now)?.title) || nowWords(station, now);
}

/** The line below the title: what comes next, or when the replay was on air. */
function aside() {
  const { zone } = station;
  if (!replay) return nextWords(station, airTime());
  const air = replay.airTime(player.position_ms);
  return `On air ${day(air, zone)}, ${clock(air, zone)}`;
}

function describe() {
  say(parts.now, nowTitle());
  say(parts.next, aside());
  say(parts.status, statusWords());
  parts.status.dataset.live = !replay && station.state !== "off" && player.state === "playing";
  parts.seek.hidden = !replay;
  parts.play.classList.toggle("waits", !replay && station.state === "off");
  showButton(parts.play, player, true, playName());
  archive.mark(player, replay?.run.run);
}

function playName() {
  if (replay) return replay.run.title;
  return station.state === "off" ? `${station.title} when it is on air` : `${station.title} live`;
}

function statusWords() {
  if (plight(player)) return plight(player);
  if (replay) return player.state === "ended" ? "Heard to the end" : "Replay";
  return soundWords(station, player.active);
}

function tick() {
  if (!station) return;
  parts.reading.hidden = isQuiet();
  if (replay) showReplay();
  else showLive();
  if (parts.now.textContent !== nowTitle()) changeTitle();
}

function changeTitle() {
  describe();
  if (player.active) tellSystem?.();
  refresh();
}

function showLive() {
  const now = airTime();
  const index = captions.index(now);
  if (station.muted) view.wait(`${MUTED}.`);
  else if (index >= 0) view.show(captions.items, index, now);
  else view.wait(station.state === "on_air" ? "The next sentence is on its way." : `${STATES[station.state]}.`);
  if (player.state === "playing" && join && server.now() - now > LAG_MS && rejoins.allows()) player.reconnect();
}

function showReplay() {
  const position = player.position_ms;
  replay.fetch(position);
  view.show(replay.items, replay.index(position), position);
  bar.show(position, replay.length_ms);
  say(parts.next, aside());
}

async function refresh() {
  if (document.hidden) return;
  const turn = ++asked;
  try {
    const [{ runs }, plan] = await Promise.all([get(station.urls.archive), get(station.urls.schedule)]);
    if (turn !== asked) return;
    archive.show(runs, station.zone);
    showTimetable({ zoneLine: find("#zone"), dial: find("#dial"), today: find("#today"), days: find("#days") }, plan, server.now());
    describe();
  } catch (error) {
    notice(parts.notice, error);
  }
}

async function start() {
  try {
    onState(await get(`/stations/${encodeURIComponent(id)}`));
  } catch (error) {
    parts.state.hidden = true;
    say(parts.title, error.status === 404 ? "There is no such station" : "The station cannot be reached");
    return notice(parts.notice, error);
  }
  for (const kind of ["podcast", "calendar"]) find(`#${kind}`).href = station.urls[kind];
  for (const section of document.querySelectorAll("main > section")) section.hidden = section === parts.reading && isQuiet();
  follow(`${station.urls.events}?c=${mark}`, {
    caption: onCaption, show: (show) => shows.add(show), state: onState, epoch: onEpoch, reset: onReset, redact: onRedact,
    join: (told) => { join = told; },
  }, () => player.active);
  tellSystem = mediaSession(player, () => ({ title: nowTitle(), artist: station.title }), () => live);
  player.addEventListener("state", describe);
  player.addEventListener("connect", () => { join = null; });
  parts.play.addEventListener("click", toggle);
  parts.back.addEventListener("click", playLive);
  spaceToggles(toggle);
  captionSwitches({ region: parts.captions, show: find("#show-captions"), announce: find("#announce") });
  setInterval(tick, TICK_MS);
  setInterval(refresh, REFRESH_MS);
  document.addEventListener("visibilitychange", refresh);
  await refresh();
}

start();
