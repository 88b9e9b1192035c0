// What this browser remembers: language, theme, sound, speech.

const KEY = "safari-table";
const defaults = {language: "", theme: "", sound: true, speech: false};

function load() {
  try { return {...defaults, ...JSON.parse(localStorage.getItem(KEY) || "{}")}; } catch { return {...defaults}; }
}

export const prefs = load();

export function remember(changes) {
  Object.assign(prefs, changes);
  try { localStorage.setItem(KEY, JSON.stringify(prefs)); } catch { /* a browser that keeps nothing still works */ }
  applyTheme();
}

export function applyTheme() {
  if (prefs.theme) document.documentElement.dataset.theme = prefs.theme;
  else delete document.documentElement.dataset.theme;
}

export function nextTheme() {
  const dark = prefs.theme ? prefs.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  remember({theme: dark ? "light" : "dark"});
}
