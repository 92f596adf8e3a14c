/* ramp.js — from a share to a colour: cividis, from the least to the most, which colour-blind readers see as others do */
const ramp = [
  [0, 34, 78],
  [53, 69, 108],
  [102, 105, 112],
  [148, 142, 119],
  [200, 184, 102],
  [254, 232, 56],
];

/* Of 0 to 1. */
export function rampColour(share) {
  const at = share * (ramp.length - 1),
    i = Math.min(Math.floor(at), ramp.length - 2);
  return `rgb(${ramp[i].map((c, k) => Math.round(c + (at - i) * (ramp[i + 1][k] - c))).join(" ")})`;
}

export const rampStyle = () =>
  `background: linear-gradient(to right, ${ramp.map((c) => `rgb(${c.join(" ")})`).join(", ")})`;
