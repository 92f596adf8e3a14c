#!/usr/bin/python3
"""Builds the site: the pages of docs, the manual, the C API and the Python API, with a search that needs no server.

    build.py --build BUILD --output FOLDER [--work FOLDER]

BUILD holds man/ and python/ as the build left them. The navigation has the shelves of docs/index.md. Every file that a page links
becomes a page of the site: Markdown as it is, other files as quoted source. mkdocs is strict: a dead link or anchor is an error.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

import c_api
import manual
import python_api

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LANGUAGE = {".c": "c", ".h": "c", ".py": "python"}
LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def place(path):
    """Where a file of the tree is on the site: docs/x.md -> x.md, README.md -> readme.md, examples/first.c -> source/examples/first.c.md"""
    relative = path.relative_to(ROOT)
    if path.suffix != ".md":
        within_docs = path.suffix in (".svg", ".png") and relative.parts[0] == "docs"
        return pathlib.Path(*relative.parts[1:]) if within_docs else pathlib.Path("source", f"{relative}.md")
    if relative.parts[0] == "docs":
        return pathlib.Path(*relative.parts[1:])
    return relative.with_name(relative.name.lower())     # mkdocs takes a README for the index of its folder


def steps(start, end):
    """The relative link from one page to another."""
    up = len(start.parent.parts)
    return "../" * up + end.as_posix()


def outside_code(text, change):
    """The text with `change` made to all that is not code."""
    parts = re.split(r"(^```.*?^```$|^(?: {4}|\t)[^\n]*$|`+[^`\n]*`+)", text, flags=re.S | re.M)
    parts[::2] = [change(part) for part in parts[::2]]
    return "".join(parts)


def for_python_markdown(text):
    """What GitHub reads and Python-Markdown would not: a list or a table right below a paragraph, `<d, v>`, a path behind the
    language of a fence."""
    lines, fenced, below = [], False, "empty"
    for line in text.splitlines():
        if line.startswith("```"):
            line = re.sub(r"^```(\w+) (\S+)$", r'```\1 title="\2"', line)
            if not fenced and below != "empty":
                lines.append("")
            fenced = not fenced
            kind = "fence"
        elif fenced:
            kind = "fence"
        elif not line.strip():
            kind = "empty"
        elif re.match(r"(?:[-*]|\d+\.) ", line):
            kind = "list"
        elif line.startswith("|"):
            kind = "table"
        elif line.startswith(" ") and below == "list":
            kind = "list"
        else:
            kind = "text"
        if not fenced and kind in ("list", "table") and below == "text":
            lines.append("")
        lines.append(line)
        below = "empty" if kind == "fence" and not fenced else kind
    return outside_code("\n".join(lines) + "\n", lambda part: re.sub(r"<(?!!--|https?:)", "&lt;", part))


def source_page(path):
    """A file of the tree, quoted; of a folder its files, each with its first line."""
    name = path.relative_to(ROOT)
    if not path.is_dir():
        return f"# {name}\n\n```{LANGUAGE.get(path.suffix, 'text')}\n{path.read_text(encoding='utf-8')}```\n"
    rows = []
    for file in sorted(file for file in path.iterdir() if file.is_file()):
        first = file.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0]
        words = re.sub(r"^/\* \S+ — |^[#;] ?|^\"\"\"|\*/$|\"\"\"$", "", first).replace("|", "\\|")
        rows.append(f"| {file.name} | {for_python_markdown(words).strip()} |\n")
    return f"# {name}\n\n| file | its first line |\n|---|---|\n{''.join(rows)}"


def titled(page, text):
    """The home page with links by the titles of their pages, where the tree has the names of the files."""
    def title(match):
        heading = re.search(r"^# (.*)$", (page.parent / match[2]).read_text(encoding="utf-8"), re.M)
        return f"[{heading[1]}]({match[2]})"

    return re.sub(r"\[([\w.-]+\.md)\]\(([^)#]+\.md)\)", title, text)


class Site:
    def __init__(self, pages):
        self.pages, self.waiting, self.done = pages, [], set()

    def want(self, path):
        if path not in self.done:
            self.done.add(path)
            self.waiting.append(path)
        return place(path)

    def linked(self, page, text, manuals):
        """The page's links as they are on the site, and a link at every name such as ofw-run(1)."""
        here = place(page)

        def link(match):
            name, _, anchor = match[2].partition("#")
            if not name or ":" in name:
                return match[0]
            target = (page.parent / name).resolve()
            if not target.exists():
                sys.exit(f"{page.relative_to(ROOT)}: there is no {match[2]}")
            return match[1] + steps(here, self.want(target)) + (f"#{anchor}" if anchor else "") + match[3]

        def named(match):
            target = f"{match[1]}.{match[2]}"
            return f"[{match[1]}({match[2]})]({steps(here, pathlib.Path('manual', target + '.md'))})" if target in manuals else match[0]

        text = outside_code(text, lambda part: LINK.sub(link, part))
        return outside_code(text, lambda part: re.sub(r"(?<!\[)\*{0,2}\b(ofw[a-z-]*)\*{0,2}\((\d)\)", named, part))

    def stage(self, manuals):
        while self.waiting:
            path = self.waiting.pop()
            target = self.pages / place(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix in (".svg", ".png"):
                shutil.copyfile(path, target)
            elif path.suffix == ".md":
                text = path.read_text(encoding="utf-8")
                text = for_python_markdown(titled(path, text) if path == ROOT / "docs/index.md" else text)
                target.write_text(self.linked(path, text, manuals), encoding="utf-8")
            else:
                target.write_text(source_page(path), encoding="utf-8")


def shelves():
    """The headings below "## Shelves" of docs/index.md, each with the pages of its table."""
    text = (ROOT / "docs/index.md").read_text(encoding="utf-8").split("\n## Shelves\n")[1]
    for shelf in re.split(r"^### ", text, flags=re.M)[1:]:
        paths = [(ROOT / "docs" / link).resolve() for link in re.findall(r"^\| \[[^]]*\]\(([^)#]+)\)", shelf, re.M)]
        yield shelf.split("\n", 1)[0], [path / "README.md" if path.is_dir() else path for path in paths]


def github_slug(text, separator):
    """The anchor that GitHub gives a heading; tests/tree checks links by the same rule."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", separator)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, help="where the pages are put together; BUILD/site-pages if it is not given")
    args = parser.parse_args()
    work = (args.work or args.build / "site-pages").resolve()
    shutil.rmtree(work, ignore_errors=True)
    pages = work / "pages"
    pages.mkdir(parents=True)

    site = Site(pages)
    nav = [{"Home": "index.md"}]
    site.want(ROOT / "docs/index.md")
    for name, paths in shelves():
        nav.append({name: [str(site.want(path)) for path in paths]})
    manuals = manual.write(args.build / "man", pages / "manual")
    site.stage(manuals)
    nav.append({"Manual": [f"manual/{name}.md" for name in manuals]})
    nav.append({"C": c_api.write(args.build / "docs/Doxyfile", work / "doxygen", pages / "c")})
    nav.append({"Python": python_api.write(args.build / "python", pages / "python-api")})
    for name in ("site.css", "offline.js"):
        shutil.copyfile(HERE / name, pages / name)

    config = yaml.safe_load((HERE / "mkdocs.yml").read_text(encoding="utf-8"))
    config.update(nav=nav, docs_dir=str(pages), site_dir=str(args.output.resolve()))
    config["theme"]["custom_dir"] = str(HERE / "theme")
    config["markdown_extensions"].append({"toc": {"permalink": "#", "slugify": "SLUG"}})
    text = yaml.safe_dump(config, sort_keys=False).replace("slugify: SLUG", "slugify: !!python/name:build.github_slug")
    (work / "mkdocs.yml").write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", work / "mkdocs.yml"],
                          env={"PYTHONPATH": str(HERE), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode:
        return done.returncode
    index = json.loads((args.output / "search/search_index.json").read_text(encoding="utf-8"))
    (args.output / "search/search_index.js").write_text(f"window.searchIndex = {json.dumps(index)};\n", encoding="utf-8")
    print(f"{args.output}/index.html: {len(list(args.output.rglob('*.html')))} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
