#!/usr/bin/python3
"""Runs `ofw` as its users do: the cases of cases.json, then what data cannot say.

    test_cli.py --ofw PATH [--filter SUBSTRING]

A case has a name, args, files (made in the folder it runs in), stdin (text, or a list of lines) and
what must come of it: code, stdout, stderr.  Output is exact text, or an object with any of
"contains": [texts], "lacks": [texts], "lines": count.  Where it is left out, there must be none.
"""
import contextlib
import json
import os
import pty
import random
import re
import signal
import struct
import sys

from program import as_text, bits, check, decision, read_trace, same, send, strict_json, without_seconds, without_time
from runner import main

PIPE = ["pipe", "--learner", "ofw-tvc", "--domain", "l2-ball:dim=3,radius=2", "--horizon", "60", "--lipschitz", "9"]
RATINGS = "matrix-completion:users=30,items=20,ratings=250,rank=2,batch=25"
RUNS = {
    "linear": ["run", "--learner", "ofw-tvc", "--domain", "l2-ball:dim=5", "--stream", "linear"],
    "quadratic": ["run", "--learner", "scofw-tvc", "--domain", "simplex:dim=4", "--stream", "quadratic"],
    "ratings": ["run", "--learner", "ofw-tvc", "--set", "sigma=line-search", "--stream", RATINGS],
}
LONG_RUN = RUNS["ratings"] + ["--rounds", "1e7"]      # hours; no work before the first round


def make_lines(rng, rounds, dim=3):
    """Feedback with no, one or two constraints, dense and sparse."""
    def vector():
        v = [rng.uniform(-2, 2) for _ in range(dim)]
        return v if rng.random() < 0.5 else {"index": list(range(dim))[1:], "value": v[1:]}
    lines = []
    for t in range(rounds):
        feedback = {"loss": rng.gauss(0, 3), "loss_gradient": vector()}
        if t % 3 == 1:
            feedback |= {"constraint": rng.gauss(0, 1), "constraint_gradient": vector()}
        elif t % 3 == 2:
            feedback |= {"constraint": [rng.gauss(0, 1), rng.gauss(0, 1)], "constraint_gradient": [vector(), vector()]}
        lines.append(json.dumps(feedback))
    return lines


# --- the pipe -----------------------------------------------------------------------------------

def test_pipe_answers_each_line_before_the_next(ofw):
    with ofw.start(*PIPE) as process:
        same(decision(process, 1), [0, 0, 0], "the decision before any input")
        for t, line in enumerate(make_lines(random.Random(1), 30), 2):
            send(process, line + "\n")
            decision(process, t)
        send(process, '{"loss":1,')                           # a line may come in pieces
        send(process, '"loss_gradient":[0,0,0]')
        send(process, "}\n")
        decision(process, 32)
        process.stdin.close()
        same((process.wait(), process.stdout.read(), process.stderr.read()), (0, "", ""), "the end")


def test_pipe_may_end_at_any_round(ofw):
    lines = make_lines(random.Random(2), 6)
    whole = ofw.run(*PIPE, stdin=as_text(lines)).stdout.splitlines()
    for rounds in range(7):
        for text in (as_text(lines[:rounds]), "\n".join(lines[:rounds])):      # with and without the last newline
            done = ofw.run(*PIPE, stdin=text)
            same((done.returncode, done.stderr), (0, ""), f"code and stderr after {rounds} lines")
            same(done.stdout.splitlines(), whole[:rounds + 1], f"decisions after {rounds} lines")


def test_pipe_cut_or_changed_line_is_one_error(ofw):
    rng, line = random.Random(3), '{"loss":-1.5e0,"loss_gradient":[1,0,2],"constraint":[1],' \
        '"constraint_gradient":[{"index":[0,2],"value":[1,2]}]}'
    changed = [line[:k] for k in range(1, len(line))]
    for _ in range(150):
        k = rng.randrange(len(line))
        changed.append(line[:k] + rng.choice(['', '{', '}', '[', ']', ',', ':', '"', '-', '.', 'e', '0', '9', 'x', ' ',
                                              '\\', '\t']) + line[k + rng.randrange(2):])
    for text in changed:
        done = ofw.run(*PIPE, stdin=text)
        if done.returncode == 0:
            strict_json(text)                                 # what is accepted must be JSON
            continue
        same((done.returncode, done.stdout.count("\n")), (3, 1), f"code and decisions for {text!r}")
        check(re.fullmatch(r"ofw pipe: line 1: [^\n]+\n", done.stderr), f"{text!r}: stderr {done.stderr!r}")


