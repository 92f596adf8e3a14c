#!/usr/bin/python3
"""What must hold of the tree itself: format, which folder includes which, names and headers of files, the paper's line tags, a
test for each registered part, quoted examples, the exported symbols, plain English in the pages of PLAIN and in the sources."""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

OWN = ("src", "lab", "apps", "server", "cli", "bench", "python", "cuda", "mpi")

# The folders whose headers a folder may include beside its own, without "src/"; all of src includes base. From the bottom up.
EDGES = {
    "base": "",
    "linalg": "",
    "persist": "",
    "vector": "linalg",
    "wire": "vector",
    "ratings": "linalg",
    "domain": "linalg vector",
    "domain/ball": "domain linalg",
    "domain/graph": "domain linalg",
    "domain/polytope": "domain linalg",
    "domain/wrapper": "domain linalg vector",
    "domain/matrix": "domain linalg domain/graph",   # transport is a flow of least cost
    "domain/simplex": "domain linalg domain/ball",   # hypercube01 is a box
    "engine": "linalg vector domain",
    "learner": "linalg vector persist domain/wrapper engine",
    "stream": "linalg vector persist wire domain ratings",
    "run": "linalg persist engine learner stream",
    "lab": "linalg engine learner stream run",
    "lab/data": "linalg persist ratings lab",
    "lab/figure": "",
    "apps/recommend": "linalg persist",
    "bench/directions": "linalg domain",
    "apps/pace": "persist learner",
    "server": "persist wire learner",
    "cli": "linalg persist wire ratings domain learner stream run lab lab/data lab/figure apps/pace apps/recommend server bench/directions",
    "cli/pages": "run lab/data apps/recommend cli",
    "python/core": "domain learner",
    "cuda": "linalg engine",
    "mpi": "cli",
    "bench": "linalg domain domain/polytope engine stream bench/directions cli mpi",
}

# Pages that keep to docs/words.md: all but the changelog.
PLAIN = sorted({str(path.relative_to(ROOT)) for pattern in ("*.md", "docs/*.md", "docs/man/*.scd") for path in ROOT.glob(pattern)}
               - {"CHANGELOG.md"})
WIDEST = 200   # columns of a line of prose: it is one sentence
# The end of a sentence within a line; the letter before it is not a symbol of a formula, as in "a point x. It".
LEAD = re.compile(r"^\s*(?:(?:[-*]|\d+\.) +)?(?:\*+[^*]+\*+:?)?")   # "1. **Name.** " does not count
SECOND = re.compile(r"""(?<![A-Z])(?<!\b[a-z])(?<!\.)[.!?]['")*`]* +(?=[`*"(\[]*[A-Z])(?!QED)""")


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def files(*patterns, folders=("include", "src", "lab", "apps", "server", "cli", "tests", "bench", "examples", "python", "cuda", "mpi")):
    """Files below the project's folders, build folders left out."""
    for folder in folders:
        for pattern in patterns:
            yield from sorted((ROOT / folder).rglob(pattern))


def check_format():
    """clang-format and prettier would change nothing."""
    sources = [str(f) for f in files("*.c", "*.h")]
    done = subprocess.run(["clang-format", "--dry-run", "-Werror", *sources], capture_output=True, text=True)
    if done.returncode:
        yield "\n".join(line for line in done.stderr.splitlines() if "error" in line)[:2000]
    folders = {"web/report": "*.js", "web/serve": "*.js", "web/shared": "*.js", "tests/report": "*.mjs", "tests/serve": "*.mjs", "tests/site": "*.mjs", "docs": "*.mjs", "docs/site": "*.js",
               "examples": "*.js"}
    scripts = [str(f) for folder, pattern in folders.items() for f in (ROOT / folder).glob(pattern)]
    done = subprocess.run([ROOT / "web/node_modules/.bin/prettier", "--config", ROOT / "web/.prettierrc", "--check", *scripts],
                          capture_output=True, text=True)
    if done.returncode:
        yield done.stderr[:2000]


