/* games.js — what the demos play: sessions to make, and what a decision costs in a round
 *
 * Costs depend on the round alone, so every session of a game meets the same ones.
 */

/* A number from -1 to 1 that looks like chance and is the same each time. */
function noise(round, i) {
  const x = Math.sin(12.9898 * round + 78.233 * i) * 43758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/* Work is shared out over five suppliers whose prices move; the cheap ones emit most, and the mean has a limit. */
const carbon = [5, 4, 2.5, 1.5, 1];
function suppliers(round, x) {
  const cost = [1, 1.4, 2, 2.6, 3].map((base, i) => base + 0.4 * Math.sin(round / 40 + i) + 0.3 * noise(round, i));
  return {
    loss: dot(cost, x),
    loss_gradient: cost,
    constraint: dot(carbon, x) - 2.5,
    constraint_gradient: carbon,
  };
}

/* Ratings of eight users for twelve items are predicted; the mean score of the first three items has a cap. */
const users = 8,
  items = 12,
  capped = 3;
const rated = (user, item) => 2.5 + 1.5 * Math.cos(user) * Math.sin(0.7 * item + 1);
function ratings(round, x) {
  const off = x.map((value, k) => value - rated(Math.floor(k / items), k % items) - 0.5 * noise(round, k)),
    group = x.map((value, k) => (k % items < capped ? 1 / (users * capped) : 0));
  return {
    loss: dot(off, off) / 2,
    loss_gradient: off,
    constraint: dot(group, x) - 2,
    constraint_gradient: group,
  };
}

export const games = [
  {
    title: "Suppliers under a carbon limit",
    about: "two learners share out the same work; one heeds the limit, one only the price",
    rounds: 400,
    cost: suppliers,
    sessions: [
      { name: "suppliers, ofw-ada", learner: "ofw-ada", domain: "simplex:dim=5" },
      {
        name: "suppliers, price alone",
        learner: "ofw",
        domain: "simplex:dim=5",
        options: { horizon: 400, lipschitz: 8 },
      },
    ],
  },
  {
    title: "Ratings under a cap",
    about: "a matrix of scores is learned, as a heat map",
    rounds: 400,
    cost: ratings,
    sessions: [
      { name: "ratings, ofw-ada", learner: "ofw-ada", domain: `trace-ball:rows=${users},cols=${items},radius=40` },
    ],
  },
];
