#!/usr/bin/python3
"""Plays `ofw run` and `ofw pipe`, kills them with -9 at random moments, goes on, kills again, until the play ends. What
comes of it must be what an uninterrupted play gives, bit for bit, and nothing that was answered may be lost.

    kill.py --ofw PATH [--cycles N] [--seed S] [--game G] [--folder FOLDER] [--json]

A cycle is one process, killed or not. Game G of seed S has its own random numbers: --game plays it alone.
"""
import argparse
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from game import Failure, Log, check, check_parts, learners, play, random_play, random_pipe, same, seeded, strict_json

PATIENCE = 30
KILLS = 12             # a game has at most so many, so that it ends
COUNTS = ["cycles", "games", "kills that hit a live process", "resumes", "rounds acknowledged", "rounds lost", "bits that differ",
          "torn tails recovered", "half-written checkpoints left", "logs that were shortened"]


class Tally(dict):
    def __init__(self):
        super().__init__({name: 0 for name in COUNTS})

    def add(self, name, n=1):
        self[name] += n


# --- ofw run ------------------------------------------------------------------------------------

def wait_for_moment(process, rng, length, tmp):
    """A moment to kill at: any, in the first milliseconds, or while a checkpoint is being written. False: it ended before."""
    kind = rng.choice(["any", "any", "early", "writing", "writing"])
    if kind == "writing":
        aim = rng.randrange(1, 6)
        deadline = time.monotonic() + length
        while aim and time.monotonic() < deadline and process.poll() is None:
            aim -= os.path.exists(tmp)
        pause = rng.choice([0, 0, rng.uniform(0, 0.004)])
    else:
        pause = rng.uniform(0, length if kind == "any" else 0.02)
    try:
        process.wait(pause)
        return False
    except subprocess.TimeoutExpired:
        return True


def game_of_run(rng, ofw, learner, folder, tally):
    game = random_play(rng, ofw, learner, folder)
    begun = time.monotonic()
    done = play(game.command("whole"))
    length = time.monotonic() - begun
    same(done.returncode, 0, f"the uninterrupted play: {done.stderr[:300]!r}, code")
    wanted = game.outcome("whole", done.stdout)
    kills = 0
    while True:
        command = game.command("killed", rng.choice([1, 2]))
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        tally.add("cycles")
        try:
            if kills < KILLS and wait_for_moment(process, rng, 0.7 * length, game.file("killed.tmp")):
                process.kill()
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        if process.returncode != -signal.SIGKILL:
            break
        kills += 1
        tally.add("kills that hit a live process")
        tally.add("resumes")
        tally.add("half-written checkpoints left", os.path.exists(game.file("killed.tmp")))
        game.check_disk("killed", wanted)
    same(process.returncode, 0, f"{' '.join(command)}: {err[:300]!r}, code")
    finish_run(game, out, wanted, tally)


def finish_run(game, out, wanted, tally):
    found = game.compare("killed", out, wanted)
    again = play(game.command("killed"))              # a play that is over is told of again, and nothing else
    same(again.returncode, 0, f"resumed after its end: {again.stderr[:300]!r}, code")
    found += game.compare("killed", again.stdout, wanted)
    tally.add("cycles")
    tally.add("resumes")
    tally.add("rounds acknowledged", wanted[1]["rounds"])
    tally.add("bits that differ", len(found))
    check(not found, f"{' '.join(game.command('killed'))}: {found}")


# --- ofw pipe ---------------------------------------------------------------------------------

