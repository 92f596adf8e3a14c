#!/usr/bin/python3
"""Plays every candidate on the design streams and holds it against the tuned rivals of docs/rivals.md.

    make ada-design        (or design.py --candidates build/experiments/ada/ada_candidates --csv experiments/ada/design.csv)

A line a candidate: on how many of the 16 places no tuned projection-free rival is better in both regret and violation, on how many
its score, regret^+ + violation, is within 1.5 times the best tuned rival's, and the geometric mean of that ratio (a ratio below 0.1
counts as that). Rivals are tuned by 22 runs a place and know T and G, and scofw-tvc alpha; candidates know nothing.
"""
import argparse
import concurrent.futures
import csv
import math
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
RIVALS = ("ofw-tvc:sigma=line-search", "scofw-tvc", "opdp", "lpm")

FIRST = "curvature=none care=even kappa=20 first=1 share=4"      # what the study began with
QUESTIONS = [
    ("as chosen", [""]),
    ("without the mean", [FIRST]),
    ("growth of the regulariser", [f"{FIRST} kappa={k}" for k in (1, 3, 10, 50, 100)] + [
        f"{FIRST} {form}" for form in ("weight=adagrad scale=0.3", "weight=adagrad", "weight=adagrad scale=3", "weight=maxima",
                                       "weight=quarter scale=0.3", "weight=quarter")]),
    ("where it pulls to", [f"{FIRST} centre=first"]),
    ("norms: the longest, or root mean squares", [f"{FIRST} unit=rms", "unit=rms"]),
    ("shape and start of the price", [f"{FIRST} {form}" for form in ("price=linear", "price=none", "start=3", "start=10")] + [
        "price=linear", "price=none", "start=2"]),
    ("what the price follows", [f"{FIRST} rate=weight", f"{FIRST} rate=rounds", "rate=rounds", "share=1", "share=4"]),
    ("memory of the queue", [f"{FIRST} memory=none", "memory=none"]),
    ("line search", [f"{FIRST} step=printed", "step=printed"]),
    ("restarts", [f"{FIRST} restart=epochs", "restart=epochs"]),
    ("several oracle steps a round", [f"{FIRST} steps=2", f"{FIRST} steps=5", "steps=2", "steps=5"]),
    ("curvature: told, or seen by a slope, or by the mean", ["curvature=told", "curvature=slope", "gradient=loss", "growth=level lag=kept", "lag=kept", "lag=kept later=2", "lag=kept later=4"]),
    ("how much of it", [f"stronger={k}" for k in (1, 2, 5, 10)] + [f"room={k}" for k in (4, 8, 16, 1e9)] + [f"later={k}" for k in (1, 2, 4, 8)]),
    ("the two options", ["care=even kappa=1", "care=even kappa=10", "care=even kappa=50"] + [f"kappa={k}" for k in (1, 10, 20, 100)] + [f"first={k}" for k in (0.3, 1, 2, 3, 5)]),
    ("the sketch that it began from", [f"{FIRST} centre=first weight=quarter rate=rounds{more}" for more in ("", " restart=epochs")]),
]


def tuned_rivals(path):
    """{(stream, domain): {rival: (regret, violation)}} from the tables of docs/rivals.md."""
    found, place = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            heading = re.match(r"^([a-z-]+(?::[^,]*)?), (\S+)$", line)
            row = re.match(r"^  (\S+) +(\S+) +\S+ +(\S+) +\S+ +\S+ +\S+  ", line)
            if heading:
                place = heading.groups()
                found[place] = {}
            elif place and row and row[1] in RIVALS:
                found[place][row[1]] = float(row[2]), float(row[3])
    return found


def score(regret, violation):
    return max(regret, 0.0) + violation


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--candidates", required=True)
    parser.add_argument("--rounds", default="10000")
    parser.add_argument("--seeds", default="1-4")
    parser.add_argument("--csv")
    args = parser.parse_args()
    rivals = tuned_rivals(os.path.join(ROOT, "docs", "rivals.md"))
    assert len(rivals) == 16, rivals.keys()

    def play(candidate, place):
        run = subprocess.run([args.candidates, *place, args.rounds, args.seeds, "revision=0", *candidate.split()], capture_output=True, text=True, check=True)
        rows = [[float(word) for word in line.split()] for line in run.stdout.splitlines()]
        return tuple(sum(column) / len(rows) for column in zip(*rows))

    rows = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        print("| question | candidate | not beaten | within 1.5 | ratio |\n|---|---|---|---|---|")
        for question, candidates in QUESTIONS:
            for candidate in candidates:
                results = list(pool.map(lambda place, c=candidate: play(c, place), rivals))
                beaten, ratios = 0, []
                for (place, theirs), ours in zip(rivals.items(), results):
                    beaten += any(all(a < b for a, b in zip(other, ours)) for other in theirs.values())
                    ratios.append(score(*ours) / min(score(*other) for other in theirs.values()))
                    rows.append((question, candidate, *place, *(f"{x:.6g}" for x in ours)))
                mean = math.exp(sum(math.log(max(r, 0.1)) for r in ratios) / len(ratios))
                shown = candidate.replace(FIRST, "first form:") if candidate != FIRST else "first form: " + FIRST
                print(f"| {question} | `{shown or 'the defaults'}` | {len(rivals) - beaten} | {sum(r <= 1.5 for r in ratios)} | {mean:.2f} |", flush=True)
                question = ""
    if args.csv:
        with open(args.csv, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("question", "candidate", "stream", "domain", "regret", "violation"))
            writer.writerows(rows)


if __name__ == "__main__":
    main()
