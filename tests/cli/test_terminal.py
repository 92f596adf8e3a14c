#!/usr/bin/python3
"""Runs `ofw` in a pseudo-terminal of 40, 80 and 160 columns, types Ctrl-C there, and closes pipes; and what commands print as JSON.

    test_terminal.py --ofw PATH [--filter SUBSTRING]
"""
import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

from program import Failure, check, same, strict_json
from runner import main

WIDTHS = (40, 80, 160)
SOON = float(os.environ.get("OFW_TEST_SOON", "1"))      # seconds, more under a sanitizer
RUN = ["run", "--learner", "ofw-tvc", "--domain", "l2-ball:dim=10", "--stream", "linear"]
LONG_RUN = ["run", "--learner", "ofw-tvc", "--stream", "matrix-completion:users=14,items=10,ratings=60,batch=9", "--rounds", "1e7"]
SLOW_SET = "polytope:rows=@rows.txt,box=exact"     # of 3 000 dimensions it takes seconds to find its radii
EXPERIMENT = """[experiment]
title = Small
rounds = {rounds}
seeds = 4
series = 5
[stream ball]
stream = linear
domain = l2-ball:dim={dim}
[learner a]
learner = ofw-tvc
[learner b]
learner = ofw-ada
[claim c]
text = b is better
better = b
than = a
metric = loss
"""


class Terminal:
    """A program on a terminal of its own, which Ctrl-C reaches as a user's does."""

    def __init__(self, ofw, *args, columns=80, env=None, stdin=None):
        self.columns, self.shown, self.begun = columns, b"", time.monotonic()
        values = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "TERM", "NO_COLOR")}
        values.update({"TERM": "xterm", **(env or {})})
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            raw = termios.tcgetattr(1)
            raw[1] &= ~termios.OPOST                 # \n stays \n
            termios.tcsetattr(1, termios.TCSANOW, raw)
            os.chdir(ofw.folder)
            os.execve(ofw.path, [ofw.path, *args], values)

    def read(self, until=None, seconds=120):
        """All of what it shows up to the end, or until a text is shown; how long that took."""
        ends = time.monotonic() + seconds
        while until is None or until not in self.text():
            if not select.select([self.file], [], [], max(0.0, ends - time.monotonic()))[0]:
                raise Failure(f"after {seconds} s the terminal shows {self.text()[-300:]!r}")
            part = b""
            with contextlib.suppress(OSError):       # the end of a terminal's output is an error
                part = os.read(self.file, 65536)
            if not part:
                check(until is None, f"no {until!r} in {self.text()[-500:]!r}")
                break
            self.shown += part
        return time.monotonic() - self.begun

    def text(self):
        return self.shown.decode("utf-8", "replace")

    def type(self, keys):
        os.write(self.file, keys)

    def end(self):
        """The exit code, as a shell has it."""
        self.read()
        _, status = os.waitpid(self.pid, 0)
        os.close(self.file)
        return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def screen(text):
    """The lines that stand on the terminal afterwards, and the widest that ever stood there."""
    lines, line, at, widest = [], [], 0, 0
    for piece in re.findall(r"\033\[K|.", text.replace("^C", ""), re.S):
        if piece == "\n":
            lines.append("".join(line).rstrip())
            line, at = [], 0
        elif piece == "\r":
            at = 0
        elif piece == "\033[K":
            del line[at:]
        else:
            check(piece >= " ", f"the terminal is sent {piece!r}")
            line[at:at + 1] = [piece]
            at += 1
            widest = max(widest, len(line))
    return lines + ["".join(line).rstrip()], widest


def shown(ofw, *args, code=0, **more):
    terminal = Terminal(ofw, *args, **more)
    same(terminal.end(), code, f"{args}: {terminal.text()[-300:]!r}, code")
    check("\033[" not in terminal.text().replace("\033[K", ""), f"{args}: colours or worse")
    return terminal.text()


def bare(text):
    """Without what the breaking of lines changes."""
    return re.sub(r"[\s\\]", "", text)


# --- help and lists -------------------------------------------------------------------------------

def pages(ofw):
    listed = strict_json(ofw.run("list", "--json").stdout)
    commands = [c["name"] for c in strict_json(ofw.run("help", "--json").stdout)["commands"]]
    parts = [p["name"] for kind in listed.values() for p in kind]
    check(len(commands) > 15 and len(parts) > 60, f"{len(commands)} commands and {len(parts)} parts")
    yield from (["help"], ["list"], ["list", "learners"])
    yield from (["help", name] for name in commands + parts)


