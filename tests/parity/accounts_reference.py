"""Slow versions of the learners whose constraints each have a price: constraints=each and constraints=budgets.

As in reference.py a learner keeps what was told and decided and rebuilds the rest from it in every round.
Rounds without constraints count as zeros.
"""
import math

import numpy as np

from reference import FrankWolfe, Learner, OfwAda, OfwTvc, line_search, price


class Several:
    """Keeps the values and gradients of all rounds: lists of arrays, [] for a round without constraints."""

    def constraint(self, values, gradients):
        if not hasattr(self, "told"):
            self.told = []
        self.told.append((np.array(values), np.array(gradients)))
        return 0.0, np.zeros(self.K.n)

    def filled(self, part):
        """Of all rounds the values (0) or gradients (1), zeros where there were none; [] if no round had any."""
        shape = next((told[part].shape for told in self.told if len(told[0])), None)
        return [] if shape is None else np.array([told[part] if len(told[0]) else np.zeros(shape) for told in self.told])

    def counted(self, period, gain):
        """c of all rounds, and S after the last round over what the next one spreads it over."""
        c, S = [], 0.0
        left = lambda t: max(period - t % period, period ** (1 / 3))
        for t, g in enumerate(self.filled(0)):    # t rounds before
            if period and t % period == 0:
                S = 0.0
            c.append(g + gain * S / left(t) if period else g)
            S = S + g
        t = len(c)
        return np.array(c), S / left(t) if period and t % period else 0.0


class OfwTvcAccounts(Several, OfwTvc):
    """The mean of Phi(beta Q_i), Q_i = sum g_i^+ (each) or sum c_i (budgets), in place of Phi(beta Q)."""
    KEYS = OfwTvc.KEYS | {"period"}

    def surrogate(self, grad_f, g, grad_g):
        budgets = self.how_many == "budgets"
        c, _ = self.counted(int(self.options.get("period", 0)), 1.0)
        p = self.gamma * self.beta * grad_f
        if not len(c):
            self.ws.append(price(self.lyapunov, self.lam, 0.0))
            return p
        Q = c.sum(axis=0) if budgets else np.maximum(c, 0.0).sum(axis=0)
        if self.lyapunov != "exp":
            Q = np.maximum(Q, 0.0)
        ws = np.array([price(self.lyapunov, self.lam, self.beta * q) for q in Q]) / len(Q)
        self.ws.append(ws.sum())
        for w, value, gradient in zip(ws, *self.told[-1]):
            p = p + (w * self.beta * gradient if budgets or value > 0 else 0.0)
        return p

    def phase(self):
        if self.guess != "track":
            return super().phase()
        return self.beta * self.G * self.gamma * (1 + max(self.ws) / self.gamma), 1


class OfwAdaEach(Several, OfwAda):
    """q_i for every constraint; w_i = exp(q_i / 1.5 b) / m, and P = w = their sum."""

    def see_bound(self):
        """It uses no hints."""

    @staticmethod
    def price(ratio):
        w = np.mean(np.exp(np.array(ratio) / 1.5))
        return w, w

    def surrogate(self, grad_f, g, grad_g):
        self.see_loss(np.linalg.norm(grad_f))
        broken = [(i, value, gradient, np.linalg.norm(gradient)) for i, (value, gradient) in enumerate(zip(*self.told[-1])) if value > 0]
        known = self.filled(0)
        paid = np.zeros(known.shape[1]) if len(known) else 0.0
        for i, value, _, length in broken:
            if length > 0:
                paid[i] = self.unit * min(value / length, self.D)
        if np.any(paid > 0) and self.since is None:
            self.since = self.unit
        self.paid.append(paid)
        w, P = self.price(self.q / self.b)
        self.ws.append(w)
        self.top = max(self.top, P)
        p = grad_f
        for i, _, gradient, length in broken:
            if length > 0:
                p = p + self.unit * math.exp(self.q[i] / (1.5 * self.b)) / len(self.q) * gradient / length
        counts = any(length > 0 for *_, length in broken)
        self.thrown = self.throw(self.D * (np.linalg.norm(grad_f) + (w * self.unit if counts else 0.0)))
        self.weights.append(0.0)
        self.see_curvature(self.ps + [p])
        self.thrown += max(0.0, -self.a[-1]) * self.D ** 2 / 2
        return p


