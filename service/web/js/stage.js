// The picture with an SVG over it in the picture's own pixels, so it is true at any size.

import {h, s} from "./dom.js";
import {marks} from "./marks.js";
import {labelText, signed, t} from "./words.js";

const pointsText = (corners) => corners.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
const centre = (corners) => [corners.reduce((a, c) => a + c[0], 0) / corners.length, corners.reduce((a, c) => a + c[1], 0) / corners.length];
const measuring = document.createElement("canvas").getContext("2d");

export function createStage({onpick = () => {}} = {}) {
  const img = h("img", {alt: "", hidden: true, draggable: "false"});
  const canvas = h("canvas", {hidden: true});
  const ink = s("svg", {class: "ink", "aria-label": t("overlay"), role: "group"});
  const frame = h("div", {class: "frame"}, img, canvas, ink);
  const element = h("div", {class: "stage"}, frame);
  let answer = null;
  let lit = new Set();
  let size = [1280, 720];

  function resize(width, height) {
    if (!width || !height) return;
    size = [width, height];
    frame.style.setProperty("--ratio", String(width / height));
    ink.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  function draw() {
    const unit = size[0] / Math.max(1, frame.clientWidth); // picture px per screen px
    ink.replaceChildren(...(answer ? layers(answer, unit, lit, onpick) : []));
  }

  new ResizeObserver(draw).observe(frame);
  return {
    element, frame, canvas,
    picture(url, alt = "") { img.src = url; img.alt = alt; img.hidden = false; canvas.hidden = true; },
    paint(bitmap) {
      if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) { canvas.width = bitmap.width; canvas.height = bitmap.height; }
      canvas.getContext("2d").drawImage(bitmap, 0, 0);
      img.hidden = true; canvas.hidden = false;
      if (!answer) resize(bitmap.width, bitmap.height);
    },
    show(next) { answer = next; if (next) resize(next.image.width, next.image.height); draw(); },
    light(ids) { lit = new Set(ids); draw(); },
    resize,
    place(piece) { return placeOf(answer, piece, size); },
  };
}

// Where a piece or string lies, as shares of the frame's width and height.
function placeOf(answer, piece, [width, height]) {
  const found = answer?.pieces.find((p) => p.id === piece);
  if (found) { const [x, y] = centre(found.corners_px); return [x / width, y / height]; }
  const string = answer?.strings?.find((one) => one.name === piece);
  return string?.path_px?.length ? [string.path_px[0][0] / width, string.path_px[0][1] / height] : [.5, .5];
}

function layers(answer, unit, lit, onpick) {
  const of = marks(answer);
  const small = [...answer.pieces].sort((a, b) => extent(b.corners_px)[1] - extent(a.corners_px)[1]);
  return [patterns(unit), ...strings(answer), ...small.map((piece) => pieceGroup(piece, of.get(piece.id), unit, lit, onpick)), ...totals(answer, unit)];
}

