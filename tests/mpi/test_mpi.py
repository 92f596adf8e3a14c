#!/usr/bin/python3
"""ofw-mpi run: the same bits on any number of ranks, the one-machine engine up to rounding, and refusals that all ranks share.

    test_mpi.py --ofw PATH --mpi PATH
"""
import argparse
import gzip
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import tempfile
import time

from ranks import check, children, command, environment, need, play, rows, same

GAME = "matrix-completion:users=300,items=90,ratings=4000,rank=3,batch=300,holdout=0.05,radius=900,constraint="
GAMES = {
    "exposure": ["--learner", "ofw-tvc", "--set", "sigma=line-search", "--set", "step=1000", "--stream", GAME + "exposure"],
    "compressed": ["--learner", "scofw-tvc", "--set", "rank=5", "--stream", GAME + "none"],
    "anytime": ["--learner", "ofw-ada", "--threads", "2", "--stream", GAME + "exposure,cap=0.5"],
    "many columns": ["--learner", "ofw-tvc", "--set", "sigma=line-search", "--set", "step=1000", "--threads", "2", "--stream",
                     "matrix-completion:users=60,items=5000,ratings=3000,rank=3,batch=300,radius=900,constraint=exposure"],
    "few rows": ["--learner", "ofw-tvc", "--set", "start=vertex", "--set", "guess=track", "--stream",
                 "matrix-completion:users=5,items=200,ratings=300,batch=all,constraint=exposure"],
}
ROUNDS = ["--rounds", "25", "--seed", "7", "--quiet", "--json"]


def numbers(text):
    found = json.loads(text)
    del found["seconds"], found["oracle_seconds"]
    return found


def near(a, b, what):
    for key, value in b.items():
        close = isinstance(value, float) and isinstance(a[key], (int, float)) and abs(a[key] - value) <= 1e-9 * max(1.0, abs(value))
        check(a[key] == value or close or key == "config", f"{what}: {key} is {a[key]}, expected {value}")


def test_same_bits(ofw, mpi, folder):
    for name, game in GAMES.items():
        outcomes = {}
        for ranks in (1, 2, 3, 4) if name in ("exposure", "many columns") else (1, 2, 4):
            trace = f"{folder}/{name}{ranks}"
            done = play(mpi, ranks, *game, *ROUNDS, "--trace", trace)
            outcomes[ranks] = (rows(trace), numbers(done.stdout))
        for ranks, outcome in outcomes.items():
            same(outcome, outcomes[1], f"{name} on {ranks} ranks")
        alone = subprocess.run([ofw, "run", *game, *ROUNDS, "--set", "storage=factored"], capture_output=True, text=True, check=True)
        near(outcomes[1][1], numbers(alone.stdout), f"{name}: one machine and ranks")


def write_ratings(path, pairs, seed=3):
    rng = random.Random(seed)
    lines = [f"{rng.randrange(1, 200)},{rng.randrange(1, 60)},{rng.randrange(1, 6)}\n" for _ in range(pairs)]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(["user,item,rating\n", *lines, "199,59,3\n"])
    return lines


def test_a_file(ofw, mpi, folder):
    """Each rank has its rows of it, and the configuration is that of one machine, checksum and duplicates included."""
    write_ratings(f"{folder}/ratings.csv", 3000)
    with open(f"{folder}/ratings.csv", "rb") as plain, gzip.open(f"{folder}/ratings.gz", "wb") as packed:
        packed.write(plain.read())
    for name in ("ratings.csv", "ratings.gz"):
        stream = ["--learner", "ofw-tvc", "--stream", f"matrix-completion:file={folder}/{name},batch=100,constraint=none,holdout=0.1"]
        for ranks in (1, 2, 3):
            play(mpi, ranks, *stream, *ROUNDS, "--trace", f"{folder}/f{ranks}")
            same(rows(f"{folder}/f{ranks}"), rows(f"{folder}/f1"), f"{name} on {ranks} ranks")
        alone = subprocess.run([ofw, "run", *stream, *ROUNDS, "--set", "storage=factored", "--trace", f"{folder}/f0"],
                               capture_output=True, text=True, check=True)
        near(numbers(play(mpi, 2, *stream, *ROUNDS).stdout), numbers(alone.stdout), name)
        configs = [[line for line in open(f"{folder}/f{k}", encoding="utf-8") if line.startswith("# stream=")] for k in (0, 3)]
        same(configs[1], configs[0], f"{name}: the stream's configuration")


def refused(mpi, ranks, args, code, message):
    done = play(mpi, ranks, *args, code=code)
    said = [line for line in done.stderr.splitlines() if line.startswith("ofw-mpi")]
    same(said, [f"ofw-mpi run: {message}"], f"what {args} says")


