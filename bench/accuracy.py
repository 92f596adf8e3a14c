#!/usr/bin/python3
"""Whether the default accuracy of the oracle is enough: runs against runs with an oracle that is all but exact.

    accuracy.py [--ofw PATH] [--rounds T] [--seeds N]

Plays each learner on MovieLens-100k (ratings that are generated like its own where it has not been imported) with the default
tolerance and with oracle-tolerance=1e-10. Means over the seeds must agree: the loss to 0.5%, the violation (CCV) to one
standard deviation over the seeds of the exact runs. Exit 1 where one does not.
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
    """MovieLens where it is there."""
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
    print(f"{name}, T = {args.rounds}, {BATCH} ratings a round, means over {args.seeds} seeds; exact: oracle-tolerance=1e-10")
    print(f"{'learner':<11}{'options':<42}{'loss':>10}{'exact':>10}{'off':>9}{'ccv':>11}{'exact':>11}{'off by':>10}"
          f"{'passes':>8}{'exact':>7}")
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
        print(f"{learner:<11}{text:<42}{a['loss']:>10.4g}{b['loss']:>10.4g}{100 * loss_off:>8.3f}%{a['ccv']:>11.4g}"
              f"{b['ccv']:>11.4g}{ccv_off:>7.2f} sd{a['passes'] / args.rounds:>8.1f}{b['passes'] / args.rounds:>7.1f}"
              f"{'' if holds else '  TOO FAR'}", flush=True)
    print("the loss within 0.5% and the ccv within one standard deviation: " +
          ("all of them" if not failed else f"NOT in {failed} of {len(ROWS)}"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
