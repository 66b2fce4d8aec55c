// Days by the clock on a station's wall, as instants; those on which clocks are set are shorter or longer. Pure.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const formats = new Map();

function format(zone) {
  if (!formats.has(zone)) {
    formats.set(zone, new Intl.DateTimeFormat("en-GB", {
      timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric",
    }));
  }
  return formats.get(zone);
}

/** What the wall clock shows, as if it were UTC. */
function wall(ms, zone) {
  const shown = Object.fromEntries(format(zone).formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second);
}

const offset = (ms, zone) => wall(ms, zone) - Math.floor(ms / 1000) * 1000;

/** The instant at which the wall clock shows that; where it skips it, the first one after. */
function instant(shown, near, zone) {
  return shown - offset(shown - offset(near, zone), zone);
}

/** The first instant of the day that holds `ms`. */
export function startOfDay(ms, zone) {
  const shown = wall(ms, zone);
  return instant(shown - (shown % DAY_MS), ms, zone);
}

/** The first instant of the day after the one that begins at `start`. */
export function dayAfter(start, zone) {
  return startOfDay(start + 26 * HOUR_MS, zone);
}

/** The first instant of the day before the one that begins at `start`. */
export function dayBefore(start, zone) {
  return startOfDay(start - HOUR_MS, zone);
}

/** When it is that full hour, 0 to 24, on the day that begins at `start`. */
export function hourOf(start, hour, zone) {
  if (hour === 24) return dayAfter(start, zone);
  const shown = wall(start, zone);
  return instant(shown - (shown % DAY_MS) + hour * HOUR_MS, start + hour * HOUR_MS, zone);
}
