#!/usr/bin/python3
"""Slow clients, by slowhttptest, in all four of its ways at once: heads that never end, bodies that never end, answers that are hardly
read, and ranges without number. A good client must be answered meanwhile, memory must stay, and no slow connection may outlive the limit.

    slow.py --ofw PATH [--connections N] [--seconds S]

Both are bounded, and the server is on loopback.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time

from hostile import memory
from service import Failure, Server, check, line, same

TIMEOUT = 2                       # seconds that the server gives a client
# options of slowhttptest and the path
WAYS = {"heads": (["-H", "-i", "1"], "/v1/sessions"), "bodies": (["-B", "-i", "1", "-f", "application/json", "-s", "100000"], "/v1/sessions"),
        "readers": (["-X", "-k", "5", "-w", "1", "-y", "64", "-n", "1"], "/openapi.json"), "ranges": (["-R", "-t", "HEAD"], "/openapi.json")}


def attack(port, way, count, seconds, folder):
    options, path = WAYS[way]
    with open(f"{folder}/{way}", "wb") as said:
        return subprocess.Popen(["slowhttptest", *options, "-c", str(count), "-r", str(count), "-l", str(seconds), "-p", "5", "-v", "1",
                                 "-u", f"http://127.0.0.1:{port}{path}"], stdout=said, stderr=subprocess.STDOUT)


def verdict(way, folder):
    """What the tool saw of the server each second: it was there all the time."""
    with open(f"{folder}/{way}", encoding="utf-8", errors="replace") as said:
        plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", said.read())
    seen = re.findall(r"service available:\s+(\w+)", plain)
    check(seen and set(seen) == {"YES"}, f"slow {way}: the service was available {seen or plain[-300:]}")
    return re.findall(r"Exit status:\s+(.*)", plain)[-1].strip()


def play(server, client, attacks):
    """Rounds of a good client until all attacks are over; how many."""
    session, rounds = client.create(), 0
    while any(process.poll() is None for process in attacks):
        rounds += 1
        same(client.feedback(session, line(rounds)).json["round"], rounds + 1, "the answer to a good client")
        time.sleep(0.002)
        check(server.process.poll() is None, "the server has ended")
    return rounds


def connections(client):
    return int(re.search(r"^ofw_connections (\d+)$", client.get("/metrics").body.decode(), re.M).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", required=True)
    parser.add_argument("--connections", type=int, default=200, help="of each way, at most 200")
    parser.add_argument("--seconds", type=int, default=60, help="at most 600")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    count, seconds = min(args.connections, 200), min(args.seconds, 600)
    if not shutil.which("slowhttptest"):
        print("slowhttptest is not there: slow clients are not tried; run scripts/setup")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        server = Server(args.ofw, f"{folder}/state", "--timeout", str(TIMEOUT))
        client = server.client()
        before, attacks = memory(client), {}
        try:
            attacks = {way: attack(server.port, way, count, seconds, folder) for way in WAYS}
            rounds = play(server, client, attacks.values())
            ended = {way: verdict(way, folder) for way in attacks}
            after = memory(client)
            check(after < before + (64 << 20), f"memory has grown from {before} to {after} bytes")
            patience = time.monotonic() + 10 * TIMEOUT
            while (left := connections(client)) > 1:
                check(time.monotonic() < patience, f"{left} connections are open after the attack")
                time.sleep(0.1)
            client.close()
            same(server.end(), (0, ""), "exit code and stderr")
        finally:
            for process in attacks.values():
                process.kill()
                process.wait()
            server.kill()
    found = {"connections": count, "seconds": seconds, "rounds": rounds, "mib": after >> 20, "ended": ended}
    print(json.dumps(found) if args.json else
          f"{count} connections in each way for {seconds} s, {rounds} rounds of a good client, {after >> 20} MiB; " + "; ".join(f"{way}: {how}" for way, how in ended.items()))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure_:
        print(f"slow.py: {failure_}", file=sys.stderr)
        sys.exit(1)