def check_line_tags():
    """A method's file tags every line of its algorithm, and its round fits on a screen."""
    for name, last in (("ofw_tvc", 10), ("scofw_tvc", 7), ("bfw_tvc", 19), ("scbfw_tvc", 15)):
        source = text(f"src/learner/{name}.c")
        tagged = set()
        for first, end in re.findall(r"/\* lines? (\d+)(?:-(\d+))?", source):
            tagged.update(range(int(first), int(end or first) + 1))
        for first, end in re.findall(r"\. lines (\d+)-(\d+)", source):
            tagged.update(range(int(first), int(end) + 1))
        missing = sorted(set(range(1, last + 1)) - tagged)
        if missing:
            yield f"src/learner/{name}.c: no tag for line {missing}"
        body = re.search(r"^static ofw_status observe\(.*?\n\{\n(.*?)^\}", source, re.S | re.M).group(1)
        if body.count("\n") > 40:
            yield f"src/learner/{name}.c: observe has {body.count(chr(10))} lines, more than a screen"


def folder_of(path):
    return str(path.parent.relative_to(ROOT)).removeprefix("src/")


def included():
    """{(folder, folder whose header it includes): the files that do}"""
    found = {}
    for file in files("*.c", "*.h", folders=OWN):
        for name in re.findall(r'^ *# *include "(.*)"', file.read_text(encoding="utf-8"), re.M):
            header = next((p for p in (file.parent / name, ROOT / "src" / name, ROOT / name) if p.exists()), None)
            if header and header.resolve().parent != file.parent:      # None: the build makes it
                found.setdefault((folder_of(file), folder_of(header.resolve())), []).append(file)
    return found


def check_edges():
    """A folder includes those that EDGES allows, all of those, and never one that stands on it."""
    edges = included()
    allowed = {(a, b) for a in EDGES for b in EDGES[a].split()} | {(a, "base") for a in EDGES if (a, "base") in edges}
    for a, b in sorted(edges.keys() - allowed):
        yield f"{a} includes {b}, which is not allowed: {', '.join(str(f.relative_to(ROOT)) for f in edges[a, b])}"
    for a, b in sorted(allowed - edges.keys()):
        yield f"{a} may include {b}, and no longer does"
    circle, before = set(edges), None
    while circle != before:                  # drop what nothing includes and what includes nothing
        before, above, below = circle, {a for a, _ in circle}, {b for _, b in circle}
        circle = {(a, b) for a, b in circle if a in below and b in above}
    if circle:
        yield f"folders include each other in a circle: {sorted(above)}"


def check_names():
    """No two files have one name, so that a name says which file is meant."""
    named = {}
    for file in files("*.c", "*.h"):
        named.setdefault(file.name, []).append(str(file.relative_to(ROOT)))
    yield from (f"one name, {len(same)} files: {', '.join(same)}" for same in named.values() if len(same) > 1)


def check_headers():
    """A file says in its first line what it is."""
    for file in files("*.c", "*.h", folders=OWN):
        if not file.read_text(encoding="utf-8").startswith(f"/* {file.name} — "):
            yield f"{file.relative_to(ROOT)} does not open with '/* {file.name} — what it is'"


def registered(noun):
    """The names in each of the registry's lists; that of the domains has the sets and the wrappers."""
    lists = re.findall(r"#define OFW_\w+\(row\)((?:.*\\\n)+.*)", text(f"src/{noun}/{noun}s.c"))
    return [re.findall(r"row\((\w+)\)", rows) for rows in lists]


def check_tests_exist():
    """Each registered part has its source file and its test file, and the registries are in alphabetical order."""
    for noun in ("domain", "learner", "stream"):
        for names in registered(noun):
            if names != sorted(names):
                yield f"src/{noun}/{noun}s.c is not in alphabetical order: {names}"
        for name in sum(registered(noun), []):
            if not list((ROOT / f"src/{noun}").rglob(f"{name}.c")):
                yield f"src/{noun} has no {name}.c"
            if not (ROOT / f"tests/unit/{noun}/test_{name}.c").exists():
                yield f"tests/unit/{noun}/test_{name}.c is missing"


