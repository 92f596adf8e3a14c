"""Slow, obvious versions of BFW-TVC, SCBFW-TVC, LBPM and BFW-Ada, to hold a fast program against.

A learner here keeps every round's (f, g^+, w, u) and every block's centre y_m, and rebuilds every
block's estimate H_m and the gradient of F from them whenever it needs one.  The directions u are
given to it, so it needs no generator.

Given     a domain K, the horizon T, a Lipschitz constant G, M >= |f_t|, for SCBFW-TVC alpha
Play      x_t = y_m + delta u_t in the rounds t of block m, |u_t| = 1, u_t in the hull of K
Estimate  H_m = sum_{t in block m} (n / delta) f~_t(x_t) u_t,  n the dimension of the hull
          f~_t(x_t) = gamma beta f_t(x_t) + w_t beta g_t^+(x_t)
          w_t = Phi'(beta Q_t), Q_t = sum_{tau<=t} g_tau^+(x_tau);  price=previous: Q_{t-1}
Update    after a whole block y_{m+1} = Frank-Wolfe with line search on F from y_m, over
          K_delta = centre + (1 - delta/r) (K - centre)
"""
import math

import numpy as np

from reference import Lagrangian, clip01, price


def nearest(z):
    """The nearest whole number, halves away from zero, of z >= 0."""
    return math.floor(z + 0.5)


class BanditLearner:
    KEYS = {"c", "beta", "gamma", "gamma-scale", "price", "block", "lyapunov", "lambda",
            "constraints", "oracle-tolerance", "start"}
    REACH = 1e-12                                 # how well delta is known, relatively

    def __init__(self, domain, horizon, lipschitz, alpha=0.0, loss_bound=0.0, options=None):
        options = options or {}
        unknown = set(options) - self.KEYS
        if unknown:
            raise ValueError(f"unknown options {sorted(unknown)}")
        self.K, self.T, self.G, self.M, self.alpha = domain, horizon, lipschitz, loss_bound, alpha
        self.D, self.n = 2 * domain.R, domain.hull
        self.lam = float(options.get("lambda", horizon ** -0.75 / 2))
        self.how_many = options.get("constraints", "max")
        self.price = options.get("price", "current")
        self.ys = [domain.centre.copy()]          # y_1, y_2, ... one a block
        self.rounds = []                          # (f, g^+, w, u) of rounds 1, 2, ...
        self.options = options
        self.configure(options)                   # c, delta, block length, beta, gamma, ...
        if not 0 < self.delta < domain.r:
            raise ValueError(f"delta {self.delta} is not below r {domain.r}")

    def begin(self, y):
        """start=vertex: which vertex is the program's choice."""
        self.ys = [y]
        self.configure(self.options)

    @property
    def y(self):
        return self.ys[-1]

    def observe(self, feedback, u):
        """One feedback line of the stream contract, for the decision y + delta u."""
        values = feedback.get("constraint", [])
        values = values if isinstance(values, list) else [values]
        broken = [g for g in values if g > 0]
        g = sum(broken) if self.how_many == "sum" else max(broken, default=0.0)
        before = sum(g for _, g, _, _ in self.rounds)
        Q = {"current": before + g, "previous": before}[self.price]
        w = price(self.lyapunov, self.lam, self.beta * Q)
        self.rounds.append((feedback["loss"], g, w, u))
        if len(self.rounds) % self.block == 0:
            self.ys.append(self.next_centre())

    def estimate(self, m):
        """H_m; blocks count from 1."""
        rounds = self.rounds[(m - 1) * self.block:m * self.block]
        return sum(self.n / self.delta * (self.gamma * self.beta * f + w * self.beta * g) * u
                   for f, g, w, u in rounds)

    def towards(self, d, y):
        """LMO_{K_delta}(d) - y, d scaled first: its square must not overflow."""
        v = self.K.lmo(d / np.max(np.abs(d)))
        return self.K.centre + (1 - self.delta / self.K.r) * (v - self.K.centre) - y


def line_search(gap, curvature, e):
    """The minimiser over [0, 1] of -gap sig + (curvature/2) |e|^2 sig^2; no step where e = 0."""
    length2 = e @ e
    return clip01(gap / (curvature * length2)) if length2 > 0 else 0.0


