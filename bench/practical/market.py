#!/usr/bin/python3
"""Generates an ad market: opportunities of several campaigns in second-price auctions, and their daily budgets.

    market.py [--seed N] [--days N] [..] --output FILE.csv --budget-file FILE.csv

An auction is a row `time,campaign,value,cost`: seconds since the first midnight, the campaign's name, what winning is worth, and
the price to beat. A bid above the cost wins and pays the cost. Budgets are rows `campaign,day,budget`, days from 0.

Everything is drawn from the seed. The options set the middle of what is drawn:

    arrivals   a Poisson process with a daily profile of two harmonics per campaign (--season), noise by the hour and a weekly pattern
    value      log-normal around a level per campaign that walks at random from hour to hour (--drift per day, in log units)
    cost       log-normal, correlated with the value; its level walks too, has a daily profile (--price-season), and from a
               time within the middle third of the market on it is multiplied by a shock (--shock) for about half of the campaigns
    budget     a share per campaign (about --budget) of what winning everything would cost on a mean day; varies by day (--uneven)
"""
import argparse
import csv
import dataclasses
import sys

import numpy as np

DAY = 86400


@dataclasses.dataclass
class Parameters:
    seed: int = 1
    campaigns: int = 6
    auctions: int = 228_000
    days: int = 14
    season: float = 0.6
    price_season: float = 0.15
    drift: float = 0.15
    shock: float = 1.6
    budget: float = 0.25
    spread: float = 0.6
    correlation: float = 0.6
    uneven: float = 0.0


@dataclasses.dataclass
class Market:
    """Arrays of one entry per auction in the order of time, and budgets[campaign, day]."""
    time: np.ndarray
    campaign: np.ndarray
    value: np.ndarray
    cost: np.ndarray
    budgets: np.ndarray

    @property
    def campaigns(self):
        return self.budgets.shape[0]

    @property
    def days(self):
        return self.budgets.shape[1]

    def names(self):
        return [f"c{i + 1}" for i in range(self.campaigns)]


def profile(rng, hours, amplitude):
    """A positive daily profile with mean about 1."""
    phase, second = rng.uniform(0, 2 * np.pi, 2)
    day = 2 * np.pi * hours / 24
    return np.exp(amplitude * np.sin(day + phase) + 0.4 * amplitude * np.sin(2 * day + second))


def walk(rng, hours, per_day):
    """A random walk from hour to hour whose standard deviation after a day is per_day."""
    return np.cumsum(rng.normal(0.0, per_day / np.sqrt(24.0), len(hours)))


def generate(p):
    rng = np.random.default_rng([p.seed, 20231117])
    hours = np.arange(24 * p.days)
    weight = rng.dirichlet(np.full(p.campaigns, 4.0))
    common = rng.uniform(0, 2 * np.pi)
    weekly = 1.0 + 0.1 * rng.standard_normal(7)
    begins = rng.uniform(p.days / 3, 2 * p.days / 3) * 24
    shocked = rng.random(p.campaigns) < 0.5
    shocked[rng.integers(p.campaigns)] = True
    parts, budgets = [], np.empty((p.campaigns, p.days))
    for c in range(p.campaigns):
        day = 2 * np.pi * hours / 24
        rate = np.exp(p.season * np.sin(day + common)) * profile(rng, hours, p.season / 3) * weekly[(hours // 24) % 7]
        rate *= np.exp(0.1 * rng.standard_normal(len(hours)))
        rate *= p.auctions * weight[c] / rate.sum()
        count = rng.poisson(rate)
        hour = np.repeat(hours, count)
        n = len(hour)
        time = 3600.0 * (hour + rng.random(n))
        level = np.log(rng.uniform(0.3, 3.0)) + walk(rng, hours, p.drift)
        price = np.log(rng.uniform(0.5, 1.5)) + walk(rng, hours, p.drift) + np.log(profile(rng, hours, p.price_season))
        spread = p.spread * rng.uniform(0.7, 1.3)
        noise = rng.standard_normal((2, n))
        value = np.exp(level[hour] + spread * noise[0])
        cost = np.exp((level + price)[hour] + spread * (p.correlation * noise[0] + np.sqrt(1 - p.correlation**2) * noise[1]))
        if shocked[c]:
            cost *= np.where(time >= 3600.0 * begins, p.shock * rng.uniform(0.85, 1.15), 1.0)
        share = p.budget * np.exp(rng.uniform(-0.8, 0.6))
        budgets[c] = share * cost.sum() / p.days * np.exp(p.uneven * rng.standard_normal(p.days))
        parts.append((time, np.full(n, c), value, cost))
    time, campaign, value, cost = (np.concatenate(column) for column in zip(*parts))
    order = np.argsort(time, kind="stable")
    return Market(time[order], campaign[order], value[order], cost[order], budgets)


def rounded(market):
    """The market as its files have it, so that those who read the files and those who do not see the same numbers."""
    return Market(np.array([float(f"{x:.3f}") for x in market.time]), market.campaign,
                  np.array([float(f"{x:.6g}") for x in market.value]), np.array([float(f"{x:.6g}") for x in market.cost]),
                  np.array([[float(f"{x:.8g}") for x in row] for row in market.budgets]))


def write(market, auctions, budgets):
    names = market.names()
    with open(auctions, "w", encoding="utf-8", newline="") as out:
        out.write("time,campaign,value,cost\n")
        for t, c, v, k in zip(market.time.tolist(), market.campaign.tolist(), market.value.tolist(), market.cost.tolist()):
            out.write(f"{t:.3f},{names[c]},{v:.6g},{k:.6g}\n")
    with open(budgets, "w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["campaign", "day", "budget"])
        for c, name in enumerate(names):
            for day in range(market.days):
                rows.writerow([name, day, f"{market.budgets[c, day]:.8g}"])


def add_options(parser):
    for field in dataclasses.fields(Parameters):
        parser.add_argument("--" + field.name.replace("_", "-"), type=field.type, default=field.default)


def from_options(args):
    return Parameters(**{field.name: getattr(args, field.name) for field in dataclasses.fields(Parameters)})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--output", required=True)
    parser.add_argument("--budget-file", required=True)
    args = parser.parse_args()
    market = generate(from_options(args))
    write(market, args.output, args.budget_file)
    print(f"{len(market.time)} auctions, {market.campaigns} campaigns, {market.days} days", file=sys.stderr)


if __name__ == "__main__":
    main()
