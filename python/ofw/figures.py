"""ofw.plot: loss or regret, and violation, against rounds, in the style of `ofw plot`; needs matplotlib."""
from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

from . import _core
from .play import Play
from .experiments import Curve, Results

COLOURS = ("#e69f00", "#d55e00", "#0072b2", "#000000", "#009e73", "#cc79a7", "#56b4e9", "#7f7f7f")
MARKS = "os^Dv<>P"        # a learner is told apart in greys too
_MOST_POINTS = 500         # of a curve: more cannot be seen
_LABELS = {"loss_sum": "cumulative loss", "regret": "regret", "ccv": "cumulative constraint violation"}


def _draw(axes: Any, item: Union[Play, Curve], metric: str, label: str, number: int) -> None:
    values = np.atleast_2d(getattr(item, metric))
    mean, spread = values.mean(axis=0), values.std(axis=0, ddof=1) if len(values) > 1 else None
    seen = np.unique(np.linspace(0, len(mean) - 1, _MOST_POINTS).astype(int)) if len(mean) > _MOST_POINTS else slice(None)
    mean, spread = mean[seen], None if spread is None else spread[seen]
    rounds = np.asarray(item.round, dtype=float)[seen]
    colour = COLOURS[number % len(COLOURS)]
    axes.plot(rounds, mean, color=colour, label=label, marker=MARKS[number % len(MARKS)], markersize=4,
              markevery=max(1, len(rounds) // 8))
    if spread is not None:
        axes.fill_between(rounds, mean - spread, mean + spread, color=colour, alpha=0.2, linewidth=0)


def _items(what: Any) -> list[Union[Play, Curve]]:
    if isinstance(what, Results):
        return list(what.curves())
    return [what] if isinstance(what, (Play, Curve)) else list(what)


def plot(what: Union[Play, Curve, Results, Sequence[Union[Play, Curve]]], path: Union[str, os.PathLike[str], None] = None, *,
         labels: Optional[Sequence[str]] = None, metrics: Optional[Sequence[str]] = None, title: str = "") -> Any:
    """Draws plays, curves or all of an experiment: a panel per metric, and per stream if there are several.

    Parameters
    ----------
    what : Play, Curve, Results, or several plays or curves
    path : path, optional
        File to save the figure to (.svg, .png, .pdf); None: it is only returned.
    labels : list of str, optional
        Names in the legend; usually the learners'.
    metrics : list of str, optional
        Of "loss_sum", "regret", "ccv"; usually regret if it is known, else the loss, and the violation.
    title : str

    Returns
    -------
    matplotlib.figure.Figure
    """
    items = _items(what)
    if not items or not all(isinstance(item, (Play, Curve)) for item in items):
        raise _core.UsageError("plot: expected plays, curves or results")
    names = list(labels) if labels is not None else [item.label for item in items]
    if len(names) != len(items):
        raise _core.UsageError(f"plot: found {len(names)} labels for {len(items)} curves")
    known = all(np.isfinite(item.regret).all() for item in items)
    shown = list(metrics) if metrics is not None else ["regret" if known else "loss_sum", "ccv"]
    if not set(shown) <= set(_LABELS):
        raise _core.UsageError(f"plot: expected metrics of {', '.join(_LABELS)}")
    streams = list(dict.fromkeys(getattr(item, "stream", "") for item in items))
    colours = {name: number for number, name in enumerate(dict.fromkeys(names))}
    figure = importlib.import_module("matplotlib.figure").Figure(figsize=(4.2 * len(shown), 3.2 * len(streams) + 0.6),
                                                                  layout="constrained")
    panels = figure.subplots(len(streams), len(shown), squeeze=False)
    for line, stream in enumerate(streams):
        for axes, metric in zip(panels[line], shown):
            for name, item in zip(names, items):
                if getattr(item, "stream", "") == stream and len(item.round):
                    _draw(axes, item, metric, name, colours[name])
            axes.set_xlabel("round")
            axes.set_ylabel(_LABELS[metric])
            axes.set_title(stream)
            axes.grid(color="#dddddd", linewidth=0.8)
            axes.set_axisbelow(True)
            axes.spines[["top", "right"]].set_visible(False)
    handles = {text: handle for axes in panels.flat for handle, text in zip(*axes.get_legend_handles_labels())}
    if any(handles):
        figure.legend(handles.values(), handles.keys(), loc="upper center", bbox_to_anchor=(0.5, 0.0),
                      ncols=min(4, len(handles)), frameon=False)
    if title:
        figure.suptitle(title)
    if path is not None:
        with importlib.import_module("matplotlib").rc_context({"svg.hashsalt": "ofw"}):      # the same file from the same numbers
            figure.savefig(path, bbox_inches="tight", metadata={"Date": None} if str(path).endswith(".svg") else None)
    return figure
