// What a station's page says while nothing plays there. Pure: the station as the relay tells it, and a time.

import { clock, day, dayKey, zoneName } from "./times.js";

export const STATES = { on_air: "On air", starting: "Starting", silent: "Silent at the moment", off: "Off air" };

export const MUTED = "Muted by the editor for the moment";

const INVITES = { on_air: "Press play to listen live", starting: "It is about to begin", silent: "Nothing is heard at the moment" };

/** What is on, or until when nothing is: never the station's own name once more where nothing is heard. */
export function nowWords(station, now) {
  if (station.state === "off") return station.next ? `Off air until ${moment(station.next.at, station.zone, now)}` : "Off air";
  if (station.state !== "on_air" && !station.now.run) return STATES[station.state] ?? station.state;
  return station.now.title || station.title;
}

/** What comes next; while off air with the zone of the clock, for who listens from elsewhere. */
export function nextWords({ state, next, zone }, now) {
  if (!next) return state === "off" ? "Nothing is planned." : "";
  if (state !== "off") return `Next: ${clock(next.at, zone)}, ${next.title}`;
  return `Next: ${next.title}, ${moment(next.at, zone, now)}, ${zoneName(zone, next.at)}`;
}

/** The player's line: `wanted` says whether the live stream is open. */
export function soundWords({ state, muted }, wanted) {
  if (muted && state === "on_air") return MUTED;
  if (state === "off") return wanted ? "It is heard as soon as the station is on air" : "";
  return wanted ? "Live" : INVITES[state] ?? "";
}

/** "14:00", with its day unless that is today there. */
function moment(at, zone, now) {
  return dayKey(at, zone) === dayKey(now, zone) ? clock(at, zone) : `${day(at, zone)}, ${clock(at, zone)}`;
}
