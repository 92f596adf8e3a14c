"""An sdist and a wheel, built without a network from the sources alone, installed into an environment of its own."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"^project\(ofw VERSION (\S+) ", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1)

PROGRAM = """
import ofw
assert ofw.__version__ == {version!r}, ofw.__version__
assert ofw.__file__.startswith({home!r}), ofw.__file__
learner = ofw.Learner("ofw-ada", ofw.L1Ball(3, radius=2.0))
print(len(ofw.run(learner, "linear", 100)))
"""


def run(*words, cwd):
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True,
                          env={**{key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
                               "CMAKE_BUILD_TYPE": "Debug"})              # which is compiled in half the time
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_from_sources_to_an_installed_package(tmp_path):
    source = tmp_path / "source"
    ignore = shutil.ignore_patterns("__pycache__", "build*", "out", ".git", "node_modules", "corpus", "*.egg-info")
    shutil.copytree(ROOT, source, ignore=ignore)
    run(sys.executable, "-m", "build", "--no-isolation", "-o", tmp_path / "dist", ".", cwd=source)
    sdist, wheel = tmp_path / f"dist/ofw-{VERSION}.tar.gz", next((tmp_path / "dist").glob("*.whl"))
    assert wheel.name.startswith(f"ofw-{VERSION}-cp311-abi3-")
    inside = set(tarfile.open(sdist).getnames())
    assert {f"ofw-{VERSION}/{name}" for name in ("CMakeLists.txt", "LICENSE", "src/domain/domains.c", "include/ofw/ofw.h")} <= inside
    files = set(zipfile.ZipFile(wheel).namelist())
    assert {"ofw/_core.abi3.so", "ofw/_core.pyi", "ofw/domains.py", "ofw/py.typed", "ofw/learner.py"} <= files
    assert all(name.startswith(("ofw/", f"ofw-{VERSION}.dist-info/")) for name in files)

    home = tmp_path / "home"
    run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", home, cwd=tmp_path)
    run(home / "bin/python", "-m", "pip", "install", "--no-index", "--no-deps", wheel, cwd=tmp_path)
    said = run(home / "bin/python", "-c", PROGRAM.format(version=VERSION, home=str(home)), cwd=tmp_path)
    assert said == "100\n"
