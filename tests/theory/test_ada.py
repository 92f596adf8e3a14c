#!/usr/bin/python3
"""Plays the slow versions of ofw-ada, ofw-ada-sc and bfw-ada (tests/parity) on an l2-ball against adversaries and checks, round
by round or block by block, what docs/theory.md proves of them; tests/parity shows that the program's decisions are the same.

    Lemma 4     sum <p_t, x_t - x*> - (alpha/2) |x_t - x*|^2 <= B + R + sum dec + H, against the best x* of the ball
    Lemma 5     what a step takes off, and how far a round throws back;  left >= H
    Lemma 6     in each epoch  regret <= 2 b + R,  regret <= S + R - sum w Gf delta,  P <= 5 + 2 (Lf D T + R)/b
    Epochs      1 + P >= (1 + P_top)/4 in every round that raises b;  one by the price has no such b and begins with 2 b;
                Gf <= 8 since;  how many there are
    Lemma 7, 8  S <= 1830 L T^(3/4), S <= K D Gf (1 + P_top) T^(2/3);  b, and the theorem's bounds
    Lemma 9     bfw-ada: sum <S_m, y_m - x*> <= the certificate over K, in every play; and on average over plays
                regret + sum a g^+ <= the certificate + 2 sum delta (Gf + a Gg)

In an epoch T, R and the sums are over its rounds; H is what Phi is above its minimum, which on a ball is known.
"""
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "parity"))
from bandit_reference import BfwAda  # noqa: E402 (where it is, was just said)
from reference import OfwAda, OfwAdaSc  # noqa: E402
from sets.basic import L2Ball  # noqa: E402

DIM, RADIUS, ROUNDS = 5, 1.5, 250
D = 2 * RADIUS
SLACK = 1 + 1e-9


def project(y):
    return y * (RADIUS / max(np.linalg.norm(y), RADIUS))


