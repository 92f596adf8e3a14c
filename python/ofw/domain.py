"""A convex set with a linear oracle: one of the library's by its spec, or your own in Python."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _core

Array = npt.NDArray[np.float64]
Value = Union[str, float, npt.ArrayLike, "os.PathLike[str]", "Domain", Sequence["Domain"]]
_D = TypeVar("_D", bound="Domain")


def number(value: Union[int, float, np.integer[Any], np.floating[Any]]) -> str:
    """The shortest text that reads back to the same bits."""
    text = str(int(value)) if isinstance(value, (int, np.integer)) else repr(float(value))
    return text[:-2] if text.endswith(".0") else text


def option_text(name: str, value: object) -> str:
    """An option's value as in a spec: lists in parentheses, sets by their spec, files behind an @."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, float, np.integer, np.floating)):
        return number(value)
    if isinstance(value, str):
        return checked(name, value)
    if isinstance(value, os.PathLike):
        return checked(name, "@" + os.fspath(value))
    if isinstance(value, Domain):
        return f"({value.spec})"
    if isinstance(value, Sequence) and value and all(isinstance(part, Domain) for part in value):
        return f"({';'.join(part.spec for part in value)})"
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in "iuf" or array.ndim not in (1, 2):
        raise _core.UsageError(f"{name}: expected a number, a text, a file, an array or a domain, found {value!r}")
    if array.ndim == 1:
        return f"({','.join(number(item) for item in array)})"
    return f"({';'.join(' '.join(number(item) for item in row) for row in array)})"


def checked(name: str, text: str) -> str:
    """Refuses a text that could be read as several options: commas must be inside parentheses."""
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0 or (character == "," and depth == 0):
            raise _core.UsageError(f"{name}: expected commas only inside parentheses, found {text!r}")
    if depth:
        raise _core.UsageError(f"{name}: expected a closing parenthesis, found {text!r}")
    return text


