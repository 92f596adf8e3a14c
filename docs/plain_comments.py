#!/usr/bin/python3
"""Doxygen's filter for the headers: plain comments as doxygen wants them, line for line.

    /* name.h — words    opens a file        becomes  /** @file name.h @brief words
    /* words             above something              /** words
    code; /* words       behind something             code; /**< words
    double a, b; /* words                             double a; /**< words  double b; /**< words

A comment with an empty line below it belongs to nothing and stays as it is.
"""
import re
import sys


# Indented lines between two empty ones, the second of which may be the comment's end.
CODE = r"\n \*\n((?: \*     .*\n|(?: \*\n)+(?= \*     ))+) (?:\*(?=\n))?"


def escaped(line):
    """What doxygen or Markdown would take for a command; `code` and lines of code are left alone."""
    start, text = re.fullmatch(r"( +\*)?(.*)", line).groups(default="")
    if start and text.startswith("     "):
        return line
    parts = text.split("`")                                  # every second one is code
    parts[::2] = [re.sub(r"[<>@#%*\\]|--", r"\\\g<0>", part) for part in parts[::2]]
    return start + "`".join(parts)


def convert(source):
    def comment(match):
        text = "\n".join(escaped(line) for line in match[1].split("\n"))
        text = re.sub(CODE, lambda code: "\n * @verbatim\n" + re.sub("(?m)^ [*]", "", code[1]) + "@endverbatim ", text)
        if match.start() == 0:
            return "/** @file" + text.replace("—", "@brief", 1) + "*/"
        if source[:match.start()].rpartition("\n")[2].strip():
            return f"/**<{text}*/"
        return match[0] if source.startswith("\n\n", match.end()) else f"/**{text}*/"

    source = re.sub(r"^( +[\w ]+ )(\*?\w+), (\*?\w+); *(/\*.*\*/)$", r"\1\2; \4\1\3; \4", source, flags=re.M)
    return re.sub(r"/\*(.*?)\*/", comment, source, flags=re.S)


with open(sys.argv[1], encoding="utf-8") as file:
    sys.stdout.write(convert(file.read()))
