"""Sets over the edges of a graph, and transports: the hulls of vertices that are all listed here, so for small ones only."""
import functools
import itertools
import math

import numpy as np
from scipy.optimize import linprog

from .text import lines, numbers


def edges(text):
    """[(from, to, capacity or None)] of an edge list."""
    words = [line.split() for line in lines(text)]
    return [(int(w[0]), int(w[1]), float(w[2]) if len(w) > 2 else None) for w in words if w and not w[0].startswith("#")]


class Hull:
    """The convex hull of vertices. Of several that are least, the one with the lowest tie."""

    def __init__(self, vertices, ties=None):
        self.vertices = np.array(vertices, dtype=float)
        self.n = self.vertices.shape[1]
        self.ties = self.vertices @ np.arange(1, self.n + 1) ** 2 if ties is None else np.array(ties)
        self.R = math.sqrt(np.max(np.sum(self.vertices ** 2, axis=1)))
        mean = self.vertices.mean(axis=0)
        _, s, vt = np.linalg.svd(self.vertices - mean)
        self.hull = int(np.sum(s > 1e-9))
        self.directions = vt[:self.hull]          # orthonormal, of the hull
        self.mean = mean
        self.reach = np.linalg.norm(self.directions, axis=0)   # of each unit vector within the hull

    def lmo(self, d):
        values = self.vertices @ d
        least = np.flatnonzero(values <= values.min() + 1e-12 * np.max(np.abs(d)))
        return self.vertices[min(least, key=lambda k: self.ties[k])].copy()

    def off_hull(self, u):
        return float(np.linalg.norm(u - self.directions.T @ (self.directions @ u)))

    def start_at(self, centre):
        self.start = self.centre = centre

    def ball(self, room):
        """The largest r where every coordinate may change by room, within the hull."""
        free = self.reach > 1e-9
        return float(np.min(room[free] / self.reach[free]))

    def analytic_centre(self, capacity):
        """Where the sum of log x_e + log(capacity_e - x_e) over the coordinates that change is largest."""
        free, x = self.reach > 1e-9, self.mean.copy()
        part = self.directions[:, free]
        for _ in range(200):
            low, high = x[free], capacity[free] - x[free]
            slope = part @ (1 / low - 1 / high)
            step = np.linalg.solve((part * (1 / low ** 2 + 1 / high ** 2)) @ part.T, slope) @ self.directions
            share = 1.0 / (1.0 + math.sqrt(abs(slope @ (self.directions @ step)))) if np.max(np.abs(slope)) > 1e-4 else 1.0
            x = x + share * step
        return x


def paths_between(arcs, s, t):
    """Every simple path from s to t, as a list of edges."""
    def walk(v, seen):
        if v == t:
            yield []
            return
        for e, (a, b, _) in enumerate(arcs):
            if a == v and b not in seen:
                for rest in walk(b, seen | {b}):
                    yield [e] + rest
    return list(walk(s, {s}))


class Paths(Hull):
    def __init__(self, text, s, t):
        self.arcs = edges(text)
        found = paths_between(self.arcs, s, t)
        self.s, self.t = s, t
        super().__init__([[float(e in path) for e in range(len(self.arcs))] for path in found],
                         [sorted(found).index(path) for path in found])
        used = {e for path in found for e in path}
        ways = {e: sum(self.arcs[f][0] == self.arcs[e][0] for f in used) for e in used}
        chance = np.array([math.prod(1 / ways[e] for e in path) for path in found])
        self.start_at(chance @ self.vertices)     # a walk that takes each way out with the same probability
        self.r = self.ball(self.centre) if self.hull else 0.0

    def constraints(self):
        a = rows(self.arcs)
        supply = {self.s: 1.0, self.t: -1.0}
        used = self.vertices.any(axis=0)          # other edges may be on cycles, which no path is
        return a, [supply.get(v, 0.0) for v in names(self.arcs)], [(0, None if e else 0) for e in used]


def names(arcs):
    return sorted({v for a, b, _ in arcs for v in (a, b)})


def rows(arcs, back=-1.0):
    """A row a vertex: 1 where an edge begins, `back` where it ends."""
    order = names(arcs)
    a = np.zeros((len(order), len(arcs)))
    for e, (u, v, _) in enumerate(arcs):
        a[order.index(u), e] += 1.0
        a[order.index(v), e] += back
    return a


