#!/usr/bin/python3
"""Plays the slow versions of ofw-ada and bfw-ada (tests/parity) on an l2-ball against adversaries and checks, round by round
or block by block, what docs/theory.md proves of them; tests/parity shows that the program's decisions are the same.

    Lemma 4     sum <p_t, x_t - x*> <= C_T + sum dec + H_T <= B + A+ D^2/2 + sum dec + gap - dec, against the best x* of the ball
    Lemma 5     what a step takes off, and how far a round throws back
    the price   regret <= 2 Gf b + A+ D^2/2 and violation <= 1.5 Gg b ln(5 + 2 (D T + A+ D^2/(2 Gf))/b), A+ D^2/2 <= 32 Gf D T^(3/4)
    Theorem     B <= max(2 B_1, 2 L, L (52 kappa)^(3/2), 820 kappa L T^(3/4))
    Lemma 6     bfw-ada: sum <S_m, y_m - x*> <= the certificate over K, in every play; and on average over plays
                regret + sum a g^+ <= the certificate + 2 sum delta (Gf + a Gg)

with C = B + A D^2/2, the curvature, and A+ the sum of the positive a.
"""
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "parity"))
from bandit_reference import BfwAda  # noqa: E402 (where it is, was just said)
from reference import OfwAda  # noqa: E402
from sets.basic import L2Ball  # noqa: E402

DIM, RADIUS, ROUNDS = 5, 1.5, 250
D = 2 * RADIUS
SLACK = 1 + 1e-9


def project(y):
    return y * (RADIUS / max(np.linalg.norm(y), RADIUS))


class Watched(OfwAda):
    """Looks at Phi before and after each step. On a ball its minimiser is a projection."""

    def least(self):
        """min Phi_t, as potential() counts it: 0 at x."""
        weight = sum(self.pull_weights())
        return self.potential(project(self.x - self.direction() / (2 * weight)))

    def step_size(self, d, e):
        sigma = super().step_size(d, e)
        self.E, self.B, self.C = -self.least(), sum(self.betas), sum(self.pull_weights()) * D ** 2
        return sigma


def adversaries(rng):
    """(loss gradient, constraint value at 0, constraint gradient) of round t at x; |gradients| = 1, and 0 keeps every constraint."""
    unit = lambda y: y / np.linalg.norm(y)
    fixed, other = unit(rng.normal(size=DIM)), unit(rng.normal(size=DIM))
    yield "noise", lambda t, x: (unit(rng.normal(size=DIM)), unit(rng.normal(size=DIM)))
    yield "away from x", lambda t, x: (unit(x + 1e-3 * fixed), unit(x + 1e-3 * other))
    yield "conflict", lambda t, x: (fixed, unit(-fixed + 0.5 * other))
    yield "alternating", lambda t, x: (fixed if t % 2 else -fixed, unit(x + 1e-3 * fixed))
    yield "late turn", lambda t, x: (fixed if t < ROUNDS / 2 else -fixed, other)


def play(name, adversary, kappa):
    slow = Watched(L2Ball(DIM, RADIUS), ROUNDS, 1.0, 0.0, {"kappa": str(kappa)})
    losses, regret_sum, gained, before, dec_sum = np.zeros(DIM), 0.0, 0.0, None, 0.0
    for t in range(1, ROUNDS + 1):
        x = slow.x
        f, g = adversary(t, x)
        slow.observe({"loss_gradient": list(f), "constraint": g @ x, "constraint_gradient": list(g)})
        p, C, E, dec = slow.ps[-1], slow.C, slow.E, slow.taken
        raised = sum(max(0.0, a) for a in slow.seen) * D ** 2 / 2
        L = D * max(np.linalg.norm(q) for q in slow.ps)
        dec_sum += dec
        losses += p
        gained += p @ x
        surrogate = gained + RADIUS * np.linalg.norm(losses)          # against the best point of the ball
        H = E - dec
        assert surrogate <= (slow.B + raised + dec_sum + H) * SLACK + 1e-9, f"{name}, round {t}: Lemma 4"
        certain = sum(slow.betas) + dec_sum + max(0.0, slow.gap - dec)
        assert surrogate <= (certain + raised) * SLACK + 1e-9, f"{name}, round {t}: the certificate"
        assert dec >= min(E / 2, E * E / (4 * C)) / SLACK - 1e-12, f"{name}, round {t}: Lemma 5, the step"
        if before:
            assert math.sqrt(max(E, 0)) <= math.sqrt((math.sqrt(before[0]) + L / (2 * math.sqrt(before[1]))) ** 2 + max(0.0, -slow.seen[-1]) * D ** 2 / 2) * SLACK, \
                f"{name}, round {t}: Lemma 5, thrown back"
        before = max(H, 0.0), C
        most = max(2 * slow.betas[0], 2 * L, L * (52 * kappa) ** 1.5, 820 * kappa * L * t ** 0.75)
        assert sum(slow.betas) <= most, f"{name}, round {t}: the theorem"
        regret_sum += f @ x                                           # against 0, which keeps every constraint
        Q = sum(slow.gs)
        assert raised <= 32 * D * t ** 0.75 * SLACK, f"{name}, round {t}: curvature {raised}"
        assert regret_sum <= (2 * slow.b + raised) * SLACK, f"{name}, round {t}: regret {regret_sum}, b {slow.b}"
        most = 1.5 * slow.b * math.log(5 + 2 * (D * t + raised) / slow.b)
        assert Q <= most * SLACK, f"{name}, round {t}: violation {Q}"
        certified = slow.b * (1 + math.exp(Q / slow.Gg / (1.5 * slow.b))) if slow.Gg > 0 else 2 * slow.b
        assert certified >= certain / SLACK, f"{name}, round {t}: b is too small"
    print(f"ok   {name}, kappa = {kappa}: regret {regret_sum:.2f}, violation {sum(slow.gs):.2f}, b {slow.b:.2f}")


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
    """One play against rounds that do not look at it; what Lemma 6 has on its left, and on its right."""
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
    for kappa in (1, 20):
        for name, adversary in adversaries(np.random.default_rng(3)):
            play(name, adversary, kappa)
            played += 1
    print(f"{played} passed, 0 failed")


if __name__ == "__main__":
    main()
