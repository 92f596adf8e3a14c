/* tradeoff.js — loss or regret against violation: every tuning run, the front of each learner, and what is reported */
import { colourOf, dashOf, shown, swatch } from "../shared/cast.js";
import { Chart, redraw } from "../shared/chart.js";
import { choice, fileName, make, number, scaleChoice, spread } from "../shared/dom.js";
import { toggles } from "../shared/toggles.js";
import { armsOf, factorsText, finals, streams } from "./data.js";

const axes = { metric: "loss", log: true };
const setAxes = (change) => {
  Object.assign(axes, change);
  redraw();
};

const runsOf = (arm) => (arm.tuning?.runs ?? []).filter((run) => run[axes.metric] != null && run.ccv != null);
const frontOf = (arm) =>
  runsOf(arm)
    .filter((run) => run.front)
    .sort((a, b) => a[axes.metric] - b[axes.metric]);

/* Everything with a place: tuning runs, and what the plays came to, with deviations. */
function points(arms) {
  return arms.flatMap((arm) => {
    const [x, dx] = finals(arm, axes.metric),
      [y, dy] = finals(arm, "ccv");
    const reported = x == null || y == null ? [] : [{ arm, x, y, dx: dx ?? 0, dy: dy ?? 0, reported: true }];
    return [...runsOf(arm).map((run) => ({ arm, run, x: run[axes.metric], y: run.ccv, dx: 0, dy: 0 })), ...reported];
  });
}

function painter(plot) {
  const { ctx, bbox } = plot,
    ratio = devicePixelRatio;
  const at = (value, scale) =>
    plot.valToPos(plot.scales[scale].distr === 3 ? Math.max(value, plot.scales[scale].min) : value, scale, true);
  const path = (places) => {
    ctx.beginPath();
    places.forEach(([x, y]) => ctx.lineTo(x, y));
    ctx.stroke();
  };
  return { ctx, bbox, ratio, at, path };
}

/* A front is a staircase: between two of its points there is nothing better than the corner. */
function paintFront({ ctx, ratio, at, path }, arm) {
  const corners = frontOf(arm).map((run) => [at(run[axes.metric], "x"), at(run.ccv, "y")]);
  ctx.lineWidth = 1.5 * ratio;
  ctx.setLineDash(dashOf(arm.name).map((length) => length * ratio));
  path(
    corners.flatMap(([x, y], i) =>
      i
        ? [
            [x, corners[i - 1][1]],
            [x, y],
          ]
        : [[x, y]],
    ),
  );
  ctx.setLineDash([]);
}

function paintPoint({ ctx, ratio, at, path }, { x, y, dx, dy, reported, run }) {
  const [left, top, radius] = [at(x, "x"), at(y, "y"), (reported ? 6 : run.front ? 3.5 : 2.5) * ratio];
  ctx.lineWidth = 1.5 * ratio;
  if (dx)
    path([
      [at(x - dx, "x"), top],
      [at(x + dx, "x"), top],
    ]);
  if (dy)
    path([
      [left, at(y - dy, "y")],
      [left, at(y + dy, "y")],
    ]);
  ctx.beginPath();
  if (reported) {
    const sides = [
      [0, -1],
      [1, 0],
      [0, 1],
      [-1, 0],
    ];
    sides.forEach(([right, down]) => ctx.lineTo(left + 1.2 * radius * right, top + 1.2 * radius * down));
    ctx.closePath();
  } else ctx.arc(left, top, radius, 0, 2 * Math.PI);
  ctx.globalAlpha = reported || run.front ? 1 : 0.35;
  ctx.fill();
  ctx.globalAlpha = 1;
}

function paint(plot, arms, all) {
  const brush = painter(plot),
    { ctx, bbox } = brush;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const arm of arms) {
    ctx.strokeStyle = ctx.fillStyle = colourOf(arm.name);
    paintFront(brush, arm);
    all.filter((point) => point.arm === arm).forEach((point) => paintPoint(brush, point));
  }
  ctx.restore();
}

/* The point nearest to the pointer, if it is near. */
function nearest(plot, all) {
  const { left, top } = plot.cursor;
  const far = ({ x, y }) => Math.hypot(plot.valToPos(x, "x") - left, plot.valToPos(y, "y") - top);
  const best = all.reduce((a, b) => (a && far(a) <= far(b) ? a : b), null);
  if (left < 0 || !best || !(far(best) < 24)) return null;
  const { arm, run, x, y, dx, dy } = best;
  return {
    title: run ? factorsText(arm, ...run.factors) : `${arm.name}, reported`,
    items: [
      [swatch(arm.name), axes.metric, spread(x, dx || null)],
      ["", "ccv", spread(y, dy || null)],
    ],
  };
}

function tradeoffModel(stream) {
  const arms = armsOf(stream).filter((arm) => shown.has(arm.name)),
    all = points(arms);
  const values = (key) =>
    all.flatMap((point) => [
      point[key],
      ...(axes.log ? [] : [point[key] - point[`d${key}`]]),
      point[key] + point[`d${key}`],
    ]);
  const reported = all.filter((point) => point.reported);
  return {
    title: `Violation (CCV) against ${axes.metric}, ${stream}`,
    data: [
      [0, 1],
      [null, null],
    ],
    series: [{}, { show: false }],
    bands: [],
    x: { label: axes.metric, log: axes.log, values: () => values("x") },
    y: { log: axes.log, values: () => values("y") },
    paint: (plot) => paint(plot, arms, all),
    readout: (plot) => nearest(plot, all),
    description:
      `Violation against ${axes.metric} on ${stream}. Reported: ` +
      reported
        .map(({ arm, x, y, dx, dy }) => `${arm.name} ${axes.metric} ${spread(x, dx)}, violation ${spread(y, dy)}`)
        .join("; ") +
      `. Tuning runs: ${all.length - reported.length}.`,
    caption: all.length
      ? "Dots are tuning runs, lines the runs of a learner that none of its others beats in both; diamonds are what is reported, ± one standard deviation."
      : "Nothing is drawn: this is not known on this stream, or no learner is chosen.",
    margin: 28,
    rows: [
      ["stream", "curve", "kind", "factor1", "factor2", axes.metric, `${axes.metric}_sd`, "ccv", "ccv_sd", "front"],
      ...points(armsOf(stream)).map(({ arm, run, x, y, dx, dy }) => [
        stream,
        arm.name,
        run ? "tuning" : "reported",
        ...(run?.factors ?? [arm.plays[0].factor1, arm.plays[0].factor2]),
        x,
        run ? null : dx,
        y,
        run ? null : dy,
        run ? Number(run.front) : null,
      ]),
    ],
  };
}

export function tradeoff() {
  const regret = streams.some((stream) => armsOf(stream).some((arm) => finals(arm, "regret")[0] != null));
  return [
    make(
      "div",
      { class: "controls" },
      regret
        ? choice(
            "Across",
            [
              ["loss", "Loss"],
              ["regret", "Regret"],
            ],
            "loss",
            (metric) => setAxes({ metric }),
          )
        : null,
      scaleChoice("Scales", true, (log) => setAxes({ log })),
      toggles(),
    ),
    make(
      "div",
      { class: "pair" },
      streams.map((stream) => new Chart(fileName(stream, "tradeoff"), () => tradeoffModel(stream)).element),
    ),
  ];
}
