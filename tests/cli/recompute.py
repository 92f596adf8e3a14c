#!/usr/bin/python3
"""Computes the numbers of a reproduction anew: curves.csv and claims.json from the series and plays of results.db.

    recompute.py DIR

Exit 1 where a number is off by more than rounding.
"""
import csv
import itertools
import json
import os
import sqlite3
import statistics
import sys

SERIES = {"loss": "loss_sum", "regret": "loss_sum - comparator_loss_sum", "ccv": "series.ccv",
          "oracle_calls": "series.oracle_calls",
          "passes": "series.passes"}


def differs(found, wanted, size=0.0):
    """`size`: of the numbers whose difference it is, which are rounded."""
    if found in (None, "") or wanted is None:
        return not (found in (None, "") and wanted is None)
    return abs(float(found) - wanted) > 1e-9 * max(1.0, abs(wanted)) + 1e-14 * size


def spread(values):
    """Mean and standard deviation; None: not known."""
    if not values or None in values:
        return None, None
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else None


def wrong_curves(db, folder):
    with open(os.path.join(folder, "curves.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    drawn = {(row["stream"], row["label"], row["options"], int(row["round"])) for row in rows}
    stored = db.execute("SELECT DISTINCT stream, label, options, round FROM series JOIN cell USING (cell) JOIN arm USING (arm)")
    if drawn != {tuple(row) for row in stored}:
        yield "curves.csv: other rounds than those of the series"
    for row in rows:
        where = [row[key] for key in ("stream", "label", "options", "round")]
        for name, column in SERIES.items():
            values = [value for value, in db.execute(
                f"SELECT {column} FROM series JOIN cell USING (cell) JOIN arm USING (arm)"
                " WHERE stream = ? AND label = ? AND options = ? AND round = ? ORDER BY seed", where)]
            mean, deviation = spread(values)
            size = max((abs(value) for value in values if value is not None), default=0.0)
            if differs(row[name], mean) or differs(row[name + "_deviation"], deviation, size) or int(row["plays"]) != len(values):
                yield f"curves.csv: {name} of {where}: {row[name]}, not {mean}"


def share_of_signs(differences):
    """How many choices of signs give a sum as far from 0 as the one seen."""
    seen = abs(sum(differences)) - 1e-9 * sum(map(abs, differences))
    sums = [abs(sum(s * d for s, d in zip(signs, differences)))
            for signs in itertools.product((1, -1), repeat=len(differences))]
    return sum(total >= seen for total in sums) / len(sums)


def holm(shares):
    """Each p times the number of those that are at least as large, none below a smaller one's."""
    corrected, least = [None] * len(shares), 0.0
    for rank, i in enumerate(sorted(range(len(shares)), key=shares.__getitem__)):
        least = max(least, min(1.0, (len(shares) - rank) * shares[i]))
        corrected[i] = least
    return corrected


def relative(better, than):
    """None: one of the means is not known."""
    if better is None or than is None:
        return None
    return (better - than) / max(abs(better), abs(than)) if better or than else 0.0


def verdict_of(p, difference, share):
    if p >= 0.05:
        return "not decided"
    if abs(share) < 0.05:
        return "negligible"
    if (difference < 0) != (share < 0):                       # seeds that one of them alone has played
        return "not decided"
    return "holds" if difference < 0 else "does not"


def wrong_claims(db, folder):
    with open(os.path.join(folder, "claims.json"), encoding="utf-8") as file:
        document = json.load(file)
    claims, shares, judged = document["claims"], [], []
    for claim in claims:
        sides = [dict(db.execute(f"SELECT seed, {claim['metric']} FROM cell JOIN arm USING (arm) WHERE role = 'play' AND"
                                 " status = 'ok' AND stream = ? AND label = ?", [claim["stream"], claim[side]]))
                 for side in ("better", "than")]
        seeds = sorted(set(sides[0]) & set(sides[1]))
        differences = [sides[0][seed] - sides[1][seed] for seed in seeds]
        mean, deviation = spread(differences)
        shares.append(share_of_signs(differences))
        wanted = {"pairs": len(seeds), "difference": mean, "p": shares[-1]}
        size = max((abs(value) for values in sides for value in values.values() if value is not None), default=0.0)
        if deviation and deviation > 1e-6 * size:             # where all differ alike the effect has no size
            wanted["effect"] = mean / deviation
        for side, values in zip(("better", "than"), sides):
            wanted[side + "_mean"], wanted[side + "_sd"] = spread(list(values.values()))
        wanted["relative"] = relative(wanted["better_mean"], wanted["than_mean"])
        judged.append((wanted, size))
    for claim, (wanted, size), p in zip(claims, judged, holm(shares)):
        wanted["p_holm"] = p
        for key, value in wanted.items():
            if differs(claim[key], value, 0.0 if key in ("p", "p_holm", "relative", "effect") else size):
                yield f"claims.json: {key} of {claim['claim']}, {claim['stream']}, {claim['metric']}: {claim[key]}, not {value}"
        verdict = verdict_of(p, wanted["difference"], wanted["relative"])
        if claim["verdict"] != verdict:
            yield f"claims.json: {claim['claim']}, {claim['stream']}, {claim['metric']}: {claim['verdict']}, not {verdict}"
    could = [n for n in range(1, 21) if len(claims) * 2 / 2 ** n < 0.05]
    pairs = max((wanted["pairs"] for wanted, _ in judged), default=0)
    needed = None if pairs in could or not claims else could[0] if could else 0
    if (document["comparisons"], document["seeds_needed"]) != (len(claims), needed):
        yield f"claims.json: {document['seeds_needed']} seeds for {document['comparisons']} comparisons, not {needed} for {len(claims)}"


def main():
    folder = sys.argv[1]
    db = sqlite3.connect(f"file:{os.path.join(folder, 'results.db')}?mode=ro", uri=True)
    wrong = [*wrong_curves(db, folder), *wrong_claims(db, folder)]
    print("\n".join(wrong[:20]) or "curves.csv and claims.json agree with results.db")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
