// Reasons, problems and questions in the viewer's language, from what they are about; English says them as written.

import {has, labelText, ruleTitle, t} from "./words.js";

const english = () => document.documentElement.lang === "en";

// The names of an answer's pieces, as people say them; photo cards have no name of their own.
function names(answer, ids) {
  const byId = new Map((answer?.pieces || []).map((piece) => [piece.id, piece]));
  return (ids || []).map((id) => byId.get(id)).filter((piece) => piece && piece.kind !== "photo").map((piece) => labelText(piece.label));
}

// An English sentence, labels in it as people say them.
const plain = (text, answer) => (answer?.pieces || []).reduce((said, {label}) => (label?.includes("-") ? said.replaceAll(label, labelText(label)) : said), text);

const PLACED = new Set(["photo-found", "photo-found-too"]); // written with places of the ring, which nobody counts

// Why a line scores, or what a problem is: {rule, pieces, reason | message, points}.
export function why(line, answer) {
  const written = line.reason ?? line.message;
  if (english() && !PLACED.has(line.rule)) return plain(written, answer);
  const key = `why.${line.rule}`;
  if (!has(key)) return ruleTitle(line.rule);
  const who = names(answer, line.pieces);
  return t(key, {names: who.join(", ") || "–", first: who[0] || "–", n: line.pieces?.length ?? 0, points: line.points ?? 0}).replace(/^./, (letter) => letter.toUpperCase());
}

const TOUCHES = new Set(["touching", "clear", "inside", "outside"]);
const KINDS = [
  [(q) => q.choices.includes("closed"), "closed"],
  [(q) => q.choices.includes("right"), "right"],
  [(q) => q.choices.includes("the claim"), "claim"],
  [(q) => q.choices.includes("as read"), "layout"],
  [(q) => q.choices.includes("towards"), "turned"],
  [(q) => q.piece === "field", "edge"],
  [(q) => q.piece === "research", "self"],
  [(q) => q.choices.length && q.choices.every((choice) => TOUCHES.has(choice)), "touch"],
  [(q) => q.piece === "stashes", "stashes"],
  [(q) => q.piece === "unseen", "unseen"],
  [(q) => /^coins:/.test(q.piece), "coins"],
  [(q) => /^research:/.test(q.piece), "corners"],
  [(q) => /^animals:/.test(q.piece), "marked"],
  [(q) => /:/.test(q.piece), "stash"],
  [(q) => typeof q.piece === "string", "place"],
];

// What a question asks.
export function asked(question, answer) {
  if (english()) return plain(question.message.split(" At stake:")[0], answer);
  const piece = answer?.pieces?.find((one) => one.id === question.piece);
  const found = KINDS.find(([is]) => is(question))?.[1] || (piece?.kind === "photo" ? "photo" : piece?.kind === "marker" ? "marker" : "card");
  const owner = ["coins", "corners", "marked"].includes(found) ? question.piece.split(":")[1] : found === "stash" ? question.piece.split(":")[0] : null;
  return t(`q.${found}`, {name: owner ? labelText(owner) : names(answer, [question.piece])[0] || "?"});
}

// What a question decides. `seated`: a seat's player.
export function stakes(question, seated) {
  const {changes} = question;
  if (english() || !changes) return changes.replace(/(the total of |at )?seat (\d+)/g, (whole, how, seat) => `${how ? how.replace("at ", "for ") : ""}${seated(Number(seat))}`);
  const numbers = changes.match(/-?\d+/g) || [];
  const parts = [numbers.length > 1 && !changes.includes("seat") ? t("stakes.points", {n: numbers.join(" / ")}) : "", /illegal/.test(changes) ? t("stakes.legal") : ""].filter(Boolean);
  return parts.join(" · ") || t("stakes.score");
}

// A refusal of the service: {message, rule}.
export const refusal = (error) => (!english() && error.rule && has(`refused.${error.rule}`) ? t(`refused.${error.rule}`) : !english() && error.rule && has(`why.${error.rule}`) ? t(`why.${error.rule}`, {names: "", first: "", n: "", points: ""}) : error.message);

// How a camera fares, where it does not.
export const cameraTrouble = (camera) => (!camera?.message || camera.state === "ended" ? "" : english() || !has(`camera-text.${camera.state}`) ? camera.message : `${t(`camera-text.${camera.state}`)} (${camera.name})`);
