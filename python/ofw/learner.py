"""A learner: it decides, observes the cost of the decision, and decides again."""
from __future__ import annotations

import dataclasses
import math
import os
import re
from types import TracebackType
from typing import Any, Optional, TypeVar, Union

import numpy as np

from . import _core
from .domain import Array, Domain, option_text
from .method import Game, Method, Round

_L = TypeVar("_L", bound="Learner")
_Made = tuple[Union[str, Method], Domain, int, float, float, float, int, int, list[str]]   # what the core makes a learner of


@dataclasses.dataclass(frozen=True)
class Info:
    """The account of a learner after the last observe."""

    round: int               #: of the pending or next decision, from 1; with a delay: of the next decision
    violation: float         #: Q, the sum of the positive parts of the constraints so far
    log_price: float         #: ln of the violation's price; -inf: none
    log2_guess: float        #: log2 of the guessed gradient bound; NaN: the method has none
    sigma: float             #: the last step, 0 to 1
    gap: float               #: the Frank-Wolfe gap before the last step
    oracle_error: float      #: how far the oracle's answer may have been above the minimum
    oracle_proven: bool      #: whether that is a bound, or holds with the probability that the set's page states
    oracle_calls: int
    oracle_passes: int       #: reads of the whole direction by iterative oracles
    oracle_seconds: float    #: 0 if the domain is not timed
    projections: int
    steep: int               #: rounds with a gradient longer than the Lipschitz constant, which the guarantees exclude
    delta: float             #: how far a bandit learner probes; 0: it needs gradients
    capped: int              #: blocks whose inner loop was ended by a limit on its oracle calls
    left: int                #: storage="factored": vectors of the left basis
    right: int               #: and of the right one
    entries: int             #: entries of the direction that are kept one by one
    compressions: int        #: of the bases, so far
    lost: float              #: by which they have moved the decision, at most
    lost_direction: float    #: and the direction, relative to its norm
    regret_bound: float      #: what the regret is proved to be at most; NaN: the learner measures none
    ccv_bound: float         #: and the violation
    bound_failure: float     #: the probability that this is wrong, at most
    open: int                #: decisions that wait for their feedback

    @property
    def Q(self) -> float:
        """The violation so far."""
        return self.violation

    @property
    def price(self) -> float:
        """The price of one unit of violation, relative to one unit of loss."""
        return math.exp(self.log_price) if self.log_price < 709.0 else math.inf

    @property
    def step(self) -> float:
        """The last step, 0 to 1."""
        return self.sigma

    @property
    def certificate(self) -> tuple[float, float]:
        """Proved bounds on regret and violation, from numbers that the learner measured."""
        return self.regret_bound, self.ccv_bound


