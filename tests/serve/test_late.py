#!/usr/bin/python3
"""Late feedback over HTTP: decisions that are asked for while earlier ones wait, told of in any order, repeated, refused, and what of all
that outlives a server. The slow version is `ofw pipe`, which gets the same lines one after the other."""
import http.client
import json
import os
import random
import sys
import time

from service import LINES, OPENAPI, Server, as_base64, check, line, same, schema_check, serving

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from runner import main    # noqa: E402

DELAY = 4
KINDS = [("ofw-ada", "l2-ball:dim=3", {"delay": DELAY}, ["--set", f"delay={DELAY}"]),
         ("ofw-tvc", "simplex:dim=3", {"delay": DELAY, "horizon": "auto", "lipschitz": 2}, ["--set", f"delay={DELAY}", "--horizon", "auto", "--lipschitz", "2"]),
         ("ofw-ada", "l1-ball:dim=3", {"delay": DELAY, "constraints": "budgets"}, ["--set", f"delay={DELAY}", "--set", "constraints=budgets"])]


def ask(round_):
    return json.dumps({"ask": {"decide": {"round": round_}}})


def any_lines(count, seed, delay=DELAY):
    """Rounds are opened and answered in any order, never more open than there may be."""
    rng, lines, waiting, asked = random.Random(seed), [], [], 0
    while len(lines) < count:
        if waiting and (len(waiting) > delay or rng.random() < 0.5):
            lines.append(line(waiting.pop(rng.randrange(len(waiting)))))
        else:
            asked += 1
            waiting.append(asked)
            lines.append(ask(asked))
    return lines


def open_after(lines):
    asked = sum('"ask"' in text for text in lines)
    answered = {json.loads(text)["round"] for text in lines if '"ask"' not in text}
    return [t for t in range(1, asked + 1) if t not in answered]


def by_pipe(ofw, kind, lines, *more):
    """The first line of `ofw pipe`, and its decisions by their rounds."""
    learner, domain, _, options = kind
    done = ofw.run("pipe", "--learner", learner, "--domain", domain, *options, *more, stdin="".join(f"{text}\n" for text in lines))
    same(done.returncode, 0, f"ofw pipe: {done.stderr!r}, code")
    first, *answers = [json.loads(text) for text in done.stdout.splitlines()]
    return first, {a["round"]: a["decision"] for a in answers if "decision" in a}


def make(client, kind=KINDS[0], **more):
    return client.create(*kind[:3], **more)


def decide(client, session, round_, status=200, **more):
    return client.post(f"/v1/sessions/{session}/decide", {"round": round_, **more}, status)


def decision(client, session, query="", status=200):
    return client.get(f"/v1/sessions/{session}/decision{query}", status)


def send(client, session, text):
    """One line by its own request: the answer."""
    asked = json.loads(text).get("ask")
    return (decide(client, session, asked["decide"]["round"]) if asked else client.feedback(session, text)).json


def everything(client, session):
    """All that a client can see of a session, the decisions of its open rounds included."""
    whole = client.get(f"/v1/sessions/{session}").json
    return whole, client.get(f"/v1/sessions/{session}/trace").json, [decision(client, session, f"?round={t}").json for t in whole["open_rounds"]]


# --- rounds ---

def test_decisions_are_those_of_the_pipe(ofw):
    with serving(ofw) as (_, client):
        for number, kind in enumerate(KINDS):
            lines = any_lines(240, number)
            wanted = by_pipe(ofw, kind, lines)[1]
            session, found, at, size = make(client, kind), {}, 0, 1
            while at < len(lines):
                part = lines[at:at + size]
                answers = [send(client, session, part[0])] if size == 1 else client.feedback(session, "\n".join(part), kind=LINES).lines
                same([a["round"] for a in answers], [json.loads(t).get("round") or json.loads(t)["ask"]["decide"]["round"] for t in part], "rounds of the answers")
                found |= {a["round"]: a["decision"] for a in answers if "decision" in a}
                at, size = at + size, size % 9 + 1
            same(found, wanted, f"decisions of {kind}")
            now = client.get(f"/v1/sessions/{session}").json
            same((now["open_rounds"], now["decided"], now["delay"]), (open_after(lines), len(found), DELAY), "the session")


