#!/usr/bin/python3
"""SIGINT and SIGTERM to real plays, two processes on one log, and files that get in each other's way.

    test_signals.py --ofw PATH [--filter SUBSTRING]
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

from game import Failure, Log, Play, Stream, check, feedback, play, read_checkpoint, same, seeded, strict_json
from runner import main

PATIENCE = 30


def wait_until(condition, process):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if process.poll() is not None:
            raise Failure(f"ended before: {process.communicate()}")
        check(time.monotonic() < deadline, "it does not happen")
        time.sleep(0.001)


def start(command):
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def written_at(path):
    """0 if it is not there, as for a moment while a checkpoint takes the place of the one before."""
    try:
        return os.stat(path).st_mtime_ns
    except FileNotFoundError:
        return 0


def holds_line(path, line):
    """Of a checkpoint that another process writes: not there for a moment, as above."""
    try:
        return f"line={line} " in read_checkpoint(path)[0]
    except FileNotFoundError:
        return False


def interrupted_play(ofw, number, twice):
    rng = random.Random(number)
    args = [ofw.path, "run", "--learner", "bfw-ada", "--stream", "linear", "--domain", "l2-ball:dim=3", "--rounds", "4000"]
    game = Play(args, ofw.folder, 20, "log")
    wanted = game.outcome("whole", play(game.command("whole")).stdout)
    times = 0
    while True:
        before = written_at(game.file("p"))
        process = start(game.command("p"))
        try:
            if times < 4:
                wait_until(lambda earlier=before: written_at(game.file("p")) > earlier, process)
            process.send_signal(number) if times < 4 else None
            time.sleep(rng.uniform(0, 0.002))
            process.send_signal(number) if times < 4 and twice else None
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        if process.returncode == 0:
            break
        times += 1
        if process.returncode == -number:
            check(twice, "one signal ended it at once")
            continue
        same(process.returncode, 128 + number, f"{err!r}: code")
        rounds = strict_json(out)["rounds"]
        same(err.splitlines(True)[-1], f"ofw run: interrupted after round {rounds}; to resume, repeat the command with --resume\n", "stderr")
        state = dict(read_checkpoint(game.file("p"))[1])
        same(int.from_bytes(state["round"], "little"), rounds, "the round of the checkpoint")
    check(times >= 1, "it was never interrupted")
    same(game.compare("p", out, wanted), [], "what differs from a play without signals")


def test_a_play_is_interrupted(ofw):
    interrupted_play(ofw, signal.SIGINT, False)


def test_a_play_is_terminated(ofw):
    interrupted_play(ofw, signal.SIGTERM, False)


def test_a_play_is_interrupted_twice(ofw):
    interrupted_play(ofw, signal.SIGINT, True)


def a_pipe(ofw, rounds, **more):
    args = [ofw.path, "pipe", "--learner", "bfw-tvc", "--domain", "simplex:dim=3", "--horizon", "50", "--lipschitz", "1", "--loss-bound", "2"]
    game = Stream(args, ofw.folder, feedback(seeded("signals"), 3, rounds, True), **more)
    return game, game.reference()


def send(process, line):
    process.stdin.write(line + "\n")
    process.stdin.flush()


def test_a_pipe_is_interrupted_while_it_waits(ofw):
    game, wanted = a_pipe(ofw, 12, checkpoint=100)
    for k, number in enumerate([signal.SIGINT, signal.SIGTERM] * 3):
        process = start(game.command("log"))
        try:
            same(process.stdout.readline(), wanted[2 * k + 1] + "\n", "the pending decision")
            for t in (2 * k + 1, 2 * k + 2):
                send(process, game.lines[t - 1])
                same(process.stdout.readline(), wanted[t + 1] + "\n", f"decision {t + 1}")
            process.send_signal(number)
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        same((process.returncode, out, err), (128 + number, "", f"ofw pipe: interrupted after round {2 * k + 2}; the log has it, and the same command resumes\n"), "code, stdout, stderr")
        check(f"line={2 * k + 2} " in read_checkpoint(game.file("log.check"))[0], "the checkpoint is of another line")


def test_a_pipe_is_interrupted_while_it_plays(ofw):
    """All its lines are there; those that are not answered come again."""
    game, wanted = a_pipe(ofw, 2400, group=4, checkpoint=100)
    answered, ends, rng = 0, 0, random.Random(3)
    while answered < len(wanted) - 1:
        process = start(game.command("log"))
        later = threading.Timer(rng.uniform(0, 0.01) if ends < 20 else PATIENCE, process.send_signal, [signal.SIGTERM])
        try:
            lines = [process.stdout.readline().rstrip("\n")]
            pending = strict_json(lines[0])["round"]
            check(pending >= answered, f"{answered} was answered, {pending} is pending")
            later.start()
            out, err = process.communicate("".join(line + "\n" for line in game.lines[pending - 1:]), timeout=PATIENCE)
        finally:
            later.cancel()
            process.kill()
        check(process.returncode in (0, 143), f"{err!r}: code {process.returncode}")
        lines += out.splitlines()
        same(lines, wanted[pending:pending + len(lines)], "decisions")
        answered = pending + len(lines) - 1
        same(len(Log(game.file("log")).lines), answered - 1, "lines in the log")
        check(f"line={answered - 1} " in read_checkpoint(game.file("log.check"))[0], "the checkpoint is of another line")
        ends += 1
    check(ends > 1, "it was never interrupted")


def test_two_processes_on_one_log(ofw):
    game, wanted = a_pipe(ofw, 4, checkpoint=1)
    first = start(game.command("log"))
    try:
        same(first.stdout.readline(), wanted[1] + "\n", "decision 1")
        for t in range(1, 5):
            before = {name: open(ofw.file(name), "rb").read() for name in os.listdir(ofw.folder)}
            second = play(game.command("log"), stdin=game.lines[0] + "\n")
            same((second.returncode, second.stdout, second.stderr),
                 (1, "", f"ofw pipe: {game.file('log')}: another process has it open\n"), "the second: code, stdout, stderr")
            same({name: open(ofw.file(name), "rb").read() for name in os.listdir(ofw.folder)}, before, "files")
            send(first, game.lines[t - 1])
            same(first.stdout.readline(), wanted[t + 1] + "\n", f"decision {t + 1}")
            check_file = game.file("log.check")
            wait_until(lambda t=t: holds_line(check_file, t), first)
            wait_until(lambda: not os.path.exists(check_file + ".tmp"), first)
        first.stdin.close()
        same(first.wait(PATIENCE), 0, "code of the first")
    finally:
        first.kill()
    third = play(game.command("log"), stdin="")
    same((third.returncode, third.stdout), (0, wanted[5] + "\n"), "afterwards")


def test_a_signal_while_nobody_reads(ofw):
    """The pipe is full, the program waits: it ends all the same, and what it has taken is in the log."""
    game, wanted = a_pipe(ofw, 3)
    for number in (signal.SIGTERM, signal.SIGINT):
        for group in (1, 1000):
            game.forget("log")
            game.group = group
            process = start(game.command("log"))
            sender = threading.Thread(target=send_for_ever, args=(process, game.lines[0]), daemon=True)
            try:
                sender.start()
                wait_until(lambda: has_stopped_growing(game.file("log")), process)
                process.send_signal(number)
                same(process.wait(PATIENCE), 128 + number, "code")
                check("nobody has read" in process.stderr.read(), "it does not say so")
            finally:
                process.kill()
                process.stdout.close()
            lines = len(Log(game.file("log")).lines)
            check(lines > 100, f"only {lines} lines")
            again = play(game.command("log"), stdin="")
            same((again.returncode, strict_json(again.stdout)["round"]), (0, lines + 1), f"afterwards: {again.stderr!r}, code and round")
    same(strict_json(wanted[1])["round"], 1, "the first round")


def send_for_ever(process, line):
    try:
        while True:
            process.stdin.write(100 * (line + "\n"))
    except (OSError, ValueError):
        pass


def has_stopped_growing(path):
    before = os.path.getsize(path) if os.path.exists(path) else 0
    time.sleep(0.3)
    return before > 10000 and os.path.getsize(path) == before


# --- files that must not meet -------------------------------------------------------------------

def test_standard_files_on_the_log_itself(ofw):
    """What is printed would stand between its lines."""
    game, wanted = a_pipe(ofw, 3)
    same(play(game.command("log"), stdin=game.lines[0] + "\n").returncode, 0, "code")
    with open(game.file("log"), "rb") as file:
        before = file.read()
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        with open(game.file("log"), "a+b" if number else "rb") as log:
            files = {key: log if key == name else subprocess.PIPE for key in ("stdin", "stdout", "stderr")}
            process = subprocess.Popen(game.command("log"), text=True, **files)
            _, err = process.communicate(timeout=PATIENCE)
        same(process.returncode, 2, f"code with {name} on the log")
        if name != "stderr":
            same(err, f"ofw pipe: --log {game.file('log')}: this file is the command's {name}; choose another\n", "stderr")
            with open(game.file("log"), "rb") as file:
                same(file.read(), before, f"the log after {name} on it")
    same(wanted[0], "", "what is at 0")


def test_a_log_that_is_taken_away(ofw):
    """Removed, replaced, renamed, cut or written to while it is open: the next line is not answered."""
    def remove(path):
        os.remove(path)

    def replace(path):
        shutil.copy(path, path + ".new")
        os.rename(path + ".new", path)

    def rotate(path):
        os.rename(path, path + ".old")

    def empty(path):
        os.truncate(path, 0)

    def write(path):
        with open(path, "ab") as file:
            file.write(b"x")

    for how in (remove, replace, rotate, empty, write):
        game, wanted = a_pipe(ofw, 3)
        game.forget("log")
        process = start(game.command("log"))
        try:
            same(process.stdout.readline(), wanted[1] + "\n", "decision 1")
            send(process, game.lines[0])
            same(process.stdout.readline(), wanted[2] + "\n", "decision 2")
            how(game.file("log"))
            send(process, game.lines[1])
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        same((process.returncode, out), (1, ""), f"{how.__name__}: code and stdout")
        check("while it was open" in err and err.count("\n") == 1, f"{how.__name__}: {err!r}")


def test_a_log_behind_a_link(ofw):
    """One that leads nowhere yet: the log is made where it leads, and lasts there."""
    game, wanted = a_pipe(ofw, 3)
    os.mkdir(ofw.file("there"))
    os.symlink("there/real", game.file("log"))
    done = play(game.command("log"), stdin=game.lines[0] + "\n")
    same((done.returncode, done.stdout), (0, wanted[1] + "\n" + wanted[2] + "\n"), f"{done.stderr!r}: code and stdout")
    same(Log(ofw.file("there/real")).lines, game.lines[:1], "lines")
    check(os.path.islink(game.file("log")), "the link is gone")
    os.remove(game.file("log"))



def without(number):
    """To be called in the child: this descriptor is closed."""
    return lambda: os.close(number)


def test_standard_files_that_are_closed(ofw):
    """The next file that is opened would get their number, and what is printed."""
    game, wanted = a_pipe(ofw, 3, checkpoint=1)
    stdin = "".join(line + "\n" for line in game.lines)
    for number in (0, 1, 2):
        game.forget("log")
        done = subprocess.run(game.command("log"), input=stdin if number else None, capture_output=True, text=True, timeout=PATIENCE,
                              check=False, preexec_fn=without(number))
        same(done.returncode, 0 if number == 2 else 1, f"{done.stderr!r}: code without descriptor {number}")
        log = Log(game.file("log"))
        check(len(log.header) == 2 and log.whole, f"without descriptor {number} the log is damaged")
        same(log.lines, game.lines if number == 2 else [], "lines in the log")
        done = play(game.command("log"), stdin="")
        same((done.returncode, done.stdout), (0, wanted[len(log.lines) + 1] + "\n"), f"afterwards: {done.stderr!r}, code and stdout")
    args = [ofw.path, "run", "--learner", "ofw", "--stream", "linear", "--domain", "l2-ball:dim=3", "--rounds", "9"]
    game = Play(args, ofw.folder, 4)
    wanted = game.outcome("whole", play(game.command("whole")).stdout)
    done = subprocess.run(game.command("p"), stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False, preexec_fn=without(1))
    same(done.returncode, 1, f"{done.stderr!r}: code without stdout")
    same(game.compare("p", play(game.command("p")).stdout, wanted), [], "what differs afterwards")


def test_a_checkpoint_in_the_place_of_another_file(ofw):
    """It would be renamed over a log that is being written, and over its only name."""
    os.mkdir(ofw.file("folder"))
    pipe = ["pipe", "--learner", "ofw", "--domain", "l2-ball:dim=2", "--horizon", "9", "--lipschitz", "1", "--log"]
    run = ["run", "--learner", "ofw", "--stream", "linear", "--domain", "l2-ball:dim=2", "--rounds", "9", "-q", "--trace"]
    for first, what in ((pipe, "log"), (run, "trace")):
        for other, path in (("f", "f"), ("f", "./f"), ("f.1", "f"), ("./f.tmp", "f"), ("folder/f", "./folder/../folder/f")):
            before = sorted(os.listdir(ofw.folder))
            done = ofw.run(*first, other, "--checkpoint", path)
            same((done.returncode, done.stdout), (2, ""), f"{other} and {path}: code and stdout")
            same(done.stderr, f"ofw {first[0]}: --checkpoint {path} would overwrite --{what} {other}, or a file that belongs to it; choose another name\n", "stderr")
            same(sorted(os.listdir(ofw.folder)), before, "files")
        if what == "log":
            for other, path in (("f", "f.torn"), ("f", "f.tmp"), ("f.tmp", "f"), ("f", "f.torn.1")):
                same(ofw.run(*first, other, "--checkpoint", path).returncode, 2, f"{other} and {path}: code")
        for other, path in (("f.2", "f"), ("folder/f", "f"), ("f.csv", "f")):
            done = ofw.run(*first, other, "--checkpoint", path)
            same(done.returncode, 0, f"{other} and {path}: {done.stderr!r}, code")
            os.remove(ofw.file(path))
            os.remove(ofw.file(other))


if __name__ == "__main__":
    sys.exit(main(__doc__.split("\n", maxsplit=1)[0], globals()))
