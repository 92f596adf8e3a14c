"""Names that a user or a file can choose, hostile ones, through every output: each is refused in one line, or escaped."""
import csv
import io
import os
import sqlite3

import runner
from program import check, same, strict_json, text_of

# What a spreadsheet takes for a formula, and what it must not lose.
FORMULAS = ['=HYPERLINK("http://example.org","x")', "+1+1", "-1+1", "-", "@SUM(A1)", "\t=1", "'=1", "''", "a=1", "a'b", " =1", 'a "quoted", text', "ends\n"]
EXPERIMENT = """
[experiment]
title = names
rounds = 6
seeds = 2

[stream one]
stream = linear
domain = l2-ball:dim=2

[learner first]
learner = ofw-ada

[learner second]
learner = still
"""


def swept(ofw):
    ofw.write("a.ini", EXPERIMENT)
    done = ofw.run("sweep", "a.ini", "-o", "out", "-q")
    same((done.returncode, done.stderr), (0, ""), "code and stderr")


def change(ofw, query, *values):
    connection = sqlite3.connect(ofw.file("out/results.db"))
    connection.execute(query, values)
    connection.commit()
    connection.close()


def exported(ofw, *args):
    done = ofw.run("export", "out", *args)
    same((done.returncode, done.stderr), (0, ""), "code and stderr")
    return list(csv.DictReader(io.StringIO(done.stdout, newline="")))


def test_no_cell_is_a_formula(ofw):
    swept(ofw)
    numbers = [[row[name] for name in ("loss", "regret", "seed")] for row in exported(ofw)]
    check(any(loss.startswith("-") for loss, _, _ in numbers), "no number below 0 is among them")
    for text in FORMULAS:
        change(ofw, "UPDATE arm SET label = ? WHERE arm = 1", text)
        rows = exported(ofw)
        same([text_of(row["label"]) for row in rows], [text, text, "second", "second"], "labels")
        same([[row[name] for name in ("loss", "regret", "seed")] for row in rows], numbers, "numbers")
        check(rows[0]["label"][0] not in "=+-@\t\r\n", f"{rows[0]['label']!r} is a formula")


if __name__ == "__main__":
    raise SystemExit(runner.main(__doc__, globals()))
