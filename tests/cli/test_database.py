#!/usr/bin/python3
"""Results databases, names and claims that were made to hurt: what reads them refuses in one line, and nothing of them is run.

    test_database.py --ofw PATH [--filter SUBSTRING]
"""
import os
import pathlib
import resource
import shutil
import sqlite3
import stat
import struct
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

from program import check, same, strict_json
from runner import main

EXPERIMENT = """[experiment]
title = Small
rounds = 40
seeds = 6
tune-seeds = 1
series = 8
[stream ball]
stream = linear
domain = l2-ball:dim=3
[learner ofw]
[learner tvc]
learner = ofw-tvc
tune = yes
[claim 1]
text = it heeds
better = tvc
than = ofw
metric = ccv
"""
# A text that could be a command to another program.
COMMAND = "s\nsystem \"id > pwn\"\n#"
# Names that a text may have, and that mean something to a shell, XML, PDF or printf.
NAMES = ["`id > pwn`", "'; system 'id > pwn'; '", "\"; system \"id > pwn\"; \"", "$(id > pwn)", "| id > pwn", "\\\"`id > pwn`\\n\\",
         "@pwn", "%s%n%1$s", "end", "<script>alert(1)</script>&amp;", "a]]>b", "^{_x}@~{}", "a)b(c\\)", "été 日本 𝔘", "x" * 3000, ""]
READERS = {"plot": ["plot", "db", "-o", "new.svg"], "front": ["plot", "db", "--front", "-o", "new.pdf"],
           "report": ["report", "db", "-o", "new.html"], "csv": ["export", "db", "-o", "new.csv"], "export": ["export", "db"],
           "json": ["export", "db", "--json", "--table", "cell"], "sweep": ["sweep", "a.ini", "-o", "db", "-q"],
           "reproduce": ["reproduce", "a.ini", "-o", "db", "-q"]}


def made(ofw, text=EXPERIMENT):
    """The folder 'good' with its results, once, and a copy of it as 'db'."""
    ofw.write("a.ini", text)
    if not os.path.exists(ofw.file("good")):
        done = ofw.run("sweep", "a.ini", "-o", "good", "-q")
        same((done.returncode, done.stderr), (0, ""), "the sweep")
    shutil.rmtree(ofw.file("db"), ignore_errors=True)
    shutil.copytree(ofw.file("good"), ofw.file("db"))


def change(ofw, *statements):
    """As whoever made the file pleases: what SQLite itself holds back is switched off."""
    connection = sqlite3.connect(ofw.file("db/results.db"), isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for statement, *values in ((s,) if isinstance(s, str) else s for s in statements):
        connection.execute(statement, values)
    connection.close()


def weaken(ofw, table):
    """Columns of that table take any value from here on, then have their own definition again by restore()."""
    connection = sqlite3.connect(ofw.file("db/results.db"), isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")
    (sql,), = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchall()
    loose = sql.replace(" NOT NULL", "").replace("STRICT, ", "").replace(" STRICT", "").replace(" TEXT", "").replace(" INTEGER,", ",").replace(" REAL", "")
    connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (loose, table))
    connection.close()
    return sql


def restore(ofw, table, sql):
    connection = sqlite3.connect(ofw.file("db/results.db"), isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, table))
    connection.close()


def content(path):
    with open(path, "rb") as file:
        return file.read()


def files(ofw):
    """Every file with its bytes."""
    return {os.path.join(folder, name): content(os.path.join(folder, name))
            for folder, _, names in os.walk(ofw.folder) for name in names}


def all_refuse(ofw, message, readers=None, code=3):
    """Every reader gives one line, this exit code, and leaves every file as it was."""
    before = files(ofw)
    for name in readers or READERS:
        began = time.monotonic()
        done = ofw.run(*READERS[name])
        same((done.returncode, done.stdout), (code, ""), f"{name}: stderr {done.stderr!r}; code and stdout")
        same(done.stderr, f"ofw {READERS[name][0]}: {message}\n", name)
        check(time.monotonic() - began < 20, f"{name} took {time.monotonic() - began} s")
        now = files(ofw)
        same(sorted(now), sorted(before), f"{name}: files")
        check(now == before, f"{name}: a file has changed")


