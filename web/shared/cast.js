/* cast.js — who is drawn: each name has its colour and its dashes, in all figures of a page, and is shown or not */
import { svg } from "./dom.js";

/* Okabe and Ito's colours, those that stand out on white first; each name also has dashes of its own. */
const colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"];
const dashes = [[], [9, 4], [3, 3], [12, 4, 3, 4], [6, 3], [2, 4], [16, 4], [8, 3, 2, 3, 2, 3], [14, 6, 6, 6]];
export const looks = colours.length * dashes.length;
const dark = () => document.documentElement.dataset.theme === "dark";

export function colourAt(i) {
  const colour = colours[i % colours.length];
  return colour === "#000000" && dark() ? "#F2F2F2" : colour;
}

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
