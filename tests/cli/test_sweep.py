#!/usr/bin/python3
"""Runs `ofw sweep` and `ofw export` as their users do; what is in the database is computed anew by separate plays.

    test_sweep.py --ofw PATH [--filter SUBSTRING]
"""
import contextlib
import csv
import glob
import io
import math
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid

from program import PATIENCE, Failure, check, same, strict_json, text_of
from runner import main
from test_growth import GRID, near, number, recomputed

ROUNDS, SEEDS = 120, (5, 6)
RATINGS = "matrix-completion:users=14,items=10,ratings=60,batch=9,holdout=0.1"
EXPERIMENT = f"""
[experiment]
title = Two learners, a grid, and one that fails
rounds = {ROUNDS}
seeds = {len(SEEDS)}
seed = {SEEDS[0]}
tune-seeds = 2
series = 7

[stream ball]
stream = linear
domain = l2-ball:dim=4,radius=2

[stream ratings]
stream = {RATINGS}

[learner tuned]
learner = ofw-tvc
sigma = line-search
tune = yes
streams = ball

[learner ofw]                   ; without options

[learner grid]
learner = ofw-tvc
step = 0.1, 20
lipschitz = 300, 3000
streams = ratings

[learner fails]
learner = scofw-tvc             ; which needs a strong convexity
streams = ball

[claim one]
text = tuning helps
better = tuned
than = ofw, fails
metric = ccv
"""
# (stream, label) and what 'ofw run' takes for it, in the plan's order
PLACES = {"ball": ["--stream", "linear", "--domain", "l2-ball:dim=4,radius=2"], "ratings": ["--stream", RATINGS]}
TUNED, FAILS = ("ball", "tuned", "sigma=line-search"), ("ball", "fails", "")
ARMS = {TUNED: ["--learner", "ofw-tvc", "--set", "sigma=line-search"],
        ("ball", "ofw", ""): ["--learner", "ofw"],
        FAILS: ["--learner", "scofw-tvc"],
        ("ratings", "ofw", ""): ["--learner", "ofw"],
        **{("ratings", "grid", f"step={step} lipschitz={G}"): ["--learner", "ofw-tvc", "--set", f"step={step}",
                                                               "--lipschitz", G]
           for step in ("0.1", "20") for G in ("300", "3000")}}
CELLS = 44 + 2 * len(ARMS)


def rows(path, query, *values):
    """Of a database that is closed, by a program that owes ofw nothing."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(query, values)]
    finally:
        connection.close()


def dump(path):
    """Every table but the timings, as text."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        same(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)], "integrity")
        same(connection.execute("PRAGMA foreign_key_check").fetchall(), [], "references")
        return "\n".join(line for line in connection.iterdump() if not line.startswith('INSERT INTO "timing'))
    finally:
        connection.close()


def swept(ofw, folder="out", *args, text=EXPERIMENT, code=1):
    ofw.write("a.ini", text)
    done = ofw.run("sweep", "a.ini", "-o", folder, *args)
    same(done.returncode, code, f"stderr {done.stderr[:300]!r}, code")
    if code == 1:                                                               # because of the two that fail
        check(done.stderr.splitlines()[-1].startswith(f"ofw sweep: 2 of {CELLS} plays failed; "), f"{done.stderr!r}")
        same(rows(ofw.file(f"{folder}/results.db"), "SELECT count(*) AS n FROM cell"), [{"n": CELLS}], "cells")
    return done


def played(ofw, arm, seed, *more):
    """The trace's head and rows, and the result, of a play by itself."""
    return ofw.trace("run", *ARMS[arm], *PLACES[arm[0]], "--rounds", str(ROUNDS), "--seed", str(seed), *more)


# --- what is in the database --------------------------------------------------------------------

def test_the_plan_is_in_the_database(ofw):
    done = swept(ofw, "out", "-q")
    same(done.stderr, f"ofw sweep: 2 of {CELLS} plays failed; the first: fails on ball, seed 5: scofw-tvc: expected a strong "
         "convexity above 0, found none; for other losses use ofw-tvc\n", "stderr")
    path = ofw.file("out/results.db")
    same(os.listdir(ofw.file("out")), ["results.db"], "files")
    meta = {row["key"]: row["value"] for row in rows(path, "SELECT * FROM meta")}
    head = played(ofw, TUNED, 1)[0][0]
    version, kernel = re.fullmatch(r"# ofw (\S+) kernel=(\S+) .*threads=1", head).groups()
    same(meta, {"format": "2", "title": "Two learners, a grid, and one that fails", "experiment": EXPERIMENT,
                "version": version, "kernel": kernel}, "meta")
    arms = rows(path, "SELECT * FROM arm ORDER BY arm")
    same([(a["stream"], a["label"], a["options"]) for a in arms], list(ARMS), "arms")
    same([a["arm"] for a in arms], list(range(1, len(ARMS) + 1)), "their numbers")
    same([a["learner"] for a in arms], [words[1] for words in ARMS.values()], "learners")
    same([(a["tuned"], a["constant1"], a["constant2"]) for a in arms],
         [(1, "step", "gamma-scale")] + [(0, None, None)] * (len(ARMS) - 1), "what is tuned")
    same([["--stream", a["stream_spec"]] + (["--domain", a["domain"]] if a["domain"] else []) for a in arms],
         [PLACES[stream] for stream, _, _ in ARMS], "streams")
    cells = rows(path, "SELECT * FROM cell ORDER BY cell")
    same([c["cell"] for c in cells], list(range(1, CELLS + 1)), "cells")
    same([(c["arm"], c["role"], c["seed"]) for c in cells],
         [(1, "tune", seed) for _ in range(22) for seed in (1000005, 1000006)]
         + [(arm, "play", seed) for arm in range(1, len(ARMS) + 1) for seed in SEEDS], "their order")
    same({(c["rounds"], c["version"], c["kernel"], c["threads"]) for c in cells}, {(ROUNDS, version, kernel, 1)}, "how")
    failed = [c for c in cells if c["status"] != "ok"]
    same([(list(ARMS)[c["arm"] - 1], c["seed"]) for c in failed], [(FAILS, seed) for seed in SEEDS], "what failed")
    for c in failed:
        same((c["error"], c["exit_code"]), ("scofw-tvc: expected a strong convexity above 0, found none; for other losses use "
                                            "ofw-tvc", 2), "why")
        same({c[name] for name in ("config", "loss", "regret", "ccv", "G", "D", "oracle_calls")}, {None}, "its numbers")


