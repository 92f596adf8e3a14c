"""Ad budgets: `ofw pace` beside dual descent, dual mirror descent and PID pacing, on generated markets (market.py).

The game is the same for all. Time is cut into slots. At the start of a slot a method names a multiplier m per campaign; in the slot
every auction is bid on with m times its value, and a bid that is not below the cost wins and pays the cost. When the slot is over the method
sees value and cost of its auctions, those that it lost too.

    value      what was won, over the best in hindsight: each day's best fractional choice of auctions within the budget, with all known
    overspend  what was spent above the day's budget, summed over campaigns and days, over the sum of all budgets

With the guard on, a bid is never above what remains of the day's budget, so that nobody can overspend; the guard is the same for all.
"""
import bisect
import dataclasses
import itertools
import json
import math
import os
import subprocess
import tempfile

import numpy as np

import market as markets

SLOT = 300


# ---- the game ----

class Book:
    """A campaign's auctions of one slot: in the order of time, and sorted by what a unit of value costs."""
    __slots__ = ("value", "cost", "ratio", "values", "costs")

    def __init__(self, value, cost):
        ratio = cost / value
        order = np.argsort(ratio, kind="stable")
        self.value, self.cost = value.tolist(), cost.tolist()
        self.ratio = ratio[order].tolist()
        self.values = [0.0, *np.cumsum(value[order]).tolist()]
        self.costs = [0.0, *np.cumsum(cost[order]).tolist()]

    def won(self, m):
        """Value and spend at multiplier m."""
        k = bisect.bisect_right(self.ratio, m)
        return self.values[k], self.costs[k]

    def guarded(self, m, remaining):
        """The same if no bid may be above what remains."""
        value, spend = self.won(m)
        if spend <= remaining:
            return value, spend
        value = spend = 0.0
        for v, c in zip(self.value, self.cost):
            if c <= m * v and c <= remaining - spend:
                value += v
                spend += c
        return value, spend


