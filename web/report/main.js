/* main.js — the page: its title, its sections, and the way between them */
import { names } from "../shared/cast.js";
import { make, number } from "../shared/dom.js";
import { startTheme } from "../shared/theme.js";
import { claims, claimsSummary } from "./claims.js";
import { costs } from "./cost.js";
import { results, streams } from "./data.js";
import { overview } from "./overview.js";
import { provenance } from "./provenance.js";
import { readings } from "./readings.js";
import { summary } from "./summary.js";
import { tradeoff } from "./tradeoff.js";
import { tuning } from "./tuning.js";

const sections = [
  ["summary", "Summary", summary],
  ["overview", "Loss and violation", overview],
  ["claims", "Claims", claims],
  ["readings", "Which reading gives which claim", readings],
  ["tradeoff", "Trade-off", tradeoff],
  ["tuning", "Tuning landscape", tuning],
  ["cost", "Cost", costs],
  ["provenance", "Configuration and provenance", provenance],
];

const several = (n, noun) => `${number(n)} ${noun}${n === 1 ? "" : "s"}`;

document.title = `${results.title}: ofw report`;
document.getElementById("title").textContent = results.title;
document.getElementById("facts").textContent = [
  several(names.length, "learner"),
  several(streams.length, "stream"),
  several(results.rounds, "round"),
  several(results.seeds.length, "seed"),
  several(results.cells, "play"),
  claimsSummary(),
]
  .filter((fact) => fact)
  .join(" · ");
document.getElementById("colophon").textContent =
  `Written by ofw ${results.written_by}. This page holds all of its data and asks no other machine for anything.`;
for (const [id, title, fill] of sections) {
  const content = fill();
  if (!content) continue;
  document.getElementById("sections").append(make("a", { href: `#${id}` }, title));
  document
    .getElementById("main")
    .append(
      make("section", { id, "aria-labelledby": `${id}-title` }, make("h2", { id: `${id}-title` }, title), content),
    );
}
startTheme();
