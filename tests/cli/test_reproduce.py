#!/usr/bin/python3
"""Runs `ofw reproduce` and `ofw plot` as their users do; first the cases of reproduce.json (see runner.py).

    test_reproduce.py --ofw PATH [--filter SUBSTRING]

Numbers are computed anew from the database by recompute.py, and figures are looked at as files of their kind.
"""
import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

from program import check, same, strict_json
from runner import HERE, main

EXPERIMENT = """
[experiment]
title = Small
rounds = 80
seeds = 9
tune-seeds = 1
series = 20
[stream calm]
stream = quadratic
domain = l2-ball:dim=4
[stream ratings]
stream = matrix-completion:users=12,items=9,ratings=40,rank=2,batch=4
[learner OFW]
learner = ofw-tvc
sigma = line-search
tune = yes
[learner OPDP]
learner = opdp
tune = yes
[learner grid]
learner = scofw-tvc
gamma-scale = 1, 10
streams = calm
[learner still]
[claim 1]
text = OFW beats OPDP
better = OFW
than = OPDP, still
metric = loss, ccv
[claim 2]
text = standing still keeps more constraints
better = still
than = OFW
metric = ccv
streams = ratings
"""
FILES = ["claims.json", "curves.csv", "curves.pdf", "curves.png", "curves.svg", "front.pdf", "front.png", "front.svg",
         "report.html", "results.db"]


def reproduced(ofw, *more):
    ofw.write("small.ini", EXPERIMENT)
    done = ofw.run("reproduce", "small.ini", "-o", "out", "-q", *more)
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    return done.stdout


def content(ofw, name):
    with open(ofw.file(f"out/{name}"), "rb") as file:
        return file.read()


def texts(svg):
    return [element.text for element in ET.fromstring(svg).iter() if element.text and element.text.strip()]


def test_all_that_it_makes(ofw):
    said = reproduced(ofw)
    same(sorted(os.listdir(ofw.file("out"))), FILES, "files")
    same(said.splitlines()[-1], "out/report.html", "the last line")
    for name in ("curves", "front"):
        check(content(ofw, f"{name}.png").startswith(b"\x89PNG\r\n"), f"{name}.png is none")
        check(content(ofw, f"{name}.pdf").startswith(b"%PDF-"), f"{name}.pdf is none")
        found = " ".join(texts(content(ofw, f"{name}.svg")))
        for text in ("calm", "ratings", "OFW", "OPDP", "still"):
            check(text in found, f"{name}.svg: no {text}")
    check("grid gamma-scale=1" in " ".join(texts(content(ofw, "curves.svg"))), "arms of one label are told apart")
    same(recomputed(ofw), (0, "curves.csv and claims.json agree with results.db\n"), "recomputed")


FINE = """
[learner bandit]
learner = scbfw-tvc
tune = fine
streams = calm
[claim 3]
text = a bandit learner does as well
better = bandit
than = OPDP, still
metric = loss, ccv
"""


def test_other_choices(ofw):
    """Two tuning seeds give directions alone; with seven there is p between tuned learners. Of one learner runs are refused."""
    for seeds in (2, 7):
        ofw.write("small.ini", EXPERIMENT.replace("tune-seeds = 1", f"tune-seeds = {seeds}") + FINE)
        done = ofw.run("reproduce", "small.ini", "-o", f"out{seeds}", "-q")
        same((done.returncode, "bandit on calm: 5 of 26 grid points refused" in done.stderr), (0, True), done.stderr)
        done = subprocess.run([sys.executable, os.path.join(HERE, "recompute_choices.py"), ofw.path, ofw.file(f"out{seeds}")],
                              capture_output=True, text=True, check=False)
        same((done.returncode, done.stdout), (0, "choices and choice_claims agree with results.db\n"), done.stderr)
        claims = strict_json(ofw.run("export", f"out{seeds}", "--table", "choice_claims", "--json").stdout)
        same({(claim["than"], claim["p"] is None) for claim in claims if claim["metric"] == "loss"},
             {("OPDP", seeds == 2), ("still", True)}, "p")


def test_claims(ofw):
    said = reproduced(ofw)
    result = strict_json(content(ofw, "claims.json").decode())
    same([result[key] for key in ("title", "rounds", "seeds", "level")], ["Small", 80, 9, 0.05], "the head")
    same([result[key] for key in ("comparisons", "relative_level", "seeds_needed")], [9, 0.05, None], "what is tested together")
    same([(c["claim"], c["stream"], c["than"], c["metric"]) for c in result["claims"]],
         [("1", stream, than, metric) for stream in ("calm", "ratings") for than in ("OPDP", "still")
          for metric in ("loss", "ccv")] + [("2", "ratings", "OFW", "ccv")], "claims")
    for claim in result["claims"]:
        check(f"  {claim['verdict']:<11}  {claim['stream']}, {claim['metric']}: " in said, "not printed")
        check(f" of {claim['than']}; {100 * claim['relative']:+.1f}%, effect " in said, "no relative difference")
    same([c["verdict"] for c in result["claims"] if c["than"] == "still" and c["metric"] == "loss"], ["holds", "holds"],
         "nine seeds decide what is plain")
    check("nothing can be decided" not in said, said)
    page = content(ofw, "report.html").decode()
    document = json.loads(page.split('<script type="application/json" id="data">', 1)[1].split("</script>", 1)[0])
    same(document["claims"], result["claims"], "the page's claims")


