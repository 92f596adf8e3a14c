"""Tables of `make campaigns`: docs/reliability.md."""
from cells import head, row

NAMES = ("campaigns",)


def spaced(n):
    return f"{n:,}".replace(",", " ")


def tried(results):
    counts, kill = results["counts"], results["kill"]
    out = head("test", "what it did")
    out += row("`persist/power_cut`", f"{spaced(counts['persist_test_power_cut'])} power cuts")
    out += row("`persist/disk_faults`", f"{spaced(counts['persist_test_disk_faults'])} faults")
    out += row("`persist/damage`", f"{spaced(counts['persist_test_damage'])} ranges of logs")
    out += row("`property/faults`", f"{spaced(counts['property_test_faults'])} allocations that fail")
    out += row("`make faults`", f"{spaced(results['faults']['faults'])} system calls that fail, are short, tear, or are the last")
    out += row("`make kill`", f"{spaced(kill['kills that hit a live process'])} kills of a running process, {spaced(kill['rounds acknowledged'])} rounds answered, "
               f"{spaced(kill['rounds lost'])} lost, {spaced(kill['bits that differ'])} bits that differ, {spaced(kill['torn tails recovered'])} torn tails mended, "
               f"{spaced(kill['half-written checkpoints left'])} half-written checkpoints left, {spaced(kill['logs that were shortened'])} logs shortened (seed {kill['seed']})")
    return out


KINDS = {"tried": tried}
