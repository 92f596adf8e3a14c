"""Learners in Python: what they refuse and that a refusal changes nothing, points, copies, files, threads, memory."""
import copy
import gc
import pickle
import resource
import threading
import time

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as arrays

import ofw
from conftest import bits

GOOD = (0.5, [1.0, -1.0, 0.5], 0.2, [0.0, 1.0, 0.0])


def fresh(name="ofw-ada", domain=None, **options):
    learner = ofw.Learner(name, domain or ofw.Simplex(3), **options)
    learner.decide()
    return learner


def refused(learner, *args, error=ofw.Error, **named):
    """observe raises, and neither the state nor the pending decision has changed."""
    x, before = learner.decide(), learner._get_state()
    shown = bits(x)
    with pytest.raises(error):
        learner.observe(*args, **named)
    assert learner._get_state() == before
    assert bits(x) == shown and bits(learner.decide()) == shown


NAN, INF = float("nan"), float("inf")
BAD = [
    (NAN, [1.0, 2.0, 3.0]),
    (INF, [1.0, 2.0, 3.0]),
    ("half", [1.0, 2.0, 3.0]),
    (None, [1.0, 2.0, 3.0]),
    ([0.5, 0.5], [1.0, 2.0, 3.0]),
    (0.5, None),                                      # a learner with full information needs gradients
    (0.5, [1.0, 2.0]),
    (0.5, [1.0, 2.0, 3.0, 4.0]),
    (0.5, np.ones((3, 1))),
    (0.5, np.ones((1, 3))),
    (0.5, [1.0, NAN, 3.0]),
    (0.5, np.array([1.0, 2.0, INF])),
    (0.5, np.array([1.0, 2.0, 3.0], dtype=complex)),
    (0.5, np.array(["1", "2", "3"])),
    (0.5, np.array([1.0, 2.0, None], dtype=object)),
    (0.5, np.array([True, False, True])),
    (0.5, [[1.0], [2.0, 3.0]]),
    (0.5, "abc"),
    (0.5, {"index": [0], "value": [1.0]}),
    (0.5, ([0, 3], [1.0, 1.0])),
    (0.5, ([-1], [1.0])),
    (0.5, ([0, 0], [1.0, 1.0])),
    (0.5, ([0, 1], [1.0])),
    (0.5, ([0.0, 1.0], [1.0, 1.0])),                  # a pair of factors, on a set of vectors
    (0.5, ([0], [NAN])),
    (0.5, ([0], [1.0], [1.0])),
    (0.5, scipy.sparse.csr_matrix((3, 3))),
    (0.5, scipy.sparse.csr_matrix(np.ones((3, 1)), dtype=complex)),
    (0.5, [1.0, 2.0, 3.0], 0.1),                      # without its gradient
    (0.5, [1.0, 2.0, 3.0], -0.1),
    (0.5, [1.0, 2.0, 3.0], NAN, [1.0, 0.0, 0.0]),
    (0.5, [1.0, 2.0, 3.0], "much", [1.0, 0.0, 0.0]),
    (0.5, [1.0, 2.0, 3.0], None, [1.0, 0.0, 0.0]),
    (0.5, None, 0.1, [1.0, 0.0, 0.0]),
    (0.5, [1.0, 2.0, 3.0], 0.1, [1.0, 0.0]),
    (0.5, [1.0, 2.0, 3.0], [0.1, 0.2], [[1.0, 0.0, 0.0]]),
    (0.5, [1.0, 2.0, 3.0], [0.1, 0.2], None),
    (0.5, [1.0, 2.0, 3.0], [0.1, NAN], [[1.0, 0.0, 0.0]] * 2),
    (0.5, [1.0, 2.0, 3.0], [0.1, 0.2], [[1.0, 0.0, 0.0], [1.0, 0.0]]),
    (0.5, [1.0, 2.0, 3.0], [0.1, "x"], [[1.0, 0.0, 0.0]] * 2),
    (0.5, [1.0, 2.0, 3.0], [0.1], 7),
    (*GOOD, 0.1),                                     # what is told of the coming round, without its gradient
    (*GOOD, None, [1.0, 0.0, 0.0]),
    (*GOOD, NAN, [1.0, 0.0, 0.0]),
    (*GOOD, 0.1, [1.0, 0.0]),
    (*GOOD, 0.1, [1.0, NAN, 0.0]),
    (*GOOD, [0.1, 0.2], [[1.0, 0.0, 0.0]]),
    (*GOOD, [0.1], 7),
]


