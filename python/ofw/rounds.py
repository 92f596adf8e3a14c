"""Where rounds come from: a generator of the library, or rounds of your own in Python."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Optional, Union

from . import _core
from .domain import Domain, option_text

#: What a round reveals: loss and gradient, then constraint and its gradient, then those of the coming round if they are known; or the same by name.
Feedback = Union[tuple[Any, ...], Mapping[str, Any], float]
_FIELDS = ("loss", "gradient", "constraint", "constraint_gradient", "next_constraint", "next_constraint_gradient")


def lay_out(given: Feedback) -> tuple[Any, ...]:
    """All fields in their order, None for those that are missing."""
    if isinstance(given, Mapping):
        unknown = set(given) - set(_FIELDS)
        if unknown or "loss" not in given:
            raise _core.UsageError(f"expected a round with {', '.join(_FIELDS)}, found {', '.join(map(str, given))}")
        return tuple(given.get(field) for field in _FIELDS)
    fields = given if isinstance(given, tuple) else (given,)
    if not 1 <= len(fields) <= len(_FIELDS):
        raise _core.UsageError(f"expected a round as a tuple of 1 to {len(_FIELDS)} ({', '.join(_FIELDS)}), found {len(fields)}")
    return fields + (None,) * (len(_FIELDS) - len(fields))


class Stream(_core.Stream):
    """Rounds of your own: a subclass with ``reveal(t, x)``, which returns the feedback of round t (from 1) at the decision x.

    A round is a tuple (loss, gradient, constraint, constraint_gradient, next_constraint, next_constraint_gradient) or a dict
    of these, as ``Learner.observe`` takes them; what is missing is None.
    A method ``comparator(t)``, the loss of round t at a fixed point, is optional: then the play has a regret.
    ``reveal`` may raise StopIteration to end the play.
    """

    def __init__(self, domain: Union[Domain, str], *, lipschitz: float = 0.0, loss_bound: float = 0.0,
                 strong_convexity: float = 0.0) -> None:
        domain = Domain(domain) if isinstance(domain, str) else domain
        if type(self).reveal is Stream.reveal:
            raise _core.UsageError(f"{type(self).__name__}: a stream of your own needs a method reveal(t, x)")
        self._open_own(domain, float(lipschitz), float(loss_bound), float(strong_convexity),
                       type(self).comparator is not Stream.comparator)

    def reveal(self, t: int, x: _core.Point) -> Feedback:
        """The feedback of round t at x."""
        raise NotImplementedError

    def comparator(self, t: int) -> float:
        """The loss of round t at the comparator."""
        raise NotImplementedError

    def _reveal(self, t: int, x: _core.Point) -> tuple[Any, ...]:
        return lay_out(self.reveal(t, x))

    @property
    def lipschitz(self) -> float:
        """A bound on the length of its gradients, which most learners need."""
        return self._constants[0]

    @property
    def loss_bound(self) -> float:
        """A bound on its losses; 0: not known."""
        return self._constants[1]

    @property
    def strong_convexity(self) -> float:
        """Strong convexity of its losses; 0: none."""
        return self._constants[2]


class _FromFunction(Stream):
    def __init__(self, domain: Domain, function: Callable[[int, _core.Point], Feedback]) -> None:
        self._function = function
        super().__init__(domain)

    def reveal(self, t: int, x: _core.Point) -> Feedback:
        return self._function(t, x)


class _Generated(Stream):
    """A generator of the library; its rounds are made in C."""

    def __init__(self, spec: str, domain: Domain, rounds: int, seed: int) -> None:
        self._open(spec, domain, rounds, seed)
        self._spec = spec

    def __repr__(self) -> str:
        return f"stream({self._spec!r})"


def stream(name: str, domain: Union[Domain, str], rounds: int, seed: int = 1, **options: object) -> Stream:
    """A generator of the library over a domain: `ofw list` has the names, `ofw help NAME` the options.

    >>> import ofw
    >>> ofw.stream("quadratic", ofw.L2Ball(5), rounds=100).lipschitz > 0
    True
    """
    pairs = ",".join(f"{key.replace('_', '-')}={option_text(key, value)}" for key, value in options.items())
    spec = f"{name}{',' if ':' in name else ':'}{pairs}" if pairs else name
    return _Generated(spec, Domain(domain) if isinstance(domain, str) else domain, int(rounds), int(seed))


def streams() -> dict[str, str]:
    """Every generator of rounds by name, with one line on what it is."""
    return {kind["name"]: kind["summary"] for kind in _core.types("stream")}


def as_stream(given: Union[Stream, str, Callable[[int, _core.Point], Feedback]], domain: Domain, rounds: int,
              seed: Optional[int]) -> Stream:
    """A stream as it is, by its spec, or from a function of t and x."""
    if isinstance(given, Stream):
        return given
    if isinstance(given, str):
        return stream(given, domain, rounds, 1 if seed is None else seed)
    if callable(given):
        return _FromFunction(domain, given)
    raise _core.UsageError(f"expected a stream, its spec or a function of t and x, found {given!r}")
