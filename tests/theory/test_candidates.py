#!/usr/bin/python3
"""The loop of experiments/ada with ofw-ada's answers plays as ofw-ada does, so what the study chose is what is built; and it has the
answers that it was not given."""
import argparse
import json
import subprocess

PLACES = [("linear", "simplex:dim=8"), ("quadratic", "l2-ball:dim=5"), ("conflict", "l1-ball:dim=6,radius=3"),
          ("ball-constraint", "box:dim=4,lower=-1,upper=2"), ("trace-recovery", "trace-ball:rows=6,cols=5,radius=2"),
          ("uneven", "l2-ball:dim=2"), ("uneven:losses=growing,times=every", "l1-ball:dim=4")]
OTHERS = ["unit=rms", "weight=adagrad", "weight=maxima", "weight=quarter", "centre=first", "care=even", "curvature=slope", "curvature=told", "curvature=none",
          "gradient=loss", "growth=level", "lag=kept", "price=linear", "price=none", "rate=weight", "rate=rounds", "memory=none", "step=printed",
          "restart=epochs", "kappa=3", "first=4", "stronger=1", "room=0.01", "later=4", "start=2", "share=4", "steps=3", "revision=0"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ofw", required=True)
    parser.add_argument("--candidates", required=True)
    args = parser.parse_args()
    failed = 0

    def loop(place, *keys):
        run = subprocess.run([args.candidates, *place, "400", "3", *keys], capture_output=True, text=True, check=True)
        return tuple(float(word) for word in run.stdout.split())

    def check(name, right):
        nonlocal failed
        failed += not right
        print(("ok  " if right else "FAIL"), name)

    for place in PLACES:
        run = subprocess.run([args.ofw, "run", "--learner", "ofw-ada", "--stream", place[0], "--domain", place[1], "--rounds", "400", "--seed", "3",
                              "--set", "oracle-tolerance=1e-10", "--json", "-q"], capture_output=True, text=True, check=True)
        whole = json.loads(run.stdout)
        mine, his = loop(place), (whole["regret"], whole["ccv"])
        check(f"{place}: {mine} and {his}", all(abs(a - b) <= 1e-6 * (1 + abs(b)) for a, b in zip(mine, his)))
    for key in OTHERS:                     # each changes something somewhere
        check(key, any(loop(place, key) != loop(place) for place in PLACES[:3]))
    print(f"{len(PLACES) + len(OTHERS) - failed} passed, {failed} failed")
    raise SystemExit(failed > 0)


if __name__ == "__main__":
    main()
