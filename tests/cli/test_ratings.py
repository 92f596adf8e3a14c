#!/usr/bin/python3
"""Ratings from files, as `ofw run` plays them.

    test_ratings.py --ofw PATH [--filter SUBSTRING]
"""
import gzip
import os
import random
import re
import sys

from program import check, read_trace, same, strict_json, without_seconds
from runner import main


def write_ratings(ofw, name, rows, cut=0):
    """Compressed where the name ends so; without its last bytes where there is a cut."""
    content = "".join(rows).encode()
    content = gzip.compress(content) if name.endswith(".gz") else content
    with open(ofw.file(name), "wb") as file:
        file.write(content[:-cut] if cut else content)


def any_ratings(rng, rows):
    return [f"{rng.randint(1, 20)}\t{rng.randint(1, 15)}\t{rng.randint(1, 5)}\t{rng.randint(0, 9)}\n" for _ in range(rows)]


def play_ratings(ofw, file, *more, **env):
    args = ["run", "--learner", "ofw-tvc", "--set", "step=50", "--rounds", "40", "-q", "--trace", "t.csv", *more]
    done = ofw.run(*args, "--stream", f"matrix-completion:file={file},batch=10,users=20,items=15",
                   env=os.environ | env)
    same(done.returncode, 0, f"{file}: {done.stderr!r}, code")
    header, rows = read_trace(ofw.file("t.csv"))
    return header, without_seconds(rows), done.stderr


def test_ratings_compressed_or_not(ofw):
    """By their bytes, whatever they are called; a path that is not here is looked for in OFW_DATA_DIR."""
    rows = any_ratings(random.Random(8), 150)
    write_ratings(ofw, "plain", rows)
    write_ratings(ofw, "packed.gz", rows)
    os.mkdir(ofw.file("data"))
    os.link(ofw.file("packed.gz"), ofw.file("data/unnamed"))
    header, wanted, note = play_ratings(ofw, "plain")
    check("left out)" in note and any(line == "# note=" + note.split("warning: ")[1].strip() for line in header), header)
    check(all(row["target_loss_sum"] == "" for row in wanted), "a target")
    same(play_ratings(ofw, "packed.gz")[1], wanted, "compressed")
    same(play_ratings(ofw, "data/unnamed")[1], wanted, "by another name")
    same(play_ratings(ofw, "unnamed", OFW_DATA_DIR=ofw.file("data"))[1], wanted, "in OFW_DATA_DIR")
    same(play_ratings(ofw, "plain", OFW_DATA_DIR="/nowhere")[1], wanted, "here, though OFW_DATA_DIR is set")


def test_ratings_cut_short(ofw):
    rows = any_ratings(random.Random(9), 400)
    for cut in (1, 4, 8, 9, 100):
        write_ratings(ofw, "packed.gz", rows, cut)
        done = ofw.run("run", "--learner", "ofw-tvc", "--stream", "matrix-completion:file=packed.gz", "--rounds", "5")
        check(re.fullmatch(r"ofw run: packed.gz:\d+: the gzip data end too soon\n", done.stderr), f"{cut}: {done.stderr!r}")
        same((done.returncode, done.stdout), (3, ""), "code and stdout")


def test_ratings_held_out(ofw):
    """Every rating is 3 and the decision stays at 0, so the error is 3; played in earnest it falls."""
    write_ratings(ofw, "threes", [f"{k // 15} {k % 15} 3\n" for k in range(200)])
    args = ["run", "--learner", "ofw-tvc", "--set", "sigma=line-search", "--rounds", "200", "-q", "--stream",
            "matrix-completion:file=threes,batch=5,radius=45"]
    for step, low, high in (("1e-100", 3 - 1e-9, 3 + 1e-9), ("1000", 0, 1)):
        held = [*args[:-1], args[-1] + ",holdout=0.25", "--set", f"step={step}"]
        found = strict_json(ofw.run(*held, "--json").stdout)["held_out_rmse"]
        check(low <= found <= high, f"step={step}: {found}")
        head, row = ofw.run(*held).stdout.splitlines()
        same(dict(zip(head.split(), row.split()))["held-out-rmse"], f"{found:.6g}", "the table")
    same(strict_json(ofw.run(*args, "--json").stdout)["held_out_rmse"], None, "nothing held out")
    check("held-out" not in ofw.run(*args).stdout, "a column for nothing")


def test_ratings_held_out_along_the_way(ofw):
    """What is said after a round is what a run of so many rounds ends with; the means are counted anew where each item's
    ratings are the same, so that its mean is never off."""
    write_ratings(ofw, "r", [f"{k // 15} {k % 15} {1 + k % 15 % 4}\n" for k in range(150)])
    args = ["run", "--learner", "ofw-tvc", "--horizon", "60", "--set", "sigma=line-search", "-q", "--json", "--stream",
            "matrix-completion:file=r,batch=5,radius=45,holdout=0.2"]
    done = ofw.run(*args, "--rounds", "60", "--held-out-every", "20")
    first, *rest = done.stderr.splitlines()
    last = strict_json(done.stdout)
    check(last["held_out_item_mean_rmse"] < 1e-12 < 0.5 < last["held_out_mean_rmse"] < 1.5, last)
    same(first, "held-out rmse {held_out_mean_rmse:.6g} of the mean, {held_out_item_mean_rmse:.6g} of each item's mean"
         .format(**last), "the means")
    for rounds, line in zip((20, 40, 60), rest, strict=True):
        found = strict_json(ofw.run(*args, "--rounds", str(rounds)).stdout)["held_out_rmse"]
        same(line, f"held-out rmse {found:.6g} after round {rounds}", "along the way")
    head, row = ofw.run(*args[:-3], *args[-2:], "--rounds", "60").stdout.splitlines()
    for column, key in (("mean-rmse", "held_out_mean_rmse"), ("item-mean-rmse", "held_out_item_mean_rmse")):
        same(dict(zip(head.split(), row.split()))[column], f"{last[key]:.6g}", "the table")


def test_ratings_locked(ofw):
    write_ratings(ofw, "locked", ["1 1 1\n"])
    os.chmod(ofw.file("locked"), 0)
    if not os.access(ofw.file("locked"), os.R_OK):
        done = ofw.run("run", "--learner", "ofw-tvc", "--stream", "matrix-completion:file=locked", "--rounds", "5")
        same((done.returncode, done.stderr),
             (3, "ofw run: cannot read locked: Permission denied\n"), "code and stderr")


if __name__ == "__main__":
    sys.exit(main("files of ratings", globals()))
