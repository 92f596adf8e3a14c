#!/usr/bin/python3
"""Makes the wrong changes of list.toml, one at a time, and says which of them the tests do not see.

    run.py [--only REGEX] [--jobs N] [--folder FOLDER] [--fresh]
    run.py --check      every change still fits the tree and names tests that are there; nothing is built

The changes are made in copies of the working tree below FOLDER, one per job, each with a build of its own. A mutant is
killed when a test that it names fails or takes too long. It survives when all of them pass. It does not apply when its
old text is not found exactly once, or when the changed tree cannot be built. Results are kept in FOLDER/results.json:
the same command resumes an interrupted campaign. Any change to the tree, but for its documents, discards them.
"""
import argparse
import hashlib
import json
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_name("list.toml")
KEYS = {"name", "file", "old", "new", "tests", "equivalent"}
LEAST_SECONDS = 60                # before a test counts as one that does not end


# --- the list -----------------------------------------------------------------------------------

def is_test(name):
    """Whether ctest has it, as far as the sources say."""
    folder, _, short = name.rpartition("/")
    if folder == "python":
        return (ROOT / f"tests/python/test_{short}.py").exists()
    if folder:
        return any((ROOT / "tests" / place).exists() for place in (f"unit/{name.replace('/', '/test_')}.c", f"property/test_{short}.c"))
    cmake = (ROOT / "tests/CMakeLists.txt").read_text(encoding="utf-8")
    parts = re.search(r"foreach\(part ([\w ]+)\)\n *add_test\(NAME cli-", cmake).group(1).split()
    return f"add_test(NAME {name} " in cmake or name in [f"cli-{part}" for part in parts]


def problem(mutant, names):
    """What is wrong with an entry; None: nothing."""
    if not KEYS - {"equivalent"} <= set(mutant) <= KEYS:
        return f"it has {sorted(mutant)}, and not {sorted(KEYS)}"
    if names.count(mutant["name"]) != 1:
        return "another entry has its name"
    path = ROOT / mutant["file"]
    found = path.read_text(encoding="utf-8").count(mutant["old"]) if path.is_file() else 0
    if found != 1:
        return f"its old text is {found} times in {mutant['file']}, not once"
    if mutant["old"] == mutant["new"]:
        return "it changes nothing"
    missing = [test for test in mutant["tests"] if not is_test(test)]
    return f"there is no test {missing[0]}" if missing else None if mutant["tests"] else "it names no test"


def read_list():
    """The entries, and by their names what is wrong with some."""
    mutants = tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]
    names = [mutant.get("name") for mutant in mutants]
    return mutants, {mutant.get("name"): said for mutant in mutants if (said := problem(mutant, names))}


# --- processes: in groups of their own, so that an interrupt is not taken for a test that fails ---

LIVE, STOPPED = set(), threading.Event()


def call(words):
    """(exit status, output)"""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, process_group=0,
                          env={**os.environ, "OFW_FIRST_FAILURE": "1"}) as process:
        LIVE.add(process)
        said = process.communicate()[0]
        LIVE.discard(process)
    return process.returncode, said


def stop():
    STOPPED.set()
    for process in list(LIVE):
        os.killpg(process.pid, signal.SIGKILL)


# --- copies of the tree -------------------------------------------------------------------------

