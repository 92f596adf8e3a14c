/* test_report.mjs — the page of 'ofw report' in a real browser: node test_report.mjs OFW [FOLDER for screenshots] */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  colourOf,
  download,
  makeReport,
  openReport,
  picture,
  pixelsOf,
  rowsOf,
  sample,
  satisfiesAxe,
  shows,
  showsSpread,
  startBrowser,
  tabReachesAll,
  tableOf,
} from "./page.mjs";

const [ofw, shots] = process.argv.slice(2);
let made, browser, file, view;

before(async () => {
  made = makeReport(ofw);
  file = made.report("report.html");
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  made?.remove();
});

/* A test on a page of its own, which must be without trouble at the end. */
function pageTest(name, body, options) {
  test(name, async () => {
    view = await openReport(browser, file, options);
    await body(view.page, view.data);
    assert.deepEqual(view.trouble, []);
    await view.page.context().close();
  });
}

const plots = (page) => page.locator(".plot");
/* Where the pointer may go within a chart. */
async function boxOf(plot) {
  await plot.scrollIntoViewIfNeeded();
  return plot.locator(".u-over").boundingBox();
}
const choose = (page, section, text) => page.locator(`#${section} .choice`).getByText(text, { exact: true }).click();

pageTest("The title is text, whatever is in it, and the facts are the experiment's", async (page, data) => {
  assert.equal(await page.locator("h1").textContent(), 'Tiny </script><b>"quoted" & ünïcode');
  assert.equal(await page.locator("h1 b").count(), 0);
  assert.match(
    await page.locator("#facts").textContent(),
    new RegExp(`^5 learners · 2 streams · 60 rounds · 3 seeds · ${data.cells} plays`),
  );
});

pageTest("Every chart shows every curve that has data", async (page, data) => {
  assert.equal(await plots(page).count(), 4 * 2); // loss, violation, trade-off, cost, on two streams
  for (const [i, n] of (await pixelsOf(page, await colourOf(page, "OFW-TVC"))).entries())
    assert.ok(n > 50, `OFW-TVC has ${n} pixels in chart ${i}`);
  for (const { stream, label, options } of data.arms) {
    const name = label === "OPDP" ? `${label} ${options}` : label,
      first = stream === "balls" ? 0 : 2;
    for (const n of (await pixelsOf(page, await colourOf(page, name))).slice(first, first + 2))
      assert.ok(n > 50, `${name} has ${n} pixels on ${stream}`);
  }
  for (const box of await plots(page).all()) assert.match(await box.getAttribute("aria-label"), /OFW-TVC .*\d/);
});

pageTest("A toggle takes a curve out of all charts and puts it back", async (page) => {
  const colour = await colourOf(page, "OFW-TVC"),
    before = await Promise.all((await plots(page).all()).map(picture));
  const toggle = page.locator('#overview .toggle[data-name="OFW-TVC"]');
  await toggle.click();
  for (const twin of await page.locator('.toggle[data-name="OFW-TVC"]').all())
    assert.equal(await twin.getAttribute("aria-pressed"), "false");
  for (const [i, n] of (await pixelsOf(page, colour)).entries()) assert.equal(n, 0, `pixels left in chart ${i}`);
  assert.doesNotMatch(await plots(page).first().getAttribute("aria-label"), /OFW-TVC/);
  await toggle.click();
  assert.deepEqual(await Promise.all((await plots(page).all()).map(picture)), before);
});

pageTest("Axis, scale, band and metric each change the picture and what is said of it", async (page) => {
  const first = plots(page).first(),
    seen = new Set([await picture(first)]);
  for (const [text, said] of [
    ["Oracle calls", /against oracle calls/],
    ["Seconds", /against seconds/],
    ["Rounds", /against rounds/],
  ]) {
    await choose(page, "overview", text);
    assert.match(await first.getAttribute("aria-label"), said);
    seen.add(await picture(first));
  }
  for (const text of ["Logarithmic", "None", "Regret"]) {
    await choose(page, "overview", text);
    seen.add(await picture(first));
  }
  assert.equal(seen.size, 6); // rounds came twice
  assert.match(await first.getAttribute("aria-label"), /^Regret against rounds/);
  assert.match(await page.locator("#overview figcaption").nth(2).textContent(), /not known on this stream/); // ratings
  for (const [section, text] of [
    ["tradeoff", "Linear"],
    ["tradeoff", "Regret"],
    ["cost", "Passes"],
    ["cost", "Rounds"],
  ]) {
    const plot = page.locator(`#${section} .plot`).last(),
      was = await picture(plot),
      said = await plot.getAttribute("aria-label");
    await choose(page, section, text);
    assert.ok(
      (await picture(plot)) !== was || (await plot.getAttribute("aria-label")) !== said,
      `${section}: ${text} changes nothing`,
    );
  }
});

