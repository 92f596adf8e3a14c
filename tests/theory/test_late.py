#!/usr/bin/python3
"""Plays the slow versions of ofw-ada and ofw-tvc with late feedback on an l2-ball, against adversaries, and checks at every arrival what
docs/theory.md proves of them; tests/parity shows that the program's decisions are the same.

    late       |x_s - x| <= late, whatever has come in between
    Lemma D1   sum <p, x_s - x*> <= (gamma + w) T^(3/4), over the rounds that have feedback
    Lemma D2   their regret <= the bound of the certificate, and q <= 1.5 b ln(5 + 2 (Lf D T + R)/b) in every epoch
"""
import math
import os
import random
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "parity")]
from delay_reference import LEARNERS  # noqa: E402 (where it is, was just said)
from sets.basic import L2Ball  # noqa: E402
from test_told import D, DIM, RADIUS, ROUNDS, SLACK, games  # noqa: E402

ORDERS = {"in order": lambda open_rounds, rng: open_rounds[0], "last first": lambda open_rounds, rng: open_rounds[-1],
          "any": lambda open_rounds, rng: rng.choice(open_rounds)}
G = 3.0                                                               # of the games below


def arrivals(delay, order, rng):
    """(t, None): round t is decided; (t, s): the feedback of round s has come. In turns of several, or one by one."""
    waiting = []
    for t in range(1, ROUNDS + 1):
        waiting.append(t)
        yield t, None
        while len(waiting) > delay or (order == "any" and waiting and rng.random() < 0.4) or (order == "last first" and len(waiting) > 1 and t % (delay + 1) == 0):
            s = ORDERS[order](waiting, rng)
            waiting.remove(s)
            yield t, s


def check_ada(slow, s, x, regret, heard, where):
    assert np.linalg.norm(x - slow.before) <= slow.late * SLACK + 1e-12, f"{where}: round {s} was {np.linalg.norm(x - slow.before)} away, not {slow.late}"
    assert regret <= slow.most_regret * SLACK + 1e-9, f"{where}: regret {regret} > {slow.most_regret}"
    most = 1.5 * slow.b * math.log(5 + 2 * (G * D * heard + sum(slow.raises)) / slow.b)
    assert slow.q <= most * SLACK, f"{where}: q = {slow.q} > {most}"


def check_tvc(slow, certain, where):
    most = (slow.gamma + slow.ws[-1]) * ROUNDS ** 0.75
    assert certain <= most * SLACK, f"{where}: {certain} > {most}"


def play(learner, options, name, best, loss, limit, delay, order):
    slow = LEARNERS[learner, "max"](L2Ball(DIM, RADIUS), ROUNDS, G, 0.0, {**options, "delay": delay})
    rng, kept, regret, certain, heard, farthest = random.Random(delay), {}, 0.0, 0.0, 0, 0.0
    for t, s in arrivals(delay, order, rng):
        if s is None:
            f, (a, level) = loss(t, slow.x), limit(t)
            assert a @ best <= level + 1e-12 and np.linalg.norm(f) <= G and np.linalg.norm(a) <= G, f"{name}: what is assumed does not hold"
            kept[t] = slow.x, f, a, level, slow.decided()
            continue
        x, f, a, level, ticket = kept.pop(s)
        slow.before = slow.x
        farthest = max(farthest, np.linalg.norm(x - slow.x))
        slow.hear({"loss_gradient": list(f), "constraint": float(a @ x - level), "constraint_gradient": list(a)}, ticket)
        heard += 1
        regret += f @ (x - best)
        certain += slow.ps[-1] @ (x - best)
        where = f"{learner} {options}, {name}, delay {delay} {order}, round {t}"
        if learner == "ofw-ada":
            check_ada(slow, s, x, regret, heard, where)
        else:
            check_tvc(slow, certain, where)
    return farthest


def main():
    farthest = 0.0
    for learner, options in (("ofw-ada", {}), ("ofw-tvc", {}), ("ofw-tvc", {"sigma": "line-search"}), ("ofw-tvc", {"preset": "tight"})):
        for turn, (name, *game) in enumerate(games(np.random.default_rng(7))):
            for k, delay in enumerate((1, 9, 60)):
                order = list(ORDERS)[(turn + k) % 3]
                farthest = max(farthest, play(learner, options, name, *game, delay, order))
        print(f"ok   {learner} {options}")
    assert farthest > 0.5, "nothing was late"


if __name__ == "__main__":
    main()
