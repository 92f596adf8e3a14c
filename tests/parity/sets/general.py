"""Polytopes by their vertices, found one by one, and hulls of listed points."""
import itertools
import math
import re

import numpy as np
from scipy.optimize import linprog

from .text import lines


def sum_of(text, n):
    """'3 x1 - x2 + 4': its coefficients and its constant."""
    a, constant = np.zeros(n), 0.0
    for sign, number, name in re.findall(r"([+-]?)\s*((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)?\s*\*?\s*(x\d+)?", text):
        if number or name:
            value = (-1.0 if sign == "-" else 1.0) * float(number or 1)
            if name:
                a[int(name[1:]) - 1] += value
            else:
                constant += value
    return a, constant


def read_constraints(text):
    """A x <= b and E x = e."""
    body = [line.split("#")[0].strip() for line in lines(text)]
    n = max([int(i) for line in body for i in re.findall(r"x(\d+)|^dim +(\d+)", line) for i in i if i])
    less, equal = [], []
    for line in body:
        if not line or line.startswith("dim"):
            continue
        sides = [sum_of(side, n) for side in re.split("<=|>=|=", line)]
        signs = re.findall("<=|>=|=", line)
        for sign, (a, p), (c, q) in zip(signs, sides, sides[1:]):
            if sign == "=":
                equal.append((a - c, q - p))
            else:
                less.append((a - c, q - p) if sign == "<=" else (c - a, p - q))
    matrix = [np.array([row for row, _ in rows]).reshape(-1, n) for rows in (less, equal)]
    right = [np.array([b for _, b in rows]) for rows in (less, equal)]
    return matrix[0], right[0], matrix[1], right[1]


def vertices_of(A, b, E, e):
    """Every point where as many independent constraints are tight as there are coordinates, and none is broken."""
    n, found = A.shape[1], []
    free = n - np.linalg.matrix_rank(E) if len(E) else n
    for rows in itertools.combinations(range(len(A)), free):
        tight, at = np.vstack([E, A[list(rows)]]), np.concatenate([e, b[list(rows)]])
        if np.linalg.matrix_rank(tight) == n:
            x = np.linalg.lstsq(tight, at, rcond=None)[0]
            if np.all(A @ x <= b + 1e-12) and np.allclose(tight @ x, at, rtol=0, atol=1e-12):
                found.append(x)
    return np.array(found)


def orthonormal(rows, n):
    """Of the span of some rows."""
    if len(rows) == 0:
        return np.zeros((0, n))
    _, s, vt = np.linalg.svd(rows)
    return vt[:np.sum(s > 1e-10 * s[0])]


class Polytope:
    def __init__(self, A, b, E, e):
        self.A, self.b, self.E, self.e, self.n = A, b, E, e, A.shape[1]
        self.vertices = vertices_of(A, b, E, e)
        self.R = float(np.linalg.norm(np.max(np.abs(self.vertices), axis=0)))
        always = np.max(b[:, None] - A @ self.vertices.T, axis=1) < 1e-9        # equations in disguise
        self.normals = orthonormal(np.vstack([E, A[always]]), self.n)
        self.hull = self.n - len(self.normals)
        self.centre, self.r = self.largest_ball(A[~always], b[~always])
        holds_origin = np.all(b >= 0) and np.all(np.abs(e) == 0)
        self.start = np.zeros(self.n) if holds_origin else self.centre

    def largest_ball(self, A, b):
        """max t with <a, x> + t |a within the hull| <= b, then exactly where what is tight says."""
        inside = np.linalg.norm(A - A @ self.normals.T @ self.normals, axis=1)
        rows, cost = np.column_stack([A, inside]), np.append(np.zeros(self.n), -1.0)
        hull = np.column_stack([self.normals, np.zeros(len(self.normals))])
        at = self.normals @ self.vertices[0]
        found = linprog(cost, rows, b, hull if len(hull) else None, at if len(hull) else None, [(None, None)] * (self.n + 1))
        assert found.status == 0, found.message
        tight = b - rows @ found.x < 1e-7
        x = np.linalg.lstsq(np.vstack([rows[tight], hull]), np.concatenate([b[tight], at]), rcond=None)[0]
        return x[:-1], float(x[-1])

    def off_hull(self, u):
        return float(np.max(np.abs(self.normals @ u), initial=0.0))

    def lmo(self, d):
        return self.vertices[int(np.argmin(self.vertices @ d))]