pageTest("Dragging zooms, a double click returns; the buttons do the same by keyboard", async (page) => {
  const plot = plots(page).first(),
    whole = await picture(plot),
    figure = page.locator("figure").first();
  const reset = figure.getByRole("button", { name: "Reset zoom" });
  assert.ok(await reset.isDisabled());
  const box = await boxOf(plot);
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.3 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.7 * box.height, { steps: 5 });
  await page.mouse.up();
  assert.notEqual(await picture(plot), whole);
  assert.ok(await reset.isEnabled());
  await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  assert.equal(await picture(plot), whole);
  const seen = new Set([whole]);
  for (const name of ["Zoom in", "Move right", "Move left", "Zoom out"]) {
    await figure.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
    seen.add(await picture(plot));
  }
  assert.ok(seen.size >= 3);
  await reset.focus();
  await page.keyboard.press("Space");
  assert.equal(await picture(plot), whole);
});

pageTest("The pointer reads out every curve", async (page) => {
  const box = await boxOf(plots(page).first());
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  const text = await page.locator("figure").first().locator(".tip").textContent();
  for (const name of ["rounds", "OFW-TVC", "OPDP step=0.5", "OPDP step=2", "Losses alone", "Fine"])
    assert.ok(text.includes(name), `${name} in ${text}`);
});

/* ---- every number that is shown, computed anew from the document ---- */

const streams = ["balls", "ratings"];
const nameOf = ({ label, options }) => (label === "OPDP" ? `${label} ${options}` : label);
const armsOn = (data, stream) => data.arms.filter((arm) => arm.stream === stream);
const played = (arm, metric) => sample(arm.plays.map((play) => play[metric]));

pageTest("What plays came to is shown as it is, with the least in bold", async (page, data) => {
  const columns = {
    Loss: "loss",
    Regret: "regret",
    "Violation (CCV)": "ccv",
    "Soft violation": "soft_violation",
    "Held-out RMSE": "held_out_rmse",
  };
  for (const stream of streams) {
    const arms = armsOn(data, stream),
      { head, rows, bold } = await tableOf(page, `${stream} after 60 rounds`);
    const known = Object.keys(columns).filter((title) => arms.some((arm) => played(arm, columns[title])[0] != null));
    assert.deepEqual(head, ["Learner", ...known]);
    assert.deepEqual(
      rows.map(([name]) => name),
      arms.map(nameOf),
    );
    for (const [k, title] of known.entries()) {
      const means = arms.map((arm) => played(arm, columns[title])[0]);
      arms.forEach((arm, i) => {
        showsSpread(rows[i][k + 1], played(arm, columns[title]), `${stream}, ${nameOf(arm)}, ${title}`);
        const least = means.every((mean) => means[i] <= mean) && means.some((mean) => means[i] < mean);
        assert.equal(bold[i][k + 1], least, `${stream}, ${title}: ${means[i]} of ${means}`);
      });
    }
  }
});

pageTest("What plays cost is shown as it is, a round in microseconds", async (page, data) => {
  for (const stream of streams) {
    const arms = armsOn(data, stream),
      { head, rows } = await tableOf(page, `Cost of a play on ${stream}`);
    assert.deepEqual(head, ["Learner", "Oracle calls", "Passes", "Projections", "Seconds", "Microseconds a round"]);
    arms.forEach((arm, i) => {
      assert.equal(rows[i][0], nameOf(arm));
      for (const [k, metric] of ["oracle_calls", "passes", "projections", "seconds"].entries())
        showsSpread(rows[i][k + 1], played(arm, metric), `${stream}, ${nameOf(arm)}, ${metric}`);
      shows(rows[i][5], (played(arm, "seconds")[0] / data.rounds) * 1e6, 3, `${stream}, ${nameOf(arm)}, a round`);
    });
  }
});

