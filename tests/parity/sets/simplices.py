"""Simplices with their inside, and with caps on the coordinates."""
import itertools
import math

import numpy as np
from scipy.optimize import linprog

from .basic import Box, check_projection, onto_simplex
from .text import numbers


class UnitSimplex:
    """x >= 0, sum x <= total."""

    def __init__(self, n, total):
        self.n, self.total, self.R, self.hull = n, total, total, n
        self.r = total / (n + math.sqrt(n))       # as far from the planes of the axes as from the slanted facet
        self.start, self.centre = np.zeros(n), np.full(n, self.r)

    def lmo(self, d):
        v = np.zeros(self.n)
        i = int(np.argmin(d))                     # the first of equal ones
        v[i] = self.total if d[i] < 0 else 0.0
        return v

    def project(self, y):
        x = np.maximum(0.0, y)
        return x if np.sum(x) <= self.total else onto_simplex(y, self.total)


def clipped(y, caps, total):
    """The point of {0 <= x <= caps, sum x = total} nearest to y: y - tau within the bounds, tau by bisection."""
    low, high = np.min(y - caps), np.max(y)
    for _ in range(300):
        tau = (low + high) / 2
        low, high = (tau, high) if np.sum(np.clip(y - tau, 0.0, caps)) > total else (low, tau)
    return np.clip(y - high, 0.0, caps)


class Capped:
    """0 <= x <= caps, sum x = total; at_most: sum x <= total."""

    def __init__(self, caps, total, at_most=False):
        self.n, self.caps, self.total, self.at_most = len(caps), caps, total, at_most
        self.hull = self.n if at_most else self.n - 1
        self.R = float(np.linalg.norm(self.filled(np.argsort(-caps, kind="stable"))))
        if not at_most:
            self.off_hull = lambda u: abs(np.sum(u))

    def filled(self, order):
        """Coordinates up to their caps, in this order, as long as there is something left."""
        v, left = np.zeros(self.n), self.total
        for i in order:
            v[i] = min(self.caps[i], left)
            left -= v[i]
        return v

    def lmo(self, d):
        order = np.argsort(d, kind="stable")      # of equal ones the lowest index first
        return self.filled([i for i in order if d[i] < 0 or not self.at_most])

    def project(self, y):
        x = np.clip(y, 0.0, self.caps)
        return x if self.at_most and np.sum(x) <= self.total else clipped(y, self.caps, self.total)


class CappedSimplex(Capped):
    def __init__(self, caps, total):
        super().__init__(caps, total)
        n, spare = self.n, np.sum(caps) - total
        t = min(total / n, spare / n, np.min(caps) / 2)          # from each bound at least
        self.r = t / math.sqrt(1 - 1 / n)
        self.start = self.centre = t + (caps - 2 * t) * (total - n * t) / np.sum(caps - 2 * t)


class Hypersimplex(Capped):
    def __init__(self, n, k, radius):
        super().__init__(np.full(n, radius), k * radius)
        self.r = radius * min(k / n, 1 - k / n) / math.sqrt(1 - 1 / n)
        self.start = self.centre = np.full(n, radius * k / n)


class UnitHypersimplex(Capped):
    def __init__(self, n, k, radius):
        super().__init__(np.full(n, radius), k * radius, at_most=True)
        self.r = min(k * radius / (n + math.sqrt(n)), radius / 2)
        self.start, self.centre = np.zeros(n), np.full(n, self.r)


class KSparse:
    """|x_i| <= radius, sum |x_i| <= k radius."""

    def __init__(self, n, k, radius):
        self.n, self.k, self.radius, self.hull = n, k, radius, n
        self.R, self.r = radius * math.sqrt(k), min(radius, k * radius / math.sqrt(n))
        self.start = self.centre = np.zeros(n)

    def lmo(self, d):
        v = np.zeros(self.n)
        for i in sorted(range(self.n), key=lambda i: -abs(d[i]))[:self.k]:      # sorted() is stable
            v[i] = -self.radius * np.sign(d[i])
        return v

    def project(self, y):
        size = np.minimum(np.abs(y), self.radius)
        if np.sum(size) > self.k * self.radius:
            size = clipped(np.abs(y), np.full(self.n, self.radius), self.k * self.radius)
        return np.copysign(size, y)


def counted(make):
    """From the options that sets of k coordinates have."""
    return lambda keys, _: make(int(keys["dim"]), int(keys["k"]), float(keys.get("radius", 1)))


def capped_simplex(keys, _):
    caps = numbers(keys["caps"])
    caps = caps if len(caps) > 1 else caps * int(keys.get("dim", 1))
    return CappedSimplex(np.array(caps), float(keys.get("sum", 1)))


MAKERS = {
    "unit-simplex": lambda keys, _: UnitSimplex(int(keys["dim"]), float(keys.get("sum", 1))),
    "hypersimplex": counted(Hypersimplex),
    "unit-hypersimplex": counted(UnitHypersimplex),
    "k-sparse": counted(KSparse),
    "capped-simplex": capped_simplex,
    "hypercube01": lambda keys, _: Box(np.zeros(int(keys["dim"])), np.ones(int(keys["dim"]))),
}


def choices(n, k, values):
    """All vectors of zeros but for k coordinates, which have one of the values each."""
    for chosen in itertools.combinations(range(n), k):
        for entries in itertools.product(values, repeat=k):
            v = np.zeros(n)
            v[list(chosen)] = entries
            yield v


def check(rng):
    """By all vertices; a set whose vertices are not that simple by linprog."""
    up_to = [v for k in range(4) for v in choices(5, k, (1.5,))]
    polytopes = [
        (UnitSimplex(4, 2.5), [np.zeros(4), *(2.5 * np.eye(4))]),
        (Hypersimplex(5, 2, 1.5), list(choices(5, 2, (1.5,)))),
        (UnitHypersimplex(5, 3, 1.5), up_to),
        (KSparse(4, 2, 1.5), list(choices(4, 2, (-1.5, 1.5)))),
    ]
    for domain, vertices in polytopes:
        for trial in range(200):                  # small whole numbers: many exact ties and zeros
            d = rng.integers(-2, 3, domain.n).astype(float) if trial % 2 else rng.standard_normal(domain.n)
            v = domain.lmo(d)
            assert abs(d @ v - min(d @ w for w in vertices)) <= 1e-14, (domain, d)
            assert np.allclose(domain.project(v), v, rtol=0, atol=1e-13), (domain, d)
            check_projection(domain, 2 * d, vertices)
        assert abs(max(np.linalg.norm(v) for v in vertices) - domain.R) <= 1e-14, domain

    caps = np.array([0.5, 1.25, 0.75, 2.0, 1.0])
    domain = CappedSimplex(caps, 2.5)
    for trial in range(60):
        d = rng.integers(-2, 3, 5).astype(float) if trial % 2 else rng.standard_normal(5)
        best = linprog(d, A_eq=np.ones((1, 5)), b_eq=[2.5], bounds=list(zip(np.zeros(5), caps)))
        v = domain.lmo(d)
        assert abs(np.sum(v) - 2.5) <= 1e-14 and np.all((v >= 0) & (v <= caps)), d
        assert abs(d @ v - best.fun) <= 1e-9 and np.linalg.norm(v) <= domain.R + 1e-14, d
        check_projection(domain, 2 * d, [v] + [domain.lmo(rng.standard_normal(5)) for _ in range(20)])
