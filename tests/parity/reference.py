"""Slow, obvious versions of the learners with full information, to hold a fast program against.

A learner here keeps its whole history (every decision x_t, every price w_t, every surrogate
gradient p_t) and rebuilds what it needs from it in every round, exactly as the definitions
read.  Nothing is carried forward but the history (LPM: and y), so a round costs O(t n).

Given     a domain K, the horizon T, a Lipschitz constant G, for some alpha (strong convexity)
Surrogate p_t = gamma beta grad f_t(x_t) + [g_t(x_t) > 0] w_t beta grad g_t(x_t)
          Q_t = sum_{tau<=t} g_tau^+(x_tau),   w_t = Phi'(beta Q_t)
"""
import math

import numpy as np


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
    KEYS = {"constraints", "oracle-tolerance", "start"}

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
        self.options = options
        self.configure(options)

    def begin(self, x):
        """start=vertex: which vertex is the program's choice."""
        self.xs = [x]
        self.configure(self.options)

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


class Still(Learner):
    """x_t = x_1."""

    def configure(self, options):
        pass

    def surrogate(self, grad_f, g, grad_g):
        return grad_f

    def next_decision(self):
        return self.x.copy()


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
    """In each epoch  Phi_t(x) = sum <p_s, x> + (beta_s/D^2 + (alpha + a_s + e_s)/2) |x - x_s|^2  over its rounds s <= t,
    p_s = grad f_s + w_s Gf n_s, and x_{t+1} minimises Phi_t on the segment from x_t to v = LMO(Phi_t'(x_t)).

    Lists hold one number per round, from the first of all on; betas and es also that of the round to come.  All of them are
    in the loss's own unit, which is 1 until a loss has a gradient.  docs/algorithms.md has each of the lines below.
    """
    KEYS = Learner.KEYS | {"kappa", "first"}
    KAPPA, RATE, CURVED = 50, 3 / 4, False

    @staticmethod
    def price(ratio):
        """w and P at the ratio q/b."""
        w = math.exp(ratio / 1.5)
        return w, w

    def configure(self, options):
        self.kappa, self.first = float(options.get("kappa", self.KAPPA)), float(options.get("first", 1.5))
        self.Gf = 0.0                             # the longest loss gradient so far
        self.since = None                         # Gf at the first violation since an epoch by the losses
        self.a, self.decs, self.lefts = [], [], []
        self.weights = []                         # alpha, or 0 before the first loss with a gradient
        self.leads = []                           # y = x - the mean of the decisions before
        self.paid = []                            # Gf delta
        self.ws = []
        self.raises = []                          # what a and e were raised by, times D^2/2; also an e that an epoch dropped
        self.pushes = []                          # what constraints added to p
        self.most_regret = self.most_before = 0.0  # what the regret is at most: now, and when the epoch began
        self.betas, self.es = [0.0], [0.0]
        self.epochs = []                          # (its first round, counted from 0; why it began)
        self.begin_epoch("start", self.first * self.D / 2)

    # Sums over the epoch, and what is known of Phi

    def of_epoch(self, numbers):
        return numbers[self.epoch:]

    @property
    def unit(self):
        return self.Gf or 1.0

    @property
    def q(self):
        return sum(self.of_epoch(self.paid))

    def pull_weights(self):
        t = len(self.ps)                          # the next beta and e may be there already
        s = slice(self.epoch, t)
        return np.array(self.betas[s]) / self.D ** 2 + (np.array(self.weights[s]) + np.array(self.a[s]) + np.array(self.es[s])) / 2

    def curvature(self):
        """C: that of Phi, times D^2/2."""
        return sum(self.pull_weights()) * self.D ** 2

    def within_room(self, number, t):
        """So much of number >= 0, an a or the next e, as there is room for in round t."""
        room = 32 * self.unit * self.D * t ** self.RATE
        self.raises.append(min(number * self.D ** 2 / 2, max(0.0, room - sum(self.raises))))
        return self.raises[-1] * 2 / self.D ** 2

    # A round

    def begin_epoch(self, why, b):
        self.epoch = len(self.ps)
        self.epochs.append((self.epoch, why))
        self.betas[-1], self.es[-1] = self.first * self.D * self.unit, 0.0
        self.b, self.top = b, 0.0
        self.most_before, self.raises_before = self.most_regret, len(self.raises)

    def constraint(self, values, gradients):
        g, grad_g = super().constraint(values, gradients)
        several = [np.linalg.norm(v) for v, value in zip(gradients, values) if value > 0]
        self.broken = sum(several) if self.how_many == "sum" else np.linalg.norm(grad_g)
        return g, grad_g

    def see_loss(self, length):
        if self.Gf == 0 < length:                 # what came before was in the unit 1
            for numbers in (self.ps, self.betas, self.es, self.a, self.decs, self.lefts, self.paid, self.raises, self.pushes):
                numbers[:] = [length * number for number in numbers]
            self.b *= length
            self.most_regret *= length
            self.most_before *= length
            self.since = self.since and length
            self.Gf = length
        if length > self.Gf:
            if self.since is not None and length > 8 * self.since:
                self.since = None
                self.begin_epoch("losses", self.first * self.D * length / 2)
            self.betas[-1] += self.first * self.D * (length - self.Gf)
            self.Gf = length
        self.b = max(self.b, self.first * self.D * self.Gf / 2)

    def surrogate(self, grad_f, g, grad_g):
        self.see_loss(np.linalg.norm(grad_f))
        violated = g > 0 and self.broken > 0
        if violated and self.since is None:
            self.since = self.unit
        self.paid.append(self.unit * min(g / self.broken, self.D) if violated else 0.0)
        w, P = self.price(self.q / self.b)
        self.ws.append(w)
        self.top = max(self.top, P)
        p = grad_f + w * self.unit * grad_g / self.broken if violated else grad_f
        self.pushes.append(p - grad_f)
        self.length = np.linalg.norm(grad_f)
        self.thrown = self.throw(self.D * (np.linalg.norm(grad_f) + (w * self.unit if violated else 0.0)))
        self.weights.append(self.alpha if self.CURVED and self.Gf > 0 else 0.0)
        self.see_curvature(self.ps + [p])
        self.thrown += max(0.0, -self.a[-1]) * self.D ** 2 / 2
        return p

    def throw(self, length):
        """By how much, at most, this round's p lifts Phi above its minimum; before p is among them."""
        if self.epoch == len(self.ps):
            return length
        left = self.lefts[-1]
        return min((math.sqrt(left) + length / (2 * math.sqrt(self.curvature()))) ** 2, left + length)

    def see_curvature(self, ps):
        """a: what gradients show beyond alpha, as far as there is room."""
        t = len(ps)
        counts = np.arange(1.0, t + 1) * np.arange(2.0, t + 2)
        before = counts[:-1] @ self.xs[:-1] / counts[:-1].sum() if t > 1 else self.x
        self.leads.append(self.x - before)
        self.pays, spread = (counts @ np.einsum("ti,ti->t", v, self.leads) for v in (ps, self.leads))
        a = 3 * self.pays / spread - self.weights[-1] if spread > 0 else 0.0
        A = sum(self.of_epoch(self.a))
        self.a.append(self.within_room(a, t) if a > 0 else max(a, -A))

    def direction(self):
        past = np.array(self.of_epoch(self.xs))
        return np.sum(self.of_epoch(self.ps), axis=0) + 2 * self.pull_weights() @ (self.x - past)

    def potential(self, x):
        """Phi(x) less Phi at the last decision."""
        past = np.array(self.of_epoch(self.xs))
        return np.sum(self.of_epoch(self.ps), axis=0) @ (x - self.x) + self.pull_weights() @ (
            np.sum((x - past) ** 2, axis=1) - np.sum((self.x - past) ** 2, axis=1))

    def step_size(self, d, e):
        sigma = line_search(d, e, 2 * sum(self.pull_weights()))
        self.gap, self.taken = -(d @ e), max(0.0, -self.potential(self.x + sigma * e))
        return sigma

    def next_decision(self):
        self.gap = self.taken = 0.0
        self.last_curvature = 2 * sum(self.pull_weights())
        x = super().next_decision()
        self.decs.append(self.taken)
        self.lefts.append(max(0.0, min(self.gap, self.thrown) - self.taken))
        self.betas.append(self.taken)
        self.es.append(self.within_room(2 * max(0.0, self.kappa - 1) * self.taken / self.D ** 2, len(self.ps)) if self.pays > 0 else 0.0)
        self.certify()
        return x

    def certify(self):
        """b, or a new epoch."""
        self.certain = sum(self.of_epoch(self.betas)) + sum(self.of_epoch(self.decs)) + self.lefts[-1] + self.late_cost()
        self.see_bound()
        enough = lambda b: b * (1 + self.price(self.q / b)[1]) >= self.certain
        if enough(self.b):
            return
        low, high = self.b, self.certain          # P is at least 1
        while low < (low + high) / 2 < high:
            middle = (low + high) / 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        if 1 + self.price(self.q / high)[1] < (1 + self.top) / 4:
            self.begin_epoch("price", 2 * self.b)
        else:
            self.b = high

    def late_cost(self):
        """What it has cost in this epoch at most that feedback was late (delay_reference.py)."""
        return 0.0

    def see_bound(self):
        """What the regret is at most; hints are trusted by it."""
        paid = np.dot(self.of_epoch(self.ws), self.of_epoch(self.paid))
        self.most_regret = min(self.most_regret + self.D * self.length, self.most_before + self.certain + sum(self.raises[self.raises_before:]) - paid)


