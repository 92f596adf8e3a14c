#!/usr/bin/python3
"""What `ofw-bench` prints, and the directions that `ofw run` records for it; never how long it takes.

    test_bench.py --ofw PATH [--filter SUBSTRING]
"""
import os
import struct
import sys

from program import check, same, strict_json, without_time
from runner import main

RUN = ["run", "--learner", "ofw-tvc", "--set", "sigma=line-search", "--stream", "matrix-completion:users=30,items=20,ratings=250,rank=2,batch=25"]


def positive(result, *keys):
    for key in keys:
        check(isinstance(result[key], (int, float)) and result[key] > 0, f"{key} is {result[key]!r}")


def test_kernel(bench):
    args = ["kernel", "--rows", "60", "--cols", "40", "--repeats", "3", "-q"]
    done = bench.run(*args, "--json")
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    result = strict_json(done.stdout)
    same((result["rows"], result["cols"], result["repeats"]), (60, 40, 3), "what was timed")
    passes = [key for key in result if key.endswith("_seconds")]
    same(sorted(passes), sorted(place + name + "_seconds" for place in ("", "evicted_")
                                for name in ("fused", "blas_pair", "read")), "fields")
    positive(result, *passes)
    check(result["kernel"] in bench.run(*args).stdout, "the table does not name the kernel")


SMALL = ["--rows", "60", "--cols", "40", "--rounds", "20", "--repeats", "1", "-q"]
PEERS = ["arpack_seconds", "arpack_ncv", "arpack_passes", "arpack_lax_seconds", "arpack_lax_ncv", "arpack_lax_passes",
         "arpack_blas_seconds", "scipy_seconds", "gesdd_seconds"]


def check_oracle(result, directions):
    same(result["directions"], directions, "directions")
    positive(result, "seconds", "passes", *PEERS)
    for who in ("", "arpack_", "arpack_lax_", "arpack_blas_", "scipy_"):
        error, most = result[who + "error"], 0.1 if who else 0.01         # a peer bounds its residual only
        check(-1e-9 <= error <= most, f"{who}error is {error}")
        check(0 <= result[who + "beyond"] <= (1 if who else 0), f"{who}beyond is {result[who + 'beyond']}")
        check(0 <= result[who + "residual"] <= 0.031, f"{who}residual is {result[who + 'residual']}")


def test_oracle(bench):
    done = bench.run("oracle", *SMALL, "--json")
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    result = strict_json(done.stdout)
    same((result["rows"], result["cols"], result["tolerance"], result["repeats"]), (60, 40, 0.01, 1), "what was timed")
    check_oracle(result, 32)
    for learner in ("ofw_tvc", "scofw_tvc"):
        check_oracle(result[learner], 16)
    one = strict_json(bench.run("oracle", *SMALL, "--json", "--learner", "ofw-tvc", "--set", "step=3").stdout)
    check_oracle(one, 16)
    same({**one, "ofw_tvc": None}, {**one, **one["ofw_tvc"], "ofw_tvc": None}, "one learner and all of them")
    table = bench.run("oracle", *SMALL).stdout
    for word in ("ofw-tvc", "scofw-tvc", "all, 32 directions", "ARPACK", "SciPy", "dgesdd"):
        check(word in table, f"no {word} in {table!r}")


