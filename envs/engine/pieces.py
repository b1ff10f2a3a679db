"""Pieces that several games draw: cards, rows of cards, the boxes of players; knows no game."""

from .svg import Markup, Size, group, join, label, rect

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
