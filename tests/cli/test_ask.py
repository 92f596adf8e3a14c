#!/usr/bin/python3
"""What is asked of a decision, over the pipe and of a run: the cases of ask.json, then what data cannot say.

    test_ask.py --ofw PATH [--filter SUBSTRING]

An answer is compared with the decision that the program itself prints, and with that of a play in which nobody asks.
"""
import json
import os
import random
import re
import shutil
import signal
import time

import runner
from log_file import Log
from program import as_text, check, same, send, strict_json

README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../README.md")
SHAPES = {"trace-ball:rows=4,cols=5": (4, 5), "l2-ball:dim=6": (1, 6), "simplex:dim=5": (1, 5), "trace-ball:rows=5,cols=1": (1, 5)}
LEARNERS = ["ofw-tvc", "ofw-ada", "bfw-tvc", "bfw-ada"]


def stream_args(learner, domain, *more):
    return ["pipe", "--learner", learner, "--domain", domain, "--horizon", "50", "--lipschitz", "4", "--loss-bound", "9", *more]


def feedback(rng, learner, dim):
    loss = {"loss": rng.uniform(-2, 2)}
    if not learner.startswith("bfw"):
        loss["loss_gradient"] = [rng.uniform(-1, 1) for _ in range(dim)]
    return json.dumps(loss)


def top(row, k, exclude):
    order = sorted((i for i in range(len(row)) if i not in exclude), key=lambda i: (-row[i], i))[:k]
    return {"index": order, "value": [row[i] for i in order]}


def any_request(rng, rows, cols):
    """A request, and what a decision answers: a function of its numbers."""
    dim, r, k = rows * cols, rng.randrange(rows), rng.randrange(cols + 2)
    index = [rng.randrange(dim) for _ in range(rng.randrange(4))]
    cells = [[rng.randrange(rows), rng.randrange(cols)] for _ in range(rng.randrange(4))]
    exclude = [rng.randrange(cols) for _ in range(rng.randrange(4))]
    v = [rng.uniform(-1, 1) for _ in range(dim)]
    u, w = [rng.uniform(-1, 1) for _ in range(rows)], [rng.uniform(-1, 1) for _ in range(cols)]
    at = rng.randrange(cols)
    return rng.choice([
        ({"entries": index}, lambda x: [x[i] for i in index]),
        ({"cells": cells}, lambda x: [x[i * cols + j] for i, j in cells]),
        ({"row": r}, lambda x: x[r * cols:(r + 1) * cols]),
        ({"dot": v}, lambda x: sum(a * b for a, b in zip(v, x))),
        ({"dot": {"u": u, "v": w, "scale": -2}}, lambda x: sum(-2 * u[i] * w[j] * x[i * cols + j] for i in range(rows) for j in range(cols))),
        ({"dot": {"u": u, "v": {"index": [at], "value": [3]}}}, lambda x: sum(3 * u[i] * x[i * cols + at] for i in range(rows))),
        ({"top": {"row": r, "k": k, "exclude": exclude}}, lambda x: top(x[r * cols:(r + 1) * cols], k, exclude)),
    ])


def agrees(found, wanted, last_bits):
    """Inner products are sums in another order; the probe of a bandit's single numbers may be added in another one."""
    if isinstance(wanted, float):
        return abs(found - wanted) < 1e-12
    if last_bits and isinstance(wanted, list):
        return len(found) == len(wanted) and all(abs(a - b) < 1e-15 for a, b in zip(found, wanted))
    return found == wanted


def test_the_sample_of_readme_can_be_pasted(ofw):
    """The command as it stands, the decision that the page shows, and the line that it says to send."""
    with open(README, encoding="utf-8") as file:
        page = file.read()
    command, = re.findall(r"^    build/ofw (pipe .*)$", page, re.M)
    line, = re.findall(r"^    (\{.*\})$", page, re.M)
    first, = re.findall(r"prints a decision, `(\{.*\})`", page)
    done = ofw.run(*command.split(), stdin=line + "\n")
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    shown, second = done.stdout.splitlines()
    same((shown, strict_json(second)["round"]), (first, 2), "decisions")


