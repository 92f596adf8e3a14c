"""ofw: projection-free online optimisation under time-varying constraints.

>>> import ofw
>>> learner = ofw.Learner("ofw-ada", ofw.L1Ball(3, radius=2.0))
>>> x = learner.decide()
>>> learner.observe(loss=0.5, gradient=[1.0, -1.0, 0.0], constraint=0.2, constraint_gradient=([2], [1.0]))
>>> learner.info.round
2
"""
from . import domains
from ._core import (DataError, Error, MissingError, NumericalError, Point, SystemFailure, UnsupportedError, UsageError,
                    version as __version__)
from .completion import OnlineMatrixCompletion
from .domain import Domain
from .domains import *  # noqa: F403
from .figures import plot
from .gradients import terms as _terms  # registers the forms that gradients may have
from .learner import Info, Learner, learners
from .method import Game, Method, Round
from .play import Play, run
from .experiments import Curve, Results, results
from .rounds import Stream, stream, streams

__all__ = ["Curve", "DataError", "Domain", "Error", "Game", "Info", "Learner", "Method", "MissingError", "NumericalError",
           "OnlineMatrixCompletion", "Play", "Point", "Results", "Round", "Stream", "SystemFailure", "UnsupportedError",
           "UsageError", "__version__", "learners", "plot", "results", "run", "stream", "streams",
           *domains.__all__]
