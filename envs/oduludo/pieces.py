"""The squares and pieces of Oduludo as drawings, each drawn once as a symbol."""

from __future__ import annotations

from functools import cache

from ..engine.svg import Markup, Size, circle, element, group, path, rect, symbol

SQUARE = Size(40, 40)
"""The size that squares and their signs are drawn in."""

INK, SPACE, CELL, SAFE = "#1b1d36", "#1b1d36", "#f3f4fb", "#cfd6f5"
COLORS = ("#2f9e44", "#e03131", "#1c7ed6", "#9c36b5")
"""Of the colours in the order of the board; the letters on the pieces tell them apart as well."""
TINTS = ("#c9ecd0", "#fbd0d0", "#cbe3fa", "#ead1f1")
SUN, BOLT, GOLD, PORTAL, EARTH_BLUE, EARTH_GREEN = (
    "#f59f00", "#4c3fd1", "#e8b400", "#0b7285", "#4dabf7", "#69db7c"
)  # fmt: skip


@cache
def symbols() -> tuple[Markup, ...]:
    """Draw all signs, for the `defs` of a picture."""
    return (
        _sun(),
        _lightning(),
        _star(),
        _circle(),
        *(_moon(color) for color in range(len(COLORS))),
        *(_parking(color) for color in range(len(COLORS))),
        *(_ufo(color) for color in range(len(COLORS))),
        _earth(),
    )


def _sun() -> Markup:
    rays = "M20 3V9M20 31V37M3 20H9M31 20H37M8 8 12 12M28 28 32 32M8 32 12 28M28 12 32 8"
    return symbol(
        "sun",
        SQUARE,
        path(rays, stroke=SUN, stroke_width=2.5, stroke_linecap="round"),
        circle(20, 20, 8.5, fill="#ffd43b", stroke=SUN, stroke_width=1.5),
    )


def _lightning() -> Markup:
    return symbol("lightning", SQUARE, path("M24 3 9 23H18L14 37 31 16H21Z", fill=BOLT))


def _star() -> Markup:
    outline = (
        "M20 4 24.7 14.5 36 15.7 27.6 23.3 30 34.5 20 28.7 10 34.5 12.4 23.3 4 15.7 15.3 14.5Z"
    )
    return symbol("star", SQUARE, path(outline, fill=GOLD, stroke="#a07800", stroke_width=1))


def _circle() -> Markup:
    """The ODULUDO circle: a ring around a die."""
    pips = [circle(x, y, 1.6, fill="#fff") for x, y in ((16, 16), (24, 24), (20, 20))]
    return symbol(
        "circle",
        SQUARE,
        circle(20, 20, 15, fill="none", stroke=PORTAL, stroke_width=3),
        rect(12, 12, Size(16, 16), rx=4, fill=PORTAL),
        *pips,
    )


def _moon(color: int) -> Markup:
    crescent = "M25 5A16 16 0 1 0 36 27 13.5 13.5 0 0 1 25 5Z"
    return symbol(f"moon{color}", SQUARE, path(crescent, fill=COLORS[color]))


def _saucer(color: int, **style: str) -> Markup:
    hull = element("ellipse", cx=20, cy=24, rx=16, ry=7, **style)
    dome = path("M11 20A9 10 0 0 1 29 20Z", **style)
    return group(dome, hull, stroke=COLORS[color], stroke_width=2)


def _parking(color: int) -> Markup:
    """A parking without its UFO: the outline only."""
    return symbol(f"parking{color}", SQUARE, _saucer(color, fill="none", stroke_dasharray="3 3"))


def _ufo(color: int) -> Markup:
    lights = [circle(x, 25, 1.8, fill="#fff", stroke="none") for x in (10, 20, 30)]
    return symbol(f"ufo{color}", SQUARE, _saucer(color, fill=COLORS[color]), *lights)


def _earth() -> Markup:
    lands = "M9 12Q17 5 21 9 20 15 14 17 9 18 9 12ZM23 18Q33 15 33 23 29 32 24 29 26 23 22 22Z"
    return symbol(
        "earth",
        SQUARE,
        circle(20, 20, 17, fill=EARTH_BLUE, stroke="#1864ab", stroke_width=1),
        path(lands, fill=EARTH_GREEN),
    )
