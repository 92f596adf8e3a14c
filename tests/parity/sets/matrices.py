"""Sets of matrices, row by row: conditions on eigenvalues and singular values, and doubly stochastic ones."""
import itertools
import math

import numpy as np
import scipy.optimize

from .basic import check_projection, onto_simplex


def symmetric(x, n):
    """The symmetric part of n^2 numbers, the nearest symmetric matrix."""
    x = x.reshape(n, n)
    return (x + x.T) / 2


def between(w, total):
    """The point of {0 <= p <= 1, sum p = total} nearest to w: clip(w - tau, 0, 1), tau by bisection."""
    low, high = np.min(w) - 1, np.max(w)
    for _ in range(200):
        tau = (low + high) / 2
        low, high = (tau, high) if np.sum(np.clip(w - tau, 0, 1)) > total else (low, tau)
    return np.clip(w - high, 0, 1)


class Symmetric:
    """Symmetric matrices with conditions on their eigenvalues: in eigenvalues(w) the nearest that meets them."""
    iterative = curved = True

    def __init__(self, n, diagonal, hull):
        self.side, self.n, self.hull = n, n * n, hull
        self.start = self.centre = diagonal * np.eye(n).ravel()

    def eigenpairs(self, x):
        return np.linalg.eigh(symmetric(x, self.side))

    def project(self, y):
        w, v = self.eigenpairs(y)
        return (v * self.eigenvalues(w) @ v.T).ravel()

    def off_hull(self, u):
        return float(np.max(np.abs(u.reshape(self.side, self.side) - symmetric(u, self.side))))


