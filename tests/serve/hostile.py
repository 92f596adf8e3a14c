#!/usr/bin/python3
"""Sends requests of all kinds that nobody should send, and some that one should, to a real server. It must answer each with a
status of the interface or shut the connection, stay alive, keep its memory, and go on serving others.

    hostile.py --ofw PATH [--requests N] [--seed S] [--json]

Requests are made of pieces of good ones: cut, repeated, swapped, with bytes changed. Those that are whole HTTP go over one
connection one after the other, and each of them must be answered.
"""
import argparse
import contextlib
import http.client
import json
import random
import re
import socket
import sys
import tempfile
import threading
import time

from service import Failure, Server, check, line, same

THREADS = 48
TIMEOUT = 5                       # seconds that the server gives a client
PATIENCE = 600                    # and that the client waits, since the machine may stop for a while
ALLOWED = {200, 201, 204, 400, 401, 403, 404, 405, 409, 411, 413, 414, 415, 429, 431, 501, 503, 505}      # 500, 502 and 507 are not
METHODS = ["GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "TRACE", "CONNECT", "get", "G" * 300, ""]
HEADERS = ["Host: localhost", "Content-Type: application/json", "Content-Type: application/x-ndjson", "Authorization: Bearer x", "Connection: close",
           "Transfer-Encoding: chunked", "Expect: 100-continue", "Content-Length: 5", "Content-Length: 99999999999999999999", "Cookie: " + "a" * 2000, "X: \x01\xff", "X : y",
           "Range: bytes=0-1", "Upgrade: h2c"]
BODIES = ["{}", "[]", "\0", '{"learner":"ofw-ada","domain":"l2-ball:dim=3"}', '{"learner":"ofw-tvc","domain":"l1-ball:dim=2","options":{"horizon":9,"lipschitz":1}}', '{"name":"\\ud83d\\ude00"}',
          '{"learner":"ofw-ada","domain":"trace-ball:rows=3,cols=2","seed":7}', '{"learner":"ofw-ada","domain":"l2-ball:dim=3","options":{"delay":5}}', '{"learner":"ofw-ada","domain":"l2-ball:dim=3","options":{"delay":65536}}',
          '{"round":2}', '{"round":9223372036854775808}', '{"ask":{"decide":{"round":1}}}', '{"ask":{"decide":{"round":2}}}\n{"ask":{"decide":{"round":3}}}\n{"ask":{"decide":{"round":3}}}', "{" * 500, '{"round":1}', '{"learner":"ofw-ada","domain":"l2-ball:dim=999999999999"}',
          '{"learner":"ofw-ada","domain":"hull:points=@/etc/passwd"}', '{"learner":"ofw-ada","domain":"paths:graph=(1 2;2 3),from=1,to=3","state":"AAAA"}']
QUERIES = ["", "?decide=1", "?decide=x", "?round=1", "?round=18446744073709551616", "?points=3", "?row=0&top=1", "?entries=0,1", "?entries=0:0", "?as=checkpoint", "?limit=5", "?after=0123456789abcdef", "?%00", "?a=%zz&&=&", "?" + "x" * 500]


class Hostile:
    def __init__(self, seed):
        self.rng, self.ids = random.Random(seed), []

    def path(self):
        rng = self.rng
        one = rng.choice(self.ids or ["0123456789abcdef"])
        return rng.choice(["/v1/sessions", f"/v1/sessions/{one}", f"/v1/sessions/{one}/decision", f"/v1/sessions/{one}/decide", f"/v1/sessions/{one}/decide", f"/v1/sessions/{one}/feedback", f"/v1/sessions/{one}/feedback",
                           f"/v1/sessions/{one}/trace", f"/v1/sessions/{one}/snapshot", f"/v1/sessions/{one}/export", "/v1/catalogue", "/healthz", "/readyz", "/metrics",
                           "/openapi.json", "/", "/../..", f"/v1/sessions/{one}/%2e%2e", "/*", "//evil/"]) + rng.choice(QUERIES)

    def body(self):
        rng = self.rng
        if rng.random() < 0.5:
            texts = [line(rng.choice([1, 2, 3, rng.randrange(1, 60)])) for _ in range(rng.choice([1, 1, 3]))]
            text = "\n".join(texts)
        else:
            text = rng.choice(BODIES)
        return self.mutate(text.encode()) if rng.random() < 0.4 else text.encode()

    def mutate(self, data):
        rng, data = self.rng, bytearray(data)
        for _ in range(rng.choice([1, 1, 2, 5])):
            at = rng.randrange(len(data) + 1)
            kind = rng.randrange(4)
            if kind == 0 and data:
                data[at % len(data)] = rng.randrange(256)
            elif kind == 1:
                del data[at:at + rng.randrange(1, 9)]
            elif kind == 2:
                data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 4)))
            else:
                data[at:at] = data[at // 2:at]
        return bytes(data[:20000])

    def requests(self):
        """For one connection: one that may not even be HTTP, or many that are whole, whatever they ask for."""
        rng = self.rng
        return [self.request(True)] if rng.random() < 0.05 else [self.request(False) for _ in range(rng.choice([5, 20, 50]))]

    def request(self, broken):
        rng = self.rng
        body = self.body() if rng.random() < 0.6 else b""
        method = rng.choice(METHODS[:4 if not broken else None]) if rng.random() < 0.15 else ("POST" if body else rng.choice(["GET", "GET", "GET", "DELETE"]))
        if method == "DELETE" and rng.random() < 0.8:
            method = "GET"
        headers = ["Host: localhost", "Content-Type: " + rng.choice(["application/json", "application/json", "application/x-ndjson"]), f"Content-Length: {len(body)}"]
        if broken and rng.random() < 0.7:
            headers += rng.sample(HEADERS, rng.randrange(1, 4))
            rng.shuffle(headers)
        text = f"{method} {self.path()} HTTP/1.{rng.choice('10') if broken else 1}\r\n" + "".join(h + "\r\n" for h in headers) + "\r\n"
        whole = text.encode("latin-1") + body
        return self.mutate(whole) if broken and rng.random() < 0.5 else whole


def statuses(data):
    return [int(s) for s in re.findall(rb"HTTP/1\.[01] (\d{3}) ", data)]


def may_be_shut(requests, begun):
    """By the server, before all is answered: what is no HTTP, and a client that has been too slow."""
    return len(requests) == 1 or time.monotonic() > begun + TIMEOUT


def exchange(port, requests):
    """All of them over one connection: the statuses of the answers."""
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as one:
        data = b""
        try:
            for request in requests:
                one.sendall(request)
            if len(requests) == 1:
                one.shutdown(socket.SHUT_WR)      # else the server would shut it, whatever is not yet answered
            while (len(requests) == 1 or len(statuses(data)) < len(requests)) and (more := one.recv(1 << 16)):
                data += more
        except TimeoutError as failure:
            raise Failure(f"no answer for {PATIENCE} s to {requests!r}"[:1000]) from failure
        except OSError as failure:
            check(may_be_shut(requests, begun), f"{failure!r} after {len(statuses(data))} answers to {len(requests)} requests")
    found = statuses(data)
    check(may_be_shut(requests, begun) or len(found) >= len(requests), f"{len(found)} answers to {len(requests)} requests: {data[-300:]!r}")
    for status in found:
        check(status in ALLOWED or 100 <= status < 200, f"status {status}: {data[-600:]!r} for {requests!r}"[:3000])
    return found


def memory(client):
    return int(re.search(r"^process_resident_memory_bytes (\d+)$", client.get("/metrics").body.decode(), re.M).group(1))


class Load:
    """Threads that send until there were enough requests; what is not whole is waited for by the server, so many do it at once."""

    def __init__(self, server, total, seed):
        self.server, self.left, self.counted, self.failures = server, total, {}, []
        self.lock, self.ids = threading.Lock(), []
        self.threads = [threading.Thread(target=self.run, args=(Hostile(f"{seed}-{k}"),)) for k in range(THREADS)]

    def run(self, hostile):
        try:
            while True:
                requests = hostile.requests()
                with self.lock:
                    if self.left <= 0 or self.failures:
                        return
                    self.left -= len(requests)
                    hostile.ids = self.ids
                found = exchange(self.server.port, requests)
                with self.lock:
                    for status in found:
                        self.counted[status] = self.counted.get(status, 0) + 1
        except Exception as failure:                 # pylint: disable=broad-except
            self.failures.append(failure)

    def refresh(self, client):
        """Sessions to speak of, and room for more. If the machine has stopped meanwhile, the next time does it."""
        client.close()
        with contextlib.suppress(OSError, http.client.HTTPException):
            self.list_sessions(client)

    def list_sessions(self, client):
        listed = [one["id"] for one in client.get("/v1/sessions?limit=1000").json["sessions"]]
        for one in listed[150:]:
            client.ask("DELETE", f"/v1/sessions/{one}")
        self.ids = listed[:50] + [client.create(options={"delay": 5} if k % 2 else {}) for k in range(6 - len(listed))]


def play(args, server, client):
    load, first, begun = Load(server, args.requests, args.seed), None, args.requests
    load.refresh(client)
    for thread in load.threads:
        thread.start()
    while any(thread.is_alive() for thread in load.threads):
        time.sleep(0.5)
        check(server.process.poll() is None, "the server has ended")
        load.refresh(client)
        if first is None and load.left < 3 * begun // 4:
            first = memory(client)
    if load.failures:
        raise load.failures[0]
    client.close()
    last = memory(client)
    check(first is None or last < first + (256 << 20), f"memory has grown from {first} to {last} bytes")
    same(client.get("/healthz").status, 200, "healthz")
    client.close()
    return load.counted, last


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ofw", required=True)
    parser.add_argument("--requests", type=int, default=1000000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(args.ofw, f"{folder}/state", "--max-sessions", "200", "--max-dim", "1000", "--timeout", str(TIMEOUT), "--max-log", "1000000")
        try:
            counted, last = play(args, server, server.client())
            code, err = server.end()
        finally:
            server.kill()
        same(code, 0, f"stderr {err[-1000:]!r}, exit code")
        again = Server(args.ofw, f"{folder}/state", "--max-dim", "1000")       # what it has kept can be read
        same(again.end()[0], 0, "exit code of a restart")
    found = {"requests": args.requests, "answers": dict(sorted(counted.items())), "mib": last >> 20}
    print(json.dumps(found) if args.json else f"{args.requests} requests, answers {json.dumps(found['answers'])}, {found['mib']} MiB")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure_:
        print(f"hostile.py: {failure_}", file=sys.stderr)
        sys.exit(1)
