#!/usr/bin/python3
"""What is around the server: its interface by Redocly's rules, its unit by systemd's, alerts by Prometheus's, and TLS by a real nginx.

A tool that is not installed is named, and its part is left out; scripts/setup installs all of them.
"""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time

from service import Client, check, line, same, serving
from test_interface import read_events

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from runner import main    # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
TOKEN = "write-0123456789abcdef"
NAME = "decisions.example"
WORST_EXPOSURE = 15                 # tenths, of 100


def lacks(*tools):
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        print(f"     {', '.join(missing)} not there: left out")
    return bool(missing)


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)
    return done.returncode, done.stdout + done.stderr


def replaced(text, *pairs):
    for old, new in pairs:
        same(text.count(old), 1, f"how often the file has {old!r}")
        text = text.replace(old, new)
    return text


def test_redocly_finds_nothing_in_the_interface(_):
    version = run("node", "--version")[1]
    if tuple(int(part) for part in version[1:].split(".")[:2]) < (20, 19):
        print(f"     node {version.strip()} is too old for redocly: left out")
        return
    env = os.environ | {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    done = subprocess.run([ROOT / "web/node_modules/.bin/redocly", "lint", "--format=json", ROOT / "server/openapi.json"], capture_output=True, text=True, env=env,
                          check=False)
    found = json.loads(done.stdout)
    same((done.returncode, found["problems"]), (0, []), "problems")


# --- systemd ---

def test_the_unit_is_sound_and_tight(ofw):
    if lacks("systemd-analyze"):
        return
    unit = (PACKAGING / "ofw-serve.service").read_text(encoding="utf-8")
    ofw.write("ofw-serve.service", replaced(unit, ("ExecStart=ofw ", f"ExecStart={ofw.path} ")))      # which need not be installed
    same(run("systemd-analyze", "verify", "--man=no", ofw.file("ofw-serve.service")), (0, ""), "systemd-analyze verify")
    code, said = run("systemd-analyze", "security", "--offline=yes", "--no-pager", f"--threshold={WORST_EXPOSURE}", PACKAGING / "ofw-serve.service")
    same(code, 0, f"{said[-120:]!r}, code")


def calls_of(*sets):
    """The system calls of systemd's sets, all the way down."""
    found = set()
    for name in sets:
        code, said = run("systemd-analyze", "syscall-filter", "--no-pager", name)
        same(code, 0, f"{name}: {said!r}, code")
        words = re.findall(r"^    (@?\w[\w-]*)$", said, re.M)
        found |= {word for word in words if word[0] != "@"} | calls_of(*(word for word in words if word[0] == "@"))
    return found


def test_the_server_needs_no_more_than_the_unit_allows(ofw):
    if lacks("systemd-analyze", "strace"):
        return
    unit = (PACKAGING / "ofw-serve.service").read_text(encoding="utf-8")
    check("\nSystemCallFilter=@system-service\nSystemCallFilter=~@privileged @resources\n" in unit, "the unit has other filters than this test knows")
    with serving(ofw, "--max-log", "4096", before=("strace", "-f", "-qq", "-o", ofw.file("calls"))) as (_, client):
        session = client.create("ofw-ada", "trace-ball:rows=30,cols=20")
        for t in range(1, 40):
            client.feedback(session, line(t, 600))
        for path in ("trace", "export", "decision"):
            client.get(f"/v1/sessions/{session}/{path}")
        client.post(f"/v1/sessions/{session}/snapshot")
        client.delete(f"/v1/sessions/{session}")
    with open(ofw.file("calls"), encoding="utf-8", errors="replace") as file:
        calls = set(re.findall(r"^\d+ +(?:<\.\.\. )?(\w+)(?:\(| resumed)", file.read(), re.M))
    check({"fdatasync", "accept4", "openat"} <= calls, f"strace saw {sorted(calls)}")
    calls -= {"fchown"} if os.geteuid() == 0 else set()      # SQLite calls it as root alone, which the unit's user is not
    same(sorted(calls - (calls_of("@system-service") - calls_of("@privileged", "@resources"))), [], "calls that the unit forbids")


# --- Prometheus ---

def test_alerts_are_on_metrics_that_exist(ofw):
    rules = PACKAGING / "ofw-serve.rules.yml"
    with serving(ofw) as (_, client):
        metrics = set(re.findall(r"^(\w+)", client.get("/metrics").body.decode(), re.M))
    named = set(re.findall(r"\b((?:ofw|process)_\w+)", "".join(re.findall(r"expr: .*", rules.read_text(encoding="utf-8")))))
    check(len(named) > 5 and named <= metrics, f"there is no {sorted(named - metrics)}")
    page = (ROOT / "docs/service.md").read_text(encoding="utf-8")
    same(sorted(name for name in re.findall(r"`((?:ofw|process)_\w+)", page) if name not in metrics and name + "_sum" not in metrics), [], "metrics that docs/service.md invents")
    if not lacks("promtool"):
        same(run("promtool", "check", "rules", rules)[0], 0, "promtool check rules")


# --- nginx ---

def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def nginx(ofw, behind):
    """nginx with the example's configuration before the server; its port."""
    port = free_port()
    certificate, key = ofw.file("decisions.pem"), ofw.file("decisions.key")
    code, said = run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", f"/CN={NAME}",
                     "-addext", f"subjectAltName=DNS:{NAME}")
    same(code, 0, said)
    example = (PACKAGING / "nginx-ofw.conf").read_text(encoding="utf-8")
    ofw.write("site.conf", replaced(example, ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"), ("/etc/ssl/decisions.pem", certificate),
                                    ("/etc/ssl/private/decisions.key", key), ("127.0.0.1:8780", f"127.0.0.1:{behind}")))
    folders = "".join(f"{kind}_temp_path {ofw.file('temp')};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    ofw.write("nginx.conf", f"daemon off; master_process off; pid {ofw.file('pid')}; error_log {ofw.file('errors')};\n"
              f"events {{}}\nhttp {{ access_log off; {folders} include {ofw.file('site.conf')}; }}\n")
    with subprocess.Popen(["nginx", "-p", ofw.folder, "-c", ofw.file("nginx.conf"), "-e", ofw.file("errors")], stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(500):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                check(process.poll() is None, "nginx did not start")
                time.sleep(0.02)
            yield port, ssl.create_default_context(cafile=certificate)
        finally:
            process.terminate()
            process.wait()


class Secure(Client):
    """A client that speaks TLS to the name of the certificate."""

    def __init__(self, port, context, token=None):
        super().__init__(port, token)
        self.context = context

    def ask(self, *args, **more):
        if self.http is None:
            self.http = http.client.HTTPConnection(NAME, self.port, timeout=60)
            self.http.sock = self.context.wrap_socket(socket.create_connection(("127.0.0.1", self.port), 60), server_hostname=NAME)
            self.http.auto_open = 0
        return super().ask(*args, **more)


def test_nginx_brings_tls_and_lets_events_through(ofw):
    if lacks("nginx", "openssl"):
        return
    ofw.write("tokens", f"write {TOKEN}\n")
    os.chmod(ofw.file("tokens"), 0o600)
    with serving(ofw, "--token-file", ofw.file("tokens"), token=TOKEN) as (server, _), nginx(ofw, server.port) as (port, context):
        same(Secure(port, context).ask("GET", "/v1/sessions").status, 401, "without a token")
        client, watcher = Secure(port, context, TOKEN), Secure(port, context, TOKEN)
        session = client.create()
        watcher.get("/healthz")
        watcher.http.request("GET", f"/v1/sessions/{session}/events", headers={"Authorization": f"Bearer {TOKEN}"})
        stream = watcher.http.getresponse()
        same((stream.status, stream.getheader("Content-Type")), (200, "text/event-stream"), "the stream")
        same(read_events(stream, ("row", 0))[1]["round"], 0, "the first event, while the stream is open")
        for t in range(1, 4):
            same(client.feedback(session, line(t), decide=1).json["round"], t + 1, "feedback by TLS")
            same(read_events(stream, ("row", t))[1]["round"], t, "the event of a round, before the next one")
        same(client.get("/openapi.json").json["openapi"][:3], "3.1", "a long answer")
        client.delete(f"/v1/sessions/{session}")
        same(read_events(stream, ("end", None))[0][-1], "end", "the last event")
        client.close()
        watcher.close()


if __name__ == "__main__":
    sys.exit(main("what is around the server", globals()))
