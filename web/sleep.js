// A sleep timer: the sound ends after some minutes, or with the show that is on.

import { say } from "./dom.js";

const MINUTE_MS = 60_000;

/** Whether it is time: `chosen` is "" (never), minutes, or "show"; `show` was on when it was `set_ms` by the same clock. */
export function isDue({ chosen, set_ms, show }, now_ms, on) {
  if (chosen === "") return false;
  return chosen === "show" ? on !== show : now_ms - set_ms >= Number(chosen) * MINUTE_MS;
}

export class SleepTimer {
  #select;
  #left;
  #options;
  #set = { chosen: "", set_ms: 0, show: null };

  /** @param options `show()` names what is on; `sleep()` ends the sound; `now()` is a clock that never jumps. */
  constructor({ select, left }, { show, sleep, now = () => performance.now() }) {
    [this.#select, this.#left, this.#options] = [select, left, { show, sleep, now }];
    select.addEventListener("change", () => this.#choose(select.value));
  }

  tick() {
    const { show, sleep, now } = this.#options;
    if (isDue(this.#set, now(), show())) {
      sleep();
      this.#select.value = "";
      this.#choose("");
    }
    const minutes = Number(this.#set.chosen);
    const left_ms = minutes * MINUTE_MS - (now() - this.#set.set_ms);
    say(this.#left, minutes ? `${Math.ceil(left_ms / MINUTE_MS)} min left` : "");
  }

  #choose(chosen) {
    this.#set = { chosen, set_ms: this.#options.now(), show: this.#options.show() };
    this.tick();
  }
}
