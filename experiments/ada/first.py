#!/usr/bin/python3
"""Plays ofw-ada with several values of `first` on the places of the report, against the best tuned rival there.

    first.py --ofw build/ofw > experiments/ada/sets/first.txt        (two minutes on one core)

The places, the rivals' means and the seeds are those of the table in docs/rivals.md. Per place and value: the means of regret and
violation over the seeds, and the score, regret^+ + violation, over the rival's. The last line counts the scores within 1.5.
"""
import argparse
import json
import os
import re
import statistics
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FIRST = ("0.1", "0.5", "0.75", "1", "1.5")
SEEDS = range(401, 417)
ROUNDS = "10000"


def places():
    """(stream, domain or None, the best rival's regret and violation) per row of the table."""
    with open(os.path.join(ROOT, "docs", "rivals.md"), encoding="utf-8") as page:
        for line in page:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            best = re.search(r"(-?[\d.]+) / ([\d.]+)$", cells[4]) if len(cells) == 7 else None
            if best:
                domain = cells[1].strip("`")
                yield cells[0].strip("`"), None if domain == "its own" else domain, float(best[1]), float(best[2])


def play(ofw, stream, domain, first):
    """The means of regret and violation over the seeds."""
    games = []
    for seed in SEEDS:
        command = [ofw, "run", "--learner", "ofw-ada", "--set", f"first={first}", "--stream", stream, "--rounds", ROUNDS, "--seed", str(seed), "--json", "--quiet"]
        done = subprocess.run(command + (["--domain", domain] if domain else []), check=True, capture_output=True, text=True)
        games.append(json.loads(done.stdout))
    return statistics.mean(g["regret"] for g in games), statistics.mean(g["ccv"] for g in games)


def score(regret, violation):
    return max(regret, 0.0) + violation


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ofw", required=True)
    ofw = parser.parse_args().ofw
    within = dict.fromkeys(FIRST, 0)
    print(f"{'stream, domain':<76}{'best tuned':>18}" + "".join(f"{'first=' + first:>24}" for first in FIRST))
    for stream, domain, regret, violation in places():
        cells = []
        for first in FIRST:
            mine = play(ofw, stream, domain, first)
            ratio = score(*mine) / score(regret, violation)
            within[first] += ratio <= 1.5
            cells.append(f"{mine[0]:>9.4g} /{mine[1]:>6.3g}{ratio:>7.2f}")
        print(f"{stream + ', ' + (domain or 'its own'):<76}{regret:>9.4g} /{violation:>7.3g}" + "".join(f"{cell:>24}" for cell in cells), flush=True)
    print(f"{'within 1.5':<94}" + "".join(f"{within[first]:>24}" for first in FIRST))


if __name__ == "__main__":
    main()
