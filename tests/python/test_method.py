"""Methods written in Python: they play as the library's do, are saved and pickled, and fail with their own exceptions."""
import gc
import pickle
import weakref

import numpy as np
import pytest

import ofw
from conftest import bits


class Leader(ofw.Method):
    """The library's `ofw`, as examples/own_learner.c has it."""
    name = "leader"

    def __init__(self, step=1.0):
        self.step = step

    def start(self, game):
        return {"d": np.zeros(game.domain.shape)}

    def observe(self, game, now):
        d, eta = game.memory["d"], self.step * game.domain.outer_radius / (game.lipschitz * game.horizon**0.75)
        game.sigma = min(1.0, 2.0 / now.number**0.5)
        d += eta * now.gradient
        e = game.lmo(d) - game.x
        d += 2.0 * game.sigma * e
        return game.x + game.sigma * e


class Priced(ofw.Method):
    """Projected steps with a price on the violation."""
    name, projects, anytime = "priced", True, True

    def observe(self, game, now):
        price = 1.0 + now.total_violation
        game.log_price = np.log(price)
        return game.project(game.x - (now.gradient + price * (now.violation > 0) * now.constraint_gradient) / now.number**0.5)


class Faulty(ofw.Method):
    name, anytime = "faulty", True

    def __init__(self, observe=None, start=None):
        self.do, self.first = observe, start

    def start(self, game):
        return self.first(game) if self.first else None

    def observe(self, game, now):
        return self.do(game, now)


def rounds(n, dim=5):
    return [np.cos(1.7 * np.arange(dim)) + 0.5 * np.sin(t + 2.0 * np.arange(dim)) for t in range(1, n + 1)]


def play(learner, costs):
    seen = []
    for cost in costs:
        x = np.asarray(learner.decide())
        seen.append(bits(x))
        learner.observe(cost @ x, cost)
    return seen


def test_it_decides_as_the_same_method_of_the_library():
    settings = {"horizon": 300, "lipschitz": 3.0}
    mine = ofw.Learner(Leader(step=4.0), ofw.L1Ball(5), **settings)
    theirs = ofw.Learner("ofw", ofw.L1Ball(5), step=4.0, **settings)
    moved = 0.0
    for cost in rounds(300):
        x, y = np.asarray(mine.decide()), np.asarray(theirs.decide())
        assert np.abs(x - y).max() < 1e-12
        moved = max(moved, np.abs(x).max())
        mine.observe(cost @ x, cost)
        theirs.observe(cost @ y, cost)
    assert moved > 0.1
    assert mine.info.oracle_calls == theirs.info.oracle_calls == 300
    assert mine.info.sigma == theirs.info.sigma and mine.info.gap == pytest.approx(theirs.info.gap)
    assert mine.name == "leader" and mine.config["learner"] == "leader"


@pytest.mark.parametrize("horizon", [100, None])
def test_a_state_resumes_bit_for_bit(tmp_path, horizon):
    def make():
        return ofw.Learner(Leader(), ofw.L1Ball(5), horizon=horizon, lipschitz=3.0)
    costs = rounds(100)
    whole = play(make(), costs)
    begun = make()
    play(begun, costs[:37])
    begun.save(tmp_path / "state")
    copies = [make(), pickle.loads(pickle.dumps(begun))]
    copies[0].load(tmp_path / "state")
    for copy in copies:
        assert play(copy, costs[37:]) == whole[37:]
    assert play(begun, costs[37:]) == whole[37:]