def test_open_decisions_are_read_and_nothing_changes(ofw):
    with serving(ofw) as (_, client):
        session = make(client)
        made = client.get(f"/v1/sessions/{session}").json
        same((made["waits_for"], made["decided"], made["open_rounds"], made["account"]["open"]), (1, 0, [], 0), "a new session")
        problem = decision(client, session, status=409).json
        check("no decision is open" in problem["detail"] and problem["round"] == 1, f"{problem}")
        first = decide(client, session, 1, id="a").json
        same(first.pop("id"), "a", "an id")
        client.feedback(session, line(1))
        opened = [decide(client, session, t).json for t in (2, 3)]
        client.feedback(session, line(2))
        opened.append(decide(client, session, 4).json)
        check(opened[0]["decision"] == opened[1]["decision"] != opened[2]["decision"] and opened[0]["decision"] != first["decision"], "feedback moves decisions")
        for _ in range(2):
            same(decision(client, session).json, opened[2], "the newest")
            same(decision(client, session, "?round=3").json, opened[1], "another that is open")
        x = opened[1]["decision"]
        same(decision(client, session, "?round=3&entries=2,0").json, {"round": 3, "entries": [x[2], x[0]]}, "entries of it")
        same(decision(client, session, "?round=3&top=1").json["top"]["value"], [max(x)], "the largest of it")
        same(decision(client, session, "?row=0&round=3").json["row"], x, "a row of it")
        for query, status, text in (("?round=2", 409, "round 2 has its feedback already"), ("?round=5", 409, "round 5 is not decided yet"), ("?round=0", 400, "from 1 to"),
                                    ("?round=9223372036854775808", 409, "is not decided yet"), ("?round=x", 400, "whole number"), ("?round=-1", 400, "whole number")):
            check(text in decision(client, session, query, status).json["detail"], query)
        same(client.get(f"/v1/sessions/{session}").json["open_rounds"], [3, 4], "open rounds")
        plain = client.create()
        same(decision(client, plain, "?round=1").json, decision(client, plain).json, "without a delay")
        check("the only open decision is that of round 1" in decision(client, plain, "?round=2", 409).json["detail"], "another round without a delay")


def test_everything_is_idempotent_by_round(ofw):
    with serving(ofw) as (_, client):
        session = make(client)
        first = decide(client, session, 1)
        same(decide(client, session, 1).body, first.body, "a decision again")
        decide(client, session, 2)
        told = client.feedback(session, line(2))
        same(told.json, {"round": 2}, "feedback is answered by its own round")
        same(client.feedback(session, line(2)).body, told.body, "the same again")
        same(decide(client, session, 1).body, first.body, "a decision that is open, again, though the learner has moved")
        same(decide(client, session, 2).json, {"round": 2}, "the decision of an answered round is not kept")
        problem = client.feedback(session, line(2, shift=1), 409).json
        check("round 2 has its feedback already, which was another" in problem["detail"] and problem["round"] == 3, f"{problem}")
        for t, text in ((3, "round 3: feedback without a decision; the next decision is of round 3"), (2 ** 53, "feedback without a decision")):
            check(text in client.feedback(session, line(t), 409).json["detail"], text)
        problem = decide(client, session, 5, 409).json
        check("in the order of their rounds; the next decision is of round 3" in problem["detail"] and problem["round"] == 3, f"{problem}")
        for t in range(3, 3 + DELAY):
            decide(client, session, t)
        problem = decide(client, session, 3 + DELAY, 409).json
        check(f"delay={DELAY}: {DELAY + 1} decisions wait for their feedback" in problem["detail"], problem["detail"])
        client.feedback(session, line(5))
        decide(client, session, 3 + DELAY)
        same(client.get(f"/v1/sessions/{session}").json["open_rounds"], [1, 3, 4, 6, 7], "open rounds")


