// The page's one audio element: live sound, finite recordings, and recordings that are still growing.
//
// A source says what to open for a position: `{kind, open(position_ms) -> {url, base_ms, seek_ms}, …}`. Its kinds:
//   live:    resume is live; nothing is kept while paused.
//   file:    finite, seekable.
//   growing: without length. Where it breaks off before `over(position_ms)`, it is opened again at the same place;
//            while it `waits(position_ms)` for what is still to be made, standing still is no fault.

import { backoff } from "./times.js";

const STALL_MS = 8000;
const CHECK_MS = 1000;
const FILE_ATTEMPTS = 6;

export class Player extends EventTarget {
  #audio;
  #source = null;
  #base_ms = 0;
  #position_ms = 0;
  #wanted = false;
  #attempt = 0;
  #retry = 0;
  #moved = 0;
  state = "idle";

  constructor(audio) {
    super();
    this.#audio = audio;
    audio.addEventListener("timeupdate", () => this.#advance());
    audio.addEventListener("playing", () => this.#wanted && this.#set("playing"));
    audio.addEventListener("waiting", () => this.#wanted && this.#set("connecting"));
    audio.addEventListener("pause", () => this.#paused());
    audio.addEventListener("ended", () => this.#ended());
    audio.addEventListener("error", () => this.#failed());
    setInterval(() => this.#watch(), CHECK_MS);
  }

  get source() {
    return this.#source;
  }

  /** What is heard, in the source's own time. */
  get position_ms() {
    return this.#position_ms;
  }

  get active() {
    return this.#wanted;
  }

  /** Plays; with a position, from there. Without a source: what was there before. */
  play(source = this.#source, position_ms = null) {
    const fresh = source !== this.#source || position_ms !== null || this.#attempt > 0;
    this.#wanted = true;
    this.#attempt = 0;
    if (source !== this.#source) this.#position_ms = 0;
    this.#source = source;
    if (fresh || source.kind === "live" || !this.#audio.hasAttribute("src")) this.#connect(position_ms ?? this.#position_ms);
    else this.#start();
  }

  /** Has a source wait at a place for the button. */
  ready(source, position_ms) {
    this.pause();
    this.#silence();
    [this.#source, this.#position_ms] = [source, position_ms];
    this.#set("paused");
  }

  pause() {
    this.#wanted = false;
    clearTimeout(this.#retry);
    if (this.#source?.kind === "live") this.#silence();
    else this.#audio.pause();
    this.#set(this.#source ? "paused" : "idle");
  }

  toggle(source = this.#source) {
    if (this.#wanted && source === this.#source) this.pause();
    else this.play(source);
  }

  /** Goes on from another place of a file or of what has grown. */
  seek(position_ms) {
    const own_s = (position_ms - this.#base_ms) / 1000;
    if (!this.#holds(own_s)) {
      this.play(this.#source, position_ms);
      return;
    }
    this.#position_ms = position_ms;
    this.#moved = performance.now();
    this.#audio.currentTime = own_s;
  }

  /** Whether the element can go there by itself; what grows is opened anew instead. */
  #holds(own_s) {
    if (this.#audio.readyState === 0 || this.#attempt > 0) return false;
    if (this.#source.kind === "file") return true;
    const { buffered } = this.#audio;
    return [...Array(buffered.length).keys()].some((i) => buffered.start(i) <= own_s && own_s < buffered.end(i));
  }

  /** Opens the live stream again, as when it is far behind. */
  reconnect() {
    if (this.#wanted) this.#connect(this.#position_ms);
  }

  #connect(position_ms) {
    clearTimeout(this.#retry);
    const { url, base_ms, seek_ms } = this.#source.open(position_ms);
    this.#base_ms = base_ms;
    this.#position_ms = base_ms + seek_ms;
    this.#moved = performance.now();
    this.#set("connecting");
    this.dispatchEvent(new Event("connect"));
    this.#audio.src = url;
    this.#audio.load();
    if (seek_ms > 0) this.#audio.currentTime = seek_ms / 1000;
    this.#start();
  }

  async #start() {
    try {
      await this.#audio.play();
    } catch (error) {
      if (error.name === "NotAllowedError") this.#blocked();
      else if (!["AbortError", "NotSupportedError"].includes(error.name)) throw error;
    }
  }

  #blocked() {
    this.#wanted = false;
    this.#silence();
    this.#set("blocked");
  }

  #advance() {
    const now_ms = this.#base_ms + this.#audio.currentTime * 1000;
    if (!this.#audio.hasAttribute("src") || now_ms === this.#position_ms) return;
    this.#position_ms = now_ms;
    if (this.#audio.paused) return;
    this.#moved = performance.now();
    this.#attempt = 0;
    this.dispatchEvent(new Event("move"));
  }

  #watch() {
    if (this.#source?.waits?.(this.#position_ms)) this.#moved = performance.now();
    if (this.#wanted && this.state !== "retrying" && performance.now() - this.#moved > STALL_MS) this.#again();
  }

  /** The system paused the sound (a call, an unplugged headset), not the page. */
  #paused() {
    if (this.#wanted && !this.#audio.ended && this.state === "playing") this.pause();
  }

  #ended() {
    if (!this.#wanted) return;
    if (this.#source.kind === "file" || (this.#source.kind === "growing" && this.#source.over(this.#position_ms))) {
      this.#wanted = false;
      this.#set("ended");
    } else this.#again();
  }

  #failed() {
    if (!this.#wanted || !this.#audio.hasAttribute("src")) return;
    if (this.#source.kind === "file" && this.#attempt >= FILE_ATTEMPTS) {
      this.#wanted = false;
      this.#set("failed");
    } else this.#again();
  }

  #again() {
    this.#set("retrying");
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(this.#position_ms), backoff(this.#attempt++));
  }

  #silence() {
    this.#audio.pause();
    this.#audio.removeAttribute("src");
    this.#audio.load();
  }

  #set(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}