class Domain(_core.Domain):
    """A convex set: ``Domain("l1-ball:dim=9,radius=3")``, a class such as ``L1Ball(9, radius=3.0)``, or your own.

    Your own is a subclass with a method ``lmo(d)``, which gives a point of the set that minimises the inner product with d.
    It calls ``super().__init__(dim, radius, inner_radius=.., centre=..)`` when its attributes are set. The set must lie in
    the ball of that radius about the origin. It must hold a ball of ``inner_radius`` about its centre (0: not known).
    A method ``excess(x)``, 0 inside and positive outside, is optional.

    >>> import numpy as np
    >>> from ofw import Domain, Learner
    >>> class Segment(Domain):
    ...     '''Between (0, 0) and (1, 1).'''
    ...     def __init__(self):
    ...         super().__init__(2, 2**0.5)
    ...     def lmo(self, d):
    ...         return np.ones(2) if d.sum() < 0 else np.zeros(2)
    >>> learner = Learner("ofw-ada", Segment())
    >>> for _ in range(10):
    ...     x = learner.decide()
    ...     learner.observe(-x[0], gradient=[-1.0, 0.0])
    >>> bool(learner.decide()[0] > 0.9)
    True
    """

    def __init__(self, spec: Union[str, int], radius: float = 0.0, *, inner_radius: float = 0.0,
                 centre: Optional[npt.ArrayLike] = None) -> None:
        if "_spec" in self.__dict__:
            raise _core.UsageError("a domain cannot be made twice: it is immutable")
        self._parts: tuple[Domain, ...] = ()
        if isinstance(spec, str):
            self._spec: Optional[str] = spec
            self._shown = repr(spec)
            self._open(spec)
            return
        if type(self).lmo is Domain.lmo:
            raise _core.UsageError(f"{type(self).__name__}: a set of your own needs a method lmo(d)")
        self._spec = None
        self._shown = ""
        middle = None if centre is None else np.array(centre, dtype=np.float64).reshape(-1)
        self._own = (int(spec), float(radius), float(inner_radius), middle, type(self).excess is not Domain.excess)
        self._open_own(*self._own)

    def _make(self, name: str, given: Mapping[str, object], usual: Mapping[str, object]) -> None:
        """The set of that name; the spec leaves out options with default values."""
        told = {key: value for key, value in given.items()
                if value is not None and not (key in usual and np.isscalar(value) and value == usual[key])}
        pairs = ",".join(f"{key}={option_text(key, value)}" for key, value in told.items())
        Domain.__init__(self, f"{name}:{pairs}" if pairs else name)
        self._shown = ", ".join(f"{key.replace('-', '_')}={value!r}" for key, value in told.items())

    @property
    def spec(self) -> str:
        """The spec, as for the command: ``l1-ball:dim=9,radius=3``."""
        if self._spec is None:
            raise _core.UnsupportedError(f"{type(self).__name__} has its oracle in Python, so it has no spec")
        return self._spec

    # ---- the oracle and its kind ----

    def _vector(self, given: npt.ArrayLike, what: str) -> Array:
        array = np.ascontiguousarray(given, dtype=np.float64)
        if array.shape not in (self.shape, (self.dim,)):
            raise _core.UsageError(f"{what}: expected shape {self.shape}, found {array.shape}")
        return array

    def lmo(self, d: npt.ArrayLike, *, tolerance: float = 1e-9) -> Array:
        """The linear oracle: a point of the set that minimises ``(d * v).sum()``, with this relative accuracy.

        >>> import ofw
        >>> ofw.L1Ball(3, radius=2.0).lmo([1.0, -4.0, 2.0])
        array([0., 2., 0.])
        """
        v = np.empty(self.shape)
        self._minimise(self._vector(d, "d"), v, tolerance)
        return v

    def project(self, y: npt.ArrayLike) -> Array:
        """The point of the set nearest to y; UnsupportedError if the set has no projection.

        >>> import ofw
        >>> ofw.Simplex(2).project([1.0, 1.0])
        array([0.5, 0.5])
        """
        x = np.empty(self.shape)
        self._project(self._vector(y, "y"), x)
        return x

    def excess(self, x: npt.ArrayLike) -> float:
        """How far x is outside, in the set's own measure; 0 inside, negative: not known."""
        return self._excess(self._vector(x, "x"))

    def contains(self, x: npt.ArrayLike, tolerance: float = 1e-9) -> bool:
        """Whether x is in the set, up to the tolerance in the set's own measure.

        >>> import ofw
        >>> ofw.Simplex(2).contains([0.5, 0.5]), ofw.Simplex(2).contains([1.0, 1.0])
        (True, False)
        """
        out = self.excess(self._vector(x, "x"))
        if out < 0.0:
            raise _core.UnsupportedError(f"{self!r} cannot tell whether a point is in it")
        return out <= tolerance

    @property
    def outer_radius(self) -> float:
        """The set lies in the ball of this radius around the origin."""
        return self._balls()[0]

    @property
    def inner_radius(self) -> float:
        """The set contains the ball of this radius around its centre, in its affine hull; 0: not known."""
        return self._balls()[1]

    @property
    def centre(self) -> Array:
        """Its centre."""
        return self._balls()[2]

    def _ask_oracle(self, d: memoryview, v: memoryview) -> None:
        """The core's call of an oracle in Python; the arrays behind the views are the core's."""
        found = np.asarray(self.lmo(np.frombuffer(d, dtype=np.float64).copy()), dtype=np.float64)
        if found.size != self.dim:
            raise _core.UsageError(f"{type(self).__name__}.lmo returned {found.size} numbers, expected {self.dim}")
        np.frombuffer(v, dtype=np.float64)[:] = found.reshape(-1)

    def _ask_excess(self, x: memoryview, _: None) -> float:
        return float(self.excess(np.frombuffer(x, dtype=np.float64).copy()))

    # ---- sets made of others ----

    def __mul__(self, other: object) -> Domain:
        """K * L is the product of two sets; K * 2.0 is K scaled."""
        if isinstance(other, Domain):
            parts = (self._parts or (self,)) + (other._parts or (other,))
            made = Domain(f"product:parts=({';'.join(part.spec for part in parts)})")
            made._parts = parts
            return made
        if isinstance(other, (int, float, np.integer, np.floating)):
            return Domain(f"scaled:factor={number(float(other))},of=({self.spec})")
        return NotImplemented

    def __rmul__(self, other: float) -> Domain:
        return self * other

    def __neg__(self) -> Domain:
        return self * -1.0

    def __truediv__(self, other: float) -> Domain:
        return self * (1.0 / other)

    def __add__(self, by: npt.ArrayLike) -> Domain:
        """K + b is K moved by b."""
        if isinstance(by, Domain):
            return NotImplemented
        return Domain(f"shifted:by={option_text('by', by)},of=({self.spec})")

    __radd__ = __add__
    __array_ufunc__ = None      # so that b + K asks K

    # ---- as a value ----

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._shown})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Domain) or self._spec is None:
            return self is other
        return self._spec == other._spec

    def __hash__(self) -> int:
        return id(self) if self._spec is None else hash(self._spec)

    def __copy__(self: _D) -> _D:
        return self                 # it is immutable

    def __deepcopy__(self: _D, memo: object) -> _D:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.__dict__)


def _restore(kind: type[_D], attributes: dict[str, Any]) -> _D:
    """A pickled domain: its attributes, then a new handle."""
    made = kind.__new__(kind)
    made.__dict__.update(attributes)
    if made._spec is None:
        made._open_own(*made._own)
    else:
        made._open(made._spec)
    return made
