// A day of a station as a dial: what was on, what is to come, and a needle that can be set to any moment of the past.

import { dayAfter, dayBefore, hourOf, startOfDay } from "./days.js";
import { make, say } from "./dom.js";
import { clock, day, dayKey } from "./times.js";

const MINUTE_MS = 60_000;
const HOURS = [0, 6, 12, 18, 24];

export class Dial {
  #parts;
  #runs;
  #options;
  #start = null;
  #end = null;
  #list = [];
  #plan = [];
  #oldest = null;
  #chosen = null;
  #shown = null;
  #pinned = false;
  #byPointer = false;

  /**
   * @param parts elements: scale, scrub (the range), hours, name, before, after, there, hear.
   * @param options `zone`; `now()` and `heard()` in air time; `go(air)` plays from there; `report(error)`.
   */
  constructor(parts, runs, options) {
    [this.#parts, this.#runs, this.#options] = [parts, runs, options];
    const { scrub, before, after, hear } = parts;
    scrub.step = MINUTE_MS;
    scrub.addEventListener("pointerdown", () => { this.#byPointer = true; });
    scrub.addEventListener("input", () => this.#choose(Number(scrub.value)));
    scrub.addEventListener("change", () => { if (this.#byPointer) this.#go(); });
    scrub.addEventListener("keydown", (event) => this.#key(event));
    hear.addEventListener("click", () => this.#go());
    before.addEventListener("click", () => this.#turnTo(dayBefore(this.#start, options.zone)));
    after.addEventListener("click", () => this.#turnTo(this.#end));
  }

  /** Draws the day anew; `plan` is what is to come, `oldest` when the oldest run that is kept began. */
  async refresh(plan = this.#plan, oldest = this.#oldest) {
    [this.#plan, this.#oldest] = [plan, oldest];
    if (this.#start === null || !this.#pinned) this.#open(startOfDay(this.#options.heard(), this.#options.zone));
    const start = this.#start;
    const list = await this.#runs.between(start, this.#end, this.#options.now());
    if (start !== this.#start) return;
    this.#list = list;
    this.#draw();
  }

  /** Follows what is heard, unless a place was chosen. */
  tick() {
    if (this.#start === null) return;
    const heard = this.#options.heard();
    const second = Math.floor(heard / 1000);
    if (this.#chosen !== null || second === this.#shown) return;
    this.#shown = second;
    if (!this.#pinned && !this.#holds(heard)) this.refresh().catch(this.#options.report);
    if (this.#holds(heard)) this.#point(heard);
  }

  #holds(air) {
    return this.#start <= air && air < this.#end;
  }

  #open(start) {
    const { scrub, name, before, after } = this.#parts;
    const { zone, now } = this.#options;
    [this.#start, this.#end] = [start, dayAfter(start, zone)];
    [scrub.min, scrub.max] = [start, this.#end - MINUTE_MS];
    say(name, dayKey(start, zone) === dayKey(now(), zone) ? "Today" : day(start, zone));
    before.disabled = this.#oldest === null || start <= this.#oldest;
    after.disabled = this.#end > now();
  }

  async #turnTo(start) {
    this.#pinned = true;
    this.#chosen = null;
    this.#open(start);
    try {
      await this.refresh();
      if (start !== this.#start) return;
      this.#pinned = !this.#holds(this.#options.heard());
      if (this.#pinned) this.#choose(this.#list[0] ? Math.max(this.#list[0].at, this.#start) : this.#start);
      else this.#forgetChoice();
    } catch (error) {
      this.#options.report(error);
    }
  }

  /** A place in the past is proposed; nothing of the future can be heard. */
  #choose(air) {
    this.#chosen = Math.min(air, this.#options.now());
    this.#pinned = true;
    this.#point(this.#chosen);
    say(this.#parts.hear, `Hear it from ${clock(this.#chosen, this.#options.zone)}`);
    this.#parts.hear.hidden = !this.#runAt(this.#chosen);
  }

  #forgetChoice() {
    [this.#chosen, this.#shown, this.#pinned] = [null, null, false];
    this.#parts.hear.hidden = true;
    this.tick();
  }

  async #go() {
    if (this.#chosen === null) return;
    const air = this.#chosen;
    if (this.#runAt(air)) await this.#options.go(air);
    this.#forgetChoice();
  }

  #key(event) {
    this.#byPointer = false;
    const runs = this.#list.map((run) => Math.ceil(Math.max(run.at, this.#start) / MINUTE_MS) * MINUTE_MS);
    const at = this.#chosen ?? Number(this.#parts.scrub.value);
    if (event.key === "Enter") this.#go();
    else if (event.key === "Escape") this.#forgetChoice();
    else if (event.key === "PageDown") this.#choose(runs.findLast((start) => start < at) ?? this.#start);
    else if (event.key === "PageUp") this.#choose(runs.find((start) => start > at) ?? at);
    else return;
    event.preventDefault();
  }

  #runAt(air) {
    return this.#list.find((run) => run.at <= air && (!run.finished || air < run.until));
  }

  #point(air) {
    const { scrub, there } = this.#parts;
    scrub.value = air;
    const words = `${clock(air, this.#options.zone)} · ${this.#runAt(air)?.title ?? (air > this.#options.now() - MINUTE_MS ? "now" : "nothing is kept of it")}`;
    say(there, words);
    if (scrub.getAttribute("aria-valuetext") !== words) scrub.setAttribute("aria-valuetext", words);
  }

  #draw() {
    const { scale, hours } = this.#parts;
    const now = this.#options.now();
    const planned = this.#plan.filter((show) => show.at < this.#end && show.until > Math.max(now, this.#start));
    scale.replaceChildren(
      ...planned.map((show) => this.#part("plan", Math.max(show.at, now), show.until)),
      ...this.#list.map((run) => this.#part(run.finished ? "run" : "run on", run.at, run.finished ? run.until : now)));
    hours.replaceChildren(...HOURS.map((hour) => {
      const mark = make("span", {}, String(hour));
      mark.style.setProperty("--at", this.#fraction(hourOf(this.#start, hour, this.#options.zone)));
      return mark;
    }));
    this.#shown = null;
    if (this.#chosen !== null) this.#choose(this.#chosen);
    else this.tick();
  }

  #part(kind, from, until) {
    const element = make("div", { class: `part ${kind}` });
    element.style.setProperty("--from", this.#fraction(from));
    element.style.setProperty("--to", this.#fraction(until));
    return element;
  }

  #fraction(ms) {
    return Math.min(1, Math.max(0, (ms - this.#start) / (this.#end - this.#start)));
  }
}
