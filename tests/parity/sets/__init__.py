"""The sets that the slow learners decide in, and their oracles against brute force.

lmo(d)  argmin_{v in K} <d, v>          start   the first decision with full information
R       K lies in a ball of this radius about the origin
r       a ball of this radius about the centre lies in K, within K's affine hull
hull    the dimension of that hull      centre  the first decision with bandit feedback
project(y)  the nearest point of K, where ofw has a projection
iterative   ofw's oracle is: full-information learners are compared step by step, from ofw's own decision
curved      the boundary is: steps towards it need not end exactly where they end here
off_hull(u) by how much a direction leaves the hull, where that is not all of the space

A module has a family of sets: MAKERS, by name, functions of a spec's options and of make_domain, and check(rng), which
holds its oracles against something slower. A set that is in none of them is played by its own oracle (generic.py).
"""
import numpy as np

from . import balls, basic, general, generic, graphs, matrices, simplices, wrappers
from .text import bare, split

FAMILIES = [basic, balls, simplices, matrices, graphs, general, wrappers]
MAKERS = {name: make for family in FAMILIES for name, make in family.MAKERS.items()}


LIBRARY = []                                      # where generic sets come from, once it is known


def make_domain(spec):
    """'name:key=value,...' as the program reads it."""
    name, _, rest = bare(spec).partition(":")
    if name in MAKERS:
        return MAKERS[name](dict(item.split("=", 1) for item in split(rest)), make_domain)
    return generic.Generic(LIBRARY[0], bare(spec))


def check_oracles(rng):
    for family in FAMILIES:
        family.check(rng)
    if LIBRARY:
        check_generic(rng)


def check_generic(rng):
    """A generic set is the slow one."""
    for spec in ("l1-ball:dim=4,radius=2", "simplex:dim=5,sum=2", "trace-ball:rows=2,cols=3", "box:dim=3,lower=1,upper=2"):
        one, other = make_domain(spec), generic.Generic(LIBRARY[0], spec)
        for name in ("n", "hull"):
            assert getattr(one, name) == getattr(other, name), (spec, name)
        for name in ("R", "r", "centre", "start"):
            assert np.allclose(getattr(one, name), getattr(other, name), rtol=1e-14, atol=0), (spec, name)
        for _ in range(20):
            d = rng.standard_normal(one.n)
            assert np.allclose(one.lmo(d), other.lmo(d), rtol=0, atol=1e-12), (spec, d)
            assert np.allclose(one.project(3 * d), other.project(3 * d), rtol=0, atol=1e-12), (spec, d)
