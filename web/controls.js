// The round button and the seek bar of a page, tied to its player.

import { say } from "./dom.js";
import { elapsed } from "./times.js";

const SPACE_IS_TAKEN = "button, input, textarea, select, summary, a, [role=button]";
const BUSY = new Set(["connecting", "retrying"]);

const WORDS = {
  connecting: "Connecting",
  retrying: "The connection was lost; trying again",
  blocked: "The browser did not allow sound. Press play once more.",
  failed: "This recording could not be played.",
};

/** What the player is at, in words, where that is worth a word; else null. */
export function plight(player) {
  return WORDS[player.state] ?? null;
}

/** Shows on a button whether its sound is wanted: `name` is what would play. */
export function showButton(button, player, mine, name) {
  const active = mine && player.active;
  button.dataset.state = active ? (BUSY.has(player.state) ? "busy" : "playing") : "paused";
  const label = active ? `Pause ${name}` : `Play ${name}`;
  if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
}

/** Space plays and pauses wherever it has no other meaning. */
export function spaceToggles(toggle) {
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(SPACE_IS_TAKEN)) return;
    event.preventDefault();
    toggle();
  });
}

/** A seek bar in milliseconds that is left alone while someone drags it. */
export class SeekBar {
  #bar;
  #elapsed;
  #total;
  #dragging = false;

  constructor({ bar, elapsed: passed, total }, seek) {
    [this.#bar, this.#elapsed, this.#total] = [bar, passed, total];
    bar.addEventListener("input", () => {
      this.#dragging = true;
      this.#write(Number(bar.value), Number(bar.max));
    });
    bar.addEventListener("change", () => {
      this.#dragging = false;
      seek(Number(bar.value));
    });
  }

  show(position_ms, total_ms) {
    if (this.#dragging) return;
    const total = Math.max(1, Math.round(total_ms));
    if (Number(this.#bar.max) !== total) this.#bar.max = total;
    this.#bar.step = 1;
    this.#bar.value = Math.min(total, Math.round(position_ms));
    this.#write(position_ms, total_ms);
  }

  #write(position_ms, total_ms) {
    say(this.#elapsed, elapsed(position_ms));
    say(this.#total, elapsed(total_ms));
    const words = `${elapsed(position_ms)} of ${elapsed(total_ms)}`;
    if (this.#bar.getAttribute("aria-valuetext") !== words) this.#bar.setAttribute("aria-valuetext", words);
  }
}
