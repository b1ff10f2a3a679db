"""Pictures of a position of Oduludo: as SVG, and as text for a terminal of 80 columns.

Discs are free pieces, named K, Q, 1, 2, 3; small squares are captives of the stack beside them.
`make cases` draws the picture of the docs again, which is that of `example`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, sqrt
from typing import Any

from ..engine.svg import Markup, Size, circle, document, group, join, label, rect, use
from .board import BOARD, RING
from .draw_text import text
from .layout import Point, layout
from .pieces import CELL, COLORS, INK, SAFE, SPACE, TINTS, symbols
from .view import SIGNS, Stack, View, look

__all__ = ["example", "svg", "text"]

BOARD_PIXELS, PANEL, MARGIN = 690, 300, 24
TOP = 24
"""Where the board begins; the panel stands to the right of it."""
WIDTH, HEIGHT = BOARD_PIXELS + PANEL + 2 * MARGIN, BOARD_PIXELS + 2 * TOP
UNIT = BOARD_PIXELS / layout().side
PANEL_X = MARGIN + BOARD_PIXELS + 24
CARD_HEIGHT, CARD_STEP, FIRST_CARD = 122, 132, 126
SMALL_TOKEN = 9.0

STYLE = {
    "text": "font:14px 'Trebuchet MS',Verdana,'DejaVu Sans',sans-serif;fill:#fff",
    ".middle": "text-anchor:middle",
    ".end": "text-anchor:end",
    ".small": "font-size:12px",
    ".large": "font-size:19px",
    ".bold,.large": "font-weight:bold",
    ".number": f"font-size:9px;fill:{INK};fill-opacity:.55",
    ".sign": "font-weight:bold;text-anchor:middle",
}

EXAMPLE: Mapping[str, Any] = {
    "game": "oduludo",
    "config": {"players": 4},
    "phase": "capture",
    "to_move": 2,
    "decisions": 74,
    "die": 5,
    "sixes": 0,
    "star": False,
    "mover": "Q",
    "at": None,
    "fresh": [],
    "pieces": [
        {"K": "r9", "Q": "p2", "S1": "r9", "S2": "earth", "S3": "held:3:S1"},
        {"K": "ship", "Q": "r40", "S1": "r40", "S2": "r40", "S3": "ship"},
        {"K": "r31", "Q": "r9", "S1": "p4", "S2": "earth", "S3": "held:0:K"},
        {"K": "ship", "Q": "held:2:earth", "S1": "r22", "S2": "ship", "S3": "r22"},
    ],
    "status": ["playing"] * 4,
    "ufos": [True, False, True, True],
    "wins": [0, 0, 0, 0],
    "points": [0, 0, 0, 0],
}


def svg(position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None) -> str:
    """Draw the board; nothing is hidden, so all see the same."""
    view = look(position, last_move=last_move)
    body = [
        rect(0, 0, Size(WIDTH, HEIGHT), fill=SPACE),
        *(_ship(view, color) for color in range(len(COLORS))),
        *(_square(view, square) for square in range(RING)),
        *(
            _path_square(color, k)
            for color, path in enumerate(layout().paths)
            for k in range(len(path))
        ),
        _earth(),
        *_stacks(view),
        _header(view),
        *(_card(view, seat) for seat in range(view.num_seats)),
    ]
    return document(
        Size(WIDTH, HEIGHT),
        body,
        title=f"Oduludo, {view.clock_words()}",
        description=f"{view.phase_words()}. {view.headline()}.",
        style=STYLE,
        defs=symbols(),
    )


def example() -> str:
    """Draw the picture of the docs: Blue's Queen meets a stack that holds a Blue Soldier."""
    return svg(EXAMPLE, viewer=2, last_move="mQ")


# ------------------------------------------------------------------------------------- the board


def _pixel(point: Point) -> Point:
    return Point(MARGIN + point.x * UNIT, TOP + point.y * UNIT)


def _cell(point: Point, fill: str, **style: str) -> Markup:
    x, y = _pixel(point)
    side = UNIT - 3
    return rect(x - side / 2, y - side / 2, Size(side, side), rx=6, fill=fill, **style)