class Hull:
    def __init__(self, points):
        self.points, (self.count, self.n) = points, points.shape
        self.R = float(np.max(np.linalg.norm(points, axis=1)))
        self.centre = np.mean(points, axis=0)
        spread = points - self.centre
        _, s, vt = np.linalg.svd(spread)
        s = s[s > 1e-12 * s[0]]
        self.hull, self.normals = len(s), vt[len(s):]
        self.r = s[-1] ** 2 / (self.count * np.max(np.linalg.norm(spread, axis=1)))
        self.start = np.zeros(self.n) if np.linalg.norm(self.project(np.zeros(self.n))) < 1e-14 * self.R else self.centre

    def off_hull(self, u):
        return float(np.max(np.abs(self.normals @ u), initial=0.0))

    def lmo(self, d):
        return self.points[int(np.argmin(self.points @ d))]

    def project(self, y):
        """Over every choice of points: the nearest point of their affine hull, where its weights are not negative."""
        best = self.points[int(np.argmin(np.linalg.norm(self.points - y, axis=1)))]
        for size in range(2, min(self.count, self.hull + 1) + 1):
            for which in itertools.combinations(range(self.count), size):
                first, rest = self.points[which[0]], self.points[list(which[1:])]
                weights = np.linalg.lstsq((rest - first).T, y - first, rcond=None)[0]
                if np.min(weights) >= 0 and np.sum(weights) <= 1:
                    x = first + weights @ (rest - first)
                    best = x if np.linalg.norm(x - y) < np.linalg.norm(best - y) else best
        return y if np.linalg.norm(best - y) <= 1e-14 * self.R else best


def points(text):
    rows = [line.replace(",", " ").split() for line in lines(text)]
    return np.array([[float(word) for word in row] for row in rows if row and not row[0].startswith("#")])


MAKERS = {
    "hull": lambda keys, _: Hull(points(keys["points"])),
    "polytope": lambda keys, _: Polytope(*read_constraints(keys["rows"])),
}


def check(rng):
    """Against linear programs: over the constraints, and over the weights of a mixture."""
    polytopes = ["(x1+x2<=1;x1>=0;x2>=0)", "(x1 + x2 + x3 = 1; x1 - x2 <= 0.25; 0 <= x1 <= 1; x2 >= 0; 0 <= x3 <= 0.5)",
                 "(x1+2x2<=2;x1+2x2>=2;0<=x1<=1;0<=x3<=1)", "(2 x1 - x2 + 1e-1 <= 3 - x3; -1 <= x1 <= 1; -1 <= x2 <= 2; 1 >= x3 >= -1)"]
    for text in polytopes:
        K = Polytope(*read_constraints(text))
        for _ in range(50):
            d = rng.standard_normal(K.n)
            found = linprog(d, K.A, K.b, K.E if len(K.E) else None, K.e if len(K.E) else None, [(None, None)] * K.n)
            assert abs(d @ K.lmo(d) - found.fun) <= 1e-9, (text, d)
            u = K.centre + K.r * in_hull(K, rng)
            assert np.all(K.A @ u <= K.b + 1e-9), text
    for count, n in ((2, 2), (4, 2), (6, 3), (3, 4)):
        K = Hull(rng.standard_normal((count, n)))
        for _ in range(50):
            d, y = rng.standard_normal(n), 2 * rng.standard_normal(n)
            found = linprog(d @ K.points.T, A_eq=np.ones((1, count)), b_eq=[1.0])
            assert abs(d @ K.lmo(d) - found.fun) <= 1e-9, (K.points, d)
            x = K.project(y)
            assert np.max((K.points - x) @ (y - x)) <= 1e-9, (K.points, y)
            u = K.centre + K.r * in_hull(K, rng)
            assert np.linalg.norm(K.project(u) - u) <= 1e-12, K.points


def in_hull(K, rng):
    """A unit vector of the hull's directions."""
    u = rng.standard_normal(K.n)
    u -= K.normals.T @ (K.normals @ u)
    return u / np.linalg.norm(u)
