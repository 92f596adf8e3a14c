"""Docstrings, docs/python.md and the gallery: every example runs and prints what the page shows; the page quotes the scripts."""
import doctest
import importlib
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import ofw

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/python.md").read_text(encoding="utf-8")
SCRIPTS = sorted((ROOT / "examples/python").glob("*.py"))
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


def same(found, shown):
    """The same words, and numbers that differ by a thousandth or one of the last digit shown."""
    if NUMBER.sub("#", found).split() != NUMBER.sub("#", shown).split():
        return False
    for a, b in zip(NUMBER.findall(found), NUMBER.findall(shown)):
        digits = len(b.partition(".")[2]) if "e" not in b else 0
        if abs(float(a) - float(b)) > max(1e-3 * abs(float(b)), (1.01 * 10.0**-digits) * ("." in b)):
            return False
    return True


@pytest.mark.parametrize("name", ["ofw", *(f"ofw.{module.name}" for module in pkgutil.iter_modules(ofw.__path__) if module.name != "_core")])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_docstrings_have_examples():
    found = sum(len(test.examples) for module in (ofw, ofw.domain, ofw.learner, ofw.play, ofw.rounds)
                for test in doctest.DocTestFinder().find(module))
    assert found > 25


def test_everything_public_is_documented():
    for name in ofw.__all__:
        item = getattr(ofw, name)
        if name.startswith("__"):
            continue
        assert item.__doc__, name
        if isinstance(item, type):
            for key, value in vars(item).items():
                assert key.startswith("_") or not callable(value) or value.__doc__, f"{name}.{key}"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_prints_what_the_page_shows(script, tmp_path):
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stderr
    figures = [path.name for path in tmp_path.glob("*.svg")]
    assert (figures == [f"python-{script.stem}.svg"] and f"]({figures[0]})" in PAGE and (ROOT / "docs" / figures[0]).exists()) or not figures
    block = re.search(rf"^```python examples/python/{script.name}\n(.*?)^```\n\nIt prints\n\n```text\n(.*?)^```$", PAGE, re.S | re.M)
    if block:
        assert block.group(1) == script.read_text(encoding="utf-8")
        assert same(done.stdout, block.group(2)), done.stdout
    else:
        assert f"(../examples/python/{script.name})" in PAGE or f"examples/python/{script.name}" in (ROOT / "README.md").read_text()


def test_the_page_quotes_six_chapters():
    assert len(re.findall(r"^```python examples/python/\w+\.py$", PAGE, re.M)) == 6
    assert len(re.findall(r"^## \d\. ", PAGE, re.M)) == 6


def test_readme_quotes_the_short_program():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, body in re.findall(r"^```python (examples/python/\w+\.py)\n(.*?)^```$", readme, re.S | re.M):
        assert body == (ROOT / name).read_text(encoding="utf-8")
    assert "```python examples/python/first.py" in readme
