"""The figures of docs/practical.md as SVG: marks in rows, and fronts. Plain text, so that the same results give the same bytes."""
import math

GAP, CHARACTER = 40, 6.0        # pixels: between two panels, of a letter on average
GREY, LIGHT = "#ddd", "#eee"


def mark(shape, x, y, colour):
    """A disc, a ring or a cross."""
    if shape == "ring":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="white" fill-opacity="0.7" stroke="{colour}" stroke-width="2"/>'
    if shape == "cross":
        return (f'<path d="M{x - 4:.1f} {y - 4:.1f} l8 8 m0 -8 l-8 8" stroke="{colour}" stroke-width="2" fill="none"/>')
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}" fill-opacity="0.85"/>'


def text(x, y, words, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{words}</text>'


def document(width, height, parts):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>"]) + "\n"


def legend(styles, width):
    """A mark and a name per method, in as many lines as they need; and the height of it."""
    x, y, parts = 20.0, 16, []
    for name, (colour, shape) in styles.items():
        if x > 20 and x + 9 + CHARACTER * len(name) > width:
            x, y = 20.0, y + 20
        parts += [mark(shape, x, y, colour), text(x + 9, y + 4, name)]
        x += 9 + CHARACTER * len(name) + 24
    return parts, y + 24


def ticks(low, high, step):
    return [low + k * step for k in range(int(round((high - low) / step)) + 1)]


def around(values, step):
    """The whole steps around them."""
    return step * math.floor(min(values) / step + 1e-9), step * math.ceil(max(values) / step - 1e-9)


def number(x, step):
    """With as many digits as two lines of an axis need to differ."""
    return f"{x + 0.0:.{1 if step >= 0.1 else 2}f}"


def dots(rows, panels, styles, left=190, width=460, line=26, spread=0):
    """A row per label with a mark per method, in panels side by side.

    panels  [(what the axis is, {method: a value per row}, a step between two lines)]
    styles  {method: (colour, shape)}, from the top of a row to its bottom if the methods are spread by so many pixels
    """
    parts, top = legend(styles, left + width)
    bottom = top + line * len(rows)
    down = {method: spread * (i - (len(styles) - 1) / 2) for i, method in enumerate(styles)}
    each = (width - GAP * (len(panels) - 1)) / len(panels)
    for i, label in enumerate(rows):
        parts.append(text(left - 12, top + line * (i + 0.5) + 4, label, "end"))
    for p, (axis, values, step) in enumerate(panels):
        start = left + p * (each + GAP)
        low, high = around([v for column in values.values() for v in column], step)
        x = lambda value: start + each * (value - low) / (high - low)
        for at in ticks(low, high, step):
            parts += [f'<line x1="{x(at):.1f}" x2="{x(at):.1f}" y1="{top - 8}" y2="{bottom}" stroke="{GREY}"/>',
                      text(x(at), bottom + 16, number(at, step), "middle")]
        parts.append(text(start + each / 2, bottom + 36, axis, "middle"))
        for i in range(len(rows)):
            y = top + line * (i + 0.5)
            parts.append(f'<line x1="{start:.1f}" x2="{start + each:.1f}" y1="{y}" y2="{y}" stroke="{LIGHT}"/>')
            parts += [mark(styles[m][1], x(column[i]), y + down[m], styles[m][0]) for m, column in values.items()]
    return document(left + width + 40, bottom + 60, parts)


def fronts(panels, styles, axes, steps, side=230):
    """Curves of one number against another, in panels side by side with the same axes.

    panels  [(title, {method: points (x, y) in the order of x})]
    axes    what x and y are; steps: between two lines of each
    """
    left, width = 70, len(panels) * side + (len(panels) - 1) * GAP
    parts, top = legend(styles, left + width)
    top += 20
    bottom = top + side
    points = [point for _, series in panels for curve in series.values() for point in curve]
    (x0, x1), (y0, y1) = (around([point[k] for point in points], steps[k]) for k in (0, 1))
    y = lambda value: bottom - side * (value - y0) / (y1 - y0)
    parts.append(text(20, (top + bottom) / 2, axes[1], "middle", f' transform="rotate(-90 20 {(top + bottom) / 2:.1f})"'))
    for p, (title, series) in enumerate(panels):
        start = left + p * (side + GAP)
        x = lambda value: start + side * (value - x0) / (x1 - x0)
        parts.append(text(start + side / 2, top - 8, title, "middle"))
        for at in ticks(x0, x1, steps[0]):
            parts += [f'<line x1="{x(at):.1f}" x2="{x(at):.1f}" y1="{top}" y2="{bottom}" stroke="{GREY}"/>',
                      text(x(at), bottom + 16, number(at, steps[0]), "middle")]
        for at in ticks(y0, y1, steps[1]):
            parts.append(f'<line x1="{start}" x2="{start + side}" y1="{y(at):.1f}" y2="{y(at):.1f}" stroke="{GREY}"/>')
            parts += [text(left - 8, y(at) + 4, number(at, steps[1]), "end")] if p == 0 else []
        for method, curve in series.items():
            colour, shape = styles[method]
            path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in curve)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-opacity="0.5"/>')
            parts += [mark(shape, x(a), y(b), colour) for a, b in curve]
        parts.append(text(start + side / 2, bottom + 36, axes[0], "middle"))
    return document(left + width + 40, bottom + 60, parts)
