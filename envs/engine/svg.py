"""SVG pictures as text, from the standard library alone; knows no game.

A picture is put together from small functions that return `Markup`. Everything else that is put
inside an element is text and is escaped, so that no name or move can break a picture:

    >>> print(element("text", "R&D", x=1.50, class_="name"))
    <text x="1.5" class="name">R&amp;D</text>
    >>> print(group(circle(0, 0, 4), circle(9, 0, 4), fill="teal"))
    <g fill="teal"><circle cx="0" cy="0" r="4"/><circle cx="9" cy="0" r="4"/></g>

Names of attributes are written as in SVG, with `_` for `-` (`stroke_width=2`); a trailing `_`
keeps clear of Python's own words (`class_="card"`). A value of None leaves the attribute out.
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

DECIMALS = 2
"""Coordinates are rounded to this many decimals: finer than a pixel, and the same everywhere."""

Value = str | int | float | None


class Size(NamedTuple):
    """Width and height in pixels."""

    width: float
    height: float


class Markup(str):
    """Text that is already SVG and must not be escaped again."""

    __slots__ = ()


Child = Markup | str | None


def number(value: float) -> str:
    """Write a coordinate as short as it goes: 3, 3.5, 3.14."""
    text = f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@lru_cache(maxsize=2048, typed=True)  # many pictures draw the same; Markup and text are not equal
def element(tag: str, *children: Child, **attributes: Value) -> Markup:
    """Build one element with its attributes and what it contains."""
    opening = tag + "".join(_attribute(name, value) for name, value in attributes.items())
    inside = join(*children)
    return Markup(f"<{opening}>{inside}</{tag}>" if inside else f"<{opening}/>")


def join(*children: Child) -> Markup:
    """Put several pieces one after another; None is left out."""
    present = (child for child in children if child is not None)
    return Markup("".join(c if isinstance(c, Markup) else escape(c) for c in present))


def group(*children: Child, **attributes: Value) -> Markup:
    """Build a group of elements that share attributes, such as a colour or a transformation."""
    return element("g", *children, **attributes)


def rect(x: float, y: float, size: Size, **attributes: Value) -> Markup:
    """Build a rectangle with its upper left corner at *x*, *y*; `rx` rounds its corners."""
    return element("rect", x=x, y=y, width=size.width, height=size.height, **attributes)


def circle(x: float, y: float, radius: float, **attributes: Value) -> Markup:
    """Build a circle around *x*, *y*."""
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def path(d: str, **attributes: Value) -> Markup:
    """Build a path from its drawing commands."""
    return element("path", d=d, **attributes)


def label(x: float, y: float, words: str, **attributes: Value) -> Markup:
    """Build a line of text that begins (or as `text-anchor` says) at *x*, on the base line *y*."""
    return element("text", words, x=x, y=y, **attributes)


def symbol(name: str, size: Size, *children: Child) -> Markup:
    """Build a drawing to be used many times; belongs into the `defs` of the document."""
    box = f"0 0 {number(size.width)} {number(size.height)}"
    return element("symbol", *children, id=name, viewBox=box)


@cache
def read_drawings(file: Path) -> Markup:
    """Read what an SVG file holds, such as symbols and gradients, for the `defs` of a document."""
    root = file.read_text("utf-8").partition("<svg")[2].partition(">")[2].rpartition("</svg>")[0]
    return Markup(root.strip())


def use(name: str, x: float, y: float, *, size: Size, **attributes: Value) -> Markup:
    """Draw the symbol *name*, as large as *size*, with its upper left corner at *x*, *y*."""
    width, height = size
    return element("use", href=f"#{name}", x=x, y=y, width=width, height=height, **attributes)


def document(
    size: Size,
    body: Iterable[Child],
    *,
    title: str,
    description: str = "",
    style: Mapping[str, str] | None = None,
    defs: Iterable[Child] = (),
) -> str:
    """Build a whole picture that stands by itself.

    Args:
        size: Width and height; the picture may be shown larger or smaller.
        body: What is drawn, the lowest layer first.
        title: A few words, read out by screen readers.
        description: A longer text for those who cannot see the picture.
        style: CSS declarations by selector, such as `{".name": "font-weight:bold"}`.
        defs: Symbols and gradients that the body uses.
    """
    rules = "".join(f"{selector}{{{how}}}" for selector, how in (style or {}).items())
    parts = [
        element("title", title),
        element("desc", description) if description else None,
        element("style", rules) if rules else None,
        element("defs", *_lines(defs)),
        *body,
    ]
    root = element(
        "svg",
        *_lines(parts),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(size.width)} {number(size.height)}",
        width=size.width,
        height=size.height,
        role="img",
    )
    return f"{root}\n"


def _lines(parts: Iterable[Child]) -> list[Markup]:
    """Begin every part on a new line, so that a change of a picture can be read."""
    return [Markup(f"\n{join(part)}") for part in parts if part] + [Markup("\n")]


def _attribute(name: str, value: Value) -> str:
    if value is None:
        return ""
    written = value if isinstance(value, str) else number(value)
    return f" {name.rstrip('_').replace('_', '-')}={quoteattr(written)}"


# Pieces that several games draw ------------------------------------------------------------------

BACK = "#5b4a8a"
"""The colour of a card's back."""


def card_face(
    x: float, y: float, rank: str, *, size: Size, suit: str = "", **attributes: str | float | None
) -> Markup:
    """Draw a card with its upper left corner at *x*, *y*; *attributes* are those of its edge.

    Without a suit the rank stands in the middle, else in the corner. `.red` colours both.
    """
    red = " red" if suit and suit in "♥♦" else ""
    words = {"class_": f"middle bold{red}"}
    middle, height = x + size.width / 2, size.height
    edge = {"fill": "#fff", "stroke": "#2b2118", "stroke_width": 1.5, **attributes}
    if not suit:
        large = f"font-size:{0.46 * height:.0f}px"
        face = [label(middle, y + 0.66 * height, rank, style=large, **words)]
    else:
        corner, large = f"font-size:{0.18 * height:.0f}px", f"font-size:{0.36 * height:.0f}px"
        face = [
            label(x + 0.1 * size.width, y + 0.22 * height, rank, style=corner, class_=f"bold{red}"),
            label(middle, y + 0.68 * height, suit, style=large, **words),
        ]
    return group(rect(x, y, size, rx=0.1 * size.width, **edge), *face)


def card_back(x: float, y: float, size: Size) -> Markup:
    """Draw the back of a card."""
    inside = Size(size.width - 8, size.height - 8)
    return join(
        rect(x, y, size, rx=0.1 * size.width, fill="#fff", stroke="#2b2118", stroke_width=1.5),
        rect(x + 4, y + 4, inside, rx=0.07 * size.width, fill=BACK),
    )


def spread(
    count: int, x: float, *, width: float, card: float, gap: float = 3, centered: bool = False
) -> list[float]:
    """Where *count* cards begin side by side from *x*; they overlap only if *width* asks for it."""
    step = card + gap
    if count > 1:
        step = min(step, (width - card) / (count - 1))
    left = x + (width - step * (count - 1) - card) / 2 if centered and count else x
    return [left + step * k for k in range(count)]


def box(
    x: float, y: float, size: Size, *, fill: str, edge: str, is_to_move: bool = False
) -> Markup:
    """Draw the box of a player, with a broad edge while they are to move."""
    return rect(x, y, size, rx=12, fill=fill, stroke=edge, stroke_width=4 if is_to_move else 1.5)
