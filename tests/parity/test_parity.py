#!/usr/bin/python3
"""Plays `ofw pipe` against the slow learners of reference.py, round by round.

    test_parity.py --ofw PATH [--filter SUBSTRING] [--rounds N] [--every N] [--tolerance X] [--seed S]

In every round the feedback is computed at the decision the program printed and given to both;
then the two next decisions, each learner's own, must agree:

    max_i |x_i - reference_i| / max(1, R)  <=  tolerance

On the trace-ball the reference goes on from the program's decision instead of its own.  There
Frank-Wolfe drives the top singular values of d together, the top pair turns by error/gap, and a
change of 1e-15 in x_1 can grow to 1e-2 within 100 rounds: only single steps can be compared.
"""
import sys

import accounts_reference
import bandit_reference
import reference
import sets
import test_bandit_parity
from harness import ALPHA, DOMAINS, G, Failure, Program, Stream, check_vertex, crossed, distance, main, on_examples, registered, setting


# --- cases ---------------------------------------------------------------------------------------

# Every recipe is played on every domain of DOMAINS; its stream is the one named, or changes by domain.
RECIPES = {
    "coco-adagrad": [
        ("", None),
        ("", "c"),
        ("gamma-scale=0.01 step=3 lambda=0.1", None),
        ("losses=convex lyapunov=quadratic beta=0.1", None),
        ("losses=strongly-convex", None),
        ("losses=strongly-convex gamma=2 lyapunov=exp lambda=1e-2 constraints=sum", "b"),
        ("start=vertex", None),
    ],
    "ogd": [
        ("", None),
        ("step=0.1", None),
        ("losses=strongly-convex", None),
        ("start=vertex", None),
    ],
    "ofw": [
        ("", None),
        ("sigma=line-search step=10", None),
        ("start=vertex step=10", None),
    ],
    "lpm": [
        ("", None),
        ("", "c"),
        ("step=10 theta-scale=0.1 mu=0.1", None),
        ("step=100 mu=1 theta-scale=1e-3", None),
        ("params=theory horizon=1000000 block=20 step=20000", None),
        ("horizon=40000 block=7 step=300 mu=0.05", None),           # several steps a block
        ("horizon=40000 block=7 step=1000 budget=2 mu=0.05", None), # the calls run out
        ("block=1 eps=2e-2 budget=3 theta=20 step=10", None),
        ("constraints=sum step=30 mu=0.05 block=10", "b"),
        ("start=vertex horizon=40000 block=7 step=300 mu=0.05", None),
    ],
    "opdp": [
        ("", None),
        ("mu-scale=100 step=10", None),
        ("sigma=line-search a=0.1 step=30 mu-scale=10", None),
        ("theta=0.5 mu=0.3 step=3", None),
        ("constraints=sum mu-scale=30 step=30 sigma=line-search", "b"),
        ("start=vertex sigma=line-search step=30 mu-scale=10", None),
        ("start=vertex step=10 mu-scale=100", None),
    ],
    "ofw-ada": [
        ("", None),
        ("", "c"),
        ("kappa=1", None),
        ("first=50", None),
        ("kappa=200 constraints=sum", "b"),
        ("start=vertex", None),
        ("most-rounds=60", "e"),
        ("most-rounds=200", "g"),
        ("kappa=5 constraints=sum most-rounds=200", "g"),
        ("constraints=each most-rounds=200", "h"),
        ("constraints=each kappa=5 most-rounds=60", "i"),
        ("constraints=budgets most-rounds=200", "h"),
        ("constraints=budgets period=17 most-rounds=200", "h"),
        ("constraints=budgets period=50 first=5 most-rounds=120", "i"),
    ],
    "ofw-ada-sc": [
        ("", None),
        ("kappa=30 first=10", None),
        ("start=vertex", None),
        ("constraints=sum", "b"),
        ("most-rounds=60", "e"),
        ("first=0.02 kappa=5 constraints=sum most-rounds=200", "g"),
    ],
    "scofw": [
        ("", None),
        ("start=vertex", None),
    ],
    "ofw-tvc": [
        ("", None),
        ("", "c"),
        ("beta=5e-3 sigma=line-search", None),
        ("guess=paper beta=5e-3 step=10", None),
        ("guess=track gamma-scale=0.1", None),
        ("preset=tight", None),
        ("restart=keep gamma=lambda beta=5e-3", None),
        ("constraints=sum lyapunov=quadratic-linear step=10", "b"),
        ("lyapunov=quadratic restart=keep beta=5e-3", None),
        ("lyapunov=linear sigma=line-search constraints=sum", "b"),
        ("start=vertex", None),
        ("start=vertex preset=tight", None),                        # these two pull back to x_1
        ("start=vertex restart=keep gamma=lambda beta=5e-3", None),
        ("constraints=each preset=tight most-rounds=200", "h"),
        ("constraints=each beta=5e-3 gamma=lambda most-rounds=200", "i"),
        ("constraints=each lyapunov=quadratic restart=keep beta=5e-3 most-rounds=200", "h"),
        ("constraints=budgets preset=tight beta=0.1 lambda=0.05 most-rounds=200", "h"),
        ("constraints=budgets period=17 beta=0.1 lambda=0.05 most-rounds=200", "i"),
        ("constraints=budgets lyapunov=quadratic-linear step=10 most-rounds=200", "h"),
    ],
    "scofw-tvc": [
        ("", None),
        ("", "c"),
        ("beta=5e-3", None),
        ("params=proof gamma-scale=0.1", None),
        ("beta-scale=100 lyapunov=quadratic constraints=sum", "b"),
        ("beta=5e-3 lyapunov=exp gamma-scale=0.1", None),
        ("lyapunov=linear constraints=sum", "b"),
        ("start=vertex beta=5e-3", None),
    ],
    "still": [
        ("", None),
        ("start=vertex", None),
    ],
}
STRONGLY_CONVEX = {"ofw-ada-sc", "scofw", "scofw-tvc"}
# Single ones: other domains, large prices, options that override a preset, play beyond the horizon
# (not an option of the program, nor is most-rounds: a double holds no price beyond 1e308).
SINGLES = [
    ("coco-adagrad", "l2", "lambda=1 beta=8 most-rounds=400", "a"),               # prices up to 1e130
    ("coco-adagrad", "simplex", "lambda=1 beta=0.8 most-rounds=400", "a"),
    ("coco-adagrad", "l1", "losses=strongly-convex beta=1e60", "b"),
    ("coco-adagrad", "box-mixed", "gamma-scale=0.1", "d"),
    ("coco-adagrad", "wide-trace", "gamma-scale=0.1", "b"),
    ("ogd", "box-off", "", "a"),
    ("ogd", "wide-trace", "step=10", "d"),
    ("ofw-tvc", "box-off", "gamma=lambda", "a"),
    ("ofw-tvc", "box-mixed", "preset=tight step=10", "d"),
    ("ofw-tvc", "l2-line", "gamma=lambda step=10", "d"),
    ("ofw-tvc", "wide-trace", "preset=tight beta=5e-3", "b"),
    ("ofw-tvc", "wide-trace", "sigma=line-search step=10", "d"),
    ("ofw-tvc", "simplex-unit", "sigma=line-search gamma=lambda step=100", "a"),
    ("ofw-tvc", "l2", "preset=tight guess=scale sigma=printed gamma=1", "b"),
    ("ofw-tvc", "l2", "guess=paper beta=5 lambda=0.05 most-rounds=500", "a"),
    ("ofw-tvc", "box", "gamma=lambda lambda=0.1 beta=1 sigma=line-search", "a"),
    ("ofw-tvc", "l2", "lambda=1 beta=8 most-rounds=500 sigma=line-search", "a"),    # prices up to 1e130
    ("ofw-tvc", "l1", "lambda=1 beta=2 most-rounds=500 restart=keep", "a"),
    ("ofw-tvc", "simplex", "lambda=1 beta=0.8 most-rounds=500 guess=track sigma=line-search", "a"),
    ("ofw-tvc", "l2", "preset=tight horizon=200", "a"),
    ("scofw-tvc", "l2", "horizon=200", "a"),
    ("scofw-tvc", "simplex", "lyapunov=exp lambda=1 beta=0.8 most-rounds=500", "a"),
    ("scofw-tvc", "l2", "beta=1e60", "b"),                               # prices up to 1e63
    ("scofw-tvc", "box", "beta=1e60 lyapunov=quadratic", "a"),
    ("scofw-tvc", "box-off", "beta-scale=100", "d"),
    ("scofw-tvc", "box-mixed", "gamma=0.5", "b"),
    ("scofw-tvc", "l2-line", "gamma-scale=0.1", "d"),
    ("scofw-tvc", "wide-trace", "beta=5e-3", "b"),
    ("scofw-tvc", "simplex-unit", "beta-scale=100 lyapunov=quadratic", "a"),
    *(("ofw-ada", domain, "most-rounds=150", "t") for domain in DOMAINS if domain != "trace"),
    ("ofw-ada", "l2", "constraints=sum most-rounds=150", "t"),
    ("ofw-ada", "simplex", "window=40 most-rounds=150", "t"),
    ("ofw-ada", "l2", "window=40", "a"),
    ("ofw-ada", "simplex", "window=60 constraints=sum", "b"),
    ("ofw-ada", "trace", "window=60", "d"),
    ("ofw-ada", "line", "window=2 most-rounds=100", "g"),
    ("ofw-ada-sc", "l1", "window=50", "a"),
    ("ofw-ada", "l2", "window=auto", "s"),
    ("ofw-ada", "box", "window=auto", "s"),
    ("ofw-ada", "line", "window=auto constraints=sum", "s"),
    ("ofw-ada-sc", "linf", "window=auto", "s"),
    ("ofw-ada-sc", "l2", "first=0.02 most-rounds=200", "g"),
    ("ofw-ada-sc", "line", "kappa=20 first=0.02 most-rounds=200", "g"),                 # b by halving in round 38
    ("lpm", "wide-trace", "storage=factored step=10 theta-scale=0.1 mu=0.1", "d"),
    ("ofw-ada", "trace", "storage=factored", "d"),
    ("ofw-ada", "large-trace", "storage=factored rank=4 most-rounds=150", "f"),     # compressions that drop 1e-11
    ("ofw-tvc", "large-trace", "storage=factored rank=4 sigma=line-search step=10 most-rounds=150", "f"),
    ("ofw-tvc", "trace", "storage=factored sigma=line-search step=10", "d"),
    ("ofw-tvc", "wide-trace", "storage=factored restart=keep beta=5e-3", "d"),
    ("scofw-tvc", "wide-trace", "storage=factored beta=5e-3", "d"),
    ("scofw-tvc", "wide-trace", "storage=factored start=vertex beta=5e-3", "d"),
    ("ofw-ada", "trace", "storage=factored start=vertex", "d"),
    ("ofw-tvc", "trace", "storage=factored start=vertex restart=keep beta=5e-3", "d"),
    ("ofw-tvc", "wide-trace", "storage=factored start=vertex preset=tight", "d"),
    ("lpm", "trace", "storage=factored start=vertex step=10 theta-scale=0.1 mu=0.1", "d"),
]