pageTest(
  "A curve is the mean, its band one deviation on both sides (no violation is below 0), and its words are its end",
  async (page, data) => {
    const drawn = await plots(page).evaluateAll((hosts) => hosts.slice(0, 4).map((host) => host.plotted.data));
    for (const [i, columns] of drawn.entries()) {
      const metric = i % 2 ? "ccv" : "loss",
        arms = armsOn(data, streams[i >> 1]),
        words = (await plots(page).nth(i).getAttribute("aria-label")).match(/At the end: (.*)\.$/)[1].split("; ");
      for (const [k, arm] of arms.entries()) {
        const { round, [metric]: mean, [`${metric}_sd`]: deviation } = arm.series;
        assert.deepEqual(columns[0], round);
        assert.deepEqual(columns[3 * k + 1], mean);
        for (const [side, sign] of [-1, 1].entries())
          columns[3 * k + 2 + side].forEach((edge, at) => {
            const whole = mean[at] + sign * deviation[at],
              wanted = metric === "ccv" ? Math.max(0, whole) : whole;
            assert.ok(
              Math.abs(edge - wanted) <= 1e-12 * (1 + Math.abs(wanted)),
              `${metric}, round ${round[at]}: ${edge}`,
            );
          });
        assert.ok(words[k].startsWith(`${nameOf(arm)} `), words[k]);
        showsSpread(words[k].slice(nameOf(arm).length + 1), [mean.at(-1), deviation.at(-1)], words[k]);
      }
    }
  },
);

pageTest("The pointer reads out each curve at the last recorded round", async (page, data) => {
  const plot = plots(page).first(),
    box = await boxOf(plot),
    figure = page.locator("figure").first();
  for (const share of [0.23, 0.52, 0.81]) {
    await page.mouse.move(box.x + share * box.width, box.y + 0.5 * box.height);
    const round = Number((await figure.locator(".tip strong").textContent()).replace(" rounds", ""));
    const found = await figure
      .locator(".tip > span")
      .evaluateAll((spans) =>
        spans.map((span) => [span.querySelector("span").textContent, span.querySelector("b").textContent]),
      );
    const wanted = armsOn(data, "balls").map(({ series, ...arm }) => {
      const at = series.round.filter((recorded) => recorded <= round).length - 1;
      return [nameOf(arm), series.loss[at], series.loss_sd[at]];
    });
    wanted.sort((a, b) => b[1] - a[1]);
    assert.deepEqual(
      found.map(([name]) => name),
      wanted.map(([name]) => name),
    );
    wanted.forEach(([name, ...value], k) => showsSpread(found[k][1], value, `${name} at ${round}`));
  }
});

pageTest("The trade-off has each run at its place, and a front goes down and to the right", async (page, data) => {
  for (const [i, stream] of streams.entries()) {
    const plot = page.locator("#tradeoff .plot").nth(i);
    const { strokes, dots } = await plot.evaluate((host) => {
      const { strokes, dots } = host.querySelector("canvas");
      return { strokes, dots };
    });
    const arm = armsOn(data, stream).find((a) => a.tuning),
      { runs } = arm.tuning,
      colour = "#0072b2"; // of the first name
    const places = await plot.evaluate(
      ({ plotted }, pairs) => pairs.map(([x, y]) => [plotted.valToPos(x, "x", true), plotted.valToPos(y, "y", true)]),
      runs.map((run) => [run.loss, run.ccv]),
    );
    assert.deepEqual(
      dots.filter(([painted]) => painted === colour).map(([, x, y]) => [x, y]),
      places,
    );
    const front = places.filter((place, k) => runs[k].front).sort((a, b) => a[0] - b[0]);
    assert.ok(front.length > (stream === "balls" ? 0 : 5), `${front.length} runs on the front of ${stream}`);
    const stairs = [front[0]];
    for (const [x, y] of front.slice(1)) stairs.push([x, stairs.at(-1)[1]], [x, y]);
    assert.deepEqual(strokes.find(([painted]) => painted === colour)[1], stairs);
    const words = (await plot.getAttribute("aria-label")).match(/Reported: (.*)\. Tuning runs: (\d+)\.$/);
    const shown = armsOn(data, stream).flatMap((a) => a.tuning?.runs.filter((run) => !run.error) ?? []);
    assert.equal(Number(words[2]), shown.length);
    for (const [k, reported] of words[1].split("; ").entries()) {
      const one = armsOn(data, stream)[k],
        [, loss, ccv] = reported.match(/ loss (.*), violation (.*)$/);
      assert.ok(reported.startsWith(nameOf(one)), reported);
      showsSpread(loss, played(one, "loss"), reported);
      showsSpread(ccv, played(one, "ccv"), reported);
    }
  }
});

/* Fails unless the text is "step ×10, gamma-scale ×0.3162". */
function showsFactors(text, arm, factors) {
  const parts = text.split(", ");
  assert.equal(parts.length, factors.length, text);
  factors.forEach((factor, k) => {
    const [name, number] = parts[k].split(" ×", 1).concat(parts[k].slice(parts[k].indexOf("×") + 1));
    assert.equal(name, arm[`constant${k + 1}`]);
    shows(number, factor, 4, text);
  });
}

