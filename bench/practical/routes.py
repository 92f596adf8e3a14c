"""Routes: `ofw-ada` beside shortest paths with a dual price, on the city of the stream `routes`.

In every round trips are divided over ways through a city; costs of streets and limits of three groups of bridges move, and one group is
closed for a while. Nobody knows the coming round's costs; the limits are told in advance, told wrongly, or not at all.

    regret     cost above that of the best fixed mixture of ways that keeps all limits in all rounds, per round; a trip costs about 1
    violation  by how much the limit that is broken most is broken, per round

The city is generated here a second time, from the same random words (Philox) and independently of src/stream/routes.c, and the best fixed
mixture is a linear program's solution. `run` fails if ofw's comparator is another one.

    dual price   the cheapest way at the mean of past costs plus a price per group, averaged into the mixture; prices rise by
                 eta (share + margin - limit). eta, margin and the rate of the average are chosen by the same play: the lowest regret of all
                 whose violation is at most that of ofw-ada without hints
    fill         of the groups, the cheapest by mean past cost carries what its limit allows, then the next, toll for the rest:
                 by the limits of the round before, or as they are told
"""
import json
import math
import os
import subprocess

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

import figure

GROUPS, LANES = 3, 2
LEVEL, PACE = (0.35, 0.3, 0.2), (1.0, 0.71, 1.37)
LOSS, CONSTRAINT, TARGET = 3, 4, 2                      # what random words are for, as src/linalg/rng.h numbers it


# ---- the city ----