def check_docs_name_parts():
    """docs/algorithms.md speaks of every learner, docs/streams.md of every stream, ARCHITECTURE.md of every folder of src."""
    for noun, page in (("learner", "docs/algorithms.md"), ("stream", "docs/streams.md")):
        for name in sum(registered(noun), []):
            if name.replace("_", "-") not in text(page):
                yield f"{page} does not name {name.replace('_', '-')}"
    sets, wrappers = registered("domain")
    for page in ("README.md", "docs/domains.md"):
        if f"{len(sets)} sets and {len(wrappers)} that are made of others" not in text(page):
            yield f"{page} does not say that there are {len(sets)} sets and {len(wrappers)} that are made of others"
    for name in wrappers:
        if not (ROOT / f"src/domain/wrapper/{name}.c").exists():
            yield f"{name} is among the wrappers, and not in src/domain/wrapper"
    for folder in sorted(p.name for p in (ROOT / "src").iterdir() if p.is_dir()):
        if f"src/{folder}" not in text("ARCHITECTURE.md"):
            yield f"ARCHITECTURE.md does not name src/{folder}"
    errata = text("docs/errata.md")
    for number in range(1, 14):
        if not re.search(rf"^## {number}\. ", errata, re.M):
            yield f"docs/errata.md has no section {number}"


def written(page):
    """(line number, line) of a page without its code; of docs/words.md without its list of phrases to avoid."""
    fenced = listed = False
    for number, line in enumerate(text(page).splitlines(), 1):
        if line.startswith("#"):
            listed = page == "docs/words.md" and line == "## Old phrases"
        if line.startswith("```"):
            fenced = not fenced
        elif not (fenced or listed or line.startswith("    ")):
            yield number, line


def old_phrases():
    """The phrases that docs/words.md marks with *, as a list and as a pattern."""
    cells = re.findall(r"^\| ([^|]*\*[^|]*) \|", text("docs/words.md").split("## Old phrases")[1], re.M)
    phrases = [phrase.strip() for cell in cells for phrase in re.findall(r"([^,*]+) \*", cell)]
    return phrases, re.compile("|".join(rf"\b{re.escape(phrase)}\b".replace(r"\ ", r"\s+(?:\*\s+)?") for phrase in phrases), re.I)


def check_plain():
    """No line of prose in PLAIN is wider than WIDEST or has two sentences, and none has a phrase that docs/words.md marks with *."""
    phrases, old = old_phrases()
    if len(PLAIN) < 50:
        yield f"only {len(PLAIN)} pages were found"
    if len(phrases) < 14:
        yield f"docs/words.md marks {len(phrases)} phrases"
    for page in PLAIN:
        for number, line in written(page):
            if len(line) > WIDEST and not line.startswith("|"):
                yield f"{page}:{number}: {len(line)} columns of prose, more than {WIDEST}: write one sentence per line"
            yield from (f"{page}:{number}: '{found}': docs/words.md has what to write instead" for found in old.findall(line))
            if wrong := CONDITION.search(line):
                yield f"{page}:{number}: '{wrong.group()}': write 'if' or 'when' for a condition"
            if page.endswith(".md") and not line.startswith(("|", "#")) and SECOND.search(LEAD.sub("", line)):
                yield f"{page}:{number}: a second sentence in the line: write one sentence per line"


# A comment, a character, or the text of string literals that follow each other.
TOKEN = re.compile(r"""/\*.*?\*/|'(?:\\.|[^'\\\n])+'|"(?:\\.|[^"\\\n])*"(?:[\s\\]*"(?:\\.|[^"\\\n])*")*""", re.S)
# "where" for a condition, as comments had it; a place may be called so.
CONDITION = re.compile(r"""(?:\b(?:also|NULL|null|NaN|empty|[01]|OFW_[A-Z_]+|[Rr]efuse[sd]?|required|needed)|"") where\b"""
                       r"""|\b[Ww]here (?:there (?:is|are)|nothing|none|no |neither|not )""")
