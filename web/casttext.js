// A cast's sentences as running text: what is heard is lit; each can be jumped to.

import { make } from "./dom.js";
import { isLit } from "./captions.js";

/** So far into a sentence, "previous" means its own beginning. */
const INTO_MS = 3000;

export class CastText {
  #place;
  #sentences = [];
  #focus = 0;
  #lit = null;

  constructor(place, jump) {
    this.#place = place;
    place.addEventListener("click", (event) => {
      const sentence = this.#of(event.target);
      if (sentence) jump(sentence);
    });
    place.addEventListener("keydown", (event) => this.#key(event, jump));
  }

  get length_ms() {
    const last = this.#sentences.at(-1);
    return last ? last.at + last.d : 0;
  }

  get characters() {
    return this.#sentences.reduce((sum, sentence) => sum + sentence.t.length + 1, 0);
  }

  /** Takes a caption in; of each index the newest counts, and what was made after an older one is void. */
  add({ seq, i, at_ms, d, t }, fresh) {
    const known = this.#sentences.findIndex((sentence) => sentence.i >= i);
    if (known >= 0 && this.#sentences[known].seq >= seq) return;
    if (known >= 0) for (const old of this.#sentences.splice(known)) old.element.remove();
    const element = make("span", { role: "button", tabindex: this.#sentences.length === this.#focus ? 0 : -1, class: fresh ? "fresh" : "", "data-i": i }, t);
    this.#sentences.push({ seq, i, at: at_ms, d, t, element });
    this.#place.append(element, " ");
  }

  clear() {
    this.#sentences = [];
    this.#lit = null;
    this.#place.replaceChildren();
  }

  /** The sentence that is heard at a position. */
  at(position_ms) {
    return this.#sentences.findLast((sentence) => sentence.at <= position_ms);
  }

  /** The sentence that many before or after the one at a position; before its own beginning is soon passed. */
  near(position_ms, by) {
    const index = this.#sentences.findLastIndex((sentence) => sentence.at <= position_ms);
    const back = by < 0 && index >= 0 && position_ms - this.#sentences[index].at > INTO_MS ? 0 : by;
    return this.#sentences[Math.max(0, index + back)];
  }

  /** Lights what is heard at a position, if anything was played at all. */
  show(position_ms, begun) {
    const sentence = begun ? this.at(position_ms) : undefined;
    const lit = isLit(sentence, position_ms) ? sentence : null;
    if (lit === this.#lit) return;
    this.#lit?.element.removeAttribute("aria-current");
    for (const other of this.#sentences) {
      other.element.classList.toggle("past", begun && other.at < position_ms);
      other.element.classList.toggle("lit", other === lit);
    }
    lit?.element.setAttribute("aria-current", "true");
    this.#lit = lit;
    if (lit) this.#keepInView(lit.element);
  }

  /** Scrolls along only where the reader was reading along. */
  #keepInView(element) {
    const previous = element.previousElementSibling ?? element;
    const box = previous.getBoundingClientRect();
    if (box.bottom > 0 && box.top < innerHeight) element.scrollIntoView({ block: "nearest" });
  }

  #of(target) {
    return this.#sentences.find((sentence) => sentence.element === target);
  }

  #key(event, jump) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const sentence = this.#of(event.target);
    if (!sentence) return;
    if (event.key === "Enter" || event.key === " ") jump(sentence);
    else if (event.key === "Home") this.#move(0);
    else if (event.key === "End") this.#move(this.#sentences.length - 1);
    else if (step) this.#move(this.#focus + step);
    else return;
    event.preventDefault();
  }

  #move(index) {
    const next = Math.min(Math.max(index, 0), this.#sentences.length - 1);
    this.#sentences[this.#focus]?.element.setAttribute("tabindex", -1);
    this.#focus = next;
    this.#sentences[next].element.setAttribute("tabindex", 0);
    this.#sentences[next].element.focus();
  }
}
