#!/usr/bin/python3
"""What feedback tells of the coming round, next_constraint over the pipe: the cases of hints.json, then what data cannot say.

    test_hints.py --ofw PATH [--filter SUBSTRING]

tests/parity compares the decisions with a slow learner's; here it is what the lines may hold, who uses them, and that they outlive a crash.
"""
import json
import math
import os
import random
import shutil
import signal

import runner
from log_file import Log
from program import as_text, check, decision, same, send, strict_json

DIM = 3
ADA = ["pipe", "--learner", "ofw-ada", "--domain", f"l2-ball:dim={DIM}"]


def vector(rng):
    """A gradient, dense or sparse."""
    if rng.random() < 0.3:
        return {"index": [rng.randrange(DIM)], "value": [rng.uniform(-1, 1)]}
    return [rng.uniform(-1, 1) for _ in range(DIM)]


def lines_with_hints(rounds, seed=1):
    """Feedback that tells of the coming round in most rounds, of one constraint, of two, or of none."""
    rng, lines = random.Random(seed), []
    for _ in range(rounds):
        line = {"loss": rng.uniform(-1, 1), "loss_gradient": vector(rng), "constraint": rng.uniform(-1, 0.5), "constraint_gradient": vector(rng)}
        told = rng.choice([None, 0, 1, 1, 2])
        if told == 1:
            line |= {"next_constraint": rng.uniform(-0.5, 1), "next_constraint_gradient": vector(rng)}
        elif told is not None:
            line |= {"next_constraint": [rng.uniform(-0.5, 1) for _ in range(told)], "next_constraint_gradient": [vector(rng) for _ in range(told)]}
        lines.append(line)
    return lines


def without_hints(lines):
    return [{key: value for key, value in line.items() if not key.startswith("next_")} for line in lines]


def play(ofw, args, lines, code=0, stderr=""):
    done = ofw.run(*args, stdin=as_text([line if isinstance(line, str) else json.dumps(line) for line in lines]))
    same((done.returncode, done.stderr), (code, stderr), "code and stderr")
    return done.stdout.splitlines()


# ---- who uses it ----

def moving_limit(ofw, told, rounds=200):
    """The violation of x_1 <= level, which moves, while the loss wants x_1 to be large."""
    level = [0.3 + 0.5 * math.sin(t / 3.0) for t in range(rounds + 1)]
    violation = 0.0
    with ofw.start(*ADA) as process:
        for t in range(rounds):
            x = decision(process, t + 1)
            over = x[0] - level[t]
            violation += max(0.0, over)
            line = {"loss": -x[0], "loss_gradient": [-1, 0, 0], "constraint": over, "constraint_gradient": [1, 0, 0]}
            if told:
                line |= {"next_constraint": x[0] - level[t + 1], "next_constraint_gradient": [1, 0, 0]}
            send(process, json.dumps(line) + "\n")
    return violation


def test_a_right_hint_is_kept(ofw):
    none, right = moving_limit(ofw, False), moving_limit(ofw, True)
    check(none > 5.0 and right < 0.1 * none, f"violation {right} told, {none} not told")


def test_ofw_ada_uses_it_and_others_ignore_it(ofw):
    lines = lines_with_hints(25)
    listed = [line.split()[0] for line in ofw.run("list", "learners").stdout.splitlines() if line.startswith("  ")]
    more = ["--horizon", "25", "--lipschitz", "4", "--loss-bound", "9", "--strong-convexity", "0.5"]
    used, ignored = [], []
    for learner in listed:
        args = ["pipe", "--learner", learner, "--domain", f"l2-ball:dim={DIM}", *more]
        told, not_told = lines, without_hints(lines)
        if ofw.run(*args, stdin='{"loss":1,"loss_gradient":[1,0,0]}\n').returncode == 3:             # a bandit learner sees numbers only
            told = [{key: value for key, value in line.items() if not key.endswith("gradient")} for line in lines]
            not_told = without_hints(told)
        done = [ofw.run(*args, stdin=as_text(map(json.dumps, kind))) for kind in (told, not_told)]
        same([d.returncode for d in done], [0, 0], f"{learner}: {done[0].stderr[:200]!r}, {done[1].stderr[:200]!r}, codes")
        (ignored if done[0].stdout == done[1].stdout else used).append(learner)
    same(used, ["ofw-ada"], "learners whose decisions change")
    check(len(ignored) >= 10, f"only {ignored} were asked")


def test_options_with_which_it_is_ignored(ofw):
    lines = [{**line, "constraint": [line["constraint"]], "constraint_gradient": [line["constraint_gradient"]]} for line in lines_with_hints(25)]
    for option in ("storage=float", "sample=yes", "constraints=each", "constraints=budgets"):
        args = ["pipe", "--learner", "ofw-ada", "--domain", "trace-ball:rows=3,cols=1" if option == "storage=float" else "simplex:dim=3", "--set", option]
        same(play(ofw, args, lines), play(ofw, args, without_hints(lines)), f"decisions with {option}")


