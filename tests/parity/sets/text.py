"""What a spec is made of."""


def split(text, separator=","):
    """At the separators that are not within parentheses."""
    parts, depth = [""], 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def bare(text):
    """Without the parentheses around it."""
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def lines(text):
    """Of "(a;b;c)", or of "@FILE"."""
    if text.startswith("@"):
        with open(text[1:], encoding="ascii") as file:
            return [line.strip() for line in file]
    return [line.strip() for line in bare(text).split(";")]


def numbers(text):
    """One number, "(a,b,..)", or "@FILE" with one a line."""
    return [float(word) for line in lines(text) for word in line.replace(",", " ").split()]
