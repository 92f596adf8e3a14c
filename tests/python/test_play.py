"""ofw.run: the account that `ofw run` writes, streams in Python, callbacks, Ctrl-C."""
import csv
import json
import os
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import ofw
from conftest import COMMAND, bits, feedback

COLUMNS = [name for name in ofw.play.ROW.names if name != "seconds"]


def test_same_account_as_the_command(tmp_path):
    """A built-in stream, played by the command and here."""
    trace = tmp_path / "trace.csv"
    subprocess.run([COMMAND, "run", "--learner", "ofw-tvc", "--domain", "l1-ball:dim=6,radius=2", "--stream", "linear", "--rounds",
                    "80", "--seed", "5", "--trace", trace], check=True, capture_output=True)
    K = ofw.L1Ball(6, radius=2.0)
    stream = ofw.stream("linear", K, rounds=80, seed=5)
    learner = ofw.Learner("ofw-tvc", K, horizon=80, lipschitz=stream.lipschitz, loss_bound=stream.loss_bound,
                          strong_convexity=stream.strong_convexity, seed=5)
    play = ofw.run(learner, stream, 80)
    with open(trace) as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert len(rows) == len(play) == 80
    for name in COLUMNS:
        want = np.array([float(row[name]) if row[name] else np.nan for row in rows])
        assert np.array_equal(getattr(play, name).astype(float), want, equal_nan=True), name
    assert np.array_equal(play.regret, play.loss_sum - play.comparator_loss_sum)
    frame = play.frame()
    assert list(frame.index) == list(range(1, 81)) and (frame["ccv"] == play.ccv).all()


class Recorded(ofw.Stream):
    """Rounds from a list, as the stream `replay` reads them from a file."""

    def __init__(self, domain, lines):
        self.lines, self.seen = lines, []
        super().__init__(domain, lipschitz=3.0)

    def reveal(self, t, x):
        if t > len(self.lines):
            raise StopIteration
        self.seen.append(np.asarray(x))
        line = dict(self.lines[t - 1])
        line["gradient"] = line.pop("loss_gradient", None)
        for key in ("gradient", "constraint_gradient"):
            v = line.get(key)
            several = isinstance(v, list) and v and not isinstance(v[0], float)
            line[key] = [self.form(one) for one in v] if several else self.form(v)
        return line

    @staticmethod
    def form(v):
        return (np.array(v["index"], dtype=int), v["value"]) if isinstance(v, dict) else v


def test_a_stream_in_python_gives_the_same_bits(tmp_path):
    rng = np.random.default_rng(4)
    lines = [feedback(rng, 5, False) for _ in range(50)]
    path = tmp_path / "rounds.ndjson"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    K, plays = ofw.L1Ball(5, radius=2.0), []
    for stream in (ofw.stream("replay", K, rounds=50, file=str(path)), Recorded(K, lines)):
        plays.append(ofw.run(ofw.Learner("ofw-tvc", K, horizon=50, lipschitz=3.0), stream, 60))
    assert len(plays[0]) == len(plays[1]) == 50                   # both end before round 51
    for name in COLUMNS:
        if "comparator" not in name and "target" not in name:
            assert bits(getattr(plays[0], name)) == bits(getattr(plays[1], name)), name
    assert np.isnan(plays[1].regret).all()


def square(t, x):
    """|x - (1, 0)|^2 / 2, and x_0 <= 1/2"""
    e = np.asarray(x) - [1.0, 0.0]
    return e @ e / 2, e, x[0] - 0.5, ([0], [1.0])


def test_a_function_is_a_stream():
    learner = ofw.Learner("ofw-ada", ofw.L2Ball(2))
    play = ofw.run(learner, square, 400)
    again, total = ofw.Learner("ofw-ada", ofw.L2Ball(2)), 0.0
    for t in range(1, 401):
        again.observe(*square(t, again.decide()))
    assert bits(learner.decide()) == bits(again.decide())
    assert play.ccv[-1] == learner.info.violation and abs(learner.decide()[0] - 0.5) < 0.1


def test_a_bandit_sees_numbers_only():
    learner = ofw.Learner("bfw-ada", ofw.L2Ball(2))
    assert len(ofw.run(learner, lambda t, x: {"loss": float(x[0]), "constraint": float(x[1])}, 20)) == 20
    assert len(ofw.run(learner, lambda t, x: float(x[0]), 20)) == 20
    assert learner.info.round == 41


