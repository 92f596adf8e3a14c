/* sessions.js — the list of sessions: watch one, delete one */
import { swatch } from "../shared/cast.js";
import { make, number } from "../shared/dom.js";
import { say, trying } from "./notice.js";
import { callIt, isKnown, mostWatched, remove, store, unwatch, watch } from "./store.js";

let asking = null; // the session whose removal is to be confirmed

const account = (session) => store.watched.get(session.id)?.row ?? session.account;

function facts(session) {
  const { round, loss_sum: loss, ccv, open } = account(session);
  const late = session.delay ? ` · ${number(open)} of ${number(session.delay + 1)} open` : "";
  return `${session.domain} · round ${number(round)}${late} · loss ${number(loss)} · CCV ${number(ccv)}`;
}

function watchBox(session, draw) {
  const checked = store.watched.has(session.id),
    full = !checked && store.watched.size >= mostWatched;
  const box = make("input", {
    type: "checkbox",
    "data-key": `watch-${session.id}`,
    checked,
    disabled: full,
    onchange: () => (box.checked ? watch : unwatch)(session.id) ?? draw(),
  });
  return make(
    "label",
    { class: "watch" },
    box,
    make("span", {}, "Watch ", make("span", { class: "hidden" }, callIt(session))),
  );
}

/* Two steps, since nothing brings a session back. */
function deleteButtons(session, draw) {
  const name = callIt(session);
  const button = (text, action, kind = "quiet") =>
    make(
      "button",
      { type: "button", class: kind, "data-key": `${text}-${session.id}`, onclick: action },
      text,
      make("span", { class: "hidden" }, ` ${name}`),
    );
  const focusOn = (text) => document.querySelector(`[data-key="${text}-${session.id}"]`).focus();
  if (asking !== session.id)
    return button("Delete", () => {
      asking = session.id;
      draw();
      focusOn("Delete for good");
    });
  const drop = () =>
    trying(async () => {
      asking = null;
      await remove(session.id);
      say(`${name} is deleted`);
      document.getElementById("main").focus();
    });
  return make(
    "span",
    { class: "confirm" },
    button("Delete for good", drop, "quiet sure"),
    button("Keep", () => {
      asking = null;
      draw();
      focusOn("Delete");
    }),
  );
}

function line(session, draw) {
  const name = callIt(session);
  return make(
    "li",
    { class: "session", "data-id": session.id },
    make(
      "div",
      {},
      make("strong", { class: "named" }, isKnown(name) ? swatch(name) : null, name),
      session.status === "live" ? null : make("span", { class: "verdict fails" }, session.status),
      make("p", { class: "hint" }, `${session.learner} on `, make("span", { class: "facts" }, facts(session))),
    ),
    make("div", { class: "tools" }, watchBox(session, draw), deleteButtons(session, draw)),
  );
}

/* What the list's elements depend on; numbers apart, which change alone. */
const shapeOf = () =>
  JSON.stringify([
    asking,
    store.sessions.map((session) => [
      session.id,
      session.status,
      store.watched.has(session.id),
      isKnown(callIt(session)),
    ]),
  ]);

/* The list, and how it is brought up to date: `draw` makes it again if it must, with the focus where it was; `update` only its
 * numbers. */
export function sessionList() {
  let shape = null;
  const list = make("ul", { class: "session-list" }),
    none = make("p", { class: "lead" }, "There is none yet. Make one below, or start a demo.");
  const update = () => {
    for (const session of store.sessions) {
      const place = list.querySelector(`[data-id="${session.id}"] .facts`);
      if (place) place.textContent = facts(session);
    }
  };
  const draw = () => {
    if (shape === shapeOf()) return update();
    shape = shapeOf();
    const focused = document.activeElement?.dataset.key;
    none.hidden = store.sessions.length > 0;
    list.replaceChildren(...store.sessions.map((session) => line(session, draw)));
    if (focused) list.querySelector(`[data-key="${focused}"]`)?.focus();
  };
  return { element: make("div", {}, none, list), draw, update };
}
