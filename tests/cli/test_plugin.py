#!/usr/bin/python3
"""Runs `ofw --plugin` as people do who wrote a learner or a set: compiles plugins, plays them, and refuses what is none.

    test_plugin.py --ofw PATH [--filter SUBSTRING]
"""
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys

from program import check, same
from runner import main

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "tests/cli/plugins/crate_plugin.c"
PUSH = ["--learner", "push", "--domain", "l2-ball:dim=4", "--stream", "linear", "--rounds", "60"]


def build(ofw, name, *flags, source=SOURCE, shared=True, plus=""):
    """As the header says: nothing is linked. `plus` is C that comes first."""
    text = plus + pathlib.Path(source).read_text(encoding="utf-8")
    compiler = "c++" if name.endswith("++.so") else "cc"
    language = "c++" if compiler == "c++" else "c"
    done = subprocess.run([compiler, "-x", language, "-Wall", "-Wextra", "-Werror", *(["-shared"] if shared else ["-c"]), "-fPIC",
                           f"-I{ROOT / 'include'}", *flags, "-o", ofw.file(name), "-"], input=text, capture_output=True, text=True)
    check(done.returncode == 0, f"the plugin does not compile: {done.stderr[:600]}")


def refused(ofw, code, message, *args):
    done = ofw.run(*args)
    same(done.stderr, f"ofw {args[0]}: {message}\n", f"stderr of {args}")
    same((done.returncode, done.stdout), (code, ""), f"code and stdout of {args}")


def result(ofw, *args):
    done = ofw.run(*args, "--json", "--quiet")
    check(done.returncode == 0, f"{args}: {done.stderr}")
    return json.loads(done.stdout)


def test_plays(ofw):
    """A learner and a set of a plugin play by name, also within another set, and on both sides."""
    build(ofw, "crate.so")
    first = result(ofw, "run", "--plugin", "./crate.so", *PUSH)
    same(first["learner"], "push", "learner")
    same(first, {**result(ofw, "run", "--plugin", "crate.so", *PUSH), "seconds": first["seconds"]}, "a path without '/'")
    check(first["oracle_calls"] == 60, f"{first['oracle_calls']} oracle calls are counted")
    for domain in ("crate:dim=4,side=0.5", "scaled:factor=2,of=(crate:dim=3)", "product:parts=((crate:dim=2);(simplex:dim=2))"):
        for learner in ("push", "ofw-ada", "bfw-ada", "ogd"):
            result(ofw, "run", "--plugin", "./crate.so", "--learner", learner, "--domain", domain, "--stream", "linear",
                   "--rounds", "40")
    trace = ofw.run("run", "--plugin", "./crate.so", *PUSH, "--trace", "t.csv", "--set", "share=0.25", "-q")
    same(trace.returncode, 0, trace.stderr)
    head = "".join(re.findall("^#.*\n", pathlib.Path(ofw.file("t.csv")).read_text(encoding="utf-8"), re.M))
    check(re.search(r"learner=push plugin=[0-9a-f]{8} domain=l2-ball:dim=4 .* share=0.25 damp=0.1", head), head)


def test_example(ofw):
    """examples/own_learner.c as a plugin decides as `ofw` does, up to rounding."""
    build(ofw, "leader.so", source=ROOT / "examples/own_learner.c")
    play = ["--set", "step=4", "--domain", "l1-ball:dim=5", "--stream", "linear", "--rounds", "500"]
    mine = result(ofw, "run", "--plugin", "./leader.so", "--learner", "leader", *play)
    theirs = result(ofw, "run", "--learner", "ofw", *play)
    check(abs(mine["loss"] - theirs["loss"]) <= 1e-9 * abs(theirs["loss"]), f"{mine['loss']} and {theirs['loss']}")
    same((mine["ccv"] > 0, mine["oracle_calls"]), (True, theirs["oracle_calls"]), "violations and calls")


