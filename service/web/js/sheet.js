// The sheet beside the picture: what it comes to, why, what is wrong, what is asked.

import {h, icon, s} from "./dom.js";
import {isSoft} from "./marks.js";
import {asked, stakes, why} from "./sentences.js";
import {labelText, ruleTitle, signed, t} from "./words.js";

// hooks: light(ids), answer(question, choice)
export function renderSheet(answer, hooks) {
  const body = {"paper-safari": paper, "kleine-fotosafari": ring, "string-safari": string}[answer.game] || plain;
  return [headline(answer, hooks), ...questions(answer, hooks), ...problems(answer, hooks), ...body(answer, hooks)];
}

const lit = (hooks, pieces) => ({
  onmouseenter: () => hooks.light(pieces), onmouseleave: () => hooks.light([]),
  onfocus: () => hooks.light(pieces), onblur: () => hooks.light([]), onclick: () => hooks.light(pieces),
});

const certainty = (answer) => (answer.certain
  ? h("span", {class: "state"}, icon("good"), t("certain"))
  : h("span", {class: "state asked"}, icon("ask"), t(answer.questions.length === 1 ? "asked.one" : "asked.many", {n: answer.questions.length})));

function headline(answer, hooks) {
  const {number, title, sub, sign} = summary(answer, hooks);
  return h("section", {class: "panel headline", "aria-live": "polite"},
    number !== null ? h("span", {class: "number"}, number) : icon(sign, `sign ${sign}`),
    h("div", {class: "words"}, h("h2", {}, title), sub && h("p", {class: "sub"}, sub), certainty(answer)));
}

// One sentence and one number or sign for the whole table.
export function summary(answer, hooks = {}) {
  const sheet = answer.sheet || {};
  if (answer.game === "paper-safari") return paperSummary(sheet, hooks.names);
  if (answer.game === "kleine-fotosafari") return ringSummary(answer, hooks.live && answer.pieces.some((piece) => piece.kind === "photo"));
  if (sheet.players) return finalSummary(sheet, hooks.called);
  const n = (sheet.enclosed || []).length;
  const enclosed = t(n === 1 ? "enclosed.one" : "enclosed.many", {n});
  const laid = (answer.strings || []).some((string) => string.name !== "field");
  if (sheet.legal === false && laid) return {number: null, sign: "bad", title: t("illegal"), sub: enclosed};
  if (sheet.turn && sheet.turn.points !== null) return {number: signed(sheet.turn.points), title: t("turn.of", {player: playerName(sheet.turn.player, hooks.called)}), sub: enclosed};
  return {number: null, sign: sheet.legal && laid ? "good" : "wait", title: sheet.legal && laid ? t("legal") : t("no-string"), sub: enclosed};
}

function paperSummary(sheet, names) {
  const n = sheet.players.length;
  if (sheet.winners.length) {
    const best = sheet.players.find((player) => player.seat === sheet.winners[0]);
    const who = sheet.winners.map((seat) => seatName(seat, names)).join(" + ");
    return {number: signed(best.total), title: t(sheet.winners.length > 1 ? "share" : "wins", {player: who}), sub: t("lowest")};
  }
  const up = sheet.players.filter((player) => player.complete).length;
  return {number: null, sign: "wait", title: t("round-runs"), sub: t("complete-of", {up, n})};
}

// Before a claim nothing is told of a photo card but that it lies there.
function ringSummary(answer, laid) {
  const sheet = answer.sheet;
  const right = sheet.photos.filter((photo) => photo.valid).length;
  if (!sheet.photos.length) return {number: null, sign: "wait", title: t("ring-of", {n: sheet.ring.length}), sub: t(laid ? "photo-there" : "no-photo")};
  if (answer.questions.length) return {number: null, sign: "ask", title: t("photo-asked"), sub: t("ring-of", {n: sheet.ring.length})};
  const only = sheet.photos.length === 1;
  if (right) return {number: null, sign: "good", title: only ? t("photo-right") : t("photos-right", {right, n: sheet.photos.length}), sub: t("ring-of", {n: sheet.ring.length})};
  return {number: null, sign: sheet.photos.some((photo) => photo.valid === false) ? "bad" : "ask", title: t("photo-wrong"), sub: t("ring-of", {n: sheet.ring.length})};
}

function finalSummary(sheet, called) {
  if (!sheet.winners.length) return {number: null, sign: "wait", title: t("final-open"), sub: t("final-missing")};
  const best = sheet.players[sheet.winners[0]];
  return {number: String(best.total), title: t(sheet.winners.length > 1 ? "share" : "wins", {player: sheet.winners.map((player) => playerName(player, called)).join(" + ")}), sub: t("final")};
}

const playerName = (player, called) => called?.[player] || labelText(player);
// The players' names by the seats of the grids that lie there: as set up or, where the sides differ, in the same order round.
export function namesBySeat(game, answer) {
  const players = [...(game?.players || [])].sort((a, b) => a.seat - b.seat);
  const grids = Array.isArray(answer?.sheet?.players) ? answer.sheet.players.map((player) => player.seat).sort((a, b) => a - b) : [];
  return Object.fromEntries(players.map((player, k) => [grids.length === players.length ? grids[k] : player.seat, player.name]));
}