def test_pipe_longest_line(ofw):
    for dim in (1, 1000):
        limit, empty = 65536 + 64 * dim, '{"loss":1,%s"loss_gradient":{"index":[],"value":[]}}'
        args = PIPE[:4] + [f"l1-ball:dim={dim}"] + PIPE[5:]
        for number, end in ((1, "\n"), (1, ""), (3, "\n"), (3, "")):
            before = (empty % "" + "\n") * (number - 1)
            for length in (limit, limit + 1):
                line = empty % (" " * (length + 2 - len(empty)))
                done = ofw.run(*args, stdin=before + line + end)
                if length == limit:
                    same((done.returncode, done.stderr, done.stdout.count("\n")), (0, "", number + 1), "at the limit")
                else:
                    same((done.returncode, done.stderr, done.stdout.count("\n")),
                         (3, f"ofw pipe: line {number}: the line is longer than {limit} bytes\n", number), "beyond the limit")


def test_pipe_endless_line_is_refused_at_once(ofw):
    with ofw.start(*PIPE) as process:
        taken, spaces = 0, "{" + " " * 65535
        with contextlib.suppress(BrokenPipeError):
            while taken < 50_000_000:
                send(process, spaces)
                taken += len(spaces)
        check(taken < 1_000_000, f"{taken} bytes were taken")          # what is not read is not kept
        same(process.wait(), 3, "code")
        same(process.stderr.read(), "ofw pipe: line 1: the line is longer than 65728 bytes\n", "stderr")


def test_pipe_reader_goes_away(ofw):
    with ofw.start(*PIPE) as process:
        decision(process, 1)
        process.stdout.close()
        send(process, '{"loss":1,"loss_gradient":[1,0,0]}\n')
        same(process.wait(), 1, "code")
        same(process.stderr.read(), "ofw pipe: cannot write the decision: Broken pipe\n", "stderr")


def test_full_disk_behind_stdout(ofw):
    for args in (PIPE, RUNS["linear"] + ["--rounds", "3", "-q"], RUNS["linear"] + ["--rounds", "3", "-q", "--json"],
                 ["list"], ["help"], ["help", "ofw-tvc"], ["run", "--help"], ["--version"], ["--help"], []):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = ofw.run(*args, stdout=full)
        same(done.returncode, 1, f"{args}: code")
        check(re.fullmatch(r"ofw[a-z ]*: cannot write [^\n]+\n", done.stderr), f"{args}: stderr {done.stderr!r}")


# --- numbers ------------------------------------------------------------------------------------

def test_numbers_keep_their_bits(ofw):
    rng = random.Random(4)
    for radius in [rng.uniform(1, 10) * 10.0 ** rng.randint(-90, 90) for _ in range(15)]:
        done = ofw.run(*PIPE[:4], f"l1-ball:dim=2,radius={radius!r}", *PIPE[5:],
                       stdin='{"loss":1,"loss_gradient":[1,0]}')
        same(strict_json(done.stdout.splitlines()[1])["decision"], [-radius, 0], "the vertex")
    odd = [5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -0.0, 0.1, 1 / 3, 9007199254740993.0]
    odd += [x for x in (struct.unpack("<d", rng.randbytes(8))[0] for _ in range(300)) if abs(x) < 1e308]   # no NaN
    ofw.write("odd.ndjson", [f'{{"loss":{x!r},"loss_gradient":[0,0],"constraint":{-x!r},"constraint_gradient":[0,0]}}'
                             for x in odd])
    done = ofw.run("run", "--learner", "ofw-tvc", "--domain", "l1-ball:dim=2", "--stream", "replay:file=odd.ndjson",
                   "--rounds", str(len(odd)), "--lipschitz", "1", "-q", "--trace", "trace.csv")
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    _, rows = read_trace(ofw.file("trace.csv"))
    same([bits(row["loss"]) for row in rows], [bits(x) for x in odd], "losses")
    same([bits(row["constraint"]) for row in rows], [bits(-x) for x in odd], "constraints")


