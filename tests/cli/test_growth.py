#!/usr/bin/python3
"""Runs what measures: `ofw metrics`, `ofw tune`, `ofw growth`; first the cases of growth.json (see test_cli.py).

    test_growth.py --ofw PATH [--filter SUBSTRING]

Every figure is computed anew from the files that the command read or wrote.
"""
import configparser
import contextlib
import csv
import math
import os
import random
import re
import signal
import sqlite3
import statistics
import sys
import time
import xml.etree.ElementTree as ET

import numpy

from program import check, read_trace, same, strict_json
from runner import main
from test_cli import RUNS


def near(found, wanted, what, tolerance=1e-9):
    same(found is None, wanted is None, f"{what}: {found}, {wanted}: known")
    check(wanted is None or abs(found - wanted) <= tolerance * max(1, abs(wanted)), f"{what}: {found}, not {wanted}")


# --- metrics ------------------------------------------------------------------------------------

def number(text):
    return float(text) if text else None


def minus(a, b):
    return None if a is None or b is None else a - b


def worst_window(rows, window):
    """(regret, first, last) by looking at all of them."""
    at = [(0, 0.0)] + [(int(r["round"]), minus(number(r["loss_sum"]), number(r["comparator_loss_sum"]))) for r in rows]
    if any(regret is None for _, regret in at):
        return None, {(0, 0)}
    costs = {(a + 1, b): rb - ra for i, (a, ra) in enumerate(at) for b, rb in at[i + 1:] if window in (0, b - a)}
    most = max(costs.values(), default=None)
    return most, {w for w, cost in costs.items() if cost == most} or {(0, 0)}


def recomputed(rows, window):
    last = rows[-1]
    loss, ccv = number(last["loss_sum"]), number(last["ccv"])
    whole = [int(r["round"]) for r in rows] == list(range(1, len(rows) + 1))
    return {"rounds": int(last["round"]), "loss": loss, "regret": minus(loss, number(last["comparator_loss_sum"])),
            "interval_regret": worst_window(rows, window)[0],
            "dynamic_regret": minus(loss, number(last["target_loss_sum"])), "ccv": ccv,
            "soft_violation": max(0.0, math.fsum(number(r["constraint"]) or 0.0 for r in rows)) if whole else None,
            "oracle_calls": int(last["oracle_calls"]), "passes": int(last["passes"]),
            "seconds": number(last["seconds"])}


def test_metrics_of_every_trace(ofw):
    for name, args in RUNS.items():
        for every in ("1", "7", "log"):
            done = ofw.run(*args, "--rounds", "150", "-q", "--trace", f"{name}.csv", "--trace-every", every)
            same((done.returncode, done.stderr), (0, ""), "the play")
            _, rows = read_trace(ofw.file(f"{name}.csv"))
            for window in (0, 1, 7, 50, 151):
                done = ofw.run("metrics", f"{name}.csv", "--json", *(["--window", str(window)] if window else []))
                same((done.returncode, done.stderr), (0, ""), "code and stderr")
                found = strict_json(done.stdout)["traces"]
                same([trace.pop("trace") for trace in found], [f"{name}.csv"], "traces")
                at = found[0].pop("interval_first"), found[0].pop("interval_last")
                wanted = recomputed(rows, window)
                same(list(found[0]), list(wanted), "fields")
                for key, value in wanted.items():
                    near(found[0][key], value, f"{name}, every {every}, window {window}: {key}")
                check(at in worst_window(rows, window)[1], f"{name}: the window {at}")


def test_metrics_of_several(ofw):
    for seed in ("1", "2", "3"):
        ofw.run(*RUNS["linear"], "--rounds", "50", "--seed", seed, "-q", "--trace", f"{seed}.csv")
    done = ofw.run("metrics", "1.csv", "2.csv", "3.csv", "--json")
    same([trace["trace"] for trace in strict_json(done.stdout)["traces"]], ["1.csv", "2.csv", "3.csv"], "traces")
    table = ofw.run("metrics", "1.csv", "2.csv", "3.csv").stdout.splitlines()
    same(table[0].split(), ["1.csv", "2.csv", "3.csv"], "the head")
    for line in table[1:]:
        name, *cells = line.split()
        for cell, trace in zip(cells, strict_json(done.stdout)["traces"], strict=True):
            near(None if cell == "-" else float(cell), trace[name], name, 1e-5)


