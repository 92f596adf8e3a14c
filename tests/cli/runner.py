"""Runs tests of the program: cases by their arguments and what must come of them, and functions."""
import argparse
import json
import os
import tempfile

from program import Failure, Ofw, as_text, check, same

HERE = os.path.dirname(os.path.abspath(__file__))


def expect(found, wanted, what):
    if isinstance(wanted, str):
        same(found, wanted, what)
        return
    for text in wanted.get("contains", []):
        check(text in found, f"{what}: no {text!r} in {found[:300]!r}")
    for text in wanted.get("lacks", []):
        check(text not in found, f"{what}: {text!r} in {found[:300]!r}")
    same(found.count("\n"), wanted.get("lines", found.count("\n")), f"{what} {found[:300]!r}, lines")


def run_case(ofw, case):
    unknown = set(case) - {"name", "args", "files", "stdin", "code", "stdout", "stderr"}
    check(not unknown, f"the case has {unknown}")
    for name, content in case.get("files", {}).items():
        ofw.write(name, content)
    done = ofw.run(*case["args"], stdin=as_text(case.get("stdin", "")))
    same(done.returncode, case["code"], f"stderr {done.stderr[:300]!r}, code")
    expect(done.stdout, case.get("stdout", ""), "stdout")
    expect(done.stderr, case.get("stderr", ""), "stderr")


def read_cases(path):
    with open(os.path.join(HERE, path), encoding="utf-8") as file:
        return json.load(file)


def all_tests(names, cases):
    for case in read_cases(cases) if cases else []:
        yield case["name"], lambda ofw, case=case: run_case(ofw, case)
    for name, function in list(names.items()):
        if name.startswith("test_"):
            yield name[5:].replace("_", " "), function


def main(description, names, cases=None):
    """The cases of a file of this folder, if any, then the functions test_* of `names`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--ofw", required=True, metavar="PATH")
    parser.add_argument("--filter", default="", metavar="SUBSTRING")
    args = parser.parse_args()
    passed = failed = 0
    for name, test in all_tests(names, cases):
        if args.filter not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Ofw(os.path.abspath(args.ofw), folder))
                print(f"ok   {name}", flush=True)
                passed += 1
            except Exception as failure:          # a test that stumbles over the output has failed too
                print(f"FAIL {name}: {failure if isinstance(failure, Failure) else repr(failure)}", flush=True)
                failed += 1
        if failed and "OFW_FIRST_FAILURE" in os.environ:            # for tests/mutants: one is enough
            break
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1