def test_the_last_256_answers_are_remembered(ofw):
    """By the order of arrival: round 1, which comes last, is known while rounds before it are forgotten."""
    with serving(ofw) as (_, client):
        session = client.create("ofw-ada", "l2-ball:dim=3", {"delay": 400})
        for begin in range(1, 321, 160):
            client.feedback(session, "\n".join(ask(t) for t in range(begin, begin + 160)), kind=LINES)
        for begin in range(2, 302, 100):
            client.feedback(session, "\n".join(line(t) for t in range(begin, begin + 100)), kind=LINES)
        client.feedback(session, line(1))
        for t in (1, 47, 301):
            same(client.feedback(session, line(t)).json, {"round": t}, "a round again")
            client.feedback(session, line(t, shift=1), 409)
        check(client.feedback(session, line(46), 409).json["detail"] == "round 46 has its feedback already", "a round that is forgotten")
        same(decide(client, session, 46).json, {"round": 46}, "its decision")


def test_batches(ofw):
    with serving(ofw) as (_, client):
        session = make(client)
        batch = "\n".join([ask(1), ask(2), line(2), ask(3), line(1), ask(4)])
        first = client.feedback(session, batch, kind=LINES)
        again = client.feedback(session, batch, kind=LINES).lines
        same([a["round"] for a in first.lines], [1, 2, 2, 3, 1, 4], "answers")
        for old, new in zip(first.lines, again):
            same(new, old if old["round"] > 2 else {"round": old["round"]}, "the whole batch again")
        cases = [([line(3), line(3)], 409, 1, "line 2: round 3 has its feedback already"), ([ask(5), ask(7)], 409, 1, "line 2: round 7: decisions are asked for in the order"),
                 ([line(4), line(4, shift=1)], 409, 1, "line 2: round 4 has its feedback already"), ([line(5), ask(3)], 409, 1, "line 2: round 3 is decided already"),
                 ([ask(6), line(6), line(8)], 409, 2, "line 3: round 8: feedback without a decision; the next decision is of round 7"),
                 ([ask(t) for t in range(7, 13)], 409, 5, f"line 6: round 12: delay={DELAY}: 5 decisions wait"), ([line(9), '{"ask":{"info":{}}}'], 400, 1, 'line 2: expected feedback, or {"ask":{"decide":{"round":t}}}'),
                 ([ask(12), '{"ask":{"decide":{}}}'], 400, 1, "line 2: expected feedback, or")]
        for lines, status, accepted, text in cases:
            problem = client.feedback(session, "\n".join(lines), status, kind=LINES).json
            same((problem["accepted"], problem["detail"].startswith(text)), (accepted, True), f"{lines}: {problem['detail']}, accepted")
        same(client.get(f"/v1/sessions/{session}").json["open_rounds"], [7, 8, 10, 11, 12], "what was accepted of them")


def test_what_is_refused(ofw):
    with serving(ofw, "--max-dim", "1000") as (_, client):
        for options, text in (({"delay": 0}, "delay=0"), ({"delay": 65537}, "delay=65537"), ({"delay": "x"}, "delay=x"),
                              ({"delay": 333}, "delay=333: 334 open decisions of 3 numbers each, expected at most 1000 numbers in all")):
            check(text in client.post("/v1/sessions", {"learner": "ofw-ada", "domain": "l2-ball:dim=3", "options": options}, 400).json["detail"], text)
        check("delay works only with" in client.post("/v1/sessions", {"learner": "bfw-ada", "domain": "l2-ball:dim=3", "options": {"delay": 3}}, 400).json["detail"], "a learner without it")
        client.create("ofw-ada", "l2-ball:dim=3", {"delay": 332})
        session, plain = make(client), client.create()
        check("no delay" in decide(client, plain, 1, 400).json["detail"], "a session without a delay")
        check("unknown field 'ask'" in client.feedback(plain, ask(1), 400).json["detail"], "a line that asks, without a delay")
        check("POST .../decide" in client.feedback(session, line(1), 400, decide=1).json["detail"], "?decide=1")
        for body, text in (("", "a JSON object"), ("{}", "'round' is missing"), ('{"round":0}', "counted from 1"), ('{"round":-1}', "whole number"), ('{"round":1.5}', "whole number"),
                           ('{"round":"1"}', "a number"), ('{"round":9223372036854775808}', "too large"), ('{"round":1e300}', "too large"), ('{"round":1,"round":1}', "appears twice"),
                           ('{"rounds":1}', "did you mean 'round'"), ('{"round":1,"id":[]}', "id"), ('{"round":1}{}', "the end of the line"), ("[1]", "a JSON object"), ('{"round":1', "a comma or }")):
            check(text in client.post(f"/v1/sessions/{session}/decide", body, 400).json["detail"], body)
        client.post(f"/v1/sessions/{session}/decide", '{"round":1}', 415, kind=LINES)
        same(client.ask("GET", f"/v1/sessions/{session}/decide").status, 405, "GET")
        decide(client, session, 1)
        hinted = json.loads(line(1)) | {"next_constraint": 1, "next_constraint_gradient": [1, 0, 0]}
        check("does not work with delay" in client.feedback(session, json.dumps(hinted), 400).json["detail"], "a hint")
        check("length 2" in client.feedback(session, '{"round":1,"loss":1,"loss_gradient":[1,2]}', 400).json["detail"], "a short gradient")
        check("'round' is missing" in client.feedback(session, '{"loss":1,"loss_gradient":[1,2,3]}', 400).json["detail"], "no round, though one alone is open")
        same(client.get(f"/v1/sessions/{session}").json["open_rounds"], [1], "open rounds")


