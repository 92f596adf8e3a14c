/* claims.js — what was claimed of the learners, and whether it holds */
import { results } from "./data.js";
import { make, number, saveTable, spread, table } from "./dom.js";

const signs = { holds: "✓", "does not": "✗", negligible: "≈", "not decided": "?" };
const kinds = { holds: "holds", "does not": "fails", negligible: "small", "not decided": "open" };

export function badge(verdict) {
  return make(
    "span",
    { class: `verdict ${kinds[verdict] ?? "open"}` },
    make("span", { "aria-hidden": "true" }, `${signs[verdict] ?? "?"} `),
    verdict,
  );
}

export const percent = (share) => (share == null ? "–" : `${number(100 * share, 3)}%`);

/* What the verdicts mean; p is corrected for all comparisons together. */
function legend() {
  const least = percent(results.relative_level);
  const meanings = {
    holds: `corrected p below 0.05, and lower by ${least} or more`,
    "does not": `corrected p below 0.05, and higher by ${least} or more`,
    negligible: `corrected p below 0.05, but less than ${least} apart`,
    "not decided": "the difference may be chance",
  };
  return Object.entries(meanings).map(([verdict, text]) => make("p", { class: "key" }, badge(verdict), text));
}

/* Empty if the seeds are enough to decide something. */
function tooFew() {
  const { comparisons, seeds_needed: needed } = results;
  if (needed == null) return [];
  const would = needed > 0 ? `${needed} would do` : "no number of them would";
  const seeds = Math.max(...results.claims.map((claim) => claim.pairs));
  const text = `Nothing can be decided: ${seeds} seeds are not enough for ${comparisons} comparisons; ${would}.`;
  return [make("p", {}, text)];
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
    percent(claim.relative),
    number(claim.effect, 3),
    number(claim.p, 2),
    number(claim.p_holm, 2),
    badge(claim.verdict),
  ]);
  const names = Object.keys(results.claims[0]);
  const save = () => saveTable("claims", [names, ...results.claims.map((claim) => names.map((name) => claim[name]))]);
  return [
    ...tooFew(),
    table(
      "Claims, each comparison with what was measured",
      [
        "Claim",
        "Stream",
        "Metric",
        "Better",
        "Than",
        "Difference",
        "Relative",
        "Effect size",
        "p",
        "Corrected p",
        "Verdict",
      ],
      rows,
      { class: "claims" },
    ),
    ...legend(),
    make("button", { type: "button", class: "quiet", onclick: save }, "Claims as CSV"),
  ];
}
