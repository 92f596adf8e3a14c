"""bench/python.py plays the same rounds in C and in Python; how long they take is not looked at here."""
import importlib.util
import os
import pathlib

import pytest

PATH = pathlib.Path(__file__).resolve().parents[2] / "bench/python.py"


@pytest.mark.parametrize("kind, rounds", [("vector", 300), ("matrix", 3)])
def test_both_end_at_the_same_decision(kind, rounds):
    spec = importlib.util.spec_from_file_location("bench_python", PATH)
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    peer = os.environ["OFW_BENCH_PYTHON"]
    nanoseconds, end = bench.in_c(peer, kind, rounds)
    assert nanoseconds > 0
    for read in (False, True):
        assert bench.play(kind, rounds, read)[1] == end
    assert bench.in_c(peer, kind, rounds + 1)[1] != end
