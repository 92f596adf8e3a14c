/* cast.js — who is drawn: each name has its colour and its dashes, in all figures of a page, and is shown or not */
import { svg } from "./dom.js";

/* Okabe and Ito's colours, those that stand out on white first, and what stands out in the dark; lab/figure/drawing.c has the
 * same. Each name also has dashes of its own. */
const colours = [
  ["#0072B2", "#3D9FD8"],
  ["#D55E00", "#E8772E"],
  ["#009E73", "#1FB58A"],
  ["#CC79A7", "#D68CB5"],
  ["#E69F00", "#E69F00"],
  ["#56B4E9", "#7CC8F0"],
  ["#000000", "#F2F2F2"],
  ["#7F7F7F", "#9A9A9A"],
];
const dashes = [[], [9, 4], [3, 3], [12, 4, 3, 4], [6, 3], [2, 4], [16, 4], [8, 3, 2, 3, 2, 3], [14, 6, 6, 6]];
export const looks = colours.length * dashes.length;
const dark = () => document.documentElement.dataset.theme === "dark";

export const colourAt = (i) => colours[i % colours.length][Number(dark())];

export const names = [];
export const shown = new Set();

/* A name joins, once. */
export function enlist(name) {
  if (!names.includes(name)) names.push(name);
  shown.add(name);
}

export const colourOf = (name) => colourAt(names.indexOf(name));
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
      class: `line-${names.indexOf(name) % looks}`,
    }),
  );
}
