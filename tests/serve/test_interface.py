#!/usr/bin/python3
"""Every path of the service, and every error, with a real server on loopback; answers are held to the OpenAPI document."""
import json
import os
import shutil
import socket
import subprocess
import sys
import time

from service import LINES, OPENAPI, Client, as_base64, check, line, same, serving, schema_check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from runner import main    # noqa: E402

READ, WRITE = "read-0123456789abcdef", "write-0123456789abcdef"


def pipe(ofw, *options, lines=()):
    done = ofw.run("pipe", *options, stdin="".join(text + "\n" for text in lines))
    same(done.returncode, 0, f"ofw pipe: {done.stderr!r}, code")
    return [json.loads(text) for text in done.stdout.splitlines()]


# --- sessions ---

def test_sessions_are_made_listed_described_and_removed(ofw):
    with serving(ofw) as (_, client):
        made = client.post("/v1/sessions", {"learner": "ofw-tvc", "domain": "l1-ball:dim=4,radius=1", "seed": 3, "name": "Käse \"1\"",
                                            "options": {"horizon": 100, "lipschitz": 2, "sigma": "line-search"}}, 201)
        one = made.json
        same(made.headers["Location"], f"/v1/sessions/{one['id']}", "Location")
        same((one["learner"], one["name"], one["seed"], one["waits_for"], one["dim"], one["bandit"]),
             ("ofw-tvc", "Käse \"1\"", 3, 1, 4, False), "the session")
        same(one["options"], {"horizon": 100, "lipschitz": 2, "sigma": "line-search"}, "options")
        check("sigma=line-search" in one["config"] and "horizon=100" in one["config"], one["config"])
        ids = [one["id"]] + [client.create() for _ in range(4)]
        same(client.get(f"/v1/sessions/{ids[0]}").json, one, "described")
        listed = client.get("/v1/sessions").json
        same([s["id"] for s in listed["sessions"]], ids, "the order of creation")
        page = client.get(f"/v1/sessions?limit=2&after={ids[1]}").json
        same(([s["id"] for s in page["sessions"]], page["more"]), (ids[2:4], True), "a page")
        client.delete(f"/v1/sessions/{ids[2]}")
        for path in ("", "/decision", "/trace", "/events", "/export"):
            client.get(f"/v1/sessions/{ids[2]}{path}", 404)
        client.delete(f"/v1/sessions/{ids[2]}", 404)
        same(len(client.get("/v1/sessions").json["sessions"]), 4, "sessions that are left")


def test_every_learner_plays_a_round(ofw):
    with serving(ofw) as (_, client):
        catalogue = client.get("/v1/catalogue").json
        check(len(catalogue["learners"]) > 10 and len(catalogue["domains"]) > 10 and catalogue["settings"], "the catalogue")
        for learner in catalogue["learners"]:
            options = {} if learner["parameter_free"] else {"horizon": 50, "lipschitz": 3}
            if learner["name"] in ("scofw", "scofw-tvc", "scbfw-tvc", "ofw-ada-sc"):
                options["strong-convexity"] = 1
            if learner["name"] in ("lbpm", "bfw-tvc", "scbfw-tvc"):
                options["loss-bound"] = 3
            session = client.create(learner["name"], "l2-ball:dim=3", options)
            same(client.get(f"/v1/sessions/{session}/decision").json["round"], 1, "round")
            answer = client.feedback(session, line(1, bandit=learner["bandit"]), decide=1).json
            same((answer["round"], len(answer["decision"])), (2, 3), f"{learner['name']}: the next decision")
            same("center" in answer, learner["bandit"], f"{learner['name']}: has a center")
        for domain in catalogue["domains"]:
            check(domain["options"] or domain["example"], f"{domain['name']} explains nothing")