def cases(ofw, every):
    """(learner, domain name, options, stream kind), each once."""
    check_all_learners(ofw)
    yield from crossed(RECIPES, DOMAINS, every)
    yield from SINGLES
    yield from on_examples(ofw, RECIPES, 2)


def without_slow_version(names):
    """(learner, what it lacks) for each of these that no parity test plays, or that no reference has."""
    for name in names:
        bandit = name in test_bandit_parity.RECIPES or name in bandit_reference.LEARNERS
        test, recipes = ("test_bandit_parity.py", test_bandit_parity.RECIPES) if bandit else ("test_parity.py", RECIPES)
        file, learners = ("bandit_reference.py", bandit_reference.LEARNERS) if bandit else ("reference.py", reference.LEARNERS)
        lacks = [f"a row in RECIPES of tests/parity/{test}"] * (not recipes.get(name)) + [f"a slow version in LEARNERS of tests/parity/{file}"] * (name not in learners)
        if lacks:
            yield name, " and ".join(lacks)


def check_all_learners(ofw):
    """Exits if a registered learner is compared with nothing."""
    if [name for name, _ in without_slow_version(["ofw", "nobody"])] != ["nobody"]:
        sys.exit("the look for slow versions does not see that one is missing")
    missing = list(without_slow_version(registered(ofw, "learners")))
    for name, lacks in missing:
        print(f"FAIL {name} has no slow version: it lacks {lacks}")
    if missing:
        sys.exit(1)


