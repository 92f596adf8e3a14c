#!/usr/bin/python3
"""Every system call on its files fails once, is short, or is the last one: ofw ends well or with one line and a code, and
goes on afterwards bit for bit.

    test_faults_below.py --ofw PATH --inject PATH [--every N] [--filter SUBSTRING] [--json]

Of the faults of each test every N-th is tried (default 1: all).
"""
import argparse
import collections
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile

from below import Below, Ended, PATIENCE, SIGNALS, check_end, complaints
from game import Failure, Log, Play, Stream, check, feedback, play, read_checkpoint, same, seeded, strict_json, timeless_trace

# --- ofw run ------------------------------------------------------------------------------------

def a_play(below, learner="ofw-tvc", every=2, rounds=7, trace_every="1", domain="l2-ball:dim=3", stream="linear"):
    args = [below.ofw, "run", "--learner", learner, "--stream", stream, "--domain", domain, "--rounds", str(rounds)]
    game = Play(args, below.folder, every, trace_every)
    done = play(game.command("p"))
    wanted = game.outcome("p", done.stdout)
    game.forget("p")
    return game, wanted


def play_on(below, game, wanted, fault, ended):
    """After a fault: nothing wrong is there, and a play without one ends as if nothing had been."""
    check_end(ended, 1)
    if ended.code == 0 and not ended.signal:
        same(game.compare("p", ended.stdout, wanted), [], "what a play that ended well gives")
    game.check_disk("p", wanted, 0 if ended.signal else 1)
    if fault[0] != "kill" and ended.hit and ended.changed.startswith("rename "):
        check(not os.path.exists(game.file("p.tmp")), "p.tmp is left")
    again = below.run(game.command("p"))
    same((again.code, complaints(again)), (0, []), f"resumed after {fault} ({ended.stderr!r}), code and complaints")
    same(game.compare("p", again.stdout, wanted), [], f"resumed after {fault}")


def test_run(below):
    game, wanted = a_play(below)
    below.each_fault(lambda fault, ended: play_on(below, game, wanted, fault, ended), game.command("p"))


def test_run_whose_trace_is_written_between_checkpoints(below):
    """More rows than a buffer of stdio holds, so that a write fails in the middle of the play."""
    game, wanted = a_play(below, every=60, rounds=130)
    below.each_fault(lambda fault, ended: play_on(below, game, wanted, fault, ended), game.command("p"), calls="write,fsync", path="p.csv")


def test_run_that_resumes(below):
    game, wanted = a_play(below, "bfw-ada", 2, 9, "7", "trace-ball:rows=3,cols=2")
    below.run(game.command("p"), faults=[("kill", 3)], calls="rename")             # between the two renames of round 4
    check(os.path.exists(game.file("p.1")) and not os.path.exists(game.file("p")), "it was not killed between two renames")
    below.each_fault(lambda fault, ended: play_on(below, game, wanted, fault, ended), game.command("p"))


def test_run_with_a_trace_alone(below):
    """What could not be written is told, whatever else happens."""
    command = [below.ofw, "run", "--learner", "ofw", "--stream", "linear", "--domain", "l2-ball:dim=3", "--rounds", "80", "-q",
               "--trace", below.file("t.csv")]
    with below.as_before():
        below.run(command)
        wanted = timeless_trace(below.file("t.csv"))

    def look(_, ended):
        check_end(ended, 1)
        if ended.code == 0:
            same(timeless_trace(below.file("t.csv")), wanted, "the trace of a play that ended well")
            check(ended.stdout.count("\n") == 2, f"stdout {ended.stdout!r}")
    below.each_fault(look, command, hows=["ENOSPC", "EIO", "EINTR", "short"])


# --- ofw pipe ---------------------------------------------------------------------------------

def a_pipe(below, learner="ofw-tvc", rounds=6, group=1, checkpoint=None, domain="l1-ball:dim=3", dim=3, keep=None):
    args = [below.ofw, "pipe", "--learner", learner, "--domain", domain, "--horizon", "20", "--lipschitz", "1", "--loss-bound", "2"]
    game = Stream(args, below.folder, feedback(seeded(learner, rounds), dim, rounds, learner.startswith("bfw")), group, checkpoint, keep)
    return game, game.reference()