class Compared(ofw.Stream):
    def reveal(self, t, x):
        return float(t), [1.0, 0.0]

    def comparator(self, t):
        return t - 0.5


def test_a_comparator_in_python():
    assert np.array_equal(ofw.run(ofw.Learner("ofw-ada", ofw.L2Ball(2)), Compared(ofw.L2Ball(2)), 4).regret, [0.5, 1.0, 1.5, 2.0])


@pytest.mark.parametrize("reveal, error", [
    (lambda t, x: 1 / 0, ZeroDivisionError), (lambda t, x: "abc", ofw.UsageError), (lambda t, x: {"cost": 1.0}, ofw.UsageError),
    (lambda t, x: (), ofw.UsageError), (lambda t, x: 1.0, ofw.UsageError), (lambda t, x: (1.0, [1.0]), ofw.DataError),
    (lambda t, x: (float("nan"), [1.0, 0.0]), ofw.DataError)])
def test_a_round_that_cannot_be_played(reveal, error):
    learner = ofw.Learner("ofw-ada", ofw.L2Ball(2))
    before = learner.decide() and learner._get_state()
    with pytest.raises(error):
        ofw.run(learner, reveal, 10)
    assert learner._get_state() == before and learner.info.round == 1
    assert len(ofw.run(learner, square, 5)) == 5


def test_who_may_read_during_a_play():
    """A stream may read the decision and the learner, change nothing, and keep nothing."""
    learner, kept = ofw.Learner("ofw-ada", ofw.L2Ball(2)), []

    def reveal(t, x):
        kept.append(x)
        assert learner.info.round == t
        for change in (learner.decide, learner.close, lambda: learner.observe(0.0, [1.0, 0.0])):
            with pytest.raises(ofw.UsageError):
                change()
        return square(t, x)

    ofw.run(learner, reveal, 3)
    for x in kept:
        with pytest.raises(ofw.UsageError, match="over"):
            np.asarray(x)


def test_callback():
    learner, seen = ofw.Learner("ofw-ada", ofw.L2Ball(2)), []
    play = ofw.run(learner, square, 100, callback=lambda row: seen.append((row.round, row.ccv, learner.info.round)) or row.round == 7)
    assert len(play) == 7 and [t for t, _, _ in seen] == list(range(1, 8)) == [t - 1 for _, _, t in seen]
    assert [ccv for _, ccv, _ in seen] == play.ccv.tolist()
    with pytest.raises(KeyError):
        ofw.run(learner, square, 100, callback=lambda row: {}[0])
    assert learner.info.round == 9


def test_what_run_refuses():
    learner = ofw.Learner("ofw-ada", ofw.L2Ball(2))
    for stream in ("no-such-stream", 7, ofw.stream("linear", ofw.L2Ball(3), rounds=5), "linear:dimm=2"):
        with pytest.raises(ofw.Error):
            ofw.run(learner, stream, 5)
    with pytest.raises(ofw.Error):
        ofw.run(learner, square, -1)
    with pytest.raises(ofw.UsageError):
        ofw.Stream(ofw.L2Ball(2))
    assert repr(ofw.run(learner, square, 0)) == "<play of 0 rounds>"
    with pytest.raises(AttributeError):
        ofw.run(learner, square, 1).losses


def test_progress(capsys):
    ofw.run(ofw.Learner("ofw-ada", ofw.L2Ball(2)), "linear", 50, progress=True)
    assert capsys.readouterr().err.endswith("50/50\n")


def test_ctrl_c_ends_a_long_play():
    """All rounds are C's; the play ends after one of them, and the learner goes on from there."""
    learner, stream = ofw.Learner("ofw-ada", ofw.L2Ball(50)), ofw.stream("linear", ofw.L2Ball(50), rounds=1000)
    rounds = 5_000_000

    def interrupt():
        while True:                 # until the play has begun
            try:
                learner.info
            except ofw.UsageError:
                break
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        ofw.run(learner, stream, rounds)
    assert 1 < learner.info.round < rounds
    assert len(ofw.run(learner, square_of_50, 3)) == 3


def square_of_50(t, x):
    return 0.0, np.asarray(x)
