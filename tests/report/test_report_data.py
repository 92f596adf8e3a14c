#!/usr/bin/python3
"""What `ofw report` writes into its page, computed anew from the database; and what it refuses.

    test_report_data.py --ofw PATH
"""
import argparse
import itertools
import json
import math
import os
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SERIES = {"loss": "s.loss_sum", "regret": "s.loss_sum - s.comparator_loss_sum", "ccv": "s.ccv", "oracle_calls": "s.oracle_calls",
          "passes": "s.passes", "seconds": "t.seconds"}


def run(ofw, *args):
    return subprocess.run([ofw, *args], capture_output=True, text=True, timeout=60)


def document(page):
    """The JSON within the page, which must be the only script of its kind and hold no '<'."""
    with open(page, encoding="utf-8") as file:
        found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.S)
    assert len(found) == 1 and "<" not in found[0]
    return json.loads(found[0])


def near(found, wanted, what):
    assert (found is None) == (wanted is None), f"{what}: {found}, not {wanted}"
    assert wanted is None or math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-12), f"{what}: {found}, not {wanted}"


def check_whole(db, data):
    one = lambda sql: db.execute(sql).fetchone()[0]
    column = lambda sql: [row[0] for row in db.execute(sql)]
    for key in ("title", "experiment", "version", "kernel"):
        assert data[key] == one(f"SELECT value FROM meta WHERE key = '{key}'"), key
    assert data["cells"] == one("SELECT count(*) FROM cell") > 100
    refused = one("SELECT count(*) FROM cell WHERE role = 'tune' AND exit_code = 2")
    assert data["failed"] == 0 and data["refused"] == refused > 5 and refused == one("SELECT count(*) FROM cell WHERE status <> 'ok'")
    assert [(f["role"], f["refused"]) for f in data["failures"]] == [("tune", True)] * refused
    assert data["rounds"] == 60
    assert data["seeds"] == column("SELECT DISTINCT seed FROM cell WHERE role = 'play' ORDER BY 1") == [1, 2, 3]
    assert data["tune_seeds"] == column("SELECT DISTINCT seed FROM cell WHERE role = 'tune' ORDER BY 1")
    assert data["started"] == one("SELECT min(started) FROM timing")
    assert data["machines"] == "\n".join(column("SELECT DISTINCT machine FROM timing"))
    near(data["seconds"], one("SELECT sum(seconds) FROM timing"), "seconds")
    for key in ("arm", "stream", "stream_spec", "domain", "label", "learner", "options", "constant1", "constant2"):
        assert [arm[key] for arm in data["arms"]] == column(f"SELECT {key} FROM arm ORDER BY arm"), key
    assert [arm["name"] for arm in data["arms"]] == [f"OPDP {arm['options']}" if arm["label"] == "OPDP" else arm["label"] for arm in data["arms"]]
    balls, ratings = data["streams"]
    assert (balls["stream"], balls["kind"], ratings["stream"], ratings["kind"]) == ("balls", "quadratic", "ratings", "matrix-completion")
    found = {option["name"]: option["value"] for option in ratings["options"]}
    assert found.items() >= {"users": "30", "items": "20", "ratings": "250", "rank": "2", "batch": "25", "constraint": "uniform"}.items(), found
    assert all(option["help"] for option in ratings["options"]) and ratings["summary"]


def check_plays(db, arm):
    rows = db.execute("SELECT c.*, t.seconds FROM cell c JOIN timing t USING (cell) WHERE arm = ? AND role = 'play' AND status = 'ok'"
                      " ORDER BY cell", [arm["arm"]]).fetchall()
    assert len(rows) == len(arm["plays"]) == 3
    assert arm["config"] == rows[0]["config"]
    for row, play in zip(rows, arm["plays"]):
        assert play == {key: row[key] for key in play}, play
        assert {"seed", "loss", "regret", "ccv", "projections", "seconds"} <= set(play)


def check_series(db, arm):
    series = arm["series"]
    for name, expression in SERIES.items():
        by_round = {}
        for number, x in db.execute(f"SELECT s.round, {expression} FROM cell c JOIN series s USING (cell) JOIN timing_series t USING (cell, round)"
                                    " WHERE c.arm = ? ORDER BY s.round", [arm["arm"]]):
            by_round.setdefault(number, []).append(x)
        assert list(by_round) == series["round"] and len(by_round) >= 30
        for i, xs in enumerate(by_round.values()):
            known = None not in xs
            near(series[name][i], statistics.fmean(xs) if known else None, f"{name}, round {series['round'][i]}")
            deviation = series[f"{name}_sd"][i]
            assert (deviation is None) == (not known)
            if known:
                wanted = statistics.stdev(xs)
                assert abs(deviation - wanted) <= 1e-9 * (1 + max(map(abs, xs))), f"{name}_sd: {deviation}, not {wanted}"


