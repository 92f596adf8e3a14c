#!/usr/bin/python3
"""Every ratio of docs/results/performance.json beside its goal, computed from the other parts of that file: the last part that `make bench` writes.

Ratios of parts that were measured at different commits are refused.
"""
import json
import pathlib
import sys

FILE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "results" / "performance.json"
LEARNERS, ROUNDS, SEEDS = ("scofw-tvc", "ofw-tvc", "ofw-ada"), (200, 100), (1, 2, 3, 4)
KINDS = (("doubles", "rounds_per_second"), ("floats", "float_rounds_per_second"))


def least(what, found, goal):
    return {"what": what, "found": found, "least": goal}


def most(what, found, goal):
    return {"what": what, "found": found, "most": goal}


def over(part, field, other):
    """part[field] / part[other]; None if either was not measured, since a peer is not installed."""
    return part[field] / part[other] if part.get(field) and part.get(other) else None


def games(results, learner, rounds):
    return [results[f"round-{learner}-{rounds}-{seed}"] for seed in SEEDS]


def round_ratios(results, rounds):
    """Those of whole rounds, in the worst of the games."""
    out, where = [], f"the worst of {len(SEEDS)} games of {rounds} rounds"
    for name in LEARNERS:
        for (kind, field), goal in zip(KINDS, (5.0, 8.0)):
            found = [over(of, field, "numpy_rounds_per_second") for of in games(results, name, rounds)]
            out.append(least(f"rounds per second over NumPy's, {kind}, `{name}`, {where}", None if None in found else min(found), goal))
    pairs = list(zip(games(results, "ofw-tvc", rounds), games(results, "ofw-ada", rounds)))
    return out + [most(f"time of a round of `ofw-ada` over `ofw-tvc`, {kind}, {where}", max(tvc[field] / ada[field] for tvc, ada in pairs), 1.1)
                  for kind, field in KINDS]


def ratios(results):
    """All of them, of the results by part."""
    kernel, oracle = results["kernel"], results["oracle"]
    out = [most("time of a pass over that of a read, in the cache", over(kernel, "fused_seconds", "read_seconds"), 1.9),
           most("time of a pass over that of a read, evicted", over(kernel, "evicted_fused_seconds", "evicted_read_seconds"), 1.5)]
    for name in ("ofw-tvc", "scofw-tvc"):
        of = oracle[name.replace("-", "_")]
        out += [least(f"ARPACK as lax with ofw's pass, time over the oracle's, `{name}`", over(of, "arpack_lax_seconds", "seconds"), 1.5),
                least(f"SciPy's svds, time over the oracle's, `{name}`", over(of, "scipy_seconds", "seconds"), 4.0),
                most(f"time of an oracle call over that of a pass over doubles, `{name}`", of["seconds"] / kernel["fused_seconds"], 10.0)]
    for rounds in ROUNDS:
        out += round_ratios(results, rounds)
    return out


def main():
    kept = {part: of for part, of in json.loads(FILE.read_text(encoding="utf-8")).items() if part != "ratios"}
    if len({of["commit"] for of in kept.values()}) > 1:
        sys.exit(f"{FILE.name}: expected parts of one commit, found several; run 'make bench'")
    print(json.dumps({"ratios": ratios({part: of["results"] for part, of in kept.items()})}))


if __name__ == "__main__":
    main()
