/* axes.js — from numbers to the range and the marks of an axis */
import { number } from "./dom.js";

const extremes = (values) =>
  values.reduce(([least, most], x) => [Math.min(least, x), Math.max(most, x)], [Infinity, -Infinity]);

/* How an axis is divided: "linear", "log", or where there are numbers that a logarithm cannot show "symmetric",
 * logarithmic on both sides of 0. What lies mostly below 0, as losses that are gains, stays linear. */
function divide(log, values) {
  const [least, most] = extremes(values);
  if (!log || least < -most) return "linear";
  return least <= 0 ? "symmetric" : "log";
}

/* Where a symmetric axis turns from linear to logarithmic: at the least number that is not 0. */
function bendOf(values) {
  const [least, most] = extremes(values.map(Math.abs).filter((x) => x > 0));
  return most > 0 ? Math.max(least, 1e-6 * most) : 1;
}

/* An axis that shows a range, or all values. */
export function axisOf(log, values, range, within) {
  const kind = divide(log, values);
  return { kind, bend: bendOf(values), range: range ?? cover(kind, bendOf(values), within) };
}

/* The range that shows all of the values. */
function cover(kind, bend, values) {
  const [least, most] = extremes(values);
  if (least > most) return kind === "log" ? [1, 10] : [0, 1]; // there are none
  if (kind === "log") return [least / 1.15, most * 1.15];
  if (kind === "symmetric") return [1.15 * least - bend / 4, 1.15 * most + bend / 4];
  const room = (most - least || Math.abs(most) || 1) * 0.04;
  return [least >= 0 && least <= 0.2 * most ? 0 : least - room, most + room];
}

/* Part of a range, from `low` to `high` of its length; beyond 0 and 1 it is a larger one. */
export function part(kind, [least, most], low, high) {
  if (kind !== "log") return [least + low * (most - least), least + high * (most - least)];
  const [a, b] = [Math.log(least), Math.log(most)];
  return [Math.exp(a + low * (b - a)), Math.exp(a + high * (b - a))];
}

/* Marks at 1, 2, 5 of each decade, or at decades alone where there are many. */
function logMarks(least, most) {
  const first = Math.floor(Math.log10(least)),
    last = Math.ceil(Math.log10(most)),
    decades = last - first;
  const every = Math.ceil(decades / 7),
    within = decades <= 3 ? [1, 2, 5] : [1];
  const marks = [];
  for (let k = first; k <= last; k++) if (every === 1 || k % every === 0) marks.push(...within.map((m) => m * 10 ** k));
  return marks.filter((x) => x >= least && x <= most);
}

/* Marks at 0 and at decades on both sides. */
function symmetricMarks(bend, least, most) {
  const first = Math.ceil(Math.log10(bend)),
    last = Math.floor(Math.log10(Math.max(-least, most)));
  const every = Math.ceil((last - first + 1) / (least < -bend ? 3 : 6)),
    marks = [0];
  for (let k = last; k >= first; k -= every) marks.push(10 ** k, -(10 ** k));
  return marks.filter((x) => x >= least && x <= most).sort((a, b) => a - b);
}

/* What uPlot is to know of an axis's scale. */
export function scaleOf(axis) {
  const distr = { linear: 1, log: 3, symmetric: 4 }[axis.kind];
  return { time: false, distr, log: 10, asinh: axis.bend, range: () => axis.range };
}

/* ... and of its marks. */
export function marksOf(axis) {
  const values = (plot, marks) => marks.map((x) => (x == null ? "" : number(x, 3)));
  const splits = (plot, i, least, most) =>
    axis.kind === "log" ? logMarks(least, most) : symmetricMarks(axis.bend, least, most);
  return axis.kind === "linear" ? { values } : { values, splits, filter: (plot, marks) => marks };
}
