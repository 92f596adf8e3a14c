/* site.mjs — the site in a real browser, opened as files: node site.mjs SITE [FOLDER for screenshots]
 *
 * On a phone no page is wider than the screen: what is wide scrolls by itself. No page asks the network for anything or has an
 * error. The search finds a function, a command's option and a word of a page, and its result leads there.
 */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { startBrowser } from "../report/page.mjs";

const [site, shots] = process.argv.slice(2);
const pages = readdirSync(site, { recursive: true })
  .filter((name) => name.endsWith(".html") && name !== "404.html")
  .sort();
let browser;

before(async () => (browser = await startBrowser()));
after(() => browser?.close());

async function open(width, scheme = "light") {
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme: scheme });
  const page = await context.newPage(),
    trouble = [];
  page.on("pageerror", (error) => trouble.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && trouble.push(`${page.url()}: ${message.text()}`));
  page.on(
    "request",
    (request) => /^(file|data|about|blob):/.test(request.url()) || trouble.push(`asks for ${request.url()}`),
  );
  return { page, trouble, show: (name) => page.goto(pathToFileURL(join(site, name)).href, { waitUntil: "load" }) };
}

test(`No page of ${pages.length} is wider than a phone`, async () => {
  const { page, trouble, show } = await open(390),
    wide = [];
  for (const name of pages) {
    await show(name);
    const found = await page.evaluate(() => {
      const over = document.scrollingElement.scrollWidth - innerWidth;
      const culprit = [...document.querySelectorAll("article *")].find(
        (node) => node.scrollWidth > innerWidth && getComputedStyle(node).overflowX === "visible",
      );
      return over > 0 ? `${over} px, by ${culprit?.outerHTML.slice(0, 120)}` : "";
    });
    if (found) wide.push(`${name}: ${found}`);
  }
  assert.deepEqual(wide, []);
  assert.deepEqual(trouble, []);
  await page.context().close();
});

test("The search finds what is asked for, and leads there", async () => {
  const { page, trouble, show } = await open(1280);
  for (const [words, wanted] of [
    ["ofw_learner_observe_hinted", "c/learner.html"],
    ["held-out-every", "manual/"],
    ["OnlineMatrixCompletion", "python"],
  ]) {
    await show("index.html");
    await page.locator(".md-search__input").click();
    await page.locator(".md-search__input").pressSequentially(words);
    await page.waitForSelector(".md-search-result__link", { timeout: 20000 });
    const links = await page.locator(".md-search-result__link").evaluateAll((all) => all.map((a) => a.href));
    const hit = links.find((link) => relative(site, decodeURI(new URL(link).pathname)).startsWith(wanted));
    assert.ok(hit, `'${words}' gives ${links.slice(0, 5)}`);
    await page.goto(hit);
    assert.ok((await page.locator("article").textContent()).includes(words));
  }
  assert.deepEqual(trouble, []);
  await page.context().close();
});

test("Screenshots", { skip: !shots }, async () => {
  for (const [name, width, scheme] of [
    ["index.html", 1280, "light"],
    ["index.html", 390, "light"],
    ["theory.html", 1280, "dark"],
    ["theory.html", 390, "light"],
    ["rivals.html", 1280, "light"],
    ["rivals.html", 390, "dark"],
    ["performance.html", 390, "light"],
    ["manual/ofw-run.1.html", 1280, "light"],
    ["manual/ofw-run.1.html", 390, "light"],
    ["c/learner.html", 1280, "light"],
    ["c/learner.html", 390, "dark"],
    ["python-api/classes.html", 1280, "light"],
    ["tutorial.html", 1280, "light"],
    ["readme.html", 390, "light"],
  ]) {
    const { page, show } = await open(width, scheme);
    await show(name);
    await page.screenshot({ path: join(shots, `${name.replace(/\W/g, "-")}-${width}-${scheme}.png`) });
    await page.context().close();
  }
});
