/* page.mjs — a report in a real browser, and what the tests ask of it */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(here, "../../web/package.json"));
const { chromium } = require("playwright-core");
export const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export function makeReport(ofw) {
  const folder = mkdtempSync(join(tmpdir(), "ofw-report-"));
  execFileSync(ofw, ["sweep", join(here, "tiny.ini"), "-o", folder, "-q"]);
  const report = (name) => {
    execFileSync(ofw, ["report", folder, "-o", join(folder, name)]);
    return join(folder, name);
  };
  return { folder, report, remove: () => rmSync(folder, { recursive: true }) };
}

export const startBrowser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid() === 0 ? ["--no-sandbox"] : [],
  });

/* The page, and in `trouble` every error, warning and request that it should not have made. */
export async function openReport(browser, file, { width = 1600, scheme = "light" } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    acceptDownloads: true,
  });
  const page = await context.newPage(),
    trouble = [];
  page.on("console", (message) => trouble.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => trouble.push(error.message));
  page.on(
    "request",
    (request) =>
      /^(data|blob):/.test(request.url()) ||
      request.url() === pathToFileURL(file).href ||
      trouble.push(`asks for ${request.url()}`),
  );
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(
    () => document.querySelectorAll(".plot canvas").length === document.querySelectorAll(".plot").length,
  );
  return { page, trouble, data: await page.evaluate(() => JSON.parse(document.getElementById("data").textContent)) };
}

/* By which a canvas's pixels are known. */
export const picture = async (plot) =>
  createHash("sha256")
    .update(await plot.locator("canvas").evaluate((canvas) => canvas.toDataURL()))
    .digest("hex");

/* How many pixels of each canvas have a colour, within a little. */
export function pixelsOf(page, colour) {
  return page.locator(".plot canvas").evaluateAll(
    (canvases, wanted) =>
      canvases.map((canvas) => {
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        let n = 0;
        for (let i = 0; i < data.length; i += 4)
          if (data[i + 3] > 200 && wanted.every((c, k) => Math.abs(data[i + k] - c) < 12)) n++;
        return n;
      }),
    colour.match(/\d+/g).slice(0, 3).map(Number),
  );
}

/* The colour in which a name is drawn. */
export const colourOf = (page, name) =>
  page
    .locator(`.toggle[data-name="${name}"] line`)
    .first()
    .evaluate((line) => getComputedStyle(line).stroke);

/* A browser lets a page save ten files a second. */
export async function download(page, button) {
  await page.waitForTimeout(110);
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

/* Rows of a CSV whose fields hold no line ends. */
export const rowsOf = (text) =>
  text
    .trim()
    .split("\n")
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .map((m) => m[1].replace(/^"|"$/g, "").replaceAll('""', '"'))
        .slice(0, -1),
    );
