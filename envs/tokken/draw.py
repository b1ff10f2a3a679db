"""Pictures of a position of Tokken: as SVG, and as text for a terminal of 80 columns.

The ring is a polygon with a corner at every start. Points of it are complex numbers, downward and
to the right, so that a turn by a quarter is a product with 1j. Both pictures are drawn from a
`TokkenView` alone, so what a seat may not know never gets here.
"""

from cmath import exp, pi
from collections.abc import Iterator
from pathlib import Path

from ..engine.picture import Key, Picture, columns, ends
from ..engine.svg import (
    Markup,
    Size,
    box,
    card_back,
    card_face,
    circle,
    group,
    join,
    label,
    number,
    path,
    rect,
    spread,
    use,
)
from .board import PAWNS, RANK_NAMES, SEGMENT
from .view import BACK, DOOR, TokkenView

WIDTH, HEIGHT = 1080, 664
MIDDLES_AND_RADII = {3: (366 + 226j, 370), 4: (366 + 330j, 418), 6: (366 + 330j, 324)}
"""The middle of the ring and how far its corners are, by their number."""

PANEL_X, PANEL_WIDTH, BOX_GAP = 742, 310, 8
PILES = Size(242, 214)  # the table of the cards played
SMALL = Size(26, 34)  # a card of it

SEAT_COLORS = ("#d55e00", "#009e73", "#f0e442", "#0072b2", "#ffffff", "#222222")
"""Colours that stay apart for colour-blind eyes, after M. Okabe and K. Ito."""

BADGES = ("#b34a00", "#00694d", "#756b00", "#005f94", "#6b6b6b", "#222222")
WOOD, RIM, PAPER, MARKED = "#ecd7ad", "#d9b87c", "#f7ecd2", "#c2187a"
DRAWINGS = {"*": "dot", "#": "hologram", ".": "field", "o": "ring", "-": "ring", "S": "start"}
DRAWINGS |= {"0": "pawn"}  # by the signs of the legend

CARDS = {
    "A": "enters a pawn, or 1 forward",
    "K": "enters, or 13 and hits all it passes",
    "X": "joker: enters, or 18; draws a card",
    "J": "swaps an own pawn and another's",
    "7": "7 steps, for up to four pawns",
    "5": "5 forward with an opponent's pawn",
    "4": "4 back",
    "T": "10 forward; Q 12, others as written",
}
"""What the cards do [R1.2]."""

EXTRA = {"stroke_dasharray": "4 2"}  # the edge of an extra card [R4.20]
CELL = 4  # a field in text


def legend(view: TokkenView) -> list[Key]:
    """What the signs of both pictures mean, and what the cards do."""
    size = Size(16, 22)
    moved = [Key("has had its part of the seven", "!", _mark(9))] if view.moved else []
    named = [Key("named by the last move", "", _mark(9, "4 3"))] if view.named else []
    return [
        Key("pawn, with the number of its seat", "0", _pawn(0, 10)),
        Key("start: safe for pawns of its seat", "S", _place("S", 8)),
        Key("black dot: on to the next one", "*", _place("*", 10)),
        Key("hologram: only a 4 or a swap frees", "#", _place("#", 10)),
        Key("door from the ring into this home", "o", _place("o", 10)),
        Key("home: H1 beside the door, up to H4", "-", _place("-", 9)),
        Key("card that you do not see", BACK, card_back(-8, -11, size)),
        Key("extra card: may be kept", "", card_face(-8, -11, "6", size=size, **EXTRA)),
        *moved,
        *named,
        *(Key(words, card) for card, words in CARDS.items()),
    ]


def paint(view: TokkenView) -> list[Markup]:
    """Draw the ring with the cards played in it, and the players beside it, the viewer on top."""
    ring = Ring(view)
    players = view.options.players
    is_inside = players > 3
    scale = 1.2 if players in (2, 4) else 1
    free = HEIGHT - (0 if is_inside else scale * PILES.height + BOX_GAP)
    height = free / players - BOX_GAP
    half = complex(*PILES) * scale / 2
    below = complex(PANEL_X + PANEL_WIDTH / 2, HEIGHT - half.imag)
    piles = (ring.middle if is_inside else below) - half
    return [
        *ring.paint(),
        *(
            _player(view, seat, y=(height + BOX_GAP) * row, height=height)
            for row, seat in enumerate(view.seats)
        ),
        group(_piles(view), transform=f"translate({piles.real:g} {piles.imag:g}) scale({scale})"),
    ]


# ---------------------------------------------------------------------------------------- the board


