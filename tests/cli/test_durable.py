"""Checkpoints, logs and ofw info: what is gone on with, what is refused, and in which words."""
import os
import shutil
import signal
import subprocess
import time
import zlib

import runner
from log_file import Log
from program import check, read_trace, same, strict_json

RUN = ["run", "-q", "--json", "--learner", "ofw-tvc", "--domain", "l1-ball:dim=3", "--stream", "linear", "--rounds", "40"]
PIPE = ["pipe", "--learner", "ofw-tvc", "--domain", "l1-ball:dim=2", "--horizon", "9", "--lipschitz", "3"]
LINES = [f'{{"loss":{t},"loss_gradient":[1,{-t % 3}],"constraint":{0.5 - t % 2},"constraint_gradient":[1,0.25]}}\n'
         for t in range(1, 8)]


def play(ofw, *args, stdin="", code=0, stderr=""):
    done = ofw.run(*args, stdin=stdin)
    same((done.returncode, done.stderr), (code, stderr), "code and stderr")
    return done.stdout


def names_of(ofw, what):
    return [line.split()[0] for line in play(ofw, "list", what).splitlines() if line.startswith("  ")]


def without_seconds(rows):
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


def contents(ofw):
    return {name: open(ofw.file(name), "rb").read() for name in os.listdir(ofw.folder)}


def resumes_to_the_same(ofw, args, threads=()):
    """From the last checkpoint but one, of round 35, on; with a thinned trace."""
    whole = strict_json(play(ofw, *args, "--trace", "whole.csv", "--trace-every", "3"))
    again = [*args, "--trace", "trace.csv", "--trace-every", "3", "--checkpoint", "c", "--checkpoint-every", "7"]
    play(ofw, *again)
    shutil.copy(ofw.file("c.1"), ofw.file("c"))
    same(strict_json(play(ofw, "info", "--json", "c"))["rounds"], 35, "rounds of the checkpoint")
    resumed = strict_json(play(ofw, *again, *threads, "--resume"))
    for result in (whole, resumed):
        del result["seconds"]
    same(resumed, whole, "the result")
    same(without_seconds(read_trace(ofw.file("trace.csv"))[1]), without_seconds(read_trace(ofw.file("whole.csv"))[1]), "trace")
    for name in ("c", "c.1", "trace.csv"):
        os.remove(ofw.file(name))


def test_every_learner_and_storage_resumes(ofw):
    games = [["--domain", "simplex:dim=4", "--stream", "quadratic"],
             ["--stream", "matrix-completion:users=12,items=9,ratings=54,batch=6", "--strong-convexity", "1"],
             ["--stream", "matrix-completion:users=12,items=9,ratings=54,batch=6,constraint=exposure", "--strong-convexity", "1",
              "--set", "storage=factored", "--set", "rank=2"]]
    played = 0
    for learner in names_of(ofw, "learners"):
        for game in games:
            for more in ([], ["--horizon", "auto"], ["--set", "storage=float"], ["--set", "sample=yes"]):
                args = ["run", "-q", "--json", "--learner", learner, *game, "--rounds", "40", *more]
                if ofw.run(*args).returncode == 2:
                    continue                            # it cannot: a projection, floats for vectors
                resumes_to_the_same(ofw, args)
                played += 1
    check(played >= 90, f"only {played} of them")


def test_every_domain_and_stream_resumes(ofw):
    for domain in ("box:dim=4,lower=-1,upper=2", "counted:of=l1-ball:dim=4", "l1-ball:dim=4", "l2-ball:dim=4", "linf-ball:dim=4",
                   "shrunk:of=simplex:dim=4,by=0.5", "simplex:dim=4", "trace-ball:rows=3,cols=2"):
        for stream in ("alternating", "conflict", "drifting", "linear", "quadratic", "uneven"):
            args = ["run", "-q", "--json", "--learner", "ofw-tvc", "--domain", domain, "--stream", stream, "--rounds", "40"]
            if ofw.run(*args).returncode == 0:
                resumes_to_the_same(ofw, args)


