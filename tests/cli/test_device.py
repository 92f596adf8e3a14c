#!/usr/bin/python3
"""Runs `ofw sweep --device` and `ofw reproduce --device` as their users do, with the library of storage=cuda that this processor
runs (OFW_CUDA_FOLDER), and without one.

    test_device.py --ofw PATH [--filter SUBSTRING]
"""
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import time

from program import check, same, strict_json
from runner import main

EXPERIMENT = """
[experiment]
title = A learner on the device, and one that names its own storage
rounds = 60
seeds = 2

[stream ratings]
stream = matrix-completion:users=30,items=20,ratings=250,batch=25

[every learner]
start = vertex

[learner there]
learner = scofw-tvc
strong-convexity = 1

[learner bandit]
learner = bfw-tvc

[learner own]
learner = ofw-tvc
storage = float
"""
WITH = {**os.environ, "LD_LIBRARY_PATH": os.environ["OFW_CUDA_FOLDER"]}
WITHOUT = {**os.environ, "LD_LIBRARY_PATH": "/nowhere"}


def sweep(ofw, folder, *args, env=None):
    ofw.write("a.ini", EXPERIMENT)
    return ofw.run("sweep", "a.ini", "-o", folder, "-q", "--json", *args, env=env or WITH)


def learners(done):
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    return {row["label"]: row for row in strict_json(done.stdout)["learners"]}


def test_every_learner_without_a_storage_plays_there(ofw):
    here = learners(sweep(ofw, "here", "--device", "cpu"))
    same([row["options"] for row in here.values()], ["strong-convexity=1 start=vertex", "start=vertex", "storage=float start=vertex"], "options")
    for device, tolerance in (("cuda", 1e-9), ("cuda-float", 1e-3)):
        there = learners(sweep(ofw, device, "--device", device))
        same([row["options"] for row in there.values()],
             [f"strong-convexity=1 start=vertex storage={device}", f"start=vertex storage={device}", "storage=float start=vertex"], "options")
        for label, row in there.items():
            for key in ("loss", "ccv"):
                found, wanted = row[key], here[label][key]
                check(abs(found - wanted) <= tolerance * abs(wanted), f"{label}, {key}: {found} on {device}, {wanted} here")
        same(there["own"]["loss"], here["own"]["loss"], "the loss of a learner with a storage of its own")


def test_a_database_keeps_devices_apart(ofw):
    """Plays of the processor are not those of the GPU, and the same command plays nothing again."""
    learners(sweep(ofw, "out"))
    done = sweep(ofw, "out", "--device", "cuda")
    same(done.returncode, 2, "code without --drop")
    learners(sweep(ofw, "out", "--device", "cuda", "--drop"))
    again = sweep(ofw, "out", "--device", "cuda")
    same((again.returncode, again.stderr), (0, "ofw sweep: nothing to play: out/results.db has all 6 plays\n"), "again")
    with sqlite3.connect(ofw.file("out/results.db")) as db:
        text = db.execute("select value from meta where key = 'experiment'").fetchone()[0]
    check("storage = cuda" in text and "start = vertex" in text, f"the database's text is {text}")


def test_errors_have_the_line_of_the_file(ofw):
    ofw.write("bad.ini", EXPERIMENT.replace("strong-convexity", "strong-convexities"))
    done = ofw.run("sweep", "bad.ini", "-o", "out", "--device", "cuda", env=WITH)
    same((done.returncode, done.stdout), (2, ""), "code and stdout")
    check(done.stderr.startswith("ofw sweep: bad.ini:15: "), done.stderr)
    check(not os.path.exists(ofw.file("out")), "nothing is written")


def test_reproduce(ofw):
    ofw.write("a.ini", EXPERIMENT)
    done = ofw.run("reproduce", "a.ini", "-o", "out", "-q", "--json", "--device", "cuda", env=WITH)
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    check(os.path.exists(ofw.file("out/report.html")), "there is a page")


def test_refusals(ofw):
    done = sweep(ofw, "out", "--device", "gpu")
    same((done.returncode, done.stdout, done.stderr),
         (2, "", "ofw sweep: --device: expected cpu, cuda or cuda-float, found 'gpu'\n"), "another device")
    done = sweep(ofw, "out", "--device", "cuda", env=WITHOUT)
    same(done.returncode, 1, "code without the library")
    check("4 of 6 plays failed" in done.stderr and "storage=cuda needs libofw-cuda.so.0" in done.stderr, done.stderr)
    learners(sweep(ofw, "out", "--device", "cuda"))  # what failed is played once it is there


def children(pid):
    """A process's children, in the order in which they began."""
    return [int(n) for n in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_the_process_that_has_the_gpu_may_die(ofw):
    """Plays fail, those that follow with the reason, and no worker waits for ever."""
    ofw.write("a.ini", EXPERIMENT.replace("rounds = 60", "rounds = 4000"))
    for device in ("cuda", "cuda-float"):
        command = [ofw.path, "sweep", "a.ini", "-o", device, "-q", "--device", device, "--jobs", "2"]
        run = subprocess.Popen(command, env=WITH, cwd=ofw.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while len(children(run.pid)) < 3:   # it is the first, and workers follow when there is something to play
            time.sleep(0.01)
        os.kill(children(run.pid)[0], signal.SIGKILL)
        stderr = run.communicate(timeout=100)[1]
        same(run.returncode, 1, "code")
        check("4 of 6 plays failed" in stderr, stderr)
        with sqlite3.connect(ofw.file(f"{device}/results.db")) as db:
            errors = [row[0] for row in db.execute("select error from cell where error is not null")]
        check(any(f"storage={device}: the process that has the GPU has ended" in error for error in errors), str(errors))


def test_plays_together_are_those_alone(ofw):
    """A play that shares the GPU has the numbers of one that has it, bit for bit."""
    for device in ("cuda", "cuda-float"):
        learners(sweep(ofw, device, "--device", device, "--jobs", "4"))
        with sqlite3.connect(ofw.file(f"{device}/results.db")) as db:
            shared = dict(db.execute("select seed, loss from cell where arm = 1"))
        same(len(shared), 2, "plays")
        for seed, loss in shared.items():
            done = ofw.run("run", "-q", "--json", "--learner", "scofw-tvc", "--strong-convexity", "1", "--stream",
                           "matrix-completion:users=30,items=20,ratings=250,batch=25", "--rounds", "60", "--seed", str(seed),
                           "--set", f"storage={device}", "--set", "start=vertex", env=WITH)
            same(done.returncode, 0, done.stderr)
            same(strict_json(done.stdout)["loss"], loss, f"the loss with seed {seed}")


if __name__ == "__main__":
    sys.exit(main("experiments on another device, end to end", globals()))
