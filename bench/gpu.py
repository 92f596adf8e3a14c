#!/usr/bin/env python3
"""Measures storage=cuda on a machine with a GPU, and prints what docs/gpu.md shows: tables, below a head of lines that begin with #.

    bench/gpu.py --build build --commit HASH [--parts plays,many,kernels,svd,parity,literal,checks,long,floats] > docs/results/gpu.txt

The plays of the paper's experiment need OFW_DATA_DIR; `svd` needs PyTorch and CuPy, `kernels` Nsight Compute, `checks` compute-sanitizer.
"""
import argparse
import collections
import contextlib
import csv
import datetime
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
LEARNERS = ("scofw-tvc", "ofw-tvc", "opdp", "ofw-ada", "lpm")
ROWS, COLS = 943, 1682
LARGE = 8000, 8000
STORAGES = ("cuda", "cuda-float")
JOBS = 14
LIMIT_S = 1200
# How often a kernel reads or writes an array of the matrix's size.
TRAFFIC = {"dot_term": 1, "add_measure": 2, "measure": 1, "segment": 2, "step": 4, "step_dot": 4}
WORDS = {"dot_term": "`<P, x>`, P drawn", "add_measure": "d += c P, P drawn; size of d", "measure": "size of d", "segment": "segment",
         "step": "step", "step_dot": "step, and `<P, x>` of the next P", "gather": "250 entries of x", "add_sparse": "250 ratings into d",
         "compose": "the pair"}


def run(args, *command):
    env = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    env["LD_LIBRARY_PATH"] = f"{args.library}:{env.get('LD_LIBRARY_PATH', '')}"
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=LIMIT_S)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stdout[-400:]}{done.stderr[-400:]}")
    return done.stdout + done.stderr