class Learner(_core.Learner):
    """An online learner over a domain.

    Parameters
    ----------
    name : str or Method
        ``"ofw-ada"`` needs no constants; ``ofw.learners()`` lists all. A ``Method`` is one of your own.
    domain : Domain or str
        The set that decisions are from, or its spec.
    horizon : int, optional
        How many rounds will be played; None: not known.
    lipschitz : float
        A bound on the length of all gradients. ofw-ada, ofw-ada-sc and bfw-ada need neither this nor the horizon.
    loss_bound : float
        A bound on the losses; 0: not known.
    strong_convexity : float
        Of the losses.
    seed : int
        Of all random numbers.
    threads : int
        They share the work over large arrays. No bit depends on their number.
    **options
        The learner's own, such as ``sigma="line-search"`` or ``gamma_scale=0.1``: `ofw help NAME`.

    >>> import numpy as np
    >>> from ofw import Learner, Simplex
    >>> cost, carbon = np.array([2.0, 1.0, 3.0]), np.array([1.0, 4.0, 2.0])
    >>> learner = Learner("ofw-ada", Simplex(3))
    >>> for _ in range(1000):
    ...     x = np.asarray(learner.decide())
    ...     learner.observe(cost @ x, cost, carbon @ x - 2, carbon)
    >>> print(x.round(2))
    [0.67 0.33 0.  ]
    """

    def __init__(self, name: Union[str, Method], domain: Union[Domain, str], *, horizon: Union[int, str, None] = None,
                 lipschitz: float = 0.0, loss_bound: float = 0.0, strong_convexity: float = 0.0, seed: int = 1,
                 threads: int = 1, **options: object) -> None:
        if "_made" in self.__dict__:
            raise _core.UsageError("a learner cannot be made twice")
        if isinstance(domain, str):
            domain = Domain(domain)
        known = 0 if horizon is None or horizon == "auto" else int(horizon)
        if known < 0 or not 0 <= int(seed) < 2**64:
            raise _core.UsageError("horizon and seed: expected whole numbers >= 0 of at most 64 bits")
        made: _Made = (name, domain, known, float(lipschitz), float(loss_bound), float(strong_convexity), int(seed), int(threads),
                       [f"{key.replace('_', '-')}={option_text(key, value)}" for key, value in options.items()])
        self._made = made       # first: a method of your own starts while the learner is made
        self._open(*made)

    @property
    def method(self) -> Union[str, Method]:
        """Your own method, or the name of the library's."""
        return self._made[0]

    @property
    def name(self) -> str:
        """Its name: ``ofw-ada``."""
        return self.method if isinstance(self.method, str) else self.method.name

    @property
    def info(self) -> Info:
        """The account after the last observe."""
        return Info(**self._info())

    @property
    def config(self) -> dict[str, str]:
        """Every setting and option with its resolved value."""
        pairs = re.split(r" (?=[a-z0-9-]+=)", self._config)
        return dict(pair.split("=", 1) for pair in pairs)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the state to a file; the previous file becomes ``path.1``."""
        self._save(os.fsencode(path))

    def load(self, path: Union[str, os.PathLike[str]]) -> None:
        """Reads a state into a learner made with the same arguments; refuses any other file."""
        self._load(os.fsencode(path))

    # ---- the core's calls of a method of your own ----

    def _start(self, horizon: float, lipschitz: float, loss_bound: float, strong_convexity: float, seed: int) -> Game:
        assert isinstance(self.method, Method)
        game = Game(self.domain, horizon, lipschitz, loss_bound, strong_convexity, seed)
        game._keep(self.method.start(game))
        return game

    def _step(self, game: Game, number: int, x: memoryview, played: memoryview, memory: Optional[memoryview],
              gradient: Optional[memoryview], limit: Optional[memoryview], loss: float, constraint: float, violation: float,
              total: float) -> None:
        assert isinstance(self.method, Method)
        shape = self.domain.shape
        now = Round(number, loss, constraint, violation, total, _copy(played, shape),
                    None if gradient is None else _copy(gradient, shape), None if limit is None else _copy(limit, shape))
        game._begin(self, _copy(x, shape), memory)
        try:
            game._end(self.method.observe(game, now), x, memory)
        finally:
            game._learner = None

    def __enter__(self: _L) -> _L:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        attributes = {key: value for key, value in self.__dict__.items() if key != "_made"}
        return _restore, (type(self), self._made, self._get_state(), attributes)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.domain!r})"


def _copy(view: memoryview, shape: tuple[int, ...]) -> Array:
    return np.frombuffer(view, dtype=np.float64).copy().reshape(shape)


def _restore(kind: type[_L], made: _Made, state: bytes, attributes: dict[str, Any]) -> _L:
    """Unpickles a learner: makes it again, then loads its state."""
    learner = kind.__new__(kind)
    learner._made = made
    learner.__dict__.update(attributes)
    learner._open(*made)
    learner._set_state(state)
    return learner


def learners() -> dict[str, str]:
    """Every learner by name, with one line on what it is.

    >>> import ofw
    >>> "ofw-ada" in ofw.learners()
    True
    """
    return {kind["name"]: kind["summary"] for kind in _core.types("learner")}