@pytest.mark.parametrize("feedback", BAD, ids=range(len(BAD)))
def test_bad_feedback_changes_nothing(feedback):
    learner = fresh()
    for _ in range(5):
        learner.observe(*GOOD)
        learner.decide()
    refused(learner, *feedback)


def test_bad_feedback_for_a_bandit():
    learner = fresh("bfw-tvc", horizon=20, lipschitz=1.0, loss_bound=1.0)
    assert learner.bandit
    refused(learner, 0.5, [1.0, 2.0, 3.0], error=ofw.UsageError)
    refused(learner, 0.5, constraint=0.5, constraint_gradient=[1.0, 2.0, 3.0], error=ofw.UsageError)
    refused(learner, 0.5, next_constraint=0.5, next_constraint_gradient=[1.0, 2.0, 3.0], error=ofw.UsageError)
    learner.observe(0.5, constraint=[0.1, -0.2])
    assert learner.info.violation == 0.1


@settings(max_examples=100, deadline=None)
@given(arrays.arrays(dtype=arrays.floating_dtypes() | arrays.integer_dtypes() | arrays.unsigned_integer_dtypes(),
                     shape=arrays.array_shapes(max_dims=3, max_side=4)))
def test_any_array_is_taken_as_its_numbers_or_refused(array):
    """A gradient of another dtype or layout counts as its numbers; one of another shape, or not finite, is refused."""
    learner, twin = fresh(), fresh()
    numbers = array.astype(np.float64)
    if array.shape == (3,) and np.isfinite(numbers).all():
        learner.observe(0.0, array)
        twin.observe(0.0, numbers.tolist())
        assert learner._get_state() == twin._get_state()
    else:
        refused(learner, 0.0, array)


def test_layouts_count_alike():
    v = np.array([0.25, -1.0, 2.0])
    frozen = v.copy()
    frozen.flags.writeable = False
    wide = np.zeros(6)
    wide[::2] = v
    states = set()
    for form in (v, frozen, wide[::2], v[::-1][::-1], v.astype(np.float32), v.astype(">f8"), v.tolist(), memoryview(v),
                 ([0, 1, 2], v), (np.array([2, 0, 1], dtype=np.uint8), v[[2, 0, 1]]), scipy.sparse.csc_matrix(v),
                 scipy.sparse.coo_matrix(v[:, None])):
        learner = ofw.Learner("ofw-ada", ofw.Simplex(3))
        learner.decide()
        learner.observe(0.0, form)
        states.add(bits(learner.decide()))
    assert len(states) == 1


def test_arguments_of_observe():
    learner = fresh()
    for args, named in (((), {}), ((0.5,) * 7, {}), ((0.5,), {"loss": 0.5}), ((0.5,), {"slope": [1.0]}), ((), {"gradient": [1.0]})):
        with pytest.raises(TypeError):
            learner.observe(*args, **named)
    learner.tell(loss=0.5, gradient=[1.0, 2.0, 3.0])
    with pytest.raises(ofw.UsageError, match="ask for the decision of round 2 first"):
        learner.tell(loss=0.5, gradient=[1.0, 2.0, 3.0])


