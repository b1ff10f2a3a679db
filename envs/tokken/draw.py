"""A position of Tokken as SVG: the ring as a polygon with a corner at every start.

It is drawn from a `View` alone, so what a seat may not know never gets here.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, hypot, pi, sin
from typing import Any, NamedTuple

from ..engine.svg import Markup, Size, circle, document, join, label, path, rect
from .board import HOLOGRAM, PAWNS, SEGMENT
from .notation import SEGMENT_NAMES
from .view import BACK, PHASE_WORDS, View, look

WIDTH, HEIGHT, MARGIN = 1080, 760, 24
CENTER_X = 370
CENTERS_AND_RADII = {3: (322, 340), 4: (398, 420), 6: (398, 340)}
"""Where the middle of the ring is, downward, and how far its corners are, by their number."""

PANEL_X, PANEL_Y, PANEL_WIDTH = 748, 84, 308
CARD, CARD_STEP = Size(28, 38), 31
DOOR = HOLOGRAM - 1

INK, PAPER, WOOD = "#2b2118", "#fff8ea", "#e8cfa0"
SEAT_COLORS = ("#d0342c", "#2e8b47", "#e8b71a", "#2b62c0", "#f7f7f2", "#3a3a3a")
TEXT_COLORS = ("#a3211a", "#1d6a32", "#8a6a00", "#1f4c9a", "#5c5c55", "#1e1e1e")
STYLE = {
    "text": f"font:14px 'Trebuchet MS',Verdana,'DejaVu Sans',sans-serif;fill:{INK}",
    ".middle": "text-anchor:middle",
    ".end": "text-anchor:end",
    ".small": "font-size:12px",
    ".tiny": "font-size:10px;fill:#7a6a55",
    ".large": "font-size:20px;font-weight:bold",
    ".bold": "font-weight:bold",
    ".card": "font-size:17px;font-weight:bold;text-anchor:middle",
    ".edge": f"stroke:{INK};stroke-width:1.3",
    **{f".seat{seat}": f"fill:{color}" for seat, color in enumerate(SEAT_COLORS)},
    **{f".name{seat}": f"fill:{color}" for seat, color in enumerate(TEXT_COLORS)},
}


class Point(NamedTuple):
    """A place of the picture."""

    x: float
    y: float


class Ring:
    """Where the fields lie: segment k runs from corner k to the next, clockwise."""

    def __init__(self, num_segments: int) -> None:
        turn = 2 * pi / num_segments
        first = -pi / 2 - turn / 2
        center_y, radius = CENTERS_AND_RADII[num_segments]
        self.middle = Point(CENTER_X, center_y)
        self.corners = [
            Point(
                CENTER_X + radius * cos(first + turn * k), center_y + radius * sin(first + turn * k)
            )
            for k in range(num_segments)
        ]
        one, two = self.corners[:2]
        self.step = hypot(two.x - one.x, two.y - one.y) / SEGMENT
        self.radius = min(11.5, 0.42 * self.step)

    def field(self, segment: int, offset: float) -> Point:
        """The middle of a field."""
        one = self.corners[segment]
        two = self.corners[(segment + 1) % len(self.corners)]
        part = offset / SEGMENT
        return Point(one.x + (two.x - one.x) * part, one.y + (two.y - one.y) * part)

    def home(self, corner: int, slot: int) -> Point:
        """The middle of slot *slot* (1..4) of the lane that ends beside a start."""
        door = self.field(corner - 1, DOOR)
        target = self.middle
        if len(self.corners) > 3:  # straight inward; in a triangle towards the middle
            one, two = self.corners[corner - 1], self.corners[corner]
            target = Point(door.x - (two.y - one.y), door.y + (two.x - one.x))
        length = hypot(target.x - door.x, target.y - door.y)
        reach = slot * self.step / length
        return Point(door.x + (target.x - door.x) * reach, door.y + (target.y - door.y) * reach)

    def yard(self, corner: int, pawn: int) -> Point:
        """Where pawn 0..3 waits, inside the ring beside the start."""
        start = self.corners[corner]
        inward = Point(self.middle.x - start.x, self.middle.y - start.y)
        length = hypot(inward.x, inward.y)
        away = Point(inward.x / length, inward.y / length)
        along = self.field(corner, 4.2)
        middle = Point(along.x + away.x * 3.2 * self.step, along.y + away.y * 3.2 * self.step)
        gap = self.radius * 1.25
        return Point(middle.x + (gap if pawn % 2 else -gap), middle.y + (gap if pawn > 1 else -gap))


def svg(position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None) -> str:
    """Draw the table as *viewer* sees it, with his cards on top; None sees all cards."""
    view = look(position, viewer=viewer, last_move=last_move)
    ring = Ring(view.options.ring // SEGMENT)
    body = [
        rect(0, 0, Size(WIDTH, HEIGHT), fill=PAPER),
        _header(view),
        _board(view, ring),
        *(_player(view, seat, row) for row, seat in enumerate(view.seats)),
        _discard(view),
        label(MARGIN, HEIGHT - 14, view.last_move_words()),
        label(WIDTH - MARGIN, HEIGHT - 14, view.clock_words(), class_="end small"),
    ]
    described = f"{PHASE_WORDS[view.phase]}. {view.headline()}."
    return document(Size(WIDTH, HEIGHT), body, title="Tokken", description=described, style=STYLE)


def _header(view: View) -> Markup:
    fill = INK if view.to_move is None else TEXT_COLORS[view.to_move]
    return join(
        rect(MARGIN, 16, Size(110, 36), rx=18, fill=fill),
        label(MARGIN + 55, 39, PHASE_WORDS[view.phase], class_="middle bold", style="fill:#fff"),
        label(MARGIN + 124, 41, view.headline(), class_="large"),
        label(WIDTH - MARGIN, 40, view.deal_words(), class_="end"),
    )


# ---------------------------------------------------------------------------------------- the board


def _board(view: View, ring: Ring) -> Markup:
    outline = "M" + "L".join(f"{p.x:.1f} {p.y:.1f}" for p in ring.corners) + "Z"
    width = 2 * ring.radius + 16
    names = {view.start(seat)[0]: seat for seat in range(view.options.players)}
    return join(
        path(outline, fill=WOOD, stroke="#d9b87c", stroke_width=width, stroke_linejoin="round"),
        *(
            _field(view, ring, segment, offset)
            for segment in range(len(ring.corners))
            for offset in range(SEGMENT)
        ),
        *(_seat_places(view, ring, seat) for seat in names.values()),
        *(_segment_name(ring, segment) for segment in range(len(ring.corners))),
    )


def _segment_name(ring: Ring, segment: int) -> Markup:
    """Write the letter of a segment beside its second field, outside the ring."""
    one, two = ring.field(segment, 1), ring.corners[segment]
    outward = Point(one.y - two.y, two.x - one.x)  # a quarter turn from the direction of play
    reach = (ring.radius + 15) / ring.step
    at = Point(one.x + outward.x * reach, one.y + outward.y * reach + 4)
    return label(*at, SEGMENT_NAMES[segment], class_="middle tiny")


def _field(view: View, ring: Ring, segment: int, offset: int) -> Markup:
    """Draw a field by its kind, and the pawn on it."""
    at, radius = ring.field(segment, offset), ring.radius
    name = f"{SEGMENT_NAMES[segment]}{offset}"
    owners = {view.start(seat): seat for seat in range(view.options.players)}
    following = f"{SEGMENT_NAMES[(segment + 1) % len(ring.corners)]}0"
    marks = []
    if name in owners:
        marks = [circle(*at, radius + 3, class_=f"edge seat{owners[name]}")]
    elif offset in view.options.black_dots:
        marks = [circle(*at, radius, fill="#111"), circle(*at, radius * 0.3, fill="#fff")]
    elif offset == HOLOGRAM:
        marks = [
            circle(*at, radius, fill="#c9f0ff", stroke="#8a4fd0", stroke_width=2),
            circle(*at, radius * 0.5, fill="none", stroke="#e05bc0", stroke_width=2),
        ]
    else:
        marks = [circle(*at, radius * 0.8, fill="#fff6e0", class_="edge")]
        if offset == DOOR and following in owners:
            marks.append(circle(*at, radius * 0.4, class_=f"seat{owners[following]}"))
    found = view.pawns.get(name)
    if found is not None:
        marks.append(_pawn(view, at, found, radius=radius))
    return join(*marks)


def _seat_places(view: View, ring: Ring, seat: int) -> Markup:
    """Draw the home lane and the yard of a seat, with the pawns there."""
    corner = SEGMENT_NAMES.index(view.start(seat)[0])
    radius = ring.radius
    marks = []
    for h in range(1, PAWNS + 1):
        at = ring.home(corner, h)
        marks.append(circle(*at, radius * 0.85, class_=f"edge seat{seat}", fill_opacity=0.35))
        if f"H{h}" in view.pieces[seat]:
            pawn = (seat, view.pieces[seat].index(f"H{h}"))
            marks.append(_pawn(view, at, pawn, radius=radius))
    for number, place in enumerate(view.pieces[seat]):
        at = ring.yard(corner, number)
        marks.append(circle(*at, radius * 0.9, fill="#f5e3bd", class_="edge"))
        if place == "Y":
            marks.append(_pawn(view, at, (seat, number), radius=radius))
    return join(*marks)


def _pawn(view: View, at: Point, found: tuple[int, int], *, radius: float) -> Markup:
    """Draw a pawn; one that has had its part of a seven wears a ring."""
    seat, _ = found
    moved = circle(*at, radius + 3, fill="none", stroke="#ff7a00", stroke_width=3)
    r = radius * 0.92
    body = (
        f"M{at.x - r * 0.72:.1f} {at.y + r * 0.8:.1f}"
        f"Q{at.x:.1f} {at.y - r * 0.2:.1f} {at.x:.1f} {at.y - r * 0.6:.1f}"
        f"Q{at.x:.1f} {at.y - r * 0.2:.1f} {at.x + r * 0.72:.1f} {at.y + r * 0.8:.1f}Z"
    )
    return join(
        moved if found in view.moved else None,
        circle(*at, r, class_=f"edge seat{seat}"),
        path(body, fill="#fff", fill_opacity=0.55, stroke=INK, stroke_width=0.8),
        circle(at.x, at.y - r * 0.3, r * 0.36, fill="#fff", class_="edge"),
    )


# ------------------------------------------------------------------------------------- the players


def _player(view: View, seat: int, row: int) -> Markup:
    """Draw a seat's name, what is to be said of it, and its cards."""
    height = 88
    y = PANEL_Y + height * row
    size = Size(PANEL_WIDTH, height - 6)
    you = " (you)" if seat == view.viewer else ""
    edge = TEXT_COLORS[seat] if seat == view.to_move else None
    cards = [*view.hands[seat]]
    extras = [*view.extras[seat]]
    marks = [_card(card, PANEL_X + 12 + CARD_STEP * k, y + 36) for k, card in enumerate(cards)] + [
        _card(card, PANEL_X + 24 + CARD_STEP * (len(cards) + k), y + 36, is_extra=True)
        for k, card in enumerate(extras)
    ]
    return join(
        rect(PANEL_X, y, size, rx=10, fill="#f3e6c8", stroke=edge, stroke_width=3),
        circle(PANEL_X + 20, y + 18, 8, class_=f"edge seat{seat}"),
        label(PANEL_X + 36, y + 23, f"{view.name(seat)}{you}", class_=f"bold name{seat}"),
        label(PANEL_X + PANEL_WIDTH - 12, y + 23, view.seat_words(seat), class_="end small"),
        *marks,
    )


def _card(rank: str, x: float, y: float, *, is_extra: bool = False) -> Markup:
    """Draw a card, its back if the viewer does not see it; extra cards have a dashed edge."""
    if rank == BACK:
        return join(
            rect(x, y, CARD, rx=4, fill="#7a4fa0", class_="edge"),
            rect(x + 5, y + 5, Size(CARD.width - 10, CARD.height - 10), rx=2, fill="#a983c9"),
        )
    dashes = "4 2" if is_extra else None
    return join(
        rect(x, y, CARD, rx=4, fill="#fff", class_="edge", stroke_dasharray=dashes),
        label(x + CARD.width / 2, y + 26, "10" if rank == "T" else rank, class_="card"),
    )


def _discard(view: View) -> Markup:
    """Write what has been played and folded since the collect, in two lines."""
    y = PANEL_Y + 88 * view.options.players + 18
    half = 24
    return join(
        label(PANEL_X, y, f"Discard ({len(view.discard)})", class_="small bold"),
        *(
            label(
                PANEL_X,
                y + 18 + 16 * k,
                " ".join(view.discard[half * k : half * (k + 1)]),
                class_="small",
            )
            for k in range(-(-len(view.discard) // half))
        ),
    )
