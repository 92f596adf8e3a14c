"""Slow, obvious versions of the learners with full information, to hold a fast program against.

A learner here keeps its whole history (every decision x_t, every price w_t, every surrogate
gradient p_t) and rebuilds what it needs from it in every round, exactly as the definitions
read.  Nothing is carried forward but the history (LPM: and y), so a round costs O(t n).

Given     a domain K, the horizon T, a Lipschitz constant G, for some alpha (strong convexity)
Surrogate p_t = gamma beta grad f_t(x_t) + [g_t(x_t) > 0] w_t beta grad g_t(x_t)
          Q_t = sum_{tau<=t} g_tau^+(x_tau),   w_t = Phi'(beta Q_t)
"""
import itertools
import math

import numpy as np


# --- domains -------------------------------------------------------------------------------------
#
# lmo(d)  argmin_{v in K} <d, v>          start   the first decision with full information
# project(y)  the nearest point of K
# R       K lies in a ball of this radius about the origin
# r       a ball of this radius about the centre lies in K, within K's affine hull
# hull    the dimension of that hull      centre  the first decision with bandit feedback

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


# --- what the learners share ---------------------------------------------------------------------

def dense(vec, n):
    """VEC of the stream contract: [..] or {"index":[..],"value":[..]}."""
    if not isinstance(vec, dict):
        return np.array(vec, dtype=float)
    out = np.zeros(n)
    for i, value in zip(vec["index"], vec["value"]):
        out[i] = value
    return out


def price(lyapunov, lam, z):
    """Phi'(z)."""
    if lyapunov == "exp":
        return lam * math.exp(lam * z)            # Phi = exp(lam z) - 1
    if lyapunov == "quadratic-linear":
        return 2 * z + 1                          # Phi = z^2 + z
    if lyapunov == "quadratic":
        return 2 * z                              # Phi = z^2
    if lyapunov == "linear":
        return 1.0                                # Phi = z
    raise ValueError(f"unknown lyapunov {lyapunov}")


def clip01(z):
    return min(1.0, max(0.0, z))


class Learner:
    """It has configure(options), surrogate(grad f, g, grad g), which is p_t, and next_decision()."""
    KEYS = {"constraints", "oracle-tolerance"}

    def __init__(self, domain, horizon, lipschitz, alpha=0.0, options=None):
        options = options or {}
        unknown = set(options) - self.KEYS
        if unknown:
            raise ValueError(f"unknown options {sorted(unknown)}")
        self.K, self.T, self.G, self.alpha = domain, horizon, lipschitz, alpha
        self.D = 2 * domain.R
        self.how_many = options.get("constraints", "max")
        self.xs = [domain.start.copy()]           # x_1, x_2, ...
        self.ps, self.gs = [], []                 # p_t, g_t^+(x_t)
        self.configure(options)

    @property
    def x(self):
        return self.xs[-1]

    def constraint(self, values, gradients):
        """g_t^+(x_t) and its gradient, of several constraints in one round."""
        zero = np.zeros(self.K.n)
        if not values:
            return 0.0, zero
        if self.how_many == "sum":                # sum_i max(0, g_i)
            broken = [i for i, g in enumerate(values) if g > 0]
            return sum(values[i] for i in broken), sum((gradients[i] for i in broken), zero)
        i = int(np.argmax(values))                # max_i g_i, the first of equal ones
        return (values[i], gradients[i]) if values[i] > 0 else (0.0, zero)

    def observe(self, feedback):
        """One feedback line of the stream contract; afterwards .x is the next decision."""
        grad_f = dense(feedback["loss_gradient"], self.K.n)
        values = feedback.get("constraint", [])
        gradients = feedback.get("constraint_gradient", [])
        if not isinstance(values, list):
            values, gradients = [values], [gradients]
        g, grad_g = self.constraint(values, [dense(vec, self.K.n) for vec in gradients])
        self.gs.append(g)
        self.ps.append(self.surrogate(grad_f, g, grad_g))
        self.xs.append(self.next_decision())


