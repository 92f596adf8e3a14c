"""What wrote a log or a checkpoint: another processor, or another library, is told apart with a warning."""
import ctypes
import math
import os
import platform
import re
import zlib

import runner
from program import check, read_trace, same, strict_json

DOMAIN = ["--learner", "ofw-ada", "--domain", "operator-ball:rows=30,cols=30"]
RUN = ["run", "-q", "--json", *DOMAIN, "--stream", "linear", "--rounds", "30"]
PIPE = ["pipe", *DOMAIN]
# A gradient of full rank a round: the oracle is a whole decomposition by LAPACK, over OpenBLAS's kernels.
LINES = ['{"loss":0,"loss_gradient":[' + ",".join(repr(math.sin(t * 31.0 + k * k)) for k in range(900)) + "]}\n" for t in range(1, 6)]
WARNING = re.compile(r"ofw (run|pipe): warning: (\S+) was written by '([^']+)', but this is '([^']+)'; the next rounds may differ "
                     r"in the last bits\n")
BUILD = re.compile(r"ofw \S+ kernel=(?:portable|avx2|avx512) blas=(\S+) lapack=(\d+\.\d+\.\d+)(?:/\S+)? clp=(\d+\.\d+\.\d+) libc=\S+")


def cores():
    """Two cores that OpenBLAS can be told to compute by on this machine; None: the BLAS has none, or it is another processor."""
    try:
        library = ctypes.CDLL("libopenblas.so.0")
        library.openblas_get_config.restype = ctypes.c_char_p
        config = library.openblas_get_config()
    except (OSError, AttributeError):
        return None
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = file.read()
    if platform.machine() != "x86_64" or b"DYNAMIC_ARCH" not in config or " avx2" not in flags:
        return None
    return "Haswell", "Nehalem"


def on(core):
    return {**os.environ, "OPENBLAS_CORETYPE": core}


def plays(ofw, first, second, args, lines):
    """Written on one core, resumed on the other: stdout and stderr of the second."""
    done = ofw.run(*args, stdin=lines[0], env=on(first))
    same((done.returncode, done.stderr), (0, ""), "the first part")
    done = ofw.run(*args, *(["--resume"] if args[0] == "run" else []), stdin=lines[1], env=on(second))
    same(done.returncode, 0, f"{done.stderr!r}, code")
    return done


def both(ofw, first, second):
    """A checkpoint of a run and a log of a pipe, begun on one core and resumed on the other."""
    run = [*RUN, "--checkpoint", "c", "--checkpoint-every", "10"]
    pipe = [*PIPE, "--log", "l"]
    found = [plays(ofw, first, second, run, ("", "")), plays(ofw, first, second, pipe, ("".join(LINES), ""))]
    for name in os.listdir(ofw.folder):
        os.remove(ofw.file(name))
    return found


def test_another_core_is_told_apart(ofw):
    found = cores()
    if not found:
        print("skipped: no OpenBLAS for several cores of x86-64 with AVX2")
        return
    for first, second in (found, found[::-1]):
        for done, path in zip(both(ofw, first, second), ("c", "l")):
            told = WARNING.fullmatch(done.stderr)
            check(told and told[2] == path, f"{first}, then {second}, {path}: no warning but {done.stderr!r}")
            for text, core in ((told[3], first), (told[4], second)):
                check(BUILD.fullmatch(text) and f"/{core} " in text, f"{core} is not in {text!r}")


def test_the_same_core_is_not(ofw):
    for core in cores() or ("",):
        for done in both(ofw, core, core):
            same(done.stderr, "", "stderr")


def test_the_cores_differ_indeed(ofw):
    """Otherwise the warning is about nothing."""
    found = cores()
    if not found:
        print("skipped: no OpenBLAS for several cores of x86-64 with AVX2")
        return
    decisions = {ofw.run(*PIPE, stdin="".join(LINES), env=on(core)).stdout for core in found}
    same(len(decisions), 2, "kinds of decisions")


def test_all_that_decides_is_named(ofw):
    """By a log and by a trace; versions as the libraries themselves say."""
    ofw.run(*PIPE, "--log", "l")
    log = strict_json(ofw.run("info", "--json", "l").stdout)["build"]
    ofw.run(*RUN, "--trace", "t")
    trace = read_trace(ofw.file("t"))[0][0]
    same(trace, f"# {log} threads=1", "a trace's first line")
    parts = BUILD.fullmatch(log)
    check(parts, f"a log's build is {log!r}")
    clp = ctypes.CDLL("libClp.so.1")
    clp.Clp_Version.restype = ctypes.c_char_p
    same(parts[3], clp.Clp_Version().decode(), "CLP's version")
    version = [ctypes.c_int() for _ in range(3)]
    blas = ctypes.CDLL("libopenblas.so.0")
    blas.ilaver_(*(ctypes.byref(n) for n in version))
    same(parts[2], ".".join(str(n.value) for n in version), "LAPACK's version")
    for name in ("openblas_get_config", "openblas_get_corename"):
        getattr(blas, name).restype = ctypes.c_char_p
    same(parts[1].split("/")[:2], ["openblas-" + blas.openblas_get_config().decode().split()[1],
                                   blas.openblas_get_corename().decode()], "BLAS")


def test_another_blas_is_named_by_its_file(ofw):
    """If cblas_dgemm comes from another library, OpenBLAS's version says nothing about it."""
    other = "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3"
    if not os.path.exists(other):
        print(f"skipped: no {other}")
        return
    ofw.run(*PIPE, "--log", "l")
    done = ofw.run(*PIPE, "--log", "l", env={**os.environ, "LD_PRELOAD": other,
                                                       "ASAN_OPTIONS": "verify_asan_link_order=0"})
    told = WARNING.fullmatch(done.stderr)
    check(told, f"no warning but {done.stderr!r}")
    check(f" blas={os.path.basename(os.path.realpath(other))} " in told[4], told[4])


def test_a_log_of_an_older_ofw(ofw):
    """Its build named the kernel alone: it is gone on with, after a warning."""
    ofw.run(*PIPE, "--log", "l")
    config = strict_json(ofw.run("info", "--json", "l").stdout)["config"]
    log, sum_ = "ofwlog 1\n", zlib.crc32(b"ofwlog 1\n")
    for row in ["ofw 0.1.0 kernel=avx2", *config]:
        sum_ = zlib.crc32((row + "\n").encode(), sum_)
        log += f"{sum_:08x} {row}\n"
    ofw.write("l", log)
    done = ofw.run(*PIPE, "--log", "l", stdin=LINES[0])
    told = WARNING.fullmatch(done.stderr)
    same((done.returncode, told and told[3]), (0, "ofw 0.1.0 kernel=avx2"), f"{done.stderr!r}, code and build")


if __name__ == "__main__":
    raise SystemExit(runner.main(__doc__, globals()))
