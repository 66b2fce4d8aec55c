// A problem, told where it matters, with what can be done about it.

import { make } from "./dom.js";

export function notice(place, error) {
  place.replaceChildren(make("p", { class: "notice" }, error.message, error.hint ? make("span", { class: "hint" }, error.hint) : null));
}

export function clearNotice(place) {
  place.replaceChildren();
}
