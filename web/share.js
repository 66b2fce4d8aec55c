// Handing a link on: by the system's own sheet on a phone, else into the clipboard.

import { say } from "./dom.js";

const SAID_MS = 10_000;

/** Shares or copies; the button says so for a moment, `told` says it to screen readers. Throws if neither can be done. */
export async function share({ button, told }, { title, url }) {
  const name = button.textContent;
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ title, url });
    await copy(url);
  } catch (error) {
    if (error.name === "AbortError") return;
    throw error;
  }
  say(button, "Copied");
  say(told, "The link is copied.");
  setTimeout(() => { say(button, name); say(told, ""); }, SAID_MS);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    throw Object.assign(new Error("The browser did not let it be copied."), { hint: text });
  }
}