def basic_points(a, b, capacity):
    """The vertices of {a x = b, 0 <= x <= capacity}: some columns solve for b, the others are at a bound."""
    rank, n = np.linalg.matrix_rank(a), a.shape[1]
    found = {}
    for basis in itertools.combinations(range(n), rank):
        columns = a[:, basis]
        if np.linalg.matrix_rank(columns) < rank:
            continue
        rest = [e for e in range(n) if e not in basis]
        bounds = [(0.0,) if math.isinf(capacity[e]) else (0.0, capacity[e]) for e in rest]
        solve = np.linalg.pinv(columns)
        for at in itertools.product(*bounds):
            x = np.zeros(n)
            x[rest] = at
            x[list(basis)] = solve @ (b - a @ x)
            if np.all(x >= -1e-12) and np.all(x <= np.array(capacity) + 1e-12) and np.allclose(a @ x, b, rtol=0, atol=1e-12):
                x = np.clip(x, 0.0, capacity)
                found.setdefault(tuple(np.round(x, 9)), x)
    return list(found.values())


class Flows(Hull):
    def __init__(self, text, s, t, value):
        self.arcs = edges(text)
        self.supply = np.array([value * ((v == s) - (v == t)) for v in names(self.arcs)])
        self.capacity = np.array([value if c is None else c for _, _, c in self.arcs])
        super().__init__(basic_points(rows(self.arcs), self.supply, self.capacity))
        most = self.capacity if self.has_cycle() else np.minimum(self.capacity, value)
        self.R = math.sqrt(np.max(self.vertices @ self.limits(most)))
        self.start_at(self.analytic_centre(self.capacity))
        self.r = self.ball(np.minimum(self.centre, self.capacity - self.centre))

    def limits(self, most):
        """No edge has more than can enter where it begins, or leave where it ends."""
        order = names(self.arcs)
        while True:
            enter = {v: max(0.0, s) + sum(m for m, arc in zip(most, self.arcs) if arc[1] == v) for v, s in zip(order, self.supply)}
            leave = {v: max(0.0, -s) + sum(m for m, arc in zip(most, self.arcs) if arc[0] == v) for v, s in zip(order, self.supply)}
            less = np.array([min(m, enter[a], leave[b]) for m, (a, b, _) in zip(most, self.arcs)])
            if np.allclose(less, most, rtol=0, atol=1e-13):
                return most
            most = less

    def has_cycle(self):
        """A vertex that leads to itself, by powers of the matrix of single steps."""
        order = names(self.arcs)
        step = np.zeros((len(order), len(order)), dtype=bool)
        for a, b, _ in self.arcs:
            step[order.index(a), order.index(b)] = True
        walk = step.copy()
        for _ in order:
            if walk.diagonal().any():
                return True
            walk = (walk.astype(int) @ step.astype(int)) > 0
        return False

    def constraints(self):
        return rows(self.arcs), self.supply, list(zip(np.zeros(self.n), self.capacity))


class Transport(Hull):
    def __init__(self, a, b):
        a, b = np.array(a), np.array(b)
        m, n = len(a), len(b)
        self.sums = np.concatenate([a, b * (a.sum() / b.sum())])
        self.matrix = np.vstack([np.kron(np.eye(m), np.ones(n)), np.kron(np.ones(m), np.eye(n))])
        super().__init__(basic_points(self.matrix, self.sums, [math.inf] * (m * n)))
        self.R = math.sqrt(np.max(self.vertices @ np.minimum.outer(a, b).ravel()))
        self.start_at(np.outer(a, b).ravel() / a.sum())
        self.r = self.ball(self.centre)

    def constraints(self):
        return self.matrix, self.sums, [(0, None)] * self.n


def all_matchings(arcs):
    """Every set of edges without a vertex in common."""
    for size in range(len(arcs) + 1):
        for chosen in itertools.combinations(range(len(arcs)), size):
            ends = [v for e in chosen for v in arcs[e][:2]]
            if len(ends) == len(set(ends)):
                yield [float(e in chosen) for e in range(len(arcs))]


class Matchings(Hull):
    def __init__(self, text):
        self.arcs = edges(text)
        super().__init__(list(all_matchings(self.arcs)))
        most = max(sum(v in arc[:2] for arc in self.arcs) for v in names(self.arcs))
        self.r = 1 / (most + math.sqrt(most))
        self.centre, self.start = np.full(self.n, self.r), np.zeros(self.n)

    def constraints(self):
        """As equations: what a vertex does not use is a variable."""
        a = rows(self.arcs, 1.0)
        return np.hstack([a, np.eye(len(a))]), np.ones(len(a)), [(0, None)] * (self.n + len(a))


class PerfectMatchings(Hull):
    def __init__(self, text):
        self.arcs = edges(text)
        half = len(names(self.arcs)) / 2
        super().__init__([x for x in all_matchings(self.arcs) if sum(x) == half])
        self.start_at(self.analytic_centre(np.full(self.n, math.inf)))
        self.r = self.ball(self.centre)

    def constraints(self):
        a = rows(self.arcs, 1.0)
        return a, np.ones(len(a)), [(0, None)] * self.n