# --- watching ---

def test_open_rounds_are_seen(ofw):
    with serving(ofw) as (server, client):
        session, plain = make(client), client.create()
        lines = any_lines(63, 3)
        waiting = open_after(lines)
        for text in lines:
            send(client, session, text)
        account = client.get(f"/v1/sessions/{session}").json["account"]
        count = len(waiting)
        check(count > 1, "rounds are open")
        same((account["open"], account["round"]), (count, sum('"ask"' not in text for text in lines)), "the account")
        same(client.get(f"/v1/sessions/{plain}").json["account"]["open"], 1, "without a delay")
        trace = client.get(f"/v1/sessions/{session}/trace").json
        same((trace["columns"][-1], trace["rows"][-1][-1]), ("open", count), "the trace")
        check(f"\nofw_open_rounds {count}\n" in client.get("/metrics").body.decode(), "metrics")
        check("open_rounds" not in client.get("/v1/sessions").json["sessions"][0], "lists are short")
        stream = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        stream.request("GET", f"/v1/sessions/{session}/events")
        events = stream.getresponse()
        opened = client.get(f"/v1/sessions/{session}").json["decided"] + 1
        client.feedback(session, line(waiting[0]))
        decide(client, session, opened)
        deadline = time.monotonic() + 30
        for text in events:
            if text.startswith(b"data: "):
                row = json.loads(text[6:])
                schema_check(OPENAPI["components"]["schemas"]["Row"], row, "an event")
                if (row["round"], row["open"]) == (account["round"] + 1, count):
                    break
            check(time.monotonic() < deadline, "a round that is opened is an event")
        stream.close()


# --- what outlives a server ---

def test_a_killed_server_forgets_nothing(ofw):
    """Killed after every ninth line, with a snapshot now and then, and a log so short that it begins again: no bit differs."""
    for number, kind in enumerate(KINDS):
        lines, found, session, folder = any_lines(150, 10 + number), {}, None, f"state{number}"
        for start in range(0, len(lines), 9):
            server = Server(ofw.path, ofw.file(folder), "--max-log", "4096")
            client = server.client()
            if session is None:
                session = make(client, kind)
            else:
                same(everything(client, session), before, f"after line {start}")
                for text in lines[max(0, start - 30):start]:
                    again = send(client, session, text)        # known, and nothing changes
                    check(again.get("decision", found.get(again["round"])) == found[again["round"]], f"round {again['round']} again")
                same(everything(client, session), before, f"after line {start}, repeated")
            for text in lines[start:start + 9]:
                answer = send(client, session, text)
                if "decision" in answer:
                    found[answer["round"]] = answer["decision"]
            if start % 2:
                client.post(f"/v1/sessions/{session}/snapshot")
            before = everything(client, session)
            client.close()
            server.kill()
        same(found, by_pipe(ofw, kind, lines)[1], f"decisions of {kind}")