def test_cells_are_runs(ofw):
    swept(ofw)
    path = ofw.file("out/results.db")
    arms = {row["arm"]: (row["stream"], row["label"], row["options"]) for row in rows(path, "SELECT * FROM arm")}
    default = dict(pair.split("=", 1) for pair in played(ofw, TUNED, 1)[2]["config"].split())
    cells = rows(path, "SELECT * FROM cell WHERE status = 'ok'")
    for cell in [c for c in cells if c["role"] == "play"] + cells[:44:5]:
        sets = [word for name, factor in (("step", cell["factor1"]), ("gamma-scale", cell["factor2"])) if factor != 1
                for word in ("--set", f"{name}={factor * float(default[name])!r}")]
        head, trace, result = played(ofw, arms[cell["arm"]], cell["seed"], *sets)
        what = f"cell {cell['cell']}: "
        same(cell["config"], "\n".join(line[2:] for line in head[1:]), what + "config")
        wanted = recomputed(trace, 0)
        for name in ("loss", "regret", "ccv", "oracle_calls", "passes"):
            same(cell[name], wanted[name], what + name)
        near(cell["soft_violation"], wanted["soft_violation"], what + "soft_violation")
        for name in ("held_out_rmse", "projections"):
            same(cell[name], result[name], what + name)
        same((cell["G"], cell["D"]), (result["lipschitz"], result["diameter"]), what + "G and D")
        if arms[cell["arm"]][0] == "ball":
            same(cell["D"], 4.0, what + "D of a ball of radius 2")
        kept = [row for row in trace if int(row["round"]) % 18 == 0 or int(row["round"]) == ROUNDS]   # about 7
        series = rows(path, "SELECT * FROM series WHERE cell = ? ORDER BY round", cell["cell"])
        same([tuple(row.values())[1:] for row in series],
             [(int(row["round"]), *(number(row[name]) for name in ("loss_sum", "ccv", "comparator_loss_sum")),
               int(row["oracle_calls"]), int(row["passes"])) for row in kept if cell["role"] == "play"], what + "series")


def test_times_are_apart(ofw):
    before = time.time()
    swept(ofw)
    path = ofw.file("out/results.db")
    timing = rows(path, "SELECT * FROM timing JOIN cell USING (cell) ORDER BY cell")
    same(len(timing), CELLS, "times")
    for row in timing:
        began = time.mktime(time.strptime(row["started"], "%Y-%m-%dT%H:%M:%SZ")) - time.timezone
        check(before - 1.5 <= began <= time.time(), f"it began at {row['started']}")
        check(re.search(r"\d+ processors", row["machine"]), f"the machine {row['machine']!r}")
        same(row["seconds"] is None, row["status"] == "failed", "seconds")
    same(rows(path, "SELECT cell, round FROM timing_series"), rows(path, "SELECT cell, round FROM series"), "rounds")
    last = rows(path, f"SELECT seconds FROM timing_series WHERE round = {ROUNDS} ORDER BY cell")
    same([row["seconds"] for row in last], [row["seconds"] for row in timing if row["role"] == "play"
                                            and row["status"] == "ok"], "the last round's time")


def best(runs, indices):
    """As lab/tune.h has it."""
    least = min(runs[i]["score"] for i in indices)
    tied = [i for i in indices if runs[i]["score"] <= 1.01 * least]
    return min(tied, key=lambda i: (sum(abs(math.log10(f)) for f in runs[i]["factors"]), runs[i]["score"]))


def test_tuning_chooses_by_its_cells(ofw):
    swept(ofw)
    path = ofw.file("out/results.db")
    cells = rows(path, "SELECT * FROM cell WHERE role = 'tune' ORDER BY cell")
    pairs = [cells[i:i + 2] for i in range(0, 44, 2)]
    runs = [{"factors": [pair[0]["factor1"], pair[0]["factor2"]],
             "score": sum((max(c["regret"], 0) + c["ccv"]) / (c["G"] * c["D"] * ROUNDS) / 2 for c in pair)}
            for pair in pairs]
    first = runs[best(runs, range(11))]["factors"][0]
    same([run["factors"] for run in runs], [[f, 1.0] for f in GRID] + [[first, f] for f in GRID], "the runs")
    plays = rows(path, "SELECT factor1, factor2 FROM cell WHERE role = 'play' AND arm = 1")
    same([list(play.values()) for play in plays], [runs[best(runs, range(22))]["factors"]] * 2, "the choice")
    same(rows(path, "SELECT DISTINCT factor1, factor2 FROM cell WHERE arm <> 1"), [{"factor1": 1, "factor2": 1}], "others")


# --- constants, and finer tunings -----------------------------------------------------------------

CONSTANTS = """[experiment]
title = Values themselves
rounds = 60
seeds = 2
tune-seeds = 2
[stream ball]
stream = quadratic
domain = l2-ball:dim=3
[learner boxes]
learner = ofw-tvc
beta = 1
gamma = 1
constants = beta, gamma
tune = fine
[learner alpha]
learner = scofw-tvc
strong-convexity = 0.5
constants = beta-scale, strong-convexity
tune = yes
"""


def test_constants_are_the_options_that_they_name(ofw):
    """Every play is what 'ofw run' plays with the values: the same bits."""
    ofw.write("a.ini", CONSTANTS)
    done = ofw.run("sweep", "a.ini", "-o", "out", "-q")
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    path = ofw.file("out/results.db")
    same([tuple(row.values()) for row in rows(path, "SELECT constant1, constant2 FROM arm ORDER BY arm")],
         [("beta", "gamma"), ("beta-scale", "strong-convexity")], "their names")
    cells = rows(path, "SELECT * FROM cell ORDER BY cell")
    same(len(cells), 2 * (26 + 22) + 4, "cells")
    for cell in cells[::7] + [c for c in cells if c["role"] == "play"]:
        where = ["--stream", "quadratic", "--domain", "l2-ball:dim=3", "--rounds", "60", "--seed", str(cell["seed"])]
        f1, f2 = repr(cell["factor1"]), cell["factor2"]
        sets = ["--learner", "ofw-tvc", "--set", f"beta={f1}", "--set", f"gamma={f2!r}"] if cell["arm"] == 1 else \
               ["--learner", "scofw-tvc", "--strong-convexity", repr(0.5 * f2), "--set", f"beta-scale={f1}"]
        head, trace, _ = ofw.trace("run", *sets, *where)
        same(cell["config"], "\n".join(line[2:] for line in head[1:]), f"cell {cell['cell']}: config")
        wanted = recomputed(trace, 0)
        same([cell[name] for name in ("loss", "ccv")], [wanted[name] for name in ("loss", "ccv")], f"cell {cell['cell']}")


def tuning_runs(path, arm, seeds, rounds):
    """Factors and scores of an arm's tuning runs, from the cells alone; what is refused has none."""
    cells = rows(path, "SELECT * FROM cell WHERE role = 'tune' AND arm = ? ORDER BY cell", arm)
    groups = [cells[i:i + seeds] for i in range(0, len(cells), seeds)]
    return [{"factors": [group[0]["factor1"], group[0]["factor2"]],
             "score": math.inf if any(c["error"] for c in group) else
             sum((max(c["regret"], 0) + c["ccv"]) / (c["G"] * c["D"] * rounds) / seeds for c in group)} for group in groups]


def check_fine(path, arm, seeds, rounds):
    """22 runs, then the four around the best of them; the plays have the best of all 26."""
    runs = tuning_runs(path, arm, seeds, rounds)
    same(len(runs), 26, "runs")
    first = runs[best(runs, range(11))]["factors"][0]
    same([run["factors"] for run in runs[:22]], [[f, 1.0] for f in GRID] + [[first, f] for f in GRID], "the 22")
    a, b = runs[best(runs, range(22))]["factors"]
    for run, wanted in zip(runs[22:], [[a / math.sqrt(10), b], [a * math.sqrt(10), b], [a, b / math.sqrt(10)], [a, b * math.sqrt(10)]]):
        check(all(abs(f / w - 1) < 1e-12 for f, w in zip(run["factors"], wanted)), f"{run['factors']}, not {wanted}")
    plays = rows(path, "SELECT factor1, factor2 FROM cell WHERE role = 'play' AND arm = ?", arm)
    same([list(play.values()) for play in plays], [runs[best(runs, range(26))]["factors"]] * len(plays), "the choice")
    return best(runs, range(26)) >= 22


