"""Matrix completion by the round, with scikit-learn's conventions and a soft cap on exposure."""
from __future__ import annotations

import inspect
from typing import Any, Optional, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .domains import TraceBall
from .learner import Learner

_C = TypeVar("_C", bound="OnlineMatrixCompletion")
_Floats = npt.NDArray[np.float64]
_Places = npt.NDArray[np.intp]
_SHRINK = 5.0       # as many ratings of the mean are counted with those of a user or an item


class OnlineMatrixCompletion:
    """Ratings in, predictions out: every call of ``partial_fit`` is one round over a ball of the trace norm.

    Parameters
    ----------
    n_users, n_items : int
        The matrix's shape.
    radius : float, optional
        Of the ball; None: the standard deviation of the first batch, times sqrt(n_users n_items).
    learner : str
        ``"ofw-ada"`` needs no constants; the others take theirs from ``options``.
    capped_items : list of int, optional
        Items whose mean prediction over all users is to stay below ``cap``: a soft limit on their exposure.
    cap : float, optional
    baseline : bool
        Whether predictions begin at the running mean, with what is usual for the item and for the user (shrunk running means).
        The matrix is then what remains. Without it they begin at the mean of the first batch.
    clip : pair of float, optional
        The smallest and largest rating; predictions are cut off there.
    options : dict, optional
        Further arguments of the learner.

    Attributes
    ----------
    mean_, user_bias_, item_bias_ : float, arrays
        The baseline so far.
    learner_ : Learner
        With ``learner_.info``: the violation so far and its price.
    n_ratings_seen_ : int
    n_features_in_ : int
        2: a user and an item.

    >>> import ofw
    >>> model = ofw.OnlineMatrixCompletion(3, 2, radius=6.0, clip=(1.0, 5.0))
    >>> for _ in range(200):
    ...     model = model.partial_fit([0, 0, 1, 2], [0, 1, 0, 1], [5.0, 1.0, 5.0, 1.0])
    >>> model.predict([0, 0], [0, 1]).round(1)
    array([5., 1.])
    """

    def __init__(self, n_users: int, n_items: int, *, radius: Optional[float] = None, learner: str = "ofw-ada",
                 capped_items: Optional[npt.ArrayLike] = None, cap: Optional[float] = None,
                 baseline: bool = True, clip: Optional[tuple[float, float]] = None, options: Optional[dict[str, Any]] = None) -> None:
        self.n_users = n_users
        self.n_items = n_items
        self.radius = radius
        self.learner = learner
        self.capped_items = capped_items
        self.cap = cap
        self.baseline = baseline
        self.clip = clip
        self.options = options

    # ---- scikit-learn's conventions ----

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the estimator."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: _C, **params: Any) -> _C:
        """Sets arguments; they take effect at the next ``fit``."""
        unknown = set(params) - set(self._names())
        if unknown:
            raise _core.UsageError(f"no parameter {', '.join(sorted(unknown))}; there are {', '.join(self._names())}")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.get_params().items() if value is not None)})"

    # ---- rounds ----

    def _places(self, users: npt.ArrayLike, items: npt.ArrayLike) -> _Places:
        """The places of the pairs in the matrix, counted row by row."""
        found = []
        for given, most, what in ((users, self.n_users, "users"), (items, self.n_items, "items")):
            index = np.asarray(given)
            if index.ndim != 1 or (index.size and (index.dtype.kind not in "iu" or index.min() < 0 or index.max() >= most)):
                raise _core.DataError(f"{what}: expected a list of whole numbers in [0, {most})")
            found.append(index.astype(np.intp))
        if found[0].shape != found[1].shape:
            raise _core.DataError(f"found {found[0].size} users and {found[1].size} items, expected as many of each")
        return found[0] * self.n_items + found[1]

    @staticmethod
    def _numbers(ratings: npt.ArrayLike, places: _Places) -> _Floats:
        numbers = np.asarray(ratings, dtype=np.float64)
        if numbers.shape != places.shape or not np.isfinite(numbers).all():
            raise _core.DataError(f"ratings: expected {places.size} finite numbers")
        return numbers

    def _begin(self, numbers: _Floats) -> None:
        """The first batch fixes the first prediction and the range of predictions."""
        if (self.capped_items is None) != (self.cap is None):
            raise _core.UsageError("capped_items and cap need each other: give both or neither")
        spread = float(numbers.std()) or 1.0
        radius = spread * np.sqrt(self.n_users * self.n_items) if self.radius is None else self.radius
        learner = Learner(self.learner, TraceBall(self.n_users, self.n_items, radius=float(radius)), **(self.options or {}))
        if self.capped_items is not None:
            shares = np.zeros(self.n_items)
            shares[self._places(np.zeros_like(self.capped_items), self.capped_items)] = 1.0 / np.size(self.capped_items)
            self._exposure: Optional[tuple[_Floats, _Floats]] = (np.full(self.n_users, 1.0 / self.n_users), shares)
        else:
            self._exposure = None
        self.learner_ = learner
        self.mean_ = float(numbers.mean())
        self.user_bias_, self.item_bias_ = np.zeros(self.n_users), np.zeros(self.n_items)
        self._seen = [np.zeros((2, self.n_users)), np.zeros((2, self.n_items))]       # sums and counts
        self.n_ratings_seen_ = 0
        self.n_features_in_ = 2

    def fit(self: _C, users: npt.ArrayLike, items: npt.ArrayLike, ratings: npt.ArrayLike) -> _C:
        """Starts again, with these ratings as the first round."""
        if hasattr(self, "learner_"):
            del self.learner_
        return self.partial_fit(users, items, ratings)

    def partial_fit(self: _C, users: npt.ArrayLike, items: npt.ArrayLike, ratings: npt.ArrayLike) -> _C:
        """One round: ratings of these users for these items. Bad input raises, and nothing has changed."""
        places = self._places(users, items)
        numbers = self._numbers(ratings, places)
        if not places.size:
            return self
        if not hasattr(self, "learner_"):
            self._begin(numbers)
        x = self.learner_.decide()
        users, items = np.divmod(places, self.n_items)
        distinct, which = np.unique(places, return_inverse=True)
        error = self._read(x, users, items) - numbers
        gradient = np.bincount(which, weights=error) / places.size
        limit: tuple[Any, ...] = ()
        if self._exposure is not None and self.cap is not None:
            usual = self.mean_ + self.user_bias_.mean() + self._exposure[1] @ self.item_bias_
            limit = (x.dot(self._exposure) + usual - self.cap, self._exposure)
        self.learner_.observe(0.5 * float(np.mean(error**2)), (distinct, gradient), *limit)
        self._learn_baseline(users, items, numbers)
        self.n_ratings_seen_ += places.size
        return self

    def _learn_baseline(self, users: _Places, items: _Places, numbers: _Floats) -> None:
        """The running mean, then of what is left the items' means, then the users'; few ratings count as little."""
        if not self.baseline:
            return
        self.mean_ += (numbers.sum() - numbers.size * self.mean_) / (self.n_ratings_seen_ + numbers.size)
        left = numbers - self.mean_
        for bias, seen, index in ((self.item_bias_, self._seen[1], items), (self.user_bias_, self._seen[0], users)):
            seen += np.stack([np.bincount(index, weights, minlength=bias.size) for weights in (left, None)])
            bias[index] = seen[0, index] / (seen[1, index] + _SHRINK)
            left = left - bias[index]

    def _read(self, x: _core.Point, users: _Places, items: _Places) -> _Floats:
        entries: _Floats = x[users, items] if self.n_items > 1 else x[users]
        entries += self.mean_ + self.user_bias_[users] + self.item_bias_[items]
        return entries

    def predict(self, users: npt.ArrayLike, items: npt.ArrayLike) -> _Floats:
        """The ratings that these users will give these items."""
        found = self._read(self._fitted().decide(), *np.divmod(self._places(users, items), self.n_items))
        return found if self.clip is None else np.clip(found, *self.clip)

    def recommend(self, user: int, k: int, exclude: Optional[npt.ArrayLike] = None) -> list[int]:
        """The k items that the user will like most, the best first, without the excluded ones."""
        row = self.predict(np.full(self.n_items, user), np.arange(self.n_items))
        order = np.argsort(-row, kind="stable")
        kept = order if exclude is None else order[~np.isin(order, np.asarray(exclude))]
        return [int(item) for item in kept[:k]]

    def score(self, users: npt.ArrayLike, items: npt.ArrayLike, ratings: npt.ArrayLike) -> float:
        """R^2 of the predictions, as in scikit-learn's regressors."""
        numbers = self._numbers(ratings, self._places(users, items))
        error = self.predict(users, items) - numbers
        return float(1.0 - (error @ error) / ((numbers - numbers.mean()) @ (numbers - numbers.mean())))

    def _fitted(self) -> Learner:
        if not hasattr(self, "learner_"):
            raise _core.UsageError("no rating has been seen: call fit or partial_fit first")
        return self.learner_
