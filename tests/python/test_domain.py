"""Sets in Python: the library's by class, spec and operator, and sets with their oracle in Python."""
import copy
import inspect
import pickle

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import ofw
from ofw import _core
from conftest import bits

KINDS = {kind["name"]: kind for kind in _core.types("domain")}


class Ball(ofw.Domain):
    """l1-ball, its oracle written in Python."""

    def __init__(self, dim, size, inner=0.0):
        self.size = size
        super().__init__(dim, size, inner_radius=inner)

    def lmo(self, d):
        v = np.zeros(self.dim)
        i = np.argmax(np.abs(d))
        v[i] = -self.size if d[i] >= 0 else self.size
        return v

    def excess(self, x):
        assert self.dim == len(x) and self.shape == x.shape         # also while it is being made
        return max(0.0, float(np.abs(x).sum()) - self.size)


@pytest.mark.parametrize("name", KINDS)
def test_every_set_is_a_class(name):
    """Its oracle is at least as good as any of its points; its class has its options and their texts."""
    cls = getattr(ofw, "".join(word[0].upper() + word[1:] for word in name.split("-")))
    assert issubclass(cls, ofw.Domain) and cls.__name__ in ofw.__all__
    arguments = list(inspect.signature(cls).parameters)
    assert sorted(a.rstrip("_") for a in arguments) == sorted(o["name"].replace("-", "_") for o in KINDS[name]["options"])
    assert KINDS[name]["summary"][1:] in cls.__doc__ and all(o["name"].replace("-", "_") in cls.__doc__ for o in KINDS[name]["options"])
    domain, rng = ofw.Domain(KINDS[name]["example"]), np.random.default_rng(1)
    d = rng.standard_normal(domain.shape)
    if name in ("fantope", "spectrahedron", "spectraplex"):
        d = d + d.T
    v = domain.lmo(d)
    assert v.shape == domain.shape
    for _ in range(5):
        assert (d * v).sum() <= (d * domain.lmo(rng.standard_normal(domain.shape))).sum() + 1e-6
    assert np.linalg.norm(v) <= domain.outer_radius * (1 + 1e-9)
    assert domain.excess(v) < 1e-6
    assert domain.inner_radius >= 0 and domain.centre.shape == domain.shape
    again = pickle.loads(pickle.dumps(domain))
    assert again == domain and bits(again.lmo(d)) == bits(v) and copy.deepcopy(domain) is domain


def test_classes_make_the_specs_that_one_would_write():
    assert ofw.L1Ball(9, radius=3.0).spec == "l1-ball:dim=9,radius=3"
    assert ofw.L1Ball(9).spec == ofw.L1Ball(9, 1.0).spec == "l1-ball:dim=9"
    assert ofw.TraceBall(943, 1682, radius=1e4).shape == (943, 1682)
    assert ofw.Box([-1, 0.5], [1, 2]).spec == "box:lower=(-1,0.5),upper=(1,2)"
    assert ofw.Box(-1, np.array([1.0, 2.0])).dim == 2
    assert ofw.Hull([[0, 0], [1, 0], [0, 1]]).dim == 2
    assert ofw.Ellipsoid(matrix=[[2.0, 0.5], [0.5, 1.0]]).dim == 2
    assert ofw.Paths([[1, 2], [2, 3], [1, 3]], from_=1, to=3).dim == 3
    assert ofw.Product([ofw.Simplex(2), ofw.L2Ball(3)]).dim == 5
    assert ofw.Scaled(2.0, of=ofw.Simplex(2)).contains([0.5, 1.5])
    assert repr(ofw.L1Ball(9, radius=3.0)) == "L1Ball(dim=9, radius=3.0)"
    assert ofw.L2Ball(3, radius=0.1 + 0.2).spec == "l2-ball:dim=3,radius=0.30000000000000004"


