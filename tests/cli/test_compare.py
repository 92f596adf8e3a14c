#!/usr/bin/python3
"""Runs `ofw compare`; first the cases of compare.json (see runner.py).

    test_compare.py --ofw PATH [--filter SUBSTRING]

Every number is computed anew from single plays of `ofw run`.
"""
import itertools
import statistics
import sys

from program import check, same, strict_json
from runner import main
from test_growth import check_tuning, near, played, suite

ROUNDS, SEEDS = 60, 8
WHERE = ["--stream", "quadratic", "--domain", "l2-ball:dim=3"]
LEARNERS, RIVALS = ["ofw-tvc:sigma=line-search", "scofw-tvc"], ["opdp", "coco-adagrad"]


def compared(ofw, *more):
    names = [word for name in LEARNERS for word in ("--learner", name)]
    names += [word for name in RIVALS for word in ("--rival", name)]
    done = ofw.run("compare", *names, *WHERE, "--rounds", str(ROUNDS), "--seeds", str(SEEDS), "--tune-seeds", "2", "-q",
                   *more)
    same(done.returncode, 0, done.stderr)
    return done.stdout


def chosen_sets(entry):
    """The options that the learner was played with: its own, then the tuned ones times what they are by default."""
    own = entry["learner"].partition(":")[2]
    names, factors = entry["tuning"]["constants"], entry["tuning"]["chosen"]
    # all of these have the default 1
    return ([own] if own else []) + [f"{name}={factor!r}" for name, factor in zip(names, factors) if factor != 1]


def by_all_signs(differences):
    seen = abs(sum(differences))
    sums = [abs(sum(s * d for s, d in zip(signs, differences))) for signs in itertools.product((1, -1), repeat=SEEDS)]
    return sum(total >= seen * (1 - 1e-12) for total in sums) / len(sums)


def holm(ps):
    """The least level at which a step-down test of all of them rejects each."""
    order, level = sorted(range(len(ps)), key=lambda i: ps[i]), 0.0
    corrected = [0.0] * len(ps)
    for rank, i in enumerate(order):
        level = max(level, min(1.0, (len(ps) - rank) * ps[i]))
        corrected[i] = level
    return corrected


def test_every_number(ofw):
    result = strict_json(compared(ofw, "--json"))
    plays = {}
    for entry in result["learners"]:
        name = entry["learner"]
        check_tuning(entry["tuning"], 3 * 2 * ROUNDS)             # G = 3 R, D = 2 R
        check(entry["tuning"]["first_seed"] > SEEDS, "tuned on the reported seeds")
        runs = [played(ofw, name.partition(":")[0], WHERE, ROUNDS, seed, chosen_sets(entry))
                for seed in range(1, SEEDS + 1)]
        plays[name] = {"regret": [run["regret"] for run in runs], "ccv": [run["ccv"] for run in runs]}
        for metric, values in plays[name].items():
            near(entry[metric], statistics.mean(values), f"{name}: {metric}")
            near(entry[metric + "_deviation"], statistics.stdev(values), f"{name}: deviation of {metric}")
        near(entry["oracle_calls_a_round"], statistics.mean(run["oracle_calls"] for run in runs) / ROUNDS, "calls")
    same(set(plays), set(LEARNERS + RIVALS), "learners")
    duels = result["duels"]
    same([(d["learner"], d["rival"], d["metric"]) for d in duels],
         list(itertools.product(LEARNERS, RIVALS, ("regret", "ccv"))), "duels")
    for d in duels:
        differences = [a - b for a, b in zip(plays[d["learner"]][d["metric"]], plays[d["rival"]][d["metric"]])]
        near(d["difference"], statistics.mean(differences), "difference")
        near(d["deviation"], statistics.stdev(differences), "deviation")
        near(d["effect"], statistics.mean(differences) / statistics.stdev(differences), "effect")
        near(d["p"], by_all_signs(differences), "p")
        same(d["pairs"], SEEDS, "pairs")
    for d, corrected in zip(duels, holm([d["p"] for d in duels])):
        near(d["p_corrected"], corrected, "corrected p")
        verdict = "not decided" if corrected >= 0.05 else "better" if d["difference"] < 0 else "worse"
        same(d["verdict"], verdict, "verdict")


