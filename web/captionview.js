// The captions of a station: what is heard is lit, what was heard before is dimmed, nothing comes early.

import { make, remember, remembered } from "./dom.js";
import { isLit } from "./captions.js";

const SHOWN = 6;

export class CaptionView {
  #region;
  #newest = null;

  /** @param jump is given the record number of a sentence that was clicked; by keyboard that goes in the transcript. */
  constructor(region, jump) {
    this.#region = region;
    region.addEventListener("click", (event) => {
      const line = event.target.closest("[data-seq]");
      if (line && String(getSelection()) === "") jump(Number(line.dataset.seq));
    });
  }

  /** Shows the captions up to `index`; the one there is lit if it is heard at `now`. */
  show(items, index, now) {
    const item = items[index];
    if (!item) return this.reset();
    if (item.seq !== this.#newest) this.#advance(items, index);
    this.#region.lastElementChild.classList.toggle("lit", isLit(item, now));
  }

  /** Begins anew, as when other sound is heard. */
  reset() {
    this.#newest = null;
    this.#region.replaceChildren();
    this.#region.classList.remove("long");
  }

  /** Says in the captions' place why there are none. */
  wait(words) {
    if (this.#newest === words) return;
    this.#newest = words;
    this.#region.replaceChildren(make("p", { class: "waiting" }, words));
  }

  #advance(items, index) {
    const [item, before] = [items[index], items[index - 1]];
    const follows = before && before.seq === this.#newest;
    this.#newest = item.seq;
    for (const line of this.#region.children) line.classList.remove("lit");
    if (follows) this.#region.append(line(item));
    else this.#region.replaceChildren(...items.slice(Math.max(0, index - SHOWN + 1), index + 1).map(line));
    while (this.#region.children.length > SHOWN) this.#region.firstElementChild.remove();
    this.#settle();
  }

  /** The newest line stays in sight; what is above it fades out. */
  #settle() {
    this.#region.scrollTop = this.#region.scrollHeight;
    this.#region.classList.toggle("long", this.#region.scrollHeight > this.#region.clientHeight);
  }
}

function line(item) {
  return make("p", { "data-seq": item.seq }, item.t);
}

/** The two switches: captions at all, and whether screen readers are told each new one: not unless asked, over a voice. */
export function captionSwitches({ region, show, announce }) {
  function apply() {
    const [shown, told] = [remembered("captions", true), remembered("announce", false)];
    region.hidden = !shown;
    region.setAttribute("aria-live", told ? "polite" : "off");
    show.setAttribute("aria-pressed", shown);
    announce.setAttribute("aria-pressed", told);
    announce.hidden = !shown;
  }
  for (const [button, name, usual] of [[show, "captions", true], [announce, "announce", false]]) {
    button.addEventListener("click", () => {
      remember(name, !remembered(name, usual));
      apply();
    });
  }
  apply();
}
