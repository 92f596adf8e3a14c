"""Balls of other norms: lp, k-norm, ordered weighted l1, ellipsoids, groups, and the diamond."""
import itertools
import math

import numpy as np
from scipy.optimize import linprog

from .basic import L1Ball, L2Ball, check_projection
from .text import lines, numbers


def bisect(above, low, high):
    """Where above() turns from true to false."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) else (low, middle)
    return high


def axis(n, i, value):
    v = np.zeros(n)
    v[i] = value
    return v


class LpBall:
    curved = True

    def __init__(self, n, p, radius):
        self.n, self.p, self.radius, self.hull = n, p, radius, n
        diagonal = np.full(n, radius * n ** (-1 / p))        # of norm a, as an axis is
        self.R, self.r = max(radius, np.linalg.norm(diagonal)), min(radius, np.linalg.norm(diagonal))
        self.start = self.centre = np.zeros(n)

    def norm(self, x):
        return np.sum(np.abs(x) ** self.p) ** (1 / self.p)

    def lmo(self, d):
        """Where the gradient of the norm is along -d, for p > 1."""
        d = d / np.max(np.abs(d))
        v = -np.sign(d) * np.abs(d) ** (1 / (self.p - 1))
        return self.radius * v / self.norm(v)


class KNormBall:
    """The hull of +-a e_i and of all points with +-a/k in each coordinate."""

    def __init__(self, n, k, radius):
        self.n, self.k, self.radius, self.hull = n, k, radius, n
        self.R = max(radius, radius / k * math.sqrt(n))
        self.r = radius / math.sqrt(min(k, n))
        self.start = self.centre = np.zeros(n)

    def vertices(self, d):
        """Those that can be best, in order of preference."""
        yield from (axis(self.n, i, -math.copysign(self.radius, d[i])) for i in range(self.n))
        yield np.where(d < 0, self.radius / self.k, -self.radius / self.k)

    def lmo(self, d):
        return min(self.vertices(d), key=d.dot)


class OwlBall:
    """sum_i w_i |x|_(i) <= a: for each k, the point on the k largest |d_i| where that sum is a."""

    def __init__(self, weights, radius):
        self.n, self.weights, self.radius, self.hull = len(weights), weights, radius, len(weights)
        self.R = max(np.linalg.norm(v) for v in self.vertices(np.ones(self.n)))
        self.r = radius / np.linalg.norm(weights)
        self.start = self.centre = np.zeros(self.n)

    def norm(self, x):
        return np.sort(np.abs(x))[::-1] @ self.weights

    def vertices(self, d):
        order = sorted(range(self.n), key=lambda i: (-abs(d[i]), i))
        v = np.zeros(self.n)
        for i in order:
            v[i] = -math.copysign(1.0, d[i])
            yield self.radius * v / self.norm(v)

    def lmo(self, d):
        return min(self.vertices(d), key=d.dot)


class Ellipsoid:
    """(x - c)' A (x - c) <= 1"""
    curved = True

    def __init__(self, A, centre):
        self.n, self.A, self.centre, self.hull = len(A), A, centre, len(A)
        values, self.axes = np.linalg.eigh(A)
        self.half = 1 / np.sqrt(values)
        self.R, self.r = np.max(self.half) + np.linalg.norm(centre), np.min(self.half)
        self.start = np.zeros(self.n) if centre @ A @ centre <= 1 else centre

    def lmo(self, d):
        step = np.linalg.solve(self.A, d)
        return self.centre - step / math.sqrt(d @ step)

    def project(self, y):
        """(I + m A) (x - c) = y - c with the m at which x is on the boundary."""
        z = y - self.centre
        if z @ self.A @ z <= 1:
            return y
        along = self.axes.T @ z
        m = bisect(lambda m: np.linalg.norm(along * self.half / (self.half ** 2 + m)) > 1, 0.0, self.R * np.linalg.norm(z))
        return self.centre + self.axes @ (along * self.half ** 2 / (self.half ** 2 + m))


