"""The program under test: how it is started, and how what it writes is read."""
import contextlib
import json
import os
import re
import struct
import subprocess
import threading

PATIENCE = 300                    # seconds after which a program counts as hanging
COLUMNS = ["round", "loss", "constraint", "loss_sum", "ccv", "comparator_loss_sum", "target_loss_sum", "price",
           "sigma", "gap", "oracle_calls", "passes", "oracle_error", "seconds"]


class Failure(Exception):
    pass


def check(condition, text):
    if not condition:
        raise Failure(text)


def same(found, wanted, what):
    check(found == wanted, f"{what}: {str(found)[:300]!r}, not {str(wanted)[:300]!r}")


class Ofw:
    """The program, run in a folder of its own."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def beside(self, name):
        """Another program of the same build, run in the same folder."""
        return Ofw(os.path.join(os.path.dirname(self.path), name), self.folder)

    def file(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.file(name), "w", encoding="utf-8", newline="") as file:
            file.write(as_text(content))

    def run(self, *args, stdin="", **more):
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        try:
            return subprocess.run([self.path, *args], input=stdin, cwd=self.folder, encoding="utf-8", timeout=PATIENCE,
                                  **streams)
        except subprocess.TimeoutExpired as late:
            raise Failure(f"still running after {PATIENCE} s") from late

    @contextlib.contextmanager
    def start(self, *args, **more):
        pipe = subprocess.PIPE
        with subprocess.Popen([self.path, *args], stdin=pipe, stdout=pipe, stderr=pipe, cwd=self.folder,
                              encoding="utf-8", **more) as process:
            watchdog = threading.Timer(PATIENCE, process.kill)
            watchdog.start()
            try:
                yield process
            finally:
                watchdog.cancel()
                process.kill()
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.close()

    def trace(self, *args):
        """Plays with a trace: its '#' lines, its rows as dicts of texts, and the JSON result."""
        done = self.run(*args, "-q", "--json", "--trace", "trace.csv")
        same((done.returncode, done.stderr), (0, ""), "code and stderr")
        return *read_trace(self.file("trace.csv")), strict_json(done.stdout)


def as_text(content):
    return content if isinstance(content, str) else "".join(line + "\n" for line in content)


def strict_json(text):
    def refuse(word):
        raise ValueError(f"{word} is not JSON")
    try:
        return json.loads(text, parse_constant=refuse)
    except ValueError as error:
        raise Failure(f"not JSON ({error}): {text[:300]!r}") from error


def read_trace(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    check(text.endswith("\n"), "the trace ends within a line")
    lines = text.splitlines()
    header = [line for line in lines if line.startswith("#")]
    names, *rows = [line.split(",") for line in lines[len(header):]]
    same(names, COLUMNS, "columns")
    check(all(len(row) == len(COLUMNS) for row in rows), "a row of another length")
    return header, [dict(zip(COLUMNS, row)) for row in rows]


def text_of(cell):
    """The text that was written as a cell of CSV: the first ' says that it is no formula (ofw-export(1))."""
    return cell[1:] if cell.startswith("'") else cell


def without_seconds(rows):
    return [{name: text for name, text in row.items() if name != "seconds"} for row in rows]


def without_time(text):
    """A JSON account but for its seconds."""
    return re.sub(r'"seconds":[^,}]+', "", text)


def bits(x):
    return struct.pack("<d", float(x))


def decision(process, t):
    line = process.stdout.readline()
    check(line.endswith("\n"), f"no decision {t} but {line!r}; stderr {process.stderr.read() if not line else ''!r}")
    message = strict_json(line)
    same(list(message), ["round", "decision"], "fields")
    same(message["round"], t, "round")
    return message["decision"]


def send(process, line):
    process.stdin.write(line)
    process.stdin.flush()
