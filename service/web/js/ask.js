// A question as a chip on its piece: one tap opens it, a second settles it.

import {h} from "./dom.js";
import {asked} from "./sentences.js";
import {labelText, t} from "./words.js";

export function openAsk(stage, question, settle, {answer, extra = []} = {}) {
  stage.frame.querySelector(".ask")?.remove();
  const [x, y] = stage.place(question.piece);
  const box = h("div", {class: "ask", role: "dialog", "aria-label": t("question")},
    h("p", {}, answer ? asked(question, answer) : question.message),
    h("div", {class: "row"}, question.choices.map((choice) => h("button", {class: "chip", type: "button", onclick: () => settle(question, choice)}, labelText(choice)))), extra);
  box.addEventListener("keydown", (event) => { if (event.key === "Escape") box.remove(); });
  stage.frame.append(box);
  box.style.setProperty("left", `${Math.max(2, Math.min(x * 100, 98 - (box.offsetWidth / stage.frame.clientWidth) * 100))}%`);
  box.style.setProperty("top", `${Math.max(2, Math.min(y * 100, 98 - (box.offsetHeight / stage.frame.clientHeight) * 100))}%`);
  box.querySelector("button")?.focus();
}