def test_decisions_are_read_in_parts(ofw):
    with serving(ofw) as (_, client):
        session = client.create("ofw-ada", "trace-ball:rows=3,cols=2")
        for t in range(1, 6):
            client.feedback(session, line(t, 6))
        path = f"/v1/sessions/{session}/decision"
        whole = client.get(path).json["decision"]
        same(client.get(f"{path}?row=1").json, {"round": 6, "row": whole[2:4]}, "a row")
        same(client.get(f"{path}?entries=0:1,2:0").json, {"round": 6, "entries": [whole[1], whole[4]]}, "cells")
        top = client.get(f"{path}?row=2&top=1").json["top"]
        same((top["value"], whole[4 + top["index"][0]]), ([max(whole[4:])], max(whole[4:])), "the largest of a row")
        for query, text in (("row=3", "row 3 is not below"), ("entries=9:0", "row 9"), ("entries=0:9", "column 9"), ("entries=a", "expected i"),
                            ("entries=", "expected i"), ("row=x", "row: expected a whole number"), ("top=2", "'row' is missing"),
                            ("entries=1:2:3", "cell"), ("row=1&entries=0:0", "alone"), ("entries=,", "")):
            check(text in client.get(f"{path}?{query}", 400).json["detail"], query)
        vector = client.create("ofw-ada", "simplex:dim=5")
        whole = client.get(f"/v1/sessions/{vector}/decision").json["decision"]
        same(client.get(f"/v1/sessions/{vector}/decision?entries=4,0").json["entries"], [whole[4], whole[0]], "entries")
        same(len(client.get(f"/v1/sessions/{vector}/decision?top=2").json["top"]["index"]), 2, "the largest")
        large = client.create("ofw-ada", "trace-ball:rows=3000,cols=3000", {"storage": "factored", "rank": 4})
        same(len(client.get(f"/v1/sessions/{large}/decision?row=7&top=3").json["top"]["value"]), 3, "of a large matrix")


# --- rounds ---

def test_decisions_are_those_of_the_pipe(ofw):
    with serving(ofw) as (_, client):
        lines = [line(t, 4) for t in range(1, 40)]
        wanted = pipe(ofw, "--learner", "ofw-ada", "--domain", "simplex:dim=4", lines=lines)
        session = client.create("ofw-ada", "simplex:dim=4")
        found = [client.get(f"/v1/sessions/{session}/decision").json]
        for text in lines[:20]:
            found.append(client.feedback(session, text, decide=1).json)
        found += client.feedback(session, "\n".join(lines[20:]), decide=1, kind=LINES).lines
        same(found, wanted, "decisions")


def test_feedback_is_idempotent_by_round(ofw):
    with serving(ofw) as (_, client):
        session = client.create()
        first = client.feedback(session, line(1), decide=1)
        same(client.feedback(session, line(1), decide=1).body, first.body, "the same round again")
        same(client.feedback(session, line(1)).json, {"round": 2}, "without its decision")
        problem = client.feedback(session, line(1, shift=1), 409).json
        same(problem["round"], 2, "the round that is waited for")
        check("other feedback" in problem["detail"], problem["detail"])
        check("expected the feedback of round 2" in client.feedback(session, line(3), 409).json["detail"], "a skipped round")
        client.feedback(session, line(2))
        same(client.feedback(session, line(1), decide=1).json, {"round": 2}, "an earlier round has no decision any more")
        same(client.get(f"/v1/sessions/{session}").json["account"]["round"], 2, "rounds")
        spread = json.dumps(json.loads(line(3)), indent=2)
        same(client.feedback(session, spread).json, {"round": 4}, "a document over several lines")
        same(client.feedback(session, spread).json, {"round": 4}, "the same again")


def test_batches(ofw):
    with serving(ofw) as (_, client):
        session = client.create()
        texts = [line(t) for t in range(1, 301)]
        same([a["round"] for a in client.feedback(session, "\n".join(texts[:9]) + "\n", kind=LINES).lines], list(range(2, 11)), "answers")
        again = client.feedback(session, "\n".join(texts[4:12]), decide=1, kind=LINES).lines
        same([a["round"] for a in again], list(range(6, 14)), "half of it again")
        same(["decision" in a for a in again], [False] * 4 + [True] * 4, "decisions that have not passed")
        bad = client.feedback(session, "\n".join([texts[12], texts[13], texts[20], texts[14]]), 409, kind=LINES).json
        same((bad["accepted"], bad["round"]), (2, 15), "lines before the one that is refused")
        check(bad["detail"].startswith("line 3: "), bad["detail"])
        bad = client.feedback(session, "\n".join([texts[14], '{"round":16,"loss":1}']), 400, kind=LINES).json
        same((bad["accepted"], bad["detail"]), (1, "line 2: field 'loss_gradient' is missing"), "a bad line")
        bad = client.feedback(session, "\n".join(texts[15:290]), 400, kind=LINES).json
        same((bad["accepted"], bad["round"]), (256, 272), "too many lines")
        check("at most 256 lines" in bad["detail"], bad["detail"])
        client.feedback(session, "\n\n", 400, kind=LINES)
        check("expected the feedback of round 272" in client.feedback(session, texts[10], 409).json["detail"], "a round of long ago")


