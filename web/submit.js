// The form that sends a text in.

import { get, post } from "./api.js";
import { find, groupBy, kept, make, playMarks, say } from "./dom.js";
import { clearNotice, notice } from "./notice.js";
import { Player } from "./player.js";
import { Sampler } from "./sample.js";
import { languageName, ownName } from "./voices.js";

const CHARACTERS_PER_S = 14;
const GENDERS = { female: "woman", f: "woman", male: "man", m: "man" };
const TAKES_NONE = {
  off: { message: "This radio takes no texts.", hint: "Its operator has switched casts off." },
  paused: { message: "Casts are paused here.", hint: "A text can be sent in again later." },
};
const UNAUTHORIZED = 401;

const form = find("#form");
const { text, title, voice, speed, token } = form.elements;
const [send, problem, sample, tokenField] = ["#send", "#problem", "#sample", "#token-field"].map((id) => find(id));
const known = new Map();
let most = 50_000;

const sampler = new Sampler(new Player(find("#audio")), { button: sample, told: find("#sample-told") },
  { voice: () => known.get(voice.value), token: () => token.value, report: refused });

function characters() {
  return [...text.value.trim()].length;
}

function count() {
  const n = characters();
  const minutes = n / CHARACTERS_PER_S / Number(speed.value) / 60;
  find("#count").classList.toggle("over", n > most);
  say(find("#count"), `${n.toLocaleString("en")} of ${most.toLocaleString("en")} characters`);
  say(find("#length"), n === 0 ? "" : minutes < 1 ? "Less than a minute of speech" : `About ${Math.round(minutes)} min of speech`);
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

function showVoices({ voices, default: usual, casts, characters: allowed, token: asks }) {
  for (const one of voices) known.set(one.name, one);
  const groups = groupBy(voices, (one) => one.language);
  voice.replaceChildren(...[...groups].map(([language, members]) =>
    make("optgroup", { label: languageName(language) }, ...members.map((one) =>
      make("option", { value: one.name, selected: one.name === usual }, voiceName(one))))));
  most = allowed;
  sample.hidden = casts !== "on";
  if (asks) askForToken();
  if (TAKES_NONE[casts]) notice(problem, TAKES_NONE[casts]);
  count();
}

function askForToken() {
  tokenField.hidden = false;
  token.value ||= kept.get("submit") ?? "";
}

/** Says what is wrong; where the token is, asks for it. */
function refused(error) {
  notice(problem, error);
  if (error.status !== UNAUTHORIZED) return;
  kept.forget("submit");
  askForToken();
  token.focus();
}

function refuse(error) {
  text.setAttribute("aria-invalid", "true");
  notice(problem, error);
  text.focus();
}

function check() {
  const n = characters();
  if (n === 0) return { message: "There is no text yet.", hint: "Write or paste what is to be spoken." };
  if (n > most) return { message: `The text is too long by ${(n - most).toLocaleString("en")} characters.`, hint: "Send it in as several casts." };
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
  busy(true);
  try {
    const cast = await post("/casts", recipe(), token.value);
    if (token.value) kept.set("submit", token.value);
    if (cast.token) kept.set(`token.${cast.cast}`, cast.token);
    location.assign(cast.urls.page);
  } catch (error) {
    busy(false);
    if (error.status === 400 || error.status === 413) refuse(error);
    else refused(error);
  }
}

function busy(is) {
  send.disabled = is;
  say(send, is ? "Sending" : "Have it spoken");
}

sample.append(...playMarks());
form.addEventListener("submit", submit);
form.addEventListener("input", count);
voice.addEventListener("change", () => sampler.turn());
window.addEventListener("pageshow", () => {
  busy(false);
  count();
});
fillVoices();
