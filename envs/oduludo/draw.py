"""Pictures of a position of Oduludo: as SVG, and as text for a terminal of 80 columns.

Discs are free pieces, named K, Q, 1, 2, 3; small squares are captives of the stack beside them.
"""

from collections.abc import Iterator
from math import ceil, sqrt
from pathlib import Path

from ..engine.picture import COLUMNS, MARGIN, Key, Picture, ends
from ..engine.svg import Markup, Size, box, circle, group, join, label, rect, use
from .board import BOARD, RING
from .layout import Point, layout
from .view import LETTERS, OduludoView, Stack

SIDE = 690
"""Of the board; the panel stands to the right of it."""
UNIT = SIDE / layout().side
PANEL_X = MARGIN + SIDE + 22
CARD, CARD_STEP = Size(272, 122), 136
WIDTH = PANEL_X + CARD.width + MARGIN
SMALL_TOKEN = 9.0
INK, SPACE, CELL, BOX = "#1b1d36", "#1b1d36", "#f3f4fb", "#262a4d"
COLORS = ("#2f9e44", "#e03131", "#1c7ed6", "#9c36b5")
"""The colours in the order of the board; letters on the pieces distinguish them as well."""

TINTS = ("#c9ecd0", "#fbd0d0", "#cbe3fa", "#ead1f1")
SAFE, MOVING = "#5c7cfa", "#ff922b"
STYLE = {
    ".index": f"font-size:9px;fill:{INK};fill-opacity:.6",
    ".sign,.name": "font-weight:bold",
    ".name": "font-size:17px",
}
TEXT_CELL, PER_LINE = 5, 8


def legend(view: OduludoView) -> list[Key]:
    """What the signs of both pictures mean."""
    color = view.colors[0]
    name, letter = BOARD.color_names[color], BOARD.colors[color]
    no_mark, square, tile = Markup(""), Size(18, 18), rect(-11, -11, Size(22, 22), rx=4, fill=CELL)

    def sign(name: str) -> Markup:
        return join(tile, _sign(name, color, side=20))

    def frame(edge: str) -> Markup:
        return rect(-9, -9, square, rx=3, fill=CELL, stroke=edge, stroke_width=3)

    return [
        Key("Moon: pieces of its colour enter here", "M", sign("moon")),
        Key("Sun: on to the next Sun; your last: to Earth", "S", sign("sun")),
        Key("Lightning: back to the one before", "L", sign("lightning")),
        Key("Star: one more roll", "*", sign("star")),
        Key("circle: you may roll the ODULUDO die", "o", sign("circle")),
        Key("UFO: the first to come flies to Earth", "U", sign("ufo")),
        Key("parking whose UFO is gone", "u", sign("parking")),
        Key("safe: no enemy can be captured here", "", frame(SAFE)),
        Key("free piece: King, Queen, Soldier 1, 2, 3", "", _token(0, 0, 11, color, "K")),
        Key("captive of the stack beside it", "", _captive(0, 0, 11, color, "Q")),
        Key("the stack that is moving", "", frame(MOVING)),
        Key(f"{name}'s stack: its first piece, how many, + with captives", f"{letter}Q3+", no_mark),
        Key("King, Queen, Soldiers", "K Q 1 2 3", no_mark),
        Key(f"{name}'s path", f"{letter.lower()}1-{letter.lower()}{BOARD.path_length}", no_mark),
        Key("plain square", ".", no_mark),
    ]


def _sign(name: str, color: int = 0, x: float = 0, y: float = 0, side: float = 24) -> Markup:
    """Draw a sign of a square around *x*, *y*."""
    return use(name, x - side / 2, y - side / 2, size=Size(side, side), color=COLORS[color])


