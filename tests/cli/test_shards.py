#!/usr/bin/python3
"""Sweeps in shards: whatever is played where and merged in which order, the database is that of one sweep, times aside.

    test_shards.py --ofw PATH [--filter SUBSTRING]
"""
import contextlib
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

from program import check, same, strict_json
from runner import main
from test_sweep import FINE, REFUSING, SMALL, content, dump, rows, wait_for_child

HORIZONS = SMALL.replace("rounds = 40", "rounds = 30, 60, 120").replace("[learner grid]", "[learner opdp]\ntune = fine\n[learner grid]")
UNTUNED = SMALL.replace("tune = yes\n", "").replace("[learner fails]\nlearner = scofw-tvc\nstreams = ball\n", "")


def changed(path, *statements):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def timeless(ofw, folder):
    """The bytes of the file but for the times: those are set to one value, and SQLite writes all pages anew."""
    path, bare = ofw.file("timeless.db"), ofw.file("bare.db")
    shutil.copy(ofw.file(f"{folder}/results.db"), path)
    changed(path, "UPDATE timing SET machine = 'm', started = 's', seconds = 0.5", "UPDATE timing_series SET seconds = 0.5")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("VACUUM INTO ?", (bare,))
    bytes_of = content(bare)
    os.remove(path)
    os.remove(bare)
    return bytes_of


def ran(ofw, *args, code=0, says=None):
    done = ofw.run("sweep", *args, "-q")
    same(done.returncode, code, f"{args}: stderr {done.stderr[:500]!r}, code")
    if says is not None:
        same(done.stderr, f"ofw sweep: {says}\n", f"{args}: stderr")
    return done


def whole(ofw, text, folder="whole"):
    ofw.write("a.ini", text)
    code = 1 if "[learner fails]" in text else 0
    return ran(ofw, "a.ini", "-o", folder, code=code)


def play(ofw, n, stage, *more, order=None):
    """All shards of a stage, in some order, each into a folder of its own."""
    for i in order or range(1, n + 1):
        ran(ofw, "a.ini", "--shard", f"{i}/{n}", "--stage", stage, "-o", f"{stage}{i}", *more)
    return [f"{stage}{i}" for i in range(1, n + 1)]


def sharded(ofw, text, n, folder="out", jobs="1"):
    """Two stages and two merges."""
    ofw.write("a.ini", text)
    ran(ofw, "--merge", *play(ofw, n, "tune", "-j", jobs), "-o", "tuned")
    code = 1 if "[learner fails]" in text else 0
    return ran(ofw, "--merge", "tuned", *play(ofw, n, "play", "--tuned", "tuned", "-j", jobs), "-o", folder, code=code)


def clean(ofw):
    for name in os.listdir(ofw.folder):
        if os.path.isdir(ofw.file(name)):
            shutil.rmtree(ofw.file(name))


# --- the same database ------------------------------------------------------------------------------

def test_merged_shards_are_one_sweep(ofw):
    """Byte for byte; also what is printed."""
    for text in (SMALL, HORIZONS, REFUSING):
        for n, jobs in ((1, "1"), (2, "2"), (3, "1"), (7, "1")):
            clean(ofw)
            wanted, found = whole(ofw, text), sharded(ofw, text, n, jobs=jobs)
            same((found.stdout, found.stderr), (wanted.stdout, wanted.stderr), "what is printed")
            check(timeless(ofw, "out") == timeless(ofw, "whole"), f"{n} shards: the bytes are others")
            check(dump(ofw.file("out/results.db")) == dump(ofw.file("whole/results.db")), f"{n} shards: the tables are others")
            same(os.listdir(ofw.file("out")), ["results.db"], "files")


def test_times_are_those_of_the_shards(ofw):
    sharded(ofw, SMALL, 3)
    query = "SELECT * FROM timing ORDER BY cell"
    wanted = [row for folder in ("tuned", "play1", "play2", "play3") for row in rows(ofw.file(f"{folder}/results.db"), query)]
    same(rows(ofw.file("out/results.db"), query), sorted(wanted, key=lambda row: row["cell"]), "times")