function patterns(unit) {
  const hatch = (id, colour, turn) => s("pattern", {id, width: 9 * unit, height: 9 * unit, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${turn})`},
    s("line", {x1: 0, y1: 0, x2: 0, y2: 9 * unit, stroke: colour, "stroke-width": 5 * unit, "stroke-opacity": .3}));
  return s("defs", {}, hatch("hatch", "#7fe7ff", 45), hatch("hatch-bad", "#ff7a5c", -45));
}

function strings(answer) {
  const legal = answer.sheet?.legal !== false;
  return (answer.strings || []).flatMap((string) => {
    const d = `M${pointsText(string.path_px)}${string.closed ? "Z" : ""}`;
    const research = string.name !== "field";
    const kind = `${research ? "research" : ""} ${string.closed ? "" : "broken"}`;
    const region = research && string.closed ? [s("path", {d, class: `region wash`}), s("path", {d, class: `region ${legal ? "" : "illegal"}`})] : [];
    return [...region, s("path", {d, class: "string casing"}), s("path", {d, class: `string line ${kind}`}, s("title", {}, string.name))];
  });
}

const extent = (corners) => {
  const xs = corners.map((c) => c[0]), ys = corners.map((c) => c[1]);
  return [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), Math.max(...ys)];
};

function pieceGroup(piece, mark, unit, lit, onpick) {
  const name = piece.sequence ? piece.sequence.map(labelText).join(" · ") : labelText(piece.label);
  const state = `${mark.state ? `is-${mark.state}` : ""} ${lit.has(piece.id) ? "is-lit" : ""}`;
  const asked = mark.state === "ask";
  const pick = (event) => { if (event.type === "click" || event.key === "Enter" || event.key === " ") { event.preventDefault(); onpick(piece); } };
  return s("g", {class: `hit ${state}`, tabindex: asked ? 0 : undefined, role: asked ? "button" : undefined, "aria-label": asked ? `${t("question")}: ${name}` : undefined, onclick: pick, onkeydown: pick, "data-piece": piece.id},
    s("title", {}, `${name}${piece.probability < .995 ? ` ${Math.round(piece.probability * 100)} %` : ""}`),
    s("polygon", {class: "piece-casing", points: pointsText(piece.corners_px)}),
    s("polygon", {class: "piece", points: pointsText(piece.corners_px)}),
    ...tag(piece, name, mark, unit, lit));
}

// The name on a pill at the piece's lower edge; left out where the piece is too small on this screen.
function tag(piece, name, mark, unit, lit) {
  const [width, , bottom] = extent(piece.corners_px);
  const room = width / unit;
  const wanted = lit.has(piece.id) || mark.badge;
  if (room < 40 && !wanted) return [];
  const px = Math.max(10, Math.min(15, room / 6.5));
  const cramped = room < 40 && !lit.has(piece.id); // then the sign alone
  const text = cramped ? mark.badge : clipped(mark.badge ? `${mark.badge} ${name}` : name, px, Math.max(room * 1.15, lit.has(piece.id) ? 200 : 26));
  measuring.font = `650 ${px}px sans-serif`;
  const w = measuring.measureText(text).width + px * 1.1, hgt = px * 1.6;
  const [x] = centre(piece.corners_px);
  const y = bottom - hgt * .45 * unit;
  return [s("g", {class: "tag", transform: `translate(${x} ${y}) scale(${unit})`},
    s("rect", {x: -w / 2, y: -hgt / 2, width: w, height: hgt, rx: hgt / 2}),
    s("text", {"font-size": px}, text))];
}

function clipped(text, px, room) {
  measuring.font = `650 ${px}px sans-serif`;
  if (measuring.measureText(text).width <= room) return text;
  let cut = text;
  while (cut.length > 1 && measuring.measureText(`${cut}…`).width > room) cut = cut.slice(0, -1);
  return cut.length > 1 ? `${cut}…` : text.slice(0, 1);
}

// Paper Safari: each grid's total at its middle.
function totals(answer, unit) {
  const byId = new Map(answer.pieces.map((piece) => [piece.id, piece]));
  return (answer.sheet?.players?.length ? answer.sheet.players : []).map((player) => {
    const corners = player.pieces.flat().filter((id) => byId.has(id)).flatMap((id) => byId.get(id).corners_px);
    if (!corners.length) return null;
    const best = (answer.sheet.winners || []).includes(player.seat);
    const text = `${best ? "★ " : ""}${player.total === null ? `${player.visible_total ?? "?"} +` : signed(player.total)}`;
    const px = 26, w = Math.max(52, text.length * 16 + 22);
    const [left, right, y] = [Math.min(...corners.map((c) => c[0])), Math.max(...corners.map((c) => c[0])), centre(corners)[1]];
    const beside = (w / 2 + 8) * unit; // beside the grid, so that no card's name is covered; where there is no room, on it
    const x = left > 2 * beside ? left - beside : answer.image.width - right > 2 * beside ? right + beside : centre(corners)[0];
    return s("g", {class: `total ${best ? "best" : ""}`, transform: `translate(${x} ${y}) scale(${unit})`},
      s("rect", {x: -w / 2, y: -20, width: w, height: 40, rx: 20}), s("text", {"font-size": px}, text));
  }).filter(Boolean);
}
