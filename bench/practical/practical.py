#!/usr/bin/python3
"""Plays the practical problems: ofw beside the standard methods of each field. `make bench-practical` runs it.

    practical.py [--ofw build/ofw] [--only NAME] [--quick]

Writes docs/results/practical.json, from which docs/evidence.py makes the tables and figures of docs.
--only plays one problem and keeps what the file has of the others. --quick plays fewer and smaller instances, and writes nothing.

A problem is a module of this folder that is named in PROBLEMS. It has

    run(ofw, quick)   plays; returns what JSON can hold
    TABLES            {kind: function of those results that returns a table in Markdown}
    FIGURES           {kind: function of those results that returns an SVG}, drawn into docs/practical-NAME-KIND.svg
"""
import argparse
import importlib
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import record  # noqa: E402

ROOT = HERE.parents[1]
RESULTS = ROOT / "docs" / "results" / "practical.json"
PROBLEMS = ["pacing", "periods", "budgets", "ratings", "routes"]


def problem(name):
    if str(HERE) not in sys.path:
        sys.path.insert(0, str(HERE))
    return importlib.import_module(name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default=str(ROOT / "build" / "ofw"))
    parser.add_argument("--only", choices=PROBLEMS, action="append")
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for name in args.only or PROBLEMS:
        where, load = record.circumstances(), record.others()
        results = problem(name).run(args.ofw, args.quick)
        kept[name] = {**where, "load": load(), "results": results}
        if args.quick:
            print(json.dumps(kept[name], indent=1))
        else:
            RESULTS.parent.mkdir(exist_ok=True)
            RESULTS.write_text(json.dumps({key: kept[key] for key in PROBLEMS if key in kept}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