class Spectraplex(Symmetric):
    def __init__(self, n, trace):
        super().__init__(n, trace / n, n * (n + 1) // 2 - 1)
        self.trace, self.R = trace, trace
        self.r = trace / math.sqrt(n * (n - 1)) if n > 1 else 0.0

    def lmo(self, d):
        _, v = self.eigenpairs(d)
        return self.trace * np.outer(v[:, 0], v[:, 0]).ravel()

    def eigenvalues(self, w):
        return onto_simplex(w, self.trace)

    def off_hull(self, u):
        return max(super().off_hull(u), abs(np.trace(u.reshape(self.side, self.side))))


class Spectrahedron(Symmetric):
    def __init__(self, n, trace):
        self.r = trace / (n + math.sqrt(n))           # t I is t from an eigenvalue 0, (trace - n t)/sqrt(n) from the trace
        super().__init__(n, self.r, n * (n + 1) // 2)
        self.trace, self.R = trace, trace
        self.start = np.zeros(n * n)

    def lmo(self, d):
        w, v = self.eigenpairs(d)
        return self.trace * np.outer(v[:, 0], v[:, 0]).ravel() if w[0] < 0 else np.zeros(self.n)

    def eigenvalues(self, w):
        return np.maximum(0, w) if np.sum(np.maximum(0, w)) <= self.trace else onto_simplex(w, self.trace)


class Fantope(Symmetric):
    def __init__(self, n, k):
        super().__init__(n, k / n, n * (n + 1) // 2 - 1)
        self.k, self.R = k, math.sqrt(k)
        self.r = min(k, n - k) / math.sqrt(n * (n - 1)) if n > 1 else 0.0

    def lmo(self, d):
        _, v = self.eigenpairs(d)
        return (v[:, :self.k] @ v[:, :self.k].T).ravel()

    def eigenvalues(self, w):
        return between(w, self.k)

    def off_hull(self, u):
        return max(super().off_hull(u), abs(np.trace(u.reshape(self.side, self.side))))


class OperatorBall:
    iterative = curved = True

    def __init__(self, rows, cols, radius):
        self.rows, self.cols, self.radius = rows, cols, radius
        self.n = self.hull = rows * cols
        self.R, self.r = radius * math.sqrt(min(rows, cols)), radius
        self.start = self.centre = np.zeros(self.n)

    def svd(self, x):
        return np.linalg.svd(x.reshape(self.rows, self.cols), full_matrices=False)

    def lmo(self, d):
        u, _, vt = self.svd(d)
        return -self.radius * (u @ vt).ravel()

    def project(self, y):
        u, s, vt = self.svd(y)
        return (u * np.minimum(s, self.radius) @ vt).ravel()


class Birkhoff:
    """All permutation matrices one after the other; of those that are cheapest but for rounding, the first in the order
    of the columns that they give to the rows."""

    def __init__(self, n):
        self.side, self.n, self.hull, self.R = n, n * n, (n - 1) ** 2, math.sqrt(n)
        self.r = 1 / (n - 1) if n > 1 else 0.0
        self.start = self.centre = np.full(n * n, 1 / n)
        self.vertices = [np.eye(n)[list(columns)].ravel() for columns in itertools.permutations(range(n))]

    def lmo(self, d):
        values = np.array(self.vertices) @ d
        return self.vertices[int(np.argmax(values <= np.min(values) + 1e-12 * np.max(np.abs(d))))]

    def off_hull(self, u):
        u = u.reshape(self.side, self.side)
        return float(max(np.max(np.abs(u.sum(axis=0))), np.max(np.abs(u.sum(axis=1)))))


def traced(make):
    """From a number of rows and a trace."""
    return lambda keys, _: make(int(keys["dim"]), float(keys.get("trace", 1)))


MAKERS = {
    "spectraplex": traced(Spectraplex),
    "spectrahedron": traced(Spectrahedron),
    "fantope": lambda keys, _: Fantope(int(keys["dim"]), int(keys["k"])),
    "operator-ball": lambda keys, _: OperatorBall(int(keys["rows"]), int(keys["cols"]), float(keys.get("radius", 1))),
    "birkhoff": lambda keys, _: Birkhoff(int(keys["dim"])),
}


def check_permutations(rng):
    """Against linear programming over what defines the set, and against scipy's assignment."""
    for n in (1, 2, 3, 4):
        domain = Birkhoff(n)
        sums = np.vstack([np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))])
        for trial in range(60):
            d = rng.integers(-2, 3, n * n).astype(float) if trial % 2 else rng.standard_normal(n * n)
            v = domain.lmo(d)
            assert np.allclose(sums @ v, 1) and np.all(v >= 0)
            least = scipy.optimize.linprog(d, A_eq=sums, b_eq=np.ones(2 * n), bounds=(0, None)).fun
            rows, columns = scipy.optimize.linear_sum_assignment(d.reshape(n, n))
            assert abs(d @ v - least) <= 1e-9 and abs(d @ v - d.reshape(n, n)[rows, columns].sum()) <= 1e-12, d


def check(rng):
    """Points by what defines each set: eigenvectors and singular vectors that are random."""
    def turned(values, n):
        q, _ = np.linalg.qr(rng.standard_normal((n, n)))
        return (q[:, :len(values)] * values @ q[:, :len(values)].T).ravel()

    def shares(n, k=1):
        """A vertex of {0 <= p <= 1, sum p = k}, or a mixture of some."""
        return np.mean([rng.permutation([1.0] * k + [0.0] * (n - k)) for _ in range(rng.integers(1, 4))], axis=0)

    def isometry():
        u, _, vt = np.linalg.svd(rng.standard_normal((4, 3)), full_matrices=False)
        return (u @ vt).ravel()

    families = [
        (Spectraplex(4, 2.5), lambda: turned(2.5 * shares(4), 4)),
        (Spectrahedron(4, 2.5), lambda: turned(2.5 * shares(4) * rng.integers(0, 2), 4)),
        (Fantope(4, 2), lambda: turned(shares(4, 2), 4)),
        (OperatorBall(4, 3, 1.5), lambda: 1.5 * isometry()),
    ]
    for domain, draw in families:
        points = [draw() for _ in range(500)]
        for _ in range(200):
            d = rng.standard_normal(domain.n)
            v = domain.lmo(d)
            assert np.linalg.norm(v) <= domain.R * (1 + 1e-13) and d @ v <= np.min(points @ d) + 1e-12, (domain, d)
            assert np.allclose(domain.project(v), v, rtol=0, atol=1e-12)           # it is in the set
            check_projection(domain, d, points + [v])
        for _ in range(200):                          # r: within the ball nothing moves
            u = domain.project(rng.standard_normal(domain.n)) - domain.project(rng.standard_normal(domain.n))
            x = domain.centre + domain.r * u / np.linalg.norm(u)
            assert np.allclose(domain.project(x), x, rtol=0, atol=1e-12)
    check_permutations(rng)
