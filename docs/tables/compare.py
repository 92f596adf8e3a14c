"""Tables and a figure of what `ofw compare` prints: learners after the same tuning, and who is better where."""
import re

from cells import head, number, row

NAMES = ("compare-rivals", "compare-rivals-trace", "compare-ada", "ada-report")
FULL = ("ofw-tvc:sigma=line-search", "scofw-tvc", "opdp", "opdp:sigma=line-search", "lpm", "coco-adagrad")
BANDIT = ("bfw-tvc", "scbfw-tvc", "lbpm")


def parse(text):
    """[(stream, {learner: its columns}, [(learner, rival, {metric: (verdict, rest)})])]"""
    out = []
    for line in text.splitlines():
        duel = re.match(r"  (\S+) against (\S+): regret (.*?) \((.*?)\); ccv (.*?) \((.*?)\)$", line)
        if line == "in all":
            break
        if duel:
            out[-1][2].append((duel[1], duel[2], {"regret": (duel[3], duel[4]), "ccv": (duel[5], duel[6])}))
        elif line.startswith("  ") and not line.startswith("  learner "):
            name, regret, regret_sd, ccv, ccv_sd, score, calls, *chosen = line.split(None, 7)
            out[-1][1][name] = {"regret": float(regret), "regret_sd": regret_sd, "ccv": float(ccv), "ccv_sd": ccv_sd,
                                "score": float(score), "calls": calls, "chosen": chosen[0] if chosen else ""}
        elif re.match(r"\w", line) and not line.startswith(("T = ", "better, worse")):
            out.append((line, {}, []))
    if not out:
        raise SystemExit("this is not what 'ofw compare' prints")
    return out


def short(name):
    return f"`{name.removesuffix(':sigma=line-search')}`" + (", line search" if name.endswith(":sigma=line-search") else "")


def means(text, learners):
    """Regret / CCV per stream; the lowest score of a stream is bold."""
    games = parse(text)
    learners = [name for name in learners if any(name in played for _, played, _ in games)]
    out = head("stream, domain", *(short(name) for name in learners))
    for stream, played, _ in games:
        least = min(played[name]["score"] for name in learners if name in played)
        cells = []
        for name in learners:
            of = played.get(name)
            text = f"{number(of['regret'])} / {number(of['ccv'])}" if of else ""
            cells.append(f"**{text}**" if of and of["score"] == least else text)
        out += row(place(stream), *cells)
    return out


def place(stream):
    name, _, domain = stream.partition(", ")
    return f"`{name}`" + (f", {domain.split(':')[0]}" if domain else "")


def duels(text):
    """Better, worse or not decided, for every pair on every stream."""
    games = parse(text)
    pairs = list(dict.fromkeys((a, b) for _, _, fought in games for a, b, _ in fought))
    sign = {"better": "+", "worse": "-"}
    out = head("stream, domain", *(f"{short(a)} against {short(b)}" for a, b in pairs))
    for stream, _, fought in games:
        of = {(a, b): metrics for a, b, metrics in fought}
        out += row(place(stream), *("" if pair not in of else " ".join(sign.get(of[pair][m][0], "0") for m in ("regret", "ccv")) for pair in pairs))
    return out


def standing(text):
    """How often each is better and worse, over all streams."""
    games = parse(text)
    pairs = list(dict.fromkeys((a, b) for _, _, fought in games for a, b, _ in fought))
    out = head("learner", "against", "streams", "regret better", "worse", "CCV better", "worse")
    for pair in pairs:
        of = [metrics for _, _, fought in games for a, b, metrics in fought if (a, b) == pair]
        count = lambda metric, verdict: str(sum(m[metric][0] == verdict for m in of))
        out += row(short(pair[0]), short(pair[1]), str(len(of)), count("regret", "better"), count("regret", "worse"), count("ccv", "better"), count("ccv", "worse"))
    return out


def chosen(text):
    """The constants that the tuning chose."""
    games = parse(text)
    learners = [name for name in (*FULL, *BANDIT) if any(name in played for _, played, _ in games)]
    out = head("stream, domain", *(short(name) for name in learners))
    for stream, played, _ in games:
        out += row(place(stream), *(played[name]["chosen"] if name in played else "" for name in learners))
    return out