def test_ids_come_back(ofw):
    with serving(ofw) as (_, client):
        session = client.create()
        text = line(1)[:-1] + ',"id":"a-7"}'
        same(client.feedback(session, text).json, {"round": 2, "id": "a-7"}, "with an id")
        same(client.feedback(session, text).json, {"round": 2, "id": "a-7"}, "again")


def test_a_learner_that_fails(ofw):
    with serving(ofw) as (_, client):
        session = client.create("ofw-tvc", "l2-ball:dim=2", {"horizon": 10, "lipschitz": 1})
        huge = '{"round":%d,"loss":1,"loss_gradient":[1e308,1e308],"constraint":1e308,"constraint_gradient":[1e308,1e308]}'
        status = 200
        for t in range(1, 20):
            answer = client.ask("POST", f"/v1/sessions/{session}/feedback", huge % t)
            status = answer.status
            if status != 200:
                break
        if status != 200:
            same((status, answer.json["type"]), (409, "urn:ofw:problem:failed"), answer.body)
            same(client.get(f"/v1/sessions/{session}").json["status"], "failed", "status")
            client.get(f"/v1/sessions/{session}/decision", 409)
            client.get(f"/v1/sessions/{session}/export")


# --- watching ---

def test_traces_are_thinned(ofw):
    with serving(ofw) as (_, client):
        session = client.create()
        same(len(client.get(f"/v1/sessions/{session}/trace").json["rows"]), 1, "rows before the first round")
        for begin in range(1, 1501, 250):
            client.feedback(session, "\n".join(line(t) for t in range(begin, begin + 250)), kind=LINES)
        trace = client.get(f"/v1/sessions/{session}/trace?points=513").json
        rounds = [row[0] for row in trace["rows"]]
        same(rounds, list(range(4, 1501, 4)), "rounds at equal distances, and the last")
        column = trace["columns"].index("loss_sum")
        total, sums = 0.0, {}
        for t in range(1, 1501):
            total += json.loads(line(t))["loss"]
            sums[t] = total
        check(all(row[column] == sums[row[0]] for row in trace["rows"]), "sums of losses")
        few = client.get(f"/v1/sessions/{session}/trace?points=10").json["rows"]
        check(2 < len(few) <= 11 and few[-1][0] == 1500, f"{len(few)} rows, the last of {few[-1][0]}")
        same(dict(zip(trace["columns"], trace["rows"][-1])), client.get(f"/v1/sessions/{session}").json["account"], "the account")
        for points in ("1", "514", "x"):
            client.get(f"/v1/sessions/{session}/trace?points={points}", 400)


def read_events(stream, until):
    """Events until one of this kind, and that one's data."""
    kinds, data = [], None
    for text in stream:
        text = text.decode().rstrip("\n")
        if text.startswith("event: "):
            kinds.append(text[7:])
        elif text.startswith("data: "):
            data = json.loads(text[6:])
            if kinds[-1] == "row":
                schema_check(OPENAPI["components"]["schemas"]["Row"], data, "an event")
        elif text == "" and kinds and kinds[-1] == until[0] and (until[1] is None or data["round"] == until[1]):
            return kinds, data
    return kinds, data


def test_events(ofw):
    import http.client
    with serving(ofw, "--max-streams", "2") as (server, client):
        session = client.create()
        streams = []
        for _ in range(2):
            streams.append(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30))
            streams[-1].request("GET", f"/v1/sessions/{session}/events")
        answers = [stream.getresponse() for stream in streams]
        same([(a.status, a.getheader("Content-Type")) for a in answers], [(200, "text/event-stream")] * 2, "the streams")
        check("streams" in client.get(f"/v1/sessions/{session}/events", 503).json["detail"], "a third one")
        same(read_events(answers[0], ("row", 0))[1]["round"], 0, "at first")
        for t in range(1, 31):
            client.feedback(session, line(t))
        data = read_events(answers[0], ("row", 30))[1]
        same(data, client.get(f"/v1/sessions/{session}").json["account"], "the last event")
        streams[1].close()
        client.delete(f"/v1/sessions/{session}")
        same(read_events(answers[0], ("end", None))[0][-1], "end", "the last event of a session that was removed")
        same(answers[0].read(), b"", "what follows the end")


