"""The signs of Oduludo's squares as drawings, each drawn once as a symbol.

Signs that come in four colours take theirs from `color` where they are used.
"""

from __future__ import annotations

from functools import cache

from ..engine.svg import Markup, Size, circle, element, group, path, rect, symbol

SQUARE = Size(40, 40)
"""The size that signs are drawn in."""

INK, SPACE, CELL, BOX = "#1b1d36", "#1b1d36", "#f3f4fb", "#262a4d"
COLORS = ("#2f9e44", "#e03131", "#1c7ed6", "#9c36b5")
"""Of the colours in the order of the board; the letters on the pieces tell them apart as well."""
TINTS = ("#c9ecd0", "#fbd0d0", "#cbe3fa", "#ead1f1")
SUN, PORTAL = "#f59f00", "#0b7285"


@cache
def symbols() -> tuple[Markup, ...]:
    """Draw all signs, for the `defs` of a picture."""
    lights = [circle(x, 25, 1.8, fill="#fff", stroke="none") for x in (10, 20, 30)]
    crescent = "M25 5A16 16 0 1 0 36 27 13.5 13.5 0 0 1 25 5Z"
    bolt = "M24 3 9 23H18L14 37 31 16H21Z"
    star = "M20 4 24.7 14.5 36 15.7 27.6 23.3 30 34.5 20 28.7 10 34.5 12.4 23.3 4 15.7 15.3 14.5Z"
    drawings = {
        "moon": [path(crescent, fill="currentColor")],
        "ufo": [_saucer(fill="currentColor"), *lights],
        "parking": [_saucer(fill="none", stroke_dasharray="3 3")],
        "sun": _sun(),
        "lightning": [path(bolt, fill="#4c3fd1")],
        "star": [path(star, fill="#e8b400", stroke="#a07800", stroke_width=1)],
        "circle": _circle(),
        "earth": _earth(),
    }
    return tuple(symbol(name, SQUARE, *parts) for name, parts in drawings.items())


def _saucer(**style: str) -> Markup:
    hull = element("ellipse", cx=20, cy=24, rx=16, ry=7, **style)
    dome = path("M11 20A9 10 0 0 1 29 20Z", **style)
    return group(dome, hull, stroke="currentColor", stroke_width=2)


def _sun() -> list[Markup]:
    rays = "M20 3V9M20 31V37M3 20H9M31 20H37M8 8 12 12M28 28 32 32M8 32 12 28M28 12 32 8"
    return [
        path(rays, stroke=SUN, stroke_width=2.5, stroke_linecap="round"),
        circle(20, 20, 8.5, fill="#ffd43b", stroke=SUN, stroke_width=1.5),
    ]


def _circle() -> list[Markup]:
    """The ODULUDO circle: a ring around a die."""
    return [
        circle(20, 20, 15, fill="none", stroke=PORTAL, stroke_width=3),
        rect(12, 12, Size(16, 16), rx=4, fill=PORTAL),
        *(circle(x, x, 1.6, fill="#fff") for x in (16, 20, 24)),
    ]


def _earth() -> list[Markup]:
    lands = "M9 12Q17 5 21 9 20 15 14 17 9 18 9 12ZM23 18Q33 15 33 23 29 32 24 29 26 23 22 22Z"
    return [
        circle(20, 20, 17, fill="#4dabf7", stroke="#1864ab", stroke_width=1),
        path(lands, fill="#69db7c"),
    ]