class OfwAdaBudgets(Several, FrankWolfe):
    """x_{t+1} minimises  Phi(x) = <F + sum_i now_i H_i, x> + sum_s theta^(t-s) a_s/2 |x - x_s|^2 + B/D^2 |x - x_t|^2
    on the segment from x_t to v = LMO(Phi'(x_t)); docs/algorithms.md has each of the lines below.

    All is in the loss's own unit, which is 1 until a loss has a gradient, and in those of the budgets.
    """
    KEYS = Learner.KEYS | {"kappa", "first", "period"}

    def configure(self, options):
        self.first, self.period = float(options.get("first", 1.5)), int(options.get("period", 0))
        self.memory = 4 * self.period or math.inf
        self.fs = []                              # loss gradients
        self.a = []
        self.mu = self.now = None
        self.Gf, self.B, self.A, self.pays, self.spread = 0.0, self.first * self.D, 0.0, 0.0, 0.0

    def weights(self, n):
        return (1 - 1 / self.memory) ** np.arange(n - 1.0, -1.0, -1.0)

    def lead(self):
        """y, x less the mean of the decisions before."""
        mean = self.xs[0]
        for s, x in enumerate(self.xs[:-1], start=1):
            mean = mean + 3 / (min(s, self.memory) + 2) * (x - mean)
        return self.x - mean

    def see_loss(self, length):
        if self.Gf == 0 < length:
            self.B, self.A, self.pays = self.B * length, self.A * length, self.pays * length
            self.a = [length * a for a in self.a]
            if self.mu is not None:
                self.mu, self.now = self.mu * length, self.now * length
            self.Gf = length
        if length > self.Gf:
            self.B += self.first * self.D * (length - self.Gf)
            self.Gf = length

    def worth(self, F, H):
        if not H.any():
            return 0.0
        if not F.any():
            return 1 / np.linalg.norm(H)
        overlap = np.abs(F) @ np.abs(H) / (H @ H)
        return overlap if overlap > 0 else np.linalg.norm(F) / np.linalg.norm(H)

    def surrogate(self, grad_f, g, grad_g):
        self.see_loss(np.linalg.norm(grad_f))
        self.fs.append(grad_f)
        t = len(self.fs)
        p = grad_f
        values = self.filled(0)
        if len(values):
            begun = next(s for s, told in enumerate(self.told) if len(told[0]))
            c, due = self.counted(self.period, 0.25)
            theta = self.weights(t - begun)
            F, H = theta @ np.array(self.fs[begun:]), np.einsum("t,tmn->mn", theta, self.filled(1)[begun:])
            m = values.shape[1]
            due = due + np.zeros(m)
            self.mu = np.zeros(m) if self.mu is None else self.mu
            self.now = np.zeros(m) if self.now is None else self.now
            for i in range(m):
                u, square = self.worth(F, H[i]), theta @ c[begun:, i] ** 2
                if u > 0 and square > 0:
                    self.mu[i] = max(0.0, self.mu[i] + (u + self.mu[i]) / 2 * c[-1, i] / math.sqrt(square))
                    self.now[i] = max(0.0, self.mu[i] + (u + self.mu[i]) / 2 * due[i] / math.sqrt(square / theta.sum()))
            self.H = H
            p = grad_f + self.now @ self.filled(1)[-1]
        share = 3 / (min(t, self.memory) + 2)
        y = self.lead()
        self.pays += share * (p @ y - self.pays)
        self.spread += share * (y @ y - self.spread)
        before = (1 - 1 / self.memory) * self.A
        seen = 3 * self.pays / self.spread if self.spread > 0 else 0.0
        self.A = min(max(0.0, before + seen), 64 * (self.Gf or 1.0) / self.D * min(t, self.memory))
        self.a.append(self.A - before)
        return p

    def direction(self):
        t = len(self.fs)
        theta = self.weights(t)
        d = theta @ np.array(self.fs) + (theta * np.array(self.a)) @ (self.x - np.array(self.xs))
        return d + (self.now @ self.H if self.mu is not None else 0.0)

    def step_size(self, d, e):
        curvature = 2 * self.B / self.D ** 2 + self.A
        sigma = line_search(d, e, curvature) if curvature > 0 else float(d @ e < 0)
        self.taken = max(0.0, -sigma * (d @ e) - sigma ** 2 * curvature / 2 * (e @ e))
        return sigma

    def next_decision(self):
        self.taken = 0.0
        x = super().next_decision()
        self.B = (1 - 1 / math.sqrt(min(len(self.fs), self.memory))) * self.B + self.taken
        return x


BY_CONSTRAINTS = {("ofw-tvc", "each"): OfwTvcAccounts, ("ofw-tvc", "budgets"): OfwTvcAccounts,
                  ("ofw-ada", "each"): OfwAdaEach, ("ofw-ada", "budgets"): OfwAdaBudgets}
