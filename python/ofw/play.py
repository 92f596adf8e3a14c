"""ofw.run: plays a learner on a stream, with the account of every round as NumPy arrays."""
from __future__ import annotations

import importlib
import sys
from collections import namedtuple
from collections.abc import Callable
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .learner import Learner
from .rounds import Feedback, Stream, as_stream

_COUNTS = ("round", "oracle_calls", "passes")
_FIELDS = ("round", "loss", "constraint", "loss_sum", "ccv", "comparator_loss_sum", "target_loss_sum", "price", "sigma", "gap",
           "oracle_calls", "passes", "oracle_error", "seconds")
#: A round's account, as ofw_trace_row has it.
ROW = np.dtype([(name, np.uint64 if name in _COUNTS else np.float64) for name in _FIELDS])
Row = namedtuple("Row", _FIELDS)  # type: ignore[misc]
assert ROW.itemsize == _core.row_bytes


class Play:
    """The results of a play, round by round: ``play.loss``, ``play.ccv``, ``play.regret``, .. are arrays.

    The names are the columns of a trace (ofw-trace(5)); ``play.rows`` has them as one structured array.
    """

    def __init__(self, rows: npt.NDArray[Any], label: str = "") -> None:
        self.rows = rows
        self.label = label

    def __len__(self) -> int:
        return len(self.rows)

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        if name in _FIELDS:
            column: npt.NDArray[Any] = self.rows[name]
            return column
        raise AttributeError(f"a play has no {name}; its fields: {', '.join(_FIELDS)}, regret")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_FIELDS]

    @property
    def regret(self) -> npt.NDArray[np.float64]:
        """Loss less the comparator's, summed up to each round; NaN if the stream has no comparator."""
        difference: npt.NDArray[np.float64] = self.rows["loss_sum"] - self.rows["comparator_loss_sum"]
        return difference

    def frame(self) -> Any:
        """A pandas DataFrame, a row per round; needs pandas."""
        pandas = importlib.import_module("pandas")
        return pandas.DataFrame({name: self.rows[name] for name in _FIELDS}).set_index("round")

    def __repr__(self) -> str:
        if not len(self):
            return "<play of 0 rounds>"
        last = self.rows[-1]
        return f"<play of {len(self)} rounds: loss {last['loss_sum']:.6g}, violation {last['ccv']:.6g}>"


class _Bar:
    """A line of progress on stderr, which is overwritten."""

    def __init__(self, rounds: int) -> None:
        self.rounds, self.width = rounds, 40

    def show(self, played: int) -> None:
        full = self.width * played // self.rounds
        print(f"\r{'#' * full}{'.' * (self.width - full)} {played}/{self.rounds}", end="", file=sys.stderr, flush=True)


def run(learner: Learner, stream: Union[Stream, str, Callable[[int, _core.Point], Feedback]], rounds: int, *,
        callback: Optional[Callable[[Any], object]] = None, progress: bool = False, seed: Optional[int] = None) -> Play:
    """Plays a learner on a stream for this many rounds, or until the stream ends.

    Parameters
    ----------
    learner : Learner
    stream : Stream, str or function
        ``ofw.stream(..)``, one of your own, a spec, or a function of the round's number and the decision.
    rounds : int
    callback : function, optional
        It is given the account of each round, ``row.loss``, ``row.ccv``, ..: the fields are those of Play. If it returns something true the play stops.
    progress : bool
        Whether to show a bar on stderr.
    seed : int, optional
        Of a stream that is given by its spec.

    >>> import ofw
    >>> play = ofw.run(ofw.Learner("ofw-ada", ofw.L2Ball(5)), "quadratic", 200)
    >>> len(play), bool(play.regret[-1] < 200)
    (200, True)
    """
    if rounds < 0:
        raise _core.UsageError("rounds: expected a whole number >= 0")
    rows = np.zeros(int(rounds), dtype=ROW)
    bar = _Bar(rounds) if progress and rounds else None

    def watch(played: int) -> object:
        if bar:
            bar.show(played)
        return callback(Row._make(rows[played - 1].item())) if callback else False

    source = as_stream(stream, learner.domain, rounds, seed)
    played = _core.play(learner, source, int(rounds), rows, watch if callback or bar else None, 0.0 if callback else 0.1)
    if bar:
        bar.show(played)
        print(file=sys.stderr)
    return Play(rows[:played], learner.name)
