#!/usr/bin/python3
"""What an operator runs beside the server: the unit by systemd's own rules, and alerts by Prometheus's.

A tool that is not installed is named, and its part is left out; scripts/setup installs all of them.
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from service import PATIENCE, check, line, same, serving

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from runner import main    # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
WORST_EXPOSURE = 15                 # tenths, of 100


def lacks(*tools):
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        print(f"     {', '.join(missing)} not there: left out")
    return bool(missing)


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)
    return done.returncode, done.stdout + done.stderr


def replaced(text, *pairs):
    for old, new in pairs:
        same(text.count(old), 1, f"how often the file has {old!r}")
        text = text.replace(old, new)
    return text


# --- systemd ---

def test_the_unit_is_sound_and_tight(ofw):
    if lacks("systemd-analyze"):
        return
    unit = (PACKAGING / "ofw-serve.service").read_text(encoding="utf-8")
    ofw.write("ofw-serve.service", replaced(unit, ("ExecStart=ofw ", f"ExecStart={ofw.path} ")))      # which need not be installed
    same(run("systemd-analyze", "verify", "--man=no", ofw.file("ofw-serve.service")), (0, ""), "systemd-analyze verify")
    code, said = run("systemd-analyze", "security", "--offline=yes", "--no-pager", f"--threshold={WORST_EXPOSURE}", PACKAGING / "ofw-serve.service")
    same(code, 0, f"{said[-120:]!r}, code")


def calls_of(*sets):
    """The system calls of systemd's sets, all the way down."""
    found = set()
    for name in sets:
        code, said = run("systemd-analyze", "syscall-filter", "--no-pager", name)
        same(code, 0, f"{name}: {said!r}, code")
        words = re.findall(r"^    (@?\w[\w-]*)$", said, re.M)
        found |= {word for word in words if word[0] != "@"} | calls_of(*(word for word in words if word[0] == "@"))
    return found


def test_the_server_needs_no_more_than_the_unit_allows(ofw):
    if lacks("systemd-analyze", "strace"):
        return
    unit = (PACKAGING / "ofw-serve.service").read_text(encoding="utf-8")
    check("\nSystemCallFilter=@system-service\nSystemCallFilter=~@privileged @resources\n" in unit, "the unit has other filters than this test knows")
    with serving(ofw, "--max-log", "4096", before=("strace", "-f", "-qq", "-o", ofw.file("calls"))) as (_, client):
        session = client.create("ofw-ada", "trace-ball:rows=30,cols=20")
        for t in range(1, 40):
            client.feedback(session, line(t, 600))
        for path in ("trace", "export", "decision"):
            client.get(f"/v1/sessions/{session}/{path}")
        client.post(f"/v1/sessions/{session}/snapshot")
        client.delete(f"/v1/sessions/{session}")
    with open(ofw.file("calls"), encoding="utf-8", errors="replace") as file:
        calls = set(re.findall(r"^\d+ +(?:<\.\.\. )?(\w+)(?:\(| resumed)", file.read(), re.M))
    check({"fdatasync", "accept4", "openat"} <= calls, f"strace saw {sorted(calls)}")
    calls -= {"fchown"} if os.geteuid() == 0 else set()      # SQLite calls it as root alone, which the unit's user is not
    same(sorted(calls - (calls_of("@system-service") - calls_of("@privileged", "@resources"))), [], "calls that the unit forbids")


def boot(ofw, cgroup):
    """What the probe saw beside the unit; None if this machine does not let systemd have namespaces of its own."""
    unit = replaced((PACKAGING / "ofw-serve.service").read_text(encoding="utf-8"), ("ExecStart=ofw ", "ExecStart=/usr/bin/ofw "))
    ofw.write("unit", unit)
    os.mkdir(ofw.file("out"))
    with subprocess.Popen(["sh", ROOT / "tests/serve/boot.sh", ofw.file("out"), ofw.path, ofw.file("unit"), cgroup], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        seen, deadline = "", time.monotonic() + PATIENCE
        while "done\n" not in seen and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.2)
            with contextlib.suppress(FileNotFoundError), open(ofw.file("out/probe.log"), encoding="utf-8") as file:
                seen = file.read()
        process.kill()
        said = process.communicate()[0]
    if not os.path.exists(ofw.file("out/begun")):
        print(f"     systemd cannot be started here: {said.strip()[-200:]}")
        return None
    return seen


def test_the_unit_runs_under_systemd(ofw):
    """With its whole sandbox: it starts, keeps its state through a restart, and stops well."""
    groups = pathlib.Path("/sys/fs/cgroup/systemd")
    if os.geteuid() != 0 or not groups.is_dir() or not os.path.exists("/lib/systemd/systemd"):
        print("     root, systemd and its hierarchy of control groups are not all here: left out")
        return
    if lacks("unshare", "curl"):
        return
    cgroup = groups / f"ofw-test-{os.getpid()}"
    cgroup.mkdir()
    try:
        seen = boot(ofw, cgroup)
    finally:
        for folder in sorted((path for path in cgroup.rglob("*") if path.is_dir()), reverse=True):
            remove_group(folder)
        remove_group(cgroup)
    if seen is not None:
        decision = '{"round":1,"decision":[0.5,0.5]}'
        same(seen.splitlines(), ["ready", decision, "User=ofw-serve", "DynamicUser=yes", "NoNewPrivileges=yes", "ready", decision,
                                 "Result=success", "ExecMainStatus=0", "ActiveState=inactive", "done"], "what the probe saw")


def remove_group(path):
    """When the last process has left it."""
    for _ in range(50):
        with contextlib.suppress(OSError):
            path.rmdir()
            return
        time.sleep(0.1)


# --- Prometheus ---

def test_alerts_are_on_metrics_that_exist(ofw):
    rules = PACKAGING / "ofw-serve.rules.yml"
    with serving(ofw) as (_, client):
        metrics = set(re.findall(r"^(\w+)", client.get("/metrics").body.decode(), re.M))
    named = set(re.findall(r"\b((?:ofw|process)_\w+)", "".join(re.findall(r"expr: .*", rules.read_text(encoding="utf-8")))))
    check(len(named) > 5 and named <= metrics, f"there is no {sorted(named - metrics)}")
    page = (ROOT / "docs/service.md").read_text(encoding="utf-8")
    same(sorted(name for name in re.findall(r"`((?:ofw|process)_\w+)", page) if name not in metrics and name + "_sum" not in metrics), [], "metrics that docs/service.md invents")
    if not lacks("promtool"):
        same(run("promtool", "check", "rules", rules)[0], 0, "promtool check rules")


if __name__ == "__main__":
    sys.exit(main("what an operator runs", globals()))
