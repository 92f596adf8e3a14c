"""The package's version is the library's, and CMake builds what is in it: all files of a wheel come from its build folder."""
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).parent
VERSION = re.search(r"^project\(ofw VERSION (\S+) ", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1)
PARTS = ["-DOFW_CLI=OFF", "-DOFW_CUDA=OFF", "-DOFW_REPORT=OFF", "-DOFW_BENCH=OFF", "-DOFW_TESTS=OFF", "-DOFW_PYTHON=ON"]


class CMake(build_ext):
    """The library, the extension module and domains.py, by the build that 'make' uses."""

    def run(self):
        package = pathlib.Path(self.build_lib).resolve() / "ofw"
        folder = pathlib.Path(self.build_temp).resolve()
        subprocess.run(["cmake", "-S", str(ROOT.resolve()), "-B", str(folder), "-G", "Ninja", *PARTS, f"-DPYTHON={sys.executable}",
                        f"-DOFW_PACKAGE={package}"], check=True)
        subprocess.run(["cmake", "--build", str(folder), "--target", "python"], check=True)


class LimitedAPI(bdist_wheel):
    """One wheel for Python 3.11 and later."""

    def finalize_options(self):
        super().finalize_options()
        self.py_limited_api = "cp311"


setup(version=VERSION, packages=["ofw"], package_dir={"": "python"}, package_data={"ofw": ["py.typed", "*.pyi"]},
      ext_modules=[Extension("ofw._core", [], py_limited_api=True)], cmdclass={"build_ext": CMake, "bdist_wheel": LimitedAPI})