/* The exponents of the best of 22, by the four runs around it. */
const halfway = (around) =>
  [0, 1].map((k) => {
    const exponents = around.map((run) => Math.log10(run.factors[k]));
    assert.ok(Math.abs(Math.max(...exponents) - Math.min(...exponents) - 1) < 1e-9);
    return Math.round((Math.max(...exponents) + Math.min(...exponents)) / 2);
  });

pageTest("The tuning map has each run under its factors, darker where it is less", async (page, data) => {
  for (const [i, arm] of data.arms.filter((a) => a.tuning).entries()) {
    const { across, up, cells } = await page
      .locator(".heat")
      .nth(i)
      .evaluate((table) => {
        const number = (th) => Number(th.textContent.replace("−", "-"));
        const rows = [...table.tBodies[0].rows];
        return {
          across: [...table.tFoot.rows[0].cells].slice(1).map(number),
          up: rows.map((tr) => number(tr.cells[0])),
          cells: rows.map((tr) =>
            [...tr.cells].slice(1).map((td) => [td.title, getComputedStyle(td).backgroundColor, td.className]),
          ),
        };
      });
    const decades = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5],
      fine = arm.tuning.runs.length === 26;
    const [best1, best2] = fine ? halfway(arm.tuning.runs.slice(22)) : [];
    const axis = (best) => (fine ? [...decades, best - 0.5, best + 0.5].sort((a, b) => a - b) : decades);
    assert.deepEqual(across, axis(best1));
    assert.deepEqual(up, [...axis(best2)].reverse());
    const seen = [];
    for (const run of arm.tuning.runs) {
      const [e1, e2] = run.factors.map((factor) => Math.round(2 * Math.log10(factor)) / 2);
      const [title, background, kind] = cells[up.indexOf(e2)][across.indexOf(e1)];
      if (run.error) {
        assert.match(title, /: refused: scbfw-tvc: c=\S+ probes/);
        assert.match(kind, /^failed/);
        continue;
      }
      const [, factors, score] = title.match(/^(.*): score ([^,]*)(?:, chosen)?$/);
      showsFactors(factors, arm, run.factors);
      if (e1 !== 0 || e2 !== 0) shows(score, run.score, 4, factors); // both halves of the tuning have the defaults
      assert.match(kind, /^run/);
      const [red, green, blue] = background.match(/\d+/g).map(Number);
      seen.push([run.score, 0.2126 * red + 0.7152 * green + 0.0722 * blue]);
    }
    seen.sort((a, b) => a[0] - b[0]);
    for (let k = 1; k < seen.length; k++) assert.ok(seen[k][1] >= seen[k - 1][1] - 1, `${seen[k - 1]} then ${seen[k]}`);
    assert.ok(seen.at(-1)[1] > seen[0][1] + 20, `${seen[0]} to ${seen.at(-1)}`);
  }
});

pageTest("The page begins with a summary: the least of each stream, and every claim's verdict", async (page, data) => {
  assert.equal(await page.locator("main > section").first().getAttribute("id"), "summary");
  const lines = await page.locator("#summary li").allTextContents();
  assert.equal(lines.length, streams.length + 1, "a line per stream, and the claim");
  streams.forEach((stream, i) => {
    const best = (metric) =>
      armsOn(data, stream).reduce((a, b) => (played(a, metric)[0] <= played(b, metric)[0] ? a : b));
    const [, loss, lossText, ccv, ccvText] = lines[i].match(
      /^\S+ least loss: (.*?), (.*); least violation: (.*?), (.*)$/,
    );
    assert.deepEqual([loss, ccv], [nameOf(best("loss")), nameOf(best("ccv"))]);
    showsSpread(lossText, played(best("loss"), "loss"), `${stream}, loss`);
    showsSpread(ccvText, played(best("ccv"), "ccv"), `${stream}, violation`);
  });
  assert.match(lines.at(-1), /OFW-TVC loses less/);
});

pageTest("Streams and their options are explained, defaults that are choices included", async (page) => {
  const about = page.locator("#overview details.about");
  assert.equal(await about.count(), 2);
  const text = await about.nth(1).textContent();
  assert.match(text, /^What matrix-completion is/);
  assert.match(text, /constraint = uniformuniform: <P, X> <= 0 with P uniform.*exposure: a cap on the mean score/);
  assert.match(text, /users = 30/);
});

