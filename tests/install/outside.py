"""Commands of the tests that build and install as users do: what they print, or a Failure."""
import subprocess


class Failure(Exception):
    pass


def check(held, what):
    if not held:
        raise Failure(what)


def run(*command, **more):
    """What a command prints; a Failure if it does not end with 0."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    check(done.returncode == 0, f"{' '.join(map(str, command))[:200]}: exit code {done.returncode}\n{done.stdout[-6000:]}")
    return done.stdout
