"""Pictures of a position of Tacocat: as SVG, and as text for a terminal of 80 columns.

Both are drawn from a `View` alone, so what a seat may not know never gets here.
`make cases` draws the picture of the docs again, which is that of `example`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..engine.svg import Markup, Size, document, join, label, path, rect, use
from .board import GOALS, TRACK, WINS_NEEDED
from .draw_text import text
from .notation import KINDS
from .pieces import card_name, symbols
from .view import BACK, GOAL_NAMES, PHASE_WORDS, TRACK_LETTERS, View, count_cards, look

__all__ = ["example", "svg", "text"]

WIDTH, HEIGHT, MARGIN = 960, 760, 28
LARGE, MEDIUM, SMALL = Size(80, 112), Size(60, 84), Size(30, 42)  # cards
CARD_GAP, CARDS_PER_LAYER = 3, 9
TOKEN = Size(78, 72)

# The picture from top to bottom: where each part begins.
HEADER_Y, FAR_HAND_Y, TRACK_Y, TOKEN_Y = 18, 72, 228, 162
TABLE_Y, FAR_DISCARD_Y, ARENA_Y, NEAR_DISCARD_Y, TABLE_END = 330, 342, 416, 532, 598
NEAR_HAND_Y, FOOTER_Y = 610, 746

PLACE, PLACE_STEP = Size(88, 88), 102  # the nine places of the track
HAND_X, HAND_WIDTH = 176, 756
KIND_X, KIND_STEP, KIND_WIDTH = 48, 296, 272  # the three columns of discards
PILE_X, ARENA_X, ARENA_WIDTH = 48, 160, 752

INK, PAPER, FELT, CURRENT = "#2b2118", "#fff8ea", "#dfebd8", "#ffe08a"
SEAT_COLORS = ("#0b6e75", "#b4400c")
HINTS = {
    "replace": "Cards that are set aside wait here, face down.",
    "duel": "The higher card attacks; equal cards duel again.",
    "attack": "One card, several of one rank, or a run of three or more; keep one card in hand.",
}
STYLE = {
    "text": f"font:14px 'Trebuchet MS',Verdana,'DejaVu Sans',sans-serif;fill:{INK}",
    ".middle": "text-anchor:middle",
    ".end": "text-anchor:end",
    ".small": "font-size:12px",
    ".large": "font-size:20px",
    ".number": "font-size:28px",
    ".bold,.large,.number": "font-weight:bold",
    ".corner": "font-size:14px;font-weight:bold",
    ".faint": "fill:#5d6f57",
    ".white": "fill:#fff",
    ".light": "fill:#fff",
    ".seat0": f"fill:{SEAT_COLORS[0]}",
    ".seat1": f"fill:{SEAT_COLORS[1]}",
    ".edge": f"stroke:{INK};stroke-width:1.5;stroke-linejoin:round",
    ".stroke": f"fill:none;stroke:{INK};stroke-width:1.5;stroke-linecap:round",
}


EXAMPLE: Mapping[str, Any] = {
    "game": "tacocat",
    "config": {},
    "phase": "defend",
    "to_move": 1,
    "decisions": 61,
    "round": 4,
    "tacocat": 3,
    "covered": [4, 5],
    "hands": [[2, 4, 11], [1, 3, 4, 7, 8, 10]],
    "draw_pile": [2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 8],
    "aside": [[], []],
    "discard": {
        "replaced": [[5, 6], [3, 4]],
        "played": [[5, 6, 7, 8, 9, 12], [9, 10]],
        "sacrificed": [[], [1]],
    },
    "attack": [7, 6, 5],
    "trick_lost": False,
}


def svg(position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None) -> str:
    """Draw the table as *viewer* sees it, sitting at the lower edge; None sees all cards."""
    view = look(position, viewer=viewer, last_move=last_move)
    body = [
        rect(0, 0, Size(WIDTH, HEIGHT), fill=PAPER),
        _header(view),
        _player(view, view.far, y=FAR_HAND_Y, size=MEDIUM),
        _track(view),
        rect(MARGIN, TABLE_Y, Size(WIDTH - 2 * MARGIN, TABLE_END - TABLE_Y), rx=18, fill=FELT),
        _discards(view, view.far, FAR_DISCARD_Y),
        _draw_pile(view),
        _arena(view),
        _discards(view, view.near, NEAR_DISCARD_Y),
        _player(view, view.near, y=NEAR_HAND_Y, size=LARGE),
        _footer(view),
    ]
    title = f"Tacocat Spelled Backwards, round {view.round}"
    seen = f"{PHASE_WORDS[view.phase]}. {view.headline()}."
    return document(
        Size(WIDTH, HEIGHT), body, title=title, description=seen, style=STYLE, defs=symbols()
    )


def example() -> str:
    """Draw the picture of the docs: seat 1 answers a run in the fourth round."""
    return svg(EXAMPLE, viewer=1, last_move="a5-7")


def _header(view: View) -> Markup:
    color = INK if view.to_move is None else SEAT_COLORS[view.to_move]
    return join(
        rect(MARGIN, HEADER_Y, Size(116, 38), rx=19, fill=color),
        label(MARGIN + 58, HEADER_Y + 25, PHASE_WORDS[view.phase], class_="middle bold light"),
        label(MARGIN + 130, HEADER_Y + 27, view.headline(), class_="large"),
        label(WIDTH - MARGIN, HEADER_Y + 26, f"Round {view.round}", class_="end bold"),
    )


def _footer(view: View) -> Markup:
    return join(
        label(MARGIN, FOOTER_Y, view.last_move_words()),
        label(WIDTH - MARGIN, FOOTER_Y, view.clock_words(), class_="end small"),
    )


# --------------------------------------------------------------------------------- the two players


def _player(view: View, seat: int, *, y: float, size: Size) -> Markup:
    """Draw a player's name, rounds won and hand."""
    hand = view.hands[seat]
    marks = [
        rect(MARGIN + 20 * i, y + 54, Size(15, 15), rx=4, class_=f"edge {fill}")
        for i, fill in enumerate(
            f"seat{seat}" if i < view.wins[seat] else "white" for i in range(WINS_NEEDED)
        )
    ]
    return join(
        label(MARGIN, y + 20, view.name(seat), class_=f"large seat{seat}"),
        label(MARGIN, y + 40, f"{view.seat_words(seat)}  ·  {count_cards(hand)}", class_="small"),
        *marks,
        label(MARGIN + 84, y + 66, f"won {view.wins[seat]}", class_="small"),
        _row(hand, HAND_X, y, width=HAND_WIDTH, size=size, centered=True),
    )


