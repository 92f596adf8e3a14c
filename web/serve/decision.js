/* decision.js — a session's decision: bars of a vector, a heat map of a matrix, and the largest entries */
import { make, number } from "../shared/dom.js";
import { rampColour, rampStyle } from "../shared/ramp.js";
import { api } from "./api.js";

const MOST_BARS = 24,
  MOST_CELLS = 1024,
  SIDE = 16, // of the picture of a matrix that is too large to be shown whole
  TOP = 8;

const isMatrix = ({ rows, cols, dim }) => rows > 1 && cols > 1 && rows * cols === dim;

/* Rows of a label and a number; the bar begins at 0, to the left below it. */
function bars(caption, labels, values) {
  const least = Math.min(0, ...values),
    most = Math.max(0, ...values),
    wide = most - least || 1;
  const row = (label, value) => {
    const left = (100 * (Math.min(value, 0) - least)) / wide,
      width = (100 * Math.abs(value)) / wide;
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, label),
      make("td", { class: "bar" }, make("span", { style: `margin-left: ${left}%; width: ${width}%` })),
      make("td", {}, number(value, 3)),
    );
  };
  return make(
    "table",
    { class: "bars" },
    make("caption", {}, caption),
    make(
      "tbody",
      {},
      values.map((value, i) => row(labels[i], value)),
    ),
  );
}

/* Cells by row and column; the labels say which of the matrix's they are. */
function heatMap(caption, rows, cols, values) {
  const least = Math.min(...values),
    most = Math.max(...values),
    share = (x) => (most > least ? (x - least) / (most - least) : 0);
  const cell = (i, k) => {
    const text = `row ${rows[i]}, column ${cols[k]}: ${number(values[i * cols.length + k], 3)}`;
    return make(
      "td",
      { class: "run", style: `background: ${rampColour(share(values[i * cols.length + k]))}`, title: text },
      make("span", { class: "hidden" }, text),
    );
  };
  return [
    make(
      "table",
      { class: "heat", style: `max-width: ${Math.min(30, 4 * cols.length)}rem` },
      make("caption", {}, caption),
      make(
        "tbody",
        {},
        rows.map((none, i) =>
          make(
            "tr",
            {},
            cols.map((nothing, k) => cell(i, k)),
          ),
        ),
      ),
    ),
    make(
      "p",
      { class: "key" },
      number(least, 3),
      make("span", { class: "ramp", "aria-hidden": "true", style: rampStyle() }),
      number(most, 3),
    ),
  ];
}

const upTo = (n) => Array.from({ length: n }, (none, i) => i);
/* The places of the largest entries, the largest first. */
const largest = (values, n) =>
  upTo(values.length)
    .sort((a, b) => values[b] - values[a])
    .slice(0, n);

function topOf(values, cols) {
  const places = largest(values, TOP);
  return bars(
    "Largest entries: row, column",
    places.map((k) => `${Math.floor(k / cols)}, ${k % cols}`),
    places.map((k) => values[k]),
  );
}

/* At equal distances, first and last included. */
const spreadOver = (n) => [
  ...new Set(upTo(Math.min(n, SIDE)).map((i) => Math.round((i * (n - 1)) / (Math.min(n, SIDE) - 1)))),
];

async function largeMatrix({ id, rows, cols }, row) {
  const is = spreadOver(rows),
    ks = spreadOver(cols);
  const picked = is.flatMap((i) => ks.map((k) => `${i}:${k}`)).join(",");
  const [sample, top] = await Promise.all([
    api.decision(id, `?entries=${picked}`),
    api.decision(id, `?row=${row}&top=${TOP}`),
  ]);
  return [
    ...heatMap(
      `${is.length} × ${ks.length} of ${number(rows)} × ${number(cols)} entries, round ${number(sample.round)}`,
      is,
      ks,
      sample.entries,
    ),
    bars(`Largest entries of row ${row}: column`, top.top.index, top.top.value),
  ];
}

/* The decision that is pending, as elements; of a large matrix the entries of one row. */
export async function showDecision(session, row) {
  const { id, dim, rows, cols } = session;
  if (isMatrix(session) && dim > MOST_CELLS) return largeMatrix(session, row);
  if (!isMatrix(session) && dim > MOST_BARS) {
    const { round, top } = await api.decision(id, `?top=${MOST_BARS}`);
    return [bars(`The largest of ${number(dim)} entries, round ${number(round)}`, top.index, top.value)];
  }
  const { round, decision } = await api.decision(id);
  if (!isMatrix(session)) return [bars(`Decision of round ${number(round)}`, upTo(dim), decision)];
  return [...heatMap(`Decision of round ${number(round)}`, upTo(rows), upTo(cols), decision), topOf(decision, cols)];
}

/* Whether there is a row to choose. */
export const choosesRow = (session) => isMatrix(session) && session.dim > MOST_CELLS;
