/* api.js — the server's interface as functions: requests with the token, problems as errors, events as calls */

const tokenKey = "ofw-token";
export const token = {
  get: () => sessionStorage.getItem(tokenKey) ?? "",
  set: (value) => sessionStorage.setItem(tokenKey, value),
};

/* What the server refused, in its own words; status 0: there was no answer. */
export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

async function ask(path, options = {}) {
  const headers = { ...options.headers };
  if (token.get()) headers.Authorization = `Bearer ${token.get()}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "the server does not answer");
  }
  if (response.ok) return response;
  const text = await response.text();
  let detail = `${response.status} ${response.statusText}`;
  try {
    detail = JSON.parse(text).detail ?? detail;
  } catch {
    // no document: a proxy may have answered
  }
  throw new Problem(response.status, detail);
}

const getJson = async (path) => (await ask(path)).json();
const postJson = async (path, body) =>
  (
    await ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })
  ).json();
const pathOf = (id, rest = "") => `/v1/sessions/${encodeURIComponent(id)}${rest}`;

export const api = {
  catalogue: () => getJson("/v1/catalogue"),
  create: (session) => postJson("/v1/sessions", session),
  remove: (id) => ask(pathOf(id), { method: "DELETE" }),
  trace: (id, points) => getJson(pathOf(id, `/trace?points=${points}`)),
  decision: (id, query = "") => getJson(pathOf(id, `/decision${query}`)),
  feedback: (id, line) => postJson(pathOf(id, "/feedback?decide=1"), line),
};

/* All of them, page by page. */
export async function listSessions() {
  const all = [];
  for (let more = true; more;) {
    const part = await getJson(`/v1/sessions?limit=100${all.length ? `&after=${all.at(-1).id}` : ""}`);
    all.push(...part.sessions);
    more = part.more && part.sessions.length > 0;
  }
  return all;
}

/* One event of the stream: its name and its data. */
function readEvent(text) {
  const event = { name: "message", data: "" };
  for (const line of text.split("\n")) {
    const [, field, value] = line.match(/^(\w+): ?(.*)$/) ?? [];
    if (field === "event") event.name = value;
    if (field === "data") event.data += value;
  }
  return event;
}

/* Server-sent events by fetch, which can send a token. onRow gets each account; it returns when the stream ends. */
export async function follow(id, signal, onRow) {
  const response = await ask(pathOf(id, "/events"), { signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const { name, data } of parts.map(readEvent)) {
      if (name === "row") onRow(JSON.parse(data));
      if (name === "end") return;
    }
  }
}
