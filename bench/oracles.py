#!/usr/bin/python3
"""Every set's oracle against its size, beside a read and a copy of the direction: the table in docs/performance.md.

    oracles.py --bench PATH [--only NAME] [--largest N]

Each line is one 'ofw-bench domain SPEC --json'; what is compared in it is measured in one run, by turns. Graphs are streets of a square city
(right and down), polytopes are random half-spaces around 0 in a box, the points of a hull are random. Whole costs are drawn from 0 to 99,
so that many assignments are equally good.
"""
import argparse
import json
import math
import os
import random
import subprocess
import tempfile

import directions_file

WHOLE = "birkhoff, whole costs"


def numbers(folder, name, values):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{x!r}\n" for x in values)
    return "@" + path


def lines(folder, name, texts):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.writelines(text + "\n" for text in texts)
    return "@" + path


def city(side):
    """Streets to the right and down between side x side crossings, numbered from 1."""
    for k in range(side * side):
        row, column = divmod(k, side)
        if column + 1 < side:
            yield k + 1, k + 2
        if row + 1 < side:
            yield k + 1, k + 1 + side


def bipartite(side, degree, rng):
    """Each of the left with the same number on the right, and others at random."""
    for k in range(side):
        for other in {k, *(rng.randrange(side) for _ in range(degree - 1))}:
            yield k + 1, side + other + 1


def specs(n, folder, rng):
    """(name, spec) of about n coordinates."""
    side, city_side, pairs = math.isqrt(n), max(2, math.isqrt(n // 2) + 1), max(2, n // 4)
    streets = lines(folder, "city", (f"{a} {b} 2" for a, b in city(city_side)))
    meetings = lines(folder, "pairs", (f"{a} {b}" for a, b in bipartite(pairs, 4, rng)))
    caps = numbers(folder, "caps", [0.5 + rng.random() for _ in range(n)])
    last = city_side * city_side
    for ball in ("l1-ball", "l2-ball", "linf-ball", "hypercube01", "simplex", "unit-simplex"):
        yield ball, f"{ball}:dim={n}"
    yield "box", f"box:dim={n},lower=-1,upper=1"
    yield "box, bounds from a file", f"box:lower=-1,upper={caps}"
    yield "lp-ball", f"lp-ball:dim={n},p=1.5"
    yield "k-norm-ball", f"k-norm-ball:dim={n},k={max(1, n // 10)}"
    yield "owl-ball", f"owl-ball:weights={numbers(folder, 'weights', sorted((rng.random() for _ in range(n)), reverse=True))}"
    yield "ellipsoid", f"ellipsoid:axes={caps}"
    yield "group-ball", f"group-ball:groups={max(1, n // 10)},size=10"
    yield "diamond", f"diamond:lower=-1,upper={caps}"
    for name in ("hypersimplex", "unit-hypersimplex", "k-sparse"):
        yield name, f"{name}:dim={n},k={max(1, n // 10)}"
    yield "capped-simplex", f"capped-simplex:caps={caps},sum={n / 10}"
    yield "product", f"product:parts=(simplex:dim={n // 2};l2-ball:dim={n - n // 2})"
    yield "cached", f"cached:of=(l1-ball:dim={n}),atoms=8"
    if n <= 4096:
        yield "hull, 20 points", f"hull:points={lines(folder, 'points', (' '.join(f'{rng.gauss(0, 1):.6f}' for _ in range(n)) for _ in range(20)))}"
    yield "paths", f"paths:graph={streets},from=1,to={last}"
    yield "spanning-trees", f"spanning-trees:graph={streets}"
    if n <= 10000: # a call takes a large part of a second beyond that
        yield "flows", f"flows:graph={streets},from=1,to={last},value=2"
        yield "matchings", f"matchings:graph={meetings}"
        yield "perfect-matchings", f"perfect-matchings:graph={meetings}"
        marginals = numbers(folder, "marginals", [1.0] * side)
        yield "transport", f"transport:supply={marginals},demand={marginals}"
    yield "trace-ball", f"trace-ball:rows={side},cols={side}"
    yield "spectraplex", f"spectraplex:dim={side}"
    yield "spectrahedron", f"spectrahedron:dim={side}"
    yield "birkhoff", f"birkhoff:dim={side}"
    yield WHOLE, f"birkhoff:dim={side}"
    if n <= 100000:
        yield "fantope", f"fantope:dim={side},k=3"
        yield "operator-ball", f"operator-ball:rows={side},cols={side}"
    if n <= 100: # a larger one takes minutes to make
        for count in (n // 4, n, 4 * n):
            rows = (" ".join(f"{rng.gauss(0, 1):+.6f} x{j + 1}" for j in range(n)) + " <= 1" for _ in range(count))
            yield f"polytope, {count} half-spaces", f"polytope:rows={lines(folder, 'polytope', [*rows, *(f'-1 <= x{j + 1} <= 1' for j in range(n))])}"


def whole_costs(folder, n, rng):
    """Few if they are large."""
    side = math.isqrt(n)
    return directions_file.write(folder, "whole", side, side, ([float(rng.randrange(100)) for _ in range(side * side)] for _ in range(4 if side > 300 else 16)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bench", required=True, metavar="PATH")
    parser.add_argument("--only", default="", metavar="NAME")
    parser.add_argument("--largest", type=int, default=1000000, metavar="N")
    args = parser.parse_args()
    print("| set | coordinates | us per call | a read of d | x a read | x a copy | cold, x | passes | SciPy, x |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for n in (100, 1000, 10000, 100000, 1000000):
        if n > args.largest:
            break
        with tempfile.TemporaryDirectory() as folder:
            for name, spec in specs(n, folder, random.Random(1)):
                if args.only not in name:
                    continue
                more = ["--directions", whole_costs(folder, n, random.Random(1))] if name == WHOLE else []
                done = subprocess.run([args.bench, "domain", spec, "--json", *more], capture_output=True, text=True, check=False)
                if done.returncode:
                    print(f"| {name} | {n} | {done.stderr.strip()[:200]} |", flush=True)
                    continue
                r = json.loads(done.stdout)
                scipy = f"{r['scipy_seconds'] / r['seconds']:.2f}" if r["scipy_seconds"] else ""
                passes = f"{r['passes']:.1f}" if r["passes"] else ""
                print(f"| {name} | {r['dim']} | {1e6 * r['seconds']:.3g} | {1e6 * r['read_seconds']:.3g} | {r['seconds'] / r['read_seconds']:.2f} "
                      f"| {r['seconds'] / r['copy_seconds']:.2f} | {r['cold_seconds'] / r['seconds']:.2f} | {passes} | {scipy} |", flush=True)


if __name__ == "__main__":
    main()
