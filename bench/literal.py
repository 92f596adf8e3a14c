#!/usr/bin/python3
"""What a round over all ratings costs beside one over a batch of 250, per learner: CPU milliseconds per round, and their ratio.

    bench/literal.py --ofw build/ofw [--file ml-100k/u.data] [--rounds 200] [--repeats 3]

The two are played by turns, a run of one round is taken off each for what comes before the first, and the least of the repeats
counts.  Without --file the ratings are generated like MovieLens-100k's.
"""
import argparse
import os
import subprocess

LEARNERS = [["scofw-tvc"], ["ofw-tvc", "--set", "sigma=line-search", "--set", "step=20"], ["ofw-ada"], ["opdp"], ["lpm"]]
BATCHES = ["250", "all"]


def cpu_seconds(args, learner, batch, rounds):
    source = f"file={args.file}" if args.file else "like=movielens-100k"
    before = os.times()
    subprocess.run([args.ofw, "run", "-q", "--stream", f"matrix-completion:{source},batch={batch},radius=10000",
                    "--horizon", str(args.rounds), "--rounds", str(rounds), "--learner", *learner],
                   stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ofw", required=True, metavar="PATH")
    parser.add_argument("--file", metavar="RATINGS")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    print("| learner | ms per round, batch=250 | batch=all | ratio |\n|---|---|---|---|")
    for learner in LEARNERS:
        least = {}
        for batch in BATCHES * args.repeats:
            for rounds in (1, args.rounds):
                spent = cpu_seconds(args, learner, batch, rounds)
                least[batch, rounds] = min(spent, least.get((batch, rounds), spent))
        few, all_ = (1e3 * (least[b, args.rounds] - least[b, 1]) / (args.rounds - 1) for b in BATCHES)
        name = " ".join(word for word in learner if word != "--set")
        print(f"| `{name}` | {few:.2f} | {all_:.2f} | {all_ / few:.2f} |", flush=True)


if __name__ == "__main__":
    main()
