// Small helpers for making and finding elements.

export const find = (selector, within = document) => within.querySelector(selector);

/** Elements by their ids. */
export const named = (...ids) => Object.fromEntries(ids.map((id) => [id, find(`#${id}`)]));

/** An element with attributes (`on…` are listeners, booleans switch) and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets the text only where it differs, so that screen readers are not told twice. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const SVG = "http://www.w3.org/2000/svg";
/** Drawn in place, so that no button waits for a sheet of icons. */
const SHAPES = {
  play: "M8 4.6v14.8a1 1 0 0 0 1.5.86l12-7.4a1 1 0 0 0 0-1.72l-12-7.4A1 1 0 0 0 8 4.6z",
  pause: "M6.5 4h3.2a.8.8 0 0 1 .8.8v14.4a.8.8 0 0 1-.8.8H6.5a.8.8 0 0 1-.8-.8V4.8a.8.8 0 0 1 .8-.8zm7.8 0h3.2a.8.8 0 0 1 .8.8v14.4a.8.8 0 0 1-.8.8h-3.2a.8.8 0 0 1-.8-.8V4.8a.8.8 0 0 1 .8-.8z",
};

function icon(name) {
  const [svg, path] = ["svg", "path"].map((tag) => document.createElementNS(SVG, tag));
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("viewBox", name === "play" ? "1.6 0 24 24" : "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("fill", "currentColor");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}

/** What a round button holds; its `data-state` says which of it is seen: play, pause or a turning ring. */
export function playMarks() {
  return [icon("play"), icon("pause"), make("span", { class: "ring", "aria-hidden": "true" })];
}

/** The round button. */
export function playButton(attributes = {}) {
  return make("button", { type: "button", class: "play", ...attributes }, ...playMarks());
}

/** The last part of the page's path: a station's or a cast's id. */
export function pageId() {
  return decodeURIComponent(location.pathname.split("/").at(-1));
}

const memory = new Map();

/** What this browser keeps for the radio; for as long as the page lives where it keeps nothing. */
export const kept = {
  get(name) {
    try {
      return localStorage.getItem(`radio.${name}`);
    } catch {
      return memory.get(name) ?? null;
    }
  },
  set(name, value) {
    memory.set(name, value);
    try {
      localStorage.setItem(`radio.${name}`, value);
    } catch {
      console.info("this browser keeps nothing for the radio");
    }
  },
  forget(name) {
    memory.delete(name);
    try {
      localStorage.removeItem(`radio.${name}`);
    } catch {
      console.info("this browser keeps nothing for the radio");
    }
  },
};

/** A switch that is remembered in this browser. */
export function remembered(name, fallback) {
  const stored = kept.get(name);
  return stored === null ? fallback : stored === "on";
}

export function remember(name, on) {
  kept.set(name, on ? "on" : "off");
}

/** Items by key, in order of first appearance. */
export function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}
