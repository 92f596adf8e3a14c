#!/usr/bin/python3
"""docs/tutorial.md, or another page, does what it says: its files are written, its commands run, their output compared with the text.

    test_tutorial.py --ofw PATH [--page FILE] [--with FOLDER] [--update]

Fenced blocks are of two kinds, any other fails:

    ```LANGUAGE FILE     is written to FILE
    ```console           holds commands ("$ ", continued by lines with "> "), each followed by what it prints

The commands run in order in one empty folder, with `ofw` on PATH, by bash with -e and pipefail.  --with links a folder of the
tree into it, for pages whose commands run there.  stdout must be the text
shown, stderr is dropped unless the command redirects it, the exit status is 0 or what a last line "[exit 3]" says.

Numbers with a fraction may differ by a thousandth, since other processors round otherwise; whole numbers may not.

Not compared: times, that is the last field of each line under a head whose last field is "seconds", which must only be a
number, as must what follows "seconds": in JSON; and what a line "..." stands for, any lines or none.

--update rewrites the outputs that differ.  What has to be seen to by hand is left: a text with "...", and a command that
fails where it did not, or otherwise than it did.
"""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs/tutorial.md"
NUMBER = r"\d+(?:\.\d+)?(?:e[-+]?\d+)?"
ANY = "..."


class Command:
    """What is typed, the lines shown below it, and where those stand in the page."""

    def __init__(self, text, line):
        self.text, self.line, self.shown, self.begin = text, line, [], line


def parse(lines):
    """The page's steps in order: (file name, its lines) and Commands; line numbers from 0."""
    steps, fence, name, body = [], None, None, []
    for number, line in enumerate(lines):
        if fence is None and line.startswith("```"):
            words = line[3:].split()
            if len(words) != 2 and words != ["console"]:
                raise ValueError(f"line {number + 1}: a block is either ```console or ```LANGUAGE FILE")
            fence, name, body = number, words[1] if len(words) == 2 else None, []
        elif fence is not None and line == "```":
            if name:
                steps.append((name, body))
            fence = None
        elif fence is None:
            continue
        elif name:
            body.append(line)
        elif line.startswith("$ "):
            steps.append(Command(line[2:], number))
            steps[-1].begin = number + 1
        elif fence == number - 1:
            raise ValueError(f"line {number + 1}: a console block begins with '$ '")
        elif line.startswith("> ") and not steps[-1].shown:
            steps[-1].text += "\n" + line[2:]
            steps[-1].begin = number + 1
        else:
            steps[-1].shown.append(line)
    if fence is not None:
        raise ValueError(f"line {fence + 1}: the block does not end")
    return steps


def without_times(lines):
    """Every time that is a number replaced by one sign."""
    timed, result = False, []
    for line in lines:
        if timed:
            line = re.sub(rf"(?:(,)|\s+){NUMBER}$", r"\1 SECONDS", line)
        timed = timed or bool(re.search(r"(?:^|[\s,])seconds$", line))
        result.append(re.sub(rf'("seconds": ?){NUMBER}', r"\1SECONDS", line))
    return result


def alike(shown, printed):
    """Whether two lines differ at most in the last digits of numbers with a fraction."""
    a, b = (re.split(r"(\s*-?\d+\.\d+(?:e[-+]?\d+)?)", line) for line in (shown, printed))
    return a[::2] == b[::2] and all(abs(float(x) - float(y)) <= 1e-3 * abs(float(x)) for x, y in zip(a[1::2], b[1::2]))


