#!/usr/bin/python3
"""`ofw sweep --shards` by GNU parallel, here and over ssh: killed, run again; the database is that of one sweep."""
import os
import pwd
import shutil
import subprocess
import sys
import time

from shards import EXPERIMENT, NAME, SKIPPED, begin, compare, kill_one
from slurm import find, free_ports

from program import Failure, check, same    # noqa: E402
from runner import main    # noqa: E402


def script(ofw, *more):
    done = ofw.run("sweep", "a.ini", "--shards", "3", "-o", NAME, *more)
    same(done.returncode, 0, f"{done.stderr!r}: code")
    return done.stdout


def environment(ofw, **more):
    """A home of its own: GNU parallel keeps files there."""
    os.makedirs(ofw.file("home/.parallel"), exist_ok=True)
    ofw.write("home/.parallel/will-cite", "")
    return os.environ | {"HOME": ofw.file("home")} | more


def play(ofw, *options, **more):
    return subprocess.Popen(["sh", f"{ofw.file(NAME)}/shards.sh", "parallel", *options], cwd="/", env=environment(ofw, **more),
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process, code):
    out, err = process.communicate(timeout=300)
    same(process.returncode, code, f"stdout {out!r}, stderr {err!r}: code")
    return err


def test_killed_and_run_again(ofw):
    folder = begin(ofw)
    check(script(ofw).endswith("/shards.sh parallel [--sshlogin HOST,HOST]\n"), "how to play it")
    process = play(ofw)
    kill_one(folder, "tune")
    ended(process, 1)
    check(not os.path.exists(f"{folder}/tuned/results.db"), "it was merged without that shard")
    process = play(ofw)
    kill_one(folder, "play")
    ended(process, 1)
    check(not os.path.exists(f"{folder}/results.db"), "it was merged without that shard")
    check("4 of 64 plays failed; the first: fails on ball, seed 1: " in ended(play(ofw), 1), "the failures")
    compare(ofw)


def test_the_text_is_the_one_that_was_submitted(ofw):
    """Whatever becomes of the file before the shards are played; and another folder to be in."""
    begin(ofw)
    script(ofw, "--jobs", "2")
    ofw.write("a.ini", "[experiment]\n")
    ended(play(ofw), 1)
    compare(ofw)


def test_in_an_allocation_of_slurm(ofw):
    """Who types the command reads what goes wrong; only jobs of an array write logs."""
    ofw.write("a.ini", EXPERIMENT)
    script(ofw, "--jobs", "2")
    check("4 of 64 plays failed" in ended(play(ofw, SLURM_JOB_ID="7"), 1), "the failures")
    same([name for name in os.listdir(ofw.file(NAME)) if name.endswith(".log")], [], "logs")


def test_a_step_that_is_none(ofw):
    ofw.write("a.ini", EXPERIMENT)
    script(ofw)
    done = subprocess.run(["sh", f"{ofw.file(NAME)}/shards.sh", "tunes"], capture_output=True, text=True)
    same((done.returncode, done.stderr), (2, "shards.sh: expected a step, found 'tunes'\n"), "code and stderr")


def test_no_sbatch(ofw):
    ofw.write("a.ini", EXPERIMENT)
    done = ofw.run("sweep", "a.ini", "--shards", "3", "--slurm", "-o", "out", env={"PATH": ofw.folder})
    same(done.returncode, 1, "code")
    check(done.stderr.startswith("ofw sweep: cannot run sbatch: No such file or directory; submit from a machine with Slurm, or play the shards by 'sh /"),
          done.stderr)


# --- over ssh ---------------------------------------------------------------------------------------

class Sshd:
    """A server on loopback with keys of its own, and two names for it."""

    def __init__(self, folder):
        self.folder, (self.port,) = folder, free_ports(1)
        os.makedirs(folder, mode=0o700)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{folder}/{name}"], check=True)
        shutil.copy(f"{folder}/user.pub", f"{folder}/authorized")
        with open(f"{folder}/config", "w", encoding="ascii") as file:
            file.write(f"Host one two\nHostName 127.0.0.1\nPort {self.port}\nUser {pwd.getpwuid(os.geteuid()).pw_name}\nIdentityFile {folder}/user\n"
                       f"IdentitiesOnly yes\nStrictHostKeyChecking no\nUserKnownHostsFile {folder}/known\nLogLevel ERROR\n")
        self.made = os.geteuid() == 0 and not os.path.isdir("/run/sshd")
        if self.made:
            os.mkdir("/run/sshd", 0o755)
        self.process = subprocess.Popen([find("sshd"), "-D", "-f", "/dev/null", "-h", f"{folder}/host", "-E", f"{folder}/log", "-o", "ListenAddress=127.0.0.1",
                                         "-o", f"Port={self.port}", "-o", f"AuthorizedKeysFile={folder}/authorized", "-o", "StrictModes=no",
                                         "-o", "UsePAM=no", "-o", "PidFile=none"])

    def __enter__(self):
        for _ in range(200):
            if subprocess.run(["ssh", "-F", f"{self.folder}/config", "one", "true"], capture_output=True).returncode == 0:
                return self
            time.sleep(0.05)
        self.__exit__()
        raise Failure(f"sshd: {self.told()}")

    def told(self):
        with open(f"{self.folder}/log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=30)
        if self.made:
            os.rmdir("/run/sshd")


def test_over_hosts(ofw):
    if not find("sshd"):
        print("skipped: no sshd; scripts/setup installs openssh-server")
        return
    folder = begin(ofw)
    script(ofw)
    with Sshd(ofw.file("ssh")) as sshd:
        before = sshd.told().count("Accepted publickey")
        hosts = ["--sshlogin", "one,two"]
        by = {"PARALLEL_SSH": f"ssh -F {sshd.folder}/config"}
        process = play(ofw, *hosts, **by)
        kill_one(folder, "play")
        ended(process, 1)
        ended(play(ofw, *hosts, **by), 1)
        check(sshd.told().count("Accepted publickey") >= before + 10, f"two stages, twice, over ssh: {sshd.told()}")
    compare(ofw)


if __name__ == "__main__":
    why = None if find("parallel") else "no parallel; scripts/setup installs it"
    if why:
        print(f"skipped: {why}")
    sys.exit(SKIPPED if why else main("ofw sweep --shards by GNU parallel", globals()))
