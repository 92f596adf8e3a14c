#!/usr/bin/python3
"""What a round costs: linear in the number of cells, and the same from the first round to the last.

    cost.py [--ofw PATH] [--learner NAME] [--rounds N]

Generated ratings, constants as in `ofw-bench`. A round is one oracle call, of so many passes over the direction, and the rest. How many
passes the oracle needs is the data's affair and changes with the size and the round, so the game is also played with oracle-tolerance=1,
which a few passes are enough for, about as many in every round. Every run is the same work, so the fastest of five counts. Prints the
tables of docs/performance.md.
"""
import argparse
import csv
import math
import os
import statistics
import subprocess
import tempfile

SIZES = [(118, 210), (236, 421), (472, 841), (943, 1682), (1886, 3364)]
MIDDLE = SIZES[2]
CONSTANTS = {"ofw-tvc": ["--set", "sigma=line-search", "--set", "step=1000"],
             "scofw-tvc": ["--set", "gamma-scale=100", "--strong-convexity", "1e-3"]}
COARSE = ["--set", "oracle-tolerance=1"]


def play(args, size, rounds, more=()):
    """(milliseconds, passes) after each round, from 0 on."""
    users, items = size
    spec = f"matrix-completion:users={users},items={items},ratings={min(100000, users * items // 15)}"
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.csv")
        subprocess.run([args.ofw, "run", "-q", "--learner", args.learner, *CONSTANTS[args.learner], *more, "--stream", spec,
                        "--rounds", str(rounds), "--trace", trace], check=True, stdout=subprocess.DEVNULL)
        with open(trace, encoding="ascii") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            return [(0.0, 0)] + [(1e3 * float(row["seconds"]), int(row["passes"])) for row in rows]


def games(args, size, rounds):
    """Five runs with the usual tolerance and five with the coarse one, by turns."""
    usual, coarse = [], []
    for _ in range(5):
        usual.append(play(args, size, rounds))
        coarse.append(play(args, size, rounds, COARSE))
    return usual, coarse


def between(runs, first, last):
    """Milliseconds and passes per round, of the rounds first+1..last."""
    spent = [(run[last][0] - run[first][0]) / (last - first) for run in runs]
    return min(spent), (runs[0][last][1] - runs[0][first][1]) / (last - first)


def exponent(x, y):
    """Least squares of log y against log x."""
    x, y = [math.log(v) for v in x], [math.log(v) for v in y]
    mx, my = statistics.mean(x), statistics.mean(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def cells(runs, first, last, size=None):
    """Milliseconds and passes per round, and nanoseconds per cell if the size is given."""
    ms, passes = between(runs, first, last)
    return f"{ms:.3g} | {passes:.1f}" + (f" | {1e6 * ms / size:.1f}" if size else "")


def against_cells(args):
    print("| rows x cols | cells | ms per round | passes | ns per cell | tolerance 1: ms per round | passes | ns per cell |\n" + "|---" * 8 + "|")
    spent, sizes = ([], []), []
    for rows, cols in SIZES:
        sizes.append(rows * cols)
        rounds = min(1000, max(40, int(6e7 / sizes[-1])))
        both = games(args, (rows, cols), rounds)
        for times, runs in zip(spent, both):
            times.append(between(runs, 0, rounds)[0])
        shown = f"{sizes[-1]:,}".replace(",", " ")
        print(f"| {rows} x {cols} | {shown} | {' | '.join(cells(runs, 0, rounds, sizes[-1]) for runs in both)} |", flush=True)
    print(f"\nThe fitted exponent of the cells is {exponent(sizes, spent[0]):.2f}, and {exponent(sizes, spent[1]):.2f} with tolerance 1.\n")


def against_rounds(args):
    both = games(args, MIDDLE, args.rounds)
    print("| rounds | ms per round | passes | tolerance 1: ms per round | passes |\n" + "|---" * 5 + "|")
    for k in range(5):
        first, last = k * args.rounds // 5, (k + 1) * args.rounds // 5
        print(f"| {first + 1} – {last} | {' | '.join(cells(runs, first, last) for runs in both)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default="build/ofw")
    parser.add_argument("--learner", default="scofw-tvc", choices=CONSTANTS)
    parser.add_argument("--rounds", type=int, default=1000)
    args = parser.parse_args()
    against_cells(args)
    against_rounds(args)


if __name__ == "__main__":
    main()
