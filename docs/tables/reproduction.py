"""The tables of docs/reproduction.md: what `ofw reproduce` left, docs/results/SET.json (a readings.json)."""
from cells import head, number, row

NAMES = ("movielens", "filmtrust")


def learners(results):
    """What each learner of the literal reading came to, and the constants that were chosen for it."""
    literal = results["readings"][0]
    chosen = {t["learner"]: ", ".join(f"{name} {factor:.3g}" for name, factor in zip(t["constants"], t["chosen"]["factors"])) for t in results["tuning"]}
    came = {}
    for c in literal["claims"]:
        for side in ("better", "than"):
            came.setdefault(c[side], {})[c["metric"]] = f"{number(c[side + '_mean'])} ± {number(c[side + '_sd'])}"
    out = head("learner", "loss", "CCV", "chosen")
    for name, metrics in came.items():
        out += row(name, metrics.get("loss", "-"), metrics.get("ccv", "-"), chosen.get(name, "nothing to choose"))
    return f"T = {literal['rounds']}, {literal['seeds']} seeds, mean ± standard deviation.\n\n" + out


def verdict(claim):
    if claim is None:
        return ""
    word = claim.get("verdict") or claim["direction"]
    share = "" if claim["relative"] is None else f" ({100 * claim['relative']:+.0f} %)"
    return f"**{word}**{share}" if word == "holds" else word + share


def comparisons(readings, admit):
    """A row per comparison that is admitted, a column per reading."""
    find = [{(c["claim"], c["metric"], c["than"]): c for c in r["claims"]} for r in readings]
    every = {key: c for known in find for key, c in known.items() if admit(c)}
    out = head("claim", *(f"`{r['reading']}`" for r in readings))
    for key, c in every.items():
        out += row(f"{c['claim']}: {c['metric'].upper() if c['metric'] == 'ccv' else c['metric']} of {c['better']} below that of {c['than']}",
                   *(verdict(known.get(key)) for known in find))
    return out


def is_ours(claim):
    return claim["claim"].startswith("ours")


def played(results):
    return [r for r in results["readings"] if "from" not in r]


def claims(results):
    """What the paper claims, under each reading that was played."""
    return comparisons(played(results), lambda c: not is_ours(c))


def ours(results):
    """What we claim, under the same readings."""
    return comparisons(played(results), is_ours)


def rules(results):
    """What the paper claims if constants are chosen by other rules, from the plays of the literal reading."""
    return comparisons([r for r in results["readings"] if "from" in r], lambda c: not is_ours(c) and c["metric"] != "hypervolume")


def means(results):
    """Loss and CCV of every learner under each reading that was played."""
    readings = played(results)
    found = []
    for r in readings:
        came = {}
        for c in r["claims"]:
            for side in ("better", "than"):
                came.setdefault(c[side], {})[c["metric"]] = number(c[side + "_mean"])
        found.append(came)
    out = head("loss / CCV", *(f"`{r['reading']}`" for r in readings))
    for name in {name: 0 for came in found for name in came}:
        out += row(name, *(f"{came[name].get('loss', '-')} / {came[name].get('ccv', '-')}" if name in came else "" for came in found))
    return out


def spread(results):
    """What the seed that constants are chosen on decides."""
    out = head("learner", "chosen", "by each tuning seed alone", "loss then", "CCV then")
    for t in results["tuning"]:
        text = lambda pick: " x ".join(f"{f:.3g}" for f in pick["factors"])
        out += row(t["learner"], text(t["chosen"]),
                   ", ".join(text(pick) for pick in t["by_seed"]),
                   *(f"{number(t[metric]['least'])} .. {number(t[metric]['largest'])}" for metric in ("loss", "ccv")))
    return out


KINDS = {"learners": learners, "claims": claims, "ours": ours, "rules": rules, "means": means, "spread": spread}
