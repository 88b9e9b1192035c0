// The sample tables: pick one, see the answer.

import {h, icon} from "./dom.js";
import {get, send} from "./net.js";
import {renderSheet} from "./sheet.js";
import {createStage} from "./stage.js";
import {t} from "./words.js";

const GAMES = ["paper-safari", "kleine-fotosafari", "string-safari"];

export async function startDemo(page, bar) {
  const samples = await get("/api/samples");
  const sheet = h("div", {class: "column side sheet", id: "sheet", tabindex: "-1"});
  const strip = h("nav", {class: "strip", "aria-label": t("samples")});
  const stage = createStage({onpick: (piece) => ask(piece)});
  const busy = h("p", {class: "busy", role: "status", hidden: true}, t("reading"));
  stage.element.append(busy);
  const games = GAMES.filter((game) => samples.some((sample) => sample.game === game));
  const tabs = h("div", {class: "tabs", role: "group", "aria-label": t("game")}, games.map((game) => h("button", {type: "button", "data-game": game, onclick: () => openGame(game)}, t(`game.${game}`))));
  bar.append(tabs);
  page.replaceChildren(h("div", {class: "column"}, stage.element, strip), sheet);
  const now = {game: "", sample: null, answer: null, answers: {}, file: null, url: "", turn: 0};

  function openGame(game) {
    open(samples.find((sample) => sample.game === game));
  }

  function fillStrip() {
    const own = h("button", {class: "own", type: "button", onclick: choose}, icon("picture"), t("own-picture"));
    strip.replaceChildren(...samples.filter((sample) => sample.game === now.game).map((sample) =>
      h("button", {type: "button", "aria-pressed": String(sample === now.sample), onclick: () => open(sample)}, h("img", {src: sample.picture, alt: "", loading: "lazy"}), h("span", {}, sample.title))), own);
    for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.game === now.game));
  }

  async function open(sample) {
    Object.assign(now, {sample, game: sample.game, answers: {}, file: null, answer: null});
    history.replaceState(null, "", `#${sample.name}`);
    fillStrip();
    stage.show(null);
    stage.picture(sample.picture, sample.title);
    await read();
  }

  async function read() {
    const turn = ++now.turn;
    const query = Object.entries(now.answers).map(([piece, choice]) => `answer=${encodeURIComponent(`${piece}=${choice}`)}`).join("&");
    busy.hidden = false;
    try {
      const answer = now.file ? await send(`/api/read?game=${now.game}&${query}`, now.file) : await get(`/api/samples/${now.sample.name}/answer?${query}`);
      if (turn !== now.turn) return;
      now.answer = answer;
      stage.show(answer);
      fillSheet();
    } catch (error) {
      if (turn === now.turn) sheet.replaceChildren(h("section", {class: "panel headline"}, icon("bad", "sign bad"), h("div", {class: "words"}, h("h2", {}, t("not-read")), h("p", {class: "sub"}, error.message))));
    } finally {
      if (turn === now.turn) busy.hidden = true;
    }
  }

  function fillSheet() {
    sheet.replaceChildren(...renderSheet(now.answer, {light: stage.light, answer: settle}),
      h("p", {class: "meta"}, t("read-in", {s: (now.answer.seconds ?? 0).toFixed(1), n: now.answer.pieces.length}), now.sample && h("a", {href: `/api/samples/${now.sample.name}/answer`}, "JSON")));
  }

  function settle(question, choice) {
    now.answers[question.piece] = choice;
    closeAsk();
    read();
  }

  function ask(piece) {
    const question = now.answer?.questions.find((one) => one.piece === piece.id);
    if (!question) { stage.light([piece.id]); return; }
    import("./ask.js").then(({openAsk}) => openAsk(stage, question, settle, {answer: now.answer}));
  }

  const closeAsk = () => stage.frame.querySelector(".ask")?.remove();

  function choose() {
    const input = h("input", {type: "file", accept: "image/jpeg,image/png,image/webp"});
    input.addEventListener("change", () => {
      const [file] = input.files;
      if (!file) return;
      Object.assign(now, {file, sample: null, answers: {}, answer: null});
      fillStrip();
      stage.show(null);
      URL.revokeObjectURL(now.url);
      stage.picture(now.url = URL.createObjectURL(file), file.name);
      read();
    });
    input.click();
  }

  if (!samples.length) { sheet.replaceChildren(h("section", {class: "panel"}, t("no-samples"))); return; }
  await open(samples.find((sample) => `#${sample.name}` === location.hash) || samples.find((sample) => sample.game === games[0]) || samples[0]);
  addEventListener("hashchange", () => { const wished = samples.find((sample) => `#${sample.name}` === location.hash); if (wished && wished !== now.sample) open(wished); });
}