# --- commands in a database -------------------------------------------------------------------------

def test_a_database_runs_no_command(ofw):
    for column in ("stream", "label", "options", "learner", "domain", "stream_spec", "constant1"):
        made(ofw)
        change(ofw, (f"UPDATE arm SET {column} = ?", COMMAND))
        row = 2 if column == "constant1" else 1
        change(ofw, "UPDATE arm SET constant1 = NULL WHERE tuned = 0")
        all_refuse(ofw, f"db/results.db is damaged: table arm, row {row}, {column} contains a control character, or is not UTF-8")
        check(not os.path.exists(ofw.file("pwn")), "a command was run")


def texts(path):
    """The texts of a figure; of one that is cut, the whole text, which its title has."""
    svg = "{http://www.w3.org/2000/svg}"
    return [(node.findtext(f"{svg}title") or node.text).strip() for node in ET.parse(path).getroot().iter(f"{svg}text")]


def test_names_are_drawn_as_they_are(ofw):
    made(ofw)
    for name in NAMES:
        change(ofw, ("UPDATE arm SET stream = ?, label = ? || arm, options = ?", name, name, name))
        for args in (["-o", "a.svg"], ["-o", "b.svg", "--front"], ["-o", "a.png", "--log", "--metric", "ccv"], ["-o", "a.pdf"]):
            done = ofw.run("plot", "db", *args)
            same((done.returncode, done.stdout, done.stderr), (0, f"wrote {args[1]}\n", ""), f"{name[:40]!r} {args}")
        shown, label = name.strip(), f"{name}1".strip()
        for figure in ("a.svg", "b.svg"):
            found = texts(ofw.file(figure))
            check(not shown or shown in found, f"{figure}: no title {shown!r} in {found}")
            check(label in found, f"{figure}: no label {label!r} in {found}")
        check(not os.path.exists(ofw.file("pwn")), f"{name!r} was run")


def test_names_of_figures_are_names(ofw):
    made(ofw)
    for name in ("| id > pwn #.svg", "|id>pwn;.svg", "`id > pwn`.svg", "a' . system('id > pwn') . '.svg", "\"\nsystem \"id > pwn\"\n#.svg",
                 "'\nsystem 'id > pwn'\n#.svg", "-.svg", "$(id > pwn).svg", "%d.svg", "<&>.pdf"):
        for more in ([], ["--front"]):
            done = ofw.run("plot", "db", "-o", name, *more)
            same((done.returncode, done.stdout, done.stderr), (0, "wrote " + name.replace("\n", "\\x0a") + "\n", ""), f"{name!r}")
            check(os.path.getsize(ofw.file(name)) > 1000, f"{name!r} is no figure")
            os.remove(ofw.file(name))
    check(not os.path.exists(ofw.file("pwn")), "a name was run")


def test_names_in_growth(ofw):
    name = "low\nsystem 'id > pwn'\n#`id > pwn`"
    ofw.write(name, "-1 -1 -1\n")
    done = ofw.run("growth", "--learner", "ofw-tvc", "--stream", "linear", "--domain", f"box:lower=@{name},upper=1", "--domain",
                   "l2-ball:dim=3", "--rounds", "20,40,80", "--seeds", "8", "--tune-seeds", "1", "--constants", "theorem", "-q",
                   "--figure", "'\nsystem 'id > pwn'\n.svg")
    same(done.returncode, 0, done.stderr)
    found = texts(ofw.file("'\nsystem 'id > pwn'\n.svg"))
    check(f"box:lower=@{name},upper=1".replace("\n", "?") in found, f"{found}")
    check(not os.path.exists(ofw.file("pwn")), "a name was run")


