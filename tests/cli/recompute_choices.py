#!/usr/bin/python3
"""Computes anew what other rules would have chosen, from the tuning plays of results.db, and compares with 'ofw export'.

    recompute_choices.py OFW DIR

Exit 1 if a number is off by more than rounding. Areas are summed cell by cell over the grid that the points span.
"""
import itertools
import json
import math
import os
import sqlite3
import statistics
import subprocess
import sys

from recompute import share_of_signs


def differs(found, wanted):
    if found is None or wanted is None:
        return found is not wanted
    if isinstance(wanted, str):
        return found != wanted
    return abs(found - wanted) > 1e-9 * max(abs(found), abs(wanted))


def mean(values):
    return None if not values or None in values else statistics.fmean(values)


def span(values):
    """Least, mean, largest; None: not known."""
    return (min(values), mean(values), max(values)) if mean(values) is not None else (None, None, None)


def unit(cell):
    return cell["G"] * cell["D"] * cell["rounds"]


class Run:
    """Plays with one pair of factors, or those of an untuned learner."""

    def __init__(self, cells):
        self.cells = cells
        self.factors = [cells[0][name] for name in ("factor1", "factor2")]
        self.went_well = all(cell["error"] is None for cell in cells)

    def values(self, metric):
        return [cell[metric] for cell in self.cells]

    def share(self, metric):
        return mean([cell[metric] / unit(cell) for cell in self.cells]) if self.went_well else None

    def score(self):
        regrets = self.values("regret")
        first = self.share("loss") if None in regrets else max(0.0, self.share("regret"))
        return first + self.share("ccv")

    def area(self, reference):
        return area([(self.share("loss"), self.share("ccv"))], reference)


def area(points, reference):
    """The grid of all coordinates: every cell of it is dominated as a whole or not at all."""
    sides = [sorted({point[k] for point in points if point[k] < reference[k]} | {reference[k]}) for k in (0, 1)]
    return math.fsum((right - left) * (top - bottom)
                     for left, right in itertools.pairwise(sides[0]) for bottom, top in itertools.pairwise(sides[1])
                     if any(x <= left and y <= bottom for x, y in points))


def choose(runs, cost):
    """Within 1% of the least the one nearest to the defaults; then the least, then the first."""
    known = [(cost(run), run) for run in runs if run.went_well]
    if not known:
        return None
    least = min(price for price, _ in known)
    near = [(sum(abs(math.log10(factor)) for factor in run.factors), price, i, run) for i, (price, run) in enumerate(known)
            if price <= least + 0.01 * abs(least)]
    return min(near, key=lambda item: item[:3])[3]


class Arm:
    def __init__(self, row, cells):
        self.row = row
        tuning = [cell for cell in cells if cell["role"] == "tune"]
        plays = [cell for cell in cells if cell["role"] == "play"]
        first = min((cell["rounds"] for cell in plays), default=None)
        self.seeds = sorted({cell["seed"] for cell in tuning})
        n = len(self.seeds)
        self.runs = [Run(tuning[i:i + n]) for i in range(0, len(tuning), n)] if row["tuned"] else []
        self.untuned = None if row["tuned"] else Run([cell for cell in plays if cell["rounds"] == first])
        self.chosen = {"by-loss": choose(self.runs, lambda run: statistics.fmean(run.values("loss"))),
                       "by-score": choose(self.runs, Run.score)}

    def under(self, rule):
        return self.untuned or self.chosen[rule]

    def points(self):
        return [(run.share("loss"), run.share("ccv")) for run in self.runs or [self.untuned] if run.went_well]

    def by_seed(self, k):
        alone = choose([Run([run.cells[k]]) for run in self.runs], Run.score)
        return next(run for run in self.runs if run.cells[k] is alone.cells[0])


def read(path):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    return [Arm(dict(row), [dict(cell) for cell in db.execute("SELECT * FROM cell WHERE arm = ? ORDER BY cell", [row["arm"]])])
            for row in db.execute("SELECT * FROM arm ORDER BY arm")]


def measure_fronts(arms):
    """A common reference on a stream: the largest of the chosen, and a tenth more as seen from the least of all."""
    for stream in {arm.row["stream"] for arm in arms}:
        here = [arm for arm in arms if arm.row["stream"] == stream]
        shown = [arm.under(rule) for arm in here for rule in ("by-loss", "by-score") if arm.under(rule)]
        every = [point for arm in here for point in arm.points()]
        largest = [max(run.share(metric) for run in shown) for metric in ("loss", "ccv")]
        reference = [most + 0.1 * (most - min(point[k] for point in every)) for k, most in enumerate(largest)]
        for arm in here:
            arm.hypervolume = area(arm.points(), reference)
            arm.chosen["by-front"] = choose(arm.runs, lambda run: -run.area(reference))


