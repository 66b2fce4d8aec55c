// All that was said in the run that is heard: any sentence can be jumped to. It is fetched only while it is open.

import { CastText } from "./casttext.js";
import { say } from "./dom.js";
import { Replay } from "./replay.js";

export class Transcript {
  #parts;
  #runs;
  #text;
  #replay = null;
  #run = null;
  #count = 0;
  #asking = false;

  /**
   * @param parts elements: details, title, text, empty.
   * @param options `station()`, `jump(seq)`, `report(error)`.
   */
  constructor(parts, runs, options) {
    [this.#parts, this.#runs, this.options] = [parts, runs, options];
    this.#text = new CastText(parts.text, (sentence) => options.jump(sentence.seq));
  }

  /** Shows what was said up to `air`, of `replay` or else of the run that is live, whose newest record is `seq`. */
  tick(replay, seq, air, begun) {
    if (!this.#parts.details.open) return;
    if (replay) this.#take(replay);
    else this.#live(seq);
    if (!this.#replay) return;
    this.#replay.fetch(this.#replay.placeOf(air));
    this.#add(replay?.run.finished ? Infinity : air);
    this.#text.show(air, begun);
  }

  /** What was shown may not stand any more. */
  forget() {
    this.#take(null);
    this.#run = null;
  }

  #take(replay) {
    if (replay === this.#replay) return;
    [this.#replay, this.#count, this.#run] = [replay, 0, replay?.run.run ?? null];
    this.#text.clear();
    say(this.#parts.title, replay?.run.title ?? "");
    this.#parts.empty.hidden = false;
  }

  async #live(seq) {
    const { now, urls } = this.options.station();
    if (this.#asking || seq === null || (this.#replay && this.#run === now.run && !this.#replay.run.finished)) return;
    this.#asking = true;
    try {
      const run = await this.#runs.holding(seq);
      if (run) this.#take(new Replay(run, urls.replay, this.options.report));
    } catch (error) {
      this.options.report(error);
    } finally {
      setTimeout(() => { this.#asking = false; }, 5000);
    }
  }

  /** Nothing comes before it is heard, unless it was on air long ago. */
  #add(until) {
    const { items } = this.#replay;
    for (; this.#count < items.length && items[this.#count].air <= until; this.#count += 1) {
      const { seq, air, d, t } = items[this.#count];
      this.#text.add({ seq, i: seq, at_ms: air, d, t }, false);
    }
    this.#parts.empty.hidden = this.#count > 0;
  }
}
