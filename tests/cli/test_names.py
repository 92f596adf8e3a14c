"""Names that a user or a file can choose, hostile ones, through every output: each is refused in one line, or escaped."""
import csv
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import xml.etree.ElementTree as ET

import runner
from program import COLUMNS, PATIENCE, check, same, strict_json, text_of

# Each would do something somewhere if it were taken for more than a name; "pwn" is the file by which one would see it.
HARMLESS = ["'", '"', "''\"\"", "`touch pwn`", "$(touch pwn)", "; touch pwn;", "|touch pwn", "& touch pwn &", "<script>pwn()</script>",
            "</script><img src=x onerror=pwn()>", "]]>", "<!--", "&lt;&amp;", "{{pwn}}${pwn}", "%s%n%1$s", "@pwn", "=HYPERLINK(\"http://pwn\")",
            "+1", "-1+1", "\\", "\\n\\x1b[31m", "^{_x}~", "#", "*", "~", "été 日本 𝔘", "\u202eevil", "\u2066turned\u2069", "x" * 200, "end\u2028line"]
CONTROL = ["two\nlines", "carriage\rreturn", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "bell\x07", "back\x08space", "del\x7f",
           "form\x0cfeed"]
C1 = ["\x9b31mred", "next\x85line"]                        # control characters of two bytes in UTF-8
BYTES = [b"\xff\xfe", b"cut off \xe6\x97", b"\xc0\xaf", b"\xed\xa0\x80"]    # not UTF-8
NAMES = [name.encode() for name in HARMLESS + CONTROL + C1] + BYTES
EVERY = int(os.environ.get("OFW_NAMES_EVERY", "1"))        # fewer under sanitizers
NAMES = NAMES[::EVERY]
# What no terminal should be sent: controls, ends of lines of other kinds, marks that turn letters around. In data, less is odd.
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
UNSEEMLY = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

EXPERIMENT = """
[experiment]
title = names
rounds = 6
seeds = 2
tune-seeds = 1

[stream one]
stream = linear
domain = l2-ball:dim=2

[learner first]
learner = ofw-ada

[learner second]
learner = ofw-tvc
"""


def run(ofw, *args, stdin=b"", env=None):
    """With any bytes; what it prints is seemly, and nobody has been run."""
    done = subprocess.run([ofw.path, *args], input=stdin, cwd=ofw.folder, capture_output=True, timeout=PATIENCE, env=env, check=False)
    for name, text in (("stdout", done.stdout), ("stderr", done.stderr)):
        try:
            is_data = name == "stdout" and (args[0] == "export" or "--json" in args)
            found = (CONTROLS if is_data else UNSEEMLY).search(text.decode())
        except UnicodeDecodeError as error:
            found = [str(error)]
        check(not found, f"{args}: {name} holds {found and found[0]!r}: {text[:300]!r}")
    check(not os.path.exists(ofw.file("pwn")), f"{args}: a command was run")
    check(done.returncode >= 0, f"{args}: died of signal {-done.returncode}")
    return done


def told(name):
    """A name as JSON has it: U+FFFD for each byte that is in no character."""
    return re.sub("[\udc80-\udcff]", "\ufffd", name.decode(errors="surrogateescape"))


def refuses(ofw, *args, **more):
    done = run(ofw, *args, **more)
    check(done.returncode in (1, 2, 3), f"{args}: exit code {done.returncode}")
    same((done.stderr.count(b"\n"), done.stderr[-1:], done.stderr[:3]), (1, b"\n", b"ofw"), f"{args}: stderr {done.stderr!r}, lines")
    return done


def plays(ofw, *args, **more):
    done = run(ofw, *args, **more)
    same(done.returncode, 0, f"{args}: stderr {done.stderr!r}, code")
    return done.stdout


def swept(ofw, text=EXPERIMENT):
    ofw.write("a.ini", text)
    same(plays(ofw, "sweep", "a.ini", "-o", "out", "-q")[:6], b"stream", "the table")


def change(ofw, query, *values):
    connection = sqlite3.connect(ofw.file("out/results.db"))
    connection.execute(query, values)
    connection.commit()
    connection.close()


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text.decode(), newline="")))


def embedded(page):
    """The document within a page, as a browser takes it: up to the first end of its script."""
    return strict_json(re.search('<script type="application/json" id="data">(.*?)</script', page, re.S)[1])


def drawn(ofw, path):
    return [text for part in ET.parse(ofw.file(path)).iter() for text in (part.text, part.tail) if text and text.strip()]


