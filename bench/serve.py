#!/usr/bin/python3
"""What 'ofw serve' can do on this machine: many small sessions at once, and a large one beside 'ofw run'.

    serve.py --ofw PATH --client PATH [--seconds S] [--rounds N] [--turns N] [--folder FOLDER]

The client, bench_serve, runs on the same processors. One JSON object is printed.
"""
import argparse
import http.client
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

SIZES = [(1, 10), (8, 10), (64, 10), (64, 100), (64, 1000)]      # sessions, each with a connection, and numbers of a decision
ROWS, COLS, RATINGS = 943, 1682, 250
LARGE = f"trace-ball:rows={ROWS},cols={COLS},radius=5000"


class Server:
    def __init__(self, ofw, folder):
        self.process = subprocess.Popen([ofw, "serve", "--state", folder, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+),", self.process.stdout.readline()).group(1))
        self.http = http.client.HTTPConnection("127.0.0.1", self.port)

    def post(self, path, body):
        self.http.request("POST", path, body, {"Content-Type": "application/json"})
        answer = self.http.getresponse()
        text = answer.read()
        if answer.status >= 300:
            sys.exit(f"serve.py: {path}: {text.decode()}")
        return json.loads(text)

    def metric(self, name):
        self.http.request("GET", "/metrics")
        return float(re.search(rf"^{name} (\S+)$", self.http.getresponse().read().decode(), re.M).group(1))

    def end(self):
        self.http.close()
        self.process.terminate()
        self.process.wait()


def small_sessions(args, folder, sessions, dim):
    """Rounds per second and the time that each took, with one connection per session."""
    server = Server(args.ofw, folder)
    document = json.dumps({"learner": "ofw-ada", "domain": f"l2-ball:dim={dim}"})
    ids = [server.post("/v1/sessions", document)["id"] for _ in range(sessions)]
    done = subprocess.run([args.client, str(server.port), str(args.seconds), str(dim), *ids], capture_output=True, text=True, check=True)
    found = {"sessions": sessions, "dim": dim} | json.loads(done.stdout)
    found["rounds_per_commit"] = round(found["rounds"] / server.metric("ofw_commit_seconds_count"), 1)
    found["commit_ms"] = round(1e3 * server.metric("ofw_commit_seconds_sum") / server.metric("ofw_commit_seconds_count"), 3)
    server.end()
    return found


def ratings(rng, round_):
    """Feedback of so many ratings: a sparse gradient."""
    places = sorted(rng.sample(range(ROWS * COLS), RATINGS))
    values = [round(rng.uniform(-1, 1), 3) for _ in places]
    return json.dumps({"round": round_, "loss": round(sum(v * v for v in values), 6), "loss_gradient": {"index": places, "value": values}})


def play_alone(args, path):
    """Seconds per round by 'ofw run --stream replay'."""
    done = subprocess.run([args.ofw, "run", "--learner", "ofw-ada", "--domain", LARGE, "--stream", "replay:file=" + path, "--rounds", str(args.rounds), "--json"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["seconds"] / args.rounds


def play_served(args, path):
    """Seconds per round of the same lines over HTTP: a request each, sent when the one before is answered."""
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        server = Server(args.ofw, folder)
        session = server.post("/v1/sessions", json.dumps({"learner": "ofw-ada", "domain": LARGE}))["id"]
        done = subprocess.run([args.client, str(server.port), "--lines", path, session], capture_output=True, text=True, check=True)
        commit = server.metric("ofw_commit_seconds_sum") / server.metric("ofw_commit_seconds_count")
        server.end()
    found = json.loads(done.stdout)
    if found["rounds"] != args.rounds:
        sys.exit(f"serve.py: {found['rounds']} rounds were answered, expected {args.rounds}")
    return found["seconds"] / args.rounds, commit


def large_session(args, path):
    """Both by turns, since a machine is not equally fast at all times; the medians of both, and of their ratio."""
    turns = [(play_alone(args, path), *play_served(args, path)) for _ in range(args.turns)]
    return {"rows": ROWS, "cols": COLS, "rounds": args.rounds, "turns": args.turns, "run_ms": round(1e3 * statistics.median(turn[0] for turn in turns), 3),
            "serve_ms": round(1e3 * statistics.median(turn[1] for turn in turns), 3), "commit_ms": round(1e3 * statistics.median(turn[2] for turn in turns), 3),
            "ratio": round(statistics.median(served / alone for alone, served, _ in turns), 3)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", required=True)
    parser.add_argument("--client", required=True)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--turns", type=int, default=9, help="of the large session")
    parser.add_argument("--folder", help="where the state is kept: the disk that is measured")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        small = []
        for sessions, dim in SIZES:
            plays = [small_sessions(args, tempfile.mkdtemp(dir=folder), sessions, dim) for _ in range(3)]
            small.append(sorted(plays, key=lambda play: play["rounds_per_second"])[1])
        rng = random.Random(1)
        with open(os.path.join(folder, "rounds"), "w", encoding="utf-8") as file:
            file.writelines(ratings(rng, t) + "\n" for t in range(1, args.rounds + 1))
        large = large_session(args, file.name)
    print(json.dumps({"small": small, "large": large}))


if __name__ == "__main__":
    main()
