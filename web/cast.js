// A cast's page: its text lights up sentence by sentence, while it is made and ever after.

import { get, remove } from "./api.js";
import { CastText } from "./casttext.js";
import { SeekBar, plight, showButton, spaceToggles } from "./controls.js";
import { find, kept, named, pageId, playMarks, say } from "./dom.js";
import { follow } from "./follow.js";
import { mediaSession } from "./mediasession.js";
import { clearNotice, notice } from "./notice.js";
import { Player } from "./player.js";
import { queueWords } from "./queue.js";
import { share } from "./share.js";
import { day, duration } from "./times.js";
import { voiceWords } from "./voices.js";

const TICK_MS = 100;
/** Chromium hands on what it receives in blocks of 32 KiB: up to 4 s of sound wait for what comes after them. */
const NEAR_MS = 5000;
const STATES = { queued: "Waiting its turn", live: "Being spoken", done: "", failed: "Could not be spoken", removed: "Removed" };

const id = pageId();
const parts = named("audio", "play", "state", "title", "about", "status", "making", "making-text", "progress", "links", "share", "download",
  "vtt", "txt", "remove", "copied", "notice");
const player = new Player(parts.audio);
const text = new CastText(find("#text"), jump);
const bar = new SeekBar({ bar: find("#bar"), elapsed: find("#elapsed"), total: find("#total") }, (ms) => seek(ms));

parts.play.append(...playMarks());

let cast = null;
let stream = null;

/** While it is made it has no length; it is opened from its beginning, and what is there already can be sought. */
const growing = {
  kind: "growing",
  open: (position_ms) => ({ url: cast.urls.mp3, base_ms: 0, seek_ms: position_ms }),
  over: (position_ms) => isOver() && isLast(position_ms),
  waits: (position_ms) => !isOver() && isLast(position_ms),
};
const whole = { kind: "file", open: (position_ms) => ({ url: cast.urls.mp3, base_ms: 0, seek_ms: position_ms }) };

const isLast = (position_ms) => position_ms > text.length_ms - NEAR_MS;
const isOver = () => ["done", "failed", "removed"].includes(cast.status);
const source = () => (cast.status === "done" ? whole : growing);

function toggle() {
  if (player.active) return player.pause();
  if (player.state === "ended") return player.play(source(), 0);
  player.play(player.source ?? source());
}

function seek(position_ms) {
  if (player.source === source()) player.seek(position_ms);
  else player.play(source(), position_ms);
}

function jump(sentence) {
  seek(sentence.at);
  if (!player.active) player.play();
}

/** One sentence back or on. */
function step(by) {
  const sentence = text.near(player.position_ms, by);
  if (sentence) seek(sentence.at);
}

function onStatus(status) {
  cast = status;
  const title = cast.title || "A text, spoken";
  document.title = `${title} · radio`;
  say(parts.title, title);
  say(parts.about, `Spoken by ${voiceWords(cast.voice)} · ${cast.characters.toLocaleString("en")} characters · ${day(cast.created)}`);
  parts.state.dataset.state = cast.status === "live" ? "on_air" : cast.status;
  say(parts.state, STATES[cast.status] ?? cast.status);
  parts.state.hidden = !STATES[cast.status];
  find(".deck").hidden = cast.status === "removed" || (cast.status === "failed" && !cast.audio_ms);
  parts.links.hidden = cast.status === "removed";
  for (const [link, kind] of [[parts.download, "mp3"], [parts.vtt, "vtt"], [parts.txt, "txt"]]) {
    link.hidden = cast.status !== "done";
    link.href = cast.urls[kind];
    link.setAttribute("download", `${title}.${kind}`);
  }
  parts.remove.hidden = !token() || cast.status === "removed";
  if (["failed", "removed"].includes(cast.status)) sayWhy();
  if (cast.status === "removed") text.clear();
  showMaking();
  describe();
}

function sayWhy() {
  const gone = cast.status === "removed";
  notice(parts.notice, {
    message: gone ? "This cast was removed." : `This cast could not be finished${cast.reason ? `: ${cast.reason}` : ""}.`,
    hint: "It can be submitted again.",
  });
}

function showMaking() {
  parts.making.hidden = isOver();
  if (isOver()) return;
  const made = cast.characters ? Math.min(1, text.characters / cast.characters) : 0;
  if (cast.status === "queued") parts.progress.removeAttribute("value");
  else parts.progress.value = made;
  const words = cast.status === "queued" ? queueWords(cast) : `${Math.round(made * 20) * 5} % spoken`;
  say(parts["making-text"], cast.paused ? "Casts are paused here; this one keeps its place." : words);
}

function describe() {
  say(parts.status, statusWords());
  showButton(parts.play, player, true, cast.title || "this cast");
}

function statusWords() {
  if (player.active && cast.status === "queued") return "It begins with its first sentence";
  if (player.state === "connecting" && growing.waits(player.position_ms)) return "The next sentence is being made";
  if (plight(player)) return plight(player);
  if (player.state === "ended") return "Heard to the end";
  if (player.active) return "Playing";
  return cast.status === "done" ? `${duration(cast.audio_ms)} of speech` : "Press play to hear it while it is made";
}

function tick() {
  if (!cast) return;
  text.show(player.position_ms, player.source !== null);
  bar.show(player.position_ms, Math.max(text.length_ms, cast.status === "done" ? cast.audio_ms : 0));
}

function onCaption(caption) {
  text.add(caption, cast.status !== "done");
  showMaking();
}

function onEnd() {
  stream.close();
}

const token = () => kept.get(`token.${id}`);

async function shareCast() {
  const url = new URL(cast.urls.page, location.href).href;
  await share({ button: parts.share, told: parts.copied }, { title: cast.title, url }).catch((error) => notice(parts.notice, error));
}

async function removeCast() {
  if (!confirm("Remove this cast for everyone who has the link?")) return;
  try {
    await remove(`/casts/${id}`, token());
    kept.forget(`token.${id}`);
    player.pause();
    onStatus({ ...cast, status: "removed" });
  } catch (error) {
    notice(parts.notice, error);
  }
}

async function start() {
  try {
    onStatus(await get(`/casts/${encodeURIComponent(id)}`));
    clearNotice(parts.notice);
  } catch (error) {
    parts.state.hidden = true;
    say(parts.title, { 404: "There is no such cast", 410: "This cast was removed" }[error.status] ?? "The cast cannot be reached");
    return notice(parts.notice, error);
  }
  stream = follow(cast.urls.events, { caption: onCaption, status: onStatus, end: onEnd, reset: () => text.clear() }, () => player.active);
  mediaSession(player, () => ({ title: cast.title, artist: "radio" }), source, { step, length_ms: () => cast.audio_ms });
  player.addEventListener("state", describe);
  parts.play.addEventListener("click", toggle);
  parts.share.addEventListener("click", shareCast);
  parts.remove.addEventListener("click", removeCast);
  spaceToggles(toggle);
  setInterval(tick, TICK_MS);
}

start();
