#!/usr/bin/python3
"""Runs one program of examples/ and computes what it prints anew, with the slow learners of tests/parity.

    test_examples.py NAME PROGRAM

Each problem is written down here a second time, from the comment that opens the example.
"""
import itertools
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
from scipy import optimize

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "parity"))
import delay_reference  # noqa: E402
import recommend_reference  # noqa: E402
import reference  # noqa: E402
from sets import basic as sets, make_domain  # noqa: E402


class Ellipsoid:
    def __init__(self, axes):
        self.n, self.axes, self.R, self.start = len(axes), axes, max(axes), np.zeros(len(axes))

    def lmo(self, d):
        """By Lagrange: v = -A d / sqrt(d' A d) with A = diag(axes^2)."""
        A = np.diag(self.axes ** 2)
        return -A @ d / math.sqrt(d @ A @ d)


def play(learner, rounds, reveal, best):
    """Regret against `best` and violation after each round; reveal(t) gives f, its gradient, g and its gradient."""
    regret, ccv = [0.0], [0.0]
    for t in range(1, rounds + 1):
        f, df, g, dg = reveal(t)
        x = learner.x
        assert g(best) <= 1e-12, f"round {t}: what we compare with breaks the limit"
        regret.append(regret[-1] + f(x) - f(best))
        ccv.append(ccv[-1] + max(g(x), 0.0))
        learner.observe({"loss": f(x), "loss_gradient": df(x), "constraint": g(x), "constraint_gradient": dg(x)})
    return regret, ccv


def best_of_pairs(worth, price, limit):
    """max <worth, x> over the simplex with <price, x> <= limit: the answer mixes at most two vertices."""
    answers = [np.eye(len(worth))[i] for i in range(len(worth)) if price[i] <= limit]
    for i, j in itertools.permutations(range(len(worth)), 2):
        if price[i] < limit < price[j]:
            share = (limit - price[i]) / (price[j] - price[i])
            answers.append((1 - share) * np.eye(len(worth))[i] + share * np.eye(len(worth))[j])
    return max(answers, key=worth.dot)


def first():
    cost, carbon = np.array([2, 1, 3]), np.array([1, 4, 2])
    learner = reference.OfwAda(sets.Simplex(3, 1.0), 1000, 1.0)
    for _ in range(1000):
        x = learner.x
        learner.observe({"loss": cost @ x, "loss_gradient": cost, "constraint": carbon @ x - 2, "constraint_gradient": carbon})
    best = best_of_pairs(-cost, carbon, 2)
    assert np.abs(x - best).max() < 0.02, f"{x} is far from {best}"
    return [tuple(x)]


def check_short():
    """The shortest program: 15 lines at most, comment and all, that name two types of ofw; README shows it first."""
    root = pathlib.Path(__file__).resolve().parents[2]
    source = (root / "examples/first.c").read_text(encoding="utf-8")
    types = set(re.findall(r"\bofw_(?:error|learner|domain|point|vec|sum|full|values|state|status|info|learner_settings)\b", source))
    if source.count("\n") > 15 or types != {"ofw_error", "ofw_learner"}:
        sys.exit(f"first.c has {source.count(chr(10))} lines and the types {sorted(types)}")
    blocks = re.findall(r"^```c *(\S*)\n(.*?)^```$", (root / "README.md").read_text(encoding="utf-8"), re.S | re.M)
    if blocks[0][0] != "examples/first.c" or f"#include {blocks[0][1].partition('#include ')[2]}" not in source \
            or "int main" not in blocks[0][1] or not blocks[0][1].endswith("\n}\n"):
        sys.exit("README's first block of C is not the whole of examples/first.c")