class GroupBall:
    curved = True

    def __init__(self, sizes, radius):
        ends = np.cumsum(sizes)
        self.groups = [np.arange(end - size, end) for size, end in zip(sizes, ends)]
        self.n = self.hull = int(ends[-1])
        self.radius, self.R, self.r = radius, radius, radius / math.sqrt(len(sizes))
        self.start = self.centre = np.zeros(self.n)

    def norm(self, x):
        return sum(np.linalg.norm(x[g]) for g in self.groups)

    def lmo(self, d):
        g = max(self.groups, key=lambda g: np.linalg.norm(d[g]))     # the first of equal ones
        v = np.zeros(self.n)
        v[g] = -self.radius * d[g] / np.linalg.norm(d[g])
        return v

    def project(self, y):
        if self.norm(y) <= self.radius:
            return y

        def less(t):
            x = np.zeros(self.n)
            for g in self.groups:
                length = np.linalg.norm(y[g])
                x[g] = y[g] * max(0.0, length - t) / max(length, 1e-300)
            return x
        return less(bisect(lambda t: self.norm(less(t)) > self.radius, 0.0, np.linalg.norm(y)))


class Diamond:
    """The hull of c + h_i e_i and c - h_i e_i."""

    def __init__(self, lower, upper):
        self.n = self.hull = len(lower)
        self.centre, self.half = (lower + upper) / 2, (upper - lower) / 2
        self.vertices = [self.centre + axis(self.n, i, sign * self.half[i]) for i in range(self.n) for sign in (-1, 1)]
        self.R = max(np.linalg.norm(v) for v in self.vertices)
        self.r = 1 / np.linalg.norm(1 / self.half)
        self.start = np.zeros(self.n) if self.gauge(np.zeros(self.n)) <= 1 else self.centre

    def gauge(self, x):
        return np.sum(np.abs(x - self.centre) / self.half)

    def lmo(self, d):
        return min(self.vertices, key=lambda v: d @ (v - self.centre))

    def project(self, y):
        if self.gauge(y) <= 1:
            return y

        def less(t):
            z = y - self.centre
            return self.centre + np.sign(z) * np.maximum(0.0, np.abs(z) - t / self.half)
        return less(bisect(lambda t: self.gauge(less(t)) > 1, 0.0, np.max(np.abs(y - self.centre) * self.half)))


def lists(keys, *names):
    """Lists of one length."""
    read = [numbers(keys.get(name, "0")) for name in names]
    n = int(keys.get("dim", max(len(x) for x in read)))
    return [np.full(n, x[0]) if len(x) == 1 else np.array(x) for x in read]


def lp_ball(keys, _):
    """With a projection where ofw has one."""
    n, p, radius = int(keys["dim"]), float(keys["p"]), float(keys.get("radius", 1))
    return L1Ball(n, radius) if p == 1 else L2Ball(n, radius) if p == 2 else LpBall(n, p, radius)


def ellipsoid(keys, _):
    if "matrix" in keys:
        A = np.array([[float(word) for word in line.replace(",", " ").split()] for line in lines(keys["matrix"])])
        return Ellipsoid(A, *lists({"dim": len(A), **keys}, "centre"))
    axes, centre = lists(keys, "axes", "centre")
    return Ellipsoid(np.diag(axes ** -2.0), centre)


