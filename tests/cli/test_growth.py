#!/usr/bin/python3
"""Runs what measures: `ofw metrics`, and what is said of them in growth.json (see test_cli.py for its form).

    test_growth.py --ofw PATH [--filter SUBSTRING]

Every figure is computed anew from the files that the command read or wrote.
"""
import argparse
import json
import math
import os
import sys
import tempfile

from program import Failure, Ofw, check, read_trace, same, strict_json
from test_cli import RUNS, run_case

HERE = os.path.dirname(os.path.abspath(__file__))


def near(found, wanted, what, tolerance=1e-9):
    same(found is None, wanted is None, f"{what}: {found}, {wanted}: known")
    check(wanted is None or abs(found - wanted) <= tolerance * max(1, abs(wanted)), f"{what}: {found}, not {wanted}")


# --- metrics ------------------------------------------------------------------------------------

def number(text):
    return float(text) if text else None


def minus(a, b):
    return None if a is None or b is None else a - b


def worst_window(rows, window):
    """(regret, first, last) by looking at all of them."""
    at = [(0, 0.0)] + [(int(r["round"]), minus(number(r["loss_sum"]), number(r["comparator_loss_sum"]))) for r in rows]
    if any(regret is None for _, regret in at):
        return None, {(0, 0)}
    costs = {(a + 1, b): rb - ra for i, (a, ra) in enumerate(at) for b, rb in at[i + 1:] if window in (0, b - a)}
    most = max(costs.values(), default=None)
    return most, {w for w, cost in costs.items() if cost == most} or {(0, 0)}


def recomputed(rows, window):
    last = rows[-1]
    loss, ccv = number(last["loss_sum"]), number(last["ccv"])
    whole = [int(r["round"]) for r in rows] == list(range(1, len(rows) + 1))
    return {"rounds": int(last["round"]), "loss": loss, "regret": minus(loss, number(last["comparator_loss_sum"])),
            "interval_regret": worst_window(rows, window)[0],
            "dynamic_regret": minus(loss, number(last["target_loss_sum"])), "ccv": ccv,
            "soft_violation": max(0.0, math.fsum(number(r["constraint"]) or 0.0 for r in rows)) if whole else None,
            "oracle_calls": int(last["oracle_calls"]), "passes": int(last["passes"]),
            "seconds": number(last["seconds"])}


def test_metrics_of_every_trace(ofw):
    for name, args in RUNS.items():
        for every in ("1", "7", "log"):
            done = ofw.run(*args, "--rounds", "150", "-q", "--trace", f"{name}.csv", "--trace-every", every)
            same((done.returncode, done.stderr), (0, ""), "the play")
            _, rows = read_trace(ofw.file(f"{name}.csv"))
            for window in (0, 1, 7, 50, 151):
                done = ofw.run("metrics", f"{name}.csv", "--json", *(["--window", str(window)] if window else []))
                same((done.returncode, done.stderr), (0, ""), "code and stderr")
                found = strict_json(done.stdout)["traces"]
                same([trace.pop("trace") for trace in found], [f"{name}.csv"], "traces")
                at = found[0].pop("interval_first"), found[0].pop("interval_last")
                wanted = recomputed(rows, window)
                same(list(found[0]), list(wanted), "fields")
                for key, value in wanted.items():
                    near(found[0][key], value, f"{name}, every {every}, window {window}: {key}")
                check(at in worst_window(rows, window)[1], f"{name}: the window {at}")


def test_metrics_of_several(ofw):
    for seed in ("1", "2", "3"):
        ofw.run(*RUNS["linear"], "--rounds", "50", "--seed", seed, "-q", "--trace", f"{seed}.csv")
    done = ofw.run("metrics", "1.csv", "2.csv", "3.csv", "--json")
    same([trace["trace"] for trace in strict_json(done.stdout)["traces"]], ["1.csv", "2.csv", "3.csv"], "traces")
    table = ofw.run("metrics", "1.csv", "2.csv", "3.csv").stdout.splitlines()
    same(table[0].split(), ["1.csv", "2.csv", "3.csv"], "the head")
    for line in table[1:]:
        name, *cells = line.split()
        for cell, trace in zip(cells, strict_json(done.stdout)["traces"], strict=True):
            near(None if cell == "-" else float(cell), trace[name], name, 1e-5)


# --- running ------------------------------------------------------------------------------------

def all_tests():
    with open(os.path.join(HERE, "growth.json"), encoding="utf-8") as file:
        for case in json.load(file):
            yield case["name"], lambda ofw, case=case: run_case(ofw, case)
    for name, function in list(globals().items()):
        if name.startswith("test_"):
            yield name[5:].replace("_", " "), function


def main():
    parser = argparse.ArgumentParser(description="the commands that measure, end to end")
    parser.add_argument("--ofw", required=True, metavar="PATH")
    parser.add_argument("--filter", default="", metavar="SUBSTRING")
    args = parser.parse_args()
    passed = failed = 0
    for name, test in all_tests():
        if args.filter not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Ofw(os.path.abspath(args.ofw), folder))
                print(f"ok   {name}", flush=True)
                passed += 1
            except Exception as failure:          # a test that stumbles over the output has failed too
                print(f"FAIL {name}: {failure if isinstance(failure, Failure) else repr(failure)}", flush=True)
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
