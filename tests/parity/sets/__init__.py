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
holds its oracles against something slower.
"""
from . import basic, general
from .text import bare, split

FAMILIES = [basic, general]
MAKERS = {name: make for family in FAMILIES for name, make in family.MAKERS.items()}


def make_domain(spec):
    """'name:key=value,...' as the program reads it."""
    name, _, rest = bare(spec).partition(":")
    return MAKERS[name](dict(item.split("=", 1) for item in split(rest)), make_domain)


def check_oracles(rng):
    for family in FAMILIES:
        family.check(rng)
