// A deck of one's own, enrolled piece by piece: lay a piece down, name it, go on.

import {h, icon, toast} from "./dom.js";
import {post, send} from "./net.js";
import {t} from "./words.js";

export function enrolPanel(wish, done) {
  const name = h("input", {type: "text", maxlength: 40, placeholder: t("deck-name"), "aria-label": t("deck-name")});
  const label = h("input", {type: "text", maxlength: 40, placeholder: t("face-name"), "aria-label": t("face-name")});
  const value = h("input", {type: "number", min: -99, max: 99, placeholder: t("face-value"), "aria-label": t("face-value")});
  const traits = {food: ["carnivore", "herbivore", "omnivore"], family: ["cat", "dog", "cow", "ape", "special"], activity: ["night", "day", "evening"],
    land: ["bushes", "grasslands", "forest", "water-hole", "footprints", "rocky-area"]};
  const chosen = {};
  const pickers = Object.entries(traits).map(([key, values]) => h("select", {"aria-label": t(`trait.${key}`), onchange: (event) => { chosen[key] = event.target.value; }},
    h("option", {value: ""}, t(`trait.${key}`)), values.map((value) => h("option", {value}, key === "land" ? t(`rule.${value === "rocky-area" ? "condition-rocky" : value}`) : t(`category.${value}`)))));
  const string = wish.game === "string-safari";
  const faces = h("ul", {class: "faces"});
  const said = h("p", {class: "said", role: "status"});
  let count = 0;

  async function add() {
    try {
      const face = await post("/api/decks/face", {deck: name.value, game: wish.game, label: label.value, [string ? "points" : "value"]: value.value === "" ? null : Number(value.value), traits: string ? Object.fromEntries(Object.entries(chosen).filter(([, one]) => one)) : {}});
      count += 1;
      faces.append(h("li", {}, h("img", {src: `data:image/jpeg;base64,${face.picture}`, alt: ""}), face.label));
      said.textContent = [...face.faults, t("faces-n", {n: count})].join(" · ");
      label.value = "";
      value.value = "";
      label.focus();
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
  value.hidden = wish.game === "kleine-fotosafari";
  return h("details", {class: "enrol"}, h("summary", {}, t("enrol")), h("p", {}, t("enrol-text")),
    h("div", {class: "row"}, name, h("button", {class: "button small", type: "button", onclick: () => zip.click()}, t("deck-import")), zip), h("div", {class: "row"}, label, value, ...(string ? pickers : []), h("button", {class: "button small", type: "button", onclick: add}, icon("camera"), t("enrol-add"))), faces, said);
}
