"""Tables of what `ofw-bench` and bench/python.py measure: docs/performance.md and docs/python.md."""
import math

from cells import head, row

NAMES = ("performance", "python-cost", "oracles", "serve", "serve-campaigns")
ORACLES = (("ofw", "", None), ("ARPACK, ofw's pass", "arpack_", "arpack_ncv"), ("ARPACK as lax, ofw's pass", "arpack_lax_", "arpack_lax_ncv"),
           ("ARPACK, two dgemv", "arpack_blas_", None), ("SciPy svds", "scipy_", None), ("LAPACK dgesdd", "gesdd_", None))

ROUND_LEARNERS = ("scofw-tvc", "ofw-tvc", "ofw-ada")


def digits(x, n=3):
    return "–" if x is None else f"{x:.{n}g}"


def kernel(results):
    of = results["kernel"]
    out = head("pass", "in the cache, µs", "x read", "evicted, µs", "x read")
    for name, field in ((f"ofw, fused ({of['kernel']})", "fused"), ("OpenBLAS, two dgemv", "blas_pair"), ("a read", "read")):
        cells = []
        for where in ("", "evicted_"):
            seconds, read = of[f"{where}{field}_seconds"], of[f"{where}read_seconds"]
            cells += [digits(1e6 * seconds), f"{seconds / read:.2f}"]
        out += row(name, *cells)
    return out


def kernel_ratio(results):
    of = results["kernel"]
    ratio = lambda where: of[f"{where}blas_pair_seconds"] / of[f"{where}fused_seconds"]
    return f"So a pass is {ratio(''):.2f} times as fast as the pair in the cache and {ratio('evicted_'):.2f} times out of it.\n"


def oracle(results, learner):
    of = results["oracle"][learner]
    out = head(f"`{learner.replace('_', '-')}`", "ms per call", "x ofw", "passes", "error", "residual")
    for name, prefix, basis in ORACLES:
        seconds = of.get(f"{prefix}seconds")
        if seconds is None:
            continue
        name += f", ncv {of[basis]}" if basis else ", ncv 20" if prefix == "arpack_blas_" else ""
        passes = of.get(f"{prefix}passes")
        out += row(name, digits(1e3 * seconds), f"{seconds / of['seconds']:.3g}", "–" if passes is None else f"{passes:.1f}",
                   *("–" if of.get(f"{prefix}{field}") is None else f"{of[f'{prefix}{field}']:.1e}" for field in ("error", "residual")))
    return out


def misses(results):
    """How often an oracle is off by more than its tolerance, over the directions of all seeds."""
    parts = [of for part, of in results.items() if part.startswith("oracle")]
    out = head("learner", "oracle", "directions", "errors above 0.01", "the largest error")
    for learner in ("ofw_tvc", "scofw_tvc"):
        games = [of[learner] for of in parts]
        for name, prefix, _ in ORACLES:
            if games[0].get(f"{prefix}beyond") is not None:
                above = sum(round(of["directions"] * of[f"{prefix}beyond"]) for of in games)
                out += row(f"`{learner.replace('_', '-')}`", name, str(sum(of["directions"] for of in games)), str(above),
                           f"{max(of[f'{prefix}error'] for of in games):.1e}")
    return out


def ratios(results):
    out = head("ratio", "found", "goal")
    for of in results["ratios"]["ratios"]:
        goal = f"at least {of['least']:g}" if "least" in of else f"at most {of['most']:g}"
        out += row(of["what"], digits(of["found"]), goal)
    return out


def over_numpy(of):
    double, single, numpy = (of.get(f"{kind}rounds_per_second") for kind in ("", "float_", "numpy_"))
    return "–" if not numpy else f"{double / numpy:.1f}" + (f", floats {single / numpy:.1f}" if single else "")


def rounds(results):
    out = head("rounds per second", "ofw, doubles", "ofw, floats", "NumPy and SciPy", "ofw over NumPy")
    for learner in ROUND_LEARNERS:
        of = results[f"round-{learner}-200-1"]
        out += row(f"`{learner}`", *(digits(of.get(f"{kind}rounds_per_second")) for kind in ("", "float_", "numpy_")), over_numpy(of))
    return out


