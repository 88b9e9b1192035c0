// Each game's own controls and scoreboard.

import {h, icon} from "./dom.js";
import {colourDot} from "./sheet.js";
import {play} from "./sound.js";
import {has, labelText, signed, t} from "./words.js";

const chosen = {player: null};
export const claimant = (game) => (game.players.some((player) => player.id === chosen.player) ? chosen.player : game.players[0]?.id);

export function controlsOf(game, answer, hooks) {
  if (game.finished) return [h("p", {class: "over"}, icon("crown", "crown"), t("game-over", {player: names(game, game.winners)})),
    hooks.wizard && h("button", {class: "button", type: "button", onclick: hooks.wizard}, t("new-game"))].filter(Boolean);
  return {"paper-safari": paper, "kleine-fotosafari": foto, "string-safari": string}[game.game](game, answer, hooks);
}

const names = (game, ids) => ids.map((id) => game.players.find((player) => player.id === id)?.name || labelText(id)).join(" + ");

export function scoreboard(game, hooks) {
  const columns = {"paper-safari": paperColumns, "kleine-fotosafari": fotoColumns, "string-safari": stringColumns}[game.game](game, hooks);
  return h("section", {class: "panel"}, h("h2", {class: "quiet"}, t("scoreboard")), h("table", {class: "figures"},
    h("thead", {}, h("tr", {}, h("th", {scope: "col"}, t("player")), columns.heads.map((head) => h("th", {scope: "col"}, head)))),
    h("tbody", {}, game.players.map((player) => h("tr", {class: `${game.board.turn === player.id ? "turn" : ""} ${game.winners.includes(player.id) ? "won" : ""}`},
      h("td", {}, game.game === "string-safari" ? colourDot(player.id) : null, player.name, game.winners.includes(player.id) ? " ★" : "", game.board.turn === player.id ? turnSign(game) : ""),
      columns.cells(player))))));
}

// Paper Safari has no turns that a camera could follow: there it is who begins the round.
const turnSign = (game) => (game.game === "paper-safari" ? h("small", {class: "begins"}, t("begins")) : h("span", {class: "visually"}, ` (${t("on-turn")})`));

// Counts as shapes: filled for what is there, open for what is still to come.
const pips = (n, of) => h("span", {class: "pips", role: "img", "aria-label": `${n} / ${of}`}, Array.from({length: Math.max(n, of)}, (_, k) => (k < n ? "★" : "☆")).join(""));

function paperColumns(game) {
  const rounds = game.board.rounds.slice(-4);
  return {
    heads: [...rounds.map((round) => t("round-n", {n: round.round})), t("victories")],
    cells: (player) => [...rounds.map((round) => h("td", {}, round.totals[player.id] === undefined ? "–" : signed(round.totals[player.id]), round.winners.includes(player.id) ? "★" : "")),
      h("td", {class: "sum"}, pips(game.board.victories[player.id] || 0, game.board.goal))],
  };
}

function paper(game, answer, hooks) {
  const ready = answer && answer.sheet.winners.length > 0;
  return [h("p", {class: "hint"}, t(!ready ? "paper-hint" : answer.questions.length ? "refused.question-open" : "all-six-up")),
    next(hooks, t("score-round"), "/api/game/round", ready)];
}

// The second tap of a double tap is no wish of its own: what it would score still lies there. A key is pressed once.
const DOUBLE_TAP_MS = 700;
let tappedMs = -DOUBLE_TAP_MS;
function once(event) {
  const again = event.detail > 0 && event.timeStamp - tappedMs < DOUBLE_TAP_MS;
  tappedMs = event.timeStamp;
  return !again;
}

const next = (hooks, words, path, ready) => h("button", {class: "button main big", type: "button", "data-key": "next", disabled: !ready, onclick: (event) => once(event) && hooks.act(path)}, words);

function fotoColumns(game) {
  const levels = Object.keys(game.board.goal).filter((level) => game.board.goal[level] > 0);
  return {heads: levels.map((level) => t("photos-of", {n: level})), cells: (player) => levels.map((level) => h("td", {}, pips(game.board.taken[player.id]?.[level] || 0, game.board.goal[level])))};
}