def test_cxx(ofw):
    """The headers serve a plugin in C++; designated initialisers ask for C++20."""
    build(ofw, "crate++.so", "-std=c++20", "-Wno-missing-field-initializers")
    build(ofw, "crate.so")
    a, b = (result(ofw, "run", "--plugin", name, *PUSH) for name in ("./crate++.so", "./crate.so"))
    check(a["config"] != b["config"], "two plugins with one checksum")
    same({**a, "seconds": 0, "config": ""}, {**b, "seconds": 0, "config": ""}, "C++ and C")


def test_split_run(ofw):
    """A play that is interrupted by its rounds and resumed is the whole one; another plugin does not resume it."""
    build(ofw, "crate.so")
    build(ofw, "other.so", "-DSHARE=0.25")
    play = ["run", *PUSH[:-1], "60", "-q", "--seed", "3", "--horizon", "60"]
    whole = ofw.run(*play, "--plugin", "./crate.so", "--trace", "whole.csv")
    same(whole.returncode, 0, whole.stderr)
    part = [*play, "--checkpoint", "p.check", "--trace", "parts.csv"]
    stopped = ofw.run(*part, "--plugin", "./crate.so", "--time-limit", "0")
    same(stopped.returncode, 0, stopped.stderr)
    done = ofw.run(*part, "--plugin", "./other.so", "--resume")
    same(done.returncode, 3, "another plugin")
    check(re.fullmatch(r"ofw run: .*saved with 'plugin=[0-9a-f]{8}', but this play has 'plugin=[0-9a-f]{8}'; use the same options\n", done.stderr), done.stderr)
    same(ofw.run(*part, "--plugin", "./crate.so", "--resume").returncode, 0, "the same plugin")
    rows = [[line.rsplit(",", 1)[0] for line in pathlib.Path(ofw.file(name)).read_text(encoding="utf-8").splitlines()
             if not line.startswith("#")] for name in ("whole.csv", "parts.csv")]
    same(rows[0], rows[1], "the traces but for the seconds")
    check(len(rows[0]) == 61, f"{len(rows[0])} rows")


def test_pipe(ofw):
    """A plugin's learner plays over a pipe, into a log, and goes on from it."""
    build(ofw, "crate.so")
    play = ["pipe", "--plugin", "./crate.so", "--learner", "push", "--domain", "crate:dim=2"]
    lines = [f'{{"loss":1,"loss_gradient":[{t % 3 - 1},{t % 5 - 2.5}]}}\n' for t in range(20)]
    whole = ofw.run(*play, stdin="".join(lines))
    same(whole.returncode, 0, whole.stderr)
    for part in (lines[:8], lines[8:]):
        done = ofw.run(*play, "--log", "play.log", stdin="".join(part))
        same(done.returncode, 0, done.stderr)
    same(done.stdout.splitlines()[-1], whole.stdout.splitlines()[-1], "the last decision")


EXPERIMENT = """
[experiment]
title = a plugin's learner beside ofw
rounds = 40
seeds = 2
tune-seeds = 1
[stream crate]
stream = linear
domain = crate:dim=3
[learner push]
share = 0.5, 1
[learner tuned]
learner = push
tune = yes
[learner ofw]
"""


def test_sweep(ofw):
    """Workers know the plugin; its checksum keys what was played; a report needs no plugin."""
    build(ofw, "crate.so")
    build(ofw, "other.so", "-DSHARE=0.25")
    ofw.write("x.ini", EXPERIMENT)
    refused(ofw, 2, "x.ini:10: no learner 'push'; see 'ofw list'", "sweep", "x.ini", "-o", "out")
    sweep = ["sweep", "x.ini", "-o", "out", "-q", "--jobs", "2", "--plugin"]
    done = ofw.run(*sweep, "./crate.so")
    same(done.returncode, 0, done.stderr)
    with sqlite3.connect(ofw.file("out/results.db")) as base:
        configs = {row[0] for row in base.execute("select config from cell where exit_code = 0")}
        failed = base.execute("select count(*) from cell where exit_code != 0 and exit_code != 2").fetchone()[0]
    same(failed, 0, "failed plays")
    crc = {word for text in configs if "learner=push" in text for word in re.findall(r"learner=push plugin=([0-9a-f]{8})", text)}
    check(len(crc) == 1, f"checksums {crc}")
    check(all("domain-content=" in text for text in configs), "the set's plugin is not in the configuration")
    again = ofw.run(*sweep, "./crate.so")
    same((again.returncode, "nothing to play" in again.stderr), (0, True), again.stderr)
    other = ofw.run(*sweep, "./other.so")
    same(other.returncode, 2, other.stderr)
    check("choose another folder" in other.stderr and other.stderr.count("\n") == 1, other.stderr)
    for args in (["export", "out"], ["report", "out"], ["plot", "out", "-o", "curves.svg"]):
        done = ofw.run(*args)
        same(done.returncode, 0, f"{args}: {done.stderr}")


