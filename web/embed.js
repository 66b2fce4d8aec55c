// A small player for a frame on another site: one station, live.

import { STATES, nowWords, soundWords } from "./airwords.js";
import { get } from "./api.js";
import { plight, showButton, spaceToggles } from "./controls.js";
import { named, pageId, playMarks, say } from "./dom.js";
import { mediaSession } from "./mediasession.js";
import { clearNotice, notice } from "./notice.js";
import { Player } from "./player.js";

const POLL_MS = 10_000;

const id = pageId();
const parts = named("audio", "play", "title", "now", "state", "status", "notice");
const player = new Player(parts.audio);
const live = { kind: "live", open: () => ({ url: `${station.urls.live}?t=${Date.now()}`, base_ms: 0, seek_ms: 0 }) };
let station = null;

parts.play.append(...playMarks());

function show() {
  if (!station) return;
  document.title = `${station.title} · radio`;
  say(parts.title, station.title);
  parts.title.href = station.urls.page;
  say(parts.now, nowWords(station, station.server_time));
  const wanted = player.active && station.state === "on_air";
  parts.state.dataset.state = station.state;
  say(parts.state, wanted ? soundWords(station, true) : STATES[station.state] ?? station.state);
  say(parts.status, plight(player) ?? "");
  showButton(parts.play, player, true, `${station.title} live`);
  if (player.active) tellSystem?.();
}

async function poll() {
  if (document.hidden && !player.active) return;
  try {
    station = await get(`/stations/${encodeURIComponent(id)}`);
    clearNotice(parts.notice);
    show();
  } catch (error) {
    notice(parts.notice, error);
  }
}

function toggle() {
  if (station) player.toggle(live);
}

const tellSystem = mediaSession(player, () => ({ title: nowWords(station, station.server_time), artist: station.title }), () => live);
player.addEventListener("state", show);
parts.play.addEventListener("click", toggle);
spaceToggles(toggle);
document.addEventListener("visibilitychange", poll);
setInterval(poll, POLL_MS);
poll();