def as_stdin(lines):
    return "".join(line + "\n" for line in lines)


def answers(ended, wanted, first):
    """The last round that was answered; half a line may be the last thing a killed or failing program writes."""
    *lines, half = ended.stdout.split("\n")
    for k, line in enumerate(lines):
        same(line, wanted[first + k], f"decision {first + k}")
    check(half == "" or ended.code != 0, f"half a line: {half!r}")
    return first + len(lines) - 1


def pipe_on(below, game, wanted, fault, ended, first, answered_before=0):
    """After a fault nothing that was answered is lost, and the game goes on as if nothing had been."""
    check_end(ended, 1)
    answered = answers(ended, wanted, first) if ended.stdout else 0
    if ended.code == 0 and not ended.signal:
        same(answered, len(wanted) - 1, "decisions of a game that ended well")
    log = Log(game.file("log")) if os.path.exists(game.file("log")) else None
    there = log.dropped + len(log.lines) if log else 0
    check(there >= max(answered, answered_before) - 1, f"{answered} answers, and {there} lines in the log")
    same(log.lines if log else [], game.lines[log.dropped if log else 0:there], "lines in the log")
    again = below.run(game.command("log"), as_stdin(game.lines[there:]))
    same((again.code, complaints(again)), (0, []), f"started again after {fault} ({ended.stderr!r}), code and complaints")
    check(again.stdout, f"started again after {fault}: no decision")
    pending = strict_json(again.stdout.splitlines()[0])["round"]
    check(pending >= max(answered, answered_before), f"{answered} was answered, {pending} is pending")
    same(pending, there + 1, "the pending round")
    same(answers(again, wanted, pending), len(wanted) - 1, "decisions after all")
    log = Log(game.file("log"))
    same((log.lines, log.whole), (game.lines[log.dropped:], True), "the log after all")
    check(fault[0] in ("kill", "torn") or not os.path.exists(game.file("log.tmp")), "log.tmp is left")


def play_pipe(below, **how):
    game, wanted = a_pipe(below, **how)
    below.each_fault(lambda fault, ended: pipe_on(below, game, wanted, fault, ended, 1), game.command("log"), as_stdin(game.lines))


def test_pipe(below):
    play_pipe(below, learner="bfw-tvc")


def test_pipe_with_checkpoints(below):
    play_pipe(below, checkpoint=2)


def test_pipe_whose_log_is_shortened(below):
    """By --log-keep, a few times."""
    game, wanted = a_pipe(below, rounds=8, checkpoint=1, keep=1)
    with below.as_before():
        below.run(game.command("log"), as_stdin(game.lines))
        check(Log(game.file("log")).dropped >= 4, "it was not shortened")
    below.each_fault(lambda fault, ended: pipe_on(below, game, wanted, fault, ended, 1), game.command("log"), as_stdin(game.lines))


def test_pipe_in_groups(below):
    play_pipe(below, rounds=11, group=4, checkpoint=3)


def test_pipe_that_goes_on(below):
    """From a log with a torn tail, and from a checkpoint between its two renames."""
    game, wanted = a_pipe(below, rounds=8, checkpoint=2)
    below.run(game.command("log"), as_stdin(game.lines), [("kill", 3)], "rename", "log.check")
    check(os.path.exists(game.file("log.check.1")) and not os.path.exists(game.file("log.check")), "not between two renames")
    with open(game.file("log"), "ab") as file:
        file.write(b"12345678=9 1")
    lines = len(Log(game.file("log")).lines)
    below.each_fault(lambda fault, ended: pipe_on(below, game, wanted, fault, ended, lines + 1, lines + 1), game.command("log"),
                     as_stdin(game.lines[lines:]))