const seatName = (seat, names) => (names && names[seat]) || t("seat", {n: seat + 1});

function lineRow(line, hooks, answer) {
  return h("button", {class: "line lively", type: "button", ...lit(hooks, line.pieces)},
    h("span", {class: "points"}, signed(line.points)), h("span", {class: "why"}, why(line, answer), h("span", {class: "rule"}, ruleTitle(line.rule))));
}

const lines = (list, hooks, answer) => h("div", {class: "lines"}, list.map((line) => lineRow(line, hooks, answer)));

function questions(answer, hooks) {
  if (!answer.questions.length) return [];
  return [h("section", {class: "panel"}, h("h3", {}, t("questions")), answer.questions.map((question) =>
    h("div", {class: "question", ...lit(hooks, [question.piece])},
      h("p", {}, asked(question, answer), question.changes && h("small", {}, t("changes", {what: stakes(question, (seat) => seatName(seat, hooks.names))}))),
      hooks.answer && h("div", {class: "row"}, COUNTED.test(question.piece) ? count(question, hooks)
        : question.choices.map((choice) => h("button", {class: "chip lively", type: "button", onclick: () => hooks.answer(question, choice)}, labelText(choice)))))))];
}

const COUNTED = /^(coins|research|animals):/; // a player's points, which no choice can list

function count(question, hooks) {
  const points = h("input", {type: "number", min: 0, max: 999, inputmode: "numeric", required: "", "aria-label": t("points-count")});
  return h("form", {class: "row", onsubmit: (event) => { event.preventDefault(); hooks.answer(question, points.value); }}, points, h("button", {class: "chip lively", type: "submit"}, t("settle")));
}

const SHOWN_PROBLEMS = 4;

// What decides comes first; beyond a few they fold away.
function problems(answer, hooks) {
  if (!answer.problems.length) return [];
  const sorted = [...answer.problems].sort((a, b) => isSoft(a) - isSoft(b));
  const row = (problem) => h("button", {class: `notice ${isSoft(problem) ? "soft" : ""}`, type: "button", ...lit(hooks, problem.pieces)}, icon("warn"),
    h("span", {}, why(problem, answer), h("small", {}, ruleTitle(problem.rule))));
  const more = sorted.slice(SHOWN_PROBLEMS);
  return [h("section", {class: "panel"}, h("h3", {}, t("problems")), sorted.slice(0, SHOWN_PROBLEMS).map(row),
    more.length ? h("details", {class: "more"}, h("summary", {}, t("more", {n: more.length})), more.map(row)) : null)];
}

function paper(answer, hooks) {
  const best = new Set(answer.sheet.winners);
  return [h("div", {class: "players"}, answer.sheet.players.map((player) =>
    h("section", {class: `panel player ${best.has(player.seat) ? "best" : ""}`},
      h("header", {}, seatSign(player.seat), h("h3", {}, seatName(player.seat, hooks.names), h("small", {}, player.complete ? t("all-up") : t("not-all-up"))),
        best.has(player.seat) && icon("crown", "crown"),
        h("span", {class: "number"}, player.total !== null ? signed(player.total) : player.visible_total !== null ? `${signed(player.visible_total)}…` : "–")),
      h("div", {class: "grid"}, player.grid.flatMap((row, r) => row.map((label, c) => cell(label, player.pieces[r][c], hooks)))),
      lines(player.lines, hooks, answer))))];
}

function cell(label, piece, hooks) {
  const kind = label === null ? (piece === null ? "none" : "down") : label === "back" ? "down" : "";
  return h("div", {class: `cell ${kind}`, ...(piece === null ? {} : lit(hooks, [piece]))}, label === null && piece === null ? t("missing") : labelText(label));
}

// The table from above with this seat's side filled: shape, not colour.
function seatSign(seat) {
  const side = s("path", {d: "M6 26h22v4H6Z", fill: "currentColor", transform: `rotate(${seat * 90} 17 17)`});
  return s("svg", {viewBox: "0 0 34 34", class: "seat", "aria-hidden": "true"}, s("rect", {x: 4, y: 4, width: 26, height: 26, rx: 6, fill: "none", stroke: "currentColor", "stroke-width": 2}), side);
}

function ring(answer, hooks) {
  const sheet = answer.sheet;
  const shots = sheet.photos.map((photo) => h("section", {class: "panel"},
    h("h3", {}, t("photo")),
    h("div", {class: "row", ...lit(hooks, [photo.piece])}, icon(photo.valid ? "good" : photo.valid === false ? "bad" : "ask", `seat ${photo.valid ? "good" : "bad"}`),
      h("div", {class: "animals"}, (photo.sequence || []).map((animal) => h("span", {class: "animal"}, labelText(animal))))),
    lines(photo.lines, hooks, answer)));
  return [...shots, h("section", {class: "panel"}, h("h3", {}, t("ring")), ringPicture(sheet, hooks),
    sheet.pile ? h("p", {class: "meta"}, t("pile", {animal: labelText(sheet.pile)})) : null)];
}

