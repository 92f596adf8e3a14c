"""The table of what bench/serve.py measures: docs/service.md."""
from cells import head, row

NAMES = ("serve",)


def capacity(results):
    """What two cores carry with the load client beside the server, and what HTTP and the disk add to a large round."""
    small, large = results["serve"]["small"], results["serve"]["large"]
    out = head("measured", "found", "goal")
    out += row(f"durable rounds per second, {small['connections']} connections and sessions of 10 numbers", f"{small['rounds_per_second']:.0f}", "40000")
    out += row("time from feedback to decision, median", f"{small['p50_ms']:.2f} ms", "")
    out += row("the same, one in a hundred is slower", f"{small['p99_ms']:.2f} ms", "10 ms")
    out += row("rounds per commit, and the time of a commit", f"{small['rounds_per_commit']:g}, {small['commit_ms']:g} ms", "")
    out += row(f"round of a {large['rows']} x {large['cols']} session over the same round of `ofw run`", f"{large['ratio']:.3f}", "1.1")
    return out


KINDS = {"capacity": capacity}
