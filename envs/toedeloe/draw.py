"""Pictures of a position of ToedeLoe: as SVG, and as text for a terminal of 80 columns."""

from collections.abc import Iterator
from pathlib import Path

from ..engine.picture import MARGIN, Key, Picture, ends
from ..engine.svg import Markup, Size, box, card_face, circle, group, join, label, path, rect, use
from .board import BOARD, LAST_PENALTY, REDS, SIDES
from .board_file import SIDE
from .view import SIDE_NAMES, SUIT_SIGNS, ToedeloeView, square_label

WIDTH, HEIGHT = 1080, 712
PITCH = 53  # from square to square
RADIUS, PAWN = 23.5, 16.5  # of a square, of a pawn
DISC_X, DISC_Y, DISC = 382, 356, 352

PANEL_X, PANEL_WIDTH, BOX_HEIGHT = 762, 290, 196
HAND_Y = 290
CARD, CARD_STEP = Size(84, 118), 98
TRACK_STEP = 20.5

INK, RIM, FELT, GOLD, BONUS = "#2b2118", "#8a6238", "#dfebd8", "#e0a100", "#1f8a3b"
KIND_FILL = {
    "C": "#eef1e6",
    "S": "#e6eaf2",
    "D": "#fdeadd",
    "H": "#fde4e6",
    "E": "#c8402f",
    "O": "#3d3a37",
}
PIECE_FILL = {"w": "#ffffff", "g": "#6c7480", "r": "#e02f24", "t": "#21a24a"}
STYLE = {
    ".label": "font-size:15px",
    ".step": "font-size:11px",
    ".red": "fill:#b3261e",
    ".pale": "fill:#fff",
}
PIECE_SIGNS = {"w": "○", "g": "●", "r": "▲", "t": "◆"}  # in text, as are these
CELL = 6

CARDS = {
    "7": "a pawn on its suit and number; J 11, Q 12",
    "+": "cards of one suit: sums and differences",
    "3": "alone it also moves a pawn three squares",
    "A": "alone it moves a ToedeLoe; with others ±1",
    "K": "alone it places a red pawn, which may step",
    "X": "joker: as K; without reds the ToedeLoe",
}
"""What the cards do [R4.7 to R4.12]."""


def legend(view: ToedeloeView) -> list[Key]:
    """What the signs of both pictures mean, what counts, and what the cards do."""
    frame = rect(-12, -8, Size(24, 16), rx=4, fill="none", stroke="#111", stroke_width=3)
    rows = join(circle(-6, 0, 7, fill=KIND_FILL["E"]), circle(7, 0, 7, fill=KIND_FILL["O"]))
    pawns = join(*(_piece("w", x, 0, 5) for x in (-10, 0, 10)))
    named = [Key("named by the last move", "", _ring(9, "4 3"))]
    return [
        Key("square wC7 in White's zone, gC7 in Grey's", "♣7"),
        Key("red pawn: only a ToedeLoe throws it off", "▲", _piece("r", 0, 0, 10)),
        Key("ToedeLoe: never thrown off", "◆", _piece("t", 0, 0, 10)),
        Key("frame: protected; 1 a pawn, 12 for all six", "[ ]", frame),
        Key("bonus square: 2 points for a pawn", "*", _ring(9, color=BONUS)),
        Key("rows E and O: 1 point for a pawn", "E O", rows),
        Key("longest: 1 for a pawn of the longest row", "○○○", pawns),
        Key("penalty: a hand without a play; 9 end it", "-3"),
        *([Key("piece that moves now", "> <", _ring(9))] if view.position["square"] else []),
        *(named if view.named in view.places else []),
        *(Key(words, card) for card, words in CARDS.items()),
    ]


def paint(view: ToedeloeView) -> list[Markup]:
    """Draw the board and, beside it, the open hand between both sides."""
    return [
        *_board(view),
        _side(view, 1 - view.near, 4),
        _hand(view),
        _side(view, view.near, HEIGHT - BOX_HEIGHT - 4),
    ]


# --------------------------------------------------------------------------------------- the board


