// What a station's page lets one hear: the station live, or a replay from any place.

import { Replay } from "./replay.js";

/** So far into a sentence, "previous" means its own beginning. */
const INTO_MS = 3000;
/** Whoever asks for a moment this young gets the live sound. */
const YOUNG_MS = 5000;

export class Tuner extends EventTarget {
  /** The replay that is heard or waits to be; null while the station is live. */
  replay = null;
  #player;
  #runs;
  #station;
  #turns = 0;

  /**
   * @param station gives the station as last told.
   * @param options `mark` pairs the live sound with the page's events; `now()` in air time; `report(error)`.
   */
  constructor(player, runs, station, { mark, now, report }) {
    super();
    [this.#player, this.#runs, this.#station, this.now, this.report] = [player, runs, station, now, report];
    this.live = { kind: "live", open: () => ({ url: `${station().urls.live}?c=${mark}&t=${Date.now()}`, base_ms: 0, seek_ms: 0 }) };
  }

  playLive() {
    this.#turns += 1;
    this.replay = null;
    this.dispatchEvent(new Event("turn"));
    this.#player.play(this.live);
  }

  toggle() {
    if (this.#player.active) this.#player.pause();
    else this.#player.play(this.#player.source ?? this.live);
  }

  /** A run from its beginning, or a pause if it is the one that plays. */
  playRun(run) {
    if (this.replay?.run.run === run.run) return this.toggle();
    this.#turns += 1;
    this.#turn(this.#replayOf(run), 0, true);
  }

  /** What was on air at a time. */
  async playAt(air) {
    if (air > this.now() - YOUNG_MS) return this.playLive();
    await this.#find(() => this.#runs.at(air), (replay) => replay.placeOf(air));
  }

  /** From a sentence on, whatever run it is in; without `play` it waits for the button. */
  async playRecord(seq, play = true) {
    const found = async () => (await this.#runs.holding(seq)) ?? this.#loose(seq);
    await this.#find(found, (replay) => replay.placeOfRecord(seq), play);
  }

  /** One sentence back or on in a replay. */
  step(by) {
    if (!this.replay) return;
    const { items } = this.replay;
    const position = this.#player.position_ms;
    const index = this.replay.index(position);
    const back = by < 0 && index >= 0 && position - items[index].at > INTO_MS ? 0 : by;
    const item = items[Math.max(0, index + back)];
    if (item) this.#player.seek(item.at);
  }

  async #find(find, placeOf, play = true) {
    const turn = ++this.#turns;
    try {
      const run = await find();
      if (turn !== this.#turns) return;
      if (!run) throw Object.assign(new Error("Nothing that is kept was on air then."), { hint: "Choose a marked part of the timeline." });
      const same = this.replay !== null && this.replay.run.run === run.run && run.finished;
      const replay = same ? this.replay : this.#replayOf(run);
      if (!replay.items.length) await replay.load();
      const place = placeOf(replay);
      if (place === null) throw Object.assign(new Error("That sentence is not here."), { hint: "It may not have been on air yet." });
      if (turn === this.#turns) this.#turn(replay, place, play);
    } catch (error) {
      this.report(error);
    }
  }

  #turn(replay, position_ms, play) {
    this.replay = replay;
    this.dispatchEvent(new Event("turn"));
    if (play) this.#player.play(replay.source, position_ms);
    else this.#player.ready(replay.source, position_ms);
  }

  #replayOf(run) {
    return new Replay(run, this.#station().urls.replay, this.report);
  }

  /** From a record that belongs to no run, as of a fallback: what was on air from there on. */
  #loose(seq) {
    const { title, urls: { replay } } = this.#station();
    const [mp3, vtt] = [replay, replay.replace(/mp3$/, "vtt")].map((url) => `${url}?from=${seq}`);
    return { run: null, title, at: 0, from: seq, finished: false, audio_ms: null, urls: { mp3, vtt } };
  }
}
