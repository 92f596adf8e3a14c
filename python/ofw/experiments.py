"""ofw.results: the plays of an experiment, from the results.db that `ofw sweep` and its kind write."""
from __future__ import annotations

import dataclasses
import importlib
import os
import pathlib
from typing import TYPE_CHECKING, Any, Union
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from . import _core

_TEXTS = ("stream", "label", "learner", "options", "status")
_COUNTS = ("cell", "arm", "rounds", "seed")
_METRICS = ("loss", "regret", "ccv", "soft_violation", "held_out_rmse", "oracle_calls", "passes", "projections")
_PLAYS = (f"SELECT {', '.join(_TEXTS + _COUNTS + _METRICS)} FROM cell JOIN arm USING (arm) WHERE role = 'play' ORDER BY cell")
_SERIES = ("SELECT round, loss_sum, series.ccv, comparator_loss_sum, series.oracle_calls FROM series JOIN cell USING (cell)"
           " WHERE arm = ? AND role = 'play' AND status = 'ok' ORDER BY cell, round")
_FREE_WORK, _WORK_PER_BYTE, _STEPS = 20_000_000, 100, 1000      # as lab/results_guard.c counts what SQLite does

Array = npt.NDArray[Any]

if TYPE_CHECKING:       # it is loaded when it is needed: importing ofw is quick
    import sqlite3


@dataclasses.dataclass(frozen=True)
class Curve:
    """An arm's plays round by round: a row per play, a column per recorded round."""

    label: str
    stream: str
    round: Array
    loss_sum: Array
    ccv: Array
    comparator_loss_sum: Array
    oracle_calls: Array

    @property
    def regret(self) -> Array:
        """NaN if the stream has no comparator."""
        difference: Array = self.loss_sum - self.comparator_loss_sum
        return difference


class Results:
    """The plays of an experiment: ``results["ccv"]`` is a column, ``results.curves()`` their curves round by round."""

    def __init__(self, meta: dict[str, str], columns: dict[str, Array], curves: list[Curve]) -> None:
        self.meta = meta
        self._columns = columns
        self._curves = curves

    def __len__(self) -> int:
        return len(self._columns["cell"])

    def __getitem__(self, column: str) -> Array:
        return self._columns[column]

    def keys(self) -> list[str]:
        """The columns."""
        return list(self._columns)

    def curves(self, stream: str = "") -> list[Curve]:
        """The curves of all arms, or of those on one stream."""
        return [curve for curve in self._curves if stream in ("", curve.stream)]

    def frame(self) -> Any:
        """A pandas DataFrame, a row per play; needs pandas."""
        return importlib.import_module("pandas").DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"<results of {len(self)} plays, {len(self._curves)} arms>"


def _open(path: pathlib.Path) -> sqlite3.Connection:
    """A read-only connection that runs nothing from the file and stops after a limit."""
    import sqlite3
    db = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
    left = _FREE_WORK + _WORK_PER_BYTE * path.stat().st_size

    def count() -> int:
        nonlocal left
        left -= _STEPS
        return left < 0

    db.set_progress_handler(count, _STEPS)
    db.execute("PRAGMA trusted_schema = OFF")
    tables = dict(db.execute("SELECT name, type FROM sqlite_schema WHERE name IN ('meta', 'arm', 'cell', 'series')"))
    if len(tables) < 4 or set(tables.values()) != {"table"}:
        db.close()
        raise _core.DataError(f"{path} is not a results database of ofw")
    return db


def _column(values: list[Any], name: str) -> Array:
    if name in _TEXTS:
        return np.array(values, dtype=object)
    if name in _COUNTS:
        return np.array(values, dtype=np.int64)
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _curve(db: sqlite3.Connection, arm: int, label: str, stream: str) -> Curve:
    rows = np.array([[np.nan if value is None else value for value in row] for row in db.execute(_SERIES, (arm,))])
    rows = rows.reshape(-1, 5)
    plays = int((rows[:, 0] == rows[0, 0]).sum()) if len(rows) else 1
    if len(rows) % plays or (rows[:, 0].reshape(plays, -1) != rows[:len(rows) // plays, 0]).any():
        raise _core.DataError(f"{label} on {stream}: its plays were recorded at different rounds, so they have no mean")
    return Curve(label, stream, rows[:len(rows) // plays, 0].astype(np.int64),
                 *(rows[:, column].reshape(plays, -1) for column in range(1, 5)))


def results(path: Union[str, os.PathLike[str]]) -> Results:
    """Reads a results database, or the one in a folder: ``ofw.results("out/results.db")``."""
    place = pathlib.Path(path)
    place = place / "results.db" if place.is_dir() else place
    if not place.exists():
        raise _core.MissingError(f"{place}: no such file")
    import sqlite3
    try:
        db = _open(place)
        try:
            rows = db.execute(_PLAYS).fetchall()
            names = _TEXTS + _COUNTS + _METRICS
            columns = {name: _column([row[i] for row in rows], name) for i, name in enumerate(names)}
            arms = db.execute("SELECT arm, label, stream FROM arm ORDER BY arm").fetchall()
            return Results(dict(db.execute("SELECT key, value FROM meta")), columns, [_curve(db, *arm) for arm in arms])
        finally:
            db.close()
    except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
        raise _core.DataError(f"{place}: {error}") from None