@pytest.mark.parametrize("make", [
    lambda: ofw.Learner("ofw-adda", ofw.Simplex(3)),
    lambda: ofw.Learner("ofw-tvc", ofw.Simplex(3)),
    lambda: ofw.Learner("ofw-tvc", ofw.Simplex(3), lipschitz=1.0, sigmma="line-search"),
    lambda: ofw.Learner("ofw-tvc", ofw.Simplex(3), lipschitz=1.0, sigma="no-search"),
    lambda: ofw.Learner("ofw-ada", ofw.Simplex(3), horizon=-1),
    lambda: ofw.Learner("ofw-ada", ofw.Simplex(3), seed=2**64),
    lambda: ofw.Learner("ofw-ada", ofw.Simplex(3), threads=-1),
    lambda: ofw.Learner("ofw-ada", "simplexx:dim=3"),
    lambda: ofw.Learner("ofw-ada", 3),
    lambda: ofw.Learner("ogd", ofw.Flows("(1 2 1;1 3 1;2 3 1)", from_=1, to=3, value=1.0), lipschitz=1.0),
])
def test_learners_that_cannot_be_made(make):
    with pytest.raises(ofw.Error) as raised:
        make()
    assert isinstance(raised.value, (ValueError, NotImplementedError)) and str(raised.value)


def test_settings_and_options():
    learner = ofw.Learner("ofw-tvc", ofw.L1Ball(9, radius=3.0), horizon=100, lipschitz=2.0, sigma="line-search", gamma_scale=0.5,
                          sample=True)
    assert learner.config["domain"] == "l1-ball:dim=9,radius=3"
    assert (learner.config["horizon"], learner.config["sigma"], learner.config["gamma-scale"]) == ("100", "line-search", "0.5")
    learner.decide()
    assert learner.sample().shape == (9,)
    with pytest.raises(ofw.UnsupportedError):
        fresh().sample()


def test_info():
    learner = fresh()
    learner.observe(*GOOD)
    info = learner.info
    assert (info.round, info.Q, info.oracle_calls) == (2, 0.2, 1)
    assert info.price == np.exp(info.log_price) and 0 <= info.step <= 1 and info.certificate == (info.regret_bound, info.ccv_bound)


# ---- points ----

def test_a_point_of_a_matrix():
    learner = ofw.Learner("ofw-ada", ofw.TraceBall(4, 3, radius=2.0))
    rng = np.random.default_rng(0)
    for _ in range(5):
        learner.decide()
        learner.observe(0.0, rng.standard_normal((4, 3)))
    x = learner.decide()
    whole = np.asarray(x)
    assert (x.shape, x.ndim, x.size, len(x), whole.shape) == ((4, 3), 2, 12, 4, (4, 3))
    assert x[1, 2] == whole[1, 2] == x[-3, -1] and bits(x[2]) == bits(whole[2]) == bits(x.row(2)) == bits(x.row(-2))
    assert bits(x[:, 1]) == bits(whole[:, 1]) and bits(x[1:, 0]) == bits(whole[1:, 0]) and bits(list(x)) == bits(whole)
    rows, cols = np.array([[3, 0], [-1, 2]]), np.array([1, -3])
    assert bits(x[rows, cols]) == bits(whole[rows, cols]) and bits(x[[1, 2], 0]) == bits(whole[[1, 2], 0]) and x[[], []].shape == (0,)
    assert bits(x[whole > 0]) == bits(whole[whole > 0]) and bits(x[..., 1]) == bits(whole[..., 1]) and bits(x[[0, 2]]) == bits(whole[[0, 2]])
    columns, numbers = x.top(3, 2)
    order = np.argsort(-whole[3], kind="stable")
    assert columns == order[:2].tolist() and numbers == whole[3][order[:2]].tolist()
    assert x.top(3, 5, exclude=[int(order[0])])[0] == order[1:].tolist()
    d = rng.standard_normal((4, 3))
    assert np.isclose(x.dot(d), (d * whole).sum()) and x.dot(([0], [2.0])) == 2.0 * whole[0, 0]
    assert np.asarray(x, dtype=np.float32).dtype == np.float32 and (d @ whole.T == d @ np.asarray(x).T).all()
    for bad in (lambda: x[4, 0], lambda: x[0, 3], lambda: x[4], lambda: x[[0, 4], 0], lambda: x[0, [-4]], lambda: x.row(7), lambda: x.top(9, 1), lambda: x.top(0, -1),
                lambda: x.top(0, 1, exclude=[5]), lambda: x.top(0, 1, exclude=[-1]), lambda: x.dot(np.ones(5))):
        with pytest.raises((ofw.Error, IndexError)):
            bad()


