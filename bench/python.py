#!/usr/bin/python3
"""What Python adds to a round: decide and observe in C and in Python, in turns, and what `import ofw` adds to NumPy's.

    python.py --peer build/bench/bench_python [--repeats N] [--json FILE]

Both play the same feedback and must end at the same decision. Times are the least of the repetitions, which is what a busy
machine disturbs least; they are of a processor, not of the clock on the wall.
"""
import argparse
import functools
import json
import subprocess
import sys
import time

import numpy as np

import ofw

DIM, TURNS, ENTRIES, ROWS, COLS = 10, 64, 250, 943, 1682
GOALS = {"vector_extra_nanoseconds": 1000.0, "matrix_ratio": 1.01, "import_extra_milliseconds": 60.0}


def number(turn, i):
    return ((turn * 31 + i * 17) % 29 - 14.0) / 16.0


def vectors():
    return [np.array([number(k, i) for i in range(DIM)]) for k in range(2 * TURNS)]


def entries():
    i = np.arange(ENTRIES)
    return [(i * (ROWS * COLS // ENTRIES) + 13 * k, number(k, i)) for k in range(2 * TURNS)]


def play(kind, rounds, read):
    """Nanoseconds per round, and the sum of the last decision; `read`: every decision is made an array."""
    learner = ofw.Learner("ofw-ada", ofw.Simplex(DIM) if kind == "vector" else ofw.TraceBall(ROWS, COLS, radius=1e4))
    given = vectors() if kind == "vector" else entries()
    begun = time.process_time_ns()
    for t in range(rounds):
        k = 2 * (t % TURNS)
        x = learner.decide()
        if read:
            np.asarray(x)
        learner.observe(0.5, given[k], 0.125, given[k + 1])
    spent = time.process_time_ns() - begun
    return spent / rounds, sum(np.asarray(learner.decide()).ravel().tolist())


def in_c(peer, kind, rounds):
    said = subprocess.run([peer, kind, str(rounds)], check=True, capture_output=True, text=True).stdout
    return [float(word) for word in said.split()]


def compare(peer, kind, rounds, repeats):
    """The least nanoseconds per round in C, in Python, and in Python with every decision read as an array."""
    best = {"c": np.inf, "python": np.inf, "python_read": np.inf}
    for _ in range(repeats):
        c, end = in_c(peer, kind, rounds)
        for name, read in (("python", False), ("python_read", True)):
            spent, found = play(kind, rounds, read)
            if found != end:
                sys.exit(f"python.py: {kind}: the play in Python ends at another decision than that in C")
            best[name] = min(best[name], spent)
        best["c"] = min(best["c"], c)
    return best


def import_milliseconds(module, repeats):
    program = f"import time; begun = time.process_time(); import {module}; print(time.process_time() - begun)"
    return min(1e3 * float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout)
               for _ in range(repeats))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, help="the program bench_python")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--json", help="write the numbers to this file; -: to stdout, and the rest to stderr")
    args = parser.parse_args()
    vector = compare(args.peer, "vector", 20000, args.repeats)
    matrix = compare(args.peer, "matrix", 100, max(3, args.repeats // 3))
    numpy, package = (import_milliseconds(module, args.repeats) for module in ("numpy", "ofw"))
    found = {"vector_nanoseconds": vector, "matrix_nanoseconds": matrix,
             "vector_extra_nanoseconds": vector["python"] - vector["c"], "vector_ratio": vector["python"] / vector["c"],
             "vector_read_extra_nanoseconds": vector["python_read"] - vector["c"],
             "matrix_ratio": matrix["python"] / matrix["c"],
             "import_milliseconds": {"numpy": numpy, "ofw": package}, "import_extra_milliseconds": package - numpy, "goals": GOALS}
    tell = functools.partial(print, file=sys.stderr if args.json == "-" else sys.stdout)
    for name, goal in GOALS.items():
        tell(f"{name:28} {found[name]:10.4g}   goal: at most {goal:g}   {'met' if found[name] <= goal else 'MISSED'}")
    tell(f"{'vector_ratio':28} {found['vector_ratio']:10.4g}")
    tell(f"{'vector_read_extra_nanoseconds':28} {found['vector_read_extra_nanoseconds']:9.4g}   the same, with numpy.asarray(x) in every round")
    if args.json == "-":
        print(json.dumps(found))
    elif args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    main()