TWO = {"loss": 0, "loss_gradient": [1, 0, 0], "constraint": [1, 1], "constraint_gradient": [[1, 0, 0], [0, 1, 0]]}


def test_a_line_that_lines_before_it_rule_out(ofw):
    """A second number of constraints in one batch is refused before any of it is on the disk: neither that line nor those behind it
    come back, whatever checkpoint and log a start finds."""
    for number, delay in enumerate([0, DELAY]):
        server = Server(ofw.path, ofw.file(f"state{number}"))
        client = server.client()
        session = make(client, ("ofw-ada", "l2-ball:dim=3", {"constraints": "each"} | ({"delay": delay} if delay else {})))
        asks = [ask(t) for t in range(1, 6)] if delay else []
        batch = [line(1), json.dumps({"round": 2, **TWO}), line(3), *([ask(6), ask(7)] if delay else [])]
        problem = client.feedback(session, "\n".join(asks + batch), 400, kind=LINES).json
        same(problem["accepted"], len(asks) + 1, f"{problem}: accepted")
        check("expected 1 constraints" in problem["detail"], f"{problem}")
        client.feedback(session, line(2))
        client.post(f"/v1/sessions/{session}/snapshot")
        client.feedback(session, line(3, shift=5))
        for t in (6, 7) if delay else ():
            decide(client, session, t)
        before = everything(client, session)
        client.close()
        server.kill()
        with serving(ofw, folder=f"state{number}") as (_, client):
            same(everything(client, session), before, "after a kill")
            client.feedback(session, line(3, shift=5))
            client.feedback(session, line(3), 409)


def test_export_and_import(ofw):
    for number, kind in enumerate(KINDS):
        lines = any_lines(120, 20 + number)
        wanted, half = by_pipe(ofw, kind, lines)[1], 61
        waiting = open_after(lines[:half])
        with serving(ofw, folder=f"state{number}") as (_, client):
            session = make(client, kind)
            for text in lines[:half]:
                send(client, session, text)
            document = client.get(f"/v1/sessions/{session}/export").json
            plain = document | {"options": {key: value for key, value in document["options"].items() if key != "delay"}}
            check("a state saved with" in client.post("/v1/sessions", plain, 400).json["detail"], "a state for a session without a delay")
            copy = client.post("/v1/sessions", document, 201).json
            same((copy["open_rounds"], copy["decided"]), (waiting, client.get(f"/v1/sessions/{session}").json["decided"]), "the copy")
            if waiting:
                check("was open when the session was imported" in decision(client, copy["id"], status=409).json["detail"], "a decision that no state has")
                same(decide(client, copy["id"], waiting[-1]).json, {"round": waiting[-1]}, "the same, asked for again")
            answers = [send(client, copy["id"], text) for text in lines[half:]]
            rest = {a["round"]: a["decision"] for a in answers if "decision" in a}
            same(rest, {t: x for t, x in wanted.items() if t in rest}, "decisions of the copy")
            check(len(rest) > 20, "decisions that were compared")
            with open(ofw.file("exported"), "wb") as file:
                file.write(client.get(f"/v1/sessions/{session}/export?as=checkpoint").body)
            first, found = by_pipe(ofw, kind, lines[half:], "--state", "exported")
            same((first["open_rounds"], found), (waiting, rest), "ofw pipe --state")
            by_pipe(ofw, kind, lines[:half], "--log", f"log{number}", "--checkpoint", f"kept{number}")
            with open(ofw.file(f"kept{number}"), "rb") as file:
                document["state"] = as_base64(file.read())
            back = client.post("/v1/sessions", document, 201).json
            same(back["open_rounds"], waiting, "a checkpoint of ofw pipe")
            answers = [send(client, back["id"], text) for text in lines[half:]]
            same({a["round"]: a["decision"] for a in answers if "decision" in a}, rest, "its decisions")
            same(client.get(f"/v1/sessions/{back['id']}").json["open_rounds"], open_after(lines), "open rounds at the end")


if __name__ == "__main__":
    sys.exit(main(__doc__, globals()))