FINE = """[experiment]
title = Fine
rounds = 80
seeds = 2
tune-seeds = 2
series = 5
[stream ball]
stream = linear
domain = l2-ball:dim=3
[stream cube]
stream = quadratic
domain = linf-ball:dim=4
[learner tvc]
learner = ofw-tvc
tune = fine
[learner ofw]
[learner opdp]
tune = fine
[learner lpm]
tune = fine
"""
FINE_CELLS = 2 * (3 * (52 + 2) + 2)


def test_fine_tuning(ofw):
    ofw.write("a.ini", FINE)
    dumps = []
    for jobs in ("-j1", "-j4"):
        same(ofw.run("sweep", "a.ini", "-o", jobs, "-q", jobs).returncode, 0, "code")
        dumps.append(dump(ofw.file(f"{jobs}/results.db")))
    check(dumps[0] == dumps[1], "the number of workers changes the database")
    path = ofw.file("-j4/results.db")
    same(len(rows(path, "SELECT cell FROM cell")), FINE_CELLS, "cells")
    tuned = [row["arm"] for row in rows(path, "SELECT arm FROM arm WHERE tuned ORDER BY arm")]
    same(len(tuned), 6, "tuned arms")
    finer = sum(check_fine(path, arm, 2, 80) for arm in tuned)
    check(finer >= 1, "no half decade was ever better")
    table = ofw.run("sweep", "a.ini", "-o", "-j4", "-q").stdout
    for row in rows(path, "SELECT DISTINCT label, factor1, factor2 FROM cell JOIN arm USING (arm) WHERE role = 'play' AND tuned"):
        check(f" times {row['factor1']:g}," in table and f" times {row['factor2']:g}\n" in table, f"{row} is not in {table}")


def test_a_tuning_grows_finer(ofw):
    """Four runs are new, and the plays if another one is best."""
    ofw.write("a.ini", FINE.replace("tune = fine", "tune = yes"))
    same(ofw.run("sweep", "a.ini", "-o", "kept", "-q").returncode, 0, "code")
    path = ofw.file("kept/results.db")
    plays = "SELECT cell.* FROM cell WHERE role = 'play' ORDER BY cell"
    before = {(row["arm"], row["seed"]): (row["factor1"], row["factor2"]) for row in rows(path, plays)}
    ofw.write("a.ini", FINE)
    done = ofw.run("sweep", "a.ini", "-o", "kept")
    same(done.returncode, 0, f"{done.stderr!r}, code")
    again = sum(before[row["arm"], row["seed"]] != (row["factor1"], row["factor2"]) for row in rows(path, plays))
    new = 6 * 4 * 2 + again
    check(f"100%  {FINE_CELLS} of {FINE_CELLS} plays, {FINE_CELLS - new} of them done before" in done.stderr, f"{new}: {done.stderr!r}")
    same(ofw.run("sweep", "a.ini", "-o", "whole", "-q").returncode, 0, "code")
    check(dump(path) == dump(ofw.file("whole/results.db")), "the database is not that of one sweep")
    coarse = FINE.replace("tune = fine", "tune = yes")
    ofw.write("a.ini", coarse)
    done = ofw.run("sweep", "a.ini", "-o", "kept", "-q")
    same((done.returncode, done.stderr), (2, f"ofw sweep: kept/results.db: a.ini no longer asks for 48 of its {FINE_CELLS} plays; --drop deletes "
                                          "them, another folder keeps them\n"), "back")
    same(ofw.run("sweep", "a.ini", "-o", "kept", "-q", "--drop").returncode, 0, "code")
    same(ofw.run("sweep", "a.ini", "-o", "coarse", "-q").returncode, 0, "code")
    check(dump(path) == dump(ofw.file("coarse/results.db")), "back")


# --- constants that a learner refuses -----------------------------------------------------------------

REFUSING = """[experiment]
title = Refusals
rounds = 40
seeds = 2
tune-seeds = 2
[stream small]
stream = matrix-completion:users=8,items=6,ratings=20,batch=4,radius=10
[learner SC]
learner = scbfw-tvc
strong-convexity = 1
tune = fine
[learner still]
"""


def test_refused_constants_are_no_failure(ofw):
    ofw.write("a.ini", REFUSING)
    for _ in range(2):                                                          # the second time from the database
        done = ofw.run("sweep", "a.ini", "-o", "out", "-q")
        path = ofw.file("out/results.db")
        refused = rows(path, "SELECT DISTINCT factor1, factor2 FROM cell WHERE exit_code = 2")
        said = rows(path, "SELECT error FROM cell WHERE exit_code = 2 ORDER BY cell LIMIT 1")[0]["error"]
        check(said.startswith("scbfw-tvc: c=") and "but the set contains only a ball" in said, said)
        same(done.returncode, 0, f"{done.stderr!r}, code")
        same(done.stderr.splitlines()[0], f"ofw sweep: SC on small: {len(refused)} of 26 grid points refused: {said}", "stderr")
    same(done.stderr.splitlines()[1:], ["ofw sweep: nothing to play: out/results.db has all 56 plays"], "the rest of it")
    check(4 <= len(refused) < 26, f"{len(refused)} refused")
    same(rows(path, "SELECT DISTINCT role, status, config, loss FROM cell WHERE exit_code = 2"),
         [{"role": "tune", "status": "failed", "config": None, "loss": None}], "how they are kept")
    chosen = rows(path, "SELECT DISTINCT factor1, factor2 FROM cell WHERE role = 'play' AND arm = 1")
    check(len(chosen) == 1 and chosen[0] not in refused, f"{chosen} of {refused}")
    done = ofw.run("reproduce", "a.ini", "-o", "out", "-q")
    same(done.returncode, 0, f"reproduce: {done.stderr!r}, code")
    check("SC on small:" in done.stderr, done.stderr)


def test_refusals_that_are_failures(ofw):
    """A learner that refuses all of its constants, with and without plays; and a play that is refused."""
    for seeds, failed in ((2, 54), (0, 52)):
        ofw.write("a.ini", REFUSING.replace("seeds = 2\ntune", f"seeds = {seeds}\ntune").replace("strong-convexity = 1", "strong-convexity = 0"))
        done = ofw.run("sweep", "a.ini", "-o", f"all{seeds}", "-q")
        same((done.returncode, done.stderr), (1, f"ofw sweep: {failed} of {52 + 2 * seeds} plays failed; the first: SC on small, seed 1000001: "
                                              "scbfw-tvc: expected a strong convexity above 0, found none; for other losses use bfw-tvc\n"), f"{seeds} seeds")
    ofw.write("a.ini", REFUSING.replace("tune = fine", "c = 1000"))
    done = ofw.run("sweep", "a.ini", "-o", "play", "-q")
    same(done.returncode, 1, "code")
    check(done.stderr.startswith("ofw sweep: 2 of 4 plays failed; the first: SC on small, seed 1: scbfw-tvc: c=1000 probes"), done.stderr)


# --- files that include others ------------------------------------------------------------------------

