"""Games that are played, killed and gone on with: what is played, and how what is left on the disk is read.

What ofw wrote is read by a second, slow reader that owes ofw nothing: log, checkpoint and state by the formats that
src/persist documents.
"""
import json
import os
import random
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from log_file import Log                                  # noqa: E402,F401
from program import Failure, check, same, strict_json    # noqa: E402,F401

DOMAINS = {"l2-ball:dim=4,radius=2": 4, "l1-ball:dim=5": 5, "box:dim=3,lower=-1,upper=2": 3, "simplex:dim=4": 4, "linf-ball:dim=3": 3,
           "trace-ball:rows=4,cols=3": 12, "shrunk:factor=0.7,of=(l2-ball:dim=3)": 3}
PARTED = "l2-ball:dim=66000"                 # large enough for threads to share it, and for a checkpoint to be torn
LONG_LINES = ("l2-ball:dim=600", 600)        # of several pages
STREAMS = ["linear", "quadratic", "alternating", "conflict", "drifting", "ball-constraint", "uneven"]
# these bring their domain
OWN_DOMAIN = ["matrix-completion:users=9,items=8,ratings=30,batch=4",
              "matrix-completion:users=9,items=8,ratings=30,batch=4,holdout=0.1,constraint=exposure"]
ANYTIME = ("ofw-ada", "ofw-ada-sc", "bfw-ada", "still")
BANDIT = ("bfw-ada", "bfw-tvc", "lbpm", "scbfw-tvc")


