#!/usr/bin/python3
"""Runs `ofw reproduce` and `ofw plot` as their users do; first the cases of reproduce.json (see runner.py).

    test_reproduce.py --ofw PATH [--filter SUBSTRING]

Numbers are computed anew from the database by recompute.py, and figures are looked at as files of their kind.
"""
import csv
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
        check(f" of {claim['than']}; {100 * claim['relative']:+.1f}% of the larger, effect " in said, "no relative difference")
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
    check("\ncannot decide: 6 seeds are not enough for 9 comparisons; 9 would be enough\n" in said, said)
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
        same((done.returncode, done.stdout, done.stderr), (0, "wrote it's.svg\n", ""), f"{args}")
        with open(ofw.file("it's.svg"), "rb") as figure:
            found = texts(figure.read())
        same([text for text in wanted if text not in found], [], f"{args}: missing")
        same([text for text in unwanted if text in found], [], f"{args}: there")
    done = ofw.run("plot", "out/results.db", "-o", "a.svg", "--label", "none")
    same((done.returncode, done.stderr), (2, "ofw plot: --label none: no stream has this name; the first is called calm\n"), "label")
    done = ofw.run("plot", "out", "-o", "no/folder.svg")
    same((done.returncode, done.stderr), (1, "ofw plot: cannot write no/folder.svg: No such file or directory\n"), "no folder")
    done = ofw.run("plot", "out", "-o", "a.svg", env={"PATH": "/nowhere"})
    same((done.returncode, done.stderr), (0, ""), "no other program is needed")


def test_bands_do_not_go_below_0(ofw):
    """Seeds that differ by more than their mean: the band of the loss may reach below 0, that of the violation ends there."""
    ofw.write("small.ini", "[experiment]\ntitle = Wide\nrounds = 4\nseeds = 8\n[stream s]\nstream = linear\ndomain = l2-ball:dim=4\n"
              "[learner a]\nlearner = ofw-tvc\n")
    same(ofw.run("sweep", "small.ini", "-o", "out", "-q").returncode, 0, "the sweep")
    same(ofw.run("plot", "out", "-o", "a.svg", "--csv", "a.csv", "--metric", "ccv").stdout, "wrote a.svg\nwrote a.csv\n", "the plot")
    with open(ofw.file("a.csv"), encoding="utf-8") as file:
        means = [(float(row["ccv"]), float(row["ccv_deviation"])) for row in csv.DictReader(file)]
    check(any(deviation > mean for mean, deviation in means), f"no wide band in {means}")
    svg = "{http://www.w3.org/2000/svg}"
    with open(ofw.file("a.svg"), encoding="utf-8") as file:
        root = ET.parse(file).getroot()
    numbers = [node.text for node in root.iter(f"{svg}text")]
    check("0" in numbers and not any(text.startswith("−") for text in numbers), f"ticks {numbers}")


def write_ratings(ofw, name, users, items):
    """A data set of its name, small enough that a reading is played in seconds. Every pair but each fifth is rated."""
    path = ofw.file(f"data/{name}")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{u} {i} {1 + (u * u + 3 * u * i + i) % 4}\n" for u in range(1, users + 1) for i in range(1, items + 1)
                        if (u + 2 * i) % 5)
    return {"OFW_DATA_DIR": ofw.file("data"), "PATH": os.environ["PATH"]}


def read_readings(ofw):
    return strict_json(content(ofw, "readings.json").decode())


def page_of(ofw, name):
    page = content(ofw, name).decode()
    return json.loads(page.split('<script type="application/json" id="data">', 1)[1].split("</script>", 1)[0])


def recomputed_readings(ofw):
    done = subprocess.run([sys.executable, os.path.join(HERE, "recompute_readings.py"), ofw.file("out")], capture_output=True,
                          text=True, check=False)
    same((done.returncode, done.stdout), (0, "readings.json and all that it is made of agree with the results\n"), done.stderr)


def test_a_reading_beside_the_literal_one(ofw):
    env = write_ratings(ofw, "ml-100k/u.data", 9, 7)
    said = {}
    for reading in ("boxes", "literal"):
        done = ofw.run("reproduce", "movielens", "--quick", "--reading", reading, "-o", "out", "-q", env=env)
        same((done.returncode, done.stderr), (0, ""), reading)
        said[reading] = done.stdout
    check(said["boxes"].startswith("reading boxes: ") and said["boxes"].endswith("\nout/boxes/report.html\n"), said["boxes"])
    check("which reading" not in said["boxes"] and "claim                                                  literal      boxes" in
          said["literal"], "a table when there are two of them")
    same(sorted(os.listdir(ofw.file("out"))), sorted(FILES + ["boxes", "readings.json"] + [f"curves-ours.{end}" for end in ("pdf", "png", "svg")]),
         "files")
    for folder in ("", "boxes/"):
        same(strict_json(content(ofw, f"{folder}claims.json").decode())["reading"], folder[:-1] or "literal", "claims.json")
    whole = read_readings(ofw)
    same([(r["reading"], r.get("from")) for r in whole["readings"]],
         [("literal", None), ("boxes", None)] + [(rule, "literal tuning plays") for rule in ("by-loss", "by-score", "by-front")], "readings")
    same(page_of(ofw, "report.html")["readings"], whole, "the literal page's readings")
    same([r["reading"] for r in page_of(ofw, "boxes/report.html")["readings"]["readings"]], ["boxes"], "the page of the first to be played")
    recomputed_readings(ofw)
    paper, ours = (" ".join(texts(content(ofw, f"{name}.svg"))) for name in ("curves", "curves-ours"))
    for name in ("OPDP line search", "OFW-TVC line search", "OFW-Ada", "X = 0"):
        check(name in ours and name not in paper, f"{name} is in the wrong figure")
    for name in ("OPDP", "LPM", "OFW-TVC", "SCOFW-TVC"):
        check(name in texts(content(ofw, "curves.svg")) and name not in texts(content(ofw, "curves-ours.svg")), f"{name} is in the wrong figure")