def test_shards(ofw):
    """Played with the plugin and merged without it; a shard by another plugin is refused."""
    build(ofw, "crate.so")
    build(ofw, "other.so", "-DSHARE=0.25")
    ofw.write("x.ini", EXPERIMENT)
    same(ofw.run("sweep", "x.ini", "-o", "whole", "-q", "--plugin", "./crate.so").returncode, 0, "one sweep")
    tunings = ["sweep", "x.ini", "--stage", "tune", "-q", "-o"]
    same(ofw.run(*tunings, "tuned", "--plugin", "./crate.so").returncode, 0, "the tunings")
    plays = lambda i, folder, plugin: ofw.run("sweep", "x.ini", "--shard", f"{i}/2", "--stage", "play", "--tuned", "tuned", "-o", folder, "-q", "--plugin", plugin)
    for i, folder, plugin in ((1, "one", "./crate.so"), (2, "two", "./crate.so"), (2, "bad", "./other.so")):
        done = plays(i, folder, plugin)
        same(done.returncode, 0, f"{folder}: {done.stderr}")
    same(ofw.run("sweep", "--merge", "tuned", "one", "two", "-o", "out", "-q").returncode, 0, "the merge")
    tables = [ofw.run("export", folder, "--table", table).stdout for table in ("arm", "cell", "series") for folder in ("whole", "out")]
    same(tables[::2], tables[1::2], "the tables of one sweep")
    done = ofw.run("sweep", "--merge", "tuned", "one", "bad", "-o", "new")
    same((done.returncode, done.stderr.count("\n"), os.path.exists(ofw.file("new"))), (2, 1, False), done.stderr)
    check(done.stderr.startswith("ofw sweep: bad/results.db has plays of push on crate with "), done.stderr)


def test_learner_alone_keys(ofw):
    """On a set of the library's, plays of a built-in learner are the same whatever the plugin: those of its own learner are not."""
    build(ofw, "crate.so")
    build(ofw, "other.so", "-DSHARE=0.25")
    ofw.write("x.ini", EXPERIMENT.replace("crate:dim=3", "l2-ball:dim=3").replace("[learner ofw]\n", "").replace(
        "[learner push]", "[learner ofw]\n[learner push]"))
    same(ofw.run("sweep", "x.ini", "-o", "out", "-q", "--plugin", "./crate.so").returncode, 0, "sweep")
    other = ofw.run("sweep", "x.ini", "-o", "out", "-q", "--plugin", "./other.so")
    same((other.returncode, other.stderr), (2, "ofw sweep: out/results.db has plays of [learner push] by another plugin; "
                                               "choose another folder\n"), "another plugin")


def test_crash(ofw):
    """A plugin that crashes takes its play with it, and no other."""
    build(ofw, "crash.so", "-DCRASH")
    ofw.write("x.ini", EXPERIMENT.replace("[learner tuned]\nlearner = push\ntune = yes\n", ""))
    done = ofw.run("sweep", "x.ini", "-o", "out", "-q", "--plugin", "./crash.so")
    same(done.returncode, 1, "code")
    check("4 of 6 plays failed; the first: push on crate, seed 1: the worker process was ended by signal 6" in done.stderr, done.stderr)


