// A station's page: live with captions in step, the timetable, and what was on before.

import { get } from "./api.js";
import { Archive } from "./archive.js";
import { Timeline, heard } from "./captions.js";
import { CaptionView, captionSwitches } from "./captionview.js";
import { SeekBar, plight, showButton, spaceToggles } from "./controls.js";
import { find, pageId, say } from "./dom.js";
import { follow } from "./follow.js";
import { mediaSession } from "./mediasession.js";
import { notice } from "./notice.js";
import { Player } from "./player.js";
import { Replay } from "./replay.js";
import { ServerClock, clock, day } from "./times.js";
import { showTimetable } from "./timetable.js";

const TICK_MS = 100;
const LAG_MS = 15_000;
const REFRESH_MS = 60_000;
const STATES = { on_air: "On air", starting: "Starting", silent: "Silent at the moment", off: "Off air" };

const id = pageId();
const mark = crypto.getRandomValues(new Uint32Array(2)).join("");
const parts = Object.fromEntries(
  ["audio", "play", "state", "title", "about", "status", "now", "next", "seek", "back", "captions", "notice"]
    .map((name) => [name, find(`#${name}`)]));

const server = new ServerClock();
const captions = new Timeline();
const shows = new Timeline(50);
const view = new CaptionView(parts.captions);
const player = new Player(parts.audio);
const bar = new SeekBar({ bar: find("#bar"), elapsed: find("#elapsed"), total: find("#total") }, (ms) => player.seek(ms));
const archive = new Archive(find("#runs"), playRun);
const live = { kind: "live", open: () => ({ url: `${station.urls.live}?c=${mark}&t=${Date.now()}`, base_ms: 0, seek_ms: 0 }) };

let station = null;
let join = null;
let replay = null;
let tellSystem = null;

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
  station = state;
  server.set(state.server_time);
  document.title = `${state.title} · radio`;
  say(parts.title, state.title);
  say(parts.about, state.description);
  parts.state.dataset.state = state.state;
  say(parts.state, STATES[state.state] ?? state.state);
  parts.captions.lang = state.language;
  describe();
}

function onEpoch({ step }) {
  captions.shift(step);
  shows.shift(step);
  if (join) join = { ...join, at: join.at + step };
}

function onReset() {
  captions.clear();
  shows.clear();
  join = null;
}

function nowTitle() {
  if (replay) return replay.run.title;
  const show = shows.item(airTime());
  return (station.state === "on_air" && show?.title) || station.now.title || station.title;
}

/** The line below the title: what comes next, or when the replay was on air. */
function aside() {
  const { next, zone } = station;
  if (!replay) return next ? `Next: ${clock(next.at, zone)}, ${next.title}` : "";
  const air = replay.airTime(player.position_ms);
  return `On air ${day(air, zone)}, ${clock(air, zone)}`;
}

function describe() {
  say(parts.now, nowTitle());
  say(parts.next, aside());
  say(parts.status, statusWords());
  parts.status.dataset.live = !replay && player.state === "playing";
  parts.seek.hidden = !replay;
  showButton(parts.play, player, true, replay ? replay.run.title : `${station.title} live`);
  archive.mark(player, replay?.run.run);
}

function statusWords() {
  if (plight(player)) return plight(player);
  if (replay) return player.state === "ended" ? "Heard to the end" : "Replay";
  return player.active ? "Live" : "Press play to listen live";
}

function tick() {
  if (!station) return;
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
  if (index >= 0) view.show(captions.items, index, now);
  else view.wait(station.state === "on_air" ? "The next sentence is on its way." : `${STATES[station.state]}.`);
  if (player.state === "playing" && join && server.now() - now > LAG_MS) player.reconnect();
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
  try {
    const [{ runs }, plan] = await Promise.all([get(station.urls.archive), get(station.urls.schedule)]);
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
  for (const section of document.querySelectorAll("main > section")) section.hidden = false;
  follow(`${station.urls.events}?c=${mark}`, {
    caption: onCaption, show: (show) => shows.add(show), state: onState, epoch: onEpoch, reset: onReset,
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