def test_help_fits(ofw):
    for page in pages(ofw):
        whole = ofw.run(*page).stdout
        for columns in WIDTHS:
            text = shown(ofw, *page, columns=columns)
            widest = max(map(len, text.splitlines()))
            check(widest <= columns, f"{page} at {columns} columns: {max(text.splitlines(), key=len)!r}")
            same(bare(text), bare(whole), f"{page} at {columns} columns")
            if len(whole) > 4000:
                check(widest > min(columns, 120) - 20, f"{page} at {columns} columns uses {widest} of them")


def test_columns_says_how_wide(ofw):
    for told, most in (("60", 60), ("7", 40), ("1000", 120), ("0", 80), ("wide", 80), ("-5", 80)):
        text = shown(ofw, "help", "run", env={"COLUMNS": told})
        check(most - 12 < max(map(len, text.splitlines())) <= most, f"COLUMNS={told}: {max(map(len, text.splitlines()))}")
    piped = subprocess.run([ofw.path, "help", "run"], env={**os.environ, "COLUMNS": "50"}, capture_output=True, text=True, check=True).stdout
    check(max(map(len, piped.splitlines())) <= 50, "COLUMNS counts in a pipe too")


def test_commands_that_are_broken_can_be_pasted(ofw):
    text = shown(ofw, "help", columns=40)
    command = re.search(r"^  (ofw run .*?[^\\])$", text, re.M | re.S)[1]
    check("\\\n" in command, "it fits, so this tests nothing")
    done = subprocess.run(["sh", "-c", command.replace("ofw", f"'{ofw.path}'", 1).replace("10000", "10") + " -q"], capture_output=True, text=True)
    same((done.returncode, done.stderr), (0, ""), command)


def test_lines_of_a_pipe_are_whole(ofw):
    for name, summary in [(p["name"], p["summary"]) for kind in strict_json(ofw.run("list", "--json").stdout).values() for p in kind]:
        check(re.search(rf"^  {re.escape(name)} +{re.escape(summary)}$", ofw.run("list").stdout, re.M), f"list: {name}")


# --- progress -------------------------------------------------------------------------------------

def test_a_bar_fits(ofw):
    for columns in WIDTHS:
        text = shown(ofw, *RUN, "--rounds", "20000", columns=columns)
        progress = text[:text.index("learner ")]
        _, widest = screen(progress)
        check(widest < columns, f"the bar is {widest} wide at {columns} columns: {progress[-200:]!r}")
        check("\r[" in progress and "100%" in progress and "s left" in progress, f"at {columns} columns: {progress!r}")
        check(columns == 40 or ("loss" in progress and "ccv" in progress), f"beside the bar at {columns} columns: {progress[-200:]!r}")


def test_the_bar_of_a_sweep_fits(ofw):
    ofw.write("x.ini", EXPERIMENT.format(rounds=3000, dim=5))
    for columns in WIDTHS:
        terminal = Terminal(ofw, "sweep", "x.ini", "-o", f"out{columns}", "-j2", columns=columns)
        check(terminal.read(until="of 8 plays") < 60, "no bar")
        same(terminal.end(), 0, f"{terminal.text()!r}, code")
        progress = terminal.text()[:terminal.text().index("stream ")]
        check(screen(progress)[1] < columns and "\r[" in progress and "8 of 8 plays" in progress, f"at {columns} columns: {progress!r}")


def test_a_dumb_terminal(ofw):
    for env in ({"TERM": "dumb"}, {"TERM": ""}):
        text = shown(ofw, *RUN, "--rounds", "300", env=env)
        check("\r" not in text and "\033" not in text and "     round" in text, f"{env}: {text!r}")


def test_no_colour(ofw):
    plain = re.sub(r"[0-9.e+-]+", "", shown(ofw, *RUN, "--rounds", "10", "-q", env={"NO_COLOR": "1"}))
    same(plain, re.sub(r"[0-9.e+-]+", "", shown(ofw, *RUN, "--rounds", "10", "-q")), "with NO_COLOR and without")


# --- set-ups that take long -------------------------------------------------------------------------

