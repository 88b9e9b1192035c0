// What happened so far, newest first, with the picture of each scoring; every entry can be corrected.

import {h, icon, toast} from "./dom.js";
import {labelText, t} from "./words.js";

export function logPanel(game, hooks) {
  const entries = [...(game.log || [])].sort((a, b) => b.seq - a.seq).slice(0, 40);
  return h("section", {class: "panel record"}, h("h3", {}, t("record")),
    h("ol", {}, entries.map((entry) => h("li", {class: entry.undone ? "undone" : ""},
      h("time", {}, new Date(entry.at * 1000).toLocaleTimeString(document.documentElement.lang, {hour: "2-digit", minute: "2-digit"})),
      h("span", {}, told(entry), entry.undone ? ` (${t("undone")})` : ""),
      h("span", {class: "row tight"},
        entry.evidence ? h("a", {class: "mini", href: `/api/game/evidence/${entry.seq}.jpg`, target: "_blank", rel: "noopener", title: t("evidence"), "aria-label": t("evidence")}, icon("picture")) : null,
        hooks.plays && !entry.undone && CORRECTABLE.has(entry.what) ? h("button", {class: "mini", type: "button", title: t("correct-entry"), "aria-label": t("correct-entry"), onclick: () => openCorrect(game, entry, hooks)}, icon("pencil")) : null)))),
    h("p", {class: "row"}, h("a", {class: "button small", href: "/api/game/export.json", download: ""}, icon("download"), "JSON"),
      h("a", {class: "button small", href: "/api/game/export.csv", download: ""}, icon("download"), "CSV"),
      hooks.plays && h("button", {class: "button small", type: "button", onclick: () => openMisread(hooks)}, icon("picture"), t("misread"))));
}

// One entry in the viewer's language.
export function told(entry) {
  const act = entry.event;
  const values = {...entry.values, points: act.points, tile: labelText(act.marked), animals: (act.sequence || []).map(labelText).join(", ")};
  const key = act.event === "PhotoTaken" && !act.right ? "PhotoWrong" : act.event === "TurnScored" && act.marked ? "TurnMarked" : act.event;
  return t(`log.${key}`, values);
}

const CORRECTABLE = new Set(["RoundScored", "TurnScored", "PhotoTaken"]);

function openCorrect(game, entry, hooks) {
  const act = structuredClone(entry.event);
  const number = (value, set) => h("input", {type: "number", value, onchange: (event) => set(Number(event.target.value))});
  const name = (id) => game.players.find((player) => player.id === id)?.name || id;
  const fields = {
    RoundScored: () => Object.entries(act.totals).map(([player, total]) => h("label", {class: "row"}, name(player), number(total, (n) => { act.totals[player] = n; }))),
    TurnScored: () => [h("label", {class: "row"}, name(act.player), number(act.points, (n) => { act.points = n; }))],
    PhotoTaken: () => [h("label", {class: "row"}, h("input", {type: "checkbox", checked: act.right, onchange: (event) => { act.right = event.target.checked; }}), t("photo-right"))],
  }[entry.what]();
  const save = async () => {
    if (act.event === "RoundScored") { const low = Math.min(...Object.values(act.totals)); act.winners = Object.keys(act.totals).filter((player) => act.totals[player] === low); }
    if (await hooks.act("/api/game/correct", {seq: entry.seq, instead: act})) dialog.close();
  };
  const dialog = h("dialog", {"aria-label": t("correct-entry")}, h("h2", {}, told(entry)), h("div", {class: "step"}, fields),
    h("div", {class: "row end"}, h("button", {class: "button", type: "button", onclick: () => dialog.close()}, t("close")), h("button", {class: "button main", type: "button", onclick: save}, t("save"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// What was misread is corrected first, by tapping; then picture and correction are saved.
function openMisread(hooks) {
  const note = h("input", {type: "text", maxlength: 500, "aria-label": t("misread")});
  const save = async () => {
    const done = await hooks.act("/api/misread", {note: note.value});
    dialog.close();
    if (done?.name) toast(t("misread-saved", {name: done.name}));
  };
  const dialog = h("dialog", {"aria-label": t("misread")}, h("h2", {}, t("misread")), h("div", {class: "step"}, h("p", {}, t("misread-text")), note),
    h("div", {class: "row end"}, h("button", {class: "button", type: "button", onclick: () => dialog.close()}, t("close")), h("button", {class: "button main", type: "button", onclick: save}, t("save"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
