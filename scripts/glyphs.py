#!/usr/bin/python3
"""Writes lab/figure/glyphs.c: outlines and widths of the letters that figures may show, from DejaVu Sans.

    scripts/glyphs.py /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf

Needs python3-fonttools and fonts-dejavu-core; the tree has what it wrote, so a build needs neither.
"""
import pathlib
import sys

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

UNITS = 512                                        # per size of the font, FONT_UNITS of lab/figure/font.h
CODES = [*range(0x20, 0x7F), *range(0xA1, 0x100), *range(0x3B1, 0x3CA), 0x2009, 0x2013, 0x2014, 0x2026, 0x2070, *range(0x2074, 0x207A), 0x207B,
         0x2212, 0x2264, 0x2265]
LICENCE = pathlib.Path("/usr/share/doc/fonts-dejavu-core/copyright")
HEAD = """/* glyphs.c — outlines of letters from DejaVu Sans, written by scripts/glyphs.py
 *
{licence} */
#include "lab/figure/font.h"

/* clang-format off */
const font_glyph font_glyphs[] = {{
{rows}}};
/* clang-format on */
const size_t font_glyph_count = sizeof font_glyphs / sizeof *font_glyphs;
"""


class Outline(BasePen):
    """The letters M, L and Q with whole numbers; each contour is closed by itself."""
    def __init__(self, glyphs, scale):
        super().__init__(glyphs)
        self.scale, self.parts = scale, []

    def add(self, letter, *points):
        self.parts.append(letter + " ".join(f"{round(x * self.scale)} {round(y * self.scale)}" for x, y in points))

    def _moveTo(self, point):
        self.add("M", point)

    def _lineTo(self, point):
        self.add("L", point)

    def _qCurveToOne(self, middle, point):
        self.add("Q", middle, point)

    def _closePath(self):
        pass


def licence():
    """The lines of the licence, from its copyright to its end, as lines of a comment."""
    text = LICENCE.read_text(encoding="utf-8").split("Copyright: ", 1)[1].split("\nFiles: ", 1)[0]
    return "".join(f" *{' ' if line.strip(' .') else ''}{line.strip() if line.strip() != '.' else ''}\n" for line in text.rstrip().splitlines())


def main():
    font = TTFont(sys.argv[1])
    glyphs, names, scale = font.getGlyphSet(), font.getBestCmap(), UNITS / font["head"].unitsPerEm
    rows = ""
    for code in CODES:
        pen = Outline(glyphs, scale)
        glyphs[names[code]].draw(pen)
        rows += f'    {{{code:#x}, {round(glyphs[names[code]].width * scale)}, "{"".join(pen.parts)}"}},\n'
    target = pathlib.Path(__file__).resolve().parents[1] / "lab/figure/glyphs.c"
    target.write_text(HEAD.format(licence=licence(), rows=rows), encoding="utf-8")


if __name__ == "__main__":
    main()