def test_files(tmp_path):
    (tmp_path / "points").write_text("0 0\n1 0\n0 1\n")
    assert ofw.Hull(tmp_path / "points").dim == ofw.Hull(f"@{tmp_path}/points").dim == 2


@pytest.mark.parametrize("make", [
    lambda: ofw.L1Ball(0), lambda: ofw.L1Ball(3, radius=-1.0), lambda: ofw.L1Ball(2.5), lambda: ofw.L1Ball("3,radius=2"),
    lambda: ofw.Hull("(0 0"), lambda: ofw.Hull("0 0)"), lambda: ofw.Hull([[1.0, 2.0], [3.0]]), lambda: ofw.Hull({}),
    lambda: ofw.Domain("no-such-set:dim=3"), lambda: ofw.Domain("l1-ball:dim=3,size=2"), lambda: ofw.Domain("l1-ball:dim=3\n"),
    lambda: ofw.Domain(3, 1.0), lambda: Ball(0, 1.0), lambda: Ball(3, -1.0), lambda: Ball(3, 1.0, inner=2.0),
    lambda: Ball(3, 1.0) * ofw.Simplex(2), lambda: 2.0 * Ball(3, 1.0), lambda: ofw.Simplex(2) * 0.0,
    lambda: ofw.Learner("ofw-ada", Ball.__new__(Ball)),               # whose __init__ was not called
])
def test_sets_that_cannot_be_made(make):
    with pytest.raises(ofw.Error):
        make()


def test_a_set_is_made_once():
    for K, again in ((ofw.Simplex(3), (4,)), (Ball(3, 1.0), (4, 2.0))):
        with pytest.raises(ofw.UsageError, match="immutable"):
            K.__init__(*again)
        assert K.dim == 3 == pickle.loads(pickle.dumps(K)).dim
    learner = ofw.Learner("ofw-ada", ofw.Simplex(3))
    with pytest.raises(ofw.UsageError, match="twice"):
        learner.__init__("ofw-tvc", ofw.Simplex(4), lipschitz=1.0)
    assert (learner.name, learner.domain.dim) == ("ofw-ada", 3)


def test_operators():
    K = ofw.Simplex(2) * ofw.L1Ball(2) * ofw.L2Ball(3)
    assert K.spec == "product:parts=(simplex:dim=2;l1-ball:dim=2;l2-ball:dim=3)"
    d = np.array([1.0, -1.0, 3.0, 0.0, 0.0, 2.0, 0.0])
    assert bits(K.lmo(d)) == bits([0.0, 1.0, -1.0, 0.0, 0.0, -1.0, 0.0]) or np.allclose(K.lmo(d), [0, 1, -1, 0, 0, -1, 0])
    S = ofw.Simplex(2)
    assert (2 * S).contains([2.0, 0.0]) and (S / 2).contains([0.5, 0.0]) and (-S).contains([-1.0, 0.0])
    assert (S + [1.0, 2.0]).contains([2.0, 2.0]) and (np.array([1.0, 2.0]) + S).contains([1.0, 3.0]) and (S + 1).contains([1.0, 2.0])
    for bad in (lambda: S * "2", lambda: S + S):
        with pytest.raises(TypeError):
            bad()
    assert ofw.Learner("ofw-ada", 3.0 * S).decide().shape == (2,)


def test_oracles_take_arrays_of_their_shape_alone():
    K = ofw.TraceBall(2, 3)
    assert K.lmo(np.ones(6)).shape == (2, 3) and np.allclose(K.lmo(np.ones((2, 3))), -np.ones((2, 3)) / np.sqrt(6), atol=1e-4)
    for call in (K.lmo, K.project, K.excess, K.contains):
        for bad in (np.ones(5), np.ones((3, 2))):
            with pytest.raises(ofw.UsageError):
                call(bad)
    for bad in (np.full(6, np.nan), np.full(6, np.inf)):
        with pytest.raises(ofw.DataError):
            K.lmo(bad)
    with pytest.raises(ofw.UsageError):
        K.lmo(np.ones(6), tolerance=0.0)
    with pytest.raises(ofw.UnsupportedError):
        ofw.Flows("(1 2 1;1 3 1;2 3 1)", from_=1, to=3, value=1.0).project(np.ones(3))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=4))