def ask_tell():
    price, usual = np.array([2, 1, 0.5, 0.2, 0]), np.array([1, 0.7, 0.4, 0.1, 0])

    def reveal(t):
        worth = usual * [1 + 0.5 * math.sin(0.7 * t + 2 * i) for i in range(5)]
        limit = 0.6 + 0.8 * abs(t % 24 - 12) / 12
        return (lambda x: -worth @ x), (lambda x: -worth), (lambda x: price @ x - limit), (lambda x: price)

    learner = reference.OfwTvc(sets.Simplex(5, 1.0), 2400, 2.4,
                               options={"preset": "tight", "step": 80, "gamma-scale": 0.1})
    regret, ccv = play(learner, 2400, reveal, best_of_pairs(usual, price, 0.6))
    return [(t, regret[t] / t, ccv[t] / t) for t in (24, 240, 2400)]


def late_bills():
    usual, first_one = np.array([1.0, 2.0, 3.0]), [1.0, 0.0, 0.0]
    bill = lambda t: usual * [1 + 0.5 * math.sin(0.7 * t + 2 * i) for i in range(3)]
    learner = delay_reference.LEARNERS["ofw-ada", "max"](sets.Simplex(3, 1.0), 1200, 1.0, options={"delay": 6})
    paid, over, waiting = [0.0], [0.0], {}
    for t in range(1, 1201):
        x = learner.x
        paid.append(paid[-1] + bill(t) @ x)
        over.append(over[-1] + max(0.0, x[0] - 0.5))
        feedback = {"loss": 0.0, "loss_gradient": bill(t), "constraint": float(x[0] - 0.5), "constraint_gradient": first_one}
        waiting[t] = t + 5 * t % 7, learner.decided(), feedback
        for s in [s for s, (comes, *_) in waiting.items() if comes == t]:
            _, kept, feedback = waiting.pop(s)
            learner.hear(feedback, kept)
    return [(t, paid[t] / t, over[t] / t) for t in (24, 240, 1200)]


def own_domain():
    K = Ellipsoid(np.array([1.0, 2.0, 3.0]))
    mean, ones = np.array([0.5, 0.8, 1.0]), np.ones(3)
    best = mean - (mean.sum() - 1.7) / 3                     # the nearest point of the half-space, and it is in K
    assert np.linalg.norm(best / K.axes) < 1

    def reveal(t):
        field, supply = mean + [0.4 * math.sin(t + 2 * i) for i in range(3)], 2 + 0.3 * math.cos(0.5 * t)
        return (lambda x: (x - field) @ (x - field) / 2), (lambda x: x - field), (lambda x: x.sum() - supply), (lambda x: ones)

    learner = reference.ScofwTvc(K, 2000, 5.0, 1.0)
    regret, ccv = play(learner, 2000, reveal, best)
    out = max(max(0.0, np.linalg.norm(x / K.axes) - 1) for x in learner.xs)
    return [(t, regret[t], ccv[t]) for t in (20, 200, 2000)] + [(out,)]


def own_learner():
    """Its method is written down here as tests/parity has ofw; what it is compared with in the program is the library's."""
    learner, sums, paid, rows = reference.Ofw(sets.L1Ball(5, 1.0), 1000, 3.0, options={"step": 4}), np.zeros(5), 0.0, []
    for t in range(1, 1001):
        c = np.array([math.cos(1.7 * i) + 0.5 * math.sin(t + 2 * i) for i in range(5)])
        paid, sums = paid + c @ learner.x, sums + c
        learner.observe({"loss": c @ learner.x, "loss_gradient": c, "constraint": 0.0, "constraint_gradient": np.zeros(5)})
        if t in (10, 100, 1000):
            rows.append((t, paid, -abs(sums).max()))
    return rows + [(1e-12,)]


def own_stream():
    truth, fair = np.array([1, 0, -0.7, 0, 0, 0.6]), np.array([1, 0, -0.7, 0, 0, 0.2])

    def reveal(t):
        a, gap = np.array([math.sin((1 + 0.37 * i) * t + i) for i in range(6)]), 0.4 + 0.1 * math.cos(0.01 * t)
        return (lambda w: (a @ (w - truth)) ** 2 / 2, lambda w: a @ (w - truth) * a,
                lambda w: gap * abs(w[5]) - 0.1, lambda w: gap * math.copysign(1, w[5]) * np.eye(6)[5])

    learner = reference.OfwTvc(sets.L1Ball(6, 2.5), 2000, 12.0, options={"preset": "tight", "step": 100})
    regret, ccv = play(learner, 2000, reveal, fair)
    return [(t, regret[t], ccv[t]) for t in (20, 200, 2000)]