pageTest("A constant at the edge of its grid is warned of", async (page, data) => {
  const captions = await page.locator("#tuning figcaption").allTextContents();
  const tuned = data.arms.filter((arm) => arm.tuning?.runs);
  assert.equal(captions.length, tuned.length);
  tuned.forEach((arm, i) => {
    const edge = [arm.plays[0].factor1, arm.plays[0].factor2].some((factor) => Math.abs(Math.log10(factor)) > 4.9);
    assert.equal(/at the edge of the grid/.test(captions[i]), edge, captions[i]);
  });
});

test("... also if it is chosen there", async () => {
  const { page } = await changed("edge.html", (html) => html.replaceAll(/"factor1":[\d.]+/g, '"factor1":100000'));
  assert.match(
    await page.locator("#tuning figcaption").first().textContent(),
    /^Chosen: step ×100\u2009000.* — step at the edge of the grid: a better value may lie beyond$/,
  );
  await page.context().close();
});

pageTest("Downloads hold the numbers of the figures", async (page, data) => {
  const { name, text } = await download(page, page.locator("figure").first().getByRole("button", { name: /CSV/ }));
  const [head, ...rows] = rowsOf(text),
    arms = data.arms.filter((arm) => arm.stream === "balls");
  assert.equal(name, "balls-loss.csv");
  assert.deepEqual(head, ["stream", "curve", "round", "oracle_calls", "passes", "seconds", "loss", "loss_sd"]);
  assert.equal(
    rows.length,
    arms.reduce((n, arm) => n + arm.series.round.length, 0),
  );
  assert.deepEqual(
    rows[0].slice(2).map(Number),
    head.slice(2).map((column) => arms[0].series[column][0]),
  );
  for (const button of await page.getByRole("button", { name: /CSV/ }).all())
    assert.ok(
      rowsOf((await download(page, button)).text).length > 1,
      await button.evaluate((b) => b.closest("section").id),
    );
  assert.equal((await download(page, page.getByRole("button", { name: "experiment.ini" }))).text, data.experiment);
  assert.deepEqual(
    JSON.parse((await download(page, page.getByRole("button", { name: "All data as JSON" }))).text),
    data,
  );
});

pageTest("The tuning map has a cell a run, marks the chosen one and is coloured by the metric", async (page, data) => {
  const tuned = data.arms.filter((arm) => arm.tuning);
  assert.equal(await page.locator(".heat").count(), tuned.length);
  for (const [i, arm] of tuned.entries()) {
    const map = page.locator(".heat").nth(i),
      pairs = new Set(arm.tuning.runs.map((run) => run.factors.join(" ")));
    assert.equal(await map.locator("td.run, td.failed").count(), pairs.size);
    const chosen = await map.locator("td.chosen").getAttribute("title");
    showsFactors(chosen.split(": ")[0], arm, [arm.plays[0].factor1, arm.plays[0].factor2]);
  }
  const colours = () =>
    page.locator(".heat td.run").evaluateAll((cells) => cells.map((cell) => cell.style.background).join());
  const seen = new Set();
  for (const metric of ["Loss", "CCV", "Score"]) {
    await choose(page, "tuning", metric);
    seen.add(await colours());
  }
  assert.equal(seen.size, 3);
});

/* Two readings that were played, of which one has a claim more, and a rule, which has a direction and no verdict. */
const readings = () => {
  const claim = {
    text: "A <b>bold</b> claim",
    stream: "balls",
    better: "OFW-TVC",
    than: "OPDP",
    better_mean: 1,
    than_mean: 2,
  };
  const first = { ...claim, claim: "1", metric: "loss" },
    second = { ...claim, claim: "2", metric: "ccv" };
  const played = { about: "as printed", title: "Tiny", rounds: 60, seeds: 3 };
  const pick = (factor, loss) => ({ factors: [factor, 1], loss, ccv: 5 });
  const rule = { reading: "by-front", about: "by the front", from: "literal tuning plays", seeds: 2 };
  return {
    set: "tiny",
    readings: [
      {
        reading: "literal",
        ...played,
        claims: [{ ...first, relative: -0.5, effect: -4.25, p_holm: 0.01, verdict: "holds" }],
      },
      {
        reading: "vertex",
        ...played,
        claims: [
          { ...first, relative: 0.25, effect: 3, p_holm: 0.02, verdict: "does not" },
          { ...second, relative: 0.01, effect: 2, p_holm: 0.03, verdict: "negligible" },
        ],
      },
      {
        ...rule,
        claims: [
          { ...first, relative: -0.125, effect: null, direction: "less", agrees: true },
          {
            ...first,
            metric: "hypervolume",
            better_mean: 0.75,
            than_mean: 0.5,
            relative: 1 / 3,
            effect: null,
            direction: "more",
            agrees: null,
          },
        ],
      },
    ],
    tuning: [
      {
        ...{ stream: "balls", learner: "OFW-TVC", constants: ["step", "gamma-scale"], seeds: 2, chosen: pick(10, 7) },
        by_seed: [pick(10, 7), pick(1, 9)],
        ...{ loss: { least: 7, mean: 8, largest: 9 }, ccv: { least: 5, mean: 5, largest: 5 } },
      },
    ],
  };
};