def test_projections_and_oracles_stay_in_the_set(numbers):
    for K in (ofw.Simplex(4), ofw.L1Ball(4, 2.0), ofw.L2Ball(4), ofw.Box(-1, 2, dim=4)):
        x = K.project(numbers)
        assert K.contains(x) and K.contains(K.lmo(numbers))
        assert np.allclose(K.project(x), x, atol=1e-9)


# ---- an oracle in Python ----

@pytest.mark.parametrize("name", ["ofw-ada", "ofw-tvc", "bfw-tvc", "opdp"])
def test_an_oracle_in_python_gives_the_same_bits(name):
    dim, rng = 7, np.random.default_rng(2)
    inner = ofw.L1Ball(dim, radius=3.0).inner_radius
    pair = [ofw.Learner(name, K, horizon=60, lipschitz=3.0, loss_bound=2.0) for K in (ofw.L1Ball(dim, radius=3.0), Ball(dim, 3.0, inner))]
    for t in range(60):
        x, y = (learner.decide() for learner in pair)
        assert bits(x) == bits(y), f"round {t + 1}"
        g, h = rng.standard_normal(dim), rng.standard_normal(dim)
        for i, learner in enumerate(pair):
            if learner.bandit:
                learner.observe(0.1, constraint=0.2)
            else:
                learner.observe(0.1, g, 0.2, h)
            if t == 30:
                pair[i] = pickle.loads(pickle.dumps(learner))
    assert pair[0].info.oracle_calls == pair[1].info.oracle_calls > 0


def test_what_an_own_set_is_asked():
    K = Ball(3, 2.0, inner=1.0)
    assert K.contains([1.0, 1.0, 0.0]) and not K.contains([2.0, 1.0, 0.0]) and (K.outer_radius, K.inner_radius) == (2.0, 1.0)
    assert bits(K.lmo(np.array([0.0, 3.0, 1.0]))) == bits([0.0, -2.0, 0.0])
    with pytest.raises(ofw.UnsupportedError):
        K.project([3.0, 0.0, 0.0])
    with pytest.raises(ofw.UnsupportedError):
        K.spec
    again = pickle.loads(pickle.dumps(K))
    assert again.size == 2.0 and again.contains([2.0, 0.0, 0.0]) and again != K and K == K


class Broken(ofw.Domain):
    def __init__(self, answer):
        self.answer = answer
        super().__init__(2, 1.0)

    def lmo(self, d):
        return self.answer(d)


@pytest.mark.parametrize("answer, error", [
    (lambda d: 1 / 0, ZeroDivisionError), (lambda d: np.ones(3), ofw.UsageError), (lambda d: "no", ValueError),
    (lambda d: None, ofw.Error), (lambda d: [float("nan"), 0.0], ofw.NumericalError)])
def test_an_oracle_that_fails(answer, error):
    """Its own exception comes out of observe; the learner then only says what has happened."""
    learner = ofw.Learner("ofw-ada", Broken(answer))
    learner.decide()
    with pytest.raises((error, TypeError) if error is ofw.Error else error):
        learner.observe(0.0, [1.0, 2.0])
    with pytest.raises(ofw.NumericalError):
        learner.decide()
    assert learner.info.round == 2


def test_an_oracle_may_not_touch_the_learner_that_asks():
    asked = []
    K = Broken(lambda d: asked.append(pytest.raises(ofw.UsageError, learner.decide)) or np.zeros(2))
    learner = ofw.Learner("ofw-ada", K)
    learner.decide()
    learner.observe(0.0, [1.0, 2.0])
    assert asked and "in use" in str(asked[0].value)