class Ring:
    """Where the fields lie: segment k runs from corner k to the next, clockwise."""

    def __init__(self, view: TokkenView) -> None:
        self.view = view
        count = len(view.segments)
        self.middle, radius = MIDDLES_AND_RADII[count]
        turn = 2 * pi / count
        self.corners = [
            self.middle - 1j * radius * exp(1j * turn * (k - 0.5)) for k in range(count)
        ]
        self.step = abs(self.corners[1] - self.corners[0]) / SEGMENT
        self.radius = min(13.0, 0.43 * self.step)

    def along(self, segment: int) -> complex:
        """The direction of play in a segment; a quarter turn from it, by 1j, is inward."""
        way = self.corners[(segment + 1) % len(self.corners)] - self.corners[segment]
        return way / abs(way)

    def field(self, segment: int, offset: float) -> complex:
        """The middle of a field."""
        return self.corners[segment] + self.along(segment) * self.step * offset

    def paint(self) -> Iterator[Markup]:
        """Draw the ring, the homes and yards, and all pawns."""
        view, radius = self.view, self.radius
        outline = "M" + "L".join(f"{p.real:.1f} {p.imag:.1f}" for p in self.corners) + "Z"
        width = 2 * radius + 14
        yield path(outline, fill=WOOD, stroke=RIM, stroke_width=width, stroke_linejoin="round")
        for segment, letter in enumerate(view.segments):
            outward = -1j * self.along(segment)
            for offset in range(SEGMENT):
                name, point = f"{letter}{offset}", self.field(segment, offset)
                sign = view.sign(name)
                seat = view.starts.get(name, view.doors.get(name, 0))
                marks = [_place(sign, radius, seat)]
                marks += [self._pawn(view.pawns[name])] if name in view.pawns else []
                marks += [_mark(radius + 6, "4 3")] if name in view.named else []
                yield _at(point, *marks)
                crowded = 11 if offset % 2 and len(self.corners) > 4 else 0
                yield _name(point + outward * (radius + 21 + crowded), name)
        for start, seat in view.starts.items():
            yield from self._home(seat, view.segments.index(start[0]))

    def _pawn(self, pawn: tuple[int, int]) -> Markup:
        """Draw a pawn, and whether it has had its part of a seven."""
        is_moved = pawn in self.view.moved
        return join(_pawn(pawn[0], self.radius), _mark(self.radius + 3) if is_moved else None)

    def _home(self, seat: int, corner: int) -> Iterator[Markup]:
        """Draw the home lane of a seat beside its start, the yard, and the pawns there."""
        view, radius, before = self.view, self.radius, self.along(corner - 1)
        door = self.field(corner - 1, DOOR)
        inward, first = before * 1j, 1.0
        if len(self.corners) == 3:  # straight inward it would meet the next segment
            inward, first = (self.middle - door) / abs(self.middle - door), 1.4
        for h in range(PAWNS):
            point, name = door + inward * self.step * (first + h), f"H{h + 1}"
            held = [(seat, k) for k, place in enumerate(view.pieces[seat]) if place == name]
            yield _at(point, _place("-", radius, seat), *map(self._pawn, held))
            yield _name(point + inward * 1j * (radius + 12), name)
        homeward = self.middle - self.corners[corner]
        yard = self.field(corner, 4.2) + homeward / abs(homeward) * 3.2 * self.step
        gap, half = radius * 1.3, radius * 2.7
        fill, whole = SEAT_COLORS[seat], Size(2 * half, 2 * half)
        frame = rect(-half, -half, whole, rx=radius, fill=fill, class_="edge")
        inside = Size(2 * half - radius, 2 * half - radius)
        yield _at(yard, frame, rect(-half + radius / 2, -half + radius / 2, inside, fill=PAPER))
        for k, place in enumerate(view.pieces[seat]):
            point = yard + complex(gap if k % 2 else -gap, gap if k > 1 else -gap)
            yield _at(point, _place(".", radius), self._pawn((seat, k)) if place == "Y" else None)


def _at(point: complex, *marks: Markup | None) -> Markup:
    """Draw marks around a point instead of 0, 0."""
    return group(*marks, transform=f"translate({number(point.real)} {number(point.imag)})")


def _name(point: complex, name: str) -> Markup:
    return label(point.real, point.imag + 4, name, class_="middle tiny")


def _place(sign: str, radius: float, seat: int = 0) -> Markup:
    """Draw an empty place, or a pawn's body, around 0, 0."""
    size = Size(2.5 * radius, 2.5 * radius)
    left = -size.width / 2
    return use(DRAWINGS[sign], left, left, size=size, color=SEAT_COLORS[seat])


def _pawn(seat: int, radius: float) -> Markup:
    """Draw a pawn from above, with the number of its seat on its head."""
    large = f"font-size:{1.15 * radius:.0f}px"
    digit = label(0, 0.42 * radius, str(seat), class_="middle bold", style=large)
    return join(_place("0", radius, seat), digit)


def _mark(radius: float, dashes: str | None = None) -> Markup:
    return circle(0, 0, radius, fill="none", stroke=MARKED, stroke_width=3, stroke_dasharray=dashes)


# ------------------------------------------------------------------------------------- the players


