// /overlay: only what was read, on a clear ground, for streaming software.

import {h} from "./dom.js";
import {silenced} from "./marks.js";
import {listen} from "./news.js";
import {scoreboard} from "./play.js";
import {namesBySeat, summary} from "./sheet.js";
import {createStage} from "./stage.js";

export async function startLive(page, bar) {
  document.documentElement.classList.add("streaming");
  bar.hidden = true;
  const stage = createStage();
  const board = h("div", {class: "streaming-board"});
  page.replaceChildren(stage.element, board);
  const now = {reading: null, game: null, claim: null};
  const refresh = () => {
    const answer = now.claim ? now.claim.answer : now.reading?.answer ? silenced(now.reading.answer) : null;
    stage.show(answer);
    const players = now.game?.players || [];
    const names = namesBySeat(now.game, answer);
    const called = Object.fromEntries(players.map((player) => [player.id, player.name]));
    const told = answer ? summary(answer, {names, called, live: true}) : null;
    board.replaceChildren(...[told && h("p", {class: "streaming-line"}, [told.number, told.title].filter(Boolean).join(" ")), now.game && scoreboard(now.game, {})].filter(Boolean));
  };
  listen({
    reading: (data) => { now.reading = data; refresh(); }, game: (data) => { now.game = data; refresh(); }, claim: (data) => { now.claim = data; refresh(); },
  }, () => {});
}
