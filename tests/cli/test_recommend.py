#!/usr/bin/python3
"""`ofw recommend`: its output recomputed, orders, the cap, rankings, and plays that are killed and resumed.

    test_recommend.py --ofw PATH [--filter SUBSTRING]
"""
import csv
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import time

from program import check, same
from runner import main


def write_ratings(ofw, seed=1, users=60, items=40, rows=1500, base=1):
    """Distinct pairs with times; what was written."""
    rng = random.Random(seed)
    taste = [rng.gauss(0, 1) for _ in range(users)], [rng.gauss(0, 1) for _ in range(items)]
    pairs = rng.sample(range(users * items), rows)
    times = [rng.randrange(rows // 3) for _ in pairs]            # with ties
    written = []
    for pair, t in zip(pairs, times):
        u, j = divmod(pair, items)
        value = min(5, max(1, round(3.3 + taste[0][u] * taste[1][j] + rng.gauss(0, 0.5))))
        written.append((u + base, j + base, value, t))
    ofw.write("r", [f"{u}\t{j}\t{value}\t{t}" for u, j, value, t in written])
    return written


def recommend(ofw, *more):
    done = ofw.run("recommend", "r", *more, "--json")
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    return json.loads(done.stdout)


def predictions(ofw, *more):
    result = recommend(ofw, *more, "--predictions", "p.csv")
    with open(ofw.file("p.csv"), encoding="utf-8") as file:
        return result, [(int(row["user"]), int(row["item"]), float(row["rating"]), float(row["prediction"]))
                        for row in csv.DictReader(file)]


def without_time(result):
    return {key: value for key, value in result.items() if key != "microseconds_per_rating"}


def test_numbers_are_those_of_the_predictions(ofw):
    for base in (0, 1):
        written = write_ratings(ofw, base=base)
        result, rows = predictions(ofw)
        same([(u, j, value) for u, j, value, _ in rows], [row[:3] for row in written], "rows")
        off = [x - value for _, _, value, x in rows]
        check(abs(result["progressive_rmse"] - math.sqrt(sum(x * x for x in off) / len(off))) < 1e-12, result)
        check(abs(result["progressive_mae"] - sum(map(abs, off)) / len(off)) < 1e-12, result)
        same((result["users"], result["items"], result["ratings"]), (60, 40, 1500), "shape")
        same((result["cap"], result["mean_violation"], result["rounds"]), (None, None, 0), "no cap")
        check(all(1 <= x <= 5 for _, _, _, x in rows), "off the scale")
        check(0 < result["microseconds_per_rating"] < 1e5, result)


def test_a_prediction_does_not_know_its_rating(ofw):
    """Nor what comes after it: with another rating in the middle all predictions up to it stay as they are."""
    written = write_ratings(ofw)
    _, before = predictions(ofw)
    at = 800
    u, j, value, t = written[at]
    written[at] = (u, j, 6 - value if value != 3 else 5, t)
    ofw.write("r", [f"{u}\t{j}\t{value}\t{t}" for u, j, value, t in written])
    _, after = predictions(ofw)
    same([row[3] for row in after[:at + 1]], [row[3] for row in before[:at + 1]], "predictions")
    check(after[at + 1:] != before[at + 1:], "nothing was learned")


def test_orders(ofw):
    written = write_ratings(ofw)
    _, rows = predictions(ofw, "--order", "time")
    same([row[:3] for row in rows], [row[:3] for row in sorted(written, key=lambda row: row[3])], "by time, ties as filed")
    one, first = predictions(ofw, "--order", "random", "--seed", "4")
    two, second = predictions(ofw, "--order", "random", "--seed", "4")
    _, third = predictions(ofw, "--order", "random", "--seed", "5")
    same((first, without_time(one)), (second, without_time(two)), "one seed")
    check([row[:2] for row in first] != [row[:2] for row in third], "seeds do not matter")
    same(sorted(row[:3] for row in first), sorted(row[:3] for row in written), "all ratings")


def test_a_cap(ofw):
    write_ratings(ofw)
    free = recommend(ofw)
    for cap, group, n in ((2.5, "8", 8), (2.0, "0.1", 4), (3.0, "1", 40)):
        result = recommend(ofw, "--cap", str(cap), "--group", group, "--per-round", "100")
        same((result["group"], result["cap"], result["rounds"], result["mean_violation"]), (n, cap, 15, 0), f"cap {cap}")
        check(result["progressive_rmse"] > free["progressive_rmse"], "the cap costs nothing")
    loose = recommend(ofw, "--cap", "2.5", "--group", "8", "--per-round", "100", "--set", "slack=0.3")
    check(0 < loose["mean_violation"] <= 0.3 + 1e-9, loose)
    same(without_time(recommend(ofw, "--cap", "5"))["progressive_rmse"], free["progressive_rmse"], "a cap that nothing reaches")


def test_a_ranking(ofw):
    written = write_ratings(ofw)
    result = recommend(ofw, "7", "--top", "5")
    rated = {j for u, j, _, _ in written if u == 7}
    scores = [row["score"] for row in result["top"]]
    same(len(scores), 5, "rows")
    check(scores == sorted(scores, reverse=True) and not rated & {row["item"] for row in result["top"]}, result["top"])
    everything = recommend(ofw, "7", "--top", "1000")["top"]
    same({row["item"] for row in everything}, set(range(1, 41)) - rated, "all that is left")
    same(everything[:5], result["top"], "the first of all")


def test_killed_and_resumed(ofw):
    """The same numbers, wherever it is killed; also after SIGTERM, which writes a checkpoint first."""
    write_ratings(ofw, users=300, items=200, rows=30000)
    args = ["--order", "random", "--cap", "3", "--per-round", "70"]
    wanted = without_time(recommend(ofw, *args, "9", "--top", "4"))
    command = [ofw.path, "recommend", "r", *args, "9", "--top", "4", "--json", "--checkpoint", "c", "--checkpoint-every", "900", "--resume"]
    rng, kills = random.Random(3), 0
    for _ in range(60):
        with subprocess.Popen(command, cwd=ofw.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as play:
            began = time.monotonic()
            while not os.path.exists(ofw.file("c")) and time.monotonic() - began < 20 and play.poll() is None:
                time.sleep(0.002)
            time.sleep(rng.uniform(0.0, 0.06))
            how = rng.choice([signal.SIGKILL, signal.SIGTERM]) if kills < 8 else 0
            if how:
                play.send_signal(how)
            out, err = play.communicate(timeout=200)
        if play.returncode == 0:
            break
        kills += 1
        check(play.returncode in (-signal.SIGKILL, -signal.SIGTERM, 143), f"{play.returncode}: {err}")
        check(play.returncode != 143 or re.search(r"interrupted( after rating \d+)?; ", err), err)
    same(without_time(json.loads(out)), wanted, "the resumed play")
    check(kills >= 1, "nothing was killed")
    done = ofw.run("recommend", "r", *args, "9", "--top", "4", "--json", "--checkpoint", "c", "--resume")
    same(without_time(json.loads(done.stdout)), wanted, "resumed at its end")


def test_another_play_is_not_resumed(ofw):
    write_ratings(ofw)
    same(ofw.run("recommend", "r", "--checkpoint", "c").returncode, 0, "code")
    with open(ofw.file("c"), "rb") as file:
        kept = file.read()
    for more, said in ((["--set", "rank=3"], "rank=8"), (["--order", "time"], "checksum="), (["--cap", "3"], "rank=8"),
                       (["--highest", "9"], "highest=5")):
        done = ofw.run("recommend", "r", "--checkpoint", "c", "--resume", *more)
        same(done.returncode, 3, f"{more}: {done.stderr}")
        check(done.stderr.startswith("ofw recommend: c: a state saved with '") and said in done.stderr, done.stderr)
    done = ofw.run("recommend", "r", "--checkpoint", "c")
    same((done.returncode, done.stderr),
         (2, "ofw recommend: c already exists; --resume continues it, and to start again move it away\n"), "without --resume")
    with open(ofw.file("c"), "rb") as file:
        same(file.read(), kept, "the checkpoint")
    with open(ofw.file("c"), "wb") as file:
        file.write(kept[:len(kept) // 2] + bytes([kept[len(kept) // 2] ^ 1]) + kept[len(kept) // 2 + 1:])
    same(ofw.run("recommend", "r", "--checkpoint", "c", "--resume").returncode, 3, "a damaged one")
    info = ofw.run("info", "c")
    same(info.returncode, 3, "info of a damaged one")


def test_info_describes_its_checkpoint(ofw):
    write_ratings(ofw)
    ofw.run("recommend", "r", "--checkpoint", "c")
    info = json.loads(ofw.run("info", "c", "--json").stdout)
    same(info["rounds"], 1500, "rounds")
    check(info["config"][0].startswith("recommender revision=1 users=60 items=40"), info["config"])


if __name__ == "__main__":
    sys.exit(main(__doc__, globals(), "recommend.json"))