def books(market, slot=SLOT):
    """[campaign][slot of the market] -> Book"""
    slots = market.days * markets.DAY // slot
    index = (market.time // slot).astype(int)
    out = []
    for c in range(market.campaigns):
        mine = market.campaign == c
        place, value, cost = index[mine], market.value[mine], market.cost[mine]
        ends = np.searchsorted(place, np.arange(slots + 1))
        out.append([Book(value[a:b], cost[a:b]) for a, b in zip(ends[:-1], ends[1:])])
    return out


def best_in_hindsight(market):
    """[campaign, day]: the fractional knapsack, which is the linear program's solution because budgets are apart."""
    best = np.zeros_like(market.budgets)
    day = (market.time // markets.DAY).astype(int)
    for c in range(market.campaigns):
        for d in range(market.days):
            mine = (market.campaign == c) & (day == d)
            value, cost = market.value[mine], market.cost[mine]
            order = np.argsort(cost / value)
            spend = np.cumsum(cost[order])
            share = np.clip((market.budgets[c, d] - (spend - cost[order])) / cost[order], 0.0, 1.0)
            best[c, d] = (share * value[order]).sum()
    return best


@dataclasses.dataclass
class Outcome:
    value: np.ndarray  # [campaign, day]
    spend: np.ndarray

    def score(self, market, best):
        over = np.maximum(0.0, self.spend - market.budgets).sum() / market.budgets.sum()
        return {"value": self.value.sum() / best.sum(), "overspend_percent": 100.0 * over,
                "used_percent": 100.0 * np.minimum(self.spend, market.budgets).sum() / market.budgets.sum()}


def play(market, made, pacer, guard):
    """pacer(campaign) -> an object with decide(day, slot of day, slots per day, budget, spent) and learn(book, value, spend)."""
    value, spend = np.zeros_like(market.budgets), np.zeros_like(market.budgets)
    per_day = len(made[0]) // market.days
    for c, mine in enumerate(made):
        method = pacer(c)
        for d in range(market.days):
            budget, won, spent = float(market.budgets[c, d]), 0.0, 0.0
            for s in range(per_day):
                m = method.decide(d, s, per_day, budget, spent)
                book = mine[d * per_day + s]
                v, k = book.guarded(m, budget - spent) if guard else book.won(m)
                won += v
                spent += k
                method.learn(book, k)
            value[c, d], spend[c, d] = won, spent
    return Outcome(value, spend)


# ---- the standard methods ----

MOST = 1e6  # no multiplier is larger


class Dual:
    """A price per campaign, by which the bid is the value over the price; it follows spend minus plan of a slot.

    The plan is what remains of the budget (`left`) or all of it, spread evenly over the slots (`time`) or over the auctions,
    of which a day is expected to have as many as the mean day of the market has (`auctions`)."""

    def __init__(self, price, step, mirror, plan, expected):
        self.price, self.step, self.mirror, self.plan, self.expected = price, step, mirror, plan, expected
        self.unit = price

    def decide(self, day, slot, slots, budget, spent):
        self.budget, self.rate = budget, budget / slots
        if "left" in self.plan:
            self.rate = max(budget - spent, 0.0) / (slots - slot)
        self.base = budget / slots
        return min(1.0 / self.price, MOST) if self.price > 1.0 / MOST else MOST

    def learn(self, book, spend):
        plan = self.rate
        if "auctions" in self.plan:
            plan = self.budget * len(book.value) / self.expected
        excess = self.step * (spend - plan) / self.base
        if self.mirror:
            self.price *= math.exp(max(-1.0, min(1.0, excess)))
        else:
            self.price = max(0.0, self.price + self.unit * excess)


class Pid:
    """The logarithm of the multiplier follows the error of the spend against an even plan, its sum and its change."""

    def __init__(self, multiplier, p, i, d):
        self.start = math.log(multiplier)
        self.p, self.i, self.d = p, i, d
        self.sum = self.last = 0.0
        self.day = None

    def decide(self, day, slot, slots, budget, spent):
        if day != self.day:
            self.day, self.last = day, 0.0
        self.plan = budget / slots
        error = slot * self.plan - spent
        error /= budget
        self.sum += error - self.last
        self.log = self.start + self.p * error + self.i * self.sum + self.d * (error - self.last)
        self.last = error
        return math.exp(max(-14.0, min(14.0, self.log)))

    def learn(self, book, spend):
        pass


STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2]
STARTS = [0.5, 1.0, 2.0]
PLANS = ["time", "time left", "auctions"]


def grids(market):
    """Method -> [(what was chosen, pacer)]"""
    mean_price = [market.value[market.campaign == c].sum() / market.cost[market.campaign == c].sum() for c in range(market.campaigns)]
    expected = [(market.campaign == c).sum() / market.days for c in range(market.campaigns)]

    def dual(mirror, step, start, plan):
        return lambda c: Dual(start * mean_price[c], step, mirror, plan, expected[c])

    def pid(start, p, i, d):
        return lambda c: Pid(1.0 / (start * mean_price[c]), p, i, d)

    grid = {}
    for name, mirror in (("dual descent", False), ("dual mirror descent", True)):
        grid[name] = [({"step": step, "start": start, "plan": plan}, dual(mirror, step, start, plan))
                      for step, start, plan in itertools.product(STEPS, STARTS, PLANS)]
    grid["PID"] = [({"start": start, "p": p, "i": i, "d": d}, pid(start, p, i, d))
                   for start, p, i, d in itertools.product([1.0, 2.0], [2.0, 5.0, 10.0, 20.0], [0.0, 0.5, 2.0, 5.0], [0.0, 10.0])]
    return grid


def tuned(market, made, best, grid, guard, most_over=1.0):
    """The member of the grid with the most value of those that overspend by at most most_over %, or else with the least overspend."""
    scores = [(chosen, play(market, made, pacer, guard).score(market, best)) for chosen, pacer in grid]
    fine = [s for s in scores if s[1]["overspend_percent"] <= most_over]
    chosen, score = max(fine, key=lambda s: s[1]["value"]) if fine else min(scores, key=lambda s: s[1]["overspend_percent"])
    return {**score, "chosen": chosen}
