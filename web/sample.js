// A sample of a voice: a cast of one fixed sentence in its language. It is spoken when the first one asks for it, counts
// as a text that was handed in, and is there for everybody from then on; this browser keeps its address.

import { get, post } from "./api.js";
import { plight, showButton } from "./controls.js";
import { kept, say } from "./dom.js";
import { follow } from "./follow.js";
import { queueWords } from "./queue.js";
import { ownName } from "./voices.js";

export const SENTENCES = {
  en: "Good evening. The lamps are lit along the harbour, and this is how I sound when I read to you.",
  es: "Buenas tardes. Las luces del puerto están encendidas, y así suena mi voz cuando leo.",
  fr: "Bonsoir. Les lampes du port sont allumées, et voici comment je parle quand je lis.",
  hi: "नमस्ते। बंदरगाह की बत्तियाँ जल गई हैं, और पढ़ते समय मेरी आवाज़ ऐसी होती है।",
  it: "Buonasera. Le luci del porto sono accese, e questa è la mia voce quando leggo.",
  ja: "こんばんは。港に明かりがともりました。これが私の読む声です。",
  pt: "Boa noite. As luzes do porto estão acesas, e esta é a minha voz quando leio.",
  zh: "晚上好。港口的灯都亮了,这就是我朗读时的声音。",
};

/** The fixed sentence of a voice's language, as in `en-us`. */
export function sentenceIn(language) {
  return SENTENCES[language.split("-")[0]] ?? SENTENCES.en;
}

export class Sampler {
  #player;
  #parts;
  #voice;
  #cast = null;
  #stream = null;

  /**
   * @param parts elements: button, told (what is going on).
   * @param options `voice()` as the relay lists it; `token()` for a radio that asks for one; `report(error)`.
   */
  constructor(player, parts, options) {
    [this.#player, this.#parts, this.options] = [player, parts, options];
    parts.button.addEventListener("click", () => this.#toggle());
    player.addEventListener("state", () => this.show());
  }

  /** Another voice was chosen: what plays is not its sample. */
  turn() {
    this.#player.pause();
    this.#end();
    this.#voice = null;
    this.show();
  }

  show() {
    const { button, told } = this.#parts;
    showButton(button, this.#player, true, "a sample of this voice");
    if (["ended", "failed"].includes(this.#player.state)) this.#end();
    say(told, this.#words());
  }

  #words() {
    if (!this.#player.active) return this.#player.state === "blocked" ? plight(this.#player) : "";
    if (this.#cast?.status === "queued") return queueWords(this.#cast);
    if (this.#player.state === "playing") return `${ownName(this.#voice.name)} speaks`;
    return this.#cast?.status === "live" ? "The sample is being spoken" : plight(this.#player);
  }

  async #toggle() {
    if (this.#player.active) return this.#player.pause();
    const voice = this.options.voice();
    if (!voice) return;
    this.#voice = voice;
    this.#parts.button.disabled = true;
    say(this.#parts.told, "Asking for the sample");
    try {
      this.#cast = await this.#find(voice);
      if (this.#voice === voice) this.#play();
    } catch (error) {
      say(this.#parts.told, "");
      this.options.report(error);
    } finally {
      this.#parts.button.disabled = false;
    }
  }

  async #find(voice) {
    const name = `sample.${voice.name}`;
    const known = kept.get(name);
    if (known) {
      const cast = await get(`/casts/${encodeURIComponent(known)}`).catch(() => null);
      if (cast && cast.status !== "failed") return cast;
      kept.forget(name);
    }
    const cast = await post("/casts", { text: sentenceIn(voice.language), voice: voice.name, title: `${ownName(voice.name)}: a sample` }, this.options.token());
    kept.set(name, cast.cast);
    return cast;
  }

  #play() {
    const { urls } = this.#cast;
    const done = () => this.#cast?.status === "done";
    if (!done()) this.#stream = follow(urls.events, { status: (cast) => this.#told(cast), end: () => this.#end() }, () => this.#player.active);
    this.#player.play({
      kind: done() ? "file" : "growing", over: () => true, waits: () => !done(),
      open: (position_ms) => ({ url: urls.mp3, base_ms: 0, seek_ms: position_ms }),
    });
  }

  #told(cast) {
    this.#cast = cast;
    this.show();
  }

  #end() {
    this.#stream?.close();
    this.#stream = null;
  }
}
