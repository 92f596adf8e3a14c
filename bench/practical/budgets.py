"""Plays `ofw pipe` with constraints=budgets on generated ad markets (market.py), beside dual mirror descent that was tuned on the same
market (pacing.py), and writes what docs/budgets.md says of them.

A problem of practical.py.

This plays the learner without `ofw pace`. A round lasts five minutes. The decision mixes 33 multipliers per campaign. The loss is
minus the value, and each campaign's constraint is its spend minus an even plan. `ofw pace` has better plans and a guard.
"""
import json
import subprocess
import sys

import numpy as np

import market as markets
import pacing

GRID = np.geomspace(1 / 32, 32, 33)
# The learner's constants were chosen on seeds below 400 (docs/budgets.md).
MARKETS = [{"seed": 401}, {"seed": 402, "campaigns": 8, "auctions": 250_000, "drift": 0.25}, {"seed": 403, "season": 0.9, "budget": 0.2},
           {"seed": 404, "campaigns": 5, "auctions": 150_000, "days": 10, "shock": 2.2}, {"seed": 405, "spread": 0.9, "correlation": 0.3, "uneven": 0.15},
           {"seed": 406, "campaigns": 12, "auctions": 300_000, "price_season": 0.3}, {"seed": 407, "campaigns": 4, "auctions": 60_000, "days": 21, "budget": 0.35},
           {"seed": 408}, {"seed": 409, "drift": 0.3}]


class Slots:
    """[slot, campaign, multiplier]: what each multiplier would have won and spent."""

    def __init__(self, made):
        self.count, campaigns = len(made[0]), len(made)
        self.value, self.spend = np.zeros((2, self.count, campaigns, len(GRID)))
        for c, mine in enumerate(made):
            for t, book in enumerate(mine):
                k = np.searchsorted(book.ratio, GRID, side="right")
                self.value[t, c], self.spend[t, c] = np.array(book.values)[k], np.array(book.costs)[k]


def play(ofw, market, slots, period):
    campaigns, per_day = market.campaigns, slots.count // market.days
    command = [ofw, "pipe", "--learner", "ofw-ada", "--domain", "product:parts=(" + ";".join([f"simplex:dim={len(GRID)}"] * campaigns) + ")",
               "--set", "constraints=budgets"]
    if period:
        command += ["--set", f"period={per_day}"]
    value, spend = np.zeros((2, campaigns, market.days))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for t in range(slots.count):
            day = t // per_day
            x = np.array(json.loads(process.stdout.readline())["decision"]).reshape(campaigns, -1)
            won, spent = (slots.value[t] * x).sum(axis=1), (slots.spend[t] * x).sum(axis=1)
            value[:, day] += won
            spend[:, day] += spent
            gradients = [{"index": list(range(c * len(GRID), (c + 1) * len(GRID))), "value": slots.spend[t, c].tolist()} for c in range(campaigns)]
            process.stdin.write(json.dumps({"loss": -won.sum(), "loss_gradient": (-slots.value[t]).ravel().tolist(),
                                            "constraint": (spent - market.budgets[:, day] / per_day).tolist(), "constraint_gradient": gradients}) + "\n")
            process.stdin.flush()
        process.stdin.close()
        process.stdout.read()
    return pacing.Outcome(value, spend)


def row(result):
    cells = [" ".join(f"{key}={value}" for key, value in result["market"].items())]
    for name in ("dual mirror descent", "period", "no period"):
        score = result[name]
        cells.append(f"{score['value']:.4f}, {score['overspend_percent']:.2f} %")
    cells.append(f"{result['period']['value'] / result['dual mirror descent']['value']:.3f}")
    return "| " + " | ".join(cells) + " |"


def run(ofw, quick):
    results = []
    for chosen in MARKETS[:1] if quick else MARKETS:
        market = markets.generate(markets.Parameters(**chosen))
        made, best = pacing.books(market), pacing.best_in_hindsight(market)
        slots = Slots(made)
        result = {"market": chosen, "dual mirror descent": pacing.tuned(market, made, best, pacing.grids(market)["dual mirror descent"], False)}
        for name, period in (("period", True), ("no period", False)):
            result[name] = play(ofw, market, slots, period).score(market, best)
        results.append(json.loads(json.dumps(result, default=float)))
        print(row(result), file=sys.stderr, flush=True)
    return results


HEAD = """| market | dual mirror descent, tuned on it | `ofw-ada`, `period=288` | `ofw-ada`, no period | `period=288` over dual mirror descent |
|---|---|---|---|---|
"""
TABLES = {"markets": lambda results: HEAD + "".join(row(result) + "\n" for result in results)}
FIGURES = {}