# --- on the command line ------------------------------------------------------------------------

def test_words_and_options(ofw):
    """Each is told of in one line."""
    game = ["--domain", "l2-ball:dim=2", "--stream", "linear", "--rounds", "3"]
    for name in NAMES:
        if name == b"+1":                                   # a number
            continue
        for before in (["help"], ["data"], ["list"], ["data", "describe"], ["compare", "--suite"],
                       ["growth", "--suite"], ["run", "--learner"], ["pipe", "--learner"], ["run", "--stream"],
                       ["run", "--learner", "ofw-ada", *game, "--threads"], ["run", "--learner", "ofw-ada", *game, "--set"],
                       ["run", "--learner", "ofw-ada", *game, "--trace", "t", "--trace-every"], ["plot", "--metric"],
                       ["tune", "--learner", "ofw-tvc", *game, "--jobs"], ["run", "--learner", "ofw-ada", *game[2:], "--domain"],
                       ["growth", "--learner", "ofw-tvc", *game[:4], "--rounds", "9,18,36", "--constants"]):
            refuses(ofw, *before, name)
        for glued in (b"", b"--", b"-"):
            refuses(ofw, glued + name)
            refuses(ofw, "run", b"--x" + glued + name)
        for spec in (b"l2-ball:dim=", b"l2-ball:", b"box:upper=", b"scaled:of=(", b"polytope:rows=", b"hull:points=("):
            refuses(ofw, "pipe", "--learner", "ofw-ada", "--domain", spec + name, "--horizon", "9")
        for option in (b"step=", b"sigma="):
            refuses(ofw, "run", "--learner", "ofw-tvc", *game, "--set", option + name)


def test_files_that_are_not_there(ofw):
    for name in NAMES:
        missing = name.replace(b"/", b"") or b"x"
        for args in (["report"], ["export"], ["metrics"], ["info"], ["check"], ["sweep", "-o", "o"], ["data", "describe"], ["plot", "-o", "a.svg"],
                     ["reproduce", "-o", "o"], ["data", "import", "filmtrust"]):
            refuses(ofw, *args, b"./" + missing)
        for spec in (b"replay:file=", b"matrix-completion:file="):
            refuses(ofw, "run", "--learner", "ofw-ada", "--domain", "l2-ball:dim=2", "--stream", spec + missing, "--rounds", "3")
        refuses(ofw, "pipe", "--learner", "ofw-ada", "--domain", "l2-ball:dim=2", "--log", b"no/" + missing)
        refuses(ofw, "run", "--learner", "ofw-ada", "--domain", "l2-ball:dim=2", "--stream", "linear", "--rounds", "3", "--trace", b"no/" + missing)
        refuses(ofw, "run", "--learner", "ofw-ada", "--domain", "l2-ball:dim=2", "--stream", "linear", "--rounds", "3", "--checkpoint",
                b"no/" + missing)
        refuses(ofw, "data", "list" if name == b"" else "describe", "movielens-100k", env={**os.environb, b"OFW_DATA_DIR": missing})
        plays(ofw, "data", "list", env={**os.environb, b"OFW_DATA_DIR": missing})


# --- files --------------------------------------------------------------------------------------

def file_names():
    return [name for name in (n.replace(b"/", b"|") for n in NAMES) if len(name) < 240]


