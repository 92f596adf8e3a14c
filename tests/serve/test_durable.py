#!/usr/bin/python3
"""What outlives a server: rounds, sessions, repeats; through SIGKILL, SIGTERM, a full disk, damage, and a log that begins again."""
import argparse
import glob
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from service import LINES, Failure, Server, check, line, same, serving

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import Ofw    # noqa: E402


def account(client, session):
    return client.get(f"/v1/sessions/{session}").json, client.get(f"/v1/sessions/{session}/decision").json, client.get(f"/v1/sessions/{session}/trace").json


def test_a_killed_server_forgets_nothing(ofw, _):
    server = Server(ofw.path, ofw.file("state"))
    client = server.client()
    kept, removed = client.create(name="kept"), client.create(name="removed")
    for t in range(1, 41):
        client.feedback(kept, line(t))
        client.feedback(removed, line(t))
        if t == 17:
            same(client.post(f"/v1/sessions/{kept}/snapshot").json, {"round": 17}, "a snapshot")
    client.delete(f"/v1/sessions/{removed}")
    before = account(client, kept)
    last = client.feedback(kept, line(40), decide=1).body
    client.close()
    server.kill()
    with serving(ofw) as (server, client):
        same(server.sessions, 1, "sessions")
        same(account(client, kept), before, "the session")
        same(client.feedback(kept, line(40), decide=1).body, last, "the last round again")
        same(client.feedback(kept, line(3)).json, {"round": 4}, "an early round again")
        client.feedback(kept, line(3, shift=1), 409)
        client.get(f"/v1/sessions/{removed}", 404)
        client.feedback(kept, line(41))


def test_sigterm_drains(ofw, _):
    server = Server(ofw.path, ofw.file("state"))
    sessions = [server.client().create() for _ in range(8)]
    answered = [0] * len(sessions)

    def load(k):
        client = server.client()
        try:
            while True:
                answer = client.ask("POST", f"/v1/sessions/{sessions[k]}/feedback", line(answered[k] + 1))
                if answer.status != 200:
                    same(answer.status, 503, answer.body)
                    return
                answered[k] = answer.json["round"] - 1
        except (OSError, http.client.HTTPException):
            return

    threads = [threading.Thread(target=load, args=(k,)) for k in range(len(sessions))]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    same(server.end(), (0, ""), "exit code and stderr")
    for thread in threads:
        thread.join()
    check(all(answered), f"rounds {answered}")
    same(sorted(os.path.basename(p) for p in glob.glob(ofw.file("state/checkpoints/*"))), sorted(sessions), "a checkpoint of each session")
    with serving(ofw) as (_, client):
        for session, rounds in zip(sessions, answered):
            same(client.get(f"/v1/sessions/{session}").json["account"]["round"], rounds, "rounds")


def test_a_log_that_has_grown_begins_again(ofw, _):
    with serving(ofw, "--max-log", "4096") as (_, client):
        session, idle = client.create(), client.create()
        client.feedback(idle, line(1))
        deadline = time.monotonic() + 60
        t = 1
        while not glob.glob(ofw.file("state/log-*[2-9]")) or os.path.exists(ofw.file("state/log-00000001")):
            client.feedback(session, "\n".join(line(k) for k in range(t, t + 10)), kind=LINES)
            t += 10
            check(time.monotonic() < deadline, f"files {os.listdir(ofw.file('state'))}")
        before = account(client, session), account(client, idle)
        same(sorted(os.listdir(ofw.file("state/checkpoints")))[0][:16], min(session, idle), "checkpoints")
    with serving(ofw) as (_, client):
        same((account(client, session), account(client, idle)), before, "the sessions")


def large_line(round_):
    """A round that takes some milliseconds."""
    return json.dumps({"round": round_, "loss": 1, "loss_gradient": {"index": [(round_ * 7919 + k * 104729) % 1500000 for k in range(200)], "value": [1] * 200}})