def test_the_commands_in_readmes_table_are_complete(ofw):
    """None lacks an option: each ends well, or says which file it did not find. A server and a reproduction run too long."""
    with open(README, encoding="utf-8") as file:
        commands = [command.split() for command in re.findall(r"^\| [^|]* \| `ofw ([^`]*)` \|", file.read(), re.M)]
    check(len(commands) >= 7, f"{len(commands)} commands")
    for command in commands:
        if command[0] not in ("serve", "reproduce"):
            done = ofw.run(*command)
            check(done.returncode == 0 or "No such file" in done.stderr, f"{command}: {done.returncode}, {done.stderr!r}")


def test_answers_are_of_the_decision_and_change_nothing(ofw):
    rng, asked = random.Random(1), 0
    for domain, (rows, cols) in SHAPES.items():
        for learner in LEARNERS:
            lines = [feedback(rng, learner, rows * cols) for _ in range(20)]
            whole = ofw.run(*stream_args(learner, domain), stdin=as_text(lines))
            same((whole.returncode, whole.stderr), (0, ""), "the play without requests")
            decisions = whole.stdout.splitlines()
            mixed, wanted = [], []
            for t, text in enumerate(decisions):
                wanted.append(text)
                for _ in range(rng.randrange(4)):
                    request, of = any_request(rng, rows, cols)
                    mixed.append(json.dumps({"ask": request}))
                    wanted.append((t + 1, next(iter(request)), of(strict_json(text)["decision"])))
                    asked += 1
                mixed += lines[t:t + 1]
            done = ofw.run(*stream_args(learner, domain), stdin=as_text(mixed))
            same((done.returncode, done.stderr), (0, ""), "the play with requests")
            found = done.stdout.splitlines()
            same(len(found), len(wanted), "lines")
            for line, want in zip(found, wanted):
                if isinstance(want, str):
                    same(line, want, "a decision")
                    continue
                answer = strict_json(line)
                same(list(answer), ["round", want[1]], "fields")
                check(answer["round"] == want[0] and agrees(answer[want[1]], want[2], learner.startswith("bfw")), f"{line}: not {want}")
    check(asked > 300, f"only {asked} requests")


def test_rows_are_all_of_a_decision(ofw):
    """--decision none: who asks for every row has what the others print."""
    rng = random.Random(2)
    for domain, (rows, cols) in SHAPES.items():
        for learner in LEARNERS:
            lines = [feedback(rng, learner, rows * cols) for _ in range(10)]
            ask = [json.dumps({"ask": {"row": r}}) for r in range(rows)]
            decisions = ofw.run(*stream_args(learner, domain), stdin=as_text(lines)).stdout.splitlines()
            done = ofw.run(*stream_args(learner, domain, "--decision", "none"), stdin=as_text([line for feed in lines for line in (*ask, feed)] + ask))
            same((done.returncode, done.stderr), (0, ""), "code and stderr")
            found = [strict_json(line) for line in done.stdout.splitlines()]
            for t, text in enumerate(decisions):
                head, *answers = found[t * (rows + 1):(t + 1) * (rows + 1)]
                same(head, {"round": t + 1}, "a decision that is not told")
                same([x for answer in answers for x in answer["row"]], strict_json(text)["decision"], f"decision {t + 1}")


def test_an_answer_comes_at_once(ofw):
    for more in ([], ["--log", "l"], ["--log", "m", "--log-group", "100"]):
        with ofw.start(*stream_args("ofw-tvc", "l2-ball:dim=2", *more)) as process:
            strict_json(process.stdout.readline())
            for t in range(1, 5):
                for _ in range(2):
                    send(process, '{"ask":{"entries":[0]}}\n')
                    same(strict_json(process.stdout.readline())["round"], t, "the round of an answer")
                send(process, '{"loss":1,"loss_gradient":[1,0]}\n')
                same(strict_json(process.stdout.readline())["round"], t + 1, "the round of a decision")