def test_a_figure_that_cannot_be_written(ofw):
    """The disk is full: the file that is there stays, if there is one, and no part is left."""
    made(ofw)
    for command, name in (("plot", "a.svg"), ("plot", "a.png"), ("plot", "a.pdf"), ("report", "a.html"), ("export", "a.csv")):
        ofw.write(name, "as before")
        done = ofw.run(command, "db", "-o", name, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        same((done.returncode, done.stdout, done.stderr), (1, "", f"ofw {command}: cannot write {name}: File too large\n"), "what it says")
        same((content(ofw.file(name)), os.path.exists(ofw.file(f"{name}.part"))), (b"as before", False), "the files")
        os.remove(ofw.file(name))
        again = ofw.run(command, "db", "-o", name, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        same((again.returncode, again.stderr, [file for file in os.listdir(ofw.folder) if file.startswith("a.") and file != "a.ini"]), (1, done.stderr, []), "without one")


def test_what_is_no_plain_file_stays(ofw):
    """A pipe gets the result; a rename would put a file into its place, and into that of /dev/null if root asks for it."""
    made(ofw)
    os.mkfifo(ofw.file("pipe"))
    for command, begins in (("report", b"<!doctype html>"), ("export", b"cell,stream,")):
        with subprocess.Popen(["cat", "pipe"], cwd=ofw.folder, stdout=subprocess.PIPE) as reader:
            done = ofw.run(command, "db", "-o", "pipe")
            is_pipe = stat.S_ISFIFO(os.stat(ofw.file("pipe")).st_mode)
            if not is_pipe or done.returncode:
                reader.kill()                        # nobody else ends its wait
            found = reader.stdout.read()
        same((done.returncode, done.stderr, is_pipe), (0, "", True), f"{command}: code, stderr, and whether the pipe is there")
        check(found.lower().startswith(begins), f"{command}: {found[:80]!r}")
    check(not os.path.exists(ofw.file("pipe.part")), "a part is left")


# --- tables that are none ---------------------------------------------------------------------------

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT "


def test_views_and_other_things_in_the_place_of_tables(ofw):
    not_ours = "db/results.db has the {} '{}', which ofw did not make; ofw reads only its own files"
    other = "db/results.db has a {} '{}' that differs from the one ofw makes; ofw reads only its own files"
    for statements, message in (
            (["DROP VIEW play", f"CREATE VIEW play AS {ENDLESS} x AS cell FROM n"], other.format("view", "play")),
            (["DROP VIEW play", "ALTER TABLE timing RENAME TO old", f"CREATE VIEW timing AS {ENDLESS} x, 'm', 's', 1.0 FROM n"],
             not_ours.format("table", "old")),
            (["DROP VIEW play", "DROP TABLE timing_series", f"CREATE VIEW timing_series AS {ENDLESS} 1, x, 1.0 FROM n"],
             other.format("view", "timing_series")),
            (["CREATE TRIGGER t AFTER INSERT ON cell BEGIN DELETE FROM cell; END"], not_ours.format("trigger", "t")),
            (["CREATE TABLE mine (x)"], not_ours.format("table", "mine")),
            (["CREATE INDEX i ON series (abs(ccv))"], not_ours.format("index", "i")),
            (["CREATE VIRTUAL TABLE words USING fts3(x)"], not_ours.format("table", "words")),
            (["DROP VIEW play", "DROP TABLE series", "CREATE VIRTUAL TABLE series USING fts3(cell, round)"],
             other.format("table", "series")),
            (["ALTER TABLE arm ADD COLUMN more TEXT"], other.format("table", "arm")),
            (["ALTER TABLE cell RENAME COLUMN regret TO regrets"], other.format("table", "cell")),
            (["DROP VIEW play", "DROP TABLE series"], "db/results.db has only 5 of the 7 tables of a results database"),
            (["DROP TABLE meta", f"CREATE VIEW meta AS {ENDLESS} 'format' AS key, '1' AS value FROM n"],
             "db/results.db is not a results database of ofw, or an empty one"),
            (["UPDATE meta SET value = '3' WHERE key = 'format'"], "db/results.db has format 3, but this ofw reads formats 1 and 2"),
            (["UPDATE meta SET value = '1' WHERE key = 'format'"], other.format("table", "cell")),
            (["CREATE VIEW \"\u001b[2J\" AS SELECT 1"], not_ours.format("view", "?[2J"))):
        made(ofw)
        change(ofw, *statements)
        all_refuse(ofw, message)


def test_a_database_that_is_not_of_its_experiment(ofw):
    """What is there is held to the text that it was played from, whether or not the file has changed since."""
    grown = EXPERIMENT.replace("[learner ofw]\n", "[learner ofw]\n[learner opdp]\n")
    off = "db/results.db is damaged: cell {} is not part of its experiment"
    for statement, message in (
            ("UPDATE meta SET value = 'rounds = 3' WHERE key = 'experiment'", "db/results.db:1: 'rounds' is before the first [section]"),
            ("UPDATE meta SET value = '[experiment]' WHERE key = 'experiment'", "db/results.db:1: [experiment] needs title = ..."),
            ("UPDATE meta SET value = value || '[learner ofw-ada]' || char(10) || 'sigma=8' WHERE key = 'experiment'",
             "db/results.db:20: ofw-ada: no option 'sigma'; its options: "),
            ("UPDATE meta SET value = replace(value, 'seeds = 6', 'seeds = 999999') WHERE key = 'experiment'",
             "db/results.db asks for more than 1000000 plays"),
            ("UPDATE meta SET value = replace(value, 'seeds = 6', 'seeds = 5') WHERE key = 'experiment'", off.format(6)),
            ("UPDATE meta SET value = replace(value, 'rounds = 40', 'rounds = 41') WHERE key = 'experiment'", off.format(1)),
            ("UPDATE cell SET arm = 1 WHERE cell = 7", off.format(7)),
            ("INSERT INTO arm SELECT 999999, stream, stream_spec, domain, label, learner, options, 0, NULL, NULL FROM arm WHERE arm = 1; "
             "UPDATE cell SET arm = 999999 WHERE cell = 2", off.format(2)),
            ("UPDATE cell SET arm = 2 WHERE cell = 6", off.format(6)),
            ("UPDATE cell SET seed = seed + 1 WHERE cell = 3", off.format(3)),
            ("UPDATE cell SET role = 'play' WHERE cell = 8", off.format(8)),
            ("UPDATE cell SET cell = 1000000 WHERE cell = 8; UPDATE timing SET cell = 1000000 WHERE cell = 8", off.format(1000000))):
        made(ofw)
        change(ofw, *statement.split("; "))
        if "UPDATE cell" in statement:                      # then the text that is there no longer asks for it either
            all_refuse(ofw, message, ["sweep", "reproduce"])
        ofw.write("a.ini", grown)
        before = files(ofw)
        for command in (["sweep"], ["sweep", "--drop"], ["reproduce", "--drop"]):
            done = ofw.run(command[0], "a.ini", "-o", "db", "-q", *command[1:])
            same((done.returncode, done.stdout), (3, ""), f"{statement}: {done.stderr!r}")
            check(done.stderr.startswith(f"ofw {command[0]}: {message}") and done.stderr.count("\n") == 1, f"{statement}: {done.stderr!r}")
            check(files(ofw) == before, f"{statement}: a file has changed")


def test_statistics_of_sqlite_are_no_harm(ofw):
    made(ofw)
    change(ofw, "ANALYZE")
    same(ofw.run(*READERS["export"]).returncode, 0, "code")


# --- values -----------------------------------------------------------------------------------------

def test_values_that_columns_cannot_hold(ofw):
    for table, statement, message in (
            ("arm", "UPDATE arm SET stream = NULL", "NULL value in arm.stream"),
            ("arm", "UPDATE arm SET stream = x'00ff'", "non-TEXT value in arm.stream"),
            ("cell", "UPDATE cell SET loss = 'much' WHERE cell = 3", "non-REAL value in cell.loss"),
            ("cell", "UPDATE cell SET seed = 'x'", "non-INTEGER value in cell.seed"),
            ("series", "UPDATE series SET oracle_calls = 1.5", "non-INTEGER value in series.oracle_calls"),
            ("cell", "UPDATE cell SET role = 'both' WHERE cell = 1", "cell 1 has an unknown role or status"),
            ("cell", "UPDATE cell SET status = 'done'", "cell 1 has an unknown role or status"),
            ("arm", "UPDATE arm SET label = 'a' || char(0) || 'b'",
             "table arm, row 1, label contains a control character, or is not UTF-8"),
            ("arm", "UPDATE arm SET label = CAST(x'ff41' AS TEXT)",
             "table arm, row 1, label contains a control character, or is not UTF-8"),
            ("arm", "UPDATE arm SET label = char(155) || '2J'",
             "table arm, row 1, label contains a control character, or is not UTF-8"),
            ("timing", "UPDATE timing SET machine = 'a' || char(10) || 'b'",
             "table timing, row 1, machine contains a control character, or is not UTF-8"),
            ("arm", "UPDATE arm SET options = printf('%.*c', 2000000, 'x')", "table arm, row 1, options is too long"),
            ("arm", "UPDATE arm SET tuned = 7", "table arm, row 1, tuned is out of range"),
            ("arm", "UPDATE arm SET constant2 = NULL", "arm 2 is tuned, but its constants have no names"),
            ("cell", "UPDATE cell SET passes = -1 WHERE cell = 2", "table cell, row 2, passes is out of range"),
            ("cell", "UPDATE cell SET rounds = 0", "table cell, row 1, rounds is out of range"),
            ("cell", "UPDATE cell SET rounds = 9223372036854775807", "table cell, row 1, rounds is out of range"),
            ("cell", "UPDATE cell SET seed = -9223372036854775808", "table cell, row 1, seed is out of range"),
            ("cell", "UPDATE cell SET exit_code = 4294967296", "table cell, row 1, exit_code is out of range"),
            ("cell", "UPDATE cell SET exit_code = 4", "cell 1 both failed and succeeded"),
            ("cell", "UPDATE cell SET status = 'failed', exit_code = 4", "cell 1 both failed and succeeded"),
            ("cell", "UPDATE cell SET factor2 = 9e999", "cell 1 has factors that are not finite"),
            ("cell", "UPDATE cell SET arm = 9", "a row of cell names no existing arm"),
            ("cell", "UPDATE cell SET arm = 999999999999", "table cell, row 1, arm is out of range"),
            ("cell", "DELETE FROM cell WHERE cell = 1", "a row of timing_series names no existing cell"),
            ("arm", "UPDATE arm SET arm = arm + 4611686018427387904", "table arm, row 1, arm is out of range"),
            ("series", "UPDATE series SET round = -round", "table series, row 1, round is out of range"),
            ("series", "UPDATE series SET round = 41 WHERE cell = 1 AND round = 40", "cell 1 has a series that belongs to no play"),
            ("meta", "UPDATE meta SET value = printf('%.*c', 2000000, 'x') WHERE key = 'experiment'", "table meta, row 1, value is too long")):
        made(ofw)
        sql = weaken(ofw, table)
        change(ofw, statement)
        restore(ofw, table, sql)
        all_refuse(ofw, f"db/results.db is damaged: {message}")


def test_a_row_that_is_too_long(ofw):
    made(ofw)
    change(ofw, "UPDATE cell SET config = printf('%.*c', 20000000, 'x') WHERE cell = 1")
    all_refuse(ofw, "db/results.db has a row of more than 16777216 bytes", ["plot", "report", "export", "sweep"])


# --- pages ------------------------------------------------------------------------------------------

def root_of(ofw, table):
    connection = sqlite3.connect(ofw.file("db/results.db"))
    (root,), = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchall()
    connection.close()
    return root


def test_a_tree_whose_branches_grow_together(ofw):
    """A few pages that hold more rows than could ever be read."""
    made(ofw)
    change(ofw, "WITH RECURSIVE n(x) AS (SELECT 100 UNION ALL SELECT x + 1 FROM n WHERE x < 9000) "
                "INSERT INTO timing SELECT x, 'm', 's', 1.0 FROM n")
    data = bytearray(content(ofw.file("db/results.db")))
    size, root = 4096, root_of(ofw, "timing")
    at = (root - 1) * size
    same(data[at], 5, "an inner page")
    cells = struct.unpack(">H", data[at + 3:at + 5])[0]
    for i in range(cells):                                  # every child is the root itself
        cell = at + struct.unpack(">H", data[at + 12 + 2 * i:at + 14 + 2 * i])[0]
        data[cell:cell + 4] = struct.pack(">I", root)
    with open(ofw.file("db/results.db"), "wb") as file:
        file.write(data)
    for name in ("plot", "report", "export", "sweep"):
        done = ofw.run(*READERS[name])
        same((done.returncode, done.stdout), (3, ""), done.stderr)
        check(f": 2nd reference to page {root}\n" in done.stderr and done.stderr.count("\n") == 1, done.stderr)


def test_damaged_pages(ofw):
    made(ofw)
    whole = content(ofw.file("db/results.db"))
    for at in range(0, len(whole), 509):
        with open(ofw.file("db/results.db"), "wb") as file:
            file.write(whole[:at] + bytes(byte ^ 0x55 for byte in whole[at:at + 64]) + whole[at + 64:])
        for name in ("export", "report"):
            done = ofw.run(*READERS[name])
            check(done.returncode in (0, 3), f"byte {at}: {name} ended with {done.returncode}: {done.stderr!r}")
            same(done.stderr.count("\n"), 1 if done.returncode else 0, f"byte {at}: {name}: lines")
            check(done.returncode == 0 or not done.stdout, f"byte {at}: {name}: a part was written")


def wal_sum(data, first, second):
    for x, y in struct.iter_unpack("<II", data):
        first = (first + x + second) & 0xffffffff
        second = (second + y + first) & 0xffffffff
    return first, second


def test_a_log_that_claims_too_much(ofw):
    """Of 4 billion pages; SQLite's own check would take memory for them."""
    made(ofw)
    path = ofw.file("db/results.db")
    data = bytearray(content(path))
    data[18:20] = b"\2\2"                                    # the file has a write-ahead log
    head = struct.pack(">IIIIII", 0x377f0682, 3007000, 4096, 0, 1, 2)
    sums = wal_sum(head, 0, 0)
    frame = struct.pack(">II", 1, 0xfffffff0)
    page = bytes(data[:28]) + frame[4:] + bytes(data[32:4096])
    frame_sums = wal_sum(frame + page, *sums)
    with open(path, "wb") as file:
        file.write(data)
    with open(path + "-wal", "wb") as file:
        file.write(head + struct.pack(">II", *sums) + frame + struct.pack(">II", 1, 2) + struct.pack(">II", *frame_sums) + page)
    done = ofw.run(*READERS["export"])
    same((done.returncode, done.stdout), (3, ""), done.stderr)
    check("db/results.db is damaged: it claims 4294967280 pages of 4096 bytes, but has" in done.stderr, done.stderr)


def test_a_journal_deletes_no_other_file(ofw):
    """SQLite deletes the file that a journal names as its superior, if no journal that is there names it."""
    made(ofw)
    ofw.write("precious", "mine\n")
    path, victim = ofw.file("db/results.db"), ofw.file("precious").encode()
    page, mark = content(path)[:4096], bytes.fromhex("d9d505f920a163d7")
    head = (mark + struct.pack(">IIIII", 1, 7, os.path.getsize(path) // 4096, 512, 4096)).ljust(512, b"\0")
    total = 7 + sum(page[i] for i in range(4096 - 200, 0, -200))
    with open(path + "-journal", "wb") as file:
        file.write(head + struct.pack(">I", 1) + page + struct.pack(">I", total & 0xffffffff)
                   + struct.pack(">I", 0x40000000 // 4096 + 1) + victim + struct.pack(">II", len(victim), sum(victim)) + mark)
    all_refuse(ofw, "db/results.db was left half-written; repeat the sweep that wrote it to repair it", ["plot", "front", "report", "export"])
    all_refuse(ofw, "db/results.db-journal names another file, as no journal of ofw does; choose another folder",
               ["sweep", "reproduce"])
    for end in ("", "-journal"):                            # beside what a link leads to
        os.rename(path + end, ofw.file("elsewhere.db" + end))
    os.symlink("../elsewhere.db", path)
    all_refuse(ofw, "db/results.db-journal names another file, as no journal of ofw does; choose another folder", ["sweep"])


def test_check_of_a_database(ofw):
    made(ofw)
    found = strict_json(ofw.run("check", "db/results.db", "--json").stdout)
    with sqlite3.connect(ofw.file("db/results.db")) as connection:
        (arms,), (plays,) = (connection.execute(f"SELECT count(*) FROM {table}").fetchone() for table in ("arm", "play"))
    same((found["kind"], found["state"], found["arms"], found["plays"]), ("database", "whole", arms, plays), "a whole one")
    change(ofw, ("UPDATE arm SET stream = ?", COMMAND))
    before = files(ofw)
    done = ofw.run("check", "db/results.db", "--json")
    found = strict_json(done.stdout)
    same((done.returncode, found["state"], found["plays"]), (3, "damaged", 0), "a damaged one: code, state and plays")
    check("control character" in found["why"], found["why"])
    done = ofw.run("check", "db/results.db", "--repair", "-o", "new.db")
    same((done.returncode, done.stderr.count("\n")), (2, 1), f"repaired: {done.stderr!r}")
    same(files(ofw), before, "files")


def test_a_database_of_format_1_is_read(ofw):
    os.makedirs(ofw.file("old"))
    shutil.copy(pathlib.Path(__file__).parents[1] / "golden/results-1.db", ofw.file("old/results.db"))
    rows = ofw.run("export", "old").stdout.splitlines()
    same(rows[1], "1,linear,OFW-Ada,ofw-ada,,0,1,1,12,1,ok,,-8.3538754463099227,1.1577034420657348,0.087646521222352503,0,,12,0,0", "play 1")
    cells = strict_json(ofw.run("export", "old", "--table", "cell", "--json").stdout)
    same([(row["cell"], row["interval_regret"], row["interval_last"]) for row in cells], [(k, None, None) for k in (1, 2, 3, 4)], "cells")
    for words in (["plot", "old", "-o", "old.svg"], ["report", "old", "-o", "old.html"], ["check", "old/results.db"]):
        same(ofw.run(*words).returncode, 0, words[0])


def test_what_is_no_file(ofw):
    os.mkfifo(ofw.file("pipe"))
    for name in ("pipe", "/dev/zero"):
        done = ofw.run("export", name)
        same((done.returncode, done.stderr), (3, f"ofw export: {name} is not a regular file\n"), name)
    made(ofw)
    shutil.copy(ofw.file("db/results.db"), ofw.file("file:x?mode=rw"))
    same(ofw.run("export", "file:x?mode=rw").returncode, 0, "a name that SQLite takes for an address")


# --- claims -----------------------------------------------------------------------------------------

GRID = EXPERIMENT.replace("[learner ofw]\n", "[learner ofw]\n[learner grid]\nlearner = ofw-tvc\nstep = 1, 2\n")


def test_claims_are_checked_before_the_first_play(ofw):
    for text, message in (
            (GRID.replace("than = ofw", "than = ofw, grid"),
             "20: than: grid is played with several values of step; give each a [learner] of its own"),
            (GRID.replace("better = tvc", "better = grid"),
             "19: better: grid is played with several values of step; give each a [learner] of its own"),
            (EXPERIMENT.replace("than = ofw", "than = ofw, tvc"), "17: than: tvc is compared with itself"),
            (EXPERIMENT.replace("than = ofw", "than = none"), "17: than: there is no [learner none]"),
            (EXPERIMENT.replace("better = tvc", "better = none"), "16: better: there is no [learner none]"),
            (EXPERIMENT.replace("metric = ccv", "metric = cvc"), "18: metric: expected one of loss, regret, ccv, soft_violation, held_out_rmse, oracle_calls, passes, projections; found 'cvc'"),
            (EXPERIMENT + "streams = box\n", "19: streams: there is no [stream box]"),
            (EXPERIMENT.replace("[learner ofw]\n", "[stream other]\nstream = quadratic\ndomain = l2-ball:dim=2\n[learner ofw]\n"
                                "streams = other\n").replace("learner = ofw-tvc", "learner = ofw-tvc\nstreams = ball"),
             "22: than: ofw and tvc never play on the same stream of the claim"),
            (EXPERIMENT.replace("seeds = 6", "seeds = 200000"), "14: the claims up to here compare 200000 plays; the limit is 100000"),
            (EXPERIMENT.replace("[stream ball]", "[stream b\x07ll]"), "7: byte 10 is 0x07, a control character or not UTF-8; remove it")):
        ofw.write("a.ini", text)
        for command in ("sweep", "reproduce"):
            done = ofw.run(command, "a.ini", "-o", "none", "-q")
            same((done.returncode, done.stdout, done.stderr), (2, "", f"ofw {command}: a.ini:{message}\n"), command)
            check(not os.path.exists(ofw.file("none")), "something was written")


def test_a_report_outlives_an_unclear_claim(ofw):
    """As a database of before such claims were refused has it."""
    made(ofw)
    change(ofw, "INSERT INTO arm SELECT 3, stream, stream_spec, domain, label, learner, 'step=2', 0, NULL, NULL FROM arm WHERE label = 'ofw'")
    done = ofw.run("report", "db", "-o", "a.html")
    same((done.returncode, done.stderr), (0, "ofw report: claim 1 is not decided: ofw plays on the stream ball with several options, "
                                             "or not at all\n"), "code and stderr")
    page = content(ofw.file("a.html")).decode()
    claims = strict_json(page.split('<script type="application/json" id="data">')[1].split("</script>")[0])["claims"]
    same([(c["claim"], c["verdict"], c["pairs"], c["difference"]) for c in claims], [("1", "not decided", 0, None)], "the claim")


def test_claims_without_end(ofw):
    """Experiments of some 100 kB that would keep a report busy for hours."""
    made(ofw)
    labels = [f"L{i}" for i in range(300)]
    text = EXPERIMENT + "".join(f"[stream s{i}]\nstream = linear\ndomain = l2-ball:dim=2\n" for i in range(300))
    text += "".join(f"[learner {name}]\nlearner = ofw\n" for name in labels)
    text += "".join(f"[claim c{i}]\ntext = t\nbetter = tvc\nmetric = ccv\nthan = ofw,\n " + "\n ".join(name + "," for name in labels[:-1])
                    + "\n L299\n" for i in range(300))
    change(ofw, ("UPDATE meta SET value = ? WHERE key = 'experiment'", text))
    all_refuse(ofw, "db/results.db: the claims compare too many plays; the limit is 100000", ["report"])
    made(ofw)
    text = EXPERIMENT.replace("than = ofw\n", "than = ofw,\n" + "".join(f" n{i},\n" for i in range(90000)) + " end\n")
    change(ofw, ("UPDATE meta SET value = ? WHERE key = 'experiment'", text))
    all_refuse(ofw, "db/results.db:17: than: 90002 values, expected at most 1000", ["report"])


if __name__ == "__main__":
    sys.exit(main("results databases that were made to hurt", globals()))