def paint(view: OduludoView) -> Iterator[Markup]:
    """Draw the board and, to the right of it, what everybody has."""
    places = layout()
    yield from (_ship(view, color) for color in range(len(COLORS)))
    yield from (_square(view, square) for square in range(RING))
    for color, path in enumerate(places.paths):
        for k, point in enumerate(path):
            yield _cell(point, TINTS[color], f"p{k + 1}", stroke=COLORS[color])
    x, y = _pixel(places.earth)
    yield _sign("earth", x=x, y=y, side=UNIT * 2.7)
    yield label(x, y + 5, "EARTH", class_="middle bold", style=f"fill:{INK}")
    for square in range(RING):
        yield _pile(view, places.ring[square], view.on_square(square))
    for color, path in enumerate(places.paths):
        for k, point in enumerate(path):
            yield _pile(view, point, view.on_path(color, k + 1))
    yield from (_card(view, seat) for seat in range(len(view.colors)))


# ------------------------------------------------------------------------------------- the board


def _pixel(point: Point) -> Point:
    return Point(MARGIN + point.x * UNIT, point.y * UNIT)


def _cell(point: Point, fill: str, number: str = "", **style: str | float | None) -> Markup:
    x, y = _pixel(point)
    side = UNIT - 3
    return join(
        rect(x - side / 2, y - side / 2, Size(side, side), rx=6, fill=fill, **style),
        label(x - UNIT / 2 + 5, y - UNIT / 2 + 12, number, class_="index") if number else None,
    )


def _square(view: OduludoView, square: int) -> Markup:
    """A ring square with its sign and number; safe ones have an edge, a Moon has its colour."""
    fill = CELL
    for squares in (BOARD.moon, BOARD.entry):
        if square in squares:
            fill = TINTS[squares.index(square)]
    edge = SAFE if square in BOARD.safe else None
    point, (kind, _, number) = layout().ring[square], view.kind(square)
    color = number if kind in ("moon", "ufo", "parking") else 0
    return join(
        _cell(point, fill, str(square), stroke=edge, stroke_width=edge and 3),
        _sign(kind, color, *_pixel(point), side=UNIT * 0.78) if kind else None,
    )


