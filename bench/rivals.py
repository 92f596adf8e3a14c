#!/usr/bin/python3
"""Every learner with its own defaults on the two streams whose comparator is exact, in 10 dimensions.

    rivals.py [--ofw build/ofw] [--rounds N]

Prints regret / violation (oracle calls and projections), the mean of three seeds, as the table in
docs/algorithms.md.
"""
import argparse
import json
import subprocess

DOMAINS = ["l2-ball:dim=10", "l1-ball:dim=10"]
SEEDS = [1, 2, 3]
ROWS = [                                          # those that need alpha play on `quadratic` alone
    ("ofw-tvc", []), ("ofw-tvc", ["sigma=line-search"]), ("ofw-tvc", ["preset=tight"]), ("opdp", []), ("lpm", []),
    ("ofw", []), ("ogd", ["losses=convex"]), ("coco-adagrad", ["losses=convex"]), ("scofw-tvc", []), ("scofw", []),
    ("ogd", ["losses=strongly-convex"]), ("coco-adagrad", ["losses=strongly-convex"]), ("bfw-tvc", []), ("lbpm", []),
    ("scbfw-tvc", []),
]


def play(args, learner, options, domain, stream, seed):
    """(regret, violation, calls), or None where the learner wants strong convexity and the stream has none."""
    command = [args.ofw, "run", "--learner", learner, "--domain", domain, "--stream", stream, "--json", "-q",
               "--rounds", str(args.rounds), "--seed", str(seed)]
    for option in options:
        command += ["--set", option]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "strong convexity above 0" in done.stderr:
        return None
    account = json.loads(done.stdout)
    return account["regret"], account["ccv"], account["oracle_calls"] + account["projections"]


def cell(args, learner, options, domain, stream):
    accounts = [play(args, learner, options, domain, stream, seed) for seed in SEEDS]
    if accounts[0] is None:
        return ""
    regret, ccv, calls = (sum(numbers) / len(SEEDS) for numbers in zip(*accounts))
    return f"{regret:.4g} / {ccv:.4g} ({calls:.0f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default="build/ofw")
    parser.add_argument("--rounds", type=int, default=10_000)
    args = parser.parse_args()
    columns = [(domain, stream) for stream in ("linear", "quadratic") for domain in DOMAINS]
    heads = [f"{stream}, {domain.split(':')[0]}" for domain, stream in columns]
    print(f"| learner | {' | '.join(heads)} |")
    print("|---" * (len(columns) + 1) + "|")
    for learner, options in ROWS:
        cells = [cell(args, learner, options, *column) for column in columns]
        print(f"| `{' '.join([learner, *options])}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