# --- tune ---------------------------------------------------------------------------------------

GRID = [10.0 ** k for k in range(-5, 6)]
PLACE = ["--stream", "quadratic", "--domain", "l2-ball:dim=4"]


def beats(a, b):
    return a[0] <= b[0] and a[1] <= b[1] and a != b


def played(ofw, learner, where, rounds, seed, sets=()):
    """The result of `ofw run`."""
    options = [word for pair in sets for word in ("--set", pair)]
    done = ofw.run("run", "--learner", learner, *where, "--rounds", str(rounds), "--seed", str(seed), "--json", "-q",
                   *options)
    same((done.returncode, done.stderr), (0, ""), "the run")
    return strict_json(done.stdout)


def check_tuning(tuning, GDT):
    """The runs are those of a coordinate search over the grid, and the choice is the best of them."""
    runs = tuning["runs"]
    same(len(runs), 22, "runs")
    scores = [run["score"] if run["error"] is None else math.inf for run in runs]
    for run in runs:
        if run["error"] is None:
            near(run["score"], (max(run["regret"], 0) + run["ccv"]) / GDT, "a score")
    def best(indices):
        least = min(scores[i] for i in indices)
        tied = [i for i in indices if scores[i] <= 1.01 * least]
        away = {i: sum(abs(math.log10(f)) for f in runs[i]["factors"]) for i in tied}
        return min(tied, key=lambda i: (away[i], scores[i]))
    first = best(range(11))
    for i, run in enumerate(runs):
        wanted = [GRID[i], 1.0] if i < 11 else [runs[first]["factors"][0], GRID[i - 11]]
        check(all(abs(f / w - 1) < 1e-12 for f, w in zip(run["factors"], wanted)), f"run {i}: {run['factors']}")
    same(tuning["chosen"], runs[best(range(22))]["factors"], "the choice")
    points = [(run["regret"], run["ccv"]) for run in runs if run["error"] is None]
    for run in runs:
        point = run["regret"], run["ccv"]
        same(run["front"], run["error"] is None and not any(beats(other, point) for other in points), "the front")


def test_tune_every_learner(ofw):
    for learner in ("ofw-tvc", "scofw-tvc", "bfw-tvc", "scbfw-tvc"):
        done = ofw.run("tune", "--learner", learner, *PLACE, "--rounds", "150", "--tune-seeds", "2", "-q", "--json")
        same((done.returncode, done.stderr), (0, ""), f"{learner}: code and stderr")
        tuning = strict_json(done.stdout)
        same([tuning[key] for key in ("learner", "rounds", "first_seed", "seeds")], [learner, 150, 1000001, 2], "what")
        named = re.search(r"; options to tune: (\S+), (\S+)\n", ofw.run("help", learner).stdout).groups()
        same(tuple(tuning["constants"]), named, f"{learner}: constants")
        check_tuning(tuning, 3 * 2 * 150)                    # G = 3 R, D = 2 R
        runs = [played(ofw, learner, PLACE, 150, seed, tuning["set"]) for seed in (1000001, 1000002)]
        chosen = next(run for run in tuning["runs"] if run["factors"] == tuning["chosen"])
        for metric in ("regret", "ccv", "loss"):
            near(chosen[metric], statistics.fmean(run[metric] for run in runs), f"{learner}: {metric}")
        table = ofw.run("tune", "--learner", learner, *PLACE, "--rounds", "150", "--tune-seeds", "2", "-q").stdout
        same((table.count("\n>"), table.count("\n")), (1, 25), f"{learner}: the table's choice and lines")


# --- growth -------------------------------------------------------------------------------------

