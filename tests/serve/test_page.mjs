/* test_page.mjs — the page of 'ofw serve' in a real browser, at a real server: node test_page.mjs OFW [FOLDER for screenshots] */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { picture, satisfiesAxe, shows, startBrowser, tabReachesAll } from "../report/page.mjs";
import { ask, play, startServer } from "./server.mjs";

const [ofw, shots] = process.argv.slice(2);
let browser;

before(async () => {
  browser = await startBrowser();
});
after(() => browser?.close());

/* The page; in `trouble` every error, warning and request to another place. */
async function openPage(url, { width = 1400, scheme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  const page = await context.newPage(),
    trouble = [];
  page.on("console", (message) => trouble.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => trouble.push(error.stack || error.message));
  page.on(
    "request",
    (request) =>
      request.url().startsWith(`${url}/`) || /^(data|blob):/.test(request.url()) || trouble.push(request.url()),
  );
  await page.goto(`${url}/`);
  return { page, trouble };
}

/* A test at a server of its own, on a page that has loaded, which must be without trouble at the end. */
function pageTest(name, body, options) {
  test(name, async () => {
    const own = await startServer(ofw);
    try {
      const sessions = [];
      for (const session of options?.sessions ?? []) sessions.push(await ask(own.url, "/v1/sessions", session));
      const { page, trouble } = await openPage(own.url, options);
      await page.locator("form.create").waitFor();
      await body(page, own, sessions);
      const refused = /Failed to load resource/; // which a browser reports by itself
      assert.deepEqual(
        trouble.filter((text) => !(options?.refuses && refused.test(text))),
        [],
      );
      await page.context().close();
    } finally {
      await own.stop();
    }
  });
}

const card = (page, name) => page.locator(".cards .card").filter({ has: page.getByRole("heading", { name }) });
const watchBox = (page, name) => page.getByRole("checkbox", { name: `Watch ${name}` });
const fact = (page, name, title) =>
  card(page, name)
    .locator("dl div")
    .filter({ has: page.locator("dt", { hasText: title }) })
    .locator("dd");
const waitForRound = (page, name, round) =>
  fact(page, name, "Rounds")
    .filter({ hasText: new RegExp(`^${round}$`) })
    .waitFor();

const pictures = async (page) => Promise.all((await page.locator(".plot").all()).map(picture));

/* ---- making sessions ---- */

pageTest("The form explains a set's parameters and makes a session, by keyboard alone", async (page, own) => {
  await page.getByLabel("Set of possible decisions").focus();
  await page.keyboard.type("l1-ball");
  await page.keyboard.press("Tab");
  const dim = page.locator("#domain-dim"),
    catalogue = await ask(own.url, "/v1/catalogue"),
    ball = catalogue.domains.find(({ name }) => name === "l1-ball");
  for (const option of ball.options) {
    const field = page.locator(`#domain-${option.name}`);
    assert.equal(
      await page.locator(`#${await field.getAttribute("aria-describedby")}`).textContent(),
      `${option.help}.`,
    );
    assert.equal((await field.getAttribute("required")) != null, option.default == null);
  }
  assert.equal(await page.locator("#spec").textContent(), ball.example, "the catalogue's example is filled in");
  await dim.fill("3");
  await page.getByLabel("Name").fill("mine");
  await page.keyboard.press("Enter");
  await card(page, "mine").waitFor();
  const { sessions } = await ask(own.url, "/v1/sessions");
  assert.equal(sessions.length, 1);
  assert.equal(sessions[0].name, "mine");
  assert.equal(sessions[0].domain, ball.example.replace(/dim=\d+/, "dim=3"));
  assert.equal(await page.getByRole("status").textContent(), `session ${sessions[0].id} is made`);
});

pageTest("Options of the learner are sent as they are given", async (page, own) => {
  await page.getByLabel("Learner", { exact: true }).selectOption("ofw-tvc");
  await page.getByText("Settings and options of the learner").click();
  await page.locator("#option-horizon").fill("50");
  await page.locator("#option-lipschitz").fill("2");
  await page.locator("#option-sigma").selectOption("line-search");
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator(".session").waitFor();
  const [session] = (await ask(own.url, "/v1/sessions")).sessions;
  assert.deepEqual(await page.locator("#option-seed, #option-threads").count(), 0, "what a session cannot set");
  assert.deepEqual(session.options, { horizon: 50, lipschitz: 2, sigma: "line-search" });
});

pageTest(
  "A refusal is the server's own message, and stays until something goes well",
  async (page, own) => {
    await page.locator("#domain-dim").fill("none");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("alert").getByText("dim=none is not a whole number").waitFor();
    assert.deepEqual((await ask(own.url, "/v1/sessions")).sessions, []);
    await page.waitForTimeout(5500); // the list is brought up to date meanwhile
    assert.match(await page.getByRole("alert").textContent(), /dim=none/);
    await page.locator("#domain-dim").fill("2");
    await page.getByRole("button", { name: "Create" }).click();
    await page.locator(".session").waitFor();
    assert.equal(await page.getByRole("alert").textContent(), "");
  },
  { refuses: true },
);

/* ---- watching ---- */

const pair = ["first", "second"].map((name) => ({ name, learner: "ofw-ada", domain: "simplex:dim=3" }));

pageTest(
  "Curves and numbers follow what another client plays",
  async (page, own, [first, second]) => {
    await watchBox(page, "first").check();
    await watchBox(page, "second").check();
    const blank = await pictures(page);
    const { sum, decision } = await play(own.url, first.id, 60, [1, 2, 3]);
    await play(own.url, second.id, 40, [3, 1, 2]);
    await waitForRound(page, "first", 60);
    await waitForRound(page, "second", 40);
    shows(await fact(page, "first", "Loss").textContent(), sum, 4, "the sum of losses");
    const { account } = await ask(own.url, `/v1/sessions/${first.id}`);
    shows(await fact(page, "first", "CCV").textContent(), account.ccv, 4, "CCV");
    shows(await fact(page, "first", "Price").textContent(), account.price, 4, "the price");
    await page.waitForTimeout(500);
    const drawn = await pictures(page);
    for (const i of [0, 1, 2, 3]) assert.notEqual(drawn[i], blank[i], `figure ${i} has changed`);
    for (const [i, said] of [/^Cumulative loss/, /^Cumulative violation/, /^Price/, /^Certificate: regret/].entries()) {
      const label = await page.locator(".plot").nth(i).getAttribute("aria-label");
      assert.match(label, said);
      assert.match(label, /first .*second /);
    }
    const caption = card(page, "first").locator(".bars caption").filter({ hasText: "round 61" });
    await caption.waitFor();
    const shown = await card(page, "first").locator(".bars td:last-child").allTextContents();
    shown.forEach((text, i) => shows(text, decision[i], 3, `entry ${i}`));
  },
  { sessions: pair },
);

pageTest("A session that answers late is made from the form, and shows its open rounds", async (page, own) => {
  await page.getByText("Settings and options of the learner").click();
  assert.match(await page.locator("#option-delay-help").textContent(), /feedback may come late/);
  await page.locator("#option-delay").fill("3");
  await page.getByLabel("Name").fill("late");
  await page.getByRole("button", { name: "Create" }).click();
  await card(page, "late").getByText("No round is open").waitFor();
  const [{ id, dim, options }] = (await ask(own.url, "/v1/sessions")).sessions;
  assert.deepEqual(options, { delay: 3 });
  for (const round of [1, 2, 3]) await ask(own.url, `/v1/sessions/${id}/decide`, { round });
  await card(page, "late").locator("caption", { hasText: "round 3" }).waitFor();
  assert.equal(await fact(page, "late", "Open rounds").textContent(), "3");
  const cost = { loss: 1, loss_gradient: Array.from({ length: dim }, (none, i) => i) };
  await ask(own.url, `/v1/sessions/${id}/feedback`, { round: 2, ...cost });
  const { decision } = await ask(own.url, `/v1/sessions/${id}/decide`, { round: 4 });
  await card(page, "late").locator("caption", { hasText: "round 4" }).waitFor();
  const shown = await card(page, "late").locator(".bars td:last-child").allTextContents();
  shown.forEach((text, i) => shows(text, decision[i], 3, `entry ${i}`));
  await page.locator(".session .facts", { hasText: "round 1 · 3 of 4 open" }).waitFor();
  for (const round of [1, 3, 4]) await ask(own.url, `/v1/sessions/${id}/feedback`, { round, ...cost });
  await card(page, "late").getByText("No round is open").waitFor();
});

pageTest(
  "A session that is not watched is not drawn, and the focus stays on its box",
  async (page, own, [first]) => {
    await play(own.url, first.id, 5, [1, 2, 3]);
    await watchBox(page, "first").focus();
    await page.keyboard.press("Space");
    await waitForRound(page, "first", 5);
    assert.ok(await watchBox(page, "first").evaluate((box) => box === document.activeElement));
    await watchBox(page, "second").check();
    assert.equal(await page.locator(".cards .card").count(), 2);
    await watchBox(page, "first").uncheck();
    assert.equal(await page.locator(".cards .card").count(), 1);
    assert.doesNotMatch(await page.locator(".plot").first().getAttribute("aria-label"), /first/);
    for (const text of ["Per round", "CCV", "Logarithmic"])
      await page.locator("#watch .choice").getByText(text, { exact: true }).click();
    assert.match(await page.locator(".plot").first().getAttribute("aria-label"), /^Loss per round/);
    assert.match(await page.locator(".plot").nth(3).getAttribute("aria-label"), /^Certificate: CCV/);
  },
  { sessions: pair },
);

pageTest(
  "A matrix is a heat map, whose cells say their numbers, with the largest entries",
  async (page, own, [session]) => {
    await watchBox(page, "scores").check();
    await play(own.url, session.id, 3, [1, -2, 3, -4, 5, -6]);
    const { decision } = await ask(own.url, `/v1/sessions/${session.id}/decision`);
    await card(page, "scores").locator("caption", { hasText: "round 4" }).waitFor();
    const titles = await card(page, "scores")
      .locator(".heat td")
      .evaluateAll((cells) => cells.map((cell) => cell.title));
    assert.equal(titles.length, 6);
    titles.forEach((title, k) => {
      const [, row, column, number] = title.match(/^row (\d+), column (\d+): (.*)$/);
      assert.deepEqual([Number(row), Number(column)], [Math.floor(k / 3), k % 3]);
      shows(number, decision[k], 3, title);
    });
    const best = decision.indexOf(Math.max(...decision));
    assert.equal(
      await card(page, "scores").locator(".bars th").first().textContent(),
      `${Math.floor(best / 3)}, ${best % 3}`,
    );
  },
  { sessions: [{ name: "scores", learner: "ofw-ada", domain: "trace-ball:rows=2,cols=3,radius=4" }] },
);

pageTest(
  "Of a large matrix there is a sample, and the largest entries of a row; of a long vector the largest",
  async (page, own, [matrix]) => {
    await watchBox(page, "large").check();
    await watchBox(page, "long").check();
    await card(page, "large").locator("caption", { hasText: "16 × 16 of 60 × 50 entries" }).waitFor();
    assert.equal(await card(page, "large").locator(".heat td").count(), 256);
    await card(page, "large").getByLabel("Row").fill("7");
    await page.keyboard.press("Enter");
    await card(page, "large").locator("caption", { hasText: "Largest entries of row 7" }).waitFor();
    const { top } = await ask(own.url, `/v1/sessions/${matrix.id}/decision?row=7&top=8`);
    assert.deepEqual(await card(page, "large").locator(".bars th").allTextContents(), top.index.map(String));
    assert.match(await card(page, "long").locator("caption").textContent(), /^The largest of 500 entries/);
  },
  {
    sessions: [
      { name: "large", learner: "ofw-ada", domain: "trace-ball:rows=60,cols=50,radius=4" },
      { name: "long", learner: "ofw-ada", domain: "simplex:dim=500" },
    ],
  },
);

pageTest(
  "After a break of the connection the page goes on by itself",
  async (page, own, [first]) => {
    await watchBox(page, "first").check();
    await play(own.url, first.id, 5, [1, 2, 3]);
    await waitForRound(page, "first", 5);
    await own.restart(2500); // longer than the page waits before it tries again
    await play(own.url, first.id, 5, [1, 2, 3]);
    await waitForRound(page, "first", 10);
  },
  { sessions: pair, refuses: true },
);

/* ---- demos ---- */

pageTest("One click plays a demo, and another stops it", async (page, own) => {
  await page.getByRole("button", { name: "Demo: Suppliers" }).click();
  await page.locator(".cards .card").nth(1).waitFor();
  await page.locator("p", { hasText: /round \d\d+ of 400/ }).waitFor();
  await page.getByRole("button", { name: "Stop the demo" }).click();
  await page.getByRole("status").getByText("the demo is stopped").waitFor({ state: "attached" });
  const { sessions } = await ask(own.url, "/v1/sessions");
  assert.deepEqual(
    sessions.map(({ learner }) => learner),
    ["ofw-ada", "ofw"],
  );
  for (const { account } of sessions) assert.ok(account.round >= 10 && account.round < 400, `round ${account.round}`);
  assert.equal(await page.getByRole("button", { name: "Stop the demo" }).isVisible(), false);
  assert.ok(await page.getByRole("button", { name: "Demo: Ratings" }).isEnabled());
});

pageTest(
  "A demo ends if its session is deleted",
  async (page, own) => {
    await page.getByRole("button", { name: "Demo: Ratings" }).click();
    await page.locator(".heat").waitFor();
    const [{ id }] = (await ask(own.url, "/v1/sessions")).sessions;
    await page.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("button", { name: /^Delete for good/ }).click();
    await page.getByText("There is none yet").waitFor();
    await page.getByRole("button", { name: "Stop the demo" }).waitFor({ state: "hidden" });
    assert.equal((await fetch(`${own.url}/v1/sessions/${id}`)).status, 404);
    assert.equal(await page.getByRole("alert").textContent(), "");
  },
  { refuses: true },
);

/* ---- deleting ---- */

pageTest(
  "Deleting takes two steps, and is of that session alone",
  async (page, own, [first]) => {
    await watchBox(page, "first").check();
    await page.getByRole("button", { name: "Delete first" }).press("Enter");
    const sure = page.getByRole("button", { name: "Delete for good first" });
    assert.ok(await sure.evaluate((button) => button === document.activeElement));
    await page.getByRole("button", { name: "Keep first" }).press("Enter");
    assert.equal((await ask(own.url, "/v1/sessions")).sessions.length, 2);
    assert.ok(
      await page.getByRole("button", { name: "Delete first" }).evaluate((button) => button === document.activeElement),
    );
    await page.getByRole("button", { name: "Delete first" }).press("Enter");
    await sure.press("Enter");
    await page.getByRole("status").getByText("first is deleted").waitFor({ state: "attached" });
    assert.equal(await page.locator(".cards .card").count(), 0);
    const { sessions } = await ask(own.url, "/v1/sessions");
    assert.deepEqual(
      sessions.map(({ name }) => name),
      ["second"],
    );
    assert.equal((await fetch(`${own.url}/v1/sessions/${first.id}`)).status, 404);
  },
  { sessions: pair },
);

/* ---- tokens ---- */

test("A server with tokens is asked with one; a wrong one is refused, a read-only one reads", async () => {
  const own = await startServer(ofw, ["read read-token-of-a-test-1", "write write-token-of-a-test"]);
  try {
    const { page } = await openPage(own.url); // the browser itself reports every 401
    const enter = async (text) => {
      await page.locator("#token").fill(text);
      await page.getByRole("button", { name: "Use it" }).press("Enter");
    };
    await page.getByText("This server asks for a token.").waitFor();
    assert.ok(
      await page.locator("#token").evaluate((field) => field === document.activeElement && field.type === "password"),
    );
    assert.equal(await page.locator("form.create").count(), 0);
    await enter("wrong-token-of-a-test-0");
    await page.getByText("The server refused this token").waitFor();
    await enter("read-token-of-a-test-1");
    await page.locator("form.create").waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("alert").getByText("this token is for reading").waitFor();
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.getByText("This server asks for a token.").waitFor();
    const refused = [];
    page.on("response", (response) => response.status() === 401 && refused.push(response.url()));
    await enter("write-token-of-a-test");
    await page.locator("form.create").waitFor();
    await page.getByRole("button", { name: "Demo: Suppliers" }).click();
    await page.locator("p", { hasText: /round ([2-9]|\d\d+) of 400/ }).waitFor();
    await page
      .locator(".card dd")
      .filter({ hasText: /^[1-9]\d*$/ })
      .first()
      .waitFor();
    assert.deepEqual(refused, [], "every request has the token, that for events too");
    await page.context().close();
  } finally {
    await own.stop();
  }
});

/* ---- safety, and all readers ---- */

pageTest(
  "The policy admits the page's own scripts and style and its own server, and no text becomes code",
  async (page, own) => {
    const policy = await page.locator('head > meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
    const rules = Object.fromEntries(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]));
    for (const name of ["default-src", "base-uri", "form-action"]) assert.deepEqual(rules[name], ["'none'"]);
    assert.deepEqual(rules["connect-src"], ["'self'"]);
    for (const source of [...rules["script-src"], ...rules["style-src"]])
      assert.match(source, /^'sha256-[\w+/]{43}='$/);
    const answer = await fetch(`${own.url}/`);
    assert.equal(answer.headers.get("Content-Security-Policy"), "frame-ancestors 'none'");
    assert.match(answer.headers.get("Content-Type"), /^text\/html/);
  },
);