# ---- what is refused ----

def test_a_refused_hint_changes_nothing(ofw):
    """With --on-error skip the same decision waits, and all that follow are those of a play without the bad lines."""
    good = lines_with_hints(12)
    bad = {"loss": 0, "loss_gradient": [1, 0, 0]}
    hints = [{"next_constraint": 1}, {"next_constraint_gradient": [1, 0, 0]}, {"next_constraint": 1, "next_constraint_gradient": [1, 0]},
             {"next_constraint": [1, 2], "next_constraint_gradient": [[1, 0, 0]]}, {"next_constraint": [1, 2], "next_constraint_gradient": [[1, 0, 0], [1, 0]]},
             {"next_constraint": 1, "next_constraint_gradient": {"index": [DIM], "value": [1]}}]
    texts = [json.dumps(bad | hint) for hint in hints]
    texts += [json.dumps(bad)[:-1] + ',"next_constraint":1e999,"next_constraint_gradient":[1,0,0]}',
              json.dumps(bad)[:-1] + ',"next_constraint":1,"next_constraint_gradient":[1,NaN,0]}']
    mixed = [part for line, text in zip(good, texts * 2) for part in (text, json.dumps(line))]
    found = play(ofw, [*ADA, "--on-error", "skip"], mixed)
    errors = [line for line in found if '"error"' in line]
    same(len(errors), len(good), "errors")
    check(all("next_constraint" in line for line in errors), f"{errors}")
    same([line for line in found if '"error"' not in line], play(ofw, ADA, good), "decisions")


# ---- what outlives a crash ----

def test_it_is_kept_through_checkpoint_and_resume(ofw):
    """Ended after every line and killed after every line: the pending decision and all that follow are those of one process."""
    lines = lines_with_hints(18, seed=2)
    whole = play(ofw, ADA, lines)
    check(whole != play(ofw, ADA, without_hints(lines)), "the hints change nothing")
    for more in ([], ["--log-keep", "0"]):                      # the latter: lines go, so the state has to come from the checkpoint
        args = [*ADA, "--log", "l", "--checkpoint", "c", "--checkpoint-every", "1", *more]
        for t, line in enumerate(lines):
            same(play(ofw, args, [line]), whole[t:t + 2], f"round {t + 1} with {more}")
        check(bool(Log(ofw.file("l")).dropped) == bool(more), "lines of the log are dropped with --log-keep, and only then")
        for name in os.listdir(ofw.folder):
            os.remove(ofw.file(name))


def test_it_is_kept_through_kill_9(ofw):
    lines = lines_with_hints(40, seed=3)
    whole = play(ofw, ADA, lines)
    args = [*ADA, "--log", "l", "--checkpoint", "c", "--checkpoint-every", "4", "--log-keep", "2"]
    done, rng = 0, random.Random(4)
    while done < len(lines):
        with ofw.start(*args) as process:
            same(process.stdout.readline().rstrip("\n"), whole[done], f"the decision after {done} lines")
            for line in lines[done:done + rng.randrange(1, 8)]:
                send(process, json.dumps(line) + "\n")
                done += 1
                same(process.stdout.readline().rstrip("\n"), whole[done], f"the decision after {done} lines")
            process.send_signal(signal.SIGKILL)
    check(os.path.exists(ofw.file("c")) and Log(ofw.file("l")).dropped > 0, "no checkpoint was used")


def test_a_state_without_hints_continues_with_them(ofw):
    """A checkpoint from before the first hint, and one from after the last."""
    lines = without_hints(lines_with_hints(10, seed=5)) + lines_with_hints(10, seed=6) + without_hints(lines_with_hints(10, seed=7))
    whole = play(ofw, ADA, lines)
    for cut in (5, 10, 15, 20, 25):
        args = [*ADA, "--log", "l", "--checkpoint", "c", "--log-keep", "0"]
        same(play(ofw, args, lines[:cut]), whole[:cut + 1], f"the first {cut}")
        same(play(ofw, args, lines[cut:]), whole[cut:], f"after {cut}")
        for name in os.listdir(ofw.folder):
            os.remove(ofw.file(name))


def test_a_run_with_hints_resumes(ofw):
    args = ["run", "-q", "--json", "--learner", "ofw-ada", "--stream", "routes:hints=right,rows=12,cols=4", "--rounds", "60"]
    whole = strict_json(ofw.run(*args).stdout)
    kept = [*args, "--checkpoint", "c", "--checkpoint-every", "11"]
    same(ofw.run(*kept).returncode, 0, "code")
    shutil.copy(ofw.file("c.1"), ofw.file("c"))
    same(strict_json(ofw.run("info", "--json", "c").stdout)["rounds"], 55, "rounds of the checkpoint")
    resumed = strict_json(ofw.run(*kept, "--resume").stdout)
    for result in (whole, resumed):
        del result["seconds"]
    same(resumed, whole, "the result")


if __name__ == "__main__":
    raise SystemExit(runner.main(__doc__, globals(), "hints.json"))