TINY = ["growth", "--learner", "ofw-tvc", "--learner", "scofw-tvc", "--stream", "linear", "--stream", "quadratic",
        "--domain", "l2-ball:dim=3", "--domain", "l1-ball:dim=3", "--rounds", "60,240,120", "--seeds", "9",
        "--tune-seeds", "2"]
PROVED = {"ofw-tvc": ((3 / 4, 0), (3 / 4, 1)), "scofw-tvc": ((2 / 3, 0), (5 / 6, 0)),
          "bfw-tvc": ((3 / 4, 0), (3 / 4, 1)), "scbfw-tvc": ((2 / 3, 1), (5 / 6, 1))}


def grown(ofw, *args, code=0):
    done = ofw.run(*args, "-q", "--json", "--csv", "plays.csv")
    same(done.returncode, code, f"stderr {done.stderr[:300]!r}, code")
    with open(ofw.file("plays.csv"), encoding="utf-8", newline="") as file:
        return strict_json(done.stdout), list(csv.DictReader(file)), done.stderr


def slope(horizons, means):
    points = [(math.log(T), math.log(mean)) for T, mean in zip(horizons, means) if mean > 0]
    if len(points) < 3:
        return None
    x, y = zip(*points)
    return statistics.linear_regression(x, y).slope


def bootstrap(horizons, values, t):
    """An interval by another generator; t is Student's quantile. None: most resamples have no slope."""
    rng, n = numpy.random.default_rng(1), values.shape[1]
    slopes = [slope(horizons, values[:, rng.integers(n, size=n)].mean(axis=1)) for _ in range(3000)]
    slopes = [found for found in slopes if found is not None]
    if len(slopes) < 1500:
        return None
    tail = statistics.NormalDist().cdf(-math.sqrt(n / (n - 1)) * t)
    return numpy.quantile(slopes, [tail, 1 - tail])


def check_growth(row, name, values, GDT, horizons):
    exponent, (power, log_power) = row[f"{name}_exponent"], PROVED[row["learner"]][name == "ccv"]
    near(row[f"{name}_proved"], power, "the proved power")
    near(row[f"{name}_proved_log"], log_power, "its logarithm")
    proved = slope(horizons, [T ** power * math.log(T) ** log_power for T in horizons])
    near(row[f"{name}_proved_slope"], proved, "the proved slope")
    means = values.mean(axis=1)
    for found, wanted in zip(row[name], means, strict=True):
        near(found, wanted, f"{name}: a mean")
    for found, wanted in zip(row[f"{name}_deviation"], values.std(axis=1, ddof=1), strict=True):
        near(found, wanted, f"{name}: a deviation", 1e-6)
    fitted, is_negligible = slope(horizons, means), abs(means[-1]) < 1e-4 * GDT
    if means[-1] <= 0:
        same((exponent, row[f"{name}_verdict"]), (None, "negligible" if is_negligible else "negative"), name)
        return
    wanted = bootstrap(horizons, values, 2.306004) if fitted is not None else None     # 9 seeds
    if wanted is None:
        same((exponent, row[f"{name}_verdict"]), (None, "negligible" if is_negligible else "not decided"), name)
        return
    low, fit, high = exponent
    near(fit, fitted, f"{name}: the fit")
    width = max(wanted[1] - wanted[0], 1e-6)
    check(abs(low - wanted[0]) < 0.25 * width and abs(high - wanted[1]) < 0.25 * width,
          f"{row['learner']} {row['stream']} {name}: [{low}, {high}], not about {wanted}")
    same(row[f"{name}_verdict"], "negligible" if is_negligible else "holds" if high <= proved + 0.05
         else "exceeds" if low > proved + 0.05 else "not decided", "the verdict")


