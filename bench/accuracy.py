#!/usr/bin/python3
"""Whether the default accuracy of the oracle is enough: runs against runs with an oracle that is all but exact.

    accuracy.py [--ofw PATH] [--rounds T] [--seeds N]

Plays each learner on MovieLens-100k (on generated ratings if it has not been imported) with the default tolerance and with
oracle-tolerance=1e-10, and prints the table of docs/performance.md. Means over the seeds must agree: the loss to 0.5%, the violation
(CCV) to one standard deviation over the seeds of the exact runs. Exit 1 if one does not.
"""
import argparse
import json
import statistics
import subprocess
import sys

BATCH, RADIUS = 250, 10000
ROWS = [
    ("ofw-tvc", []),
    ("ofw-tvc", ["--set", "sigma=line-search", "--set", "step=100"]),
    ("ofw-tvc", ["--set", "sigma=line-search", "--set", "step=1000"]),
    ("scofw-tvc", []),
    ("scofw-tvc", ["--strong-convexity", "1e-2", "--set", "gamma-scale=100"]),
    ("scofw-tvc", ["--strong-convexity", "1e-3", "--set", "gamma-scale=100"]),
]


def choose_stream(ofw):
    """MovieLens if it is there."""
    spec = f"matrix-completion:batch={BATCH},radius={RADIUS}"
    if subprocess.run([ofw, "data", "describe", "movielens-100k"], capture_output=True).returncode == 0:
        return "MovieLens-100k", f"{spec},file=ml-100k/u.data"
    return "ratings like MovieLens-100k's", f"{spec},like=movielens-100k"


def play(args, stream, learner, options, seed, more=()):
    out = subprocess.run([args.ofw, "run", "-q", "--json", "--learner", learner, *options, *more, "--stream", stream,
                          "--rounds", str(args.rounds), "--seed", str(seed)],
                         check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def means(runs):
    return {key: statistics.mean(run[key] for run in runs) for key in ("loss", "ccv", "passes")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default="build/ofw")
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--seeds", type=int, default=4)
    args = parser.parse_args()
    name, stream = choose_stream(args.ofw)
    seeds, failed = range(1, args.seeds + 1), 0
    print(f"{name}, T = {args.rounds}, {BATCH} ratings per round, means over {args.seeds} seeds; exact: oracle-tolerance=1e-10.\n")
    print("| learner | options | loss | exact | off | CCV | exact | off by | passes | exact |\n|---|---|---|---|---|---|---|---|---|---|")
    for learner, options in ROWS:
        usual = [play(args, stream, learner, options, seed) for seed in seeds]
        exact = [play(args, stream, learner, options, seed, ["--set", "oracle-tolerance=1e-10"]) for seed in seeds]
        a, b = means(usual), means(exact)
        loss_off = a["loss"] / b["loss"] - 1
        deviation = statistics.stdev(run["ccv"] for run in exact) if len(exact) > 1 else 0.0
        ccv_off = (a["ccv"] - b["ccv"]) / deviation if deviation else 0.0
        holds = abs(loss_off) <= 0.005 and abs(ccv_off) <= 1
        failed += not holds
        text = " ".join(word for word in options if word != "--set").replace("--strong-convexity ", "alpha=")
        print(f"| `{learner}` | {f'`{text}`' if text else ''} | {a['loss']:.4g} | {b['loss']:.4g} | {100 * loss_off:.3f}% | {a['ccv']:.4g} | {b['ccv']:.4g} "
              f"| {ccv_off:.2f} sd{'' if holds else ', too far'} | {a['passes'] / args.rounds:.1f} | {b['passes'] / args.rounds:.1f} |", flush=True)
    if failed:
        print(f"{failed} of {len(ROWS)} learners are too far off: expected the loss within 0.5% and the CCV within one standard deviation", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