class OfwAdaSc(OfwAda):
    KAPPA, RATE, CURVED = 1, 2 / 3, True

    @staticmethod
    def price(ratio):
        w = (1 + ratio / 6) ** 3
        return w, w ** (4 / 3)


def constraints_of(feedback, n, prefix=""):
    """Values and gradients, as lists."""
    values, gradients = feedback.get(prefix + "constraint", []), feedback.get(prefix + "constraint_gradient", [])
    if not isinstance(values, list):
        values, gradients = [values], [gradients]
    return list(values), [dense(vec, n) for vec in gradients]


class Anew:
    """window=N or auto: a new learner takes over at the last one's decision, and knows its Gf; after N rounds, or when a block of 32, 64, 128, ..
    rounds since the beginning has a regret above (1/2) D tau^(1/4) sqrt(sum |grad f|^2) against all that keeps its constraints."""

    def __init__(self, kind, domain, horizon, lipschitz, alpha=0.0, options=None):
        self.window = options["window"]
        self.options = {key: value for key, value in options.items() if key != "window"}
        self.make = lambda: kind(domain, horizon, lipschitz, alpha, self.options)
        self.K, self.now, self.begun, self.rounds, self.seen = domain, self.make(), 0, 0, []

    def begin(self, x):
        self.now.begin(x)

    def __getattr__(self, name):
        return getattr(self.now, name)

    def observe(self, feedback):
        x, now = self.now.x, self.now
        now.observe(feedback)
        self.rounds += 1
        self.seen.append((dense(feedback["loss_gradient"], self.K.n), x, *self.limit(feedback, x)))
        if self.changed() if self.window == "auto" else len(self.seen) == int(self.window):
            self.now, self.seen, self.begun = self.make(), [], self.begun + 1
            self.now.xs, self.now.Gf = [now.x], now.Gf
            self.now.most_regret = now.most_regret
            self.now.begin_epoch("window", now.first * now.D * now.unit / 2)

    def limit(self, feedback, x):
        """The sum of unit normals, and what they add up to at 0, of the constraints that count."""
        values, gradients = constraints_of(feedback, self.K.n)
        which = range(len(values)) if self.options.get("constraints") == "sum" else [int(np.argmax(values))] if values else []
        counted = [(gradients[i] / np.linalg.norm(gradients[i]), values[i] / np.linalg.norm(gradients[i])) for i in which if gradients[i].any()]
        return sum((n for n, _ in counted), np.zeros(self.K.n)), sum(value - n @ x for n, value in counted)

    def changed(self):
        tau = 32
        while len(self.seen) % tau == 0 and len(self.seen) >= tau:
            f, x, n, offset = (np.array(rows) for rows in zip(*self.seen[-tau:]))
            F, A, a, played = f.sum(axis=0), n.sum(axis=0), offset.sum(), np.sum(f * x)
            regret = lambda mu: played - (F + mu * A) @ self.K.lmo(F + mu * A) - mu * a
            most = 0.5 * self.now.D * tau ** 0.25 * math.sqrt(np.sum(f * f))
            mus = [0.0, *(np.linalg.norm(F) / np.linalg.norm(A) * np.logspace(-3, 3, 301) if A.any() else [])]
            if min(regret(mu) for mu in mus) > most:
                return True
            tau *= 2
        return False