def games(results):
    """The same ratio on other streams, and over fewer rounds."""
    seeds = (1, 2, 3, 4)
    out = head("ofw over NumPy", "rounds", *(f"seed {seed}" for seed in seeds))
    for learner in ROUND_LEARNERS:
        for played in (100, 200):
            out += row(f"`{learner}`", str(played), *(over_numpy(results[f"round-{learner}-{played}-{seed}"]) for seed in seeds))
    return out


def small_rounds(results):
    out = head("learner", "option", "ns per round", "two `log()` in the same run, ns")
    for of in results["small-rounds"]["rounds"]:
        out += row(f"`{of['learner']}`", f"`{of['option']}`", f"{of['nanoseconds']:.0f}", f"{of['logs_nanoseconds']:.1f}")
    return out


def polytopes(results):
    out = head("polytope", "coordinates", "rows", "`box=implied`, s", "`box=exact`, s", "R, implied over exact")
    for of in results["polytopes"]["polytopes"]:
        exact = of.get("exact")
        out += row(of["kind"], str(of["coordinates"]), str(of["rows"]), digits(of["implied"]["seconds"], 2), digits(exact and exact["seconds"], 2),
                   "–" if not exact else f"{of['implied']['outer_radius'] / exact['outer_radius']:.2f}")
    return out


def memory(results):
    return f"A run of `ofw-tvc` with doubles takes at most {results['round-ofw-tvc-200-1']['peak_bytes'] / 2**20:.0f} MiB for its whole process.\n"


def python_cost(results):
    of = results["python"]
    out = head("measured", "found", "goal")
    out += row("decide and observe over a simplex of 10, beyond C", f"{of['vector_extra_nanoseconds']:.0f} ns per round", f"{of['goals']['vector_extra_nanoseconds']:g}")
    out += row("the same over 943 x 1682 matrices, as a ratio to C", f"{of['matrix_ratio']:.3f}", f"{of['goals']['matrix_ratio']:g}")
    out += row("`import ofw` beyond `import numpy`", f"{of['import_extra_milliseconds']:.0f} ms", f"{of['goals']['import_extra_milliseconds']:g}")
    return out


def oracle_rows(text):
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return rows[0], [cells for cells in rows[2:] if len(cells) == len(rows[0]) and cells[1].isdigit()]


def spaced(x):
    """A number of the text with its thousands apart, instead of a power of ten."""
    return f"{float(x):,.0f}".replace(",", " ") if "e+" in x else x


def oracles_at_thousand(text):
    """All columns of the sets with about a thousand coordinates."""
    names, rows = oracle_rows(text)
    out = row(*names) + "|---|" + "---:|" * (len(names) - 1) + "\n"
    return out + "".join(row(*map(spaced, cells)) for cells in rows if 900 <= int(cells[1]) <= 1100)


def oracles_at_a_million(text):
    _, rows = oracle_rows(text)
    ms = {name: float(us) / 1e3 for name, coordinates, us, *_ in rows if coordinates == "1000000"}
    return f"At 10^6 `capped-simplex` and `hypersimplex` take {ms['capped-simplex']:.1f} and {ms['hypersimplex']:.1f} ms.\n"


def oracles_by_size(text):
    """Microseconds per call against the number of coordinates, to the nearest power of ten."""
    _, rows = oracle_rows(text)
    sizes, sets = (100, 1000, 10000, 100000), {}
    for cells in rows:
        size = 10 ** round(math.log10(int(cells[1])))
        sets.setdefault(cells[0], {})[size] = spaced(cells[2])
    out = row("set", "100", "10^3", "10^4", "10^5") + "|---|---:|---:|---:|---:|\n"
    return out + "".join(row(name, *(of.get(size, "") for size in sizes)) for name, of in sets.items() if not name.startswith("polytope"))


def oracles_of_polytopes(text):
    """Milliseconds from the last vertex, and how many times longer a first call takes."""
    _, rows = oracle_rows(text)
    out = row("half-spaces", "ms from the last vertex", "cold, x") + "|---:|---:|---:|\n"
    for name, _, us, _, _, _, cold, *_ in rows:
        if name.startswith("polytope"):
            out += row(name.split()[1], f"{float(us) / 1e3:.2g}", f"{float(cold):.2g}")
    return out