def test_growth_from_its_plays(ofw):
    """Every row anew from the CSV: means, fits, intervals, verdicts."""
    result, plays, stderr = grown(ofw, *TINY)
    same(result["rounds"], [60, 120, 240], "horizons")
    same(stderr.count("left out: scofw-tvc on linear"), 2, "what is left out")
    same([item["what"] for item in result["left_out"]],
         ["scofw-tvc on linear, l2-ball:dim=3", "scofw-tvc on linear, l1-ball:dim=3"], "left out")
    wanted = [(learner, stream, domain, constants)
              for learner, streams, variants in (
                  ("ofw-tvc", ("linear", "quadratic"), ("theorem", "gamma=lambda", "tight", "tuned")),
                  ("scofw-tvc", ("quadratic",), ("theorem", "tuned")))
              for stream in streams for domain in ("l2-ball:dim=3", "l1-ball:dim=3") for constants in variants]
    names = ("learner", "stream", "domain", "constants")
    same([tuple(row[name] for name in names) for row in result["rows"]], wanted, "rows")
    for row in result["rows"]:
        own = [play for play in plays if all(play[name] == row[name] for name in names)]
        same([(int(p["rounds"]), int(p["seed"])) for p in own],
             [(T, seed) for T in result["rounds"] for seed in range(1, 10)], "plays")
        GDT = float(own[-1]["lipschitz"]) * float(own[-1]["diameter"]) * 240
        for name in ("regret", "ccv"):
            values = numpy.array([float(p[name]) for p in own]).reshape(3, 9)
            check_growth(row, name, values, GDT, result["rounds"])
        same(row["failed"], [], "failed")


def test_growth_plays_are_runs(ofw):
    result, plays, _ = grown(ofw, *TINY[:3], *PLACE, "--rounds", "50,100,200", "--seeds", "8", "--tune-seeds", "1",
                             "--constants", "theorem,gamma=lambda,sigma=line-search+step=3,tight,tuned")
    same(len(result["tunings"]), 1, "tunings")
    check_tuning(result["tunings"][0], 3 * 2 * 50)
    factors = result["tunings"][0]["chosen"]
    sets = {"theorem": [], "gamma=lambda": ["gamma=lambda"], "tight": ["preset=tight"],
            "sigma=line-search+step=3": ["sigma=line-search", "step=3"],
            "tuned": [f"step={factors[0]!r}", f"gamma-scale={factors[1]!r}"]}
    same([row["constants"] for row in result["rows"]],
         ["theorem", "gamma=lambda", "sigma=line-search+step=3", "tight", "tuned"], "constants")
    same([row["factors"] for row in result["rows"]], [None] * 4 + [factors], "factors")
    for play in plays[::7]:
        run = played(ofw, "ofw-tvc", PLACE, play["rounds"], play["seed"], sets[play["constants"]])
        for name in ("loss", "regret", "ccv", "oracle_calls", "passes"):
            same(float(play[name]), run[name], f"{play['constants']}, T = {play['rounds']}: {name}")


def test_growth_without_a_horizon(ofw):
    result, plays, _ = grown(ofw, *TINY[:3], *PLACE, "--rounds", "50,100,200", "--seeds", "8", "--constants", "theorem",
                             "--horizon", "auto", "--seed", "5")
    same((result["horizon"], result["first_seed"]), ("auto", 5), "what")
    play = plays[-1]
    run = played(ofw, "ofw-tvc", [*PLACE, "--horizon", "auto"], 200, 12)
    same((play["seed"], float(play["regret"])), ("12", run["regret"]), "the last play")


def test_growth_where_no_regret_is_known(ofw):
    result, _, _ = grown(ofw, "growth", "--learner", "scofw-tvc", "--stream",
                         "matrix-completion:users=12,items=9,ratings=40,batch=5,rank=2", "--rounds", "10,20,40",
                         "--seeds", "8", "--tune-seeds", "1", "--figure", "g.svg")
    with open(ofw.file("g.svg"), encoding="utf-8") as figure:
        same(figure.read().count("nothing above 0"), 2, "panels without regret")
    for row in result["rows"]:
        same([row["domain"], row["regret_exponent"], row["regret_verdict"], row["regret"]],
             [None, None, "not decided", [None] * 3], "the regret")
        check(row["ccv_verdict"] == "negligible" or len(row["ccv_exponent"]) == 3, "the violation")
    same([len(tuning["runs"]) for tuning in result["tunings"]], [22], "it is tuned by its loss")


