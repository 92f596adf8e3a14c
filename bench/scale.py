#!/usr/bin/python3
"""Matrices too large to store: what a round costs, what it takes of memory, and when factors are faster than all of the matrix.

    scale.py large [--ofw PATH] [--rounds N] [--threads N] [--learner NAME]..
    scale.py storage [--ofw PATH] [--rounds N]
    scale.py ranks [--ofw PATH] [--rounds N]

large: ratings of MovieLens-25M's shape, generated, batches of 10 000, constraint=exposure: errors on held-out ratings, what a round costs
around t = 100 and at the end, and the most memory that was resident.

storage: the same game over matrices from small to large, kept whole and kept as factors, by turns: seconds per round of both.

ranks: MovieLens-100k if OFW_DATA_DIR has it, else ratings like it: how far loss and CCV with factors are from those kept whole, by rank.

Each prints a table of docs/scale.md.
"""
import argparse
import csv
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

LARGE = "matrix-completion:users=162541,items=59047,ratings=25000000,rank=10,holdout=0.01,batch=10000,constraint=exposure"
LEARNERS = {"ofw-tvc": ["--set", "sigma=line-search", "--set", "step=1000"],
            "scofw-tvc": ["--strong-convexity", "1e-3", "--set", "gamma-scale=100"]}
FOR_LARGE = {"ofw-tvc": ["--set", "sigma=line-search", "--set", "step=10000"],
             "scofw-tvc": ["--strong-convexity", "1e-4"]}
SHARP = ["--set", "oracle-tolerance=5e-5"]   # searched for in doubles by all; at 1e-2 a last digit of a constant is worth as much as a small rank
SIZES = [(500, 1000), (943, 1682), (1886, 3364), (3000, 5600), (4096, 8192)]


def play(args, learner, constants, spec, rounds, *more):
    """The account, (seconds, passes) after each round, and what is printed along the way."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.csv")
        done = subprocess.run([args.ofw, "run", "-q", "--json", "--learner", learner, *constants, "--stream", spec, "--rounds",
                               str(rounds), "--trace", trace, *more], check=True, capture_output=True, text=True)
        with open(trace, encoding="ascii") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            return json.loads(done.stdout), [(0.0, 0)] + [(float(row["seconds"]), int(row["passes"])) for row in rows], done.stderr


def around(rounds, first, last):
    """The median round of first..last in milliseconds, and the mean of its passes."""
    times = [1e3 * (rounds[t][0] - rounds[t - 1][0]) for t in range(first, last + 1)]
    return statistics.median(times), (rounds[last][1] - rounds[first - 1][1]) / (last - first + 1)


def large_column(args, learner):
    """What one learner does, a cell for each row of the table."""
    account, rounds, said = play(args, learner, FOR_LARGE[learner], f"{LARGE},radius={args.radius}", args.rounds, "--threads", str(args.threads),
                                 "--held-out-every", str(max(1, args.rounds // 10)))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
    early, late = around(rounds, min(91, args.rounds), min(110, args.rounds)), around(rounds, max(1, args.rounds - 49), args.rounds)
    errors = dict((int(t), error) for error, t in re.findall(r"held-out rmse (\S+) after round (\d+)", said))
    constants = " ".join(word for word in FOR_LARGE[learner] if word != "--set").replace("--strong-convexity ", "alpha=")
    return {"": f"`{learner}`, {constants}",
            "held-out RMSE after each tenth": ", ".join(f"{float(errors[t]):.3f}" for t in sorted(errors)),
            "of the mean of all ratings, of items' means": f"{account['held_out_mean_rmse']:.3f}, {account['held_out_item_mean_rmse']:.3f}",
            "CCV": f"{account['ccv']:.3g}",
            "a round at t = 100": f"{early[0]:.0f} ms, {early[1]:.1f} passes",
            f"a round at t = {args.rounds}": f"{late[0]:.0f} ms, {late[1]:.1f} passes: {late[0] / early[0]:.1f} times",
            "all rounds": f"{account['seconds']:.0f} s",
            "vectors per side; entries of S; compressions": f"{account['left']}; {account['entries']}; {account['compressions']}",
            "`lost`; `lost_direction`": f"{account['lost']:.3g}; {account['lost_direction']:.2g}",
            "resident at most, of this and those before": f"{peak:.2f} GB"}


def large(args):
    columns = [large_column(args, learner) for learner in args.learner or LEARNERS]
    for k, name in enumerate(columns[0]):
        print(f"| {name} | {' | '.join(of[name] for of in columns)} |" + ("\n" + "|---" * (1 + len(columns)) + "|" if k == 0 else ""))


def storage(args):
    print(f"| matrix | {' | '.join(f'`{learner}`, whole | factors' for learner in LEARNERS)} |\n" + "|---" * (1 + 2 * len(LEARNERS)) + "|")
    for users, items in SIZES:
        spec, row = f"matrix-completion:users={users},items={items},ratings={users * items // 15},constraint=exposure", []
        for learner in LEARNERS:
            spent = {"double": [], "factored": []}
            for _ in range(args.repeats):
                for kind, seconds in spent.items():
                    account, *_ = play(args, learner, LEARNERS[learner], spec, args.rounds, "--set", f"storage={kind}")
                    seconds.append(account["seconds"] / args.rounds)
            row += [f"{min(seconds):.2g}" for seconds in spent.values()]
        print(f"| {users} x {items} | {' | '.join(row)} |", flush=True)


def ranks(args):
    real = os.path.exists(os.path.join(os.environ.get("OFW_DATA_DIR", ""), "ml-100k/u.data"))
    spec = f"matrix-completion:{'file=ml-100k/u.data' if real else 'like=movielens-100k'},radius=10000,constraint=exposure"
    print(f"| rank | {' | '.join(f'`{learner}`: loss | CCV | lost | s' for learner in LEARNERS)} |\n" + "|---" * (1 + 4 * len(LEARNERS)) + "|")
    whole = {learner: play(args, learner, LEARNERS[learner], spec, args.rounds, *SHARP, "--set", "storage=double")[0] for learner in LEARNERS}
    row = [f"{of['loss']:.6g} | {of['ccv']:.5g} | | {of['seconds']:.1f}" for of in whole.values()]
    print(f"| whole | {' | '.join(row)} |", flush=True)
    for rank in ("64", "128", "256", "512"):
        row = []
        for learner, of in whole.items():
            got, *_ = play(args, learner, LEARNERS[learner], spec, args.rounds, *SHARP, "--set", "storage=factored", "--set", f"rank={rank}")
            row += [f"{100.0 * abs(got[k] - of[k]) / of[k]:.2g} %" if of[k] > 0.0 else "–" for k in ("loss", "ccv")]
            row += [f"{got['lost']:.2g}", f"{got['seconds']:.1f}"]
        print(f"| {rank} | {' | '.join(row)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["large", "storage", "ranks"])
    parser.add_argument("--ofw", default="build/ofw")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--radius", type=float, default=200000)
    parser.add_argument("--learner", action="append", choices=list(LEARNERS))
    args = parser.parse_args()
    args.rounds = args.rounds or {"large": 1000, "storage": 60, "ranks": 400}[args.what]
    {"large": large, "storage": storage, "ranks": ranks}[args.what](args)


if __name__ == "__main__":
    sys.exit(main())
