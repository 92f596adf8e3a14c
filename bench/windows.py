#!/usr/bin/python3
"""Windows of ofw-ada on streams that change and on streams that do not: the table in docs/algorithms.md.

    windows.py [--ofw build/ofw]

Prints regret and violation per round, T = 8 000, the mean of three seeds.
"""
import argparse

from account import account

ROUNDS, SEEDS = 8000, (1, 2, 3)
DOMAINS = ("l2-ball", "l1-ball")
STREAMS = ("alternating:block=500", "alternating:block=100", "alternating:block=2000,drift=0.1", "uneven:losses=switching",
           "drifting:turns=4,stops=3", "linear", "quadratic", "conflict", "ball-constraint")
LEARNERS = {"`ofw-ada`": ("ofw-ada",), "`window=128`": ("ofw-ada", "window=128"), "`window=auto`": ("ofw-ada", "window=auto"),
            "`coco-adagrad`": ("coco-adagrad",)}


def play(ofw, stream, domain, learner, *options):
    regret = ccv = 0.0
    for seed in SEEDS:
        of = account(ofw, learner, stream, ROUNDS, "--domain", f"{domain}:dim=10", "--seed", str(seed), sets=options)
        regret += of["regret"] / ROUNDS / len(SEEDS)
        ccv += of["ccv"] / ROUNDS / len(SEEDS)
    return f"{regret:.4f}, {ccv:.4f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default="build/ofw")
    ofw = parser.parse_args().ofw
    print(f"| stream | domain | {' | '.join(LEARNERS)} |\n{'|---' * (len(LEARNERS) + 2)}|")
    for domain in DOMAINS:
        for stream in STREAMS:
            cells = [play(ofw, stream, domain, *learner) for learner in LEARNERS.values()]
            print(f"| `{stream}` | `{domain}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
