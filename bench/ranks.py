#!/usr/bin/python3
"""ofw-mpi beside ofw run, on this machine: what a round costs on one rank, on two and on four, and what a large game takes.

    ranks.py shape|large [--ofw PATH] [--mpi PATH] [--rounds N] [--repeats N]

shape: ratings of MovieLens-25M's shape, generated, with batches of 10 000 and constraint=exposure. The kinds play by turns, --repeats
times. A round does the same work every time, so its least time counts; the table has the median of these over the later half, and beside it
the ratios of the medians of single plays. large: 10^7 users, 10^5 items and 2 10^8 ratings on two ranks; it ends if the machine's memory does.
"""
import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

GAME = "matrix-completion:users=162541,items=59047,ratings=25000000,rank=10,batch=10000,constraint=exposure,radius=200000"
LARGE = "matrix-completion:users=10000000,items=100000,ratings=200000000,rank=5,batch=1000000,constraint=exposure,radius=2000000"
SPARED = 3 << 30   # bytes that other programs keep
LEARNER = ["--learner", "ofw-tvc", "--set", "sigma=line-search", "--set", "step=10000"]
# Ranks on one machine, perhaps as root, perhaps more than there are processors.
ENV = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


def resident(pid):
    """Bytes of this process and of those that it has started."""
    try:
        own = next((1024 * int(line.split()[1]) for line in pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
                    if line.startswith("VmRSS")), 0)
        started = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return 0
    return own + sum(resident(child) for child in started)


def available():
    """Bytes of memory that a program may still take."""
    return next(1024 * int(line.split()[1]) for line in pathlib.Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
                if line.startswith("MemAvailable"))


def play(command, stream, rounds):
    """The account, the trace's rows without the seconds, seconds of each round, seconds of all of it, and the most that was resident."""
    with tempfile.TemporaryDirectory() as folder:
        begun, most = time.monotonic(), 0
        process = subprocess.Popen([*command, "-q", "--json", *LEARNER, "--stream", stream, "--rounds", str(rounds), "--trace", f"{folder}/t"],
                                   env=ENV, stdout=subprocess.PIPE, text=True)
        while process.poll() is None:
            most = max(most, resident(process.pid))
            if available() < SPARED:
                process.terminate()
            time.sleep(0.2)
        if process.returncode:
            raise SystemExit(f"{command} ended with {process.returncode}")
        account, whole = json.loads(process.stdout.read()), time.monotonic() - begun
        with open(f"{folder}/t", encoding="ascii") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    at = [0.0] + [float(row.pop("seconds")) for row in rows]
    return account, rows, [b - a for a, b in zip(at, at[1:])], whole, most


def shape(args):
    kinds = {"`ofw run`": [args.ofw, "run"], "`ofw run --threads 2`": [args.ofw, "run", "--threads", "2"],
             **{f"`mpirun -n {n} ofw-mpi run`": ["mpirun", "-n", str(n), args.mpi, "run"] for n in (1, 2, 4)}}
    best, traces, memory, single = {}, {}, {}, {kind: [] for kind in kinds}
    for _ in range(args.repeats):
        for kind, command in kinds.items():
            _, trace, rounds, _, memory[kind] = play(command, GAME, args.rounds)
            best[kind] = [min(pair) for pair in zip(rounds, best.get(kind, rounds))]
            single[kind].append(statistics.median(rounds[len(rounds) // 2:]))
            if "ofw-mpi" in kind:
                traces[kind] = trace
    best = {kind: statistics.median(rounds[len(rounds) // 2:]) for kind, rounds in best.items()}
    alone, one = best["`ofw run --threads 2`"], best["`mpirun -n 1 ofw-mpi run`"]
    print("| | ms per round | times as fast as one rank | in each repeat | time relative to `ofw run --threads 2` | same bits as one rank | resident, GB |")
    print("|---|---|---|---|---|---|---|")
    for kind in kinds:
        each = sorted(a / b for a, b in zip(single["`mpirun -n 1 ofw-mpi run`"], single[kind]))
        spread = f"{each[0]:.2f} to {each[-1]:.2f}" if kind in traces else ""
        bits = ("yes" if traces[kind] == traces["`mpirun -n 1 ofw-mpi run`"] else "NO") if kind in traces else ""
        fast = f"{one / best[kind]:.2f}" if kind in traces else ""
        print(f"| {kind} | {1e3 * best[kind]:.0f} | {fast} | {spread} | {best[kind] / alone:.2f} | {bits} | {memory[kind] / 1e9:.2f} |")


def large(args):
    account, _, rounds, whole, memory = play(["mpirun", "-n", "2", args.mpi, "run", "--set", "rank=32"], LARGE, args.rounds)
    print("| users x items | ratings | rounds | seconds per round, first and last | seconds with the generation | entries of S | resident, GB |")
    print("|---|---|---|---|---|---|---|")
    print(f"| 10^7 x 10^5 | 2 10^8 | {args.rounds} | {rounds[0]:.1f}, {rounds[-1]:.1f} | {whole:.0f} | {account['entries']} | {memory / 1e9:.1f} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ofw", default="build/ofw")
    parser.add_argument("--mpi", default="build/ofw-mpi")
    parser.add_argument("kind", choices=("shape", "large"))
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--repeats", type=int, default=4)
    args = parser.parse_args()
    args.rounds = args.rounds or {"shape": 40, "large": 20}[args.kind]
    {"shape": shape, "large": large}[args.kind](args)


if __name__ == "__main__":
    main()
