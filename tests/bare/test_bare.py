#!/usr/bin/python3
"""Builds the library in a fresh root that has a C compiler, CMake and what the library must have, and uses it there.

    test_bare.py --version VERSION

mmdebstrap makes the root from the packages that this machine's apt knows, as root or in a namespace, and removes it afterwards. If it
cannot, the test has failed: nobody knows then whether the library builds alone.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ["gcc", "libc6-dev", "cmake", "make", "liblapacke-dev", "librandom123-dev", "zlib1g-dev"]
LIBRARY = ["CMakeLists.txt", "LICENSE", "include", "src", "apps", "examples", "packaging", "scripts", "docs/CMakeLists.txt", "docs/Doxyfile.in", "tests/install",
           "tests/bare"]
LEFT_OUT = ["doc", "info", "locale", "man"]  # below /usr/share: nothing reads it, and it takes time to unpack


def sources():
    """The lines of a sources.list for the Debian that this machine runs."""
    name = re.search(r"^VERSION_CODENAME=(\w+)", pathlib.Path("/etc/os-release").read_text(), re.M).group(1)
    told = subprocess.run(["apt-get", "indextargets", "--format", "deb $(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages"],
                          capture_output=True, text=True, check=True).stdout
    return sorted({line for line in told.splitlines() if line.split()[2].startswith(name)})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", required=True)
    args = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        archive = pathlib.Path(folder) / "ofw.tar"
        with tarfile.open(archive, "w") as tar:
            for name in LIBRARY:
                tar.add(ROOT / name, f"ofw/{name}")
        command = ["mmdebstrap", "--variant=essential", f"--include={','.join(PACKAGES)}", '--aptopt=APT::Install-Recommends "false"', "--dpkgopt=force-unsafe-io",
                   *(f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in LEFT_OUT), f"--customize-hook=tar-in {archive} /",
                   f'--customize-hook=chroot "$1" /ofw/tests/bare/inside {args.version}', "--skip=cleanup/apt", "--format=null", "", "-", "-"]
        try:
            done = subprocess.run(command, input="\n".join(sources()) + "\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        except FileNotFoundError:
            print("no root can be made: mmdebstrap is not installed; run scripts/setup")
            return 1
    if done.returncode or "\nalone\n" not in done.stdout:
        print(done.stdout[-6000:])
        print("the library does not build alone" if "\n-- The C compiler" in done.stdout else "no root can be made: see what mmdebstrap says above")
        return 1
    print(f"the library builds alone, {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