def _square(view: View, square: int) -> Markup:
    """A ring square with its sign and number; safe ones are darker, a Moon has its colour."""
    point = layout().ring[square]
    fill = SAFE if square in BOARD.safe else CELL
    if square in BOARD.moon:
        fill = TINTS[BOARD.moon.index(square)]
    elif square in BOARD.entry:
        fill = TINTS[BOARD.entry.index(square)]
    x, y = _pixel(point)
    sign, side = _sign(view, square), UNIT * 0.78
    return join(
        _cell(point, fill),
        use(sign, x - side / 2, y - side / 2, size=Size(side, side)) if sign else None,
        label(x - UNIT / 2 + 4, y - UNIT / 2 + 11, str(square), class_="number"),
    )


def _sign(view: View, square: int) -> str:
    """The symbol on a ring square; none on a plain one."""
    if square in BOARD.moon:
        return f"moon{BOARD.moon.index(square)}"
    if square in BOARD.ufo:
        color = BOARD.ufo.index(square)
        return f"{'ufo' if view.has_ufo(color) else 'parking'}{color}"
    names = (
        ("sun", BOARD.suns),
        ("lightning", BOARD.lightnings),
        ("star", BOARD.stars),
        ("circle", BOARD.circles),
    )
    return next((name for name, squares in names if square in squares), "")


def _path_square(color: int, k: int) -> Markup:
    point = layout().paths[color][k]
    x, y = _pixel(point)
    number = label(x - UNIT / 2 + 4, y - UNIT / 2 + 11, f"p{k + 1}", class_="number")
    return join(_cell(point, TINTS[color], stroke=COLORS[color]), number)


def _earth() -> Markup:
    x, y = _pixel(layout().earth)
    side = UNIT * 2.7
    return use("earth", x - side / 2, y - side / 2, size=Size(side, side))


def _ship(view: View, color: int) -> Markup:
    """A spaceship in its corner, with the pieces that wait in it."""
    x, y = _pixel(layout().ships[color])
    radius = UNIT * (2.1 if layout().is_cross else 1.5)
    if color not in view.colors:
        return circle(x, y, radius, fill="none", stroke="#3a3d63", stroke_width=2)
    seat = view.colors.index(color)
    waiting = view.waiting(seat, "ship")
    step = radius * 0.66
    tokens = [
        _token(x + step * (k - (len(waiting) - 1) / 2) * 0.85, y, radius * 0.26, color, name)
        for k, name in enumerate(waiting)
    ]
    return join(
        circle(x, y, radius, fill="#262a4d", stroke=COLORS[color], stroke_width=4),
        label(x, y - radius * 0.45, view.name(seat), class_="middle bold"),
        *tokens,
    )


# ------------------------------------------------------------------------------------- the pieces


def _token(x: float, y: float, radius: float, color: int, name: str) -> Markup:
    """A free piece: a disc in its colour."""
    return join(
        circle(x, y, radius, fill=COLORS[color], stroke="#fff", stroke_width=1.5),
        _letter(x, y, radius, name),
    )


def _captive(x: float, y: float, radius: float, color: int, name: str) -> Markup:
    """A captive: a smaller square in its own colour, framed in black."""
    half = radius * 0.8
    box = rect(x - half, y - half, Size(2 * half, 2 * half), fill=COLORS[color])
    return join(group(box, stroke="#000", stroke_width=2), _letter(x, y, radius * 0.9, name))


def _letter(x: float, y: float, radius: float, name: str) -> Markup:
    size = f"font-size:{radius * 1.3:.1f}px"
    return label(x, y + radius * 0.45, SIGNS[name], class_="sign", style=size)


def _stacks(view: View) -> list[Markup]:
    """All stacks on the ring and on the paths."""
    places = layout()
    drawn = [_pile(view, places.ring[square], view.on_square(square)) for square in range(RING)]
    for color, path in enumerate(places.paths):
        for k, point in enumerate(path):
            stack = view.on_path(color, k + 1)
            drawn.append(_pile(view, point, [stack] if stack else []))
    return drawn