test("Readings are a table of comparisons by readings, with sizes; without any there is no such section", async () => {
  const plain = await openReport(browser, file);
  assert.equal(await plain.page.locator("#readings, nav a[href='#readings']").count(), 0);
  await plain.page.context().close();
  const html = readFileSync(made.report("readings.html"), "utf8");
  assert.ok(html.includes('"readings":null}'));
  const document = JSON.stringify(readings()).replaceAll("<", "\\u003c");
  writeFileSync(
    join(made.folder, "readings.html"),
    html.replace('"readings":null}', () => `"readings":${document}}`),
  );
  const { page, trouble } = await openReport(browser, join(made.folder, "readings.html"));
  assert.equal(await page.locator("nav a[href='#readings']").textContent(), "Which reading gives which claim");
  const { head, rows } = await tableOf(page, "Which reading gives which claim");
  assert.deepEqual(head, ["Comparison", "literal", "vertex", "by-front"]);
  assert.deepEqual(rows, [
    [
      "1: A <b>bold</b> claimloss: OFW-TVC below OPDP",
      "✓ holds−50%, effect −4.3",
      "✗ does not25%, effect 3",
      "↓ less−12.5%",
    ],
    ["2: A <b>bold</b> claimccv: OFW-TVC below OPDP", "–", "≈ negligible1%, effect 2", "–"],
  ]);
  assert.deepEqual((await tableOf(page, "Fronts")).rows, [["OFW-TVC and OPDP", "0.75", "0.5", "33.3%", "more"]]);
  assert.deepEqual((await tableOf(page, "The spread")).rows, [
    ["OFW-TVC", "step ×10, gamma-scale ×1", "step ×10, gamma-scale ×1; step ×1, gamma-scale ×1", "7 to 9", "5"],
  ]);
  const saved = await download(page, page.getByText("Readings as CSV"));
  assert.deepEqual(
    rowsOf(saved.text).map((row) => [row[0], row[1], row[4], row[13], row[14] ?? ""]),
    [
      ["reading", "claim", "metric", "verdict", "direction"],
      ["literal", "1", "loss", "holds", ""],
      ["vertex", "1", "loss", "does not", ""],
      ["vertex", "2", "ccv", "negligible", ""],
      ["by-front", "1", "loss", "", "less"],
      ["by-front", "1", "hypervolume", "", "more"],
    ],
  );
  await satisfiesAxe(page);
  assert.deepEqual(trouble, []);
  await page.context().close();
});