def test_a_refused_state_changes_nothing():
    learner = ofw.Learner(Leader(), ofw.L1Ball(5), lipschitz=3.0)
    costs = rounds(60)
    whole = play(ofw.Learner(Leader(), ofw.L1Ball(5), lipschitz=3.0), costs)
    play(learner, costs[:20])
    state = bytearray(learner._get_state())
    state[len(state) // 2] ^= 1
    with pytest.raises(ofw.Error):
        learner._set_state(bytes(state))
    assert play(learner, costs[20:]) == whole[20:]


def test_a_method_may_project_and_price():
    K, cost, carbon = ofw.Simplex(3), np.array([2.0, 1.0, 3.0]), np.array([1.0, 4.0, 2.0])
    learner, y, total = ofw.Learner(Priced(), K), np.full(3, 1 / 3), 0.0
    for t in range(1, 201):
        x = np.asarray(learner.decide())
        assert np.abs(x - y).max() < 1e-9
        over = carbon @ x - 2
        learner.observe(cost @ x, cost, over, carbon)
        total += max(0.0, over)
        y = K.project(y - (cost + (over > 0) * (1 + total) * carbon) / t**0.5)
    info = learner.info
    assert total > 1.0 and info.violation == pytest.approx(total)
    assert info.projections == 200 and info.price == pytest.approx(1.0 + total)
    with pytest.raises(ofw.UnsupportedError):
        ofw.Learner(Priced(), ofw.TraceBall(3, 3, radius=1.0), storage="factored")


def test_a_bandit_method_sees_numbers_only_and_probes():
    class Blind(ofw.Method):
        name, bandit, anytime = "blind", True, True

        def start(self, game):
            game.delta = 0.25

        def observe(self, game, now):
            assert now.gradient is None and now.constraint_gradient is None
            assert np.linalg.norm(now.played - game.x) == pytest.approx(0.25)
            return game.x
    learner = ofw.Learner(Blind(), ofw.L2Ball(3))
    assert learner.bandit
    for _ in range(5):
        learner.decide()
        learner.observe(1.0, constraint=0.5)
    assert learner.info.violation == 2.5


def test_it_plays_the_librarys_streams_and_matrices():
    K = ofw.L2Ball(10)
    played = ofw.run(ofw.Learner(Priced(), K), ofw.stream("quadratic", K, rounds=500), 500)
    assert played.label == "priced" and len(played.loss) == 500
    learner = ofw.Learner(Leader(), ofw.TraceBall(4, 3, radius=2.0), horizon=10, lipschitz=3.0)
    learner.decide()
    learner.observe(0.0, np.ones((4, 3)))
    assert np.asarray(learner.decide()).shape == (4, 3) and np.asarray(learner.decide()).min() < -0.1


@pytest.mark.parametrize("what, error, text", [
    (lambda game, now: 1 / 0, ZeroDivisionError, "division"),
    (lambda game, now: [1.0, 0.0], ofw.UsageError, r"the decision: expected shape \(3,\), found \(2,\)"),
    (lambda game, now: [np.nan, 0.0, 1.0], ofw.NumericalError, "faulty: its observe left a number that is not finite"),
    (lambda game, now: [2.0, 0.0, 0.0], ofw.NumericalError, "faulty: its observe left an x that is 1 outside simplex"),
    (lambda game, now: game.project(game.x), ofw.UsageError, "projects"),
    (lambda game, now: game.lmo([np.inf, 0.0, 0.0]), ofw.NumericalError, "direction is not finite at coordinate 1"),
    (lambda game, now: game._learner.observe(0.0, [1.0, 0.0, 0.0]), ofw.UsageError, "in use"),
])
def test_a_failure_is_raised_and_ends_the_play(what, error, text):
    learner = ofw.Learner(Faulty(what), ofw.Simplex(3))
    learner.decide()
    with pytest.raises(error, match=text):
        learner.observe(0.0, [1.0, 0.0, 0.0])
    with pytest.raises(ofw.Error):
        learner.decide()


@pytest.mark.parametrize("method, error, text", [
    (ofw.Method(), ofw.UsageError, "name"),
    (type("Taken", (Faulty,), {"name": "ofw-ada"})(), ofw.UsageError, "the library has a learner of this name"),
    (Faulty(start=lambda game: 1 / 0), ZeroDivisionError, "division"),
    (Faulty(start=lambda game: game.lmo([1.0, 0.0, 0.0])), ofw.UsageError, "only while it observes"),
    (Faulty(start=lambda game: {"words": ["a"]}), ValueError, "could not convert"),
    (Faulty(start=lambda game: setattr(game, "delta", 0.1)), ofw.UsageError, "only bandit methods probe"),
])
def test_a_method_that_cannot_start_makes_no_learner(method, error, text):
    with pytest.raises(error, match=text):
        ofw.Learner(method, ofw.Simplex(3))


def test_without_observe_it_says_so():
    class Empty(ofw.Method):
        name, anytime = "empty", True
    learner = ofw.Learner(Empty(), ofw.Simplex(3))
    learner.decide()
    with pytest.raises(NotImplementedError, match="Empty: a method of your own needs observe"):
        learner.observe(0.0, [1.0, 0.0, 0.0])


def test_neither_the_learner_nor_the_game_is_leaked():
    games = []

    def observe(game, now):
        games.append(weakref.ref(game))
        return game.x
    learner = ofw.Learner(Faulty(observe), ofw.Simplex(3))
    learner.decide()
    learner.observe(0.0, [1.0, 0.0, 0.0])
    held = weakref.ref(learner)
    del learner
    gc.collect()
    assert held() is None and games[0]() is None
