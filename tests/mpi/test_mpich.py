#!/usr/bin/python3
"""ofw-mpi built with MPICH: on one and two ranks it plays, resumes and refuses as the one that was built with the machine's own MPI does.
The games are short, because MPICH's ranks keep a processor busy while they wait.

    test_mpich.py --mpi PATH --mpich PATH
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

from ranks import SKIPPED, check, need, play, rows, same
from test_mpi import GAMES, numbers

MPIRUN = "mpirun.mpich"
ROUNDS = ["--rounds", "8", "--seed", "7", "--quiet", "--json"]


def mpich(program, ranks, *args, code=0):
    done = subprocess.run([MPIRUN, "-n", str(ranks), program, "run", *args], capture_output=True, text=True, timeout=300)
    same(done.returncode, code, f"code of {args} on {ranks} ranks: {done.stderr[:500]!r}")
    return done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpi", required=True)
    parser.add_argument("--mpich", required=True)
    args = parser.parse_args()
    need(args.mpi)
    if args.mpich == "none" or not shutil.which(MPIRUN):
        print("skipped: there is no MPICH (Debian: mpich libmpich-dev)")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("exposure", "compressed"):
            game = GAMES[name]
            wanted = numbers(play(args.mpi, 2, *game, *ROUNDS, "--trace", f"{folder}/own").stdout)
            for ranks in (1, 2):
                same(numbers(mpich(args.mpich, ranks, *game, *ROUNDS, "--trace", f"{folder}/{ranks}").stdout), wanted, f"{name} on {ranks} ranks")
                same(rows(f"{folder}/{ranks}"), rows(f"{folder}/own"), f"{name} on {ranks} ranks: the trace")
            print(f"ok   {name}", flush=True)
        resumed = [*GAMES["exposure"], *ROUNDS, "--trace", f"{folder}/cut", "--checkpoint", f"{folder}/ck"]
        mpich(args.mpich, 2, *resumed, "--time-limit", "0")
        check(os.path.exists(f"{folder}/ck.r1.1of2"), "the second rank's file of the checkpoint is missing")
        play(args.mpi, 3, *resumed, "--resume")    # by the other MPI
        play(args.mpi, 2, *GAMES["exposure"], *ROUNDS, "--trace", f"{folder}/own")
        same(rows(f"{folder}/cut"), rows(f"{folder}/own"), "a play that MPICH began and the other MPI ended")
        said = mpich(args.mpich, 2, "--learner", "ofw-tvc", "--rounds", "3", "--stream", "trace-recovery", code=2).stderr.splitlines()
        same([line for line in said if line.startswith("ofw-mpi")], ["ofw-mpi run: trace-recovery: ranks share matrix-completion over trace-ball alone"],
             "what a refusal says")
        print("ok   a checkpoint and a refusal")


if __name__ == "__main__":
    main()
