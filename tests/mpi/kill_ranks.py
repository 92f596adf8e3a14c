#!/usr/bin/python3
"""Plays `ofw-mpi run`, kills one of its ranks with -9 at a random moment, and resumes on another number of ranks, until the play
ends. All ranks must have ended, the checkpoint must be whole every time, and the trace must be that of an uninterrupted play.

    kill_ranks.py --mpi PATH [--kills N] [--seed S]
"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time

from ranks import check, children, command, environment, need, play, rows, same

GAME = ["--learner", "ofw-tvc", "--set", "sigma=line-search", "--set", "step=1000", "--set", "rank=12", "--rounds", "400", "--seed", "4", "--quiet",
        "--stream", "matrix-completion:users=700,items=200,ratings=20000,rank=3,batch=1000,radius=2000,constraint=exposure"]
RANKS = (1, 2, 3, 4)
PATIENCE = 30   # seconds in which the ranks end that mpirun has killed


def is_rank(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text(encoding="ascii").strip() == "ofw-mpi"
    except OSError:
        return False


def has_manifest(folder):
    """Between the two renames of a checkpoint only the one before is there."""
    return any(os.path.exists(f"{folder}/{name}") for name in ("killed", "killed.1"))


def played_and_killed(rng, program, folder, ranks, args):
    """One process tree, a rank of which is killed if it still runs by then. True: it was, before the play had ended."""
    with environment() as own:
        process = subprocess.Popen(command(program, ranks, *args), env=own, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(rng.uniform(0.3, 2.0))
        before = has_manifest(folder)
        alive = [pid for pid in children(process.pid) if is_rank(pid)]
        if alive:
            os.kill(rng.choice(alive), signal.SIGKILL)
        out, err = process.communicate(timeout=60)
        deadline = time.monotonic() + PATIENCE
        while any(is_rank(pid) for pid in alive) and time.monotonic() < deadline:
            time.sleep(0.05)
        check(not any(is_rank(pid) for pid in alive), f"of the ranks {alive} some have outlived their run")
    if process.returncode == 0 or (alive and out.startswith("learner ")):    # killed when it had said everything
        return False
    check(alive, f"a run that nobody killed ended with {process.returncode}: {err[:500]}")
    check(not before or has_manifest(folder), "the manifest is gone")
    same(out, "", "the result of a run that was killed")
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpi", required=True)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1000000)
    args = parser.parse_args()
    need(args.mpi)
    rng, kills, games = random.Random(args.seed), 0, 0
    print(f"seed {args.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        play(args.mpi, 2, *GAME, "--trace", f"{folder}/whole")
        wanted = rows(f"{folder}/whole")
        while kills < args.kills:
            for name in os.listdir(folder):
                if name.startswith("killed"):
                    os.remove(f"{folder}/{name}")
            games += 1
            resumed = [*GAME, "--trace", f"{folder}/killed.csv", "--checkpoint", f"{folder}/killed", "--checkpoint-every", "1", "--resume"]
            while played_and_killed(rng, args.mpi, folder, rng.choice(RANKS), resumed):
                kills += 1
                if kills >= args.kills:
                    play(args.mpi, rng.choice(RANKS), *resumed)
                    break
            same(rows(f"{folder}/killed.csv"), wanted, "the trace of a game that was killed and resumed")
    print(f"{kills} kills in {games} games; every trace is that of an uninterrupted play")


if __name__ == "__main__":
    main()