test("Code that gets into the page does nothing", async () => {
  const own = await startServer(ofw);
  try {
    const { page, trouble } = await openPage(own.url);
    await page.locator("form.create").waitFor();
    const ran = await page.evaluate(() => {
      const late = document.createElement("div");
      late.innerHTML = '<img src="data:," onerror="window.ran = 1">';
      document.body.append(late, Object.assign(document.createElement("script"), { textContent: "window.ran = 2" }));
      return window.ran;
    });
    const code = await page.evaluate(() => {
      const script = document.createElement("script");
      script.src = "data:text/javascript,window.ran=3";
      document.body.append(script);
      return new Promise((resolve) => setTimeout(() => resolve(window.ran), 300));
    });
    assert.deepEqual([ran, code], [undefined, undefined]);
    assert.ok(trouble.length >= 3 && trouble.every((text) => /Content Security Policy/.test(text)), trouble.join("\n"));
    await page.context().close();
  } finally {
    await own.stop();
  }
});

const bad = "<img src=x onerror=window.ran=1>";
pageTest(
  "A session's name is a text, whatever is in it",
  async (page) => {
    await watchBox(page, bad).check();
    await card(page, bad).waitFor();
    assert.equal(await page.locator("main img").count(), 0);
    assert.equal(await page.evaluate(() => window.ran), undefined);
  },
  { sessions: [{ name: bad, learner: "ofw-ada", domain: "simplex:dim=2" }] },
);

