"""The manual as pages of the site: mandoc writes a page as HTML, and its headings become the site's."""
import html
import re
import subprocess


def page(path, names):
    name, section = path.name.rsplit(".", 1)
    text = subprocess.run(["mandoc", "-Thtml", "-O", "fragment", path], check=True, capture_output=True, text=True).stdout
    text = text.split('<div class="manual-text">', 1)[1].rsplit('<table class="foot">', 1)[0].strip().removesuffix("</div>")
    text = re.sub(r"</?section[^>]*>\n?", "", text)
    text = re.sub(r'<p class="Pp"></p>\n?', "", text)

    def named(match):
        target = f"{match[1]}.{match[2]}"
        return f'<a href="{target}.html">{match[1]}({match[2]})</a>' if target in names and target != path.name else match[0]

    text = re.sub(r"(?:<b>)?(ofw[a-z-]*)(?:</b>)?\((\d)\)", named, text)
    out = [f"# {name}({section})\n"]
    parts = re.split(r"<h([12]) class=\"S[hs]\"[^>]*><a[^>]*>(.*?)</a></h[12]>", text, flags=re.S)
    for depth, heading, body in zip(parts[1::3], parts[2::3], parts[3::3]):
        heading = html.unescape(re.sub(r"<[^>]*>", "", " ".join(heading.split())))
        heading = heading.capitalize() if depth == "1" else heading
        out.append(f"{'##' if depth == '1' else '###'} {heading}\n")
        if body.strip():
            out.append(f'<div class="manual">\n{body.strip()}\n</div>\n')
    return "\n".join(out)


def write(folder, pages):
    """Writes all pages; their names, ofw(1) first, then by section."""
    paths = sorted(folder.glob("man?/*"), key=lambda path: (path.parent.name, path.name != "ofw.1", path.name))
    if not paths:
        raise SystemExit(f"{folder} has no manual pages: build the target 'pages' first")
    names = [path.name for path in paths]
    pages.mkdir(parents=True)
    for path in paths:
        (pages / f"{path.name}.md").write_text(page(path, names), encoding="utf-8")
    return names
