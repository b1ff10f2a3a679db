"""Pictures of a position of ToedeLoe: the round board, the open hand and both sides, as SVG.

Everything is drawn from a `View`. `make cases` draws the picture of the docs, that of `example`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..engine.svg import Markup, Size, circle, document, element, group, join, label, path, rect
from .board import EMPTY, GREY, LAST_PENALTY, RED, REDS, TOEDELOE, WHITE
from .board_file import SIDE
from .draw_text import text
from .view import PHASE_WORDS, SIDE_NAMES, Card, Square, View, look

__all__ = ["example", "svg", "text"]

WIDTH, HEIGHT, MARGIN = 1080, 772, 24
PITCH = 55  # from square to square
RADIUS = 24  # of a square
PAWN = 17
DISC_X, DISC_Y, DISC = 384, 386, 368

PANEL_X, PANEL_WIDTH = 772, 284
SIDE_HEIGHT = 186
FAR_Y, HAND_Y, NEAR_Y = 24, 292, 562
CARD, CARD_STEP = Size(84, 118), 96
TRACK_STEP = 20.5
KEY_Y, KEY_STEP = 492, 22  # of the key to the marks

INK, PAPER, WOOD, RIM, FELT, GOLD = (
    "#2b2118", "#fff8ea", "#ecd9b0", "#8a6238", "#dfebd8", "#f2b705",
)  # fmt: skip
BONUS = "#1f8a3b"
KIND_FILL = {
    "C": "#eef1e6",
    "S": "#e6eaf2",
    "D": "#fdeadd",
    "H": "#fde4e6",
    "E": "#c8402f",
    "O": "#3d3a37",
}
PIECE_FILL = {WHITE: "#ffffff", GREY: "#8d949e", RED: "#e02f24", TOEDELOE: "#21a24a"}
STYLE = {
    "text": f"font:14px 'Trebuchet MS',Verdana,'DejaVu Sans',sans-serif;fill:{INK}",
    ".middle": "text-anchor:middle",
    ".end": "text-anchor:end",
    ".small": "font-size:12px",
    ".tiny": "font-size:11px",
    ".step": "font-size:10px",
    ".bold,.large,.label": "font-weight:bold",
    ".label": "font-size:15px",
    ".large": "font-size:18px",
    ".net": "font-size:26px;font-weight:bold",
    ".corner": "font-size:20px;font-weight:bold",
    ".suit": "font-size:40px",
    ".red": "fill:#b3261e",
    ".pale": "fill:#fff",
    ".faint": "fill:#6b5d49",
    ".edge": f"stroke:{INK};stroke-width:1.5",
}

EXAMPLE: Mapping[str, Any] = {
    "game": "toedeloe",
    "config": {},
    "phase": "target",
    "to_move": 0,
    "decisions": 162,
    "turn": 0,
    "turn_no": 53,
    "board": [
        "   .g.w..   ",
        "  .g..w...  ",
        " ..r...g... ",
        "...wgwg.g...",
        "..w.ggr.....",
        "g.wwg..g.w..",
        "..wwwww.g...",
        ".r...www.g..",
        "..w..wwt...g",
        " ...w..rg.. ",
        "  .w...g..  ",
        "   ...w..   ",
    ],
    "pawns": [8, 14],
    "red": [0, 4],
    "toedeloe": [0, 1],
    "penalty": [2, 3],
    "draw_pile": [["C4", "C9", "D2", "DJ", "H3", "HK", "S6", "S10", "X2"], ["D5", "H9", "SK"]],
    "table": ["CA", "C7", "D4"],
    "used": ["CA", "C7"],
    "action": ["CA", "C7"],
    "queue": [],
    "square": None,
    "placed": False,
}


def svg(position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None) -> str:
    """Draw the table as *viewer* sees it, his own side below; None sits on white's side."""
    view = look(position, viewer=viewer, last_move=last_move)
    body = [
        rect(0, 0, Size(WIDTH, HEIGHT), fill=PAPER),
        _board(view),
        _side(view, 1 - view.near, FAR_Y),
        _hand(view),
        _key(),
        _side(view, view.near, NEAR_Y),
    ]
    seen = f"{PHASE_WORDS[view.phase]}. {view.headline()}."
    title = f"ToedeLoe, {view.turn_words()}"
    return document(
        Size(WIDTH, HEIGHT), body, title=title, description=seen, style=STYLE, defs=_defs()
    )


def example() -> str:
    """Draw the picture of the docs: white has played an ace and a seven of clubs."""
    return svg(EXAMPLE, viewer=0, last_move="CA+C7")


def _defs() -> list[Markup]:
    """Shades: the disc is wood, the pieces are round."""
    wood = [("0", WOOD), ("0.82", WOOD), ("1", "#d3b578")]
    shine = [("0", "#ffffff", "0.75"), ("0.45", "#ffffff", "0"), ("1", "#000000", "0.28")]
    return [
        element(
            "radialGradient",
            *(element("stop", offset=at, stop_color=color) for at, color in wood),
            id="wood",
        ),
        element(
            "radialGradient",
            *(
                element("stop", offset=at, stop_color=color, stop_opacity=strength)
                for at, color, strength in shine
            ),
            id="shine",
            cx="0.38",
            cy="0.34",
            r="0.72",
        ),
    ]


