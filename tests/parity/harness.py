"""What the parity tests share: streams of feedback, domains, a running program, the list of cases."""
import argparse
import contextlib
import json
import os
import subprocess
import tempfile
import threading
import zlib

import numpy as np

import reference
import sets

G, ALPHA = 6.0, 0.5           # --lipschitz, --strong-convexity


# --- streams: feedback for round t at the decision x ---------------------------------------------

class Stream:
    """A run of rounds from one seed.  Vectors are small enough for G = 6 on the domains below."""

    def __init__(self, kind, domain, seed, gaps_until=float("inf")):
        self.round = {"a": self.quadratic, "b": self.drifting, "c": self.unconstrained,
                      "d": self.sparse, "e": self.spikes, "f": self.few_directions, "g": self.turns,
                      "h": self.several, "i": self.late, "s": self.switching, "t": self.told}[kind]
        self.rng = np.random.default_rng(seed)
        self.n, self.R, self.gaps_until = domain.n, domain.R, gaps_until
        self.target = self.vector(0.6 * self.R)
        self.pull = self.vector(1.5)              # what the constraints keep coming back to
        self.slope = self.vector(3.0)
        if kind == "f":                           # bases of the directions' rows and columns
            self.bases = [np.linalg.qr(self.rng.standard_normal((side, 3)))[0] for side in (domain.rows, domain.cols)]

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

    def spikes(self, t, x):
        """(e)  (a), but the first losses have no gradient and the fifth has a short one; once a constraint is broken so far that no point of K can be the
        nearest that keeps it, and once it is broken without a gradient."""
        feedback = self.quadratic(t, x)
        if t <= 4:
            feedback["loss_gradient"] = [0.0] * self.n
            feedback["constraint"] = 0.3 * self.R
        if t == 5:
            feedback["loss_gradient"] = [0.02 * x for x in feedback["loss_gradient"]]
        if t in (5, 6):
            feedback["constraint"] = -1.0
        if t == 12:
            feedback["constraint"] = 2000 * self.R
        if t == 16:
            feedback.update(constraint=0.5 * self.R, constraint_gradient=[0.0] * self.n)
        return feedback

    def turns(self, t, x):
        """(g)  f = <a, x> with a fixed direction and lengths that are 20 times as large from round 160 on.

        No constraint for 20 rounds; then one in every second round that asks for the opposite of what the losses do;
        from round 60 on one in every round that turns about every third.  Their lengths fall by 3% per round.  The price
        rises while b is small, and the turns raise the certificate, so OFW-Ada meets both of its kinds of epochs.
        Every eighth round has a second constraint, every sixteenth one without a gradient.
        """
        along = self.slope / np.linalg.norm(self.slope)
        a = (20 if t >= 160 else 1) * (along + self.vector(0.1))
        feedback = {"loss": float(a @ x), "loss_gradient": a.tolist()}
        if t > 60 or (t > 20 and t % 2 == 0):
            b = 0.97 ** t * (self.vector(0.1) + (along if t > 60 and t // 3 % 2 == 0 else -along))
            g = float(b @ x) + np.linalg.norm(b) * self.R / 2
            other = 0.0 * b if t % 16 == 0 else self.vector(0.5)
            feedback["constraint"] = [g, 0.1 * self.R][: 2 if t % 8 == 0 else 1]
            feedback["constraint_gradient"] = [b.tolist(), other.tolist()][: 2 if t % 8 == 0 else 1]
        return feedback

    def several(self, t, x):
        """(h)  (a), with three constraints in units of their own in every round, now and then none; the third touches two coordinates."""
        feedback = self.quadratic(t, x)
        feedback["loss_gradient"] = [10 * number for number in feedback["loss_gradient"]]
        limits = [self.limit(x, self.pull / (i + 1)) for i in range(3)]
        some = np.zeros(self.n)
        some[:2] = np.array(limits[2][1])[:2]
        limits[2] = (float(some @ x) - 0.05 * self.R, some.tolist())
        for i, unit in enumerate((1.0, 3.0, 0.02)):
            limits[i] = (unit * limits[i][0], [unit * number for number in limits[i][1]])
        feedback["constraint"] = [g for g, _ in limits]
        feedback["constraint_gradient"] = [b for _, b in limits]
        if self.rng.random() < 0.1:
            del feedback["constraint"], feedback["constraint_gradient"]
        return feedback

    def late(self, t, x):
        """(i)  (h), but no constraint in the first three rounds, no loss in the first eight, and a constraint without a gradient."""
        feedback = self.several(t, x)
        if t <= 8:
            feedback["loss_gradient"] = [0.0] * self.n
        if t <= 3:
            feedback.pop("constraint", None)
            feedback.pop("constraint_gradient", None)
        if t in (4, 5, 20) and "constraint" in feedback:
            feedback["constraint_gradient"][1] = [0.0] * self.n
        return feedback

    def told(self, t, x):
        """(t)  f = <a, x> + |x|^2 / 10 with a random walk a, up to three constraints that are told a round before: rightly in most
        rounds, wrongly in every 29th, not at all in every fifth."""
        def limits():
            return [(self.pull / (i + 1) + self.vector(0.5), 0.2 * self.R * self.rng.standard_normal()) for i in range(self.rng.integers(0, 4))]
        now, self.coming = getattr(self, "coming", None) or limits(), limits()
        self.slope += self.vector(0.4)
        self.slope *= 4.0 / max(4.0, np.linalg.norm(self.slope))
        feedback = {"loss": float(self.slope @ x + x @ x / 10), "loss_gradient": (self.slope + x / 5).tolist(),
                    "constraint": [float(b @ x - h) for b, h in now], "constraint_gradient": [b.tolist() for b, _ in now]}
        if t % 5:
            side = -1.0 if t % 29 == 0 else 1.0
            feedback.update(next_constraint=[float(side * b @ x - h) for b, h in self.coming],
                            next_constraint_gradient=[(side * b).tolist() for b, _ in self.coming])
        return feedback

    def switching(self, t, x):
        """(s)  f = <a, x>, where a turns round every 90 rounds, and one constraint."""
        a = (1 if t // 90 % 2 else -1) * self.slope / 2 + self.vector(0.2)
        g, b = self.limit(x, self.pull)
        return {"loss": float(a @ x), "loss_gradient": a.tolist(), "constraint": g, "constraint_gradient": b}

    def few_directions(self, t, x):
        """(f)  (d) of matrices that are, but for 1e-11, over three directions of rows and columns: what is over them, and
        what a compression may drop, are plain."""
        def any_matrix(length):
            matrix = self.bases[0] @ self.rng.standard_normal((3, 3)) @ self.bases[1].T
            return (length * matrix / np.linalg.norm(matrix)).ravel() + self.vector(1e-11)
        def sent(v):
            return {"index": list(range(self.n)), "value": v.tolist()}
        a, b = any_matrix(3.0), any_matrix(1.5)
        return {"loss": float(a @ x), "loss_gradient": sent(a),
                "constraint": float(b @ x - 0.2 * self.R * self.rng.standard_normal()), "constraint_gradient": sent(b)}


# --- domains -------------------------------------------------------------------------------------

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
    "box-unit": "box:dim=5,lower=0,upper=1",
    "box-off": "box:dim=3,lower=0.5,upper=2",
    "box-mixed": "box:dim=4,lower=@{lower},upper=3",
    "l2-line": "l2-ball:dim=1,radius=1.5",
    "wide-trace": "trace-ball:rows=5,cols=7,radius=2",
    "large-trace": "trace-ball:rows=24,cols=20,radius=2",
    "simplex-unit": "simplex:dim=4",
}
BOUND_FILES = {"lower": [-1.0, 0.25, -2.0, -0.5], "upper": [1.0, 1.5, -0.5, 2.0]}


def says(ofw, *command):
    return subprocess.run([ofw, *command], check=True, capture_output=True, text=True).stdout


def registered(ofw, kind):
    """The names of all learners, domains or streams, as the program says."""
    return [line.split()[0] for line in says(ofw, "list", kind).splitlines() if line.startswith("  ")]


def examples(ofw):
    """The spec that each registered domain gives as its example, by name."""
    texts = {name: says(ofw, "help", name).splitlines() for name in registered(ofw, "domains")}
    return {name: text[1].removeprefix("for instance ") for name, text in texts.items()}


def crossed(recipes, domains, every):
    """Each recipe on each domain, or on one in `every` of them, in turn."""
    for learner, rows in recipes.items():
        for r, (options, kind) in enumerate(rows):
            for i, domain in enumerate(domains):
                if (2 * r + i) % every == 0:
                    yield learner, domain, options, kind or "abd"[(r + i) % 3]


def on_examples(ofw, recipes, learners):
    """So many learners on each registered domain, in turn; which domains there are is for the program to say."""
    names = list(recipes)
    for i, (name, spec) in enumerate(examples(ofw).items()):
        if name not in sets.MAKERS and not sets.LIBRARY:
            print(f"left out: {name}, which has no slow version, and whose own oracle cannot be loaded here")
            continue
        for k in range(learners):
            learner = names[(learners * i + k) % len(names)]
            if learner in PROJECTING and not hasattr(sets.make_domain(spec), "project"):
                learner = "ofw-tvc"
            options, kind = recipes[learner][0]
            yield learner, spec, f"{options} most-rounds=120".strip(), kind or "abd"[(i + k) % 3]


PROJECTING = {"coco-adagrad", "ogd"}


# --- the program ---------------------------------------------------------------------------------

class Failure(Exception):
    pass


class Program:
    """One `ofw pipe`; what it logs is added to a Failure."""

    def __init__(self, ofw, learner, spec, horizon, options, flags=(), seconds=600):
        self.command = [ofw, "pipe", "--learner", learner, "--domain", spec,
                        "--horizon", str(horizon), "--lipschitz", str(G), *flags]
        for key, value in options.items():
            self.command += ["--set", f"{key}={value}"]
        self.seconds = seconds                    # then it hangs

    def __enter__(self):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.log, text=True)
        self.watchdog = threading.Timer(self.seconds, self.process.kill)
        self.watchdog.start()
        return self

    def __exit__(self, kind, failure, trace):
        self.watchdog.cancel()
        self.process.kill()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        with self.log as log:
            log.seek(0)
            text = log.read()
        if isinstance(failure, Failure):
            raise Failure(f"{failure}\n{text}".rstrip()) from failure

    def read(self, t, *fields):
        """The named vectors of round t's line."""
        line = self.process.stdout.readline()
        if not line:
            raise Failure(f"round {t} no decision, exit code {self.process.wait()}")
        try:
            message = json.loads(line)
            if message["round"] != t:
                raise ValueError("wrong round")
            return [np.array(message[field], dtype=float) for field in fields]
        except (ValueError, KeyError, TypeError) as error:
            raise Failure(f"round {t} unreadable line {line[:200]!r} ({error!r})") from error

    def write(self, feedback):
        with contextlib.suppress(BrokenPipeError):           # the next read says what happened
            self.process.stdin.write(json.dumps(feedback) + "\n")
            self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()                # end of input: a normal end
        if self.process.stdout.read():
            raise Failure("output after the end of the input")
        if self.process.wait() != 0:
            raise Failure(f"exit code {self.process.returncode}")


def distance(t, name, x, expected, R):
    """max_i |x_i - expected_i| / max(1, R)"""
    if x.shape != expected.shape:
        raise Failure(f"round {t} {name} of shape {x.shape}, not {expected.shape}")
    return float(np.max(np.abs(x - expected)) / max(1.0, R))


def check_vertex(K, v):
    """Of the sets of DOMAINS each vertex v is the oracle's answer about centre - v."""
    if not distance(1, "the vertex", v, K.lmo(K.centre - v), K.R) <= 1e-12:
        raise Failure(f"the first decision {v} is no vertex")


# --- all cases -----------------------------------------------------------------------------------

def setting(folder, domain_name, option_text):
    """The domain's spec and the options of a case, as the program reads them."""
    named = {**DOMAINS, **MORE_DOMAINS}
    spec = named[domain_name].format(**{name: os.path.join(folder, name) for name in BOUND_FILES}) if domain_name in named else domain_name
    options = dict(item.split("=", 1) for item in option_text.split())
    if getattr(sets.make_domain(spec), "iterative", False):
        options["oracle-tolerance"] = "1e-13"
    return spec, options


def main(cases, run_case, rounds, tolerance):
    """run_case(args, folder, learner, domain name or spec, options, stream kind, seed) for every one of cases(ofw, every)."""
    parser = argparse.ArgumentParser(description="ofw pipe against a slow reference")
    parser.add_argument("--ofw", required=True, metavar="PATH")
    parser.add_argument("--filter", default="", metavar="SUBSTRING")
    parser.add_argument("--rounds", type=int, default=rounds, metavar="N")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each recipe on one in N of the domains; OFW_TEST_LEVEL=all: on all")
    parser.add_argument("--tolerance", type=float, default=tolerance)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    library = sets.generic.load(os.path.join(os.path.dirname(os.path.abspath(args.ofw)), "libofw.so"))
    sets.LIBRARY += [library] if library else []
    sets.check_oracles(np.random.default_rng(args.seed))
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, numbers in BOUND_FILES.items():
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.writelines(f"{number!r}\n" for number in numbers)
        for learner, domain, options, kind in cases(args.ofw, 1 if os.environ.get("OFW_TEST_LEVEL") == "all" else args.every):
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
                if "OFW_FIRST_FAILURE" in os.environ:        # for tests/mutants: one is enough
                    break
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1