def test_health_metrics_and_interface(ofw):
    with serving(ofw) as (_, client):
        same(client.get("/healthz").body, b"ok\n", "healthz")
        same(client.get("/readyz").body, b"ready\n", "readyz")
        same(client.get("/openapi.json").json, OPENAPI, "openapi.json")
        session = client.create()
        for t in range(1, 4):
            client.feedback(session, line(t))
        text = client.get("/metrics").body.decode()
        values = dict(text_line.rsplit(" ", 1) for text_line in text.splitlines() if not text_line.startswith("#"))
        same((values["ofw_rounds_total"], values["ofw_sessions"], values["ofw_storage_failed"]), ("3", "1", "0"), "metrics")
        if shutil.which("promtool"):
            done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, check=False)
            same((done.returncode, done.stdout + done.stderr), (0, ""), "promtool")
        else:
            print("     promtool (prometheus) is not there: the format of the metrics is not checked")


# --- moving ---

def test_export_and_import(ofw):
    spec = ["--learner", "ofw-tvc", "--domain", "l1-ball:dim=3", "--horizon", "200", "--lipschitz", "2", "--seed", "5"]
    lines = [line(t) for t in range(1, 31)]
    wanted = pipe(ofw, *spec, lines=lines)
    with serving(ofw) as (_, client):
        session = client.create("ofw-tvc", "l1-ball:dim=3", {"horizon": 200, "lipschitz": 2}, seed=5, name="a")
        for text in lines[:10]:
            client.feedback(session, text)
        document = client.get(f"/v1/sessions/{session}/export").json
        copy = client.post("/v1/sessions", document, 201).json
        same((copy["waits_for"], copy["name"]), (11, "a"), "the copy")
        found = [client.feedback(copy["id"], text, decide=1).json for text in lines[10:]]
        same(found, wanted[11:], "decisions of the copy")
        with open(ofw.file("exported"), "wb") as file:
            file.write(client.get(f"/v1/sessions/{session}/export?as=checkpoint").body)
        same(pipe(ofw, *spec, "--state", "exported", lines=lines[10:]), wanted[10:], "decisions of ofw pipe --state")
        done = ofw.run("pipe", *spec, "--log", "log", "--checkpoint", "kept", "--checkpoint-every", "7", stdin="".join(f"{t}\n" for t in lines[:14]))
        same(done.returncode, 0, done.stderr)
        with open(ofw.file("kept"), "rb") as file:
            document["state"] = as_base64(file.read())
        from_pipe = client.post("/v1/sessions", document, 201).json
        same(from_pipe["waits_for"], 15, "the round of a checkpoint of ofw pipe")
        same([client.feedback(from_pipe["id"], text, decide=1).json for text in lines[14:]], wanted[15:], "its decisions")
        for change, text in (({"seed": 6}, "seed"), ({"state": "!!"}, "base64"), ({"state": as_base64(b"x" * 99)}, "not a checkpoint")):
            check(text in client.post("/v1/sessions", document | change, 400).json["detail"], f"{change}")
        client.get(f"/v1/sessions/{session}/export?as=x", 400)


# --- refusals ---