def test_a_log_that_can_neither_be_written_nor_mended(below):
    """Half a write, then none, then the tail cannot be cut off: what is torn stays, and is seen."""
    for group in (1, 4):
        game, wanted = a_pipe(below, rounds=9, group=group)
        stdin = as_stdin(game.lines)
        with below.as_before():
            calls = below.run(game.command("log"), stdin, calls="write,ftruncate", path="/log").calls
        writes = [call.number for call in calls if call.name == "write"]
        for k in writes:                               # the last one marks the end, and nothing depends on it
            with below.as_before():
                faults = [("short", k), ("ENOSPC", k + 1), ("EIO", k + 2)]
                ended = below.run(game.command("log"), stdin, faults, "write,ftruncate", "/log")
                same((ended.hit, ended.code), (3, int(k != writes[-1])), f"faults from call {k} on: hits and code")
                pipe_on(below, game, wanted, faults, ended, 1)


# --- a disk that is full and stays so -----------------------------------------------------------

def in_a_small_place(below, command, stdin, room):
    """With files of at most so many bytes: writes are short first, then fail, and go on failing."""
    def shrink():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=PATIENCE, check=False, preexec_fn=shrink)
    below.tried["EFBIG"] += 1
    check(done.returncode >= 0, f"signal {-done.returncode} with room for {room} bytes")
    return Ended(done.returncode, None, done.stdout, done.stderr, 0, "", [])


def test_run_without_room(below):
    game, wanted = a_play(below, every=20, rounds=60)
    whole = max(os.path.getsize(game.file(name)) for name in ("whole", "whole.csv") if not play(game.command("whole")).returncode)
    codes = set()
    for room in [*range(0, whole, 97 * below.every), 2 * whole]:  # seconds take more room one time than another
        with below.as_before():
            ended = in_a_small_place(below, game.command("p"), "", room)
            codes.add(ended.code)
            play_on(below, game, wanted, ("EFBIG", room), ended)
    same(codes, {0, 1}, "codes")


def test_pipe_without_room(below):
    game, wanted = a_pipe(below, rounds=9, group=2, checkpoint=4)
    codes = set()
    for room in [*range(0, 2600, 29 * below.every), 1 << 20]:
        with below.as_before():
            ended = in_a_small_place(below, game.command("log"), as_stdin(game.lines), room)
            codes.add(ended.code)
            pipe_on(below, game, wanted, ("EFBIG", room), ended, 1)
    same(codes, {0, 1}, "codes")


# --- the order of things ------------------------------------------------------------------------

def check_order(calls, promises, files):
    """Before each call that `promises` what was written to `files` has been synced."""
    dirty = set()
    for call in calls:
        name = os.path.basename(call.path)
        if call.name in ("write", "ftruncate") and name in files:
            dirty.add(name)
        if call.name == "fsync":
            dirty.discard(name)
        if promises(call, name):
            check(not dirty, f"call {call.number}, {call.name} on {name}, comes while {dirty} are not synced")
            yield call


def test_a_checkpoint_is_synced_before_it_gets_its_name(below):
    game, _ = a_play(below)
    ended = below.run(game.command("p"))
    done = list(check_order(ended.calls, lambda call, name: call.name == "rename" and name == "p.tmp", {"p.tmp", "p.csv"}))
    same(len(done), 4, "checkpoints")


