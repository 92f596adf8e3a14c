#!/usr/bin/python3
"""What scripts/setup installs for which target of the Makefile, and where warnings are errors.

The script runs as it is; the programs that it calls are replaced by ones that write down what they were asked.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = "library command demo python docs site figures dist deb bench format check test".split()
FOR_TESTS = {"chromium", "clang", "clang-tidy", "cppcheck", "gcovr", "valgrind", "zsh", "fish", "python3-matplotlib", "python3-pandas", "python3-pytest",
             "mypy", "libcmocka-dev", "mmdebstrap", "nginx-light", "slowhttptest", "slurm-wlm", "munge", "parallel"}
OF_MAKE = {"demo": "demo", "reproduce": "demo", "dist": "dist", "deb": "deb", "python": "python", "docs": "docs", "bench": "bench", "format": "format", "check": "check", "test": "test",
           "test-all": "test", "coverage": "test"}


def check(held, what):
    if not held:
        raise AssertionError(what)


class Machine:
    """A copy of scripts/setup, a folder web, and a PATH on which packages, npm and the user are ours."""

    def __init__(self, folder, user="1000", installed=(), npm=True):
        self.folder, self.told = folder, folder / "told"
        (folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/setup", folder / "scripts")
        (folder / "web").mkdir()
        for name in ("package.json", "package-lock.json"):
            shutil.copy(ROOT / "web" / name, folder / "web")
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name in ("sh", "sed", "grep", "head", "sort", "dirname", "printf", "env"):
            (self.bin / name).symlink_to(shutil.which(name))
        self.program("id", f"echo {user}")
        self.program("dpkg-query", f"for name; do :; done; case ' {' '.join(installed)} ' in *\" $name \"*) echo 'install ok installed' ;; *) exit 1 ;; esac")
        self.program("apt-get", f'echo "apt-get $*" >> {self.told}')
        if npm:
            self.program("node", ":")
            self.program("npm", f'echo "npm $*" >> {self.told}')

    def program(self, name, line):
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        path.chmod(0o755)

    def has_page(self, version):
        place = self.folder / "web/node_modules/uplot"
        place.mkdir(parents=True)
        (place / "package.json").write_text('{\n  "name": "uplot",\n  "version": "%s"\n}\n' % version, encoding="utf-8")

    def setup(self, *targets):
        """(exit code, stderr, what apt-get and npm were asked)"""
        done = subprocess.run([self.folder / "scripts/setup", *targets], env={"PATH": str(self.bin)}, capture_output=True, text=True)
        check(done.stdout == "", f"setup printed {done.stdout!r}")
        return done.returncode, done.stderr, self.told.read_text().splitlines() if self.told.exists() else []


def packages(target, **more):
    """Those that it names for a user who is not root and has none of them."""
    with tempfile.TemporaryDirectory() as folder:
        code, said, asked = Machine(pathlib.Path(folder), **more).setup(target)
        check(code == 1 and asked == [], f"{target}: exit code {code}, {asked}")
        command = re.fullmatch(r"setup: these packages are missing; run\n  sudo apt-get update && sudo apt-get install -y --no-install-recommends (.*)\n", said)
        check(command, f"{target}: {said}")
        return command[1].split()


def test_what_each_target_needs():
    need = {target: packages(target) for target in TARGETS}
    for target, names in need.items():
        check(len(names) == len(set(names)), f"{target} names a package twice")
        check(set(names) <= set(need["test"]), f"{target} needs {set(names) - set(need['test'])}, and test does not")
    check(FOR_TESTS <= set(need["test"]), f"test does not install {FOR_TESTS - set(need['test'])}")
    for target in ("demo", "python", "docs", "deb"):
        check(not FOR_TESTS & set(need[target]), f"{target} installs {FOR_TESTS & set(need[target])}")
    check("libsqlite3-dev" in need["demo"], "demo lacks what the command needs")
    check({"python3-dev", "python3-numpy"} <= set(need["python"]) and "libsqlite3-dev" not in need["python"], "python has not its own needs")
    check("doxygen" in need["docs"] and "doxygen" not in need["demo"], "doxygen is for docs alone")
    check({"debhelper", "lintian"} <= set(need["deb"]) and "debhelper" not in need["demo"], "debhelper is for deb alone")


def test_npm_where_there_is_none():
    check({"nodejs", "npm"} <= set(packages("test", npm=False)), "test lacks npm")
    check("npm" in packages("demo", npm=False) and "nodejs" not in packages("demo", npm=False), "demo needs npm, once")
    check("npm" not in packages("python", npm=False), "python needs npm")


def test_without_a_target_it_is_test():
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        check(Machine(pathlib.Path(one)).setup() == Machine(pathlib.Path(other)).setup("test"), "setup alone is not setup test")


def test_root_installs():
    with tempfile.TemporaryDirectory() as folder:
        code, _, asked = Machine(pathlib.Path(folder), user="0", installed=["cmake", "zlib1g-dev"]).setup("python")
        check(code == 0 and asked[0] == "apt-get update -q" and len(asked) == 2, f"{code} {asked}")
        check("python3-numpy" in asked[1].split() and "cmake" not in asked[1].split(), asked[1])


def test_the_page_is_of_the_version_wanted():
    wanted = re.search(r'"uplot": "(.*)"', (ROOT / "web/package.json").read_text())[1]
    everything = packages("test")
    for version, asked in ((None, ["npm ci --omit=dev"]), ("0.1", ["npm ci --omit=dev"]), (wanted, [])):
        with tempfile.TemporaryDirectory() as folder:
            machine = Machine(pathlib.Path(folder), installed=everything)
            if version:
                machine.has_page(version)
            code, _, told = machine.setup("demo")
            check(code == 0 and [" ".join(line.split()[:len(a.split())]) for line, a in zip(told, asked)] == asked and len(told) == len(asked), f"{version}: {told}")
            check(machine.setup("test")[2][len(told):][0].startswith("npm ci --prefix"), "test is content with the page alone")


def test_a_wrong_target():
    with tempfile.TemporaryDirectory() as folder:
        code, said, _ = Machine(pathlib.Path(folder)).setup("demmo")
        check(code == 2 and "found 'demmo'" in said, said)
        check(all(f" {target}" in said for target in TARGETS), f"not all targets are named: {said}")


def test_the_makefile_asks_for_the_right_ones():
    for target, wanted in OF_MAKE.items():
        lines = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        check([line for line in lines if line.startswith("scripts/setup")] == [f"scripts/setup {wanted}"], f"make {target} runs {lines[:2]}")


def test_warnings_are_errors_in_ci_alone():
    for value in ("", "ON"):
        env = {**os.environ, "OFW_WERROR": value}
        if not value:
            del env["OFW_WERROR"]
        for preset in ("release", "test", "asan"):
            told = subprocess.run(["cmake", "--preset", preset, "-N"], cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout
            check(f'OFW_WERROR="{value}"' in told, f"{preset} with OFW_WERROR={value!r}: {told}")
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / ".ci").mkdir()
        shutil.copy(ROOT / ".ci/run", place / ".ci")
        (place / "Makefile").write_text("test:\n\t@echo werror=$$OFW_WERROR\n\t@echo 3 passed, 0 failed\n", encoding="utf-8")
        said = subprocess.run([place / ".ci/run"], env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=True).stdout
        check(said.splitlines() == ["werror=ON", "3 passed, 0 failed", "3 passed, 0 failed"], said)


def main():
    failed = 0
    for name, test in [(n, t) for n, t in globals().items() if n.startswith("test_")]:
        try:
            test()
        except AssertionError as error:
            failed += 1
            print(f"{name}: {error}")
    print(f"{failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