def test_numbers_in_decisions_can_be_fed_back(ofw):
    """The decision as its text and as Python's number: the same play."""
    plays = []
    for as_number in (False, True):
        with ofw.start(*PIPE) as process:
            texts = []
            for _ in range(30):
                texts.append(re.search(r'"decision":\[(.*)\]', process.stdout.readline()).group(1))
                x = ",".join(repr(float(t)) for t in texts[-1].split(",")) if as_number else texts[-1]
                send(process, f'{{"loss":1,"loss_gradient":[3,2,1],"constraint":1,"constraint_gradient":[{x}]}}\n')
            plays.append(texts)
    same(plays[0], plays[1], "decisions")


def test_numbers_do_not_follow_the_locale(ofw):
    lines, spec = as_text(make_lines(random.Random(5), 8)), ["--rounds", "9", "-q", "--json", "--lipschitz", "1.5"]
    for locale in ("de_DE.UTF-8", "fr_FR.utf8", "de_DE"):
        env = os.environ | {"LC_ALL": locale, "LC_NUMERIC": locale, "LANG": locale}
        for args in (PIPE + ["--set", "beta=0.25"], RUNS["linear"] + spec):
            outputs = [without_time(ofw.run(*args, stdin=lines, env=e).stdout) for e in (None, env)]
            check("." in outputs[0], "no number to compare")
            same(outputs[1], outputs[0], f"stdout under {locale}")


def test_numbers_too_large_to_add_are_still_json(ofw):
    ofw.write("huge.ndjson", ['{"loss":1e308,"loss_gradient":[0,0,0]}'] * 3)
    done = ofw.run("run", "--learner", "ofw-tvc", *PIPE[3:], "--stream", "replay:file=huge.ndjson", "--rounds", "3",
                   "-q", "--json")
    same(strict_json(done.stdout)["rounds"], 3, "rounds")


# --- the trace ----------------------------------------------------------------------------------

def test_trace_of_recorded_feedback(ofw):
    """The lines that `ofw pipe` accepted, replayed: the sums are theirs, in the order of play."""
    lines = make_lines(random.Random(6), 40)
    first = ofw.run(*PIPE, stdin=as_text(lines))
    same((first.returncode, first.stderr, first.stdout.count("\n")), (0, "", 41), "the play")
    same(ofw.run(*PIPE, stdin=as_text(lines)).stdout, first.stdout, "the play again")
    ofw.write("lines.ndjson", lines)
    for combine in ("max", "sum"):
        _, rows, result = ofw.trace("run", *PIPE[1:], "--set", f"constraints={combine}", "--stream",
                                    "replay:file=lines.ndjson", "--rounds", "40")
        loss_sum = ccv = 0.0
        for row, line in zip(rows, lines, strict=True):
            feedback = json.loads(line)
            g = feedback.get("constraint", [])
            g = g if isinstance(g, list) else [g]
            violation = sum(max(0.0, v) for v in g) if combine == "sum" else max([0.0, *g])
            loss_sum, ccv = loss_sum + feedback["loss"], ccv + violation
            same((float(row["loss_sum"]), float(row["ccv"])), (loss_sum, ccv), f"sums of round {row['round']}")
            wanted = None if not g else violation if combine == "sum" else max(g)
            same(float(row["constraint"]) if row["constraint"] else None, wanted, f"constraint of round {row['round']}")
        same((result["loss"], result["ccv"], result["regret"]), (loss_sum, ccv, None), "the result")


def test_trace_sums_and_result(ofw):
    for name, args in RUNS.items():
        _, rows, result = ofw.trace(*args, "--rounds", "300")
        same([int(row["round"]) for row in rows], list(range(1, 301)), "rounds")
        loss_sum = ccv = 0.0
        for before, row in zip([None, *rows], rows):
            loss_sum, ccv = loss_sum + float(row["loss"]), ccv + max(0.0, float(row["constraint"]))
            same((float(row["loss_sum"]), float(row["ccv"])), (loss_sum, ccv), f"{name}: sums of round {row['round']}")
            check(0 <= float(row["sigma"]) <= 1 and float(row["price"]) >= 0, f"{name}: sigma or price {row}")
            for column in ("oracle_calls", "passes", "seconds"):
                check(not before or float(row[column]) >= float(before[column]), f"{name}: {column} falls")
        known = "target" if name == "ratings" else "comparator"
        for column in ("comparator", "target"):
            check(all((row[column + "_loss_sum"] != "") == (column == known) for row in rows), f"{name}: {column}")
        last = rows[-1]
        target = float(last["target_loss_sum"]) if known == "target" else None
        regret = None if target is not None else loss_sum - float(last["comparator_loss_sum"])
        same([result[key] for key in ("rounds", "loss", "ccv", "regret", "target_loss", "oracle_calls", "passes")],
             [300, loss_sum, ccv, regret, target, int(last["oracle_calls"]), int(last["passes"])], f"{name}: result")
        check(abs(result["seconds"] - float(last["seconds"])) < 1e-6, f"{name}: seconds")