def post(connection, session, lines):
    """A request whose answer is waited for later."""
    body = "\n".join(lines).encode()
    connection.sendall(f"POST /v1/sessions/{session}/feedback HTTP/1.1\r\nHost: localhost\r\nContent-Type: {LINES}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)


def test_a_log_begins_again_while_a_round_waits_to_be_played(ofw, _):
    """Rounds are on the disk, and the thread that is to play them is busy with a large session for longer than the log may stay long.
    Their sessions have a checkpoint, and nothing was played since: it is not the checkpoint of those rounds."""
    server = Server(ofw.path, ofw.file("state"), "--max-log", "4096")
    client = server.client()
    small = [client.create() for _ in range(4)]
    first, second = [client.create(domain="trace-ball:rows=1200,cols=1682,radius=50") for _ in range(2)]
    for session in small:
        client.feedback(session, line(1))
        client.post(f"/v1/sessions/{session}/snapshot")
    client.close()
    every = [socket.create_connection(("127.0.0.1", server.port), 60) for _ in range(12)]
    one = every[::2]                             # connections go to the two threads in turn: these share one
    post(one[0], first, [large_line(t) for t in range(1, 31)])
    time.sleep(0.1)
    for connection, session in zip(one[1:3], small):
        post(connection, session, [line(2)])
    post(one[3], second, [large_line(t) for t in range(1, 257)])
    for connection, session in zip(one[4:6], small[2:]):
        post(connection, session, [line(2)])
    for connection in one:
        check(connection.recv(100).startswith(b"HTTP/1.1 200 "), "an answer")
    deadline = time.monotonic() + 60
    while os.path.exists(ofw.file("state/log-00000001")):
        time.sleep(0.05)
        check(time.monotonic() < deadline, f"files {os.listdir(ofw.file('state'))}")
    time.sleep(0.3)                              # until the files that the second compaction drops are gone
    for connection in every:
        connection.close()
    server.kill()
    with serving(ofw) as (_, client):
        same([client.get(f"/v1/sessions/{session}").json["account"]["round"] for session in small], [2] * 4, "rounds that were acknowledged")


def test_damage_is_refused_and_a_torn_end_is_not(ofw, _):
    server = Server(ofw.path, ofw.file("state"))
    client = server.client()
    session = client.create()
    for t in range(1, 20):
        client.feedback(session, line(t))
    client.close()
    server.kill()
    log = ofw.file("state/log-00000001")
    with open(log, "rb") as file:
        whole = file.read()
    with open(log, "wb") as file:
        file.write(whole[:-30])
    with serving(ofw, folder="state") as (_, client):
        same(client.get(f"/v1/sessions/{session}").json["waits_for"], 19, "the last commit was torn, so nobody was told of it")
    with open(log, "wb") as file:
        file.write(whole[:1500].replace(b"loss", b"lass") + whole[1500:])
    os.remove(ofw.file(f"state/checkpoints/{session}"))
    done = ofw.run("serve", "--state", ofw.file("state"), "--listen", "127.0.0.1:0")
    same((done.returncode, done.stderr.count("\n")), (3, 1), done.stderr)
    check("log-00000001" in done.stderr and "does not match its checksum" in done.stderr, done.stderr)
    with open(log, "wb") as file:
        file.write(whole)
    with serving(ofw) as (_, client):
        same(client.get(f"/v1/sessions/{session}").json["waits_for"], 20, "the whole log")
    shutil.copy(log, ofw.file("state/log-00000003"))
    check("found 2 of them" in ofw.run("serve", "--state", ofw.file("state")).stderr, "a file of the log is missing")


def test_a_write_that_fails_is_answered_by_507(ofw, inject):
    """One write to the log fails, the system says that the disk is full; the next ones do not."""
    before = [inject, "-s", "write", "-p", "log-", "-n", "12", "-e", "ENOSPC", "--"]
    with serving(ofw, before=before, quiet=False) as (_, client):
        session = client.create()
        statuses, t = [], 1
        deadline = time.monotonic() + 60
        while t <= 25:
            answer = client.ask("POST", f"/v1/sessions/{session}/feedback", line(t, shift=len(statuses)))
            statuses.append(answer.status)
            if answer.status == 200:
                t += 1
            else:
                same((answer.status, answer.json["round"]), (507, t), answer.body)
                check("No space left on device" in answer.json["detail"], answer.json["detail"])
                same(client.get(f"/v1/sessions/{session}/decision").json["round"], t, "reads are served")
                check(time.monotonic() < deadline, "it does not recover")
                time.sleep(0.02)
        check(507 in statuses and statuses[-1] == 200, f"{statuses}")
        before = account(client, session)
    shutil.rmtree(ofw.file("state/checkpoints"))
    with serving(ofw) as (_, client):
        same(account(client, session), before, "replayed from the log: lines that were answered by 507 are not in it")


def test_a_decision_that_cannot_be_kept_is_not_given_out(ofw, inject):
    """With a delay: the write of one decide fails, and the same request succeeds later."""
    with serving(ofw, before=[inject, "-s", "write", "-p", "log-", "-n", "5", "-e", "ENOSPC", "--"], quiet=False) as (_, client):
        session, statuses, deadline = client.create(options={"delay": 20}), [], time.monotonic() + 60
        while statuses.count(200) < 12:
            opened = statuses.count(200)
            answer = client.ask("POST", f"/v1/sessions/{session}/decide", {"round": opened + 1})
            statuses.append(answer.status)
            if answer.status != 200:
                same((answer.status, client.get(f"/v1/sessions/{session}").json["decided"]), (507, opened), answer.body)
                check(time.monotonic() < deadline, "it does not recover")
                time.sleep(0.02)
        check(507 in statuses, f"{statuses}")
        before = client.get(f"/v1/sessions/{session}").json
    shutil.rmtree(ofw.file("state/checkpoints"))
    with serving(ofw) as (_, client):
        same(client.get(f"/v1/sessions/{session}").json, before, "replayed from the log")


def test_a_full_disk(ofw, _):
    """A file system of half a megabyte that runs full, and has room again."""
    os.mkdir(ofw.file("small"))
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", ofw.file("small")], capture_output=True, text=True, check=False)
    if mounted.returncode:
        print(f"     no file system can be mounted here: {mounted.stderr.strip()}")
        return
    try:
        with serving(ofw, folder="small/state", quiet=False) as (_, client):
            session = client.create()
            with open(ofw.file("small/ballast"), "wb") as ballast:
                ballast.write(bytes(200 << 10))
            t, deadline = 1, time.monotonic() + 60
            while (answer := client.feedback_any(session, "\n".join(line(k) for k in range(t, t + 50)))).status == 200:
                t += 50
            same(answer.status, 507, answer.body)
            client.get("/readyz", 507)
            check("ofw_storage_failed 1" in client.get("/metrics").body.decode(), "metrics")
            same(client.get(f"/v1/sessions/{session}/decision").json["round"], t, "reads are served")
            check(client.ask("POST", "/v1/sessions", {"learner": "ofw-ada", "domain": "l2-ball:dim=3"}).status in (201, 507), "a new session")
            os.remove(ofw.file("small/ballast"))
            while client.feedback_any(session, line(t)).status != 200:
                check(time.monotonic() < deadline, "it does not recover")
                time.sleep(0.05)
            while client.ask("GET", "/readyz").status != 200:
                check(time.monotonic() < deadline, "it is not ready again")
            before = account(client, session)
        with serving(ofw, folder="small/state") as (_, client):
            same(account(client, session), before, "the session")
    finally:
        subprocess.run(["umount", ofw.file("small")], check=False)


def test_kills_at_system_calls(ofw, inject):
    """The server is killed at a write, a sync, a rename or a removal of its files; what was acknowledged is there."""
    for name, how in (("write", "kill"), ("write", "torn"), ("fsync", "kill"), ("rename", "kill"), ("unlink", "kill"), ("ftruncate", "kill")):
        for number in (2, 5, 9, 14):
            folder = f"{name}-{how}-{number}"
            before = [inject, "-s", name, "-p", folder, "-n", str(number), "-e", how, "--"]
            answered, session = 0, None
            try:
                server = Server(ofw.path, ofw.file(folder), "--max-log", "4096", before=before)
            except Failure:
                server = None                 # killed before it listened
            try:
                client = server and server.client()
                while client and answered < 60:
                    session = session or client.create()
                    answered = client.feedback(session, line(answered + 1)).json["round"] - 1
                    if answered % 20 == 0:
                        client.post(f"/v1/sessions/{session}/snapshot")
            except (OSError, http.client.HTTPException):
                pass
            if server:
                server.kill()
                client.close()
            with serving(ofw, folder=folder, quiet=False) as (_, client):
                listed = client.get("/v1/sessions").json["sessions"]
                if session:
                    there = [one["waits_for"] - 1 for one in listed if one["id"] == session]
                    check(there and answered <= there[0] <= answered + 1, f"{folder}: {answered} rounds answered, {there} there")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", required=True)
    parser.add_argument("--inject", required=True)
    parser.add_argument("--filter", default="")
    args = parser.parse_args()
    failed = 0
    for name, test in [(n, t) for n, t in globals().items() if n.startswith("test_") and args.filter in n]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Ofw(os.path.abspath(args.ofw), folder), os.path.abspath(args.inject))
                print(f"ok   {name[5:].replace('_', ' ')}", flush=True)
            except (Failure, OSError, ValueError, KeyError) as failure:
                failed += 1
                print(f"FAIL {name[5:].replace('_', ' ')}: {failure!r}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