def _board(view: ToedeloeView) -> Iterator[Markup]:
    """Draw the disc with its squares, frames and pieces."""
    middle = f"M{DISC_X - DISC + 8} {DISC_Y}H{DISC_X + DISC - 8}"
    yield circle(DISC_X, DISC_Y, DISC, fill="url(#wood)", stroke=RIM, stroke_width=6)
    yield path(middle, stroke=RIM, stroke_width=2, stroke_dasharray="2 7")
    for frame in BOARD.frames:
        places = [_at(view, BOARD.names[number]) for number in frame]
        (left, top), (right, bottom) = min(places), max(places)
        size = Size(right - left + PITCH, bottom - top + PITCH)
        yield rect(
            left - PITCH / 2, top - PITCH / 2, size,
            rx=14, fill="#f8efd9", stroke="#111", stroke_width=5,
        )  # fmt: skip
    yield from (_square(view, name) for name in view.places)
    for side, y in ((1 - view.near, 24), (view.near, HEIGHT - 28)):
        name = SIDE_NAMES[side]
        yield label(MARGIN, y, f"{name}'s zone", class_="large")
        yield label(MARGIN, y + 18, f"names with {name[0].lower()}: {name[0].lower()}C7")


def _at(view: ToedeloeView, name: str) -> tuple[float, float]:
    """The middle of a square."""
    row, column = view.places[name]
    half = (SIDE - 1) / 2
    return DISC_X + PITCH * (column - half), DISC_Y + PITCH * (row - half)


def _square(view: ToedeloeView, name: str) -> Markup:
    """Draw a square with its label and rings, and what stands on it."""
    (x, y), kind, piece = _at(view, name), name[1], view.pieces[name]
    is_taken = piece != "."
    rings = [_ring(RADIUS, color=BONUS)] if BOARD.names.index(name) in BOARD.bonus else []
    rings += [_ring(RADIUS + 2)] if name == view.position["square"] else []
    rings += [_ring(RADIUS + 2, "5 4")] if name == view.named else []
    tone = "pale" if kind in "EO" else "red" if kind in "DH" else ""
    if is_taken:
        tone = "" if piece == "w" else "pale"
    size = "small" if is_taken else "label"
    return group(
        circle(0, 0, RADIUS, fill=KIND_FILL[kind], stroke="#a98d5c", stroke_width=1.2),
        *rings,
        _piece(piece, 0, 0, PAWN) if is_taken else None,
        label(0, 5, square_label(name), class_=f"middle bold {size} {tone}".rstrip()),
        transform=f"translate({x:g} {y:g})",
    )


def _ring(radius: float, dashes: str | None = None, color: str = GOLD) -> Markup:
    return circle(0, 0, radius, fill="none", stroke=color, stroke_width=4, stroke_dasharray=dashes)


def _piece(piece: str, x: float, y: float, radius: float) -> Markup:
    """Draw a piece around *x*, *y*."""
    size = Size(2.5 * radius, 2.5 * radius)
    left, top = x - size.width / 2, y - size.height / 2
    shape = "crowned" if piece == "t" else "round"
    return use(shape, left, top, size=size, color=PIECE_FILL[piece])


# --------------------------------------------------------------------------------------- the panel


def _side(view: ToedeloeView, side: int, y: float) -> Markup:
    """Draw what a side has to place, its count and its penalty track."""
    seat, pawn = view.to_move, "wg"[side]
    plus, minus = view.count_words(side)
    right = PANEL_WIDTH - 16
    reds, green = view.position["red"][side], view.position["toedeloe"][side]
    is_to_move = seat is not None and seat % SIDES == side
    edge = GOLD if is_to_move else "#b7c9ab"
    frame = Size(PANEL_WIDTH, BOX_HEIGHT)
    return group(
        box(0, 0, frame, fill=FELT, edge=edge, is_to_move=is_to_move),
        _piece(pawn, 26, 28, 13),
        label(48, 34, SIDE_NAMES[side], class_="large"),
        label(right, 34, f"{view.parts[side]['net']} points", class_="end large"),
        label(16, 62, " · ".join(view.facts(side)), class_="small"),
        label(16, 84, plus, class_="small"),
        label(16, 102, minus, class_="small"),
        label(16, 134, "to place", class_="small"),
        _piece(pawn, 84, 130, 12),
        label(102, 135, f"× {view.position['pawns'][side]}", class_="bold"),
        *(_supply("r", k < reds, 160 + 20 * k, 9) for k in range(REDS)),
        _supply("t", bool(green), PANEL_WIDTH - 34, 12),
        label(16, 170, "penalty", class_="small"),
        *(_step(n, 78 + TRACK_STEP * n, view.position["penalty"][side]) for n in range(10)),
        transform=f"translate({PANEL_X} {y:g})",
    )


