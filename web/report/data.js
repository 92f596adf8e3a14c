/* data.js — the document that ofw wrote into the page, and what the sections share of it */
import { moments, svg } from "./dom.js";

export const results = JSON.parse(document.getElementById("data").textContent);
export const streams = [...new Set(results.arms.map((arm) => arm.stream))];
export const armsOf = (stream) => results.arms.filter((arm) => arm.stream === stream);

/* An arm is called by its label, and by its options too where a grid gave the label several on one stream. */
const gridded = new Set(
  results.arms
    .filter((arm) => armsOf(arm.stream).filter((a) => a.label === arm.label).length > 1)
    .map((arm) => arm.label),
);
export const nameOf = (arm) => (gridded.has(arm.label) && arm.options ? `${arm.label} ${arm.options}` : arm.label);
export const names = [...new Set(results.arms.map(nameOf))];

/* Okabe and Ito's colours, those that stand out on white first; each name also has dashes of its own. */
const colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"];
const dashes = [[], [9, 4], [3, 3], [12, 4, 3, 4], [6, 3], [2, 4], [16, 4], [8, 3, 2, 3, 2, 3], [14, 6, 6, 6]];
export const dark = () => document.documentElement.dataset.theme === "dark";

export function colourOf(name) {
  const colour = colours[names.indexOf(name) % colours.length];
  return colour === "#000000" && dark() ? "#F2F2F2" : colour;
}
export const dashOf = (name) => dashes[names.indexOf(name) % dashes.length];

/* A short piece of a name's line. */
export function swatch(name) {
  return svg(
    "svg",
    { class: "swatch", viewBox: "0 0 34 10", width: 34, height: 10, "aria-hidden": "true" },
    svg("line", {
      x1: 1,
      x2: 33,
      y1: 5,
      y2: 5,
      "stroke-width": 2.5,
      "stroke-dasharray": dashOf(name).join(" "),
      class: `line-${names.indexOf(name)}`,
    }),
  );
}

/* The names that are shown, the same in all figures. */
export const shown = new Set(names);

/* Mean and deviation over an arm's plays. */
export const finals = (arm, metric) => moments(arm.plays.map((play) => play[metric]));
export const knows = (metric) => results.arms.some((arm) => arm.plays.some((play) => play[metric] != null));

/* "step ×10, gamma-scale ×0.3162" */
export function factorsText(arm, factor1, factor2) {
  return [
    [arm.constant1, factor1],
    [arm.constant2, factor2],
  ]
    .filter(([constant]) => constant)
    .map(([constant, factor]) => `${constant} ×${Number(factor.toPrecision(4))}`)
    .join(", ");
}
