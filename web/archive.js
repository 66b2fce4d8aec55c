// What was on: a list of runs, each with a button that plays it again. Older ones are fetched when asked for.

import { make, playButton } from "./dom.js";
import { showButton } from "./controls.js";
import { clock, day, duration } from "./times.js";

export class Archive {
  #list;
  #more;
  #runs;
  #buttons = new Map();
  #older = [];
  #newest = [];

  /** @param parts elements: list, more (the button). @param play is given a run. */
  constructor({ list, more }, runs, { play, report }) {
    [this.#list, this.#more, this.#runs, this.play] = [list, more, runs, play];
    more.addEventListener("click", () => this.#fetchOlder().catch(report));
  }

  /** Lists the newest runs anew, and keeps what was fetched below them. */
  async refresh(zone) {
    this.zone = zone;
    const page = await this.#runs.page();
    this.#newest = page.runs;
    if (!this.#older.length) this.#more.hidden = !page.more;
    this.#show();
    return page;
  }

  /** Marks the run that plays. */
  mark(player, run) {
    for (const [id, { button, title }] of this.#buttons) showButton(button, player, id === run, `again: ${title}`);
  }

  async #fetchOlder() {
    this.#more.disabled = true;
    try {
      const page = await this.#runs.page(this.#all().at(-1).at);
      this.#older.push(...page.runs);
      this.#more.hidden = !page.more;
      this.#show();
      this.#buttons.get(page.runs.find((run) => run.sentences > 0)?.run)?.button.focus();
    } finally {
      this.#more.disabled = false;
    }
  }

  /** Newest first; what has moved on from the first page stands once. */
  #all() {
    const known = new Set(this.#newest.map((run) => run.run));
    return [...this.#newest, ...this.#older.filter((run) => !known.has(run.run))];
  }

  /** Rows that are there already stay, and with them the focus. */
  #show() {
    const rows = this.#all().filter((run) => run.sentences > 0).map((run) => this.#row(run));
    this.#list.replaceChildren(...(rows.length ? rows : [make("li", { class: "empty" }, "Nothing yet: the first run is still to come.")]));
    const focused = this.#buttons.get(this.focused);
    if (focused && document.activeElement === document.body) focused.button.focus();
  }

  #row(run) {
    const known = this.#buttons.get(run.run);
    const button = known?.button ?? playButton({
      class: "play small",
      "data-run": run.run,
      "aria-label": `Play again: ${run.title}`,
      onclick: () => this.play(this.#buttons.get(run.run).data),
      onfocus: () => { this.focused = run.run; },
    });
    const title = `${run.title}, ${day(run.at, this.zone)} ${clock(run.at, this.zone)}`;
    this.#buttons.set(run.run, { button, title, data: run });
    const length = run.finished ? duration(run.audio_ms) : "still on air";
    return make("li", {}, button, make("div", { class: "about" },
      make("p", { class: "name" }, run.title),
      make("p", { class: "when" },
        make("time", { datetime: new Date(run.at).toISOString() }, `${day(run.at, this.zone)}, ${clock(run.at, this.zone)}`),
        ` · ${length}`, ...(run.finished ? saved(run, title) : []))));
  }
}

function saved(run, title) {
  return [
    " · ", make("a", { href: run.urls.download, "aria-label": `Save ${title}` }, "Save"),
    " · ", make("a", { href: `${run.urls.vtt}&download=1`, "aria-label": `Save the captions of ${title}` }, "Captions"),
  ];
}