def test_documents_that_are_refused(ofw):
    good = {"learner": "ofw-ada", "domain": "l2-ball:dim=3"}
    cases = [({}, "'learner' is missing"), ({"learner": "ofw-ada"}, "'domain' is missing"), (good | {"x": 1}, "unknown field 'x'"),
             (good | {"learner": "ofw-adda"}, "did you mean 'ofw-ada'"), (good | {"learner": "ofw-ada:beta=1"}, "without options"),
             (good | {"learner": 7}, "a text in quotes"), (good | {"domain": "l3-ball:dim=3"}, "did you mean"),
             (good | {"domain": "hull:points=@/etc/passwd"}, "files (@FILE)"), (good | {"domain": "l2-ball:dim=1e9"}, ""),
             (good | {"domain": "l2-ball:dim=20000"}, "at most 10000"), (good | {"options": []}, "an object"),
             (good | {"options": {"start": "@/etc/passwd"}}, "files (@FILE)"), (good | {"options": {"threads": 9}}, "own threads"),
             (good | {"options": {"seed": 9}}, "field of its own"), (good | {"options": {"nope": 1}}, "nope"),
             (good | {"options": {"start": "zero,sample=yes"}}, "one value"), (good | {"options": {"a b": 1}}, "name of an option"),
             (good | {"options": {"sample": True}}, "a number"), (good | {"seed": -1}, "not a whole number"), (good | {"seed": 1.5}, "not a whole number"),
             (good | {"name": "x" * 65}, "more than 64"), (good | {"name": "a\nb"}, "control characters"), ({"learner": "ofw-tvc", "domain": "l2-ball:dim=3"}, "Lipschitz")]
    texts = [("", "a JSON object"), ("[]", "a JSON object"), ("{", "quotes"), ('{"learner":"ofw-ada"', ""), ('{"learner":"\\x"}', "escape"),
             ('{"learner":"a","learner":"b"}', "appears twice"), ('{"name":"\\ud800x"}', "escape"), ('{"state":"\\ud800x"}', "escape"), ('{"name":"\\u0000"}', "control"), ('{"name":"abc', "no end"),
             ('{"learner":"ofw-ada","domain":"l2-ball:dim=3"} x', "the end of the line")]
    with serving(ofw, "--max-dim", "10000") as (_, client):
        for body, text in [*cases, *texts]:
            answer = client.post("/v1/sessions", body, 400).json
            check(text in answer["detail"], f"{body}: {answer['detail']!r} lacks {text!r}")
        same(client.get("/v1/sessions").json["sessions"], [], "sessions")
        named = client.post("/v1/sessions", '{"learner":"ofw-ada","domain":"l2-ball:dim=3","name":"\\u00e4\\ud83d\\ude00\\"/"}', 201).json
        same(named["name"], 'ä😀"/', "a name with escapes")


def test_feedback_that_is_refused(ofw):
    cases = [("", "empty"), ("{}", "'loss' is missing"), ('{"loss":1,"loss_gradient":[1,2,3]}', "'round' is missing"), ("x", "a JSON object"),
             ('{"round":1,"loss":1,"loss_gradient":[1,2]}', "length 2"), ('{"round":0,"loss":1,"loss_gradient":[1,2,3]}', "counted from 1"),
             ('{"round":1,"loss":1e999,"loss_gradient":[1,2,3]}', "double"), ('{"round":1.5,"loss":1,"loss_gradient":[1,2,3]}', "whole number"),
             ('{"round":1,"round":1,"loss":1,"loss_gradient":[1,2,3]}', "twice"), ('{"round":1,"loss":1,"loss_gradient":[1,2,3],"constraint":1}', "missing"),
             ('{"ask":{"row":0}}', "unknown field 'ask'"), ('{"round":1,"loss":1,"loss_gradient":[1,2,3]}\0', "the end")]
    with serving(ofw) as (_, client):
        session, bandit = client.create(), client.create("bfw-ada")
        for body, text in cases:
            detail = client.feedback(session, body, 400).json["detail"]
            check(text in detail, f"{body}: {detail!r} lacks {text!r}")
        check("no gradients" in client.feedback(bandit, line(1), 400).json["detail"], "gradients for a bandit learner")
        client.post(f"/v1/sessions/{session}/feedback?decide=2", line(1), 400)
        same(client.get(f"/v1/sessions/{session}").json["waits_for"], 1, "nothing was played")


def test_paths_methods_types_and_sizes(ofw):
    with serving(ofw, "--max-body", "2000") as (_, client):
        session = client.create()
        for path in ("/v1", "/v1/", "/v1/sessions/", "/v1/sessions/../sessions", "/v1/sessions/ABCDEFABCDEFABCD", "/v1/sessions/0123",
                     f"/v1/sessions/{session}/", f"/v1/sessions/{session}/x", "/v1/sessions/..%2f..%2fetc/decision", "//healthz", "/healthz/x",
                     f"/v1/sessions/{session}%00/decision", "/%2e%2e/etc/passwd"):
            client.get(path, 404)
        client.get("/v1/sessions/0123456789abcdef", 404)
        for method, path, allowed in (("PUT", "/v1/sessions", "POST, GET"), ("POST", "/healthz", "GET"), ("PATCH", f"/v1/sessions/{session}", "GET, DELETE"),
                                      ("GET", f"/v1/sessions/{session}/feedback", "POST")):
            answer = client.ask(method, path)
            same((answer.status, answer.headers["Allow"]), (405, allowed), f"{method} {path}")
        for kind in ("text/plain", "application/jsonx", "application/x-www-form-urlencoded"):
            client.feedback(session, line(1), 415, kind=kind)
        client.post("/v1/sessions", {"learner": "ofw-ada", "domain": "l2-ball:dim=3"}, 415, kind=LINES)
        client.feedback(session, line(1), kind="application/json; charset=utf-8")
        check("2000 bytes" in client.feedback(session, "x" * 3000, 413).json["detail"], "a large body")
        chunks = client.ask("POST", f"/v1/sessions/{session}/feedback", iter([b"x" * 1500] * 3), kind="application/json")
        same(chunks.status, 413, "a large body in chunks")
        asked = client.ask("POST", f"/v1/sessions/{session}/feedback", headers={"Expect": "100-continue", "Content-Length": "3000", "Content-Type": "application/json"})
        same(asked.status, 413, "a large body that is asked about")
        client.feedback(session, line(2))


