/* cost.js — what the rounds cost: oracle calls, passes and seconds */
import { swatch } from "../shared/cast.js";
import { Chart, redraw } from "../shared/chart.js";
import { curves, units } from "../shared/curves.js";
import { choice, fileName, make, number, scaleChoice, spread, table } from "../shared/dom.js";
import { toggles } from "../shared/toggles.js";
import { armsOf, finals, streams } from "./data.js";

const cost = { x: "seconds", y: "oracle_calls", log: false };
const setCost = (change) => {
  Object.assign(cost, change);
  redraw();
};

const capital = (text) => text[0].toUpperCase() + text.slice(1);

function costChart(stream) {
  return new Chart(fileName(stream, "cost"), () =>
    curves({
      title: `${capital(units[cost.y])}, ${stream}`,
      arms: armsOf(stream),
      ...cost,
      band: true,
      about: "Mean over the seeds ± one standard deviation. A learner that does none of it lies at 0.",
    }),
  );
}

function totals(stream) {
  const rows = armsOf(stream).map((arm) => {
    const rounds = arm.plays[0]?.rounds ?? NaN,
      [seconds] = finals(arm, "seconds");
    return [
      make("span", { class: "named" }, swatch(arm.name), arm.name),
      ...["oracle_calls", "passes", "projections", "seconds"].map((metric) => spread(...finals(arm, metric))),
      number(seconds == null ? null : (1e6 * seconds) / rounds, 3),
    ];
  });
  return table(
    `Cost of a play on ${stream}: mean ± standard deviation`,
    ["Learner", "Oracle calls", "Passes", "Projections", "Seconds", "Microseconds a round"],
    rows,
  );
}

export function costs() {
  return [
    make(
      "div",
      { class: "controls" },
      choice(
        "Cost",
        [
          ["oracle_calls", "Oracle calls"],
          ["passes", "Passes"],
          ["seconds", "Seconds"],
        ],
        cost.y,
        (y) => setCost({ y }),
      ),
      choice(
        "Over",
        [
          ["round", "Rounds"],
          ["seconds", "Seconds"],
        ],
        cost.x,
        (x) => setCost({ x }),
      ),
      scaleChoice("Scale of the cost", false, (log) => setCost({ log })),
      toggles(),
    ),
    make(
      "div",
      { class: "pair" },
      streams.map((stream) => costChart(stream).element),
    ),
    ...streams.map(totals),
  ];
}