PLACES = ("where the rounds come from", "where ofw looks", "up to where", "where the minimiser rests")   # in texts of the program
RATE = re.compile(r"\b(?:one|object|rows?|lines?|calls?|rounds?|passes|[mun]s) a (?:line|round|call|row|second|play|stream|seed|learner)\b")


def spoken(source):
    """(line number, whether it is a comment, its text) of every comment and every text of a source in C."""
    for token in TOKEN.finditer(source):
        found, number = token.group(), source.count("\n", 0, token.start()) + 1
        if found.startswith("/*"):
            yield number, True, found
        elif found.startswith('"'):
            yield number, False, re.sub(r'"[\s\\]*"', "", found)


def check_plain_sources():
    """No comment or text of the sources has an old phrase; none says "where" for "if", or "a" for "per", as far as a pattern sees it."""
    _, old = old_phrases()
    seen = 0
    for file in files("*.c", "*.h", folders=("include", *OWN)):
        for number, comment, words in spoken(file.read_text(encoding="utf-8")):
            seen += 1
            place = f"{file.relative_to(ROOT)}:{number}"
            yield from (f"{place}: '{found}': docs/words.md has what to write instead" for found in old.findall(words))
            for phrase in PLACES if not comment else ():
                words = words.replace(phrase, "")
            wrong = CONDITION.search(words) if comment else re.search(r"\bwhere\b|\bWhere\b", words) or RATE.search(words)
            if wrong:
                yield f"{place}: '{wrong.group()}': write 'if' or 'when' for a condition, 'per' for a rate"
    if seen < 9000:
        yield f"only {seen} comments and texts were found"


