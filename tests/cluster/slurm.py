"""A Slurm of one node for a test: its own munged, slurmctld and slurmd, on loopback, in a folder of its own."""
import os
import shutil
import signal
import socket
import subprocess
import time

from program import Failure, check

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel")
CONFIGURATION = """
ClusterName=ofw
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
CGROUPS = "CgroupPlugin=cgroup/v1\n"  # nothing above uses cgroups; to detect their version slurmd needs them mounted, which a chroot lacks


def find(program):
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")


def lacks():
    """Why there can be no Slurm here; None: there can."""
    missing = [program for program in PROGRAMS if not find(program)]
    if missing:
        return f"no {', '.join(missing)}; scripts/setup installs slurm-wlm and munge"
    return None if os.geteuid() == 0 else "slurmd has to be started by root"


def free_ports(n):
    sockets = [socket.socket() for _ in range(n)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    """Use it in a with statement; `environment` is for programs that speak with it."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        self.environment = os.environ | {"SLURM_CONF": f"{folder}/slurm.conf"}

    def __enter__(self):
        for name in ("state", "spool"):
            os.makedirs(f"{self.folder}/{name}")
        with open(f"{self.folder}/key", "wb", opener=lambda path, flags: os.open(path, flags, 0o400)) as file:
            file.write(os.urandom(64))
        with open(f"{self.folder}/cgroup.conf", "w", encoding="ascii") as file:
            file.write(CGROUPS)
        controller, daemon = free_ports(2)
        with open(f"{self.folder}/slurm.conf", "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(folder=self.folder, host=socket.gethostname().split(".")[0], controller=controller, daemon=daemon))
        try:
            self.start("munged", "--force", "--foreground", *(f"--{name}-file={self.folder}/munged.{name}" for name in ("pid", "log", "seed")),
                       f"--key-file={self.folder}/key", f"--socket={self.folder}/munge.socket")
            self.wait(lambda: os.path.exists(f"{self.folder}/munge.socket"), "munged does not listen")
            self.start("slurmctld", "-D", "-i")
            self.start("slurmd", "-D")
            self.wait(lambda: self.says("sinfo", "--noheader", "--format=%T").strip() == "idle", "the node is not idle")
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, program, *args):
        with open(f"{self.folder}/{program}.out", "wb") as out:
            self.processes.append(subprocess.Popen([find(program), *args], env=self.environment, stdout=out, stderr=out))

    def says(self, *args):
        return subprocess.run(args, env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def wait(self, held, what, seconds=120):
        deadline = time.monotonic() + seconds
        while not held():
            if time.monotonic() > deadline or any(process.poll() is not None for process in self.processes):
                raise Failure(f"{what}: {self.told()}")
            time.sleep(0.05)

    def queue(self):
        return self.says("squeue", "--noheader", "--format=%i %j %T %r").splitlines()

    def drain(self, what):
        """Until no job is left."""
        self.wait(lambda: not self.queue(), what)

    def told(self):
        """The ends of the logs."""
        ends = []
        for name in sorted(os.listdir(self.folder)):
            if name.endswith((".log", ".out")):
                with open(f"{self.folder}/{name}", encoding="utf-8", errors="replace") as file:
                    ends.append(f"{name}: {file.read()[-300:]}")
        return " | ".join(ends)

    def __exit__(self, *_):
        if len(self.processes) == 3:
            self.says("scancel", "--quiet", "--user=root")
            deadline = time.monotonic() + 20
            while self.queue() and time.monotonic() < deadline:
                time.sleep(0.05)
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        check(all(process.returncode is not None for process in self.processes), "a daemon lives on")
