#!/usr/bin/python3
"""Late feedback over the pipe and in a run: the cases of delay.json, then what data cannot say.

    test_delay.py --ofw PATH [--filter SUBSTRING]

tests/parity compares the decisions with a slow learner's; here it is what outlives a crash, and how a run counts its rounds.
"""
import json
import os
import random

import runner
from program import as_text, check, same

DIM, DELAY = 3, 4
PIPE = ["pipe", "--domain", f"l2-ball:dim={DIM}", "--set", f"delay={DELAY}"]
LEARNERS = (["--learner", "ofw-ada"], ["--learner", "ofw-tvc", "--horizon", "auto", "--lipschitz", "4"])


def any_lines(count, seed):
    """Decisions that are asked for and feedback in any order, never more open than there may be."""
    rng, lines, waiting, asked = random.Random(seed), [], [], 0
    while len(lines) < count:
        if waiting and (len(waiting) > DELAY or rng.random() < 0.5):
            vector = [rng.uniform(-1, 1) for _ in range(DIM)]
            lines.append(json.dumps({"loss": 0.0, "loss_gradient": vector, "constraint": rng.uniform(-1, 0.5), "constraint_gradient": vector[::-1],
                                     "round": waiting.pop(rng.randrange(len(waiting)))}))
        else:
            asked += 1
            waiting.append(asked)
            lines.append('{"ask":{"decide":{}}}')
    return lines


def play(ofw, args, lines):
    done = ofw.run(*args, stdin=as_text(lines))
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    return done.stdout.splitlines()


def open_rounds(lines):
    """The next round, and those that are open after these lines."""
    asked = sum('"ask"' in line for line in lines)
    answered = {json.loads(line)["round"] for line in lines if '"ask"' not in line}
    return {"round": asked + 1, "open_rounds": [t for t in range(1, asked + 1) if t not in answered]}


def test_a_log_and_a_checkpoint_have_the_open_rounds(ofw):
    """Ended after every line and started again: all answers are those of one process."""
    for number, learner in enumerate(LEARNERS):
        lines = any_lines(150, seed=number)
        whole = play(ofw, [*PIPE, *learner], lines)
        same(len(whole), len(lines) + 1, "answers")
        for more in ([], ["--checkpoint", f"c{number}", "--checkpoint-every", "7"]):
            log = f"l{number}{len(more)}"
            for start in range(0, len(lines), 10):
                first, *answers = play(ofw, [*PIPE, *learner, "--log", log, *more], lines[start:start + 10])
                same(json.loads(first), open_rounds(lines[:start]), f"open rounds after line {start}")
                same(answers, whole[start + 1:start + 11], f"answers after line {start} with {more}")


def account(ofw, *more, learner="ofw-ada", rounds=400):
    done = ofw.run("run", "--learner", learner, "--stream", "conflict", "--domain", "l2-ball:dim=4", "--rounds", str(rounds), "--json", "-q", *more)
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    return json.loads(done.stdout)


def test_feedback_in_time_is_as_without_a_delay(ofw):
    none, room = account(ofw), account(ofw, "--set", "delay=20", "--late", "never")
    same([room[key] for key in ("loss", "ccv", "regret")], [none[key] for key in ("loss", "ccv", "regret")], "account")


def test_late_feedback_costs(ofw):
    """Fixed delays leave the last rounds without feedback; random ones tell some of them."""
    none, fixed, late = account(ofw), account(ofw, "--set", "delay=20"), account(ofw, "--set", "delay=20", "--late", "random")
    same(fixed["oracle_calls"], 380, "steps of a fixed delay")
    check(380 < late["oracle_calls"] < 400, f"{late['oracle_calls']} steps of random delays")
    check(fixed["regret"] > none["regret"] and fixed["ccv"] > none["ccv"], f"{fixed} against {none}")
    check(fixed["ccv"] < 400 * 0.5, "the limits are not kept at all")
    again = account(ofw, "--set", "delay=20", "--late", "random")
    same({**again, "seconds": 0}, {**late, "seconds": 0}, "the same seed")


