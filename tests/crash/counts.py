#!/usr/bin/python3
"""Runs the test programs that cut the power and inject faults, and prints how many each of them tried, as one JSON object.

    counts.py TESTS        TESTS is the folder of the test programs, such as build/tests
"""
import json
import pathlib
import re
import subprocess
import sys

# each prints one line that begins with its count
PROGRAMS = {"persist_test_power_cut": "power cuts", "persist_test_disk_faults": "faults", "persist_test_damage": "ranges",
            "property_test_faults": "faults"}


def count(program, noun):
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    found = re.search(rf"^(\d+) {noun}", done.stdout + done.stderr, re.M)
    if done.returncode or not found:
        sys.exit(f"{program}: expected status 0 and a line 'N {noun}', found status {done.returncode}:\n{done.stderr[-2000:]}")
    return int(found[1])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(json.dumps({name: count(pathlib.Path(sys.argv[1]) / name, noun) for name, noun in PROGRAMS.items()}))


if __name__ == "__main__":
    main()
