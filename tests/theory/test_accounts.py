#!/usr/bin/python3
"""Plays ofw-tvc and ofw-ada with constraints=each and constraints=budgets on an l2-ball against adversaries and checks what
docs/theory.md proves of them.

    test_accounts.py --ofw PATH

    Lemmas B1, B2   gamma beta Regret_t + E_t - 1 <= gamma T^(3/4) + max_s E_s / 2 in every round t, E the mean of
                    exp(lambda beta Q_i), and the bounds on every Q_i, or signed sum, that follow
    ofw-ada, each   what it reports as proved holds in every round, of the regret and of the worst constraint
    Lemma B3        what a budget is overspent by, by numbers that are known: for the prices of its definition

The origin keeps every constraint in every round, so the regret is that against the origin.
"""
import argparse
import json
import math
import subprocess

import numpy as np

DIM, RADIUS, G, M = 5, 1.5, 2.0, 4
D = 2 * RADIUS
SLACK = 1 + 1e-9


class Adversary:
    """Linear losses and M linear constraints, all of length G; with room, the constraints are kept at the origin by that much."""

    def __init__(self, kind, seed, room=0.0):
        self.rng, self.kind, self.room = np.random.default_rng(seed), kind, room
        self.f, self.g = self.unit(), np.array([self.unit() for _ in range(M)])

    def unit(self):
        v = self.rng.standard_normal(DIM)
        return v / np.linalg.norm(v)

    def round(self, t, x):
        f, g = self.f, self.g
        if self.kind == "random":
            f, g = self.unit(), np.array([self.unit() for _ in range(M)])
        if self.kind == "alternating":
            f, g = f * (-1) ** (t // 7), g * (-1) ** (t // 3)
        if self.kind == "conflict":                           # the loss pulls where one constraint forbids
            g = np.vstack([-f, g[1:]])
        if self.kind == "saving":                             # one constraint saves for a while, then it is broken
            g = np.vstack([f if t < 150 else -f, 0.1 * g[1:]])
        return G * f, G * g, self.room * self.rng.random(M)


KINDS = ("random", "alternating", "conflict", "saving")


class Play:
    def __init__(self, ofw, learner, T, options):
        command = [ofw, "pipe", "--learner", learner, "--domain", f"l2-ball:dim={DIM},radius={RADIUS}", "--horizon", str(T),
                   "--lipschitz", str(G)]
        for option in options:
            command += ["--set", option]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(self, line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()

    def hear(self):
        return json.loads(self.process.stdout.readline())

    def rounds(self, adversary, T):
        """x, the loss's gradient, the constraints' values and gradients, and the account after it; round by round."""
        x = np.array(self.hear()["decision"])
        for t in range(T):
            f, g, room = adversary.round(t, x)
            values = g @ x - room
            self.say({"loss": f @ x, "loss_gradient": f.tolist(), "constraint": values.tolist(), "constraint_gradient": g.tolist()})
            after = np.array(self.hear()["decision"])
            self.say({"ask": {"info": {}}})
            yield x, f, values, g, self.hear()["info"]
            x = after
        self.process.stdin.close()
        assert self.process.wait() == 0, self.process.returncode


def check_tvc(ofw, kind, words, preset, seed):
    T = 401                                                   # the last decision is asked for, and not played
    tight = preset == "preset=tight"
    lam, beta = T ** -0.75 / 2, 1 / ((4 if tight else 64) * G * D)
    most = (8 if tight else 128) * G * D * T ** 0.75 * math.log(M * (3 + T ** 0.25 / (4 if tight else 64)))
    regret, Q, highest = 0.0, np.zeros(M), 1.0
    play = Play(ofw, "ofw-tvc", T, [f"constraints={words}", preset])
    for x, f, values, _, info in play.rounds(Adversary(kind, seed), T - 1):
        regret += f @ x
        Q += values if words == "budgets" else np.maximum(values, 0.0)
        E = np.mean(np.exp(lam * beta * Q))
        highest = max(highest, E)
        left, right = lam * beta * regret + E - 1, lam * T ** 0.75 + highest / 2
        assert left <= right * SLACK, f"{kind} {words} {preset}: {left} > {right}"
        assert Q.max() <= most, f"{kind} {words} {preset}: {Q.max()} > {most}"
        assert math.isclose(info["violation"], max(Q.max(), 0.0), rel_tol=1e-9, abs_tol=1e-9), info
        assert math.isclose(info["log_price"], math.log(lam * E), rel_tol=1e-9), (info, math.log(lam * E))


def check_each(ofw, kind, seed):
    regret, Q = 0.0, np.zeros(M)
    for x, f, values, _, info in Play(ofw, "ofw-ada", 400, ["constraints=each"]).rounds(Adversary(kind, seed), 400):
        regret += f @ x
        Q += np.maximum(values, 0.0)
        assert regret <= info["regret_bound"] * SLACK + 1e-9, f"{kind}: {regret} > {info['regret_bound']}"
        assert Q.max() <= info["ccv_bound"] * SLACK + 1e-9, f"{kind}: {Q.max()} > {info['ccv_bound']}"
        assert math.isclose(info["violation"], Q.max(), rel_tol=1e-9, abs_tol=1e-9), info


def check_budgets(ofw, kind, seed, room):
    """Lemma B3 for the prices of the definition; how often it says something: it is below what the c_i^+ add up to."""
    F, H = np.zeros(DIM), np.zeros((M, DIM))
    mu, square, total, positive = np.zeros(M), np.zeros(M), np.zeros(M), np.zeros(M)
    last, rises, tells = np.full(M, np.nan), np.zeros(M), 0
    for x, f, c, g, info in Play(ofw, "ofw-ada", 400, ["constraints=budgets"]).rounds(Adversary(kind, seed, room), 400):
        F, H, square, total, positive = F + f, H + g, square + c * c, total + c, positive + np.maximum(c, 0.0)
        u = np.abs(H) @ np.abs(F) / np.einsum("ij,ij->i", H, H)
        rises += np.where(np.isnan(last), 0.0, np.maximum(0.0, np.log(u / np.where(np.isnan(last), u, last))))
        last = u
        mu = np.maximum(0.0, mu + (u + mu) / 2 * c / np.sqrt(np.where(square > 0, square, 1.0)))
        bound = np.sqrt(square) * (1 + 2 * np.log(1 + mu / u) + 2 * rises)
        assert np.all(total <= bound * SLACK), f"{kind}: {total} > {bound}"
        tells += np.sum(bound < positive)
        assert math.isclose(info["violation"], max(total.max(), 0.0), rel_tol=1e-9, abs_tol=1e-9), info
        told = info["log_price"]
        assert math.isclose(told, math.log(mu.max()), rel_tol=1e-6, abs_tol=1e-6) if mu.any() else told is None, (info, mu)
        assert info["regret_bound"] is None and info["ccv_bound"] is None, info
    return tells


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", required=True)
    ofw = parser.parse_args().ofw
    passed, tells = 0, 0
    for seed, kind in enumerate(KINDS):
        for words in ("each", "budgets"):
            for preset in ("preset=tight", "gamma=lambda"):
                check_tvc(ofw, kind, words, preset, seed)
                passed += 1
        check_each(ofw, kind, seed)
        for room in (0.0, 0.5):
            tells += check_budgets(ofw, kind, seed, room)
        passed += 3
    assert tells > 0, "Lemma B3 says nothing of these plays"
    print(f"{passed} passed, 0 failed")


if __name__ == "__main__":
    main()
