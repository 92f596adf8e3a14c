#!/usr/bin/python3
"""The printed first guess of the gradient bound on a small ball, where its late start is within reach: a table of docs/errata.md.

    guess.py [--ofw build/ofw]

Prints the regret of ofw-tvc with guess=paper and guess=scale against T, and the exponent between two rows, log(ratio) / log 4.
"""
import argparse
import math

from account import account, whole

HORIZONS = tuple(1000 * 4**k for k in range(6))


def regret(ofw, guess, rounds):
    return account(ofw, "ofw-tvc", "linear", rounds, "--domain", "l2-ball:dim=10,radius=0.05", sets=(f"guess={guess}",))["regret"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default="build/ofw")
    ofw = parser.parse_args().ofw
    print("| T | regret, `guess=paper` | exponent from the row above | regret, `guess=scale` | exponent | ratio |\n|---|---|---|---|---|---|")
    before = None
    for rounds in HORIZONS:
        now = [regret(ofw, guess, rounds) for guess in ("paper", "scale")]
        cells = []
        for k, value in enumerate(now):
            cells += [whole(float(f"{value:.4g}")) if value >= 100 else f"{value:.4g}", f"{math.log(value / before[k]) / math.log(4):.3f}" if before else ""]
        print(f"| {whole(rounds)} | {' | '.join(cells)} | {now[0] / now[1]:.2f} |", flush=True)
        before = now


if __name__ == "__main__":
    main()
