#!/usr/bin/python3
"""`ofw sweep --slurm` with a real Slurm of one node: submitted, killed, submitted again; the database is that of one sweep."""
import os
import re
import sys

from shards import EXPERIMENT, NAME, SKIPPED, begin, compare, kill_one
from slurm import Slurm, lacks

from program import check, same, strict_json    # noqa: E402
from runner import main    # noqa: E402


def submit(ofw, slurm, *more, code=0):
    done = ofw.run("sweep", "a.ini", "--shards", "3", "--slurm", "--sbatch", "--time=10", "-o", NAME, *more, env=slurm.environment)
    same(done.returncode, code, f"{done.stderr!r}: code")
    return done


def logs(folder):
    found = {}
    for name in os.listdir(folder):
        if name.endswith(".log"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found[name] = file.read()
    return found


def test_killed_and_submitted_again(ofw):
    folder = begin(ofw)
    os.makedirs(ofw.file("slurm"))
    with Slurm(ofw.file("slurm")) as slurm:
        said = submit(ofw, slurm).stdout
        numbers = re.findall(r"^(\w+) +job (\d+)(?:, an array of (\d))?$", said, re.M)
        same([(name, tasks) for name, _, tasks in numbers], [("tune", "2"), ("tuned", ""), ("play", "3"), ("merge", "")], "steps")
        check(said.endswith("Its folder has the script, and a log per job.\n"), said)
        kill_one(folder, "tune")                                                    # the whole shard, as a node that is lost
        slurm.drain("after a shard was killed, jobs wait for it")
        check(not os.path.exists(f"{folder}/tuned/results.db"), "it was merged without that shard")
        steps = strict_json(submit(ofw, slurm, "--json").stdout)["steps"]
        same([step["step"] for step in steps], ["tune", "tuned", "play", "merge"], "steps as JSON")
        check(all(int(step["job"]) > int(numbers[-1][1]) for step in steps), f"jobs: {steps}")
        kill_one(folder, "play", worker=True)                                       # a play, as the kernel does without memory
        slurm.drain("after a play was killed, jobs wait for it")
        check(any("was ended by signal 9 (Killed)" in text for text in logs(folder).values()), f"{logs(folder)}")
        check(not os.path.exists(f"{folder}/results.db"), "it was merged without that play")
        submit(ofw, slurm)
        slurm.drain("the jobs do not end")
        compare(ofw)
        check("4 of 64 plays failed; the first: fails on ball, seed 1: " in logs(folder)["merge.log"], logs(folder)["merge.log"])
        submit(ofw, slurm)                                                          # nothing is left to do
        slurm.drain("the jobs do not end")
        compare(ofw)
        check(logs(folder)["merge.log"].count("4 of 64 plays failed") == 2 and "nothing to play: " in logs(folder)["play-1.log"], f"{logs(folder)}")


def test_sbatch_refuses(ofw):
    ofw.write("a.ini", EXPERIMENT)
    os.makedirs(ofw.file("slurm"))
    with Slurm(ofw.file("slurm")) as slurm:
        done = submit(ofw, slurm, "--sbatch", "--partition=none such", code=1)
        check("ofw sweep: sbatch refused the step tune with status 1\n" in done.stderr and "invalid partition" in done.stderr, done.stderr)
        same(slurm.queue(), [], "jobs")


if __name__ == "__main__":
    why = lacks()
    if why:
        print(f"skipped: {why}")
    sys.exit(SKIPPED if why else main("ofw sweep --slurm", globals()))
