#!/usr/bin/python3
"""What a round of ofw-mpi costs, by a model, beside what it takes: on one machine, and over a network of 1 Gb/s.

    network.py [--mpi PATH] [--rounds N] [--repeats N]

The game has ratings of MovieLens-25M's shape. Plays on one rank, with batches of two sizes, give the seconds per byte and per
entry of S; transfers between two network namespaces give the network's bandwidth and latency; and two readers at once give
the memory's bandwidth. With these the model (docs/scale.md) predicts 2 and 4 ranks and two ranks in the two namespaces, which are
joined by a pair of veth devices and `tc`. The last table is a prediction alone. Needs root (ip netns) and removes what it has made.
"""
import argparse
import math
import multiprocessing
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

import numpy

import ranks

ROWS, COLS = 162541, 59047
BATCHES = (10000, 40000)
GAME = f"matrix-completion:users={ROWS},items={COLS},ratings=25000000,rank=10,constraint=exposure,radius=200000,batch="
HOSTS = ("10.77.29.1", "10.77.29.2")    # addresses of the two namespaces, which nobody else sees
NAMES = tuple(f"ofw-net-{os.getpid()}-{k}" for k in (0, 1))
PORT = 7729
FEW = 4096    # numbers of all ranks together that go to every rank in one exchange, as src/base/ranks.c has it
LINK = ["rate", "1gbit", "burst", "32kb", "latency", "50ms"]
TRIES, TURNS, BULKS, BULK = 5, 500, 100, 4 * COLS    # messages of one byte there and back; exchanges of what a rank sends of a vector


def bands_of(rows):
    """As src/base/ranks.c makes them."""
    bands = 16
    while bands < 4096 and rows / bands >= (1 << 14 if bands < 64 else 1 << 17):
        bands *= 2
    return bands


# ---- the model ----

def counts(rows, cols, k, entries, passes, p):
    """Of one round on each of p ranks: bytes from memory, bytes from caches, entries of S used, bytes sent, exchanges of messages one after
    the other."""
    vectors = 4 * cols * k / min(p, 16) + 4 * cols * k / p
    krylov = 32 * cols * (passes + 1) / 2 / p
    a_pass = 4 * rows * k / p + 16 * entries / p
    kept = 16 * bands_of(rows) * (cols + k) / p + vectors + krylov
    between = 4 * (8 * rows * k / p + 8 * cols * k / min(p, 16))     # in doubles: a constraint's value, and the new columns
    sent = (16 * (cols + k) + 8 * 16 * k) * (p - 1) / p
    dealt = 2 + (p * k > FEW) + 2 * (p * passes / 2 > FEW)           # exchanges with a message to each other rank; four more are gathered
    steps = 0 if p == 1 else dealt * (p - 1) + 4 * math.ceil(math.log2(p))
    return passes * a_pass + between, passes * kept, passes * entries / p, passes * sent, passes * steps


def seconds(of, count, slower=1.0, turns=1.0, bandwidth=math.inf, latency=0.0):
    """The model: `of` has the seconds per byte and per entry, a byte from memory takes `slower` times that if several ranks want
    more than it gives, and so many ranks take turns on a processor."""
    read, kept, entries, sent, steps = count
    return turns * (of[0] * (slower * read + kept) + of[1] * entries) + sent / bandwidth + steps * latency


# ---- what is measured of the machine ----

def reader(start, out):
    a, begun, n = numpy.ones(20_000_000), None, 0
    start.wait()
    begun = time.perf_counter()
    while time.perf_counter() < begun + 0.4:
        numpy.dot(a, a)
        n += 1
    out.put(n * a.nbytes / (time.perf_counter() - begun))


def memory(readers):
    """Bytes per second that each of so many readers gets."""
    start, out = multiprocessing.Barrier(readers), multiprocessing.Queue()
    all_of_them = [multiprocessing.Process(target=reader, args=(start, out)) for _ in range(readers)]
    for one in all_of_them:
        one.start()
    got = [out.get() for _ in all_of_them]
    for one in all_of_them:
        one.join()
    return sum(got) / readers


def both_ways(peer, n):
    """Sends n bytes and takes as many at the same time, as ranks do."""
    there, here = memoryview(bytes(n)), n
    while there or here > 0:
        readable, writable, _ = select.select([peer] if here > 0 else [], [peer] if there else [], [])
        if writable:
            there = there[peer.send(there, socket.MSG_DONTWAIT):]
        if readable:
            here -= len(peer.recv(min(here, 1 << 20)))