def test_trace_thinned(ofw):
    for rounds in (250, 300):
        _, whole, _ = ofw.trace(*RUNS["linear"], "--rounds", str(rounds))
        log = {k * 10 ** e for k in range(1, 10) for e in range(3)} | {rounds}
        for every, kept in (("1", range(1, rounds + 1)), ("7", {*range(7, rounds + 1, 7), rounds}), ("1000", {rounds}),
                            ("log", log)):
            _, rows, _ = ofw.trace(*RUNS["linear"], "--rounds", str(rounds), "--trace-every", every)
            wanted = [row for row in whole if int(row["round"]) in kept]
            same(without_seconds(rows), without_seconds(wanted), f"every {every}")


def test_trace_follows_the_seed(ofw):
    for name, args in RUNS.items():
        one, again, other = [ofw.trace(*args, "--rounds", "50", "--seed", seed) for seed in ("7", "7", "8")]
        same((again[0], without_seconds(again[1])), (one[0], without_seconds(one[1])), f"{name}: the same seed")
        losses = [[row["loss"] for row in rows] for _, rows, _ in (one, other)]
        check(losses[0] != losses[1], f"{name}: another seed, the same losses")


def test_trace_does_not_follow_the_threads(ofw):
    args = ["run", "--learner", "ofw-tvc", "--rounds", "4",
            "--stream", "matrix-completion:users=270,items=250,ratings=5000,rank=3,batch=100"]
    headers, rows = zip(*[ofw.trace(*args, "--threads", threads)[:2] for threads in ("1", "2", "3")])
    for threads, header, found in zip("123", headers, rows):
        check(header[0].endswith(f" threads={threads}"), f"header {header[0]}")
        same((header[1:], without_seconds(found)), (headers[0][1:], without_seconds(rows[0])), f"{threads} threads")


def test_trace_header(ofw):
    header, _, _ = ofw.trace(*RUNS["linear"][:-1], "linear:drift=0.25", "--rounds", "5", "--seed", "7",
                             "--set", "step=3")
    version = ofw.run("--version").stdout.strip()
    for text in (version, "kernel=", "threads=1", "learner=ofw-tvc", "domain=l2-ball:dim=5", "horizon=5", "lipschitz=1",
                 "seed=7", "step=3", "sigma=printed", "rounds=5", "drift=0.25"):
        check(any(text in line for line in header), f"no {text} in {header}")
    check(all(line.startswith("# ") for line in header), f"header {header}")


def test_trace_header_resolves_the_stream(ofw):
    header, _, _ = ofw.trace(*RUNS["linear"], "--rounds", "5")
    check(any("tight=0.5" in line for line in header), f"the stream's tight=0.5, a default, is not in {header}")


def test_trace_header_is_not_cut(ofw):
    ofw.write("f.ndjson", ['{"loss":1,"loss_gradient":[1,0,0]}'])
    path = "./" * 400 + "f.ndjson"
    header, _, _ = ofw.trace("run", *PIPE[1:], "--stream", f"replay:file={path}", "--rounds", "1")
    check(any(path in line for line in header), "a long file name is cut")


def test_time_limit_ends_a_run(ofw):
    _, rows, result = ofw.trace(*LONG_RUN, "--time-limit", "0.2")
    same(int(rows[-1]["round"]), result["rounds"], "rounds")
    same(len(rows), result["rounds"], "rows")
    check(float(rows[-2]["seconds"]) < 0.2 <= float(rows[-1]["seconds"]) < 5, f"seconds {rows[-1]['seconds']}")
    same(ofw.trace(*LONG_RUN, "--time-limit", "0")[2]["rounds"], 1, "rounds in no time")


