/* claims.js — what was claimed of the learners, and whether it holds */
import { make, number, saveTable, spread } from "../shared/dom.js";
import { results, streams } from "./data.js";

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
  const would = needed > 0 ? `${needed} would be enough` : "no number would be enough";
  const seeds = Math.max(...results.claims.map((claim) => claim.pairs));
  const text = `Nothing can be decided: ${seeds} seeds are not enough for ${comparisons} comparisons; ${would}.`;
  return [make("p", {}, text)];
}

/* "3 of 4 claims hold"; null where there are none. */
export function claimsSummary() {
  if (!results.claims?.length) return null;
  const hold = results.claims.filter((claim) => claim.verdict === "holds").length;
  return `${hold} of ${results.claims.length} comparisons behind the claims hold`;
}

/* The comparisons of one claim on one stream, in the order of the file. */
function grouped() {
  const groups = new Map();
  for (const one of results.claims) {
    const key = JSON.stringify([one.claim, one.stream]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/* What all comparisons of a claim come to: their verdict if they agree, else how many hold. */
function overall(group) {
  const verdicts = new Set(group.map(({ verdict }) => verdict));
  if (verdicts.size === 1) return badge(group[0].verdict);
  const hold = group.filter(({ verdict }) => verdict === "holds").length;
  return make("span", { class: "verdict open" }, `${hold} of ${group.length} hold`);
}

/* One comparison: verdict, what was measured on both sides, how sure that is. */
function comparison(one, alone) {
  return make(
    "li",
    {},
    alone ? null : badge(one.verdict),
    make(
      "span",
      {},
      `${one.metric}: ${one.better} `,
      make("strong", {}, spread(one.better_mean, one.better_sd)),
      `, ${one.than} `,
      make("strong", {}, spread(one.than_mean, one.than_sd)),
    ),
    make(
      "small",
      {},
      `difference ${number(one.difference)} (${percent(one.relative)} of the larger), effect size ${number(one.effect, 3)}, `,
      `corrected p ${number(one.p_holm, 2)}, p ${number(one.p, 2)}`,
    ),
  );
}

/* Of each claim on each stream its verdict, its text and the stream. */
export const claimVerdicts = () =>
  results.claims?.length ? grouped().map((group) => [overall(group), group[0].text, group[0].stream]) : [];

function card(group) {
  const [{ text, stream }] = group;
  return make(
    "article",
    { class: "card" },
    make("h3", {}, overall(group), make("span", {}, text)),
    streams.length > 1 ? make("p", { class: "hint" }, stream) : null,
    make(
      "ul",
      {},
      group.map((one) => comparison(one, group.length === 1)),
    ),
  );
}

export function claims() {
  if (!results.claims?.length) return [make("p", {}, "These results come with no tested claims.")];
  const names = Object.keys(results.claims[0]);
  const save = () => saveTable("claims", [names, ...results.claims.map((claim) => names.map((name) => claim[name]))]);
  return [
    ...tooFew(),
    make("div", { class: "cards" }, grouped().map(card)),
    ...legend(),
    make("button", { type: "button", class: "quiet", onclick: save }, "Claims as CSV"),
  ];
}
