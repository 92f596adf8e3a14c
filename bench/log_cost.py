#!/usr/bin/python3
"""What a log costs on this machine's disk: a table of docs/reliability.md.

    log_cost.py [--ofw build/ofw] [--folder FOLDER]

Sends 2 000 lines of two coordinates to 'ofw pipe' at once, without a log and with logs of 1, 10 and 100 lines per sync, and prints the
least seconds of three plays each. FOLDER, the current folder by default, is on the disk to be measured.
"""
import argparse
import pathlib
import subprocess
import tempfile
import time

LINES = 2000
FEEDBACK = '{"loss":1,"loss_gradient":[1,2]}\n' * LINES
OPTIONS = {"no log": (), "`--log`": ("--log", "play.log"), "`--log`, `--log-group 10`": ("--log", "play.log", "--log-group", "10"),
           "`--log`, `--log-group 100`": ("--log", "play.log", "--log-group", "100")}


def seconds(ofw, folder, options):
    with tempfile.TemporaryDirectory(dir=folder) as place:
        begin = time.monotonic()
        subprocess.run([ofw, "pipe", "--learner", "ofw-tvc", "--domain", "l1-ball:dim=2", "--horizon", "100000", "--lipschitz", "3", *options],
                       input=FEEDBACK, stdout=subprocess.DEVNULL, check=True, cwd=place, text=True)
        return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default="build/ofw", type=pathlib.Path)
    parser.add_argument("--folder", default=".")
    args = parser.parse_args()
    print("| options | seconds | microseconds per line |\n|---|---|---|")
    for name, options in OPTIONS.items():
        least = min(seconds(args.ofw.resolve(), args.folder, options) for _ in range(3))
        print(f"| {name} | {least:.2f} | {1e6 * least / LINES:.0f} |", flush=True)


if __name__ == "__main__":
    main()
