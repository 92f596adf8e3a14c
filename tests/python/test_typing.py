"""The package is typed: mypy --strict finds nothing, also in a program that uses it, and the stub is as the module is."""
import os
import pathlib
import subprocess

import ofw

PACKAGE = pathlib.Path(ofw.__file__).parent

PROGRAM = '''
import numpy as np
import ofw

learner = ofw.Learner("ofw-ada", ofw.Simplex(3), sigma="line-search")
x = learner.decide()
reveal_type(x)
reveal_type(learner.info.price)
reveal_type(ofw.L1Ball(9, radius=3.0).lmo(np.ones(9)))
reveal_type(ofw.run(learner, "linear", 3).regret)
learner.observe(0.5, np.ones(3))
{wrong}
'''
WRONG = ["ofw.L1Ball('nine')", "ofw.L1Ball(9, radios=3.0)", "learner.observe('much')", "learner.decide().rows(3)"]


def mypy(folder, *arguments):
    done = subprocess.run(["mypy", "--strict", "--cache-dir", str(folder), *arguments], capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": str(PACKAGE.parent)}, cwd=folder)
    return done.returncode, done.stdout


def test_strict(tmp_path):
    assert (PACKAGE / "py.typed").exists()
    status, said = mypy(tmp_path, "-p", "ofw")
    assert status == 0, said
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(PROGRAM.format(wrong=""))
    status, said = mypy(tmp_path, str(right))
    assert status == 0, said
    for want in ("ofw._core.Point", "builtins.float", "numpy.ndarray"):
        assert f'Revealed type is "{want}' in said
    wrong.write_text(PROGRAM.format(wrong="\n".join(WRONG)))
    status, said = mypy(tmp_path, str(wrong))
    assert status == 1 and said.count("error:") == len(WRONG), said


def test_stub(tmp_path):
    done = subprocess.run(["stubtest", "ofw._core"], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "MYPYPATH": str(PACKAGE.parent)})
    assert done.returncode == 0, done.stdout
