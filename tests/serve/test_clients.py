#!/usr/bin/python3
"""The clients of examples/ play against a real server: all alike, to the last bit, though answers are lost and the server is killed."""
import json
import os
import pathlib
import subprocess
import sys

from service import PATIENCE, check, same, serving
from unreliable import Unreliable

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from runner import main    # noqa: E402

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
CLIENTS = {"client.sh": ["sh"], "client.py": [sys.executable], "client.js": ["node"]}
ALL = CLIENTS | {"late_client.py": [sys.executable]}
ROUNDS, BUDGET = 96, 100
TOKEN = "write-0123456789abcdef"


def play(name, url, *words, token="", code=0):
    env = os.environ | {"OFW_TOKEN": token}
    done = subprocess.run([*ALL[name], EXAMPLES / name, url, str(ROUNDS), *words], capture_output=True, text=True, env=env, timeout=PATIENCE, check=False)
    same(done.returncode, code, f"{name}: {done.stderr!r}, code")
    return done.stdout if code == 0 else done.stderr


def by_pipe(ofw, rounds):
    """The same game over `ofw pipe`, from the comment that opens client.py: the line that is printed, and the last decision."""
    spent = worth = 0.0
    with ofw.start("pipe", "--learner", "ofw-ada", "--domain", "hypercube01:dim=3", "--set", "constraints=budgets", "--set", f"period={rounds}") as pipe:
        x = json.loads(pipe.stdout.readline())["decision"]
        for t in range(1, rounds + 1):
            values = [0.5 + (7919 * t + 104729 * i) % 1009 / 1009 for i in range(3)]
            costs = [(0.4 + 0.3 * i) * (0.8 + 31 * t % 97 / 240) for i in range(3)]
            loss = 0.0 - sum(v * (y - y * y / 2) for v, y in zip(values, x))
            spend = sum(c * y for c, y in zip(costs, x))
            pipe.stdin.write(json.dumps({"loss": loss, "loss_gradient": [v * (y - 1) for v, y in zip(values, x)],
                                         "constraint": spend - BUDGET / rounds, "constraint_gradient": costs}) + "\n")
            pipe.stdin.flush()
            x = json.loads(pipe.stdout.readline())["decision"]
            spent, worth = spent + spend, worth - loss
    check(0.98 * BUDGET < spent < 1.02 * BUDGET, f"{spent} of {BUDGET} is spent")
    return f"{rounds} rounds, spent {spent:.2f} of {BUDGET:.2f}, worth {worth:.2f}\n", x


def outcome(client):
    """The last session's decision, and all that it remembers."""
    session = client.get("/v1/sessions").json["sessions"][-1]["id"]
    state = client.get(f"/v1/sessions/{session}/export").json["state"]
    return client.get(f"/v1/sessions/{session}/decision").json["decision"], state


def test_all_clients_play_alike(ofw):
    line, last = by_pipe(ofw, ROUNDS)
    with serving(ofw) as (server, client):
        found = []
        for name in CLIENTS:
            same(play(name, f"http://127.0.0.1:{server.port}"), line, name)
            found.append(outcome(client))
            same(found[-1], (last, found[0][1]), f"{name}: the last decision and the state")
    for name in CLIENTS:
        way = Unreliable(ofw.path, ofw.file(f"state-{name}"), lose=9, kill=(20, 40, 70, 71))
        try:
            same(play(name, way.url), line, f"{name}, with lost answers and kills")
            client = way.server.client()
            same(outcome(client), found[0], f"{name}, with lost answers and kills: the last decision and the state")
            client.close()
            check(way.kills == 4 and way.lost > 8, f"{way.kills} kills, {way.lost} lost answers")
        finally:
            same(way.close(), (0, ""), "exit code and stderr of the server")


def late_by_pipe(ofw, rounds, late):
    """late_client.py over `ofw pipe`, from its comment: the line that it prints."""
    spent = worth = 0.0
    opened = {}
    with ofw.start("pipe", "--learner", "ofw-ada", "--domain", "hypercube01:dim=3", "--set", "constraints=budgets", "--set", f"delay={late}") as pipe:
        def ask(document):
            pipe.stdin.write(json.dumps(document) + "\n")
            pipe.stdin.flush()
            return json.loads(pipe.stdout.readline())
        pipe.stdout.readline()
        for t in range(1, rounds + late + 1):
            if t > late:
                x, costs = opened.pop(t - late), [(0.4 + 0.3 * i) * (0.8 + 31 * (t - late) % 97 / 240) for i in range(3)]
                values = [0.5 + (7919 * (t - late) + 104729 * i) % 1009 / 1009 for i in range(3)]
                loss, spend = -sum(v * (y - y * y / 2) for v, y in zip(values, x)), sum(c * y for c, y in zip(costs, x))
                ask({"round": t - late, "loss": loss, "loss_gradient": [v * (y - 1) for v, y in zip(values, x)],
                     "constraint": spend - BUDGET / rounds, "constraint_gradient": costs})
                spent, worth = spent + spend, worth - loss
            if t <= rounds:
                opened[t] = ask({"ask": {"decide": {}}})["decision"]
    check(0.7 * BUDGET < spent < 1.05 * BUDGET, f"{spent} of {BUDGET} is spent")
    return f"{rounds} rounds, {late} late, spent {spent:.2f} of {BUDGET:.2f}, worth {worth:.2f}\n"


def test_a_client_that_answers_late(ofw):
    line = late_by_pipe(ofw, ROUNDS, 12)
    way = Unreliable(ofw.path, ofw.file("state"), lose=9, kill=(20, 40, 70, 71))
    try:
        same(play("late_client.py", way.url), line, "late_client.py, with lost answers and kills")
        check(way.kills == 4 and way.lost > 8, f"{way.kills} kills, {way.lost} lost answers")
        session = way.server.client().get("/v1/sessions").json["sessions"][-1]
        same((session["account"]["round"], session["account"]["open"]), (ROUNDS, 0), "rounds, and open ones")
    finally:
        same(way.close(), (0, ""), "exit code and stderr of the server")


def test_the_page_has_what_they_print(ofw):
    page = (EXAMPLES.parent / "docs/service.md").read_text(encoding="utf-8")
    line = by_pipe(ofw, 288)[0]
    check(f"\n    {line}" in page, f"docs/service.md lacks {line!r}")


def test_tokens_refusals_and_the_end_of_a_session(ofw):
    ofw.write("tokens", f"write {TOKEN}\n")
    os.chmod(ofw.file("tokens"), 0o600)
    with serving(ofw, "--token-file", ofw.file("tokens"), token=TOKEN) as (server, client):
        url = f"http://127.0.0.1:{server.port}"
        for name in ALL:
            said = play(name, url, code=1)
            check(said.startswith(f"{name}: ".replace("late_", "")) and "urn:ofw:problem:unauthorized" in said, f"{name} without a token: {said!r}")
            play(name, url, "--delete", token=TOKEN)
        same(client.get("/v1/sessions").json["sessions"], [], "sessions that are left")


if __name__ == "__main__":
    sys.exit(main("the clients against a server", globals()))