def answer():
    """The other end of `ask`."""
    with socket.create_server((HOSTS[1], PORT)) as server:
        print("ready", flush=True)
        with server.accept()[0] as peer:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for _ in range(TURNS):
                peer.sendall(peer.recv(1))
            for _ in range(BULKS):
                both_ways(peer, BULK)


def ask():
    """Prints the seconds of a message, and the bytes per second of an exchange, in each direction."""
    with socket.create_connection((HOSTS[1], PORT)) as peer:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        begun = time.perf_counter()
        for _ in range(TURNS):
            peer.sendall(b"x")
            peer.recv(1)
        turned = time.perf_counter()
        for _ in range(BULKS):
            both_ways(peer, BULK)
        print((turned - begun) / TURNS / 2, BULKS * BULK / (time.perf_counter() - turned))


# ---- two namespaces ----

def root(*command):
    subprocess.run(command, check=True)


class Namespaces:
    """Two of them, joined by 1 Gb/s in either direction."""
    def __enter__(self):
        try:
            for name in NAMES:
                root("ip", "netns", "add", name)
            root("ip", "-n", NAMES[0], "link", "add", "v0", "type", "veth", "peer", "name", "v1", "netns", NAMES[1])
            for k, (name, host) in enumerate(zip(NAMES, HOSTS)):
                root("ip", "-n", name, "address", "add", f"{host}/24", "dev", f"v{k}")
                for device in ("lo", f"v{k}"):
                    root("ip", "-n", name, "link", "set", device, "up")
                root("tc", "-n", name, "qdisc", "add", "dev", f"v{k}", "root", "tbf", *LINK)
                root("ip", "netns", "exec", name, "sysctl", "-q", "-w", "net.ipv4.tcp_congestion_control=reno")    # that of this machine may be for the Internet
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in NAMES:
            subprocess.run(["ip", "netns", "delete", name], check=False, stderr=subprocess.DEVNULL)

    def link(self):
        """Latency in seconds, bandwidth in bytes per second."""
        here = os.path.abspath(__file__)
        other = subprocess.Popen(["ip", "netns", "exec", NAMES[1], sys.executable, here, "answer"], stdout=subprocess.PIPE, text=True)
        other.stdout.readline()
        asked = subprocess.run(["ip", "netns", "exec", NAMES[0], sys.executable, here, "ask"], check=True, capture_output=True, text=True)
        other.wait()
        return [float(word) for word in asked.stdout.split()]

    def mpirun(self, folder):
        """A command that starts one rank in each; mpirun asks the agent to start its daemon in the other one."""
        agent = pathlib.Path(folder) / "agent"
        agent.write_text(f'#!/bin/sh\nshift\nexec ip netns exec {NAMES[1]} sh -c "$*"\n', encoding="ascii")
        agent.chmod(0o755)
        return ["ip", "netns", "exec", NAMES[0], "mpirun", "--host", ",".join(HOSTS), "-n", "2", "--map-by", "node", "--bind-to", "none",
                "--mca", "plm_rsh_agent", str(agent), "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "10.77.29.0/24",
                "--mca", "oob_tcp_if_include", "10.77.29.0/24", "--mca", "orte_keep_fqdn_hostnames", "1"]


# ---- plays ----

def rounds_of(start, batch, args):
    """The least seconds of each round over the repeats, the passes of each, and the trace."""
    least, trace = None, None
    for _ in range(args.repeats):
        _, trace, took, _, _ = ranks.play([*start, args.mpi, "run"], f"{GAME}{batch}", args.rounds)
        least = [min(pair) for pair in zip(took, least or took)]
    at = [0] + [int(row["passes"]) for row in trace]
    return least, [b - a for a, b in zip(at, at[1:])], trace