def write_slow_set(ofw, dim):
    ofw.write("rows.txt", [f"x{i} >= 0" for i in range(1, dim + 1)] + [f"x{i} + x{i % dim + 1} <= 1" for i in range(1, dim + 1)])


def soonest(ofw, *args, until, **more):
    """The terminal that shows the text first, of at most three, and when: this machine may be busy."""
    for k in range(3):
        terminal = Terminal(ofw, *args, **more)
        took = terminal.read(until=until)
        if took < SOON or k == 2:
            return terminal, took
        terminal.type(b"\x03")
        terminal.end()


def test_a_long_set_up_says_what_it_does(ofw):
    args = ["run", "--learner", "ofw-ada", "--domain", SLOW_SET, "--stream", "linear", "--rounds", "2"]
    for columns in WIDTHS:
        write_slow_set(ofw, 3000 if columns == 80 and SOON == 1 else 1200)
        terminal, took = soonest(ofw, *args, columns=columns, until=" ..")
        check(took < SOON, f"it says what it does after {took:.2f} s")
        check("making the set polytope" in terminal.text(), terminal.text())
        same(terminal.end(), 0, f"{terminal.text()!r}, code")
        lines, _ = screen(terminal.text())
        check(not any("making" in line for line in lines), f"the phases still stand there: {lines}")
        check(screen(terminal.text()[:terminal.text().index("learner ")])[1] < columns, "a phase is wider than the terminal")
    done = ofw.run(*args)
    check("making" not in done.stderr, f"a pipe is told phases: {done.stderr!r}")
    check("making" not in shown(ofw, *args, "-q"), "--quiet")


def test_other_commands_say_what_they_do(ofw):
    """A pipe that nobody writes to is a file that takes long to read."""
    write_slow_set(ofw, 1200)
    os.mkfifo(ofw.file("rows"))
    for args, told, kept in ((["pipe", "--learner", "ofw-ada", "--domain", SLOW_SET], "making the set polytope", "no round was played, and no file has changed"),
                             (["check", "--domain", SLOW_SET], "checking the set polytope", "the set is not checked"),
                             (["pace", "rows", "--budget", "a=5"], "replaying rows", "no result is written"),
                             (["recommend", "rows"], "reading rows", "no rating was predicted, and no file has changed")):
        for columns in WIDTHS:
            terminal, took = soonest(ofw, *args, columns=columns, until=" ..")
            check(took < SOON and told in terminal.text(), f"{args[0]} after {took:.2f} s: {terminal.text()!r}")
            terminal.type(b"\x03")
            same(terminal.end(), 130, f"{terminal.text()!r}, code")
            lines, _ = screen(terminal.text())
            check(f"ofw {args[0]}: interrupted; {kept}" in lines, f"{lines}")


def test_a_server_that_starts_says_what_it_does(ofw):
    os.mkfifo(ofw.file("tokens"))
    for columns in WIDTHS:
        terminal, took = soonest(ofw, "serve", "--state", "s", "--listen", "127.0.0.1:0", "--token-file", "tokens", columns=columns, until=" ..")
        check(took < SOON and "reading the sessions of s" in terminal.text(), f"after {took:.2f} s: {terminal.text()!r}")
        check(screen(terminal.text())[1] < columns, "it is wider than the terminal")
        os.kill(terminal.pid, signal.SIGKILL)
        terminal.end()


def test_a_long_sweep_shows_itself_at_once(ofw):
    ofw.write("x.ini", EXPERIMENT.format(rounds="1e7", dim=5).replace("linear\ndomain = l2-ball:dim=5", LONG_RUN[4]))
    terminal, took = soonest(ofw, "sweep", "x.ini", "-o", "out", "-j1", until="0 of 8 plays")
    check(took < SOON, f"it shows a bar after {took:.2f} s")
    terminal.type(b"\x03")
    same(terminal.end(), 130, "code")
    check("interrupted with 0 of 8 plays done; the same command" in terminal.text(), terminal.text())


def test_a_long_check_of_an_experiment(ofw):
    ofw.write("x.ini", EXPERIMENT.format(rounds="1e8", dim=5))       # whose comparator takes long
    terminal, took = soonest(ofw, "sweep", "x.ini", "-o", "out", until=" ..")
    check(took < SOON and "checking the experiment" in terminal.text(), f"after {took:.2f} s: {terminal.text()!r}")
    terminal.type(b"\x03")
    same(terminal.end(), 130, "code")
    check("ofw sweep: interrupted; no play was begun, and what was kept before is unchanged" in screen(terminal.text())[0], terminal.text())
    check(not os.path.exists(ofw.file("out")), "a folder was made")


