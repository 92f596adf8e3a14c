#!/usr/bin/python3
"""Runs `ofw data`: the cases of data.json (see test_cli.py), then what data cannot say.

    test_data.py --ofw PATH [--filter SUBSTRING]

Nothing of the real sets is here. Ratings of their shape are generated; with the real sets in OFW_DATA_DIR those are
imported, too.
"""
import collections
import os
import re
import sys
import zipfile

import numpy

from program import check, same, strict_json
from runner import main

SETS = {"movielens-100k": ("ml-100k", "u.data", 100000, 100000, 943, 1682),
        "filmtrust": ("filmtrust", "ratings.txt", 35497, 35494, 1508, 2071)}
REAL = os.environ.get("OFW_DATA_DIR", "")


def data(ofw, *args, **env):
    """With a data folder of its own, unless env names another."""
    clean = {key: value for key, value in os.environ.items() if key not in ("OFW_DATA_DIR", "XDG_DATA_HOME")}
    return ofw.run("data", *args, env=clean | {"HOME": ofw.file("home")} | env)


def generate(ofw, name, seed="1"):
    done = data(ofw, "generate", name, "--seed", seed, "-o", "generated")
    same((done.returncode, done.stdout, done.stderr), (0, "", ""), "generate")
    with open(ofw.file("generated"), encoding="ascii") as file:
        return file.read()


def stand_in(ofw, name):
    """Rows as many as the set has, of its shape and values; and yet another set."""
    _, _, rows, pairs, _, _ = SETS[name]
    lines = generate(ofw, name).splitlines(True)
    return "".join(lines + lines[-1:] * (rows - pairs))


def refused(ofw, name, path, pattern, code=3, **env):
    before = sorted(os.walk(ofw.folder))
    done = data(ofw, "import", name, path, **env)
    same((done.returncode, done.stdout), (code, ""), f"{done.stderr!r}, code and stdout")
    check(re.fullmatch(f"ofw data: {pattern}\n", done.stderr), f"stderr {done.stderr!r}")
    same(sorted(os.walk(ofw.folder)), before, "files")


# --- import -------------------------------------------------------------------------------------

def test_import_of_another_file(ofw):
    """Right in all but its bytes; then too short, then with one byte changed."""
    for name in SETS:
        text = stand_in(ofw, name)
        ofw.write("f", text)
        refused(ofw, name, "f", rf"f is not {name}: its sha256 is [0-9a-f]{{64}}, expected [0-9a-f]{{64}}")
        other = next(other for other in SETS if other != name)
        refused(ofw, other, "f", rf"f is not {other}: found \d+ rows, expected \d+")
        ofw.write("f", text[:text.rindex("\n", 0, -1) + 1])
        refused(ofw, name, "f", rf"f is not {name}: found {SETS[name][2] - 1} rows, expected {SETS[name][2]}")
        ofw.write("f", text.replace("1 ", "x ", 1))
        refused(ofw, name, "f", r"f:1: the user 'x\d*' is not a whole number >= 0")
        ofw.write("f", re.sub(r" \S+\n", " 9\n", text, count=1))
        refused(ofw, name, "f", rf"f is not {name}: user 1 rates item \d+ with 9, expected \S+, \S+, .. or \S+")