for (const scheme of ["light", "dark"])
  for (const width of [390, 1400])
    pageTest(
      `${scheme}, ${width} pixels: nothing sticks out and axe has nothing to say`,
      async (page, own, sessions) => {
        for (const session of sessions)
          await play(own.url, session.id, 8, session.cols === 2 ? [1, 2, 3, 4] : [1, 2, 3]);
        for (const { name } of sessions) await watchBox(page, name).check();
        await page.locator(".heat").waitFor();
        await page.getByText("Settings and options of the learner").click();
        await page.getByRole("button", { name: "Delete first" }).click();
        await page.waitForTimeout(600);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), scheme);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        if (shots) await page.screenshot({ path: join(shots, `serve-${scheme}-${width}.png`), fullPage: true });
        await satisfiesAxe(page);
      },
      {
        width,
        scheme,
        sessions: [...pair, { name: "scores", learner: "ofw-ada", domain: "trace-ball:rows=2,cols=2,radius=1" }],
      },
    );

pageTest(
  "Tab reaches every control, and the focus is seen",
  async (page, own, [first]) => {
    await play(own.url, first.id, 3, [1, 2, 3]);
    await watchBox(page, "first").check();
    await waitForRound(page, "first", 3);
    await tabReachesAll(page, 40);
  },
  { sessions: pair },
);
