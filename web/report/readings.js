/* readings.js — the same claims under every reading of the paper, side by side */
import { make, number, saveTable, table } from "../shared/dom.js";
import { badge, percent } from "./claims.js";
import { results } from "./data.js";

const arrows = { less: "↓", more: "↑", "about the same": "≈", "not known": "?" };
/* What a comparison is called, whatever the reading. */
const keyOf = (claim) => JSON.stringify([claim.claim, claim.metric, claim.better, claim.than]);

/* A verdict that was tested; or, of tuning plays alone, only which of the two is lower. */
function outcome(claim) {
  if (!claim) return "–";
  const sizes = make(
    "small",
    {},
    percent(claim.relative),
    claim.effect == null ? null : `, effect ${number(claim.effect, 2)}`,
  );
  const found = claim.verdict ? badge(claim.verdict) : `${arrows[claim.direction] ?? "?"} ${claim.direction}`;
  return make("span", { class: "side" }, found, make("br"), sizes);
}

/* A front has no loss or violation of its own, only the area that it dominates: of that there is a table apart. */
const isOfFronts = (claim) => claim.metric === "hypervolume";

function readingTable({ readings }) {
  const found = readings.map(
    ({ claims }) => new Map(claims.filter((claim) => !isOfFronts(claim)).map((claim) => [keyOf(claim), claim])),
  );
  const keys = [...new Set(found.flatMap((claims) => [...claims.keys()]))];
  const rows = keys.map((key, i) => {
    const claim = found.map((claims) => claims.get(key)).find((one) => one);
    const [label] = JSON.parse(key),
      isFirst = i === 0 || JSON.parse(keys[i - 1])[0] !== label;
    return [
      make(
        "span",
        {},
        isFirst ? make("span", { class: "claim" }, `${label}: ${claim.text}`, make("br")) : null,
        `${claim.metric}: ${claim.better} below ${claim.than}`,
      ),
      ...found.map((claims) => outcome(claims.get(key))),
    ];
  });
  return table(
    "Which reading gives which claim: the verdict, the relative difference of the means, and the effect size",
    ["Comparison", ...readings.map((reading) => reading.reading)],
    rows,
    { class: "claims readings" },
  );
}

/* Each pair once, whatever claims name it. */
function frontTable({ readings }) {
  const pairs = new Map(
    readings
      .flatMap((reading) => reading.claims.filter(isOfFronts))
      .map((claim) => [JSON.stringify([claim.better, claim.than]), claim]),
  );
  if (pairs.size === 0) return null;
  return table(
    "Fronts: the area of loss and CCV, both divided by G D T, that all tuning runs of a learner dominate together; more is better",
    ["Fronts of", "First", "Second", "Relative difference", "The first is"],
    [...pairs.values()].map((claim) => [
      `${claim.better} and ${claim.than}`,
      number(claim.better_mean),
      number(claim.than_mean),
      percent(claim.relative),
      claim.direction,
    ]),
    { class: "claims" },
  );
}

function aboutTable({ readings }) {
  return table(
    "The readings",
    ["Reading", "What it fills in", "Rounds", "Seeds"],
    readings.map((reading) => [
      reading.reading,
      reading.from ? `${reading.about} (${reading.from})` : reading.about,
      number(reading.rounds),
      number(reading.seeds),
    ]),
    { class: "claims" },
  );
}

const factors = (arm, pick) => arm.constants.map((name, i) => `${name} ×${number(pick.factors[i], 3)}`).join(", ");
const range = ({ least, largest }) => (least === largest ? number(least) : `${number(least)} to ${number(largest)}`);

/* What each tuning seed alone would have chosen. */
function spreadTable({ tuning }) {
  if (!tuning.length) return null;
  return table(
    `The spread that the tuning seeds cause: what each of ${tuning[0].seeds} would have chosen by itself, and what that comes to over all of them`,
    ["Learner", "Chosen", "By one seed each", "Loss", "CCV"],
    tuning.map((arm) => [
      arm.learner,
      factors(arm, arm.chosen),
      [...new Set(arm.by_seed.map((pick) => factors(arm, pick)))].join("; "),
      range(arm.loss),
      range(arm.ccv),
    ]),
    { class: "claims" },
  );
}

/* Null: the results are not one of several readings. */
export function readings() {
  const all = results.readings;
  if (!all?.readings.length) return null;
  const columns = [
    ...["claim", "text", "stream", "metric", "better", "than", "better_mean", "than_mean"],
    ...["relative", "effect", "p", "p_holm", "verdict", "direction"],
  ];
  const save = () =>
    saveTable("readings", [
      ["reading", ...columns],
      ...all.readings.flatMap((reading) =>
        reading.claims.map((claim) => [reading.reading, ...columns.map((name) => claim[name])]),
      ),
    ]);
  return [
    make(
      "p",
      {},
      "The paper leaves open what one needs to know to play its experiment again. Each reading fills that in another way. " +
        "The last ones choose constants by other rules from the same tuning plays; they say which side is lower and test nothing.",
    ),
    readingTable(all),
    make("button", { type: "button", class: "quiet", onclick: save }, "Readings as CSV"),
    aboutTable(all),
    frontTable(all),
    spreadTable(all),
  ];
}