def test_factors_are_their_product(ofw):
    """The same play, told by factors and by all numbers."""
    rng, domain = random.Random(3), "trace-ball:rows=4,cols=5"
    short, long = [], []
    for t in range(30):
        u, v = [rng.uniform(-1, 1) for _ in range(4)], [rng.uniform(-1, 1) if t % 2 else 0.0 for _ in range(5)]
        v[t % 5] = 1.5
        product = [-2 * a * b for a in u for b in v]
        factors = {"u": u, "v": v if t % 2 else {"index": [t % 5], "value": [1.5]}, "scale": -2}
        both = [{"loss": 1.0, "loss_gradient": g, "constraint": 0.5, "constraint_gradient": g} for g in (factors, product)]
        short.append(json.dumps(both[0]))
        long.append(json.dumps(both[1]))
    args = stream_args("ofw-tvc", domain, "--set", "oracle-tolerance=1e-14")
    plays = [[strict_json(line)["decision"] for line in ofw.run(*args, stdin=as_text(lines)).stdout.splitlines()] for lines in (short, long)]
    same([len(play) for play in plays], [31, 31], "decisions")
    for x, y in zip(*plays):
        check(max(abs(a - b) for a, b in zip(x, y)) < 1e-9, f"{x}\n{y}")
    check(max(abs(a) for a in plays[0][-1]) > 1e-3, "nothing was learned")


# --- what lasts ---------------------------------------------------------------------------------

def test_requests_are_not_in_the_log(ofw):
    rng = random.Random(4)
    lines = [feedback(rng, "ofw-tvc", 6) for _ in range(12)]
    args = stream_args("ofw-tvc", "l2-ball:dim=6")
    whole = ofw.run(*args, "--log", "plain", stdin=as_text(lines)).stdout.splitlines()
    for group in ("1", "4", "100"):
        mixed = [line for feed in lines for line in ('{"ask":{"row":0}}', '{"ask":{"top":{"k":1}}}', feed)]
        done = ofw.run(*args, "--log", "asked", "--log-group", group, "--checkpoint", "c", "--checkpoint-every", "5", stdin=as_text(mixed))
        same((done.returncode, done.stderr), (0, ""), "code and stderr")
        plain, asked = Log(ofw.file("plain")), Log(ofw.file("asked"))
        same((asked.header, asked.lines, asked.whole), (plain.header, lines, True), "the log")
        found = done.stdout.splitlines()
        same(found[::3], whole, "the decisions")                 # each before the answers that speak of it
        for t, line in enumerate(found[1::3]):
            same(strict_json(line), {"round": t + 1, "row": strict_json(whole[t])["decision"]}, "an answer")
        again = ofw.run(*args, "--log", "asked", stdin='{"ask":{"row":0}}\n').stdout.splitlines()
        same((again[0], strict_json(again[1])), (whole[-1], {"round": 13, "row": strict_json(whole[-1])["decision"]}), "after a restart")
        for name in set(os.listdir(ofw.folder)) - {"plain"}:
            os.remove(ofw.file(name))


def test_horizon_is_warned_of_once(ofw):
    lines = ['{"loss":1,"loss_gradient":[1,0]}', '{"ask":{"row":0}}', '{"ask":{"row":0}}'] * 3
    done = ofw.run("pipe", "--learner", "ofw-tvc", "--domain", "l2-ball:dim=2", "--horizon", "2", "--lipschitz", "1", stdin=as_text(lines))
    same((done.returncode, done.stderr.count("\n"), done.stdout.count("\n")), (0, 1, 10), f"code and lines {done.stderr!r}")


# --- of a run -----------------------------------------------------------------------------------

RUN = ["run", "-q", "--json", "--learner", "scofw-tvc", "--strong-convexity", "0.1", "--rounds", "60",
       "--stream", "matrix-completion:users=12,items=9,ratings=54,batch=6"]
