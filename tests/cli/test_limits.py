#!/usr/bin/python3
"""What is too large, or has no end, or cannot be read twice: the cases of limits.json, then files that are pipes.

    test_limits.py --ofw PATH [--filter SUBSTRING]
"""
import contextlib
import gzip
import os
import struct
import sys

from program import check, same, strict_json
from runner import main


def fed(ofw, name, content, *args, repeat=1):
    """Runs with a pipe of that name, into which the content goes, `repeat` times or until nobody reads it."""
    os.mkfifo(ofw.file(name))
    with ofw.start(*args) as process:
        with contextlib.suppress(BrokenPipeError), open(ofw.file(name), "wb") as pipe:
            for _ in range(repeat):
                pipe.write(content)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_bounds_from_a_pipe(ofw):
    code, out, err = fed(ofw, "low", b"-1\n-2\n", "pipe", "--learner", "ofw-tvc", "--domain", "box:lower=@low,upper=1",
                         "--horizon", "5", "--lipschitz", "1")
    same((code, err, strict_json(out)["decision"]), (0, "", [0, 0]), "bounds by a pipe")


def test_feedback_from_a_pipe(ofw):
    args = ["run", "-q", "--learner", "ofw-tvc", "--domain", "l1-ball:dim=2", "--lipschitz", "1", "--rounds", "3", "--stream"]
    lines = b'{"loss":1,"loss_gradient":[1,0]}\n' * 3
    same(fed(ofw, "whole", lines, *args, "replay:file=whole")[::2], (0, ""), "three rounds")
    code, _, err = fed(ofw, "endless", b" " * 4096, *args, "replay:file=endless", repeat=10 ** 5)
    same((code, err), (3, "ofw run: round 1: endless:1: the line is longer than 65664 bytes\n"), "a line without end")


def test_directions_from_a_pipe(ofw):
    head = b"ofwdirec" + struct.pack("<QQQ", 1, 10 ** 6, 10 ** 6)
    code, _, err = fed(ofw.beside("ofw-bench"), "f.dir", head + bytes(4096), "oracle", "--directions", "f.dir")
    same((code, err), (3, "ofw-bench oracle: f.dir has directions of more than 17179869184 bytes\n"), "more than fits")


def test_an_experiment_without_end(ofw):
    code, _, err = fed(ofw, "x.ini", b"; nothing but comments\n" * 100, "sweep", "x.ini", "-o", "out", repeat=10 ** 5)
    same((code, err), (2, "ofw sweep: x.ini: more than 1048576 bytes\n"), "an endless experiment")


def test_a_small_file_of_many_ratings(ofw):
    """A gzip file of 20 kB that is 20 MB of empty lines: read, and of no use; with text behind its data: refused."""
    bomb = gzip.compress(b"\n" * 20_000_000)
    check(len(bomb) < 30_000, f"{len(bomb)} bytes")
    args = ["run", "-q", "--learner", "ofw-tvc", "--rounds", "3", "--stream", "matrix-completion:file=bomb"]
    for content, wanted in ((bomb, "bomb: expected ratings, found none"), (bomb + b"1 1 1\n", "bomb:20000001: other bytes follow the gzip data")):
        with open(ofw.file("bomb"), "wb") as out:
            out.write(content)
        done = ofw.run(*args)
        same((done.returncode, done.stderr), (3, f"ofw run: {wanted}\n"), "a bomb")


if __name__ == "__main__":
    sys.exit(main("sizes beyond all limits", globals(), "limits.json"))
