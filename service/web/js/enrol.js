// A deck of one's own, enrolled piece by piece: lay a piece down, say what it is, go on.

import {h, icon, toast} from "./dom.js";
import {post, send} from "./net.js";
import {labelText, t} from "./words.js";

const PIECES = {"paper-safari": ["faces", "back"], "kleine-fotosafari": ["faces", "photos", "back"],
  "string-safari": ["animals", "lands", "research", "coins", "markers", "back"]};
const FOOD = ["carnivore", "herbivore", "omnivore"], FAMILY = ["cat", "dog", "cow", "ape", "special"], ACTIVITY = ["night", "day", "evening"];
const LAND = ["bushes", "grasslands", "forest", "water-hole", "footprints", "rocky-area"];
const COLOURS = ["red", "blue", "yellow", "green", "black", "white"];

const input = (words, more) => h("input", {placeholder: words, "aria-label": words, ...more});
const number = (words, min, max) => input(words, {type: "number", min, max});
const pick = (words, values, told) => h("select", {"aria-label": words}, values.map((value) => h("option", {value}, value ? told(value) : words)));
const category = (value) => t(`category.${value}`);
const counted = (field) => (field.value === "" ? null : Number(field.value));

// Of each kind of piece: what is asked about it, and what the service is told.
const FORMS = {
  faces(game) {
    const label = input(t("face-name"), {type: "text", maxlength: 40}), value = number(t("face-value"), -99, 99), count = number(t("count-box"), 1, 99), copies = h("input", {type: "checkbox"});
    const paper = game === "paper-safari";
    return {fields: [label, ...(paper ? [value, h("label", {class: "row"}, copies, t("copies"))] : []), count],
      told: () => ({label: label.value, count: counted(count), ...(copies.checked ? {copies_neighbour: true} : paper ? {value: counted(value)} : {})})};
  },
  animals() {
    const label = input(t("face-name"), {type: "text", maxlength: 40}), points = number(t("points-printed"), 0, 99);
    const traits = {food: pick(t("trait.food"), ["", ...FOOD], category), family: pick(t("trait.family"), ["", ...FAMILY], category), activity: pick(t("trait.activity"), ["", ...ACTIVITY], category)};
    return {fields: [label, points, ...Object.values(traits)],
      told: () => ({label: label.value, points: counted(points), traits: Object.fromEntries(Object.entries(traits).filter(([, field]) => field.value).map(([key, field]) => [key, field.value]))})};
  },
  lands() {
    const land = pick(t("trait.land"), ["", ...LAND], (one) => t(`rule.${one === "rocky-area" ? "condition-rocky" : one}`)), count = number(t("count-box"), 1, 99);
    return {fields: [land, count], told: () => ({label: land.value, count: counted(count), traits: {land: land.value}})};
  },
  research() {
    const target = pick(t("target"), [...FOOD, ...FAMILY, ...ACTIVITY, "all", "families"], category), each = pick(t("points"), ["1", "2", "3", "4", "5"], String);
    const condition = pick(t("condition"), ["none", "rocky", "edge"], (value) => t(`condition.${value}`)), points = number(t("points-printed"), 0, 99);
    const bound = () => (condition.value === "none" ? null : condition.value);
    return {fields: [h("label", {class: "row"}, t("target"), target, "×", each), condition, points], kind: "research",
      told: () => ({label: [target.value, each.value, bound()].filter(Boolean).join("-"), target: `${target.value}:${each.value}`, condition: bound(), points: counted(points)})};
  },
  coins() {
    const worth = number(t("face-value"), 1, 99);
    return {fields: [worth], kind: "coins", told: () => ({label: worth.value, worth: counted(worth)})};
  },
  photos() {
    const animals = input(t("photo-animals"), {type: "text", maxlength: 120}), count = number(t("count-box"), 1, 99);
    return {fields: [animals, count], kind: "photos", told: () => ({label: animals.value.replaceAll(",", " ").trim(), count: counted(count)})};
  },
  markers() {
    const colour = pick(t("colour"), COLOURS, labelText);
    return {fields: [colour], kind: "markers", told: () => ({label: colour.value})};
  },
  back: () => ({fields: [], told: () => ({label: "back"})}),
};

export function enrolPanel(wish, done) {
  const name = input(t("deck-name"), {type: "text", maxlength: 40});
  const kind = pick(t("piece-kind"), PIECES[wish.game], (one) => t(`piece.${one}`));
  const asked = h("div", {class: "row"});
  const faces = h("ul", {class: "faces"});
  const said = h("p", {class: "said", role: "status"});
  let form = null;
  let count = 0;
  const ask = () => { form = FORMS[kind.value](wish.game); asked.replaceChildren(...form.fields); };
  kind.addEventListener("change", ask);
  ask();

  async function add() {
    try {
      const piece = await post("/api/decks/face", {deck: name.value, game: wish.game, kind: form.kind || "faces", ...form.told()});
      count += 1;
      faces.append(h("li", {}, piece.picture ? h("img", {src: `data:image/jpeg;base64,${piece.picture}`, alt: ""}) : h("span", {class: "swatch", style: {background: piece.colour}}), labelText(piece.label)));
      said.textContent = [...piece.faults, piece.lacks && t("deck-lacks", {what: piece.lacks}), t("faces-n", {n: count})].filter(Boolean).join(" · ");
      ask();
      (asked.querySelector("input, select") || kind).focus();
      await done(name.value);
    } catch (error) { said.textContent = error.message; toast(error.message); }
  }

  const zip = h("input", {type: "file", accept: ".zip,application/zip", hidden: true, onchange: async () => {
    const file = zip.files[0];
    if (!file) return;
    try {
      const deck = name.value || file.name.replace(/\.zip$/i, "").replace(/[^\p{L}\p{N} -]+/gu, " ").trim().slice(0, 40);
      const taken = await send(`/api/decks/import?deck=${encodeURIComponent(deck)}`, file);
      said.textContent = `${taken.deck} ✓`;
      await done(taken.deck);
    } catch (error) { said.textContent = error.message; toast(error.message); }
    zip.value = "";
  }});
  return h("details", {class: "enrol"}, h("summary", {}, t("enrol")), h("p", {}, t("enrol-text")),
    h("div", {class: "row"}, name, h("button", {class: "button small", type: "button", onclick: () => zip.click()}, t("deck-import")), zip),
    h("div", {class: "row"}, kind, asked, h("button", {class: "button small", type: "button", onclick: add}, icon("camera"), t("enrol-add"))), faces, said);
}
