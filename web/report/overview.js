/* overview.js — loss and violation on each stream, and what they come to at the end */
import { swatch } from "../shared/cast.js";
import { Chart, redraw } from "../shared/chart.js";
import { curves } from "../shared/curves.js";
import { choice, fileName, make, number, saveTable, scaleChoice, spread, table } from "../shared/dom.js";
import { toggles } from "../shared/toggles.js";
import { aboutStream } from "./about_stream.js";
import { armsOf, finals, knows, results, streams } from "./data.js";

const view = { x: "round", log: false, band: true, first: "loss" };
const setView = (change) => {
  Object.assign(view, change);
  redraw();
};

function overviewControls() {
  const first = knows("regret")
    ? choice(
        "First figure",
        [
          ["loss", "Loss"],
          ["regret", "Regret"],
        ],
        "loss",
        (value) => setView({ first: value }),
      )
    : null;
  return make(
    "div",
    { class: "controls" },
    choice(
      "Against",
      [
        ["round", "Rounds"],
        ["oracle_calls", "Oracle calls"],
        ["seconds", "Seconds"],
      ],
      "round",
      (x) => setView({ x }),
    ),
    scaleChoice("Scale", false, (log) => setView({ log })),
    choice(
      "Band",
      [
        ["on", "± 1 sd"],
        ["off", "None"],
      ],
      "on",
      (value) => setView({ band: value === "on" }),
    ),
    first,
    toggles(),
  );
}

const titles = { loss: "Cumulative loss", regret: "Regret", ccv: "Cumulative constraint violation" };

function overviewChart(stream, metric) {
  const arms = armsOf(stream);
  return new Chart(fileName(stream, metric()), () =>
    curves({
      title: titles[metric()],
      arms,
      y: metric(),
      ...view,
      about: `Mean over ${Math.max(...arms.map((arm) => arm.plays.length))} seeds${view.band ? " ± one standard deviation" : ""}.`,
    }),
  );
}

/* The least mean of a column is set off. */
function finalTable(stream) {
  const arms = armsOf(stream);
  const metrics = [
    ["loss", "Loss"],
    ["regret", "Regret"],
    ["ccv", "Violation (CCV)"],
    ["soft_violation", "Soft violation"],
    ["held_out_rmse", "Held-out RMSE"],
  ].filter(([metric]) => arms.some((arm) => finals(arm, metric)[0] != null));
  const least = metrics.map(([metric]) => {
    const means = arms.map((arm) => finals(arm, metric)[0]).filter((mean) => mean != null);
    return Math.max(...means) > Math.min(...means) ? Math.min(...means) : null;
  });
  const rows = arms.map((arm) => [
    make("span", { class: "named" }, swatch(arm.name), arm.name),
    ...metrics.map(([metric], k) =>
      make(finals(arm, metric)[0] === least[k] ? "strong" : "span", {}, spread(...finals(arm, metric))),
    ),
  ]);
  const columns = Object.keys(arms.flatMap((arm) => arm.plays)[0] ?? {});
  const save = () =>
    saveTable(fileName(stream, "plays"), [
      ["stream", "curve", ...columns],
      ...arms.flatMap((arm) => arm.plays.map((play) => [stream, arm.name, ...Object.values(play)])),
    ]);
  return make(
    "div",
    {},
    table(
      `${stream} after ${number(results.rounds)} rounds: mean ± standard deviation, the least in bold`,
      ["Learner", ...metrics.map(([, title]) => title)],
      rows,
    ),
    make("button", { type: "button", class: "quiet", onclick: save }, "Every play as CSV"),
  );
}

export function overview() {
  const hint = make(
    "p",
    { class: "hint" },
    "In every figure dragging zooms and a double click returns; the buttons above it do the same.",
  );
  return [
    overviewControls(),
    hint,
    ...streams.flatMap((stream) => [
      make("h3", {}, stream, make("code", {}, armsOf(stream)[0].stream_spec)),
      aboutStream(stream),
      make(
        "div",
        { class: "pair" },
        overviewChart(stream, () => view.first).element,
        overviewChart(stream, () => "ccv").element,
      ),
      finalTable(stream),
    ]),
  ];
}