def test_every_play_is_in_one_shard(ofw):
    """The plan's cells are dealt out: all of them, each once, and no shard has a tuning's part or much more than another."""
    whole(ofw, FINE)
    cells = "SELECT cell, arm, role FROM cell ORDER BY cell"
    for n in (4, 9):
        clean(ofw)
        whole(ofw, FINE)
        sharded(ofw, FINE, n)
        for stage in ("tune", "play"):
            shares = [rows(ofw.file(f"{stage}{i}/results.db"), cells) for i in range(1, n + 1)]
            wanted = [row for row in rows(ofw.file("whole/results.db"), cells) if row["role"] == stage]
            same(sorted((row for share in shares for row in share), key=lambda row: row["cell"]), wanted, f"{stage} of {n}")
            unit = 52 if stage == "tune" else 1                                     # 26 runs with two seeds are one tuning
            check(max(map(len, shares)) - min(map(len, shares)) <= unit, f"{stage}: {[len(share) for share in shares]}")
            arms = [row["arm"] for share in shares for row in share if stage == "tune"]
            same([arms.count(arm) for arm in set(arms)], [52] * len(set(arms)), "whole tunings")
            check(all(len({row["arm"] for row in share}) * 52 == len(share) for share in shares if stage == "tune"), "in one shard")


def test_a_learner_is_not_one_shards(ofw):
    """Two learners on many streams in two shards: each shard plays both."""
    streams = "".join(f"[stream s{i}]\nstream = linear\ndomain = l2-ball:dim={i + 2}\n" for i in range(6))
    ofw.write("a.ini", f"[experiment]\ntitle = t\nrounds = 20\ntune-seeds = 1\n{streams}[learner ofw-tvc]\ntune = yes\n[learner opdp]\ntune = yes\n")
    for stage, folders in (("tune", play(ofw, 2, "tune")), ("play", None)):
        if stage == "play":
            ran(ofw, "--merge", "tune1", "tune2", "-o", "tuned")
            folders = play(ofw, 2, "play", "--tuned", "tuned")
        for folder in folders:
            counts = rows(ofw.file(f"{folder}/results.db"), "SELECT learner, count(DISTINCT arm) AS n FROM cell JOIN arm USING (arm) GROUP BY learner")
            same([(row["learner"], row["n"]) for row in counts], [("ofw-tvc", 3), ("opdp", 3)], folder)


def test_no_tunings_no_plays(ofw):
    """Without tunings one stage is enough; with 0 seeds there are tunings alone."""
    wanted = whole(ofw, UNTUNED)
    folders = play(ofw, 3, "play")
    same(ran(ofw, "--merge", *folders, "-o", "out").stdout, wanted.stdout, "stdout")
    check(timeless(ofw, "out") == timeless(ofw, "whole"), "the bytes are others")
    clean(ofw)
    text = SMALL.replace("\nseeds = 3", "\nseeds = 0").replace("[learner fails]\nlearner = scofw-tvc\nstreams = ball\n", "")
    whole(ofw, text)
    ran(ofw, "--merge", *play(ofw, 2, "tune"), "-o", "out")
    check(timeless(ofw, "out") == timeless(ofw, "whole"), "the bytes of tunings are others")


def test_any_order_and_any_steps(ofw):
    """Shards in another order; merges of merges; files in place of folders; what overlaps."""
    whole(ofw, SMALL)
    sharded(ofw, SMALL, 4)
    wanted = timeless(ofw, "whole")
    ran(ofw, "--merge", "play3", "tune1", "play1/results.db", "play4", "play2", "tune2", "tuned", "-o", "shuffled", code=1)
    check(timeless(ofw, "shuffled") == wanted, "shuffled")
    ran(ofw, "--merge", "play1", "play2", "-o", "left", code=1)
    ran(ofw, "--merge", "play3", "play4", "left", "-o", "plays", code=1)
    ran(ofw, "--merge", "plays", "play1", "tuned", "whole", "-o", "tree", code=1)
    check(timeless(ofw, "tree") == wanted, "a tree")
    for folder in ("shuffled", "tree"):                                             # and as their times are the same too:
        check(content(ofw.file(f"{folder}/results.db")) == content(ofw.file("out/results.db")), f"{folder}: the file is another")