def _row(
    cards: Sequence[int], x: float, y: float, *, width: float, size: Size, centered: bool = False
) -> Markup:
    """Draw cards side by side, overlapping only where *width* is too small for them."""
    step = size.width + CARD_GAP
    if len(cards) > 1:
        step = min(step, (width - size.width) / (len(cards) - 1))
    taken = step * (len(cards) - 1) + size.width
    left = x + (width - taken) / 2 if centered else x
    return join(*(use(card_name(c), left + step * i, y, size=size) for i, c in enumerate(cards)))


# --------------------------------------------------------------------------------------- the track


def _track(view: View) -> Markup:
    """Draw the rope, the nine places and the Tacocat, the near seat's goal on the left."""
    rope = f"M{MARGIN} {TRACK_Y + PLACE.height / 2:g}H{WIDTH - MARGIN}"
    token_x = _place_x(view.track.index(view.tacocat)) + (PLACE.width - TOKEN.width) / 2
    return join(
        path(rope, stroke="#8a6238", stroke_width=12),
        path(rope, stroke="#d9b98c", stroke_width=8, stroke_dasharray="9 4"),
        *(_place(view, column, space) for column, space in enumerate(view.track)),
        use("tacocat", token_x, TOKEN_Y, size=TOKEN),
    )


def _place_x(column: int) -> float:
    return (WIDTH - (TRACK - 1) * PLACE_STEP - PLACE.width) / 2 + PLACE_STEP * column


