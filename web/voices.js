// Voices in words, without the page.

const languages = new Intl.DisplayNames(["en"], { type: "language" });

/** "American English" for "en-us". */
export function languageName(language) {
  const [code, region] = language.split("-");
  return languages.of(region ? `${code}-${region.toUpperCase()}` : code);
}

/** "Heart" for "af_heart". */
export function ownName(name) {
  const own = name.slice(name.indexOf("_") + 1);
  return own[0].toUpperCase() + own.slice(1);
}

/** "Heart and Emma, 1.20 times as fast" for "af_heart(2)+bf_emma(1)@1.20". */
export function voiceWords(voice) {
  const [blend, speed] = voice.split("@");
  const names = blend.split("+").map((part) => ownName(part.replace(/\(.*\)/, "")));
  return names.join(" and ") + (speed ? `, ${speed} times as fast` : "");
}
