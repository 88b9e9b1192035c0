// Setting up, a step at a time: camera, framing and focus, game and deck, strings, players, a test read.

import {h, icon, s, toast} from "./dom.js";
import {get, post, send} from "./net.js";
import {colourDot} from "./sheet.js";
import {createStage} from "./stage.js";
import {labelText, t} from "./words.js";

const GAMES = ["paper-safari", "kleine-fotosafari", "string-safari"];
const LIMITS = {"paper-safari": [2, 6], "kleine-fotosafari": [2, 4], "string-safari": [3, 5]};
const COLOURS = ["red", "blue", "yellow", "green", "black", "white"];

export function openWizard(table) {
  document.querySelector("dialog.wizard")?.close();
  const wish = {game: table.game?.game || "paper-safari", deck: table.game?.deck || null, players: [], options: {}, strings: {}};
  const body = h("div");
  const dots = h("ol", {class: "dots"});
  const back = h("button", {class: "button", type: "button", onclick: () => go(step - 1)}, t("back"));
  const forth = h("button", {class: "button main", type: "button", onclick: () => (step + 1 < steps().length ? go(step + 1) : finish())}, t("next"));
  const dialog = h("dialog", {class: "wizard", "aria-label": t("setup")}, dots, body, h("div", {class: "row end"},
    h("button", {class: "button", type: "button", onclick: () => dialog.close()}, t("later")), back, forth));
  let step = 0;
  let leave = () => {};

  const steps = () => [cameraStep, framingStep, deckStep, ...(wish.game === "string-safari" ? [stringsStep] : []), playersStep, testStep];

  async function go(to) {
    leave();
    leave = () => {};
    step = to;
    dots.replaceChildren(...steps().map((_, k) => h("li", {class: k === step ? "now" : k < step ? "past" : ""}, String(k + 1))));
    back.disabled = step === 0;
    forth.textContent = step + 1 === steps().length ? t("begin") : t("next");
    const area = h("div", {class: "step"}); // a step that comes late writes into an area that is gone
    body.replaceChildren(area);
    const left = (await steps()[step](area, wish, table)) || (() => {});
    if (!area.isConnected) left();
    else leave = left;
    area.querySelector("h2")?.focus?.();
  }

  async function finish() {
    try { await post("/api/game/new", wish); dialog.close(); } catch (error) { toast(error.message); }
  }

  dialog.addEventListener("close", () => { leave(); dialog.remove(); });
  document.body.append(dialog);
  dialog.showModal();
  go(0);
}

async function cameraStep(body, wish, table) {
  const said = h("p", {class: "said", role: "status"});
  const source = h("input", {type: "text", placeholder: "rtsp://… · http://… · game.mp4", "aria-label": t("camera-address"), maxlength: 2000});
  const choose = async (text) => {
    said.textContent = t("camera-trying");
    try { await post("/api/camera", {source: text}); } catch (error) { said.textContent = error.message; return; }
    watch();
  };
  const watch = async () => {
    const camera = await get("/api/camera").catch(() => null);
    const phone = camera?.name === "photographs", state = camera && (phone && camera.state === "starting" ? t("no-picture-yet") : camera.message || t(`camera.${camera.state}`));
    if (camera) said.textContent = camera.name ? `${phone ? t("camera-phone") : camera.name}: ${state}` : t("no-camera");
  };
  body.append(h("h2", {tabindex: -1}, t("step.camera")), h("p", {}, t("step.camera-text")),
    h("div", {class: "row"}, [0, 1, 2].map((n) => h("button", {class: "button", type: "button", onclick: () => choose(String(n))}, icon("camera"), t("camera-n", {n: n + 1}))),
      h("button", {class: "button", type: "button", onclick: () => choose("photographs")}, icon("phone"), t("camera-phone"))),
    h("div", {class: "row"}, source, h("button", {class: "button", type: "button", onclick: () => choose(source.value)}, t("use"))), said);
  const timer = setInterval(watch, 1000);
  watch();
  return () => clearInterval(timer);
}

function snapshot(width) {
  const stage = createStage();
  const picture = () => { stage.picture(`/api/snapshot.jpg?${Date.now()}`); };
  const img = stage.frame.querySelector("img");
  img.addEventListener("load", () => { img.hidden = false; stage.resize(img.naturalWidth, img.naturalHeight); });
  img.addEventListener("error", () => { img.hidden = true; }); // no picture is no broken one
  stage.element.classList.add("small-stage");
  picture();
  return {stage, picture, img};
}

