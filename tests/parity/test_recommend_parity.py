#!/usr/bin/python3
"""Predictions of `ofw recommend` against recommend_reference.py, rating by rating.

    test_recommend_parity.py --ofw PATH
"""
import argparse
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

from recommend_reference import Recommender

CLOSE = 1e-6


def ratings(rng, users, items, count, scale):
    """Distinct pairs; taste of rank 2, so that there is something to find."""
    p, q = rng.normal(size=(users, 2)), rng.normal(size=(items, 2))
    pairs = rng.choice(users * items, size=count, replace=False)
    lowest, highest, step = scale
    for pair in pairs:
        u, j = divmod(int(pair), items)
        x = (lowest + highest) / 2 + (highest - lowest) / 5 * (p[u] @ q[j] + 0.5 * rng.normal())
        yield u, j, min(highest, max(lowest, lowest + step * round((x - lowest) / step)))


def most_rated(rows, items, n):
    times = np.bincount([j for _, j, _ in rows], minlength=items)
    return sorted(range(items), key=lambda j: (-times[j], j))[:n]


CASES = [
    # users, items, ratings, scale, options of the command, arguments of the reference
    (20, 15, 200, (1, 5, 1), ["batch=40", "rank=3", "ridge=1"], {"batch": 40, "rank": 3, "ridge": 1.0}),
    (12, 30, 250, (0.5, 4, 0.5), ["batch=25", "growth=0.3", "rank=2", "ridge=0.5", "forget=0.9"],
     {"batch": 25, "growth": 0.3, "rank": 2, "ridge": 0.5, "forget": 0.9}),
    (25, 20, 300, (1, 10, 1), ["batch=50", "session=0.5", "user_ridge=2", "item_ridge=7", "ridge=0.7"],
     {"batch": 50, "session": 0.5, "user_ridge": 2.0, "item_ridge": 7.0, "ridge": 0.7}),
    (20, 15, 150, (1, 5, 1), ["batch=30", "rank=0"], {"batch": 30, "rank": 0}),
    (20, 15, 150, (1, 5, 1), ["batch=30", "mixing=off", "ridge=1"], {"batch": 30, "mixing": False, "ridge": 1.0}),
    (20, 15, 150, (1, 5, 1), ["batch=30", "atoms=off"], {"batch": 30, "atoms": False}),
    (20, 15, 200, (1, 5, 1), ["batch=30", "ridge=1", "rank=3", "atoms=single"], {"batch": 30, "ridge": 1.0, "rank": 3, "atoms": "single"}),
    (20, 15, 150, (1, 5, 1), ["batch=30", "ridge=1", "row_step=off"], {"batch": 30, "ridge": 1.0, "row_step": False}),
    (20, 15, 200, (1, 5, 1), ["batch=40", "rank=3", "ridge=1"],
     {"batch": 40, "rank": 3, "ridge": 1.0, "group": 4, "cap": 2.6, "per_round": 30}),
    (30, 40, 240, (0.5, 4, 0.5), ["batch=60", "ridge=1", "slack=0.2"],
     {"batch": 60, "ridge": 1.0, "slack": 0.2, "group": 8, "cap": 2.0, "per_round": 25}),
]


def play(ofw, folder, rows, sets, cap, group, per_round, scale):
    with open(os.path.join(folder, "r"), "w", encoding="utf-8") as file:
        file.writelines(f"{u} {j} {value:g}\n" for u, j, value in rows)
    command = [ofw, "recommend", "r", "--json", "--predictions", "p.csv", "--lowest", str(scale[0]), "--highest", str(scale[1])]
    for pair in sets:
        command += ["--set", pair]
    if cap is not None:
        command += ["--cap", str(cap), "--group", str(group), "--per-round", str(per_round)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command}: {done.stderr}")
    with open(os.path.join(folder, "p.csv"), encoding="utf-8") as file:
        return json.loads(done.stdout), [float(row["prediction"]) for row in csv.DictReader(file)]


def compare(ofw, seed, case):
    """The largest difference of a prediction, and problems."""
    users, items, count, scale, sets, own = case
    own = dict(own)
    rng = np.random.default_rng(seed)
    rows = list(ratings(rng, users, items, count, scale))
    rows.append((users - 1, items - 1, scale[0])) if all((u, j) != (users - 1, items - 1) for u, j, _ in rows) else None
    rows.append((0, 0, scale[0])) if all((u, j) != (0, 0) for u, j, _ in rows) else None
    group, cap, per_round = own.pop("group", None), own.pop("cap", None), own.pop("per_round", 500)
    with tempfile.TemporaryDirectory() as folder:
        result, found = play(ofw, folder, rows, sets, cap, group, per_round, scale)
    slow = Recommender(users, items, scale[0], scale[1], group=most_rated(rows, items, group) if group else (), cap=cap,
                       per_round=per_round, **own)
    wanted = [slow.rate(*row) for row in rows]
    worst = max(abs(a - b) for a, b in zip(found, wanted))
    if worst > CLOSE:
        first = next(k for k, (a, b) in enumerate(zip(found, wanted)) if abs(a - b) > CLOSE)
        yield f"rating {first + 1}: predicted {found[first]!r}, the slow version {wanted[first]!r}"
    off = [x - value for x, (_, _, value) in zip(wanted, rows)]
    numbers = {"progressive_rmse": math.sqrt(sum(x * x for x in off) / len(off)), "progressive_mae": sum(map(abs, off)) / len(off)}
    if cap is not None:
        numbers["mean_violation"] = slow.unit * sum(slow.cap.violations) / len(slow.cap.violations)
        if own.get("slack", 0.0) <= 0.0 and result["mean_violation"] != 0.0:
            yield f"a violation of {result['mean_violation']} without slack"
        if own.get("slack", 0.0) > 0.0 and not 0.0 < result["mean_violation"] <= own["slack"] + CLOSE:
            yield f"a violation of {result['mean_violation']} with a slack of {own['slack']}"
    for name, value in numbers.items():
        if abs(result[name] - value) > CLOSE:
            yield f"{name} {result[name]!r}, recomputed {value!r}"
    if len(set(np.round(wanted, 6))) < count / 4:
        yield "the predictions hardly differ: nothing was compared"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", required=True)
    args = parser.parse_args()
    failed = 0
    for number, case in enumerate(CASES):
        problems = list(compare(os.path.abspath(args.ofw), number + 1, case))
        failed += bool(problems)
        print(f"{'FAIL' if problems else 'ok  '} {case[0]} x {case[1]}, {' '.join(case[4])}{', a cap' if 'cap' in case[5] else ''}")
        for problem in problems:
            print(f"     {problem}")
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