def _player(view: TokkenView, seat: int, *, y: float, height: float) -> Markup:
    """Draw a seat's name, what is to be said of it, and its cards."""
    hand, extras = view.position["hands"][seat], view.position["extras"][seat]
    right = PANEL_X + PANEL_WIDTH - 14
    tall = min(height - 60, 74)
    size = Size(round(tall * 0.72), tall)
    places = spread(
        len(hand + extras), PANEL_X + 14, width=PANEL_WIDTH - 28, card=size.width, gap=5
    )
    counts = f"{view.count(seat, 'H')} home · {view.count(seat, 'Y')} in the yard"
    frame, is_to_move = Size(PANEL_WIDTH, height), seat == view.to_move
    return join(
        box(PANEL_X, y, frame, fill=PAPER, edge=BADGES[seat], is_to_move=is_to_move),
        _at(complex(PANEL_X + 24, y + 20), _pawn(seat, 10)),
        label(PANEL_X + 42, y + 25, view.title_of(seat), class_="bold"),
        label(right, y + 25, counts, class_="end small"),
        label(PANEL_X + 14, y + 46, " · ".join(view.facts(seat)), class_="small"),
        *(
            card_back(x, y + 52, size)
            if card == BACK
            else card_face(x, y + 52, card, size=size, **(EXTRA if k >= len(hand) else {}))
            for k, (x, card) in enumerate(zip(places, hand + extras, strict=True))
        ),
    )


def _piles(view: TokkenView) -> Markup:
    """Draw how many cards of each rank have been played, and how many are left to draw."""
    discard = view.position["discard"]
    cells = []
    for k, card in enumerate((*RANK_NAMES, BACK)):
        x, y = 16 + 46 * (k % 5), 32 + 60 * (k // 5)
        count = view.position["draw_pile"] if card == BACK else discard.count(card)
        face = card_back(x, y, SMALL) if card == BACK else card_face(x, y, card, size=SMALL)
        words = label(x + SMALL.width / 2, y + 48, f"× {count}", class_="middle small")
        cells.append(group(face, words, opacity=None if count else 0.35))
    title = f"Discard pile ({len(discard)}) and draw pile"
    return join(
        rect(0, 0, PILES, rx=12, fill=PAPER, stroke=RIM),
        label(PILES.width / 2, 21, title, class_="middle small bold"),
        *cells,
    )


# ----------------------------------------------------------------------------------------- in text


def write(view: TokkenView) -> Iterator[str]:
    """Write the ring, as a square where it has four segments [R2.5], and the players."""
    yield from _square(view) if len(view.segments) == 4 else _rows(view)
    yield ""
    for seat in view.seats:
        cards = " ".join(view.position["hands"][seat]) or "-"
        extras = view.position["extras"][seat]
        more = f" extra {' '.join(extras)}" if extras else ""
        counts = f"home {view.count(seat, 'H')}, yard {view.count(seat, 'Y')}"
        start = next(name for name, owner in view.starts.items() if owner == seat)
        mark = ">" if seat == view.to_move else " "
        yield ends(
            f"{mark} {seat} {view.title_of(seat)}: {cards}{more}",
            " · ".join([*view.facts(seat), f"start {start}", counts]),
        )
    discard = view.position["discard"]
    played = (f"{card}×{discard.count(card)}" for card in RANK_NAMES if card in discard)
    yield from columns([f"Discard pile ({len(discard)}):", *played])


def _sign(view: TokkenView, name: str) -> str:
    """One field: the seat whose pawn stands there, or what kind of field it is."""
    pawn = view.pawns.get(name)
    if pawn is None:
        return view.sign(name)
    return f"{pawn[0]}{'!' if pawn in view.moved else ''}"


def _lane(view: TokkenView, seat: int) -> list[str]:
    """The home lane of a seat, H1 to H4: its number where a pawn is home."""
    return [str(seat) if f"H{h}" in view.pieces[seat] else "-" for h in range(1, PAWNS + 1)]


def _square(view: TokkenView) -> list[str]:
    """Write a square with the names of the fields around it."""
    cells: dict[complex, str] = {}
    corner, way = 1 + 1j, 1 + 0j
    for letter in view.segments:
        for offset in range(SEGMENT):
            name, point = f"{letter}{offset}", corner + way * offset
            cells[point], cells[point - way * 1j] = _sign(view, name), name
            lane = _lane(view, view.doors[name]) if name in view.doors else []
            cells |= {point + way * 1j * h: mark for h, mark in enumerate(lane, 1)}
        corner, way = corner + way * SEGMENT, way * 1j
    side = range(SEGMENT + 3)
    return ["".join(f"{cells.get(complex(x, y), ''):<{CELL}}" for x in side) for y in side]


def _rows(view: TokkenView) -> list[str]:
    """Write a segment a line, under the numbers of its fields, with the home of its door."""
    rows = [" " * 6 + "".join(f"{offset:<{CELL - 1}}" for offset in range(SEGMENT)) + "   H1 to H4"]
    for letter in view.segments:
        marks = "".join(f"{_sign(view, f'{letter}{o}'):<{CELL - 1}}" for o in range(SEGMENT))
        lane = " ".join(_lane(view, view.doors[f"{letter}{DOOR}"]))
        rows.append(f"  {letter}   {marks}   {lane}")
    return rows


PICTURE = Picture(
    view=TokkenView,
    size=Size(WIDTH, HEIGHT),
    paint=paint,
    write=write,
    legend=legend,
    drawings=Path(__file__).with_name("pieces.svg"),
    colors=BADGES,
)