class Priced(Learner):
    """p_t = gamma beta grad f_t + w_t beta grad g_t^+, w_t the price of the violation so far."""
    KEYS = Learner.KEYS | {"beta", "gamma", "gamma-scale", "lyapunov", "lambda"}

    def __init__(self, domain, horizon, lipschitz, alpha=0.0, options=None):
        self.lam = float((options or {}).get("lambda", horizon ** -0.75 / 2))
        self.ws = []
        super().__init__(domain, horizon, lipschitz, alpha, options)

    def surrogate(self, grad_f, g, grad_g):
        self.ws.append(price(self.lyapunov, self.lam, self.beta * sum(self.gs)))
        return self.gamma * self.beta * grad_f + self.ws[-1] * self.beta * grad_g


class FrankWolfe(Learner):
    """x_{t+1} = x_t + sigma (v - x_t), v = LMO(d); it has direction() and step_size(d, v - x)."""

    def next_decision(self):
        d = self.direction()
        if not d.any():                           # every point minimises <0, v>: stay
            return self.x.copy()
        e = self.K.lmo(d / np.max(np.abs(d))) - self.x      # scaled: |d|^2 must not overflow
        return self.x + self.step_size(d, e) * e


def line_search(d, e, curvature):
    """The minimiser on the segment of what has gradient d and this curvature."""
    return clip01(-(d @ e) / (curvature * (e @ e))) if e @ e > 0 else 0.0


# --- the learners --------------------------------------------------------------------------------

class OfwTvc(Priced, FrankWolfe):
    """Algorithm 1:  d = eta sum_{tau=s..t} p_tau + 2 (x_t - x_s),  eta = step D / (2 Gt T^(3/4)).

    The guess Gt doubles while Gt < beta G (gamma + w_t); a doubling restarts the sum, s = t.
    """
    KEYS = Priced.KEYS | {"step", "guess", "sigma", "restart", "preset"}

    def configure(self, options):
        tight = options.get("preset", "theorem") == "tight"
        self.beta = float(options.get("beta", 1 / ((4 if tight else 64) * self.G * self.D)))
        gamma = options.get("gamma", "lambda" if tight else "1")
        self.gamma = self.lam if gamma == "lambda" else float(gamma)
        self.gamma *= float(options.get("gamma-scale", 1))
        self.step = float(options.get("step", 2 if tight else 1))
        self.guess = options.get("guess", "track" if tight else "scale")
        self.sigma = options.get("sigma", "line-search" if tight else "printed")
        self.restart = options.get("restart", "full")
        self.lyapunov = options.get("lyapunov", "exp")

    def phase(self):
        """Gt and s of this round (s counts from 1), by playing all prices w_1..w_t through.

        In units of beta G gamma the test reads ratio < 1 + w/gamma, and guess=scale starts at
        exactly 1: the tie w = gamma is then exact.
        """
        unit = self.beta * self.G * self.gamma
        if self.guess == "track":
            return unit * (1 + self.ws[-1] / self.gamma), 1
        ratio = {"scale": 1.0, "paper": 1 / unit}[self.guess]
        s = 1
        for tau, w in enumerate(self.ws, start=1):
            while ratio < 1 + w / self.gamma:
                ratio *= 2
                if self.restart == "full":
                    s = tau
        return ratio * unit, s

    def direction(self):
        Gt, s = self.phase()
        eta = self.step * self.D / (2 * Gt * self.T ** 0.75)
        return eta * np.sum(self.ps[s - 1:], axis=0) + 2 * (self.x - self.xs[s - 1])

    def step_size(self, d, e):
        if self.sigma == "printed":               # min(1, 2 / sqrt(t - s + 1))
            t, s = len(self.xs), self.phase()[1]
            return min(1.0, 2 / math.sqrt(t - s + 1))
        return line_search(d, e, 2)               # the minimiser of F_{s:t} on the segment