class Client:
    """Sends feedback t after decision t, or many lines ahead of it, and remembers what was answered."""

    def __init__(self, game, wanted, tally):
        self.game, self.wanted, self.tally = game, wanted, tally
        self.answered = 0            # the last round whose decision arrived
        self.sent = 0                # lines, over all processes
        self.process, self.buffer, self.pending = None, b"", 0

    def start(self, threads):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.game.command("log", threads), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        self.buffer, self.pending = b"", 0
        self.tally.add("cycles")

    def take_lines(self):
        """What has arrived, one read of it; False at the end."""
        check(select.select([self.process.stdout], [], [], PATIENCE)[0], f"nothing for {PATIENCE} s")
        more = os.read(self.process.stdout.fileno(), 1 << 16)
        *lines, self.buffer = (self.buffer + more).split(b"\n")
        for line in lines:
            self.take_line(line.decode())
        return more != b""

    def take_line(self, line):
        message = strict_json(line)
        if self.pending == 0:                    # the first of this process: where does it go on?
            self.pending = message["round"]
            lost = self.answered - self.pending
            self.tally.add("rounds lost", max(lost, 0))
            check(lost <= 0, f"decision {self.answered} was answered, and round {self.pending} is pending")
            check(self.pending <= max(self.sent + 1, 1), f"{self.sent} lines were sent, and round {self.pending} is pending")
            self.sent = self.pending - 1
        else:
            same(message["round"], self.answered + 1, "round")
        self.tally.add("bits that differ", line != self.wanted[message["round"]])
        same(line, self.wanted[message["round"]], f"decision {message['round']}")
        self.tally.add("rounds acknowledged", max(message["round"] - self.answered, 0))
        self.answered = message["round"]

    def wait_for(self, t):
        while self.answered < t or self.pending == 0:
            if not self.take_lines():
                err = self.process.stderr.read().decode()
                raise Failure(f"no decision {t}: code {self.process.wait(PATIENCE)}, {err!r}")

    def send(self, n):
        lines = self.game.lines[self.sent:self.sent + n]
        text = "".join(line + "\n" for line in lines).encode()
        os.write(self.process.stdin.fileno(), text)
        self.sent += len(lines)

    def end(self):
        """What is still in the pipe was written, and so was promised."""
        while self.take_lines():
            pass
        check(self.wanted[min(self.answered + 1, len(self.wanted) - 1)].startswith(self.buffer.decode()), f"half a line: {self.buffer!r}")
        err = self.process.stderr.read().decode()
        code = self.process.wait(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        self.tally.add("torn tails recovered", len(re.findall("bytes were part of", err)))
        return code, err


def play_some(client, rng, threads, kill):
    """One process: some exchanges, then the kill, or all that is left and the end of stdin. Its exit code and stderr."""
    game, burst = client.game, 3 * client.game.group if client.game.group > 1 else 1
    burst = max(1, min(burst, 40000 // len(game.lines[0])))       # what pipes hold: nobody reads while this is sent
    client.start(threads)
    if kill and rng.random() < 0.15:
        time.sleep(rng.uniform(0, 0.012))
    else:
        client.wait_for(1)
        exchanges = rng.choice([0, 1, 2, 3, 5, 10]) if kill else len(game.lines)
        while client.sent < len(game.lines) and exchanges:
            client.send(rng.randrange(1, burst + 1))
            client.wait_for(client.sent + 1)
            exchanges -= 1
        if kill and rng.random() < 0.7:                         # else at once, when the answer has just arrived
            client.send(rng.randrange(0, burst + 1) if burst > 1 else 1)
            time.sleep(rng.choice([0, rng.uniform(0, 0.002), rng.uniform(0, 0.02)]))
    if kill:
        client.process.kill()
    else:
        client.process.stdin.close()
    return client.end()


def tear(client, rng):
    """What a power cut may do to lines that nobody was told of: the tail is cut anywhere, begins a line, or is zeros."""
    path = client.game.file("log")
    if not os.path.exists(path):
        return
    log = Log(path)
    size = os.path.getsize(path)
    if client.answered == 0:
        os.truncate(path, rng.randrange(0, size + 1))
        return
    check(len(log.header) == 2, "decision 1 was answered, and the log has no header")
    there = log.dropped + len(log.lines)
    check(there >= client.answered - 1, f"decision {client.answered} was answered, and the log has {there} lines")
    promised = log.ends[max(client.answered - 1 - log.dropped, 0)]
    if size > promised:
        os.truncate(path, rng.randrange(promised, size + 1))
    elif client.answered <= len(client.game.lines):
        record = log.next_commit(client.game.lines[client.answered - 1])
        torn = record[:rng.randrange(1, len(record))] if rng.random() < 0.7 else bytes(rng.randrange(1, 600))
        with open(path, "ab") as file:
            file.write(torn)
        client.sent = max(client.sent, client.answered)


def game_of_pipe(rng, ofw, learner, folder, tally):
    game = random_pipe(rng, ofw, learner, folder)
    client = Client(game, game.reference(), tally)
    kills = 0
    while True:
        kill = kills < KILLS and client.answered <= len(game.lines)
        try:
            code, err = play_some(client, rng, rng.choice([1, 2]), kill)
        finally:
            client.process.kill()
        if code != -signal.SIGKILL:
            same(code, 0, f"{' '.join(game.command('log'))}: {err[:300]!r}, code")
        if not kill:
            break
        kills += 1
        tally.add("kills that hit a live process", code == -signal.SIGKILL)
        tally.add("resumes")
        tally.add("half-written checkpoints left", os.path.exists(game.file("log.check.tmp")))
        if rng.random() < 0.3:
            tear(client, rng)
    same(client.answered, len(game.lines) + 1, "rounds answered")
    log = Log(game.file("log"))
    check(len(log.header) == 2 and log.whole and log.lines == game.lines[log.dropped:], "the log is not what was sent")
    check(log.dropped == 0 or game.keep is not None, f"{log.dropped} lines were dropped, unasked")
    tally.add("logs that were shortened", log.dropped > 0)


# --- all of it ----------------------------------------------------------------------------------

def play_game(args, number, tally):
    rng = seeded(args.seed, number)
    kinds = learners(args.ofw)
    learner, kind = kinds[number // 2 % len(kinds)], (game_of_run, game_of_pipe)[number % 2]
    base = args.folder or ("/dev/shm" if number // 2 % 2 and os.path.isdir("/dev/shm") else None)
    folder = tempfile.mkdtemp(prefix="ofw-kill-", dir=base)
    tally.add("games")
    try:
        kind(rng, args.ofw, learner, folder, tally)
    except Exception as failure:
        why = failure if isinstance(failure, Failure) else repr(failure)
        print(f"FAIL game {number} ({kind.__name__}, {learner}): {why}\n     kept: {folder}\n     again: "
              f"{sys.argv[0]} --ofw {args.ofw} --seed {args.seed} --game {number}", flush=True)
        return False
    shutil.rmtree(folder)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--ofw", required=True, type=os.path.abspath, metavar="PATH")
    parser.add_argument("--cycles", type=int, default=500, metavar="N")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1000000, metavar="S")
    parser.add_argument("--game", type=int, metavar="G", help="this one alone")
    parser.add_argument("--folder", metavar="FOLDER", help="where games are played; not said, half of them in memory")
    parser.add_argument("--json", action="store_true", help="the counts as one object on stdout, and all else on stderr")
    args = parser.parse_args()
    counts = sys.stdout
    if args.json:
        sys.stdout = sys.stderr
    print(f"seed {args.seed}", flush=True)
    check_parts(args.ofw)
    tally, failed, number, begun, told = Tally(), 0, args.game or 0, time.monotonic(), time.monotonic()
    while tally["cycles"] < args.cycles and failed < 5:
        failed += not play_game(args, number, tally)
        number += 1
        if time.monotonic() - told > 5:
            told = time.monotonic()
            print(f"{tally['cycles']} cycles, {told - begun:.0f} s, {failed} games failed", flush=True)
        if args.game is not None:
            break
    for name, count in tally.items():
        print(f"{count:8d}  {name}")
    print(f"{time.monotonic() - begun:8.1f}  seconds; seed {args.seed}; {failed} games failed")
    if args.json:
        print(json.dumps({"seed": args.seed, **tally}), file=counts)
    return 1 if failed or tally["rounds lost"] or tally["bits that differ"] or not tally["resumes"] else 0


if __name__ == "__main__":
    sys.exit(main())
