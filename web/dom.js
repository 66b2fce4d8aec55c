// Small helpers for making and finding elements.

export const find = (selector, within = document) => within.querySelector(selector);

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

/** A mark of the icon sheet. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `/web/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

/** The round button: it shows play, pause or a turning ring, by its `data-state`. */
export function playButton(attributes = {}) {
  const button = make("button", { type: "button", class: "play", ...attributes });
  button.append(icon("play"), icon("pause"), make("span", { class: "ring", "aria-hidden": "true" }));
  return button;
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
