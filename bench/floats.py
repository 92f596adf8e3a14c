#!/usr/bin/python3
"""How far storage=float is from doubles: a table of docs/algorithms.md.

    floats.py [--ofw build/ofw] [--rounds N]

Plays 400 rounds on the generated 943 x 1682 ratings, seed 1, with both storages, and prints the relative differences of loss and CCV.
"""
import argparse

from account import account

LEARNERS = {"`ofw-tvc`": ("ofw-tvc",), "`ofw-tvc`, `sigma=line-search`": ("ofw-tvc", "sigma=line-search"), "`ofw-tvc`, `preset=tight`": ("ofw-tvc", "preset=tight"),
            "`scofw-tvc`": ("scofw-tvc",), "`bfw-tvc`": ("bfw-tvc",), "`scbfw-tvc`": ("scbfw-tvc",)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default="build/ofw")
    parser.add_argument("--rounds", type=int, default=400)
    args = parser.parse_args()
    print("| learner | loss off by | CCV off by |\n|---|---|---|")
    for name, (learner, *options) in LEARNERS.items():
        exact, single = (account(args.ofw, learner, "matrix-completion", args.rounds, sets=(*options, f"storage={storage}")) for storage in ("double", "float"))
        cells = [f"{abs(single[key] - exact[key]) / abs(exact[key]):.0e}" if exact[key] else "–" for key in ("loss", "ccv")]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
