"""Sets made of others."""
import math

import numpy as np

from . import basic
from .text import bare, numbers, split


def holds(domain, y):
    return bool(np.allclose(domain.project(y), y, rtol=0, atol=1e-15))


class Product:
    """Points one after the other."""

    def __init__(self, parts):
        self.parts = parts
        self.n, self.hull = sum(p.n for p in parts), sum(p.hull for p in parts)
        self.R, self.r = math.sqrt(sum(p.R ** 2 for p in parts)), min(p.r for p in parts)
        self.centre = np.concatenate([p.centre for p in parts])
        self.start = self.centre if any(p.start.any() for p in parts) else np.zeros(self.n)
        self.iterative = any(getattr(p, "iterative", False) for p in parts)
        self.curved = any(getattr(p, "curved", False) for p in parts)
        if all(hasattr(p, "project") for p in parts):
            self.project = lambda y: self.each("project", y)

    def slices(self, x):
        ends = np.cumsum([p.n for p in self.parts])
        return zip(self.parts, np.split(x, ends[:-1]))

    def each(self, name, x):
        return np.concatenate([getattr(p, name)(part) for p, part in self.slices(x)])

    def lmo(self, d):
        return self.each("lmo", d)

    def off_hull(self, u):
        return max(getattr(p, "off_hull", lambda _: 0.0)(part) for p, part in self.slices(u))


class Around:
    """What is as in another set."""

    def __init__(self, of):
        self.of, self.n, self.hull = of, of.n, of.hull
        self.iterative, self.curved = getattr(of, "iterative", False), getattr(of, "curved", False)
        self.off_hull = getattr(of, "off_hull", lambda u: 0.0)


class Scaled(Around):
    """factor K."""

    def __init__(self, of, factor):
        super().__init__(of)
        self.factor, self.R, self.r = factor, abs(factor) * of.R, abs(factor) * of.r
        self.centre, self.start = factor * of.centre, factor * of.start
        if hasattr(of, "project"):
            self.project = lambda y: factor * of.project(y / factor)

    def lmo(self, d):
        return self.factor * self.of.lmo(math.copysign(1, self.factor) * d)


class Shifted(Around):
    """K + b."""

    def __init__(self, of, b):
        super().__init__(of)
        self.b, self.r, self.centre = b, of.r, of.centre + b
        farthest = of.lmo(-b) if b.any() else np.zeros(of.n)
        self.R = math.sqrt(of.R ** 2 + 2 * float(b @ farthest) + float(b @ b))
        self.start = np.zeros(of.n) if holds(of, -b) else self.centre
        if hasattr(of, "project"):
            self.project = lambda y: b + of.project(y - b)

    def lmo(self, d):
        return self.b + self.of.lmo(d)


def cached(keys, make):
    """Where a play asks for exact answers, as one of an iterative oracle does here, none comes from memory."""
    of = make(keys["of"])
    of.iterative = True
    return of


def shifted(keys, make):
    of, b = make(keys["of"]), numbers(keys["by"])
    return Shifted(of, np.array(b if len(b) > 1 else b * of.n))


MAKERS = {
    "product": lambda keys, make: Product([make(spec) for spec in split(bare(keys["parts"]), ";")]),
    "scaled": lambda keys, make: Scaled(make(keys["of"]), float(keys["factor"])),
    "shifted": shifted,
    "timed": lambda keys, make: make(keys["of"]),
    "cached": cached,
}


def check(rng):
    """A point of each is least where no point made of others' vertices is less; projections as in basic.py."""
    eye = np.eye(3)
    cross = [sign * 2.0 * row for row in eye for sign in (-1, 1)]
    ball, simplex = basic.L1Ball(3, 2.0), basic.Simplex(3, 1.5)
    b = np.array([0.5, -3.0, 1.0])
    polytopes = [
        (Product([ball, simplex]), [np.concatenate([v, 1.5 * w]) for v in cross for w in eye]),
        (Scaled(simplex, -2.0), [-3.0 * v for v in eye]),
        (Scaled(ball, 0.5), [0.5 * v for v in cross]),
        (Shifted(ball, b), [v + b for v in cross]),
        (Shifted(simplex, b), [1.5 * v + b for v in eye]),
    ]
    for domain, vertices in polytopes:
        assert max(np.linalg.norm(v) for v in vertices) <= domain.R + 1e-14, domain
        for trial in range(200):
            d = rng.integers(-2, 3, domain.n).astype(float) if trial % 2 else rng.standard_normal(domain.n)
            v = domain.lmo(d)
            assert abs(d @ v - min(d @ w for w in vertices)) <= 1e-14 and holds_up(domain, v), (domain, d)
            basic.check_projection(domain, 2 * d, vertices)


def holds_up(domain, v):
    """A point of it stays where it is, up to rounding."""
    return np.allclose(domain.project(v), v, rtol=0, atol=1e-13)
