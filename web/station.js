// A station's page: live with captions in step, the timetable, and what was on before.

import { MUTED, STATES, nextWords, nowWords, soundWords } from "./airwords.js";
import { get } from "./api.js";
import { Archive } from "./archive.js";
import { Timeline, heard } from "./captions.js";
import { CaptionView, captionSwitches } from "./captionview.js";
import { SeekBar, plight, showButton, spaceToggles } from "./controls.js";
import { Dial } from "./dial.js";
import { find, named, pageId, playMarks, say } from "./dom.js";
import { follow } from "./follow.js";
import { mediaSession } from "./mediasession.js";
import { notice } from "./notice.js";
import { Player } from "./player.js";
import { Runs } from "./runs.js";
import { share } from "./share.js";
import { SleepTimer } from "./sleep.js";
import { AtMost, ServerClock, clock, day } from "./times.js";
import { showTimetable } from "./timetable.js";
import { Transcript } from "./transcript.js";
import { Tuner } from "./tuner.js";

const TICK_MS = 100;
const LAG_MS = 15_000;
const REJOIN_MS = 60_000;
const REFRESH_MS = 60_000;
/** The relay calls a station off air when nothing was heard for so long. */
const GAP_MS = 5000;

const id = pageId();
const mark = crypto.getRandomValues(new Uint32Array(2)).join("");
const parts = named("audio", "play", "state", "title", "about", "status", "now", "next", "seek", "back", "captions", "notice", "reading",
  "tools", "transcript", "archive", "day", "share", "copied", "embed");
/** What there is only where something can be heard. */
const audible = [parts.reading, parts.tools, parts.transcript];

const server = new ServerClock();
const captions = new Timeline();
const shows = new Timeline(50);
const rejoins = new AtMost(REJOIN_MS);
const takenOut = new Set();
const player = new Player(parts.audio);
const bar = new SeekBar({ bar: find("#bar"), elapsed: find("#elapsed"), total: find("#total") }, (ms) => player.seek(ms));
const report = (error) => notice(parts.notice, error);
const runs = new Runs(`/stations/${encodeURIComponent(id)}/archive`);
const tuner = new Tuner(player, runs, () => station, { mark, now: () => server.now(), report });
const view = new CaptionView(parts.captions, (seq) => tuner.playRecord(seq));
const archive = new Archive({ list: find("#runs"), more: find("#more-runs") }, runs, { play: (run) => tuner.playRun(run), report });
const transcript = new Transcript({
  details: find("#transcript"), title: find("#transcript-title"), text: find("#transcript-text"), empty: find("#transcript-empty"),
}, runs, { station: () => station, jump: (seq) => tuner.playRecord(seq), report });
const sleep = new SleepTimer({ select: find("#sleep"), left: find("#sleep-left") }, { show: nowTitle, sleep: () => player.pause() });

parts.play.append(...playMarks());

let station = null;
let join = null;
let dial = null;
let tellSystem = null;
let asked = 0;

/** The air time that is heard: by the sound if it plays, else what a listener would hear now. */
function airTime() {
  if (tuner.replay) return tuner.replay.airTime(player.position_ms);
  return liveTime();
}

function liveTime() {
  return join && player.active && !tuner.replay ? heard(join, player.position_ms) : server.now();
}

/** The record that is heard, or was last; null before the first. */
function record() {
  const { replay } = tuner;
  const item = replay ? replay.items[Math.max(0, replay.index(player.position_ms))] : captions.item(liveTime());
  return item?.seq ?? null;
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
  find("#transcript-text").lang = state.language;
  arrange();
  describe();
  if (turned) refresh();
}

/** Whether nothing can be heard or read here now: a listener who is a little behind still has the last words. */
function isQuiet() {
  if (tuner.replay || station.state !== "off") return false;
  const now = liveTime();
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
  const spelt = `${records.from} ${records.to}`;
  if (takenOut.has(spelt)) return; // whoever connects again is told of all that are taken out
  takenOut.add(spelt);
  runs.forget();
  transcript.forget();
  view.reset();
}

function onReset() {
  captions.clear();
  shows.clear();
  join = null;
}

function nowTitle() {
  if (tuner.replay) return tuner.replay.run.title;
  const now = liveTime();
  return (station.state === "on_air" && shows.item(now)?.title) || nowWords(station, now);
}

/** The line below the title: what comes next, or when the replay was on air. */
function aside() {
  const { zone } = station;
  if (!tuner.replay) return nextWords(station, liveTime());
  const air = airTime();
  return `On air ${day(air, zone)}, ${clock(air, zone)}`;
}

function describe() {
  const { replay } = tuner;
  say(parts.now, nowTitle());
  say(parts.next, aside());
  say(parts.status, statusWords());
  parts.status.dataset.live = !replay && station.state !== "off" && player.state === "playing";
  parts.seek.hidden = !replay;
  parts.play.classList.toggle("waits", !replay && station.state === "off");
  showButton(parts.play, player, true, playName());
  archive.mark(player, replay?.run.run);
  if (player.active) tellSystem?.();
}

function playName() {
  if (tuner.replay) return tuner.replay.run.title;
  return station.state === "off" ? `${station.title} when it is on air` : `${station.title} live`;
}

