"""Balls, boxes, the simplex, the trace-ball, and the wrappers around any set."""
import itertools
import math

import numpy as np

from .text import numbers


def onto_simplex(y, total):
    """The point of {x >= 0, sum x = total} nearest to y: max(0, y - tau), tau by bisection."""
    y = y - np.max(y)                             # which moves tau only, and y may be large
    low, high = -total, 0.0
    for _ in range(200):
        tau = (low + high) / 2
        low, high = (tau, high) if np.sum(np.maximum(0.0, y - tau)) > total else (low, tau)
    return np.maximum(0.0, y - high)


class L2Ball:
    curved = True

    def __init__(self, n, radius):
        self.n, self.radius, self.R, self.r, self.hull = n, radius, radius, radius, n
        self.start = self.centre = np.zeros(n)

    def lmo(self, d):
        return -self.radius * d / np.linalg.norm(d)

    def project(self, y):
        return y * min(1.0, self.radius / max(np.linalg.norm(y), 1e-300))


class L1Ball:
    def __init__(self, n, radius):
        self.n, self.radius, self.R, self.r, self.hull = n, radius, radius, radius / math.sqrt(n), n
        self.start = self.centre = np.zeros(n)

    def lmo(self, d):
        v = np.zeros(self.n)
        i = int(np.argmax(np.abs(d)))             # the first of equal ones
        v[i] = -math.copysign(self.radius, d[i])
        return v

    def project(self, y):
        if np.sum(np.abs(y)) <= self.radius:
            return y
        return np.sign(y) * onto_simplex(np.abs(y), self.radius)


class Box:
    def __init__(self, lower, upper):
        self.n, self.lower, self.upper, self.hull = len(lower), lower, upper, len(lower)
        self.R = math.sqrt(sum(max(l * l, u * u) for l, u in zip(lower, upper)))
        self.r = np.min(upper - lower) / 2
        self.centre = (lower + upper) / 2
        holds_origin = bool(np.all(lower <= 0) and np.all(upper >= 0))
        self.start = np.zeros(self.n) if holds_origin else self.centre

    def lmo(self, d):
        return np.where(d < 0, self.upper, self.lower)   # d_i == 0: the lower bound

    def project(self, y):
        return np.clip(y, self.lower, self.upper)


class Simplex:
    def __init__(self, n, total):
        self.n, self.total, self.R, self.hull = n, total, total, n - 1
        self.r = total / math.sqrt(n * (n - 1)) if n > 1 else 0.0
        self.start = self.centre = np.full(n, total / n)     # the origin is not in it: the barycentre

    def lmo(self, d):
        v = np.zeros(self.n)
        v[int(np.argmin(d))] = self.total         # the first of equal ones
        return v

    def off_hull(self, u):
        return abs(np.sum(u))

    def project(self, y):
        return onto_simplex(y, self.total)


class TraceBall:
    """Matrices, row-major, with a sum of singular values of at most the radius."""
    iterative = curved = True

    def __init__(self, rows, cols, radius):
        self.rows, self.cols, self.radius = rows, cols, radius
        self.n, self.R, self.r = rows * cols, radius, radius / math.sqrt(min(rows, cols))
        self.hull = self.n
        self.start = self.centre = np.zeros(self.n)

    def lmo(self, d):
        u, _, vt = np.linalg.svd(d.reshape(self.rows, self.cols))
        return -self.radius * np.outer(u[:, 0], vt[0]).ravel()

    def project(self, y):
        u, s, vt = np.linalg.svd(y.reshape(self.rows, self.cols), full_matrices=False)
        if np.sum(s) <= self.radius:
            return y
        return (u * onto_simplex(s, self.radius) @ vt).ravel()