def hashed(a):
    """splitmix64 of a whole number, as a number in [0, 1)."""
    word = (1 << 64) - 1
    z = a * 0x9e3779b97f4a7c15 & word
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & word
    z = (z ^ z >> 27) * 0x94d049bb133111eb & word
    return ((z ^ z >> 31) >> 11) / 2 ** 53


def pacing():
    n, day, rounds = 12, 144, 30 * 144
    caps, i = np.array([0.3] * 3 + [0.2] * 6 + [0.1] * 3), np.arange(n)
    worth, half, price = 0.2 + 0.1 * i, 0.2 + 0.02 * (5 * i % n), 0.3 + 0.1 * i
    t = np.arange(rounds + 1)[:, None]
    turn = 2 * math.pi / day
    noise = np.array([[hashed(s * n + k + 1) for k in range(n)] for s in range(rounds + 1)])
    paid = worth * (0.6 + 0.4 * np.sin(turn * t + 0.5 * i) + 0.4 * noise)
    level, limit = 1 + 0.05 * np.sin(turn * t[:, 0] - 1), 0.85 + 0.05 * np.cos(turn * t[:, 0])

    def reveal(s):
        return (lambda x: -paid[s] @ np.log(1 + x / half)), (lambda x: -paid[s] / (half + x)), \
            (lambda x: level[s] * price @ x - limit[s]), (lambda x: level[s] * price)

    total, money = paid[1:].mean(axis=0), np.min(limit[1:] / level[1:])
    found = optimize.minimize(lambda x: -total @ np.log(1 + x / half), caps / caps.sum(), jac=lambda x: -total / (half + x), method="SLSQP",
                              bounds=[(0, c) for c in caps], options={"ftol": 1e-15, "maxiter": 1000},
                              constraints=[{"type": "eq", "fun": lambda x: x.sum() - 1}, {"type": "ineq", "fun": lambda x: money - 1e-9 - price @ x}])
    K = make_domain("capped-simplex:caps=(0.3,0.3,0.3,0.2,0.2,0.2,0.2,0.2,0.2,0.1,0.1,0.1),sum=1")
    learner = reference.OfwTvc(K, rounds, 12.0, options={"preset": "tight", "step": 1000, "gamma-scale": 0.1})
    regret, ccv = play(learner, rounds, reveal, found.x)
    return [(s, regret[s] / s, ccv[s] / s) for s in (day, 7 * day, rounds)]


def city(side):
    """Streets (from, to, minutes, central, is it the old bridge) that lead a block nearer to the last crossing."""
    river, middle = side // 2, (side - 1) / 2

    def street(a, b):
        row, column = divmod(a, side)
        across = row == b // side
        over = across and (column < river) != (b % side < river)
        if over and row % 12 != 6 and row != river:
            return None
        minutes = 1 + hashed(a * 1000003 + b + 1)
        minutes *= 0.3 if across and row == river else 0.5 if (row if across else column) % 8 == 0 or over else 1
        return minutes, math.exp(-4 * (((column - middle) / middle) ** 2 + ((row - middle) / middle) ** 2)), over and row == river

    def near(a):
        row, column = divmod(a, side)
        ways = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        return [r * side + c for r, c in ways if 0 <= r < side and 0 <= c < side]

    blocks, front = {side * side - 1: 0}, [side * side - 1]
    while front:                                  # breadth first, backwards
        reached = [(a, blocks[b] + 1) for b in front for a in near(b) if a not in blocks and street(a, b)]
        blocks.update(reached)
        front = list(dict.fromkeys(a for a, _ in reached))
    return [(a, b, *street(a, b)) for a in range(side * side) for b in near(a) if blocks[b] < blocks[a] and street(a, b)]