# --- Ctrl-C -----------------------------------------------------------------------------------------

def interrupted(ofw, *args, until, more=b""):
    """What the terminal shows after Ctrl-C, which was typed when `until` stood there; the code has to be 130."""
    terminal = Terminal(ofw, *args)
    terminal.read(until=until)
    terminal.type(more + b"\x03")
    same(terminal.end(), 130, f"{terminal.text()[-300:]!r}, code")
    return screen(terminal.text())[0]


def test_ctrl_c_says_what_is_kept(ofw):
    lines = interrupted(ofw, *LONG_RUN, until=" left")
    check(any(re.fullmatch(r"ofw run: interrupted after round \d+; nothing is kept, .*--checkpoint FILE.*", line) for line in lines), f"{lines}")
    lines = interrupted(ofw, *LONG_RUN, "--trace", "t.csv", "--trace-every", "log", until=" left")
    check(any(re.fullmatch(r"ofw run: interrupted after round \d+; only the trace is kept, .*", line) for line in lines), f"{lines}")
    lines = interrupted(ofw, *LONG_RUN, "--checkpoint", "c", until=" left")
    check(any(re.fullmatch(r"ofw run: interrupted after round \d+; .*--resume.*", line) for line in lines) and os.path.exists(ofw.file("c")), f"{lines}")


def test_ctrl_c_in_a_set_up(ofw):
    write_slow_set(ofw, 3000)
    before = set(os.listdir(ofw.folder))
    lines = interrupted(ofw, "run", "--learner", "ofw-ada", "--domain", SLOW_SET, "--stream", "linear", "--rounds", "2", "--trace", "t.csv", until="making the set")
    check("ofw run: interrupted; no round was played, and no file has changed" in lines, f"{lines}")
    same(set(os.listdir(ofw.folder)), before, "files")


def test_ctrl_c_at_a_pipe(ofw):
    pipe = ["pipe", "--learner", "ofw-ada", "--domain", "l1-ball:dim=2"]
    lines = interrupted(ofw, *pipe, until='"round":1')
    check(any(re.fullmatch(r"ofw pipe: interrupted after round 0; nothing is kept, .*--log FILE.*", line) for line in lines), f"{lines}")
    lines = interrupted(ofw, *pipe, "--log", "log", until='"round":1')
    check("ofw pipe: interrupted after round 0; the log has it, and the same command resumes" in lines, f"{lines}")


def test_ctrl_c_at_live_bids(ofw):
    for more, kept in (([], "nothing is kept, and --log FILE would keep the play"), (["--log", "log"], "the log has it, and the same command resumes")):
        terminal = Terminal(ofw, "pace", "--live", "--budget", "a=5", *more)
        terminal.type(b'{"time":0,"campaign":"a","value":1}\n')
        terminal.read(until='"bid":')
        terminal.type(b"\x03")
        same(terminal.end(), 130, f"{terminal.text()!r}, code")
        check(f"ofw pace: interrupted after opportunity 1; {kept}" in screen(terminal.text())[0], terminal.text())


# --- pipes that are closed, and the rest --------------------------------------------------------------

def test_a_reader_that_has_seen_enough(ofw):
    for args in (["list"], ["help"], ["help", "run"], ["list", "--json"], [*RUN, "--rounds", "3", "-q"]):
        for ignored in (False, True):
            reader, writer = os.pipe()
            os.close(reader)
            with subprocess.Popen([ofw.path, *args], cwd=ofw.folder, stdout=writer, stderr=subprocess.PIPE, text=True, restore_signals=False,
                                  preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN if ignored else signal.SIG_DFL)) as process:
                os.close(writer)
                said = process.stderr.read()
            wanted = (1, "ofw: cannot write the result: Broken pipe\n") if ignored else (-signal.SIGPIPE, "")
            same((process.returncode, said), wanted, f"{args}, SIGPIPE {'ignored' if ignored else 'as usual'}: code and stderr")