def _ship(view: OduludoView, color: int) -> Markup:
    """A spaceship in its corner, with the pieces that wait in it."""
    x, y = _pixel(layout().ships[color])
    radius = UNIT * (2.1 if layout().is_cross else 1.5)
    if color not in view.colors:
        return circle(x, y, radius, fill="none", stroke="#3a3d63", stroke_width=2)
    seat = view.colors.index(color)
    waiting = view.waiting(seat, "ship")
    step = radius * min(0.56, 1.7 / max(1, len(waiting)))
    first = x - step * (len(waiting) - 1) / 2
    return join(
        circle(x, y, radius, fill=BOX, stroke=COLORS[color], stroke_width=4),
        label(x, y - radius * 0.45, f"{view.called(seat)}'s ship", class_="middle bold"),
        *(_token(first + step * k, y, step * 0.46, color, n) for k, n in enumerate(waiting)),
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
    place = rect(x - half, y - half, Size(2 * half, 2 * half), fill=COLORS[color])
    return join(group(place, stroke="#000", stroke_width=2), _letter(x, y, radius * 0.9, name))


def _letter(x: float, y: float, radius: float, name: str) -> Markup:
    size = f"font-size:{radius * 1.3:.1f}px"
    return label(x, y + radius * 0.45, LETTERS[name], class_="middle sign light", style=size)


def _pile(view: OduludoView, point: Point, stacks: list[Stack]) -> Markup:
    """The pieces and captives on one square, in rows that fit; the moving stack has a frame."""
    drawers = [(_token, stack.color, name) for stack in stacks for name in stack.pieces]
    drawers += [(_captive, *captive) for stack in stacks for captive in stack.captives]
    if not drawers:
        return Markup("")
    columns = ceil(sqrt(len(drawers)))
    rows = ceil(len(drawers) / columns)
    step = UNIT * 0.94 / columns
    x, y = _pixel(point)
    left, top = x - step * (columns - 1) / 2, y - step * (rows - 1) / 2
    radius = step * (0.36 if columns == 1 else 0.44)
    mover = view.position["mover"]
    moves = any(s.seat == view.to_move and s.pieces[0] == mover for s in stacks)
    return join(
        _cell(point, "none", stroke=MOVING, stroke_width=4) if moves else None,
        *(
            draw(left + step * (k % columns), top + step * (k // columns), radius, color, name)
            for k, (draw, color, name) in enumerate(drawers)
        ),
    )


def _card(view: OduludoView, seat: int) -> Markup:
    """A player: standing, score, pieces on Earth and captives that are there with them."""
    y, color, left, right = CARD_STEP * seat, view.colors[seat], PANEL_X + 16, PANEL_X + 256
    home = [(_token, color, name) for name in view.waiting(seat, "earth")]
    home += [(_captive, *captive) for captive in view.held(f"held:{seat}:earth")]
    return join(
        box(PANEL_X, y, CARD, fill=BOX, edge=COLORS[color], is_to_move=seat == view.to_move),
        label(left, y + 28, view.title_of(seat), class_="name"),
        label(right, y + 28, view.seat_words(seat), class_="end small"),
        label(left, y + 52, view.status_words(seat), class_="small"),
        label(right, y + 52, view.score_words(seat), class_="end small"),
        label(left, y + 76, view.captive_words(seat), class_="small"),
        label(left, y + 102, "on Earth:" if home else "nothing on Earth", class_="small"),
        *(
            draw(PANEL_X + 88 + 22 * k, y + 98, SMALL_TOKEN, of, name)
            for k, (draw, of, name) in enumerate(home)
        ),
    )


# ---------------------------------------------------------------------------------------- in text


def write(view: OduludoView) -> Iterator[str]:
    """Write the board and what everybody has."""
    yield from _cross_lines(view) if layout().is_cross else _ring_lines(view)
    yield ""
    for seat in range(len(view.colors)):
        who = f"{view.title_of(seat)}, {view.seat_words(seat)}: {view.status_words(seat)}"
        yield ends(who, view.score_words(seat))
        yield "  " + "  ".join(f"{name} {place}" for name, place in view.pieces[seat].items())


def _mark(stacks: list[Stack], empty: str) -> str:
    """A square: colour, lead, size and captives of the stacks on it in at most four letters."""
    return (
        "/".join(
            f"{BOARD.colors[stack.color]}{LETTERS[stack.pieces[0]]}"
            f"{len(stack.pieces) if len(stack.pieces) > 1 else ''}{'+' if stack.captives else ''}"
            for stack in stacks
        )
        or empty
    )


def _cross_lines(view: OduludoView) -> list[str]:
    """The cross with its four arms; Earth is in the middle."""
    places = layout()
    size = int(places.side)
    cells = [[""] * size for _ in range(size)]
    cells[int(places.earth.y)][int(places.earth.x)] = "EARTH"
    for square, point in enumerate(places.ring):
        mark = _mark(view.on_square(square), view.kind(square)[1])
        cells[int(point.y)][int(point.x)] = mark
    for color, path in enumerate(places.paths):
        for k, point in enumerate(path, 1):
            mark = _mark(view.on_path(color, k), f"{BOARD.colors[color].lower()}{k}")
            cells[int(point.y)][int(point.x)] = mark
    return ["".join(cell.center(TEXT_CELL) for cell in row) for row in cells]


def _ring_lines(view: OduludoView) -> list[str]:
    """The squares of a ring that is not a cross, one after another."""
    marks = [f"r{k} {_mark(view.on_square(k), view.kind(k)[1])}" for k in range(RING)]
    rows = [marks[k : k + PER_LINE] for k in range(0, RING, PER_LINE)]
    return ["".join(mark.ljust(COLUMNS // PER_LINE) for mark in row) for row in rows]


PICTURE = Picture(
    view=OduludoView,
    size=Size(WIDTH, SIDE),
    paint=paint,
    write=write,
    legend=legend,
    drawings=Path(__file__).with_name("pieces.svg"),
    style=STYLE,
    colors=COLORS,
    paper=SPACE,
    ink="#fff",
)