def test_files_include_others(ofw):
    """From the folder of the file that names them; the database keeps all of it, and goes on without the files."""
    os.makedirs(ofw.file("folder/base"))
    ofw.write("folder/base/all.ini", SMALL)
    ofw.write("folder/middle.ini", "include = base/all.ini\n[experiment]\nseeds = 2\n[learner tvc]\ntune = no\n")
    ofw.write("top.ini", "include = folder/middle.ini\n[experiment]\nrounds = 30\n[learner fails]\nstrong-convexity = 1\n")
    done = ofw.run("sweep", "top.ini", "-o", "out", "-q")
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    text = rows(ofw.file("out/results.db"), "SELECT value FROM meta WHERE key = 'experiment'")[0]["value"]
    wanted = SMALL.replace("seeds = 3", "seeds = 2").replace("tune = yes", "tune = no").replace("rounds = 40", "rounds = 30") + "strong-convexity = 1\n"
    same(text.replace("\n\n", "\n"), wanted, "the text")
    ofw.write("whole.ini", wanted)
    same(ofw.run("sweep", "whole.ini", "-o", "whole", "-q").returncode, 0, "code")
    cells = "SELECT * FROM cell ORDER BY cell"
    same(rows(ofw.file("out/results.db"), cells), rows(ofw.file("whole/results.db"), cells), "the plays")
    shutil.rmtree(ofw.file("folder"))
    ofw.write("more.ini", text.replace("seeds = 2", "seeds = 3"))
    same(ofw.run("sweep", "more.ini", "-o", "out", "-q").returncode, 0, "code of one that has grown")
    same(ofw.run("report", "out").returncode, 0, "code of its report")


def test_include_refusals(ofw):
    os.makedirs(ofw.file("folder"))
    ofw.write("folder/base.ini", SMALL)
    ofw.write("folder/wrong.ini", SMALL.replace("step = 1, 30", "steps = 1, 30"))
    ofw.write("folder/circle.ini", "; round and round\ninclude = ../a.ini\n")
    ofw.write("folder/dots.ini", "include = ../folder/dots.ini\n")
    ofw.write("folder/data.ini", SMALL.replace("stream = quadratic\ndomain = linf-ball:dim=2", "stream = matrix-completion:file=/nowhere.csv"))
    ofw.write("folder/zero.ini", "[experiment]\n\0")
    for text, code, message in (
            ("include = folder/none.ini\n", 3, "a.ini:1: cannot read folder/none.ini: No such file or directory"),
            ("include = folder\n", 3, "a.ini:1: cannot read folder: Is a directory"),
            (f"\ninclude = {ofw.file('folder/none.ini')}\n", 3, f"a.ini:2: cannot read {ofw.file('folder/none.ini')}: No such file or directory"),
            ("include = folder/zero.ini\n", 2, "a.ini:1: folder/zero.ini: the file contains a NUL byte"),
            ("include = folder/wrong.ini\n", 2, "folder/wrong.ini:20: ofw-tvc: no option 'steps'; did you mean 'step'?"),
            ("include = folder/base.ini\n[learner grid]\n\nsteps = 3\n", 2, "a.ini:4: ofw-tvc: no option 'steps'; did you mean 'step'?"),
            ("include = folder/data.ini\n", 3, "folder/data.ini:11: cannot read /nowhere.csv: No such file or directory"),
            ("include = folder/../a.ini\n", 2, "folder/../folder/../folder/../folder/../a.ini:1: include: files are nested more than 4 deep"),
            ("include = a.ini\n", 2, "a.ini:1: include: a.ini includes itself"),
            ("include = folder/dots.ini\n", 2, "folder/../folder/../folder/../folder/dots.ini:1: include: files are nested more than 4 deep")):
        ofw.write("a.ini", text)
        for command in ("sweep", "reproduce"):
            done = ofw.run(command, "a.ini", "-o", "out")
            same((done.returncode, done.stdout, done.stderr), (code, "", f"ofw {command}: {message}\n"), text)
    check(not os.path.exists(ofw.file("out")), "nothing is written")
    ofw.write("a.ini", f"include = {ofw.file('folder/base.ini')}\n[experiment]\nseeds = 1\n")
    same(ofw.run("sweep", "a.ini", "-o", "out", "-q").returncode, 1, "an absolute path")


def test_a_database_includes_nothing(ofw):
    """Whoever can send a database could have a file of the reader's opened."""
    ofw.write("b.ini", SMALL)
    swept_small = ofw.run("sweep", "b.ini", "-o", "kept", "-q")
    same(swept_small.returncode, 1, "code")
    ofw.write("secret.ini", SMALL)
    with contextlib.closing(sqlite3.connect(ofw.file("kept/results.db"))) as connection:
        connection.execute("UPDATE meta SET value = 'include = secret.ini' || char(10) || value WHERE key = 'experiment'")
        connection.commit()
    message = "kept/results.db:1: include: only a file can include others"
    for args, code in ((["report", "kept"], 3), (["sweep", "b.ini", "-o", "kept", "-q"], 3)):
        done = ofw.run(*args)
        same((done.returncode, done.stderr), (code, f"ofw {args[0]}: {message}\n"), args[0])


# --- again --------------------------------------------------------------------------------------

def content(path):
    with open(path, "rb") as file:
        return file.read()


def test_finished(ofw):
    swept(ofw)
    path = ofw.file("out/results.db")
    before = content(path)
    done = swept(ofw)
    check(f"ofw sweep: nothing to play: out/results.db has all {CELLS} plays\n" in done.stderr, "it says so")
    check("%" not in done.stderr, f"progress: {done.stderr!r}")
    check(content(path) == before, "the bytes are not as they were")


def test_the_next_step_is_named(ofw):
    """The last line says how the results become a page, and that command does it; not if somebody wants silence or JSON."""
    ofw.write("a.ini", "[experiment]\ntitle = One learner\nrounds = 20\nseeds = 1\n[stream ball]\nstream = linear\ndomain = l2-ball:dim=4,radius=2\n[learner ofw]\n")
    line = "ofw sweep: 'ofw report out' makes a page of these results"
    for _ in range(2):                                                          # played, and then nothing to play
        done = ofw.run("sweep", "a.ini", "-o", "out")
        same((done.returncode, done.stderr.splitlines()[-1]), (0, line), f"{done.stderr!r}")
    for option in ("--quiet", "--json"):
        done = ofw.run("sweep", "a.ini", "-o", "out", option)
        check(done.returncode == 0 and line not in done.stderr, f"{option}: {done.stderr!r}")
    same(ofw.run("report", "out").returncode, 0, "ofw report")
    check(os.path.exists(ofw.file("out/report.html")), "no page")
    check("ofw report" not in swept(ofw, "failed").stderr, "it is named although plays failed")


# --- several horizons ---------------------------------------------------------------------------------

def test_horizons(ofw):
    """Each is played with every seed, constants are tuned at the first, and what is told is of the last."""
    text = SMALL.replace("rounds = 40", "rounds = 30, 60, 120") + "[claim 1]\ntext = t\nbetter = tvc\nthan = ofw\nmetric = ccv, loss\n"
    table = grown(ofw, text, "-q", folder="out").stdout
    path = ofw.file("out/results.db")
    same(rows(path, "SELECT DISTINCT rounds FROM cell WHERE role = 'tune'"), [{"rounds": 30}], "tuned at")
    places = [(row["rounds"], row["seed"]) for row in rows(path, "SELECT rounds, seed FROM cell WHERE arm = 2 AND role = 'play' ORDER BY cell")]
    same(places, [(T, seed) for T in (30, 60, 120) for seed in (1, 2, 3)], "plays of an arm")
    mean = rows(path, "SELECT avg(ccv) AS ccv FROM cell WHERE arm = 2 AND role = 'play' AND rounds = 120")[0]["ccv"]
    line = next(line for line in table.splitlines() if line.startswith("ball    tvc"))
    check(f" {mean:.6g} " in line, f"{mean} is not in {line!r}")
    done = ofw.run("report", "out", "-o", "p.html")
    same(done.returncode, 0, f"stderr {done.stderr!r}, code")
    with open(ofw.file("p.html"), encoding="utf-8") as page:
        data = strict_json(re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read(), re.S).group(1))
    same({arm["series"]["round"][-1] for arm in data["arms"] if arm["plays"]}, {120}, "the last round of a curve")
    same({play["rounds"] for arm in data["arms"] for play in arm["plays"]}, {120}, "plays of the report")
    found = next(claim["better_mean"] for claim in data["claims"] if claim["metric"] == "ccv")
    check(abs(found - mean) <= 1e-12 * mean, f"{found} is not {mean}")


