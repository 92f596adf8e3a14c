#!/usr/bin/python3
"""How much generated ratings resemble the data sets that they replace: the tables of docs/data.md.

Compares `ofw data generate`, seeds 1 to 8, with the data sets, which have to be imported. Everything is computed here, from the rows: the
sorted counts per user and per item, the frequency of each value, and the leading singular values by SciPy.
"""
import argparse
import json
import subprocess
import sys

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

SETS = ["movielens-100k", "filmtrust"]
SEEDS, LEADING = range(1, 9), 10


def ratings(lines):
    """users, items, values; of a pair that is rated twice, the last."""
    last = {}
    for line in lines:
        user, item, value = line.split()[:3]
        last[int(user) - 1, int(item) - 1] = float(value)
    users, items = np.array(list(last)).T
    return users, items, np.array(list(last.values()))


def singular(users, items, values):
    found = scipy.sparse.linalg.svds(scipy.sparse.csr_matrix((values, (users, items))), k=LEADING,
                                     return_singular_vectors=False)
    return np.sort(found)[::-1]


def measured(users, items, values):
    return {"per user": np.sort(np.bincount(users)), "per item": np.sort(np.bincount(items)),
            "values": np.unique(values, return_counts=True)[1], "zero-filled": singular(users, items, values),
            "less the mean": singular(users, items, values - values.mean())}


def counts_row(name, real, made):
    """Where the sorted counts part: the share of all ratings that would have to move, and the largest step between both
    distributions of counts."""
    steps = np.arange(real.max() + 1)
    part = [max(abs(np.searchsorted(real, steps, "right") - np.searchsorted(m, steps, "right"))) / len(real) for m in made]
    moved = [abs(real - m).sum() / 2 / real.sum() for m in made]
    quartiles = [" ".join(f"{q:g}" for q in np.quantile(c, [0, .25, .5, .75, 1])) for c in (real, made[0])]
    print(f"| {name} | {quartiles[0]} | {quartiles[1]} | {100 * np.mean(moved):.1f}% | {np.mean(part):.3f} |")


def compare(name, real, made):
    print(f"\n{name}\n\n| counts | set: least, quartiles, most | generated, seed 1 | moved | apart |\n|---|---|---|---|---|")
    for key in ("per user", "per item"):
        counts_row(key, real[key], [m[key] for m in made])
    same = all(list(m["values"]) == list(real["values"]) for m in made)
    print(f"\nvalues: {'the same frequencies' if same else 'OTHER FREQUENCIES'}\n")
    print("| singular values | " + " | ".join(str(k + 1) for k in range(LEADING)) + " |\n|---|" + "---|" * LEADING)
    for key in ("zero-filled", "less the mean"):
        found = np.array([m[key] for m in made])
        print(f"| {key}, set | " + " | ".join(f"{x:.1f}" for x in real[key]) + " |")
        print("| generated | " + " | ".join(f"{x:.1f}" for x in found.mean(0)) + " |")
        print("| their ratio | " + " | ".join(f"{x:.2f}" for x in found.mean(0) / real[key]) + " |")
        print("| over the seeds ± | " + " | ".join(f"{x:.1f}" for x in found.std(0, ddof=1)) + " |")


def said(ofw, *args):
    done = subprocess.run([ofw, "data", *args], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr.strip())
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", required=True)
    args = parser.parse_args()
    for name in SETS:
        with open(json.loads(said(args.ofw, "describe", name, "--json"))["file"], encoding="ascii") as lines:
            real = measured(*ratings(lines))
        made = [measured(*ratings(said(args.ofw, "generate", name, "--seed", str(seed)).splitlines())) for seed in SEEDS]
        compare(name, real, made)


if __name__ == "__main__":
    main()
