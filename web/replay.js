// A past run as a source for the player, with its captions in the replay's own time.

import { getText } from "./api.js";
import { parseVtt } from "./captions.js";

const REFRESH_BEFORE_MS = 8000;
const REFRESH_EVERY_MS = 5000;

export class Replay {
  items = [];
  #asked = -Infinity;
  #loading = false;
  #replay;

  /** @param replay the station's replay URL. */
  constructor(run, replay, report) {
    this.run = run;
    this.#replay = replay;
    this.report = report;
    this.source = run.finished
      ? { kind: "file", open: (position_ms) => ({ url: run.urls.mp3, base_ms: 0, seek_ms: position_ms }) }
      : { kind: "growing", open: (position_ms) => this.#openAt(position_ms), over: () => true };
  }

  /** When that was on air, as far as is known. */
  airTime(position_ms) {
    const item = this.items[this.index(position_ms)];
    return item?.air ? item.air + Math.min(position_ms - item.at, item.d) : this.run.at;
  }

  /** Where in the replay's own time it is that air time; in a pause, the sentence after it. */
  placeOf(air) {
    const item = this.items.find(({ air: begun, d }) => begun !== null && air < begun + d);
    return item ? item.at + Math.max(0, air - item.air) : this.length_ms;
  }

  /** Where a record begins, or the first one after it that can be heard; null if there is none yet. */
  placeOfRecord(seq) {
    return this.items.find((item) => item.seq >= seq)?.at ?? null;
  }

  /** What there is to hear, as far as is known. */
  get length_ms() {
    const last = this.items.at(-1);
    return this.run.audio_ms ?? (last ? last.at + last.d : 0);
  }

  /** A run that is still on air has no length: another place of it is opened by its air time. */
  #openAt(position_ms) {
    const item = this.items[this.index(position_ms)];
    if (!item?.air || item.at === 0) return { url: this.run.urls.mp3, base_ms: 0, seek_ms: 0 };
    return { url: `${this.#replay}?at=${item.air}`, base_ms: item.at, seek_ms: 0 };
  }

  /** Index of the caption at a position; -1 before the first. */
  index(position_ms) {
    return this.items.findLastIndex((item) => item.at <= position_ms);
  }

  /** Fetches the captions: once, and of a run that is still on air again whenever they run out. */
  async fetch(position_ms, now = performance.now()) {
    const last = this.items.at(-1);
    const short = !last || (!this.run.finished && last.at + last.d < position_ms + REFRESH_BEFORE_MS);
    if (!short || this.#loading || now - this.#asked < REFRESH_EVERY_MS) return;
    try {
      await this.load(now);
    } catch (error) {
      this.report(error);
    }
  }

  /** Fetches the captions now. Throws what went wrong. */
  async load(now = performance.now()) {
    [this.#loading, this.#asked] = [true, now];
    try {
      this.items = parseVtt(await getText(this.run.urls.vtt));
    } finally {
      this.#loading = false;
    }
  }
}