function foto(game, answer, hooks) {
  chosen.player = claimant(game);
  const who = h("div", {class: "who", role: "radiogroup", "aria-label": t("who-claims")}, game.players.map((player) =>
    h("button", {class: "chip", type: "button", role: "radio", "aria-checked": String(player.id === chosen.player), onclick: (event) => {
      chosen.player = player.id;
      for (const one of event.currentTarget.parentNode.children) one.setAttribute("aria-checked", String(one === event.currentTarget));
    }}, player.name)));
  const click = h("button", {class: "click", type: "button", "data-key": "space", onclick: async () => {
    play("click");
    click.disabled = true;
    await hooks.act("/api/game/claim", {player: chosen.player});
    click.disabled = false;
  }}, h("span", {}, t("click")), h("small", {}, t("click-hint")));
  return [who, click];
}

function stringColumns(game) {
  return {
    heads: [t("coins"), t("research"), t("markers"), ...(game.finished ? [t("total")] : [])],
    cells: (player) => [h("td", {}, game.board.coins[player.id] ?? "?"), h("td", {}, game.board.research[player.id] ?? "–"), h("td", {}, game.board.markers[player.id] ?? "–"),
      ...(game.finished ? [h("td", {class: "sum"}, game.board.totals[player.id] ?? "?")] : [])],
  };
}

const CATEGORIES = ["carnivore", "herbivore", "omnivore", "cat", "dog", "cow", "ape", "special", "night", "day", "evening", "all", "families"];
const aim = {category: "carnivore", points: 3, condition: ""};

function string(game, answer, hooks) {
  if (game.board.phase === "final") return finalControls(game, answer, hooks);
  const player = game.players.find((one) => one.id === game.board.turn);
  if (game.board.children) return childControls(game, answer, hooks, player);
  const choose = (name, values, words) => h("select", {"aria-label": t(name), onchange: (event) => { aim[name] = name === "points" ? Number(event.target.value) : event.target.value; send(); }},
    values.map((value) => h("option", {value, selected: String(aim[name]) === String(value)}, words(value))));
  const send = () => hooks.act("/api/game/aim", {target: `${aim.category}:${aim.points}`, condition: aim.condition || null});
  const held = game.board.aim?.target ? game.board.aim : null;
  if (held) { const [category, points] = held.target.split(":"); Object.assign(aim, {category, points: Number(points), condition: held.condition || ""}); }
  return [turnOf(game, player),
    h("div", {class: "row aim"}, h("span", {}, t("target")), choose("category", CATEGORIES, (value) => t(`category.${value}`)), h("span", {}, "×"), choose("points", [1, 2, 3, 4, 5], String),
      choose("condition", ["", "rocky", "edge"], (value) => t(`condition.${value || "none"}`)), !held && h("button", {class: "button small", type: "button", onclick: send}, t("aim-set")),
      h("button", {class: "button small", type: "button", onclick: () => readAim(hooks)}, icon("camera"), t("aim-read")),
      held?.tile && h("span", {class: "hint"}, t("research-read", {tile: tileText(held.tile)}))),
    ...scoreTurn(game, answer, hooks, held)];
}

const tileText = (tile) => tile.split("-").map((part) => (has(`category.${part}`) ? t(`category.${part}`) : has(`condition.${part}`) ? t(`condition.${part}`) : part)).join(" · ");

