/* data.js — the document that ofw wrote into the page, and what the sections share of it */
import { enlist } from "../shared/cast.js";
import { moments, number } from "../shared/dom.js";

export const results = JSON.parse(document.getElementById("data").textContent);
export const streams = [...new Set(results.arms.map((arm) => arm.stream))];
export const armsOf = (stream) => results.arms.filter((arm) => arm.stream === stream);

for (const arm of results.arms) enlist(arm.name); // its label, and those of its options in which arms of the label differ

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
    .map(([constant, factor]) => `${constant} ×${number(factor)}`)
    .join(", ");
}
