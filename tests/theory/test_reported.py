#!/usr/bin/python3
"""What `ofw run --json` reports as proved of a play holds of what it measured: regret_bound, ccv_bound, bound_failure.

    test_reported.py --ofw PATH

Streams with an exact comparator, late, rare, rescaled and growing ones among them, at several horizons.
"""
import argparse
import json
import subprocess

PLAYS = [(stream, domain) for domain in ("l2-ball:dim=4", "l1-ball:dim=6", "trace-ball:rows=5,cols=4")
         for stream in ("linear", "conflict", "alternating", "uneven", "uneven:times=every,lengths=pareto,losses=lognormal",
                        "uneven:times=rare,lengths=lognormal,losses=growing", "uneven:times=switching,losses=switching")]
CURVED = [("quadratic", domain) for domain in ("l2-ball:dim=4", "l1-ball:dim=6", "trace-ball:rows=5,cols=4")]


def run(ofw, learner, stream, domain, rounds, *more):
    args = [ofw, "run", "-q", "--json", "--learner", learner, "--stream", stream, *(["--domain", domain] if domain else []), "--rounds",
            str(rounds), *more]
    return json.loads(subprocess.run(args, check=True, capture_output=True, text=True).stdout)


def check(played, name):
    assert played["regret"] <= played["regret_bound"], f"{name}: regret {played['regret']}, at most {played['regret_bound']}"
    assert played["ccv"] <= played["ccv_bound"], f"{name}: CCV {played['ccv']}, at most {played['ccv_bound']}"
    exact = "trace-ball" not in name
    failure = played["bound_failure"]
    assert failure == 0 if exact else 0 <= failure <= 1, f"{name}: bound_failure {failure}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", required=True)
    ofw = parser.parse_args().ofw
    passed, unsure = 0, 0
    for rounds in (1, 40, 3000):
        for stream, domain in PLAYS + CURVED:
            name = f"{stream} on {domain}, T = {rounds}"
            played = run(ofw, "ofw-ada", stream, domain, rounds)
            check(played, name)
            unsure += played["bound_failure"] > 0
            passed += 1
        for stream, domain in CURVED:
            check(run(ofw, "ofw-ada-sc", stream, domain, rounds), f"ofw-ada-sc, {stream} on {domain}, T = {rounds}")
            passed += 1
    assert unsure > 0, "no oracle said that its error may be wrong"
    none = run(ofw, "ofw-tvc", "linear", "l2-ball:dim=4", 10)
    assert none["regret_bound"] is none["ccv_bound"] is none["bound_failure"] is None, "ofw-tvc measures no bounds"
    lossy = run(ofw, "ofw-ada", "matrix-completion:users=40,items=30,ratings=300,batch=20,constraint=none", None, 200, "--set", "storage=factored", "--set", "rank=2")
    assert lossy["lost"] > 0 and lossy["regret_bound"] is None, "compressions void what is proved"
    print(f"{passed + 2} passed, 0 failed")


if __name__ == "__main__":
    main()
