#!/usr/bin/python3
"""Paces a day's budget as client.py does, but every bill comes late: N rounds after its decision. Standard library only.

    late_client.py [URL [ROUNDS [N]]] [--delete]

N is 12 unless given. The session has delay=N, so that up to N decisions may be open when the next one is asked for. One call per round
sends the feedback of a round that is N back, and asks for the decision of the next: both name their rounds, so both can be sent again.
"""
import sys

from client import BUDGET, CHANNELS, call, market


def cost(t, x, rounds):
    """What the decision x of round t has cost, which its bill says: gradients are those at x, however far the learner is by now."""
    offers = [market(t, i) for i in range(CHANNELS)]
    spend = sum(price * share for (_, price), share in zip(offers, x))
    return {"round": t, "loss": -sum(worth * (share - share * share / 2) for (worth, _), share in zip(offers, x)),
            "loss_gradient": [worth * (share - 1) for (worth, _), share in zip(offers, x)],
            "constraint": spend - BUDGET / rounds, "constraint_gradient": [price for _, price in offers]}


def main():
    words = [word for word in sys.argv[1:] if word != "--delete"]
    sessions = (words[0] if words else "http://127.0.0.1:8780") + "/v1/sessions"
    rounds, late = (int(words[k]) if len(words) > k else usual for k, usual in ((1, 288), (2, 12)))
    made = call("POST", sessions, {"learner": "ofw-ada", "domain": f"hypercube01:dim={CHANNELS}", "name": "late bills",
                                   "options": {"constraints": "budgets", "delay": late}})
    session = sessions + "/" + made["id"]
    spent = got = 0.0
    opened = {}                                         # decisions that wait for their bills, by their rounds
    for t in range(1, rounds + late + 1):
        lines = []
        if t > late:
            bill = cost(t - late, opened.pop(t - late), rounds)
            got, spent = got - bill["loss"], spent + bill["constraint"] + BUDGET / rounds
            lines.append(bill)
        if t <= rounds:
            lines.append({"ask": {"decide": {"round": t}}})
        answers = call("POST", session + "/feedback", lines)
        opened |= {answer["round"]: answer["decision"] for answer in answers if "decision" in answer}
    print(f"{rounds} rounds, {late} late, spent {spent:.2f} of {BUDGET:.2f}, worth {got:.2f}")
    if "--delete" in sys.argv:
        call("DELETE", session)


if __name__ == "__main__":
    main()