def test_a_line_is_synced_before_it_is_answered(below):
    for group in (1, 4):
        game, _ = a_pipe(below, rounds=12, group=group, checkpoint=5)
        ended = below.run(game.command("log"), as_stdin(game.lines))
        done = list(check_order(ended.calls, lambda call, name: call.name == "write" and name == "out", {"log"}))
        same(len(done), 1 + 12 // group, "answers")
        game.forget("log")


def last_synced(calls, name, before):
    """How much of a file that only grows is sure to be there after a power cut."""
    return max([before] + [call.size for call in calls if call.name == "fsync" and os.path.basename(call.path) == name])


def test_a_power_cut_after_a_kill(below):
    """A kill leaves a line in the system's memory, written and not synced. The next process answers it: then it must last."""
    game, wanted = a_pipe(below)
    stdin = as_stdin(game.lines)
    with below.as_before():
        syncs = [k for k, call in enumerate(below.run(game.command("log"), stdin, calls="fsync", path="log").calls, 1)]
    check(len(syncs) > 3, f"{len(syncs)} syncs")
    for k in syncs:
        with below.as_before():
            killed = below.run(game.command("log"), stdin, [("kill", k)], "fsync", "log")
            sure = last_synced(killed.calls[:-1], "log", 0)
            lines = len(Log(game.file("log")).lines)
            second = below.run(game.command("log"), as_stdin(game.lines[lines:lines + 1]))
            same(second.code, 0, second.stderr)
            answered = answers(second, wanted, lines + 1)
            os.truncate(game.file("log"), last_synced(second.calls, "log", sure))
            left = len(Log(game.file("log")).lines)
            check(left >= answered - 1, f"killed at sync {k}: {answered} was answered, {left} lines outlast a power cut")


def test_the_folder_of_a_log_is_synced(below):
    """A log whose name is not on the disk is no log; a kill may come between making it and syncing its folder."""
    game, _ = a_pipe(below)
    ended = below.run(game.command("log"), faults=[("kill", 1)], calls="fsync", path=os.path.basename(below.folder))
    check(ended.signal, "not killed")
    ended = below.run(game.command("log"), as_stdin(game.lines))
    synced = set()
    for call in ended.calls:
        if call.name == "write" and call.path == below.file("out"):
            break
        synced.update([call.path.rstrip("/")] if call.name == "fsync" else [])
    same(synced, {below.folder, game.file("log")}, "what is synced before the first answer")


def test_the_folder_of_a_trace_is_synced(below):
    """A checkpoint says where in its trace it was: one without the other is of no use."""
    game, _ = a_play(below)
    os.mkdir(below.file("elsewhere"))
    command = game.command("p")
    command[command.index("--trace") + 1] = below.file("elsewhere/t.csv")
    ended = below.run(command)
    first = [call.name for call in ended.calls].index("rename")
    check(any(call.name == "fsync" and call.path == below.file("elsewhere") for call in ended.calls[:first]), "it is not")


def test_checkpoints_of_a_pipe_in_groups(below):
    """A multiple that a group goes past counts: after lines 4, 8 and 12, that is."""
    game, _ = a_pipe(below, rounds=12, group=4, checkpoint=3)
    ended = below.run(game.command("log"), as_stdin(game.lines))
    same(sum(call.name == "rename" and call.path.endswith(".tmp") for call in ended.calls), 3, "checkpoints")


def test_a_stdout_that_is_not_ready(below):
    """As when whoever reads has made it non-blocking."""
    game, wanted = a_pipe(below)

    def look(_, ended):
        same((ended.code, ended.stderr), (0, ""), "code and stderr")
        same(answers(ended, wanted, 1), len(wanted) - 1, "answers")
    below.each_fault(look, game.command("log"), as_stdin(game.lines), ["EAGAIN"], "write", below.file("out"))


# --- signals ------------------------------------------------------------------------------------

CODES = {"SIGINT": 130, "SIGTERM": 143}


def signals(below, command, stdin, first, look):
    """A signal with each call from the one on that `first` says, when it is waited for; then look(ended, its name)."""
    with below.as_before():
        listed = below.run(command, stdin).calls
    begin = next(call.number for call in listed if first(call))
    for how in CODES:
        for k in range(begin, len(listed) + 1)[::below.every]:
            with below.as_before():
                ended = below.run(command, stdin, [(how, k)])
                same((ended.hit, ended.signal), (1, None), f"{how} with call {k}, {ended.stderr!r}: hits and signal")
                # the very last calls come when all is over: the marks of the end, files are closed
                check(ended.code == CODES[how] or ended.code == 0 and k > len(listed) - 4, f"{how} with call {k}: code {ended.code}")
                same(len(complaints(ended)), int(ended.code != 0), f"lines on stderr {ended.stderr!r}")
                look(ended, how)
    for second, k in ((how, k) for how in CODES for k in range(begin, len(listed))[::below.every]):
        with below.as_before():
            ended = below.run(command, stdin, [("SIGINT", k), (second, k + 1)])
            check(ended.hit < 2 or ended.signal == SIGNALS[second], f"SIGINT with call {k}, {second} with the next: code {ended.code}")
            look(ended, second)


def test_run_with_signals(below):
    game, wanted = a_play(below, "bfw-tvc", 3, 6, "7")

    def look(ended, how):
        if not ended.signal:
            rounds = strict_json(ended.stdout)["rounds"]
            state = dict(reversed(read_checkpoint(game.file("p"))[1]))          # the run's round is the last of that name
            same(int.from_bytes(state["round"], "little"), rounds, "the round of the checkpoint")
            if ended.code:
                check(f"interrupted after round {rounds};" in ended.stderr, f"{ended.stderr!r}")
        again = below.run(game.command("p"))
        same((again.code, complaints(again)), (0, []), f"resumed after {how}, code and complaints")
        same(game.compare("p", again.stdout, wanted), [], f"resumed after {how}")
    signals(below, game.command("p"), "", lambda call: call.name == "write", look)


def test_pipe_with_signals(below):
    game, wanted = a_pipe(below, rounds=5, checkpoint=3)

    def look(ended, how):
        if ended.code and not ended.signal:
            about = read_checkpoint(game.file("log.check"))[0]
            answered = answers(ended, wanted, 1)
            check(f"line={answered - 1} " in about, f"decision {answered} was answered, and the checkpoint is of {about!r}")
        ended = ended._replace(code=1 if ended.code else 0, stderr="".join(line + "\n" for line in complaints(ended)))
        pipe_on(below, game, wanted, how, ended, 1)
    signals(below, game.command("log"), as_stdin(game.lines), lambda call: call.path == below.file("out"), look)


def test_a_signal_while_the_disk_fails(below):
    """The learner is ahead of the log then: it must not be saved so."""
    for group in (1, 4):
        game, wanted = a_pipe(below, rounds=6, checkpoint=2, group=group)
        stdin = as_stdin(game.lines)
        with below.as_before():
            calls = len(below.run(game.command("log"), stdin, calls="read,write,fsync").calls)
        for k in range(1, calls)[::below.every]:
            for how in ("EIO", "ENOSPC"):
                with below.as_before():
                    ended = below.run(game.command("log"), stdin, [("SIGINT", k), (how, k + 1)], "read,write,fsync")
                    code = min(ended.code, 1)                                 # interrupted or failed
                    ended = ended._replace(code=code, stderr="one\n" if code else "")
                    try:
                        pipe_on(below, game, wanted, how, ended, 1)
                    except Failure as failure:
                        raise Failure(f"SIGINT with call {k}, {how} at the next, in groups of {group}: {failure}") from failure


# --- ofw sweep, ofw data ------------------------------------------------------------------------

TINY = """
[experiment]
title = Tiny
rounds = 20
seeds = 2
series = 5
[stream ball]
stream = linear
domain = l2-ball:dim=3
[learner ofw]
[learner tvc]
learner = ofw-tvc
"""


def dump(path):
    """Every table but the timings, as in tests/cli/test_sweep.py."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        same(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)], "integrity")
        return [line for line in connection.iterdump() if not line.startswith('INSERT INTO "timing')]
    finally:
        connection.close()


def sweep_with_faults(below, calls):
    command = [below.ofw, "sweep", below.file("a.ini"), "-o", below.file("swept"), "-q"]
    with below.as_before():
        same(below.run(command).code, 0, "code")
        wanted = dump(below.file("swept/results.db"))

    def look(fault, ended):
        if not ended.signal:
            check(ended.code in (0, 1), f"code {ended.code}, stderr {ended.stderr!r}")
            check(ended.code == 0 or ended.stderr, "no word")
        again = below.run(command)
        same(again.code, 0, f"again after {fault} ({ended.stderr!r}): {again.stderr!r}, code")
        same(dump(below.file("swept/results.db")), wanted, f"the database after {fault}")
    below.each_fault(look, command, calls=calls, path="results.db")
    return wanted


def test_sweep(below):
    with open(below.file("a.ini"), "w", encoding="utf-8") as file:
        file.write(TINY)
    sweep_with_faults(below, "write,fsync,ftruncate,unlink")


def test_sweep_that_grows(below):
    """A learner more, before the others: every play moves. The database is that of one sweep, whatever fails."""
    grown = TINY.replace("[learner ofw]", "[learner opdp]\n[learner ofw]")
    for text in (grown, TINY):
        with open(below.file("a.ini"), "w", encoding="utf-8") as file:
            file.write(text)
        same(below.run([below.ofw, "sweep", below.file("a.ini"), "-o", below.file("all" if text is grown else "swept"), "-q"]).code, 0, "code")
    with open(below.file("a.ini"), "w", encoding="utf-8") as file:
        file.write(grown)
    same(sweep_with_faults(below, "write,fsync,ftruncate,unlink"), dump(below.file("all/results.db")), "the database that has grown")


def test_data_generate(below):
    command = [below.ofw, "data", "generate", "filmtrust", "-o", below.file("ratings")]
    ended = below.run(command, "", [("ENOSPC", 2)], "write,fsync,rename", "ratings")       # one: it takes a while to generate them
    same((ended.hit, ended.code, len(complaints(ended))), (1, 1, 1), f"{ended.stderr!r}: hit, code, complaints")


def test_data_import(below):
    """With the real sets in OFW_DATA_DIR; nothing of them is here."""
    real = os.path.join(os.environ.get("OFW_DATA_DIR", ""), "filmtrust", "ratings.txt")
    if not os.path.exists(real):
        print("     data import: OFW_DATA_DIR has no filmtrust, so that nothing is imported")
        return
    command = ["env", "-u", "OFW_DATA_DIR", "-u", "XDG_DATA_HOME", f"HOME={below.folder}", below.ofw, "data", "import", "filmtrust", real]
    place = below.file(".local/share/ofw/filmtrust/ratings.txt")
    with open(real, "rb") as file:
        wanted = file.read()

    def look(fault, ended):
        check_end(ended, 1)
        if ended.code == 0 or os.path.exists(place):
            with open(place, "rb") as file:
                check(file.read() == wanted, "what is there is not the set")
        same(below.run(command).code, 0, f"again after {fault}, code")
    below.each_fault(look, command, calls="fsync,rename,open", path=os.path.dirname(place))
    below.every *= 37
    below.each_fault(look, command, calls="write", path=os.path.dirname(place))


# --- all of it ----------------------------------------------------------------------------------

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--ofw", required=True, type=os.path.abspath, metavar="PATH")
    parser.add_argument("--inject", required=True, type=os.path.abspath, metavar="PATH")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--filter", default="", metavar="SUBSTRING")
    parser.add_argument("--json", action="store_true", help="the counts as one object on stdout, and all else on stderr")
    args = parser.parse_args()
    counts = sys.stdout
    if args.json:
        sys.stdout = sys.stderr
    passed, failed, tried = 0, 0, collections.Counter()
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None             # the same calls, and no waiting
    for name, test in list(globals().items()):
        if not name.startswith("test_") or args.filter not in name:
            continue
        with tempfile.TemporaryDirectory(prefix="ofw-below-", dir=memory) as folder:
            below = Below(args, folder)
            try:
                test(below)
                print(f"ok   {name[5:].replace('_', ' ')} ({sum(below.tried.values())} faults)", flush=True)
                passed += 1
            except Exception as failure:
                print(f"FAIL {name[5:].replace('_', ' ')}: {failure if isinstance(failure, Failure) else repr(failure)}", flush=True)
                failed += 1
            tried += below.tried
    print(f"{sum(tried.values())} faults: {', '.join(f'{n} {how}' for how, n in sorted(tried.items()))}")
    print(f"{passed} passed, {failed} failed")
    if args.json:
        print(json.dumps({"faults": sum(tried.values()), **tried}), file=counts)
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