def test_growth_failing_plays(ofw):
    """What fails is recorded, and the rest goes on; seeds that are not whole are left out of the fit."""
    args = ["growth", "--learner", "ofw-tvc", "--stream", "linear", "--domain", "l2-ball:dim=3,radius=2e5", "--set",
            "step=1e300", "--constants", "theorem,tight", "--rounds", "400,800,1600", "--seeds", "20", "-o", "kept"]
    done = ofw.run(*args, "-q", "--json", "--csv", "plays.csv")
    same(done.returncode, 4, "code")
    result = strict_json(done.stdout)
    row = result["rows"][0]
    failed = {item["seed"] for item in row["failed"]}
    check(0 < len(failed) < 12 and row["regret_exponent"], f"{len(failed)} seeds failed")
    message = "round 1: ofw-tvc: the direction is not finite"
    check(all(item["error"] == message for item in row["failed"]), "errors")
    check(re.search(rf"ofw growth: \d+ of 120 plays failed; the first: ofw-tvc on linear, T = 400: {message}\n$",
                    done.stderr), f"stderr {done.stderr!r}")
    with open(ofw.file("plays.csv"), encoding="utf-8", newline="") as file:
        plays = [play for play in csv.DictReader(file) if play["constants"] == "theorem"]
    same({int(play["seed"]) for play in plays if play["error"]}, failed, "failed plays")
    whole = [play for play in plays if int(play["seed"]) not in failed]
    for i, T in enumerate(result["rounds"]):
        near(row["ccv"][i], statistics.fmean(float(p["ccv"]) for p in whole if int(p["rounds"]) == T), "a mean")
    before = kept(ofw)
    again = ofw.run(*args, "-q", "--json")
    same((again.returncode, without(strict_json(again.stdout), "seconds")), (4, without(result, "seconds")), "again")
    check(len(before) == 120 and kept(ofw) == before, "nothing is played again")


def test_full_disk_behind_stdout(ofw):
    ofw.run(*RUNS["linear"], "--rounds", "9", "-q", "--trace", "t.csv")
    tiny = [*TINY[:3], *PLACE, "--rounds", "9,18,36", "--seeds", "8", "-q"]
    for args in (["metrics", "t.csv"], ["tune", *tiny[1:3], *PLACE, "--rounds", "9", "-q", "--json"], tiny,
                 [*tiny, "--json"]):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = ofw.run(*args, stdout=full)
        same((done.returncode, done.stderr), (1, "ofw: cannot write the result: No space left on device\n"), f"{args}")


# --- growth that is interrupted -----------------------------------------------------------------

LONG = ["growth", "--learner", "ofw-tvc", "--learner", "bfw-tvc", "--stream", "linear", "--stream", "quadratic",
        "--domain", "l2-ball:dim=4", "--constants", "theorem,tight,tuned", "--rounds", "200,400,800", "--tune-seeds",
        "2", "--seeds", "8", "-j", "2", "--json", "-o", "kept"]


def without(value, key):
    """Without this key, wherever it stands."""
    if isinstance(value, list):
        return [without(item, key) for item in value]
    if isinstance(value, dict):
        return {name: without(item, key) for name, item in value.items() if name != key}
    return value