# --- an experiment that grows -----------------------------------------------------------------------

SMALL = """[experiment]
title = Small
rounds = 40
seeds = 3
tune-seeds = 1
series = 8
[stream ball]
stream = linear
domain = l2-ball:dim=3
[stream cube]
stream = quadratic
domain = linf-ball:dim=2
[learner ofw]
[learner tvc]
learner = ofw-tvc
tune = yes
streams = ball
[learner grid]
learner = ofw-tvc
step = 1, 30
preset = tight
[learner fails]
learner = scofw-tvc
streams = ball
"""
# What is added to the 46 plays, and how many plays there are then.
ADDED = {"a comment": (lambda text: "; mine\n" + text, 46),
         "a claim": (lambda text: text + "[claim 1]\ntext = it heeds\nbetter = tvc\nthan = fails\nmetric = ccv\n", 46),
         "a title": (lambda text: text.replace("Small", "Another"), 46),
         "names": (lambda text: text.replace("[learner ofw]", "[learner FW]\nlearner = ofw").replace("[stream cube]", "[stream box]"), 46),
         "another order": (lambda text: "\n[".join(text.rstrip("\n").split("\n[")[:1] + text.rstrip("\n").split("\n[")[:0:-1]) + "\n", 46),
         "a learner": (lambda text: text.replace("[learner tvc]", "[learner opdp]\n[learner tvc]"), 52),
         "the same learner again": (lambda text: text.replace("[learner tvc]", "[learner o]\nlearner = ofw\n[learner tvc]"), 52),
         "a stream": (lambda text: text.replace("[stream ball]", "[stream new]\nstream = alternating\ndomain = simplex:dim=3\n[stream ball]"), 55),
         "a value": (lambda text: text.replace("step = 1, 30", "step = 0.1, 1, 30"), 52),
         "seeds": (lambda text: text.replace("\nseeds = 3", "\nseeds = 5"), 62),
         "tuning seeds": (lambda text: text.replace("tune-seeds = 1", "tune-seeds = 3"), 90),
         "a finer tuning": (lambda text: text.replace("tune = yes", "tune = fine"), 50),
         "the constants by name": (lambda text: text.replace("tune = yes", "tune = yes\nconstants = step, gamma-scale"), 46),
         "a figure": (lambda text: text.replace("tune = yes", "tune = yes\nfigure = ours"), 46),
         "a horizon": (lambda text: text.replace("rounds = 40", "rounds = 40, 90"), 70)}


def grown(ofw, text, *args, folder="kept", code=1):
    """The last line of progress tells how many plays were known."""
    ofw.write("b.ini", text)
    done = ofw.run("sweep", "b.ini", "-o", folder, *args)
    same(done.returncode, code, f"stderr {done.stderr[:400]!r}, code")
    return done


def began(ofw, folder="kept"):
    shutil.rmtree(ofw.file(folder), ignore_errors=True)
    if not os.path.exists(ofw.file("small")):
        grown(ofw, SMALL, "-q", folder="small")
    shutil.copytree(ofw.file("small"), ofw.file(folder))


def whole(ofw, text):
    """What a sweep of that text in one go comes to."""
    shutil.rmtree(ofw.file("whole"), ignore_errors=True)
    grown(ofw, text, "-q", folder="whole")
    return dump(ofw.file("whole/results.db"))


def test_a_changed_experiment_plays_what_is_new(ofw):
    for what, (change, cells) in ADDED.items():
        began(ofw)
        times = {tuple(row.values()) for row in rows(ofw.file("kept/results.db"), "SELECT machine, started, seconds FROM timing")}
        text = change(SMALL)
        check(text != SMALL, f"{what}: nothing has changed")
        done = grown(ofw, text)
        wanted = f"has all {cells} plays" if cells == 46 else f"100%  {cells} of {cells} plays, 46 of them done before"
        check(wanted in done.stderr, f"{what}: {done.stderr!r}")
        check(dump(ofw.file("kept/results.db")) == whole(ofw, text), f"{what}: the database is not that of one sweep")
        same(os.listdir(ofw.file("kept")), ["results.db"], f"{what}: files")
        kept = {tuple(row.values()) for row in rows(ofw.file("kept/results.db"), "SELECT machine, started, seconds FROM timing")}
        check(times <= kept, f"{what}: the times of known plays have changed")


def test_all_of_it_grows_at_once_and_shrinks_again(ofw):
    began(ofw)
    text = SMALL
    for change, _ in ADDED.values():
        text = change(text)
    grown(ofw, text, "-q")
    check(dump(ofw.file("kept/results.db")) == whole(ofw, text), "grown")
    grown(ofw, SMALL, "-q", "--drop")
    check(dump(ofw.file("kept/results.db")) == dump(ofw.file("small/results.db")), "shrunk")


def test_plays_that_are_not_asked_for(ofw):
    """They are deleted on demand alone."""
    for what, text, lost in (
            ("a learner less", SMALL.replace("[learner ofw]\n", ""), 6),
            ("a value less", SMALL.replace("step = 1, 30", "step = 30"), 6),
            ("other values", SMALL.replace("step = 1, 30", "step = 1, 31"), 6),
            ("a seed less", SMALL.replace("\nseeds = 3", "\nseeds = 2"), 8),
            ("other seeds", SMALL.replace("\nseeds = 3", "\nseed = 2\nseeds = 3"), 30),
            ("more rounds", SMALL.replace("rounds = 40", "rounds = 41"), 46),
            ("other rounds kept", SMALL.replace("series = 8", "series = 7"), 24),
            ("no tuning", SMALL.replace("tune = yes\n", ""), 25),
            ("other constants", SMALL.replace("tune = yes", "tune = yes\nconstants = step, beta"), 25),
            ("the same constants in another order", SMALL.replace("tune = yes", "tune = yes\nconstants = gamma-scale, step"), 25),
            ("an option of every learner", SMALL + "[every learner]\nsample = no\n", 46),
            ("another option", SMALL.replace("preset = tight", "preset = theorem"), 12),
            ("a stream changed", SMALL.replace("l2-ball:dim=3", "l2-ball:dim=4"), 37)):
        began(ofw)
        before = content(ofw.file("kept/results.db"))
        for args in ([], ["--quiet"]):
            done = grown(ofw, text, *args, code=2)
            same((done.stdout, done.stderr), ("", f"ofw sweep: kept/results.db: b.ini no longer asks for {lost} of its 46 plays; --drop "
                                              "deletes them, another folder keeps them\n"), what)
            check(content(ofw.file("kept/results.db")) == before, f"{what}: the bytes have changed")
            same(os.listdir(ofw.file("kept")), ["results.db"], f"{what}: files")
        grown(ofw, text, "--drop", "-q")
        check(dump(ofw.file("kept/results.db")) == whole(ofw, text), f"{what}: the database is not that of one sweep")