def test_headers_cannot_be_injected(ofw):
    with serving(ofw) as (server, client):
        session = client.create(name="a")
        for raw in (f"GET /v1/sessions/{session}%0d%0aX-Evil:%201 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    "GET /v1/sessions?after=a%0d%0aX-Evil:%201 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    "GET /%0d%0aX-Evil:%201 HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", server.port), 10) as plain:
                plain.sendall(raw.encode())
                answer = plain.recv(65536).decode()
            check("\r\nX-Evil" not in answer and answer.startswith("HTTP/1.1 4"), answer[:300])


def test_bytes_that_are_no_http(ofw):
    with serving(ofw, "--timeout", "2") as (server, client):     # a line without an end is waited for
        for raw in (b"\0\1\2\3" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                    b"POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
                    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 10000 + b"\r\n"):
            with socket.create_connection(("127.0.0.1", server.port), 10) as plain:
                try:
                    plain.sendall(raw)
                    plain.shutdown(socket.SHUT_WR)
                    answer = plain.recv(65536)
                except TimeoutError:
                    raise
                except OSError:
                    continue            # it was shut before all was sent
                check(answer[:10] in (b"", b"HTTP/1.1 4", b"HTTP/1.0 4", b"HTTP/1.1 5") and not answer.startswith(b"HTTP/1.1 500"), answer[:100])
            client.close()
            same(client.get("/healthz").status, 200, "alive")


# --- access ---

def test_tokens(ofw):
    ofw.write("tokens", f"# two\nread {READ}\n\nwrite {WRITE}\n")
    os.chmod(ofw.file("tokens"), 0o600)
    with serving(ofw, "--token-file", ofw.file("tokens"), listen="0.0.0.0:0", token=WRITE) as (server, client):
        session = client.create()
        client.feedback(session, line(1))
        reader = server.client(READ)
        reader.get(f"/v1/sessions/{session}/decision")
        reader.get("/metrics")
        for method, path in (("POST", "/v1/sessions"), ("POST", f"/v1/sessions/{session}/feedback"), ("POST", f"/v1/sessions/{session}/decide"), ("DELETE", f"/v1/sessions/{session}"), ("POST", f"/v1/sessions/{session}/snapshot")):
            same(reader.ask(method, path, line(2) if method == "POST" else None).status, 403, f"{method} {path} with a token for reading")
        for token in ("", READ[:-1], READ + "x", "x" * 5000, WRITE.upper()):
            other = Client(server.port, token)
            answer = other.get("/v1/sessions", 401)
            same(answer.headers["WWW-Authenticate"], 'Bearer realm="ofw"', "WWW-Authenticate")
        same(Client(server.port).ask("GET", "/v1/sessions", headers={"Authorization": f"Basic {READ}"}).status, 401, "another scheme")
        nobody = Client(server.port)
        for path in ("/healthz", "/readyz", "/openapi.json"):
            nobody.get(path)
        nobody.get("/metrics", 401)


def test_hosts_without_tokens(ofw):
    with serving(ofw) as (_, client):
        for host, status in (("localhost", 200), ("127.0.0.1:99", 200), ("[::1]:8780", 200), ("LOCALHOST:1", 200), ("evil.example", 403),
                             ("127.0.0.1.evil.example", 403), ("10.0.0.1", 403), ("", 403)):
            same(client.ask("GET", "/v1/sessions", headers={"Host": host}).status, status, f"Host: {host}")