def test_files_that_are_read(ofw):
    """A domain's file: its name is in the configuration, and so in traces, logs, checkpoints and results."""
    played = refused = 0
    for name in [*file_names(), b'(a,=HYPERLINK("u"),+b,-c,-1)', b"(\t=1,\t=2)"]:
        path = os.fsencode(ofw.folder) + b"/" + name
        with open(path, "wb") as file:
            file.write(b"0\n0\n")
        spec = b"box:lower=@" + name + b",upper=1"
        game = ["run", "-q", "--learner", "ofw-ada", "--domain", spec, "--stream", "linear", "--rounds", "3"]
        if name.decode(errors="replace") in CONTROL + C1:
            refused += 1
            done = refuses(ofw, *game, "--trace", "t.csv")
            check(b"control character" in done.stderr, f"{done.stderr!r}")
            refuses(ofw, "pipe", "--learner", "ofw-ada", "--domain", spec, "--log", "l")
            check(not os.path.exists(ofw.file("t.csv")) and not os.path.exists(ofw.file("l")), "a file was begun")
        else:
            played += 1
            config = strict_json(plays(ofw, *game, "--json", "--trace", "t.csv", "--checkpoint", "c").decode())["config"]
            check(told(spec) in config, f"{name!r} is not in {config!r}")
            header = comments(ofw)
            check(not any(re.match("[=+@\t]|-[^0-9.]", cell) for line in header for cell in line.split(",")[1:]), f"a formula in {header}")
            strict_json(plays(ofw, "metrics", "--json", "t.csv").decode())
            for word in ("c", "l"):
                for _ in range(2 if word == "l" else 0):         # written, and gone on with
                    plays(ofw, "pipe", "--learner", "ofw-ada", "--domain", spec, "--log", "l")
                same(len(re.findall("^config .*domain=box:lower=@.*$", plays(ofw, "info", word).decode(), re.M)), 1, "configurations")
                config = strict_json(plays(ofw, "info", "--json", word).decode())["config"]
                check(any(told(spec) in text for text in config), f"{name!r} is not in {config}")
            for word in ("c", "l", "t.csv"):
                os.remove(ofw.file(word))
        os.remove(path)
    check(played >= 30 // EVERY and refused >= len(CONTROL + C1) // EVERY, f"{played} played, {refused} refused")


def comments(ofw):
    """The '#' lines of a trace, as far as they are UTF-8; nothing of them has become a row."""
    with open(ofw.file("t.csv"), "rb") as file:
        lines = file.read().decode(errors="replace").split("\n")
    same([line[:2] for line in lines], ["# ", "# ", "# ", "ro", "1,", "2,", "3,", ""], "beginnings of lines")
    same(lines[3].split(","), COLUMNS, "columns")
    return lines[:3]


def test_files_that_are_written(ofw):
    """Whatever its name is, the file that was asked for is there, and no other."""
    swept(ofw)
    game = ["run", "-q", "--learner", "ofw-ada", "--domain", "l2-ball:dim=2", "--stream", "linear", "--rounds", "3"]
    before = {os.fsencode(name) for name in os.listdir(ofw.folder)}
    for name in file_names():
        for args, end, others in (([*game, "--trace"], b"", []), ([*game, "--checkpoint"], b"", []),
                                  (["pipe", "--learner", "ofw-ada", "--domain", "l2-ball:dim=2", "--log"], b"", []),
                                  (["export", "out", "-o"], b"", []), (["report", "out", "-o"], b"", []),
                                  (["plot", "out", "-o"], b".svg", []), (["plot", "out", "-o"], b".pdf", [])):
            plays(ofw, *args, name + end)
            found = {os.fsencode(entry) for entry in os.listdir(ofw.folder)} - before
            same(found, {name + end}, f"{args}: files")
            if args[0] in ("run", "pipe") and end == b"" and "--trace" not in args:
                plays(ofw, "info", b"./" + name)
            os.remove(os.path.join(os.fsencode(ofw.folder), name + end))


def test_fields_of_files(ofw):
    """Names of columns, users, items and fields."""
    game = ["run", "-q", "--learner", "ofw-ada", "--rounds", "3", "--stream"]
    for name in [*NAMES, b"nul\0here"]:
        for text in (name + b",item,rating\n1,2,3\n", b"user,item,rating\n" + name + b",2,3\n", b"user,item,rating\n1," + name + b",3\n",
                     b"1 2 " + name + b"\n"):
            with open(ofw.file("ratings.csv"), "wb") as file:
                file.write(text)
            for args in ([*game, "matrix-completion:file=ratings.csv"], ["data", "describe", "ratings.csv"]):
                done = run(ofw, *args)
                check(done.returncode == 0 or done.stderr.count(b"\n") == 1, f"{name!r}: {done.returncode}, {done.stderr!r}")
        for text in (b"# x\n" + name + b",loss\n", b"round," + name + b"\n1,2\n", name):
            with open(ofw.file("trace.csv"), "wb") as file:
                file.write(text)
            refuses(ofw, "metrics", "trace.csv")
        for text in (b'{"loss":1,"' + name + b'":2}\n', b'{"ask":{"' + name + b'":1}}\n', b'{"loss":' + name + b"}\n", name + b"\n"):
            done = run(ofw, "pipe", "--learner", "ofw-ada", "--domain", "l2-ball:dim=2", stdin=text)
            same((done.returncode, done.stderr.count(b"\n")), (3, 1), f"{name!r}: {done.stderr!r}, code and lines")
        for text in (name + b" 2\n", b"1 " + name + b"\n", b"e 1 2 " + name + b"\n"):
            with open(ofw.file("city"), "wb") as file:
                file.write(text)
            done = run(ofw, "run", "-q", "--learner", "ofw-ada", "--domain", "paths:graph=@city,from=1,to=2", "--stream", "linear", "--rounds", "3")
            check(done.returncode == 0 or done.stderr.count(b"\n") == 1, f"{name!r}: {done.returncode}, {done.stderr!r}")


# --- experiments and their results --------------------------------------------------------------

def fits_a_section(name):
    return len(name) < 150 and not re.search(r"[\]\n]|\s;|^[;#]|^\s|\s$", name)


def all_outputs(ofw, what, expected):
    """Every output of the results holds the names as they are; `what` says which of them, of a row of the arms."""
    for table, ending in (("arm", what),):
        same([text_of(row[ending]) for row in rows_of(plays(ofw, "export", "out", "--table", table))], expected, f"{table} as CSV")
        same([row[ending] for row in strict_json(plays(ofw, "export", "out", "--table", table, "--json").decode())], expected,
             f"{table} as JSON")
    cells = [cell for line in csv.reader(io.StringIO(plays(ofw, "export", "out").decode(), newline="")) for cell in line]
    check(not any(re.match("[=+@\t\r\n]|-[^0-9.]", cell) for cell in cells), "a formula")
    plays(ofw, "report", "out", "-o", "page.html")
    with open(ofw.file("page.html"), encoding="utf-8", newline="") as file:
        page = file.read()
    same([arm[what] for arm in embedded(page)["arms"]], expected, "the page's document")
    same(page.count("<script"), 3, "scripts of the page")


def test_labels_of_an_experiment(ofw):
    """One learner per name; then one stream."""
    names = [name for name in HARMLESS if fits_a_section(name)]
    check(len(names) >= 25, f"only {len(names)} names")
    learners = "".join(f"[learner {name}]\nlearner = still\n" for name in names)
    swept(ofw, EXPERIMENT.partition("[learner")[0] + learners)
    all_outputs(ofw, "label", names)
    for path in ("all.svg", "all.pdf", "all.png"):
        plays(ofw, "plot", "out", "-o", path, "--csv", "curves.csv")
    texts = " ".join(drawn(ofw, "all.svg"))
    for name in names:
        check(len(name) > 60 or name in texts, f"{name!r} is not in the figure")
    with open(ofw.file("curves.csv"), "rb") as file:
        same(list(dict.fromkeys(text_of(row["label"]) for row in rows_of(file.read()))), names, "labels of the curves")
    shutil.rmtree(ofw.file("out"))
    for k, name in enumerate(names):
        if k % 4 == 0:
            swept(ofw, EXPERIMENT.replace("[stream one]", f"[stream {name}]").replace("title = names", f"title = {name}"))
            all_outputs(ofw, "stream", [name, name])
            plays(ofw, "plot", "out", "--front" if k % 8 else "--log", "-o", "stream.svg")
            drawn(ofw, "stream.svg")
            shutil.rmtree(ofw.file("out"))


def test_control_characters_in_an_experiment(ofw):
    for name in [name.encode() for name in CONTROL + C1 if "\n" not in name] + BYTES + [b"nul\0"]:
        for before in (b"title = names", b"[stream one", b"[learner first", b"domain = l2-ball:dim=2"):
            text = EXPERIMENT.encode()
            with open(ofw.file("a.ini"), "wb") as file:
                file.write(text.replace(before, before + b" " + name))
            refuses(ofw, "sweep", "a.ini", "-o", "out", "-q")
            check(not os.path.exists(ofw.file("out/results.db")), "a database was begun")


def test_texts_of_a_database(ofw):
    """As whoever made the file wrote them into it: every text that an output shows."""
    swept(ofw)
    shutil.copy(ofw.file("out/results.db"), ofw.file("kept.db"))
    readers = (["export", "out"], ["export", "out", "--json", "--table", "cell"], ["export", "out", "--table", "meta"],
               ["report", "out", "-o", "page.html"], ["plot", "out", "-o", "a.svg"], ["plot", "out", "--front", "-o", "a.pdf"])
    columns = [("meta", "value", "key = 'title'"), ("meta", "value", "key = 'version'"), ("arm", "label", "arm = 1"), ("arm", "stream", "1"),
               ("arm", "options", "arm = 1"), ("arm", "stream_spec", "1"), ("arm", "domain", "arm = 1"), ("arm", "learner", "arm = 1"),
               ("cell", "config", "cell = 1"), ("cell", "error", "cell = 1"), ("timing", "machine", "cell = 1")]
    for k, (table, column, row) in enumerate(columns):
        for name in HARMLESS[k % 5::5]:
            shutil.copy(ofw.file("kept.db"), ofw.file("out/results.db"))
            change(ofw, f"UPDATE {table} SET {column} = ? WHERE {row}", name)
            for args in readers:
                done = run(ofw, *args)
                check(done.returncode in (0, 2, 3) and done.stderr.count(b"\n") == (done.returncode != 0),
                      f"{table}.{column} {name!r}, {args[0]}: {done.returncode}, {done.stderr!r}")
                if done.returncode == 0 and args[0] == "report":
                    with open(ofw.file("page.html"), encoding="utf-8", newline="") as file:
                        check(table in ("timing", "cell") or json.dumps(name) in json.dumps(embedded(file.read())), f"{name!r} is not in the page")
                if done.returncode == 0 and args[-1] == "a.svg":
                    drawn(ofw, "a.svg")
        for name in (CONTROL + C1)[k % 3::3]:
            shutil.copy(ofw.file("kept.db"), ofw.file("out/results.db"))
            change(ofw, f"UPDATE {table} SET {column} = ? WHERE {row}", name)
            refused = 0
            for args in readers:                                # those that do not read it have nothing to refuse
                done = run(ofw, *args)
                check(done.returncode in (0, 3) and done.stderr.count(b"\n") == (done.returncode == 3),
                      f"{table}.{column} {name!r}, {args}: {done.returncode}, {done.stderr!r}")
                refused += done.returncode == 3
            check(refused or (table == "meta" and {"\n", "\r"} & {*name}), f"{table}.{column} {name!r}: nobody refuses it")


def test_no_cell_is_a_formula(ofw):
    """To a spreadsheet; without the ' in front it is the text again, and numbers are as they were."""
    swept(ofw)
    numbers = [[row[name] for name in ("loss", "regret", "seed")] for row in rows_of(plays(ofw, "export", "out"))]
    check(any(loss.startswith("-") for loss, _, _ in numbers), "no number below 0 is among them")
    for text in ('=HYPERLINK("http://example.org","x")', "+1+1", "-1+1", "-", "@SUM(A1)", "'=1", "''", "a=1", "a'b", " =1", 'a "quoted", text'):
        change(ofw, "UPDATE arm SET label = ? WHERE arm = 1", text)
        rows = rows_of(plays(ofw, "export", "out"))
        same([text_of(row["label"]) for row in rows], [text, text, "second", "second"], "labels")
        same([[row[name] for name in ("loss", "regret", "seed")] for row in rows], numbers, "numbers")
        check(rows[0]["label"][0] not in "=+-@", f"{rows[0]['label']!r} is a formula")
    for text in ("\t=1", "\n=1"):                               # an experiment may begin so
        change(ofw, "UPDATE meta SET value = ? WHERE key = 'experiment'", text)
        done = subprocess.run([ofw.path, "export", "out", "--table", "meta"], cwd=ofw.folder, capture_output=True, check=True).stdout
        same([row["value"] for row in rows_of(done) if row["key"] == "experiment"], ["'" + text], "the experiment")


# --- completion ---------------------------------------------------------------------------------

def test_completion_runs_nothing(ofw):
    """Files of all names, offered by bash."""
    script = os.path.join(os.path.dirname(ofw.path), "completion/ofw.bash")
    if not os.path.exists(script):
        print(f"skipped: no {script}")
        return
    for name in file_names():
        with open(os.path.join(os.fsencode(ofw.folder), name), "wb"):
            pass
    for line in ("ofw report ", "ofw run --trace ", "ofw pipe --domain box:lower=@", "ofw report $", "ofw report '", "ofw report `"):
        done = subprocess.run(["bash", "-c", 'source "$0"; COMP_LINE=$1 COMP_POINT=${#1}; read -ra COMP_WORDS <<< "$1"; '
                               '[[ $1 == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _ofw; printf "%s\\n" "${COMPREPLY[@]}"',
                               script, line], cwd=ofw.folder, capture_output=True, timeout=PATIENCE, check=False)
        check(not os.path.exists(ofw.file("pwn")), f"{line!r} ran a command")
        if line.endswith(("report ", "trace ")):
            check(min(name for name in file_names() if name.isascii()) in done.stdout, f"{line!r} offers {done.stdout[:300]!r}, {done.stderr[:200]!r}")


if __name__ == "__main__":
    raise SystemExit(runner.main(__doc__, globals()))