def test_refusals(_, mpi, folder):
    """One line, once, and the exit code of `ofw run`; no rank waits for another."""
    game = ["--learner", "ofw-tvc", "--rounds", "3", "--stream"]
    refused(mpi, 3, [*game, GAME + "uniform"], 2, "matrix-completion: ranks share it with constraint=exposure or none only")
    refused(mpi, 2, [*game, GAME + "none,order=file"], 2, "matrix-completion: ranks share it with order=shuffled only")
    refused(mpi, 2, [*game, "trace-recovery"], 2, "trace-recovery: ranks share matrix-completion over trace-ball alone")
    refused(mpi, 2, [*game, GAME + "none", "--set", "storage=double"], 2, "ofw-tvc: ranks share a matrix as factors alone; leave storage out")
    refused(mpi, 2, ["--learner", "bfw-tvc", *game[2:], GAME + "none"], 2,
            "bfw-tvc over trace-ball:rows=300,cols=90,radius=900: storage=factored does not work: "
            "the probes of a bandit learner are no sums of a few factors")
    refused(mpi, 2, [*game, GAME + "none", "--trace", f"{folder}/no/where"], 1,
            f"cannot write {folder}/no/where: No such file or directory")
    if os.path.exists("/dev/full"):                              # the first rank alone has a trace that cannot be synced
        for every in (["--checkpoint-every", "2"], []):          # at a checkpoint on the way, and at the one at the end
            refused(mpi, 2, [*game, GAME + "none", "--quiet", "--trace", "/dev/full", "--checkpoint", f"{folder}/full", *every], 1,
                    "cannot write /dev/full: No space left on device")
        check(not os.path.exists(f"{folder}/full"), "there is a checkpoint whose trace was not synced")
    lines = write_ratings(f"{folder}/bad.csv", 900)
    for at in (5, len(lines) // 2, len(lines) - 3):              # in the part that each of the ranks would read
        with open(f"{folder}/bad.csv", "w", encoding="utf-8") as file:
            file.writelines([*lines[:at], "7,x,3\n", *lines[at:]])
        refused(mpi, 3, [*game, f"matrix-completion:file={folder}/bad.csv,constraint=none"], 3,
                f"{folder}/bad.csv:{at + 1}: the item 'x' is not a whole number >= 0")


    with environment() as own:
        words = ["mpirun", "-n", "1", mpi, "run", *game, GAME + "none", ":", "-n", "1", mpi, "run", *game, GAME + "none", "--seed", "8"]
        done = subprocess.run(words, env=own, capture_output=True, text=True, timeout=120)
    said = [line for line in done.stderr.splitlines() if line.startswith("ofw-mpi")]
    same((done.returncode, said), (2, ["ofw-mpi: expected the same arguments for all ranks"]), "ranks with different arguments")


def test_many_rows(_, mpi, folder):
    """More than the 10^6 rows of a matrix that is stored; the limit is 10^9."""
    game = ["--learner", "ofw-tvc", "--set", "rank=4", "--rounds", "2", "--quiet", "--stream"]
    stream = "matrix-completion:users={},items=50,ratings=3000,rank=2,batch=500,radius=900,constraint=none"
    for ranks in (1, 2):
        play(mpi, ranks, *game, stream.format(1200000), "--trace", f"{folder}/rows{ranks}")
    same(rows(f"{folder}/rows2"), rows(f"{folder}/rows1"), "1 200 000 rows on two ranks")
    refused(mpi, 2, [*game, stream.format(1000000001)], 2, "matrix-completion: users=1000000001 is not in [1, 1e+09]")


def checked(ofw, path):
    done = subprocess.run([ofw, "check", path, "--json"], capture_output=True, text=True)
    found = json.loads(done.stdout)
    check(found.pop("state_bytes") > 10000, f"the states of {path} are too small")
    return done.returncode, found


def test_checkpoints(ofw, mpi, folder):
    """Resumed on another number of ranks; refused if a file is missing, damaged, or of another play."""
    for name in ("exposure", "compressed", "few rows"):
        path, whole, cut = (f"{folder}/{name[:4]}.{end}" for end in ("ck", "whole", "cut"))
        game = [*GAMES[name], *ROUNDS, "--checkpoint-every", "5"]
        play(mpi, 2, *GAMES[name], *ROUNDS, "--trace", whole)
        play(mpi, 2, *game, "--checkpoint", path, "--trace", cut, "--time-limit", "0")
        same(len(rows(cut)), 2, "rows of a play that ended after its first round")
        for ranks in (4, 1, 3):
            play(mpi, ranks, *game, "--checkpoint", path, "--trace", cut, "--resume", "--time-limit", "0")
            os.replace(path, f"{path}.1")  # as if killed between the two renames of a checkpoint
        same(len(rows(cut)), 5, "rows of a play that went on three times for a round")
        play(mpi, 2, *game, "--checkpoint", path, "--trace", cut, "--resume")
        same(rows(cut), rows(whole), f"{name}, resumed")
        same(sorted(file.removeprefix(os.path.basename(path)) for file in os.listdir(folder) if file.startswith(os.path.basename(path))),
             ["", ".1", ".r20.0of2", ".r20.1of2", ".r25.0of2", ".r25.1of2"], "files of the last two checkpoints")
    game = [*GAMES["exposure"], "--rounds", "25", "--seed", "7", "--checkpoint", f"{folder}/expo.ck"]
    refused(mpi, 2, [*game, "--quiet"], 2, f"{folder}/expo.ck already exists; --resume continues it, and to start again move all of its files, {folder}/expo.ck*, away")
    other = [word.replace("items=90", "items=91") for word in game]
    refused(mpi, 2, [*other, "--resume", "--quiet"], 3,
            f"{folder}/expo.ck: a state saved with 'domain=trace-ball:rows=300,cols=90,radius=900', "
            "but this play has 'domain=trace-ball:rows=300,cols=91,radius=900'; use the same options")
    other = [word.replace("users=300", "users=301") for word in game]
    refused(mpi, 2, [*other, "--resume", "--quiet"], 3, f"{folder}/expo.ck is of a matrix of 300 rows, but this play has 301")
    done = subprocess.run([ofw, "run", *game, "--set", "storage=factored", "--resume", "--quiet"], capture_output=True, text=True)
    same((done.returncode, done.stderr), (3, f"ofw run: {folder}/expo.ck: a checkpoint of ofw-mpi; resume it by that\n"), "ofw run")
    file = f"{folder}/expo.ck.r25.1of2"
    with open(file, "r+b") as data:
        data.seek(os.path.getsize(file) // 2)
        byte = data.read(1)
        data.seek(-1, os.SEEK_CUR)
        data.write(bytes([byte[0] ^ 1]))
    older = f"; the checkpoint before is whole: rename {folder}/expo.ck.1 to go back to it"
    damaged = f"{file}: damaged: section 'state' does not match its checksum"
    refused(mpi, 3, [*game, "--resume", "--quiet"], 3, damaged + older)
    same(checked(ofw, f"{folder}/expo.ck"), (3, {"kind": "checkpoint", "state": "damaged", "why": damaged, "ranks": 2, "one_before": "whole"}),
         "what ofw check says")
    same(checked(ofw, f"{folder}/expo.ck.1"), (0, {"kind": "checkpoint", "state": "whole", "ranks": 2, "one_before": "none"}),
         "what it says of the one before")
    done = subprocess.run([ofw, "check", f"{folder}/expo.ck", "--repair", "-o", f"{folder}/mended"], capture_output=True, text=True)
    check(done.returncode == 2 and "several files" in done.stderr and not os.path.exists(f"{folder}/mended"), f"a repair: {done.stderr!r}")
    os.replace(f"{folder}/expo.ck.r20.1of2", file)
    refused(mpi, 3, [*game, "--resume", "--quiet"], 3, f"{file} is not the file that the checkpoint {folder}/expo.ck was written with")
    os.remove(file)
    refused(mpi, 3, [*game, "--resume", "--quiet"], 3, f"{file}: the checkpoint {folder}/expo.ck needs this file, and it is not there")


def test_moved_in_part(_, mpi, folder):
    """A play that begins anew deletes nothing of another one, whatever of it is still there."""
    path, game = f"{folder}/ck", [*GAMES["exposure"], *ROUNDS, "--checkpoint-every", "10"]
    again = "already exists; --resume continues it, and to start again move all of its files"
    play(mpi, 3, *game, "--checkpoint", path)
    files = sorted(os.listdir(folder))
    os.rename(path, f"{folder}/away")
    refused(mpi, 2, [*game, "--checkpoint", path], 2, f"{path}.1 {again}, {path}*, away")
    os.rename(f"{path}.1", f"{folder}/away.1")
    for more in ([], ["--resume"]):
        done = play(mpi, 2, *game, "--checkpoint", path, *more, code=2)
        check(f"{path} is not there, but {path}.r" in done.stderr and f"move all of its files, {path}.*, away or back" in done.stderr, done.stderr)
    os.rename(f"{folder}/away", path)
    os.rename(f"{folder}/away.1", f"{path}.1")
    same(sorted(os.listdir(folder)), files, "files after all that was refused")
    for name in files:
        if ".r20." in name or name in ("ck", "ck.1"):
            os.remove(f"{folder}/{name}")
    refused(mpi, 2, [*game, "--checkpoint", path, "--resume"], 0, f"{path} does not exist; starting with round 1")


def apart(mpi, folders, code, message, *args):
    """Each rank in a folder of its own."""
    words = [word for folder in folders for word in (":", "-n", "1", "-wdir", folder, mpi, "run", *args)]
    with environment() as own:
        done = subprocess.run(["mpirun", *words[1:]], env=own, capture_output=True, text=True, timeout=120)
    said = [line for line in done.stderr.splitlines() if line.startswith("ofw-mpi")]
    same((done.returncode, said), (code, [f"ofw-mpi run: {message}"] if message else []), f"{args} in two folders")


def test_folders(_, mpi, folder):
    """Ranks that see different files are refused, and nothing is overwritten."""
    mpi, a, b = os.path.abspath(mpi), f"{folder}/a", f"{folder}/b"
    game = [*GAMES["exposure"], *ROUNDS, "--checkpoint", "ck"]
    os.mkdir(a)
    os.mkdir(b)
    apart(mpi, (a, b), 0, None, *game)
    for folders in ((a, b), (b, a)):
        apart(mpi, folders, 3, "ck is not there for all ranks; they need one folder", *game, "--resume")
    os.remove(f"{b}/ck.r25.1of2")
    apart(mpi, (b, b), 0, None, *game, "--time-limit", "0")
    apart(mpi, (a, b), 3, "ck is of another round for some ranks; they need one folder", *game, "--resume")
    same(sorted(os.listdir(a)), ["ck", "ck.r25.0of2"], "files of the first rank")
    for at, played in ((a, ROUNDS), (b, ["--rounds", "25", "--seed", "8", "--quiet", "--json"])):
        with environment() as own:
            words = ["mpirun", "-n", "1", "-wdir", at, mpi, "run", *GAMES["exposure"], *played, "--checkpoint", "alone"]
            subprocess.run(words, env=own, check=True, capture_output=True, timeout=120)
    for folders in ((a, b), (b, a)):    # one of them refuses; the first says it
        apart(mpi, folders, 3, "alone: a state saved with 'seed=8', but this play has 'seed=7'; use the same options", *GAMES["exposure"], *ROUNDS, "--checkpoint", "alone", "--resume")
    stream = ["--learner", "ofw-tvc", "--stream", "matrix-completion:file=ratings,constraint=none", *ROUNDS]
    write_ratings(f"{a}/ratings", 300)
    write_ratings(f"{b}/ratings", 200)
    apart(mpi, (a, b), 3, "ratings does not have the same size for all ranks", *stream)
    with open(f"{b}/ratings", "w", encoding="utf-8") as file:
        file.write("user,item,rating\n")
    apart(mpi, (b, b), 3, "ratings: expected ratings, found none", *stream)


def rank_of(pid):
    """The number of a process that mpirun has started; -1: it is no rank."""
    try:
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return -1
    return next((int(word.split(b"=")[1]) for word in words if word.startswith(b"OMPI_COMM_WORLD_RANK=")), -1)


def test_a_signal(_, mpi, folder):
    """One to any rank ends the play, and the first one says so."""
    game = [*GAMES["exposure"], "--rounds", "1000000", "--quiet", "--checkpoint", f"{folder}/ck", "--checkpoint-every", "1"]
    for rank in (1, 0):
        with environment() as own, subprocess.Popen(command(mpi, 2, *game, "--resume"), env=own, stdout=subprocess.PIPE,
                                                    stderr=subprocess.PIPE, text=True) as process:
            while not os.path.exists(f"{folder}/ck") and process.poll() is None:
                time.sleep(0.05)
            time.sleep(1.0)
            os.kill(next(pid for pid in children(process.pid) if rank_of(pid) == rank), signal.SIGTERM)
            said = [line for line in process.communicate(timeout=60)[1].splitlines() if line.startswith("ofw-mpi")]
        check(said and re.fullmatch(r"ofw-mpi run: interrupted after round \d+; to resume, repeat the command with --resume", said[-1]),
              f"a signal to rank {rank}: {said}")
        same(process.returncode, 143, f"the code after a signal to rank {rank}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ofw", required=True)
    parser.add_argument("--mpi", required=True)
    args = parser.parse_args()
    need(args.mpi)
    for test in (test_same_bits, test_a_file, test_refusals, test_many_rows, test_checkpoints, test_moved_in_part, test_folders, test_a_signal):
        with tempfile.TemporaryDirectory() as folder:
            test(args.ofw, args.mpi, folder)
            print(f"ok   {test.__name__}", flush=True)


if __name__ == "__main__":
    main()
