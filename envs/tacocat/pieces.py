"""The pieces of Tacocat as drawings: cards, tiles and the Tacocat itself.

Each is drawn once, as a symbol, and then used wherever the table needs it, in any size.
"""

from __future__ import annotations

from functools import cache

from ..engine.svg import Markup, Size, circle, group, label, path, rect, symbol
from .view import BACK

CARD, TILE, TACOCAT = Size(60, 84), Size(88, 88), Size(100, 92)
"""The sizes that the pieces are drawn in; used, they take any size of these proportions."""

INK = "#2b2118"
FUR, FUR_SHADE, SHELL, SHELL_SHADE = "#f6f1e7", "#f4a3a8", "#f5b83d", "#d98a1f"
LETTUCE, TOMATO = "#6fb33f", "#d8412f"

# Fill and ink of the ranks 1..12: colours that stay apart for colour-blind eyes, after
# M. Krzywinski's set of twelve.
RANK_COLORS = (
    ("#00c2f9", "#10222b"),
    ("#007cd9", "#ffffff"),
    ("#8400cd", "#ffffff"),
    ("#ffb2fd", "#3d0f3b"),
    ("#00806a", "#ffffff"),
    ("#00fccf", "#05352c"),
    ("#ffc33b", "#3b2a00"),
    ("#ff6e3a", "#3a1000"),
    ("#ff5aaf", "#3b0a25"),
    ("#d6012f", "#ffffff"),
    ("#9f0162", "#ffffff"),
    ("#2b2118", "#ffc33b"),
)


@cache
def symbols() -> tuple[Markup, ...]:
    """Draw all pieces, for the `defs` of a picture."""
    faces = [_card_face(rank) for rank in range(1, len(RANK_COLORS) + 1)]
    return (*faces, _card_back(), _tile(), _tacocat())


def card_name(card: int) -> str:
    """Name the symbol of a rank, or of a card's back."""
    return f"card{card}"


def _card_face(rank: int) -> Markup:
    """A cat in the colour of its rank, which it bears on its face; again in the corner."""
    fill, ink = RANK_COLORS[rank - 1]
    head = path("M7 45 15 18 25 28Q30 26.5 35 28L45 18 53 45Q56 78 30 78 4 78 7 45Z", fill=fill)
    return symbol(
        card_name(rank),
        CARD,
        rect(1, 1, Size(58, 82), rx=7, fill="#fff", class_="edge"),
        group(head, class_="edge"),
        label(30, 60, str(rank), class_="middle number", style=f"fill:{ink}"),
        path("M24 66Q27 72 30 66 33 72 36 66", class_="stroke", style=f"stroke:{ink}"),
        path("M3 59 12 61M4 69 13 67M57 59 48 61M56 69 47 67", class_="stroke"),
        label(5, 15, str(rank), class_="corner"),
    )


def _card_back() -> Markup:
    return symbol(
        card_name(BACK),
        CARD,
        rect(1, 1, Size(58, 82), rx=7, fill="#fff", class_="edge"),
        rect(5, 5, Size(50, 74), rx=4, fill="#5b4a8a"),
        path("M5 42 30 5 55 42 30 79Z", fill="#7464a6"),
        _paw(30, 46, scale=1, fill="#ffe3a3"),
    )


def _tile() -> Markup:
    return symbol(
        "tile",
        TILE,
        rect(5, 5, Size(78, 78), rx=12, fill="#b98d5f", class_="edge"),
        rect(11, 11, Size(66, 66), rx=9, fill="none", stroke="#8a6238", stroke_width=2),
        _paw(44, 49, scale=1.9, fill="#7a5430"),
    )


def _paw(x: float, y: float, *, scale: float, fill: str) -> Markup:
    toes = [circle(dx, dy, 3.2) for dx, dy in ((-9.5, -5), (-3.6, -11), (3.6, -11), (9.5, -5))]
    pad = path("M0-5Q9 1 8.5 7 4.5 11 0 8.5-4.5 11-8.5 7-9 1 0-5Z")
    return group(pad, *toes, transform=f"translate({x:g} {y:g}) scale({scale:g})", fill=fill)


def _tacocat() -> Markup:
    """The Tacocat: a cat that looks out of its taco, with lettuce and tomato around its neck."""
    tail = path("M88 74Q103 62 95 47 91 41 87 45", class_="stroke", stroke=INK)
    shell = path("M6 88Q6 48 50 48 94 48 94 88 94 91 91 91H9Q6 91 6 88Z", fill=SHELL)
    filling = path("M9 62Q13 50 21 55 25 44 34 50 42 42 50 48 58 42 66 50 75 44 79 55 87 50 91 62Z")
    front = path("M4 88Q8 57 50 57 92 57 96 88 96 91 92 91H8Q4 91 4 88Z", fill=SHELL)
    specks = [
        circle(x, y, 2) for x, y in ((18, 80), (32, 70), (50, 79), (66, 69), (82, 81), (40, 85))
    ]
    return symbol(
        "tacocat",
        TACOCAT,
        group(tail, style="stroke-width:6"),
        group(shell, class_="edge"),
        group(_cat_head(), class_="edge"),
        group(filling, fill=LETTUCE, class_="edge"),
        group(circle(27, 57, 5), circle(51, 55, 5), circle(74, 57, 5), fill=TOMATO),
        group(front, class_="edge"),
        group(*specks, fill=SHELL_SHADE),
    )


def _cat_head() -> Markup:
    head = path("M24 24 27 2 41 12Q50 9 59 12L73 2 76 24Q82 56 50 56 18 56 24 24Z", fill=FUR)
    ears = path("M29 15 30 7 36 12ZM71 15 70 7 64 12Z", fill=FUR_SHADE, stroke="none")
    eyes = group(circle(40, 28, 3.6), circle(60, 28, 3.6), fill=INK, stroke="none")
    glints = group(circle(41.3, 26.7, 1.2), circle(61.3, 26.7, 1.2), fill="#fff", stroke="none")
    nose = path("M47 34H53L50 37.5Z", fill=FUR_SHADE)
    lines = "M44 38Q47 43 50 38 53 43 56 38M16 31 29 34M15 39 29 38M84 31 71 34M85 39 71 38"
    cheeks = group(circle(33, 36, 3.5), circle(67, 36, 3.5), fill=FUR_SHADE, stroke="none")
    return group(head, ears, cheeks, eyes, glints, nose, path(lines, class_="stroke"))
