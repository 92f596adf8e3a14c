/* demo.js — one click plays a game in this page, through the same interface as any client */
import { make, number } from "../shared/dom.js";
import { api, Problem } from "./api.js";
import { games } from "./games.js";
import { say, trying } from "./notice.js";
import { create } from "./store.js";

const PAUSE = 30; // milliseconds from one round to the next, so that one can watch
let playing = null; // { game, round }

/* One session's round: the decision that is pending, what it costs, and the next decision. */
async function step(game, session) {
  const line = { round: session.round, ...game.cost(session.round, session.decision) };
  Object.assign(session, await api.feedback(session.id, line));
}

/* Until the last round, or until somebody stops it or deletes one of its sessions. */
async function play(game, show) {
  const mine = { game, round: 0 };
  playing = mine;
  show();
  const sessions = [];
  for (const wanted of game.sessions) {
    const { id } = await create(wanted);
    sessions.push({ id, ...(await api.decision(id)) });
  }
  for (mine.round = 1; mine.round <= game.rounds && playing === mine; mine.round++) {
    await Promise.all(sessions.map((session) => step(game, session)));
    show();
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

export function demoButtons() {
  const progress = make("p", { class: "hint" }),
    stop = make("button", { type: "button", class: "quiet", hidden: true }, "Stop the demo");
  const show = () => {
    stop.hidden = !playing;
    progress.textContent = playing
      ? `${playing.game.title}: round ${number(playing.round)} of ${number(playing.game.rounds)}`
      : "";
    buttons.forEach((button) => (button.disabled = Boolean(playing)));
  };
  const start = async (game) => {
    say(`the demo ${game.title} begins`);
    await trying(() =>
      play(game, show).catch((error) => {
        if (!(error instanceof Problem && error.status === 404)) throw error; // its session was deleted
      }),
    );
    say(playing ? "the demo is over" : "the demo is stopped");
    playing = null;
    show();
  };
  stop.onclick = () => {
    playing = null;
    show();
  };
  const buttons = games.map((game) =>
    make("button", { type: "button", class: "main", onclick: () => start(game) }, `Demo: ${game.title}`),
  );
  return make(
    "div",
    { class: "demo" },
    games.map((game, i) => make("div", {}, buttons[i], make("p", { class: "hint" }, `${game.about}.`))),
    stop,
    progress,
  );
}