def routing(side=8, rounds=64):
    streets = city(side)
    empty, central, old = (np.array([s[k] for s in streets], float) for k in (2, 3, 4))
    text = ";".join(f"{a + 1} {b + 1}" for a, b, *_ in streets)
    K = make_domain(f"paths:graph=({text}),from=1,to={side * side}")

    def hour(t):
        return 24 * (t % 144) / 144

    def limit(t):
        return 0.45 - 0.15 * math.exp(-(hour(t) - 12) ** 2 / 18)

    def minutes(t):
        rush = math.exp(-(hour(t) - 8) ** 2) + math.exp(-(hour(t) - 17) ** 2 / 2)
        noise = np.array([hashed((t + 1000) * 1000003 + e + 1) for e in range(len(streets))])
        return empty * (1 + 2 * rush * central + 0.5 * noise)

    costs = [minutes(t) for t in range(rounds + 1)]
    balance = np.zeros((side * side, len(streets)))
    for e, (a, b, *_) in enumerate(streets):
        balance[a, e], balance[b, e] = 1, -1
    ends = np.zeros(side * side)
    ends[0], ends[-1] = 1, -1
    best = optimize.linprog(sum(costs[1:]), A_ub=[old], b_ub=[min(limit(t) for t in range(1, rounds + 1)) - 1e-10], A_eq=balance, b_eq=ends,
                            bounds=(0, None), method="highs-ds").x

    def reveal(t):
        return (lambda x: costs[t] @ x), (lambda x: costs[t]), (lambda x: old @ x - limit(t)), (lambda x: old)

    regret, ccv = play(reference.OfwAda(K, rounds, 1.0), rounds, reveal, best)
    return [(t, regret[t] / t, ccv[t] / t) for t in (rounds // 8, rounds // 4, rounds // 2, rounds)]


def predict():
    """Of the scores of the last line the largest, with their items."""
    users, items, user = 50, 40, 7
    slow, square, rows = recommend_reference.Recommender(users, items, 1.0, 5.0, batch=100, rank=4, ridge=1.0), 0.0, []
    opinion = lambda u, j: round(3 + 1.6 * math.cos(1.7 * u - 2.3 * j) + 0.4 * math.sin(5 * j))
    for t in range(800):
        u, j = divmod(t * 7919 % (users * items), items)
        square += (slow.rate(u, j, opinion(u, j)) - opinion(u, j)) ** 2
        if t % 200 == 199:
            rows.append((t + 1, math.sqrt(square / (t + 1))))
    times, w = slow.times(), slow.weights()
    left = set(range(items)) - {j for u, j, _ in slow.seen if u == user}
    scores = {j: min(5.0, max(1.0, slow.middle + slow.unit * (slow.mean() + w @ slow.part(user, j, times)))) for j in left}
    best = sorted(left, key=lambda j: (-scores[j], j))[:3]
    assert len({round(scores[j], 4) for j in best}) == 3, f"{scores}: too near to each other to be compared"
    return [*rows, (user, *(number for j in best for number in (j, scores[j])))]


def check_continues(program):
    """A second run with the same file continues: it prints what one run of both would."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [subprocess.run([program, "learned"], cwd=folder, capture_output=True, text=True, timeout=100, check=True).stdout for _ in range(2)]
        counts = [[int(line.split()[0]) for line in out.splitlines()[1:5]] for out in runs]
        if counts != [[200, 400, 600, 800], [1000, 1200, 1400, 1600]] or runs[0].splitlines()[4:] == runs[1].splitlines()[4:]:
            sys.exit(f"predict: {runs}")
        files = sorted(path.name for path in pathlib.Path(folder).iterdir())
        if files != ["learned", "learned.1"]:
            sys.exit(f"predict: files {files}")


SMALLER = {"routing": ["8", "64"]}
TRACING = ("pacing", "routing")


def check_arguments(name, program):
    """A file is written where --trace says so, and none that is there already."""
    with tempfile.TemporaryDirectory() as folder:
        mine = pathlib.Path(folder, "mine.csv")

        def run(*args, code, files):
            done = subprocess.run([program, *args], cwd=folder, capture_output=True, text=True, timeout=100)
            found = sorted(path.name for path in pathlib.Path(folder).iterdir())
            if (done.returncode, found) != (code, files) or "mine.csv" in files and mine.read_text("ascii") != "kept\n":
                sys.exit(f"{name} {args}: exit code {done.returncode}, files {found}, {mine.exists() and mine.read_text('ascii')[:40]!r}: {done.stderr}")
            return done

        for word in ("--help", "-h"):
            done = run(word, code=0, files=[])
            if not done.stdout.startswith(f"usage: {name} ") or done.stderr:
                sys.exit(f"{name} {word}: printed {done.stdout!r}, {done.stderr!r}")
        mine.write_text("kept\n", "ascii")
        small = SMALLER.get(name, [])
        for args in (["mine.csv"], ["9", "9", "mine.csv"], ["--unknown"], ["-"], ["--trace"], ["--trace", "new.csv", *small, "9", "9", "9"],
                     [*small, "--trace", "new.csv", "--trace", "mine.csv"]):
            done = run(*args, code=2, files=["mine.csv"])
            if not done.stderr.startswith(f"usage: {name} ") or done.stderr.count("\n") != 1:
                sys.exit(f"{name} {args}: no usage but {done.stderr!r}")
        done = run("--trace", "mine.csv", *small, code=1, files=["mine.csv"])
        if done.stderr != f"{name}: cannot create mine.csv: File exists\n":
            sys.exit(f"{name}: {done.stderr!r}")
        run(*small, "--trace", "new.csv", code=0, files=["mine.csv", "new.csv"])
        config, titles, *rows = pathlib.Path(folder, "new.csv").read_text("ascii").splitlines()
        if not config.startswith("# learner=") or titles != "round,regret,violation" or len(rows) < 6:
            sys.exit(f"{name}: new.csv is no trace")
        return {int(row.split(",")[0]): [float(x) for x in row.split(",")[1:]] for row in rows}


def main():
    name, program = sys.argv[1:]
    done = subprocess.run([program, *SMALLER.get(name, [])], capture_output=True, text=True, timeout=100)
    if done.returncode or done.stderr:
        sys.exit(f"{name}: exit code {done.returncode}: {done.stderr}")
    print(done.stdout)
    rows = [re.findall(r"-?\d[\d.]*(?:e[-+]\d+)?", line) for line in done.stdout.splitlines()[name != "first":]]      # a line of titles
    wanted = {"first": first, "ask_tell": ask_tell, "late_bills": late_bills, "own_domain": own_domain, "own_learner": own_learner, "own_stream": own_stream, "pacing": pacing, "predict": predict,
              "routing": routing}[name]()
    for row, numbers in itertools.zip_longest(rows, wanted, fillvalue=()):
        half = [0.6 * 10.0 ** -len(text.partition(".")[2]) if "." in text else 1e-9 for text in row]      # of the last digit
        if len(row) != len(numbers) or not all(abs(float(a) - b) < h for a, b, h in zip(row, numbers, half)):
            sys.exit(f"{name}: printed {row}, should be {numbers}")
    print("the same numbers, computed anew")
    if name == "first":
        check_short()
    if name == "predict":
        check_continues(program)
    if name in TRACING:
        traced = check_arguments(name, program)
        per_round = {t: [x / t for x in sums] for t, sums in traced.items()}
        if any(t % 10 == 0 and not np.allclose(per_round[t], numbers, rtol=0, atol=1e-5) for t, *numbers in wanted):
            sys.exit(f"{name}: the trace is not what was printed")


if __name__ == "__main__":
    main()
