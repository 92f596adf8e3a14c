"""Tables of what `ofw growth` prints, or gives as JSON: slopes over T with intervals, and a verdict per row."""
import re

from cells import head, row

NAMES = ("growth-table1", "growth-ada", "growth-ada-trace", "growth-ada-million", "growth-ada-sc-uneven", "growth-horizons")
CORE = {"ofw-tvc": ("theorem", "tight", "tuned"), "scofw-tvc": ("theorem", "tuned"), "bfw-tvc": ("theorem", "tuned"),
        "scbfw-tvc": ("theorem", "tuned")}


def parse(text):
    """[(learner, what is proved, the columns' names, rows)]"""
    out = []
    for line in text.splitlines():
        if re.match(r"[a-z-]+: ", line):
            learner, proved = line.split(": ", 1)
            out.append((learner, proved, [], []))
        elif line.startswith("  stream "):
            out[-1][2].extend(re.split(r"\s{2,}", line.strip()))
        elif line.startswith("  "):
            cells = re.split(r"\s{2,}", line.strip())
            out[-1][3].append(cells + [""] * (10 - len(cells)))
    if not out or not all(rows for *_, rows in out):
        raise SystemExit("this is not what 'ofw growth' prints")
    return out


def said(verdict):
    return f"**{verdict}**" if verdict == "exceeds" else verdict


def learners(text):
    """A table per learner."""
    first = text.splitlines()[0]
    out = f"{first}.\n" if first.startswith("T = ") else ""
    for learner, proved, names, rows in parse(text):
        at = names[5].replace("T=", "at T = ")
        tuned = any(cells[9] for cells in rows)
        out += f"\n**`{learner}`**: {proved}\n\n"
        out += head("stream", "domain", "constants", "regret ~ T^", "verdict", at, "CCV ~ T^", "verdict", at, *(["chosen"] if tuned else []))
        for cells in rows:
            cells = [*cells[:4], said(cells[4]), *cells[5:7], said(cells[7]), *cells[8:]]
            out += row(f"`{cells[0]}`", f"`{cells[1]}`" if cells[1] != "-" else "its own", *cells[2:9], *(cells[9:10] if tuned else []))
    return out


def core(text):
    """The paper's four learners on the two kinds of losses that the rates are about."""
    out = head("learner", "proved", "stream, domain", "constants", "regret ~ T^", "CCV ~ T^")
    for learner, proved, _, rows in parse(text):
        regret, ccv = re.match(r"proved regret (.*) \(slope .* here\), ccv (.*) \(slope .* here\)", proved).groups()
        for cells in rows:
            if cells[2] in CORE.get(learner, ()) and cells[0] in ("linear", "quadratic"):
                shown = [f"{slope}, {verdict}" if slope != "-" else verdict for slope, verdict in ((cells[3], cells[4]), (cells[6], cells[7]))]
                out += row(f"`{learner}`", f"{regret}, {ccv}", f"{cells[0]}, {cells[1].split(':')[0]}", cells[2], *shown)
    return out


# ---- growth-horizons.json: the same learners with a known horizon and with --horizon auto ----


def span(means):
    """From the smallest horizon to the largest."""
    return " .. ".join(f"{x:,.0f}".replace(",", " ") if x >= 100 else f"{x:.1f}" for x in (means[0], means[-1]))


def slope(of, metric):
    fit, verdict = of[f"{metric}_exponent"], of[f"{metric}_verdict"]
    shown = "-" if fit is None else f"{fit[1]:.3f} [{fit[0]:.3f}, {fit[2]:.3f}]"
    return f"negligible, {shown}" if verdict == "negligible" else f"**{shown}**" if verdict == "exceeds" else shown


def exponents(results):
    """Every learner with each of its constants; the slopes that exceed the proved ones are bold."""
    of = results["known"]
    out = head("stream", "learner", "constants", "regret exponent", f"regret at T = {of['rounds'][0]} .. {of['rounds'][-1]}", "CCV exponent")
    for each in sorted(of["rows"], key=lambda each: (list(CORE).index(each["learner"]), each["stream"])):
        out += row(each["stream"], f"`{each['learner']}`", f"`{each['constants']}`", slope(each, "regret"), span(each["regret"]), slope(each, "ccv"))
    return out


def horizon_auto(results):
    """The theorem's constants if T is known, and if it is not."""
    known = {(each["stream"], each["learner"]): each for each in results["known"]["rows"] if each["constants"] == "theorem"}
    out = head("stream", "learner", "regret, T known", "regret, horizon auto", "CCV, T known", "CCV, horizon auto")
    for each in results["auto"]["rows"]:
        of = known[each["stream"], each["learner"]]
        out += row(each["stream"], f"`{each['learner']}`", span(of["regret"]), span(each["regret"]), span(of["ccv"]), span(each["ccv"]))
    return out


KINDS = {"learners": learners, "core": core, "exponents": exponents, "auto": horizon_auto}
