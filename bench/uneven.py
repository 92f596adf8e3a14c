#!/usr/bin/python3
"""Violation against T if limits come late, seldom or in changing lengths: the two tables of docs/theory.md.

    uneven.py [--ofw build/ofw]

The first table has the learners that see gradients on `uneven`, the second those that see numbers only on three forms of it. Both are on
the l2-ball in dimension 2, seed 1.
"""
import argparse

from account import account, whole

FULL, BANDIT = (6000, 60000, 600000), (10**4, 10**5, 10**6)
SELDOM = "uneven:times=every,lengths=constant"
TUNED = ("preset=tight", "step=1000", "gamma-scale=0.01")


def plays(ofw, horizons, learner, stream, *options, sets=()):
    return [account(ofw, learner, stream, rounds, "--domain", "l2-ball:dim=2", *options, sets=sets) for rounds in horizons]


def row(name, accounts, key="ccv", after=""):
    cells = (whole(each[key]) if abs(each[key]) >= 10 else f"{each[key]:.1f}" for each in accounts)
    print(f"| {name} | {' | '.join(cells)} |{after}", flush=True)


def with_gradients(ofw):
    print("| T | 6 000 | 60 000 | 600 000 |\n|---|---|---|---|")
    ada = plays(ofw, FULL, "ofw-ada", "uneven")
    row("violation of `ofw-ada`", ada)
    row("its `ccv_bound`", ada, "ccv_bound")
    row("its regret", ada, "regret")
    row("violation of `ofw-ada-sc`, `--strong-convexity 0.1` (which these losses do not have)",
        plays(ofw, FULL, "ofw-ada-sc", "uneven", "--strong-convexity", "0.1"))
    row(f"violation of `ofw-tvc`, tuned: {', '.join(f'`{each}`' for each in TUNED)}",
        plays(ofw, FULL, "ofw-tvc", "uneven", sets=TUNED))


def with_numbers(ofw):
    print("\n| violation at T = | 10^4 | 10^5 | 10^6 | if x stays at the losses' minimiser |\n|---|---|---|---|---|")
    for stream, share in ((SELDOM, "0.135 T"), ("uneven:times=rare,lengths=constant", "0.027 T"), ("uneven:lengths=lognormal", "2.23 T")):
        row(f"`bfw-ada`, `{stream}`", plays(ofw, BANDIT, "bfw-ada", stream), after=f" {share} |")
    for learner in ("bfw-tvc", "ofw-ada"):
        row(f"`{learner}`, `{SELDOM}`", plays(ofw, BANDIT, learner, SELDOM), after=" 0.135 T |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default="build/ofw")
    ofw = parser.parse_args().ofw
    with_gradients(ofw)
    with_numbers(ofw)


if __name__ == "__main__":
    main()