class BfwTvc(BanditLearner):
    """Algorithm 3:  F = eta sum_{m=b..} <H_m, y> + |y - y_b|^2,  eta = step c D / (n m Gt T^(3/4)).

    At a block's end the guess Gt doubles while Gt < beta G (gamma + w), w that of the block's last
    round; a doubling sets b to this block.  Frank-Wolfe ends with the step whose gap was <= eps.
    """
    KEYS = BanditLearner.KEYS | {"step", "units", "inner-cap"}

    def configure(self, options):
        D, G, T, n, r = self.D, self.G, self.T, self.n, self.K.r
        m = max(self.M / G, D)
        c = min(r * T ** 0.25 / 2, math.sqrt(n * m * D / (D / r + 3 + 2 * D / (n * m))))
        c = float(options.get("c", c))
        one = D                                   # what the print has as a plain 1
        if options.get("units", "repaired") == "printed":
            m, one = self.M, 1.0
        C2 = 16 * G * (c * D / r + 3 * c + one + 2 * c * D / (n * m) + n * m * D / c)
        self.c, self.m = c, m
        self.delta = c * T ** -0.25
        self.beta = float(options.get("beta", 1 / C2))
        gamma = options.get("gamma", "1")
        self.gamma = self.lam if gamma == "lambda" else float(gamma)
        self.gamma *= float(options.get("gamma-scale", 1))
        self.step = float(options.get("step", 1))
        self.block = int(options.get("block", nearest(math.sqrt(T))))
        self.eps = 4 * D * D / math.sqrt(T)
        self.inner_cap = int(options.get("inner-cap", max(10_000, math.ceil(4 * math.sqrt(T)))))
        self.lyapunov = options.get("lyapunov", "exp")

    def phase(self):
        """Gt and b, by playing every block's last price through, in units of beta G gamma."""
        ratio, b = 1.0, 1
        for m in range(1, len(self.ys) + 1):
            w = self.rounds[m * self.block - 1][2]
            while ratio < 1 + w / self.gamma:
                ratio, b = 2 * ratio, m
        return ratio * self.beta * self.G * self.gamma, b

    def next_centre(self):
        Gt, b = self.phase()
        eta = self.step * self.c * self.D / (self.n * self.m * Gt * self.T ** 0.75)
        H = [self.estimate(m) for m in range(b, len(self.ys) + 1)]
        y = self.y
        for _ in range(self.inner_cap):
            d = eta * np.sum(H, axis=0) + 2 * (y - self.ys[b - 1])
            if not d.any():                       # every point minimises <0, v>: stay
                break
            e = self.towards(d, y)
            gap = -(d @ e)
            y = y + line_search(gap, 2, e) * e
            if gap <= self.eps:
                break
        return y


class ScbfwTvc(BanditLearner):
    """Algorithm 4, L Frank-Wolfe steps a block, fewer where the gap is nothing but rounding.

    default  F = sum_m [ <H_m, y> + (gamma beta alpha K / 2) |y - y_m|^2 ]
    printed  F = sum_m <H_m, y> + (gamma beta alpha t / 2) |y|^2
    """
    KEYS = BanditLearner.KEYS | {"beta-scale", "params", "regulariser", "steps"}

    def configure(self, options):
        D, G, T, n, r, alpha = self.D, self.G, self.T, self.n, self.K.r, self.alpha
        c = float(options.get("c", r / 2))
        self.delta = c * T ** (-1 / 3)
        if options.get("params", "theorem") == "theorem":
            beta, gamma = 1 / (G * D * T ** (2 / 3)), G / (G + alpha * D)
        else:                                     # proof
            log = math.log(T ** (1 / 3))
            C3 = 8 + 3 * c + c * D / r + 12 * D
            beta = 1.0
            gamma = (16 * G ** 2 * T ** (2 / 3) / alpha
                     * (8 * log + C3 + 8 * n ** 2 * D ** 2 * (1 + log) / c ** 2))
        self.beta = float(options.get("beta", beta)) * float(options.get("beta-scale", 1))
        self.gamma = float(options.get("gamma", gamma)) * float(options.get("gamma-scale", 1))
        self.block = int(options.get("block", nearest(T ** (2 / 3))))
        self.steps = int(options.get("steps", nearest(T ** (2 / 3))))
        self.regulariser = options.get("regulariser", "default")
        self.lyapunov = options.get("lyapunov", "quadratic")

    def next_centre(self):
        m = len(self.ys)                          # blocks so far: t = m K
        a = self.gamma * self.beta * self.alpha * self.block
        H = [self.estimate(i) for i in range(1, m + 1)]
        pulls = self.ys if self.regulariser == "default" else [0 * self.y] * m
        y = self.y
        for _ in range(self.steps):
            d = np.sum(H, axis=0) + a * np.sum([y - pull for pull in pulls], axis=0)
            if not d.any():
                break
            e = self.towards(d, y)
            gap = -(d @ e)
            if gap <= 1e-14 * np.linalg.norm(d) * self.K.R:
                break
            y = y + line_search(gap, a * m, e) * e
        return y


class Shrunk:
    """K_delta as LPM's projection sees it; the R of K bounds it too."""

    def __init__(self, K, factor):
        self.K, self.factor, self.R = K, factor, K.R

    def lmo(self, d):
        return self.K.centre + self.factor * (self.K.lmo(d / np.max(np.abs(d))) - self.K.centre)


class Lbpm(Lagrangian, BanditLearner):
    """LPM on K_delta with (n/delta) (f_t + lambda g_t^+) u_t for the gradients;  ys are the feasible ones."""
    KEYS = Lagrangian.KEYS | {"c", "constraints", "oracle-tolerance", "start"}

    def configure(self, options):
        self.configure_blocks(options)
        D, n, r, m = self.D, self.n, self.K.r, max(self.M / self.G, self.D)
        c = min(r * self.T ** 0.25 / 2, math.sqrt(n * m * D / (D / r + 3 + 2 * D / (n * m))))
        self.delta = float(options.get("c", c)) * self.T ** -0.25
        self.beta, self.lyapunov = 0.0, "linear"  # no price but the multiplier
        self.infeasible = self.y

    def next_centre(self):
        rounds = self.rounds[-self.block:]
        far = self.infeasible - self.eta * sum(self.n / self.delta * (f + self.multiplier * g) * u
                                               for f, g, _, u in rounds)
        y, self.infeasible = self.end_block(Shrunk(self.K, 1 - self.delta / self.K.r), self.y, far,
                                            [g for _, g, _, _ in rounds])
        return y