class Shrunk:
    """(1 - f) c + f K, c the centre of K."""

    def __init__(self, of, factor):
        self.of, self.factor, self.n, self.hull, self.centre = of, factor, of.n, of.hull, of.centre
        self.r = factor * of.r
        self.iterative, self.curved = getattr(of, "iterative", False), getattr(of, "curved", False)
        self.off_hull = getattr(of, "off_hull", lambda u: 0.0)
        far = of.lmo(-of.centre) if np.any(of.centre) else np.zeros(of.n)
        self.R = math.sqrt(factor ** 2 * of.R ** 2 + 2 * factor * (1 - factor) * float(of.centre @ far)
                           + (1 - factor) ** 2 * float(of.centre @ of.centre))
        # the origin is still there if 0 = (1 - f) c + f y for a y of K
        self.start = self.centre if np.any(of.start) or (np.any(of.centre) and not self.holds_origin()) else np.zeros(of.n)
        if hasattr(of, "project"):
            self.project = lambda y: self.shift() + factor * of.project((y - self.shift()) / factor)

    def shift(self):
        return (1 - self.factor) * self.centre

    def holds_origin(self):
        y = -self.shift() / self.factor
        return bool(np.allclose(self.of.project(y), y, rtol=0, atol=1e-15))

    def lmo(self, d):
        return self.shift() + self.factor * self.of.lmo(d)


def ball(make):
    """From the options that all balls have."""
    return lambda keys, _: make(int(keys["dim"]), float(keys.get("radius", 1)))


def box(keys, _):
    lists = [numbers(keys[key]) for key in ("lower", "upper")]
    n = int(keys.get("dim", max(len(x) for x in lists)))
    return Box(*(np.full(n, x[0]) if len(x) == 1 else np.array(x) for x in lists))


MAKERS = {
    "l2-ball": ball(L2Ball),
    "l1-ball": ball(L1Ball),
    "linf-ball": ball(lambda n, radius: Box(np.full(n, -radius), np.full(n, radius))),   # so R = radius sqrt(n)
    "box": box,
    "simplex": lambda keys, _: Simplex(int(keys["dim"]), float(keys.get("sum", 1))),
    "trace-ball": lambda keys, _: TraceBall(int(keys["rows"]), int(keys["cols"]), float(keys.get("radius", 1))),
    "counted": lambda keys, make: make(keys["of"]),
    "shrunk": lambda keys, make: Shrunk(make(keys["of"]), float(keys["factor"])),
}


def check(rng):
    """Vertices in order of preference: min() returns the first of the best, as the rule on ties asks."""
    eye = np.eye(4)
    lower, upper = np.array([-1.0, 0.5, -2.0, 0.0]), np.array([1.0, 1.5, -0.5, 2.0])
    polytopes = [
        (L1Ball(4, 3.0), [sign * 3.0 * row for row in eye for sign in (-1, 1)]),
        (MAKERS["linf-ball"]({"dim": "4", "radius": "1.5"}, None), itertools.product((-1.5, 1.5), repeat=4)),
        (Box(lower, upper), itertools.product(*zip(lower, upper))),
        (Simplex(4, 2.5), [2.5 * row for row in eye]),
    ]
    for domain, vertices in polytopes:
        vertices = [np.array(v) for v in vertices]
        for trial in range(300):                  # small whole numbers: many exact ties and zeros
            d = rng.integers(-2, 3, 4).astype(float) if trial % 2 else rng.standard_normal(4)
            if d.any():
                assert np.array_equal(domain.lmo(d), min(vertices, key=d.dot)), (domain, d)
            check_projection(domain, d, vertices)

    def nuclear(v):
        return np.linalg.svd(v.reshape(5, 3), compute_uv=False).sum()

    def rank_one():
        return np.outer(rng.standard_normal(5), rng.standard_normal(3)).ravel()

    for domain, norm, draw in [(L2Ball(3, 2.0), np.linalg.norm, lambda: rng.standard_normal(3)),
                               (TraceBall(5, 3, 2.0), nuclear, rank_one)]:
        points = [2 * x / norm(x) for x in (draw() for _ in range(500))]
        for _ in range(300):
            d = rng.standard_normal(domain.n)
            v = domain.lmo(d)
            assert norm(v) <= 2 * (1 + 1e-14) and d @ v <= np.min(points @ d) + 1e-13, (domain, d)
            assert norm(domain.project(d)) <= 2 * (1 + 1e-14)
            check_projection(domain, d, points)


def check_projection(domain, y, points):
    """x is nearest to y where <y - x, v - x> <= 0 for every v of the set."""
    x = domain.project(y)
    assert all((y - x) @ (v - x) <= 1e-13 for v in points), (domain, y)