test("Claims are cards with verdicts in words, the verdict first; without any the section says so", async () => {
  const claim = {
    claim: "1",
    text: "A <b>bold</b> claim",
    stream: "balls",
    metric: "loss",
    better: "OFW-TVC",
    than: "OPDP",
    better_mean: 1.5,
    better_sd: 0.5,
    than_mean: 3,
    than_sd: null,
    pairs: 3,
    difference: -1.5,
    relative: -0.5,
    effect: 2,
    p: 0.001,
    p_holm: 0.004,
  };
  const verdicts = ["holds", "does not", "negligible", "not decided"];
  const html = readFileSync(made.report("claims.html"), "utf8"),
    from = html.indexOf('"claims":['),
    others = JSON.stringify(verdicts.map((verdict) => ({ ...claim, verdict }))).replaceAll("<", "\\u003c");
  writeFileSync(
    join(made.folder, "claims.html"),
    `${html.slice(0, from)}"claims":${others}}${html.slice(html.indexOf("</script>", from))}`,
  );
  const { page, trouble } = await openReport(browser, join(made.folder, "claims.html"));
  assert.deepEqual(
    (await page.locator(".card li .verdict").allTextContents()).map((text) => text.replace(/^\S+ /, "")),
    verdicts,
  );
  assert.deepEqual(
    (await page.locator("#claims .key .verdict").allTextContents()).map((text) => text.replace(/^\S+ /, "")),
    verdicts,
    "the legend",
  );
  assert.equal(
    await page.locator(".card li").first().textContent(),
    "✓ holdsloss: OFW-TVC 1.5 ± 0.5, OPDP 3difference −1.5 (−50% of the larger), effect size 2, corrected p 0.004, p 0.001",
  );
  assert.equal(await page.locator(".card").count(), 1, "four comparisons of one claim on one stream");
  assert.match(
    await page.locator("#claims").textContent(),
    /Nothing can be decided: 3 seeds .* 2 comparisons; 7 would be enough\./,
  );
  assert.equal(await page.locator(".card h3").first().textContent(), `1 of 4 hold${claim.text}`);
  for (const width of [360, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    const inside = await page
      .locator(".card")
      .evaluateAll((cards) => cards.every((c) => c.scrollWidth <= c.clientWidth));
    assert.ok(inside, `nothing of a card is cut at ${width} pixels`);
  }
  assert.match(await page.locator("#facts").textContent(), /1 of 4 comparisons/);
  assert.deepEqual(trouble, []);
  await page.context().close();
});

test("Names of every kind are texts of the page", async () => {
  const bad = "<script>window.ran = 1</script>",
    names = [
      `${bad}`,
      `</script>${bad}<!--`,
      `"'\`${"${window.ran=1}"}\\`,
      `]]>&lt;{{1}}%s \u202eevil`,
      "=HYPERLINK(1)",
      "x".repeat(400),
    ];
  const database = join(made.folder, "names.db"),
    script =
      "import json, sqlite3, sys; db = sqlite3.connect(sys.argv[1]); names = json.loads(sys.argv[2])\n" +
      "for arm, in db.execute('SELECT arm FROM arm').fetchall():\n" +
      "  db.execute('UPDATE arm SET label = ?, options = ? WHERE arm = ?', (names[arm % len(names)], names[(arm + 1) % len(names)], arm))\n" +
      "db.execute(\"UPDATE meta SET value = ? WHERE key = 'title'\", (names[1],)); db.commit()";
  copyFileSync(join(made.folder, "results.db"), database);
  execFileSync("/usr/bin/python3", ["-c", script, database, JSON.stringify(names)]);
  execFileSync(ofw, ["report", database, "-o", join(made.folder, "names.html")]);
  const { page, trouble, data } = await openReport(browser, join(made.folder, "names.html"));
  assert.ok(data.arms.every((arm) => names.includes(arm.label) && names.includes(arm.options)));
  assert.equal(await page.locator("h1").textContent(), names[1]);
  const shown = await page.locator("#overview .toggle").evaluateAll((all) => all.map((toggle) => toggle.dataset.name));
  for (const arm of data.arms)
    assert.ok(
      shown.some((name) => name.startsWith(arm.label)),
      arm.label,
    );
  await page.locator("#overview .toggle").first().click();
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.equal(await page.locator("script").count(), 3);
  assert.equal(await plots(page).count(), 4 * 2);
  assert.deepEqual(trouble, []);
  await page.context().close();
});

test("A sweep that has played nothing yet is a page without trouble", async () => {
  const empty = join(made.folder, "begun.db");
  copyFileSync(join(made.folder, "results.db"), empty);
  const tables = ["series", "timing_series", "timing", "cell"].map((table) => `DELETE FROM ${table};`).join("");
  const script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])";
  execFileSync("/usr/bin/python3", ["-c", script, empty, tables]);
  execFileSync(ofw, ["report", empty, "-o", join(made.folder, "begun.html")]);
  const { page, trouble } = await openReport(browser, join(made.folder, "begun.html"));
  assert.match(await page.locator("#facts").textContent(), /0 plays/);
  assert.match(await page.locator("#overview figcaption").first().textContent(), /Nothing is drawn/);
  assert.deepEqual(trouble, []);
  await page.context().close();
});

/* The page with other words in it, in `trouble` what the browser refused. */
async function changed(name, change) {
  const path = join(made.folder, name);
  writeFileSync(path, change(readFileSync(file, "utf8")));
  return openReport(browser, path);
}