def test_compare_and_tune(ofw):
    build(ofw, "crate.so")
    done = ofw.run("compare", "--plugin", "./crate.so", "--learner", "push:share=0.5", "--rival", "ofw-ada", "--stream", "linear", "--domain",
                   "crate:dim=3", "--rounds", "50", "--seeds", "6", "--tune-seeds", "1", "-q", "--json")
    same(done.returncode, 0, done.stderr)
    check("push:share=0.5" in done.stdout, done.stdout)
    done = ofw.run("tune", "--plugin", "./crate.so", *PUSH, "--tune-seeds", "1", "-q", "--json")
    same(done.returncode, 0, done.stderr)
    same(json.loads(done.stdout)["constants"], ["share", "damp"], "what is tuned")


def test_list_and_help(ofw):
    build(ofw, "crate.so")
    text = ofw.run("list", "--plugin", "./crate.so").stdout
    check("learners of plugins\n  push               steps towards" in text, text)
    check("domains of plugins\n  crate              a box of sides" in text, text)
    text = ofw.run("help", "push", "--plugin", "./crate.so").stdout
    check("push - steps towards" in text and "needs neither --horizon" in text and "share=NUMBER  (default 1)" in text, text)
    refused(ofw, 2, "no learner 'puhs'; did you mean 'push'?", "run", "--plugin", "./crate.so", *["puhs" if w == "push" else w for w in PUSH])
    refused(ofw, 2, "no domain 'crat'; did you mean 'crate'?", "run", "--plugin", "./crate.so", *PUSH[:3], "crat:dim=3", *PUSH[4:])
    refused(ofw, 2, "crate: dim is required (dimension n)", "run", "--plugin", "./crate.so", *PUSH[:3], "crate", *PUSH[4:])
    refused(ofw, 2, "crate: dim=13 is bad luck", "run", "--plugin", "./crate.so", *PUSH[:3], "crate:dim=13", *PUSH[4:])
    refused(ofw, 2, "push: no option 'shar'; did you mean 'share'?", "run", "--plugin", "./crate.so", *PUSH, "--set", "shar=1", "-q")