def test_an_experiment_that_grows(ofw):
    """Shards and merged databases of an earlier text get what is new."""
    sharded(ofw, SMALL, 3)
    grown = SMALL.replace("\nseeds = 3", "\nseeds = 5").replace("tune-seeds = 1", "tune-seeds = 2")
    sharded(ofw, grown, 3)
    whole(ofw, grown)
    check(timeless(ofw, "out") == timeless(ofw, "whole"), "the bytes are others")
    ofw.write("a.ini", SMALL)
    play(ofw, 3, "tune", "--drop")
    says = "tuned/results.db: tune1/results.db no longer asks for 22 of its 44 plays; --drop deletes them, another folder keeps them"
    ran(ofw, "--merge", "tune1", "tune2", "tune3", "-o", "tuned", code=2, says=says)
    ran(ofw, "--merge", "tune1", "tune2", "tune3", "-o", "tuned", "--drop")


def test_json(ofw):
    sharded(ofw, UNTUNED, 2)
    done = ran(ofw, "a.ini", "--shard", "1/2", "--stage", "play", "-o", "play1", "--json")
    same(strict_json(done.stdout)["results"], "play1/results.db", "a shard")
    done = ran(ofw, "--merge", "play1", "play2", "-o", "out", "--json")
    same(len(strict_json(done.stdout)["learners"]), 7, "a merge")


# --- killed -----------------------------------------------------------------------------------------

def killed_within(ofw, folder, delay, *args):
    """A sweep into a new folder that is killed while it plays: sooner, if it has ended before."""
    ended = True
    while ended:
        shutil.rmtree(ofw.file(folder), ignore_errors=True)
        with subprocess.Popen([ofw.path, "sweep", *args, "-o", folder, "-q", "-j1"], cwd=ofw.folder, stderr=subprocess.DEVNULL) as process:
            time.sleep(delay)
            ended = process.poll() is not None
            process.kill()
        delay /= 2


def test_killed_shards_resume(ofw):
    """At random moments, in both stages; then the same commands again."""
    text = SMALL.replace("rounds = 40", "rounds = 3000")
    whole(ofw, text)
    rng = random.Random(5)
    for stage, more in (("tune", []), ("play", ["--tuned", "tuned"])):
        for i in (1, 2):
            killed_within(ofw, f"{stage}{i}", rng.uniform(0.01, 0.1), "a.ini", "--shard", f"{i}/2", "--stage", stage, *more)
        if stage == "tune":
            ran(ofw, "--merge", *play(ofw, 2, "tune"), "-o", "tuned")
    ran(ofw, "--merge", "tuned", *play(ofw, 2, "play", "--tuned", "tuned"), "-o", "out", code=1)
    check(timeless(ofw, "out") == timeless(ofw, "whole"), "the bytes are others")


def test_a_worker_that_is_killed(ofw):
    """Its play counts as missing: the shard says so, the merge too, and the same commands mend it."""
    text = UNTUNED.replace("rounds = 40", "rounds = 20000").replace("domain = l2-ball:dim=3", "domain = l2-ball:dim=100")
    whole(ofw, text)
    args = ["sweep", "a.ini", "--shard", "1/2", "--stage", "play", "-o", "play1", "-q", "-j1"]
    with ofw.start(*args) as process:
        os.kill(wait_for_child(process.pid), signal.SIGKILL)
        same(process.wait(), 1, "code of the shard")
        check("1 of 11 plays failed; the first: ofw on ball, seed 1: the worker process was ended by signal 9 (Killed)" in process.stderr.read(), "stderr")
    ran(ofw, "a.ini", "--shard", "2/2", "--stage", "play", "-o", "play2")
    done = ran(ofw, "--merge", "play1", "play2", "-o", "out", code=1)
    same(done.stderr, "ofw sweep: ofw on ball: 1 of 3 plays are missing: seed 1\n"
         "ofw sweep: out/results.db lacks 1 of 21 plays; play their shards again, then merge into the same folder\n", "stderr")
    same(ofw.run(*args).returncode, 0, "code of the same command")
    ran(ofw, "--merge", "play1", "play2", "-o", "out")
    check(timeless(ofw, "out") == timeless(ofw, "whole"), "the bytes are others")