class Told:
    """A learner, and beside its x the decision z that keeps limits which were told. The learner sees each round as it is linear about z, at x."""

    def __init__(self, inner):
        self.inner, self.K, self.z = inner, inner.K, None
        self.cost = self.worse = self.own = self.longest = 0.0
        self.moved = 0                            # decisions that a hint has moved

    def __getattr__(self, name):
        return getattr(self.inner, name)

    @property
    def x(self):
        return self.inner.x if self.z is None else self.z

    def distance(self, values, gradients):
        g, grad_g = Learner.constraint(self.inner, values, gradients)
        length = sum(np.linalg.norm(v) for v, value in zip(gradients, values) if value > 0) if self.inner.how_many == "sum" else np.linalg.norm(grad_g)
        return min(g / length, self.inner.D) if g > 0 and length > 0 else 0.0

    def observe(self, feedback):
        inner, z, n = self.inner, self.x, self.K.n
        by = z - inner.x
        values, gradients = constraints_of(feedback, n)
        there = [value - gradient @ by for value, gradient in zip(values, gradients)]
        self.cost += dense(feedback["loss_gradient"], n) @ by
        self.worse += self.distance(values, gradients) - self.distance(there, gradients)
        self.own += self.distance(there, gradients)
        inner.observe({**feedback, "constraint": there, "constraint_gradient": [list(v) for v in gradients]})
        self.z = None
        self.longest = max(self.longest, np.linalg.norm(dense(feedback["loss_gradient"], n)))
        trusted = self.cost <= max(0.0, inner.most_regret) and self.worse <= self.own
        trusted = trusted and self.cost + 4 * self.longest * self.worse <= self.longest * inner.D
        if "next_constraint" in feedback and trusted:
            self.z = self.keep(z, *constraints_of(feedback, n, "next_"))
            self.moved += not np.array_equal(self.z, inner.x)

    def keep(self, last, values, gradients):
        """From x towards at most four atoms."""
        inner, D = self.inner, self.inner.D
        h = lambda y: np.array([(value + g @ (y - last)) / np.linalg.norm(g) if g.any() else 0.0 for value, g in zip(values, gradients)])
        unit = [g / np.linalg.norm(g) if g.any() else g for g in gradients]
        t = len(inner.ps)
        past, weights = np.array(inner.xs[inner.epoch:t]).reshape(-1, self.K.n), inner.pull_weights()
        zero = np.zeros(self.K.n)
        slope = sum(inner.of_epoch(inner.ps), zero) - sum(inner.of_epoch(inner.pushes), zero) + 2 * (weights @ (inner.x - past) if len(past) else zero)
        curvature, z = inner.last_curvature, inner.x
        for _ in range(4):
            down = slope + curvature * (z - inner.x)
            price = 4 * (np.linalg.norm(down) + 1e-6 * curvature * D) or 1.0
            d = down + sum((price * u for u, value in zip(unit, h(z)) if value >= -1e-9 * D), zero)
            if not d.any():
                e = self.K.lmo(d) - z
            else:
                e = self.K.lmo(d / np.max(np.abs(d))) - z
            here, there = h(z), h(z + e)
            kinks = [a / (a - b) for a, b in zip(here, there) if a != b]
            if any(here > 1e-9 * D):
                tried = sorted({0.0, 1.0, *(s for s in kinks if 0 <= s <= 1)})
                sums = [sum(np.maximum(0.0, here + s * (there - here))) for s in tried]
                sigma = next(s for s, total in zip(tried, sums) if total <= min(sums) + 1e-12 * D)
            else:
                sigma = line_search(down, e, curvature)
                sigma = min([sigma, *(max(0.0, -a / (b - a)) for a, b in zip(here, there) if b > a)])
            if not sigma > 1e-6:
                break
            z = z + sigma * e
        return z


def ofw_ada(kind):
    """As LEARNERS makes one: with a window or without, and with limits that are told."""
    return lambda domain, horizon, lipschitz, alpha=0.0, options=None: Told(
        Anew(kind, domain, horizon, lipschitz, alpha, options) if "window" in (options or {}) else kind(domain, horizon, lipschitz, alpha, options))


LEARNERS = {"coco-adagrad": CocoAdagrad, "lpm": Lpm, "ofw": Ofw, "ofw-ada": ofw_ada(OfwAda), "ofw-ada-sc": ofw_ada(OfwAdaSc), "ofw-tvc": OfwTvc, "ogd": Ogd,
            "opdp": Opdp, "scofw": Scofw, "scofw-tvc": ScofwTvc, "still": Still}