pageTest("The policy admits the page's own scripts and style, and nothing else", async (page) => {
  const policy = await page.locator('head > meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  const rules = Object.fromEntries(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]));
  assert.deepEqual(Object.keys(rules), [
    "default-src",
    "script-src",
    "style-src",
    "img-src",
    "base-uri",
    "form-action",
  ]);
  for (const name of ["default-src", "base-uri", "form-action"]) assert.deepEqual(rules[name], ["'none'"]);
  assert.deepEqual(rules["img-src"], ["data:"]);
  assert.equal(rules["script-src"].length, 2);
  for (const source of [...rules["script-src"], ...rules["style-src"]]) assert.match(source, /^'sha256-[\w+/]{43}='$/);
});

test("A script, a handler, a style or an address that got into the page does nothing", async () => {
  const { page, trouble } = await changed("injected.html", (html) =>
    html
      .replace("</head>", '<base href="https://example.org/">\n</head>')
      .replace(
        "</body>",
        '<script>window.ran = "script"</script><img src="data:," onerror="window.ran = \'handler\'">' +
          '<p id="styled" style="color: rgb(1, 2, 3)">x</p><script src="data:text/javascript,window.ran=1"></script></body>',
      ),
  );
  await page.evaluate(() => {
    const late = document.createElement("div");
    late.innerHTML =
      '<img src="data:," onerror="window.ran = \'late handler\'"><svg onload="window.ran = \'svg\'"></svg>';
    document.body.append(late);
    document.body.append(
      Object.assign(document.createElement("script"), { textContent: "window.ran = 'late script'" }),
    );
    late.setAttribute("onclick", "window.ran = 'click'");
    late.click();
  });
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.notEqual(await page.locator("#styled").evaluate((p) => getComputedStyle(p).color), "rgb(1, 2, 3)");
  assert.equal(await page.evaluate(() => document.baseURI.slice(0, 5)), "file:");
  assert.ok(trouble.length >= 7, `refused: ${trouble.join("\n")}`);
  for (const text of trouble) assert.match(text, /Content Security Policy/);
  await page.context().close();
});

test("No cell of a downloaded table is a formula", async () => {
  const name = '=HYPERLINK("http://example.org")';
  const { page, trouble } = await changed("formula.html", (html) =>
    html.replaceAll('"name":"OFW-TVC"', `"name":${JSON.stringify(name)}`).replace(/"loss":\[(?=\d)/, '"loss":[-'),
  );
  const { text } = await download(page, page.locator("figure").first().getByRole("button", { name: /CSV/ }));
  const rows = rowsOf(text).slice(1);
  assert.ok(rows.some((row) => row[1] === `'${name}`));
  assert.ok(rows.some((row) => row[6] < 0));
  assert.deepEqual(
    rows.filter((row) => /^[=+@\t\r]/.test(row[1])),
    [],
  );
  assert.ok(rows.every((row) => row.slice(2).every((x) => !x.startsWith("'"))));
  assert.deepEqual(trouble, []);
  await page.context().close();
});

pageTest("Tab reaches every control, and the focus is seen", (page) => tabReachesAll(page, 60));

for (const scheme of ["light", "dark"])
  for (const width of [400, 1600])
    pageTest(
      `${scheme}, ${width} pixels: nothing sticks out and axe has nothing to say`,
      async (page) => {
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), scheme);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        if (shots) await page.screenshot({ path: join(shots, `${scheme}-${width}.png`), fullPage: true });
        await page.evaluate(() =>
          document.querySelectorAll("details").forEach((details) => {
            details.open = true;
          }),
        );
        await satisfiesAxe(page);
      },
      { width, scheme },
    );

pageTest("The button turns the colours, and the charts with them", async (page) => {
  const light = await picture(plots(page).first());
  await page.getByRole("button", { name: "Switch to dark colours" }).click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.notEqual(await picture(plots(page).first()), light);
  await page.getByRole("button", { name: "Switch to light colours" }).click();
  assert.equal(await picture(plots(page).first()), light);
});

pageTest(
  "On paper there are light colours, and no controls",
  async (page) => {
    await page.evaluate(() => {
      window.onbeforeprint();
      window.themeOnPaper = document.documentElement.dataset.theme;
      window.onafterprint();
    });
    assert.equal(await page.evaluate(() => window.themeOnPaper), "light");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.emulateMedia({ media: "print" });
    for (const selector of ["nav", ".tools", ".choice", "#theme"])
      assert.ok(await page.locator(selector).first().isHidden(), selector);
    const paper = await page.pdf({ format: "A4" });
    assert.ok(paper.length > 20000);
    if (shots) writeFileSync(join(shots, "print.pdf"), paper);
  },
  { scheme: "dark" },
);

pageTest("uPlot's licence is in the page", async (page) => {
  assert.match(
    await page.locator("footer pre").textContent(),
    /Copyright \(c\) \d+ Leon Sorokin[^]*Permission is hereby granted/,
  );
});
