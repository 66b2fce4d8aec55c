// When which caption is heard, without the page. All times are milliseconds.

const LINGER_MS = 600;

/** The air time that the listener hears: `join` says which air time came after how much sound of the connection. */
export function heard(join, position_ms) {
  return join.at + position_ms - join.ms;
}

/** Captions (or anything with `seq` and `at`) in the order in which they are heard. */
export class Timeline {
  #items = [];
  #seqs = new Set();

  constructor(limit = 600) {
    this.limit = limit;
  }

  get items() {
    return this.#items;
  }

  /** Takes one in; false if its `seq` is there already. */
  add(item) {
    if (this.#seqs.has(item.seq)) return false;
    this.#seqs.add(item.seq);
    this.#items.splice(this.#after(item.at), 0, item);
    if (this.#items.length > this.limit) this.#seqs.delete(this.#items.shift().seq);
    return true;
  }

  /** The clock stepped: what is known keeps its distance to what comes. */
  shift(step_ms) {
    this.#items = this.#items.map((item) => ({ ...item, at: item.at + step_ms }));
  }

  /** Nothing is known any more of records `from` to `to`. */
  forget({ from, to }) {
    this.#items = this.#items.filter(({ seq }) => seq < from || seq > to);
  }

  clear() {
    this.#items = [];
    this.#seqs.clear();
  }

  /** Index of the newest item that has begun by `now`; -1 before the first. */
  index(now) {
    return this.#after(now) - 1;
  }

  item(now) {
    return this.#items[this.index(now)];
  }

  #after(at) {
    let [low, high] = [0, this.#items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#items[middle].at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether a caption is being heard at `now`; a short pause after it still counts. */
export function isLit(item, now) {
  return Boolean(item) && item.at <= now && now < item.at + item.d + LINGER_MS;
}

/**
 * The cues of a WebVTT text as captions in the replay's own time. The note before a cue gives its air time `air`, else
 * null, and its record number `seq`, else its place in the text.
 */
export function parseVtt(text) {
  const items = [];
  let note = {};
  for (const block of text.replaceAll("\r\n", "\n").split(/\n{2,}/)) {
    if (block.startsWith("NOTE")) note = noted(block);
    const item = cue(block);
    if (item) items.push({ seq: note.seq ?? items.length, ...item, air: note.air ?? null });
    if (item) note = {};
  }
  return items;
}

/** What stands in a note: `NOTE record 123 on air 2026-11-29T07:00:00.000Z`. */
function noted(block) {
  const [record, time] = [/record (\d+)/.exec(block), /on air (\S+)/.exec(block)];
  const air = time ? Date.parse(time[1]) : NaN;
  return { seq: record ? Number(record[1]) : undefined, air: Number.isNaN(air) ? undefined : air };
}

function cue(block) {
  const lines = block.split("\n");
  const arrow = lines.findIndex((line) => line.includes("-->"));
  if (arrow < 0 || arrow > 1) return null;
  const [from, to] = lines[arrow].split("-->").map((side) => stamp(side.trim().split(/\s/)[0]));
  return { at: from, d: to - from, t: plain(lines.slice(arrow + 1).join(" ").trim()) };
}

function stamp(text) {
  return Math.round(text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000);
}

function plain(text) {
  return text.replace(/<[^>]*>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
