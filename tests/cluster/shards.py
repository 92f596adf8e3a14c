"""What the tests of both engines share: an experiment, shards that are found and killed, and databases that are compared."""
import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import Failure, check, same    # noqa: E402
from test_shards import ran, rows, timeless    # noqa: E402

SKIPPED = 77                      # ctest's word for it: tests/CMakeLists.txt
NAME = "a b'c\"$(touch pwned)`touch pwned`\n{}{#}%a%j\\&;*\t#~"    # every path of a run goes through a folder of this name
EXPERIMENT = """[experiment]
title = Too many plays
rounds = 30000
seeds = 4
tune-seeds = 1
series = 20
[stream ball]
stream = linear
domain = l2-ball:dim=20
[stream cube]
stream = quadratic
domain = linf-ball:dim=20
[learner tvc]
learner = ofw-tvc
tune = yes
[learner ofw]
[learner fails]
learner = scofw-tvc
streams = ball
"""
PLAYS = 20


def shards_of(folder, stage):
    """Processes that play a shard of that stage into a folder below; not their workers."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                with open(f"/proc/{name}/status", encoding="ascii", errors="replace") as file:
                    parent = int(file.read().split("PPid:")[1].split()[0])
            except (OSError, IndexError):
                continue
            if words[1:2] == [b"sweep"] and stage.encode() in words and any(word.startswith(folder.encode()) for word in words):
                found.append((int(name), parent))
    pids = {pid for pid, _ in found}
    return [pid for pid, parent in found if parent not in pids], [pid for pid, parent in found if parent in pids]


def plays(pid):
    """Whether a worker is in the middle of a play: it computes, and has done so for longer than a fork takes."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            words = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return False
    return words[0] == "R" and int(words[11]) + int(words[12]) > 0


def kill_one(folder, stage, worker=False):
    """kill -9 of a shard in the middle of its plays, or of a worker of one."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        shards, workers = shards_of(folder, stage)
        busy = [pid for pid in workers if plays(pid)]
        victims = busy if worker else shards
        if victims and busy:
            try:
                os.kill(victims[0], signal.SIGKILL)
                return
            except ProcessLookupError:
                pass
        time.sleep(0.002)
    raise Failure(f"no shard of {stage} to kill")


def begin(ofw):
    """The folder of the shards, with the database of one sweep beside it."""
    ofw.write("a.ini", EXPERIMENT)
    ran(ofw, "a.ini", "-o", "whole", code=1)                                        # because of the one that fails
    return os.path.join(ofw.folder, NAME)


def compare(ofw):
    check(timeless(ofw, NAME) == timeless(ofw, "whole"), "the database is not that of one sweep")
    check(not [name for name in os.listdir(ofw.folder) + os.listdir(ofw.file(NAME)) if "pwned" in name and name != NAME], "a path was run")
    same(len(rows(os.path.join(ofw.folder, "whole/results.db"), "SELECT cell FROM cell WHERE role = 'play'")), PLAYS, "plays")
