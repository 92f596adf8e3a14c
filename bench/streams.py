#!/usr/bin/python3
"""Regret and violation of the learners on every stream with an exact comparator: the tables of docs/streams.md.

T = 10 000, n = 10, seed 1, every stream with its defaults; trace-recovery on its own trace-ball with T = 2 000.
"""
import argparse
import json
import subprocess
import sys

STREAMS = ["linear", "alternating", "conflict", "uneven", "quadratic", "drifting", "ball-constraint"]
LENGTHS = ["constant", "halved", "lognormal", "outlier", "seasonal", "shrinking", "growing", "pareto", "switching"]
TIMES = ["always", "every", "switching", "rare"]
LEARNERS = [("ofw-tvc", []), ("ofw-tvc", ["preset=tight"]), ("scofw-tvc", [])]


def play(ofw, stream, learner, sets, rounds, *options):
    """The account of one run; None if the learner needs a strong convexity that the stream does not have."""
    done = subprocess.run(
        [ofw, "run", "--learner", learner, "--stream", stream, "--rounds", str(rounds), "--json", "-q",
         *(word for s in sets for word in ("--set", s)), *options], capture_output=True, text=True)
    if done.returncode == 2 and "strong" in done.stderr:
        return None
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def number(x):
    return f"{x:,.0f}".replace(",", " ") if abs(x) >= 1000 else f"{x:.3g}"


def shown(result):
    """regret / ccv, and before them the regret against the moving comparator if there is one"""
    if not result:
        return "–"
    moving = result["target_loss"]
    dynamic = "" if moving is None else f"{number(result['loss'] - moving)}, "
    return f"{dynamic}{number(result['regret'])} / {number(result['ccv'])}"


def row(ofw, name, stream, rounds, *options):
    cells = [shown(play(ofw, stream, learner, sets, rounds, *options)) for learner, sets in LEARNERS]
    print(f"| {name} | " + " | ".join(cells) + " |")


def separation(ofw):
    """The conflict at a longer horizon, where constants that ignore the constraints show."""
    for sets in ([], ["sigma=line-search", "gamma=lambda"], ["preset=tight"]):
        cell = shown(play(ofw, "conflict", "ofw-tvc", sets, 64000, "--domain", "l2-ball:dim=10"))
        print(f"| {', '.join(['ofw-tvc', *sets])} | {cell} |")


def followers(ofw):
    """alternating with longer and longer steps: towards following the leader"""
    for step in (1, 10, 100, 1000):
        cells = [shown(play(ofw, f"alternating:block={block}", "ofw-tvc", ["sigma=line-search", f"step={step}"], 10000,
                            "--domain", "l2-ball:dim=10")) for block in (1, 100)]
        print(f"| step={step} | " + " | ".join(cells) + " |")


def lengths_and_times(ofw):
    """uneven: the violation of ofw-ada at two horizons, which shows whether it is proportional to T"""
    for lengths in LENGTHS:
        cells = []
        for times in TIMES:
            played = [play(ofw, f"uneven:lengths={lengths},times={times}", "ofw-ada", [], rounds, "--domain", "l2-ball:dim=2")
                      for rounds in (6000, 24000)]
            cells.append(" / ".join(f"{result['ccv']:,.0f}".replace(",", " ") for result in played))
        print(f"| {lengths} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", default="build/ofw")
    ofw = parser.parse_args().ofw
    print("| stream, domain | ofw-tvc | ofw-tvc, preset=tight | scofw-tvc |\n|---|---|---|---|")
    for stream in STREAMS:
        for domain in ("l2-ball", "l1-ball"):
            row(ofw, f"{stream}, {domain}", stream, 10000, "--domain", f"{domain}:dim=10")
    row(ofw, "trace-recovery", "trace-recovery", 2000)
    row(ofw, "trace-recovery, every entry", "trace-recovery:batch=600", 2000)
    print("\n| conflict, l2-ball, T = 64 000 | regret / CCV |\n|---|---|")
    separation(ofw)
    print("\n| alternating, l2-ball, ofw-tvc, line search | block=1 | block=100 |\n|---|---|---|")
    followers(ofw)
    print(f"\n| lengths | {' | '.join(TIMES)} |\n|---|---|---|---|---|")
    lengths_and_times(ofw)
    return 0


if __name__ == "__main__":
    sys.exit(main())
