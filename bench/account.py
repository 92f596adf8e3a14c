"""The account of one 'ofw run', for the scripts that print tables of docs."""
import json
import subprocess


def account(ofw, learner, stream, rounds, *options, sets=()):
    """What 'ofw run --json' says of one play; `sets` are options of the learner, KEY=VALUE."""
    command = [ofw, "run", "--learner", learner, "--stream", stream, "--rounds", str(rounds), "--json", "-q", *options,
               *(word for each in sets for word in ("--set", each))]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def whole(x):
    """A number without a fraction, in groups of three digits."""
    return f"{x:,.0f}".replace(",", " ")