function ringPicture(sheet, hooks) {
  const n = sheet.ring.length;
  const found = new Set(sheet.photos.flatMap((photo) => (photo.starts || []).flatMap((start) => (photo.sequence || []).map((_, k) => (start + k) % n))));
  const svg = s("svg", {viewBox: "-150 -140 300 280", class: "ring", role: "img", "aria-label": sheet.ring.map(labelText).join(", ")});
  sheet.ring.forEach((label, i) => {
    const angle = -Math.PI / 2 - (2 * Math.PI * i) / Math.max(n, 1); // counter-clockwise on the screen, from the top
    const x = 112 * Math.cos(angle), y = 108 * Math.sin(angle);
    svg.append(s("g", {transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, onmouseenter: () => hooks.light([sheet.pieces[i]]), onmouseleave: () => hooks.light([])},
      s("rect", {x: -29, y: -14, width: 58, height: 28, rx: 9, class: `spot ${found.has(i) ? "hit" : ""}`}),
      s("text", {class: found.has(i) ? "hit-text" : ""}, labelText(label).slice(0, 9))));
  });
  svg.append(s("path", {class: "arrow", d: "M34 -30A46 46 0 0 0 -34 -30m0 0 3 -13m-3 13 13 -1"}), s("text", {y: 8}, t("ring-way")));
  return svg;
}

function string(answer, hooks) {
  const sheet = answer.sheet;
  if (sheet.players) return [finalTable(answer, hooks)];
  const byId = new Map(answer.pieces.map((piece) => [piece.id, piece]));
  const parts = [];
  if (sheet.turn?.lines?.length) parts.push(h("section", {class: "panel"}, h("h3", {}, t("why")), lines(sheet.turn.lines, hooks, answer)));
  if (sheet.enclosed.length) parts.push(h("section", {class: "panel"}, h("h3", {}, t("inside")), h("div", {class: "animals"},
    sheet.enclosed.map((id) => h("span", {class: "animal", ...lit(hooks, [id])}, labelText(byId.get(id)?.label))))));
  const near = Object.entries(sheet.margins_mm).map(([id, mm]) => [Number(id), mm]).sort((a, b) => a[1] - b[1]).slice(0, 4);
  if (near.length) parts.push(h("section", {class: "panel"}, h("h3", {}, t("nearest")), h("div", {class: "lines"}, near.map(([id, mm]) =>
    h("button", {class: "line", type: "button", ...lit(hooks, [id])}, h("span", {class: "points"}, mm.toFixed(1)), h("span", {class: "why"}, `mm · ${labelText(byId.get(id)?.label)}`))))));
  return parts;
}

function finalTable(answer, hooks) {
  const {sheet} = answer;
  const entries = Object.entries(sheet.players);
  const show = (n) => (n === null || n === undefined ? "?" : signed(n));
  return h("section", {class: "panel"}, h("h3", {}, t("final")), h("table", {class: "figures"},
    h("thead", {}, h("tr", {}, [t("player"), t("coins"), t("research"), t("animals"), t("total")].map((word) => h("th", {scope: "col"}, word)))),
    h("tbody", {}, entries.map(([player, p]) => h("tr", {...lit(hooks, p.lines.flatMap((line) => line.pieces))},
      h("td", {}, colourDot(player), playerName(player, hooks.called), sheet.winners.includes(player) ? " ★" : ""), h("td", {}, show(p.coins)), h("td", {}, show(p.research)), h("td", {}, show(p.animals)), h("td", {class: "sum"}, show(p.total)))))),
    entries.map(([player, p]) => (p.lines.length ? h("details", {}, h("summary", {}, playerName(player, hooks.called)), lines(p.lines, hooks, answer)) : null)));
}

const COLOURS = {red: "#c8352a", blue: "#2b62b8", yellow: "#e9b824", green: "#2f8a4a", black: "#23251f", white: "#ffffff", orange: "#df7a1c", purple: "#7a45a8", pink: "#e58fb0", brown: "#7a5230", gray: "#8b8f88"};
const SHAPES = {red: "M9 1 17 17H1Z", blue: "M2 2h14v14H2Z", yellow: "M9 0l2.6 6h6.400l-5 4 2 7-6-4-6 4 2-7-5-4h6.400Z", green: "M9 1a8 8 0 1 1 0 16A8 8 0 0 1 9 1Z", black: "M9 0 18 9 9 18 0 9Z"};
export function colourDot(player) {
  return s("svg", {viewBox: "0 0 18 18", class: "dot", "aria-hidden": "true"}, s("path", {d: SHAPES[player] || SHAPES.green, fill: COLOURS[player] || "currentColor", stroke: "currentColor", "stroke-width": .8}));
}

const plain = (answer) => [h("section", {class: "panel"}, h("p", {}, t("pieces", {n: answer.pieces.length})))];