async function framingStep(body) {
  const {stage, picture, img} = snapshot();
  const meter = h("meter", {min: 0, max: 1, low: .25, high: .5, optimum: 1, value: 0, "aria-label": t("focus")});
  const said = h("p", {class: "said", role: "status"});
  const lock = h("button", {class: "button small", type: "button", onclick: async () => {
    const {locks} = await post("/api/camera/lock", {locked: true});
    said.textContent = Object.entries(locks).map(([what, state]) => `${t(`lock.${what}`)}: ${t(`lock.${state.replace(" ", "-")}`)}`).join(" · ") || t("lock.not-supported");
  }}, t("lock"));
  const photo = h("button", {class: "button small", type: "button", onclick: () => sendPhotograph(picture)}, icon("phone"), t("photograph"));
  body.append(h("h2", {tabindex: -1}, t("step.framing")), h("p", {}, t("step.framing-text")), stage.element,
    h("label", {class: "row"}, t("focus"), meter), h("div", {class: "row"}, lock, photo), said);
  const timer = setInterval(async () => {
    const camera = await get("/api/camera").catch(() => null);
    if (!camera) return;
    meter.value = Math.min(1, (camera.focus || 0) * 2);
    if (camera.message) said.textContent = camera.message;
    if (camera.state === "live") picture();
  }, 700);
  img.addEventListener("error", () => { said.textContent = t("no-picture-yet"); });
  return () => clearInterval(timer);
}

export function sendPhotograph(then) {
  const input = h("input", {type: "file", accept: "image/*", capture: "environment"});
  input.addEventListener("change", async () => {
    try { await send("/api/photograph", input.files[0]); setTimeout(then, 400); } catch (error) { toast(error.message); }
  });
  input.click();
}

async function deckStep(body, wish) {
  const decks = await get("/api/decks").catch(() => []);
  const list = h("div", {class: "choices", role: "radiogroup"});
  const fill = () => list.replaceChildren(...decks.filter((deck) => deck.game === wish.game).map((deck) =>
    h("button", {class: "choice", type: "button", role: "radio", "aria-checked": String((wish.deck || "") === deck.name), onclick: () => { wish.deck = deck.name; fill(); }},
      h("strong", {}, deck.title || deck.name), h("small", {}, t("faces-n", {n: deck.labels.length})))));
  const pick = (game) => { wish.game = game; wish.deck = decks.find((deck) => deck.game === game)?.name || null; wish.players = []; for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.game === game)); own.replaceChildren(enrolPanel(wish, enrolled)); fill(); };
  const tabs = h("div", {class: "tabs", role: "group"}, GAMES.map((game) => h("button", {type: "button", "data-game": game, onclick: () => pick(game)}, t(`game.${game}`))));
  const {enrolPanel} = await import("./enrol.js");
  const own = h("div");
  const enrolled = async (name) => {
    decks.splice(0, decks.length, ...(await get("/api/decks")));
    const game = decks.find((deck) => deck.name === name)?.game;
    if (game && game !== wish.game) pick(game); // a zip may hold another game's deck
    wish.deck = name;
    fill();
  };
  body.append(h("h2", {tabindex: -1}, t("step.deck")), tabs, h("p", {}, t("step.deck-text")), list, own);
  const kept = wish.deck;
  pick(wish.game);
  if (kept && decks.some((deck) => deck.name === kept)) { wish.deck = kept; fill(); }
}