def test_a_full_disk_is_an_error(ofw):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = ofw.run("list", stdout=full)
    same((done.returncode, done.stderr), (1, "ofw: cannot write the result: No space left on device\n"), "code and stderr")


def test_short_version(ofw):
    same(ofw.run("-V").stdout, ofw.run("--version").stdout, "-V")
    check(re.fullmatch(r"ofw \d+\.\d+\.\d+\n", ofw.run("-V").stdout), "-V")


# --- JSON -------------------------------------------------------------------------------------------

def object_of(ofw, *args):
    done = ofw.run(*args, "--json")
    same(done.returncode, 0, f"{args}: {done.stderr[:300]!r}, code")
    same(done.stdout.count("\n"), 1, f"{args}: lines")
    return strict_json(done.stdout)


def test_lists_and_help_as_json(ofw):
    listed = object_of(ofw, "list")
    same(list(listed), ["domains", "learners", "streams"], "kinds")
    text = ofw.run("list").stdout
    same([p["name"] for kind in listed.values() for p in kind], re.findall(r"^  (\S+) ", text, re.M), "names")
    same(list(object_of(ofw, "list", "streams")), ["streams"], "one kind")
    same(ofw.run("list", "zebras", "--json").returncode, 2, "code")
    for kind, parts in listed.items():
        for part in parts:
            page, told = ofw.run("help", part["name"]).stdout, object_of(ofw, "help", part["name"])
            same(told.pop("kind") + "s", kind, "kind")
            same(told, part, part["name"])
            same([o["name"] for o in part["options"] + part.get("common_options", [])], re.findall(r"^  ([a-z0-9-]+)=", page, re.M), f"options of {part['name']}")
            for option in part["options"]:
                check(f"  {option['name']}={option['form']}  ({'required' if option['default'] is None else 'default ' + option['default']})\n" in page, option["name"])
    overview = object_of(ofw, "help")
    same([c["name"] for c in overview["commands"]], re.findall(r"^  (\w+) {2,}", ofw.run("help").stdout, re.M), "commands")
    for command in overview["commands"]:
        page, told = ofw.run("help", command["name"]).stdout, object_of(ofw, "help", command["name"])
        same((told["command"], told["summary"]), (command["name"], command["summary"]), "name and summary")
        same([o["name"] for o in told["options"]], re.findall(r"^  --([a-z-]+)", page, re.M), f"options of {command['name']}")
    same(ofw.run("help", "zebra", "--json").returncode, 2, "code")


def test_results_as_json(ofw):
    ofw.write("x.ini", EXPERIMENT.format(rounds=60, dim=5))
    swept = object_of(ofw, "sweep", "x.ini", "-o", "out", "-q")
    same((swept["results"], [a["label"] for a in swept["learners"]]), ("out/results.db", ["a", "b"]), "sweep")
    plays = strict_json(ofw.run("export", "out", "--json").stdout)
    rows = plays if isinstance(plays, list) else next(v for v in plays.values() if isinstance(v, list))
    for arm in swept["learners"]:
        losses = [row["loss"] for row in rows if row["label"] == arm["label"]]
        check(len(losses) == 4 and abs(sum(losses) / 4 - arm["loss"]) <= 1e-12 * abs(arm["loss"]), f"{arm} {losses}")
    same(object_of(ofw, "sweep", "x.ini", "-o", "out", "-q"), swept, "the same again")
    same(object_of(ofw, "report", "out"), {"page": "out/report.html"}, "report")
    same(object_of(ofw, "report", "out", "-o", "p.html"), {"page": "p.html"}, "report")
    drawn = object_of(ofw, "plot", "out", "-o", "f.svg", "--csv", "f.csv")
    same((drawn["figure"], drawn["csv"], [(c["label"], c["plays"]) for c in drawn["curves"]]), ("f.svg", "f.csv", [("a", 4), ("b", 4)]), "plot")
    check(all(os.path.getsize(ofw.file(name)) > 500 for name in ("f.svg", "f.csv", "p.html")), "what is named is there")
    told = object_of(ofw, "reproduce", "x.ini", "-o", "again", "-q")
    with open(ofw.file("again/claims.json"), encoding="utf-8") as file:
        same({k: v for k, v in told.items() if k != "page"}, strict_json(file.read()), "reproduce")
    same(told["page"], "again/report.html", "page")


if __name__ == "__main__":
    sys.exit(main(__doc__, globals()))