def oracles_of_assignments(text):
    """birkhoff beside SciPy, on random and on whole costs."""
    _, rows = oracle_rows(text)
    out = row("costs", "n", "ms per call", "SciPy's time over ofw's") + "|---|---:|---:|---:|\n"
    for name, coordinates, us, *_, scipy in rows:
        if name.startswith("birkhoff"):
            out += row("whole, 0 to 99" if "whole" in name else "random", str(math.isqrt(int(coordinates))), f"{float(us) / 1e3:.3g}", scipy)
    return out


READS = {"`l1-ball`, `simplex`, `unit-simplex`, which look for one axis": ("l1-ball simplex unit-simplex", "a read", 4),
         "`linf-ball`, `hypercube01`, `box`": ("linf-ball hypercube01 box", "a copy", 5),
         "`l2-ball`, which reads d for its length and then again": ("l2-ball", "a copy", 5)}


def oracles_as_reads(text):
    """The sets whose oracle costs about a read or a copy of d."""
    _, rows = oracle_rows(text)
    out = row("sets", "compared with", "10^4", "10^5", "10^6") + "|---|---|---:|---:|---:|\n"
    for name, (sets, unit, column) in READS.items():
        cells = []
        for size in (10**4, 10**5, 10**6):
            found = sorted(float(of[column]) for of in rows if of[0] in sets.split() and int(of[1]) == size)
            least, most = (f"{x:.1f}" for x in (found[0], found[-1]))
            cells.append(least if least == most else f"{least} to {most}")
        out += row(name, unit, *cells)
    return out


def threads(results):
    ratio = lambda part: results[part]["threads2_rounds_per_second"] / results[part]["rounds_per_second"]
    return (f"In the run of [Round](#round) two threads play {ratio('round-scofw-tvc-200-1'):.1f} times as many rounds per second as one "
            f"with `scofw-tvc`, and {ratio('round-ofw-tvc-200-1'):.1f} times as many with `ofw-tvc`.\n")


def grouped(number):
    return f"{number:,.0f}".replace(",", " ")


def capacity(results):
    out = head("sessions, a connection each", "numbers of a decision", "durable rounds per second", "median, ms", "99th percentile, ms", "rounds per sync")
    for of in results["serve"]["small"]:
        out += row(str(of["sessions"]), str(of["dim"]), grouped(of["rounds_per_second"]), digits(of["p50_ms"]), digits(of["p99_ms"]), digits(of["rounds_per_commit"]))
    return out


def large_session(results):
    of = results["serve"]["large"]
    return f"A session of {of['rows']} x {of['cols']} takes {digits(of['serve_ms'])} ms per round over HTTP and {digits(of['run_ms'])} ms by `ofw run`: {of['ratio']:.2f} times as long.\n"


def kills(results):
    of = results["kill"]
    return (f"{grouped(of['kills'])} kills over {grouped(of['sessions'])} sessions, {grouped(of['late_sessions'])} of them with late feedback, lost none of {grouped(of['rounds'])} acknowledged rounds, "
            f"and none of {grouped(of['decisions'])} decisions differed.\n")


def hostile(results):
    """The answers of all runs together."""
    counted = {}
    for of in (of for part, of in results.items() if part.startswith("hostile")):
        for status, count in of["answers"].items():
            counted[status] = counted.get(status, 0) + count
    return head("status", "answers") + "".join(row(status, grouped(counted[status])) for status in sorted(counted))


def slow(results):
    of = results["slow"]
    return f"With {of['connections']} slow connections in each of {len(of['ended'])} ways for {of['seconds']} s, a good client had {grouped(of['rounds'])} rounds answered, and the server took {of['mib']} MiB.\n"


KINDS = {"small-rounds": small_rounds, "making": polytopes, "assignments": oracles_of_assignments, "largest": oracles_at_a_million, "capacity": capacity, "large-session": large_session, "kills": kills, "hostile": hostile, "slow": slow,
         "thousand": oracles_at_thousand, "by-size": oracles_by_size, "polytopes": oracles_of_polytopes, "reads": oracles_as_reads, "threads": threads, "kernel": kernel, "kernel-ratio": kernel_ratio, "ofw-tvc": lambda r: oracle(r, "ofw_tvc"),
         "scofw-tvc": lambda r: oracle(r, "scofw_tvc"), "misses": misses, "rounds": rounds, "games": games, "ratios": ratios, "memory": memory, "cost": python_cost}
