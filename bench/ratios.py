#!/usr/bin/python3
"""Every ratio of docs/results/performance.json beside its goal, computed from the other parts of that file: the last part that `make bench` writes.

Ratios of parts that were measured at different commits are refused.
"""
import json
import pathlib
import sys

FILE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "results" / "performance.json"
LEARNERS = ("scofw-tvc", "ofw-tvc", "ofw-ada")


def least(what, found, goal):
    return {"what": what, "found": found, "least": goal}


def most(what, found, goal):
    return {"what": what, "found": found, "most": goal}


def over(part, field, other):
    """part[field] / part[other]; None if either was not measured, since a peer is not installed."""
    return part[field] / part[other] if part.get(field) and part.get(other) else None


def ratios(results):
    """All of them, of the results by part."""
    kernel, oracle, rounds = results["kernel"], results["oracle"], {name: results[f"round-{name}"] for name in LEARNERS}
    out = [most("time of a pass over that of a read, in the cache", over(kernel, "fused_seconds", "read_seconds"), 1.9),
           most("time of a pass over that of a read, evicted", over(kernel, "evicted_fused_seconds", "evicted_read_seconds"), 1.5)]
    for name in ("ofw-tvc", "scofw-tvc"):
        of = oracle[name.replace("-", "_")]
        out += [least(f"ARPACK as lax with ofw's pass, time over the oracle's, `{name}`", over(of, "arpack_lax_seconds", "seconds"), 1.5),
                least(f"SciPy's svds, time over the oracle's, `{name}`", over(of, "scipy_seconds", "seconds"), 4.0),
                most(f"time of an oracle call over that of a pass over doubles, `{name}`", of["seconds"] / kernel["fused_seconds"], 10.0)]
    for name, of in rounds.items():
        out += [least(f"rounds per second over NumPy's, doubles, `{name}`", over(of, "rounds_per_second", "numpy_rounds_per_second"), 5.0),
                least(f"rounds per second over NumPy's, floats, `{name}`", over(of, "float_rounds_per_second", "numpy_rounds_per_second"), 8.0)]
    for kind, field in (("doubles", "rounds_per_second"), ("floats", "float_rounds_per_second")):
        out.append(most(f"time of a round of `ofw-ada` over `ofw-tvc`, {kind}", rounds["ofw-tvc"][field] / rounds["ofw-ada"][field], 1.1))
    return out


def main():
    kept = {part: of for part, of in json.loads(FILE.read_text(encoding="utf-8")).items() if part != "ratios"}
    if len({of["commit"] for of in kept.values()}) > 1:
        sys.exit(f"{FILE.name}: expected parts of one commit, found several; run 'make bench'")
    print(json.dumps({"ratios": ratios({part: of["results"] for part, of in kept.items()})}))


if __name__ == "__main__":
    main()