class Watched:
    """Looks at the account of each round before and after b is raised. On a ball Phi's minimiser is a projection."""

    def certify(self):
        self.look()
        before, ended = self.b, len(self.epochs)
        super().certify()
        if len(self.epochs) == ended:
            self.check_epoch(before)
        else:
            self.check_end(before)

    def claim(self, holds, what):
        assert holds, f"{self.name}, round {len(self.ps)}: {what}"

    def look(self):
        """Lemmas 4 and 5, and left, of the round whose p is the last."""
        begin, t, x = self.epoch, len(self.ps), self.x
        self.raised = (sum(self.es[begin:t]) + sum(max(0.0, a) for a in self.a[begin:])) * D ** 2 / 2
        weight, dec, left = sum(self.pull_weights()), self.decs[-1], self.lefts[-1]
        E, C = -self.potential(project(x - self.direction() / (2 * weight))), self.curvature()
        H = max(0.0, E - dec)
        ps, xs = np.array(self.ps[begin:]), np.array(self.xs[begin:])
        surrogate = np.sum(ps * xs) - np.sum(ps, axis=0) @ self.best(ps, xs) - self.alpha / 2 * np.sum((xs - self.best(ps, xs)) ** 2)
        self.claim(surrogate <= (sum(self.betas[begin:t]) + self.raised + sum(self.decs[begin:]) + H) * SLACK + 1e-9, "Lemma 4")
        self.claim(self.gap >= E / SLACK - 1e-9, "Lemma 5, the gap")
        self.claim(dec >= min(self.gap / 2, self.gap ** 2 / (4 * C)) / SLACK - 1e-12, "Lemma 5, the step")
        length, J = D * np.linalg.norm(ps[-1]), max(0.0, -self.a[-1]) * D ** 2 / 2
        if t - begin > 1:
            H_before, C_before = self.kept
            most = min((math.sqrt(H_before) + length / (2 * math.sqrt(C_before))) ** 2, H_before + length) + J
            self.claim(E <= most * SLACK + 1e-9, "Lemma 5, thrown back")
        else:
            self.claim(E <= length * SLACK, "the first round of an epoch")
        self.claim(left >= H / SLACK - 1e-9, "left")
        self.kept = H, C

    def best(self, ps, xs):
        """The x* of the ball that is best in the epoch's sum."""
        total = np.sum(ps, axis=0)
        if self.alpha > 0:
            return project(np.mean(xs, axis=0) - total / (self.alpha * len(xs)))
        return -RADIUS * total / max(np.linalg.norm(total), 1e-300)

    def check_epoch(self, before):
        """Lemma 6 after a round that did not end the epoch."""
        T, P, Lf = len(self.ps) - self.epoch, self.price(self.q / self.b)[1], self.Gf + self.alpha * D
        R, regret = self.raised, sum(self.regrets[self.epoch:])
        self.claim(self.b * (1 + P) >= self.certain / SLACK, "b is too small")
        self.claim(self.b >= self.first * D * self.Gf / 2 / SLACK, "the least b")
        if self.b > before:
            self.claim(1 + P >= (1 + self.top) / 4 / SLACK, "the price fell too far")
            self.claim(self.b * (1 + P) <= self.certain * SLACK, "b is not the least")
        paid = sum(w * unit for w, unit in zip(self.ws[self.epoch:], self.paid[self.epoch:]))
        self.claim(regret <= (2 * self.b + R) * SLACK, f"Lemma 6, regret {regret}, b {self.b}")
        self.claim(regret <= self.certain + R - paid + 1e-9 * (self.certain + paid), f"the sharper regret bound, {regret}")
        self.claim(P <= (5 + 2 * (Lf * D * T + R) / self.b) * SLACK, f"Lemma 6, P {P}")
        self.check_certificate(self.top, self.certain)

    def check_end(self, before):
        """An epoch by the price: b was not enough, nor was the one at which 1 + P is a quarter of what it was."""
        self.claim(self.b == 2 * before and self.q == 0 and not self.of_epoch(self.ps), "an epoch's beginning")
        self.claim(self.last_top > 7, "P >= 1 cannot fall to less than a quarter")
        ratio = self.ratio_of((1 + self.last_top) / 4 - 1)
        b = self.last_q / ratio
        self.claim(before < b and b * (1 + self.last_top) / 4 < self.certain * SLACK, "an epoch without need")
        self.check_certificate(self.last_top, self.certain)

    def begin_epoch(self, why, b):
        if self.ps:
            self.last_top, self.last_q = self.top, self.q
        super().begin_epoch(why, b)

    def check_certificate(self, top, certain):
        """Lemmas 7 and 8, and b; both of the default first."""
        if self.first == 1.5:
            L = D * max([self.Gf] + [np.linalg.norm(p) for p in self.ps])
            T = len(self.ps)
            self.claim(certain <= 1830 * L * T ** 0.75 if self.alpha == 0 else certain <= self.k() * D * self.Gf * (1 + top) * T ** self.RATE, "Lemma 7, 8")
            self.claim(self.b <= 8 * self.k(self.first_Gf) * D * self.Gf * T ** self.RATE, "b")

    def k(self, least=None):
        """1830, or Lemma 8's K; with the least Gf in its last term the theorem's."""
        if self.alpha == 0:
            return 1830.0
        x, y = ((G / (self.alpha * D)) ** (1 / 3) for G in (self.Gf, least or self.Gf))
        return 646 + 21 * x + 4.5 / y

    def check_play(self):
        """What is said of all epochs together, after every round."""
        T, Gf, Lf, lengths = len(self.ps), self.Gf, self.Gf + self.alpha * D, [length for length in self.lengths if length > 0]
        self.claim(sum(self.raises) <= 32 * Gf * D * T ** self.RATE * SLACK, "the room")
        self.claim(self.since is None or Gf <= 8 * self.since, "Gf since the first violation")
        G1 = self.first_Gf
        N = max(1, math.ceil(math.log(Gf / G1, 8)))
        reasons = [why for _, why in self.epochs]
        self.claim(reasons.count("losses") + (self.since is not None) <= N, "phases with a violation")
        phases = " ".join(reasons).split("losses")
        most = 1 + math.log2(8 * self.k(G1) * T ** self.RATE * 8 / 0.75)
        self.claim(all(phase.count("price") < most for phase in phases), "epochs in a phase")
        if self.first != 1.5 or not lengths:
            return
        Q, Gg, K = sum(self.gs), max(lengths), self.k(G1)
        if self.alpha > 0:
            regret = (74 * K + 32) * Gf * D * T ** (2 / 3) + 3 * (9 + math.log2(K) + math.log2(T)) * Gf * D
            ccv = 1200 * K * T ** (2 / 3) + 1200 * K ** 0.75 * (Lf / G1 + 32) ** 0.25 * T ** 0.75 + 8 * (9 + math.log2(K) + math.log2(T))
        else:
            regret = 1.4e5 * Gf * D * T ** 0.75 + 3 * (19 + math.log2(T)) * Gf * D
            ccv = 3.6e5 * T ** 0.75 * math.log(5 + 3 * (Lf / G1 + 32) * T) + 8 * (19 + math.log2(T))
        self.claim(sum(self.regrets) <= regret and Q <= N * Gg * D * ccv, "the theorem")


