#!/usr/bin/env node
/* client.js — paces a day's budget over three channels with 'ofw serve': Node and nothing else
 *
 *     node client.js [URL [ROUNDS]] [--delete]
 *
 * URL is http://127.0.0.1:8780 and ROUNDS is 288 unless given; a token is read from OFW_TOKEN. The problem is that of client.py:
 *
 *     loss        -sum_i worth_i (x_i - x_i^2 / 2)      the first half of an offer is worth more than the second
 *     constraint  sum_i cost_i x_i - BUDGET / ROUNDS    spend above an even plan
 */
const CHANNELS = 3;
const BUDGET = 100;

/* The answer. What got none is sent again as it was: the server knows a round that it has taken by its number. */
async function call(method, url, document) {
  const headers = { "Content-Type": "application/json" };
  if (process.env.OFW_TOKEN) headers.Authorization = `Bearer ${process.env.OFW_TOKEN}`;
  const body = document && JSON.stringify(document);
  for (const wait of [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8]) {
    const [status, text] = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(10000) }).then(
      async (answer) => [answer.status, await answer.text()],
      () => [0, ""],
    );
    if (status >= 200 && status < 300) return JSON.parse(text || "null");
    // the server is away, or its answer was lost; too fast, stopping, disk full: these pass
    if (![0, 429, 503, 507].includes(status)) throw new Error(text);
    await new Promise((done) => setTimeout(done, 1000 * wait));
  }
  throw new Error(`no answer from ${url}`);
}

/* What all that channel i offers in round t is worth and costs: a stand-in for your own figures. */
function market(t, i) {
  return [0.5 + ((7919 * t + 104729 * i) % 1009) / 1009, (0.4 + 0.3 * i) * (0.8 + ((31 * t) % 97) / 240)];
}

async function main() {
  const words = process.argv.slice(2).filter((word) => word !== "--delete");
  const sessions = `${words[0] ?? "http://127.0.0.1:8780"}/v1/sessions`;
  const rounds = Number(words[1] ?? 288);
  const made = await call("POST", sessions, {
    learner: "ofw-ada",
    domain: `hypercube01:dim=${CHANNELS}`,
    name: "pacing",
    options: { constraints: "budgets", period: rounds },
  });
  const session = `${sessions}/${made.id}`;
  let x = (await call("GET", `${session}/decision`)).decision;
  let spent = 0;
  let got = 0;
  for (let t = 1; t <= rounds; t++) {
    const feedback = { round: t, loss: 0, loss_gradient: [], constraint: 0, constraint_gradient: [] };
    let spend = 0;
    for (let i = 0; i < CHANNELS; i++) {
      const [worth, cost] = market(t, i);
      feedback.loss -= worth * (x[i] - (x[i] * x[i]) / 2);
      spend += cost * x[i];
      feedback.loss_gradient.push(worth * (x[i] - 1));
      feedback.constraint_gradient.push(cost);
    }
    got -= feedback.loss;
    spent += spend;
    feedback.constraint = spend - BUDGET / rounds;
    x = (await call("POST", `${session}/feedback?decide=1`, feedback)).decision;
  }
  console.log(`${rounds} rounds, spent ${spent.toFixed(2)} of ${BUDGET.toFixed(2)}, worth ${got.toFixed(2)}`);
  if (process.argv.includes("--delete")) await call("DELETE", session);
}

main().catch((failure) => {
  console.error(`client.js: ${failure.message}`);
  process.exitCode = 1;
});