class SpanningTrees(Hull):
    def __init__(self, text):
        self.arcs = edges(text)
        self.names = names(self.arcs)
        count = len(self.names) - 1
        super().__init__([[float(e in chosen) for e in range(len(self.arcs))]
                          for chosen in itertools.combinations(range(len(self.arcs)), count) if self.is_tree(chosen)])
        self.start_at(self.mean)                  # all trees alike
        self.r = self.inner_radius()

    def is_tree(self, chosen):
        """As many edges as a tree has, and all vertices hang together."""
        seen = {self.names[0]}
        for _ in self.names:
            seen |= {v for e in chosen for v in self.arcs[e][:2] if seen & set(self.arcs[e][:2])}
        return len(seen) == len(self.names)

    def blocks(self):
        """Edges are in the same block where a tree can have the one in place of the other."""
        trees = {tuple(np.flatnonzero(v)) for v in self.vertices}
        left, found = set(range(self.n)), []
        while left:
            block = {min(left)}
            for _ in range(self.n):
                block |= {f for f in left for e in block for tree in trees
                          if e in tree and f not in tree and tuple(sorted(set(tree) - {e} | {f})) in trees}
            found.append(sorted(block))
            left -= block
        return found

    def inner_radius(self):
        best = math.inf
        for block in self.blocks():
            k, ends = len(block), sorted({v for e in block for v in self.arcs[e][:2]})
            if k == 1:
                continue
            slack = [size - 1 - sum(self.centre[e] for e in block if set(self.arcs[e][:2]) <= set(chosen))
                     for size in range(2, len(ends)) for chosen in itertools.combinations(ends, size)]
            best = min([best, min(self.centre[block]) / math.sqrt(1 - 1 / k)] + [2 * s / math.sqrt(k) for s in slack])
        return best if math.isfinite(best) else 0.0

    def constraints(self):
        """As equations: what a set of vertices is below its bound by is a variable."""
        subsets = [s for size in range(1, len(self.names) + 1) for s in itertools.combinations(self.names, size)]
        a = np.array([[float(set(arc[:2]) <= set(s)) for arc in self.arcs] for s in subsets])
        return (np.hstack([a, np.eye(len(a))]), [len(s) - 1 for s in subsets],
                [(0, None)] * (self.n + len(a) - 1) + [(0, 0)])


@functools.lru_cache(None)
def made(make, *given):
    return make(*given)


MAKERS = {
    "paths": lambda keys, _: made(Paths, keys["graph"], int(keys["from"]), int(keys["to"])),
    "flows": lambda keys, _: made(Flows, keys["graph"], int(keys["from"]), int(keys["to"]), float(keys.get("value", 1))),
    "matchings": lambda keys, _: made(Matchings, keys["graph"]),
    "spanning-trees": lambda keys, _: made(SpanningTrees, keys["graph"]),
    "perfect-matchings": lambda keys, _: made(PerfectMatchings, keys["graph"]),
    "transport": lambda keys, _: made(Transport, tuple(numbers(keys["supply"])), tuple(numbers(keys["demand"]))),
}


def check(rng):
    """The best vertex against a linear program over the set's definition."""
    domains = [Paths("(1 2;1 3;2 3;3 4;2 4;4 1;4 5)", 1, 4),
               Flows("(1 2 2;1 3 1;2 3 1;3 2 1;2 4 1;3 4 3)", 1, 4, 2.0),
               Transport([1.0, 2.0], [0.5, 1.5, 1.0]),
               Matchings("(1 4;1 5;2 4;2 6;3 5;3 6)"),
               PerfectMatchings("(1 4;1 5;2 4;2 6;3 5;3 6)"),
               SpanningTrees("(1 2;2 3;3 1;3 4;4 4;4 5;5 3;4 5)")]
    for domain in domains:
        a, b, bounds = domain.constraints()
        for trial in range(40):
            d = rng.integers(-2, 3, domain.n).astype(float) if trial % 2 else rng.standard_normal(domain.n)
            cost = np.concatenate([d, np.zeros(len(bounds) - domain.n)])
            least = linprog(cost, A_eq=a, b_eq=b, bounds=bounds).fun
            assert abs(domain.lmo(d) @ d - least) <= 1e-9, (domain, d)
            assert np.all(domain.vertices @ d >= domain.lmo(d) @ d - 1e-11)
        assert np.all(np.linalg.norm(domain.vertices, axis=1) <= domain.R + 1e-12)
