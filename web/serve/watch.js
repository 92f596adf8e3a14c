/* watch.js — the watched sessions side by side: their curves in common figures, and a card each */
import { swatch } from "../shared/cast.js";
import { Chart, redraw } from "../shared/chart.js";
import { curves } from "../shared/curves.js";
import { choice, make, number, scaleChoice } from "../shared/dom.js";
import { Problem } from "./api.js";
import { choosesRow, showDecision } from "./decision.js";
import { store } from "./store.js";

const view = { sum: true, log: false, bound: "regret_bound" };
const setView = (change) => {
  Object.assign(view, change);
  redraw();
};

/* ---- curves ---- */

const figures = [
  [
    "loss",
    () => (view.sum ? "loss_sum" : "loss"),
    () => (view.sum ? "Cumulative loss" : "Loss per round"),
    "What the decisions cost.",
  ],
  ["ccv", () => "ccv", () => "Cumulative violation, CCV", "How far the limits were broken, summed over the rounds."],
  ["price", () => "price", () => "Price of violation", "The weight that the learner gives to the constraint."],
  [
    "certificate",
    () => view.bound,
    () => (view.bound === "regret_bound" ? "Certificate: regret at most" : "Certificate: CCV at most"),
    "A bound that the learner has computed from what it saw; not every learner computes one.",
  ],
];

function watchCharts() {
  return figures.map(
    ([file, column, title, about]) =>
      new Chart(`ofw-${file}`, () =>
        curves({
          title: title(),
          arms: [...store.watched.values()].map(({ name, series }) => ({ name, series })),
          x: "round",
          y: column(),
          log: view.log,
          band: false,
          about,
        }),
      ).element,
  );
}

function watchControls() {
  return make(
    "div",
    { class: "controls" },
    choice(
      "Loss",
      [
        ["sum", "Summed"],
        ["each", "Per round"],
      ],
      "sum",
      (value) => setView({ sum: value === "sum" }),
    ),
    choice(
      "Certificate",
      [
        ["regret_bound", "Regret"],
        ["ccv_bound", "CCV"],
      ],
      "regret_bound",
      (bound) => setView({ bound }),
    ),
    scaleChoice("Scale", false, (log) => setView({ log })),
  );
}

/* ---- a card per session ---- */

const states = { live: "live", waiting: "connecting", ended: "ended" };

function sessionCard(watched) {
  const { session } = watched,
    facts = make("dl", { class: "account" }),
    place = make("div", { class: "decision" }),
    state = make("span", { class: "hint" }),
    row = make("input", {
      id: `row-${session.id}`,
      type: "number",
      min: 0,
      max: session.rows - 1,
      value: 0,
      onchange: () => decide(true),
    });
  let asked = null,
    busy = false;
  /* One request at a time, and none for a decision that is shown; with a delay there may be none. */
  async function decide(again = false) {
    const { round, open } = watched.row;
    if (busy || (asked === `${round}, ${open}` && !again)) return;
    asked = `${round}, ${open}`;
    if (open === 0) {
      place.replaceChildren(make("p", { class: "hint" }, "No round is open: the next decision has to be asked for."));
      return;
    }
    busy = true;
    try {
      place.replaceChildren(
        ...(await showDecision(session, Math.min(Math.max(Math.round(row.value) || 0, 0), session.rows - 1))),
      );
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      place.replaceChildren(make("p", { class: "hint" }, error.message));
    }
    busy = false;
  }
  function update() {
    const { round, open, loss_sum: loss, ccv, price, sigma, oracle_calls: calls } = watched.row;
    state.textContent = states[watched.state];
    facts.replaceChildren(
      ...[
        ["Rounds", round],
        ...(session.delay ? [["Open rounds", open]] : []),
        ["Loss", loss],
        ["CCV", ccv],
        ["Price", price],
        ["Step", sigma],
        ["Oracle calls", calls],
      ].map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, number(value)))),
    );
    decide();
  }
  const element = make(
    "article",
    { class: "card", "aria-label": watched.name },
    make("h3", {}, swatch(watched.name), watched.name, state),
    make("p", { class: "hint" }, `${session.learner} on ${session.domain}`),
    facts,
    choosesRow(session) ? make("p", { class: "field" }, make("label", { for: row.id }, "Row "), row) : null,
    place,
  );
  return { element, update };
}

/* ---- all of it ---- */

/* `draw` after sessions came or went, `update` after a round. */
export function watchPanel() {
  const none = make("p", { class: "lead" }, "Nothing is watched. Choose sessions above: up to six are drawn together."),
    cards = make("div", { class: "cards" }),
    all = make("div", {}, watchControls(), make("div", { class: "pair" }, watchCharts()), cards);
  const shownCards = new Map();
  const update = () => {
    for (const card of shownCards.values()) card.update();
    redraw();
  };
  const draw = () => {
    none.hidden = store.watched.size > 0;
    all.hidden = store.watched.size === 0;
    for (const id of shownCards.keys()) if (!store.watched.has(id)) shownCards.delete(id);
    for (const [id, watched] of store.watched) if (!shownCards.has(id)) shownCards.set(id, sessionCard(watched));
    cards.replaceChildren(...[...shownCards.values()].map(({ element }) => element));
    update();
  };
  return { element: make("div", {}, none, all), draw, update };
}
