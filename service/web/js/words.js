// The page's words in the viewer's language; missing ones fall back to English.

import {prefs} from "./prefs.js";

export const LANGUAGES = {en: "English", de: "Deutsch", cs: "Čeština"};
let words = {};
let english = {};

export async function loadWords() {
  const wished = prefs.language || (navigator.languages || ["en"]).map((l) => l.slice(0, 2)).find((l) => l in LANGUAGES) || "en";
  english = await (await fetch("/web/lang/en.json")).json();
  words = wished === "en" ? english : await (await fetch(`/web/lang/${wished}.json`)).json();
  document.documentElement.lang = wished;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
}

export function t(key, values = {}) {
  const text = words[key] ?? english[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

export const has = (key) => key in words || key in english;

// "string-touches-tile" → its title in the viewer's language, or plain words.
export const ruleTitle = (rule) => (has(`rule.${rule}`) ? t(`rule.${rule}`) : rule.replaceAll("-", " "));

// A face's label as people write it.
export const labelText = (label) => (label === null || label === undefined ? "?" : label === "back" ? t("face-down") : has(`label.${label}`) ? t(`label.${label}`) : label.replaceAll("-", " "));

// Signed with a true minus sign.
export const signed = (n) => (n < 0 ? `−${-n}` : `${n}`);
