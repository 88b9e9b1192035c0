// Where the page begins: words, bar, then the sample tables or the live table.

import {h} from "./dom.js";
import {fillBar} from "./bar.js";
import {get} from "./net.js";
import {applyTheme} from "./prefs.js";
import {loadWords, t} from "./words.js";

async function start() {
  applyTheme();
  await loadWords();
  const page = document.getElementById("page");
  const bar = document.getElementById("bar");
  try {
    const about = await get("/api/about");
    fillBar(bar, {live: about.mode === "serve"});
    if (about.mode === "serve") await (await import(location.pathname === "/overlay" ? "./streaming.js" : "./live.js")).startLive(page, bar, about);
    else await (await import("./demo.js")).startDemo(page, bar);
    document.documentElement.dataset.ready = "1";
  } catch (error) {
    page.replaceChildren(h("section", {class: "panel"}, h("h2", {}, t("no-service")), h("p", {}, error.message)));
    throw error;
  }
}

start();