def test_import_from_zips(ofw):
    text = stand_in(ofw, "movielens-100k")
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(ofw.file("a.zip"), "w", method) as archive:
            archive.writestr("ml-100k/README", "a text\n")
            archive.writestr("ml-100k/u.data", text)
        refused(ofw, "movielens-100k", "a.zip", r"a.zip:ml-100k/u.data is not movielens-100k: its sha256 is \w+, expected \w+")
        refused(ofw, "filmtrust", "a.zip", "a.zip: there is no ratings.txt in it")
        with open(ofw.file("a.zip"), "rb") as file:
            content = bytearray(file.read())
        content[len(content) // 2] ^= 1
        with open(ofw.file("a.zip"), "wb") as file:
            file.write(content)
        refused(ofw, "movielens-100k", "a.zip", "cannot read a.zip:ml-100k/u.data: [^\n]+")
        with open(ofw.file("a.zip"), "wb") as file:
            file.write(content[:-1000])
        refused(ofw, "movielens-100k", "a.zip", "cannot read a.zip: [^\n]+")


def test_import_of_the_real_sets(ofw):
    """Where they are: as file, folder and zip file, into three kinds of data folder; byte for byte."""
    for name, (folder, file, *_) in SETS.items():
        source = os.path.join(REAL, folder, file)
        if not REAL or not os.path.exists(source):
            print(f"     {name} is not in OFW_DATA_DIR: its import is not tested")
            continue
        with zipfile.ZipFile(ofw.file("a.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(source, f"any/{file}")
        for path, env, place in ((source, {}, "home/.local/share/ofw"),
                                 (os.path.dirname(source), {"XDG_DATA_HOME": ofw.file("xdg")}, "xdg/ofw"),
                                 (REAL, {"OFW_DATA_DIR": "chosen"}, "chosen"),
                                 ("a.zip", {"OFW_DATA_DIR": ofw.file("zip")}, "zip")):
            for state in ("now", "already"):
                done = data(ofw, "import", name, path, **env)
                same((done.returncode, done.stderr), (0, ""), "import")
                check(re.match(rf"{name} is {state} in \S*{place}/{folder}/{file}\n", done.stdout), done.stdout)
                same("the last counts" in done.stdout, name == "filmtrust", "duplicates")
            with open(source, "rb") as one, open(ofw.file(f"{place}/{folder}/{file}"), "rb") as two:
                check(one.read() == two.read(), "another file")
            same(os.listdir(ofw.file(f"{place}/{folder}")), [file], "files")
            check(f"{folder}/{file}: there, whole\n" in data(ofw, "list", **env).stdout, "list")
        with open(ofw.file(f"zip/{folder}/{file}"), "a", encoding="ascii") as damaged:
            damaged.write("\n")
        refused_place = {"OFW_DATA_DIR": ofw.file("a.zip")}
        refused(ofw, name, source, "cannot write \\S+: Not a directory", 1, **refused_place)
        check(re.search(f"{file}: .* its sha256 is", data(ofw, "list", OFW_DATA_DIR=ofw.file("zip")).stdout), "damaged")
        check(data(ofw, "import", name, source, OFW_DATA_DIR=ofw.file("zip")).stdout.startswith(f"{name} is now in"),
              "a damaged file is replaced")


def test_import_needs_a_folder(ofw):
    ofw.write("f", stand_in(ofw, "filmtrust"))
    for args in (("import", "filmtrust", "f"), ("list",), ("describe", "filmtrust")):
        done = data(ofw, *args, HOME="")
        same((done.returncode, done.stdout, done.stderr),
             (2, "", "ofw data: there is no data folder: set OFW_DATA_DIR, XDG_DATA_HOME or HOME\n"), args)


# --- list ---------------------------------------------------------------------------------------

def test_list(ofw):
    done = data(ofw, "list")
    same((done.returncode, done.stderr), (0, ""), "list")
    for name, (folder, file, rows, _, users, items) in SETS.items():
        check(f"{name}\n  {rows} ratings of {items} items by {users} users, " in done.stdout, done.stdout)
        check(f"  {ofw.file('home/.local/share/ofw')}/{folder}/{file}: no such file\n" in done.stdout, done.stdout)
    os.makedirs(ofw.file("data/ml-100k"))
    ofw.write("data/ml-100k/u.data", "1 1 1\n")
    done = data(ofw, "list", OFW_DATA_DIR="data")
    check("  data/ml-100k/u.data: data/ml-100k/u.data is not movielens-100k: found 1 rows, expected 100000\n" in done.stdout,
          done.stdout)


# --- generate, describe -------------------------------------------------------------------------

def matrix(text):
    rows = [line.split() for line in text.splitlines()]
    return [(int(user), int(item)) for user, item, _ in rows], numpy.array([float(value) for _, _, value in rows])


def test_describe_what_was_generated(ofw):
    """Every number anew, from the file, by NumPy."""
    for name, (_, _, _, pairs, users, items) in SETS.items():
        cells, values = matrix(generate(ofw, name, "3"))
        found = strict_json(data(ofw, "describe", "generated", "--json").stdout)
        same((len(set(cells)), len(values)), (pairs, pairs), "pairs")
        same([found[key] for key in ("rows", "duplicates", "users", "items")], [pairs, 0, users, items], "the shape")
        same({row["value"]: row["count"] for row in found["values"]}, dict(sorted(collections.Counter(values).items())),
             "values")
        check(abs(found["mean"] - values.mean()) < 1e-12 and abs(found["standard_deviation"] - values.std()) < 1e-12,
              "moments")
        check(abs(found["density"] - pairs / users / items) < 1e-15, "density")
        for k, (key, n) in enumerate((("per_user", users), ("per_item", items))):
            counts = numpy.bincount([cell[k] - 1 for cell in cells], minlength=n)
            wanted = [counts.min(), list(numpy.quantile(counts, [.25, .5, .75])), counts.max()]
            same([found[key][part] for part in ("min", "quartiles", "max")], wanted, key)
        for key, less in (("singular_values", 0), ("centred_singular_values", values.mean())):
            dense = numpy.zeros((users, items))
            dense[tuple(numpy.array(cells).T - 1)] = values - less
            square = numpy.linalg.eigvalsh(dense @ dense.T)[::-1]
            wanted = numpy.sqrt(square[:10])
            check(numpy.abs(numpy.array(found[key]) / wanted - 1).max() < 1e-4, f"{key}: {found[key]}, not {wanted}")


def test_generate_by_seed(ofw):
    one, again, other = [generate(ofw, "filmtrust", seed) for seed in "778"]
    check(one == again and one != other, "the seed")
    same(data(ofw, "generate", "filmtrust", "--seed", "7").stdout, one, "stdout")
    played = []
    for spec in ("like=filmtrust", "file=generated"):
        generate(ofw, "filmtrust", "5")
        done = ofw.run("run", "--learner", "ofw-tvc", "--stream", f"matrix-completion:{spec}", "--rounds", "5", "--seed",
                       "5", "-q", "--json")
        played.append(strict_json(done.stdout)["loss"])
    same(played[0], played[1], "the loss by like= and by file=")


def test_generate_what_a_stream_plays(ofw):
    shape = "users=40,items=30,ratings=500,rank=3"
    rows = [line.split() for line in generate(ofw, f"matrix-completion:{shape}", "5").splitlines()]
    same(len({(user, item) for user, item, _ in rows}), 500, "pairs")
    check({value for _, _, value in rows} == set("12345"), "values")
    played = [strict_json(ofw.run("run", "--learner", "ofw-tvc", "--stream", f"matrix-completion:{spec},batch=50,holdout=0.1", "--rounds",
                                  "20", "--seed", "5", "-q", "--json").stdout) for spec in (shape, "file=generated,users=40,items=30")]
    for key in ("loss", "ccv", "held_out_rmse", "held_out_mean_rmse"):
        same(played[0][key], played[1][key], key)


def test_generate_onto_a_full_disk(ofw):
    with open("/dev/full", "w", encoding="ascii") as full:
        done = ofw.run("data", "generate", "filmtrust", stdout=full)
    same((done.returncode, done.stderr), (1, "ofw: cannot write the result: No space left on device\n"), "stdout")
    done = ofw.run("data", "generate", "filmtrust", "-o", "/dev/full/f")
    same((done.returncode, done.stderr), (1, "ofw data: cannot write /dev/full/f: Not a directory\n"), "-o")


def test_describe_a_set(ofw):
    done = data(ofw, "describe", "filmtrust")
    same((done.returncode, done.stdout), (3, ""), "code and stdout")
    same(done.stderr, f"ofw data: filmtrust is not in {ofw.file('home/.local/share/ofw/filmtrust/ratings.txt')}: "
         "see 'ofw data list'\n", "stderr")
    os.makedirs(ofw.file("data/filmtrust"))
    ofw.write("data/filmtrust/ratings.txt", "1 1 3\n1 2 3\n")
    found = strict_json(data(ofw, "describe", "filmtrust", "--json", OFW_DATA_DIR="data").stdout)
    same((found["file"], found["rows"]), ("data/filmtrust/ratings.txt", 2), "what is there is described")


if __name__ == "__main__":
    sys.exit(main("ofw data, end to end", globals(), "data.json"))