def _place(view: View, column: int, space: int) -> Markup:
    """Draw a goal, a tile, or a free space with its hand size and arrows."""
    x = _place_x(column)
    middle = x + PLACE.width / 2
    if space in GOALS:
        seat = GOALS.index(space)
        return join(
            rect(x, TRACK_Y, PLACE, rx=44, class_=f"edge seat{seat}"),
            label(middle, TRACK_Y + 51, GOAL_NAMES[seat], class_="middle large light"),
            label(middle, TRACK_Y + 69, "goal", class_="middle small light"),
        )
    if space in view.covered:
        return use("tile", x, TRACK_Y, size=PLACE)
    size = str(view.options.hand_sizes[space - 1])
    fill = CURRENT if space == view.tacocat else "#fff"
    return join(
        rect(x, TRACK_Y, PLACE, rx=12, fill=fill, class_="edge"),
        label(x + 9, TRACK_Y + 22, TRACK_LETTERS[space - 1], class_="bold"),
        label(middle, TRACK_Y + 54, size, class_="middle number"),
        *(_arrow(view, seat, middle) for seat in view.points_to(space)),
    )


def _arrow(view: View, seat: int, middle: float) -> Markup:
    """Draw an arrow towards a seat's goal, in the colour of that seat."""
    way = -1 if seat == view.near else 1
    tail, neck, tip = (middle + way * reach for reach in (6, 20, 33))
    y = TRACK_Y + 71
    outline = f"M{tail:g} {y - 3}H{neck:g}V{y - 8}L{tip:g} {y} {neck:g} {y + 8}V{y + 3}H{tail:g}Z"
    return path(outline, class_=f"seat{seat}")


# --------------------------------------------------------------------------------------- the table


def _discards(view: View, seat: int, y: float) -> Markup:
    """Draw what a player has replaced, played and sacrificed in this round."""
    return join(*(_discard(view, seat, column=i, y=y) for i in range(len(KINDS))))


def _discard(view: View, seat: int, *, column: int, y: float) -> Markup:
    x, kind = KIND_X + KIND_STEP * column, KINDS[column]
    cards = view.discard[kind][seat]
    empty = rect(x, y + 14, SMALL, rx=4, fill="none", stroke="#9fb296", stroke_dasharray="4 3")
    return join(
        label(x, y + 8, f"{view.name(seat)} {kind} ({len(cards)})", class_=f"small seat{seat}"),
        _row(cards, x, y + 14, width=KIND_WIDTH, size=SMALL) if cards else empty,
    )


def _draw_pile(view: View) -> Markup:
    """Draw the pile, thicker with more cards, and how many there are."""
    back, layers = card_name(BACK), -(-view.draw_pile // CARDS_PER_LAYER)
    return join(
        *(use(back, PILE_X + 3 * i, ARENA_Y - 2 * i, size=MEDIUM) for i in range(layers)),
        label(PILE_X, ARENA_Y + 102, f"draw pile: {view.draw_pile}", class_="small"),
    )


def _arena(view: View) -> Markup:
    """Draw what waits in the middle: an attack, duel cards, cards set aside, or else a hint."""
    middle = ARENA_X + ARENA_WIDTH / 2
    if view.attack:
        return _attack(view, middle)
    owners = [seat for seat in (view.near, view.far) if view.aside[seat]]
    if not owners:
        return label(middle, ARENA_Y + 46, HINTS.get(view.phase, ""), class_="middle faint")
    width = ARENA_WIDTH / len(owners)
    return join(
        *(
            _aside(view, seat, x=ARENA_X + width * i, width=width - 16)
            for i, seat in enumerate(owners)
        )
    )


def _aside(view: View, seat: int, *, x: float, width: float) -> Markup:
    """Draw the cards that a player has laid face down."""
    note = f"{view.name(seat)}: {view.aside_words(seat)}"
    return join(
        _row(view.aside[seat], x, ARENA_Y, width=width, size=MEDIUM, centered=True),
        label(x + width / 2, ARENA_Y + 102, note, class_=f"middle small seat{seat}"),
    )


def _attack(view: View, middle: float) -> Markup:
    """Draw the attack cards that are still to be answered, the current one marked."""
    taken = len(view.attack) * (MEDIUM.width + CARD_GAP) - CARD_GAP
    left = middle - taken / 2
    frame = Size(MEDIUM.width + 10, MEDIUM.height + 10)
    return join(
        rect(left - 5, ARENA_Y - 5, frame, rx=11, fill=CURRENT, stroke="#c92a2a", stroke_width=3),
        _row(view.attack, left, ARENA_Y, width=taken, size=MEDIUM),
        label(
            middle, ARENA_Y + 104, view.attack_words(), class_=f"middle small seat{view.attacker}"
        ),
    )
