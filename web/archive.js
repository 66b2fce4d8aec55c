// What was on: a list of runs, each with a button that plays it again.

import { make, playButton } from "./dom.js";
import { showButton } from "./controls.js";
import { clock, day, duration } from "./times.js";

export class Archive {
  #list;
  #buttons = new Map();

  constructor(list, play) {
    this.#list = list;
    this.play = play;
  }

  /** Shows the runs, newest first; rows that are there already stay, and with them the focus. */
  show(runs, zone) {
    const rows = runs.filter((run) => run.sentences > 0).map((run) => this.#row(run, zone));
    this.#list.replaceChildren(...(rows.length ? rows : [make("li", { class: "empty" }, "Nothing yet: the first run is still to come.")]));
    const focused = this.#buttons.get(this.focused);
    if (focused && document.activeElement === document.body) focused.button.focus();
  }

  /** Marks the run that plays. */
  mark(player, run) {
    for (const [id, { button, title }] of this.#buttons) showButton(button, player, id === run, `again: ${title}`);
  }

  #row(run, zone) {
    const known = this.#buttons.get(run.run);
    const button = known?.button ?? playButton({
      class: "play small",
      "data-run": run.run,
      onclick: () => this.play(this.#buttons.get(run.run).data),
      onfocus: () => { this.focused = run.run; },
    });
    const title = `${run.title}, ${day(run.at, zone)} ${clock(run.at, zone)}`;
    this.#buttons.set(run.run, { button, title, data: run });
    const length = run.finished ? duration(run.audio_ms) : "still on air";
    return make("li", {}, button, make("div", { class: "about" },
      make("p", { class: "name" }, run.title),
      make("p", { class: "when" },
        make("time", { datetime: new Date(run.at).toISOString() }, `${day(run.at, zone)}, ${clock(run.at, zone)}`), ` · ${length}`,
        ...(run.finished ? [" · ", make("a", { href: run.urls.download, "aria-label": `Save ${title}` }, "Save")] : []))));
  }
}
