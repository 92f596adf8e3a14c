/* main.js — the page of 'ofw serve': its parts, and what brings them up to date */
import { number } from "../shared/dom.js";
import { startTheme } from "../shared/theme.js";
import { askToken } from "./access.js";
import { createForm } from "./create.js";
import { demoButtons } from "./demo.js";
import { setDenied, trying } from "./notice.js";
import { sessionList } from "./sessions.js";
import { loadCatalogue, onChange, refresh, store } from "./store.js";
import { watchPanel } from "./watch.js";

const REFRESH = 5000, // milliseconds: sessions that others make or delete
  FRAME = 200; // between two drawings of what moves

const list = sessionList(),
  panel = watchPanel();
document.getElementById("sessions").append(list.element, demoButtons());
document.getElementById("watch").append(panel.element);

function showFacts() {
  const n = store.sessions.length;
  document.getElementById("facts").textContent =
    `${number(n)} session${n === 1 ? "" : "s"}, ${store.watched.size} watched`;
}

/* Rows come often; all that came since the last frame are drawn together. */
let due = null;
function drawSoon() {
  due ??= setTimeout(() => {
    due = null;
    list.update();
    panel.update();
  }, FRAME);
}

onChange((what) => {
  if (what === "row") return drawSoon();
  showFacts();
  list.draw();
  if (what === "watched") panel.draw();
});

async function start() {
  await trying(async () => {
    await loadCatalogue();
    if (!document.querySelector("form.create")) document.getElementById("create").append(createForm());
    await refresh();
  });
}

setDenied((why) => askToken(why, start));
startTheme();
panel.draw();
start();
setInterval(
  () => !document.hidden && store.catalogue && !document.getElementById("token") && trying(refresh, true),
  REFRESH,
);
