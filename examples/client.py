#!/usr/bin/python3
"""Paces a day's budget over three channels with `ofw serve`. Standard library only.

    client.py [URL [ROUNDS]] [--delete]

URL is http://127.0.0.1:8780 and ROUNDS is 288 unless given; a token is read from OFW_TOKEN.
In round t the client buys the share x_i of what channel i offers, 0 <= x_i <= 1, and sees only afterwards what it got and paid:

    loss        -sum_i worth_i (x_i - x_i^2 / 2)      the first half of an offer is worth more than the second
    constraint  sum_i cost_i x_i - BUDGET / ROUNDS    spend above an even plan

`constraints=budgets` makes the sum of the constraint count, so a cheap round pays for a dear one.
"""
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

CHANNELS, BUDGET = 3, 100.0


def call(method, url, document=None):
    """The answer; a list goes and comes as lines. What got none is sent again as it was: the server knows a round that it has taken by its number."""
    many = isinstance(document, list)
    headers = {"Content-Type": "application/x-ndjson" if many else "application/json"}
    if os.environ.get("OFW_TOKEN"):
        headers["Authorization"] = "Bearer " + os.environ["OFW_TOKEN"]
    body = "\n".join(map(json.dumps, document if many else [document])).encode() if document else None
    for wait in (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method), timeout=10) as answer:
                text = answer.read()
                return [json.loads(line) for line in text.splitlines()] if many else json.loads(text or "null")
        except urllib.error.HTTPError as refused:
            if refused.code not in (429, 503, 507):     # too fast, stopping, disk full: these pass
                sys.exit(f"client.py: {refused.read().decode()}")
        except (OSError, http.client.HTTPException):
            pass                                        # the server is away, or its answer was lost
        time.sleep(wait)
    sys.exit(f"client.py: no answer from {url}")


def market(t, i):
    """What all that channel i offers in round t is worth and costs: a stand-in for your own figures."""
    return 0.5 + (7919 * t + 104729 * i) % 1009 / 1009, (0.4 + 0.3 * i) * (0.8 + 31 * t % 97 / 240)


def main():
    words = [word for word in sys.argv[1:] if word != "--delete"]
    sessions = (words[0] if words else "http://127.0.0.1:8780") + "/v1/sessions"
    rounds = int(words[1]) if len(words) > 1 else 288
    made = call("POST", sessions, {"learner": "ofw-ada", "domain": f"hypercube01:dim={CHANNELS}", "name": "pacing",
                                   "options": {"constraints": "budgets", "period": rounds}})
    session = sessions + "/" + made["id"]
    x = call("GET", session + "/decision")["decision"]
    spent = got = 0.0
    for t in range(1, rounds + 1):
        loss = spend = 0.0
        loss_gradient, costs = [], []
        for i in range(CHANNELS):
            worth, cost = market(t, i)
            loss -= worth * (x[i] - x[i] * x[i] / 2)
            spend += cost * x[i]
            loss_gradient.append(worth * (x[i] - 1))
            costs.append(cost)
        got -= loss
        spent += spend
        x = call("POST", session + "/feedback?decide=1",
                 {"round": t, "loss": loss, "loss_gradient": loss_gradient,
                  "constraint": spend - BUDGET / rounds, "constraint_gradient": costs})["decision"]
    print(f"{rounds} rounds, spent {spent:.2f} of {BUDGET:.2f}, worth {got:.2f}")
    if "--delete" in sys.argv:
        call("DELETE", session)


if __name__ == "__main__":
    main()
