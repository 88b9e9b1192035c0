// What happened so far, newest first, with the picture of each scoring.

import {h, icon} from "./dom.js";
import {t} from "./words.js";

export function logPanel(game) {
  const entries = [...(game.log || [])].reverse().slice(0, 40);
  return h("section", {class: "panel record"}, h("h3", {}, t("record")),
    h("ol", {}, entries.map((entry) => h("li", {class: entry.undone ? "undone" : ""},
      h("time", {}, new Date(entry.at * 1000).toLocaleTimeString(document.documentElement.lang, {hour: "2-digit", minute: "2-digit"})),
      h("span", {}, entry.text, entry.undone ? ` (${t("undone")})` : ""),
      entry.evidence ? h("a", {href: `/api/game/evidence/${entry.seq}.jpg`, target: "_blank", rel: "noopener", title: t("evidence"), "aria-label": t("evidence")}, icon("picture")) : null))),
    h("p", {class: "row"}, h("a", {class: "button small", href: "/api/game/export.json", download: ""}, icon("download"), "JSON"),
      h("a", {class: "button small", href: "/api/game/export.csv", download: ""}, icon("download"), "CSV")));
}
