"""Any set, by its own oracle: for one that has no slow version here, so that at least the learners on it are compared.

The oracle itself is then held against something slower in the set's test alone.
"""
import ctypes
import os

import numpy as np

DOUBLES = np.ctypeslib.ndpointer(np.float64, flags="C")


def load(path):
    """The shared library; None where it cannot be loaded, as one with a sanitizer in it, which would end this program."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        text = file.read()
    if b"__asan_init" in text or b"__tsan_init" in text:
        return None
    library = ctypes.CDLL(path)
    for name, result, arguments in (
            ("create", ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_void_p]),
            ("dim", ctypes.c_size_t, [ctypes.c_void_p]),
            ("balls", None, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double), DOUBLES]),
            ("excess", ctypes.c_double, [ctypes.c_void_p, DOUBLES]),
            ("minimise", ctypes.c_int, [ctypes.c_void_p, DOUBLES, ctypes.c_double, DOUBLES, ctypes.c_void_p, ctypes.c_void_p]),
            ("project", ctypes.c_int, [ctypes.c_void_p, DOUBLES, DOUBLES, ctypes.c_void_p])):
        function = getattr(library, "ofw_domain_" + name)
        function.restype, function.argtypes = result, arguments
    return library


class Generic:
    iterative = curved = True

    def __init__(self, library, spec):
        self.library, self.K = library, library.ofw_domain_create(spec.encode(), None)
        if not self.K:
            raise ValueError(f"no domain {spec}")
        self.n = library.ofw_domain_dim(self.K)
        outer, inner, self.centre = ctypes.c_double(), ctypes.c_double(), np.zeros(self.n)
        library.ofw_domain_balls(self.K, outer, inner, self.centre)
        self.R, self.r = outer.value, inner.value
        self.start = self.centre if library.ofw_domain_excess(self.K, np.zeros(self.n)) != 0 else np.zeros(self.n)
        rng = np.random.default_rng(1)
        atoms = np.array([self.lmo(rng.standard_normal(self.n)) for _ in range(3 * self.n)])
        self.hull = int(np.linalg.matrix_rank(atoms - self.centre, tol=1e-9 * self.R))
        if library.ofw_domain_project(self.K, self.centre, np.empty(self.n), None) == 0:
            self.project = self.nearest

    def lmo(self, d):
        v = np.empty(self.n)
        if self.library.ofw_domain_minimise(self.K, np.ascontiguousarray(d, float), 1e-13, v, None, None):
            raise ValueError("the oracle failed")
        return v

    def nearest(self, y):
        x = np.empty(self.n)
        if self.library.ofw_domain_project(self.K, np.ascontiguousarray(y, float), x, None):
            raise ValueError("the projection failed")
        return x