def test_killed_merges(ofw):
    """At random moments; the same command ends them."""
    sharded(ofw, SMALL, 4)
    rng, wanted, killed = random.Random(7), content(ofw.file("out/results.db")), 0
    for _ in range(12):
        shutil.rmtree(ofw.file("again"), ignore_errors=True)
        for _ in range(2):
            args = [ofw.path, "sweep", "--merge", "tuned", *(f"play{i}" for i in range(1, 5)), "-o", "again", "-q"]
            with subprocess.Popen(args, cwd=ofw.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                time.sleep(rng.uniform(0, 0.05))
                killed += process.poll() is None
                process.kill()
        ran(ofw, *args[2:-1], code=1)
        check(timeless(ofw, "again") == timeless(ofw, "out"), "the bytes are others")
    check(killed >= 3, f"{killed} kills")
    check(content(ofw.file("out/results.db")) == wanted, "the shards' merge has changed")


def test_many_shards_and_few_files(ofw):
    """More databases than a process may open unless it asks for more."""
    wanted = whole(ofw, UNTUNED)
    folders = play(ofw, 60, "play")
    soft = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (32, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    done = ofw.run("sweep", "--merge", *folders, "-o", "out", "-q", preexec_fn=soft)
    same((done.returncode, done.stdout, done.stderr), (0, wanted.stdout, ""), "a merge of 60")
    check(timeless(ofw, "out") == timeless(ofw, "whole"), "the bytes are others")


def test_reproduce_takes_it_over(ofw):
    """Nothing is left to play: figures, claims and the page are made of the merged plays."""
    text = UNTUNED + "[claim 1]\ntext = t\nbetter = tvc\nthan = ofw\nmetric = ccv\n"
    ofw.write("a.ini", text)
    ran(ofw, "--merge", *play(ofw, 2, "play"), "-o", "out")
    before = content(ofw.file("out/results.db"))
    done = ofw.run("reproduce", "a.ini", "-o", "out")
    same(done.returncode, 0, f"{done.stderr!r}, code")
    check("nothing to play: out/results.db has all 21 plays" in done.stderr and os.path.exists(ofw.file("out/report.html")), done.stderr)
    check(content(ofw.file("out/results.db")) == before, "the database has changed")


# --- what is missing --------------------------------------------------------------------------------

def test_missing_shards(ofw):
    sharded(ofw, HORIZONS, 3)
    done = ran(ofw, "--merge", "tuned", "play1", "play3", "-o", "part", code=1)
    missing = {row["cell"] for row in rows(ofw.file("play2/results.db"), "SELECT cell FROM cell")}
    same(done.stdout, "", "stdout")
    *lines, last = done.stderr.splitlines()
    check("tvc on ball: 3 of 9 plays are missing: 30 rounds with seed 2, 60 rounds with seed 1, 120 rounds with seed 3\n" in done.stderr, done.stderr)
    same(sum(int(line.split(": ")[2].split()[0]) for line in lines), len(missing), "as many as the shard has")
    total = len(rows(ofw.file("out/results.db"), "SELECT cell FROM cell"))
    same(last, f"ofw sweep: part/results.db lacks {len(missing)} of {total} plays; play their shards again, then merge into the same folder", "last")
    same({row["cell"] for row in rows(ofw.file("part/results.db"), "SELECT cell FROM cell")} & missing, set(), "what is there")
    ran(ofw, "--merge", "play2", "-o", "part", code=1)
    check(timeless(ofw, "part") == timeless(ofw, "out"), "merged later")
    tunings = ran(ofw, "--merge", "tune2", "-o", "tunings", code=1).stderr
    check(" of 22 tuning runs are missing\n" in tunings or " of 26 tuning runs are missing\n" in tunings, tunings)
    done = ran(ofw, "--merge", "play1", "play2", "play3", "-o", "plays", code=1)
    check("tvc on ball: 22 of 22 tuning runs are missing\n" in done.stderr
          and done.stderr.endswith(", among them all tuning runs; merge the folder of those, too\n"), done.stderr)
    done = ran(ofw, "--merge", "tuned", "--stage", "play", "-o", "other", code=1)
    check("ofw on cube: 9 of 9 plays are missing: 30 rounds with seed 1, " in done.stderr and ", ..\n" in done.stderr, done.stderr)
    same(ran(ofw, "--merge", "tuned", "play1", "--stage", "tune", "-o", "asked").stderr.count("missing"), 0, "only tunings are asked for")
    ran(ofw, "a.ini", "-o", "part", code=1)
    check(timeless(ofw, "part") == timeless(ofw, "out"), "a sweep finds everything done")


def test_plays_with_other_constants_are_missing(ofw):
    """Those of a tuning that has changed since."""
    sharded(ofw, SMALL, 2)
    changed(ofw.file("play1/results.db"), "UPDATE cell SET factor1 = 7 WHERE arm = 2")
    done = ran(ofw, "--merge", "tuned", "play1", "play2", "-o", "again", code=1)
    count = len(rows(ofw.file("play1/results.db"), "SELECT cell FROM cell WHERE arm = 2"))
    check(f"tvc on ball: {count} of 3 plays are missing: seed " in done.stderr, done.stderr)
    play(ofw, 2, "play", "--tuned", "tuned")
    ran(ofw, "--merge", "tuned", "play1", "play2", "-o", "again", code=1)
    check(timeless(ofw, "again") == timeless(ofw, "out"), "the bytes are others")


# --- what is refused --------------------------------------------------------------------------------

def refused(ofw, args, code, says, unchanged=()):
    before = {name: content(ofw.file(name)) for name in unchanged}
    done = ran(ofw, *args, code=code, says=says)
    same(done.stdout, "", f"{args}: stdout")
    check(all(content(ofw.file(name)) == bytes_of for name, bytes_of in before.items()), f"{args}: a file has changed")
    check(not os.path.exists(ofw.file("new")), f"{args}: something was written")


def test_options_that_do_not_fit(ofw):
    ofw.write("a.ini", SMALL)
    for args, says in (
            (["a.ini", "--shard", "1/2"], "--shard needs --stage; see 'ofw help sweep'"),
            (["a.ini", "--stage", "both"], "--stage both: expected tune or play"),
            (["a.ini", "--stage", "tune", "--tuned", "t"], "--tuned needs --stage play"),
            (["a.ini", "--tuned", "t"], "--tuned needs --stage; see 'ofw help sweep'"),
            (["a.ini", "--slurm"], "--slurm needs --shards; see 'ofw help sweep'"),
            (["a.ini", "--shards", "2", "--sbatch", "--time=1"], "--sbatch needs --slurm; see 'ofw help sweep'"),
            (["a.ini", "--shards", "2", "--stage", "tune"], "--shards and --stage do not go together"),
            (["a.ini", "--shards", "0"], "--shards 0: expected a whole number from 1 to 1000"),
            (["a.ini", "--shards", "1001"], "--shards 1001: expected a whole number from 1 to 1000"),
            (["a.ini", "--shards", "2", "--slurm", "--sbatch", "x"], "--sbatch 'x': expected an option that begins with --"),
            (["a.ini", "--shards", "2", "--slurm", "--sbatch", "--array=1"], "--sbatch '--array=1': ofw sets --array itself"),
            (["a.ini", "--shards", "2", "--slurm", "--sbatch", "--wra=ls"], "--sbatch '--wra=ls': ofw sets --wrap itself"),
            (["a.ini", "--merge", "--shard", "1/2"], "--merge and --shard do not go together"),
            (["a.ini", "b.ini"], "unexpected 'b.ini'; see 'ofw help sweep'"),
            (["--merge"], "DIR is missing; see 'ofw help sweep'"),
            (["a.ini", "--stage", "play"], "a.ini tunes learners: --stage play needs --tuned DIR, the merged shards of --stage tune")):
        refused(ofw, [*args, "-o", "new"], 2, says)
    for share in ("0/2", "3/2", "1/1001", "1/0", "1", "/2", "1/", "1/2/3", "a/b", " 1/2", "-1/2", "1.5/2", "99999999999999999999/2", "1/2 "):
        refused(ofw, ["a.ini", "--stage", "tune", "--shard", share, "-o", "new"], 2,
                f"--shard {share}: expected I/N with 1 <= I <= N <= 1000, such as 2/8")
    refused(ofw, ["a.ini", "--stage", "play", "--tuned", "none", "-o", "new"], 3, "cannot read none: No such file or directory")
    refused(ofw, ["--merge", "none", "-o", "new"], 3, "cannot read none: No such file or directory")


def test_files_of_others(ofw):
    """A script or a text that --shards has not written stays; its own are written anew."""
    ofw.write("a.ini", SMALL)
    for name, text in (("shards.sh", "#!/bin/sh\necho mine\n"), ("shards.sh", ""), ("shards.ini", "mine\n")):
        shutil.rmtree(ofw.file("mine"), ignore_errors=True)
        os.mkdir(ofw.file("mine"))
        ofw.write(f"mine/{name}", text)
        refused(ofw, ["a.ini", "--shards", "2", "-o", "mine"], 2, f"{os.path.realpath(ofw.file('mine'))}/{name} is there already "
                "and not of 'ofw sweep --shards'; choose another folder for --output", unchanged=[f"mine/{name}"])
        same(os.listdir(ofw.file("mine")), [name], "files there")
    for _ in range(2):
        ran(ofw, "a.ini", "--shards", "2", "-o", "own")


def test_other_experiments(ofw):
    sharded(ofw, SMALL, 2)
    for name, text, where in (("seed", SMALL.replace("\nseeds = 3", "\nseeds = 4"), "line 4 is 'seeds = 4', not 'seeds = 3'"),
                              ("more", SMALL + "; the end\n", f"line {SMALL.count(chr(10)) + 1} is '; the end', not ''")):
        ofw.write("a.ini", text)
        ran(ofw, "a.ini", "--stage", "tune", "-o", name)
        says = f"{name}/results.db is of another experiment than tuned/results.db: {where}"
        refused(ofw, ["--merge", "tuned", name, "-o", "new"], 2, says)
    ofw.write("a.ini", SMALL)
    refused(ofw, ["a.ini", "--stage", "play", "--tuned", "seed", "-o", "new"], 2,
            "seed/results.db is of another experiment than a.ini: line 4 is 'seeds = 4', not 'seeds = 3'")


def test_other_versions_and_kernels(ofw):
    sharded(ofw, SMALL, 2)
    meta = {row["key"]: row["value"] for row in rows(ofw.file("out/results.db"), "SELECT * FROM meta")}
    for key, says in (("version", f"was played with version 9.9, but this ofw plays with {meta['version']}"),
                      ("kernel", f"was played with kernel 9.9, but tuned/results.db with {meta['kernel']}")):
        shutil.copytree(ofw.file("play1"), ofw.file(key))
        changed(ofw.file(f"{key}/results.db"), f"UPDATE meta SET value = '9.9' WHERE key = '{key}'")
        refused(ofw, ["--merge", "tuned", key, "-o", "new"], 2, f"{key}/results.db {says}")
    changed(ofw.file("tuned/results.db"), "UPDATE meta SET value = '9.9' WHERE key = 'kernel'")
    refused(ofw, ["a.ini", "--stage", "play", "--tuned", "tuned", "-o", "new"], 2,
            f"tuned/results.db was played with kernel 9.9, but this machine plays with {meta['kernel']}")
    refused(ofw, ["--merge", "play1", "-o", "tuned"], 2,
            f"tuned/results.db was written with kernel 9.9, but this is {meta['kernel']}; choose another folder")


def test_cells_that_differ(ofw):
    """What overlaps is the same, or nothing is written: the cell, its rounds, and the bits of every number."""
    sharded(ofw, SMALL, 2)
    cell = rows(ofw.file("play1/results.db"), "SELECT cell, arm, seed, loss, config FROM cell WHERE status = 'ok' ORDER BY cell")[0]
    where = f"WHERE cell = {cell['cell']}"
    label = f"differ in cell {cell['cell']} (ofw on ball, seed {cell['seed']}): "
    for statement, says in (
            (f"UPDATE cell SET loss = loss * (1 + 4e-16) {where}", "loss is "),
            (f"UPDATE cell SET regret = NULL {where}", "regret is "),
            (f"UPDATE cell SET config = config || 'x' {where}", "config is "),
            (f"UPDATE cell SET oracle_calls = oracle_calls + 1 {where}", "oracle_calls is "),
            (f"UPDATE series SET ccv = ccv + 1 {where} AND round = 40", "ccv is "),
            (f"DELETE FROM series {where} AND round = 40", "one has fewer rounds")):
        shutil.rmtree(ofw.file("copy"), ignore_errors=True)
        shutil.copytree(ofw.file("play1"), ofw.file("copy"))
        changed(ofw.file("copy/results.db"), statement)
        for args, pair in ((["tuned", "play1", "copy", "-o", "new"], ("play1", "copy")), (["copy", "-o", "out"], ("copy", "out"))):
            before = content(ofw.file("out/results.db"))
            done = ran(ofw, "--merge", *args, code=3)
            check(done.stderr.startswith(f"ofw sweep: {pair[0]}/results.db and {pair[1]}/results.db {label}{says}"), f"{statement}: {done.stderr!r}")
            same(done.stderr.count("\n"), 1, "lines")
            check(not os.path.exists(ofw.file("new")) and content(ofw.file("out/results.db")) == before, "something was written")


def test_a_refused_merge_does_not_grow(ofw):
    """A folder of an earlier text stays as it is if one of its plays differs, with --drop too, and also behind a writer's log."""
    sharded(ofw, SMALL, 2)
    grown = SMALL.replace("\nseeds = 3", "\nseeds = 2")
    ofw.write("a.ini", grown)
    play(ofw, 2, "tune", "--drop")
    ran(ofw, "--merge", "tune1", "tune2", "-o", "tuned", "--drop")
    play(ofw, 2, "play", "--tuned", "tuned", "--drop")
    cell = rows(ofw.file("out/results.db"), "SELECT cell FROM cell WHERE status = 'ok' AND role = 'play' AND seed = 2 ORDER BY cell")[0]["cell"]
    changed(ofw.file("out/results.db"), f"UPDATE cell SET loss = loss + 1 WHERE cell = {cell}")
    merge = ["--merge", "tuned", "play1", "play2", "-o", "out"]
    for args in (merge, [*merge, "--drop"]):
        before = content(ofw.file("out/results.db"))
        done = ran(ofw, *args, code=3 if "--drop" in args else 2)
        check(" differ in cell " in done.stderr or "--drop deletes them" in done.stderr, done.stderr)
        check(content(ofw.file("out/results.db")) == before and os.listdir(ofw.file("out")) == ["results.db"], f"{args}: something was written")
    changed(ofw.file("out/results.db"), "PRAGMA journal_mode = WAL")
    wanted = rows(ofw.file("out/results.db"), "SELECT * FROM cell ORDER BY cell")
    ran(ofw, *merge, "--drop", code=3)
    same(rows(ofw.file("out/results.db"), "SELECT * FROM cell ORDER BY cell"), wanted, "the plays of a database with a log")
    changed(ofw.file("out/results.db"), f"UPDATE cell SET loss = loss - 1 WHERE cell = {cell}")
    ran(ofw, *merge, "--drop", code=1)
    whole(ofw, grown)
    check(timeless(ofw, "out") == timeless(ofw, "whole"), "the bytes are others")


def test_no_permission(ofw):
    """What may not be read or written is said so, and not called damaged."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        return
    sharded(ofw, UNTUNED, 2)
    ran(ofw, "--merge", "play1", "-o", "part", code=1)
    os.chmod(ofw.folder, 0o755)
    for path, mode, args, says in (
            ("part/results.db", 0o444, ["--merge", "play2", "-o", "part"],
             "part/results.db cannot be written; look at the permissions of it and of its folder"),
            ("play2/results.db", 0o600, ["--merge", "play1", "play2", "-o", "new"], "play2/results.db cannot be opened: Permission denied")):
        was = os.stat(ofw.file(path)).st_mode
        os.chmod(ofw.file(path), mode)
        done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", ofw.path, "sweep", *args, "-q"],
                              cwd=ofw.folder, capture_output=True, text=True)
        same((done.returncode, done.stderr), (1, f"ofw sweep: {says}\n"), f"{args} for another user")
        os.chmod(ofw.file(path), was)


def test_other_data(ofw):
    """One shard read another file of the same name, as on a machine that does not share it."""
    text = SMALL.replace("stream = quadratic\ndomain = linf-ball:dim=2", "stream = matrix-completion:file=r.csv,batch=5")
    ofw.write("a.ini", text)
    for i, name in ((1, "one"), (2, "two")):
        ofw.write("r.csv", "".join(f"{k % 5},{k % 7},{1 + k % (2 + i)},{k}\n" for k in range(35)))
        if i == 1:
            ran(ofw, "a.ini", "--stage", "tune", "-o", "tuned")
        ran(ofw, "a.ini", "--shard", f"{i}/2", "--stage", "play", "--tuned", "tuned", "-o", name)
    done = ran(ofw, "--merge", "tuned", "one", "two", "-o", "new", code=2)
    check(done.stderr.startswith("ofw sweep: two/results.db has plays of ofw on cube with checksum=") and ", but one/results.db with checksum=" in done.stderr
          and done.stderr.endswith(": what they read differs\n"), done.stderr)
    check(not os.path.exists(ofw.file("new")), "something was written")


def test_folders(ofw):
    """The folder to merge into: among the shards, in use, a file; and databases that are damaged."""
    sharded(ofw, SMALL, 2)
    refused(ofw, ["--merge", "tuned", "play1", "-o", "play1"], 2,
            "play1 is among the folders to merge; choose another folder for --output", unchanged=["play1/results.db"])
    os.symlink("play1", ofw.file("link"))
    refused(ofw, ["--merge", "tuned", "play1", "-o", "link"], 2, "link is among the folders to merge; choose another folder for --output")
    ofw.write("file", "")
    refused(ofw, ["--merge", "tuned", "-o", "file/new"], 1, "cannot make the folder file/new: Not a directory")
    for statement, says in (("UPDATE arm SET label = 'x' WHERE arm = 1", "its arms are not those of its experiment"),
                            ("DELETE FROM arm WHERE arm = 8", "its arms are not those of its experiment"),
                            ("UPDATE cell SET seed = seed + 1", "cell 1 is not part of its experiment")):
        shutil.rmtree(ofw.file("bad"), ignore_errors=True)
        shutil.copytree(ofw.file("tuned"), ofw.file("bad"))
        changed(ofw.file("bad/results.db"), statement)
        first = "cell 1 " if "cell" in says else ""
        for args in (["bad", "play1"], ["play1", "bad"]):
            done = ran(ofw, "--merge", *args, "-o", "new", code=3)
            check(done.stderr.startswith("ofw sweep: bad/results.db is damaged: ") and says.replace(first, "") in done.stderr, done.stderr)
            check(not os.path.exists(ofw.file("new")), "something was written")
    with open(ofw.file("bad/results.db"), "r+b") as file:
        file.truncate(5000)
    same(ran(ofw, "--merge", "play1", "bad", "-o", "new", code=3).stdout, "", "a torn one")


def test_tunings_that_are_not_whole(ofw):
    ofw.write("a.ini", SMALL)
    ran(ofw, "a.ini", "--stage", "tune", "-o", "tuned")
    last = rows(ofw.file("tuned/results.db"), "SELECT max(cell) AS n FROM cell")[0]["n"]
    for run in (22, 13, 12, 1):
        beyond = f"WHERE cell > {last - 22 + run - 1}"
        changed(ofw.file("tuned/results.db"), f"DELETE FROM timing {beyond}", f"DELETE FROM cell {beyond}")
        refused(ofw, ["a.ini", "--stage", "play", "--tuned", "tuned", "-o", "new"], 2,
                f"tuned/results.db lacks tuning run {run} of 22 of tvc on ball; merge all shards of --stage tune")


if __name__ == "__main__":
    sys.exit(main("sweeps in shards, end to end", globals()))
