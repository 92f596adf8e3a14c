"""ofw.results against `ofw export`, hostile files, and that figures have what they are to show."""
import csv
import io
import pathlib
import sqlite3
import subprocess

import numpy as np
import pytest

import ofw
from conftest import COMMAND

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("sweep")
    subprocess.run([COMMAND, "sweep", ROOT / "tests/report/tiny.ini", "--output", path, "-q"], check=True, capture_output=True)
    return path


def test_as_exported(folder):
    found = ofw.results(folder)
    text = subprocess.run([COMMAND, "export", folder, "--table", "play"], check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(found) > 0
    for name in ("stream", "label", "learner", "options"):
        assert found[name].tolist() == [row[name] for row in rows]
    for name in ("cell", "seed", "loss", "regret", "ccv", "held_out_rmse", "oracle_calls"):
        want = np.array([float(row[name]) if row[name] else np.nan for row in rows])
        assert np.array_equal(found[name].astype(float), want, equal_nan=True), name
    assert ofw.results(folder / "results.db").meta == found.meta and "ratings" in found["stream"]
    assert len(found.frame()) == len(found)


def test_curves_end_where_the_plays_do(folder):
    found = ofw.results(folder)
    curves = found.curves()
    assert len(found.curves("balls")) < len(curves) and curves[0].round[-1] == 60
    for arm, curve in enumerate(curves, 1):
        ok = (found["arm"] == arm) & (found["status"] == "ok")
        assert np.array_equal(curve.loss_sum[:, -1], found["loss"][ok]) and np.array_equal(curve.ccv[:, -1], found["ccv"][ok])
        assert np.array_equal(curve.regret[:, -1], found["regret"][ok], equal_nan=True)


def test_files_that_are_no_results(tmp_path):
    with pytest.raises(FileNotFoundError):
        ofw.results(tmp_path / "none.db")
    (tmp_path / "text.db").write_text("no database")
    db = sqlite3.connect(tmp_path / "view.db")
    db.executescript("CREATE TABLE meta (key, value); CREATE TABLE arm (arm, label, stream); CREATE TABLE series (cell);"
                     "CREATE VIEW cell AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;")
    db.close()
    sqlite3.connect(tmp_path / "empty.db").close()
    for name in ("text.db", "view.db", "empty.db"):
        with pytest.raises(ofw.DataError):
            ofw.results(tmp_path / name)


def test_a_figure_shows_every_curve(folder, tmp_path):
    figure = ofw.plot(ofw.results(folder), tmp_path / "sweep.svg")
    assert (tmp_path / "sweep.svg").read_text().startswith("<?xml")
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["balls", "balls", "ratings", "ratings"]
    plays = [ofw.run(ofw.Learner(name, ofw.L2Ball(3), lipschitz=3.0), "quadratic", 40) for name in ("ofw-ada", "still")]
    figure = ofw.plot(plays, tmp_path / "plays.png", title="two learners")
    left, right = figure.axes
    assert (left.get_ylabel(), right.get_ylabel()) == ("regret", "cumulative constraint violation")
    for axes, metric in ((left, "regret"), (right, "ccv")):
        for line, play in zip(axes.get_lines(), plays):
            assert line.get_label() == play.label and np.array_equal(line.get_ydata(), getattr(play, metric))
    assert len(ofw.plot(plays[0], metrics=["loss_sum"], labels=["mine"]).axes) == 1


@pytest.mark.parametrize("arguments", [([],), ([7],), ("abc",)])
def test_what_plot_refuses(arguments):
    with pytest.raises(ofw.UsageError):
        ofw.plot(*arguments)
    play = ofw.run(ofw.Learner("ofw-ada", ofw.L2Ball(3)), "quadratic", 3)
    for options in ({"labels": ["a", "b"]}, {"metrics": ["speed"]}):
        with pytest.raises(ofw.UsageError):
            ofw.plot(play, **options)