function statusWords() {
  if (plight(player)) return plight(player);
  if (tuner.replay) return player.state === "ended" ? "Heard to the end" : "Replay";
  return soundWords(station, player.active);
}

function tick() {
  if (!station) return;
  for (const part of audible) part.hidden = isQuiet();
  if (tuner.replay) showReplay();
  else showLive();
  if (parts.now.textContent !== nowTitle()) changeTitle();
  dial.tick();
  sleep.tick();
  transcript.tick(tuner.replay, record(), airTime(), player.source !== null);
}

function changeTitle() {
  describe();
  refresh();
}

function showLive() {
  const now = liveTime();
  const index = captions.index(now);
  if (station.muted) view.wait(`${MUTED}.`);
  else if (index >= 0) view.show(captions.items, index, now);
  else view.wait(station.state === "on_air" ? "The next sentence is on its way." : `${STATES[station.state]}.`);
  if (player.state === "playing" && join && server.now() - now > LAG_MS && rejoins.allows()) player.reconnect();
}

function showReplay() {
  const { replay } = tuner;
  const position = player.position_ms;
  replay.fetch(position);
  view.show(replay.items, replay.index(position), position);
  bar.show(position, replay.length_ms);
  say(parts.next, aside());
}

/** Other sound is heard from now on. */
function onTurn() {
  if (!tuner.replay && location.hash) history.replaceState(null, "", location.pathname + location.search);
  view.reset();
  describe();
}

/** A link to a moment: `#seq=` names the record to begin with. Without a click no browser lets it sound. */
function openLink(play) {
  const linked = /^#seq=(\d{1,15})$/.exec(location.hash);
  if (linked) tuner.playRecord(Number(linked[1]), play);
}

async function shareMoment() {
  const seq = record();
  const url = new URL(station.urls.page + (seq === null ? "" : `#seq=${seq}`), location.href).href;
  await share({ button: parts.share, told: parts.copied }, { title: `${nowTitle()} · ${station.title}`, url }).catch(report);
}

async function copyEmbed() {
  const url = new URL(`/e/${encodeURIComponent(id)}`, location.href).href;
  const code = `<iframe src="${url}" title="radio" width="360" height="180" allow="autoplay" loading="lazy"></iframe>`;
  await share({ button: parts.embed, told: parts.copied }, { url: code }).catch(report);
}

async function refresh() {
  if (document.hidden) return;
  const turn = ++asked;
  try {
    const [page, plan] = await Promise.all([archive.refresh(station.zone), get(station.urls.schedule)]);
    if (turn !== asked) return;
    showTimetable({ zoneLine: find("#zone"), today: find("#today"), days: find("#days") }, plan, server.now());
    await dial.refresh(plan.shows, page.oldest_at);
    describe();
  } catch (error) {
    report(error);
  }
}

function makeDial() {
  const elements = {
    scale: find("#scale"), scrub: find("#scrub"), hours: find("#hours"), name: find("#dial-day"), before: find("#day-before"),
    after: find("#day-after"), there: find("#there"), hear: find("#hear"),
  };
  return new Dial(elements, runs, {
    zone: station.zone, now: () => server.now(), heard: airTime, go: (air) => tuner.playAt(air), report,
  });
}

async function start() {
  try {
    onState(await get(`/stations/${encodeURIComponent(id)}`));
  } catch (error) {
    parts.state.hidden = true;
    say(parts.title, error.status === 404 ? "There is no such station" : "The station cannot be reached");
    return report(error);
  }
  for (const [name, url] of [["podcast", "podcast"], ["calendar", "calendar"], ["playlist", "m3u"]]) find(`#${name}`).href = station.urls[url];
  for (const section of document.querySelectorAll("main > [hidden]")) section.hidden = audible.includes(section) && isQuiet();
  dial = makeDial();
  follow(`${station.urls.events}?c=${mark}`, {
    caption: (caption) => captions.add(caption), show: (show) => shows.add(show), state: onState, epoch: onEpoch, reset: onReset,
    redact: onRedact, join: (told) => { join = told; },
  }, () => player.active);
  tellSystem = mediaSession(player, () => ({ title: nowTitle(), artist: station.title }), () => tuner.live,
    { step: (by) => tuner.step(by), length_ms: () => tuner.replay?.length_ms ?? 0 });
  listen();
  captionSwitches({ region: parts.captions, show: find("#show-captions"), announce: find("#announce") });
  setInterval(tick, TICK_MS);
  setInterval(refresh, REFRESH_MS);
  openLink(false);
  await refresh();
}

function listen() {
  player.addEventListener("state", describe);
  player.addEventListener("connect", () => { join = null; });
  tuner.addEventListener("turn", onTurn);
  parts.play.addEventListener("click", () => tuner.toggle());
  parts.back.addEventListener("click", () => tuner.playLive());
  parts.share.addEventListener("click", shareMoment);
  parts.embed.addEventListener("click", copyEmbed);
  spaceToggles(() => tuner.toggle());
  document.addEventListener("visibilitychange", refresh);
  window.addEventListener("hashchange", () => openLink(true));
}

start();
