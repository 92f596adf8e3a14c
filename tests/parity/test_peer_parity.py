#!/usr/bin/python3
"""Plays `ofw pipe` against the learners of bench/peer_numpy.py, round by round: what is timed beside ofw decides as ofw does.

    test_peer_parity.py --ofw PATH [--filter SUBSTRING] [--rounds N] [--tolerance X] [--seed S]

The peer is made from the configuration that ofw writes, as in `ofw-bench round`, and is given the ratings and the P that
the program's feedback is computed from. As in test_parity.py it goes on from the program's decisions.
"""
import os
import pathlib
import subprocess
import sys

import numpy as np

from harness import ALPHA, G, Failure, Program, distance, main

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import peer_numpy                                                     # noqa: E402

ROWS, COLS, BATCH = 14, 11, 20
SPEC = f"trace-ball:rows={ROWS},cols={COLS},radius=30"


def cases(_ofw, _every):
    """(learner, domain, options, stream kind), as the other parity tests have them."""
    for options in ("", "sigma=line-search", "sigma=line-search step=100", "beta=5e-3 gamma-scale=0.1 step=20",
                    "beta=0.05 lambda=0.3 sigma=line-search step=50"):
        yield "ofw-tvc", "trace", options, "ratings"
    for options in ("", "gamma-scale=100", "beta-scale=50", "params=proof"):
        yield "scofw-tvc", "trace", options, "ratings"
    for options in ("", "kappa=1", "first=0.1", "kappa=5 first=10"):
        yield "ofw-ada", "trace", options, "ratings"


def configuration(ofw, folder, learner, flags, rounds, options):
    """What ofw makes of the options, in its own words: the line of a trace."""
    path = os.path.join(folder, "trace.csv")
    sets = [word for pair in options.items() for word in ("--set", "=".join(pair))]
    subprocess.run([ofw, "run", "-q", "--learner", learner, "--domain", SPEC, "--horizon", str(rounds), "--lipschitz",
                    str(G), *flags, *sets, "--stream", f"matrix-completion:users={ROWS},items={COLS},ratings=50,batch=9",
                    "--rounds", "1", "--trace", path], check=True, capture_output=True)
    with open(path, encoding="ascii") as file:
        return next(line[2:] for line in file if line.startswith("# learner="))


def feedback(x, cells, ratings, P):
    miss = x[cells] - ratings
    return {"loss": float(miss @ miss / 2), "loss_gradient": {"index": cells.tolist(), "value": miss.tolist()},
            "constraint": float(P @ x), "constraint_gradient": P.tolist()}


def run_case(args, folder, learner, _domain, option_text, _kind, seed):
    options = dict(item.split("=", 1) for item in option_text.split()) | {"oracle-tolerance": "1e-13"}
    flags, rng, worst = ["--strong-convexity", str(ALPHA)], np.random.default_rng(seed), 0.0
    peer = peer_numpy.make_learner(configuration(args.ofw, folder, learner, flags, args.rounds, options), rng)
    with Program(args.ofw, learner, SPEC, args.rounds, options, flags) as program:
        for t in range(1, args.rounds + 2):
            x, = program.read(t, "decision")
            error = distance(t, "decision", x, peer.x, 30.0)
            if not error <= args.tolerance:
                raise Failure(f"round {t} error {error:.1e}")
            worst = max(worst, error)
            peer.x[:] = x
            if t <= args.rounds:
                cells = np.sort(rng.choice(ROWS * COLS, BATCH, replace=False))
                ratings, P = rng.integers(1, 6, BATCH).astype(float), rng.uniform(-1, 1, ROWS * COLS)
                program.write(feedback(x, cells, ratings, P))
                peer.observe(cells, ratings, P)
        program.end()
    if not peer.x.any() or peer.Q <= 0 or ("lambda" in options and peer.s < 10):
        raise Failure("nothing was played, or no guess doubled on the way")
    return worst


if __name__ == "__main__":
    sys.exit(main(cases, run_case, rounds=80, tolerance=1e-9))