QUESTIONS = ['{"ask":{"row":3}}', '{"ask":{"top":{"row":3,"k":4,"exclude":[1,1]}}}', '{"ask":{"cells":[[3,0],[3,8]]}}', '{"ask":{"entries":[27,35]}}',
             '{"ask":{"dot":{"u":{"index":[3],"value":[2]},"v":[1,0,0,0,0,0,0,0,0]}}}']


def answers_of(ofw, *args, code=0):
    done = ofw.run(*args, "--ask", "q", "--answers", "a")
    same(done.returncode, code, f"stderr {done.stderr!r}, code")
    check(not os.path.exists(ofw.file("a.part")), "a.part is still there")
    with open(ofw.file("a"), encoding="utf-8") as file:
        return file.read()


def test_a_run_answers_at_its_end(ofw):
    ofw.write("q", QUESTIONS)
    text = answers_of(ofw, *RUN)
    row, best, cells, entries, dot = [strict_json(line) for line in text.splitlines()]
    same({answer["round"] for answer in (row, best, cells, entries, dot)}, {61}, "rounds")
    same(best["top"], top(row["row"], 4, [1]), "the largest")
    same((cells["cells"], entries["entries"]), ([row["row"][0], row["row"][8]],) * 2, "numbers")
    same(dot["dot"], 2 * row["row"][0], "the inner product")
    same(answers_of(ofw, *RUN, "--threads", "2"), text, "the answers of two threads")


def test_a_resumed_run_answers_the_same(ofw):
    ofw.write("q", QUESTIONS)
    text = answers_of(ofw, *RUN)
    kept = [*RUN, "--checkpoint", "c", "--checkpoint-every", "7"]
    same(answers_of(ofw, *kept), text, "with checkpoints")
    shutil.copy(ofw.file("c.1"), ofw.file("c"))
    same(answers_of(ofw, *kept, "--resume"), text, "from a checkpoint")
    same(answers_of(ofw, *kept, "--resume"), text, "of a play that was over")


def test_a_run_and_a_pipe_answer_the_same(ofw):
    """Recorded feedback, played by both; a bandit's run answers with the centre of its probe."""
    rng = random.Random(5)
    ofw.write("q", ['{"ask":{"row":0}}'])
    for learner in LEARNERS:
        lines = [feedback(rng, learner, 4) for _ in range(25)]
        ofw.write("f", lines)
        piped = strict_json(ofw.run(*stream_args(learner, "l2-ball:dim=4"), stdin=as_text(lines)).stdout.splitlines()[-1])
        text = answers_of(ofw, "run", "-q", *stream_args(learner, "l2-ball:dim=4")[1:], "--rounds", "25", "--stream", "replay:file=f")
        same(strict_json(text), {"round": 26, "row": piped.get("center", piped["decision"])}, learner)


def test_nothing_is_left_of_a_run_that_did_not_play(ofw):
    ofw.write("q", ['{"ask":{"row":12}}'])
    done = ofw.run(*RUN, "--ask", "q", "--answers", "a", "--trace", "t", "--checkpoint", "c")
    same((done.returncode, done.stdout), (3, ""), "code and stdout")
    same(sorted(os.listdir(ofw.folder)), ["q"], "files")
    ofw.write("q", ['{"ask":{"row":0}}'])
    done = ofw.run(*RUN, "--ask", "q", "--answers", "a", "--set", "nothing=1")
    same((done.returncode, sorted(os.listdir(ofw.folder))), (2, ["q"]), "code and files of a learner that cannot be made")


def test_an_interrupted_run_answers(ofw):
    ofw.write("q", QUESTIONS)
    args = [*RUN, "--ask", "q", "--answers", "a", "--checkpoint", "c"]
    args[args.index("--rounds") + 1] = "100000000"
    with ofw.start(*args) as process:
        while not os.path.exists(ofw.file("a.part")):
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        result = strict_json(process.stdout.read())
        same(process.wait(), 130, "code")
    with open(ofw.file("a"), encoding="utf-8") as file:
        same({strict_json(line)["round"] for line in file}, {result["rounds"] + 1}, "the rounds of the answers")


if __name__ == "__main__":
    raise SystemExit(runner.main(__doc__, globals(), "ask.json"))
