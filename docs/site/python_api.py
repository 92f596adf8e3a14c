"""The Python API as pages of the site: what `import ofw` gives, with signatures and docstrings, from the package as it was built."""
import inspect
import re
import sys
import textwrap


def signature(name, thing):
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return None
    text = re.sub(r"(?<![\w.])(?:typing|numpy|collections\.abc|ofw\.\w+)\.", "", text.replace("'", ""))
    return textwrap.fill(f"{name}{text}", 80, subsequent_indent="    ", break_long_words=False)


def documented(thing):
    """The docstring as Markdown: examples and sections of parameters as quoted text."""
    text = inspect.getdoc(thing) or ""
    text = re.sub(r"``([^`]*)``", r"`\1`", text)
    out = []
    for part in re.split(r"\n{2,}", text.replace("<", "&lt;") if "`" not in text else text):
        if part.lstrip().startswith(">>>"):
            out.append(f"```pycon\n{part}\n```")
        elif re.match(r"(Parameters|Attributes|Returns)\n-+\n", part):
            head, _, rows = part.split("\n", 2)
            out.append(f"**{head}**\n")
            for field in re.split(r"\n(?=\S)", rows):
                title, _, body = field.partition("\n")
                out.append(f"- `{title.strip()}`: {' '.join(body.split())}".rstrip(": "))
        else:
            out.append(part)
    return "\n\n".join(out)


def member(name, thing, level):
    out = [f"{'#' * level} {name}\n"]
    text = signature(name, thing) if callable(thing) else None
    if text:
        out.append(f"```python\n{text}\n```\n")
    out.append(documented(thing) + "\n")
    return "\n".join(out)


def methods(kind):
    """The public methods and properties with a docstring, of the class and of the C class below it."""
    named = {}
    for base in reversed(kind.__mro__):
        if base.__module__.split(".")[0] == "ofw":
            named.update({name: thing for name, thing in vars(base).items() if not name.startswith("_")})
    for name, thing in named.items():
        thing = thing.__func__ if isinstance(thing, (classmethod, staticmethod)) else thing
        if inspect.getdoc(thing) and (inspect.isroutine(thing) or inspect.isdatadescriptor(thing)):
            yield name, thing


def class_text(name, kind):
    out = [member(name, kind, 2)]
    out += [member(f"{name}.{method}", thing, 3) for method, thing in methods(kind)]
    return "\n".join(out)


def write(folder, pages):
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder.resolve()))
    import ofw
    from ofw import domains
    errors = [name for name in ofw.__all__ if isinstance(getattr(ofw, name), type) and issubclass(getattr(ofw, name), BaseException)]
    others = [name for name in ofw.__all__ if name not in errors and name not in domains.__all__ and not name.startswith("_")]
    classes = [name for name in others if isinstance(getattr(ofw, name), type)]
    functions = [name for name in others if name not in classes]

    pages.mkdir(parents=True)
    parts = {
        "classes": ("Classes", "What `import ofw` gives; [python.md](../python.md) has the chapters.", classes),
        "functions": ("Functions", "What `import ofw` gives beside its classes.", functions),
        "sets": ("Sets", "Every set of the library as a class; [domains.md](../domains.md) says what each one is.", domains.__all__),
        "errors": ("Errors", "Everything that ofw raises is an `ofw.Error`.", errors),
    }
    for name, (title, intro, things) in parts.items():
        body = "\n".join(class_text(thing, getattr(ofw, thing)) if isinstance(getattr(ofw, thing), type) and name != "errors"
                         else member(thing, getattr(ofw, thing), 2) for thing in things)
        (pages / f"{name}.md").write_text(f"# ofw in Python: {title.lower()}\n\n{intro}\n\n{body}", encoding="utf-8")
    return [f"python-api/{name}.md" for name in parts]