def matches(shown, printed):
    """Whether the lines agree where "..." may stand for any."""
    if not shown:
        return not printed
    if shown[0] == ANY:
        return any(matches(shown[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and alike(shown[0], printed[0]) and matches(shown[1:], printed[1:])


def run(command, folder, binaries):
    """What it prints, with a line for an exit status that is not 0, and what it said on stderr."""
    env = {"PATH": f"{binaries}:{os.environ.get('PATH', '/usr/bin:/bin')}", "LC_ALL": "C", "HOME": str(folder)}
    env |= {key: value for key, value in os.environ.items() if key.endswith("SAN_OPTIONS")}
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=folder, env=env, timeout=120, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    printed = done.stdout.splitlines()
    if done.returncode:
        printed.append(f"[exit {done.returncode}]")
    return printed, done.stderr


def play(lines, ofw, shared=None):
    """Each command that does not do what the page says: (Command, what it printed, its stderr); and how many there are."""
    steps, failures = parse(lines), []
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as binaries:
        os.symlink(os.path.abspath(ofw), os.path.join(binaries, "ofw"))
        if shared:
            os.symlink(ROOT / shared, os.path.join(folder, shared))
        for step in steps:
            if isinstance(step, Command):
                printed, stderr = run(step.text, folder, binaries)
                if not matches(without_times(step.shown), without_times(printed)):
                    failures.append((step, printed, stderr))
            else:
                name, body = step
                pathlib.Path(folder, name).write_text("".join(line + "\n" for line in body), encoding="utf-8")
    return failures, sum(isinstance(step, Command) for step in steps)


def status(lines):
    """The line that says how a command failed, "" where it did not."""
    return lines[-1] if lines and re.fullmatch(r"\[exit \d+\]", lines[-1]) else ""


def updated(lines, failures):
    """The page with the outputs as they are now, and the failures that must be seen to by hand."""
    result, left = list(lines), []
    for command, printed, stderr in reversed(failures):
        if ANY in command.shown or status(printed) not in ("", status(command.shown)):
            left.insert(0, (command, printed, stderr))
        else:
            result[command.begin:command.begin + len(command.shown)] = printed
    return result, left


def report(page, failure):
    command, printed, stderr = failure
    print(f"FAIL {page}:{command.line + 1}: {command.text}")
    diff = difflib.unified_diff(without_times(command.shown), without_times(printed), "shown", "printed", lineterm="", n=1)
    print("\n".join("     " + line for line in diff))
    if stderr:
        print("     on stderr: " + stderr.strip().replace("\n", "\n     "))


# --- the rules above, on pages of a few lines ------------------------------------------------------

TABLE = "loss seconds\n1    0.5"
RULES = [  # what it is, a console block, how many commands of it fail
    ("equal", "$ echo a; echo b\na\nb", 0),
    ("another line", "$ echo a\nb", 1),
    ("another digit at the end", "$ echo a 12.3456 1.5e-05\na 12.3461 1.5001e-05", 0),
    ("another number", "$ echo a 12.3456\na 12.4456", 1),
    ("another whole number", "$ echo a 10000\na 10001", 1),
    ("another width", "$ echo 'a   177.1'\na 177.091", 0),
    ("a line too few", "$ echo a; echo b\na", 1),
    ("a line too many", "$ echo a\na\nb", 1),
    ("nothing shown", "$ echo a", 1),
    ("nothing printed", "$ true", 0),
    ("two commands, one wrong", "$ echo a\na\n$ echo b\nc", 1),
    ("a continued command", "$ echo a \\\n> b\na b", 0),
    ("one folder for all", "$ echo a > f\n$ cat f\na", 0),
    ("a failing command", "$ echo a; exit 3\na", 1),
    ("a failing command that is shown", "$ echo a; exit 3\na\n[exit 3]", 0),
    ("another exit status", "$ exit 4\n[exit 3]", 1),
    ("a failure that is shown and does not come", "$ true\n[exit 3]", 1),
    ("a failure inside a pipe", "$ (echo a; exit 3) | cat\na", 1),
    ("a failure inside a loop", "$ for k in 1 2; do test $k = 2; done", 1),
    ("a failure inside a loop in a pipe", "$ for k in 1 2; do test $k = 2; done | cat", 1),
    ("stderr", "$ echo a >&2", 0),
    ("stderr redirected", "$ (echo a >&2) 2>&1\na", 0),
    ("any lines", "$ seq 5\n1\n...\n5", 0),
    ("any lines, none", "$ seq 2\n1\n...\n2", 0),
    ("any lines, a wrong end", "$ seq 5\n1\n...\n4", 1),
    ("other times", f"$ printf 'loss    seconds\\n1    12.25\\n' | tr -s ' '\n{TABLE}".replace("    ", " "), 0),
    ("times in other widths", f"$ printf 'loss seconds\\n1  12.25\\n'\n{TABLE}", 0),
    ("a time that is none", f"$ printf 'loss seconds\\n1    fast\\n'\n{TABLE}", 1),
    ("another number beside a time", f"$ printf 'loss seconds\\n2    0.5\\n'\n{TABLE}", 1),
    ("times in CSV", "$ printf 'a,seconds\\n1,2e-05\\n'\na,seconds\n1,0.5", 0),
    ("another number beside a time in CSV", "$ printf 'a,seconds\\n2,2e-05\\n'\na,seconds\n1,0.5", 1),
    ("a time in JSON", """$ echo '{"a":1,"seconds":0.25}'\n{"a":1,"seconds":0.5}""", 0),
    ("a number beside a time in JSON", """$ echo '{"a":2,"seconds":0.25}'\n{"a":1,"seconds":0.5}""", 1),
    ("a last number under another head", "$ printf 'a b\\n1 2\\n'\na b\n1 3", 1),
]
BY_HAND = {"any lines, a wrong end", "another exit status"} | {name for name, *_ in RULES if name.startswith("a fail")}
BY_HAND -= {"a failing command that is shown", "a failure that is shown and does not come"}
MALFORMED = ["```console\n$ true", "```\n$ true\n```", "```console\na\n```", "```sh\ntrue\n```"]


def check_rules(ofw):
    for name, block, expected in RULES:
        lines = ["```console", *block.split("\n"), "```"]
        failures, _ = play(lines, ofw)
        if len(failures) != expected:
            yield f"{name}: {len(failures)} failures, {expected} expected"
        again, left = updated(lines, failures)
        if bool(left) != (name in BY_HAND) or len(play(again, ofw)[0]) != len(left):
            yield f"{name}: {len(left)} failures are left by an update"
    for text in MALFORMED:
        try:
            parse(text.split("\n"))
            yield f"accepted: {text!r}"
        except ValueError:
            pass
    if play(["```text a", "b", "", "```", "c", "```console", "$ cat a", "b", "", "```"], ofw) != ([], 1):
        yield "a file is not written"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", required=True, help="the program")
    parser.add_argument("--page", default=TUTORIAL, type=pathlib.Path)
    parser.add_argument("--with", dest="shared", metavar="FOLDER", help="a folder of the tree that the commands use")
    parser.add_argument("--update", action="store_true", help="rewrite the outputs that differ")
    args = parser.parse_args()

    problems = list(check_rules(args.ofw)) if args.page == TUTORIAL and not args.update else []
    for problem in problems:
        print(f"FAIL the rules: {problem}")
    lines = args.page.read_text(encoding="utf-8").splitlines()
    try:
        failures, commands = play(lines, args.ofw, args.shared)
    except ValueError as malformed:
        sys.exit(f"{args.page}: {malformed}")
    if args.update:
        before = len(failures)
        lines, failures = updated(lines, failures)
        args.page.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        print(f"{before - len(failures)} outputs rewritten")
    for failure in failures:
        report(args.page.name, failure)
    print(f"{commands - len(failures)} commands passed, {len(failures)} failed")
    return 1 if failures or problems or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
