// A station's timetable in the station's own zone: the day as a dial and as a list, and the days after.

import { groupBy, make } from "./dom.js";
import { clock, day, dayKey, zoneName } from "./times.js";

const DAY_MINUTES = 24 * 60;

/** Fills the section; what is on at `now` is marked. */
export function showTimetable({ zoneLine, dial, today, days }, { shows, zone }, now) {
  const groups = groupBy(shows, (show) => dayKey(show.at, zone));
  const key = dayKey(now, zone);
  zoneLine.textContent = zoneName(zone, now);
  const ofToday = [...shows.filter((show) => isOn(show, now) && dayKey(show.at, zone) !== key), ...(groups.get(key) ?? [])];
  today.replaceChildren(...(ofToday.length ? ofToday.map((show) => row(show, zone, now)) : [nothing()]));
  dial.replaceChildren(...drawDial(shows, zone, now));
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

function drawDial(shows, zone, now) {
  const key = dayKey(now, zone);
  const scale = make("div", { class: "dial" });
  for (const show of shows) {
    const [starts, ends] = [dayKey(show.at, zone) === key, dayKey(show.until - 1, zone) === key];
    const on = isOn(show, now);
    if (starts || ends || on) scale.append(part(show, starts, ends, zone, on));
  }
  const needle = make("div", { class: "needle" });
  needle.style.setProperty("--at", fraction(now, zone));
  scale.append(needle);
  return [scale, make("div", { class: "hours" }, ...["0", "6", "12", "18", "24"].map((hour) => make("span", {}, hour)))];
}

function part(show, starts, ends, zone, on) {
  const element = make("div", { class: on ? "part on" : "part" });
  element.style.setProperty("--from", starts ? fraction(show.at, zone) : 0);
  element.style.setProperty("--to", ends ? fraction(show.until, zone) || 1 : 1);
  return element;
}

/** Where in its day a time lies, 0 to 1, by the clock on the wall there. */
function fraction(ms, zone) {
  const [hours, minutes] = clock(ms, zone).split(":").map(Number);
  return (hours * 60 + minutes) / DAY_MINUTES;
}
