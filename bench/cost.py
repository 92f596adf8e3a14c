#!/usr/bin/python3
"""What a round costs: linear in the number of cells, and the same from the first round to the last.

    cost.py [--ofw PATH] [--learner NAME] [--rounds N]

Generated ratings, constants as in `ofw-bench`. A round is one oracle call, of so many passes over the direction, and the rest. How many
passes the oracle needs is the data's affair and changes with the size and the round, so the game is also played with oracle-tolerance=1,
which a few passes are enough for, about as many in every round. Every run is the same work, so the fastest of five counts.
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
    """Milliseconds and passes a round, of the rounds first+1..last."""
    spent = [(run[last][0] - run[first][0]) / (last - first) for run in runs]
    return min(spent), (runs[0][last][1] - runs[0][first][1]) / (last - first)


def exponent(x, y):
    """Least squares of log y against log x."""
    x, y = [math.log(v) for v in x], [math.log(v) for v in y]
    mx, my = statistics.mean(x), statistics.mean(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


HEAD = f"{'ms a round':>13}{'passes':>8}{'ns a cell':>11}"


def numbers(runs, first, last, cells):
    ms, passes = between(runs, first, last)
    return f"{ms:>13.3f}{passes:>8.1f}{1e6 * ms / cells:>11.2f}"


def against_cells(args):
    print(f"{'':>21}{'usual tolerance':>32}{'tolerance 1':>32}")
    print(f"{'rows':>6}{'cols':>6}{'cells':>9}{HEAD}{HEAD}")
    spent = [], []
    for size in SIZES:
        cells = size[0] * size[1]
        rounds = min(1000, max(40, int(6e7 / cells)))
        both = games(args, size, rounds)
        for times, runs in zip(spent, both):
            times.append(between(runs, 0, rounds)[0])
        row = "".join(numbers(runs, 0, rounds, cells) for runs in both)
        print(f"{size[0]:>6}{size[1]:>6}{cells:>9}{row}", flush=True)
    cells = [rows * cols for rows, cols in SIZES]
    print(f"exponent of the cells in a round: {exponent(cells, spent[0]):.2f} and {exponent(cells, spent[1]):.2f}")


def against_rounds(args):
    both = games(args, MIDDLE, args.rounds)
    print(f"{'':>13}{'usual tolerance':>32}{'tolerance 1':>32}")
    print(f"{'rounds':>13}{HEAD}{HEAD}")
    for k in range(5):
        first, last = k * args.rounds // 5, (k + 1) * args.rounds // 5
        print(f"{first + 1:>6} - {last:>4}" + "".join(numbers(runs, first, last, MIDDLE[0] * MIDDLE[1]) for runs in both))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default="build/ofw")
    parser.add_argument("--learner", default="scofw-tvc", choices=CONSTANTS)
    parser.add_argument("--rounds", type=int, default=1000)
    args = parser.parse_args()
    print(f"{args.learner}: a round against the number of cells")
    against_cells(args)
    print(f"\n{args.learner}, {MIDDLE[0]} x {MIDDLE[1]}: a round against its number")
    against_rounds(args)


if __name__ == "__main__":
    main()
