"""Every learner over every set decides over the pipe as it does in Python, to the last bit, also when it is pickled on the way."""
import pickle

import numpy as np
import pytest

import ofw
from ofw import _core
from conftest import bits, feedback, pipe

ROUNDS = 14
SETTINGS = {"horizon": 50, "lipschitz": 3.0, "strong_convexity": 0.5, "loss_bound": 5.0, "seed": 7}


def form(vector, domain, turn):
    """The pipe's vector as one of the forms that Python takes: lists, arrays of other strides, pairs, scipy.sparse."""
    if isinstance(vector, dict):
        index, value = np.array(vector["index"], dtype=int), vector["value"]
        if turn % 3 == 0 and len(domain.shape) == 2:
            return np.unravel_index(index, domain.shape), value
        if turn % 3 == 1:
            sparse = pytest.importorskip("scipy.sparse")
            rows, cols = domain.shape if len(domain.shape) == 2 else (domain.dim, 1)
            return sparse.csr_matrix((value, (index // cols, index % cols)), shape=(rows, cols))
        return index, value
    if turn % 3 == 0:
        return vector
    if turn % 3 == 1:
        return np.repeat(vector, 2)[::2]
    return np.array(vector).reshape(domain.shape)


def tell(learner, line, turn):
    """A line of the pipe as a call of observe."""
    gradient, several = line.get("constraint_gradient"), isinstance(line.get("constraint"), list)
    if several and gradient is not None:
        gradient = [form(one, learner.domain, turn) for one in gradient]
    elif gradient is not None:
        gradient = form(gradient, learner.domain, turn)
    loss_gradient = line.get("loss_gradient")
    learner.observe(line["loss"], None if loss_gradient is None else form(loss_gradient, learner.domain, turn),
                    constraint=line.get("constraint"), constraint_gradient=gradient)


def in_python(learner, lines):
    """The decisions of a learner that is pickled in the middle of a play: before a decision, and between one and its feedback."""
    decisions = []
    for turn, line in enumerate([*lines, None]):
        if turn == ROUNDS // 3:
            learner = pickle.loads(pickle.dumps(learner))
        x = learner.decide()
        assert x.shape == learner.domain.shape
        decisions.append((np.asarray(x), x.centre))
        if turn == 2 * ROUNDS // 3:
            learner = pickle.loads(pickle.dumps(learner))
        if line is not None:
            tell(learner, line, turn)
    return decisions


def compare(name, domain):
    rng = np.random.default_rng([len(name), domain.dim])
    try:
        learner = ofw.Learner(name, domain, **SETTINGS)
    except ofw.Error as error:
        status, _, message = pipe(name, domain.spec, SETTINGS, [])
        assert status != 0 and str(error) in message
        return False
    lines = [feedback(rng, domain.dim, learner.bandit) for _ in range(ROUNDS)]
    status, printed, message = pipe(name, domain.spec, SETTINGS, lines)
    assert status == 0, message
    played = in_python(learner, lines)
    assert len(played) == len(printed)
    for (decision, centre), line in zip(played, printed):
        assert bits(decision) == bits(line["decision"]), f"{name}, round {line['round']}"
        assert bits(centre) == bits(line.get("center", line["decision"])), f"{name}, round {line['round']}"
    return True


@pytest.mark.parametrize("kind", [kind["name"] for kind in _core.types("domain")])
def test_same_bits_as_the_pipe(kind):
    example = next(row["example"] for row in _core.types("domain") if row["name"] == kind)
    domain = ofw.Domain(example)
    compared = [name for name in ofw.learners() if compare(name, domain)]
    assert {"ofw-ada", "ofw-tvc", "scofw-tvc"} <= set(compared)


def test_rank_one():
    domain, rng = ofw.TraceBall(5, 4, radius=3.0), np.random.default_rng(3)
    learner, lines = ofw.Learner("ofw-ada", domain), []
    decisions = []
    for _ in range(10):
        decisions.append(np.asarray(learner.decide()))
        u, v = rng.standard_normal(5), rng.standard_normal(4)
        learner.observe(0.0, (u, v), 0.5, (v[[0, 1, 2, 3, 0]], v))
        lines.append({"loss": 0, "loss_gradient": {"u": u.tolist(), "v": v.tolist()}, "constraint": 0.5,
                      "constraint_gradient": {"u": v[[0, 1, 2, 3, 0]].tolist(), "v": v.tolist()}})
    printed = pipe("ofw-ada", domain.spec, {}, lines)[1]
    assert [bits(x) for x in decisions] == [bits(line["decision"]) for line in printed[:-1]]


def test_factors_of_several_columns():
    """(U, V) of k columns is the sum of k matrices of rank one."""
    domain, rng = ofw.TraceBall(6, 5, radius=3.0), np.random.default_rng(3)
    first, second = (ofw.Learner("ogd", domain, horizon=10, lipschitz=20.0) for _ in range(2))
    for _ in range(10):
        first.decide(), second.decide()
        U, V = rng.standard_normal((6, 3)), rng.standard_normal((5, 3))
        assert np.isclose(second.decide().dot((U, V)), (np.asarray(second.decide()) * (U @ V.T)).sum())
        first.observe(0.0, (U, V))
        second.observe(0.0, U @ V.T)
    assert np.allclose(first.decide(), second.decide(), atol=1e-9)


def hinted(rng, turn):
    """A round with two limits <a, x> <= c and what is told of the next one: nothing, the same limits, one, or that there is none."""
    limits = [(rng.standard_normal(4), 0.1) for _ in range(2)]
    line = {"loss": float(rng.standard_normal()), "loss_gradient": rng.standard_normal(4).tolist(),
            "constraint": [float(rng.standard_normal()) for _ in limits], "constraint_gradient": [a.tolist() for a, _ in limits]}
    if turn % 4 == 1:
        line |= {"next_constraint": line["constraint"], "next_constraint_gradient": line["constraint_gradient"]}
    if turn % 4 == 2:
        line |= {"next_constraint": 0.25, "next_constraint_gradient": limits[0][0].tolist()}
    if turn % 4 == 3:
        line |= {"next_constraint": [], "next_constraint_gradient": []}
    return line


@pytest.mark.parametrize("name", ["ofw-ada", "ofw-tvc"])
def test_hints_as_over_the_pipe(name):
    """By observe and by a stream of one's own; a learner that uses no hints ignores them."""
    domain, rng = ofw.L2Ball(4), np.random.default_rng(11)
    lines = [hinted(rng, turn) for turn in range(40)]
    printed = pipe(name, domain.spec, SETTINGS, lines)[1]
    rounds = [{"gradient" if key == "loss_gradient" else key: value for key, value in line.items()} for line in lines]
    learner = ofw.Learner(name, domain, **SETTINGS)
    played = []
    for given in rounds:
        played.append(bits(learner.decide()))
        learner.observe(**given)
    assert played == [bits(line["decision"]) for line in printed[:-1]]
    seen = []
    ofw.run(ofw.Learner(name, domain, **SETTINGS), lambda t, x: (seen.append(bits(x)), rounds[t - 1])[1], len(rounds))
    assert seen == played
    without = ofw.Learner(name, domain, **SETTINGS)
    for given in rounds:
        without.decide()
        without.observe(**{key: value for key, value in given.items() if not key.startswith("next")})
    assert (bits(without.decide()) != bits(learner.decide())) == (name == "ofw-ada")
