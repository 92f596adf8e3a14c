#!/usr/bin/python3
"""Draws the pictures that explain: docs/loop.svg, frank-wolfe.svg, price.svg and growth.svg. `make pictures` runs it.

    pictures.py --ofw build/ofw
    pictures.py --trace NAME FILE.csv UNIT UNIT     # docs/NAME.svg: regret and violation of an example, in these units

The first is a drawing. The step is computed, for a polygon, by its own oracle. The curves are those of real plays; the commands are
in PRICE and GROWTH.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

DOCS = pathlib.Path(__file__).resolve().parent
BLUE, ORANGE, GREEN, GREY, DARK = "#0072b2", "#d55e00", "#009e73", "#8c959f", "#24292f"
PRICE = ["run", "--learner", "ofw-ada", "--stream", "conflict", "--domain", "l2-ball:dim=10", "--rounds", "2000", "-q"]
GROWTH = ["growth", "--learner", "ofw-tvc", "--stream", "quadratic", "--domain", "l2-ball:dim=10", "--constants", "theorem,tight,tuned",
          "--rounds", "1000,3162,10000,31623,100000", "--seeds", "8", "--json", "-q"]


class Svg:
    def __init__(self, width, height, title):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
                      'font-family="sans-serif" font-size="13" role="img">', f"<title>{title}</title>",
                      '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
                      '<path d="M0 0L10 5L0 10z" fill="context-stroke"/></marker></defs>', '<rect width="100%" height="100%" fill="white"/>']

    def text(self, x, y, words, anchor="middle", colour=DARK, **more):
        style = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
        escaped = words.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{style}>{escaped}</text>')

    def line(self, points, colour=DARK, width=1.6, tip=False, dash=""):
        path = " ".join(f"{'M' if i == 0 else 'L'}{x:.1f} {y:.1f}" for i, (x, y) in enumerate(points))
        self.parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"' + (' marker-end="url(#tip)"' if tip else "")
                          + (f' stroke-dasharray="{dash}"' if dash else "") + "/>")

    def add(self, text):
        self.parts.append(text)

    def box(self, x, y, width, height, title, lines, colour):
        self.add(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" fill="{colour}" fill-opacity="0.10" stroke="{colour}" stroke-width="1.6"/>')
        self.text(x + width / 2, y + 24, title, font_weight="bold")
        for i, words in enumerate(lines):
            self.text(x + width / 2, y + 46 + 18 * i, words, colour="#57606a")

    def done(self):
        return "\n".join([*self.parts, "</svg>"]) + "\n"


def loop():
    svg = Svg(840, 300, "The loop of decide and observe")
    svg.box(40, 50, 220, 110, "learner", ["two vectors, x and d,", "and a price for violation"], BLUE)
    svg.box(580, 50, 220, 110, "your system, or a stream", ["plays the decision,", "finds out what it cost"], GREEN)
    svg.box(40, 220, 220, 62, "set K", ["known by its oracle alone"], ORANGE)
    svg.line([(260, 82), (580, 82)], tip=True)
    svg.text(420, 72, "decide: decision x_t", font_weight="bold")
    svg.line([(580, 134), (260, 134)], tip=True)
    svg.text(420, 154, "observe: loss f_t, constraint g_t", font_weight="bold")
    svg.text(420, 172, "and their gradients, or the numbers alone", colour="#57606a")
    svg.line([(110, 160), (110, 220)], tip=True)
    svg.text(100, 195, "direction d", anchor="end")
    svg.line([(190, 220), (190, 160)], tip=True)
    svg.text(200, 195, "vertex v with the least <d, v>", anchor="start")
    svg.text(420, 30, "once per round, t = 1, 2, 3, ..", colour="#57606a")
    return svg.done()


def frank_wolfe():
    """A step in a polygon: v is found by trying every vertex, as the oracle of a hull does."""
    corners = [(0.9, 0.5), (3.4, 0.3), (5.2, 1.8), (4.6, 4.0), (2.2, 4.6), (0.4, 2.8)]
    x, d, sigma = (2.2, 1.9), (-1.0, -0.5), 0.4
    v = min(corners, key=lambda corner: d[0] * corner[0] + d[1] * corner[1])
    new = tuple(a + sigma * (b - a) for a, b in zip(x, v))
    svg = Svg(900, 380, "One step of Frank-Wolfe")
    at = lambda p: (20 + 78 * p[0], 374 - 74 * p[1])
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in map(at, corners))
    svg.add(f'<polygon points="{points}" fill="{ORANGE}" fill-opacity="0.10" stroke="{ORANGE}" stroke-width="1.6"/>')
    svg.text(*at((1.2, 3.9)), "K", font_weight="bold", font_size="18")
    length = math.hypot(*d)
    across = (-d[1] / length, d[0] / length)
    for back in (0.0, 1.1):                          # lines on which <d, .> is the same: the farthest that still meets K touches it in v
        base = tuple(v[i] + back * d[i] / length for i in (0, 1))
        svg.line([at((base[0] + way * across[0], base[1] + way * across[1])) for way in (-1.6, 1.6)], GREY, 1.0, dash="5 4")
    svg.line([at(x), at(v)], BLUE, 1.2, dash="2 3")
    svg.line([at(x), at(new)], BLUE, 3.0, tip=True)
    svg.line([at(x), at((x[0] - 1.25 * d[0] / length, x[1] - 1.25 * d[1] / length))], GREEN, 2.2, tip=True)
    for point, words, dx, dy in ((x, "x, the decision", -10, 22), (new, "the next decision, x + sigma (v - x)", -12, -10), (v, "v, the answer of the oracle", 14, -6)):
        a, b = at(point)
        svg.add(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="5" fill="{DARK}"/>')
        svg.text(a + dx, b + dy, words, anchor="end" if dx < 0 else "start")
    a, b = at((x[0] - 1.25 * d[0] / length, x[1] - 1.25 * d[1] / length))
    svg.text(a + 8, b + 5, "-d", anchor="start", colour=GREEN, font_weight="bold")
    for i, words in enumerate(("d is the gradient of what the learner minimises.", "The oracle gives the point v of K that is farthest along -d.", "x moves a part sigma of the way to v and stays in K:", "no projection is needed.")):
        svg.text(490, 200 + 22 * i, words, anchor="start", colour="#57606a")
    svg.text(490, 310, "Along each dashed line <d, .> is the same.", anchor="start", colour="#57606a")
    return svg.done()


class Axes:
    """A panel with axes, linear or logarithmic."""
    def __init__(self, svg, left, top, width, height, xs, ys, title, log=False):
        self.svg, self.left, self.top, self.width, self.height, self.log = svg, left, top, width, height, log
        self.x0, self.x1, self.y0, self.y1 = *map(self.scale, xs), *map(self.scale, ys)
        svg.add(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#d0d7de"/>')
        svg.text(left + width / 2, top - 12, title, font_weight="bold")

    def scale(self, value):
        return math.log10(value) if self.log else value

    def at(self, x, y):
        return (self.left + self.width * (self.scale(x) - self.x0) / (self.x1 - self.x0),
                self.top + self.height * (1.0 - (self.scale(y) - self.y0) / (self.y1 - self.y0)))

    def ticks(self, xs, ys, show_x=str, show_y=str):
        for x in xs:
            a, b = self.at(x, 10**self.y0 if self.log else self.y0)
            self.svg.line([(a, b), (a, self.top)], "#eaeef2", 1.0)
            self.svg.text(a, b + 17, show_x(x), font_size="11", colour="#57606a")
        for y in ys:
            a, b = self.at(10**self.x0 if self.log else self.x0, y)
            self.svg.line([(a, b), (self.left + self.width, b)], "#eaeef2", 1.0)
            self.svg.text(a - 6, b + 4, show_y(y), anchor="end", font_size="11", colour="#57606a")

    def curve(self, points, colour, dash="", width=2.0):
        self.svg.line([self.at(x, y) for x, y in points], colour, width, dash=dash)


def played(ofw):
    """(round, regret, CCV, price) of each round."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.csv"
        subprocess.run([ofw, *PRICE, "--trace", trace], check=True, stdout=subprocess.DEVNULL)
        with trace.open(encoding="ascii") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [(int(row["round"]), float(row["loss_sum"]) - float(row["comparator_loss_sum"]), float(row["ccv"]),
             float(row["price"] or 0.0)) for row in rows]


