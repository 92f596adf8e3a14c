"""The forms that a gradient may have, other than a contiguous array of doubles, which the core reads in place."""
from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _core

DENSE, SPARSE, RANK_ONE = range(3)      # as python/core/py_feedback.c has them
Term = Union[tuple[int, npt.NDArray[Any]], tuple[int, npt.NDArray[Any], npt.NDArray[Any]]]


def terms(given: Any, rows: int, cols: int) -> Term:
    """A gradient of a set of that shape (cols = 1: vectors), as the core reads it."""
    if isinstance(given, tuple) and len(given) == 2:
        return _pair(given[0], given[1], rows, cols)
    if hasattr(given, "tocoo"):
        return _scipy(given, rows, cols)
    return DENSE, _dense(given, rows, cols)


def _array(given: Any, what: str) -> npt.NDArray[Any]:
    try:
        array = np.asarray(given)
    except ValueError:
        raise _core.DataError(f"{what}: expected an array of numbers") from None
    if array.dtype.kind not in "iuf":
        raise _core.DataError(f"{what}: expected real numbers, found {array.dtype}")
    return array


def _dense(given: Any, rows: int, cols: int) -> npt.NDArray[np.float64]:
    array = _array(given, "gradient")
    shape = (rows,) if cols == 1 else (rows, cols)
    if array.shape != shape and array.shape != (rows * cols,):
        raise _core.DataError(f"gradient: expected shape {shape}, found {array.shape}")
    return np.ascontiguousarray(array, dtype=np.float64).reshape(-1)


def _index(given: Any, most: int, what: str) -> npt.NDArray[np.intp]:
    index = np.asarray(given)
    if index.size == 0:
        return np.empty(0, dtype=np.intp)
    if index.dtype.kind not in "iu" or index.ndim != 1:
        raise _core.DataError(f"{what}: expected a list of whole numbers")
    if index.min() < 0 or index.max() >= most:
        raise _core.DataError(f"{what}: {int(index.min() if index.min() < 0 else index.max())} is not in [0, {most})")
    return index.astype(np.intp)


def _sparse(index: npt.NDArray[np.intp], value: Any) -> Term:
    number = np.ascontiguousarray(_array(value, "gradient"), dtype=np.float64)
    if number.shape != index.shape:
        raise _core.DataError(f"gradient: found {index.size} indices and numbers of shape {number.shape}, expected as many of each")
    return SPARSE, index.astype(np.uintp), number


def _scipy(given: Any, rows: int, cols: int) -> Term:
    if given.shape not in ((rows, cols), (cols, rows) if cols == 1 else (rows, cols)):
        raise _core.DataError(f"gradient: expected shape {(rows, cols)}, found {given.shape}")
    if given.dtype.kind not in "iuf":
        raise _core.DataError(f"gradient: expected real numbers, found {given.dtype}")
    entries = given.tocoo(copy=True)
    entries.sum_duplicates()
    place = entries.row.astype(np.intp) * given.shape[1] + entries.col
    rows_first = np.argsort(place)  # the order decides the last bits of sums; sum_duplicates goes by columns
    return _sparse(place[rows_first], entries.data[rows_first])


def _pair(first: Any, second: Any, rows: int, cols: int) -> Term:
    """(index, value) if the first has whole numbers or is a pair (rows, columns); (u, v) if it has others."""
    if isinstance(first, tuple):
        if len(first) != 2 or cols == 1:
            raise _core.DataError("gradient: a pair of indices (rows, columns) needs a matrix, found a vector")
        row, col = _index(first[0], rows, "gradient, rows"), _index(first[1], cols, "gradient, columns")
        if row.shape != col.shape:
            raise _core.DataError(f"gradient: found {row.size} rows and {col.size} columns, expected as many of each")
        return _sparse(row * cols + col, second)
    u = _array(first, "gradient")
    if u.size == 0 or u.dtype.kind != "f":
        return _sparse(_index(u, rows * cols, "gradient, index"), second)
    if cols == 1:
        raise _core.DataError("gradient: expected whole numbers as the index of a pair; a pair (u, v) needs a matrix")
    v = _array(second, "gradient")
    u, v = (np.ascontiguousarray(factor.reshape(len(factor), -1).T, dtype=np.float64) for factor in (u, v))
    if u.shape[1] != rows or v.shape[1] != cols or len(u) != len(v):
        raise _core.DataError(f"gradient: expected factors of {rows} and {cols} rows, found {u.shape[::-1]} and {v.shape[::-1]}")
    return RANK_ONE, u, v


def places(key: Any, rows: int, cols: int) -> Optional[npt.NDArray[np.uintp]]:
    """Where the entries of x[key] are, counted row by row; None if key is not made of arrays of indices."""
    parts = key if isinstance(key, tuple) else (key,)
    shape = (rows,) if cols == 1 else (rows, cols)
    if len(parts) != len(shape) or any(part is None or part is Ellipsis or isinstance(part, (slice, str)) for part in parts):
        return None
    index = [np.asarray(part) if np.size(part) else np.empty(np.shape(part), dtype=np.intp) for part in parts]
    if any(one.dtype.kind not in "iu" for one in index):
        return None
    for axis, (one, most) in enumerate(zip(index, shape)):
        if one.size and (one.min() < -most or one.max() >= most):
            raise IndexError(f"an index is out of range for axis {axis} of {most}")
    wrapped = [np.where(one < 0, one + most, one).astype(np.uintp) for one, most in zip(index, shape)]
    flat = wrapped[0] if cols == 1 else wrapped[0] * np.uintp(cols) + wrapped[1]
    return np.ascontiguousarray(flat, dtype=np.uintp)


_core.set_forms(terms, places)