def kept(ofw):
    """Every play that the folder has, its times too; none where there is no database yet."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{ofw.file('kept/results.db')}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT * FROM cell JOIN timing USING (cell) ORDER BY cell").fetchall()
    except sqlite3.OperationalError:
        return []


def wait_for_plays(ofw, process, plays):
    """1: the database has as many; 0: the program ended before."""
    while process.poll() is None:
        if len(kept(ofw)) >= plays:
            return 1
        time.sleep(0.001)
    return 0


def whole_growth(ofw):
    done = ofw.run(*[arg for arg in LONG if arg not in ("-o", "kept")], "-q")
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    return without(strict_json(done.stdout), "seconds")


def test_growth_killed_and_resumed(ofw):
    whole, rng = whole_growth(ofw), random.Random(7)
    kills, at = 0, 1
    while True:
        at += rng.randrange(1, 120)
        with ofw.start(*LONG, "-q") as process:
            if not wait_for_plays(ofw, process, at):
                out = process.stdout.read()
                same(process.wait(), 0, f"stderr {process.stderr.read()!r}, code")
                break
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
    check(kills >= 3, f"{kills} kills")
    same(without(strict_json(out), "seconds"), whole, "the result")
    before = kept(ofw)
    done = ofw.run(*LONG, "-q")
    same((done.returncode, without(strict_json(done.stdout), "seconds")), (0, whole), "the result of a finished folder")
    check(kept(ofw) == before, "nothing is played again")


def test_growth_interrupted(ofw):
    whole = whole_growth(ofw)
    with ofw.start(*LONG) as process:
        check(wait_for_plays(ofw, process, 30), "it ended at once")
        process.send_signal(signal.SIGINT)
        out, err = process.stdout.read(), process.stderr.read()
        same((process.wait(), out), (130, ""), "code and stdout")
    found = re.search(r"\nofw growth: interrupted with (\d+) of (\d+) plays done; the same command resumes\n$",
                      "\n" + err)
    check(found, f"stderr {err!r}")
    check(29 <= int(found.group(1)) == len(kept(ofw)), f"{found.group(1)} plays done")
    with ofw.start(*LONG) as process:
        out, err = process.stdout.read(), process.stderr.read()
    same(without(strict_json(out), "seconds"), whole, "the result")
    check("done before" in err and err.splitlines()[-1].startswith("100%  "), f"stderr {err!r}")
    with ofw.start(*TINY[:3], *PLACE, "--rounds", "1e3,2e3,4e3", "--seeds", "100") as process:
        process.stderr.readline()                                  # it plays
        process.send_signal(signal.SIGTERM)
        err = process.stderr.read()
        same(process.wait(), 143, "code")
    check("plays done, which are lost; --output DIR keeps them next time\n" in err, f"stderr {err!r}")


def test_growth_does_not_depend_on_jobs(ofw):
    args = TINY[:3] + PLACE + ["--rounds", "50,100,200", "--seeds", "8", "--tune-seeds", "2", "--json", "-q"]
    results = [without(strict_json(ofw.run(*args, jobs).stdout), "seconds") for jobs in ("-j1", "-j3", "--jobs=16")]
    same(results[1:], results[:1] * 2, "results")


def test_growth_goes_on_with_more(ofw):
    """More seeds, horizons or constants in the same folder: only what is new is played. Fewer take a word."""
    args = TINY[:3] + PLACE + ["--json", "-q"]
    few = ["--constants", "theorem", "--rounds", "50,100,200", "--seeds", "8"]
    ofw.run(*args, *few, "-o", "kept")
    first = {play[3:] for play in kept(ofw)}                                    # all but the numbers of cell, arm and role
    same(len(first), 24, "plays")
    more = ["--constants", "theorem,tight", "--rounds", "50,100,200,400", "--seeds", "9"]
    grown_up = ofw.run(*args, *more, "-o", "kept")
    same(without(strict_json(grown_up.stdout), "seconds"), without(strict_json(ofw.run(*args, *more).stdout), "seconds"), "the result")
    same(len(kept(ofw)), 2 * 4 * 9, "plays")
    check(first <= {play[3:] for play in kept(ofw)}, "what was there is played again")
    done = ofw.run(*args, *few, "-o", "kept")
    same((done.returncode, done.stderr), (2, "ofw growth: kept/results.db: growth no longer asks for 48 of its 72 plays; --drop deletes them, "
                                             "another folder keeps them\n"), "code and stderr")
    same((ofw.run(*args, *few, "-o", "kept", "--drop").returncode, {play[3:] for play in kept(ofw)}), (0, first), "what is left")


def test_growth_folder_in_use_or_damaged(ofw):
    with ofw.start(*LONG, "-q") as process:
        check(wait_for_plays(ofw, process, 5), "it ended at once")
        done = ofw.run(*LONG, "-q")
        same((done.returncode, done.stderr), (2, "ofw growth: kept is in use by another ofw; wait until it ends\n"), "a second")
        process.kill()
    for change, code, message in (
            ("UPDATE meta SET value = '0.0.1' WHERE key = 'version'", 2, "kept/results.db was written with version 0.0.1, but this is "),
            ("UPDATE cell SET factor1 = 1e999", 3, "kept/results.db is damaged: cell 1 has factors that are not finite")):
        with contextlib.closing(sqlite3.connect(ofw.file("kept/results.db"))) as connection, connection:
            connection.execute(change)
        done = ofw.run(*LONG, "-q")
        same(done.returncode, code, "code")
        check(done.stderr.startswith(f"ofw growth: {message}") and done.stderr.count("\n") == 1, f"stderr {done.stderr!r}")


def test_nothing_is_left_behind(ofw):
    """Without --output the plays go with the command, however it ends but by SIGKILL."""
    os.mkdir(ofw.file("tmp"))
    env = {**os.environ, "TMPDIR": ofw.file("tmp")}
    tiny = [*TINY[:3], *PLACE, "--rounds", "9,18,36", "--seeds", "8", "-q"]
    same((ofw.run(*tiny, env=env).returncode, os.listdir(ofw.file("tmp"))), (0, []), "after a growth")
    with ofw.start(*TINY[:3], *PLACE, "--rounds", "1e3,2e3,4e3", "--seeds", "100", env=env) as process:
        process.stderr.readline()                                  # it plays
        same(len(os.listdir(ofw.file("tmp"))), 1, "while it plays")
        process.send_signal(signal.SIGINT)
        same((process.wait(), os.listdir(ofw.file("tmp"))), (130, []), "after an interrupt")
    done = ofw.run(*tiny, env={**env, "TMPDIR": "/no/such"})
    same((done.returncode, done.stderr.startswith("ofw growth: cannot make the folder /no/such/ofw-")), (1, True), "no place for them")


# --- what growth prints and draws ---------------------------------------------------------------

def test_growth_table(ofw):
    result, _, _ = grown(ofw, *TINY)
    table = ofw.run(*TINY, "-q").stdout
    check(table.startswith("T = 60, 120, 240; 9 seeds; slopes with 95% intervals\n\nofw-tvc: proved regret T^(3/4) "),
          f"the head {table[:200]!r}")
    lines = [line for line in table.splitlines() if re.match(r"  (linear|quadratic) ", line)]
    for line, row in zip(lines, result["rows"], strict=True):
        cells = re.split(r" {2,}", line.strip())
        same(cells[:3], [row["stream"], row["domain"], row["constants"]], "a row's name")
        exponents = [row[f"{name}_exponent"] for name in ("regret", "ccv")]
        shown = [f"{e[1]:.3f} [{e[0]:.3f}, {e[2]:.3f}]" if e else "-" for e in exponents]
        for name, text in zip(("regret", "ccv"), shown):
            check(f"  {text} " in line and f" {row[name + '_verdict']} " in line, f"{name}: {line!r}")


def test_growth_that_does_not_matter(ofw):
    """What is small keeps its slope beside the word; what ends below 0 has none."""
    args = ["growth", "--learner", "ofw-ada", "--stream", "quadratic", "--stream", "drifting", "--domain", "l2-ball:dim=4", "--rounds",
            "2000,4000,8000", "--seeds", "8", "--constants", "default"]
    result, _, _ = grown(ofw, *args)
    small, below = result["rows"]
    same((result["negligible"], small["regret_verdict"], small["ccv_verdict"], below["regret_verdict"], below["regret_exponent"]),
         (1e-4, "negligible", "negligible", "negative", None), "verdicts")
    near(small["ccv_exponent"][1], slope(result["rounds"], small["ccv"]), "the slope of what is small")
    low, fit, high = small["ccv_exponent"]
    table = ofw.run(*args, "-q").stdout
    check(re.search(rf" {re.escape(f'{fit:.3f} [{low:.3f}, {high:.3f}]')} +negligible ", table), f"its line: {table}")
    check(re.search(r"  drifting .*  -  +negative ", table), f"the line of what is below 0: {table}")


def test_growth_figure(ofw):
    done = ofw.run(*TINY, "-q", "--figure", "it's growth.svg")
    same((done.returncode, done.stderr.count("\n")), (0, 2), "code and stderr")          # two rows are left out
    root = ET.parse(ofw.file("it's growth.svg")).getroot()
    texts = ["".join(node.itertext()).strip() for node in root.iter("{http://www.w3.org/2000/svg}text")]
    for text in ("ofw-tvc: regret", "ofw-tvc: ccv / (T^(3/4) log T)", "scofw-tvc: regret / (T^(2/3))", "gamma=lambda",
                 "tuned", "proved", "linear", "quadratic", "l1-ball:dim=3"):
        check(text in texts, f"no {text!r} in {texts}")
    check(not os.path.exists(ofw.file("it's growth.svg.part")), "a part is left")
    done = ofw.run(*TINY, "-q", "--figure", "no/such/folder.svg")
    same(done.returncode, 1, "code")
    check(done.stderr.endswith("ofw growth: cannot write no/such/folder.svg: No such file or directory\n"), f"stderr {done.stderr!r}")


def test_growth_csv_that_cannot_be_written(ofw):
    done = ofw.run(*TINY, "-q", "--csv", "no/such/folder.csv")
    same(done.returncode, 1, "code")
    check(done.stderr.endswith("ofw growth: cannot write no/such/folder.csv: No such file or directory\n"), "stderr")


def suite(name):
    """The sections of a file of experiments/: {(kind, label): {key: value}}."""
    file = configparser.ConfigParser(interpolation=None, delimiters="=", comment_prefixes=";")
    file.read(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../experiments", name + ".ini"), encoding="utf-8")
    return {tuple(section.partition(" ")[::2]): dict(file[section]) for section in file.sections()}


def test_growth_suites(ofw):
    """Every learner of the file on each of its streams, less what is said to be left out."""
    for name in ("table1", "ada"):
        sections = suite(f"growth-{name}")
        done = ofw.run("growth", "--suite", name, "--rounds", "8,16,32", "--seeds", "8", "--tune-seeds", "1", "--json", "-q")
        same(done.returncode, 0, f"stderr {done.stderr!r}, code")
        result = strict_json(done.stdout)
        left = {item["what"] for item in result["left_out"]}
        same(done.stderr, "".join(f"ofw growth: left out: {item['what']}: {item['why']}\n" for item in result["left_out"]), "stderr")
        wanted = [(label, place["stream"], place["domain"]) for kind, label in sections if kind == "learner"
                  for (what, _), place in sections.items() if what == "stream"]
        played_on = [(row["learner"], row["stream"], row["domain"]) for row in result["rows"]]
        same(list(dict.fromkeys(played_on)), [row for row in wanted if "{} on {}, {}".format(*row) not in left], f"{name}: rows")
        check(len(left) < len(wanted) / 2, f"{name}: {left}")


def test_growth_where_the_default_is_not_the_theorem(ofw):
    result, plays, _ = grown(ofw, "growth", "--learner", "lpm", *PLACE, "--rounds", "30,60,120", "--seeds", "8",
                             "--tune-seeds", "1")
    same([row["constants"] for row in result["rows"]], ["theorem", "default", "tuned"], "constants")
    for constants, sets in (("theorem", ["params=theory"]), ("default", [])):
        play = [play for play in plays if play["constants"] == constants][-1]
        run = played(ofw, "lpm", PLACE, play["rounds"], play["seed"], sets)
        same((float(play["loss"]), float(play["ccv"])), (run["loss"], run["ccv"]), constants)


if __name__ == "__main__":
    sys.exit(main("the commands that measure, end to end", globals(), "growth.json"))