def tracked():
    """The working tree's files, those that are new and not ignored too."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"], check=True, capture_output=True).stdout
    return [path for path in listed.decode().split("\0") if path and (ROOT / path).is_file()]


def digest(paths):
    """Of all that a result may depend on."""
    whole = hashlib.sha256()
    for path in sorted(paths):
        if not path.endswith(".md") and not path.startswith("tests/mutants/"):
            whole.update(path.encode() + b"\0" + hashlib.sha256((ROOT / path).read_bytes()).digest())
    return whole.hexdigest()


class Copy:
    """A copy of the tree and its build."""

    def __init__(self, folder, paths):
        self.tree, self.build = folder / "tree", folder / "build"
        self.sync(paths)
        self.configure()

    def sync(self, paths):
        """Files that are the same keep their times, so that little is built anew."""
        for path in paths:
            source, place = ROOT / path, self.tree / path
            place.parent.mkdir(parents=True, exist_ok=True)
            content = source.read_bytes()
            if not place.is_file() or place.read_bytes() != content:
                place.write_bytes(content)
            place.chmod(source.stat().st_mode)
        for folder, _, names in os.walk(self.tree):
            for name in names:
                place = pathlib.Path(folder, name)
                if not place.is_symlink() and str(place.relative_to(self.tree)) not in paths:
                    place.unlink()
        modules = self.tree / "web/node_modules"
        if not modules.is_symlink():
            modules.symlink_to(ROOT / "web/node_modules")

    def configure(self):
        """Without -Werror: a change is to be seen by a test, not by a variable that it leaves unused."""
        code, said = call(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"])
        if code:
            sys.exit(said)
        listed = (self.build / "tests/CTestTestfile.cmake").read_text()       # ctest tells no command that is not built yet
        self.command = {name: re.findall(r'"([^"]*)"', rest) for name, rest in re.findall(r"^add_test\((?:\[=\[)?([^\s\]]+)(?:\]=\])? (.*)\)$", listed, re.M)}

    def targets(self, tests):
        """What the tests run of the build: the programs that their commands name, and what those in Python look for."""
        words = {word for test in tests for word in self.command[test]}
        of_build = {os.path.relpath(word, self.build) for word in words if word.startswith(f"{self.build}/")}
        more = {"ofw", "ofw_shared"} if any("/" not in test for test in tests) else set()
        package = {"ofw", "bench_python", "python"} if any(test.startswith("python/") for test in tests) else set()
        return sorted(of_build | more | package)

    def make(self, tests):
        """'' or what the build said."""
        code, said = call(["ninja", "-C", self.build, "-j1", *self.targets(tests)])
        return said if code else ""

    def passes(self, test, seconds):
        """(whether it passes, its time)"""
        begun = time.monotonic()
        code, _ = call(["ctest", "--test-dir", self.build, "-R", f"^{re.escape(test)}$", "--no-tests=error", "--timeout", str(seconds)])
        return code == 0, time.monotonic() - begun


# --- the campaign -------------------------------------------------------------------------------

def in_parallel(copies, items, work):
    """work(copy, item) for each item, a thread per copy."""
    waiting, failed = queue.SimpleQueue(), []
    for item in items:
        waiting.put(item)

    def take(copy):
        try:
            while not failed and not STOPPED.is_set():
                work(copy, waiting.get_nowait())
        except queue.Empty:
            pass
        except BaseException as error:        # the others stop too, and the caller hears of it
            failed.append(error)

    threads = [threading.Thread(target=take, args=(copy,)) for copy in copies]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        stop()
        for thread in threads:
            thread.join()
        raise
    if failed:
        raise failed[0]


def try_mutant(copy, mutant, seconds):
    """(verdict, what it rests on); the copy is as it was afterwards."""
    path = copy.tree / mutant["file"]
    before = path.read_bytes()
    try:
        path.write_text(before.decode().replace(mutant["old"], mutant["new"]), encoding="utf-8")
        said = copy.make(mutant["tests"])
        if said:
            return "does not apply", "it cannot be built: " + (re.findall(r"^.*error: .*$", said, re.M) or said.splitlines())[0]
        for test in sorted(mutant["tests"], key=seconds.get):
            limit = max(LEAST_SECONDS, 5 * seconds[test])
            passed, lasted = copy.passes(test, limit)
            if not passed:
                return "killed", f"by {test}" + (", which did not end" if lasted >= limit else "")
        return "survived", ", ".join(mutant["tests"])
    finally:
        path.write_bytes(before)


class Results:
    """What is known, on the disk after every mutant."""

    def __init__(self, path, of, fresh):
        self.path, self.lock = path, threading.Lock()
        kept = json.loads(path.read_text()) if path.exists() and not fresh else {}
        self.known = kept if kept.get("of") == of else {"of": of, "seconds": {}, "mutants": {}}

    def key(self, mutant):
        return hashlib.sha256(json.dumps([mutant[key] for key in ("file", "old", "new", "tests")]).encode()).hexdigest()

    def put(self, section, key, value):
        with self.lock:
            self.known[section][key] = value
            beside = self.path.with_suffix(".tmp")
            beside.write_text(json.dumps(self.known, indent=1))
            beside.replace(self.path)


def measure(copies, results, tests):
    """Every test passes on the tree as it is, in so many seconds: otherwise nothing that fails says anything."""
    seconds, failed = results.known["seconds"], []

    def work(copy, test):
        said = copy.make([test])
        passed, lasted = (False, 0.0) if said else copy.passes(test, 1200)
        if STOPPED.is_set():
            return
        if passed:
            results.put("seconds", test, lasted)
        else:
            failed.append(test)
        print(f"  {test}: {f'{lasted:.1f} s' if passed else 'FAILS without any change'}", flush=True)

    in_parallel(copies, [test for test in tests if test not in seconds], work)
    if failed:
        sys.exit(f"{', '.join(failed)}: must pass on the tree as it is; ctest says why")
    return seconds


def campaign(mutants, args):
    folder = pathlib.Path(args.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    paths = set(tracked())
    results = Results(folder / "results.json", digest(paths), args.fresh)
    known = results.known["mutants"]
    left = [mutant for mutant in mutants if results.key(mutant) not in known]
    if left:
        print(f"{len(mutants) - len(left)} of {len(mutants)} mutants are done; {len(left)} are left", flush=True)
        copies = [Copy(folder / str(k + 1), paths) for k in range(min(args.jobs, len(left)))]
        seconds = measure(copies, results, sorted({test for mutant in left for test in mutant["tests"]}))

        def work(copy, mutant):
            begun = time.monotonic()
            verdict, why = try_mutant(copy, mutant, seconds)
            if STOPPED.is_set():
                return
            results.put("mutants", results.key(mutant), [verdict, why])
            print(f"{verdict}: {mutant['name']} ({why}), {time.monotonic() - begun:.0f} s", flush=True)

        in_parallel(copies, left, work)
    return {mutant["name"]: known[results.key(mutant)] for mutant in mutants}


def report(mutants, found):
    """0, or 1 where something is to be done."""
    count = {"killed": 0, "survived": 0, "does not apply": 0}
    wrong = 0
    for mutant in mutants:
        verdict, why = found[mutant.get("name")]
        argued = mutant.get("equivalent")
        count[verdict] += 1
        if verdict == "survived" and argued:
            print(f"equivalent: {mutant['name']}: {argued}")
        elif verdict != "killed":
            print(f"{verdict}: {mutant.get('name')}, {mutant.get('file')}: {why}")
            wrong = 1
        elif argued:
            print(f"killed, though it is argued to be equivalent: {mutant['name']} ({why})")
            wrong = 1
    print(f"{count['killed']} killed, {count['survived']} survived, {count['does not apply']} do not apply")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="REGEX", help="only mutants whose name or file it is found in")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N", help="copies that work at a time")
    parser.add_argument("--folder", default=ROOT / "build-mutants", help="where the copies and the results are")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--check", action="store_true", help="look at the list alone")
    args = parser.parse_args()
    mutants, wrong = read_list()
    if args.check:
        print("\n".join([*(f"{name}: {said}" for name, said in wrong.items()), f"{len(mutants) - len(wrong)} of {len(mutants)} mutants apply"]))
        return 1 if wrong else 0
    mutants = [mutant for mutant in mutants if re.search(args.only, f"{mutant.get('name')} {mutant.get('file')}")]
    if not mutants:
        sys.exit(f"no mutant matches '{args.only}'")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        found = campaign([mutant for mutant in mutants if mutant.get("name") not in wrong], args)
    except KeyboardInterrupt:
        stop()
        sys.exit("interrupted; the same command resumes")
    return report(mutants, {name: ["does not apply", said] for name, said in wrong.items()} | found)


if __name__ == "__main__":
    sys.exit(main())
