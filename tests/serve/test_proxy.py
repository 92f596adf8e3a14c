#!/usr/bin/python3
"""examples/nginx.conf, with other ports, in front of a real server: sessions, feedback, events and refusals over TLS."""
import http.client
import os
import shutil
import socket
import ssl
import subprocess
import sys
import time

from service import HERE, JSON, Failure, check, line, same, serving

sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from runner import main    # noqa: E402

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def make_certificate(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                    "-keyout", f"{folder}/server.key", "-out", f"{folder}/server.crt"], capture_output=True, check=True)


class Proxy:
    def __init__(self, folder, behind):
        self.port = free_port()
        with open(os.path.join(HERE, "..", "..", "examples", "nginx.conf"), encoding="utf-8") as file:
            text = file.read().replace("127.0.0.1:8780", f"127.0.0.1:{behind}").replace("127.0.0.1:8443", f"127.0.0.1:{self.port}")
        with open(f"{folder}/nginx.conf", "w", encoding="utf-8") as file:
            file.write(text)
        make_certificate(folder)
        self.trust = ssl.create_default_context(cafile=f"{folder}/server.crt")
        self.process = subprocess.Popen([NGINX, "-p", folder, "-c", "nginx.conf", "-g", "daemon off;", "-e", "stderr"], stderr=subprocess.PIPE, text=True)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise Failure(f"nginx does not listen: {self.end()}")

    def connect(self):
        return http.client.HTTPSConnection("localhost", self.port, context=self.trust, timeout=30)

    def end(self):
        self.process.terminate()
        return self.process.communicate(timeout=30)[1]


def ask(https, method, path, body=None):
    https.request(method, path, body, {"Content-Type": JSON})
    answer = https.getresponse()
    return answer.status, answer.read().decode()


def test_a_session_over_tls(ofw):
    if not NGINX or not shutil.which("openssl"):
        print("     nginx (nginx-light) or openssl is not there: the example is not tried")
        return
    os.mkdir(ofw.file("proxy"))
    with serving(ofw) as (server, client):
        proxy = Proxy(ofw.file("proxy"), server.port)
        try:
            https = proxy.connect()
            status, text = ask(https, "POST", "/v1/sessions", '{"learner":"ofw-ada","domain":"l2-ball:dim=3"}')
            same(status, 201, text)
            session = client.get("/v1/sessions").json["sessions"][0]["id"]
            stream = proxy.connect()
            stream.request("GET", f"/v1/sessions/{session}/events")
            events = stream.getresponse()
            same(events.status, 200, "events")
            for t in range(1, 6):
                status, text = ask(https, "POST", f"/v1/sessions/{session}/feedback?decide=1", line(t))
                same((status, text), (200, client.get(f"/v1/sessions/{session}/decision").body.decode()), "feedback")
            while b'"round":5' not in events.readline():      # it comes before the stream ends
                pass
            stream.close()
            same(ask(https, "GET", "/v1/nope")[0], 404, "a path that is none")
            same(ask(https, "POST", f"/v1/sessions/{session}/feedback", "x" * (9 << 20))[0], 413, "a body above the limit")
            with socket.create_connection(("127.0.0.1", proxy.port), 10) as plain:
                plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                check(b" 400 " in plain.recv(1000), "plain HTTP at the port for TLS")
        finally:
            proxy.end()


if __name__ == "__main__":
    sys.exit(main(__doc__, globals()))
