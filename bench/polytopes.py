#!/usr/bin/python3
"""How long a polytope takes to make, with the smallest box around it and with the box that its constraints imply.

    polytopes.py [--bench PATH]

Every polytope is random. `packing`: non-negative coordinates, and rows of ten positive numbers with a sum of at most 1. `box, sparse` and
`box, dense`: coordinates from -1 to 1, and half-spaces around 0 with ten numbers or with all. `equations`: coordinates from 0 to 2, rows of
ten numbers, and a quarter of the rows are equations. Prints a JSON object: of each polytope and kind of box the seconds and R.
"""
import argparse
import json
import random
import subprocess
import tempfile

import directions_file

SIZES = [(100, 200), (1000, 2000)]     # coordinates, rows
EXACT = 200                            # coordinates: beyond that the smallest box takes minutes
NUMBERS = 10


def text_of(row):
    return " ".join(f"{a:+.6f} x{j + 1}" for j, a in row)


def some(cols, rng, draw, count=NUMBERS):
    return [(j, draw(rng)) for j in sorted(rng.sample(range(cols), count))]


def packing(cols, rows, rng):
    yield from (f"x{j + 1} >= 0" for j in range(cols))
    for i in range(rows):
        row = dict(some(cols, rng, lambda r: 0.1 + r.random()))
        row.setdefault(i % cols, 0.5)      # so that each coordinate has a row
        yield text_of(sorted(row.items())) + " <= 1"


def boxed(cols, rows, rng, count):
    yield from (f"-1 <= x{j + 1} <= 1" for j in range(cols))
    for _ in range(rows):
        yield text_of(some(cols, rng, lambda r: r.gauss(0, 1), count)) + " <= 1"


def equations(cols, rows, rng):
    """Half as many equations as coordinates, or they would leave a point, through one inside; the other rows are half-spaces."""
    inside = [rng.random() for _ in range(cols)]
    yield from (f"0 <= x{j + 1} <= 2" for j in range(cols))
    for i in range(rows):
        row = some(cols, rng, lambda r: r.choice((-1.0, 1.0)))
        at = sum(a * inside[j] for j, a in row)
        yield f"{text_of(row)} {'=' if i < cols // 2 else '<='} {at + (0 if i < cols // 2 else 1):.17g}"


KINDS = {"packing": packing, "box, sparse": lambda c, r, rng: boxed(c, r, rng, NUMBERS), "box, dense": lambda c, r, rng: boxed(c, r, rng, c), "equations": equations}


def make(args, folder, lines, cols, box):
    path = f"{folder}/rows"
    with open(path, "w", encoding="ascii") as file:
        file.writelines(line + "\n" for line in lines)
    direction = directions_file.write(folder, "one", cols, 1, [[1.0] * cols])
    command = [args.bench, "domain", f"polytope:rows=@{path},box={box}", "--directions", direction, "--repeats", "1", "--json"]
    done = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {"seconds": done["created_seconds"], "outer_radius": done["outer_radius"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bench", default="build/ofw-bench", metavar="PATH")
    args = parser.parse_args()
    made = []
    for cols, rows in SIZES:
        for name, lines in KINDS.items():
            with tempfile.TemporaryDirectory() as folder:
                text = list(lines(cols, rows, random.Random(1)))
                boxes = {box: make(args, folder, text, cols, box) for box in ("implied", "exact") if box == "implied" or cols <= EXACT}
                made.append({"kind": name, "coordinates": cols, "rows": rows, **boxes})
    print(json.dumps({"polytopes": made}))


if __name__ == "__main__":
    main()
