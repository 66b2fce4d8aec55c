// A station's timetable in the station's own zone: the day as a list, and the days after.

import { groupBy, make } from "./dom.js";
import { clock, day, dayKey, zoneName } from "./times.js";

/** Fills the section; what is on at `now` is marked. */
export function showTimetable({ zoneLine, today, days }, { shows, zone }, now) {
  const groups = groupBy(shows, (show) => dayKey(show.at, zone));
  const key = dayKey(now, zone);
  zoneLine.textContent = zoneName(zone, now);
  const ofToday = [...shows.filter((show) => isOn(show, now) && dayKey(show.at, zone) !== key), ...(groups.get(key) ?? [])];
  today.replaceChildren(...(ofToday.length ? ofToday.map((show) => row(show, zone, now)) : [nothing()]));
  groups.delete(key);
  days.replaceChildren(...[...groups.values()].filter((group) => group[0].at > now).flatMap((group) => [
    make("h3", {}, day(group[0].at, zone)),
    make("ol", { class: "table" }, ...group.map((show) => row(show, zone, now))),
  ]));
  days.parentElement.hidden = !days.childElementCount;
}

const isOn = (show, now) => show.at <= now && now < show.until;

function row(show, zone, now) {
  const state = isOn(show, now) ? "on" : show.until <= now ? "past" : "";
  return make("li", { class: state, "aria-current": state === "on" ? "true" : null },
    make("time", { datetime: new Date(show.at).toISOString() }, clock(show.at, zone)),
    make("span", {}, show.title, make("span", { class: "until" }, ` until ${clock(show.until, zone)}`)));
}

function nothing() {
  return make("li", { class: "empty" }, make("span", {}, "–"), make("span", {}, "Nothing is planned today."));
}