def test_standings(ofw):
    """Two streams: how often no rival's means are better in both, and how often the score is near the best."""
    done = ofw.run("compare", "--learner", "ofw-ada", "--learner", "ofw-tvc", "--rival", "opdp", "--rival", "still", "--stream", "conflict",
                   "--stream", "linear", "--domain", "l1-ball:dim=4", "--rounds", "200", "--seeds", "6", "--tune-seeds", "1", "-q", "--json")
    same(done.returncode, 0, done.stderr)
    result = strict_json(done.stdout)
    at = {(e["learner"], e["stream"]): e for e in result["learners"]}
    names, total = ["ofw-ada", "ofw-tvc"], [0, 0]
    for name, standing in zip(names, result["standings"]):
        rivals = [[at[rival, stream] for rival in ("opdp", "still")] for stream in ("conflict", "linear")]
        mine = [at[name, stream] for stream in ("conflict", "linear")]
        beaten = [any(r["regret"] < m["regret"] and r["ccv"] < m["ccv"] for r in rs) for m, rs in zip(mine, rivals)]
        close = [m["score"] <= 1.5 * min(r["score"] for r in rs) for m, rs in zip(mine, rivals)]
        same(standing, {"learner": name, "streams": 2, "no_rival_better_in_both": 2 - sum(beaten), "score_near_best": sum(close),
                        "near": 1.5}, "standing")
        total = [total[0] + sum(beaten), total[1] + sum(close)]
    check(0 < total[1] < 4, "the streams tell nobody from anybody")


def test_goes_on_where_it_was(ofw):
    once, again, table = compared(ofw, "--json"), compared(ofw, "--json", "-o", "kept"), compared(ofw, "-o", "kept")
    same(again, once, "kept in a folder")
    for name in LEARNERS + RIVALS:
        check(f"\n  {name} " in table, f"no line of {name}")
    same(compared(ofw, "-o", "kept"), table, "read from the folder")


def test_streams_without_a_comparator_are_compared_by_loss(ofw):
    done = ofw.run("compare", "--learner", "ofw-tvc", "--rival", "ofw", "--stream",
                   "matrix-completion:users=8,items=6,ratings=20,batch=4", "--rounds", "10", "--seeds", "6",
                   "--tune-seeds", "1", "--json", "-q")
    same(done.returncode, 0, done.stderr)
    result = strict_json(done.stdout)
    same([d["metric"] for d in result["duels"]], ["loss", "ccv"], "metrics")
    same([entry["regret"] for entry in result["learners"]], [None, None], "regret")


def test_suites(ofw):
    """Who meets whom is what the file claims, on its streams, less what is said to be left out."""
    for name in ("rivals", "ada"):
        sections = suite(f"compare-{name}")
        done = ofw.run("compare", "--suite", name, "--rounds", "6", "--seeds", "2", "--tune-seeds", "1", "-q", "--json")
        same(done.returncode, 0, done.stderr)
        result = strict_json(done.stdout)
        places = [(place["stream"], place.get("domain")) for (kind, _), place in sections.items() if kind == "stream"]
        there = {(entry["learner"], entry["stream"], entry["domain"]) for entry in result["learners"]}
        players = [label for kind, label in sections if kind == "learner"]
        for player, place in itertools.product(players, places):
            said = f"left out: {player} on {', '.join(filter(None, place))}: " in done.stderr
            same((player, *place) in there, not said, f"{name}: {player} on {place}")
        wanted = [(claim["better"], than, *place) for place in places for (kind, _), claim in sections.items() if kind == "claim"
                  for than in claim["than"].split(", ")]
        found = [(d["learner"], d["rival"], d["stream"], d["domain"]) for d in result["duels"][::2]]
        same(found, [d for d in wanted if (d[0], *d[2:]) in there and (d[1], *d[2:]) in there], f"{name}: duels")
        tuned = {entry["learner"] for entry in result["learners"] if entry["tuning"]}
        same(tuned, {label for (kind, label), player in sections.items() if kind == "learner" and player.get("tune") == "yes"}, "tuned")


if __name__ == "__main__":
    sys.exit(main("ofw compare, end to end", globals(), "compare.json"))
