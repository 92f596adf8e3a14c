"""Slow, obvious versions of the learners that take feedback late: delay=N.

One step per feedback, in the order of arrival; every decision is the latest x.  A gradient of round s is one at the x that
was played in s.  So OFW-TVC is as without a delay, but for its default beta, and OFW-Ada adds what it costs that x has moved:

    cost = |p| |x_s - x|,  which is a part of beta and of what is certain;

|x_s - x| is bounded by the steps in between, and by the minimiser z of Phi: |x_s - z_s| + the ways of z + |z - x|.
"""
import math

import numpy as np

from accounts_reference import OfwAdaBudgets, OfwAdaEach, OfwTvcAccounts
from reference import OfwAda, OfwTvc


class InOrderOfArrival:
    """Nothing has to be kept of a decision until its feedback comes."""

    def decided(self):
        return None

    def hear(self, feedback, kept):
        self.observe(feedback)


class Tvc(InOrderOfArrival):
    def configure(self, options):
        late = int(options["delay"]) / math.sqrt(self.T)
        c = 10 + 2 * late if options.get("preset") == "tight" else 64 * max(1, late)
        super().configure({"beta": 1 / (c * self.G * self.D), **options})


class Ada:
    def configure(self, options):
        self.costs = []                           # of the rounds, in the order of arrival
        self.ways, self.near = [], 0.0            # of z, one after the other; |x - z| at most
        self.late = 0.0                           # |x_s - x| of the feedback that is heard
        super().configure(options)

    def decided(self):
        return len(self.xs), len(self.ways), self.near

    def hear(self, feedback, kept):
        steps, ways, near = kept
        path = sum(np.linalg.norm(b - a) for a, b in zip(self.xs[steps - 1:], self.xs[steps:]))
        self.late = min(self.D, path, near + sum(self.ways[ways:]) + self.near)
        self.observe(feedback)

    def begin_epoch(self, why, b):
        self.ways.append(self.near)               # from z to x, which is the next z
        self.near = 0.0
        super().begin_epoch(why, b)

    def see_loss(self, length):
        if self.Gf == 0 < length:
            self.costs[:] = [length * cost for cost in self.costs]
        super().see_loss(length)
        self.curved = 2 * sum(self.pull_weights())

    def throw(self, length):
        self.steep = length / self.D
        self.costs.append(self.steep * self.late)
        self.betas[-1] += self.costs[-1]
        return super().throw(length)

    def late_cost(self):
        return sum(self.of_epoch(self.costs))

    def certify(self):
        now = self.last_curvature
        self.ways.append(min(self.D, (self.steep + abs(now - self.curved) * self.near) / now))
        self.near = min(self.D, math.sqrt(2 * self.lefts[-1] / now))
        super().certify()


def late(of, kind):
    """The learner `kind` with a delay."""
    return type(f"Late{kind.__name__}", (of, kind), {"KEYS": kind.KEYS | {"delay"}})


LEARNERS = {("ofw-tvc", "max"): late(Tvc, OfwTvc), ("ofw-tvc", "sum"): late(Tvc, OfwTvc),
            ("ofw-tvc", "each"): late(Tvc, OfwTvcAccounts), ("ofw-tvc", "budgets"): late(Tvc, OfwTvcAccounts),
            ("ofw-ada", "max"): late(Ada, OfwAda), ("ofw-ada", "sum"): late(Ada, OfwAda),
            ("ofw-ada", "each"): late(Ada, OfwAdaEach), ("ofw-ada", "budgets"): late(InOrderOfArrival, OfwAdaBudgets)}
