// Time, without the page: clocks, words for times, and how long to wait before trying again.

const LOCALE = "en-GB";

/** Milliseconds before attempt `n` (from 0): 1, 2, 4 ... 60 s, of which the upper half is by chance. */
export function backoff(n, random = Math.random) {
  const full = Math.min(60_000, 1000 * 2 ** Math.min(n, 6));
  return full / 2 + (full / 2) * random();
}

/** Lets something happen at most once in a span of time, by a clock that never jumps. */
export class AtMost {
  #last_ms = -Infinity;

  constructor(every_ms) {
    this.every_ms = every_ms;
  }

  allows(now_ms = performance.now()) {
    if (now_ms - this.#last_ms < this.every_ms) return false;
    this.#last_ms = now_ms;
    return true;
  }
}

/** The relay's wall clock, as far as this page knows it. */
export class ServerClock {
  #ahead_ms = 0;

  set(server_ms, local_ms = Date.now()) {
    this.#ahead_ms = server_ms - local_ms;
  }

  now(local_ms = Date.now()) {
    return local_ms + this.#ahead_ms;
  }
}

/** "07:30" in that zone. */
export function clock(ms, zone) {
  return new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone }).format(ms);
}

/** "Sunday 29 November" in that zone. */
export function day(ms, zone) {
  const parts = new Intl.DateTimeFormat(LOCALE, { weekday: "long", day: "numeric", month: "long", timeZone: zone });
  return parts.format(ms).replace(",", "");
}

/** "2026-11-29" in that zone: equal for two times of the same day there. */
export function dayKey(ms, zone) {
  return new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit", timeZone: zone }).format(ms);
}

/** "Berlin time, GMT+1" for "Europe/Berlin". */
export function zoneName(zone, ms) {
  const city = zone.split("/").at(-1).replaceAll("_", " ");
  const parts = new Intl.DateTimeFormat(LOCALE, { timeZone: zone, timeZoneName: "shortOffset" }).formatToParts(ms);
  const offset = parts.find((part) => part.type === "timeZoneName").value;
  return offset === city || city === "UTC" ? `${city} time` : `${city} time, ${offset}`;
}

/** "4:07" or "1:04:07". */
export function elapsed(ms) {
  const s = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(s / 3600), Math.floor(s / 60) % 60, s % 60];
  const tail = String(seconds).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** "40 seconds", "5 minutes", "2 hours": for people, rounded up. */
export function duration(ms) {
  const s = Math.max(1, Math.ceil(ms / 1000));
  if (s < 90) return s === 1 ? "1 second" : `${s} seconds`;
  const minutes = Math.round(s / 60);
  if (minutes < 90) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return `${hours} hours`;
}