class WatchedAda(Watched, OfwAda):
    @staticmethod
    def ratio_of(P):
        """The q/b that has this P."""
        return 1.5 * math.log(P)


class WatchedAdaSc(Watched, OfwAdaSc):
    @staticmethod
    def ratio_of(P):
        return 6 * (P ** 0.25 - 1)


def adversaries(rng):
    """(loss gradient, constraint value at 0, constraint gradient) of round t at x; |gradients| = 1, and 0 keeps every constraint."""
    unit = lambda y: y / np.linalg.norm(y)
    fixed, other = unit(rng.normal(size=DIM)), unit(rng.normal(size=DIM))
    yield "noise", lambda t, x: (unit(rng.normal(size=DIM)), unit(rng.normal(size=DIM)))
    yield "away from x", lambda t, x: (unit(x + 1e-3 * fixed), unit(x + 1e-3 * other))
    yield "conflict", lambda t, x: (fixed, unit(-fixed + 0.5 * other))
    yield "alternating", lambda t, x: (fixed if t % 2 else -fixed, unit(x + 1e-3 * fixed))
    yield "late turn", lambda t, x: (fixed if t < ROUNDS / 2 else -fixed, other)


def streams(rng):
    """(x*, round): the loss's gradient, the constraint's value at x and its gradient, or None, of round t at x; x* keeps them all."""
    unit = lambda y: y / np.linalg.norm(y)
    for name, adversary in adversaries(rng):
        yield name, np.zeros(DIM), lambda t, x, adversary=adversary: (lambda f, g: (f, g @ x, g))(*adversary(t, x))
    fixed, other = unit(rng.normal(size=DIM)), unit(rng.normal(size=DIM))
    quiet, mean, none = ROUNDS // 10, RADIUS / 2, (None, None)
    limit = lambda x, length: (length * (fixed @ x + mean), length * fixed)      # fixed x <= -R/2, against what the losses ask for
    only = lambda t, when, limited: limited if t > quiet and when else none
    yield "late", -mean * fixed, lambda t, x: (-fixed, *only(t, True, limit(x, 1.0 if t < quiet + 100 else 0.5)))
    yield "rare", -mean * fixed, lambda t, x: (-fixed, *only(t, t % 10 == 0, limit(x, 1.0)))
    yield "rescaled", -mean * fixed, lambda t, x: (-fixed, *only(t, True, limit(x, math.exp(2 * rng.normal()))))
    season = lambda t: 10.0 if t == quiet + 1 else 0.6 + 0.4 * math.sin(t / 8)
    yield "an outlier, then seasonal", -mean * fixed, lambda t, x: (-fixed, *only(t, True, limit(x, season(t))))
    yield "switching", -mean * fixed, lambda t, x: (-fixed if t // 40 % 2 else -other, *only(t, t // 25 % 2, limit(x, 1.0)))
    yield "growing", -mean * fixed, lambda t, x: (-fixed * 3.0 ** (t // 40), *only(t, t % 2, limit(x, 0.97 ** t)))
    yield "late losses", -mean * fixed, lambda t, x: (-fixed * (20 if t > 0.7 * ROUNDS else 1), *only(t, True, limit(x, 1.0)))
    some = lambda t: -fixed if t <= 0.4 * ROUNDS else unit(rng.normal(size=DIM))
    yield "rare, then noise", np.zeros(DIM), lambda t, x: (fixed, *only(t, t > 0.4 * ROUNDS or t % 6 == 0, (lambda g: (g @ x, g))(some(t))))


def play(learner, alpha, options, name, best, adversary):
    """Losses are <f, x> + (alpha/2) |x - x_t|^2: none that are alpha-strongly convex, with these gradients, have a larger regret."""
    slow = learner(L2Ball(DIM, RADIUS), ROUNDS, 1.0, alpha, options)
    slow.name, slow.regrets, slow.lengths = f"{learner.__name__} {options}, {name}", [], []
    for t in range(1, ROUNDS + 1):
        x = slow.x
        f, g, grad_g = adversary(t, x)
        feedback = {"loss_gradient": list(f)}
        if g is not None:
            assert g - grad_g @ (x - best) <= 1e-9, f"{name}: x* breaks a constraint"
            feedback.update(constraint=g, constraint_gradient=list(grad_g))
        slow.first_Gf = slow.first_Gf if t > 1 else np.linalg.norm(f)
        slow.regrets.append(f @ (x - best) - alpha / 2 * np.sum((x - best) ** 2))
        slow.lengths.append(np.linalg.norm(grad_g) if g is not None and g > 0 else 0.0)
        slow.observe(feedback)
        slow.check_play()
    reasons = [why for _, why in slow.epochs]
    begun = {why: reasons.count(why) for why in ("price", "losses")}
    print(f"ok   {slow.name}: regret {sum(slow.regrets):.2f}, violation {sum(slow.gs):.2f}, b {slow.b:.2f}, epochs by {begun}")
    return begun


class WatchedBandit(BfwAda):
    """Keeps each block's estimate S_m, and what the oracle could have done over all of K."""
    estimates = ()

    def towards(self, d, y):
        self.over_K = d @ y + RADIUS * np.linalg.norm(d)
        pulls = sum(2 * beta / D ** 2 * (y - past) for beta, past in zip(self.betas, self.ys))
        self.estimates += (d - pulls - sum(self.estimates),)
        return super().towards(d, y)

    def step(self, gap, e, beta):
        sigma, self.taken = super().step(gap, e, beta)
        return sigma, self.taken


def play_numbers(name, adversary, rng):
    """One play against rounds that do not look at it; what Lemma 9 has on its left, and on its right."""
    slow = WatchedBandit(L2Ball(DIM, RADIUS), ROUNDS, 1.0)
    left = cost = 0.0
    for t in range(1, ROUNDS - ROUNDS % slow.block + 1):
        f, g = adversary(t, np.zeros(DIM))
        u = rng.normal(size=DIM)
        u /= np.linalg.norm(u)
        x, a = slow.y + slow.delta * u, slow.a
        left += f @ x + a * max(0.0, g @ x)                           # against 0, which keeps every constraint
        cost += 2 * slow.delta * (1 + a)
        slow.observe({"loss": f @ x, "constraint": g @ x}, u)
        if t % slow.block:
            continue
        certain = (1 + 1 / slow.kappa) * sum(slow.betas) + slow.over_K - slow.taken
        S, gained = sum(slow.estimates), sum(s @ y for s, y in zip(slow.estimates, slow.ys))
        assert gained + RADIUS * np.linalg.norm(S) <= certain * SLACK + 1e-9, f"{name}, round {t}: the bandit's certificate"
        assert abs(slow.betas[-1] - slow.kappa * slow.taken) <= 1e-9 * sum(slow.betas), f"{name}, round {t}: beta"
    return left, certain + cost


def play_bandit(name, adversary, rng, plays=20):
    left, right = np.mean([play_numbers(name, adversary, rng) for _ in range(plays)], axis=0)
    assert left <= right, f"bfw-ada, {name}: {left} > {right}"
    print(f"ok   bfw-ada, {name}: {left:.2f} of {right:.2f}, the mean of {plays} plays")


def main():
    played = 0
    for name, adversary in adversaries(np.random.default_rng(4)):
        if name != "away from x":                                     # which looks
            play_bandit(name, adversary, np.random.default_rng(5))
            played += 1
    for learner, alpha, options in ((WatchedAda, 0.0, {}), (WatchedAda, 0.0, {"kappa": "1"}), (WatchedAdaSc, 0.1, {}),
                                    (WatchedAdaSc, 0.02, {"first": "0.02", "kappa": "20"})):
        begun = {"price": 0, "losses": 0}
        for name, best, adversary in streams(np.random.default_rng(3)):
            for why, times in play(learner, alpha, options, name, best, adversary).items():
                begun[why] += times
            played += 1
        assert min(begun.values()) > 0, f"{learner.__name__} {options}: epochs {begun}"
    print(f"{played} passed, 0 failed")


if __name__ == "__main__":
    main()