class BfwAda(BanditLearner):
    """Phi(y) = sum_m [ <S_m, y> + (beta_m / D^2) |y - y_m|^2 ], S_m = sum over block m of (n/delta) h_t u_t,

        h_t = (f_t - mean of the f before) + a_m (g_t^+ - mean of the g^+ before),     a_m = w Gf / Gg,

    where a mean gives the newest of N numbers the weight 1 / min(N, 2 block).  After a block one step with line search,
    beta_m being kappa times what it takes off Phi.  Gf = max f - min f (1 while all are the same; their first difference
    multiplies what came before), Gg = max g^+, w = exp(q / 2b), q = Q / Gg, b in units of Gf (1 + w) at least
    (1 + 1/kappa) sum beta + gap - what was taken off.  delta = r max(share b / t, 1 / sqrt t), at most r/2, and never grows.
    """
    KEYS = {"kappa", "share", "block", "constraints", "oracle-tolerance", "start"}
    REACH = 1e-8                                  # delta goes with b, which is the limit of a sequence

    def configure(self, options):
        self.kappa, self.share = float(options.get("kappa", 16)), float(options.get("share", 0.2))
        self.block = int(options.get("block", 8))
        self.delta = self.K.r / 2
        self.b, self.betas = 1.0, []
        self.a, self.weights = 0.0, []            # a_m, and that of every round so far

    def range(self):
        losses = [f for f, _, _, _ in self.rounds]
        return max(losses) - min(losses)

    def observe(self, feedback, u):
        values = feedback.get("constraint", [])
        broken = [g for g in (values if isinstance(values, list) else [values]) if g > 0]
        g = sum(broken) if self.how_many == "sum" else max(broken, default=0.0)
        same = not self.rounds or self.range() == 0
        self.rounds.append((feedback["loss"], g, self.delta, u))
        self.weights.append(self.a)
        if same and self.range() > 0:
            self.weights = [self.range() * a for a in self.weights]
            self.betas = [self.range() * beta for beta in self.betas]
            self.a *= self.range()
        if len(self.rounds) % self.block == 0:
            self.end_block()

    def means(self, values):
        """Of what was there before each; nothing stands before the first, which is its own."""
        out, mean = [], values[0]
        for i, value in enumerate(values):
            out.append(mean)
            mean += (value - mean) / min(i + 1, 2 * self.block)
        return out

    def direction(self, y):
        f, g = [r[0] for r in self.rounds], [r[1] for r in self.rounds]
        d = sum(self.n / delta * (f[i] - mf + a * (g[i] - mg)) * u for i, (mf, mg, a, (_, _, delta, u))
                in enumerate(zip(self.means(f), self.means(g), self.weights, self.rounds)))
        return d + sum(2 * beta / self.D ** 2 * (y - past) for beta, past in zip(self.betas, self.ys))

    def step(self, gap, e, beta):
        """The step along e, and what it takes off, where this block has this beta."""
        weight = (sum(self.betas) + beta) / self.D ** 2
        sigma = line_search(gap, 2 * weight, e) if weight > 0 else 1.0
        return sigma, sigma * gap - sigma ** 2 * weight * (e @ e)

    def end_block(self):
        y, d = self.y, self.direction(self.y)
        gap = beta = sigma = taken = 0.0
        e = self.towards(d, y) if d.any() else 0 * y
        if -(d @ e) > 0:
            gap = -(d @ e)
            low, high = 0.0, self.kappa * gap     # beta = kappa taken(beta), of which the right side falls
            for _ in range(200):
                beta = (low + high) / 2
                low, high = (beta, high) if beta < self.kappa * self.step(gap, e, beta)[1] else (low, beta)
            sigma, taken = self.step(gap, e, beta)
        self.betas.append(beta)
        self.ys.append(y + sigma * e)

        Gf, Gg = self.range() or 1.0, max(g for _, g, _, _ in self.rounds)
        q = sum(g for _, g, _, _ in self.rounds) / Gg if Gg > 0 else 0.0
        certain = (1 + 1 / self.kappa) * sum(self.betas) + max(0.0, gap - taken)
        for _ in range(200):
            self.b = max(self.b, certain / Gf / (1 + math.exp(q / (2 * self.b))))
        self.a = math.exp(q / (2 * self.b)) * Gf / Gg if Gg > 0 else 0.0
        t = len(self.rounds)
        self.delta = min(self.delta, self.K.r * max(self.share * self.b / t, t ** -0.5))


LEARNERS = {"bfw-ada": BfwAda, "bfw-tvc": BfwTvc, "lbpm": Lbpm, "scbfw-tvc": ScbfwTvc}
