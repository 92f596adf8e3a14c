#!/usr/bin/python3
"""Computes readings.json anew from the results.db of every reading, and with it what recompute.py checks of each.

    recompute_readings.py DIR

Exit 1 if a number is off by more than rounding, or if a reading that was played is not in readings.json.
"""
import json
import os
import sqlite3
import sys

import recompute
import recompute_choices

AGREES = {"yes": True, "no": False, None: None}


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return json.load(file)


def folders(folder):
    """Where the results of each reading are."""
    found = {name: os.path.join(folder, name) for name in os.listdir(folder) if os.path.exists(os.path.join(folder, name, "results.db"))}
    return {"literal": folder, **found} if os.path.exists(os.path.join(folder, "results.db")) else found


def wrong_played(reading, folder):
    claims = load(folder, "claims.json")
    for key in ("reading", "title", "rounds", "seeds", "claims"):
        if reading[key] != claims[key]:
            yield f"readings.json: {key} of {reading['reading']} is not that of its claims.json"
    db = sqlite3.connect(f"file:{os.path.join(folder, 'results.db')}?mode=ro", uri=True)
    for problem in (*recompute.wrong_curves(db, folder), *recompute.wrong_claims(db, folder)):
        yield f"{reading['reading']}: {problem}"


def wrong_fields(what, found, wanted):
    for key, value in wanted.items():
        if recompute_choices.differs(found[key], value):
            yield f"readings.json: {key} of {what}: {found[key]}, not {value}"


def wrong_rule(reading, arms, judged):
    rule = reading["reading"]
    names = [tuple(claim[key] for key in ("claim", "stream", "better", "than", "metric")) for claim in judged]
    own = [tuple(claim[key] for key in ("claim", "stream", "better", "than", "metric")) for claim in reading["claims"]]
    if [name for name in own if name[4] != "hypervolume"] != names:
        yield f"readings.json: {rule} has other comparisons than the literal reading"
    for claim, name in zip(reading["claims"], own):
        metrics = {other[4] for other in names if other[:4] == name[:4]}
        wanted = recompute_choices.wanted_comparison(arms, {**claim, "rule": rule}, metrics)
        wanted["direction"], wanted["agrees"] = wanted.pop("verdict"), AGREES[wanted["agrees"]]
        yield from wrong_fields((rule, *name), claim, wanted)


def of_arm(row):
    """A row of recompute_choices as readings.json has it."""
    return {"stream": row["stream"], "learner": row["label"], "constants": [row["constant1"], row["constant2"]]}


def pick(row):
    return {"factors": [row["factor1"], row["factor2"]], "loss": row["loss"], "ccv": row["ccv"]}


def wrong_picks(what, found, wanted):
    """Objects with factors, loss and CCV, in the same order."""
    if len(found) != len(wanted):
        yield f"readings.json: {what}: {len(found)} choices, not {len(wanted)}"
    for one, row in zip(found, wanted):
        want = pick(row)
        if one["factors"] != want.pop("factors"):
            yield f"readings.json: {what}: factors {one['factors']}, not {pick(row)['factors']}"
        yield from wrong_fields(what, one, want)


def wrong_choices(document, arms):
    rows = [row for row in recompute_choices.wanted_choices(arms) if row["rule"] != "untuned"]
    for reading in document["readings"]:
        if "from" in reading:
            wanted = [row for row in rows if row["rule"] == reading["reading"]]
            if [{key: one[key] for key in of_arm(row)} for one, row in zip(reading["chosen"], wanted)] != [of_arm(row) for row in wanted]:
                yield f"readings.json: {reading['reading']} has choices of other learners"
            yield from wrong_picks(reading["reading"], reading["chosen"], wanted)
    for arm in document["tuning"]:
        own = [row for row in rows if of_arm(row) == {key: arm[key] for key in ("stream", "learner", "constants")}]
        by = {rule: [row for row in own if row["rule"] == rule] for rule in ("by-score", "by-seed", "spread")}
        yield from wrong_picks(f"the tuning of {arm['learner']}", [arm["chosen"], *arm["by_seed"]], by["by-score"] + by["by-seed"])
        for metric in ("loss", "ccv"):
            row, = by["spread"]
            wanted = {"least": row[metric + "_least"], "mean": row[metric], "largest": row[metric + "_largest"]}
            yield from wrong_fields(f"the spread of {arm['learner']}, {metric}", arm[metric], wanted)
    if len(document["tuning"]) != len({json.dumps(of_arm(row)) for row in rows}):
        yield "readings.json: the spread of some learner is missing"


def wrong_readings(folder):
    document, where = load(folder, "readings.json"), folders(folder)
    played = {reading["reading"]: reading for reading in document["readings"] if "from" not in reading}
    if set(played) != set(where):
        yield f"readings.json: has {sorted(played)}, and there are {sorted(where)}"
        return
    for name, reading in played.items():
        yield from wrong_played(reading, where[name])
    rules = [reading for reading in document["readings"] if "from" in reading]
    if [reading["reading"] for reading in rules] != (["by-loss", "by-score", "by-front"] if "literal" in played else []):
        yield "readings.json: the rules that choose constants are not all there"
    if "literal" in played:
        arms = recompute_choices.read(os.path.join(folder, "results.db"))
        recompute_choices.measure_fronts(arms)
        for reading in rules:
            yield from wrong_rule(reading, arms, played["literal"]["claims"])
        yield from wrong_choices(document, arms)


def main():
    wrong = list(wrong_readings(sys.argv[1]))
    print("\n".join(wrong[:20]) or "readings.json and all that it is made of agree with the results")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