def test_what_cannot_be_started(ofw):
    ofw.write("open", f"read {READ}\n")
    os.chmod(ofw.file("open"), 0o644)
    for name, text in (("empty", "# none\n"), ("short", "read abc\n"), ("odd", f"admin {READ}\n"), ("long", f"read {READ} x\n")):
        ofw.write(name, text)
        os.chmod(ofw.file(name), 0o600)
    for options, code, text in ((["--listen", "0.0.0.0:0"], 2, "--token-file FILE is needed"), (["--listen", "[::]:0"], 2, "--token-file"),
                                (["--listen", "nowhere"], 2, "expected ADDRESS:PORT"), (["--listen", "127.0.0.1:x"], 2, "127.0.0.1:x"),
                                (["--token-file", "open"], 3, "chmod 600"), (["--token-file", "none"], 3, "No such file"),
                                (["--token-file", "empty"], 3, "found none"), (["--token-file", "short"], 3, "short:1: a token of 3"),
                                (["--token-file", "odd"], 3, "expected 'read TOKEN'"), (["--token-file", "long"], 3, "expected 'read TOKEN'"),
                                (["--max-body", "1"], 2, "max-body"), (["--timeout", "0"], 2, "timeout")):
        done = ofw.run("serve", "--state", "s", *options)
        same((done.returncode, done.stdout, done.stderr.count("\n")), (code, "", 1), f"{options}: {done.stderr!r}")
        check(text in done.stderr, f"{options}: {done.stderr!r} lacks {text!r}")
    same(ofw.run("serve").returncode, 2, "without a folder")
    with serving(ofw) as (server, _):
        done = ofw.run("serve", "--state", ofw.file("state"), "--listen", "127.0.0.1:0")
        same(done.returncode, 1, "a folder that is in use")
        check("another server has it open; stop that one, or choose another folder" in done.stderr, done.stderr)
        done = ofw.run("serve", "--state", "other", "--listen", f"127.0.0.1:{server.port}")
        same((done.returncode, done.stderr), (1, f"ofw serve: cannot listen on 127.0.0.1:{server.port}: Address already in use; --listen chooses another address and port\n"), "a port that is in use")


# --- limits ---

def test_limits_on_sessions_rate_and_memory(ofw):
    with serving(ofw, "--max-sessions", "2", "--rate", "5") as (_, client):
        sessions = [client.create(), client.create()]
        check("limit of 2 sessions" in client.post("/v1/sessions", {"learner": "ofw-ada", "domain": "l2-ball:dim=3"}, 503).json["detail"], "a third one")
        statuses = [client.ask("GET", f"/v1/sessions/{sessions[0]}/decision").status for _ in range(12)]
        check(200 in statuses and statuses[-1] == 429, f"statuses {statuses}")
        answer = client.ask("GET", f"/v1/sessions/{sessions[0]}/decision")
        if answer.status == 429:
            same(answer.headers["Retry-After"], "1", "Retry-After")
        client.get(f"/v1/sessions/{sessions[1]}/decision")
        client.delete(f"/v1/sessions/{sessions[1]}")
        client.create()
    with serving(ofw, "--max-memory", "1", folder="small") as (_, client):
        check("bytes of memory" in client.post("/v1/sessions", {"learner": "ofw-ada", "domain": "l2-ball:dim=3"}, 503).json["detail"], "memory")


def test_slow_clients_are_shut(ofw):
    with serving(ofw, "--timeout", "1") as (server, client):
        session = client.create()
        head = f"POST /v1/sessions/{session}/feedback HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n"
        slow = [socket.create_connection(("127.0.0.1", server.port), 30) for _ in range(3)]
        begun = time.monotonic()
        slow[0].sendall(b"GET /healthz HT")
        slow[1].sendall(head.encode())
        ended = [False] * 3
        while not all(ended) and time.monotonic() < begun + 20:
            for k, one in enumerate(slow):
                if ended[k]:
                    continue
                try:
                    if k < 2:
                        one.sendall(b" ")       # a byte now and then does not help
                    one.settimeout(0.1)
                    ended[k] = one.recv(1000) == b""
                except TimeoutError:
                    pass
                except ConnectionError:
                    ended[k] = True
            time.sleep(0.1)
        check(all(ended), f"connections that were shut: {ended}")
        client.close()                          # which was silent, too
        check("ofw_client_timeouts_total 0" not in client.get("/metrics").body.decode(), "timeouts are counted")
        same(client.get(f"/v1/sessions/{session}").json["waits_for"], 1, "rounds")
        for one in slow:
            one.close()


if __name__ == "__main__":
    sys.exit(main(__doc__, globals()))