class ScofwTvc(Priced, FrankWolfe):
    """Algorithm 2:  d = sum_{tau<=t} p_tau + 2 C1 (t x_t - sum_{tau<=t} x_tau),  C1 = gamma beta alpha / 2."""
    KEYS = Priced.KEYS | {"params", "beta-scale"}

    def configure(self, options):
        G, D, alpha, T23 = self.G, self.D, self.alpha, self.T ** (2 / 3)
        beta = {"theorem": 1 / (G * D * T23),
                "proof": alpha / (500 * G * (G + alpha * D) * T23)}[options.get("params", "theorem")]
        self.beta = float(options.get("beta", beta)) * float(options.get("beta-scale", 1))
        self.gamma = float(options.get("gamma", G / (G + alpha * D)))
        self.gamma *= float(options.get("gamma-scale", 1))
        self.lyapunov = options.get("lyapunov", "quadratic-linear")
        self.C1 = self.gamma * self.beta * alpha / 2

    def direction(self):
        t = len(self.xs)
        return np.sum(self.ps, axis=0) + 2 * self.C1 * (t * self.x - np.sum(self.xs, axis=0))

    def step_size(self, d, e):
        return line_search(d, e, 2 * self.C1 * len(self.xs))     # exact, of F^sc_t


class Ofw(FrankWolfe):
    """d = eta sum grad f + 2 (x_t - x_1),  eta = step D / (2 G T^(3/4));  constraints do not count."""
    KEYS = Learner.KEYS | {"step", "sigma"}

    def configure(self, options):
        self.eta = float(options.get("step", 1)) * self.D / (2 * self.G * self.T ** 0.75)
        self.sigma = options.get("sigma", "printed")

    def surrogate(self, grad_f, g, grad_g):
        return grad_f

    def direction(self):
        return self.eta * np.sum(self.ps, axis=0) + 2 * (self.x - self.xs[0])

    def step_size(self, d, e):
        return min(1.0, 2 / math.sqrt(len(self.xs))) if self.sigma == "printed" else line_search(d, e, 2)


class Scofw(FrankWolfe):
    """d = sum_{tau<=t} [grad f_tau + alpha (x_t - x_tau)], line search;  constraints do not count."""

    def configure(self, options):
        pass

    def surrogate(self, grad_f, g, grad_g):
        return grad_f

    def direction(self):
        return np.sum(self.ps, axis=0) + self.alpha * np.sum([self.x - x for x in self.xs], axis=0)

    def step_size(self, d, e):
        return line_search(d, e, self.alpha * len(self.xs))


class Opdp(Ofw):
    """A step of OFW on p = grad f + lambda grad g, with g itself, not g^+;  then
    lambda = max(0, (1 - theta mu) lambda + mu g)."""
    KEYS = Ofw.KEYS | {"a", "theta", "mu", "mu-scale"}

    def configure(self, options):
        super().configure(options)
        GD = self.G * self.D
        self.theta = float(options.get("theta", GD * self.T ** (-1 / 6 - float(options.get("a", 0)))))
        self.mu = float(options.get("mu", 1 / (GD * math.sqrt(self.T)))) * float(options.get("mu-scale", 1))
        self.eta /= 1 + GD / self.theta
        self.multiplier = 0.0

    def constraint(self, values, gradients):
        if self.how_many == "sum" or not values:
            return super().constraint(values, gradients)
        i = int(np.argmax(values))
        return values[i], gradients[i]

    def surrogate(self, grad_f, g, grad_g):
        p = grad_f + self.multiplier * grad_g
        self.multiplier = max(0.0, (1 - self.theta * self.mu) * self.multiplier + self.mu * g)
        return p


def separate(K, x, y, eps, calls):
    """SH: Frank-Wolfe on |x - y|^2/2;  returns x, v with <x - y, x - v> <= eps or None, and the calls
    that are left."""
    while (x - y) @ (x - y) > 3 * eps and calls > 0:
        d, calls = x - y, calls - 1
        v = K.lmo(d)
        if d @ (x - v) <= eps:
            return x, v, calls
        x = x + line_search(d, v - x, 1) * (v - x)
    return x, None, calls


