#!/usr/bin/python3
"""Takes the steps of packaging/Containerfile in fresh Debian roots, one per stage, and talks to the server of the last one.

    test_container.py

mmdebstrap makes the roots from the packages that this machine's apt knows, as in tests/bare: what a step installs is in its root from the
start. The server is built without optimisation, which takes half the time, and listens on loopback.
"""
import gzip
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "bare"), str(HERE.parent / "install")]
from outside import Failure, check, run
from test_bare import LEFT_OUT, sources

TOKEN = "write-0123456789abcdef"


def stages():
    """The instructions of each stage: [(word, rest)]."""
    text = (ROOT / "packaging/Containerfile").read_text(encoding="utf-8")
    out = []
    for line in re.sub(r"\\\n", "", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines():
        if line.strip():
            word, rest = line.split(None, 1)
            if word == "FROM":
                out.append([])
            out[-1].append((word, re.sub(r" +", " ", rest)))
    check(len(out) == 2, f"{len(out)} stages")
    return out


def one(stage, word):
    found = [rest for name, rest in stage if name == word]
    check(len(found) == 1, f"{word} is there {len(found)} times")
    return found[0]


def packages(stage):
    installs = [rest for word, rest in stage if word == "RUN" and "apt-get install" in rest]
    check(len(installs) == 1, "expected one RUN with apt-get install")
    return re.search(r"--no-install-recommends ([^&]+)", installs[0])[1].split()


def make_root(stage, *hooks):
    return run("mmdebstrap", "--variant=essential", f"--include={','.join(packages(stage))}", '--aptopt=APT::Install-Recommends "false"', "--dpkgopt=force-unsafe-io",
               *(f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in LEFT_OUT), *(f"--customize-hook={hook}" for hook in hooks), "--skip=cleanup/apt",
               "--format=null", "", "-", "-", input="\n".join(sources()) + "\n")


def build(stage, folder):
    """The first stage, from a source release; image.tar is what the second copies."""
    run(ROOT / "scripts/dist", "--output", folder, "--changed")
    pattern, place = one(stage, "ADD").split()
    archive, = folder.glob(pattern)
    with gzip.open(archive) as packed, open(folder / "source.tar", "wb") as plain:
        shutil.copyfileobj(packed, plain)
    steps = [rest.replace("=Release ", "=None ") for word, rest in stage if word == "RUN" and "apt-get" not in rest]
    check(not re.search(r"[\"$`\\\\]", "".join(steps)), "a step has a character that needs quoting")
    make_root(stage, f'mkdir -p "$1{place}"', f"tar-in {folder}/source.tar {place}", *(f'chroot "$1" sh -c "{step}"' for step in steps),
              f"tar-out /image {folder}/raw.tar")
    with tarfile.open(folder / "raw.tar") as raw, tarfile.open(folder / "image.tar", "w") as image:
        for member in raw:
            member.name = re.sub(r"^(\./)?(image/?)?", "", member.name)
            if member.name:
                image.addfile(member, raw.extractfile(member) if member.isreg() else None)


class Server:
    """The entry point, as its user, in the root; on loopback, with a port of its own."""

    def __init__(self, root, user, entry):
        entry = [*entry]
        at = entry.index("--listen") + 1
        check(entry[at] == "0.0.0.0:8780", f"it listens on {entry[at]}")
        entry[at] = "127.0.0.1:0"
        self.process = subprocess.Popen(["chroot", f"--userspec={user}", root, *entry], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.first = self.process.stdout.readline()
        found = re.fullmatch(r"listening on http://127.0.0.1:(\d+), (\d+) sessions\n", self.first)
        check(found, f"it printed {self.first!r}: {'' if found else self.process.communicate()[1]}")
        self.port, self.sessions = int(found[1]), int(found[2])

    def ask(self, method, path, body=None, token=TOKEN):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body, {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def end(self):
        self.process.terminate()
        _, err = self.process.communicate(timeout=60)
        check((self.process.returncode, err) == (0, ""), f"exit code {self.process.returncode}, {err!r}")


def talk(root, user, entry):
    """Run by the last hook: a session, a round, and both again after a restart."""
    tokens = pathlib.Path(root + entry[entry.index("--token-file") + 1])
    tokens.parent.mkdir(parents=True, exist_ok=True)
    tokens.write_text(f"write {TOKEN}\n", encoding="ascii")
    tokens.chmod(0o600)
    os.chown(tokens, *(int(part) for part in user.split(":")))
    server = Server(root, user, entry)
    check(server.ask("GET", "/v1/sessions", token="x" * 16)[0] == 401, "a wrong token is not refused")
    status, text = server.ask("POST", "/v1/sessions", '{"learner":"ofw-ada","domain":"simplex:dim=3"}')
    check(status == 201, text)
    session = json.loads(text)["id"]
    status, text = server.ask("POST", f"/v1/sessions/{session}/feedback?decide=1", '{"round":1,"loss":0.5,"loss_gradient":[0.2,0.5,0.8]}')
    check(status == 200 and json.loads(text)["round"] == 2, text)
    server.end()
    server = Server(root, user, entry)
    check(server.sessions == 1 and server.ask("GET", f"/v1/sessions/{session}/decision") == (200, text), "the session is not there after a restart")
    server.end()
    print("\ndecided")


def main():
    if sys.argv[1:2] == ["--talk"]:
        talk(sys.argv[2], sys.argv[3], sys.argv[4:])
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try:
            first, last = stages()
            check(one(last, "COPY") == "--from=build /image /", "the second stage copies something else")
            build(first, folder)
            entry = " ".join(json.loads(one(last, "ENTRYPOINT")))
            said = make_root(last, f"tar-in {folder}/image.tar /", f'{sys.executable} {HERE}/test_container.py --talk "$1" {one(last, "USER")} {entry}')
            check("\ndecided\n" in said, said[-6000:])
        except Failure as failure:
            print(failure)
            return 1
    print("the image builds, decides and remembers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
