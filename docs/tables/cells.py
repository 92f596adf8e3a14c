"""Rows of Markdown tables, and numbers in them."""


def row(*cells):
    return "| " + " | ".join(cells) + " |\n"


def head(*cells):
    return row(*cells) + "|---" * len(cells) + "|\n"


def number(x):
    """Three digits, and a power of ten if there are more before the point."""
    if x is None:
        return "-"
    if x == 0 or 0.01 <= abs(x) < 1e4:
        return f"{float(f'{x:.3g}'):g}"
    digits, power = f"{x:.2e}".split("e")
    return f"{digits} 10^{int(power)}"