def _supply(piece: str, is_there: bool, x: float, radius: float) -> Markup:  # noqa: FBT001
    """Draw a piece that waits, or the place of one that is on the board."""
    if is_there:
        return _piece(piece, x, 130, radius)
    return circle(x, 130, radius, fill="none", stroke="#9fb296", stroke_dasharray="3 3")


def _step(number: int, x: float, penalty: int) -> Markup:
    """Draw a step of the penalty track, with the red pawn if it stands there."""
    is_here = number == penalty
    return join(
        circle(x, 166, 9.5, fill="#fff", stroke=INK),
        _piece("r", x, 166, 9.5) if is_here else None,
        label(
            x, 170, f"-{number}" if number else "0", class_="middle step" + " bold pale" * is_here
        ),
    )


def _hand(view: ToedeloeView) -> Markup:
    """Draw the open hand between the two sides."""
    return join(
        label(PANEL_X, HAND_Y - 14, view.hand_words, class_="bold"),
        *(
            _card(view, card, PANEL_X + CARD_STEP * k)
            for k, card in enumerate(view.position["table"])
        ),
    )


def _card(view: ToedeloeView, card: str, x: float) -> Markup:
    """Draw a card; what is in play has a golden edge, what was played is pale."""
    note = view.card_note(card)
    gold: dict[str, str | float | None] = {"stroke": GOLD, "stroke_width": 4}
    suit, rank = SUIT_SIGNS.get(card[0], "★"), card[1:] if card[0] in SUIT_SIGNS else card
    face = card_face(x, HAND_Y, rank, size=CARD, suit=suit, **(gold if note == "in play" else {}))
    return join(
        group(face, opacity=0.45 if note == "played" else None),
        label(x + CARD.width / 2, HAND_Y + CARD.height + 20, note, class_="middle small"),
    )


# ----------------------------------------------------------------------------------------- in text


def write(view: ToedeloeView) -> Iterator[str]:
    """Write the board between both sides, the viewer's below, and the open hand."""
    yield from _side_lines(view, 1 - view.near)
    yield ""
    cells = [[" " * CELL] * SIDE for _ in range(SIDE)]
    for name, (row, column) in view.places.items():
        cells[row][column] = _cell(view, name)
    lines = ["  " + "".join(row) for row in cells]
    far, near = (f"{SIDE_NAMES[side]}'s zone" for side in (1 - view.near, view.near))
    yield from lines[: SIDE // 2]
    yield f"--{far} above, {near} below".ljust(76, "-")
    yield from lines[SIDE // 2 :]
    yield ""
    yield from _side_lines(view, view.near)
    yield ""
    cards = [f"[{square_label(' ' + c)}] {view.card_note(c)}" for c in view.position["table"]]
    yield f"{view.hand_words}{': ' * bool(cards)}{'  '.join(cards)}"


def _side_lines(view: ToedeloeView, side: int) -> list[str]:
    """Write a side's supplies, penalty track and count."""
    position = view.position
    track = "".join("▲" if n == position["penalty"][side] else "·" for n in range(LAST_PENALTY + 1))
    pieces = (("wg"[side], "pawns"), ("r", "red"), ("t", "toedeloe"))
    supply = ", ".join(f"{PIECE_SIGNS[piece]} {position[key][side]}" for piece, key in pieces)
    return [
        ends(
            f"{SIDE_NAMES[side]} {view.parts[side]['net']} points ({', '.join(view.facts(side))})",
            f"penalty 0{track}9",
        ),
        f"  to place: {supply}",
        f"  {' · '.join(view.count_words(side))}",
    ]


def _cell(view: ToedeloeView, name: str) -> str:
    """A square in six columns: what stands there, its label, how it is special."""
    number, piece = BOARD.names.index(name), view.pieces[name]
    left, right = " ", "*" if number in BOARD.bonus else " "
    if any(number in frame for frame in BOARD.frames):
        left, right = "[", "]"
    if name == view.position["square"]:
        left, right = ">", "<"
    return left + f"{PIECE_SIGNS.get(piece, '')}{square_label(name)}".center(CELL - 2) + right


PICTURE = Picture(
    view=ToedeloeView,
    size=Size(WIDTH, HEIGHT),
    paint=paint,
    write=write,
    legend=legend,
    drawings=Path(__file__).with_name("pieces.svg"),
    style=STYLE,
    colors=("#6b5d49", "#5b626c"),
)
