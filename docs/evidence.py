#!/usr/bin/python3
"""Fills the tables and figures of docs from what benchmarks and experiments left in docs/results.

    evidence.py [--check]

A table stands between `<!-- table: NAME KIND -->` and `<!-- end -->` on any page; NAME is a file of docs/results or a problem of
practical.json. --check changes nothing and fails if a page or a figure is not what the files give, so that no number can go stale.
Every file has the kind `measured`: the sentence that says when, of which commit and where it was measured; `measured.PART` says it of
the parts of a JSON file that begin so. A text also has the kinds 1, 2, ..: the Markdown tables in it, as they were printed, and `words`: the lines between
them. The modules of docs/tables have the others.

--check also fails if a page has a table of measured numbers that no file gives.
"""
import json
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent
RESULTS = DOCS / "results"
sys.dont_write_bytecode = True
sys.path[:0] = [str(DOCS / "tables"), str(DOCS.parent / "bench" / "practical")]
import bench  # noqa: E402
import campaigns  # noqa: E402
import compare  # noqa: E402
import growth  # noqa: E402
import practical  # noqa: E402
import reproduction  # noqa: E402

BLOCK = re.compile(r"^<!-- table: ([\w-]+) ([\w.-]+) -->\n(.*?)^<!-- end -->$", re.S | re.M)
TIMED = ("cost", "oracles", "clp", "storage", "ranks", "large", "log-cost", "mpi", "mpi-large", "network", "slepc", "performance", "python-cost", "pacing", "ratings")     # whose numbers depend on other work of the machine
ELSEWHERE = {"ada-report": DOCS.parent / "experiments/ada/sets/report.txt"}


def read(name):
    """The head and the results of a file; of one with parts, the head of each."""
    for problem, kept in json.loads(practical.RESULTS.read_text(encoding="utf-8")).items():
        if problem == name:
            return [kept], kept["results"]
    text = ELSEWHERE.get(name, RESULTS / f"{name}.txt")
    if text.exists():
        lines = text.read_text(encoding="utf-8").splitlines()
        head = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
        return [head], "\n".join(line for line in lines if not line.startswith("# "))
    path = RESULTS / f"{name}.json"
    if not path.exists():
        sys.exit(f"docs/results has no {name}.txt or {name}.json, which a page names")
    kept = json.loads(path.read_text(encoding="utf-8"))
    if "readings" in kept:
        return [], kept
    return list(kept.values()), {part: of["results"] for part, of in kept.items()}


def measured(name, heads):
    if not heads:
        sys.exit(f"docs/results/{name} does not say when it was measured")
    loads = {}
    for head in heads:
        loads.setdefault((head["date"], head["commit"], head["machine"]), []).append(float(head.get("load", 0.0)))
    said = ""
    for (date, commit, machine), load in loads.items():
        span = f"{min(load):g}" if min(load) == max(load) else f"{min(load):g} to {max(load):g}"
        busy = f"; other work kept {span} processes busy" if max(load) >= 0.5 and name in TIMED else ""
        said += f"Measured on {date} at commit {commit}, {machine}{busy}.\n"
    return said


def printed(text, number):
    """The number-th Markdown table of a text, with 1.05e+03 as 1050."""
    tables = re.findall(r"(?:^\|.*\n?)+", text + "\n", re.M)
    return re.sub(r"\b\d(?:\.\d+)?e\+0[1-5]\b", lambda number: f"{float(number[0]):.0f}", tables[int(number) - 1])


def kinds(name):
    if name in practical.PROBLEMS:
        return practical.problem(name).TABLES
    for module in (bench, campaigns, compare, growth, reproduction):
        if name in module.NAMES:
            return module.KINDS
    return {}


def body(name, kind):
    heads, results = read(name)
    if kind == "measured":
        return measured(name, heads)
    if kind.startswith("measured."):
        return measured(name, [head for part, head in zip(results, heads) if part.startswith(kind.split(".", 1)[1])])
    if kind.isdigit():
        return printed(results, kind)
    if kind == "words":
        return "".join(f"{line}\n" for line in results.splitlines() if line.strip() and not line.startswith("|"))
    if kind not in kinds(name):
        sys.exit(f"there is no table '{name} {kind}': docs/tables has {', '.join(kinds(name)) or 'none of that name'}")
    return kinds(name)[kind](results)


def typed(page, text):
    """Tables of numbers that no file gives."""
    for table in re.findall(r"(?:^\|.*\n)+", BLOCK.sub("", text) + "\n", re.M):
        cells = [cell.strip() for row in table.splitlines() for cell in row.strip("|").split("|")[1:]]
        if sum(bool(re.match(r"[-±*]*\d[\d ]*\.\d", cell)) for cell in cells) >= 4:
            yield f"docs/{page.name}: measured numbers that no file of docs/results gives: {table.splitlines()[0]}"


def headless():
    """Files of results that do not say when, of which commit and where they were measured; those of 'ofw reproduce' have no head."""
    for path in sorted(RESULTS.iterdir()):
        if path.stem not in reproduction.NAMES:
            for head in read(path.stem)[0] if path.suffix == ".txt" else json.loads(path.read_text(encoding="utf-8")).values():
                if not all(head.get(key) for key in ("commit", "date", "machine")):
                    yield f"docs/results/{path.name}: expected commit, date and machine, found {', '.join(set(head) - {'results'}) or 'none'}"


def main():
    if problems := list(headless()):
        sys.exit("\n".join(problems))
    pages = sorted([*DOCS.glob("*.md"), *DOCS.parent.glob("*.md")])
    wanted, tables = {}, 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        tables += len(BLOCK.findall(text))
        if any(len(re.findall(rf"^<!-- {mark}", text, re.M)) != len(BLOCK.findall(text)) for mark in ("table:", "end -->")):
            sys.exit(f"{page.name}: a table is not between '<!-- table: NAME KIND -->' and '<!-- end -->'")
        wanted[page] = BLOCK.sub(lambda match: f"<!-- table: {match[1]} {match[2]} -->\n{body(match[1], match[2])}<!-- end -->", text)
    for name in practical.PROBLEMS:
        _, results = read(name)
        for kind, draw in practical.problem(name).FIGURES.items():
            wanted[DOCS / f"practical-{name}-{kind}.svg"] = draw(results)
    for path, draw in compare.FIGURES.items():
        wanted[DOCS / path] = draw(lambda name: read(name)[1])
    figures = len(wanted) - len(pages)
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[1:]:
        loose = [problem for page in pages for problem in typed(page, wanted[page])]
        print(*loose, sep="\n", end="\n" if loose else "")
        for path in stale:
            print(f"{path.relative_to(DOCS.parent)} is not what docs/results gives; run docs/evidence.py")
        if not stale:
            print(f"{tables} tables and {figures} figures are those of docs/results")
        return 1 if stale or loose else 0
    for path in stale:
        path.write_text(wanted[path], encoding="utf-8")
        print(f"wrote {path.relative_to(DOCS.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
