// The home page: the stations, what is on now, and a button that plays it here.

import { get } from "./api.js";
import { plight, showButton } from "./controls.js";
import { find, make, playButton, say } from "./dom.js";
import { mediaSession } from "./mediasession.js";
import { clearNotice, notice } from "./notice.js";
import { Player } from "./player.js";
import { clock } from "./times.js";

const POLL_MS = 5000;
const STATES = { on_air: "On air", starting: "Starting", silent: "Silent", off: "Off air" };

const list = find("#stations");
const player = new Player(find("#audio"));
const cards = new Map();
let playing = null;

function sourceOf(card) {
  card.source ??= { kind: "live", open: () => ({ url: `${card.station.urls.live}?t=${Date.now()}`, base_ms: 0, seek_ms: 0 }) };
  return card.source;
}

function toggle(card) {
  playing = card;
  player.toggle(sourceOf(card));
}

function makeCard(station) {
  const card = { station };
  const parts = {
    button: playButton({ onclick: () => toggle(card), "data-station": station.station }),
    link: make("a", { href: station.urls.page }),
    state: make("span", { class: "state" }),
    about: make("p", { class: "about" }),
    now: make("b"),
    said: make("p", { class: "said", lang: station.language }),
    next: make("p", { class: "after" }),
  };
  const heading = make("div", {}, make("h2", {}, parts.link), parts.about);
  const on = make("div", { class: "on" }, make("p", {}, parts.state, " ", parts.now), parts.said, parts.next);
  return Object.assign(card, parts, { element: make("li", { class: "station" }, parts.button, heading, on) });
}

function fill(card, station) {
  card.station = station;
  say(card.link, station.title);
  say(card.about, station.description);
  card.state.dataset.state = station.state;
  card.button.classList.toggle("waits", station.state === "off");
  say(card.state, station.muted ? "Muted" : STATES[station.state] ?? station.state);
  say(card.now, station.state === "off" ? "" : station.now.title ?? "");
  say(card.said, station.now.sentence ? `“${station.now.sentence}”` : "");
  say(card.next, station.next ? `Next, ${clock(station.next.at, station.zone)}: ${station.next.title}` : "");
}

function show(stations) {
  for (const station of stations) {
    if (!cards.has(station.station)) cards.set(station.station, makeCard(station));
    fill(cards.get(station.station), station);
  }
  const wanted = stations.map((station) => cards.get(station.station).element);
  const same = wanted.length === list.children.length && wanted.every((element, i) => element === list.children[i]);
  if (!same) list.replaceChildren(...wanted);
  if (!stations.length) list.replaceChildren(make("li", { class: "empty" }, "There is no station yet."));
  list.setAttribute("aria-busy", "false");
  showPlayer();
}

function showPlayer() {
  for (const card of cards.values()) showButton(card.button, player, card === playing, card.station.title);
  say(find("#status"), plight(player) ?? (player.active ? `${playing.station.title} is playing` : ""));
  if (player.active) tellSystem?.();
}

async function poll() {
  if (document.hidden && !player.active) return;
  try {
    const { stations } = await get("/stations");
    show(stations);
    clearNotice(find("#notice"));
  } catch (error) {
    notice(find("#notice"), error);
  }
}

const tellSystem = mediaSession(player, () => ({ title: playing.station.now.title ?? playing.station.title, artist: playing.station.title }),
  () => sourceOf(playing));
player.addEventListener("state", showPlayer);
document.addEventListener("visibilitychange", poll);
setInterval(poll, POLL_MS);
poll();
