/* claims.js — what was claimed of the learners, and whether it holds */
import { results } from "./data.js";
import { make, number, saveTable, spread, table } from "./dom.js";

const signs = { holds: "✓", "does not": "✗", "not decided": "?" };

function badge(verdict) {
  const kind = { holds: "holds", "does not": "fails" }[verdict] ?? "open";
  return make(
    "span",
    { class: `verdict ${kind}` },
    make("span", { "aria-hidden": "true" }, `${signs[verdict] ?? "?"} `),
    verdict,
  );
}

const side = (name, mean, deviation) => make("span", { class: "side" }, name, make("br"), spread(mean, deviation));

/* "3 of 4 claims hold"; null where there are none. */
export function claimsSummary() {
  if (!results.claims?.length) return null;
  const hold = results.claims.filter((claim) => claim.verdict === "holds").length;
  return `${hold} of ${results.claims.length} comparisons behind the claims hold`;
}

export function claims() {
  if (!results.claims?.length) return [make("p", {}, "These results come with no tested claims.")];
  const rows = results.claims.map((claim) => [
    claim.text,
    claim.stream,
    claim.metric,
    side(claim.better, claim.better_mean, claim.better_sd),
    side(claim.than, claim.than_mean, claim.than_sd),
    number(claim.difference),
    number(claim.effect, 3),
    number(claim.p, 2),
    badge(claim.verdict),
  ]);
  const names = Object.keys(results.claims[0]);
  const save = () => saveTable("claims", [names, ...results.claims.map((claim) => names.map((name) => claim[name]))]);
  return [
    table(
      "Claims, each comparison with what was measured",
      ["Claim", "Stream", "Metric", "Better", "Than", "Difference", "Effect size", "p", "Verdict"],
      rows,
      { class: "claims" },
    ),
    make("button", { type: "button", class: "quiet", onclick: save }, "Claims as CSV"),
  ];
}