def test_data_that_have_changed(ofw):
    """What is known was played on others."""
    def ratings(seed):
        rng = random.Random(seed)
        return [f"{user},{item},{rng.randint(1, 5)}" for user in range(9) for item in range(7)]
    text = SMALL.replace("stream = quadratic\ndomain = linf-ball:dim=2", "stream = matrix-completion:file=ratings.csv,batch=9")
    for first, second, code, message in ((1, 1, 1, ""), (1, 2, 2, "kept/results.db has plays on [stream cube] with other data or other "
                                                         "libraries; choose another folder")):
        shutil.rmtree(ofw.file("kept"), ignore_errors=True)
        ofw.write("ratings.csv", ratings(first))
        grown(ofw, text, "-q")
        ofw.write("ratings.csv", ratings(second))
        for more in ("", "[learner opdp]\n"):
            check(message in grown(ofw, text + more, "-q", code=code).stderr, message)


def test_killed_while_it_grows(ofw):
    """At random moments, most of them early: the database is the old one or the new one with whole plays, and ends as one played in one go."""
    text = SMALL
    for what in ("a learner", "a stream", "a value", "seeds", "tuning seeds", "a claim"):
        text = ADDED[what][0](text)
    began(ofw)
    begun = time.monotonic()
    wanted = whole(ofw, text)
    lasted, old = time.monotonic() - begun, dump(ofw.file("small/results.db"))
    all_cells = {row["cell"]: row for row in rows(ofw.file("whole/results.db"), "SELECT * FROM cell")}
    rng, found, k = random.Random(5), {"old": 0, "new": 0}, 0
    ofw.write("a.ini", text)
    while k < 40 or (k < 200 and min(found.values()) < 3):                      # more if the machine has become faster or slower since
        k += 1
        began(ofw)
        killed_after(ofw, rng.uniform(0, lasted * (0.1, 0.5, 0.02, 1)[k % 2 if k <= 40 else k % 4]), str(uuid.uuid4()))
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ofw.file("kept"), folder, dirs_exist_ok=True)
            path = f"{folder}/results.db"
            with contextlib.closing(sqlite3.connect(path)) as connection:       # which takes back what was half-written
                connection.execute("SELECT count(*) FROM cell")
            read = ofw.run("check", path)
            same(read.returncode, 0, f"a reader: {read.stdout!r}, code")
            is_old = rows(path, "SELECT value FROM meta WHERE key = 'experiment'") == [{"value": SMALL}]
            found["old" if is_old else "new"] += 1
            if is_old:
                check(dump(path) == old, "the old one is not as it was")
            else:
                for row in rows(path, "SELECT * FROM cell"):
                    same(row, all_cells[row["cell"]], "a play of the new one")
        if k % 4 == 0:
            grown(ofw, text, "-q")
            check(dump(ofw.file("kept/results.db")) == wanted, "the database is not that of one sweep")
    check(min(found.values()) >= 3, f"{found}")


def test_jobs_change_nothing(ofw):
    for jobs in ("-j1", "-j3", "--jobs=40"):
        swept(ofw, jobs, jobs)
    dumps = [dump(ofw.file(f"{jobs}/results.db")) for jobs in ("-j1", "-j3", "--jobs=40")]
    check(len(dumps[0]) > 10000 and dumps[1] == dumps[0] and dumps[2] == dumps[0], "three databases")


def test_what_the_system_refused_is_played_again(ofw):
    """Killed children, and those that ended with 1, are kept as failed, and tried anew, with all that was chosen because of them."""
    swept(ofw)
    path = ofw.file("out/results.db")
    whole = dump(path)
    connection = sqlite3.connect(path)
    chosen = connection.execute("SELECT cell FROM cell WHERE role = 'tune' AND (factor1, factor2) = (SELECT factor1, "
                                "factor2 FROM cell WHERE role = 'play' AND arm = 1)").fetchall()
    check(len(chosen) >= 2, "the cells of the chosen run")
    refusals = [(137, "the worker process was ended by signal 9 (Killed)"), (1, "cannot write /dev/fd/3: No space left on device")]
    for k, (cell,) in enumerate(chosen):
        connection.execute("UPDATE cell SET status = 'failed', exit_code = ?, error = ?, loss = NULL, regret = NULL, ccv = NULL "
                           "WHERE cell = ?", (*refusals[k % 2], cell))
    connection.execute("UPDATE cell SET factor1 = 77 WHERE role = 'play' AND arm = 1")
    connection.commit()
    connection.close()
    done = swept(ofw)
    check(f" {CELLS} of {CELLS} plays, {CELLS - len(chosen) - 2} of them done before" in done.stderr, done.stderr)
    check(dump(path) == whole, "the database is as it was")


def test_a_stream_that_ends_early_is_kept_as_failed(ofw):
    """The play ends well, and yet it is not the one that was asked for."""
    ofw.write("lines", ['{"loss":1,"loss_gradient":[1,0]}'] * 5)
    for rounds, code, failed in ((5, 0, []), (6, 1, [{"exit_code": 3, "error": "lines ends before round 6", "loss": None}])):
        ofw.write("a.ini", f"[experiment]\ntitle = Short\nrounds = {rounds}\n[stream s]\nstream = replay:file=lines\ndomain = l1-ball:dim=2\n"
                  "[learner ofw-ada]\n")
        same(ofw.run("sweep", "a.ini", "-o", f"out{rounds}", "-q").returncode, code, "code")
        same(rows(ofw.file(f"out{rounds}/results.db"), "SELECT exit_code, error, loss FROM cell WHERE status = 'failed'"), failed, "the cell")


def test_a_killed_worker_costs_its_play(ofw):
    """The play that it had under way is kept as failed; a new worker plays the others, and the next sweep that one."""
    text = """[experiment]
title = One after the other
rounds = 100000
seeds = 6
[stream s]
stream = linear
domain = l2-ball:dim=2
[learner ofw]
"""
    ofw.write("a.ini", text)
    path = ofw.file("out/results.db")
    same(ofw.run("sweep", "a.ini", "-o", "whole", "-q").returncode, 0, "code of one that nothing happened to")
    message = None
    while message is None:                                                      # or it was over before the kill: another time
        shutil.rmtree(ofw.file("out"), ignore_errors=True)
        with ofw.start("sweep", "a.ini", "-o", "out", "-q", "-j1") as process:
            worker = stopped_within_a_play(process.pid, path)
            if worker:
                os.kill(worker, signal.SIGKILL)
                same(process.wait(), 1, "code")
                message = process.stderr.read()
    failed = rows(path, "SELECT seed, exit_code, error FROM cell WHERE status = 'failed'")
    same([(f["exit_code"], f["error"]) for f in failed], [(137, "the worker process was ended by signal 9 (Killed)")], "failed plays")
    same(message, f"ofw sweep: 1 of 6 plays failed; the first: ofw on s, seed {failed[0]['seed']}: the worker process was ended by signal 9 (Killed)\n",
         "stderr")
    same(ofw.run("sweep", "a.ini", "-o", "out", "-q").returncode, 0, "code of the next")
    check(dump(path) == dump(ofw.file("whole/results.db")), "the database is another")