def _pile(view: View, point: Point, stacks: list[Stack]) -> Markup:
    """The pieces and captives on one square, in rows that fit; the moving stack has a frame."""
    drawers = [
        (draw, color, name)
        for stack in stacks
        for draw, color, name in (
            *((_token, stack.color, name) for name in stack.pieces),
            *((_captive, color, name) for color, name in stack.captives),
        )
    ]
    if not drawers:
        return Markup("")
    columns = ceil(sqrt(len(drawers)))
    rows = ceil(len(drawers) / columns)
    step = UNIT * 0.94 / columns
    x, y = _pixel(point)
    tokens = [
        draw(
            x + step * (k % columns - (columns - 1) / 2),
            y + step * (k // columns - (rows - 1) / 2),
            step * (0.36 if columns == 1 else 0.44),
            color,
            name,
        )
        for k, (draw, color, name) in enumerate(drawers)
    ]
    mover = view.position["mover"]
    moves = any(s.seat == view.to_move and s.pieces[0] == mover for s in stacks)
    frame = _cell(point, "none", stroke="#ff922b", stroke_width="4") if moves else None
    return join(frame, *tokens)


# -------------------------------------------------------------------------------------- the panel


def _header(view: View) -> Markup:
    color = "#495057" if view.to_move is None else COLORS[view.colors[view.to_move]]
    die = view.position["die"]
    face = [
        rect(PANEL_X + 222, TOP, Size(50, 50), rx=10, fill="#fff"),
        label(PANEL_X + 247, TOP + 36, str(die), class_="sign", style=f"font-size:32px;fill:{INK}"),
    ]
    return join(
        rect(PANEL_X, TOP, Size(210, 50), rx=25, fill=color),
        label(PANEL_X + 105, TOP + 32, view.phase_words(), class_="middle large"),
        *(face if die else ()),
        label(PANEL_X, TOP + 76, view.headline(), class_="small bold"),
        label(PANEL_X, HEIGHT - TOP, view.last_move_words(), class_="small"),
        label(WIDTH - MARGIN, HEIGHT - TOP, view.clock_words(), class_="small end"),
    )


def _card(view: View, seat: int) -> Markup:
    """A player: standing, score, pieces on Earth and captives that are there with them."""
    y, color = FIRST_CARD + CARD_STEP * seat, view.colors[seat]
    home = [(_token, color, name) for name in view.waiting(seat, "earth")]
    captives = [(_captive, *captive) for captive in view.held(f"held:{seat}:earth")]
    tokens = [
        draw(PANEL_X + 88 + 22 * k, y + 98, SMALL_TOKEN, of, name)
        for k, (draw, of, name) in enumerate([*home, *captives])
    ]
    width = 4 if seat == view.to_move else 1.5
    return join(
        rect(
            PANEL_X,
            y,
            Size(272, CARD_HEIGHT),
            rx=12,
            fill="#262a4d",
            stroke=COLORS[color],
            stroke_width=width,
        ),
        label(PANEL_X + 16, y + 28, view.name(seat), class_="large"),
        label(PANEL_X + 256, y + 28, f"player_{seat}", class_="small end"),
        label(
            PANEL_X + 16, y + 52, view.position["status"][seat].replace(":", " "), class_="small"
        ),
        label(PANEL_X + 256, y + 52, view.score_words(seat), class_="small end"),
        label(PANEL_X + 16, y + 76, _holds(view, seat), class_="small"),
        label(PANEL_X + 16, y + 102, "on Earth:", class_="small"),
        *tokens,
    )


def _holds(view: View, seat: int) -> str:
    """How many captives a player holds, and how many of his own are held or removed."""
    places = list(view.pieces[seat].values())
    lost = sum(place.startswith("held") for place in places)
    captives = sum(
        place.startswith(f"held:{seat}:") for pieces in view.pieces for place in pieces.values()
    )
    removed = f"  ·  {places.count('off')} off" if "off" in places else ""
    held = "1 captive" if captives == 1 else f"{captives} captives"
    return f"holds {held}  ·  {lost} of {len(places)} held{removed}"
