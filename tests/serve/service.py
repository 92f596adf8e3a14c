"""A real server on loopback, and a client that holds every answer to the OpenAPI document."""
import base64
import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys

import jsonschema

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from program import Failure, PATIENCE, check, same, strict_json    # noqa: E402,F401

with open(os.path.join(HERE, "..", "..", "server", "openapi.json"), encoding="utf-8") as _file:
    OPENAPI = json.load(_file)
_RESOLVER = jsonschema.RefResolver.from_schema(OPENAPI)
JSON, LINES = "application/json", "application/x-ndjson"


def resolve(node):
    return _RESOLVER.resolve(node["$ref"])[1] if "$ref" in node else node


def schema_check(schema, value, what):
    errors = list(jsonschema.Draft202012Validator(schema, resolver=_RESOLVER).iter_errors(value))
    check(not errors, f"{what} does not fit the interface: {errors[0].message[:300] if errors else ''}")


def template_of(path):
    plain = path.split("?")[0]
    for template in OPENAPI["paths"]:
        if re.fullmatch(re.sub(r"\{id\}", "[0-9a-f]{16}", template), plain):
            return template
    return None


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        self.type = headers.get("Content-Type", "").split(";")[0]

    @property
    def json(self):
        return strict_json(self.body.decode())

    @property
    def lines(self):
        return [strict_json(line) for line in self.body.decode().splitlines()]


def validate(method, path, answer):
    """The status and its document are what the interface says of this path; every problem is one."""
    what = f"{method} {path}: {answer.status} {answer.body[:200]!r}"
    template = template_of(path)
    if answer.type == "application/problem+json":
        schema_check(OPENAPI["components"]["schemas"]["Problem"], answer.json, what)
        same(answer.json["status"], answer.status, f"{what}: status")
    operation = OPENAPI["paths"].get(template, {}).get(method.lower())
    if not operation:
        check(answer.status in (400, 401, 403, 404, 405, 503), what)
        return
    check(str(answer.status) in operation["responses"], f"{what}: not a status of the interface")
    content = resolve(operation["responses"][str(answer.status)]).get("content", {})
    same(bool(content), bool(answer.body), f"{what}: has a body")
    if content:
        check(answer.type in content, f"{what}: {answer.type}, expected {list(content)}")
        if "json" in answer.type and answer.type != LINES:
            schema_check(content[answer.type]["schema"], answer.json, what)
        elif answer.type == LINES:
            for line in answer.lines:
                schema_check(OPENAPI["components"]["schemas"]["Decision"], line, what)


class Client:
    """One connection that is kept."""

    def __init__(self, port, token=None):
        self.port, self.token, self.http = port, token, None

    def ask(self, method, path, body=None, kind=None, headers=(), checked=True):
        if self.http is None:
            self.http = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        sent = dict(headers)
        if kind or body is not None:
            sent.setdefault("Content-Type", kind or JSON)
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        try:
            self.http.request(method, path, body, sent)
            got = self.http.getresponse()
            answer = Answer(got.status, dict(got.getheaders()), got.read())
        except BaseException:
            self.close()
            raise
        if got.will_close:
            self.close()
        if checked:
            validate(method, path, answer)
        return answer

    def close(self):
        if self.http is not None:
            self.http.close()
        self.http = None

    # --- what tests ask most often, with the status that they expect ---

    def get(self, path, status=200, **more):
        return self._expect(status, "GET", path, **more)

    def post(self, path, body=None, status=200, **more):
        return self._expect(status, "POST", path, body=body, **more)

    def delete(self, path, status=204, **more):
        return self._expect(status, "DELETE", path, **more)

    def _expect(self, status, method, path, **more):
        answer = self.ask(method, path, **more)
        same(answer.status, status, f"{method} {path}: {answer.body[:300]!r}, status")
        return answer

    def create(self, learner="ofw-ada", domain="l2-ball:dim=3", options=None, **more):
        document = {"learner": learner, "domain": domain, **more}
        if options is not None:
            document["options"] = options
        return self.post("/v1/sessions", document, 201).json["id"]

    def feedback_any(self, session, lines):
        """Lines of feedback, whatever comes of them."""
        return self.ask("POST", f"/v1/sessions/{session}/feedback", lines, LINES)

    def feedback(self, session, line, status=200, decide=0, **more):
        path = f"/v1/sessions/{session}/feedback" + (f"?decide={decide}" if decide else "")
        return self.post(path, line, status, **more)


class Server:
    """The process. Its folder stays when it ends."""

    def __init__(self, ofw, folder, *options, before=(), token=None, listen="127.0.0.1:0"):
        self.folder = folder
        env = os.environ | ({"ASAN_OPTIONS": "detect_leaks=0"} if before else {})     # it does not work below ptrace
        self.process = subprocess.Popen([*before, ofw, "serve", "--state", folder, "--listen", listen, *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        first = self.process.stdout.readline()
        found = re.fullmatch(r"listening on http://\S+:(\d+), (\d+) sessions\n", first)
        if not found:
            raise Failure(f"the server printed {first!r} and {self.end()[1]!r}")
        self.port, self.sessions, self.token = int(found.group(1)), int(found.group(2)), token

    def client(self, token=None):
        return Client(self.port, token or self.token)

    def signal(self, number):
        """To the server itself, if another program runs it."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as file:
            children = file.read().split()
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(children[0]) if children else self.process.pid, number)

    def kill(self):
        if self.process.poll() is None:
            self.signal(signal.SIGKILL)
        self.process.communicate()

    def end(self):
        """After SIGTERM: the exit code and stderr."""
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err


@contextlib.contextmanager
def serving(ofw, *options, folder="state", **more):
    """A server in a folder of the test's, and a client; it must end well and say nothing."""
    quiet = more.pop("quiet", True)
    server = Server(ofw.path, ofw.file(folder), *options, **more)
    client = server.client()
    try:
        yield server, client
    except BaseException:
        server.kill()
        raise
    client.close()
    code, err = server.end()
    same(code, 0, f"stderr {err[-300:]!r}, exit code")
    check(not quiet or not err, f"stderr {err[:300]!r}")


def line(round_, dim=3, bandit=False, shift=0):
    """Feedback that depends on the round alone."""
    numbers = [((round_ * 7919 + (k + shift) * 104729) % 1009) / 1009 - 0.4 for k in range(2 * dim)]
    feedback = {"round": round_, "loss": round(sum(numbers[:dim]), 6), "constraint": numbers[dim] - 0.1}
    if not bandit:
        feedback |= {"loss_gradient": numbers[:dim], "constraint_gradient": numbers[dim:]}
    return json.dumps(feedback)


def as_base64(data):
    return base64.b64encode(data).decode()