def test_a_decision_is_over_when_its_round_is():
    learner = fresh()
    x = learner.decide()
    learner.observe(*GOOD)
    for read in (lambda: np.asarray(x), lambda: x[0], lambda: x.dot([1.0, 0.0, 0.0]), lambda: x.row(0), lambda: x.centre):
        with pytest.raises(ofw.UsageError, match="over"):
            read()
    assert "over" in repr(x) and x.shape == (3,)
    with pytest.raises(TypeError):
        ofw.Point()


def test_a_matrix_that_is_never_written_out():
    """10^9 entries as factors: nothing of that size is made."""
    learner = ofw.Learner("ofw-ada", ofw.TraceBall(40000, 25000, radius=10.0), storage="factored", rank=8)
    for t in range(3):
        x = learner.decide()
        learner.observe(0.0, ((np.array([t, 5]), np.array([7, t])), [1.0, -1.0]))
    x = learner.decide()
    assert x.row(5).shape == (25000,) and isinstance(x[5, 2], float)
    with pytest.raises(ofw.UnsupportedError, match="too large"):
        np.asarray(x)


# ---- copies and files ----

def play(learner, rounds, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(rounds):
        learner.decide()
        v = rng.standard_normal(3)
        learner.observe(float(v[0]), v, float(v[1]), v[::-1])
    return bits(learner.decide())


def test_copies_go_their_own_way():
    learner = ofw.Learner("ofw-ada", ofw.Simplex(3))
    play(learner, 10)
    for twin in (copy.deepcopy(learner), copy.copy(learner), pickle.loads(pickle.dumps(learner))):
        assert twin._get_state() == learner._get_state()
        before = learner._get_state()
        play(twin, 3)
        assert learner._get_state() == before


def test_save_and_load(tmp_path):
    learner, other = (ofw.Learner("ofw-ada", ofw.Simplex(3)) for _ in range(2))
    play(learner, 10)
    learner.save(tmp_path / "état")
    other.load(tmp_path / "état")
    assert play(learner, 5) == play(other, 5)
    with pytest.raises(ofw.MissingError) as raised:
        other.load(tmp_path / "none")
    assert isinstance(raised.value, FileNotFoundError)
    (tmp_path / "bad").write_bytes(b"no state at all")
    before = other._get_state()
    for path in (tmp_path / "bad", tmp_path / "état"):
        target = other if path.name == "bad" else ofw.Learner("ofw-ada", ofw.Simplex(4))
        with pytest.raises(ofw.DataError):
            target.load(path)
    assert other._get_state() == before
    with pytest.raises(ofw.DataError):
        other._set_state(before[:-3])


def test_context_manager():
    with ofw.Learner("ofw-ada", ofw.Simplex(3)) as learner:
        x = learner.decide()
    for call in (learner.decide, lambda: learner.info, lambda: np.asarray(x), lambda: pickle.dumps(learner)):
        with pytest.raises(ofw.UsageError):
            call()
    learner.close()


# ---- threads and memory ----

def test_the_lock_is_released_and_a_busy_learner_is_refused():
    """While one thread is in a long oracle call, another goes on; it may not touch the same learner."""
    learner = ofw.Learner("ofw-tvc", ofw.TraceBall(1500, 1500), horizon=10, lipschitz=1e4, oracle_tolerance=1e-14)
    gradient = np.random.default_rng(0).standard_normal((1500, 1500))
    for _ in range(3):              # a machine may be busy for once
        learner.decide()
        spans, refusals = [], 0
        thread = threading.Thread(target=lambda: spans.append((time.perf_counter(), learner.observe(0.0, gradient), time.perf_counter())))
        ticks = [time.perf_counter()]
        thread.start()
        while thread.is_alive():
            ticks.append(time.perf_counter())
            try:
                learner.info
            except ofw.UsageError as error:
                assert "in use" in str(error)
                refusals += 1
        begun, _, ended = spans[0]
        longest = max(b - a for a, b in zip(ticks, ticks[1:]))
        if longest < 0.5 * (ended - begun) and refusals:
            return
    pytest.fail(f"the other thread stood still for {longest:.3f} of {ended - begun:.3f} seconds, {refusals} refusals")


def test_two_threads_give_the_bits_of_one():
    alone = [play(ofw.Learner("ofw-ada", ofw.Simplex(3)), 500, seed) for seed in range(4)]
    found = [None] * 4

    def work(seed):
        found[seed] = play(ofw.Learner("ofw-ada", ofw.Simplex(3)), 500, seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def resident():
    """Bytes in use, in pages of the process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_no_leak_over_many_learners():
    """10^5 learners with a round each, refused feedback, cycles and copies: 40 bytes a learner would be seen."""
    K, gradient = ofw.Simplex(3), np.ones(3)

    def some(n):
        for i in range(n):
            learner = ofw.Learner("ofw-ada", K)
            x = learner.decide()
            x[0]
            learner.observe(0.5, gradient, 0.5, ([1], [1.0]))
            if i % 16 == 0:
                pickle.loads(pickle.dumps(learner))
                learner.last = learner.decide()                # a cycle
                np.asarray(learner.last)
                with pytest.raises(ofw.DataError):
                    learner.observe(0.5, [1.0, NAN, 0.0], [0.1, 0.2], [[1.0, 0.0, 0.0], ([0], [1.0])])
        gc.collect()

    some(20000)
    before = resident()
    some(100000)
    assert resident() - before < 4_000_000


# ---- late feedback ----

def test_late_feedback_names_its_round():
    learner = ofw.Learner("ofw-ada", ofw.Simplex(3), delay=2)
    rounds = [learner.decide().round for _ in range(3)]
    assert rounds == [1, 2, 3] and learner.info.open == 3 and learner.info.round == 4
    before = learner._get_state()
    for call in (learner.decide, lambda: learner.observe(*GOOD), lambda: learner.observe(*GOOD, round=4),
                 lambda: learner.observe(*GOOD, round=0), lambda: learner.observe(*GOOD, round=-1),
                 lambda: learner.observe(*GOOD, round="1"), lambda: learner.observe(*GOOD, -1.0, [0.0, 0.0, 0.0], round=1)):
        with pytest.raises(ofw.Error):
            call()
        assert learner._get_state() == before
    learner.observe(*GOOD, round=2)
    with pytest.raises(ofw.UsageError, match="round 2 has its feedback already"):
        learner.observe(*GOOD, round=2)
    learner.tell(*GOOD, round=1)
    learner.observe(*GOOD)                                           # the one that is open
    assert learner.info.open == 0 and learner.decide().round == 4


def test_a_named_round_without_a_delay():
    learner = fresh()
    assert learner.decide().round == 1
    refused(learner, *GOOD, round=2)
    learner.observe(*GOOD, round=1)
    assert learner.decide().round == 2
    bandit = fresh("bfw-ada")
    refused(bandit, 0.5, round=2)
    bandit.observe(0.5, round=1)


def test_copies_have_the_open_rounds():
    learner = ofw.Learner("ofw-ada", ofw.Simplex(3), delay=4)
    for t in range(1, 40):
        learner.decide()
        if t % 3 == 0:
            learner.observe(*GOOD, round=t - 1)
            learner.observe(*GOOD, round=t)
        if t % 3 == 0 and t > 3:
            learner.observe(*GOOD, round=t - 5)
        learner = pickle.loads(pickle.dumps(learner))
    assert learner.info.open == 1
    learner.observe(*GOOD, round=37)
    assert learner.info.open == 0
