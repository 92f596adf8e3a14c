/* server.mjs — a real server for a browser, and a client beside it */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/* On a free port of loopback; with tokens ("read ..", "write ..") it asks for one. `stop` ends it and forgets its sessions,
 * `restart` ends it and starts it again on its port, after so many milliseconds. */
export async function startServer(ofw, tokens = []) {
  const folder = mkdtempSync(join(tmpdir(), "ofw-page-")),
    file = join(folder, "tokens");
  writeFileSync(file, tokens.join("\n") + "\n", { mode: 0o600 });
  let address = "127.0.0.1:0",
    child;
  async function start() {
    const args = ["serve", "--state", join(folder, "state"), "--listen", address];
    child = spawn(ofw, tokens.length ? [...args, "--token-file", file] : args, {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said = await new Promise((resolve) => child.stdout.once("data", (bytes) => resolve(String(bytes))));
    address = said.match(/^listening on http:\/\/(127\.0\.0\.1:\d+)/)[1];
  }
  const end = () =>
    new Promise((resolve) => {
      child.once("exit", resolve);
      child.kill("SIGTERM");
    });
  await start();
  return {
    url: `http://${address}`,
    restart: async (pause) => {
      await end();
      await new Promise((resolve) => setTimeout(resolve, pause));
      await start();
    },
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true });
    },
  };
}

/* An answer in JSON, which must be one of success. */
export async function ask(url, path, body, method = body ? "POST" : "GET") {
  const answer = await fetch(url + path, {
    method,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.status === 204 ? null : answer.json();
}

/* Plays rounds of a session whose losses are linear, from where it is; what its decisions cost in all. */
export async function play(url, id, rounds, gradient) {
  let { round, decision } = await ask(url, `/v1/sessions/${id}/decision`),
    sum = 0;
  for (let n = 0; n < rounds; n++) {
    const loss = gradient.reduce((all, g, i) => all + g * decision[i], 0);
    sum += loss;
    const line = {
      round,
      loss,
      loss_gradient: gradient,
      constraint: decision[0] - 0.5,
      constraint_gradient: gradient.map((g, i) => (i ? 0 : 1)),
    };
    ({ round, decision } = await ask(url, `/v1/sessions/${id}/feedback?decide=1`, line));
  }
  return { sum, decision };
}