def learners(ofw):
    listed = subprocess.run([ofw, "list", "learners"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines()[1:]]


# --- what is on the disk ------------------------------------------------------------------------

def read_checkpoint(path):
    """(about, [(name of an item, its words)]); a Failure where it is not whole."""
    with open(path, "rb") as file:
        data = file.read()
    check(data[:8] == b"ofwcheck" and zlib.crc32(data[:28]) == struct.unpack_from("<I", data, 28)[0], f"{path}: header")
    same(struct.unpack_from("<Q", data, 16)[0], len(data), f"{path}: size")
    at, sections = 32, {}
    while at < len(data):
        name, size = struct.unpack_from("<8sQ", data, at)
        end = at + 16 + (size + 7) // 8 * 8
        same(struct.unpack_from("<Q", data, end)[0], zlib.crc32(data[at:end]), f"{path}: checksum of {name}")
        sections[name.rstrip(b"\0").decode()] = data[at + 16:at + 16 + size]
        at = end + 8
    return sections["about"].decode(), read_state(sections["state"])


def checksum(data):
    """As ofw-checkpoint(5) has it."""
    total = 14695981039346656037
    for word, in struct.iter_unpack("<Q", data):
        total = (total ^ word) * 1099511628211 & (1 << 64) - 1
        total ^= total >> 32
    return total


def read_state(state):
    same(state[:8], b"ofwstate", "a state's magic")
    _, texts, rest, total = struct.unpack_from("<4Q", state, 8)
    same(rest, len(state) - 40, "a state's size")
    same(total, checksum(state[40:]), "a state's checksum")
    items = [("config", state[40:40 + texts])]
    at = 40 + (texts + 7) // 8 * 8
    while at < len(state):
        length = struct.unpack_from("<Q", state, at)[0]
        name = state[at + 8:at + 8 + length].decode()
        at += 8 + (length + 7) // 8 * 8
        count = struct.unpack_from("<Q", state, at)[0]
        items.append((name, state[at + 8:at + 8 + 8 * count]))
        at += 8 + 8 * count
    return items


def timeless_state(path):
    return [item for item in read_checkpoint(path)[1] if item[0] != "seconds"]


def timeless_trace(path, whole=True):
    """The trace's lines without their last column, the threads and, where it is not whole, a last line that is torn."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    last = lines.pop()
    check(not whole or last == "", f"{path} ends within a line: {last!r}")
    lines[0:1] = [lines[0].split(" threads=")[0]] if lines else []
    return [line if line.startswith("#") else line.rpartition(",")[0] for line in lines]


def timeless_result(text):
    result = strict_json(text)
    del result["seconds"]
    return result


# --- what is played -----------------------------------------------------------------------------

def play(args, stdin=None, cwd=None, timeout=60):
    try:
        return subprocess.run(args, input=stdin, capture_output=True, text=True, timeout=timeout, check=False, cwd=cwd)
    except subprocess.TimeoutExpired as late:
        raise Failure(f"still running after {timeout} s: {' '.join(args)}") from late


class Play:
    """`ofw run` with --checkpoint and --trace, and what comes of it when nothing happens."""

    def __init__(self, args, folder, every=1, trace_every="1"):
        self.folder, self.every = folder, every
        self.args = [*args, "-q", "--json", "--trace-every", trace_every]
        if every:
            self.args += ["--checkpoint-every", str(every)]

    def file(self, name):
        return os.path.join(self.folder, name)

    def command(self, name, threads=1):
        return [*self.args, "--threads", str(threads), "--checkpoint", self.file(name), "--trace", self.file(name + ".csv"), "--resume"]

    def forget(self, name):
        for end in ("", ".1", ".tmp", ".csv"):
            if os.path.exists(self.file(name + end)):
                os.remove(self.file(name + end))

    def outcome(self, name, stdout):
        """All of it but the times."""
        return timeless_trace(self.file(name + ".csv")), timeless_result(stdout), timeless_state(self.file(name))

    def compare(self, name, stdout, wanted):
        """How many things differ from an uninterrupted play, and what they are."""
        return [f"{what}: {difference(a, b)}" for what, a, b in zip(("trace", "result", "state"), self.outcome(name, stdout), wanted)
                if a != b]

    def check_disk(self, name, wanted, more=0):
        """What a killed play leaves: a trace that is a beginning, and a checkpoint that is whole. One that ended by itself
        may have a row more, which tells where it was."""
        paths = [self.file(name), self.file(name + ".1")]
        for path in filter(os.path.exists, paths):
            read_checkpoint(path)
        if os.path.exists(self.file(name + ".csv")):
            found = timeless_trace(self.file(name + ".csv"), whole=False)
            known = len(found) - (more if len(found) > 4 else 0)
            same(found[1:known], wanted[0][1:known], "the trace of a killed play")


def difference(a, b):
    if isinstance(a, dict):
        return {key: (a.get(key), b.get(key)) for key in {**a, **b} if a.get(key) != b.get(key)}
    for k, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return f"{k}: {x!r:.200} is not {y!r:.200}"
    return f"{len(a)} of them, not {len(b)}"


class Stream:
    """`ofw pipe` with --log; what it is told, and what it answers when nothing happens."""

    def __init__(self, args, folder, lines, group=1, checkpoint=None, keep=None):
        """checkpoint: None for none, else every how many rounds; 0 is by the clock. keep: --log-keep."""
        self.folder, self.lines, self.group, self.checkpoint, self.keep = folder, lines, group, checkpoint, keep
        self.args = args

    def file(self, name):
        return os.path.join(self.folder, name)

    def command(self, name, threads=1):
        more = ["--log-group", str(self.group)] if self.group > 1 else []
        if self.checkpoint is not None:
            more += ["--checkpoint", self.file(name + ".check")]
            more += ["--checkpoint-every", str(self.checkpoint)] if self.checkpoint else []
        if self.keep is not None:
            more += ["--log-keep", str(self.keep)]
        return [*self.args, "--threads", str(threads), "--log", self.file(name), *more]

    def forget(self, name):
        for end in ("", ".tmp", ".torn", ".torn.1", ".check", ".check.1", ".check.tmp"):
            if os.path.exists(self.file(name + end)):
                os.remove(self.file(name + end))

    def reference(self):
        """Every decision as text, without a log: decision t at [t]."""
        done = play(self.args, stdin="".join(line + "\n" for line in self.lines))
        same((done.returncode, done.stdout.count("\n")), (0, len(self.lines) + 1), f"{done.stderr[:300]!r}: code and lines")
        decisions = [""] + done.stdout.splitlines()
        same([json.loads(line)["round"] for line in decisions[1:]], list(range(1, len(decisions))), "rounds")
        return decisions


def feedback(rng, dim, rounds, bandit):
    """Lines of feedback; |gradient| <= 1."""
    lines = []
    for _ in range(rounds):
        line = {"loss": rng.uniform(-1, 1)}
        gradient = [rng.uniform(-1, 1) / dim ** 0.5 for _ in range(dim)]
        limit = [rng.uniform(-1, 1) / dim ** 0.5 for _ in range(dim)]
        if not bandit:
            line["loss_gradient"] = gradient
        if rng.random() < 0.8:
            line["constraint"] = rng.uniform(-1, 0.5)
            if not bandit:
                line["constraint_gradient"] = limit if rng.random() < 0.7 else {"index": [rng.randrange(dim)], "value": [0.5]}
        if not bandit and rng.random() < 0.3:
            line["next_constraint"] = rng.uniform(-0.5, 1)
            line["next_constraint_gradient"] = [rng.uniform(-1, 1) / dim ** 0.5 for _ in range(dim)]
        lines.append(json.dumps(line, separators=rng.choice([(",", ":"), (", ", ": ")])))
    return lines


def settings(rng, learner, rounds):
    """Horizon and options that a learner may have."""
    args = ["--seed", str(rng.randrange(1, 1000))]
    if learner not in ANYTIME or rng.random() < 0.3:
        args += ["--horizon", "auto" if rng.random() < 0.3 else str(rounds)]
    for option in ("storage=float", "sample=yes", "constraints=sum", "constraints=budgets"):
        if rng.random() < 0.25:
            args += ["--set", option]
    return args


def first_accepted(rng, make, tries=40):
    """Not every learner takes every set, stream and option: what is refused is drawn again."""
    for _ in range(tries):
        game, probe = make(rng)
        done = play(probe, stdin="")
        if done.returncode == 0:
            return game
        check(done.returncode in (2, 3) and done.stderr.count("\n") == 1, f"{probe}: {done.returncode}, {done.stderr!r}")
    raise Failure(f"nothing is accepted; the last: {' '.join(probe)}: {done.stderr}")


def check_parts(ofw):
    """What is drawn above does exist: a spec with a mistake would be refused, and drawn again, without a word."""
    for domain in DOMAINS:
        same(play([ofw, "run", "--learner", "ofw", "--stream", "linear", "--domain", domain, "--rounds", "2", "-q"]).stderr, "", domain)
    for stream in STREAMS + OWN_DOMAIN:
        domain = ["--domain", "l2-ball:dim=2"] if stream in STREAMS else []
        same(play([ofw, "run", "--learner", "ofw", "--stream", stream, *domain, "--rounds", "2", "-q"]).stderr, "", stream)


def random_play(rng, ofw, learner, folder, rounds=None):
    def make(rng):
        n = rounds or rng.choice([20, 40, 80])
        stream = rng.choice(STREAMS + OWN_DOMAIN)
        args = [ofw, "run", "--learner", learner, "--stream", stream, "--rounds", str(n), *settings(rng, learner, n)]
        if stream in STREAMS:
            args += ["--domain", PARTED if n == 20 and rng.random() < 0.3 else rng.choice(list(DOMAINS))]
        if rng.random() < 0.5:
            args += ["--strong-convexity", "0.5"]
        game = Play(args, folder, rng.choice([1, 1, 1, 3, 10, 0]), rng.choice(["1", "7", "log"]))
        return game, [*args, "-q"]
    return first_accepted(rng, make)


def random_pipe(rng, ofw, learner, folder, rounds=None):
    def make(rng):
        n = rounds or rng.choice([20, 40, 80])
        domain, dim = LONG_LINES if n == 20 and rng.random() < 0.3 else rng.choice(list(DOMAINS.items()))
        args = [ofw, "pipe", "--learner", learner, "--domain", domain, *settings(rng, learner, n)]
        args += ["--lipschitz", "1", "--loss-bound", "2", "--strong-convexity", "0.5"]
        lines = feedback(rng, dim, n, learner in BANDIT)
        checkpoint = rng.choice([None, None, 1, 5, 0])
        keep = rng.choice([None, 0, 3]) if checkpoint else None
        game = Stream(args, folder, lines, rng.choice([1, 1, 4, 16]), checkpoint, keep)
        return game, args
    return first_accepted(rng, make)


def seeded(*words):
    return random.Random("/".join(map(str, words)))