def test_threads_may_change(ofw):
    resumes_to_the_same(ofw, ["run", "-q", "--json", "--learner", "scofw-tvc", "--strong-convexity", "1", "--rounds", "40", "--stream",
                              "matrix-completion:users=300,items=200,ratings=9000,batch=200"], ["--threads", "2"])


def test_errors_along_the_way_go_on(ofw):
    """After the rounds that it would have been said after anyway, whatever the checkpoint's round."""
    run = ["run", "-q", "--learner", "ofw-tvc", "--rounds", "40", "--stream",
           "matrix-completion:users=12,items=9,ratings=54,batch=6,holdout=0.2", "--held-out-every", "3"]
    whole = ofw.run(*run).stderr.splitlines()
    same(len(whole), 1 + 40 // 3, "lines")
    kept = [*run, "--checkpoint", "c", "--checkpoint-every", "7"]
    same(ofw.run(*kept).stderr.splitlines(), whole, "with checkpoints")
    shutil.copy(ofw.file("c.1"), ofw.file("c"))             # of round 35
    same(ofw.run(*kept, "--resume").stderr.splitlines(), [whole[0], *whole[-2:]], "resumed")


def test_a_finished_play_is_not_played_again(ofw):
    first = strict_json(play(ofw, *RUN, "--checkpoint", "c"))
    before = contents(ofw)
    again = strict_json(play(ofw, *RUN, "--checkpoint", "c", "--resume"))
    same(again, first, "the result, with its seconds")
    same(contents(ofw), before, "the files")


def test_resume_from_nothing_begins(ofw):
    play(ofw, *RUN, "--checkpoint", "c", "--resume", stderr="ofw run: c does not exist; starting with round 1\n")
    check(os.path.exists(ofw.file("c")), "a checkpoint at the end")


def test_resume_after_the_rename(ofw):
    play(ofw, *RUN, "--checkpoint", "c", "--checkpoint-every", "7")
    os.remove(ofw.file("c"))                            # as after a power cut between two renames
    play(ofw, *RUN, "--checkpoint", "c", "--checkpoint-every", "7", "--resume")


def test_one_process_a_checkpoint(ofw):
    long = ["run", "-q", "--json", "--learner", "ofw-tvc", "--stream", "matrix-completion:users=12,items=9,ratings=54,batch=6", "--rounds", "1e9",
            "--checkpoint", "c"]
    with ofw.start(*long) as first:
        while not os.path.exists(ofw.file("c.lock")):
            check(first.poll() is None, "it ended at once")
        for resume in ([], ["--resume"]):
            play(ofw, *long, *resume, code=1, stderr="ofw run: c: another process has it open\n")
        first.send_signal(signal.SIGTERM)
        same(first.wait(), 143, "the first is undisturbed")
    same(sorted(os.listdir(ofw.folder)), ["c"], "and leaves nothing but its checkpoint")
    with ofw.start(*long, "--resume") as third:             # killed, it leaves the lock's file, which is in nobody's way
        while not os.path.exists(ofw.file("c.lock")):
            check(third.poll() is None, "it ended at once")
        third.kill()
        third.wait()
    check(os.path.exists(ofw.file("c.lock")), "the file of a lock that is gone")
    play(ofw, *long, "--time-limit", "0", "--resume")
    check(not os.path.exists(ofw.file("c.lock")), "the file goes with the next process")


def test_what_resume_refuses(ofw):
    keep = [*RUN, "--checkpoint", "c", "--trace", "t"]
    play(ofw, *keep)
    before = contents(ofw)
    for args, text in (
            (keep, "c already exists; --resume continues it, and to start again move it away"),
            ([*keep, "--resume", "--seed", "2"], "c: a state saved with 'seed=1', but this play has 'seed=2'; use the same options"),
            ([*keep, "--resume", "--set", "step=2"], "c: a state saved with 'step=1', but this play has 'step=2'; use the same options"),
            ([*keep[:-2], "--resume"], "the checkpoint is of a play with --trace FILE; give it again"),
            ([*keep, "--resume", "--trace-every", "2"], "the checkpoint is of a play with another --trace-every; use the same one"),
            ([*keep[:-1], "u", "--resume"], "the checkpoint belongs to the trace u: No such file or directory")):
        play(ofw, *args, code=2 if "already" in text else 3, stderr=f"ofw run: {text}\n")
        same(contents(ofw), before, "the files")
    with open(ofw.file("t"), "a+b") as trace:
        trace.truncate(trace.tell() - 1)
    size = len(before["t"])
    play(ofw, *keep, "--resume", code=3,
         stderr=f"ofw run: t is not the trace of this checkpoint: it has no round 40 that ends at byte {size}\n")


def test_a_flipped_byte_of_a_checkpoint_is_refused(ofw):
    play(ofw, *RUN, "--checkpoint", "c", "--checkpoint-every", "30")
    whole = open(ofw.file("c"), "rb").read()
    for at in range(0, len(whole), 13):                 # test_checkpoint.c takes every byte
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        with open(ofw.file("c"), "wb") as file:
            file.write(damaged)
        done = ofw.run(*RUN, "--checkpoint", "c", "--resume")
        same((done.returncode, done.stdout, done.stderr.count("\n")), (3, "", 1), f"byte {at}: {done.stderr}")
        check(done.stderr.endswith("; the previous checkpoint, c.1, is whole\n"), done.stderr)
    with open(ofw.file("c"), "rb") as file:
        same(file.read(), bytes(damaged), "a damaged one stays as it is")


def test_a_log_goes_on(ofw):
    whole = play(ofw, *PIPE, stdin="".join(LINES)).splitlines(keepends=True)
    for group in ("1", "3", "100"):
        for checkpoint in ([], ["--checkpoint", "c", "--checkpoint-every", "2"]):
            args = [*PIPE, "--log", "l", "--log-group", group, *checkpoint]
            same(play(ofw, *args), whole[0], "the first decision")
            same(play(ofw, *args), whole[0], "the pending decision")
            same(play(ofw, *args, stdin="".join(LINES[:3])), "".join(whole[:4]), "three lines")
            same(play(ofw, *args), whole[3], "the pending decision")
            same(play(ofw, *args, stdin="".join(LINES[3:])), "".join(whole[3:]), "the rest")
            same(play(ofw, *args), whole[-1], "the pending decision")
            if checkpoint:
                info = strict_json(play(ofw, "info", "--json", "c"))
                same((info["kind"], info["rounds"]), ("checkpoint", len(LINES)), "the checkpoint")
            info = strict_json(play(ofw, "info", "--json", "l"))
            log = Log(ofw.file("l"))
            same((info["rounds"], info["torn_bytes"], info["bytes"]), (len(LINES), 0, log.at), "the log")
            same((log.lines, log.whole), ([line.rstrip("\n") for line in LINES], True), "the log, read by another")
            for name in os.listdir(ofw.folder):
                os.remove(ofw.file(name))


def test_a_restart_beyond_the_horizon_warns_too(ofw):
    args = [*PIPE, "--log", "l"]
    play(ofw, *args, stdin="".join(LINES + LINES[:1]))      # round 9 is still within
    said = "ofw pipe: warning: round {} is after --horizon 9; the guarantees no longer hold\n"
    play(ofw, *args, stdin=LINES[1], stderr=said.format(10))
    play(ofw, *args, stdin=LINES[2] + LINES[3], stderr=said.format(11))


def test_a_group_of_lines_goes_past_a_checkpoint(ofw):
    """It is taken behind the group, though no round of that number is the one that was asked for."""
    with ofw.start(*PIPE, "--log", "l", "--log-group", "9", "--checkpoint", "c", "--checkpoint-every", "4") as process:
        process.stdin.write("".join(LINES[:6]))
        process.stdin.flush()
        for _ in range(7):
            process.stdout.readline()
        deadline = time.monotonic() + 60
        while not os.path.exists(ofw.file("c")):
            check(time.monotonic() < deadline, "none is taken")
            time.sleep(0.01)


def test_a_checkpoint_after_ten_seconds(ofw):
    """If nobody says how often: as soon as a line comes after that time, and no sooner."""
    with ofw.start(*PIPE[:-3], "99", *PIPE[-2:], "--log", "l", "--checkpoint", "c") as process:
        begun = time.monotonic()
        while not os.path.exists(ofw.file("c")):
            process.stdout.readline()
            check(time.monotonic() - begun < 60, "none after 60 seconds")
            process.stdin.write(LINES[0])
            process.stdin.flush()
            time.sleep(0.25)
        lasted = time.monotonic() - begun
        check(lasted > 9, f"after {lasted:.1f} seconds already")


def test_a_log_can_be_fed_again(ofw):
    """As ofw-checkpoint(5) says."""
    whole = play(ofw, *PIPE, "--log", "l", stdin="".join(LINES))
    log = subprocess.run(["sed", "-n", "6,$s/^[0-9a-f]\\{8\\} //p", ofw.file("l")], capture_output=True, text=True, check=True).stdout
    same(play(ofw, *PIPE, stdin=log), whole, "decisions")


def test_a_log_is_replayed(ofw):
    """--stream replay: of a log the same play as of its lines. What nobody was told of is left out, and damage is refused."""
    play(ofw, *PIPE, "--log", "l", stdin="".join(LINES))
    ofw.write("lines", "".join(LINES))
    def replayed(name, *more, **wanted):
        return play(ofw, "run", *PIPE[1:], "--rounds", str(len(LINES)), "-q", "--json", *more, "--stream", f"replay:file={name}", **wanted)
    def numbers(text):
        return {key: value for key, value in strict_json(text).items() if key not in ("seconds", "stream")}
    same(numbers(replayed("l")), numbers(replayed("lines")), "a log and its lines")
    with open(ofw.file("l"), "rb") as file:
        log = file.read()
    with open(ofw.file("torn"), "wb") as file:
        file.write(log[:Log(ofw.file("l")).ends[-1] + 20])
    same(numbers(replayed("torn")), numbers(replayed("lines")), "a log that was not closed")
    with open(ofw.file("bad"), "wb") as file:
        file.write(log[:400] + bytes([log[400] ^ 1]) + log[401:])
    done = ofw.run("run", *PIPE[1:], "--rounds", "5", "-q", "--stream", "replay:file=bad")
    same((done.returncode, done.stdout), (3, ""), "a damaged log")
    check(done.stderr.startswith("ofw run: bad: damaged at byte ") and done.stderr.count("\n") == 1, done.stderr)


def test_a_bad_line_is_not_logged(ofw):
    args = [*PIPE, "--log", "l", "--log-group", "9"]
    whole = play(ofw, *PIPE, stdin="".join(LINES)).splitlines(keepends=True)
    done = play(ofw, *args, stdin=LINES[0] + LINES[1] + '{"loss":1}\n' + LINES[2], code=3,
                stderr="ofw pipe: line 3: field 'loss_gradient' is missing\n")
    same(done, "".join(whole[:3]), "what came before it is answered")
    same(play(ofw, *args, stdin=LINES[2]), "".join(whole[2:4]), "and it goes on there")


def test_what_a_log_refuses(ofw):
    args = [*PIPE, "--log", "l"]
    play(ofw, *args, stdin=LINES[0])
    before = contents(ofw)
    play(ofw, *args, "--seed", "2", code=3, stderr="ofw pipe: l: a log written with 'seed=1', but this play has 'seed=2'; use the same options\n")
    same(contents(ofw), before, "the files")
    whole = before["l"]
    for at in range(0, Log(ofw.file("l")).at, 5):        # test_log.c takes every byte
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        with open(ofw.file("l"), "wb") as file:
            file.write(damaged)
        done = ofw.run(*args)
        same((done.returncode, done.stdout, done.stderr.count("\n")), (3, "", 1), f"byte {at}: {done.stderr}")
        same(open(ofw.file("l"), "rb").read(), bytes(damaged), "a damaged one stays as it is")


def test_a_torn_log_is_mended(ofw):
    args = [*PIPE, "--log", "l"]
    whole = play(ofw, *args, stdin="".join(LINES)).splitlines(keepends=True)
    with open(ofw.file("l"), "rb") as file:
        log = file.read()
    last, end = Log(ofw.file("l")).ends[-2:]
    for size in range(last + 1, end, 3):
        with open(ofw.file("l"), "wb") as file:
            file.write(log[:size])
        done = play(ofw, *args, stderr=f"ofw pipe: warning: l: its last {size - last} bytes were part of feedback that was never answered; "
                    "they are now in l.torn\n")
        same(done, whole[-2], "the pending decision")
        same(Log(ofw.file("l")).lines, [line.rstrip("\n") for line in LINES[:-1]], "the log")
        with open(ofw.file("l.torn"), "rb") as file:
            same(file.read(), log[last:size], "what was torn off")


def test_a_lost_sector(ofw):
    """In the middle of a log it took every later line with it, once. No aligned range does, and none is answered with less."""
    lines = [f'{{"loss":{t},"loss_gradient":[{t % 3 - 1},1,-0.5],"constraint":{t % 5 - 2},"constraint_gradient":[1,0,0.25]}}\n' for t in range(60)]
    args = ["pipe", "--learner", "ofw-ada", "--domain", "l2-ball:dim=3", "--log", "l"]
    last = play(ofw, *args, stdin="".join(lines)).splitlines(keepends=True)[-1]
    with open(ofw.file("l"), "rb") as file:
        whole = file.read()
    refused = 0
    for length in (64, 512, 4096):
        for at in range(0, len(whole), length * (7 if length == 64 else 1)):
            damaged = whole[:at] + bytes(len(whole[at:at + length])) + whole[at + length:]
            with open(ofw.file("l"), "wb") as file:
                file.write(damaged)
            done = ofw.run(*args)
            if done.returncode == 0:
                same((done.stdout, done.stderr), (last, ""), f"{length} zeros at {at}")
                continue
            same((done.returncode, done.stdout), (3, ""), f"{length} zeros at {at}: code and stdout")
            check(done.stderr.count("\n") == 1 and ": damaged at byte " in done.stderr or at == 0, f"stderr {done.stderr!r}")
            with open(ofw.file("l"), "rb") as file:
                same(file.read(), damaged, "the log")
            refused += 1
    check(refused > 30, f"only {refused} refused")
    same(sorted(os.listdir(ofw.folder)), ["l"], "files")


def test_check_and_repair(ofw):
    args = [*PIPE, "--log", "l"]
    whole = play(ofw, *args, "--checkpoint", "c", "--checkpoint-every", "3", stdin="".join(LINES)).splitlines(keepends=True)
    for name, kind in (("l", "log"), ("c", "checkpoint"), ("c.1", "checkpoint")):
        found = strict_json(play(ofw, "check", name, "--json"))
        same((found["kind"], found["state"]), (kind, "whole"), name)
    log = Log(ofw.file("l"))
    for name, at in (("l", log.ends[4] + 60), ("c", 300)):
        with open(ofw.file(name), "r+b") as file:
            file.seek(at)
            file.write(b"?")
    before = contents(ofw)
    done = ofw.run("check", "l", "--json")
    found = strict_json(done.stdout)
    same((done.returncode, found["state"], found["rounds"], found["whole_bytes"]), (3, "damaged", 4, log.ends[4]), "the damaged log")
    done = ofw.run("check", "c")
    same(done.returncode, 3, "the damaged checkpoint")
    check("state          damaged\n" in done.stdout and "one_before     whole\n" in done.stdout, done.stdout)
    same(contents(ofw), before, "files")
    play(ofw, "check", "l", "--repair", "-o", "l2")
    play(ofw, "check", "c", "--repair", "-o", "c2")
    same({name: found for name, found in contents(ofw).items() if name in before}, before, "files")
    same(play(ofw, *PIPE, "--log", "l2"), whole[4], "the pending decision of the new log")
    same(strict_json(play(ofw, "info", "--json", "c2"))["rounds"], 5, "rounds of the new checkpoint")
    done = ofw.run("check", "l", "--repair", "-o", "l2")
    same((done.returncode, done.stderr), (1, "ofw check: nothing was written: l2: File exists\n"), "over a file")
    done = ofw.run("check", "c", "--repair", "-o", "c2")
    same((done.returncode, done.stderr), (1, "ofw check: nothing was written: c2 already exists; choose another name\n"), "over a checkpoint")
    with open(ofw.file("c.1"), "wb") as file:
        file.write(b"ofwcheck?")
    done = ofw.run("check", "c", "--repair", "-o", "c3")
    same((done.returncode, done.stderr), (3, "ofw check: nothing was written: neither c nor c.1 is whole\n"), "nothing left")
    check(not os.path.exists(ofw.file("c3")), "c3 is there")


def test_a_log_is_kept_short(ofw):
    """--log-keep: the same decisions, also after the checkpoint or the one before it was damaged."""
    whole = play(ofw, *PIPE, stdin="".join(LINES)).splitlines(keepends=True)
    for keep in ("0", "2", "100"):
        args = [*PIPE, "--log", "l", "--checkpoint", "c", "--checkpoint-every", "1", "--log-keep", keep]
        for t, line in enumerate(LINES):
            same(play(ofw, *args, stdin=line), "".join(whole[t:t + 2]), f"round {t + 1} with --log-keep {keep}")
        log = Log(ofw.file("l"))
        same(log.lines, [line.rstrip("\n") for line in LINES[log.dropped:]], "the lines that stay")
        check(log.whole and (log.dropped == 0 if keep == "100" else log.dropped > 0), f"--log-keep {keep}: {log.dropped} dropped")
        info = strict_json(play(ofw, "info", "--json", "l"))
        same((info["rounds"], info["dropped"]), (len(LINES), log.dropped), "info")
        kept = contents(ofw)
        with open(ofw.file("c"), "r+b") as file:
            file.seek(250)
            file.write(b"?")
        done = ofw.run(*args)
        same((done.returncode, done.stdout), (0, whole[-1]), "with a damaged checkpoint: code and decision")
        check("warning: c: damaged" in done.stderr and "resuming from it" in done.stderr, done.stderr)
        for name, content in kept.items():
            with open(ofw.file(name), "wb") as file:
                file.write(content)
        if log.dropped:
            os.remove(ofw.file("c"))
            os.remove(ofw.file("c.1"))
            before = contents(ofw)
            play(ofw, *args, code=3, stderr=f"ofw pipe: l begins behind line {log.dropped}, and there is no whole checkpoint of that line "
                 "or a later one at c; --checkpoint must name a checkpoint of it\n")
            play(ofw, *PIPE, "--log", "l", code=3, stderr=f"ofw pipe: l begins behind line {log.dropped}, and no --checkpoint is given; "
                 "--checkpoint must name a checkpoint of it\n")
            same(contents(ofw), before, "files")
        for name in os.listdir(ofw.folder):
            os.remove(ofw.file(name))


def test_a_log_of_version_1(ofw):
    """Goes on as if nothing had been, beside its checkpoint too."""
    whole = play(ofw, *PIPE, "--log", "l", "--checkpoint", "c", stdin=LINES[0] + LINES[1])
    header, total, text = Log(ofw.file("l")).header, 0, b""
    for line in ["ofwlog 1", *header, LINES[0].rstrip("\n"), LINES[1].rstrip("\n")]:
        total = zlib.crc32(line.encode() + b"\n", total)
        text += (b"%08x " % total if text else b"") + line.encode() + b"\n"
    with open(ofw.file("l"), "wb") as file:
        file.write(text)
    with open(ofw.file("c"), "rb") as file:
        state = file.read()
    same(play(ofw, *PIPE, "--log", "l"), whole.splitlines(keepends=True)[-1], "the pending decision")
    log = Log(ofw.file("l"))
    same((log.header, len(log.lines), log.total, log.whole), (header, 2, total, True), "the log, written anew")
    at = state.index(b"sum=")
    check(int(state[at + 4:state.index(b"\n", at)], 16) != total, "both versions have one sum")
    play(ofw, *PIPE, "--log", "l", "--checkpoint", "c", code=3, stderr="ofw pipe: l: the checkpoint c belongs to another log\n")


def test_a_refusal_cuts_nothing(ofw):
    """Not even a torn tail, when the checkpoint is of another log."""
    args = [*PIPE, "--log", "l", "--checkpoint", "c"]
    play(ofw, *args, stdin=LINES[0] + LINES[1])
    os.truncate(ofw.file("l"), Log(ofw.file("l")).ends[1] + 40)
    before = contents(ofw)
    play(ofw, *args, code=3, stderr="ofw pipe: l holds lines up to 1, and the checkpoint c is of line 2\n")
    same(contents(ofw), before, "files")
    os.remove(ofw.file("l"))
    before = contents(ofw)
    play(ofw, *args, code=3, stderr="ofw pipe: l holds lines up to 0, and the checkpoint c is of line 2\n")
    same(contents(ofw), before, "files")


def test_a_checkpoint_that_cannot_be_written(ofw):
    """The log is fine, so the play goes on."""
    os.mkdir(ofw.file("c.tmp"))
    whole = play(ofw, *PIPE, stdin="".join(LINES))
    done = ofw.run(*PIPE, "--log", "l", "--checkpoint", "c", "--checkpoint-every", "1", stdin="".join(LINES))
    same((done.returncode, done.stdout), (0, whole), "code and decisions")
    same(done.stderr, "ofw pipe: warning: cannot write c: Is a directory; the log continues without it\n", "stderr")
    os.rmdir(ofw.file("c.tmp"))


def test_a_link_in_the_place_of_a_new_file(ofw):
    """c.tmp is made, never opened through a link that somebody has put there."""
    ofw.write("precious", "precious")
    os.symlink("precious", ofw.file("c.tmp"))
    play(ofw, *RUN, "--checkpoint", "c")
    with open(ofw.file("precious"), encoding="utf-8") as file:
        same(file.read(), "precious", "what the link led to")
    check(not os.path.islink(ofw.file("c")), "the checkpoint is a link")


def test_a_checkpoint_of_another_log(ofw):
    args = [*PIPE, "--log", "l", "--checkpoint", "c"]
    play(ofw, *args, stdin=LINES[0] + LINES[1])
    os.remove(ofw.file("l"))
    play(ofw, *PIPE, "--log", "l", stdin=LINES[1] + LINES[2] + LINES[3])
    play(ofw, *args, code=3, stderr="ofw pipe: l: the checkpoint c belongs to another log\n")
    play(ofw, *RUN, "--checkpoint", "r")
    play(ofw, *PIPE, "--log", "l", "--checkpoint", "r", code=3, stderr="ofw pipe: r: expected a checkpoint of 'ofw pipe', found another one\n")


def test_a_checkpoint_over_another_file_of_the_domain(ofw):
    """The spec is the same, what its file holds is not."""
    for name, content, other, spec in (("low", "0\n0\n", "0\n0.5\n", "box:lower=@low,upper=1"),
                                       ("city", "1 2\n2 3\n1 3\n", "1 2\n1 3\n2 3\n", "paths:graph=@city,from=1,to=3"),
                                       ("rows", "x1 + x2 <= 1\nx1 >= 0\nx2 >= 0\n", "x1 + x2 <= 2\nx1 >= 0\nx2 >= 0\n", "polytope:rows=@rows"),
                                       ("low", "0\n0\n", "0\n0.5\n", "product:parts=(simplex:dim=2;counted:of=(box:lower=@low,upper=1))")):
        args = ["run", "-q", "--learner", "ofw-tvc", "--domain", spec, "--stream", "linear", "--rounds", "10", "--checkpoint", "c", "--checkpoint-every", "5"]
        ofw.write(name, content)
        play(ofw, *args)
        ofw.write(name, other)
        done = ofw.run(*args, "--resume")
        same((done.returncode, done.stdout, done.stderr.count("domain-content=")), (3, "", 2), f"{spec}: {done.stderr!r}, code, stdout, contents")
        ofw.write(name, content)
        play(ofw, *args, "--resume")
        os.remove(ofw.file("c"))
        os.remove(ofw.file("c.1"))


def test_a_damaged_checkpoint_beside_a_log(ofw):
    args = [*PIPE, "--log", "l", "--checkpoint", "c"]
    whole = play(ofw, *args, stdin="".join(LINES)).splitlines(keepends=True)
    with open(ofw.file("c"), "r+b") as file:
        file.seek(-200, os.SEEK_END)
        file.write(b"?")
    done = play(ofw, *args, stderr="ofw pipe: warning: c: damaged: section 'state' does not match its checksum; "
                "replaying the whole log\n")
    same(done, whole[-1], "the pending decision")


if __name__ == "__main__":
    raise SystemExit(runner.main(__doc__, globals(), "durable.json"))
