#!/usr/bin/python3
"""Runs a command and keeps what it prints as evidence: docs/results/NAME, with commit, date, machine and command inside.

    record.py NAME.txt COMMAND..          the text as it was printed, below a head of lines that begin with #
    record.py NAME.json PART COMMAND..    one JSON object as a part of the file; the other parts stay

docs/evidence.py makes the tables of docs from these files. If the command fails, nothing is written.
"""
import datetime
import json
import os
import pathlib
import platform
import resource
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "results"


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return done.stdout.strip() if done.returncode == 0 else ""


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def processor_seconds():
    """What the machine's processors have worked so far for others than this program and its commands."""
    ticks = [int(word) for word in pathlib.Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()[1:9]]
    own = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK") - sum(of.ru_utime + of.ru_stime for of in own)


def others():
    """A function that tells how many processes of others have run in the mean since now."""
    start, before = time.monotonic(), processor_seconds()
    return lambda: f"{max(0.0, processor_seconds() - before) / max(time.monotonic() - start, 0.1):.1f}"


def circumstances():
    """When, of which source and on what machine."""
    commit = output("git", "rev-parse", "--short=12", "HEAD")
    changed = output("git", "status", "--porcelain", "--untracked-files=no", "--", ":!docs")
    return {"commit": commit + (" with changes" if changed else ""), "date": datetime.date.today().isoformat(),
            "machine": f"{processor()}, {os.cpu_count()} processors"}


def write_text(path, head, text):
    path.write_text("".join(f"# {key}: {value}\n" for key, value in head.items()) + text, encoding="utf-8")


def write_part(path, part, head, results):
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept[part] = {**head, "results": results}
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def main():
    if len(sys.argv) < 3 or not sys.argv[1].endswith((".txt", ".json")):
        sys.exit(__doc__)
    path, rest = RESULTS / sys.argv[1], sys.argv[2:]
    part = rest.pop(0) if path.suffix == ".json" else None
    head, load = circumstances(), others()
    done = subprocess.run(rest, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        return done.returncode
    head |= {"load": load(), "command": shlex.join(rest)}
    RESULTS.mkdir(exist_ok=True)
    if part is None:
        write_text(path, head, done.stdout)
    else:
        write_part(path, part, head, json.loads(done.stdout))
    return 0


if __name__ == "__main__":
    sys.exit(main())
