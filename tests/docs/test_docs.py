#!/usr/bin/python3
"""The reference: doxygen has nothing to say, every public symbol has words, and all the headers' words are there.

    test_docs.py --doxygen PATH --doxyfile PATH

Then one comment after another is taken away from a copy of the headers: each time something must be wrong.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include/ofw"
TAKEN_AWAY = [                                               # header, what loses its words, the comment
    ("learner.h", "ofw_learner_decide", r"/\*[^/]*\*/\n(?=OFW_API ofw_status ofw_learner_decide\()"),
    ("feedback.h", "loss_gradient", r"(?<=ofw_sum loss_gradient;) */\*.*\*/"),
    ("feedback.h", "OFW_TERMS_STRUCTURED", r"(?<=OFW_TERMS_STRUCTURED,) */\*.*\*/"),
    ("vec.h", "ofw_vec", r"/\*.*\*/\n(?=typedef struct ofw_vec )"),
]


def bare(text):
    """Without spaces, code marks and full stops, which doxygen adds to some."""
    return re.sub(r"[\s`.]", "", text)


def described(node):
    return "".join(part for kind in ("brief", "detailed") for part in node.find(f"{kind}description").itertext())


def problems(doxygen, doxyfile, headers, out):
    settings = doxyfile.read_text(encoding="utf-8").replace(str(INCLUDE), str(headers))
    settings += f"\nGENERATE_XML=YES\nOUTPUT_DIRECTORY={out}\n"
    done = subprocess.run([doxygen, "-"], input=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    yield from done.stdout.splitlines()
    if done.returncode:
        return

    names, texts = set(), []
    for page in (out / "xml").glob("*_8h.xml"), (out / "xml").glob("struct*.xml"):
        for compound in (ET.parse(path).getroot().find("compounddef") for path in page):
            for node in [compound, *compound.iter("memberdef"), *compound.iter("enumvalue")]:
                name = node.findtext("name") or node.findtext("compoundname")
                names.add(name)
                texts.append(bare(described(node)))
                if not texts[-1]:
                    yield f"{compound.findtext('compoundname')}: {name} has no words"
    for header in sorted(headers.glob("*.h")):
        source = header.read_text(encoding="utf-8")
        for name in re.findall(r"^OFW_API [^;(]*?\b(ofw_\w+)\(", source, re.M):
            if name not in names:
                yield f"{header.name}: {name} is not in the reference"
        for comment in re.findall(r"/\*(.*?)\*/(?!\n\n)", source, re.S):
            words = re.sub(r"\n +\*", "\n", comment.removeprefix(f" {header.name} —"))
            if bare(words) not in texts:
                yield f"{header.name}: the reference does not have, or not in these words: {comment}"


def main():
    parser = argparse.ArgumentParser(description="checks the reference that doxygen makes")
    parser.add_argument("--doxygen", required=True)
    parser.add_argument("--doxyfile", required=True, type=pathlib.Path)
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for header, symbol, comment in [(None, None, None), *TAKEN_AWAY]:
            headers = folder / "include/ofw"
            shutil.copytree(INCLUDE, headers)
            if header:
                source, times = re.subn(comment, "", (headers / header).read_text(encoding="utf-8"))
                assert times == 1, f"{header}: {symbol} should have one comment, has {times}"
                (headers / header).write_text(source, encoding="utf-8")
            found = list(problems(args.doxygen, args.doxyfile, headers, folder))
            held = len(found) == 1 and symbol in found[0] if symbol else not found
            failed += not held
            print(f"{'ok  ' if held else 'FAIL'} {f'without the words of {symbol}' if symbol else 'the reference'}")
            print("".join(f"     {problem}\n" for problem in found), end="")
            shutil.rmtree(folder / "include")
            shutil.rmtree(folder / "xml", ignore_errors=True)
    print(f"{1 + len(TAKEN_AWAY) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