def test_domain(bench):
    for spec, dim in (("l1-ball:dim=50000", 50000), ("simplex:dim=3", 3), ("trace-ball:rows=30,cols=20", 600)):
        done = bench.run("oracle", "--domain", spec, "--repeats", "2", "--json")
        same((done.returncode, done.stderr), (0, ""), "code and stderr")
        result = strict_json(done.stdout)
        same([result[key] for key in ("domain", "dim", "directions", "repeats", "scipy_seconds")], [spec, dim, 16, 2, None], "what was timed")
        positive(result, "seconds", "cold_seconds", "read_seconds", "copy_seconds")
        same(result["passes"] > 0, spec.startswith("trace"), "an iterative oracle")
        check(0 <= result["error"] <= 0.011, f"error {result['error']}")
        check("a read of d" in bench.run("domain", spec, "--repeats", "1").stdout, "no yardstick in the table")
    for args, words in ((["--rows", "3"], "--rows does not work with --domain; leave one of them out"), (["--repeats", "0"], "--repeats 0: expected a whole number from 1 to 1000")):
        done = bench.run("oracle", "--domain", "simplex:dim=3", *args)
        same((done.returncode, done.stdout, done.stderr), (2, "", f"ofw-bench oracle: {words}\n"), "refused")


def test_round(bench):
    for learner in ("scofw-tvc", "ofw-tvc"):
        args = ["round", *SMALL, "--learner", learner]
        done = bench.run(*args, "--json")
        same(done.returncode, 0, f"stderr {done.stderr!r}, code")
        result = strict_json(done.stdout)
        same([result[key] for key in ("rows", "cols", "learner", "rounds", "repeats")], [60, 40, learner, 20, 1],
             "what was timed")
        positive(result, "rounds_per_second", "threads2_rounds_per_second", "numpy_rounds_per_second", "passes",
                 "peak_bytes", "loss", "numpy_loss", "ccv", "numpy_ccv")
        check(0.1 < result["numpy_loss"] / result["loss"] < 10, f"another game: {result}")
        known = result["float_rounds_per_second"] is not None
        same(done.stderr.count("no floats"), 0 if known else 1, "notes on floats")
        if known:
            positive(result, "float_rounds_per_second")
        check("NumPy" in bench.run(*args).stdout, "no peer in the table")


def read_directions(path):
    """The rounds and the matrices of a file, by the page of ofw run."""
    with open(path, "rb") as file:
        data = file.read()
    name, version, rows, cols = struct.unpack_from("<8sQQQ", data)
    same((name, version), (b"ofwdirec", 1), "the head")
    one = struct.Struct(f"<Q{rows * cols}d")
    return rows, cols, [(t, d) for t, *d in one.iter_unpack(data[32:])]


def test_recorded_directions(bench):
    ofw = bench.beside("ofw")
    run = [*RUN, "--rounds", "25", "-q", "--json"]
    plain = ofw.run(*run)
    for every, rounds in (([], range(1, 26)), (["--record-every", "10"], [10, 20, 25]),
                          (["--record-every", "99"], [25])):
        done = ofw.run(*run, "--record-directions", "f.dir", *every)
        same((done.returncode, done.stderr), (0, ""), "code and stderr")
        same(without_time(done.stdout), without_time(plain.stdout), "the play")
        rows, cols, found = read_directions(ofw.file("f.dir"))
        same((rows, cols, [t for t, _ in found]), (30, 20, list(rounds)), "what was recorded")
    same(sorted(os.listdir(ofw.folder)), ["f.dir"], "files")
    done = bench.run("oracle", "--directions", "f.dir", "--json", "-q")
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    check_oracle(strict_json(done.stdout), 1)
    with open(ofw.file("f.dir"), "ab") as file:
        file.write(b"\0" * 13)
    done = bench.run("oracle", "--directions", "f.dir", "-q")
    same((done.returncode, done.stdout, done.stderr), (3, "", "ofw-bench oracle: f.dir is cut short: it ends within direction 2\n"), "the rest")
    ofw.run("run", "-q", "--learner", "ofw-tvc", "--domain", "l1-ball:dim=3", "--stream", "linear", "--rounds", "5",
            "--record-directions", "vectors")
    done = bench.run("oracle", "--directions", "vectors")
    same((done.returncode, done.stderr), (2, "ofw-bench oracle: expected directions that are matrices, found 3 x 1\n"), "vectors")


if __name__ == "__main__":
    sys.exit(main("ofw-bench", globals(), "bench.json"))