def table(head, rows):
    print("\n" + "| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print(flush=True)


def play(args, learner, rounds, trace=None, storage="cuda"):
    command = (args.ofw, "run", "-q", "--learner", learner, "--stream", "matrix-completion", "--seed", "1", "--rounds", str(rounds),
               "--set", f"storage={storage}")
    return run(args, *command, *(("--trace", trace) if trace else ()))


def numbers(trace):
    """What a trace says, but for the seconds."""
    return [line.rsplit(",", 1)[0] for line in pathlib.Path(trace).read_text(encoding="utf-8").splitlines()]


def plays(args):
    """Single plays: microseconds per round, passes per round, and whether two plays have the same bits."""
    rows = []
    for storage in STORAGES:
        for learner in LEARNERS:
            with tempfile.TemporaryDirectory() as where:
                seen = []
                for turn in "12":
                    play(args, learner, 500, f"{where}/{turn}.csv", storage)
                    seen.append(numbers(f"{where}/{turn}.csv"))
            last = dict(zip(seen[0][3].split(","), seen[0][-1].split(",")))
            us = [float(play(args, learner, 4000, storage=storage).split()[-1]) * 1e6 / 4000 for _ in range(4)]
            rows.append((f"`{learner}`", f"`{storage}`", f"{float(last['passes']) / 500:.1f}", f"{min(us):.0f} to {max(us):.0f}",
                         "yes" if seen[0] == seen[1] else "NO"))
    table(("learner", "storage", "passes per round", "µs per round", "the same bits twice"), rows)


def parity(args):
    """How far the numbers of a play are from those of storage=double, relative to these."""
    rows = []
    for learner in LEARNERS:
        seen = {}
        for storage in ("double", *STORAGES):
            with tempfile.NamedTemporaryFile(suffix=".csv") as file:
                play(args, learner, 100, file.name, storage)
                lines = numbers(file.name)
                seen[storage] = [dict(zip(lines[3].split(","), line.split(","))) for line in lines[4:]]
        for storage in STORAGES:
            pairs = list(zip(seen["double"], seen[storage]))
            off = [max(abs(float(b[key]) - float(a[key])) / (abs(float(a[key])) or 1.0) for a, b in pairs) for key in ("loss_sum", "ccv", "sigma")]
            same = all(a["passes"] == b["passes"] for a, b in pairs)
            rows.append((f"`{learner}`", f"`{storage}`", *(f"{value:.1e}" for value in off), "the same" if same else "other ones"))
    table(("learner", "storage", "sum of losses", "CCV", "step", "passes"), rows)


def timed(args, *command):
    with tempfile.TemporaryDirectory() as where:
        start = time.monotonic()
        run(args, *command, "-o", where)
        return time.monotonic() - start


@contextlib.contextmanager
def experiment(rounds, seeds, *more):
    """The file of one: `scofw-tvc`, and more learners, over generated ratings."""
    learners = "".join(f"[learner {name}]\nlearner = {name}\n\n" for name in ("scofw-tvc", *more))
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
        file.write(f"[experiment]\ntitle = plays\nrounds = {rounds}\nseeds = {seeds}\n\n[stream ratings]\nstream = matrix-completion\n\n"
                   f"{learners}")
        file.flush()
        yield file.name


def many(args):
    """Several plays at a time, of generated ratings."""
    rows = []
    with experiment(1000, 42) as name:
        for jobs in (1, 7, JOBS):
            seconds = timed(args, args.ofw, "sweep", name, "--device", "cuda", "--jobs", str(jobs))
            rows.append((jobs, f"{seconds:.1f}", f"{seconds * 1e6 / 42000:.0f}", f"{seconds * 1e6 * jobs / 42000:.0f}"))
    table(("plays at a time", "s for 42 plays of 1000 rounds", "µs per round and play", "µs that a round of one play takes"), rows)


def literal(args, rounds=1000, storage="cuda"):
    """The paper's experiment, all methods and grids."""
    with tempfile.TemporaryDirectory() as where:
        for name in ("movielens-methods.ini", "movielens-literal.ini"):
            text = (ROOT / "experiments" / name).read_text(encoding="utf-8")
            pathlib.Path(where, name).write_text(text.replace("rounds = 1000", f"rounds = {rounds}"), encoding="utf-8")
        seconds = timed(args, args.ofw, "reproduce", f"{where}/movielens-literal.ini", "--device", storage, "--jobs", str(JOBS))
    table(("literal reading of MovieLens", "s"), [(f"548 plays of {rounds} rounds, {JOBS} at a time", f"{seconds:.0f}")])


def profile(args, pattern, *command):
    """Times of kernels by Nsight Compute: (name, microseconds)."""
    text = run(args, "ncu", "--clock-control", "none", "--cache-control", "none", "--csv", "--metrics", "gpu__time_duration.sum",
               "-k", f"regex:{pattern}", *command)
    table_of = text[text.index('"ID"'):].splitlines()
    for row in csv.DictReader(line for line in table_of if line.startswith('"')):
        us = float(row["Metric Value"].replace(",", "")) / {"ns": 1000.0, "nsecond": 1000.0}.get(row["Metric Unit"], 1.0)
        yield row["Kernel Name"], us


def read_rates(args, sizes):
    """Terabytes per second of a read of so many megabytes: by its best shape, the median of its launches."""
    rates = {}
    for size in sizes:
        found = collections.defaultdict(list)
        for turn, (name, us) in enumerate(profile(args, "read", f"{args.build}/bench/bench_gpu_read", str(size))):
            found[name, turn % 2].append(us)
        rates[size] = size / min(statistics.median(of) for of in found.values())
    return rates


def kernels(args):
    """All kernels but the search, which waits for the program, beside reads of as many bytes as they read and write."""
    rows = []
    for size, stream, rounds in (((ROWS, COLS), "matrix-completion", 40), (LARGE, f"matrix-completion:users={LARGE[0]},items={LARGE[1]}", 4)):
        for storage, bytes_each in zip(STORAGES, (8, 4)):
            array = size[0] * size[1] * bytes_each / 1e6
            found = collections.defaultdict(list)
            for name, us in profile(args, f"kernel_({'|'.join(WORDS)})$", args.ofw, "run", "-q", "--learner", "scofw-tvc", "--stream", stream,
                                    "--seed", "1", "--rounds", str(rounds), "--set", f"storage={storage}"):
                found[name.split("(")[0].replace("kernel_", "")].append(us)
            rates = read_rates(args, sorted({round(array * TRAFFIC[name]) for name in found if name in TRAFFIC}))
            for name, words in WORDS.items():
                if name in found and (size != LARGE or name in TRAFFIC):
                    us, moved = statistics.median(found[name]), TRAFFIC.get(name, 0) * array
                    rate = moved / us
                    rows.append((f"{size[0]} x {size[1]}", f"`{storage}`", words, *((f"{moved:.1f}", f"{us:.1f}", f"{rate:.2f}",
                                 f"{rate / rates[round(moved)]:.0%}") if moved else ("–", f"{us:.1f}", "–", "–"))))
    table(("matrix", "storage", "kernel", "reads and writes, MB", "µs", "TB/s", "of a read of as much"), rows)


def checks(args):
    """The two test programs over the GPU, and what compute-sanitizer finds in short plays."""
    rows = [(f"`{name}`", "–", run(args, f"{args.build}/tests/{name}").strip().splitlines()[-1].strip("[ ]").replace("  ] ", ": "))
            for name in ("engine_test_conformance", "engine_test_cuda_narrow", "learner_test_storage_cuda")]

    def said(tool, name, *command):
        text = run(args, "compute-sanitizer", "--target-processes", "all", "--tool", tool, args.ofw, *command)
        summaries = [line.split("SUMMARY:")[1].strip() for line in text.splitlines() if "SUMMARY" in line]
        rows.append((tool, name, "; ".join(sorted(set(summaries))) or "?"))

    for tool in ("memcheck", "racecheck"):
        for learner, storage in (("scofw-tvc", "cuda"), ("ofw-ada", "cuda"), ("scofw-tvc", "cuda-float")):
            said(tool, f"`{learner}`, `{storage}`", "run", "-q", "--learner", learner, "--stream", "matrix-completion", "--seed", "1",
                 "--rounds", "3", "--set", f"storage={storage}")
        with experiment(3, 2, "ofw-tvc") as name, tempfile.TemporaryDirectory() as where:
            said(tool, "`scofw-tvc` and `ofw-tvc`, in an experiment", "sweep", name, "--device", "cuda", "--jobs", "1", "-o", where)
    table(("program", "learner", "it says"), rows)


def svd(args):
    """The top singular value at the error that a peer reached; errors by a full decomposition."""
    import cupy
    import cupyx.scipy.sparse.linalg
    import numpy
    import torch
    torch.manual_seed(1)

    def median(do, repeats=30):
        for _ in range(3):
            value = do()
        torch.cuda.synchronize()
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            value = do()
            torch.cuda.synchronize()
            times.append((time.perf_counter() - start) * 1e6)
        return statistics.median(times), value

    rows = []
    for size in (1.2, 3.0):
        random = numpy.random.default_rng(7)
        noise = random.uniform(-1.0, 1.0, (ROWS, COLS))
        u, v = random.standard_normal(ROWS), random.standard_normal(COLS)
        matrix = noise + size * numpy.linalg.norm(noise, 2) * numpy.outer(u, v) / numpy.linalg.norm(u) / numpy.linalg.norm(v)
        exact = numpy.linalg.svd(matrix, compute_uv=False)[0]
        here, there = torch.from_numpy(matrix).cuda(), cupy.asarray(matrix)
        peers = {f"`torch.svd_lowrank`, q = {q}, niter = {n}": (lambda q=q, n=n: float(torch.svd_lowrank(here, q=q, niter=n)[1][0]))
                 for q, n in ((6, 2), (6, 8), (2, 4))}
        peers["CuPy's `svds`, k = 1"] = lambda: float(cupyx.scipy.sparse.linalg.svds(there, k=1)[1][0])
        with tempfile.NamedTemporaryFile(suffix=".bin") as file:
            matrix.tofile(file.name)
            for name, do in peers.items():
                us, value = median(do)
                error = abs(value - exact) / exact
                wanted = min(max(error, 1e-15), 1e-2)
                words = run(args, args.svd, file.name, str(ROWS), str(COLS), f"{wanted:.3g}", "100").split()
                own = abs(float(words[1]) - exact) / exact
                rows.append((f"{size:g}", name, f"{us:.0f}", f"{error:.0e}", words[0].split(".")[0], f"{own:.0e}", words[2],
                             f"{us / float(words[0]):.1f}"))
    table(("first value, of the noise's", "peer", "its µs", "its relative error", "ofw's µs", "ofw's error", "passes", "times as fast"), rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--commit", required=True)
    parser.add_argument("--parts", default="plays,many,kernels,svd,parity,literal,checks")
    args = parser.parse_args()
    args.ofw, args.svd, args.library = f"{args.build}/ofw", f"{args.build}/bench/bench_gpu_svd", f"{args.build}/cuda"
    gpu = run(args, "nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").strip().replace(", ", ", driver ")
    print(f"# commit: {args.commit}\n# date: {datetime.date.today().isoformat()}\n# machine: {gpu}, {os.cpu_count()} processors\n"
          f"# command: bench/gpu.py --parts {args.parts}")
    parts = {"plays": plays, "many": many, "literal": literal, "long": lambda of: literal(of, 5000),
             "floats": lambda of: literal(of, storage="cuda-float"), "kernels": kernels,
             "checks": checks, "svd": svd, "parity": parity}
    for part in args.parts.split(","):
        parts[part](args)


if __name__ == "__main__":
    main()