def test_what_is_no_whole_reading_is_left_out(ofw):
    """Results of something else in a reading's place, and a reading that was interrupted."""
    env = write_ratings(ofw, "ml-100k/u.data", 9, 7)
    reproduced(ofw)
    os.renames(ofw.file("out/results.db"), ofw.file("readings/vertex/results.db"))
    with subprocess.Popen([ofw.path, "reproduce", "movielens", "--quick", "--reading", "boxes", "-o", "readings", "-q"], cwd=ofw.folder,
                          env=env, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        while len(ofw.run("export", "readings/boxes", "--table", "timing").stdout.splitlines()) < 2 and process.poll() is None:
            time.sleep(0.02)
        process.terminate()
        process.communicate()
    same(process.returncode, 143, "interrupted")
    done = ofw.run("reproduce", "movielens", "--quick", "-o", "readings", "-q", env=env)
    same((done.returncode, done.stderr), (0, "ofw reproduce: the reading vertex is left out: readings/vertex/results.db has other "
                                             "claims than the reading vertex of movielens\n"), "what is said")
    with open(ofw.file("readings/readings.json"), encoding="utf-8") as file:
        same([r["reading"] for r in json.load(file)["readings"]], ["literal", "by-loss", "by-score", "by-front"], "readings")


def test_all_readings(ofw):
    env = write_ratings(ofw, "filmtrust/ratings.txt", 19, 18)
    done = ofw.run("reproduce", "filmtrust", "--quick", "--reading", "all", "-o", "out", "-q", env=env)
    same(done.returncode, 0, done.stderr)
    names = ["literal", "vertex", "one-pass", "single", "boxes", "exposure", "printed"]
    same([line.split()[1][:-1] for line in done.stdout.splitlines() if line.startswith("reading ")], names, "in this order")
    same(done.stdout.splitlines()[-1], "out/report.html", "the last line")
    same([r["reading"] for r in read_readings(ofw)["readings"] if "from" not in r], names, "readings.json")
    for page in ("report.html", "printed/report.html"):
        same(page_of(ofw, page)["readings"], read_readings(ofw), page)
    arms = strict_json(ofw.run("export", "out/vertex", "--table", "arm", "--json").stdout)
    same({arm["label"]: arm["options"] for arm in arms if "start=vertex" not in arm["options"]}, {"X = 0": "start=zero"}, "vertex")
    check("of 26 grid points refused" in done.stderr, "a probe outside the ball is refused, which is no failure")
    recomputed_readings(ofw)


EXPERIMENTS = os.path.join(HERE, "..", "..", "experiments")


def sections(name):
    """An experiment file with those that it includes: {heading: {key: value}}."""
    found, now = {}, None
    with open(os.path.join(EXPERIMENTS, name), encoding="utf-8") as file:
        for line in file:
            line = line.split(";", 1)[0].strip()
            if line.startswith("["):
                now = found.setdefault(line[1:-1], {})
            elif line and now is None:
                found = sections(line.split(" = ")[1])
            elif line:
                now.update([line.split(" = ", 1)])
    return found


def test_all_readings_have_the_same_learners_and_claims(ofw):
    del ofw
    for name, extra in (("movielens", "SCOFW-TVC alpha"), ("filmtrust", "SCBFW-TVC alpha")):
        files = sorted(file for file in os.listdir(EXPERIMENTS) if file.startswith(f"{name}-") and file != f"{name}-methods.ini")
        same(len([file for file in files if "-quick" not in file]), len([file for file in files if "-quick" in file]), "each is quick too")
        methods = sections(f"{name}-methods.ini")
        for file in files:
            found = sections(file)
            more = {f"learner {extra}", "claim alpha"} if "-boxes" in file else set()
            same({heading for heading in found if heading.split()[0] in ("learner", "claim")}, set(methods) | more, file)
            for heading, keys in methods.items():
                kept = keys if heading.startswith("claim") else {"learner": keys["learner"], "tune": keys.get("tune")}
                same({key: found[heading].get(key) for key in kept}, kept, f"{file}: {heading}")
                same(keys.get("tune", "fine"), "fine", f"{file}: {heading}")
            same(found["experiment"]["seeds"], "10", file)
            compared = sum(len(keys["than"].split(",")) * len(keys["metric"].split(",")) for heading, keys in found.items()
                           if heading.startswith("claim"))
            check(compared <= 25, f"{file}: ten seeds cannot decide {compared} comparisons")


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
    same(said, "ofw reproduce: movielens-100k is not in the data folder, so similar ratings are generated ('ofw help data')\n",
         "the note")
    same(process.returncode, 143, "interrupted")
    specs = ofw.run("export", "out", "--table", "arm").stdout
    check("like MovieLens-100k,\"matrix-completion:like=movielens-100k,batch=all" in specs and "file=" not in specs, specs)
    check("(quick), generated ratings" in ofw.run("export", "out", "--table", "meta").stdout, "the title")


if __name__ == "__main__":
    sys.exit(main("ofw reproduce and ofw plot, end to end", globals(), "reproduce.json"))