def words(seed, purpose, rounds, count):
    """Philox-4x32-10: the first `count` words of each of these rounds' sequences, a row each."""
    rounds, blocks = np.asarray(rounds, dtype=np.uint64), np.arange((count + 3) // 4, dtype=np.uint64)
    low = np.uint64(0xFFFFFFFF)
    shape = (len(rounds), len(blocks))
    x = [np.broadcast_to(blocks, shape) & low, np.full(shape, purpose, dtype=np.uint64),
         np.broadcast_to(rounds[:, None], shape) & low, np.broadcast_to(rounds[:, None], shape) >> np.uint64(32)]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        a, b = x[0] * np.uint64(0xD2511F53), x[2] * np.uint64(0xCD9E8D57)
        x = [(b >> np.uint64(32)) ^ x[1] ^ np.uint64(key[0]), b & low, (a >> np.uint64(32)) ^ x[3] ^ np.uint64(key[1]), a & low]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.stack(x, axis=-1).reshape(len(rounds), -1)[:, :count]


def uniform(seed, purpose, rounds, count):
    """In (-1, 1)."""
    return (words(seed, purpose, rounds, count).astype(np.uint32).view(np.int32) + 0.5) * 2.0 ** -31


def unit(seed, purpose, round_, count):
    """In (0, 1)."""
    return (words(seed, purpose, [round_], count)[0] + 0.5) * 2.0 ** -32


class City:
    def __init__(self, seed, rounds, rows=17, cols=18, toll=0.3, day=200, jam=0.5, noise=0.3, swing=0.1, jitter=0.05, closed=0.05):
        self.rows, self.cols, self.river, self.T = rows, cols, cols // 2 - 1, rounds
        upper = [(rows * (i + 1) + 2) // (GROUPS + 1) - 1 for i in range(GROUPS)]
        group_of = {row + k: i for i, row in enumerate(upper) for k in range(LANES)} | {0: GROUPS, rows - 1: GROUPS}
        self.streets, self.bridges = [], {}             # (from, to) by number; street: group
        avenue, central = [], []
        for row in range(rows):
            for col in range(cols):
                for down in (False, True):
                    if (row + 1 == rows) if down else (col + 1 == cols or (col == self.river and row not in group_of)):
                        continue
                    if not down and col == self.river:
                        self.bridges[len(self.streets)] = group_of[row]
                    self.streets.append((row * cols + col, row * cols + col + (cols if down else 1)))
                    avenue.append((col if down else row) % 4 == 0)
                    central.append(math.exp(-3 * ((2 * col / (cols - 1) - 1) ** 2 + (2 * row / (rows - 1) - 1) ** 2)))
        n = self.E = len(self.streets)
        usual = (1 + unit(seed, TARGET, 0, n)) * np.where(avenue, 0.6, 1.0)
        totals = self.cheapest(usual[None, :])[0][0]
        usual /= min(total for b, total in zip(self.bridges, totals) if self.bridges[b] < GROUPS)
        for b, group in self.bridges.items():
            usual[b] += toll if group == GROUPS else 0.0
        t = np.arange(1, rounds + 1)
        hour = 24 * (t % day) / day
        rush = np.exp(-(hour - 8) ** 2 / 2) + np.exp(-(hour - 17) ** 2 / 2)
        self.costs = usual * (1 + jam * rush[:, None] * np.array(central) + noise * uniform(seed, LOSS, t, n))
        phase = 2 * math.pi * unit(seed, TARGET, 1, GROUPS)
        moved = swing * np.sin(2 * math.pi * np.array(PACE) * (t % (1000 * day))[:, None] / day + phase)
        self.limits = np.maximum(0.0, np.array(LEVEL) + moved + jitter * uniform(seed, CONSTRAINT, t, GROUPS))
        closes = rounds // 2
        self.limits[closes:closes + int(closed * rounds), 1] = 0.0
        self.group = np.zeros((GROUPS, n))
        for b, group in self.bridges.items():
            if group < GROUPS:
                self.group[group, b] = 1.0

    def cheapest(self, costs):
        """For each row of costs, and each bridge: what the cheapest way over it costs, and its streets."""
        into, out = [[] for _ in range(self.rows * self.cols)], [[] for _ in range(self.rows * self.cols)]
        for e, (a, b) in enumerate(self.streets):
            if e not in self.bridges:
                out[a].append(e)
                into[b].append(e)
        T, count = len(costs), self.rows * self.cols
        ahead, back = np.zeros((count, T)), np.zeros((count, T))
        came, goes = np.zeros((count, T), dtype=int), np.zeros((count, T), dtype=int)
        for v in range(1, count):                       # of the west; the east begins behind bridges
            choices = np.array([ahead[self.streets[e][0]] + costs[:, e] for e in into[v]]) if v % self.cols <= self.river else None
            if choices is not None:
                best = np.argmin(choices, axis=0)
                came[v], ahead[v] = np.array(into[v])[best], choices[best, np.arange(T)]
        for v in range(count - 2, -1, -1):
            if v % self.cols > self.river:
                choices = np.array([back[self.streets[e][1]] + costs[:, e] for e in out[v]])
                best = np.argmin(choices, axis=0)
                goes[v], back[v] = np.array(out[v])[best], choices[best, np.arange(T)]
        totals, ways = [], []
        ends = np.array(self.streets)
        for b in self.bridges:
            u, v = np.full(T, self.streets[b][0]), np.full(T, self.streets[b][1])
            totals.append(ahead[u[0]] + costs[:, b] + back[v[0]])
            way = [np.full(T, b)]
            for _ in range(self.rows + self.cols - 3):  # every way has as many streets
                west = u > 0
                way.append(np.where(west, came[u, np.arange(T)], goes[v, np.arange(T)]))
                v = np.where(west, v, ends[way[-1], 1])
                u = np.where(west, ends[way[-1], 0], u)
            ways.append(np.stack(way, axis=1))
        return np.stack(totals, axis=1), np.stack(ways, axis=1)

    def best(self):
        """The best fixed mixture, by a linear program over flows."""
        a, b = np.array(self.streets).T
        edges, count = np.arange(self.E), self.rows * self.cols
        flow = coo_matrix((np.r_[-np.ones(self.E), np.ones(self.E)], (np.r_[a, b], np.r_[edges, edges])), shape=(count, self.E)).tocsc()
        balance = np.zeros(count)
        balance[0], balance[-1] = -1.0, 1.0
        solved = linprog(self.costs.sum(axis=0), A_ub=self.group, b_ub=self.limits.min(axis=0), A_eq=flow, b_eq=balance)
        assert solved.status == 0, solved.message
        return solved.fun


# ---- the methods that people use ----

class Routing:
    """What past costs say of each round, and the cheapest ways by that: the same for all methods."""

    def __init__(self, city, rate=0.02):
        self.city, mean = city, np.empty_like(city.costs)
        mean[0] = city.costs[0]                         # which nobody knows yet: the first round is given away
        for t in range(1, city.T):
            mean[t] = mean[t - 1] + max(rate, 1 / t) * (city.costs[t - 1] - mean[t - 1])
        self.totals, self.ways = city.cheapest(mean)
        self.groups = np.array(list(city.bridges.values()))

    def dual_price(self, eta, margin, rate):
        city, x, cost, violation = self.city, np.zeros(self.city.E), 0.0, 0.0
        price, share = [0.0] * (GROUPS + 1), [0.0] * (GROUPS + 1)
        limits, totals, groups = city.limits.tolist(), self.totals.tolist(), self.groups.tolist()
        for t in range(city.T):
            if t:
                price[:GROUPS] = [max(0.0, p + eta * (s + margin - limit)) for p, s, limit in zip(price, share, limits[t - 1])]
            k = min(range(len(groups)), key=lambda k: totals[t][k] + price[groups[k]])
            step = rate if t else 1.0
            x *= 1 - step
            x[self.ways[t, k]] += step
            share = [(1 - step) * s + (step if i == groups[k] else 0.0) for i, s in enumerate(share)]
            cost += city.costs[t] @ x
            violation += max(0.0, *(s - limit for s, limit in zip(share, limits[t])))
        return cost / city.T, violation / city.T

    def fill(self, told):
        city, cost, violation = self.city, 0.0, 0.0
        for t in range(city.T):
            room, left = [*city.limits[t if told else max(0, t - 1)], 1.0], 1.0
            share = [0.0] * (GROUPS + 1)
            for k in np.argsort(self.totals[t], kind="stable"):
                part = min(left, room[self.groups[k]])
                room[self.groups[k]] -= part
                share[self.groups[k]] += part
                cost += part * city.costs[t, self.ways[t, k]].sum()
                left -= part
            violation += max(0.0, *(share[:GROUPS] - city.limits[t]))
        return cost / city.T, violation / city.T


GRID = [(eta, margin, rate) for eta in (0.01, 0.03, 0.1, 0.3) for margin in (0.0, 0.03, 0.06, 0.1) for rate in (0.02, 0.05, 0.1)]


# ---- ofw, and all of it ----

def play_ofw(ofw, learner, city, rounds, seed, hints):
    spec = ",".join([f"routes:hints={hints}", *(f"{key}={value}" for key, value in city.items())])
    command = [ofw, "run", "--learner", *learner, "--stream", spec, "--rounds", str(rounds), "--seed", str(seed), "--json", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    out = json.loads(done.stdout)
    return out["loss"] / rounds, out["ccv"] / rounds, out["regret"] / rounds, out["oracle_calls"] / rounds


CITIES = {"usual": {}, "slow limits": {"jitter": 0.01, "swing": 0.15, "day": 500}, "wide": {"rows": 13, "cols": 24, "toll": 0.6, "noise": 0.6},
          "never closed": {"closed": 0, "jam": 1.5}}


def play(ofw, name, rounds, seed):
    options = CITIES[name]
    city = City(seed, rounds, **options)
    best = city.best() / rounds
    rows = {}
    for label, learner, hints in (("ofw-ada", ["ofw-ada"], "none"), ("ofw-ada, told", ["ofw-ada"], "right"), ("ofw-ada, told wrongly", ["ofw-ada"], "wrong"),
                                  ("ofw-tvc tight", ["ofw-tvc", "--set", "preset=tight"], "none")):
        loss, violation, regret, calls = play_ofw(ofw, learner, options, rounds, seed, hints)
        assert abs(loss - regret - best) <= 1e-9 * abs(best), f"{name}, seed {seed}: the stream's comparator costs {loss - regret}, the linear program's {best}"
        rows[label] = {"regret": regret, "violation": violation, "calls": calls}
    routing = Routing(city)
    allowed = rows["ofw-ada"]["violation"]
    tuned = [(*routing.dual_price(*constants), constants) for constants in GRID]
    cost, violation, constants = min([row for row in tuned if row[1] <= allowed] or [min(tuned, key=lambda row: row[1])])
    rows["dual price, tuned"] = {"regret": cost - best, "violation": violation, "calls": 1, "constants": constants}
    for label, told in (("fill, last limits", False), ("fill, told", True)):
        cost, violation = routing.fill(told)
        rows[label] = {"regret": cost - best, "violation": violation, "calls": 1}
    return {"city": name, "seed": seed, "streets": city.E, "rounds": rounds, "best": best, "rows": rows}


def run(ofw, quick):
    return [play(ofw, name, 500 if quick else 4000, seed) for name in (["usual"] if quick else CITIES) for seed in ((1,) if quick else (1, 2, 3))]


def table(results):
    """Means over the seeds."""
    labels = list(results[0]["rows"])
    lines = ["| city | " + " | ".join(labels) + " |", "|---|" + "---|" * len(labels)]
    for name in dict.fromkeys(one["city"] for one in results):
        cells = []
        for label in labels:
            rows = [one["rows"][label] for one in results if one["city"] == name]
            cells.append("{:.4f}, {:.4f}".format(*(np.mean([row[key] for row in rows]) for key in ("regret", "violation"))))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


STYLES = {"ofw-ada": ("#d55e00", "disc"), "ofw-ada, told": ("#d55e00", "ring"), "ofw-ada, told wrongly": ("#d55e00", "cross"),
          "ofw-tvc tight": ("#0072b2", "disc"), "dual price, tuned": ("#000000", "disc"), "fill, last limits": ("#999999", "disc"),
          "fill, told": ("#999999", "ring")}


def regret_figure(results):
    """A row per city with a mark per method, the mean over the seeds: regret, and violation. A ring is told, a cross told wrongly."""
    cities = list(dict.fromkeys(one["city"] for one in results))
    mean = lambda label, key: [float(np.mean([one["rows"][label][key] for one in results if one["city"] == city])) for city in cities]
    panels = [(f"{key} per round", {label: mean(label, key) for label in STYLES}, step) for key, step in (("regret", 0.1), ("violation", 0.02))]
    return figure.dots(cities, panels, STYLES, left=110, width=600, line=52, spread=5.5)


TABLES = {"all": table}
FIGURES = {"regret": regret_figure}