# --------------------------------------------------------------------------------------- the board


def _board(view: View) -> Markup:
    """Draw the disc with its squares, frames and pieces."""
    middle = f"M{DISC_X - DISC + 8} {DISC_Y}H{DISC_X + DISC - 8}"
    return join(
        circle(DISC_X, DISC_Y + 5, DISC, fill="#c9b48a"),
        circle(DISC_X, DISC_Y, DISC, fill="url(#wood)", stroke=RIM, stroke_width=6),
        path(middle, stroke=RIM, stroke_width=2, stroke_dasharray="2 7"),
        *_frames(view),
        *(_square(square) for square in view.squares),
        *_zone(1 - view.near, 40),
        *_zone(view.near, HEIGHT - 38),
    )


def _zone(side: int, y: float) -> list[Markup]:
    """Say beside the disc whose zone this half is, as the names of its squares do."""
    letter = SIDE_NAMES[side][0].lower()
    return [
        label(MARGIN, y, f"{SIDE_NAMES[side]}'s zone", class_="large"),
        label(MARGIN, y + 18, f"names begin with {letter}: {letter}C7", class_="small faint"),
    ]


def _at(row: float, column: float) -> tuple[float, float]:
    half = (SIDE - 1) / 2
    return DISC_X + PITCH * (column - half), DISC_Y + PITCH * (row - half)


def _frames(view: View) -> list[Markup]:
    """Draw each black frame around the squares that it protects."""
    frames = []
    for zone in "wg":
        inside = [s for s in view.squares if s.in_frame and s.name[0] == zone]
        rows, columns = [s.row for s in inside], [s.column for s in inside]
        left, top = _at(min(rows) - 0.5, min(columns) - 0.5)
        right, bottom = _at(max(rows) + 0.5, max(columns) + 0.5)
        size = Size(right - left, bottom - top)
        frames.append(rect(left, top, size, rx=14, fill="#f8efd9", stroke="#111", stroke_width=5))
    return frames


def _square(square: Square) -> Markup:
    """Draw a square with its label and ring, and what stands on it."""
    x, y = _at(square.row, square.column)
    kind = square.name[1]
    tone = "pale" if kind in "EO" else "red" if kind in "DH" else None
    is_taken = square.piece != EMPTY
    parts = [circle(x, y, RADIUS, fill=KIND_FILL[kind], stroke="#a98d5c", stroke_width=1.2)]
    if square.is_bonus:
        parts.append(circle(x, y, RADIUS, fill="none", stroke=BONUS, stroke_width=4.5))
    if square.is_moving or square.is_last:
        dash = None if square.is_moving else "5 4"
        ring = circle(
            x, y, RADIUS + 2, fill="none", stroke=GOLD, stroke_width=4, stroke_dasharray=dash
        )
        parts.append(ring)
    if is_taken:
        parts.append(_piece(square.piece, x, y, PAWN))
        tone = "pale" if square.piece > WHITE else None
    size = "tiny" if is_taken else "label"
    words = " ".join(filter(None, ("middle bold", size, tone)))
    parts.append(label(x, y + (4 if is_taken else 5), square.label, class_=words))
    return group(*parts)


def _piece(piece: int, x: float, y: float, radius: float) -> Markup:
    """Draw a piece from above; the ToedeLoe wears a crown of eight points."""
    parts = [circle(x, y + 1.5, radius, fill="#000", fill_opacity="0.3")]
    if piece == TOEDELOE:
        parts += [
            rect(
                x - 0.86 * radius, y - 0.86 * radius, Size(1.72 * radius, 1.72 * radius),
                fill=PIECE_FILL[piece], transform=f"rotate({turn} {x:g} {y:g})", class_="edge",
            )
            for turn in (0, 45)
        ]  # fmt: skip
        radius *= 0.9
    parts += [
        circle(x, y, radius, fill=PIECE_FILL[piece], class_="edge"),
        circle(x, y, radius, fill="url(#shine)"),
    ]
    return group(*parts)


# --------------------------------------------------------------------------------------- the panel