def check_tuning(db, arm):
    rows = db.execute("SELECT * FROM cell WHERE arm = ? AND role = 'tune' ORDER BY cell", [arm["arm"]]).fetchall()
    if not rows:
        assert arm["tuning"] is None
        return 0
    runs = arm["tuning"]["runs"]
    assert len(runs) == (26 if arm["label"] == "Fine" else 22) and len(rows) == 2 * len(runs) and arm["tuning"]["seeds"] == 2
    for i, found in enumerate(runs):
        cells = rows[2 * i:2 * i + 2]
        assert all([c["factor1"], c["factor2"]] == found["factors"] for c in cells)
        assert (found["error"], found["refused"]) == (cells[0]["error"], cells[0]["exit_code"] == 2)
        if found["error"]:
            assert [found[key] for key in ("loss", "regret", "ccv", "score", "front")] == [None] * 4 + [False]
            continue
        mean = lambda f: statistics.fmean(f(c) for c in cells)
        share = lambda key: mean(lambda c: c[key] / (c["G"] * c["D"] * c["rounds"]))
        known = all(c["regret"] is not None for c in cells)
        for key in ("loss", "ccv"):
            near(found[key], mean(lambda c, key=key: c[key]), key)
        near(found["regret"], mean(lambda c: c["regret"]) if known else None, "regret")
        near(found["score"], (max(share("regret"), 0) if known else share("loss")) + share("ccv"), "score")
    played = [r for r in runs if not r["error"]]
    cost = [(r["loss"] if r["regret"] is None else r["regret"], r["ccv"]) for r in played]
    for (x, y), found in zip(cost, played):
        beaten = any(a <= x and b <= y and (a < x or b < y) for a, b in cost)
        assert found["front"] == (not beaten), found
    return 1


def test_data(ofw, folder):
    """Every number of the document, from the rows of the database."""
    done = run(ofw, "report", folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"wrote {folder}/report.html\n", ""), done
    data = document(os.path.join(folder, "report.html"))
    db = sqlite3.connect(os.path.join(folder, "results.db"))
    db.row_factory = sqlite3.Row
    check_whole(db, data)
    for arm in data["arms"]:
        check_plays(db, arm)
        check_series(db, arm)
    assert sum(check_tuning(db, arm) for arm in data["arms"]) == 3


def changed(folder, name, *statements):
    """A copy of the results on which statements were run."""
    path = os.path.join(folder, name)
    with open(os.path.join(folder, "results.db"), "rb") as source, open(path, "wb") as copy:
        copy.write(source.read())
    with sqlite3.connect(path) as db:
        for statement in statements:
            db.execute(statement)
    return path


def test_unfinished(ofw, folder):
    """A sweep that goes on: rounds that not all plays have are left out, a tuning that is not done has no runs, failures are
    named, and so is every machine."""
    path = changed(folder, "unfinished.db", "DELETE FROM cell WHERE cell = 44", "DELETE FROM timing WHERE cell = 44",
                   "DELETE FROM series WHERE cell = 46 AND round = (SELECT max(round) FROM series WHERE cell = 46)",
                   "UPDATE cell SET status = 'failed', error = 'it ''broke''', exit_code = 4, loss = NULL WHERE cell = 49",
                   "DELETE FROM series WHERE cell = 49", "DELETE FROM timing_series WHERE cell = 49",
                   "UPDATE timing SET machine = CASE WHEN cell < 9 THEN 'one, two' ELSE 'one' END")
    assert run(ofw, "report", path, "-o", os.path.join(folder, "unfinished.html")).returncode == 0
    data = document(os.path.join(folder, "unfinished.html"))
    assert data["machines"] == "one, two\none"
    assert data["arms"][0]["tuning"] == {"seeds": 2}
    assert data["arms"][0]["series"]["round"] == data["arms"][3]["series"]["round"][:-1]
    assert [play["seed"] for play in data["arms"][1]["plays"]] == [1, 3]
    assert data["failures"][0] == {"arm": 2, "role": "play", "factor1": 1, "factor2": 1, "seed": 2, "error": "it 'broke'", "refused": False}
    assert data["failed"] == 1 and all(failure["refused"] for failure in data["failures"][1:])


def test_failed_runs(ofw, folder):
    """A tuning run with a failed seed has no numbers, its error, and no place on the front."""
    path = changed(folder, "failed.db", "UPDATE cell SET status = 'failed', error = 'too far', exit_code = 4 WHERE cell IN (1, 2)")
    assert run(ofw, "report", path, "-o", os.path.join(folder, "failed.html")).returncode == 0
    first = document(os.path.join(folder, "failed.html"))["arms"][0]["tuning"]["runs"][0]
    assert first == {"factors": [1e-5, 1], "loss": None, "regret": None, "ccv": None, "score": None, "front": False, "error": "too far",
                     "refused": False}