# --- one case ------------------------------------------------------------------------------------

def play(program, slow, stream, rounds, tolerance):
    """The game; returns the worst error."""
    worst = 0.0
    single_steps = getattr(slow.K, "iterative", False)
    for t in range(1, rounds + 2):                # the decision after the last feedback as well
        x, = program.read(t, "decision")
        if t == 1 and slow.options.get("start") == "vertex":
            check_vertex(slow.K, x)
            slow.begin(x)
        error = distance(t, "decision", x, slow.x, slow.K.R)
        if not error <= tolerance:                # NaN fails too
            raise Failure(f"round {t} error {error:.1e}")
        worst = max(worst, error)
        if single_steps:
            slow.xs[-1] = x
        if t <= rounds:
            feedback = stream.round(t, x)
            slow.observe(feedback)
            program.write(feedback)
    program.end()
    return worst


EPOCHS = {"e": {"start", "losses"}, "g": {"start", "losses", "price"}}  # of OFW-Ada, in these streams


def check_epochs(slow, kind):
    begun = {why for _, why in slow.epochs}
    if begun != EPOCHS[kind]:
        raise Failure(f"epochs {sorted(begun)}, not {sorted(EPOCHS[kind])}: the stream tests less than it is for")


def run_case(args, folder, learner, domain_name, option_text, kind, seed):
    spec, options = setting(folder, domain_name, option_text)
    whole = int(options.pop("most-rounds", args.rounds))
    rounds = min(args.rounds, whole)
    horizon = int(options.pop("horizon", rounds))
    strong = learner in STRONGLY_CONVEX or options.get("losses") == "strongly-convex"
    flags = ["--strong-convexity", str(ALPHA)] if strong else []

    # SCOFW(-TVC), OFW-Ada, line search along one coordinate: d_i is 0 but for rounding, and where no gradient
    # comes in there, rounding alone chooses the bound.  So no gaps after the first rounds.
    domain = sets.make_domain(spec)
    stream = Stream(kind, domain, seed, gaps_until=3 if learner in STRONGLY_CONVEX | {"ofw-ada"} else float("inf"))
    told = {key: value for key, value in options.items() if key not in ("storage", "rank")}  # where numbers are kept changes none
    kept = accounts_reference.BY_CONSTRAINTS.get((learner, options.get("constraints")), reference.LEARNERS[learner])
    slow = kept(domain, horizon, G, ALPHA if strong else 0.0, told)
    with Program(args.ofw, learner, spec, horizon, options, flags, 60 + rounds) as program:
        worst = play(program, slow, stream, rounds, args.tolerance)
    if kind in EPOCHS and hasattr(slow, "epochs") and "window" not in options and rounds == whole:  # --rounds may have cut it short
        check_epochs(slow, kind)
    if kind == "s" and not slow.begun:
        raise Failure("no change was seen: the stream tests less than it is for")
    if kind == "t" and not slow.moved:
        raise Failure("no decision was moved by a hint: the stream tests less than it is for")
    return worst


if __name__ == "__main__":
    sys.exit(main(cases, run_case, rounds=500, tolerance=1e-9))