def close_infeasible_projection(K, x, y, eps, calls):
    """CIP:  x in K and y with |x - y|^2 <= 3 eps, where the calls suffice."""
    y = y / max(1, np.linalg.norm(y) / K.R)
    x, v, calls = separate(K, x, y, eps, calls)
    while v is not None and (x - y) @ (x - y) > 3 * eps:
        y = y - 2 / 3 * (y - x)
        again, v, _ = separate(K, x, y, eps, 1)   # of the same direction: no call has to be made
        assert np.array_equal(again, x)
    return x, y, calls


class Lagrangian:
    """What LPM and LBPM have in common: constants, and what a block's end does to y and lambda."""
    KEYS = {"params", "step", "theta", "theta-scale", "mu", "eps", "block", "budget"}

    def configure_blocks(self, options):
        R, G, T34 = self.K.R, self.G, self.T ** 0.75
        root, theory = math.sqrt(self.T), options.get("params", "practical") == "theory"
        self.block = int(options.get("block", math.floor((5 if theory else 1) * root + 0.5)))
        self.eps = float(options.get("eps", (60 if theory else 1) * R ** 2 / root))
        self.budget = int(options.get("budget", self.block))
        self.eta = float(options.get("step", 1)) * R / (G * T34)
        theta = float(options.get("theta", 4 * self.block * G ** 2)) * float(options.get("theta-scale", 1))
        self.rho = theta * self.eta
        self.mu = float(options.get("mu", 1 / (20 * G * R * T34)))
        self.multiplier, self.calls = 0.0, 0

    def end_block(self, K, x, y, gs):
        x, y, self.calls = close_infeasible_projection(K, x, y, self.eps, self.calls + self.budget)
        self.multiplier = max(0.0, self.multiplier + self.mu * sum(g - self.rho * self.multiplier for g in gs))
        return x, y


class Lpm(Lagrangian, Learner):
    """p_t = grad f_t + lambda grad g_t^+ at the block's x;  y -= eta sum of the block's p, then CIP."""
    KEYS = Learner.KEYS | Lagrangian.KEYS

    def configure(self, options):
        self.configure_blocks(options)
        self.y = self.x.copy()

    def surrogate(self, grad_f, g, grad_g):
        return grad_f + self.multiplier * grad_g

    def next_decision(self):
        if len(self.ps) % self.block != 0:
            return self.x.copy()
        y = self.y - self.eta * np.sum(self.ps[-self.block:], axis=0)
        x, self.y = self.end_block(self.K, self.x, y, self.gs[-self.block:])
        return x


class Ogd(Learner):
    """x_{t+1} = P(x_t - eta grad f), eta = step D/(G sqrt t) or step/(alpha t);  constraints do not count."""
    KEYS = Learner.KEYS | {"step", "losses"}

    def configure(self, options):
        self.step = float(options.get("step", 1))
        self.convex = options.get("losses", "convex" if self.alpha == 0 else "") == "convex"

    def surrogate(self, grad_f, g, grad_g):
        return grad_f

    def rate(self):
        t = len(self.xs)
        return self.step * (self.D / (self.G * math.sqrt(t)) if self.convex else 1 / (self.alpha * t))

    def next_decision(self):
        return self.K.project(self.x - self.rate() * self.ps[-1])


class CocoAdagrad(Priced, Ogd):
    """x_{t+1} = P(x_t - eta p_t), eta = sqrt(2) D / (2 sqrt(sum |p|^2)) or 1/(gamma beta alpha t)."""
    KEYS = Priced.KEYS | Ogd.KEYS

    def configure(self, options):
        Ogd.configure(self, options)
        G, D, T, convex = self.G, self.D, self.T, self.convex
        self.lam = float(options.get("lambda", 1 / (2 * math.sqrt(T))))
        self.beta = float(options.get("beta", 1 / (2 * G * D) if convex else 1))
        self.gamma = float(options.get("gamma", 1 if convex else 8 * G ** 2 * math.log(math.e * T) / self.alpha))
        self.gamma *= float(options.get("gamma-scale", 1))
        self.lyapunov = options.get("lyapunov", "exp" if convex else "quadratic")

    def rate(self):
        if not self.convex:
            return self.step / (self.gamma * self.beta * self.alpha * len(self.xs))
        squares = sum(p @ p for p in self.ps)
        return self.step * math.sqrt(2) * self.D / (2 * math.sqrt(squares)) if squares > 0 else 0.0