def test_interrupt_ends_a_run(ofw):
    for thin, step in ((["--trace-every", "1"], 1), (["--trace-every", "1000000"], None)):
        with ofw.start(*LONG_RUN, "--trace", "trace.csv", *thin) as process:
            log = [process.stderr.readline() for _ in range(8)]           # play goes on
            process.send_signal(signal.SIGINT)
            table, log = process.stdout.read().splitlines(), log + process.stderr.readlines()
            same(process.wait(), 130, "code")
        found = re.fullmatch(r"ofw run: interrupted after round (\d+); only the trace is kept, .*\n", log[-1])
        check(found, f"stderr {log[-1]!r}")
        last = int(found.group(1))
        same((len(table), table[-1].split()[:2]), (2, ["ofw-tvc", str(last)]), "the table")
        _, rows = read_trace(ofw.file("trace.csv"))
        same([int(row["round"]) for row in rows], list(range(1, last + 1)) if step else [last], "rows")


def test_progress_bar_ends_its_line(ofw):
    for rounds in (["--rounds", "5000"], ["--rounds", "1e7", "--time-limit", "0.35"]):
        terminal, end = pty.openpty()
        done = ofw.run(*RUNS["ratings"], *rounds, stderr=end, env={**os.environ, "TERM": "xterm"})
        os.close(end)
        shown = b""
        with contextlib.suppress(OSError):        # the end of a terminal's output is an error
            while part := os.read(terminal, 65536):
                shown += part
        os.close(terminal)
        same((done.returncode, done.stdout.count("\n")), (0, 2), "code and table")
        check(b"%" in shown and shown.endswith(b"\n"), f"{rounds}: the terminal shows {shown[-80:]!r}")


# --- help ---------------------------------------------------------------------------------------

def help_pages(ofw):
    """(name, what 'ofw list' says of it, its page) of every part, and of the commands."""
    parts = re.findall(r"^  (\S+) +(.*)$", ofw.run("list").stdout, re.M)
    commands = re.findall(r"^  (\w+) {2,}(\S.*)$", ofw.run().stdout, re.M)
    check(len(parts) >= 14 and len(commands) >= 4, "the list is short")
    for name, summary in parts + commands:
        done = ofw.run("help", name)
        same((done.returncode, done.stderr), (0, ""), f"help {name}: code and stderr")
        yield name, summary, done.stdout, (name, summary) in commands


def test_help_pages(ofw):
    domains = re.findall(r"^  (\S+) ", ofw.run("list", "domains").stdout, re.M)
    for name, summary, page, is_command in help_pages(ofw):
        if is_command:
            check(page.startswith(f"usage: ofw {name} "), f"{name}: {page!r}")
            same([ofw.run(name, h).stdout for h in ("--help", "-h")], [page, page], f"ofw {name} --help")
        else:
            check(page.startswith(f"{name} - {summary}\n"), f"{name}: {page!r}")
        example = re.search(r"^for instance (.+)$", page, re.M)
        if example and name in domains:
            done = ofw.run(*PIPE[:4], example.group(1), *PIPE[5:])
            same((done.returncode, done.stderr, done.stdout.count("\n")), (0, "", 1), example.group(1))


def test_help_pages_have_no_trailing_blanks(ofw):
    found = [name for name, _, page, _ in help_pages(ofw) if re.search(r"[ \t]$", page, re.M)]
    same(found, [], "pages")


def test_a_name_that_is_not_there_comes_first(ofw):
    """Before what is missing, which depends on the learner."""
    words = {"pipe": [], "run": [], "tune": [], "growth": [], "compare": []}
    for command, more in words.items():
        for option, what, wrong, near in (("--learner", "learner", "ofw-ad", "ofw-ada"), ("--rival", "learner", "opdb", "opdp"),
                                          ("--stream", "stream", "lineer", "linear"), ("--domain", "domain", "l2-bal:dim=3", "l2-ball")):
            done = ofw.run(command, *more, option, wrong)
            if f"ofw {command}: unknown option" in done.stderr:
                check(option != "--learner", f"{command} takes no learner")
                continue
            same((done.returncode, done.stdout, done.stderr),
                 (2, "", f"ofw {command}: no {what} '{wrong.partition(':')[0]}'; did you mean '{near}'?\n"), f"{command} {option}")
    same(ofw.run("pipe", "--learner", "ofw-ad", "--help").returncode, 0, "help all the same")
    for command in ("growth", "compare"):                   # of several names the one that is not there
        done = ofw.run(command, "--learner", "ofw-ada", "--learner", "ofw-ad")
        same((done.returncode, done.stderr), (2, f"ofw {command}: no learner 'ofw-ad'; did you mean 'ofw-ada'?\n"), command)


if __name__ == "__main__":
    sys.exit(main("the ofw command, end to end", globals(), "cases.json"))
