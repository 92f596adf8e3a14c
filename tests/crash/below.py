"""ofw above a file system that can be told to fail, by tests/crash/inject.c."""
import collections
import contextlib
import os
import shutil
import subprocess

from game import Failure, check, same

PATIENCE = 200    # a hang, even on a machine that is busy or stopped for a while
CALLS = "write,fsync,rename,read,open,ftruncate,unlink,stat,flock"
HOWS = {"write": ["ENOSPC", "EIO", "EINTR", "short", "kill", "torn"], "read": ["EIO", "EINTR", "short", "kill"]}
OTHERS = ["ENOSPC", "EIO", "EINTR", "kill"]
SIGNALS = {"kill": 9, "torn": 9, "SIGINT": 2, "SIGTERM": 15}

Ended = collections.namedtuple("Ended", "code signal stdout stderr hit changed calls")
Call = collections.namedtuple("Call", "number name size path")


class Below:
    """ofw above a file system that can be told to fail."""

    def __init__(self, args, folder):
        self.ofw, self.inject, self.every = args.ofw, args.inject, args.every
        self.top, self.folder = folder, os.path.join(folder, "files")
        self.tried = collections.Counter()
        os.mkdir(self.folder)

    def file(self, name):
        return os.path.join(self.folder, name)

    def run(self, command, stdin="", faults=(), calls=CALLS, path=None):
        """With stdin and stdout as files of the folder, so that they fail like all others. Faults: (how, which)."""
        with open(self.file("in"), "w", encoding="utf-8") as file:
            file.write(stdin)
        report = os.path.join(self.top, "report")
        words = [self.inject, "-s", calls, "-p", path or self.folder, "-r", report, "-l"]
        for how, which in faults:
            words += ["-n", str(which), "-e", how]
        environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")      # which does not work below ptrace
        with open(self.file("in"), encoding="utf-8") as source, open(self.file("out"), "w", encoding="utf-8") as out:
            try:
                done = subprocess.run([*words, "--", *command], stdin=source, stdout=out, stderr=subprocess.PIPE, text=True,
                                      timeout=PATIENCE, check=False, env=environment)
            except subprocess.TimeoutExpired as late:
                raise Failure(f"hangs after {faults}") from late
        check(done.returncode != 125, f"nothing can be injected here: {done.stderr.strip()}")
        with open(self.file("out"), encoding="utf-8") as file:
            text = file.read()
        hit, changed, listed, signal = 0, "", [], None
        with open(report, encoding="utf-8") as file:
            for line in file:
                word, rest = line.rstrip("\n").split(" ", 1)
                if word == "call":
                    number, name, size, place = rest.split(" ", 3)
                    listed.append(Call(int(number), name, int(size), place))
                elif word == "hit":
                    self.tried[faults[hit][0]] += 1
                    hit, changed = hit + 1, rest
                elif word == "signal":
                    signal = int(rest)
        wanted = {SIGNALS[how] for how, _ in faults if how in SIGNALS}
        check(signal is None or signal in wanted, f"signal {signal} after {faults}")
        return Ended(done.returncode, signal, text, done.stderr, hit, changed, listed)

    @contextlib.contextmanager
    def as_before(self):
        """The files are put back."""
        saved = os.path.join(self.top, "saved")
        shutil.copytree(self.folder, saved)
        try:
            yield
        finally:
            shutil.rmtree(self.folder)
            os.rename(saved, self.folder)

    def each_fault(self, check_end, command, stdin="", hows=None, calls=CALLS, path=None):
        """The command with each fault, from the same files; check_end(fault, what came of it) for each."""
        with self.as_before():
            listed = self.run(command, stdin, (), calls, path).calls
        check(listed, "no system call is counted")
        faults = [(how, call.number) for call in listed for how in (hows or HOWS.get(call.name, OTHERS))]
        hits = 0
        for fault in faults[len(listed) % min(self.every, len(faults))::self.every]:
            with self.as_before():
                try:
                    ended = self.run(command, stdin, [fault], calls, path)
                    hits += ended.hit
                    check_end(fault, ended)
                except Failure as failure:
                    call = listed[fault[1] - 1]
                    raise Failure(f"{call.name} {call.number} on {os.path.basename(call.path)}, {fault[0]}: {failure}") from failure
        check(hits > 0, "not one fault hit")


def complaints(ended):
    """Lines on stderr that are no warnings and no notices."""
    return [line for line in ended.stderr.splitlines() if "warning: " not in line and "starting with round 1" not in line]


def check_end(ended, *codes):
    """Well and silent, killed on purpose, or one line and a code."""
    if not ended.signal:
        check(ended.code in (0, *codes), f"code {ended.code}, stderr {ended.stderr!r}")
        same(len(complaints(ended)), int(ended.code != 0), f"code {ended.code}, lines on stderr {ended.stderr!r}")
