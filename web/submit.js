// The form that sends a text in.

import { get, post } from "./api.js";
import { find, groupBy, kept, make, say } from "./dom.js";
import { clearNotice, notice } from "./notice.js";
import { languageName, ownName } from "./voices.js";

const MAX_CHARACTERS = 50_000;
const CHARACTERS_PER_S = 14;

const form = find("#form");
const { text, title, voice, speed } = form.elements;
const send = find("#send");
const problem = find("#problem");
const GENDERS = { female: "woman", f: "woman", male: "man", m: "man" };

function characters() {
  return [...text.value.trim()].length;
}

function count() {
  const n = characters();
  const minutes = n / CHARACTERS_PER_S / Number(speed.value) / 60;
  find("#count").classList.toggle("over", n > MAX_CHARACTERS);
  say(find("#count"), `${n.toLocaleString("en")} of ${MAX_CHARACTERS.toLocaleString("en")} characters`);
  say(find("#length"), n === 0 ? "" : minutes < 1 ? "Less than a minute" : `About ${Math.round(minutes)} min`);
  say(find("#speed-value"), `${Number(speed.value).toFixed(2)} ×`);
}

function voiceName({ name, gender }) {
  return GENDERS[gender] ? `${ownName(name)} (${GENDERS[gender]})` : ownName(name);
}

/** Until the voices are known, and if they cannot be had, a text is spoken by the usual one. */
async function fillVoices() {
  try {
    showVoices(await get("/casts/voices"));
  } catch (error) {
    voice.replaceChildren(make("option", { value: "" }, "The usual voice"));
    notice(problem, error);
  } finally {
    voice.removeAttribute("aria-busy");
  }
}

function showVoices({ voices, default: usual }) {
  const groups = groupBy(voices, (one) => one.language);
  voice.replaceChildren(...[...groups].map(([language, members]) =>
    make("optgroup", { label: languageName(language) }, ...members.map((one) =>
      make("option", { value: one.name, selected: one.name === usual }, voiceName(one))))));
}

function refuse(error) {
  text.setAttribute("aria-invalid", "true");
  notice(problem, error);
  text.focus();
}

function check() {
  const n = characters();
  if (n === 0) return { message: "There is no text yet.", hint: "Write or paste what is to be spoken." };
  if (n > MAX_CHARACTERS) return { message: `The text is too long by ${(n - MAX_CHARACTERS).toLocaleString("en")} characters.`, hint: "Send it in as several casts." };
  return null;
}

function recipe() {
  const rate = Number(speed.value);
  return { text: text.value, ...(voice.value ? { voice: voice.value } : {}), ...(rate === 1 ? {} : { speed: rate }), ...(title.value.trim() ? { title: title.value.trim() } : {}) };
}

async function submit(event) {
  event.preventDefault();
  clearNotice(problem);
  text.removeAttribute("aria-invalid");
  const wrong = check();
  if (wrong) return refuse(wrong);
  send.disabled = true;
  say(send, "Sending");
  try {
    const cast = await post("/casts", recipe());
    if (cast.token) kept.set(`token.${cast.cast}`, cast.token);
    location.assign(cast.urls.page);
  } catch (error) {
    send.disabled = false;
    say(send, "Have it spoken");
    refuse(error);
  }
}

form.addEventListener("submit", submit);
form.addEventListener("input", count);
window.addEventListener("pageshow", () => {
  send.disabled = false;
  say(send, "Have it spoken");
  count();
});
fillVoices();
