/* page.mjs — a report in a real browser, and what the tests ask of it */
import assert from "node:assert/strict";
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
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

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

/* Runs before the page's own scripts: a figure's element has its uPlot as `plotted`, and a canvas, since it was last
 * cleared, the paths that were stroked as `strokes` and the dots as `dots`, each with its colour. */
function recordPainting() {
  let real;
  Object.defineProperty(window, "uPlot", {
    get: () => real,
    set: (uPlot) => {
      real = new Proxy(uPlot, {
        construct(target, [options, data, host]) {
          host.plotted = new target(options, data, host);
          return host.plotted;
        },
      });
    },
  });
  const plain = CanvasRenderingContext2D.prototype;
  const before = (name, note) => {
    const original = plain[name];
    plain[name] = function (...values) {
      note(this, ...values);
      return original.apply(this, values);
    };
  };
  before("clearRect", (ctx) => Object.assign(ctx.canvas, { strokes: [], dots: [] }));
  before("beginPath", (ctx) => (ctx.places = []));
  before("lineTo", (ctx, x, y) => ctx.places?.push([x, y]));
  before("stroke", (ctx, path) => path || ctx.canvas.strokes?.push([ctx.strokeStyle, ctx.places]));
  before("arc", (ctx, x, y) => ctx.canvas.dots?.push([ctx.fillStyle, x, y]));
}

/* The page, and in `trouble` every error, warning and request that it should not have made. */
export async function openReport(browser, file, { width = 1600, scheme = "light" } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    acceptDownloads: true,
  });
  await context.addInitScript(recordPainting);
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

/* ---- numbers as the page shows them ---- */

/* The number that a text shows; null where none is known. */
function numberIn(text) {
  if (text === "–") return null;
  assert.notEqual(text, "");
  const raised = { "⁻": "-", "⁰": 0, "¹": 1, "²": 2, "³": 3, "⁴": 4, "⁵": 5, "⁶": 6, "⁷": 7, "⁸": 8, "⁹": 9 };
  const plain = text.replaceAll("\u2009", "").replaceAll("−", "-");
  const [, mantissa = "1", power] =
    plain.match(/^(?:(-?[\d.]+)×?)?(?:10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/) ?? assert.fail(`'${text}' is no number`);
  return Number(mantissa) * 10 ** Number([...(power ?? "")].map((c) => raised[c]).join("") || 0);
}

/* Fails unless the text is the number, rounded to so many digits. */
export function shows(text, value, digits, what) {
  const found = numberIn(text);
  if (value == null) return assert.equal(found, null, what);
  const unit = value === 0 ? 0 : 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
  assert.ok(found != null && Math.abs(found - value) <= 0.5001 * unit, `${what}: '${text}' is shown for ${value}`);
}

/* Fails unless the text is a mean of four digits with a deviation of two; no deviation is shown where it is 0 or not known. */
export function showsSpread(text, [mean, deviation], what) {
  const [first, second, ...more] = text.split(" ± ");
  assert.equal(more.length, 0, what);
  shows(first, mean, 4, what);
  assert.equal(second != null, Boolean(deviation), `${what}: '${text}' is shown for a deviation of ${deviation}`);
  if (second != null) shows(second, deviation, 2, `${what}, deviation`);
}

/* Mean and standard deviation, of a sample: over n - 1. By differences of pairs, which is another way than the page's. */
export function sample(list) {
  const n = list.length;
  if (n === 0 || list.includes(null)) return [null, null];
  let sum = 0,
    squares = 0;
  for (let i = 0; i < n; i++) {
    sum += list[i];
    for (let k = 0; k < i; k++) squares += (list[i] - list[k]) ** 2;
  }
  return [sum / n, n > 1 ? Math.sqrt(squares / n / (n - 1)) : null];
}

/* A table by its caption: texts by row and column, and which of them are in bold. */
export const tableOf = (page, caption) =>
  page.locator("table").evaluateAll((tables, wanted) => {
    const table = tables.find((t) => t.caption?.textContent.startsWith(wanted));
    const row = (tr) => [...tr.cells].map((cell) => cell.textContent);
    return {
      head: row(table.tHead.rows[0]),
      rows: [...table.tBodies[0].rows].map(row),
      bold: [...table.tBodies[0].rows].map((tr) => [...tr.cells].map((cell) => Boolean(cell.querySelector("strong")))),
    };
  }, caption);

/* ---- readers who do not see it, or have no mouse ---- */

/* Fails unless axe has nothing to say. */
export async function satisfiesAxe(page) {
  await page.evaluate(axe); // as a script of the page it would be refused
  const { violations, passes } = await page.evaluate(() => axe.run());
  assert.deepEqual(
    violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0].html}`),
    [],
  );
  assert.ok(passes.length > 20);
}

/* Fails unless Tab reaches every control, of which there are more than `least`, and each shows that it has the focus. */
export async function tabReachesAll(page, least) {
  const wanted = await page.evaluate(() => {
    const groups = new Set();
    const all = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter(
      (e) => e.checkVisibility() && !e.disabled && !(e.type === "radio" && (groups.has(e.name) || !groups.add(e.name))),
    );
    window.reached = new Set();
    window.unseen = [];
    document.addEventListener("focusin", ({ target }) => {
      window.reached.add(target.type === "radio" ? target.name : target);
      const style = getComputedStyle(target.type === "radio" ? target.nextElementSibling : target);
      if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2)
        window.unseen.push(target.outerHTML.slice(0, 80));
    });
    window.wanted = all.map((e) => (e.type === "radio" ? e.name : e));
    document.activeElement.blur();
    return all.length;
  });
  assert.ok(wanted > least, `${wanted} controls`);
  for (let i = 0; i < wanted + 5; i++) await page.keyboard.press("Tab");
  assert.deepEqual(
    await page.evaluate(() => window.wanted.filter((e) => !window.reached.has(e)).map((e) => e.outerHTML ?? e)),
    [],
  );
  assert.deepEqual(await page.evaluate(() => window.unseen), []);
}
