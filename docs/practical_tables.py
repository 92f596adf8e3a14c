#!/usr/bin/python3
"""Writes the tables and figures of practical problems in docs from what `make bench-practical` left, docs/results/practical.json.

    practical_tables.py [--check]

A table stands between `<!-- table: PROBLEM KIND -->` and `<!-- end -->` on one of PAGES; a figure is docs/practical-PROBLEM-KIND.svg.
--check changes nothing and fails if one of them is not what the file of results gives, so that no number of a page can go stale.
"""
import json
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "bench" / "practical"))
import practical  # noqa: E402

PAGES = [DOCS / name for name in ("practical.md", "pacing.md", "budgets.md", "recommend.md")]
BLOCK = re.compile(r"<!-- table: (\w+) (\w+) -->\n(.*?)<!-- end -->", re.S)


def main():
    results = json.loads(practical.RESULTS.read_text(encoding="utf-8"))

    def table(match):
        body = practical.problem(match[1]).TABLES[match[2]](results[match[1]]["results"])
        return f"<!-- table: {match[1]} {match[2]} -->\n{body}<!-- end -->"

    wanted = {page: BLOCK.sub(table, page.read_text(encoding="utf-8")) for page in PAGES}
    tables = sum(len(BLOCK.findall(text)) for text in wanted.values())
    for name in results:
        for kind, draw in practical.problem(name).FIGURES.items():
            wanted[DOCS / f"practical-{name}-{kind}.svg"] = draw(results[name]["results"])
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"docs/{path.name} is not what docs/results/practical.json gives; run docs/practical_tables.py")
        if not stale:
            print(f"{tables} tables and {len(wanted) - len(PAGES)} figures are those of docs/results/practical.json")
        return 1 if stale else 0
    for path in stale:
        path.write_text(wanted[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
