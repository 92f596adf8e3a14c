/* report-shot.mjs — a screenshot of the page that 'ofw report' writes: node report-shot.mjs OFW FILE.png */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReport, startBrowser } from "../tests/report/page.mjs";

const [ofw, picture] = process.argv.slice(2);
const experiment = `[experiment]
title = Four learners on two streams
rounds = 2000
seeds = 5

[stream quadratic]
stream = quadratic
domain = l2-ball:dim=10

[stream conflict]
stream = conflict
domain = l2-ball:dim=10

[learner OFW-Ada]
learner = ofw-ada

[learner OFW-TVC]
learner = ofw-tvc
preset = tight

[learner OPDP]
learner = opdp

[learner COCO-AdaGrad]
learner = coco-adagrad
`;

const folder = mkdtempSync(join(tmpdir(), "ofw-shot-"));
const browser = await startBrowser();
try {
  writeFileSync(join(folder, "four.ini"), experiment);
  execFileSync(ofw, ["sweep", join(folder, "four.ini"), "-o", join(folder, "out"), "-q"]);
  execFileSync(ofw, ["report", join(folder, "out"), "-o", join(folder, "report.html")]);
  const { page } = await openReport(browser, join(folder, "report.html"), { width: 1200 });
  await page.setViewportSize({ width: 1200, height: 1240 });
  await page.screenshot({ path: picture });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
