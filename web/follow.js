// An event stream that comes back by itself, from where it was, and rests while nobody looks.

import { backoff } from "./times.js";

const REST_AFTER_MS = 5 * 60_000;

/**
 * @param url of the stream.
 * @param handlers by event name; each is given the event's data.
 * @param busy says whether the stream is needed although the page is hidden.
 */
export function follow(url, handlers, busy = () => false) {
  const state = { source: null, seq: null, attempt: 0, timer: 0, over: false };

  /** Opens the stream anew; on a page that nobody sees or needs it stays closed until the page is seen again. */
  function open() {
    shut();
    if (asleep()) return;
    const source = new EventSource(state.seq === null ? url : withFrom(url, state.seq + 1));
    state.source = source;
    source.addEventListener("open", () => { state.attempt = 0; });
    source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) later(); });
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => receive(name, event, handle));
    }
  }

  function receive(name, event, handle) {
    const data = event.data ? JSON.parse(event.data) : {};
    if (name === "caption") state.seq = Math.max(state.seq ?? -1, data.seq);
    if (name === "reset") state.seq = null;
    handle(data);
  }

  function later() {
    if (state.over) return;
    clearTimeout(state.timer);
    state.timer = setTimeout(open, backoff(state.attempt++));
  }

  const asleep = () => document.hidden && !busy();

  function shut() {
    clearTimeout(state.timer);
    state.source?.close();
    state.source = null;
  }

  function rest() {
    if (asleep()) shut();
  }

  function visibility() {
    clearTimeout(state.resting);
    if (document.hidden) state.resting = setTimeout(rest, REST_AFTER_MS);
    else if (!state.source && !state.over) open();
  }

  function close() {
    state.over = true;
    clearTimeout(state.resting);
    shut();
    document.removeEventListener("visibilitychange", visibility);
    window.removeEventListener("online", open);
  }

  document.addEventListener("visibilitychange", visibility);
  window.addEventListener("online", open);
  open();
  return { close, reopen: open };
}

function withFrom(url, seq) {
  return `${url}${url.includes("?") ? "&" : "?"}from=${seq}`;
}
