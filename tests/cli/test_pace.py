#!/usr/bin/python3
"""ofw pace: the cases of pace.json, then what data cannot say.

    test_pace.py --ofw PATH [--filter SUBSTRING]

The pacer is written a second time here, slowly and from its description, over 'ofw pipe'; live and batch, CSV and NDJSON,
and plays before and after a restart are compared with each other.
"""
import bisect
import csv
import io
import json
import math
import os
import random
import re
import signal
import sys

import runner
from log_file import Log
from program import check, same, strict_json

POINTS, WIDEST, CATCH_UP = 33, 32.0, 1.5
DAY, SLOT = 3600, 60


def market(seed=1, days=3, campaigns=3, sparse=False):
    """Rows (time, campaign, value, cost) in the order of time, and budgets {campaign: [per day]}."""
    rng = random.Random(seed)
    rows = []
    for day in range(days):
        for c in range(campaigns):
            for _ in range(rng.randrange(8, 30) if sparse else rng.randrange(200, 400)):
                at = DAY * (day + rng.random())
                value = math.exp(rng.gauss(c, 0.5))
                rows.append((round(at, 2), f"c{c}", round(value, 4), round(value * math.exp(rng.gauss(0.2 * day - 0.1 * c, 0.6)), 4)))
    rows.sort()
    budgets = {f"c{c}": [round(sum(r[3] for r in rows if r[1] == f"c{c}") / days * rng.uniform(0.1, 0.5), 3) for _ in range(days)] for c in range(campaigns)}
    return rows, budgets


def as_csv(rows, head="time,campaign,value,cost"):
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"


def budgets_csv(budgets):
    return as_csv([(name, day, x) for name, per_day in budgets.items() for day, x in enumerate(per_day)], "campaign,day,budget")


def pace(ofw, *args, code=0, **more):
    done = ofw.run("pace", *args, "--slot", str(SLOT), "--day", str(DAY), **more)
    same(done.returncode, code, f"stderr {done.stderr[:300]!r}, code")
    return done.stdout


def close(found, wanted, what, tolerance=1e-9):
    check(abs(found - wanted) <= tolerance * max(1.0, abs(wanted)), f"{what}: {found!r}, not {wanted!r}")


# ---- the pacer, a second time ----

