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
    if "verdict" in claim:
        word = claim["verdict"]
        p = "" if claim["p_holm"] is None or word == "not decided" else f", p {claim['p_holm']:.2g}"
    else:
        word, p = claim["direction"], ""
    share = "" if claim["relative"] is None else f" ({100 * claim['relative']:+.0f} %{p})"
    return f"**{word}**{share}" if word == "holds" else word + share


def claims(results):
    """Every comparison of the literal reading, under each reading and each rule of choosing constants."""
    readings = results["readings"]
    find = [{(c["claim"], c["metric"], c["than"]): c for c in r["claims"]} for r in readings]
    out = head("claim", *(f"`{r['reading']}`" for r in readings))
    for c in readings[0]["claims"]:
        key = c["claim"], c["metric"], c["than"]
        out += row(f"{c['claim']}: {c['metric'].upper() if c['metric'] == 'ccv' else c['metric']} of {c['better']} below that of {c['than']}",
                   *(verdict(known.get(key)) for known in find))
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


KINDS = {"learners": learners, "claims": claims, "spread": spread}