def wanted_choices(arms):
    for arm in arms:
        picks = [(rule, None, arm.chosen[rule]) for rule in ("by-loss", "by-score", "by-front")] if arm.runs else []
        alone = [arm.by_seed(k) for k in range(len(arm.seeds))] if arm.runs else []
        picks += [("by-seed", seed, run) for seed, run in zip(arm.seeds, alone)]
        head = {name: arm.row[name] for name in ("stream", "label", "options", "constant1", "constant2")}
        for rule, seed, run in picks or [("untuned", None, arm.untuned)]:
            row = {**head, "rule": rule, "seed": seed, "hypervolume": arm.hypervolume}
            row["factor1"], row["factor2"] = run.factors if arm.runs else (None, None)
            for metric in ("loss", "ccv"):
                row[metric + "_least"], row[metric], row[metric + "_largest"] = span(run.values(metric))
            yield row
        if arm.runs:
            row = {**head, "rule": "spread", "seed": None, "factor1": None, "factor2": None, "hypervolume": arm.hypervolume}
            for metric in ("loss", "ccv"):
                row[metric + "_least"], row[metric], row[metric + "_largest"] = span([mean(run.values(metric)) for run in alone])
            yield row


def wanted_comparison(arms, row, metrics):
    """What a comparison should say; `metrics` are those that its claim names for the pair."""
    sides = [next(arm for arm in arms if (arm.row["label"], arm.row["stream"]) == (row[side], row["stream"]))
             for side in ("better", "than")]
    by_area = row["metric"] == "hypervolume"
    runs = [arm.under(row["rule"]) for arm in sides]
    values = [arm.hypervolume if by_area else mean(run.values(row["metric"])) for arm, run in zip(sides, runs)]
    wanted = {"better_mean": values[0], "than_mean": values[1], "relative": None, "effect": None, "p": None,
              "verdict": "not known", "agrees": None}
    if None in values:
        return wanted
    most = max(map(abs, values))
    wanted["relative"] = (values[0] - values[1]) / most if most else 0.0
    wanted["verdict"] = "about the same" if abs(wanted["relative"]) < 0.05 else "less" if values[0] < values[1] else "more"
    if not by_area or {"loss", "ccv"} <= metrics:
        wanted["agrees"] = {"about the same": None, "less": "no" if by_area else "yes"}.get(wanted["verdict"], "yes" if by_area else "no")
    seeds = [run.values("seed") for run in runs] if not by_area else [[]]
    if len(seeds[0]) >= 6 and seeds[0] == seeds[1]:
        differences = [a - b for a, b in zip(*(run.values(row["metric"]) for run in runs))]
        deviation = statistics.stdev(differences)
        wanted["p"] = share_of_signs(differences)
        wanted["effect"] = statistics.fmean(differences) / deviation if deviation else 0.0 if differences[0] == 0 else None
    return wanted


def wrong(table, found, wanted):
    for key, value in wanted.items():
        if differs(found[key], value):
            name = [found[key] for key in ("label", "rule", "claim", "stream", "metric", "seed") if key in found]
            yield f"{table}: {key} of {name}: {found[key]}, not {value}"


def exported(ofw, folder, table):
    return json.loads(subprocess.run([ofw, "export", folder, "--table", table, "--json"], check=True, capture_output=True).stdout)


def wrong_choices(ofw, folder, arms):
    found, wanted = exported(ofw, folder, "choices"), list(wanted_choices(arms))
    if [(row["stream"], row["label"], row["rule"], row["seed"]) for row in found] != [
            (row["stream"], row["label"], row["rule"], row["seed"]) for row in wanted]:
        yield "choices: other rows than those wanted"
        return
    for row, want in zip(found, wanted):
        yield from wrong("choices", row, want)


def wrong_claims(ofw, folder, arms):
    with open(os.path.join(folder, "claims.json"), encoding="utf-8") as file:
        judged = [tuple(claim[key] for key in ("claim", "stream", "better", "than", "metric")) for claim in json.load(file)["claims"]]
    found = exported(ofw, folder, "choice_claims")
    for rule in ("by-loss", "by-score", "by-front"):
        rows = [row for row in found if row["rule"] == rule]
        names = [tuple(row[key] for key in ("claim", "stream", "better", "than", "metric")) for row in rows]
        pairs = {name[:4] for name in judged} if rule == "by-front" else set()
        if sorted(names) != sorted(judged + [(*pair, "hypervolume") for pair in pairs]):
            yield f"choice_claims: other comparisons {rule} than those of the claims"
            continue
        for row, name in zip(rows, names):
            metrics = {other[4] for other in judged if other[:4] == name[:4]}
            yield from wrong("choice_claims", row, wanted_comparison(arms, row, metrics))


def main():
    ofw, folder = sys.argv[1:]
    arms = read(os.path.join(folder, "results.db"))
    measure_fronts(arms)
    found = [*wrong_choices(ofw, folder, arms), *wrong_claims(ofw, folder, arms)]
    print("\n".join(found[:20]) or "choices and choice_claims agree with results.db")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