class OfwAda(FrankWolfe):
    """Phi_t(x) = sum_{tau<=t} <p_tau, x> + (beta_tau/D^2 + alpha/2) |x - x_tau|^2, in the loss's own unit.

    beta_{t+1} = kappa (Phi_t(x_t) - Phi_t(x_{t+1})), and first D times what the longest loss gradient grows by.
    """
    KEYS = Learner.KEYS | {"kappa", "first"}
    KAPPA, CURVED = 20, False

    def configure(self, options):
        self.kappa, self.first = float(options.get("kappa", self.KAPPA)), float(options.get("first", 1))
        self.Gf = self.Gg = 0.0
        self.betas = [self.first * self.D]        # in the unit 1, until a loss has a gradient
        self.b = self.first * self.D / 2
        self.weights = []                         # alpha/2 a round, from the first with a gradient on
        self.broken = 0.0                         # the lengths of what is broken, added up

    def constraint(self, values, gradients):
        g, grad_g = super().constraint(values, gradients)
        several = [np.linalg.norm(v) for v, value in zip(gradients, values) if value > 0]
        self.broken = sum(several) if self.how_many == "sum" else np.linalg.norm(grad_g)
        return g, grad_g

    def surrogate(self, grad_f, g, grad_g):
        length = np.linalg.norm(grad_f)
        if self.Gf == 0 < length:                 # what came before was in the unit 1
            self.ps[:] = [length * p for p in self.ps]
            self.betas = [length * beta for beta in self.betas]
        elif length > self.Gf:
            self.betas[-1] += self.first * self.D * (length - self.Gf)
        self.Gf, self.Gg = max(self.Gf, length), max(self.Gg, self.broken)
        self.weights.append(self.alpha / 2 if self.CURVED and self.Gf > 0 else 0.0)
        if self.Gg == 0:
            return grad_f
        w = math.exp(sum(self.gs) / self.Gg / (4 * self.b))
        return grad_f + w * (self.Gf or 1.0) / self.Gg * grad_g

    def pull_weights(self):
        return [beta / self.D ** 2 + weight for beta, weight in zip(self.betas, self.weights)]

    def direction(self):
        pulls = [2 * weight * (self.x - x) for weight, x in zip(self.pull_weights(), self.xs)]
        return np.sum(self.ps, axis=0) + np.sum(pulls, axis=0)

    def potential(self, x):
        return sum(p @ (x - self.x) for p in self.ps) + sum(
            weight * ((x - past) @ (x - past) - (self.x - past) @ (self.x - past))
            for weight, past in zip(self.pull_weights(), self.xs))

    def step_size(self, d, e):
        sigma = line_search(d, e, 2 * sum(self.pull_weights()))
        self.gap, self.taken = -(d @ e), max(0.0, -self.potential(self.x + sigma * e))
        return sigma

    def next_decision(self):
        self.gap = self.taken = 0.0
        x = super().next_decision()
        self.betas.append(self.kappa * self.taken)
        certain = sum(self.betas) * (1 + 1 / self.kappa) + max(0.0, self.gap - self.taken)
        q = sum(self.gs) / self.Gg if self.Gg > 0 else 0.0
        for _ in range(200):                      # the least b, from the last one on, that is enough
            self.b = max(self.b, certain / (self.Gf or 1.0) / (1 + math.exp(q / (4 * self.b))))
        return x


class OfwAdaSc(OfwAda):
    KAPPA, CURVED = 1, True


LEARNERS = {"coco-adagrad": CocoAdagrad, "lpm": Lpm, "ofw": Ofw, "ofw-ada": OfwAda, "ofw-ada-sc": OfwAdaSc, "ofw-tvc": OfwTvc, "ogd": Ogd,
            "opdp": Opdp, "scofw": Scofw, "scofw-tvc": ScofwTvc}


# --- the oracles above against brute force -------------------------------------------------------

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