class Slow:
    def __init__(self, pipe, budgets, guard):
        self.pipe, self.budgets, self.guard = pipe, budgets, guard
        self.names = list(budgets)
        self.slots = DAY // SLOT
        self.share = {name: [1.0 / self.slots] * self.slots for name in self.names}
        self.unit = dict.fromkeys(self.names, 0.0)
        self.multiplier = dict.fromkeys(self.names, 1.0)
        self.out = []
        self.days = 0

    def grid(self, name):
        return [self.unit[name] * WIDEST ** (2.0 * k / (POINTS - 1) - 1.0) for k in range(POINTS)]

    def begin_day(self, day):
        self.day, self.begin = day, 0
        self.budget = {name: self.budgets[name][day] for name in self.names}
        self.spent = dict.fromkeys(self.names, 0.0)
        self.curve = {name: [[0.0] * POINTS for _ in range(self.slots)] for name in self.names}

    def begin_slot(self, slot):
        self.slot = slot
        self.x = json.loads(self.pipe.stdout.readline())["decision"]
        self.seen = {name: [] for name in self.names}
        self.won = dict.fromkeys(self.names, 0.0)
        self.paid = dict.fromkeys(self.names, 0.0)
        self.plan = {}
        for i, name in enumerate(self.names):
            x = self.x[i * POINTS:(i + 1) * POINTS]
            if self.unit[name]:
                self.multiplier[name] = math.exp(sum(w * math.log(m) for w, m in zip(x, self.grid(name))) / sum(x))
            share = self.share[name]
            mine, rest = sum(share[self.begin:slot + 1]), sum(share[self.begin:])
            self.plan[name] = min(max(0.0, self.budget[name] - self.spent[name]) * mine / rest if rest > 0 else 0.0,
                                  CATCH_UP * self.budget[name] * mine / sum(share))

    def auction(self, name, value, cost):
        bid = self.multiplier[name] * value
        if self.guard:
            bid = min(bid, max(0.0, self.budget[name] - self.spent[name]))
        self.seen[name].append((value, cost))
        if bid >= cost:
            self.won[name] += value
            self.paid[name] += cost
            self.spent[name] += cost

    def end_slot(self):
        loss, g, gradients = [], [], []
        for i, name in enumerate(self.names):
            even = self.budget[name] / self.slots
            if self.seen[name] and not self.unit[name]:
                spend = ratio = 0.0
                for value, cost in sorted(self.seen[name], key=lambda a: a[1] / a[0]):
                    if ratio and spend >= self.plan[name]:
                        break
                    ratio, spend = cost / value, spend + cost
                self.unit[name] = ratio
            values, costs = [0.0] * POINTS, [0.0] * POINTS
            if self.unit[name]:
                for k, m in enumerate(self.grid(name)):
                    values[k] = sum(v for v, c in self.seen[name] if m * v >= c)
                    costs[k] = sum(c for v, c in self.seen[name] if m * v >= c)
                self.curve[name][self.slot] = costs
            loss += [-v * self.unit[name] / even for v in values]
            g.append((self.paid[name] - self.plan[name]) / even if self.unit[name] else 0.0)
            gradients.append({"index": list(range(i * POINTS, (i + 1) * POINTS)), "value": [c / even for c in costs]})
            self.out.append((self.day * DAY + self.slot * SLOT, name, self.multiplier[name], self.won[name], self.paid[name], self.plan[name]))
        value = sum(a * b for a, b in zip(loss, self.x))
        self.pipe.stdin.write(json.dumps({"loss": value, "loss_gradient": loss, "constraint": g, "constraint_gradient": gradients}) + "\n")
        self.pipe.stdin.flush()
        self.begin = self.slot + 1

    def end_day(self):
        reach = self.slots // 24
        for name in self.names:
            sums = [sum(slot[k] for slot in self.curve[name]) for k in range(POINTS)]
            k = min(range(POINTS), key=lambda j: (abs(sums[j] - self.budget[name]), j))
            spend = [slot[k] for slot in self.curve[name]]
            for s in range(self.slots if sum(spend) > 0 else 0):
                near = [(reach + 1 - abs(j - s), spend[j]) for j in range(max(0, s - reach), min(self.slots, s + reach + 1))]
                now = sum(w * y for w, y in near) / (sum(w for w, _ in near) * sum(spend))
                self.share[name][s] += (1.0 if self.days == 0 else 0.5) * (now - self.share[name][s])
        self.days += 1

    def play(self, rows):
        at = None
        for time, name, value, cost in rows:
            place = int(time // DAY), int(time % DAY // SLOT)
            if place != at:
                if at:
                    self.end_slot()
                if at and at[0] != place[0]:
                    self.end_day()
                if not at or at[0] != place[0]:
                    self.begin_day(place[0])
                self.begin_slot(place[1])
                at = place
            self.auction(name, value, cost)
        self.end_slot()
        return self.out


def compare_with_slow(ofw, rows, budgets, guard):
    ofw.write("market.csv", as_csv(rows))
    ofw.write("budgets.csv", budgets_csv(budgets))
    pace(ofw, "market.csv", "--budgets", "budgets.csv", "--slots", "slots.csv", *([] if guard else ["--no-guard"]))
    domain = "product:parts=(" + ";".join([f"simplex:dim={POINTS}"] * len(budgets)) + ")"
    with ofw.start("pipe", "--learner", "ofw-ada", "--domain", domain, "--set", "constraints=budgets") as pipe:
        wanted = Slow(pipe, budgets, guard).play(rows)
        pipe.stdin.close()
    with open(ofw.file("slots.csv"), encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    same(len(found), len(wanted), "slots")
    for row, (time, name, multiplier, value, spend, plan) in zip(found, wanted):
        where = f"slot at {time} of {name}"
        same((float(row["time"]), row["campaign"]), (time, name), where)
        for key, number in (("multiplier", multiplier), ("value", value), ("spend", spend), ("plan", plan)):
            close(float(row[key]), number, f"{where}, {key}", 1e-7)


def test_slots_are_those_of_the_slow_pacer(ofw):
    compare_with_slow(ofw, *market(), guard=True)


def test_slots_are_those_of_the_slow_pacer_without_guard(ofw):
    compare_with_slow(ofw, *market(2), guard=False)


def test_slots_without_any_opportunity(ofw):
    compare_with_slow(ofw, *market(3, campaigns=2, sparse=True), guard=True)


# ---- forms of the same ----

def test_csv_and_ndjson_and_names_of_columns(ofw):
    rows, budgets = market(4, days=2)
    ofw.write("budgets.csv", budgets_csv(budgets))
    ofw.write("market.csv", as_csv(rows))
    wanted = pace(ofw, "market.csv", "--budgets", "budgets.csv", "--json")
    check(json.loads(wanted)["won"] > 100, wanted)
    ofw.write("market.ndjson", "\n".join(json.dumps({"cost": k, "more": [{"x": "}"}, None], "value": v, "campaign": c, "time": t}) for t, c, v, k in rows))
    same(pace(ofw, "market.ndjson", "--budgets", "budgets.csv", "--json"), wanted, "NDJSON")
    same(pace(ofw, "-", "--budgets", "budgets.csv", "--json", stdin=as_csv(rows).replace("\n", "\r\n")), wanted, "CRLF on stdin")
    ofw.write("quoted.csv", "\ufeff\"ad\",price,ts,\"worth, in euros\"\n" + "".join(f'"{c}",{k},{t},"{v}"\n' for t, c, v, k in rows))
    same(pace(ofw, "quoted.csv", "--budgets", "budgets.csv", "--json", "--columns", "time=ts,campaign=ad,cost=price,value=worth"
              , code=3), "", "another name")
    ofw.write("quoted.csv", "\ufeff\"ad\",price,ts,\"worth\"\n" + "".join(f'"{c}",{k},{t},"{v}"\n' for t, c, v, k in rows))
    same(pace(ofw, "quoted.csv", "--budgets", "budgets.csv", "--json", "--columns", "time=ts,campaign=ad,cost=price,value=worth"), wanted, "names")
    ofw.write("budgets.ndjson", "\n".join(json.dumps({"campaign": name, "day": d, "budget": x}) for name, per_day in budgets.items() for d, x in enumerate(per_day)))
    same(pace(ofw, "market.csv", "--budgets", "budgets.ndjson", "--json"), wanted, "budgets as NDJSON")


def test_dates_and_local_days(ofw):
    offers = [("2026-03-01T23:59:59Z", 5), ("2026-03-02T00:00:00.5+00:00", 6), ("2026-03-02T03:30:00+02:00", 7), ("2026-03-02 02:00", 8)]
    ofw.write("market.csv", "time,campaign,value,cost\n" + "".join(f"{t},a,{v},1\n" for t, v in offers))
    ofw.write("budgets.csv", "campaign,day,budget\na,2026-03-01,100\na,2026-03-02,50\n")
    done = ofw.run("pace", "market.csv", "--budgets", "budgets.csv", "--json")
    same(done.returncode, 0, done.stderr)
    days = json.loads(done.stdout)["campaigns"][0]["days"]
    same([(d["day"], d["budget"], d["opportunities"]) for d in days], [(20513, 100, 1), (20514, 50, 3)], "days")
    done = ofw.run("pace", "market.csv", "--budgets", "budgets.csv", "--json", "--midnight", "7200")
    same([d["opportunities"] for d in json.loads(done.stdout)["campaigns"][0]["days"]], [3, 1], "days that begin at 2")


def test_units_cancel(ofw):
    """Costs, budgets and --first in another unit: other multipliers, the same auctions are won."""
    rows, budgets = market(5)
    for name, by in (("one", 1.0), ("other", 1024.0)):
        ofw.write(f"{name}.csv", as_csv([(t, c, v, k * by) for t, c, v, k in rows]))
        ofw.write(f"{name}-budgets.csv", budgets_csv({c: [x * by for x in per_day] for c, per_day in budgets.items()}))
    found = [json.loads(pace(ofw, f"{name}.csv", "--budgets", f"{name}-budgets.csv", "--json", "--first", str(by))) for name, by in (("one", 1), ("other", 1024))]
    same(found[0]["won"], found[1]["won"], "won")
    close(found[1]["spend"], 1024 * found[0]["spend"], "spend")


# ---- what it is for ----

def test_budgets_are_kept_and_used(ofw):
    rows, budgets = market(6, days=6)
    ofw.write("market.csv", as_csv(rows))
    ofw.write("budgets.csv", budgets_csv(budgets))
    guarded = json.loads(pace(ofw, "market.csv", "--budgets", "budgets.csv", "--json"))
    for campaign in guarded["campaigns"]:
        for day in campaign["days"]:
            check(day["spend"] <= day["budget"] * (1 + 1e-12), f"{campaign['campaign']}: {day}")
    same(guarded["overspend_percent"], 0, "overspend")
    check(guarded["used_percent"] > 90, f"{guarded['used_percent']} % of the budgets are used")
    free = json.loads(pace(ofw, "market.csv", "--budgets", "budgets.csv", "--json", "--no-guard"))
    over = sum(max(0, d["spend"] - d["budget"]) for c in free["campaigns"] for d in c["days"])
    close(free["overspend_percent"], 100 * over / sum(map(sum, budgets.values())), "overspend")
    same(free["opportunities"], len(rows), "opportunities")


def test_profit_bids_at_most_the_value(ofw):
    """With budgets that are never spent, value wants all auctions, profit those that cost less than they are worth."""
    rows, _ = market(7, days=3, campaigns=1)
    ofw.write("market.csv", as_csv(rows))
    value, profit = (json.loads(pace(ofw, "market.csv", "--budget", "c0=1e9", "--json", "--objective", what)) for what in ("value", "profit"))
    gain = lambda account: account["value"] - account["spend"]
    check(value["won"] > profit["won"] and gain(profit) > gain(value), f"{gain(profit)}, {gain(value)}")
    best = sum(v - k for _, _, v, k in rows if k <= v)
    check(gain(profit) > 0.95 * best, f"profit {gain(profit)} of {best}")


def test_figure_and_table(ofw):
    rows, budgets = market(8, days=2)
    ofw.write("market.csv", as_csv(rows))
    ofw.write("budgets.csv", budgets_csv(budgets))
    out = pace(ofw, "market.csv", "--budgets", "budgets.csv", "--figure", "figure.svg")
    same(out.count("\n"), 5, "lines")
    with open(ofw.file("figure.svg"), encoding="utf-8") as file:
        svg = file.read()
    for word in ("c0", "c1", "c2", "spent", "planned", "multiplier"):
        check(f">{word}<" in svg, f"the figure does not say {word}")


def test_a_figure_of_dates_counts_days_from_the_first(ofw):
    rows = [f"2026-11-{2 + day:02}T{hour:02}:30:00Z,a,1.5,{0.5 + 0.1 * (hour % 5)}" for day in range(3) for hour in range(24)]
    ofw.write("dated.csv", "\n".join(["time,campaign,value,cost", *rows]) + "\n")
    done = ofw.run("pace", "dated.csv", "--budget", "a=5", "--figure", "dated.svg")
    same(done.returncode, 0, f"stderr {done.stderr[:300]!r}, code")
    with open(ofw.file("dated.svg"), encoding="utf-8") as file:
        texts = re.findall(r">([^<>]+)</text>", file.read())
    check("days from 2026-11-02 on" in texts, f"the axis: {texts}")
    ticks = [float(text) for text in texts if re.fullmatch(r"[0-9. ]+", text)]
    check(max(ticks) <= 100, f"ticks beyond three days and 100 %: {ticks}")


# ---- live ----

def say(process, text):
    process.stdin.write(text + "\n")
    process.stdin.flush()


def live(process, rows, as_json):
    """Plays the rows and returns the bids."""
    bids = []
    for t, c, v, k in rows:
        say(process, json.dumps({"time": t, "campaign": c, "value": v}) if as_json else f"{t},{c},{v}")
        answer = json.loads(process.stdout.readline())
        close(answer["bid"] / v, min(answer["multiplier"], answer["bid"] / v), "bid")
        bids.append(answer["bid"])
        say(process, json.dumps({"cost": k}) if as_json else str(k))
    return bids


def test_live_is_batch(ofw):
    rows, budgets = market(9, days=2, campaigns=2)
    ofw.write("market.csv", as_csv(rows))
    ofw.write("budgets.csv", budgets_csv(budgets))
    wanted = json.loads(pace(ofw, "market.csv", "--budgets", "budgets.csv", "--json"))
    for as_json in (True, False):
        with ofw.start("pace", "--live", "--budgets", "budgets.csv", "--json", "--slot", str(SLOT), "--day", str(DAY)) as process:
            if not as_json:
                say(process, "time,campaign,value")
            live(process, rows, as_json)
            process.stdin.close()
            same(json.loads(process.stdout.read()), wanted, "the account")
            same(process.wait(), 0, "code")


def test_live_outcomes_that_differ(ofw):
    lines = [{"time": 0, "campaign": "a", "value": 2}, {"cost": 1, "won": False}, {"time": 1, "campaign": "a", "value": 2}, {"cost": 1, "won": True, "paid": 0.5},
             {"time": 2, "campaign": "a", "value": 2, "cost": 0.25}]
    done = ofw.run("pace", "--live", "--budget", "a=100", "--json", stdin="\n".join(map(json.dumps, lines)))
    account = json.loads(done.stdout.splitlines()[-1])
    same((account["won"], account["spend"], account["value"]), (2, 0.75, 4), "won, spend, value")
    same(len(done.stdout.splitlines()), 4, "lines")


def test_a_restart_goes_on_with_the_log(ofw):
    rows, budgets = market(10, days=2, campaigns=2)
    ofw.write("budgets.csv", budgets_csv(budgets))
    command = ["pace", "--live", "--budgets", "budgets.csv", "--slot", str(SLOT), "--day", str(DAY)]
    with ofw.start(*command) as process:
        wanted = live(process, rows, True)
        process.stdin.close()
    found, cut = [], [0, 1, len(rows) // 3, len(rows) // 2, len(rows)]
    for a, b in zip(cut[:-1], cut[1:]):
        with ofw.start(*command, "--log", "pace.log") as process:
            found += live(process, rows[a:b - 1], True)
            t, c, v, k = rows[b - 1]           # its outcome comes, and the process is killed before it is asked again
            say(process, json.dumps({"time": t, "campaign": c, "value": v, "cost": k}))
            found.append(json.loads(process.stdout.readline())["bid"])
            process.send_signal(signal.SIGKILL)
    same(found, wanted, "bids")
    done = ofw.run(*command[:-1], "1800", "--log", "pace.log")
    same((done.returncode, done.stderr.count("\n")), (3, 1), done.stderr)


LIVE = ["pace", "--live", "--budgets", "budgets.csv", "--slot", str(SLOT), "--day", str(DAY), "--json"]


def until_killed(ofw, command, rows, done, count, last):
    """Plays `count` rows behind the first `done` ones, and is killed with the last outcome on its way: bids, the account if that was the end."""
    bids = []
    with ofw.start(*command) as process:
        if done:
            say(process, json.dumps({"cost": last}))             # which the killed process may have taken or not
        for t, c, v, k in rows[done:done + count]:
            say(process, json.dumps({"time": t, "campaign": c, "value": v}))
            answer = json.loads(process.stdout.readline())
            same(answer["opportunity"], done + len(bids) + 1, "opportunity")
            bids.append(answer["bid"])
            say(process, json.dumps({"cost": k}))
        if done + count < len(rows):
            process.send_signal(signal.SIGKILL)
            return bids, None
        process.stdin.close()
        account = json.loads(process.stdout.read())
        same(process.wait(), 0, "code")
        return bids, account


def test_a_checkpoint_and_kill_9(ofw):
    """Killed at random moments and started again: the bids and the account of one undisturbed process, bit for bit."""
    rows, budgets = market(12, days=8, campaigns=2, sparse=True)
    ofw.write("budgets.csv", budgets_csv(budgets))
    wanted = until_killed(ofw, LIVE, rows, 0, len(rows), None)
    rng, kills = random.Random(1), 0
    for more in ([], ["--log-keep", "3"], ["--checkpoint-every", "1"], ["--checkpoint-every", "1000000"]):
        command = [*LIVE, "--log", "l", "--checkpoint", "c", *(more if "--checkpoint-every" in more else [*more, "--checkpoint-every", "5"])]
        found, account = [], None
        while len(found) < len(rows):
            done = len(found)
            bids, account = until_killed(ofw, command, rows, done, rng.choice([1, 2, 3, 20, 50]), rows[done - 1][3])
            found += bids
            kills += account is None
        same((found, account), wanted, f"bids and account with {more}")
        log = Log(ofw.file("l"))
        check(log.whole and (log.dropped > 0) == ("--log-keep" in more), f"{more}: {log.dropped} lines of the log are dropped")
        same(strict_json(ofw.run("check", "c", "--json").stdout)["state"], "whole", "the checkpoint")
        for name in os.listdir(ofw.folder):
            if name != "budgets.csv":
                os.remove(ofw.file(name))
    check(kills > 30, f"only {kills} kills")


def test_signals_leave_a_checkpoint(ofw):
    """Of all that was answered, so that a restart plays nothing of a log that has lost its lines."""
    rows, budgets = market(13, days=2, campaigns=2)
    ofw.write("budgets.csv", budgets_csv(budgets))
    wanted = until_killed(ofw, LIVE, rows, 0, len(rows), None)[0]
    command, found = [*LIVE, "--log", "l", "--checkpoint", "c", "--log-keep", "0"], []
    for stop in (signal.SIGTERM, signal.SIGINT, None):
        with ofw.start(*command) as process:
            if found:
                say(process, json.dumps({"cost": rows[len(found) - 1][3]}))
            rest = rows[len(found):] if stop is None else rows[len(found):len(found) + 200]
            found += live(process, rest, True)
            if stop:
                process.send_signal(stop)
                same(process.wait(), 128 + stop, "code")
    same(found, wanted, "bids")


def test_an_outcome_is_sent_again(ofw):
    """The last outcome again after each restart: taken if the log has it not, skipped if it has; a second time it is no opportunity."""
    rows, budgets = market(15, days=2, campaigns=2, sparse=True)
    ofw.write("budgets.csv", budgets_csv(budgets))
    wanted = until_killed(ofw, LIVE, rows, 0, len(rows), None)[0]
    for more in ([], ["--checkpoint", "c"]):
        command, found = [*LIVE, "--log", "l", *more], []
        for i, (t, c, v, k) in enumerate(rows[:40]):
            lines = [{"time": t, "campaign": c, "value": v}] + [{"cost": k}] * (i % 2)        # with its outcome, or without
            done = ofw.run(*command, stdin="\n".join(map(json.dumps, ([{"cost": rows[i - 1][3]}] if i else []) + lines)))
            same(done.returncode, 0, done.stderr)
            found.append(json.loads(done.stdout.splitlines()[0])["bid"])
        same(found, wanted[:40], f"bids with {more}")
        done = ofw.run(*command, stdin='{"cost":1}\n')
        same((done.returncode, done.stderr), (0, ""), "code and stderr")
        done = ofw.run(*command, stdin='{"cost":1}\n{"cost":1}\n')
        same((done.returncode, done.stderr.count("\n")), (3, 1), f"{done.stderr}: code and lines")
        os.remove(ofw.file("l"))


def test_what_a_checkpoint_is_refused_for(ofw):
    rows, budgets = market(14, days=2, campaigns=2)
    ofw.write("budgets.csv", budgets_csv(budgets))
    command = [*LIVE, "--log", "l", "--checkpoint", "c"]
    bids, _ = until_killed(ofw, command, rows, 0, len(rows), None)
    before = {name: open(ofw.file(name), "rb").read() for name in os.listdir(ofw.folder)}

    def refused(args, code, words):
        done = ofw.run(*args)
        same((done.returncode, done.stdout, done.stderr.count("\n")), (code, "", 1), f"{args}: {done.stderr}")
        check(words in done.stderr, f"{done.stderr!r} does not say {words!r}")
        same({name: open(ofw.file(name), "rb").read() for name in before}, before, "files")

    ofw.write("turned.csv", budgets_csv(dict(reversed(budgets.items()))))
    before["turned.csv"] = open(ofw.file("turned.csv"), "rb").read()
    refused(["turned.csv" if word == "budgets.csv" else word for word in command], 3, "of other campaigns than those with a budget, or of another order")
    refused(["1800" if word == str(DAY) else word for word in command], 3, "day=3600")
    refused([*LIVE, "--checkpoint", "c"], 2, "--checkpoint needs --log FILE")
    refused([*LIVE, "--log", "l", "--log-keep", "3"], 2, "--log-keep needs --checkpoint FILE")
    refused([*LIVE, "--log", "l", "--checkpoint-every", "3"], 2, "--checkpoint-every needs --checkpoint FILE")
    refused([*command, "--slots", "s"], 2, "--slots does not work with --checkpoint")
    refused([*command, "--figure", "f.svg"], 2, "--figure does not work with --checkpoint")
    refused([*LIVE, "--log", "l", "--checkpoint", "l"], 2, "--checkpoint l would overwrite --log l")
    refused(["pace", "m.csv", "--budget", "a=1", "--checkpoint", "c"], 2, "--checkpoint needs --live")
    pipe = ["pipe", "--learner", "ofw-ada", "--domain", "simplex:dim=3", "--log", "l2", "--checkpoint", "c2"]
    same(ofw.run(*pipe, stdin='{"loss":1,"loss_gradient":[1,0,0]}\n').returncode, 0, "code")
    refused([*LIVE, "--log", "l", "--checkpoint", "c2"], 3, "c2: a state saved with")

    with open(ofw.file("c"), "r+b") as file:                    # the log has everything: a damaged checkpoint is only worth a warning
        file.seek(-200, os.SEEK_END)
        file.write(b"?")
    row = rows[-1]
    line = json.dumps({"time": row[0], "campaign": row[1], "value": row[2], "cost": row[3]})
    done = ofw.run(*command, stdin=line + "\n")
    same(done.returncode, 0, done.stderr)
    check("warning: c: damaged" in done.stderr, done.stderr)
    same(json.loads(done.stdout.splitlines()[0])["opportunity"], len(bids) + 1, "opportunity")


def test_signals_end_it(ofw):
    with ofw.start("pace", "--live", "--budget", "a=1") as process:
        say(process, '{"time":0,"campaign":"a","value":1}')
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        same(process.wait(), 143, "code")


def test_hostile_lines_end_in_one_line(ofw):
    """Bytes of a good file changed at random: accepted or refused with one line that names a line, and never anything else."""
    rows, _ = market(11, days=1, campaigns=1)
    for name, text in (("csv", as_csv(rows[:6])), ("ndjson", "\n".join(json.dumps(dict(zip(("time", "campaign", "value", "cost"), row))) for row in rows[:6]))):
        rng = random.Random(name)
        for _ in range(120):
            data = bytearray(text.encode())
            for _ in range(rng.randrange(1, 4)):
                at = rng.randrange(len(data))
                data[at:at + rng.randrange(0, 3)] = rng.choice([b"", b'"', b",", b"\\", b"\0", b"\xff", b"{", b"}", b"-", b"9e999", b"\\ud800", b"\n", b"nan"])
            with open(ofw.file("hostile"), "wb") as file:
                file.write(data)
            done = ofw.run("pace", "hostile", "--budget", "c0=100")
            check(done.returncode in (0, 3), f"code {done.returncode} for {bytes(data)!r}: {done.stderr!r}")
            check(done.returncode == 0 or (done.stderr.count("\n") == 1 and "line " in done.stderr and done.stdout == ""), f"{done.stderr!r}")


if __name__ == "__main__":
    sys.exit(runner.main("ofw pace", globals(), "pace.json"))
