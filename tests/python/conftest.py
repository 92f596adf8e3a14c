"""What the tests of the Python package share: the command beside it, and feedback by the round."""
import json
import os
import subprocess

import numpy as np

COMMAND = os.environ["OFW_COMMAND"]


def pipe(learner, domain, settings, lines):
    """(exit status, what `ofw pipe` prints for these lines of feedback, its message)"""
    options = [word for key, value in settings.items() for word in (f"--{key.replace('_', '-')}", str(value))]
    done = subprocess.run([COMMAND, "pipe", "--learner", learner, "--domain", domain, *options],
                          input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True, text=True)
    # as floats: the sign of -0 counts
    return done.returncode, [json.loads(line, parse_int=float) for line in done.stdout.splitlines()], done.stderr


def bits(x):
    """An array's bytes: equal for the same bits alone."""
    return np.ascontiguousarray(x, dtype=np.float64).tobytes()


def feedback(rng, dim, bandit):
    """A round in the pipe's form: dense, sparse, none, one or several constraints, by chance."""
    def vector():
        v = rng.standard_normal(dim) / np.sqrt(dim)
        if rng.random() < 0.3:
            kept = np.sort(rng.choice(dim, size=rng.integers(0, dim + 1), replace=False))
            return {"index": kept.tolist(), "value": v[kept].tolist()}
        return v.tolist()

    line = {"loss": float(rng.standard_normal())}
    count = int(rng.choice([0, 1, 1, 3]))
    if count:
        values = (0.3 * rng.standard_normal(count)).tolist()
        line["constraint"] = values if count > 1 else values[0]
    if not bandit:
        line["loss_gradient"] = vector()
        if count:
            line["constraint_gradient"] = [vector() for _ in range(count)] if count > 1 else vector()
    return line
