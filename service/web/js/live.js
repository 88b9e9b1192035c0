// The live table: picture and overlay, sheet, the game's own controls.

import {openAsk} from "./ask.js";
import {typing} from "./bar.js";
import {h, icon, toast} from "./dom.js";
import {startFeed} from "./feed.js";
import {silenced} from "./marks.js";
import {listen} from "./news.js";
import {get, post} from "./net.js";
import {claimant, controlsOf, scoreboard} from "./play.js";
import {logPanel, told} from "./record.js";
import {asked, cameraTrouble, refusal, why} from "./sentences.js";
import {namesBySeat, renderSheet} from "./sheet.js";
import {play, say} from "./sound.js";
import {createStage} from "./stage.js";
import {openJoin, openWizard, sendPhotograph} from "./wizard.js";
import {labelText, t} from "./words.js";

export async function startLive(page, bar, about) {
  const host = about.role === "host", plays = about.role !== "viewer"; // nobody is offered what the service would refuse
  const table = {camera: null, motion: null, reading: null, game: null, claim: null, connected: true};
  const stage = createStage({onpick: (piece) => pick(piece)});
  const chip = h("div", {class: "status", role: "status"});
  const controls = h("section", {class: "controls", "aria-label": t("controls")});
  const sheet = h("div", {class: "sheet"});
  const side = h("div", {class: "column side sheet", id: "sheet", tabindex: "-1"}, sheet);
  const banner = h("p", {class: "banner", role: "alert", hidden: true});
  stage.element.append(chip, banner);
  page.replaceChildren(h("div", {class: "column"}, stage.element, controls), side);
  const tools = bar.querySelector(".tools");
  const buttons = {
    undo: tool("undo", "undo", () => act("/api/game/undo")), redo: tool("redo", "redo", () => act("/api/game/redo")),
    join: tool("qr", "join", () => openJoin()), setup: tool("settings", "setup", () => openWizard(table)),
  };
  tools.prepend(...(plays ? [buttons.undo, buttons.redo] : []), ...(host ? [buttons.join, buttons.setup] : []));

  const sent = new Set();
  const hooks = {
    light: stage.light, table, act, names: null,
    answer: plays ? (question, choice) => act("/api/game/answer", {piece: question.piece, choice}) : null,
    plays, wizard: host ? () => openWizard(table) : null,
  };

  function tool(picture, key, onclick) {
    return h("button", {class: "icon", type: "button", title: t(key), "aria-label": t(key), onclick}, icon(picture));
  }

  // `expected`: refusals that the caller handles itself. What is on its way already is not sent twice, until the game goes on.
  async function act(path, body = {}, expected = () => false) {
    const wish = JSON.stringify([table.game?.seq, path, body]);
    if (sent.has(wish)) return null;
    sent.add(wish);
    stage.frame.querySelector(".ask")?.remove();
    try { return await post(path, body); } catch (error) {
      if (expected(error)) return error;
      toast(refusal(error));
      play("bad");
      return null;
    } finally { sent.delete(wish); }
  }

  function pick(piece) {
    if (!plays) { stage.light([piece.id]); return; }
    if (piece.kind === "photo" && table.game?.game === "kleine-fotosafari") { claimPhoto(piece); return; }
    const question = (shown()?.questions || []).find((one) => one.piece === piece.id);
    if (question) openAsk(stage, question, hooks.answer, {answer: shown()});
    else openCorrection(piece);
  }

  // Where several photo cards lie there, a tap says which one is meant.
  const claimPhoto = (piece) => { play("click"); act("/api/game/claim", {player: claimant(table.game), photo: piece.id}); };

  // Any piece can be corrected: any legal label is accepted.
  function openCorrection(piece) {
    const labels = table.game?.labels?.[piece.kind] || [];
    stage.light([piece.id]);
    if (!labels.length || !table.game) return;
    const choose = h("select", {"aria-label": t("correct"), onchange: (event) => hooks.answer({piece: piece.id}, event.target.value)},
      h("option", {value: ""}, t("correct")), labels.map((label) => h("option", {value: label}, labelText(label))));
    openAsk(stage, {piece: piece.id, choices: piece.candidates.slice(0, 2).map(([label]) => label).filter(Boolean), message: t("correct-it")}, hooks.answer, {extra: choose});
  }

  // Before a claim nothing may tell whether a photo card in view is right.
  function shown() {
    if (table.claim) return table.claim.answer;
    return table.reading?.answer ? silenced(table.reading.answer) : null;
  }

  function refresh() {
    const answer = shown();
    const game = table.game;
    hooks.names = namesBySeat(game, answer);
    hooks.called = Object.fromEntries((game?.players || []).map((player) => [player.id, player.name]));
    stage.show(answer);
    const parts = !game ? [welcome()] : [
      ...(table.claim ? [claimPanel()] : []), scoreboard(game, hooks),
      ...(answer ? renderSheet(answer, {...hooks, live: true}) : [notYet()]), logPanel(game, hooks)];
    sheet.replaceChildren(...parts.filter(Boolean));
    const photograph = plays && table.camera?.name === "photographs"
      ? [h("button", {class: "button", type: "button", onclick: () => sendPhotograph(() => {})}, icon("phone"), t("photograph"))] : [];
    controls.replaceChildren(...(game && plays ? controlsOf(game, answer, hooks) : []), ...photograph);
    controls.hidden = !controls.children.length;
    buttons.undo.disabled = !game?.can_undo;
    buttons.redo.disabled = !game?.can_redo;
    document.title = game ? `${t(`game.${game.game}`)} · Safari Table` : "Safari Table";
  }

  const welcome = () => h("section", {class: "panel welcome"}, h("h2", {}, t("welcome")), h("p", {}, t(host ? "welcome-text" : "welcome-guest")),
    host && h("button", {class: "button main", type: "button", onclick: () => openWizard(table)}, t("setup-begin")));

  const notYet = () => h("section", {class: "panel headline"}, icon("wait", "sign wait"),
    h("div", {class: "words"}, h("h2", {}, t("nothing-read")), h("p", {class: "sub"}, table.reading?.message || t("nothing-read-text"))));

  function claimPanel() {
    const {claim} = table;
    const name = table.game.players.find((player) => player.id === claim.player)?.name || "";
    const state = claim.valid ? "good" : claim.valid === false ? "bad" : "ask";
    return h("section", {class: `panel claim ${state}`}, icon(state, "sign"),
      h("div", {class: "words"}, h("h2", {}, t(`claim.${state}`, {player: name})), h("p", {}, reasonOf(claim))),
      plays && h("button", {class: "button", type: "button", onclick: () => act("/api/game/claim/close")}, t("play-on")));
  }

  function reasonOf(claim) {
    const line = claim.answer.sheet.photos[0]?.lines?.[0];
    const question = claim.answer.questions[0];
    return claim.valid === null && question ? asked(question, claim.answer) : line && line.reason === claim.reason ? why(line, claim.answer) : claim.reason;
  }

  function tellStatus() {
    const {camera, motion, connected} = table;
    const [state, sign, words] = !connected ? ["bad", "bad", t("reconnecting")]
      : !camera ? ["wait", "camera", t("no-camera")]
        : camera.state !== "live" && camera.state !== "ended" ? [camera.state === "starting" ? "wait" : "bad", "warn", t(`camera.${camera.state}`)]
          : motion?.reading ? ["wait", "wait", t("reading")]
            : motion?.covered ? ["wait", "wait", t("motion.covered")]
              : [motion?.state === "still" ? "good" : "wait", motion?.state === "still" ? "good" : "wait", t(`motion.${motion?.state || "settling"}`)];
    chip.className = `status ${state}`;
    chip.replaceChildren(icon(sign), h("span", {}, words));
    const trouble = !connected ? t("reconnecting-text") : [cameraTrouble(camera), table.trouble].filter(Boolean).join(" · ");
    banner.hidden = !trouble;
    banner.textContent = trouble;
  }

  let newest = "";
  let heard = 0; // the entry that has just been made: it is said once
  listen({
    camera: (data) => { const other = data?.name !== table.camera?.name; table.camera = data; tellStatus(); if (other) refresh(); },
    motion: (data) => { table.motion = data; tellStatus(); },
    trouble: (data) => { table.trouble = data?.message || ""; tellStatus(); },
    reading: (data) => {
      const asked = (data.answer?.questions || []).map((question) => question.message).join();
      if (asked && asked !== newest) play("ask");
      newest = asked;
      table.reading = data;
      refresh();
    },
    game: (data) => {
      if (data?.id !== table.game?.id) stage.frame.querySelector(".ask")?.remove(); // it asked of another game's piece
      table.game = data;
      refresh();
      const entry = data?.log.find((one) => one.seq === heard && one.what !== "PhotoTaken"); // of a photo the claim is said
      if (entry) { say(told(entry)); heard = 0; }
    },
    claim: (data) => {
      const fresh = data && (!table.claim || data.number !== table.claim.number);
      table.claim = data;
      if (fresh) { play(data.valid ? "good" : data.valid === false ? "bad" : "ask"); say(reasonOf(data)); }
      refresh();
    },
    event: (data) => { if (Date.now() / 1000 - data.at < 4) { play("done"); heard = data.seq; } },
  }, (connected) => { table.connected = connected; tellStatus(); });

  startFeed((bitmap) => stage.paint(bitmap), () => {});
  document.addEventListener("keydown", (event) => keys(event, table, hooks, controls));
  tellStatus();
  refresh();
  const state = await get("/api/state");
  table.game = state.game;
  refresh();
  if (host && !state.game && new URLSearchParams(location.search).get("setup") !== "no") openWizard(table);
}

function keys(event, table, hooks, controls) {
  if (typing(event) || event.repeat || !table.game || !hooks.plays) return; // a key that is held is pressed once
  const key = event.key.toLowerCase();
  if (event.code === "Space" && table.game.game === "kleine-fotosafari") { event.preventDefault(); controls.querySelector("[data-key=space]")?.click(); }
  if (key === "u") hooks.act("/api/game/undo");
  if (key === "r") hooks.act("/api/game/redo");
  if (key === "n") controls.querySelector("[data-key=next]")?.click();
  if (/^[1-9]$/.test(key)) {
    const target = document.querySelectorAll(".ask .chip").length ? document.querySelectorAll(".ask .chip") : document.querySelectorAll(".question:first-of-type .chip");
    target[Number(key) - 1]?.click();
  }
}
