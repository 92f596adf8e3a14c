#!/usr/bin/python3
"""Plays many sessions over HTTP, kills the server with -9 at random moments, starts it again, and goes on. Every acknowledged
round must be there, and every decision must be the one that `ofw pipe` gives for the same feedback, bit for bit.

    kill_serve.py --ofw PATH [--cycles N] [--sessions N] [--seed S] [--folder FOLDER]

A cycle is one server. The log is kept so short that kills also hit checkpoints, and files of the log that are begun or dropped.
"""
import argparse
import http.client
import json
import random
import subprocess
import sys
import tempfile
import threading
import time

from service import LINES, Failure, Server, check, line, same

THREADS = 8
# what sessions are made of: the document, and the options of ofw pipe
KINDS = [({"learner": "ofw-ada", "domain": "l2-ball:dim=3"}, []),
         ({"learner": "ofw-tvc", "domain": "l1-ball:dim=3", "options": {"horizon": 300, "lipschitz": 2}},
          ["--horizon", "300", "--lipschitz", "2"]),
         ({"learner": "ofw-tvc", "domain": "simplex:dim=3", "options": {"horizon": "auto", "lipschitz": 2, "sigma": "line-search"}},
          ["--horizon", "auto", "--lipschitz", "2", "--set", "sigma=line-search"]),
         ({"learner": "bfw-ada", "domain": "l2-ball:dim=3"}, []),
         ({"learner": "ofw-ada", "domain": "trace-ball:rows=3,cols=1", "options": {"constraints": "budgets"}}, ["--set", "constraints=budgets"])]


class Session:
    """What was sent and what came back; only its own thread touches it."""

    def __init__(self, number, identity, kind, seed):
        self.number, self.id, self.seed = number, identity, seed
        self.document, self.options = kind
        self.bandit = self.document["learner"].startswith("bfw")
        self.answered, self.sent = 0, 0        # rounds
        self.decisions = {}                    # by their round, as they came

    def line(self, round_):
        return line(round_, 3, self.bandit, self.number)

    def take(self, answers):
        for answer in answers:
            self.answered = max(self.answered, answer["round"] - 1)
            if "decision" in answer:
                before = self.decisions.setdefault(answer["round"], answer["decision"])
                same(answer["decision"], before, f"session {self.number}, round {answer['round']}: another decision")

    def play(self, client, rng):
        """Some lines: the next ones, and now and then some that were answered."""
        first = max(1, self.answered + 1 - rng.choice([0, 0, 0, 1, 3]))
        count = rng.choice([1, 1, 1, 2, 8])
        lines = [self.line(t) for t in range(first, self.answered + 1 + count)]
        self.sent = max(self.sent, self.answered + count)
        if len(lines) == 1:
            self.take([client.feedback(self.id, lines[0], decide=1, checked=False).json])
        else:
            self.take(client.feedback(self.id, "\n".join(lines), decide=1, kind=LINES, checked=False).lines)

    def check(self, client):
        """After a restart: nothing that was answered is lost, and nothing is there that was not sent."""
        now = client.ask("GET", f"/v1/sessions/{self.id}/decision", checked=False).json
        played = now["round"] - 1
        check(self.answered <= played <= self.sent, f"session {self.number}: {self.answered} rounds answered, {self.sent} sent, {played} there")
        self.take([now])

    def check_offline(self, ofw):
        """All of it again by `ofw pipe`; how many decisions were compared."""
        command = [ofw, "pipe", "--learner", self.document["learner"], "--domain", self.document["domain"], "--seed", str(self.seed), *self.options]
        feedback = "".join(self.line(t) + "\n" for t in range(1, self.answered + 1))
        done = subprocess.run(command, input=feedback, capture_output=True, text=True, check=False)
        same(done.returncode, 0, f"{command}: {done.stderr!r}, code")
        for text in done.stdout.splitlines():
            decision = json.loads(text)
            found = self.decisions.get(decision["round"])
            check(found is None or found == decision["decision"], f"session {self.number}, round {decision['round']}: {found}, offline {decision['decision']}")
        return len(self.decisions)


def load(server, sessions, seed, stop, failures):
    """One client with its share of the sessions, until the server is gone."""
    rng, client = random.Random(seed), server.client()
    try:
        while not stop.is_set():
            rng.choice(sessions).play(client, rng)
    except (OSError, http.client.HTTPException):
        pass                                     # it was killed
    except Exception as failure:                 # pylint: disable=broad-except
        failures.append(failure)
    finally:
        client.close()


def cycle(server, shares, rng, seconds):
    stop, failures = threading.Event(), []
    threads = [threading.Thread(target=load, args=(server, share, rng.random(), stop, failures)) for share in shares]
    for thread in threads:
        thread.start()
    time.sleep(rng.uniform(0, seconds))
    server.kill()
    stop.set()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", required=True)
    parser.add_argument("--cycles", type=int, default=500)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=0.6, help="the longest life of a server")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        def start():
            return Server(args.ofw, f"{folder}/state", "--max-log", str(3000 * args.sessions), "--max-sessions", str(args.sessions))
        server = start()
        client = server.client()
        sessions = []
        for number in range(args.sessions):
            kind = KINDS[number % len(KINDS)]
            sessions.append(Session(number, client.create(**kind[0], seed=number + 1), kind, number + 1))
        client.close()
        shares = [sessions[k::THREADS] for k in range(THREADS)]
        for number in range(args.cycles):
            cycle(server, shares, rng, args.seconds)
            server = start()
            same(server.sessions, args.sessions, "sessions that were recovered")
            client = server.client()
            for session in sessions if number % 10 == 0 else rng.sample(sessions, min(50, len(sessions))):
                session.check(client)
            client.close()
        client = server.client()
        for session in sessions:
            session.check(client)
        client.close()
        code, err = server.end()
        same(code, 0, f"stderr {err!r}, exit code")
        compared = sum(session.check_offline(args.ofw) for session in sessions)
    rounds = sum(session.answered for session in sessions)
    print(f"{args.cycles} kills, {args.sessions} sessions, {rounds} rounds acknowledged, 0 lost, {compared} decisions compared, 0 differ")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure_:
        print(f"kill_serve.py: {failure_}", file=sys.stderr)
        sys.exit(1)
