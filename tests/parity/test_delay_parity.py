#!/usr/bin/python3
"""Plays `ofw pipe` with late feedback, in every order of arrival, and compares each decision with a slow version.

    test_delay_parity.py --ofw PATH [--rounds 250] [--filter SUBSTRING]
"""
import random
import sys

import delay_reference
import sets
from harness import G, Failure, Program, Stream, distance, main, setting

RECIPES = {
    "ofw-tvc": ["", "sigma=line-search", "preset=tight", "sigma=line-search step=10 restart=keep beta=5e-3",
                "gamma=lambda sigma=line-search constraints=sum"],
    "ofw-ada": ["", "constraints=sum", "kappa=5 first=0.2"],
}
SEVERAL = ["constraints=each", "constraints=budgets"]              # the same constraints in every round: stream h
DELAYS = (1, 4, 30)
DOMAINS = ("l1", "box", "l2", "simplex", "linf", "box-file")


def cases(ofw, every):
    """(learner, domain name, options, stream kind): each recipe with each delay, on domains and streams in turn."""
    turn = 0
    for learner, rows in RECIPES.items():
        for options in rows:
            for delay in DELAYS:
                yield learner, DOMAINS[turn % len(DOMAINS)], f"{options} delay={delay}".strip(), "abcegs"[turn % 6]
                turn += 1
        for options in SEVERAL:
            yield learner, DOMAINS[turn % len(DOMAINS)], f"{options} delay=7", "h"
            turn += 1


def play(program, slow, stream, rounds, delay, tolerance, arrivals):
    """The game; returns the worst error. Any of the open rounds may be answered next, several in a row or none."""
    worst, waiting = 0.0, {}
    program.read(1)                               # the rounds that are open: none
    for t in range(1, rounds + 1):
        program.write({"ask": {"decide": {}}})
        x, = program.read(t, "decision")
        error = distance(t, "decision", x, slow.x, slow.K.R)
        if not error <= tolerance:                # NaN fails too
            raise Failure(f"round {t} error {error:.1e}")
        worst = max(worst, error)
        waiting[t] = slow.decided(), stream.round(t, x)
        while len(waiting) > delay or (waiting and arrivals.random() < 0.4):
            s = arrivals.choice(list(waiting))
            kept, feedback = waiting.pop(s)
            slow.hear(feedback, kept)
            program.write({**feedback, "round": s})
            program.read(s)
    program.end()
    return worst


def run_case(args, folder, learner, domain_name, option_text, kind, seed):
    spec, options = setting(folder, domain_name, option_text)
    domain = sets.make_domain(spec)
    stream = Stream(kind, domain, seed, gaps_until=3)
    slow = delay_reference.LEARNERS[learner, options.get("constraints", "max")](domain, args.rounds, G, 0.0, options)
    with Program(args.ofw, learner, spec, args.rounds, options, [], 60 + args.rounds) as program:
        worst = play(program, slow, stream, args.rounds, int(options["delay"]), args.tolerance, random.Random(str(seed)))
    if hasattr(slow, "costs") and not sum(slow.costs) > 0:
        raise Failure("nothing was late: the play tests less than it is for")
    return worst


if __name__ == "__main__":
    sys.exit(main(cases, run_case, rounds=250, tolerance=1e-9))
