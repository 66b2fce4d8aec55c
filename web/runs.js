// The archive of a station as the relay lists it: asked for in parts, and only as far as someone looks.

import { get } from "./api.js";

const PAGE = 12;
const MOST = 500;

export class Runs {
  #url;
  #past = new Map();

  /** @param url of the station's archive. */
  constructor(url) {
    this.#url = url;
  }

  /** The newest runs, or the newest of those that began before a time: {runs, more, oldest_at}. */
  page(before = null) {
    return this.#ask({ limit: PAGE, ...(before === null ? {} : { before }) });
  }

  /** What was on between two times, oldest first. What was over by `now` is asked for once. */
  async between(after, before, now) {
    const key = `${after}-${before}`;
    if (!this.#past.has(key)) {
      const { runs } = await this.#ask({ after, before, limit: MOST });
      const heard = runs.filter((run) => run.sentences > 0).reverse();
      if (before > now) return heard;
      this.#past.set(key, heard);
    }
    return this.#past.get(key);
  }

  /** The run that was on air then; null if none was. */
  async at(air) {
    const { runs } = await this.#ask({ after: air, before: air + 1, limit: 1 });
    return runs[0] ?? null;
  }

  /** The run of a record; null if it is in none that is kept. */
  async holding(seq) {
    const { runs } = await this.#ask({ seq, limit: 1 });
    return runs[0] ?? null;
  }

  /** Something was taken out of the archive. */
  forget() {
    this.#past.clear();
  }

  #ask(part) {
    return get(`${this.#url}?${new URLSearchParams(part)}`);
  }
}