def _side(view: View, side: int, y: float) -> Markup:
    """Draw what a side has to place, its count and its penalty track."""
    x, parts = PANEL_X, view.parts[side]
    right = x + PANEL_WIDTH - 16
    note = view.side_note(side)
    is_moving = view.to_move is not None and view.to_move % 2 == side
    count = (
        f"frames {parts['frame']} · rows {parts['rows']} · bonus {parts['bonus']} · "
        f"longest {parts['longest']}"
    )
    less = f"not placed -{parts['unplaced']} · passes -{parts['penalty']}"
    return join(
        rect(
            x, y, Size(PANEL_WIDTH, SIDE_HEIGHT), rx=16, fill=FELT,
            stroke=GOLD if is_moving else "#b7c9ab", stroke_width=4 if is_moving else 1.5,
        ),
        _piece(WHITE + side, x + 26, y + 28, 13),
        label(x + 48, y + 34, SIDE_NAMES[side], class_="large"),
        label(x + 116, y + 34, note, class_="small") if note else None,
        label(right, y + 33, str(parts["net"]), class_="end net"),
        label(right, y + 48, "points", class_="end tiny"),
        label(x + 16, y + 68, count, class_="small"),
        label(x + 16, y + 86, less, class_="small"),
        label(right, y + 86, f"draw pile {view.piles[side]}", class_="end small"),
        _supply(view, side, y + 118),
        _track(view, side, y + 156),
    )  # fmt: skip


def _supply(view: View, side: int, y: float) -> Markup:
    """Draw the pawns, red pawns and ToedeLoe that wait."""
    x, first = PANEL_X + 16, PANEL_X + 160
    places = [first + 20 * k for k in range(REDS)]
    green = PANEL_X + PANEL_WIDTH - 34
    return join(
        label(x, y + 4, "to place", class_="small"),
        _piece(WHITE + side, x + 68, y, 12),
        label(x + 86, y + 5, f"× {view.pawns[side]}", class_="bold"),
        *(
            _piece(RED, place, y, 9) if k < view.red[side] else _hole(place, y, 9)
            for k, place in enumerate(places)
        ),
        _piece(TOEDELOE, green, y, 12) if view.toedeloe[side] else _hole(green, y, 12),
    )


def _hole(x: float, y: float, radius: float) -> Markup:
    """Draw the place of a piece that is on the board."""
    return circle(x, y, radius, fill="none", stroke="#9fb296", stroke_dasharray="3 3")


def _track(view: View, side: int, y: float) -> Markup:
    """Draw the penalty track from 0 to -9 with its red pawn."""
    first = PANEL_X + 73
    places = [label(PANEL_X + 16, y + 4, "passes", class_="small")]
    for n in range(LAST_PENALTY + 1):
        x = first + TRACK_STEP * n
        here = view.penalty[side] == n
        places.append(circle(x, y, 9.5, fill="#fff", stroke=INK, stroke_width=1))
        if here:
            places.append(_piece(RED, x, y, 9.5))
        tone = "middle step bold pale" if here else "middle step"
        places.append(label(x, y + 3.5, f"-{n}" if n else "0", class_=tone))
    return join(*places)


def _hand(view: View) -> Markup:
    """Draw the open hand between the two sides, and what there is to do."""
    x, y = PANEL_X, HAND_Y
    words = view.headline()
    head, _, rest = words.partition(": ")
    lines = [head, rest] if rest else words.split(", ", 1)
    return join(
        label(x, y - 52, lines[0], class_="large"),
        label(x, y - 30, lines[-1] if len(lines) > 1 else "", class_="bold"),
        label(x, y - 8, view.owner_words(), class_="small"),
        label(x + PANEL_WIDTH, y - 8, view.turn_words(), class_="end small"),
        *(_card(card, x + CARD_STEP * k, y + 6) for k, card in enumerate(view.cards)),
        label(x, y + 170, view.last_move_words(), class_="small faint"),
    )


def _key() -> Markup:
    """Draw what the marks of the board are worth."""
    x, words = PANEL_X + 14, PANEL_X + 40
    frame, ring, rows = (KEY_Y + KEY_STEP * k for k in range(3))
    return join(
        rect(x - 12, frame - 8, Size(24, 16), rx=4, fill="none", stroke="#111", stroke_width=3),
        label(words, frame + 4, "protected, 1 point a pawn; 12 for all six", class_="tiny"),
        circle(x, ring, 8, fill="none", stroke=BONUS, stroke_width=3.5),
        label(words, ring + 4, "bonus: 2 points for a pawn", class_="tiny"),
        circle(x - 6, rows, 7, fill=KIND_FILL["E"]),
        circle(x + 7, rows, 7, fill=KIND_FILL["O"]),
        label(words, rows + 4, "rows E (even) and O (odd): 1 point a pawn", class_="tiny"),
    )


def _card(card: Card, x: float, y: float) -> Markup:
    """Draw a card; what is in play has a golden edge, what was played is pale."""
    tone = " red" if card.is_red else ""
    center = x + CARD.width / 2
    is_spent = card.is_used and not card.is_active
    return join(
        group(
            rect(
                x, y, CARD, rx=9, fill="#fff",
                stroke=GOLD if card.is_active else INK, stroke_width=4 if card.is_active else 1.5,
            ),
            label(x + 9, y + 25, card.rank, class_=f"corner{tone}"),
            label(center, y + 78, card.sign, class_=f"middle suit{tone}"),
            label(center, y + 104, "joker", class_="middle small") if card.is_joker else None,
            opacity="0.45" if is_spent else None,
        ),
        label(center, y + CARD.height + 18, card.note, class_="middle small faint"),
    )  # fmt: skip
