#!/usr/bin/python3
"""Late feedback on benign and hostile streams, for growing delays and horizons: the tables in docs/theory.md.

    delay.py [--ofw build/ofw]

Prints regret and violation, the mean of three seeds. Every round counts by its own decision. The first tables hold T and let
the delay d grow; the last one lets both grow, and gives the exponents that a straight line through the logarithms has.
"""
import argparse
import json
import math
import subprocess

SEEDS = (1, 2, 3)
ROUNDS, DELAYS = 10000, (0, 10, 100, 1000)
GROWING = (1000, 4000, 16000, 64000)
DOMAIN = "l2-ball:dim=10"
STREAMS = ("linear", "quadratic", "alternating:block=500", "conflict", "ball-constraint", "uneven", "uneven:times=rare,lengths=constant",
           "uneven:losses=switching", "uneven:lengths=lognormal")
LEARNERS = {"`ofw-ada`": ("ofw-ada",), "`ofw-tvc preset=tight`": ("ofw-tvc", "preset=tight")}


def play(ofw, stream, rounds, delay, late, learner, *options):
    """Mean regret, mean violation, and whether a reported bound was exceeded."""
    regret = ccv = 0.0
    exceeded = False
    options += (f"delay={delay}",) if delay else ()
    for seed in SEEDS:
        command = [ofw, "run", "--learner", learner, "--stream", stream, "--domain", DOMAIN, "--rounds", str(rounds), "--seed", str(seed),
                   "--json", "-q", *(word for option in options for word in ("--set", option)), *(("--late", late) if delay else ())]
        account = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        regret += account["regret"] / len(SEEDS)
        ccv += account["ccv"] / len(SEEDS)
        open_rounds = (delay + 1) * account["lipschitz"] * account["diameter"]        # what the rounds without feedback can cost
        bounds = account["regret_bound"], account["ccv_bound"]
        exceeded |= any(bound is not None and number > bound + open_rounds for number, bound in zip((account["regret"], account["ccv"]), bounds))
    return regret, ccv, exceeded


def cell(regret, ccv, exceeded):
    return f"{regret:.4g} / {ccv:.4g}{' !' if exceeded else ''}"


def exponent(rounds, numbers):
    """The slope of a straight line through the logarithms; a number that is not positive has none."""
    if min(numbers) <= 0:
        return "–"
    x, y = [math.log(t) for t in rounds], [math.log(number) for number in numbers]
    mean = sum(x) / len(x)
    return f"{sum((a - mean) * b for a, b in zip(x, y)) / sum((a - mean) ** 2 for a in x):.2f}"


def table_of_delays(ofw, learner, late):
    print(f"| stream | {' | '.join(f'd = {d}' for d in DELAYS)} |\n{'|---' * (len(DELAYS) + 1)}|")
    for stream in STREAMS:
        cells = [cell(*play(ofw, stream, ROUNDS, delay, late, *learner)) for delay in DELAYS]
        print(f"| `{stream}` | {' | '.join(cells)} |", flush=True)
    print()


def table_of_growth(ofw):
    print(f"| learner | stream | {' | '.join(f'T = {t}' for t in GROWING)} | exponents |\n{'|---' * (len(GROWING) + 3)}|")
    for name, learner in LEARNERS.items():
        for stream in STREAMS:
            played = [play(ofw, stream, t, math.isqrt(t), "fixed", *learner) for t in GROWING]
            grows = [exponent(GROWING, [numbers[k] for numbers in played]) for k in (0, 1)]
            print(f"| {name} | `{stream}` | {' | '.join(cell(*numbers) for numbers in played)} | {' / '.join(grows)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default="build/ofw")
    ofw = parser.parse_args().ofw
    for learner in LEARNERS.values():
        table_of_delays(ofw, learner, "fixed")
    table_of_delays(ofw, LEARNERS["`ofw-ada`"], "random")
    table_of_growth(ofw)


if __name__ == "__main__":
    main()
