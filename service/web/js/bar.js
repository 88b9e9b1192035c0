// The bar above: brand, language, theme, sound, help.

import {h, icon} from "./dom.js";
import {nextTheme, prefs, remember} from "./prefs.js";
import {LANGUAGES, t} from "./words.js";

const KEYS = [[["Space"], "key.click"], [["U"], "key.undo"], [["R"], "key.redo"], [["N"], "key.next"], [["1", "…", "9"], "key.answer"], [["T"], "key.theme"], [["M"], "key.sound"], [["?"], "key.help"]];

export function fillBar(bar, {live}) {
  const narrow = matchMedia("(max-width: 620px)").matches; // a phone has room for two letters
  const language = h("select", {class: "language", "aria-label": t("language"), onchange: (event) => { remember({language: event.target.value}); location.reload(); }},
    Object.entries(LANGUAGES).map(([code, name]) => h("option", {value: code, selected: code === document.documentElement.lang, "aria-label": name}, narrow ? code.toUpperCase() : name)));
  const toggle = (name, on, off, key) => {
    const button = h("button", {class: "icon", type: "button", "aria-pressed": String(prefs[name]), title: t(key), "aria-label": t(key)}, icon(prefs[name] ? on : off));
    button.addEventListener("click", () => {
      remember({[name]: !prefs[name]});
      button.setAttribute("aria-pressed", String(prefs[name]));
      button.replaceChildren(icon(prefs[name] ? on : off));
    });
    return button;
  };
  const sound = live ? [toggle("sound", "sound", "mute", "sound"), toggle("speech", "speech", "hush", "speech")] : [];
  bar.replaceChildren(h("a", {class: "brand", href: "/"}, h("img", {src: "/web/mark.svg", alt: ""}), h("h1", {}, "Safari Table")), h("span", {class: "grow"}),
    h("div", {class: "tools"}, language, ...sound,
      h("button", {class: "icon", type: "button", title: t("theme"), "aria-label": t("theme"), onclick: nextTheme}, icon("sun")),
      h("button", {class: "icon", type: "button", title: t("help"), "aria-label": t("help"), onclick: showKeys}, icon("help"))));
  document.addEventListener("keydown", (event) => {
    if (typing(event)) return;
    if (event.key === "?") showKeys();
    if (event.key === "t" || event.key === "T") nextTheme();
    if ((event.key === "m" || event.key === "M") && sound.length) sound[0].click();
  });
}

export const typing = (event) => event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName || "") || document.querySelector("dialog[open]") !== null;

function showKeys() {
  const dialog = h("dialog", {"aria-labelledby": "keys-title"}, h("h2", {id: "keys-title"}, t("keys")),
    h("div", {class: "keys"}, KEYS.flatMap(([keys, what]) => [h("span", {}, keys.map((key) => h("kbd", {}, key === "Space" ? t("space-bar") : key))), h("span", {}, t(what))])),
    h("div", {class: "row end"}, h("button", {class: "button main", type: "button", onclick: () => dialog.close()}, t("close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
