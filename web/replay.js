// A past run as a source for the player, with its captions in the replay's own time.

import { getText } from "./api.js";
import { parseVtt } from "./captions.js";

const REFRESH_BEFORE_MS = 8000;
const REFRESH_EVERY_MS = 5000;

export class Replay {
  items = [];
  #asked = -Infinity;
  #loading = false;

  constructor(run, report) {
    this.run = run;
    this.report = report;
    this.source = run.finished
      ? { kind: "file", open: (position_ms) => ({ url: run.urls.mp3, base_ms: 0, seek_ms: position_ms }) }
      : { kind: "growing", open: () => ({ url: run.urls.mp3, base_ms: 0, seek_ms: 0 }), over: () => true };
  }

  get seekable() {
    return this.run.finished;
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
    [this.#loading, this.#asked] = [true, now];
    try {
      this.items = parseVtt(await getText(this.run.urls.vtt));
    } catch (error) {
      this.report(error);
    } finally {
      this.#loading = false;
    }
  }
}
