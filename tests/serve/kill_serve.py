#!/usr/bin/python3
"""Plays many sessions over HTTP, kills the server with -9 at random moments, starts it again, and goes on. Every acknowledged
round must be there, and every decision must be the one that `ofw pipe` gives for the same feedback, bit for bit.

    kill_serve.py --ofw PATH [--cycles N] [--sessions N] [--seed S] [--folder FOLDER] [--json]

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
         ({"learner": "ofw-ada", "domain": "trace-ball:rows=3,cols=1", "options": {"constraints": "budgets"}}, ["--set", "constraints=budgets"]),
         ({"learner": "ofw-ada", "domain": "simplex:dim=3", "options": {"delay": 5}}, ["--set", "delay=5"]),
         ({"learner": "ofw-tvc", "domain": "l2-ball:dim=3", "options": {"delay": 40, "horizon": "auto", "lipschitz": 2}},
          ["--set", "delay=40", "--horizon", "auto", "--lipschitz", "2"])]


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

    def keep(self, answers):
        for answer in answers:
            if "decision" in answer:
                before = self.decisions.setdefault(answer["round"], answer["decision"])
                same(answer["decision"], before, f"session {self.number}, round {answer['round']}: another decision")

    def take(self, answers):
        self.answered = max(self.answered, *(answer["round"] - 1 for answer in answers))
        self.keep(answers)

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

    def played(self):
        """All lines that were acknowledged, in their order."""
        return [self.line(t) for t in range(1, self.answered + 1)]

    def check_offline(self, ofw):
        """All of it again by `ofw pipe`; how many decisions were compared."""
        command = [ofw, "pipe", "--learner", self.document["learner"], "--domain", self.document["domain"], "--seed", str(self.seed), *self.options]
        done = subprocess.run(command, input="".join(text + "\n" for text in self.played()), capture_output=True, text=True, check=False)
        same(done.returncode, 0, f"{command}: {done.stderr!r}, code")
        for decision in [json.loads(text) for text in done.stdout.splitlines() if '"decision"' in text]:
            found = self.decisions.get(decision["round"])
            check(found is None or found == decision["decision"], f"session {self.number}, round {decision['round']}: {found}, offline {decision['decision']}")
        return len(self.decisions)


class LateSession(Session):
    """One with a delay, whose rounds are opened and answered in any order. A request without an answer is sent again as it was."""

    def __init__(self, *made):
        super().__init__(*made)
        self.delay = self.document["options"]["delay"]
        self.decided, self.open = 0, []        # rounds, as the acknowledged lines have left them
        self.log, self.flying = [], []         # lines that were acknowledged; those of the request that has no answer

    def after(self, lines):
        """Rounds decided, and open ones, after these lines."""
        decided, opened = self.decided, list(self.open)
        for text in lines:
            if '"ask"' in text:
                decided += 1
                opened.append(decided)
            else:
                opened.remove(json.loads(text)["round"])
        return decided, opened

    def next_lines(self, rng):
        lines = []
        for _ in range(rng.choice([1, 1, 2, 8])):
            decided, opened = self.after(lines)
            if opened and (len(opened) > self.delay or rng.random() < 0.5):
                lines.append(self.line(rng.choice(opened)))
            else:
                lines.append(json.dumps({"ask": {"decide": {"round": decided + 1}}}))
        return lines

    def acknowledge(self):
        self.decided, self.open = self.after(self.flying)
        self.answered = self.decided - len(self.open)
        self.log += self.flying
        self.flying = []

    def play(self, client, rng):
        again = rng.random() < 0.1 and not self.flying
        lines = self.log[-rng.choice([1, 3]):] if again else self.flying or self.next_lines(rng)
        if not again:
            self.flying = lines
        if lines:
            self.keep(client.feedback(self.id, "\n".join(lines), kind=LINES, checked=False).lines)
        if not again:
            self.acknowledge()

    def check(self, client):
        """All of a request is there or nothing, and the decisions of open rounds are what they were."""
        now = client.ask("GET", f"/v1/sessions/{self.id}", checked=False).json
        there = now["decided"], now["open_rounds"]
        check(there in ((self.decided, self.open), self.after(self.flying)), f"session {self.number}: {there}, acknowledged {self.decided, self.open}, then sent {self.flying}")
        self.keep([client.ask("GET", f"/v1/sessions/{self.id}/decision?round={t}", checked=False).json for t in now["open_rounds"][-3:]])
        if self.flying and there != (self.decided, self.open):
            self.acknowledge()

    def played(self):
        return self.log


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
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        def start():
            return Server(args.ofw, f"{folder}/state", "--max-log", str(3000 * args.sessions), "--max-sessions", str(args.sessions), "--timeout", "600")
        server = start()
        client = server.client()
        sessions = []
        for number in range(args.sessions):
            kind = KINDS[number % len(KINDS)]
            is_late = "delay" in kind[0].get("options", {})
            sessions.append((LateSession if is_late else Session)(number, client.create(**kind[0], seed=number + 1), kind, number + 1))
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
    late = [session for session in sessions if isinstance(session, LateSession)]
    found = {"kills": args.cycles, "sessions": args.sessions, "late_sessions": len(late), "rounds": sum(session.answered for session in sessions),
             "late_rounds": sum(session.answered for session in late), "decisions": compared}
    print(json.dumps(found) if args.json else
          "{kills} kills, {sessions} sessions, {late_sessions} of them with late feedback, {rounds} rounds acknowledged, 0 lost, {decisions} decisions compared, 0 differ".format(**found))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure_:
        print(f"kill_serve.py: {failure_}", file=sys.stderr)
        sys.exit(1)