def anchors(page):
    """The anchors that a page's headings make."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "]", heading).lower()).replace(" ", "-") for heading in headings}


def check_links():
    """Every link of a page in PLAIN leads to a file of the tree, and to a heading of it; docs/index.md links every page of docs."""
    for page in sorted(path.name for path in (ROOT / "docs").glob("*.md")):
        if f"]({page})" not in text("docs/index.md") and page != "index.md":
            yield f"docs/index.md has no link to {page}"
    for page in PLAIN:
        for link in re.findall(r"\]\(([^)\s]+)\)", "\n".join(line for _, line in written(page))):
            name, _, anchor = link.partition("#")
            target = ((ROOT / page).parent / name).resolve() if name else ROOT / page
            if not (":" in name or target.exists()):
                yield f"{page}: there is no {link}"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield f"{page}: no heading has the anchor of {link}"


def check_quotes():
    """C blocks of README and docs/c.md open with ```c examples/NAME.c and are in that file, line for line."""
    for page in ("README.md", "docs/c.md"):
        blocks = re.findall(r"^```c *(\S*)\n(.*?)^```$", text(page), re.S | re.M)
        if not blocks:
            yield f"{page} quotes no example"
        for path, body in blocks:
            if not re.fullmatch(r"examples/\w+\.c", path):
                yield f"{page}: a block of C does not say which example it is from: {body.splitlines()[0]}"
            elif f"\n{body}" not in text(path):
                yield f"{page}: {path} does not have these lines: {body.splitlines()[0]} ..."


def check_version():
    """CMakeLists.txt has the version; CITATION.cff, the newest release in CHANGELOG.md and the macros of base.h have the same."""
    version = re.search(r"^project\(ofw VERSION (\S+) ", text("CMakeLists.txt"), re.M).group(1)
    cited = re.search(r"^version: (\S+)$", text("CITATION.cff"), re.M).group(1)
    released = [name for name in re.findall(r"^## (\S+)", text("CHANGELOG.md"), re.M) if name != "Unreleased"]
    numbers = dict(re.findall(r"^#define OFW_VERSION_(MAJOR|MINOR|PATCH) (\d+)$", text("include/ofw/base.h"), re.M))
    macros = ".".join(numbers.get(part, "?") for part in ("MAJOR", "MINOR", "PATCH"))
    for path, found in (("CITATION.cff", cited), ("CHANGELOG.md", released[0] if released else version), ("include/ofw/base.h", macros)):
        if found != version:
            yield f"CMakeLists.txt has version {version}, {path} {found}"
    for wanted in re.findall(r"find_package\(ofw ([\d.]+)\)", text("docs/c.md")):
        if not version.startswith(f"{wanted}."):
            yield f"docs/c.md asks CMake for ofw {wanted}, this is {version}"


def check_contributing():
    """The diff that CONTRIBUTING.md shows is what is in the files: three of them."""
    diff = re.search(r"^```diff\n(.*?)^```$", text("CONTRIBUTING.md"), re.S | re.M)
    files = re.findall(r"^\+\+\+ b/(\S+)\n@@[^\n]*\n((?:[+ ][^\n]*\n)*)", diff.group(1) if diff else "", re.M)
    if len(files) != 3:
        yield f"CONTRIBUTING.md's diff is of {len(files)} files"
    for path, body in files:
        if "".join(line[1:] for line in body.splitlines(True)) not in text(path):
            yield f"CONTRIBUTING.md: {path} is not as the diff has it"


def check_symbols(libraries):
    """The shared library exports what the public headers declare with OFW_API, and nothing else; libofw-NAME what ofw/NAME.h does."""
    applications = {pathlib.Path(path).stem.removeprefix("libofw-"): path for path in libraries[1:]}
    headers = {header.stem: header for header in sorted((ROOT / "include/ofw").glob("*.h"))}
    yield from exported_differently(libraries[0], [headers[name] for name in headers if name not in applications])
    for name, path in applications.items():
        yield from exported_differently(path, [headers[name]])


def exported_differently(library, headers):
    declared = set()
    for header in headers:
        declared.update(re.findall(r"^OFW_API [^;(]*?\b(ofw_\w+)\(", header.read_text(), re.M))
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[2] for line in out.splitlines() if line.split()[1] in "TBDRW"}
    exported = {name for name in exported if not name.startswith(("_init", "_fini", "__"))}
    for name in sorted(exported - declared):
        yield f"{pathlib.Path(library).name} exports {name}, which its headers do not declare"
    for name in sorted(declared - exported):
        yield f"{name} is declared in include/ofw, and {pathlib.Path(library).name} does not export it"


def check_limits():
    """docs/limits.md has every limit of src/base/limits.h, with its value, and no other; no other header has one."""
    defined = dict(re.findall(r"^#define (OFW_\w+) +(\d+)", text("src/base/limits.h"), re.M))
    told = {name: value.replace(" ", "") for name, value in re.findall(r"^\| `(OFW_\w+)` \| ([\d ]+?) \|", text("docs/limits.md"), re.M)}
    if len(defined) < 20:
        yield f"src/base/limits.h has {len(defined)} limits"
    for name in sorted(set(defined) | set(told)):
        if defined.get(name) != told.get(name):
            yield f"{name} is {defined.get(name)} in src/base/limits.h and {told.get(name)} in docs/limits.md"


def check_headers_stand_alone():
    """Each public header compiles by itself, as C and as C++."""
    for header in sorted((ROOT / "include/ofw").glob("*.h")):
        for language in ("c", "c++"):
            done = subprocess.run(
                ["cc", "-x", language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{ROOT / 'include'}", "-"],
                input=f"#include <ofw/{header.name}>\n", capture_output=True, text=True)
            if done.returncode:
                yield f"{header.name} as {language}: {done.stderr.splitlines()[0]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", required=True, nargs="+", help="the shared library, then those of the applications")
    args = parser.parse_args()
    checks = [check_format, check_edges, check_names, check_headers, check_line_tags, check_tests_exist, check_docs_name_parts,
              check_plain, check_plain_sources, check_links, check_quotes, check_contributing, check_version, lambda: check_symbols(args.library),
              check_limits, check_headers_stand_alone]
    names = ["format", "edges", "names", "file headers", "line tags", "tests exist", "docs", "plain English", "plain sources", "links",
             "quoted examples", "CONTRIBUTING's diff", "version", "symbols", "limits", "public headers"]
    failed = 0
    for name, check in zip(names, checks):
        problems = list(check())
        failed += bool(problems)
        print(f"{'FAIL' if problems else 'ok  '} {name}")
        for problem in problems:
            print(f"     {problem}")
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
