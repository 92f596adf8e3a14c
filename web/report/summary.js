/* summary.js — the page in a few lines: who has the least loss and violation on each stream, and which claims hold */
import { make, spread } from "../shared/dom.js";
import { claimVerdicts } from "./claims.js";
import { armsOf, finals, streams } from "./data.js";

/* "least loss: OFW-TVC 8.4 ± 0.6"; null if nothing is known. */
function least(stream, metric, title) {
  const known = armsOf(stream)
    .map((arm) => [arm.name, finals(arm, metric)])
    .filter(([, [mean]]) => mean != null)
    .sort((a, b) => a[1][0] - b[1][0]);
  return known.length ? `${title}: ${known[0][0]}, ${spread(...known[0][1])}` : null;
}

export function summary() {
  const lines = streams.map((stream) => [
    stream,
    [least(stream, "loss", "least loss"), least(stream, "ccv", "least violation")].filter((text) => text).join("; "),
  ]);
  const known = lines.filter(([, text]) => text);
  const verdicts = claimVerdicts();
  if (!known.length && !verdicts.length) return null;
  return [
    make(
      "ul",
      { class: "summary" },
      known.map(([stream, text]) => make("li", {}, make("strong", {}, stream), ` ${text}`)),
      verdicts.map(([badge, text, stream]) =>
        make("li", {}, badge, ` ${text}${streams.length > 1 ? ` (${stream})` : ""}`),
      ),
    ),
  ];
}