# --- killed and interrupted ---------------------------------------------------------------------

def wait_for_child(pid):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and state_of(pid) != "Z":
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = file.read().split()
        if children:
            return int(children[0])
        time.sleep(0.001)
    raise Failure("it started no worker")


def state_of(pid):
    """R: it runs or could; S: it waits; T: it is stopped; Z: it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def stopped_within_a_play(pid, path):
    """The only worker of a sweep, stopped within a play after the second; None: the sweep has ended.

    The worker is stopped for every look, and the look waits until the sweep waits: only then is a play under way. A busy machine may run both
    for any time between two lines of this program."""
    worker, kept = wait_for_child(pid), 0
    while kept < 2:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGCONT)
            time.sleep(0.001)
            os.kill(worker, signal.SIGSTOP)
        while (state_of(worker), state_of(pid)) != ("T", "S"):
            if "Z" in (state_of(worker), state_of(pid)):
                return None
            time.sleep(0.001)
        kept = len(rows(path, "SELECT cell FROM cell"))
    return worker


def living(token):
    """Processes that were started with this in their environment; zombies have none."""
    found = []
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                if token.encode() in file.read():
                    found.append(int(path.split("/")[2]))
        except OSError:
            pass
    return found


def all_gone(token):
    deadline = time.monotonic() + PATIENCE
    while living(token):
        check(time.monotonic() < deadline, f"{living(token)} live on")
        time.sleep(0.001)


def killed_after(ofw, seconds, token, code=1):
    """1: it was killed; 0: it had ended before."""
    with subprocess.Popen([ofw.path, "sweep", "a.ini", "-o", "kept", "-q"], cwd=ofw.folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, env=os.environ | {"OFW_TOKEN": token}) as process:
        try:
            same(process.wait(timeout=seconds), code, "code of a whole sweep")
            return 0
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            all_gone(token)
            return 1


def left(ofw, query):
    """What a killed sweep has kept, by a look at a copy."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            shutil.copytree(ofw.file("kept"), folder, dirs_exist_ok=True)
            return rows(f"{folder}/results.db", query)
        except (FileNotFoundError, sqlite3.OperationalError):                   # it had not come so far
            return []


def test_killed_and_resumed(ofw):
    """20 times at random moments, the first of them too, or more often until 5 were within the plays; each sweep that comes to its end is as an uninterrupted one."""
    begun = time.monotonic()
    swept(ofw, "whole", "-q")
    whole, lasted = dump(ofw.file("whole/results.db")), time.monotonic() - begun
    rng, token, path = random.Random(11), str(uuid.uuid4()), ofw.file("kept/results.db")
    kills = finished = parts = 0
    enough = lambda: kills >= 100 or (kills >= 20 and parts >= 5)
    while not enough() or finished == 0:
        share = rng.choice((0.02, 0.1, 0.3))
        if not enough() and killed_after(ofw, rng.uniform(0, share * lasted), token):
            kills += 1
            within = 0 < len(left(ofw, "SELECT cell FROM cell")) < CELLS
            parts += within
            lasted *= 1.0 if within else 1.05                                   # a machine that has become busy takes longer
            continue
        swept(ofw, "kept", "-q")
        check(dump(path) == whole, f"after {kills} kills the database is another")
        same(os.listdir(ofw.file("kept")), ["results.db"], "files")
        finished += 1
        if not enough():
            os.remove(path)
    check(parts >= 5, f"{parts} kills within the plays")


def test_killed_within_a_fine_tuning(ofw):
    """At random moments, until one was within the last four runs: what is there is continued."""
    text = FINE.replace("rounds = 80", "rounds = 2000")
    ofw.write("a.ini", text)
    begun = time.monotonic()
    same(ofw.run("sweep", "a.ini", "-o", "whole", "-q").returncode, 0, "code")
    lasted, wanted = time.monotonic() - begun, dump(ofw.file("whole/results.db"))
    rng, within, kills = random.Random(3), 0, 0
    while within < 3:
        kills += 1
        check(kills <= 300, f"{within} kills within the four runs")
        shutil.rmtree(ofw.file("kept"), ignore_errors=True)
        pace = rng.choice((0.3, 1, 1, 3))                                       # the machine may have become faster or slower since
        killed_after(ofw, rng.uniform(0.05, 0.6) * lasted * pace, str(uuid.uuid4()), code=0)
        counts = left(ofw, "SELECT count(*) AS n FROM cell WHERE role = 'tune' GROUP BY arm")
        if not any(44 < row["n"] < 52 for row in counts):
            continue
        within += 1
        same(ofw.run("sweep", "a.ini", "-o", "kept", "-q").returncode, 0, "code")
        check(dump(ofw.file("kept/results.db")) == wanted, "the database is another")


