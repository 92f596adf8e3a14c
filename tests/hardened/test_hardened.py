#!/usr/bin/python3
"""Reads off the command and the shared libraries, as built, that they are hardened.

    test_hardened.py --program FILE --library FILE --application FILE --commands compile_commands.json --flags 'a;b;..'

`flags` are those that the build found this compiler and linker to have. What a flag leaves in an ELF file is looked
for there; -fstack-clash-protection leaves nothing but its name in the debugging information, where every unit of ours
is asked for it, and -D_FORTIFY_SOURCE's level is seen in the commands alone, its calls in the files.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile

OURS = re.compile(r"/(src|lab|apps|cli|bench)/[^ ]*\.c$")


def readelf(path, *options):
    return subprocess.run(["readelf", "-W", *options, path], check=True, capture_output=True, text=True).stdout


def segment_flags(path, name):
    """'RW ', 'R E', ..: what a segment may be used for; None where there is none."""
    found = re.search(rf"^ +{name} +(?:0x[0-9a-f]+ +){{5}}(.{{3}}) ", readelf(path, "--segments"), re.M)
    return found and found.group(1)


def check_relro(path):
    """The tables by which functions are found can be written by nobody once the program runs."""
    if segment_flags(path, "GNU_RELRO") is None:
        yield "no GNU_RELRO segment"


def check_now(path):
    dynamic = readelf(path, "--dynamic")
    if not re.search(r"\(FLAGS(_1)?\).*\b(BIND_)?NOW\b", dynamic):
        yield "symbols are bound when they are first used"
    if "(TEXTREL)" in dynamic:
        yield "code is written to when it is loaded (TEXTREL)"


def check_stack(path):
    flags = segment_flags(path, "GNU_STACK")
    if flags is None or "E" in flags:
        yield f"the stack can be executed: {flags}"
    for line in re.findall(r"^ +LOAD .*$", readelf(path, "--segments"), re.M):
        if "RWE" in line:
            yield f"memory that can be written and executed: {line.strip()}"


def check_pie(path):
    if not re.search(r"Type: +DYN", readelf(path, "--file-header")):
        yield "it is loaded at one fixed address"


def check_program_pie(path):
    yield from check_pie(path)
    if not re.search(r"\(FLAGS_1\).*\bPIE\b", readelf(path, "--dynamic")):
        yield "it is not linked as a position-independent executable"


def imported(path):
    return set(re.findall(r" UND (\w+)", readelf(path, "--dyn-syms")))


def check_protector(path):
    if "__stack_chk_fail" not in imported(path):
        yield "no function looks at its stack before it returns"


def check_fortified(path):
    checked = {name for name in imported(path) if re.fullmatch(r"__\w+_chk", name) and name != "__stack_chk_fail"}
    if not checked & {"__vsnprintf_chk", "__snprintf_chk"}:
        yield f"snprintf does not look at how long its buffer is; calls that look: {sorted(checked)}"


def is_marked(path):
    return "IBT, SHSTK" in readelf(path, "--notes")


def landings(path):
    """(name, address) of what the system itself jumps to when the file is loaded and left."""
    entry = int(re.search(r"Entry point address: +(0x[0-9a-f]+)", readelf(path, "--file-header"))[1], 16)
    if entry:                                             # a library has none
        yield "the entry point", entry
    for name, address in re.findall(r"\((INIT|FINI)\) +(0x[0-9a-f]+)", readelf(path, "--dynamic")):
        yield f"DT_{name}", int(address, 16)


def check_branches(path):
    """The file is marked as one whose jumps and returns are checked, and the mark is true of the system's start files,
    which are linked with it: those of Debian 12 have neither the mark nor the instruction at which a jump may land."""
    if not is_marked(path):
        yield "jumps and returns may lead anywhere (no IBT, SHSTK)"
    for name, address in landings(path):
        code = subprocess.run(["objdump", "-d", f"--start-address={address}", f"--stop-address={address + 4}", path], check=True,
                              capture_output=True, text=True).stdout
        if "endbr64" not in code:
            yield f"{name} does not begin with endbr64"


def units(path):
    """Each of our sources that the debugging information knows, and how it was compiled."""
    text = readelf(path, "--debug-dump=info", "--dwarf-depth=1")
    for unit in text.split("Compilation Unit @")[1:]:
        producer = re.search(r"DW_AT_producer +: (?:\(.*?\): )?(.*)", unit)
        name = re.search(r"DW_AT_name +: (?:\(.*?\): )?(\S+)", unit)
        if producer and name and OURS.search(name.group(1)):
            yield name.group(1), producer.group(1)


def check_every_unit(path, flag, least):
    found = list(units(path))
    if len(found) < least:
        yield f"the debugging information knows {len(found)} of our sources, fewer than {least}"
    for name, producer in found:
        if flag not in producer.split():
            yield f"{name} is compiled without {flag}"


def check_commands(path, flag):
    commands = [c for c in json.load(open(path, encoding="utf-8")) if OURS.search(c["file"])]
    if len(commands) < 100:
        yield f"{path} has {len(commands)} commands for our sources"
    for command in commands:
        if flag not in command["command"].split():
            yield f"{command['file']} is compiled without {flag}"


def checks_of(args):
    """(what, problems) for each flag that this build has, and for each file."""
    flags = args.flags.split(";")
    gcc = "GCC" in readelf(args.program, "-p", ".comment")
    for path, least in ((args.program, 60), (args.library, 60), (args.application, 12)):
        file = path.rsplit("/", 1)[-1]
        for flag, check in (("-zrelro", check_relro), ("-znow", check_now), ("-znoexecstack", check_stack),
                            ("-pie", check_program_pie if path == args.program else check_pie),
                            ("-fstack-protector-strong", check_protector), ("-D_FORTIFY_SOURCE=3", check_fortified)):
            if flag in flags:
                yield f"{file}: {flag}", list(check(path))
        if "-fcf-protection" in flags:
            yield f"{file}: -fcf-protection", list(check_branches(path))
        for flag in ("-fstack-clash-protection", "-fstack-protector-strong"):
            if flag in flags and gcc:                     # clang does not write down its options
                yield f"{file}: {flag} in every unit", list(check_every_unit(path, flag, least))
    for flag in ("-D_FORTIFY_SOURCE=3", "-fstack-clash-protection", "-fstack-protector-strong", "-fcf-protection"):
        if flag in flags:
            yield f"commands: {flag}", list(check_commands(args.commands, flag))


def check_that_they_can_fail(folder):
    """A program built without any of it is refused by every check."""
    source, program = f"{folder}/plain.c", f"{folder}/plain"
    with open(source, "w", encoding="ascii") as out:
        out.write("#include <stdio.h>\nint main(int n, char **of) { char x[99]; snprintf(x, n + 9, \"%s\", of[0]);"
                  " return puts(x) < 0; }\n")
    subprocess.run(["cc", "-O0", "-g", "-U_FORTIFY_SOURCE", "-fno-stack-protector", "-fno-stack-clash-protection", "-no-pie",
                    "-fno-pie", "-fcf-protection=none", "-Wl,-z,norelro,-z,lazy,-z,execstack", source, "-o", program],
                   check=True, capture_output=True)
    for check in (check_relro, check_now, check_stack, check_program_pie, check_protector, check_fortified, check_branches):
        if not list(check(program)):
            yield f"{check.__name__} finds nothing wrong with a program that has none of it"
    if not list(check_every_unit(program, "-fstack-clash-protection", 1)):
        yield "check_every_unit finds nothing wrong"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "library", "application", "commands", "flags"):
        parser.add_argument(f"--{name}", required=True)
    args = parser.parse_args()
    folder = tempfile.mkdtemp()
    checks = [*checks_of(args), ("the checks can fail", list(check_that_they_can_fail(folder)))]
    shutil.rmtree(folder)
    failed = 0
    for name, problems in checks:
        failed += bool(problems)
        print(f"{'FAIL' if problems else 'ok  '} {name}")
        for problem in problems[:20]:
            print(f"     {problem}")
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed or len(checks) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
