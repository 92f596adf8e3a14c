#!/usr/bin/python3
"""Plays ofw-tvc on an l2-ball against adversaries and checks, round by round, what docs/theory.md proves of it.

    test_bounds.py --ofw PATH

    Lemmas 2 and 3   F_{t-1}(x_t) - min F_{t-1} <= 2 D^2 sigma_j
    (1)              sum <p_t, x_t - x*> <= (gamma + w_T) T^(3/4), against the best x* of the ball
    the theorems     regret and violation against a point that keeps every constraint

On a ball the minimiser of eta <S, x> + |x - c|^2 is the projection of c - eta S / 2, so nothing here is approximate.
"""
import argparse
import json
import math
import subprocess
import sys

import numpy as np

DIM, RADIUS, G = 6, 1.5, 2.0
D = 2 * RADIUS
SLACK = 1 + 1e-9


def project(y):
    return y * (RADIUS / max(np.linalg.norm(y), RADIUS))


class Adversary:
    """Linear losses and constraints with gradients of length G; the origin keeps every constraint, with equality."""

    def __init__(self, kind, seed):
        self.rng = np.random.default_rng(seed)
        self.kind = kind
        self.f, self.g = self.unit(), self.unit()

    def unit(self):
        v = self.rng.standard_normal(DIM)
        return v / np.linalg.norm(v)

    def gradients(self, t, x):
        away = x / max(np.linalg.norm(x), 1e-12)
        if self.kind == "random":
            return G * self.unit(), G * self.unit()
        if self.kind == "alternating":
            return G * self.f * (-1) ** (t // 7), G * self.g * (-1) ** (t // 3)
        if self.kind == "conflict":                           # the loss pulls where the constraint forbids
            return G * self.f, -G * self.f
        return G * away, G * away                             # chasing: both push it back from where it stands


class Play:
    """The decisions of the program, and beside them what the proofs are about."""

    def __init__(self, ofw, T, options):
        command = [ofw, "pipe", "--learner", "ofw-tvc", "--domain", f"l2-ball:dim={DIM},radius={RADIUS}",
                   "--horizon", str(T), "--lipschitz", str(G)]
        for option in options:
            command += ["--set", option]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def decision(self):
        return np.array(json.loads(self.process.stdout.readline())["decision"])

    def feedback(self, f, grad_f, g, grad_g):
        self.process.stdin.write(json.dumps({"loss": f, "loss_gradient": grad_f.tolist(), "constraint": g,
                                             "constraint_gradient": grad_g.tolist()}) + "\n")
        self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        if self.process.wait() != 0:
            raise SystemExit("the program failed")


def excess(eta, S, c, x):
    """F(x) - min F for F = eta <S, x> + |x - c|^2."""
    z = project(c - eta * S / 2)
    return eta * S @ (x - z) + (x - c) @ (x - c) - (z - c) @ (z - c)


def check(ofw, adversary, T, options, seed):
    tight, gamma_is_lambda = "preset=tight" in options, "gamma=lambda" in options
    lam = T ** -0.75 / 2
    gamma = lam if tight or gamma_is_lambda else 1.0
    beta = 1 / ((4 if tight else 64) * G * D)
    play, adversary = Play(ofw, T, options), Adversary(adversary, seed)
    Q = regret = bound = 0.0
    guess, phase, S, sums = beta * gamma * G, 1, np.zeros(DIM), np.zeros(DIM)
    c = x = play.decision()
    eta = 0.0
    for t in range(1, T + 1):
        j = t - phase + 1
        assert excess(eta, S, c, x) <= 2 * D * D * min(1, 2 / math.sqrt(j)) * SLACK + 1e-12, f"round {t}: the lemma"
        grad_f, grad_g = adversary.gradients(t, x)
        f, g = float(grad_f @ x), float(grad_g @ x)
        Q += max(g, 0.0)
        w = lam * math.exp(lam * beta * Q)
        p = beta * (gamma * grad_f + (w * grad_g if g > 0 else 0.0))
        if tight:
            guess = beta * G * (gamma + w)
            eta = D / (guess * T ** 0.75)
        else:
            while guess < beta * G * (gamma + w):
                guess, phase, c, S = 2 * guess, t, x, np.zeros(DIM)
            eta = D / (2 * guess * T ** 0.75)
        S, sums = S + p, sums + p
        bound += p @ x
        regret += f                                           # against the origin, which costs 0
        if t < T:
            play.feedback(f, grad_f, g, grad_g)
            x = play.decision()
    play.close()
    best = -RADIUS * np.linalg.norm(sums)
    assert bound - best <= (gamma + w) * T ** 0.75 * SLACK, "(1)"
    scale = (8 if tight else 128 if gamma_is_lambda else 64) * G * D
    rounds = T ** 0.75 + (0 if gamma == lam else 0.5)
    assert regret <= scale * rounds * SLACK, "the regret's bound"
    most = {8: math.log(3 + T ** 0.25 / 4), 128: math.log(3 + T ** 0.25 / 64), 64: 2 * math.log(2 + 4 * T)}
    assert Q <= scale * T ** 0.75 * most[round(scale / (G * D))] * SLACK, "the violation's bound"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--ofw", required=True)
    ofw = arguments.parse_args().ofw
    options = [[], ["sigma=line-search"], ["sigma=line-search", "gamma=lambda"], ["gamma=lambda"], ["preset=tight"]]
    cases = [(kind, T, o, seed) for kind in ("random", "alternating", "conflict", "chasing")
             for T in (50, 600) for o in options for seed in (1, 2)]
    failed = 0
    for kind, T, o, seed in cases:
        try:
            check(ofw, kind, T, o, seed)
        except AssertionError as why:
            failed += 1
            print(f"{kind}, T = {T}, {' '.join(o) or 'defaults'}, seed {seed}: {why} does not hold")
    print(f"{len(cases) - failed} of {len(cases)} plays keep every bound")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
