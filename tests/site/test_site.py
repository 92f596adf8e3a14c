#!/usr/bin/python3
"""The site that `make site` builds: nothing is lost on the way from the pages, no link is dead, nothing comes from elsewhere.

    test_site.py --build BUILD --node NODE [--shots FOLDER]

Builds the site anew from BUILD's manual and package. Then a real browser reads it as files: see site.mjs.
"""
import argparse
import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "docs/site"))
import build as site_build  # noqa: E402


class Page(html.parser.HTMLParser):
    """The text of a page's article, its anchors, its links and what it loads."""
    VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}

    def __init__(self, text, whole=False):
        super().__init__(convert_charrefs=True)
        self.words, self.anchors, self.links, self.loads = [], set(), [], []
        self.open, self.whole = [], whole
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.anchors.add(attributes["id"])
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag in ("script", "img", "iframe") and attributes.get("src") or tag == "link" and attributes.get("rel") != "canonical":
            self.loads.append(attributes.get("src") or attributes.get("href"))
        if tag not in self.VOID:
            classes = attributes.get("class") or ""
            hidden = tag in ("script", "style") or "headerlink" in classes or "filename" in classes
            self.open.append((tag, hidden, tag == "article"))

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            while self.open and self.open.pop()[0] != tag:
                pass

    def handle_data(self, text):
        if not any(hidden for _, hidden, _ in self.open) and (self.whole or any(article for *_, article in self.open)):
            self.words.append(text)

    def text(self):
        return re.sub(r"\s+", "", "".join(self.words))


def check_same_text(site):
    """Each page of the tree says on the site what GitHub would show of it; the home page has titles for the names of files."""
    compared = 0
    for path in sorted([*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")]):
        target = site / site_build.place(path).with_suffix(".html")
        if not target.exists():
            continue
        compared += 1
        text = path.read_text(encoding="utf-8")
        if path.name == "index.md":
            text = site_build.titled(path, text)
        rendered = subprocess.run(["cmark-gfm", "--extension", "table"], input=text, check=True, capture_output=True, text=True).stdout
        wanted, found = Page(rendered, whole=True).text(), Page(target.read_text(encoding="utf-8")).text()
        if wanted != found:
            at = next((i for i, (a, b) in enumerate(zip(wanted, found)) if a != b), min(len(wanted), len(found)))
            yield f"{path.name}: the page has '..{wanted[max(0, at - 30):at + 50]}', the site '..{found[max(0, at - 30):at + 50]}'"
    if compared < 30:
        yield f"only {compared} pages were compared"


def check_links(site):
    """Every link leads to a file of the site and to an anchor of it; nothing is loaded from elsewhere."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme in ("http", "https", "mailto"):
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{path.relative_to(site)}: there is no {link}"
            elif url.fragment and target.suffix == ".html" and urllib.parse.unquote(url.fragment) not in pages[target].anchors:
                yield f"{path.relative_to(site)}: {link} has no such anchor"
        for source in page.loads:
            if source and (urllib.parse.urlsplit(source).scheme or source.startswith("//")):
                yield f"{path.relative_to(site)} loads {source}"
            elif source and not (path.parent / urllib.parse.unquote(urllib.parse.urlsplit(source).path)).exists():
                yield f"{path.relative_to(site)} loads {source}, which is not there"
    if len(pages) < 70:
        yield f"the site has only {len(pages)} pages"


def check_parts(site):
    """The manual, both references and the search are there."""
    for path, words in (("manual/ofw-run.1.html", "--learner"), ("c/learner.html", "ofw_learner_decide"),
                        ("python-api/classes.html", "Learner.decide"), ("python-api/sets.html", "L1Ball"),
                        ("search/search_index.js", "ofw_learner_observe"), ("source/examples/first.c.html", "int")):
        if not (site / path).exists() or words not in (site / path).read_text(encoding="utf-8"):
            yield f"{path} does not have '{words}'"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--node", required=True)
    parser.add_argument("--shots", help="a folder for screenshots")
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder).resolve() / "site"
        built = subprocess.run([sys.executable, ROOT / "docs/site/build.py", "--build", args.build, "--output", site, "--work", pathlib.Path(folder) / "work"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        said = [line for line in built.stdout.splitlines() if not line.startswith(str(site))]
        if built.returncode or said:
            print("FAIL the build: it must say nothing\n     " + "\n     ".join(said))
            return 1
        for name, check in (("the same text", check_same_text), ("links", check_links), ("parts", check_parts)):
            problems = list(check(site))
            failed += bool(problems)
            print(f"{'FAIL' if problems else 'ok  '} {name}", *problems[:40], sep="\n     ")
        shots = [args.shots] if args.shots else []
        failed += subprocess.run([args.node, ROOT / "tests/site/site.mjs", site, *shots], check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
