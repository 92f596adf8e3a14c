"""The C API as pages of the site, one per header, from doxygen's XML with the settings of docs/Doxyfile.in."""
import html
import re
import subprocess
import textwrap
import xml.etree.ElementTree as ET

HEADINGS = (("struct", "Structures"), ("enum", "Enumerations"), ("typedef", "Types"), ("function", "Functions"),
            ("define", "Macros"), ("variable", "Variables"))
TAGS = {"computeroutput": "code", "itemizedlist": "ul", "orderedlist": "ol", "listitem": "li", "emphasis": "em", "bold": "strong"}


class Links:
    """Where each name is described."""
    def __init__(self):
        self.pages = {}

    def at(self, identifier, text):
        page = self.pages.get(identifier)
        return f'<a href="{page}.html#{identifier}">{text}</a>' if page else text


def inner(node, links):
    out = html.escape(node.text or "", quote=False)
    for child in node:
        out += block(child, links) + html.escape(child.tail or "", quote=False)
    return out


def block(node, links):
    if node.tag == "verbatim":
        return f"<pre>{html.escape(textwrap.dedent((node.text or '').strip(chr(10))), quote=False)}</pre>"
    if node.tag == "ref":
        return links.at(node.get("refid"), inner(node, links))
    if node.tag == "para":
        text, out = "", ""
        for piece, closed in pieces(node, links):              # a list or a block of code ends a paragraph
            if closed:
                out += (f"<p>{text}</p>" if text.strip() else "") + piece
                text = ""
            else:
                text += piece
        return out + (f"<p>{text}</p>" if text.strip() else "")
    tag = TAGS.get(node.tag)
    return f"<{tag}>{inner(node, links)}</{tag}>" if tag else {"sp": " ", "linebreak": "<br>"}.get(node.tag, inner(node, links))


def pieces(node, links):
    yield html.escape(node.text or "", quote=False), False
    for child in node:
        yield block(child, links), child.tag in ("verbatim", "itemizedlist", "orderedlist")
        yield html.escape(child.tail or "", quote=False), False


def words(node, links):
    return "".join(block(para, links) for kind in ("brief", "detailed") for para in node.find(f"{kind}description"))


def plain(node):
    return " ".join("".join(node.itertext()).split()) if node is not None else ""


def declaration(member):
    kind, name = member.get("kind"), member.findtext("name")
    if kind == "define":
        return f"#define {name} {plain(member.find('initializer'))}".rstrip()
    if kind == "function":
        arguments = [plain(part.find("type")) + " " + (part.findtext("declname") or "") + (part.findtext("array") or "") for part in member.findall("param")]
        start = f"{plain(member.find('type'))} {name}(".replace("* ", "*")
        arguments = [text.strip().replace("* ", "*") for text in arguments] or ["void"]
        line = f"{start}{', '.join(arguments)});"
        return line if len(line) <= 80 else start + (",\n" + " " * 4).join(["\n    " + arguments[0], *arguments[1:]]) + ");"
    return plain(member.find("definition")).removesuffix(";") + ";"


def anchored(level, name, identifier, links):
    return f'{"#" * level} {name} {{ #{identifier} }}\n'


def table(rows):
    body = "".join(f"<tr><td><code>{html.escape(name)}</code></td><td>{text}</td></tr>" for name, text in rows)
    return f"<table><tbody>{body}</tbody></table>"


def wrapped(text):
    return f'<div class="api">\n{text}\n</div>\n' if text.strip() else ""


def member_text(member, links):
    text = words(member, links)
    if member.get("kind") == "enum":
        text += table((value.findtext("name"), words(value, links)) for value in member.findall("enumvalue"))
    return text


def write(doxyfile, work, pages):
    work.mkdir(parents=True)
    settings = doxyfile.read_text(encoding="utf-8") + f"\nGENERATE_XML=YES\nGENERATE_HTML=NO\nOUTPUT_DIRECTORY={work}\n"
    subprocess.run(["doxygen", "-"], input=settings, check=True, text=True)
    compounds = [ET.parse(path).getroot().find("compounddef") for path in sorted((work / "xml").glob("*.xml")) if path.name != "index.xml"]
    headers = [node for node in compounds if node is not None and node.get("kind") == "file" and node.findtext("compoundname").endswith(".h")]
    structs = {node.get("id"): node for node in compounds if node is not None and node.get("kind") == "struct"}
    if not headers:
        raise SystemExit(f"doxygen has found no header by {doxyfile}")

    links = Links()
    for header in headers:
        page = header.findtext("compoundname").removesuffix(".h")
        for node in [*header.iter("memberdef"), *header.iter("innerclass")]:
            links.pages[node.get("id") or node.get("refid")] = page

    pages.mkdir(parents=True)
    names = []
    for header in sorted(headers, key=lambda node: (node.findtext("compoundname") != "ofw.h", node.findtext("compoundname"))):
        name = header.findtext("compoundname")
        members = {}
        for member in header.iter("memberdef"):
            members.setdefault(member.get("kind"), []).append(member)
        intro = words(header, links)
        out = [f"# ofw/{name}\n", wrapped(re.sub(r"(?<=^<p>)\w", lambda first: first[0].upper(), intro))]
        for kind, heading in HEADINGS:
            if kind == "struct":
                parts = [structs[node.get("refid")] for node in header.findall("innerclass") if node.get("refid") in structs]
            else:
                parts = members.get(kind, [])
            if parts:
                out.append(f"## {heading}\n")
            for part in parts:
                if kind == "struct":
                    fields = [(plain(f.find("type")) + " " + f.findtext("name") + (f.findtext("argsstring") or ""), words(f, links)) for f in part.iter("memberdef")]
                    out.append(anchored(3, part.findtext("compoundname"), part.get("id"), links))
                    out.append(wrapped(words(part, links) + (table(fields) if fields else "")))
                    continue
                out.append(anchored(3, part.findtext("name"), part.get("id"), links))
                if kind != "enum":
                    out.append(f"```c\n{declaration(part)}\n```\n")
                out.append(wrapped(member_text(part, links)))
        target = f"{name.removesuffix('.h')}.md"
        (pages / target).write_text("\n".join(out), encoding="utf-8")
        names.append(f"c/{target}")
    return names
