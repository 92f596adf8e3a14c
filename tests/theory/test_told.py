#!/usr/bin/python3
"""Plays the slow versions of ofw-ada with limits that are told in advance, and with windows, on an l2-ball, and checks round by round what
docs/theory.md proves of them; tests/parity shows that the program's decisions are the same.

    Lemma H    regret(z) <= bound + U,  sum delta(z) = sum delta(x) + V;  whatever is told:
               U <= max(0, the largest bound so far) + Gf D,  V <= sum delta(x) + D  and  U + 4 Gf V <= 6 Gf D
    gain       told rightly, the violation is less than half of what it is if nothing is told, at no more cost than a price of 2 for that
    Lemma W    window=auto: on every interval I with m beginnings inside, tau rounds,
               regret <= 1.4 (m + 1)^(1/4) D tau^(1/4) sqrt(sum |grad f|^2) + 63 (m + 1) D Gf, against all that keeps its constraints
    windows    window=N: from each beginning on, what is proved of a learner of its own
"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "parity"))
from reference import Anew, OfwAda, Told  # noqa: E402 (where it is, was just said)
from sets.basic import L2Ball  # noqa: E402

DIM, RADIUS, ROUNDS = 4, 1.5, 250
D = 2 * RADIUS
SLACK = 1 + 1e-9


def unit(y):
    return y / np.linalg.norm(y)


def games(rng):
    """name, x* that keeps all, round t at x: the loss's gradient, and <a, x> <= level, which does not depend on x."""
    fixed, other = unit(rng.normal(size=DIM)), unit(rng.normal(size=DIM))
    levels = 0.3 + 0.3 * np.sin(np.arange(ROUNDS + 2) / 9) + 0.2 * rng.uniform(-1, 1, size=ROUNDS + 2)
    normals = [unit(rng.normal(size=DIM)) for _ in range(ROUNDS + 2)]
    moving = lambda t: (fixed, levels[t])
    yield "moving limit", np.zeros(DIM) - fixed, lambda t, x: -fixed + 0.3 * rng.normal(size=DIM), moving
    yield "moving limit, curved", -fixed, lambda t, x: x - fixed - 0.3 * other, moving
    yield "random limits", 0.3 * other, lambda t, x: -other + 0.5 * rng.normal(size=DIM), lambda t: (normals[t], 0.3 * normals[t] @ other)
    yield "noise", np.zeros(DIM), lambda t, x: unit(rng.normal(size=DIM)), lambda t: (normals[t], 0.05)
    yield "against x", np.zeros(DIM), lambda t, x: unit(x + 1e-3 * fixed), lambda t: (normals[t], 0.0)


def told(kind, next_limit, x):
    """What is told of the limit that comes, at x."""
    a, level = next_limit
    if kind == "none":
        return {}
    if kind == "wrong":                                               # the other way round
        a, level = -a, -level - 0.5
    if kind == "far":                                                 # a limit that nobody can keep
        level = -10.0
    return {"next_constraint": float(a @ x - level), "next_constraint_gradient": list(a)}


def play(name, best, loss, limit, kind):
    slow = Told(OfwAda(L2Ball(DIM, RADIUS), ROUNDS, 1.0, 0.0, {}))
    regret = violation = own = total = most = 0.0
    for t in range(1, ROUNDS + 1):
        z, x = slow.x, slow.inner.x
        f, (a, level) = loss(t, z), limit(t)
        assert a @ best <= level + 1e-12, f"{name}: x* breaks a limit"
        regret += f @ (z - best)
        violation += min(D, max(0.0, a @ z - level))
        own += min(D, max(0.0, a @ x - level))
        total += f @ z
        slow.observe({"loss_gradient": list(f), "constraint": float(a @ z - level), "constraint_gradient": list(a), **told(kind, limit(t + 1), z)})
        most = max(most, slow.inner.most_regret)
        where = f"{name}, {kind}, round {t}"
        assert regret <= (slow.inner.most_regret + slow.cost) * SLACK + 1e-9, f"{where}: regret {regret} > {slow.inner.most_regret} + {slow.cost}"
        assert abs(violation - own - slow.worse) <= 1e-9 * t and abs(own - slow.own) <= 1e-9 * t, f"{where}: V"
        assert slow.cost <= most + slow.Gf * D + 1e-9, f"{where}: U"
        assert slow.worse <= own + D + 1e-9, f"{where}: V > own"
        Gf = slow.Gf if np.any(z != x) or t == 1 else Gf                 # of the last round that a hint moved
        assert slow.cost + 4 * Gf * slow.worse <= 6 * Gf * D + 1e-9, f"{where}: U + 4 Gf V"
    return total, violation


