/* provenance.js — where the numbers come from: the experiment's file, versions, machine, seeds, and every setting */
import { swatch } from "../shared/cast.js";
import { make, number, save, saveTable, table } from "../shared/dom.js";
import { factorsText, results } from "./data.js";

/* 1, 2, 3, 7 as "1–3, 7" */
function ranges(list) {
  const runs = [];
  for (const x of list)
    if (runs.length && runs.at(-1)[1] === x - 1) runs.at(-1)[1] = x;
    else runs.push([x, x]);
  return runs.map(([a, b]) => (a === b ? `${a}` : `${a}–${b}`)).join(", ") || "none";
}

function facts() {
  const rows = [
    ["Played by", `ofw ${results.version}, kernel ${results.kernel}`],
    ["On", results.machines?.replaceAll("\n", "; ") ?? "not recorded"],
    ["Begun", results.started ?? "not recorded"],
    [
      "Plays",
      `${results.cells}, of which ${results.failed} failed${results.refused ? ` and ${results.refused} were refused` : ""}; ${number(results.seconds)} seconds in all`,
    ],
    ["Rounds", number(results.rounds)],
    ["Seeds", ranges(results.seeds)],
    ["Seeds for tuning", ranges(results.tune_seeds)],
    ["Page written by", `ofw ${results.written_by}`],
  ];
  return make(
    "dl",
    {},
    rows.flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]),
  );
}

const settings = (arm) => [
  make("span", { class: "named" }, swatch(arm.name), arm.name),
  arm.stream,
  arm.learner,
  arm.domain ?? "the stream's",
  arm.options || "defaults",
  arm.plays[0] && arm.constant1 ? factorsText(arm, arm.plays[0].factor1, arm.plays[0].factor2) : "not tuned",
  make("details", {}, make("summary", {}, "all settings"), make("pre", {}, arm.config ?? "")),
];

function failures() {
  if (!results.failures.length) return null;
  const byArm = new Map(results.arms.map((arm) => [arm.arm, arm]));
  return table(
    "Plays that failed, and tuning runs that were refused",
    ["Learner", "Stream", "Role", "Factors", "Seed", "What", "Why"],
    results.failures.map((failure) => {
      const arm = byArm.get(failure.arm);
      return [
        arm.name,
        arm.stream,
        failure.role,
        factorsText(arm, failure.factor1, failure.factor2),
        String(failure.seed),
        failure.refused ? "refused" : "failed",
        failure.error,
      ];
    }),
  );
}

export function provenance() {
  return [
    facts(),
    table(
      "What was played",
      ["Learner", "Stream", "Method", "Domain", "Options", "Tuned constants", "Settings"],
      results.arms.map(settings),
    ),
    failures(),
    make("h3", {}, "The experiment's file"),
    make("pre", { class: "file", tabindex: "0", "aria-label": "The experiment's file" }, results.experiment ?? ""),
    make(
      "p",
      {},
      make(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => save("experiment.ini", "text/plain", results.experiment ?? ""),
        },
        "experiment.ini",
      ),
      " ",
      make(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => save("results.json", "application/json", JSON.stringify(results)),
        },
        "All data as JSON",
      ),
    ),
  ];
}