def test_a_log_is_replayed_in_the_order_of_its_rounds(ofw):
    """Feedback that came N rounds late is a stream like any other; feedback that overtook other is refused by its line."""
    vectors = {t: [((t * 7 + k) % 11 - 5) / 5 for k in range(DIM)] for t in range(1, 31)}
    late = [json.dumps({"round": t, "loss": t / 8, "loss_gradient": vectors[t]}) for t in vectors]
    lines = []
    for t in range(1, 31 + DELAY):
        lines += ['{"ask":{"decide":{}}}'] * (t <= 30) + late[t - DELAY - 1:t - DELAY] * (t > DELAY)
    play(ofw, [*PIPE, *LEARNERS[0], "--log", "late"], lines)
    ofw.write("plain", as_text(late))
    runs = []
    for name in ("late", "plain"):
        done = ofw.run("run", "--learner", "ofw-ada", "--domain", f"l2-ball:dim={DIM}", "--stream", f"replay:file={name}", "--rounds", "30", "--lipschitz", "2", "--json", "-q")
        same((done.returncode, done.stderr), (0, ""), "code and stderr")
        runs.append(json.loads(done.stdout))
    same(runs[0]["loss"], sum(t / 8 for t in vectors), "the sum of the losses")
    same({**runs[0], "stream": "", "seconds": 0}, {**runs[1], "stream": "", "seconds": 0}, "the log, and its feedback alone")
    play(ofw, [*PIPE, *LEARNERS[0], "--log", "mixed"], ['{"ask":{"decide":{}}}'] * 3 + [late[1], late[0], late[2]])
    done = ofw.run("run", "--learner", "ofw-ada", "--domain", f"l2-ball:dim={DIM}", "--stream", "replay:file=mixed", "--rounds", "3", "--lipschitz", "2", "-q")
    same((done.returncode, done.stderr), (3, "ofw run: round 2: mixed:5: expected the feedback of round 3, found that of round 1; a replay needs the order of the rounds\n"), "code and stderr")


def trace_rows(ofw, name):
    """All columns but the seconds."""
    with open(ofw.file(name), encoding="ascii") as file:
        names = next(line for line in file if line.startswith("round")).strip().split(",")
        return [[x for x, column in zip(line.strip().split(","), names) if column != "seconds"] for line in file]


def test_a_run_resumes_from_its_checkpoint(ofw):
    """From the checkpoint before the last, after 300 of 400 rounds: the same account and the same trace again."""
    for how in ("fixed", "random"):
        for budgets in ([], ["--set", "constraints=budgets"]):
            name = f"{how}{len(budgets)}"
            play = ["--set", "delay=20", "--late", how, *budgets, "--trace", f"{name}.csv", "--trace-every", "1", "--checkpoint", f"{name}.kept", "--checkpoint-every", "150"]
            whole, rows = account(ofw, *play), trace_rows(ofw, f"{name}.csv")
            os.replace(ofw.file(f"{name}.kept.1"), ofw.file(f"{name}.kept"))
            split = account(ofw, *play, "--resume")
            same({**split, "seconds": 0}, {**whole, "seconds": 0}, f"{name}: the account")
            check(len(rows) == 400 and trace_rows(ofw, f"{name}.csv") == rows, f"{name}: the trace")
    done = ofw.run("run", "--learner", "ofw-ada", "--stream", "conflict", "--domain", "l2-ball:dim=4", "--rounds", "400", "--set", "delay=20", "--late", "never", "--checkpoint", "fixed0.kept", "--resume")
    check(done.returncode == 3 and "late=" in done.stderr, f"another lateness: {done.stderr!r}")


def test_every_round_counts_by_its_own_decision(ofw):
    """The trace of a run is that of the pipe, fed with what the run's decisions cost: here a learner that has heard nothing yet."""
    rounds = 30
    account(ofw, "--set", "delay=29", "--trace", "late.csv", "--trace-every", "1", rounds=rounds)
    account(ofw, "--trace", "still.csv", "--trace-every", "1", "--horizon", "30", "--lipschitz", "9", learner="still", rounds=rounds)
    rows = [[line.split(",") for line in open(ofw.file(name), encoding="ascii") if line[0].isdigit()] for name in ("late.csv", "still.csv")]
    same([row[:5] for row in rows[0]], [row[:5] for row in rows[1]], "round, loss, constraint and their sums")


if __name__ == "__main__":
    raise SystemExit(runner.main(__doc__, globals(), "delay.json"))
