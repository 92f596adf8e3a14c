/* tuning.js — what each pair of constants came to, as a map of factors 10^-5 to 10^5, with the half decades that were tried */
import { swatch } from "../shared/cast.js";
import { choice, fileName, make, number, power, saveTable, table } from "../shared/dom.js";
import { rampColour, rampStyle } from "../shared/ramp.js";
import { armsOf, factorsText, results, streams } from "./data.js";

/* Where a value stands between the least and the most on a stream, by logarithms where all are above 0. */
function shareOf(runs, metric) {
  const values = runs.map((run) => run[metric]).filter((x) => x != null);
  const bend = Math.min(...values) > 0 ? Math.log : (x) => x;
  const least = bend(Math.min(...values)),
    most = bend(Math.max(...values));
  return {
    least: Math.min(...values),
    most: Math.max(...values),
    share: (x) => (most > least ? (bend(x) - least) / (most - least) : 0),
  };
}

const tuned = (stream) => armsOf(stream).filter((arm) => arm.tuning?.runs);
const decades = Array.from({ length: 11 }, (none, i) => i - 5);
const exponent = (factor) => Math.round(2 * Math.log10(factor)) / 2;
/* Of the first constant (k = 0) or the second. */
const exponents = (arm, k) =>
  [...new Set([...decades, ...arm.tuning.runs.map((run) => exponent(run.factors[k]))])].sort((a, b) => a - b);
const runAt = (arm, e1, e2) =>
  arm.tuning.runs.find((run) => exponent(run.factors[0]) === e1 && exponent(run.factors[1]) === e2);
const whyNot = (run) => `${run.refused ? "refused" : "failed"}: ${run.error}`;
const signed = (e) => (e > 0 ? `+${e}` : String(e).replace("-", "−"));

function runCell(arm, run, metric, scale) {
  if (!run) return make("td", { class: "unplayed" });
  const chosen = arm.plays[0] && arm.plays[0].factor1 === run.factors[0] && arm.plays[0].factor2 === run.factors[1];
  const text = run.error ? whyNot(run) : `${metric} ${number(run[metric])}`;
  const label = `${factorsText(arm, ...run.factors)}: ${text}${chosen ? ", chosen" : ""}`;
  const style = run[metric] == null ? null : `background: ${rampColour(scale.share(run[metric]))}`;
  return make(
    "td",
    { class: (run[metric] == null ? "failed" : "run") + (chosen ? " chosen" : ""), style, title: label },
    make("span", { class: "hidden" }, text + (chosen ? ", chosen" : "")),
  );
}

/* A constant at the end of its grid may have a better value beyond. */
function chosenText(arm, { factor1, factor2 }) {
  const edges = [
    [arm.constant1, factor1],
    [arm.constant2, factor2],
  ].filter(([, factor]) => Math.abs(exponent(factor)) >= 5);
  const warning = edges.length
    ? ` — ${edges.map(([name]) => name).join(" and ")} at the edge of the grid: a better value may lie beyond`
    : "";
  return `Chosen: ${factorsText(arm, factor1, factor2)}${warning}`;
}

function map(arm, metric, scale) {
  const rows = exponents(arm, 1)
    .reverse()
    .map((e2) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, signed(e2)),
        exponents(arm, 0).map((e1) => runCell(arm, runAt(arm, e1, e2), metric, scale)),
      ),
    );
  const axis = make(
    "tr",
    {},
    make("td", {}),
    exponents(arm, 0).map((e1) => make("th", { scope: "col" }, signed(e1))),
  );
  return make(
    "figure",
    { class: "map" },
    make(
      "table",
      { class: "heat" },
      make(
        "caption",
        {},
        make("span", { class: "named" }, swatch(arm.name), arm.name),
        make("small", {}, `up: ${arm.constant2}, across: ${arm.constant1}`),
      ),
      make("tbody", {}, rows),
      make("tfoot", {}, axis),
    ),
    make("figcaption", {}, arm.plays[0] ? chosenText(arm, arm.plays[0]) : ""),
  );
}

function key(scale, metric) {
  return make(
    "p",
    { class: "key" },
    `${metric}: `,
    number(scale.least),
    make("span", {
      class: "ramp",
      "aria-hidden": "true",
      style: rampStyle(),
    }),
    number(scale.most),
  );
}

function runTable(stream) {
  const rows = tuned(stream).flatMap((arm) =>
    arm.tuning.runs.map((run) => [
      arm.name,
      factorsText(arm, ...run.factors),
      number(run.loss),
      number(run.regret),
      number(run.ccv),
      number(run.score),
      run.error ? whyNot(run) : run.front ? "on the front" : "",
    ]),
  );
  const save = () =>
    saveTable(fileName(stream, "tuning"), [
      [
        "stream",
        "curve",
        "constant1",
        "factor1",
        "constant2",
        "factor2",
        "loss",
        "regret",
        "ccv",
        "score",
        "front",
        "error",
      ],
      ...tuned(stream).flatMap((arm) =>
        arm.tuning.runs.map((run) => [
          stream,
          arm.name,
          arm.constant1,
          run.factors[0],
          arm.constant2,
          run.factors[1],
          run.loss,
          run.regret,
          run.ccv,
          run.score,
          run.front ? 1 : 0,
          run.error,
        ]),
      ),
    ]);
  return make(
    "div",
    {},
    make("button", { type: "button", class: "quiet", onclick: save }, "Tuning runs as CSV"),
    make(
      "details",
      {},
      make("summary", {}, "The same as a table"),
      table(`Tuning runs on ${stream}`, ["Learner", "Factors", "Loss", "Regret", "CCV", "Score", "Note"], rows),
    ),
  );
}

export function tuning() {
  const maps = make("div");
  const draw = (metric) =>
    maps.replaceChildren(
      ...streams
        .filter((stream) => tuned(stream).length)
        .flatMap((stream) => {
          const scale = shareOf(
            tuned(stream).flatMap((arm) => arm.tuning.runs),
            metric,
          );
          return [
            make("h3", {}, stream),
            key(scale, metric),
            make(
              "div",
              { class: "maps" },
              tuned(stream).map((arm) => map(arm, metric, scale)),
            ),
            runTable(stream),
          ];
        }),
    );
  const unfinished = results.arms.filter((arm) => arm.tuning && !arm.tuning.runs);
  if (!streams.some((stream) => tuned(stream).length) && !unfinished.length)
    return [make("p", {}, "No learner of this experiment is tuned.")];
  draw("score");
  return [
    make(
      "p",
      { class: "lead" },
      "Each learner's two free constants are tried at ",
      power(-5),
      " to ",
      power(5),
      " times their defaults, on seeds of their own: " +
        "first one with the other as it is, then the other with the best of the first, and in a fine tuning both at half a decade to each side of the best. Numbers on the axes are exponents of ten; darker is less, and less is better.",
    ),
    make(
      "div",
      { class: "controls" },
      choice(
        "Colour by",
        [
          ["loss", "Loss"],
          ["ccv", "CCV"],
          ["score", "Score"],
        ],
        "score",
        draw,
      ),
    ),
    maps,
    ...unfinished.map((arm) => make("p", {}, `The tuning of ${arm.name} on ${arm.stream} is not finished.`)),
  ];
}
