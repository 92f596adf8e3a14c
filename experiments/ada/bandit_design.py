#!/usr/bin/python3
"""The two scores of bandit-design.md for a learner with its options, on the streams that bfw-ada was designed on.

    experiments/ada/bandit_design.py [--ofw build/ofw] [--learner bfw-ada] [key=value]...

One line a horizon: the mean of 1000 (regret + CCV) / T, and the geometric mean of max(0, regret) + CCV, over 7 streams on 2
domains, each the mean of seeds 1 to 4.
"""
import argparse
import concurrent.futures
import itertools
import json
import math
import subprocess

STREAMS = ["linear", "quadratic", "alternating", "alternating:block=100", "conflict", "ball-constraint", "drifting"]
DOMAINS = ["l2-ball:dim=10", "l1-ball:dim=10"]
SEEDS = (1, 2, 3, 4)


def play(args, rounds, stream, domain, seed):
    sets = [word for option in args.options for word in ("--set", option)]
    done = subprocess.run([args.ofw, "run", "-q", "--json", "--learner", args.learner, "--stream", stream, "--domain", domain,
                           "--rounds", str(rounds), "--seed", str(seed), *sets], capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    return result["regret"], result["ccv"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ofw", default="build/ofw")
    parser.add_argument("--learner", default="bfw-ada")
    parser.add_argument("options", nargs="*")
    args = parser.parse_args()
    cells = list(itertools.product(STREAMS, DOMAINS))
    for rounds in (1000, 10000):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            plays = list(pool.map(lambda case: play(args, rounds, *case[0], case[1]), itertools.product(cells, SEEDS)))
        means = [[sum(v) / len(SEEDS) for v in zip(*plays[i:i + len(SEEDS)])] for i in range(0, len(plays), len(SEEDS))]
        mean = sum(regret + ccv for regret, ccv in means) / len(cells) / rounds * 1000
        geometric = math.exp(sum(math.log(max(0, regret) + ccv) for regret, ccv in means) / len(cells))
        print(f"T = {rounds}: {mean:.1f}, {geometric:.1f}")


if __name__ == "__main__":
    main()
