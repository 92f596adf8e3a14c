#!/usr/bin/python3
"""Plays `ofw stream` against the slow learners of reference.py, round by round.

    test_parity.py --ofw PATH [--filter SUBSTRING] [--rounds N] [--tolerance X] [--seed S]

In every round the feedback is computed at the decision the program printed and given to both;
then the two next decisions, each learner's own, must agree:

    max_i |x_i - reference_i| / max(1, R)  <=  tolerance

On the trace-ball the reference goes on from the program's decision instead of its own.  There
Frank-Wolfe drives the top singular values of d together, the top pair turns by error/gap, and a
change of 1e-15 in x_1 can grow to 1e-2 within 100 rounds: only single steps can be compared.
"""
import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import zlib

import numpy as np

import reference

G, ALPHA = 6.0, 0.5           # --lipschitz, --strong-convexity


# --- streams: feedback for round t at the decision x ---------------------------------------------

class Stream:
    """A run of rounds from one seed.  Vectors are small enough for G = 6 on the domains below."""

    def __init__(self, kind, domain, seed, gaps_until=float("inf")):
        self.round = {"a": self.quadratic, "b": self.drifting, "c": self.unconstrained,
                      "d": self.sparse}[kind]
        self.rng = np.random.default_rng(seed)
        self.n, self.R, self.gaps_until = domain.n, domain.R, gaps_until
        self.target = self.vector(0.6 * self.R)
        self.pull = self.vector(1.5)              # what the constraints keep coming back to
        self.slope = self.vector(3.0)

    def vector(self, length):
        """A random direction of the given length."""
        v = self.rng.standard_normal(self.n)
        return length * v / np.linalg.norm(v)

    def limit(self, x, centre):
        """g = <b, x> - h with b near the centre: its value at x and its gradient."""
        b = centre + self.vector(0.5)
        return float(b @ x - 0.2 * self.R * self.rng.standard_normal()), b.tolist()

    def quadratic(self, t, x):
        """(a)  f = (alpha/2) |x - z|^2, one constraint."""
        e = x - self.target - self.vector(0.4 * self.R)
        g, b = self.limit(x, self.pull)
        return {"loss": float(ALPHA / 2 * e @ e), "loss_gradient": (ALPHA * e).tolist(),
                "constraint": g, "constraint_gradient": b}

    def drifting(self, t, x):
        """(b)  f = <a, x> with a random walk a, two or three constraints, now and then none."""
        self.slope += self.vector(0.4)
        self.slope *= 4.0 / max(4.0, np.linalg.norm(self.slope))
        feedback = {"loss": float(self.slope @ x), "loss_gradient": self.slope.tolist()}
        if self.rng.random() < 0.9:
            limits = [self.limit(x, self.pull / (i + 1)) for i in range(self.rng.integers(2, 4))]
            feedback["constraint"] = [g for g, _ in limits]
            feedback["constraint_gradient"] = [b for _, b in limits]
        return feedback

    def unconstrained(self, t, x):
        """(c)  (b) without any constraint."""
        feedback = self.drifting(t, x)
        return {key: feedback[key] for key in ("loss", "loss_gradient")}

    def sparse(self, t, x):
        """(d)  f = <a, x>, g = <b, x> - h, sent sparse.

        Both gradients are zero in round 1 and at times later; in round 2 the loss has +-1, so that
        oracles meet exact ties.  From round gaps_until on no vector is zero in places only.
        """
        def some_of(v, zero):
            kept = np.flatnonzero(self.rng.random(self.n) < (0.6 if t < self.gaps_until else 1))
            v = np.where(np.isin(np.arange(self.n), kept) & (not zero), v, 0.0)
            if self.rng.random() < 0.5:           # zeros may be sent as well
                kept = np.flatnonzero(v)
            return v, {"index": kept.tolist(), "value": v[kept].tolist()}
        slope = 0.5 * self.slope + self.vector(3.0)
        a, a_sent = some_of(np.sign(slope) if t == 2 else slope, t == 1 or self.rng.random() < 0.1)
        b, b_sent = some_of(self.pull + self.vector(0.5), t <= 2 or self.rng.random() < 0.1)
        h = 0.2 * self.R * self.rng.standard_normal()
        return {"loss": float(a @ x), "loss_gradient": a_sent,
                "constraint": float(b @ x - h), "constraint_gradient": b_sent}


# --- cases ---------------------------------------------------------------------------------------