// The research tile is read from the picture; where several lie there, a tap says which.
async function readAim(hooks) {
  const found = await hooks.act("/api/game/aim/read");
  if (!found?.choices || found.choices.length < 2) return;
  const dialog = h("dialog", {"aria-label": t("aim-which")}, h("h2", {}, t("aim-which")), h("div", {class: "row"}, found.choices.map((one) =>
    h("button", {class: "chip", type: "button", onclick: () => { dialog.close(); hooks.act("/api/game/aim", {target: one.target, condition: one.condition, tile: one.tile}); }}, tileText(one.tile)))),
  h("div", {class: "row end"}, h("button", {class: "button", type: "button", onclick: () => dialog.close()}, t("close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// With children's rules the placed animal, and the marked one, are told.
function childControls(game, answer, hooks, player) {
  const held = game.board.aim || {};
  const animals = game.labels?.tile?.filter((label) => label !== "back") || [];
  const choose = (name, words) => h("label", {class: "row"}, words, h("select", {onchange: (event) => hooks.act("/api/game/aim", {placed: held.placed, marker: held.marker, [name]: event.target.value || null})},
    h("option", {value: ""}, t("choose")), animals.map((label) => h("option", {value: label, selected: held[name] === label}, labelText(label)))));
  return [turnOf(game, player), h("div", {class: "row aim"}, choose("placed", t("placed")), choose("marker", t("marker"))), ...scoreTurn(game, answer, hooks, held.placed)];
}

const turnOf = (game, player) => h("p", {class: "turn-of"}, colourDot(game.board.turn), h("strong", {}, player?.name || labelText(game.board.turn)), h("span", {}, t("round-of", {n: game.board.round, of: game.board.rounds})));

// The turn's score; where the marker was not seen, one tap says where it goes.
function scoreTurn(game, answer, hooks, held) {
  const points = answer?.sheet?.turn?.points;
  const button = h("button", {class: "button main big", type: "button", "data-key": "next", disabled: !(held && answer?.sheet?.turn), onclick: async (event) => {
    if (!once(event)) return;
    const done = await hooks.act("/api/game/turn", {}, (error) => error.rule === "marker-where");
    if (done?.rule === "marker-where") askMarker(answer, hooks);
  }}, points === null || points === undefined ? t("score-turn") : t("score-turn-n", {n: signed(points)}));
  return [button, h("button", {class: "button small", type: "button", onclick: () => typeTurn(game, hooks)}, icon("pencil"), t("type-turn"))];
}

// What the camera cannot read is counted by the players, and typed.
function typeTurn(game, hooks) {
  const points = h("input", {type: "number", min: 0, max: 1000, inputmode: "numeric", required: true});
  const marked = h("select", {}, h("option", {value: ""}, t("marker-none")),
    (game.labels?.tile || []).filter((label) => label !== "back").map((label) => h("option", {value: label}, labelText(label))));
  const form = h("form", {class: "step", onsubmit: async (event) => {
    event.preventDefault();
    if (await hooks.act("/api/game/turn/typed", {points: Number(points.value), marked: marked.value || null})) dialog.close();
  }}, h("label", {class: "row"}, t("turn-points"), points), h("label", {class: "row"}, t("marker-where"), marked),
  h("div", {class: "row end"}, h("button", {class: "button", type: "button", onclick: () => dialog.close()}, t("close")), h("button", {class: "button main", type: "submit"}, t("save"))));
  const dialog = h("dialog", {"aria-label": t("type-turn")}, h("h2", {}, t("type-turn")), form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function askMarker(answer, hooks) {
  const byId = new Map(answer.pieces.map((piece) => [piece.id, piece]));
  const pick = (marked) => { dialog.close(); hooks.act("/api/game/turn", {marked}); };
  const dialog = h("dialog", {"aria-label": t("marker-where")}, h("h2", {}, t("marker-where")), h("div", {class: "row"},
    (answer.sheet.turn?.markable || answer.sheet.enclosed).map((id) => h("button", {class: "chip", type: "button", onclick: () => pick(id)}, labelText(byId.get(id)?.label))),
    h("button", {class: "chip", type: "button", onclick: () => pick(null)}, t("marker-none"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function finalControls(game, answer, hooks) {
  const form = h("div", {class: "row stash"}, game.players.map((player) => h("fieldset", {}, h("legend", {}, colourDot(player.id), player.name),
    ["coins", "research"].map((what) => h("label", {}, t(what), h("input", {type: "number", min: 0, max: 999, inputmode: "numeric", value: game.board.declared?.[player.id]?.[what] ?? game.board[what][player.id] ?? "",
      onchange: (event) => hooks.act("/api/game/stash", {player: player.id, [what]: event.target.value === "" ? null : Number(event.target.value)})}))),
    h("button", {class: "button small", type: "button", title: t("stash-photo"), onclick: () => photographStash(player)}, icon("camera"), t("stash-photo")))));
  return [h("p", {class: "hint"}, t("final-hint")), form, next(hooks, t("score-final"), "/api/game/final", Boolean(answer?.sheet?.winners?.length))];
}

function photographStash(player) {
  const input = h("input", {type: "file", accept: "image/*", capture: "environment"});
  input.addEventListener("change", async () => {
    const {send} = await import("./net.js");
    const {toast} = await import("./dom.js");
    try { await send(`/api/game/stash/picture?player=${encodeURIComponent(player.id)}`, input.files[0]); } catch (error) { toast(error.message); }
  });
  input.click();
}
