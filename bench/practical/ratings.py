"""Ratings predicted one by one: `ofw recommend` beside the running mean, biases and biased matrix factorisation by online SGD, and with a
cap on exposure beside biased matrix factorisation with one dual price.

A problem of practical.py.

The game is the same for all: a rating is predicted, the prediction is clipped to the scale, the squared error counts, then the method
learns from the rating. The standards are tuned on the very stream that they are reported on: the best of a grid counts.
`ofw recommend` plays with its defaults. Real data are looked for in OFW_DATA_DIR; streams of a set that is not there are left out.
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import figure

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAP, ROUND = 3.3, 500


# ---- the data ----

def read_file(path):
    """User, item, rating and perhaps time; of two ratings of a pair the last counts."""
    rows = np.loadtxt(path)
    last = {(row[0], row[1]): k for k, row in enumerate(rows)}
    return rows[sorted(last.values())]


def generated(ofw, name, seed):
    text = subprocess.run([ofw, "data", "generate", name, "--seed", str(seed)], capture_output=True, text=True, check=True).stdout
    return np.array([line.split() for line in text.splitlines()], float)


def orders(rows, seeds=(1, 2, 3)):
    """Name and rows in that order."""
    if rows.shape[1] > 3:
        rows = rows[np.argsort(rows[:, 3], kind="stable")]
        yield "time", rows
        yield "time reversed", rows[::-1]
        yield "user by user", rows[np.argsort(rows[:, 0], kind="stable")]
    else:
        yield "file", rows
        yield "file reversed", rows[::-1]
    for seed in seeds:
        yield f"random {seed}", rows[np.random.default_rng(seed).permutation(len(rows))]


def streams(ofw, quick):
    """Name of the set, of the order, rows."""
    folder = pathlib.Path(os.environ.get("OFW_DATA_DIR", ROOT / "data"))
    for name, file in (("MovieLens-100k", "ml-100k/u.data"), ("FilmTrust", "filmtrust/ratings.txt")):
        if (folder / file).exists():
            yield from ((name, order, rows) for order, rows in orders(read_file(folder / file), () if quick else (1,)))
    for name in ("movielens-100k", "filmtrust"):
        rows = generated(ofw, name, 11)
        yield from ((f"generated like {name}", order, played) for order, played in orders(rows, (1,)) if order.startswith("random"))


class Stream:
    def __init__(self, rows):
        self.user, self.item = (np.unique(rows[:, k], return_inverse=True)[1] for k in (0, 1))
        self.rating = rows[:, 2]
        self.users, self.items = self.user.max() + 1, self.item.max() + 1
        self.lowest, self.highest = self.rating.min(), self.rating.max()


# ---- the standards ----

def rmse(square, n):
    return math.sqrt(float(square) / n)


def running_mean(stream):
    mean, square = (stream.lowest + stream.highest) / 2, 0.0
    for t, r in enumerate(stream.rating):
        square += (mean - r) ** 2
        mean = r if t == 0 else mean + (r - mean) / (t + 1)
    return rmse(square, len(stream.rating))


def grid(*lists):
    return [np.array(x).ravel() for x in np.meshgrid(*lists, indexing="ij")]


class Factorisation:
    """x = mean + b_i + c_j + <p_i, q_j> by SGD on the squared error, for many constants at a time: the first axis is the grid."""

    def __init__(self, stream, rank, bias_rate, rate, ridge, seed=1):
        rng, n = np.random.default_rng(seed), len(bias_rate)
        self.b, self.c = np.zeros((stream.users, n)), np.zeros((stream.items, n))
        self.p = np.repeat(rng.uniform(-0.1, 0.1, (stream.users, 1, rank)), n, 1)
        self.q = np.repeat(rng.uniform(-0.1, 0.1, (stream.items, 1, rank)), n, 1)
        self.bias_rate, self.bias_keep = bias_rate, 1 - bias_rate * ridge
        self.rate, self.keep = rate[:, None], 1 - (rate * ridge)[:, None]
        self.mean, self.seen = (stream.lowest + stream.highest) / 2, 0

    def predict(self, i, j):
        return self.mean + self.b[i] + self.c[j] + np.einsum("ck,ck->c", self.p[i], self.q[j])

    def learn(self, i, j, r, x):
        off = r - x
        self.seen += 1
        self.mean += (r - self.mean) / self.seen
        self.b[i] = self.bias_keep * self.b[i] + self.bias_rate * off
        self.c[j] = self.bias_keep * self.c[j] + self.bias_rate * off
        if self.p.shape[2]:
            step, p, q = self.rate * off[:, None], self.p[i], self.q[j]
            self.p[i], self.q[j] = self.keep * p + step * q, self.keep * q + step * p


def play(stream, model):
    square = 0.0
    with np.errstate(over="ignore", invalid="ignore"):             # constants too large end as NaN, and lose
        for i, j, r in zip(stream.user.tolist(), stream.item.tolist(), stream.rating.tolist()):
            x = model.predict(i, j)
            square = square + (np.clip(x, stream.lowest, stream.highest) - r) ** 2
            model.learn(i, j, r, x)
    return square


def best_factorisation(stream, ranks, rates):
    """The best of a grid, with its constants."""
    best = None
    for rank in ranks:
        chosen = grid([0.02, 0.035, 0.055, 0.08], rates if rank else [0.0], [0.005, 0.03])
        square = play(stream, Factorisation(stream, rank, *chosen))
        k = int(np.nanargmin(square))
        found = {"rmse": rmse(square[k], len(stream.rating)), "rank": rank, "bias_rate": float(chosen[0][k]), "rate": float(chosen[1][k]),
                 "ridge": float(chosen[2][k])}
        best = found if best is None or found["rmse"] < best["rmse"] else best
    return best


# ---- the cap ----

def group_of(stream, n):
    times = np.bincount(stream.item, minlength=stream.items)
    return np.lexsort((np.arange(stream.items), -times))[:n]


def ends_in_round(stream):
    """Per rating two flags: is it the user's first one in its round, is it the last one?"""
    flags = np.zeros((len(stream.user), 2), bool)
    for side, times in enumerate((range(len(stream.user)), range(len(stream.user) - 1, -1, -1))):
        seen = set()
        for t in times:
            key = (t // ROUND, stream.user[t])
            flags[t, side] = key not in seen
            seen.add(key)
    return flags


def dual_price(stream, constants, group, cap):
    """Biased factorisation whose scores in the group are lowered by one price; price += rate (mean score - cap + margin) after a round, not
    below 0. Many rates and margins at a time: [RMSE, mean violation of the cap, rate, margin]. The mean score of a round is the larger of
    two, with the scores at each user's first prediction in the round and at the last one, as `ofw recommend` counts it."""
    rate, margin = grid([0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0], [-0.4, -0.2, -0.1, 0.0, 0.05, 0.1, 0.2, 0.3])
    model = Factorisation(stream, constants["rank"], *(np.array([constants[name]]) for name in ("bias_rate", "rate", "ridge")))
    price, square, violation, rounds = np.zeros(len(rate)), np.zeros(len(rate)), np.zeros(len(rate)), 0
    scores, users, ends = np.zeros((2, len(rate))), 0, ends_in_round(stream)
    inside = np.isin(np.arange(stream.items), group)
    for t, (i, j, r) in enumerate(zip(stream.user.tolist(), stream.item.tolist(), stream.rating.tolist())):
        x = model.predict(i, j)
        square += (np.clip(x - (price if inside[j] else 0.0), stream.lowest, stream.highest) - r) ** 2
        if ends[t].any():
            all_scores = model.mean + model.b[i, 0] + model.c[group, 0] + model.q[group, 0] @ model.p[i, 0]
            scores[ends[t]] += np.clip(all_scores[:, None] - price, stream.lowest, stream.highest).mean(0)
            users += ends[t, 0]
        model.learn(i, j, r, x)
        if t % ROUND == ROUND - 1:
            above = scores.max(0) / users - cap
            violation += np.maximum(0.0, above)
            price = np.maximum(0.0, price + rate * (above + margin))
            scores, users, rounds = np.zeros((2, len(rate))), 0, rounds + 1
    return [[rmse(square[k], len(stream.rating)), violation[k] / rounds, float(rate[k]), float(margin[k])] for k in range(len(rate))]


def front(points):
    """Those that no other is at least as good as in both, by RMSE."""
    kept = []
    for point in sorted(points):
        if not kept or point[1] < kept[-1][1]:
            kept.append(point)
    return kept


# ---- ours ----

def ofw_recommend(ofw, rows, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ratings")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{row[0]:.0f} {row[1]:.0f} {row[2]:g}\n" for row in rows)
        done = subprocess.run([ofw, "recommend", path, "--json", *options], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return {name: found[name] for name in ("progressive_rmse", "progressive_mae", "mean_violation", "microseconds_per_rating")}


PARTS = {"all of it": [], "no replays: biases and session alone (`batch=1000000`)": ["batch=1000000"],
         "replays without factors (`rank=0`)": ["rank=0"], "no row step: rows change in replays alone (`row_step=off`)": ["row_step=off"],
         "weights not corrective (`atoms=single`)": ["atoms=single"], "replays only when ratings have doubled (`growth=1`)": ["growth=1"],
         "rows do not forget (`forget=1`)": ["forget=1"], "session of one rating (`session=0`)": ["session=0"],
         "parts not weighed, so no session (`mixing=off`)": ["mixing=off"], "rank 4 (`rank=4`)": ["rank=4"], "half the ridge (`ridge=4`)": ["ridge=4"],
         "twice the ridge (`ridge=16`)": ["ridge=16"]}
SLACKS = [0.0, 0.02, 0.05, 0.1, 0.2, 0.4]


def set_options(pairs):
    return [word for pair in pairs for word in ("--set", pair)]


def run(ofw, quick):
    played, parts, capped = [], [], []
    for name, order, rows in streams(ofw, quick):
        rows = rows[:3000] if quick else rows
        stream, first = Stream(rows), order in ("time", "file", "random 1")
        row = {"set": name, "order": order, "ratings": len(rows), "mean": running_mean(stream), "biases": best_factorisation(stream, [0], [0.0]),
               "factorisation": best_factorisation(stream, [8] if quick else [8, 16], [0.04, 0.08, 0.16]),
               "ofw": ofw_recommend(ofw, rows)}
        played.append(row)
        print(f"{name}, {order}: mean {row['mean']:.4f}, biases {row['biases']['rmse']:.4f}, factorisation {row['factorisation']['rmse']:.4f}, "
              f"ofw {row['ofw']['progressive_rmse']:.4f}", file=sys.stderr, flush=True)
        if first and (name, order) != ("MovieLens-100k", "random 1"):
            parts.append({"set": name, "order": order, "rmse": {part: ofw_recommend(ofw, rows, *set_options(sets))["progressive_rmse"]
                                                               for part, sets in PARTS.items()}})
        if first and stream.highest == 5:
            n = round(0.1 * stream.items)
            points = dual_price(stream, row["factorisation"], group_of(stream, n), CAP)
            ours = [[*(ofw_recommend(ofw, rows, "--cap", str(CAP), "--group", str(n), "--per-round", str(ROUND), "--set", f"slack={slack}")[key]
                       for key in ("progressive_rmse", "mean_violation", "microseconds_per_rating")), slack] for slack in SLACKS]
            capped.append({"set": name, "order": order, "cap": CAP, "group": n, "dual_price": front(points), "ofw": ours})
    return {"played": played, "parts": parts, "capped": capped}


# ---- the page ----

def played_table(results):
    out = "| ratings | order | running mean | biases | biased factorisation | `ofw recommend` | µs per rating |\n|---|---|---|---|---|---|---|\n"
    for row in results["played"]:
        out += (f"| {row['set']} | {row['order']} | {row['mean']:.4f} | {row['biases']['rmse']:.4f} | {row['factorisation']['rmse']:.4f} | "
                f"**{row['ofw']['progressive_rmse']:.4f}** | {row['ofw']['microseconds_per_rating']:.1f} |\n")
    return out


def parts_table(results):
    out = "| | " + " | ".join(f"{row['set']}, {row['order']}" for row in results["parts"]) + " |\n" + "|---" * (len(results["parts"]) + 1) + "|\n"
    for part in PARTS:
        out += f"| {part} | " + " | ".join(f"{row['rmse'][part]:.4f}" for row in results["parts"]) + " |\n"
    return out


def better(points, violation):
    """The least RMSE of the points with at most this violation."""
    return min((point[0] for point in points if point[1] <= violation + 1e-12), default=math.inf)


def capped_table(results):
    out = "| ratings | order | violation at most | factorisation with a dual price | `ofw recommend` | its slack |\n|---|---|---|---|---|---|\n"
    for row in results["capped"]:
        for rmse_there, violation, _, _ in row["ofw"]:
            standard = better(row["dual_price"], violation)
            slack = next(point[3] for point in row["ofw"] if point[1] == violation and point[0] == rmse_there)
            out += (f"| {row['set']} | {row['order']} | {violation:.4f} | {'none of the grid' if math.isinf(standard) else f'{standard:.4f}'} | "
                    f"**{rmse_there:.4f}** | {slack:g} |\n")
    return out


TABLES = {"played": played_table, "parts": parts_table, "capped": capped_table}
STYLES = {"running mean": ("#009e73", "disc"), "biases": ("#0072b2", "disc"), "biased factorisation": ("#000000", "disc"), "ofw recommend": ("#d55e00", "disc")}
PRICED = "biased factorisation with a dual price, tuned"


def short(row):
    return f"{row['set'].replace('movielens-100k', 'MovieLens').replace('filmtrust', 'FilmTrust')}, {row['order']}"


def rmse_figure(results):
    """A row per stream with a mark per method."""
    rows = results["played"]
    values = {"running mean": [row["mean"] for row in rows], "biases": [row["biases"]["rmse"] for row in rows],
              "biased factorisation": [row["factorisation"]["rmse"] for row in rows], "ofw recommend": [row["ofw"]["progressive_rmse"] for row in rows]}
    return figure.dots([short(row) for row in rows], [("progressive RMSE", values, 0.05)], STYLES, left=250)


def cap_figure(results):
    """RMSE against violation: the front of the tuned standard, and ours by its slack. The standard's points behind our last one say nothing more."""
    panels = []
    for row in results["capped"]:
        most = max(point[1] for point in row["ofw"])
        curves = {PRICED: [(point[1], point[0]) for point in row["dual_price"] if point[1] <= most], "ofw recommend": [(point[1], point[0]) for point in row["ofw"]]}
        panels.append((short(row), {name: sorted(curve) for name, curve in curves.items()}))
    return figure.fronts(panels, {PRICED: STYLES["biased factorisation"], "ofw recommend": STYLES["ofw recommend"]},
                         ("mean violation of the cap", "progressive RMSE"), (0.1, 0.05))


FIGURES = {"rmse": rmse_figure, "cap": cap_figure}