DOMAINS = {
    "l2": "l2-ball:dim=10,radius=2",
    "l1": "l1-ball:dim=9,radius=3",
    "linf": "linf-ball:dim=4,radius=1.5",
    "box": "box:dim=5,lower=-1,upper=2",
    "box-file": "box:dim=4,lower=@{lower},upper=@{upper}",       # the origin is outside
    "line": "box:dim=1,lower=-2,upper=1",
    "simplex": "simplex:dim=6,sum=2.5",
    "trace": "trace-ball:rows=6,cols=4,radius=3",
}
MORE_DOMAINS = {
    "box-off": "box:dim=3,lower=0.5,upper=2",
    "box-mixed": "box:dim=4,lower=@{lower},upper=3",
    "l2-line": "l2-ball:dim=1,radius=1.5",
    "wide-trace": "trace-ball:rows=5,cols=7,radius=2",
    "simplex-unit": "simplex:dim=4",
}
BOUND_FILES = {"lower": [-1.0, 0.25, -2.0, -0.5], "upper": [1.0, 1.5, -0.5, 2.0]}

# Every recipe is played on every domain of DOMAINS; its stream is the one named, or changes by domain.
RECIPES = {
    "ofw-tvc": [
        ("", None),
        ("", "c"),
        ("beta=5e-3 sigma=line-search", None),
        ("guess=paper beta=5e-3 step=10", None),
        ("guess=track gamma-scale=0.1", None),
        ("preset=tight", None),
        ("restart=keep gamma=lambda beta=5e-3", None),
        ("constraints=sum lyapunov=quadratic-linear step=10", "b"),
        ("lyapunov=quadratic restart=keep beta=5e-3", None),
        ("lyapunov=linear sigma=line-search constraints=sum", "b"),
    ],
    "scofw-tvc": [
        ("", None),
        ("", "c"),
        ("beta=5e-3", None),
        ("params=proof gamma-scale=0.1", None),
        ("beta-scale=100 lyapunov=quadratic constraints=sum", "b"),
        ("beta=5e-3 lyapunov=exp gamma-scale=0.1", None),
        ("lyapunov=linear constraints=sum", "b"),
    ],
}
# Single ones: other domains, large prices, options that override a preset, play beyond the horizon
# (not an option of the program, nor is most-rounds: a double holds no price beyond 1e308).
SINGLES = [
    ("ofw-tvc", "box-off", "gamma=lambda", "a"),
    ("ofw-tvc", "box-mixed", "preset=tight step=10", "d"),
    ("ofw-tvc", "l2-line", "gamma=lambda step=10", "d"),
    ("ofw-tvc", "wide-trace", "preset=tight beta=5e-3", "b"),
    ("ofw-tvc", "wide-trace", "sigma=line-search step=10", "d"),
    ("ofw-tvc", "simplex-unit", "sigma=line-search gamma=lambda step=100", "a"),
    ("ofw-tvc", "l2", "preset=tight guess=scale sigma=printed gamma=1", "b"),
    ("ofw-tvc", "l2", "guess=paper beta=5 lambda=0.05 most-rounds=500", "a"),
    ("ofw-tvc", "box", "gamma=lambda lambda=0.1 beta=1 sigma=line-search", "a"),
    ("ofw-tvc", "l2", "lambda=1 beta=8 most-rounds=500 sigma=line-search", "a"),    # prices up to 1e130
    ("ofw-tvc", "l1", "lambda=1 beta=2 most-rounds=500 restart=keep", "a"),
    ("ofw-tvc", "simplex", "lambda=1 beta=0.8 most-rounds=500 guess=track sigma=line-search", "a"),
    ("ofw-tvc", "l2", "preset=tight horizon=200", "a"),
    ("scofw-tvc", "l2", "horizon=200", "a"),
    ("scofw-tvc", "simplex", "lyapunov=exp lambda=1 beta=0.8 most-rounds=500", "a"),
    ("scofw-tvc", "l2", "beta=1e60", "b"),                               # prices up to 1e63
    ("scofw-tvc", "box", "beta=1e60 lyapunov=quadratic", "a"),
    ("scofw-tvc", "box-off", "beta-scale=100", "d"),
    ("scofw-tvc", "box-mixed", "gamma=0.5", "b"),
    ("scofw-tvc", "l2-line", "gamma-scale=0.1", "d"),
    ("scofw-tvc", "wide-trace", "beta=5e-3", "b"),
    ("scofw-tvc", "simplex-unit", "beta-scale=100 lyapunov=quadratic", "a"),
]