def beside_tuned(text, ours, tuned):
    """The parameter-free learners `ours` beside the best of the tuned ones; the score is of the first of ours."""
    out = head("stream", "domain", *(f"`{name}`" for name in ours), "best tuned", "score over its", "better in both")
    for stream, played, _ in parse(text):
        name, _, domain = stream.partition(", ")
        first, rivals = played[ours[0]], {rival: of for rival, of in played.items() if rival in tuned}
        score = lambda of: max(of["regret"], 0.0) + of["ccv"]
        best = min(rivals, key=lambda rival: score(rivals[rival]))
        both = [short(rival) for rival, of in rivals.items() if of["regret"] < first["regret"] and of["ccv"] < first["ccv"]]
        pair = lambda of: f"{number(of['regret'])} / {number(of['ccv'])}" if of else ""
        out += row(f"`{name}`", f"`{domain}`" if domain else "its own", *(pair(played.get(name)) for name in ours), f"{short(best)} {pair(rivals[best])}",
                   f"{score(first) / score(rivals[best]):.2f}", ", ".join(both) or "none")
    return out


KINDS = {"full": lambda text: means(text, FULL), "bandit": lambda text: means(text, BANDIT), "duels": duels, "standing": standing,
         "chosen": chosen, "ada": lambda text: beside_tuned(text, ("ofw-ada", "ofw-ada-sc"), ("ofw-tvc", *FULL)),
         "bandit-ada": lambda text: beside_tuned(text, ("bfw-ada",), BANDIT)}


# ---- the figure ----

COLOURS = {"better": "#1a7f37", "worse": "#cf222e", "not decided": "#d0d7de"}


def winners(read):
    """Who wins where: for every stream and rival a square, the left half for regret and the right half for CCV."""
    games = parse(read("compare-rivals"))
    pairs = [pair for pair in dict.fromkeys((a, b) for _, _, fought in games for a, b, _ in fought)]
    left, top, wide, high = 200, 76, 92, 26
    width, height = left + wide * len(pairs) + 16, top + high * len(games) + 62
    plain = lambda name: name.replace(":sigma=line-search", "*")
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12" role="img">',
           "<title>Who wins where: the paper's learners against their rivals, tuned alike</title>",
           '<rect width="100%" height="100%" fill="white"/>']
    for k, (a, b) in enumerate(pairs):
        x = left + wide * k + wide / 2
        out.append(f'<text x="{x}" y="{top - 46}" text-anchor="middle" font-weight="bold">{plain(a)}</text>')
        out.append(f'<text x="{x}" y="{top - 30}" text-anchor="middle" fill="#57606a">against</text>')
        out.append(f'<text x="{x}" y="{top - 14}" text-anchor="middle">{plain(b)}</text>')
    for i, (stream, _, fought) in enumerate(games):
        y = top + high * i
        name, _, domain = stream.partition(", ")
        out.append(f'<text x="{left - 12}" y="{y + 17}" text-anchor="end">{name}, {domain.split(":")[0]}</text>')
        of = {(a, b): metrics for a, b, metrics in fought}
        for k, pair in enumerate(pairs):
            for half, metric in enumerate(("regret", "ccv")):
                if pair in of:
                    x = left + wide * k + 6 + half * (wide - 12) / 2
                    out.append(f'<rect x="{x:.1f}" y="{y + 2}" width="{(wide - 12) / 2 - 1:.1f}" height="{high - 4}" fill="{COLOURS[of[pair][metric][0]]}"/>')
                    sign = {"better": "+", "worse": "−"}.get(of[pair][metric][0], "")
                    out.append(f'<text x="{x + (wide - 12) / 4:.1f}" y="{y + 17}" text-anchor="middle" fill="white">{sign}</text>')
    y = top + high * len(games) + 22
    for k, (verdict, colour) in enumerate(COLOURS.items()):
        x = left + 6 + 150 * k
        out.append(f'<rect x="{x}" y="{y}" width="16" height="16" fill="{colour}"/><text x="{x + 22}" y="{y + 13}">{verdict}</text>')
    out.append(f'<text x="{left + 6}" y="{y + 34}" fill="#57606a">left half: regret, right half: CCV; * with line search</text>')
    return "\n".join(out) + "\n</svg>\n"


FIGURES = {"rivals.svg": winners}