def recomputed(ofw):
    done = subprocess.run([sys.executable, os.path.join(HERE, "recompute.py"), ofw.file("out")], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout


def test_too_few_seeds_for_so_many_comparisons(ofw):
    """Six seeds have p = 2/64 at least; times nine comparisons that decides nothing."""
    ofw.write("small.ini", EXPERIMENT.replace("seeds = 9", "seeds = 6"))
    said = ofw.run("reproduce", "small.ini", "-o", "out", "-q").stdout
    check("\nnothing can be decided: 6 seeds are not enough for 9 comparisons; 9 would do\n" in said, said)
    result = strict_json(content(ofw, "claims.json").decode())
    same((result["comparisons"], result["seeds_needed"]), (9, 9), "what would do")
    same({c["verdict"] for c in result["claims"]}, {"not decided"}, "verdicts")
    check(min(c["p"] for c in result["claims"]) < 0.05, "without the correction some would be decided")
    same(recomputed(ofw)[0], 0, "recomputed")


def test_a_sure_difference_may_be_negligible(ofw):
    """Steps of 1 and of 1.01 differ alike on every seed, and by little."""
    ofw.write("small.ini", "[experiment]\ntitle = Alike\nrounds = 200\nseeds = 8\n[stream s]\nstream = linear\ndomain = l2-ball:dim=4\n"
              "[learner a]\nlearner = ofw-tvc\nstep = 1.01\n[learner b]\nlearner = ofw-tvc\n[learner same]\nlearner = ofw-tvc\n"
              "[claim 1]\ntext = a is a little better\nbetter = a\nthan = b\nmetric = regret\n"
              "[claim 2]\ntext = b is worse than itself\nbetter = b\nthan = same\nmetric = regret\n")
    done = ofw.run("reproduce", "small.ini", "-o", "out", "-q")
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    little, none = strict_json(content(ofw, "claims.json").decode())["claims"]
    same((little["verdict"], little["p"], little["p_holm"]), ("negligible", 2 / 2 ** 8, 2 * 2 / 2 ** 8), "little")
    check(-0.05 < little["relative"] < 0, f"{little['relative']}")
    same([none[key] for key in ("verdict", "p", "p_holm", "relative", "effect")], ["not decided", 1, 1, 0, 0], "the same learner twice")
    same(recomputed(ofw), (0, "curves.csv and claims.json agree with results.db\n"), "recomputed")


def test_again_plays_nothing_and_draws_the_same(ofw):
    first = reproduced(ofw)
    before = {name: content(ofw, name) for name in ("claims.json", "curves.csv", "curves.svg", "front.svg")}
    ofw.write("small.ini", EXPERIMENT)
    done = ofw.run("reproduce", "small.ini", "-o", "out", "-q")
    same((done.returncode, done.stdout), (0, first), done.stderr)
    same({name: content(ofw, name) for name in before}, before, "files")


def test_an_ambiguous_claim_is_refused(ofw):
    ofw.write("small.ini", EXPERIMENT.replace("than = OPDP, still", "than = grid"))
    done = ofw.run("reproduce", "small.ini", "-o", "out", "-q")
    same((done.returncode, done.stderr), (2, "ofw reproduce: small.ini:28: than: grid is played with several values of gamma-scale; "
                                             "give each a [learner] of its own\n"), "the refusal")
    check(not os.path.exists(ofw.file("out")), "something was played")


def test_plots(ofw):
    reproduced(ofw)
    for args, wanted, unwanted in (
            (["--metric", "regret", "--label", "calm"], ["regret", "calm"], ["ratings", "cumulative loss"]),
            (["--across", "calls", "--log"], ["oracle calls"], ["round"]),
            (["--across", "seconds"], ["seconds"], ["round"])):
        done = ofw.run("plot", "out", "-o", "it's.svg", *args)
        same((done.returncode, done.stdout, done.stderr), (0, "", ""), f"{args}")
        with open(ofw.file("it's.svg"), "rb") as figure:
            found = texts(figure.read())
        same([text for text in wanted if text not in found], [], f"{args}: missing")
        same([text for text in unwanted if text in found], [], f"{args}: there")
    done = ofw.run("plot", "out/results.db", "-o", "a.svg", "--label", "none")
    same((done.returncode, done.stderr), (2, "ofw plot: --label none: no stream is called that; the first is calm\n"), "label")
    done = ofw.run("plot", "out", "-o", "no/folder.svg")
    same((done.returncode, done.stderr), (1, "ofw plot: cannot write no/folder.svg: No such file or directory\n"), "no folder")
    done = ofw.run("plot", "out", "-o", "a.svg", env={"PATH": "/nowhere"})
    same((done.returncode, done.stderr), (1, "ofw plot: figures need gnuplot, which is not installed\n"), "no gnuplot")


def test_generated_ratings_stand_in_for_data_that_are_not_there(ofw):
    """The experiment of the quick form, as far as its first lines: it is long, so it is interrupted."""
    folder = ofw.file("none")
    with subprocess.Popen([ofw.path, "reproduce", "movielens", "--quick", "-o", "out", "-q"], cwd=ofw.folder,
                          env={**os.environ, "OFW_DATA_DIR": folder}, stderr=subprocess.PIPE, encoding="utf-8") as process:
        said = process.stderr.readline()
        while len(ofw.run("export", "out", "--table", "timing").stdout.splitlines()) < 2 and process.poll() is None:
            time.sleep(0.1)
        process.terminate()
        process.communicate()
    same(said, "ofw reproduce: movielens-100k is not in the data folder: ratings like it are generated ('ofw help data')\n",
         "the note")
    same(process.returncode, 143, "interrupted")
    specs = ofw.run("export", "out", "--table", "arm").stdout
    check("like=movielens-100k,batch=1250" in specs and "file=" not in specs, specs)
    check("(quick), generated ratings" in ofw.run("export", "out", "--table", "meta").stdout, "the title")


if __name__ == "__main__":
    sys.exit(main("ofw reproduce and ofw plot, end to end", globals(), "reproduce.json"))
