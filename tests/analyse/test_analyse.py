#!/usr/bin/python3
"""What an analyser, or another compiler, finds in our files, less what known.txt says is wrong.

    test_analyse.py --build FOLDER --with gcc|clang|tidy|cppcheck

A finding is a file, a line, a check and a message. It is known where known.txt names the check, the file and a piece of
the line's text; one that is known and no longer found is a failure too, so that the list does not outlive its reasons.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("src", "lab", "apps", "cli", "bench", "python", "cuda")
REST = ("lab", "apps", "cli", "bench", "python", "cuda", "tests", "examples", "experiments")


def commands(build, folders=FOLDERS):
    """(source, words) of each of our files as the build compiles it, without -o and -Werror."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in folders or path.suffix == ".cu":
            continue
        words = shlex.split(entry["command"])
        at = words.index("-o")
        yield path, entry["directory"], [w for w in words[:at] + words[at + 2:] if w != "-Werror"]


def findings_in(text, pattern):
    """Each (file, line, check, message) once; a path as it is below the project's folder."""
    seen = set()
    for found in re.finditer(pattern, text, re.M):
        path = pathlib.Path(found["file"])
        path = path.relative_to(ROOT) if path.is_absolute() and path.is_relative_to(ROOT) else path
        seen.add((str(path), int(found["line"]), found["check"], found["message"]))
    return sorted(seen)


def run_gcc(build):
    """-fanalyzer at -O1, where its paths are still those of the source."""
    text = ""
    for path, folder, words in commands(build):
        words = [w for w in words if not re.fullmatch(r"-O\d|-D_FORTIFY_SOURCE=\d", w)]
        done = subprocess.run([*words, "-O1", "-fanalyzer", "-DOFW_ANALYSE", "-Wno-unused-value", "-ftrack-macro-expansion=0",
                               "-fdiagnostics-color=never", "-fdiagnostics-path-format=none", "-o", "/dev/null"], cwd=folder, capture_output=True, text=True)
        text += done.stderr
        if done.returncode:
            yield str(path), 0, "error", done.stderr[:300]
    yield from findings_in(text, r"^(?P<file>/[^:\n]+):(?P<line>\d+):\d+: warning: (?P<message>.*) \[-W(?P<check>[\w=-]+)\]$")


def run_clang(build):
    """Compiled by clang, with the warnings that gcc has; src the preset fuzz builds with clang."""
    for path, folder, words in commands(build, REST):
        words = [w for w in words if not re.fullmatch(r"-O\d|-D_FORTIFY_SOURCE=\d|ccache|.*/ccache", w)]
        done = subprocess.run(["clang", *words[1:], "-O0", "-o", "/dev/null"], cwd=folder, capture_output=True, text=True)
        if done.returncode or done.stderr:
            yield str(path.relative_to(ROOT)), 0, "clang", done.stderr[:1000]


def run_tidy(build):
    """Checks as .clang-tidy has them. A note, or a warning of the compiler itself, has no place in the result."""
    files = [str(path) for path, _, _ in commands(build)]
    done = subprocess.run(["clang-tidy", "-p", build, "--quiet", "--extra-arg=-Wno-unknown-warning-option",
                           "--extra-arg=-Wno-unused-value", *files], capture_output=True, text=True, cwd=ROOT)
    yield from findings_in(done.stdout,
                           r"^(?P<file>/[^:\n]+):(?P<line>\d+):\d+: (?:warning|error): (?P<message>.*) \[(?P<check>[\w.,-]+)\]$")
    if "error" in done.stderr:
        yield "clang-tidy", 0, "error", done.stderr[-300:]


def run_cppcheck(build):
    """variableScope is how the code is written; knownConditionTrueFalse takes the first turn of a loop for every one;
    unusedStructMember does not follow offsetof, by which the tables of options name members."""
    files = [str(path.relative_to(ROOT)) for path, _, _ in commands(build)]
    done = subprocess.run(["cppcheck", "--std=c11", "--enable=warning,performance,portability,style", "--quiet", "--library=posix",
                           "--library=gnu", "--suppress=variableScope", "--suppress=knownConditionTrueFalse",
                           "--suppress=unusedStructMember", "-Iinclude", "-Isrc", "-I.", "-D__x86_64__", "-D_GNU_SOURCE", "-DOFW_ANALYSE", "-DOFW_VERSION=\"\"", "-DOFW_PYTHON=\"\"", "-DOFW_PEER=\"\"",
                           "--template={file}:{line}: {id}: {message}", "--file-list=-"],
                          input="\n".join(files), capture_output=True, text=True, cwd=ROOT)
    yield from findings_in(done.stderr, r"^(?P<file>[^:\n]+):(?P<line>\d+): (?P<check>\w+): (?P<message>.*)$")
    if done.returncode:
        yield "cppcheck", 0, "error", done.stdout[:300]


RUN = {"gcc": run_gcc, "clang": run_clang, "tidy": run_tidy, "cppcheck": run_cppcheck}


def known(tool):
    """(number of the line, check, file, text) of each entry for this tool."""
    path = pathlib.Path(__file__).with_name("known.txt")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [f.strip() for f in line.split(" | ")]
        if len(fields) != 5 or not all(fields):
            sys.exit(f"known.txt:{number}: not 'tool | check | file | text | why'")
        if fields[0] == tool:
            yield number, *fields[1:4]


def source_line(file, number):
    try:
        return (ROOT / file).read_text(encoding="utf-8").splitlines()[number - 1].strip()
    except (OSError, IndexError):
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path, help="a folder with compile_commands.json")
    parser.add_argument("--with", required=True, choices=RUN, dest="tool")
    args = parser.parse_args()
    os.environ["LC_ALL"] = "C"
    begun, looked_at = time.monotonic(), len(list(commands(args.build, REST if args.tool == "clang" else FOLDERS)))
    allowed, used, failed = list(known(args.tool)), set(), 0
    for file, line, check, message in RUN[args.tool](args.build):
        text = source_line(file, line)
        entry = next((k for k in allowed if k[1] in check.split(",") and k[2] == file and k[3] in text), None)
        if entry:
            used.add(entry[0])
            continue
        failed += 1
        print(f"{file}:{line}: {message} [{check}]\n    {text}")
    for number, check, file, text in allowed:
        if number not in used:
            failed += 1
            print(f"known.txt:{number}: {check} finds nothing any more in {file} at '{text}'")
    print(f"{args.tool}: {looked_at} files, {failed} findings, {len(used)} known, {time.monotonic() - begun:.0f} s")
    return 1 if failed or looked_at < 150 else 0


if __name__ == "__main__":
    sys.exit(main())
