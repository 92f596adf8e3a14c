"""A method of your own: how a learner decides, written in Python."""
from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Optional

import numpy as np
import numpy.typing as npt

from . import _core
from .domain import Array, Domain

if TYPE_CHECKING:
    from .learner import Learner


@dataclasses.dataclass(frozen=True)
class Round:
    """What a round has revealed, as dense arrays of the domain's shape."""

    number: int                              #: from 1; in each epoch if the horizon is not known
    loss: float                              #: at the played point
    constraint: float                        #: the largest, or the sum with constraints="sum"; 0: there was none
    violation: float                         #: its positive part
    total_violation: float                   #: Q, including this round
    played: Array                            #: the point that was played
    gradient: Optional[Array]                #: of the loss; None for a bandit method
    constraint_gradient: Optional[Array]     #: zeros without a constraint; None for a bandit method


class Game:
    """What a method knows of its learner, and what it may ask for."""

    def __init__(self, domain: Domain, horizon: float, lipschitz: float, loss_bound: float, strong_convexity: float,
                 seed: int) -> None:
        self.domain = domain                        #: the set
        self.horizon = horizon                      #: T, of this epoch if the horizon is not known; 0: the method is anytime
        self.lipschitz = lipschitz                  #: G; 0: the method is anytime
        self.loss_bound = loss_bound                #: M; 0: not given
        self.strong_convexity = strong_convexity    #: alpha; 0: none
        self.seed = seed                            #: for all random numbers that the method draws
        self.memory: dict[str, Array] = {}          #: the arrays that start returned: change them in place
        self.x: Array = np.empty(0)                 #: the last decision
        self.delta = 0.0        #: start of a bandit method may set it: the library then plays x + delta u, with a random unit vector u
        self.sigma = 0.0        #: the last step, which observe may set for info and traces
        self.log_price = -math.inf      #: the same: ln of the price of violations
        self._flat: Array = np.empty(0)
        self._learner: Optional[Learner] = None

    def lmo(self, d: npt.ArrayLike, *, tolerance: float = 1e-2) -> Array:
        """The linear oracle, with this relative accuracy; it is counted. For d = 0 it returns x."""
        return self._ask("d", d, tolerance, False)

    def project(self, y: npt.ArrayLike) -> Array:
        """The nearest point of the set, for a method with ``projects = True``; it is counted."""
        return self._ask("y", y, 0.0, True)

    def _ask(self, what: str, given: npt.ArrayLike, tolerance: float, projects: bool) -> Array:
        if self._learner is None:
            raise _core.UsageError("a method may ask for the oracle and the projection only while it observes")
        out = np.empty(self.domain.shape)
        (self._learner._project if projects else self._learner._minimise)(self.domain._vector(given, what), out, tolerance)
        return out

    def _keep(self, memory: Optional[Mapping[str, npt.ArrayLike]]) -> None:
        """The memory as views of one array, which is what the core saves."""
        first = {name: np.array(value, dtype=np.float64) for name, value in (memory or {}).items()}
        self._flat = np.concatenate([np.empty(0), *(value.reshape(-1) for value in first.values())])
        at = 0
        for name, value in first.items():
            self.memory[name] = self._flat[at:at + value.size].reshape(value.shape)
            at += value.size

    def _begin(self, learner: Learner, x: Array, memory: Optional[memoryview]) -> None:
        self._learner, self.x, self.sigma, self.log_price = learner, x, 0.0, -math.inf
        if memory is not None:
            self._flat[:] = np.frombuffer(memory, dtype=np.float64)

    def _end(self, decision: npt.ArrayLike, x: memoryview, memory: Optional[memoryview]) -> None:
        np.frombuffer(x, dtype=np.float64)[:] = self.domain._vector(decision, "the decision").reshape(-1)
        if memory is not None:
            np.frombuffer(memory, dtype=np.float64)[:] = self._flat


class Method:
    """A method of your own: a subclass with ``observe``, given to ``Learner`` in place of a name.

    ``start(game)`` returns a dict of the arrays that the method remembers: they are saved, loaded and pickled with the
    learner. Anything else that a round changes is lost when the learner is saved. ``observe(game, now)`` returns the next
    decision, a point of the set; the library checks it. One method may serve several learners.

    >>> import numpy as np
    >>> import ofw
    >>> class Drift(ofw.Method):
    ...     '''Frank-Wolfe steps along the sum of the gradients.'''
    ...     name, anytime = "drift", True
    ...     def start(self, game):
    ...         return {"sum": np.zeros(game.domain.shape)}
    ...     def observe(self, game, now):
    ...         game.memory["sum"] += now.gradient
    ...         return game.x + (game.lmo(game.memory["sum"]) - game.x) / (now.number + 1)
    >>> learner = ofw.Learner(Drift(), ofw.Simplex(3))
    >>> for _ in range(100):
    ...     x = np.asarray(learner.decide())
    ...     learner.observe(x @ [2.0, 1.0, 3.0], [2.0, 1.0, 3.0])
    >>> print(x.round(2))
    [0.   0.99 0.  ]
    """

    name: str = ""              #: small letters, digits and '-'; not a name of the library
    bandit: bool = False        #: True: it sees numbers only
    projects: bool = False      #: True: it may call game.project, and sets without a projection are refused
    anytime: bool = False       #: True: it needs neither the horizon nor the Lipschitz constant

    def start(self, game: Game) -> Optional[Mapping[str, npt.ArrayLike]]:
        """The memory before the first round, and again for every epoch if the horizon is not known."""
        return None

    def observe(self, game: Game, now: Round) -> npt.ArrayLike:
        """Learns from a round and returns the next decision."""
        raise NotImplementedError(f"{type(self).__name__}: a method of your own needs observe(game, now)")

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
