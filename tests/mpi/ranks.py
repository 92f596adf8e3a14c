"""Starts ofw-mpi on this machine by mpirun, and reads what it has played."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import check, same    # noqa: E402,F401

# Ranks on one machine: more of them than processors, as root in a container, and asleep while they wait for each other.
ENV = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
       "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
SKIPPED = 77


def need(program):
    """Ends with a reason if ofw-mpi was not built or mpirun is missing."""
    for found, what in ((program != "none", "ofw-mpi was not built"), (shutil.which("mpirun"), "there is no mpirun")):
        if not found:
            print(f"skipped: {what} (Debian: openmpi-bin libopenmpi-dev)")
            sys.exit(SKIPPED)


def command(program, ranks, *args):
    return ["mpirun", "-n", str(ranks), program, "run", *args]


@contextlib.contextmanager
def environment():
    """For one mpirun. Its session has a folder of its own: two that start or end at once make and remove /tmp/ompi.HOST.UID under each other."""
    with tempfile.TemporaryDirectory(prefix="m", ignore_cleanup_errors=True) as folder:    # a rank may still be removing its files
        yield ENV | dict.fromkeys(("TMPDIR", "OMPI_MCA_orte_tmpdir_base", "PMIX_SERVER_TMPDIR", "PMIX_SYSTEM_TMPDIR"), folder)


def play(program, ranks, *args, code=0):
    with environment() as own:
        done = subprocess.run(command(program, ranks, *args), env=own, capture_output=True, text=True, timeout=120)
    same(done.returncode, code, f"code of {args} on {ranks} ranks: {done.stderr[:500]!r}")
    return done


def children(pid):
    """Processes that this one has started, ofw-mpi's ranks among them."""
    listed = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in listed.read_text(encoding="ascii").split()] if listed.exists() else []


def rows(path):
    """A trace's rows without their last column, the seconds."""
    with open(path, encoding="utf-8") as file:
        return [line.rsplit(",", 1)[0] for line in file if not line.startswith("#")]
