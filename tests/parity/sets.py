"""The sets that the slow learners decide in, and their oracles against brute force.

lmo(d)  argmin_{v in K} <d, v>          start   the first decision with full information
project(y)  the nearest point of K
R       K lies in a ball of this radius about the origin
r       a ball of this radius about the centre lies in K, within K's affine hull
hull    the dimension of that hull      centre  the first decision with bandit feedback
"""
import itertools
import math

import numpy as np


def onto_simplex(y, total):
    """The point of {x >= 0, sum x = total} nearest to y: max(0, y - tau), tau by bisection."""
    y = y - np.max(y)                             # which moves tau only, and y may be large
    low, high = -total, 0.0
    for _ in range(200):
        tau = (low + high) / 2
        low, high = (tau, high) if np.sum(np.maximum(0.0, y - tau)) > total else (low, tau)
    return np.maximum(0.0, y - high)


class L2Ball:
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

    def project(self, y):
        return onto_simplex(y, self.total)


class TraceBall:
    """Matrices, row-major, with a sum of singular values of at most the radius."""

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


def bounds(text, n):
    """A number for every coordinate, or @FILE with one number a line."""
    if text.startswith("@"):
        with open(text[1:], encoding="ascii") as file:
            return np.array([float(line) for line in file])
    return np.full(n, float(text))


def make_domain(spec):
    """'name:key=value,...' as the program reads it."""
    name, _, rest = spec.partition(":")
    keys = dict(item.split("=", 1) for item in rest.split(","))
    n = int(keys.get("dim", 0))
    radius = float(keys.get("radius", 1))
    if name == "l2-ball":
        return L2Ball(n, radius)
    if name == "l1-ball":
        return L1Ball(n, radius)
    if name == "linf-ball":                       # so R = radius sqrt(n)
        return Box(np.full(n, -radius), np.full(n, radius))
    if name == "box":
        return Box(bounds(keys["lower"], n), bounds(keys["upper"], n))
    if name == "simplex":
        return Simplex(n, float(keys.get("sum", 1)))
    if name == "trace-ball":
        return TraceBall(int(keys["rows"]), int(keys["cols"]), radius)
    raise ValueError(f"unknown domain {name}")


def check_oracles(rng):
    """Vertices in order of preference: min() returns the first of the best, as the rule on ties asks."""
    eye = np.eye(4)
    lower, upper = np.array([-1.0, 0.5, -2.0, 0.0]), np.array([1.0, 1.5, -0.5, 2.0])
    polytopes = [
        (L1Ball(4, 3.0), [sign * 3.0 * row for row in eye for sign in (-1, 1)]),
        (make_domain("linf-ball:dim=4,radius=1.5"), itertools.product((-1.5, 1.5), repeat=4)),
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
