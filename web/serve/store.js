/* store.js — what the page knows: sessions, those that are watched, and their curves so far */
import { enlist, names, shown } from "../shared/cast.js";
import { api, follow, listSessions, Problem } from "./api.js";

const POINTS = 256, // of a curve at first; as many again may come before every other is dropped
  RETRY = 1000; // milliseconds
export const mostWatched = 6;

export const store = { sessions: [], watched: new Map(), catalogue: null };
const listeners = new Set();
export const onChange = (listener) => listeners.add(listener);
const tell = (what) => listeners.forEach((listener) => listener(what));

/* A session's name on this page: its own, or its learner; with the beginning of its id if another has the same. */
const called = new Map();
export function callIt(session) {
  if (!called.has(session.id)) {
    const name = session.name || session.learner;
    const taken = [...called.values()].includes(name);
    called.set(session.id, taken || !session.name ? `${name} ${session.id.slice(0, 4)}` : name);
  }
  return called.get(session.id);
}

/* ---- the list ---- */

export async function refresh() {
  store.sessions = await listSessions();
  const there = new Set(store.sessions.map(({ id }) => id));
  for (const id of store.watched.keys()) if (!there.has(id)) unwatch(id);
  tell("sessions");
}

export async function loadCatalogue() {
  store.catalogue ??= await api.catalogue();
  tell("catalogue");
}

export async function create(session) {
  const made = await api.create(session);
  store.sessions.push(made);
  tell("sessions");
  watch(made.id);
  return made;
}

export async function remove(id) {
  await api.remove(id);
  unwatch(id);
  store.sessions = store.sessions.filter((session) => session.id !== id);
  tell("sessions");
}

/* ---- watching ---- */

/* Every other row goes, the last stays. */
function thin(series) {
  const last = series.round.length - 1;
  for (const column of Object.keys(series)) series[column] = series[column].filter((x, i) => (last - i) % 2 === 0);
}

function addRow(watched, row) {
  const { series } = watched;
  watched.row = row;
  if (row.round > 0 && row.round !== series.round.at(-1)) {
    for (const column of Object.keys(series)) series[column].push(row[column]);
    if (series.round.length > 2 * POINTS) thin(series);
  }
  tell("row");
}

async function readTrace(watched) {
  const { columns, rows } = await api.trace(watched.id, POINTS);
  const played = rows.filter((row) => row[0] > 0);
  watched.series = Object.fromEntries(columns.map((name, k) => [name, played.map((row) => row[k])]));
  tell("row");
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/* Its trace, then its events; again after the stream has ended, since the server may come back, until the session is gone or no
 * longer watched. */
async function run(watched) {
  const { signal } = watched.control;
  const setState = (state) => {
    watched.state = state;
    tell("row");
  };
  for (; !signal.aborted; await pause(RETRY))
    try {
      await readTrace(watched);
      setState("live");
      await follow(watched.id, signal, (row) => addRow(watched, row));
      setState("waiting");
    } catch (error) {
      if (signal.aborted) return;
      const over = error instanceof Problem && [401, 403, 404].includes(error.status);
      setState(over ? "ended" : "waiting");
      if (over) return;
    }
}

export function watch(id) {
  if (store.watched.has(id) || store.watched.size >= mostWatched) return;
  const session = store.sessions.find((one) => one.id === id);
  const watched = {
    id,
    session,
    name: callIt(session),
    control: new AbortController(),
    state: "waiting",
    row: session.account,
  };
  watched.series = Object.fromEntries(Object.keys(session.account).map((name) => [name, []]));
  enlist(watched.name);
  store.watched.set(id, watched);
  tell("watched");
  run(watched);
}

export function unwatch(id) {
  const watched = store.watched.get(id);
  if (!watched) return;
  watched.control.abort();
  store.watched.delete(id);
  shown.delete(watched.name);
  tell("watched");
}

export const isKnown = (name) => names.includes(name);