def test_interrupted(ofw):
    text = EXPERIMENT.replace(f"rounds = {ROUNDS}", "rounds = 20000")
    ofw.write("a.ini", text)
    for number_of, code, word in ((signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")):
        token = str(uuid.uuid4())
        with subprocess.Popen([ofw.path, "sweep", "a.ini", "-o", "out", "-j2"], cwd=ofw.folder, stderr=subprocess.PIPE,
                              stdout=subprocess.PIPE, encoding="utf-8", env=os.environ | {"OFW_TOKEN": token}) as process:
            process.stderr.readline()                                           # a tenth is done
            os.kill(process.pid, number_of)
            out, err = process.communicate(timeout=PATIENCE)
        same((process.returncode, out), (code, ""), f"stderr {err!r}: code and stdout")
        found = re.search(rf"(?:^|\n)ofw sweep: {word} with (\d+) of {CELLS} plays done; the same command resumes\n$",
                          err)
        check(found, f"stderr {err!r}")
        same(len(rows(ofw.file("out/results.db"), "SELECT cell FROM cell")), int(found.group(1)), "cells that are kept")
        same(living(token), [], "plays that live on")


def test_interrupted_by_a_terminal(ofw):
    """Which sends SIGINT to the plays too: none of them is kept as failed."""
    text = EXPERIMENT.replace(f"rounds = {ROUNDS}", "rounds = 50000").replace("streams = ball\n\n[claim", "[claim")
    text = text[:text.index("[learner fails]")] + "[learner other]\nlearner = ofw\n"
    ofw.write("a.ini", text)
    with subprocess.Popen([ofw.path, "sweep", "a.ini", "-o", "out", "-q", "-j4"], cwd=ofw.folder, stderr=subprocess.PIPE,
                          stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True) as process:
        wait_for_child(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    same(process.returncode, 130, f"stderr {err!r}, code")
    same(rows(ofw.file("out/results.db"), "SELECT * FROM cell WHERE status <> 'ok'"), [], "failed cells")


def test_in_use(ofw):
    ofw.write("a.ini", EXPERIMENT.replace(f"rounds = {ROUNDS}", "rounds = 100000"))
    with ofw.start("sweep", "a.ini", "-o", "out", "-q") as process:
        wait_for_child(process.pid)
        done = ofw.run("sweep", "a.ini", "-o", "out")
        same((done.returncode, done.stderr), (2, "ofw sweep: out is in use by another ofw; wait until it ends\n"), "a second")
        done = ofw.run("export", "out", "--table", "arm")
        same((done.returncode, done.stdout.count("\n")), (0, 1 + len(ARMS)), "but it can be read")
        process.send_signal(signal.SIGTERM)
        process.wait()


# --- what is printed ----------------------------------------------------------------------------

def test_table(ofw):
    lines = swept(ofw).stdout.splitlines()
    same(lines[0].split(), ["stream", "learner", "loss", "regret", "ccv", "options"], "the head")
    same(len(lines), 1 + len(ARMS), "lines")
    path = ofw.file("out/results.db")
    for line, (arm, (stream, label, options)) in zip(lines[1:], enumerate(ARMS, 1), strict=True):
        mean, = rows(path, "SELECT avg(loss) AS loss, avg(regret) AS regret, avg(ccv) AS ccv FROM cell WHERE arm = ? "
                     "AND role = 'play'", arm)
        same(line.split()[:2], [stream, label], "an arm")
        for cell, name in zip(line.split()[2:5], ("loss", "regret", "ccv")):
            near(None if cell == "-" else float(cell), mean[name], f"{label}: {name}", 1e-5)
        check(f"  {options}" in line, f"its options: {line!r}")
    play, = rows(path, "SELECT DISTINCT factor1, factor2 FROM cell WHERE role = 'play' AND arm = 1")
    check(lines[1].endswith("; tuned: step times {factor1:g}, gamma-scale times {factor2:g}".format(**play)), lines[1])


def test_progress(ofw):
    begun, *lines = swept(ofw).stderr.splitlines()[:-1]
    same(begun, f"  0%  0 of {CELLS} plays", "the first line, before a play is done")
    check(7 <= len(lines) <= 10, f"{len(lines)} lines of progress")
    check(all(re.fullmatch(rf" *\d+%  \d+ of {CELLS} plays, \d+ (s|min) left", line)
              for line in lines), f"progress: {lines}")
    check(lines[-1].startswith(f"100%  {CELLS} of {CELLS} plays"), f"the last: {lines[-1]!r}")


def test_export_every_table(ofw):
    swept(ofw)
    path = ofw.file("out/results.db")
    for table in ("play", "meta", "arm", "cell", "series", "timing", "timing_series"):
        wanted = rows(path, f"SELECT * FROM {table}")
        done = ofw.run("export", "out", "--table", table, "--json")
        same((done.returncode, done.stderr), (0, ""), "code and stderr")
        same(strict_json(done.stdout), wanted, f"{table} as JSON")
        done = ofw.run("export", "out/results.db", "--table", table, "--csv", "-o", f"{table}.csv")
        same((done.returncode, done.stdout, done.stderr), (0, "", ""), "code and output")
        with open(ofw.file(f"{table}.csv"), encoding="utf-8", newline="") as file:
            found = list(csv.DictReader(file))
        same(len(found), len(wanted), "rows")
        for row, want in zip(found, wanted):
            same(list(row), list(want), f"{table}: columns")
            for name, value in want.items():
                same(text_of(row[name]) if isinstance(value, str) else float(row[name]) if row[name] else None, value, name)


def test_export_plays(ofw):
    swept(ofw)
    done = ofw.run("export", "out")
    same(ofw.run("export", "out", "--table", "play").stdout, done.stdout, "the default")
    plays = list(csv.DictReader(io.StringIO(done.stdout)))
    same([(play["stream"], play["label"], play["options"], int(play["seed"])) for play in plays],
         [(*arm, seed) for arm in ARMS for seed in SEEDS], "plays")
    same([play["status"] for play in plays], ["failed" if play["label"] == "fails" else "ok" for play in plays], "status")


def test_export_refusals(ofw):
    swept(ofw)
    ofw.write("text.db", "no database, and long enough to tell " * 40)
    for args, code, message in (
            ([], 2, "FILE is missing; see 'ofw help export'"),
            (["out", "--csv", "--json"], 2, "found both --csv and --json; give one of them"),
            (["out", "--table", "cells", "-o", "x.csv"], 2, "no table 'cells' in out/results.db; it has meta, arm, cell, "
             "series, timing, timing_series, play, choices, choice_claims"),
            (["text.db"], 3, "text.db is not a results database of ofw, or a damaged one"),
            (["nowhere.db"], 3, "cannot read nowhere.db: No such file or directory"),
            (["out", "-o", "no/such/folder.csv"], 1, "cannot write no/such/folder.csv: No such file or directory")):
        done = ofw.run("export", *args)
        same((done.returncode, done.stdout, done.stderr), (code, "", f"ofw export: {message}\n"), f"{args}")
    same([name for name in os.listdir(ofw.folder) if name.startswith("x.csv")], [], "what is left of a refused one")


def test_sweep_refusals(ofw):
    ofw.write("a.ini", EXPERIMENT)
    ofw.write("bad.ini", EXPERIMENT.replace("step = 0.1, 20", "steps = 0.1, 20"))
    ofw.write("data.ini", EXPERIMENT.replace(RATINGS, "matrix-completion:file=/nowhere.csv"))
    ofw.write("zero.ini", "[experiment]\n\0")
    for args, code, message in (
            (["-o", "out"], 2, "FILE is missing; see 'ofw help sweep'"),
            (["a.ini"], 2, "--output DIR is missing; see 'ofw help sweep'"),
            (["a.ini", "-o", "out", "-j0"], 2, "--jobs 0: expected a whole number from 1 to 1024"),
            ([".", "-o", "out"], 3, "cannot read .: Is a directory"),
            (["none.ini", "-o", "out"], 3, "cannot read none.ini: No such file or directory"),
            (["zero.ini", "-o", "out"], 2, "zero.ini: the file contains a NUL byte"),
            (["bad.ini", "-o", "out"], 2, "bad.ini:27: ofw-tvc: no option 'steps'; did you mean 'step'?"),
            (["data.ini", "-o", "out"], 3, "data.ini:15: cannot read /nowhere.csv: No such file or directory")):
        done = ofw.run("sweep", *args)
        same((done.returncode, done.stdout, done.stderr), (code, "", f"ofw sweep: {message}\n"), f"{args}")
    check(not os.path.exists(ofw.file("out")), "nothing is written")
    ofw.write("file", "")
    done = ofw.run("sweep", "a.ini", "-o", "file/out")
    same((done.returncode, done.stderr), (1, "ofw sweep: cannot make the folder file/out: Not a directory\n"), "no folder")


def test_scale(ofw):
    """ofw run --scale: multiples of what the option would be."""
    place = [*ARMS[TUNED], *PLACES["ball"], "--rounds", "50", "--json", "-q"]
    def config(*args):
        done = ofw.run("run", *place, *args)
        same((done.returncode, done.stderr), (0, ""), "code and stderr")
        return dict(pair.split("=", 1) for pair in strict_json(done.stdout)["config"].split())
    plain, scaled = config(), config("--set", "step=3", "--scale", "step=0.1", "--scale", "lambda=100")
    near(float(scaled["step"]), 0.3, "step")
    near(float(scaled["lambda"]), 100 * float(plain["lambda"]), "lambda")
    for value, message in (("step", "--scale step: expected KEY=NUMBER"), ("step=x", "--scale step=x: expected KEY=NUMBER"),
                           ("sigma=2", "ofw-tvc: sigma is not a number"), ("no=2", "ofw-tvc: no is not a number")):
        done = ofw.run("run", *place, "--scale", value)
        same((done.returncode, done.stderr), (2, f"ofw run: {message}\n"), value)


if __name__ == "__main__":
    sys.exit(main("sweeps and their results, end to end", globals()))