def nice(low, high):
    """Round ticks from at most `low` to at least `high`."""
    unit = 10 ** math.floor(math.log10(high - low))
    unit = next(unit * k for k in (0.2, 0.25, 0.5, 1.0, 2.0) if (high - low) / (unit * k) <= 5.0)
    return [unit * k for k in range(math.floor(low / unit), math.ceil(high / unit) + 1)]


def price(ofw):
    rows = played(ofw)
    svg = Svg(900, 330, "Regret, violation and price over time")
    last = rows[-1][0]
    for k, (title, column, colour) in enumerate((("regret so far", 1, BLUE), ("violation so far (CCV)", 2, ORANGE), ("price of violation", 3, GREEN))):
        values = [0.0, *(row[column] for row in rows)]
        ys = nice(min(values), max(values))
        axes = Axes(svg, 62 + 290 * k, 44, 210, 230, (0, last), (ys[0], ys[-1]), title)
        axes.ticks([0, last // 2, last], ys, show_y=lambda y: f"{y:g}")
        axes.curve([(row[0], row[column]) for row in rows], colour)
    svg.text(450, 316, "round; " + " ".join(["ofw", *PRICE[:-1]]), colour="#57606a", font_size="11")
    return svg.done()


def traced(name, path, loss_unit, violation_unit):
    """Columns of an example's trace: round, regret, violation."""
    with open(path, encoding="utf-8") as file:
        rows = [[float(cell) for cell in row] for row in list(csv.reader(line for line in file if not line.startswith("#")))[1:]]
    svg = Svg(900, 320, f"Regret and violation of examples/{name}.c")
    last = rows[-1][0]
    xs = [x for x in nice(0.0, last) if x <= last]
    for k, (title, column, colour) in enumerate(((f"regret, {loss_unit}", 1, BLUE), (f"cumulative violation, {violation_unit}", 2, ORANGE))):
        values = [0.0, *(row[column] for row in rows)]
        ys = nice(min(values), max(values))
        axes = Axes(svg, 70 + 440 * k, 40, 360, 224, (0, last), (ys[0], ys[-1]), title)
        axes.ticks(xs, ys, show_x=lambda x: f"{x:g}", show_y=lambda y: f"{y:g}")
        axes.curve([(row[0], row[column]) for row in rows[::max(1, len(rows) // 400)]], colour)
        svg.text(250 + 440 * k, 302, "round", colour="#57606a", font_size="11")
    return svg.done()


def growth(ofw):
    found = json.loads(subprocess.run([ofw, *GROWTH], check=True, stdout=subprocess.PIPE, text=True).stdout)
    svg = Svg(900, 420, "Growth against theory")
    colours = {"theorem": ORANGE, "tight": BLUE, "tuned": GREEN}
    rounds = found["rounds"]
    for k, (metric, title) in enumerate((("regret", "regret"), ("ccv", "CCV"))):
        lines = {row["constants"]: row[metric] for row in found["rows"]}
        values = [value for line in lines.values() for value in line if value and value > 0]
        low, high = 10 ** math.floor(math.log10(min(values))), 10 ** math.ceil(math.log10(max(values)))
        axes = Axes(svg, 70 + 420 * k, 44, 330, 280, (rounds[0], rounds[-1]), (low, high), f"{title} of ofw-tvc against T", log=True)
        power = lambda value: f"10^{round(math.log10(value))}"
        axes.ticks([10**e for e in range(3, 6)], [10**e for e in range(round(math.log10(low)), round(math.log10(high)) + 1)], power, power)
        for name, line in lines.items():
            axes.curve(list(zip(rounds, line)), colours[name])
            for T, value in zip(rounds, line):
                a, b = axes.at(T, value)
                svg.add(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colours[name]}"/>')
        anchor = lines["tight"][0]
        axes.curve([(T, anchor * (T / rounds[0]) ** 0.75) for T in (rounds[0], rounds[-1])], DARK, dash="6 4", width=1.4)
    for k, (name, colour) in enumerate([*colours.items(), ("slope 3/4, the proved rate", DARK)]):
        x = 90 + 170 * k
        svg.line([(x, 366), (x + 26, 366)], colour, 2.4, dash="6 4" if colour == DARK else "")
        svg.text(x + 34, 370, name, anchor="start")
    svg.text(450, 402, " ".join(["ofw", *GROWTH[:-2]]), colour="#57606a", font_size="10")
    return svg.done()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ofw", default="build/ofw")
    parser.add_argument("--trace", nargs=4, action="append", metavar=("NAME", "FILE", "UNIT", "UNIT"))
    args = parser.parse_args()
    for name, *of in args.trace or ():
        (DOCS / f"{name}.svg").write_text(traced(name, *of), encoding="utf-8")
    if args.trace:
        return
    ofw = args.ofw
    for name, text in (("loop", loop()), ("frank-wolfe", frank_wolfe()), ("price", price(ofw)), ("growth", growth(ofw))):
        (DOCS / f"{name}.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