def hints():
    passed = 0
    for k, (name, *_) in enumerate(games(np.random.default_rng(0))):
        results = {}
        for kind in ("none", "right", "wrong", "far"):
            game = list(games(np.random.default_rng(5)))[k]           # the same random numbers for each
            results[kind] = play(*game, kind)
        (cost, violation), (told_cost, told_violation) = results["none"], results["right"]
        assert told_violation <= 0.5 * violation and told_cost - cost <= 2 * (violation - told_violation) + 0.02 * ROUNDS, f"{name}: no gain, {results}"
        print(f"ok   {name}: " + ", ".join(f"{kind} {a:.1f} {b:.2f}" for kind, (a, b) in results.items()))
        passed += 1
    return passed


def check_intervals(name, f, x, starts):
    """Every interval that begins or ends at a multiple of 7, against the best of the ball. No constraint is in these rounds."""
    F = np.vstack([np.zeros(DIM), np.cumsum(f, axis=0)])
    played, squares = np.r_[0, np.cumsum(np.sum(f * x, axis=1))], np.r_[0, np.cumsum(np.sum(f * f, axis=1))]
    Gf, worst = np.sqrt(np.max(np.sum(f * f, axis=1))), 0.0
    for a in range(0, len(f), 7):
        for b in range(a + 7, len(f) + 1, 7):
            m = sum(a < start < b for start in starts)
            regret = played[b] - played[a] + RADIUS * np.linalg.norm(F[b] - F[a])
            bound = 1.4 * (m + 1) ** 0.25 * D * (b - a) ** 0.25 * np.sqrt(squares[b] - squares[a]) + 63 * (m + 1) * D * Gf
            assert regret <= bound * SLACK, f"{name}: rounds {a + 1} to {b}, {m} beginnings: {regret} > {bound}"
            worst = max(worst, regret / bound)
    return worst


def windows():
    rng = np.random.default_rng(6)
    fixed = unit(rng.normal(size=DIM))
    losses = {
        "steady": lambda t, x: fixed,
        "noise": lambda t, x: unit(rng.normal(size=DIM)),
        "switching": lambda t, x: fixed * (1 if t // 150 % 2 else -1),
        "switching, noisy": lambda t, x: fixed * (1 if t // 110 % 2 else -1) + 0.5 * rng.normal(size=DIM),
        "curved, moving": lambda t, x: x - RADIUS * 0.8 * fixed * np.sign(np.sin(t / 50)),
        "against x": lambda t, x: unit(x + 1e-3 * fixed),
        "rising": lambda t, x: fixed * (1 if t // 150 % 2 else -1) * 1.01 ** t,
    }
    passed, begun = 0, {}
    for name, loss in losses.items():
        slow = Anew(OfwAda, L2Ball(DIM, RADIUS), ROUNDS, 1.0, 0.0, {"window": "auto"})
        f, x, starts = [], [], []
        for t in range(1, 601):
            x.append(slow.x)
            f.append(np.asarray(loss(t, slow.x)))
            before = slow.begun
            slow.observe({"loss_gradient": list(f[-1])})
            starts += [t] * (slow.begun > before)
        begun[name] = len(starts)
        worst = check_intervals(name, np.array(f), np.array(x), starts)
        print(f"ok   window=auto, {name}: begins anew after {starts}, at most {worst:.3f} of the bound")
        passed += 1
    assert begun["steady"] == begun["noise"] == 0 < min(begun["switching"], begun["switching, noisy"]), begun
    return passed


def main():
    passed = hints() + windows()
    print(f"{passed} passed, 0 failed")


if __name__ == "__main__":
    main()