def test_refusals(ofw):
    """What is no plugin, in one line, before any of it runs; nothing is played."""
    play = ["run", *PUSH, "--plugin"]
    build(ofw, "crate.so")
    whole = pathlib.Path(ofw.file("crate.so")).read_bytes()
    refused(ofw, 1, "--plugin ./none.so: No such file or directory", *play, "none.so")
    refused(ofw, 3, "--plugin ./.: it is not a file", *play, "./.")
    os.mkfifo(ofw.file("fifo"))
    refused(ofw, 3, "--plugin ./fifo: it is not a file", *play, "./fifo")
    for name, content, why in (("empty", b"", "it is empty or cannot be read"), ("short", whole[:40], "it is too short for a shared object"),
                               ("text", b"#!/bin/sh\n" * 20, "it is not a shared object"), ("cut", whole[:3000], "it is cut off or damaged"),
                               ("half", whole[:len(whole) // 2], "it is cut off or damaged"),
                               ("machine", whole[:18] + b"\x28\x00" + whole[20:], "it is for another machine")):
        pathlib.Path(ofw.file(name)).write_bytes(content)
        refused(ofw, 3, f"--plugin ./{name}: {why}", *play, f"./{name}")
    build(ofw, "crate.o", shared=False)
    refused(ofw, 3, "--plugin ./crate.o: it is not a shared object; link it with -shared", *play, "./crate.o")
    pathlib.Path(ofw.file("plain.c")).write_text("int nothing;\n", encoding="utf-8")
    build(ofw, "plain.so", source=ofw.file("plain.c"))
    refused(ofw, 3, "--plugin ./plain.so: it has no ofw_plugin_abi; OFW_PLUGIN of ofw/plugin.h defines it", *play, "./plain.so")
    pathlib.Path(ofw.file("abi.c")).write_text("#include <ofw/plugin.h>\nconst unsigned ofw_plugin_abi = 1;\n", encoding="utf-8")
    build(ofw, "abi.so", source=ofw.file("abi.c"))
    refused(ofw, 3, "--plugin ./abi.so: it has no ofw_plugin_register; OFW_PLUGIN of ofw/plugin.h defines it", *play, "./abi.so")
    build(ofw, "later.so", plus="#include <ofw/plugin.h>\n#undef OFW_PLUGIN_ABI\n#define OFW_PLUGIN_ABI 99\n")
    refused(ofw, 3, "--plugin ./later.so: it was compiled for version 99 of plugins, this is version 1; compile it again", *play, "./later.so")
    build(ofw, "nothing.so", "-DNOTHING", "-Wno-unused")
    refused(ofw, 3, "--plugin ./nothing.so: it adds neither a learner nor a set", *play, "./nothing.so")
    build(ofw, "refuses.so", "-DREFUSES", "-Wno-unused")
    refused(ofw, 1, r"--plugin ./refuses.so: not today\x0asaid on two lines", *play, "./refuses.so")
    build(ofw, "taken.so", '-DNAME="ofw-ada"')
    refused(ofw, 2, "--plugin ./taken.so: own learner ofw-ada: the library has a learner of this name; choose another", *play, "./taken.so")
    shutil.copy(ofw.file("crate.so"), ofw.file("copy.so"))
    refused(ofw, 2, "--plugin ./copy.so: own learner push: a plugin has added one of this name already; rename one of them",
            *play, "./crate.so", "--plugin", "./copy.so")
    pathlib.Path(ofw.file("missing.c")).write_text("#include <ofw/plugin.h>\nvoid nobody(void);\nOFW_PLUGIN(registry, err)\n{\n  (void)registry, (void)err;\n"
                                                   "  nobody();\n  return OFW_OK;\n}\n", encoding="utf-8")
    build(ofw, "missing.so", source=ofw.file("missing.c"))
    refused(ofw, 3, "--plugin ./missing.so: it cannot be loaded: undefined symbol: nobody", *play, "./missing.so")
    same(ofw.run("run", "--plugin").returncode, 2, "no value")
    build(ofw, "second.so", '-DNAME="shove"')
    refused(ofw, 2, "--plugin ./second.so: own domain crate: a plugin has added one of this name already; rename one of them",
            *play, "./crate.so", "--plugin", "./second.so")


def test_check_domain(ofw):
    """ofw check --domain: the set of a plugin, one that is wrong, and those of the library."""
    build(ofw, "crate.so")
    done = ofw.run("check", "--domain", "crate:dim=5", "--plugin", "./crate.so", "--json")
    same(done.returncode, 0, done.stderr + done.stdout)
    found = json.loads(done.stdout)
    same((found["kind"], found["state"], found["dimension"]), ("domain", "sound", 5), "what is found")
    check(found["directions"] > 100, found)
    done = ofw.run("check", "--domain", "broken-crate:dim=3", "--plugin", "./crate.so", "--json")
    same(done.returncode, 3, done.stderr)
    found = json.loads(done.stdout)
    same((found["state"], found["failed"]), ("wrong", "minimal"), "what is found")
    check(re.fullmatch(r"broken-crate:dim=3 fails the check 'minimal' at direction \d+: <d, v> against the centre: found \S+, expected at most \S+",
                       found["why"]), found["why"])
    text = ofw.run("check", "--domain", "simplex:dim=4").stdout
    check("state" in text and "sound" in text, text)
    refused(ofw, 2, "expected FILE or --domain SPEC, and not both; see 'ofw help check'", "check", "x", "--domain", "simplex:dim=4")
    refused(ofw, 2, "--repair works on files, not on --domain", "check", "--domain", "simplex:dim=4", "--repair", "-o", "x")


def test_symbols(ofw):
    """A plugin is linked with nothing, so the command has every function of the public headers; recommend.h is another library's."""
    declared = set()
    for header in (path for path in (ROOT / "include/ofw").glob("*.h") if path.name != "recommend.h"):
        declared.update(re.findall(r"^OFW_API [^;(]*?\b(ofw_\w+)\(", header.read_text(encoding="utf-8"), re.M))
    out = subprocess.run(["nm", "-D", "--defined-only", ofw.path], check=True, capture_output=True, text=True).stdout
    missing = declared - {line.split()[2] for line in out.splitlines()}
    check(not missing, f"the command lacks {sorted(missing)}")


if __name__ == "__main__":
    sys.exit(main("learners and sets from outside, end to end", globals()))