def cases():
    """(learner, domain name, options, stream kind), each once."""
    for learner, recipes in RECIPES.items():
        for r, (options, kind) in enumerate(recipes):
            for i, domain in enumerate(DOMAINS):
                yield learner, domain, options, kind or "abd"[(r + i) % 3]
    yield from SINGLES


# --- one case ------------------------------------------------------------------------------------

class Failure(Exception):
    pass


def read_decision(process, t):
    line = process.stdout.readline()
    if not line:
        raise Failure(f"round {t} no decision, exit code {process.wait()}")
    try:
        message = json.loads(line)
        if message["round"] != t:
            raise ValueError("wrong round")
        return np.array(message["decision"], dtype=float)
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(f"round {t} unreadable line {line[:200]!r} ({error})") from error


def play(process, slow, stream, rounds, tolerance):
    """The game; returns the worst error."""
    worst = 0.0
    single_steps = isinstance(slow.K, reference.TraceBall)
    for t in range(1, rounds + 2):                # the decision after the last feedback as well
        x = read_decision(process, t)
        if x.shape != slow.x.shape:
            raise Failure(f"round {t} decision of shape {x.shape}, not {slow.x.shape}")
        error = float(np.max(np.abs(x - slow.x)) / max(1.0, slow.K.R))
        if not error <= tolerance:                # NaN fails too
            raise Failure(f"round {t} error {error:.1e}")
        worst = max(worst, error)
        if single_steps:
            slow.xs[-1] = x
        if t <= rounds:
            feedback = stream.round(t, x)
            slow.observe(feedback)
            with contextlib.suppress(BrokenPipeError):       # the next read says what happened
                process.stdin.write(json.dumps(feedback) + "\n")
                process.stdin.flush()
    process.stdin.close()                         # end of input: a normal end
    if process.stdout.read():
        raise Failure("output after the end of the input")
    if process.wait() != 0:
        raise Failure(f"exit code {process.returncode}")
    return worst


def run_case(args, folder, learner, domain_name, option_text, kind, seed):
    spec = {**DOMAINS, **MORE_DOMAINS}[domain_name].format(
        **{name: os.path.join(folder, name) for name in BOUND_FILES})
    options = dict(item.split("=", 1) for item in option_text.split())
    rounds = min(args.rounds, int(options.pop("most-rounds", args.rounds)))
    horizon = int(options.pop("horizon", rounds))
    if spec.startswith("trace-ball"):
        options["oracle-tolerance"] = "1e-13"
    command = [args.ofw, "stream", "--learner", learner, "--domain", spec,
               "--horizon", str(horizon), "--lipschitz", str(G)]
    if learner == "scofw-tvc":
        command += ["--strong-convexity", str(ALPHA)]
    for key, value in options.items():
        command += ["--set", f"{key}={value}"]

    # SCOFW-TVC, line search along one coordinate: d_i is 0 but for rounding, and where no gradient
    # comes in there, rounding alone chooses the bound.  So no gaps after the first rounds.
    domain = reference.make_domain(spec)
    stream = Stream(kind, domain, seed, gaps_until=3 if learner == "scofw-tvc" else float("inf"))
    slow = reference.LEARNERS[learner](domain, horizon, G, ALPHA, options)
    with tempfile.TemporaryFile("w+") as log, subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True) as process:
        watchdog = threading.Timer(60 + args.rounds, process.kill)       # a program that hangs
        watchdog.start()
        try:
            return play(process, slow, stream, rounds, args.tolerance)
        except Failure as failure:
            log.seek(0)
            raise Failure(f"{failure}\n{log.read()}".rstrip()) from failure
        finally:
            watchdog.cancel()
            process.kill()
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()


def main():
    parser = argparse.ArgumentParser(description="ofw stream against a slow reference")
    parser.add_argument("--ofw", required=True, metavar="PATH")
    parser.add_argument("--filter", default="", metavar="SUBSTRING")
    parser.add_argument("--rounds", type=int, default=500, metavar="N")
    parser.add_argument("--tolerance", type=float, default=1e-9)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    reference.check_oracles(np.random.default_rng(args.seed))
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, numbers in BOUND_FILES.items():
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.writelines(f"{number!r}\n" for number in numbers)
        for learner, domain, options, kind in cases():
            name = " ".join(f"{learner} {domain} stream={kind} {options}".split())
            if args.filter not in name:
                continue
            seed = [args.seed, zlib.crc32(name.encode())]
            try:
                worst = run_case(args, folder, learner, domain, options, kind, seed)
                print(f"ok   {name}  worst {worst:.1e}", flush=True)
                passed += 1
            except Failure as failure:
                print(f"FAIL {name}  {failure}", flush=True)
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