def group_ball(keys, _):
    sizes = [int(size) for size in numbers(keys["groups"])] if keys.get("groups", "").startswith(("(", "@")) else None
    if sizes is None:
        size = int(keys["size"]) if "size" in keys else int(keys["dim"]) // int(keys["groups"])
        sizes = [size] * (int(keys["groups"]) if "groups" in keys else int(keys["dim"]) // size)
    return GroupBall(sizes, float(keys.get("radius", 1)))


MAKERS = {
    "diamond": lambda keys, _: Diamond(*lists(keys, "lower", "upper")),
    "ellipsoid": ellipsoid,
    "group-ball": group_ball,
    "k-norm-ball": lambda keys, _: KNormBall(int(keys["dim"]), int(keys["k"]), float(keys.get("radius", 1))),
    "lp-ball": lp_ball,
    "owl-ball": lambda keys, _: OwlBall(*lists(keys, "weights"), float(keys.get("radius", 1))),
}


def check(rng):
    check_polytopes(rng)
    check_curved(rng)


def check_polytopes(rng):
    """Against linear programs over inequalities, which are far more than the vertices."""
    signs = [np.array(s) for s in itertools.product((-1, 1), repeat=4)]
    orders = [np.array(w) for w in set(itertools.permutations((2.0, 1.0, 0.5, 0.0)))]
    lower, upper = np.array([-1.0, 0.5, -2.0, 0.0]), np.array([1.0, 1.5, -0.5, 2.0])
    diamond = Diamond(lower, upper)
    tops = [np.array(t) for t in itertools.product((0, 1), repeat=4) if sum(t) == 2]
    cases = [
        (KNormBall(4, 2, 3.0), [s * t for s in signs for t in tops], 3.0, np.zeros(4)),
        (KNormBall(4, 1, 3.0), [s * np.eye(4)[i] for s in signs for i in range(4)], 3.0, np.zeros(4)),
        (OwlBall(np.array([2.0, 1.0, 0.5, 0.0]), 3.0), [s * w for s in signs for w in orders], 3.0, np.zeros(4)),
        (diamond, [s / diamond.half for s in signs], 1.0, diamond.centre),
    ]
    for domain, normals, most, centre in cases:
        for trial in range(24):
            d = rng.integers(-2, 3, 4).astype(float) if trial % 2 else rng.standard_normal(4)
            if not d.any():
                continue
            best = linprog(d, A_ub=np.array(normals), b_ub=most + np.array(normals) @ centre, bounds=(None, None))
            v = domain.lmo(d)
            assert np.max(np.array(normals) @ (v - centre)) <= most + 1e-12, (domain, d)
            assert abs(d @ v - best.fun) <= 1e-9, (domain, d, v, best)
            if hasattr(domain, "project"):
                check_projection(domain, 3 * d, domain.vertices)
        # the ball of radius r touches a face; no point is farther than R
        assert math.isclose(domain.r, min(most / np.linalg.norm(n) for n in normals), rel_tol=1e-14)


def check_curved(rng):
    """No random point of the boundary is better."""
    A = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.25], [0.0, -0.25, 3.0]])
    ellipsoid_ = Ellipsoid(A, np.array([0.5, -1.0, 0.25]))
    groups = GroupBall([1, 3, 2], 2.0)
    cases = [(LpBall(4, p, 2.0), LpBall(4, p, 2.0).norm, 2.0) for p in (1.25, 2.0, 5.0)]
    cases += [(groups, groups.norm, 2.0),
              (ellipsoid_, lambda x: math.sqrt((x - ellipsoid_.centre) @ A @ (x - ellipsoid_.centre)), 1.0)]
    for domain, norm, most in cases:
        c = domain.centre
        points = [c + most * x / norm(c + x) for x in rng.standard_normal((300, domain.n))]
        assert max(np.linalg.norm(x) for x in points) <= domain.R * (1 + 1e-14)
        assert min(np.linalg.norm(x - c) for x in points) >= domain.r * (1 - 1e-14)
        for _ in range(100):
            d = rng.standard_normal(domain.n)
            v = domain.lmo(d)
            assert norm(v) <= most * (1 + 1e-13) and d @ v <= np.min(points @ d) + 1e-13, (domain, d)
            if hasattr(domain, "project"):
                assert norm(domain.project(3 * d)) <= most * (1 + 1e-12)
                check_projection(domain, 3 * d, points)
