#!/usr/bin/python3
"""The benchmark of bench/practical: its market, its yardstick and its rivals against slow versions of themselves.

    test_practical.py --ofw PATH

A standard method that were implemented badly would make ours look good, so each is held to numbers that are worked out here.
"""
import argparse
import math
import pathlib
import sys

import numpy as np
from scipy.optimize import linprog

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "practical"))
import market as markets  # noqa: E402
import pacing  # noqa: E402

SMALL = {"auctions": 3000, "days": 3, "campaigns": 2}


def same(found, wanted, what, tolerance=1e-9):
    if abs(found - wanted) > tolerance * max(1.0, abs(wanted)):
        raise AssertionError(f"{what}: {found}, not {wanted}")


def check_market(_):
    """The same seed gives the same market, another one another; options do what they say."""
    a, b, c = (markets.generate(markets.Parameters(seed=s, **SMALL)) for s in (1, 1, 2))
    assert (a.cost == b.cost).all() and len(a.cost) != len(c.cost)
    assert (np.diff(a.time) >= 0).all() and a.time[0] >= 0 and a.time[-1] < 3 * markets.DAY
    big = markets.generate(markets.Parameters(seed=3))
    same(len(big.time), 228_000, "auctions", 0.02)
    assert big.campaigns == 6 and big.days == 14
    calm = markets.generate(markets.Parameters(seed=3, shock=1.0, drift=0.0))
    wild = markets.generate(markets.Parameters(seed=3, shock=3.0, drift=0.0))
    late = lambda m: np.log(m.cost[m.time > 10 * markets.DAY] / m.value[m.time > 10 * markets.DAY]).mean()
    assert late(wild) > late(calm) + 0.3, "a shock raises prices"


def check_best_in_hindsight(_):
    """The knapsack is the linear program's solution."""
    m = markets.generate(markets.Parameters(seed=4, **SMALL))
    best = pacing.best_in_hindsight(m)
    day = m.time // markets.DAY
    for c in range(m.campaigns):
        for d in range(m.days):
            mine = (m.campaign == c) & (day == d)
            done = linprog(-m.value[mine], A_ub=m.cost[mine][None], b_ub=[m.budgets[c, d]], bounds=(0, 1), method="highs")
            same(best[c, d], -done.fun, f"campaign {c}, day {d}", 1e-7)


def check_books(_):
    """A slot's outcome, auction by auction."""
    m = markets.generate(markets.Parameters(seed=5, **SMALL))
    for book in pacing.books(m, 3600)[0][:40]:
        for multiplier in (0.3, 0.9, 2.0):
            for remaining in (math.inf, 20.0, 3.0):
                value = spend = 0.0
                for v, c in zip(book.value, book.cost):
                    if min(multiplier * v, remaining - spend) >= c:
                        value, spend = value + v, spend + c
                found = book.guarded(multiplier, remaining) if remaining < math.inf else book.won(multiplier)
                same(found[0], value, "value")
                same(found[1], spend, "spend")


def check_dual(_):
    """Two steps by hand: the plan is 10 of 40 per slot, 14 were spent, then 4."""
    for mirror in (False, True):
        dual = pacing.Dual(2.0, 0.5, mirror, "time", 100)
        same(dual.decide(0, 0, 4, 40.0, 0.0), 0.5, "first multiplier")
        dual.learn(pacing.Book(np.array([1.0]), np.array([1.0])), 14.0)
        first = 2.0 * math.exp(0.2) if mirror else 2.0 + 2.0 * 0.2
        same(dual.decide(0, 1, 4, 40.0, 14.0), 1.0 / first, "second multiplier")
        dual.learn(pacing.Book(np.array([1.0]), np.array([1.0])), 4.0)
        same(dual.price, first * math.exp(-0.3) if mirror else first - 2.0 * 0.3, "price")
    left = pacing.Dual(1.0, 0.5, True, "time left", 100)
    left.decide(0, 2, 4, 40.0, 30.0)
    same(left.rate, 5.0, "plan of what is left")
    count = pacing.Dual(1.0, 0.5, False, "auctions", 100)
    count.decide(0, 0, 4, 40.0, 0.0)
    count.learn(pacing.Book(np.ones(5), np.ones(5)), 3.0)
    same(count.price, 1.0 + 0.5 * (3.0 - 40.0 * 5 / 100) / 10.0, "plan by auctions")


def check_pid(_):
    pid = pacing.Pid(1.0, 2.0, 0.5, 4.0)
    same(pid.decide(0, 0, 4, 40.0, 0.0), 1.0, "first multiplier")
    error = (10.0 - 6.0) / 40.0
    same(pid.decide(0, 1, 4, 40.0, 6.0), math.exp(2.0 * error + 0.5 * error + 4.0 * error), "second multiplier")


def check_tuning(_):
    """The best of a grid, and none that overspends."""
    m = markets.generate(markets.Parameters(seed=6, **SMALL))
    made, best = pacing.books(m), pacing.best_in_hindsight(m)
    grid = pacing.grids(m)["dual mirror descent"][::7]
    scores = [pacing.play(m, made, pacer, True).score(m, best) for _, pacer in grid]
    same(pacing.tuned(m, made, best, grid, True)["value"], max(s["value"] for s in scores), "value")
    assert all(s["overspend_percent"] == 0.0 and s["value"] <= 1.0 for s in scores)


def check_ours(ofw):
    """Untuned, on a market that is not among those of the benchmark: not far below the tuned, and no overspend."""
    m = markets.rounded(markets.generate(markets.Parameters(seed=7, auctions=60_000, days=7, campaigns=3)))
    made, best = pacing.books(m), pacing.best_in_hindsight(m)
    rival = pacing.tuned(m, made, best, pacing.grids(m)["dual mirror descent"][::3], True)
    for guard in (True, False):
        ours = pacing.ofw_pace(ofw, m, guard).score(m, best)
        assert ours["value"] >= 0.97 * rival["value"], f"{ours}, {rival}"
        assert ours["overspend_percent"] <= (0.0 if guard else 1.0), f"{ours}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", required=True)
    args = parser.parse_args()
    failed = 0
    for name, check in list(globals().items()):
        if not name.startswith("check_"):
            continue
        try:
            check(args.ofw)
            print(f"ok   {name[6:].replace('_', ' ')}", flush=True)
        except AssertionError as failure:
            failed += 1
            print(f"FAIL {name[6:].replace('_', ' ')}: {failure}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
