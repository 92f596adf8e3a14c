#!/usr/bin/python3
"""Installs a build into an empty folder and uses it from outside, as pkg-config and find_package give it.

    test_install.py --build FOLDER --version VERSION

The outside program is linked with --no-as-needed, so whatever a link line names shows in the program.
"""
import argparse
import os
import pathlib
import re
import shlex
import sys
import tempfile

from outside import Failure, check, run

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EVERY_LIBRARY = "-Wl,--no-as-needed"
SYSTEM = {"libc.so.6"}
PRIVATE = {"libClp.so.1", "liblapacke.so.3", "libopenblas.so.0", "libz.so.1", "libm.so.6"}


def dynamic(path, tag):
    """The names that an ELF file's dynamic section has under a tag."""
    return set(re.findall(rf"\({tag}\).*\[(.*)\]", run("readelf", "-d", path)))


class Installed:
    """One installation and the folder in which outside programs are built."""

    def __init__(self, build, version, folder):
        self.build, self.version, self.work = build, version, folder / "work"
        stage = folder / "stage"
        self.work.mkdir()
        run("cmake", "--install", build, "--prefix", "/opt/of w", env={**os.environ, "DESTDIR": str(stage)})
        self.prefix = stage / "opt/of w"          # a path with a space must do as well
        check([p.name for p in stage.iterdir()] == ["opt"], "something was installed outside the prefix")
        self.lib = next(self.prefix.rglob("libofw.so")).parent
        self.env = {**os.environ, "PKG_CONFIG_PATH": str(self.lib / "pkgconfig")}

    def pkg_config(self, *flags, of="ofw"):
        return shlex.split(run("pkg-config", *flags, *of.split(), env=self.env))

    def cmake(self, name, target, wanted, source="outside"):
        """The outside program built by CMake."""
        build = self.work / name
        run("cmake", "-S", HERE, "-B", build, f"-DTARGET={target}", f"-DWANTED={wanted}", f"-DSOURCE={source}",
            f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_EXE_LINKER_FLAGS={EVERY_LIBRARY}")
        run("cmake", "--build", build)
        return build / source

    def play(self, program, needs, path=None, args=(), prints=None):
        """Its libraries are those expected, and it ends well; what it printed."""
        found = {n for n in dynamic(program, "NEEDED") - SYSTEM if not n.startswith("ld-linux")}
        check(found == needs, f"{program.name} needs {sorted(found)}, not {sorted(needs)}")
        out = run(program, *args, env={**os.environ, "LD_LIBRARY_PATH": path or ""})
        check(out.startswith(prints or f"{self.version}: "), f"{program.name} printed {out!r}")
        return out

    def recommend(self, program, needs, path=None):
        """It predicts, learns, saves and loads; what it printed. Its file is whole, says the command."""
        state = self.work / f"{program.parent.name}-{program.name}.state"
        out = self.play(program, needs, path, [state], "rmse ")
        check("whole" in run(self.prefix / "bin/ofw", "check", state), f"{state} is not whole")
        return out


# --- the outside program, four ways ---------------------------------------------------------------

def test_pkg_config_shared(ofw):
    check(ofw.pkg_config("--modversion") == [ofw.version], "ofw.pc has another version")
    flags = ofw.pkg_config("--cflags", "--libs")
    check([f[:2] for f in flags] == ["-I", "-L", "-l"], f"more than one -I, -L and -l: {flags}")
    program = ofw.work / "shared"
    run("cc", "-Wall", "-Wextra", "-Werror", EVERY_LIBRARY, HERE / "outside.c", "-o", program, *flags)
    ofw.play(program, {"libofw.so.0"}, str(ofw.lib))


def test_pkg_config_static(ofw):
    flags = ["-l:libofw.a" if f == "-lofw" else f for f in ofw.pkg_config("--static", "--cflags", "--libs")]
    program = ofw.work / "static"
    run("cc", EVERY_LIBRARY, HERE / "outside.c", "-o", program, *flags)
    ofw.play(program, PRIVATE)


def test_cmake_shared(ofw):
    ofw.play(ofw.cmake("cmake-shared", "ofw::ofw", ofw.version), {"libofw.so.0"})


def test_cmake_static(ofw):
    ofw.play(ofw.cmake("cmake-static", "ofw::ofw_static", ofw.version), PRIVATE)


# --- a program with libofw-recommend, as many ways ------------------------------------------------

def test_recommend(ofw):
    check(ofw.pkg_config("--modversion", of="ofw-recommend") == [ofw.version], "ofw-recommend.pc has another version")
    flags = ofw.pkg_config("--cflags", "--libs", of="ofw-recommend")
    check([f[:2] for f in flags] == ["-I", "-L", "-l"], f"more than one -I, -L and -l: {flags}")
    source, needs = HERE / "outside_recommend.c", {"libofw-recommend.so.0", "libm.so.6"}
    run("cc", "-Wall", "-Wextra", "-Werror", EVERY_LIBRARY, source, "-o", ofw.work / "recommend-shared", *flags, "-lm")
    printed = {ofw.recommend(ofw.work / "recommend-shared", needs, str(ofw.lib))}

    both = ofw.pkg_config("--cflags", "--libs", of="ofw ofw-recommend")
    run("cc", "-DBOTH", EVERY_LIBRARY, source, "-o", ofw.work / "recommend-both", *both, "-lm")
    printed.add(ofw.recommend(ofw.work / "recommend-both", needs | {"libofw.so.0"}, str(ofw.lib)))

    static = [re.sub(r"^-l(ofw.*)", r"-l:lib\1.a", f) for f in ofw.pkg_config("--static", "--cflags", "--libs", of="ofw-recommend")]
    run("cc", "-DBOTH", EVERY_LIBRARY, source, "-o", ofw.work / "recommend-static", *static)
    printed.add(ofw.recommend(ofw.work / "recommend-static", PRIVATE))

    printed.add(ofw.recommend(ofw.cmake("cmake-recommend", "ofw::recommend;m", ofw.version, "outside_recommend"), needs))
    printed.add(ofw.recommend(ofw.cmake("cmake-recommend-static", "ofw::recommend_static", ofw.version, "outside_recommend"), PRIVATE))
    check(len(printed) == 1, f"the programs predict differently: {printed}")


# --- what is installed ----------------------------------------------------------------------------

def test_other_versions_are_refused(ofw):
    major, minor, _ = map(int, ofw.version.split("."))
    for wanted in ("99", f"{major}.{minor + 1}", f"{major}.{minor}.99", f"{major}.{minor - 1}" if minor else "99"):
        try:
            ofw.cmake(f"wanted-{wanted}", "ofw::ofw", wanted)
        except Failure as failure:
            check("requested version" in str(failure), f"find_package(ofw {wanted}): {failure}")
        else:
            raise Failure(f"find_package(ofw {wanted}) was accepted")


def test_soname_and_symbols(ofw):
    for name, prefix, one in (("libofw", "ofw_", "ofw_learner_decide"), ("libofw-recommend", "ofw_recommender_", "ofw_recommender_rate")):
        library = ofw.lib / f"{name}.so"
        check(dynamic(library, "SONAME") == {f"{name}.so.0"}, f"the soname is not {name}.so.0")
        check((ofw.lib / f"{name}.so.0").resolve() == library.resolve(), f"{name}.so.0 and {name}.so are two files")
        check(not dynamic(library, "RUNPATH") | dynamic(library, "RPATH"), f"{name} has a path of the build in it")
        names = {line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()}
        check(one in names, f"{one} is not exported")
        check(all(n.startswith(prefix) for n in names), f"{name} also exports {sorted(n for n in names if not n.startswith(prefix))}")
    needs = dynamic(ofw.lib / "libofw-recommend.so", "NEEDED")
    check(needs <= PRIVATE - {"libClp.so.1"} | SYSTEM, f"libofw-recommend needs {sorted(needs)}")


def test_the_unit_of_the_service(ofw):
    unit = (ofw.prefix / "lib/systemd/system/ofw-serve.service").read_text(encoding="utf-8")
    check("\nExecStart=ofw serve --state %S/ofw " in unit, "the unit starts something else, or by a path of one machine")
    check((ofw.prefix / "share/man/man8/ofw-serve.8").exists(), "the page that the unit names is not there")


def test_headers(ofw):
    """Each compiles from the installed tree alone, and all of them are there."""
    headers = sorted((ofw.prefix / "include").rglob("*"))
    wanted = {p.name for p in (ROOT / "include/ofw").glob("*.h")}
    check({h.name for h in headers if h.is_file()} == wanted, "installed headers and include/ofw differ")
    for name in sorted(wanted):
        for language in ("c", "c++"):
            read = run("cc", "-x", language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-H", f"-I{ofw.prefix}/include", "-",
                       input=f"#include <ofw/{name}>\n")
            check(f"include/ofw/{name}" in read and str(ROOT) not in read, f"{name} as {language} was read from elsewhere:\n{read}")


def test_command(ofw):
    out = run(ofw.prefix / "bin/ofw", "--version")
    check(ofw.version in out, f"ofw --version printed {out!r}")
    wanted = ["ofw", *(["ofw-mpi"] if (ofw.build / "ofw-mpi").exists() else [])]
    check(sorted(p.name for p in (ofw.prefix / "bin").iterdir()) == wanted, f"the installed programs are not {wanted}")
    check((ofw.prefix / "share/man/man1/ofw-mpi.1").exists(), "the page of ofw-mpi is not there")
    check(b"scipy" not in (ofw.prefix / "bin/ofw").read_bytes(), "the command holds what only ofw-bench needs")


def test_what_is_built(ofw):
    """'make install' builds all programs and libraries that are installed, and neither tests nor benchmarks."""
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split("\ninstall:", 1)[1].split("\n\n", 1)[0]
    check("--target installed" in recipe and "all" not in recipe.split("\n", 1)[0].split(), f"make install builds something else:{recipe}")
    built = run("ninja", "-C", ofw.build, "-t", "commands", "installed").split()
    more = [path for path in built if path.startswith(("tests/", "bench/bench_", "python/"))]
    check(not more, f"'installed' builds {more[:3]}")
    names = {pathlib.PurePath(path).name for path in built}
    for path in (p for pattern in ("bin/*", "lib*.so.*", "lib*.a") for p in ofw.prefix.rglob(pattern) if not p.is_symlink()):
        check(path.name in names, f"{path.name} is installed, and 'installed' does not build it")


def test_no_path_of_the_build(ofw):
    for path in (p for pattern in ("*.pc", "*.cmake", "*.h") for p in ofw.prefix.rglob(pattern)):
        for folder in (ROOT, ofw.build, ofw.prefix):
            check(str(folder) not in path.read_text(encoding="utf-8"), f"{path.name} holds {folder}")


def main():
    parser = argparse.ArgumentParser(description="installs ofw and uses it from outside")
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--version", required=True)
    args = parser.parse_args()
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        ofw = Installed(args.build, args.version, pathlib.Path(folder))
        for name, test in tests:
            try:
                test(ofw)
                print(f"ok   {name}", flush=True)
            except Failure as failure:
                failed += 1
                print(f"FAIL {name}  {failure}", flush=True)
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
