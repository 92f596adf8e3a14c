#!/usr/bin/python3
"""Runs the targets of tests/fuzz for so many seconds of CPU time each, and prints what came of it.

The corpus in the tree, one archive per target, is read, not written: it is unpacked into BUILD/fuzz/NAME/tree, new inputs go to
BUILD/fuzz/NAME/corpus, reproducers to BUILD/fuzz/NAME/findings. With --merge what is new there, and only what reaches new code, goes into
the tree's corpus, which is minimised."""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import corpus

HERE = pathlib.Path(__file__).resolve().parent
TICKS = os.sysconf("SC_CLK_TCK")
# A hang is a finding, and so is an input that takes this much memory; what is larger than the allocator's limit (fuzz.h) is refused.
LIMITS = ["-timeout=20", "-rss_limit_mb=2048", "-malloc_limit_mb=2048", "-max_len=4096"]


def names():
    return sorted(p.stem.removeprefix("fuzz_") for p in HERE.glob("fuzz_*.c") if p.stem != "fuzz_replay")


def cpu_seconds(pid):
    """What the process has used so far; None: it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return None
    return None if fields[0] == "Z" else (int(fields[11]) + int(fields[12])) / TICKS


def inputs(build, name):
    """Folders with the inputs of the tree."""
    unpacked, crashes = build / "fuzz" / name / "tree", HERE / "crashes" / name
    corpus.unpack(name, unpacked)
    return [str(folder) for folder in (unpacked, crashes) if folder.is_dir()]


def run(build, name, seconds):
    """One target; (executions, seconds of CPU, inputs in the corpus, reproducers)."""
    at = build / "fuzz" / name
    for folder in ("corpus", "findings"):
        (at / folder).mkdir(parents=True, exist_ok=True)
    before = set((at / "findings").iterdir())
    words = [f"-dict={HERE / name}.dict"] if (HERE / f"{name}.dict").exists() else []
    command = [str(build / "tests/fuzz" / f"fuzz_{name}"), *LIMITS, *words, f"-artifact_prefix={at}/findings/", "-print_final_stats=1",
               str(at / "corpus"), *inputs(build, name)]
    with open(at / "log", "w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        used, latest, asked, deadline = 0.0, 0.0, False, time.monotonic() + 20 * seconds + 120
        while (latest := cpu_seconds(process.pid)) is not None:
            used = latest
            if not asked and (used >= seconds or time.monotonic() > deadline):
                process.send_signal(signal.SIGUSR1)  # libFuzzer ends after the input that it is at
                asked = True
            time.sleep(0.05)
        status = process.wait()
    text = (at / "log").read_text(errors="replace")
    executions = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
    count = re.findall(r"corp: (\d+)/", text)
    found = sorted(set((at / "findings").iterdir()) - before)
    if (status != 0 or not executions) and not found:
        found = [at / "log"]  # it ended in some other way, or never began
    return int(executions.group(1)) if executions else 0, used, int(count[-1]) if count else 0, found


def merge(build, name):
    """The tree's corpus and what has been found since, as few inputs as reach the same code."""
    program = str(build / "tests/fuzz" / f"fuzz_{name}")
    with tempfile.TemporaryDirectory() as folder:
        # without counters: that a loop goes round once more is no reason to keep an input
        subprocess.run([program, "-merge=1", "-use_counters=0", *LIMITS, folder, *inputs(build, name), str(build / "fuzz" / name / "corpus")], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        kept = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
    corpus.write(name, kept)
    print(f"{name:10} {len(kept):5} inputs {sum(map(len, kept.values())):9} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, type=pathlib.Path, help="the build folder of the preset fuzz")
    parser.add_argument("--seconds", type=float, default=60, help="of CPU time, a target")
    parser.add_argument("--merge", action="store_true", help="no run: new inputs into the tree's corpus")
    parser.add_argument("target", nargs="*", help="all of them if none is named")
    args = parser.parse_args()
    unknown = set(args.target) - set(names())
    if unknown:
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(names())}")
    build, findings = args.build.resolve(), []
    if args.merge:
        for name in args.target or names():
            merge(build, name)
        return 0
    print(f"{'target':10} {'executions':>11} {'a second':>9} {'corpus':>7} {'findings':>9}", flush=True)
    for name in args.target or names():
        executions, used, size, found = run(build, name, args.seconds)
        print(f"{name:10} {executions:11} {executions / max(used, 1e-9):9.0f} {size:7} {len(found):9}", flush=True)
        findings += found
    for path in findings:
        print(f"finding: {path}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