def later(args):
    return range(args.rounds // 2, args.rounds)


def work(passes, batch, p, args):
    """What the model counts of each round of the later half: one more column and one more batch in each."""
    return [counts(ROWS, COLS, t + 1, batch * (t + 1), passes[t], p) for t in later(args)]


def constants(plays, args):
    """Seconds per byte and per entry, by least squares over the rounds on one rank."""
    system = []
    for batch, (took, passes, _) in plays.items():
        system += [[(count[0] + count[1]) / took[t], count[2] / took[t]] for count, t in zip(work(passes, batch, 1, args), later(args))]
    return numpy.linalg.lstsq(numpy.array(system), numpy.ones(len(system)), rcond=None)[0]


def measure(args):
    alone, both = (max(memory(readers) for _ in range(TRIES)) for readers in (1, 2))    # the best, as of rounds
    processors = os.cpu_count()
    one = {batch: rounds_of(["mpirun", "-n", "1"], batch, args) for batch in BATCHES}
    of = constants(one, args)
    slower = max(1.0, 1.0 / (both * of[0]))
    with Namespaces() as spaces, tempfile.TemporaryDirectory() as folder:
        links = [spaces.link() for _ in range(TRIES)]
        latency, bandwidth = min(link[0] for link in links), max(link[1] for link in links)
        kinds = {"1 rank": (["mpirun", "-n", "1"], 1, 1.0, 1.0, math.inf, 0.0), "2 ranks": (["mpirun", "-n", "2"], 2, slower, 1.0, math.inf, 0.0),
                 "4 ranks": (["mpirun", "-n", "4"], 4, slower, 4 / processors, math.inf, 0.0),
                 "2 ranks, 1 Gb/s": (spaces.mpirun(folder), 2, slower, 1.0, bandwidth, latency)}
        print(f"One reader gets {alone / 1e9:.1f} GB/s of memory, each of two {both / 1e9:.1f} GB/s.")
        print(f"One rank takes {1e9 * of[0]:.3f} ns per byte, which is {1 / of[0] / 1e9:.1f} GB/s, and {1e9 * of[1]:.1f} ns per entry of S.")
        print(f"The network has {8 * bandwidth / 1e9:.2f} Gb/s and {1e6 * latency:.0f} us per message.\n")
        print("| | batch | passes | sent, MB | model, ms per round | measured | measured / model | same bits as one rank |\n|---|---|---|---|---|---|---|---|")
        for kind, (start, p, *circumstances) in kinds.items():
            for batch in BATCHES:
                took, passes, trace = one[batch] if p == 1 else rounds_of(start, batch, args)
                count = work(passes, batch, p, args)
                model = sum(seconds(of, c, *circumstances) for c in count) / len(count)
                real = sum(took[t] for t in later(args)) / len(count)
                mean = [sum(of_round) / len(count) for of_round in zip(*count)]
                turns = sum(passes[t] for t in later(args)) / len(count)
                bits = "yes" if trace == one[batch][2] else "NO"
                print(f"| {kind} | {batch} | {turns:.1f} | {mean[3] / 1e6:.1f} | {1e3 * model:.0f} | {1e3 * real:.0f} | {real / model:.2f} | {bits} |")
    predict(of, bandwidth, latency)


def predict(of, bandwidth, latency):
    """10^8 users, 10^6 items, 10^9 ratings: one rank per node, each like one processor here."""
    rows, cols, k, entries, passes = 1e8, 1e6, 200, 1e9, 15
    print("\n| nodes | U and S, s | V and the oracle's vectors, s | bands' sums, s | sent, s | messages, s | a round, s | the same with 10 Gb/s, 5 us |")
    print("|---|---|---|---|---|---|---|---|")
    for p in (64, 256, 1024):
        count = counts(rows, cols, k, entries, passes, p)
        bands = of[0] * passes * 16 * bands_of(int(rows)) * (cols + k) / p
        left = of[0] * (passes * (4 * rows * k + 16 * entries) + 4 * 8 * rows * k) / p + of[1] * count[2]
        right = of[0] * (count[0] + count[1]) + of[1] * count[2] - bands - left
        sent, steps = count[3] / bandwidth, count[4] * latency
        whole = seconds(of, count, 1.0, 1.0, bandwidth, latency)
        fast = seconds(of, count, 1.0, 1.0, 10 * bandwidth, 5e-6)
        print(f"| {p} | {left:.2f} | {right:.2f} | {bands:.2f} | {sent:.2f} | {steps:.2f} | {whole:.1f} | {fast:.1f} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", nargs="?", choices=("measure", "answer", "ask"), default="measure")
    parser.add_argument("--mpi", default="build/ofw-mpi")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--repeats", type=int, default=2)
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))    # so that the namespaces are removed
    if args.what == "measure":
        measure(args)
    else:
        {"answer": answer, "ask": ask}[args.what]()


if __name__ == "__main__":
    main()
