#!/usr/bin/python3
"""Builds the Debian packages from a source release, and installs, uses and removes them in a fresh root.

    test_deb.py --version VERSION

The packages are built without optimisation, which takes half the time. mmdebstrap makes the root from the packages that this machine's apt
knows, as in tests/bare. The root has what the packages depend on, by their own word, a C compiler and pkg-config.
"""
import argparse
import os
import pathlib
import re
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "bare"), str(HERE.parent / "install")]
from outside import Failure, check, run
from test_bare import sources

NAMES = {"libofw0": "any", "libofw-recommend0": "any", "libofw-dev": "any", "ofw": "any", "ofw-mpi": "any", "ofw-doc": "all", "python3-ofw": "any"}
TOOLS = ["gcc", "libc6-dev", "pkg-config"]
# What each must have at least: a pattern of a path.
HOLDS = {"libofw0": [r"/usr/lib/.*/libofw\.so\.0"],
         "libofw-recommend0": [r"/usr/lib/.*/libofw-recommend\.so\.0"],
         "libofw-dev": [r"/usr/include/ofw/ofw\.h", r"/usr/lib/.*/libofw\.a", r"/usr/lib/.*/pkgconfig/ofw\.pc", r"/usr/lib/.*/cmake/ofw/ofwConfig\.cmake"],
         "ofw": [r"/usr/bin/ofw", r"/usr/share/man/man1/ofw\.1\.gz", r"/usr/share/man/man1/ofw-run\.1\.gz", r"/usr/share/man/man5/ofw-trace\.5\.gz",
                 r"/usr/share/zsh/vendor-completions/_ofw", r"/usr/share/bash-completion/completions/ofw",
                 r"/lib/systemd/system/ofw-serve\.service", r"/usr/share/man/man8/ofw-serve\.8\.gz"],
         "ofw-mpi": [r"/usr/bin/ofw-mpi", r"/usr/share/man/man1/ofw-mpi\.1\.gz"],
         "ofw-doc": [r"/usr/share/doc/ofw/docs/c\.md(\.gz)?", r"/usr/share/doc/ofw/examples/first\.c", r"/usr/share/doc/ofw/examples/client\.py"],
         "python3-ofw": [r"/usr/lib/python3/dist-packages/ofw/_core\.abi3\.so", r"/usr/lib/python3/dist-packages/ofw/domains\.py"]}


def check_release(folder, version):
    """The tarball has what git tracks and uPlot, below one folder, and nothing of the machine that it was made on."""
    with tarfile.open(folder / f"ofw-{version}.tar.gz") as tar:
        members = tar.getmembers()
    tracked = {name for name in run("git", "-C", ROOT, "ls-files").splitlines() if (ROOT / name).exists()}
    found = {member.name.removeprefix(f"ofw-{version}/") for member in members}
    more = {name for name in found if name.startswith("web/node_modules/uplot/")}
    check(found - more == tracked and more, f"tracked and released files differ: {sorted((found - more) ^ tracked)[:5]}")
    check(all(m.isreg() and not m.uid and not m.uname and m.mode in (0o644, 0o755) for m in members), "an owner or a mode is not plain")


def check_packages(folder, version):
    """They are those that there should be, of this version, and hold what they should; {name: path}."""
    found = {}
    for path in sorted(folder.glob("*.deb")):
        name, of, architecture = run("dpkg-deb", "-f", path, "Package", "Version", "Architecture").splitlines()
        if name.endswith("-dbgsym"):
            continue
        check(of == f"Version: {version}", f"{path.name} has {of}")
        name = name.removeprefix("Package: ")
        check((architecture == "Architecture: all") == (NAMES.get(name) == "all"), f"{path.name} has {architecture}")
        held = [line.split()[5][1:] for line in run("dpkg-deb", "-c", path).splitlines()]
        for pattern in HOLDS.get(name, []):
            check(any(re.fullmatch(pattern, at) for at in held), f"{path.name} has no {pattern}")
        found[name] = path
    check(found.keys() == NAMES.keys(), f"the packages are {sorted(found)}")
    return found


def dependencies(packages):
    """What they depend on, of alternatives the first, without each other."""
    needed = set()
    for path in packages.values():
        for group in run("dpkg-deb", "-f", path, "Depends").replace("\n", "").split(","):
            if group.strip():
                needed.add(re.match(r"[^ :(]+", group.split("|")[0].strip())[0])
    check({"python3-numpy", "libc6"} <= needed, f"they depend on {sorted(needed)}")
    return sorted(needed - packages.keys())


def use(folder, packages, version):
    archive = folder / "ofw.tar"
    with tarfile.open(archive, "w") as tar:
        for path in [*packages.values(), HERE / "inside", ROOT / "tests/install/outside.c", ROOT / "examples/python/first.py"]:
            tar.add(path, f"ofw/{path.name}")
    include = ",".join([*TOOLS, *dependencies(packages)])
    said = run("mmdebstrap", "--variant=essential", f"--include={include}", '--aptopt=APT::Install-Recommends "false"', "--dpkgopt=force-unsafe-io",
               f"--customize-hook=tar-in {archive} /", f'--customize-hook=chroot "$1" /ofw/inside {version}', "--format=null", "", "-", "-",
               input="\n".join(sources()) + "\n")
    check("\nno trace\n" in said, f"the packages do not do what they should:\n{said[-6000:]}")


def main():
    parser = argparse.ArgumentParser(description="builds, installs, uses and removes the Debian packages")
    parser.add_argument("--version", required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try:
            run(ROOT / "scripts/deb", folder / "deb", "--changed", env={**os.environ, "DEB_BUILD_OPTIONS": "noopt noautodbgsym"})
            check_release(folder / "deb", args.version)
            use(folder, check_packages(folder / "deb", args.version), args.version)
        except Failure as failure:
            print(failure)
            return 1
    print("the packages build, install, play and go again")
    return 0


if __name__ == "__main__":
    sys.exit(main())
