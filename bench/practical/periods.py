"""Does a long play have to forget? `ofw pace` on markets of a year, as it is and with `--set period=N`.

A problem of practical.py. The game and the scores are those of pacing.py. Without a period the steps of a price get shorter with the root of
the number of rounds; with one they follow the last periods. Both are played with and without the guard; the last month is scored apart.
"""
import market as markets
from pacing import Outcome, best_in_hindsight, ofw_pace

DAYS, LAST = 360, 30
PERIODS = {"no period": [], "a day, `period=288`": ["--set", "period=288"], "a week, `period=2016`": ["--set", "period=2016"]}
MARKETS = {"plain": {"seed": 121, "drift": 0.05}, "strong drift": {"seed": 122}, "price shock x 2.5": {"seed": 123, "drift": 0.05, "shock": 2.5}}


def last_days(market, outcome, best, days):
    """The score of the last days alone."""
    cut = markets.Market(market.time, market.campaign, market.value, market.cost, market.budgets[:, -days:])
    return Outcome(outcome.value[:, -days:], outcome.spend[:, -days:]).score(cut, best[:, -days:])


def run(ofw, quick):
    out = []
    days = 20 if quick else DAYS
    for name, options in list(MARKETS.items())[:1 if quick else None]:
        market = markets.rounded(markets.generate(markets.Parameters(campaigns=4, days=days, auctions=4_000 * days, **options)))
        best = best_in_hindsight(market)
        row = {"market": name, "options": options, "days": days, "auctions": len(market.time), "scores": {}}
        for label, sets in PERIODS.items():
            played = {guard: ofw_pace(ofw, market, guard == "guarded", sets) for guard in ("unguarded", "guarded")}
            row["scores"][label] = {guard: {"all": outcome.score(market, best), "last": last_days(market, outcome, best, min(LAST, days))}
                                    for guard, outcome in played.items()}
        out.append(row)
    return out


def table(results):
    """Value over the best in hindsight with the guard, and without it with the overspend; of the whole play and of its last month."""
    out = "| market of a year | period | value | value, last month | without guard | without guard, last month |\n|---|---|---|---|---|---|\n"
    for row in results:
        for label, scores in row["scores"].items():
            cells = [f"{scores['guarded'][part]['value']:.3f}" for part in ("all", "last")]
            cells += [f"{scores['unguarded'][part]['value']:.3f}, {scores['unguarded'][part]['overspend_percent']:.2f} %" for part in ("all", "last")]
            out += f"| {row['market']} | {label} | {' | '.join(cells)} |\n"
    return out


TABLES = {"all": table}
FIGURES = {}
