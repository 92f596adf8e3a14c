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
import shlex
import subprocess
import sys

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


def circumstances():
    """When, of which source, on what machine and beside how much other work."""
    commit = output("git", "rev-parse", "--short=12", "HEAD")
    changed = output("git", "status", "--porcelain", "--untracked-files=no", "--", ":!docs")
    return {"commit": commit + (" with changes" if changed else ""), "date": datetime.date.today().isoformat(),
            "machine": f"{processor()}, {os.cpu_count()} processors", "load": f"{os.getloadavg()[0]:.1f}"}


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
    head = {**circumstances(), "command": shlex.join(rest)}
    done = subprocess.run(rest, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        return done.returncode
    RESULTS.mkdir(exist_ok=True)
    if part is None:
        write_text(path, head, done.stdout)
    else:
        write_part(path, part, head, json.loads(done.stdout))
    return 0


if __name__ == "__main__":
    sys.exit(main())