def test_claims(ofw, folder):
    """The paired test anew: every choice of signs of the differences."""
    assert run(ofw, "report", folder).returncode == 0
    page = document(os.path.join(folder, "report.html"))
    claims = page["claims"]
    assert (page["comparisons"], page["relative_level"], page["seeds_needed"]) == (2, 0.05, 7)
    assert [(c["claim"], c["stream"], c["metric"], c["better"], c["than"]) for c in claims] == [
        ("1", "balls", metric, "OFW-TVC", "Losses alone") for metric in ("loss", "ccv")]
    db = sqlite3.connect(os.path.join(folder, "results.db"))
    for claim in claims:
        values = [[row[0] for row in db.execute(
            f"SELECT {claim['metric']} FROM cell JOIN arm USING (arm) WHERE role = 'play' AND stream = 'balls' AND label = ? ORDER BY seed",
            [label])] for label in ("OFW-TVC", "Losses alone")]
        differences = [a - b for a, b in zip(*values)]
        sums = [abs(sum(s * d for s, d in zip(signs, differences))) for signs in itertools.product((1, -1), repeat=3)]
        p = sum(total >= abs(sum(differences)) * (1 - 1e-12) for total in sums) / 8
        for key, wanted in (("better_mean", statistics.mean(values[0])), ("better_sd", statistics.stdev(values[0])),
                            ("than_mean", statistics.mean(values[1])), ("than_sd", statistics.stdev(values[1])),
                            ("difference", statistics.mean(differences)), ("p", p), ("pairs", 3),
                            ("effect", statistics.mean(differences) / statistics.stdev(differences)),
                            ("relative", (statistics.mean(values[0]) - statistics.mean(values[1]))
                             / max(abs(statistics.mean(side)) for side in values))):
            near(claim[key], wanted, key)
        assert claim["p"] <= claim["p_holm"] <= min(1, 2 * claim["p"])
        assert claim["verdict"] == "not decided"              # three seeds cannot decide


def test_how_many_seeds_decide(ofw, folder):
    """What is the same for every seed has p = 2 / 2^n, which is below 5 % from six seeds on."""
    for seeds, verdict in ((5, "not decided"), (6, "holds")):
        path = os.path.join(folder, f"{seeds}.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"[experiment]\ntitle = Seeds\nrounds = 200\nseeds = {seeds}\n[stream s]\nstream = quadratic\ndomain = l2-ball:dim=4\n"
                       "[learner ofw-ada]\n[learner still]\n[claim 1]\ntext = It moves\nbetter = ofw-ada\nthan = still\nmetric = loss\n")
        out = os.path.join(folder, f"{seeds} seeds")
        assert run(ofw, "sweep", path, "-o", out, "-q").returncode == 0
        assert run(ofw, "report", out).returncode == 0
        page = document(os.path.join(out, "report.html"))
        claim, = page["claims"]
        assert (claim["pairs"], claim["p"], claim["verdict"]) == (seeds, 2 / 2 ** seeds, verdict), claim
        assert page["seeds_needed"] == (None if verdict == "holds" else 6), page["seeds_needed"]


def refused(done, code, *words):
    assert done.returncode == code and done.stdout == "" and done.stderr.count("\n") == 1, done
    for word in ("ofw report: ", *words):
        assert word in done.stderr, f"'{word}' is not in {done.stderr}"


def test_refusals(ofw, folder):
    """One line, the right code, and no page."""
    other = os.path.join(folder, "other.db")
    page = os.path.join(folder, "none.html")
    refused(run(ofw, "report"), 2, "FILE or DIR is missing")
    refused(run(ofw, "report", folder, "--outpt", page), 2, "--output")
    refused(run(ofw, "report", os.path.join(folder, "missing"), "-o", page), 3, "missing")
    with open(other, "w", encoding="utf-8") as file:
        file.write("no database " * 100)
    refused(run(ofw, "report", other, "-o", page), 3, "other.db")
    refused(run(ofw, "report", changed(folder, "new.db", "UPDATE meta SET value = '99' WHERE key = 'format'"), "-o", page), 3, "new.db", "99")
    torn = changed(folder, "torn.db")
    os.truncate(torn, os.path.getsize(torn) // 2)
    refused(run(ofw, "report", torn, "-o", page), 3, "torn.db", "damaged")
    assert not os.path.exists(page)
    refused(run(ofw, "report", folder, "-o", os.path.join(folder, "nowhere", "page.html")), 1, "cannot write", "nowhere")
    if os.path.exists("/dev/full"):
        refused(run(ofw, "report", folder, "-o", "/dev/full"), 1, "cannot write /dev/full")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", required=True, help="the program")
    ofw = os.path.abspath(parser.parse_args().ofw)
    tests = [test_data, test_unfinished, test_failed_runs, test_claims, test_how_many_seeds_decide, test_refusals]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        done = run(ofw, "sweep", os.path.join(HERE, "tiny.ini"), "-o", folder, "-q")
        assert done.returncode == 0, done
        for test in tests:
            try:
                test(ofw, folder)
                print(f"ok   {test.__name__}")
            except AssertionError as error:
                failed += 1
                print(f"FAIL {test.__name__}: line {error.__traceback__.tb_next.tb_lineno}: {error}")
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