async function stringsStep(body, wish) {
  const {stage, img} = snapshot();
  let which = "field";
  const names = {field: t("string.field"), research: t("string.research")};
  const swatches = h("div", {class: "row"});
  const fill = () => swatches.replaceChildren(...Object.entries(names).map(([name, words]) =>
    h("button", {class: "chip", type: "button", "aria-pressed": String(which === name), onclick: () => { which = name; fill(); }},
      s("svg", {viewBox: "0 0 18 18", class: "dot"}, s("circle", {cx: 9, cy: 9, r: 8, fill: wish.strings[name] || "none", stroke: "currentColor"})), words)));
  stage.frame.addEventListener("click", (event) => {
    const box = img.getBoundingClientRect();
    const colour = sampled(img, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    if (!colour) return;
    wish.strings[which] = colour;
    which = which === "field" ? "research" : "field";
    fill();
  });
  fill();
  body.append(h("h2", {tabindex: -1}, t("step.strings")), h("p", {}, t("step.strings-text")), swatches, stage.element,
    h("button", {class: "button small", type: "button", onclick: () => { wish.strings = {}; fill(); }}, t("string.deck")));
}

// The median colour of a few pixels about a point, as #rrggbb; shares of width and height.
function sampled(img, x, y) {
  if (!img.naturalWidth) return null;
  const canvas = h("canvas", {width: img.naturalWidth, height: img.naturalHeight});
  const pen = canvas.getContext("2d");
  pen.drawImage(img, 0, 0);
  const {data} = pen.getImageData(Math.max(0, Math.round(x * img.naturalWidth) - 1), Math.max(0, Math.round(y * img.naturalHeight) - 1), 3, 3);
  const middle = (channel) => [...data].filter((_, k) => k % 4 === channel).sort((a, b) => a - b)[4];
  return `#${[0, 1, 2].map((channel) => middle(channel).toString(16).padStart(2, "0")).join("")}`;
}

async function playersStep(body, wish) {
  const [least, most] = LIMITS[wish.game];
  const decks = await get("/api/decks").catch(() => []);
  const markers = decks.find((deck) => deck.name === wish.deck)?.markers || COLOURS;
  if (!wish.players.length) wish.players = Array.from({length: least}, (_, k) => ({name: t("seat", {n: k + 1}), colour: markers[k % markers.length], seat: wish.game === "paper-safari" && least === 2 ? k * 2 : k}));
  const list = h("ol", {class: "people"});
  const fill = () => {
    list.replaceChildren(...wish.players.map((player, k) => h("li", {},
      wish.game === "string-safari" ? h("span", {class: "row"}, colourDot(player.colour), select(t("colour"), markers.map((m) => [m, labelText(m)]), player.colour, (value) => { player.colour = value; fill(); })) : null,
      h("input", {type: "text", value: player.name, maxlength: 40, "aria-label": t("name"), oninput: (event) => { player.name = event.target.value; }}),
      wish.game === "paper-safari" ? select(t("sits"), seats(wish.players.length), player.seat, (value) => { player.seat = Number(value); }) : null,
      wish.players.length > least ? h("button", {class: "icon", type: "button", "aria-label": t("remove"), onclick: () => { wish.players.splice(k, 1); fill(); }}, "×") : null)));
    more.disabled = wish.players.length >= most;
  };
  const more = h("button", {class: "button small", type: "button", onclick: () => {
    const free = markers.find((m) => !wish.players.some((player) => player.colour === m)) || markers[0];
    const seat = [0, 2, 1, 3, 4, 5].find((n) => !wish.players.some((player) => player.seat === n));
    wish.players.push({name: t("seat", {n: wish.players.length + 1}), colour: free, seat});
    fill();
  }}, t("add-player"));
  body.append(h("h2", {tabindex: -1}, t("step.players")), h("p", {}, t(`step.players-${wish.game}`)), list, more);
  if (wish.game === "string-safari") body.append(h("label", {class: "row"}, h("input", {type: "checkbox", checked: Boolean(wish.options.children), onchange: (event) => { wish.options.children = event.target.checked; }}), t("children-rules")));
  if (wish.game === "kleine-fotosafari") {
    wish.options.goal ||= {3: 3, 4: 2, 5: 1};
    body.append(h("p", {class: "row"}, [3, 4, 5].map((n) => h("label", {class: "row"}, t("photos-of", {n}), h("input", {type: "number", min: 0, max: 9, value: wish.options.goal[n], onchange: (event) => { wish.options.goal[n] = Number(event.target.value); }})))));
  }
  fill();
}

// The sides of the table; beyond four players, further places in turn.
const seats = (count) => Array.from({length: Math.max(4, count)}, (_, n) => [n, n < 4 ? t(`side.${n}`) : t("seat", {n: n + 1})]);

function select(label, values, value, onchange) {
  return h("select", {"aria-label": label, onchange: (event) => onchange(event.target.value)}, values.map(([v, words]) => h("option", {value: v, selected: String(v) === String(value)}, words)));
}

async function testStep(body, wish) {
  const said = h("p", {class: "said", role: "status"}, t("reading"));
  const stage = createStage();
  stage.element.classList.add("small-stage");
  const again = h("button", {class: "button small", type: "button", onclick: () => read()}, t("read-again"));
  const read = async () => {
    said.textContent = t("reading");
    stage.picture(`/api/snapshot.jpg?${Date.now()}`);
    try {
      const answer = await post("/api/camera/test", {game: wish.game, deck: wish.deck, strings: wish.strings});
      stage.show({...answer, sheet: {}, problems: [], questions: []});
      const known = answer.pieces.filter((piece) => piece.label !== null).length;
      said.textContent = t("test-found", {n: answer.pieces.length, known, strings: (answer.strings || []).length});
    } catch (error) { said.textContent = error.message; }
  };
  body.append(h("h2", {tabindex: -1}, t("step.test")), h("p", {}, t("step.test-text")), stage.element, said, again);
  read();
}

export async function openJoin() {
  const dialog = h("dialog", {class: "join", "aria-label": t("join")});
  const show = async (role) => {
    const join = await get(`/api/join?role=${role}`).catch((error) => ({error: error.message}));
    dialog.replaceChildren(h("h2", {}, t("join")), join.error ? h("p", {}, join.error) : h("div", {class: "qr"}, h("img", {src: join.picture, alt: join.address}), h("p", {}, h("code", {}, join.address)), join.note ? h("p", {class: "meta"}, t(join.note)) : null),
      h("div", {class: "row end"}, h("div", {class: "tabs"}, ["player", "viewer"].map((one) => h("button", {type: "button", "aria-pressed": String(one === role), onclick: () => show(one)}, t(`role.${one}`)))),
        h("button", {class: "button main", type: "button", onclick: () => dialog.close()}, t("close"))));
  };
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  await show("player");
  dialog.showModal();
}
