"""OnlineMatrixCompletion: it learns, keeps the cap, follows scikit-learn's conventions, and refuses bad input."""
import pickle

import numpy as np
import pytest

import ofw
from conftest import bits

USERS, ITEMS = 60, 40


def batches(seed, count, size=150):
    """Ratings of rank 2 about 3, from 1 to 5."""
    rng = np.random.default_rng(seed)
    truth = np.clip(3.0 + rng.standard_normal((USERS, 2)) @ rng.standard_normal((2, ITEMS)), 1.0, 5.0)
    for _ in range(count):
        users, items = rng.integers(USERS, size=size), rng.integers(ITEMS, size=size)
        yield users, items, truth[users, items]


def test_it_learns():
    model, scores = ofw.OnlineMatrixCompletion(USERS, ITEMS, clip=(1.0, 5.0)), []
    for users, items, ratings in batches(1, 300):
        if hasattr(model, "learner_"):
            scores.append(model.score(users, items, ratings))            # before they are learnt
        assert model.partial_fit(users, items, ratings) is model
    assert np.mean(scores[-20:]) > 0.8 > 0.5 > np.mean(scores[:5])
    assert model.n_ratings_seen_ == 300 * 150 and model.n_features_in_ == 2
    found = model.predict(np.repeat(7, ITEMS), np.arange(ITEMS))
    assert found.min() >= 1.0 and found.max() <= 5.0
    assert model.recommend(7, 3) == np.argsort(-found, kind="stable")[:3].tolist()
    assert model.recommend(7, 3, exclude=model.recommend(7, 2))[0] == model.recommend(7, 3)[2]


def test_the_rounds_are_those_of_the_learner():
    """The same loss, gradient and constraint, told by hand; pairs that repeat count as often."""
    capped, rounds = [3, 5], list(batches(2, 20))
    model = ofw.OnlineMatrixCompletion(USERS, ITEMS, radius=50.0, capped_items=capped, cap=3.1, baseline=False)
    learner = ofw.Learner("ofw-ada", ofw.TraceBall(USERS, ITEMS, radius=50.0))
    offset, exposure = rounds[0][2].mean(), np.zeros((USERS, ITEMS))
    exposure[:, capped] = 1.0 / (2 * USERS)
    for users, items, ratings in rounds:
        model.partial_fit(users, items, ratings)
        x = np.asarray(learner.decide())
        error, gradient = x[users, items] + offset - ratings, np.zeros((USERS, ITEMS))
        np.add.at(gradient, (users, items), error / len(error))
        learner.observe(0.5 * np.mean(error**2), gradient, (x * exposure).sum() + offset - 3.1, exposure)
    assert np.allclose(model.learner_.decide(), learner.decide(), atol=1e-6)
    assert np.isclose(model.learner_.info.Q, learner.info.Q)


def test_the_cap_is_kept():
    capped = list(range(8))
    exposures = []
    for cap in (None, 2.5):
        model = ofw.OnlineMatrixCompletion(USERS, ITEMS, capped_items=None if cap is None else capped, cap=cap)
        for batch in batches(3, 400):
            model.partial_fit(*batch)
        exposures.append(np.mean([model.predict(np.arange(USERS), np.full(USERS, item)).mean() for item in capped]))
    assert exposures[0] > 2.6 and exposures[1] < 2.55


def test_the_baseline():
    """The mean, the items' shrunk means of what is left, then the users'."""
    model = ofw.OnlineMatrixCompletion(USERS, ITEMS, learner="still", options={"lipschitz": 1.0})      # whose matrix stays 0
    for users, items, ratings in (rounds := list(batches(6, 1, size=400))):
        model.partial_fit(users, items, ratings)
    users, items, ratings = (np.concatenate(parts) for parts in zip(*rounds))
    mean = ratings.mean()
    by_item = np.array([(ratings[items == i] - mean).sum() / ((items == i).sum() + 5) for i in range(ITEMS)])
    by_user = np.array([(ratings - mean - by_item[items])[users == u].sum() / ((users == u).sum() + 5) for u in range(USERS)])
    assert np.isclose(model.mean_, mean) and np.allclose(model.item_bias_, by_item) and np.allclose(model.user_bias_, by_user)
    assert np.allclose(model.predict([3, 4], [5, 6]), mean + by_user[[3, 4]] + by_item[[5, 6]])


def test_conventions():
    model = ofw.OnlineMatrixCompletion(USERS, ITEMS, radius=9.0)
    assert model.get_params()["radius"] == 9.0 and model.set_params(radius=4.0).radius == 4.0
    with pytest.raises(ofw.UsageError):
        model.set_params(radios=1.0)
    assert eval(repr(model), {"OnlineMatrixCompletion": ofw.OnlineMatrixCompletion}).get_params() == model.get_params()
    batch = next(batches(4, 1))
    model.fit(*batch)
    assert model.fit(*batch).n_ratings_seen_ == 150 and model.learner_.info.round == 2
    again = pickle.loads(pickle.dumps(model))
    for one in (model, again):
        one.partial_fit(*batch)
    assert bits(model.learner_.decide()) == bits(again.learner_.decide())


def test_sklearn_can_clone_it():
    base = pytest.importorskip("sklearn.base")
    model = ofw.OnlineMatrixCompletion(USERS, ITEMS, radius=9.0, options={"seed": 3})
    assert base.clone(model).get_params() == model.get_params() and not hasattr(base.clone(model), "learner_")


@pytest.mark.parametrize("batch", [
    ([0], [0, 1], [1.0]), ([0], [0], [1.0, 2.0]), ([USERS], [0], [1.0]), ([-1], [0], [1.0]), ([0], [ITEMS], [1.0]), ([0.5], [0], [1.0]),
    ([[0]], [[0]], [[1.0]]), ([0], [0], [float("nan")]), ([0], [0], [float("inf")])])
def test_bad_ratings_change_nothing(batch):
    model = ofw.OnlineMatrixCompletion(USERS, ITEMS)
    with pytest.raises(ofw.Error):
        model.predict([0], [0])
    model.partial_fit(*next(batches(5, 1)))
    before = model.learner_._get_state()
    with pytest.raises(ofw.DataError):
        model.partial_fit(*batch)
    assert model.learner_._get_state() == before and model.n_ratings_seen_ == 150


def test_what_it_cannot_be_made_with():
    for arguments in ({"capped_items": [1]}, {"cap": 1.0}, {"radius": -1.0}, {"learner": "none"}, {"capped_items": [99], "cap": 1.0}):
        model = ofw.OnlineMatrixCompletion(USERS, ITEMS, **arguments)
        with pytest.raises(ofw.Error):
            model.partial_fit([0], [0], [1.0])
        assert not hasattr(model, "learner_")
