"""Pictures of a position of Tacocat: as SVG, and as text for a terminal of 80 columns.

Both are drawn from a `TacocatView` alone, so what a seat may not know never gets here.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from ..engine.picture import MARGIN, Key, Picture, ends
from ..engine.svg import Markup, Size, group, join, label, path, rect, spread, symbol, use
from .board import GOALS, KINDS, TRACK, WINS_NEEDED
from .view import BACK, GOAL_NAMES, TRACK_LETTERS, TacocatView, count_cards

WIDTH, HEIGHT = 960, 656
LARGE, MEDIUM, SMALL = Size(80, 112), Size(60, 84), Size(30, 42)  # cards
CARDS_PER_LAYER = 9  # of the draw pile
TOKEN = Size(78, 72)

# The board from top to bottom: where each part begins.
FAR_HAND_Y, TRACK_Y, TOKEN_Y = 6, 162, 96
TABLE_Y, FAR_DISCARD_Y, ARENA_Y, NEAR_DISCARD_Y, TABLE_END = 264, 276, 350, 466, 532
NEAR_HAND_Y = 544

PLACE, PLACE_STEP = Size(88, 88), 102  # the nine places of the track
HAND_X, HAND_WIDTH = 176, 756
KIND_X, KIND_STEP, KIND_WIDTH = 48, 296, 272  # the three columns of discards
PILE_X, ARENA_X, ARENA_WIDTH = 48, 160, 752

FELT, CURRENT, MARKED = "#dfebd8", "#ffe08a", "#c92a2a"
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
SEAT_COLORS = ("#0b6e75", "#b4400c")
HINTS = {
    "replace": "Cards that are set aside wait here, face down.",
    "duel": "The higher card attacks; equal cards duel again.",
    "attack": "One card, several of one rank, or a run of three or more; keep one card in hand.",
}
STYLE = {
    ".corner": "font-size:14px;font-weight:bold",
    ".white": "fill:#fff",
    ".seat0": f"fill:{SEAT_COLORS[0]}",
    ".seat1": f"fill:{SEAT_COLORS[1]}",
    ".stroke": "fill:none;stroke:#2b2118;stroke-width:1.5;stroke-linecap:round",
}
CELL, TOKEN_TEXT, TILE_TEXT = 7, "=^.^=", "▒▒▒▒▒▒▒"  # the track in text


def legend(view: TacocatView) -> list[Key]:
    """What the signs of both pictures mean."""
    arrows = join(_arrow(view, view.near, 19, y=-8), _arrow(view, view.far, -19, y=8))
    arrow = group(arrows, transform="scale(.7)")
    size = label(0, 8, "9", class_="middle large")
    frame = Size(20, 22)
    tie = " and wins a tie" * (view.options.tie_rule == "arrow")
    return [
        Key("Tacocat: whose goal it reaches wins", TOKEN_TEXT, use_at("tacocat", Size(24, 22))),
        Key(f"who replaces first here{tie}", "< >", arrow),
        Key("cards dealt to each hand here", "9", size),
        Key("space that is used up", "▒", use_at("tile", Size(24, 24))),
        Key("card that you do not see", "[░]", use_at(card_name(BACK), Size(16, 22))),
        Key(
            "card to be answered now",
            ">[7]<",
            rect(-10, -11, frame, rx=4, fill=CURRENT, stroke=MARKED, stroke_width=3),
        ),
    ]


def use_at(name: str, size: Size) -> Markup:
    """Draw a symbol around 0, 0, for the legend."""
    return use(name, -size.width / 2, -size.height / 2, size=size)


def paint(view: TacocatView) -> list[Markup]:
    """Draw the table as the viewer sees it, sitting at the lower edge."""
    return [
        _player(view, view.far, y=FAR_HAND_Y, size=MEDIUM),
        _track(view),
        rect(MARGIN, TABLE_Y, Size(WIDTH - 2 * MARGIN, TABLE_END - TABLE_Y), rx=18, fill=FELT),
        _discards(view, view.far, FAR_DISCARD_Y),
        _draw_pile(view),
        _arena(view),
        _discards(view, view.near, NEAR_DISCARD_Y),
        _player(view, view.near, y=NEAR_HAND_Y, size=LARGE),
    ]


# --------------------------------------------------------------------------------- the two players


def _player(view: TacocatView, seat: int, *, y: float, size: Size) -> Markup:
    """Draw a player's name, rounds won and hand."""
    hand = view.hands[seat]
    marks = [
        rect(MARGIN + 20 * i, y + 54, Size(15, 15), rx=4, class_=f"edge {fill}")
        for i, fill in enumerate(
            f"seat{seat}" if i < view.rounds_won[seat] else "white" for i in range(WINS_NEEDED)
        )
    ]
    return join(
        label(MARGIN, y + 20, view.name(seat), class_=f"large seat{seat}"),
        label(MARGIN, y + 40, f"{view.seat_words(seat)}  ·  {count_cards(hand)}", class_="small"),
        *marks,
        label(MARGIN + 84, y + 66, f"won {view.rounds_won[seat]}", class_="small"),
        _row(hand, HAND_X, y, width=HAND_WIDTH, size=size, centered=True),
    )


def _row(
    cards: Sequence[int], x: float, y: float, *, width: float, size: Size, centered: bool = False
) -> Markup:
    """Draw cards side by side, overlapping only where *width* is too small for them."""
    places = spread(len(cards), x, width=width, card=size.width, centered=centered)
    return join(
        *(use(card_name(c), left, y, size=size) for left, c in zip(places, cards, strict=True))
    )


# --------------------------------------------------------------------------------------- the track


def _track(view: TacocatView) -> Markup:
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


def _place(view: TacocatView, column: int, space: int) -> Markup:
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
    if space in view.position["covered"]:
        return use("tile", x, TRACK_Y, size=PLACE)
    size = str(view.options.hand_sizes[space - 1])
    fill = CURRENT if space == view.tacocat else "#fff"
    return join(
        rect(x, TRACK_Y, PLACE, rx=12, fill=fill, class_="edge"),
        label(x + 9, TRACK_Y + 22, TRACK_LETTERS[space - 1], class_="bold"),
        label(middle, TRACK_Y + 54, size, class_="middle number"),
        *(_arrow(view, seat, middle, y=TRACK_Y + 71) for seat in view.points_to(space)),
    )


def _arrow(view: TacocatView, seat: int, middle: float, *, y: float) -> Markup:
    """Draw an arrow towards a seat's goal, in the colour of that seat."""
    way = -1 if seat == view.near else 1
    tail, neck, tip = (middle + way * reach for reach in (6, 20, 33))
    outline = f"M{tail:g} {y - 3}H{neck:g}V{y - 8}L{tip:g} {y} {neck:g} {y + 8}V{y + 3}H{tail:g}Z"
    return path(outline, class_=f"seat{seat}")


# --------------------------------------------------------------------------------------- the table


def _discards(view: TacocatView, seat: int, y: float) -> Markup:
    """Draw what a player has replaced, played and sacrificed in this round."""
    return join(*(_discard(view, seat, column=i, y=y) for i in range(len(KINDS))))


def _discard(view: TacocatView, seat: int, *, column: int, y: float) -> Markup:
    x, kind = KIND_X + KIND_STEP * column, KINDS[column]
    cards = view.position["discard"][kind][seat]
    empty = rect(x, y + 14, SMALL, rx=4, fill="none", stroke="#9fb296", stroke_dasharray="4 3")
    return join(
        label(x, y + 8, f"{view.name(seat)} {kind} ({len(cards)})", class_=f"small seat{seat}"),
        _row(cards, x, y + 14, width=KIND_WIDTH, size=SMALL) if cards else empty,
    )


def _draw_pile(view: TacocatView) -> Markup:
    """Draw the pile, thicker with more cards, and how many there are."""
    back, layers = card_name(BACK), -(-view.draw_pile // CARDS_PER_LAYER)
    return join(
        *(use(back, PILE_X + 3 * i, ARENA_Y - 2 * i, size=MEDIUM) for i in range(layers)),
        label(PILE_X, ARENA_Y + 102, f"draw pile: {view.draw_pile}", class_="small"),
    )


def _arena(view: TacocatView) -> Markup:
    """Draw what waits in the middle: an attack, duel cards, cards set aside, or else a hint."""
    middle = ARENA_X + ARENA_WIDTH / 2
    if view.attack:
        return _attack(view, middle)
    owners = [seat for seat in (view.near, view.far) if view.aside[seat]]
    if not owners:
        return label(
            middle, ARENA_Y + 46, HINTS.get(view.position["phase"], ""), class_="middle faint"
        )
    width = ARENA_WIDTH / len(owners)
    return join(
        *(
            _aside(view, seat, x=ARENA_X + width * i, width=width - 16)
            for i, seat in enumerate(owners)
        )
    )


def _aside(view: TacocatView, seat: int, *, x: float, width: float) -> Markup:
    """Draw the cards that a player has laid face down."""
    note = f"{view.name(seat)}: {view.aside_words(seat)}"
    return join(
        _row(view.aside[seat], x, ARENA_Y, width=width, size=MEDIUM, centered=True),
        label(x + width / 2, ARENA_Y + 102, note, class_=f"middle small seat{seat}"),
    )


def _attack(view: TacocatView, middle: float) -> Markup:
    """Draw the attack cards that are still to be answered, the current one marked."""
    taken = len(view.attack) * (MEDIUM.width + 3) - 3
    left = middle - taken / 2
    frame = Size(MEDIUM.width + 10, MEDIUM.height + 10)
    return join(
        rect(left - 5, ARENA_Y - 5, frame, rx=11, fill=CURRENT, stroke=MARKED, stroke_width=3),
        _row(view.attack, left, ARENA_Y, width=taken, size=MEDIUM),
        label(
            middle, ARENA_Y + 104, view.attack_words(), class_=f"middle small seat{view.attacker}"
        ),
    )


# --------------------------------------------------------------------------------------- the cards


def card_name(card: int) -> str:
    """Name the symbol of a rank, or of a card's back."""
    return f"card{card}"


@cache
def card_faces() -> tuple[Markup, ...]:
    """Draw a cat in the colour of its rank, which it bears on its face; again in the corner."""
    return tuple(_card_face(rank, *colors) for rank, colors in enumerate(RANK_COLORS, 1))


def _card_face(rank: int, fill: str, ink: str) -> Markup:
    head = path("M7 45 15 18 25 28Q30 26.5 35 28L45 18 53 45Q56 78 30 78 4 78 7 45Z", fill=fill)
    return symbol(
        card_name(rank),
        MEDIUM,
        rect(1, 1, Size(58, 82), rx=7, fill="#fff", class_="edge"),
        group(head, class_="edge"),
        label(30, 60, str(rank), class_="middle number", style=f"fill:{ink}"),
        path("M24 66Q27 72 30 66 33 72 36 66", class_="stroke", style=f"stroke:{ink}"),
        path("M3 59 12 61M4 69 13 67M57 59 48 61M56 69 47 67", class_="stroke"),
        label(5, 15, str(rank), class_="corner"),
    )


# ----------------------------------------------------------------------------------------- in text


def write(view: TacocatView) -> Iterator[str]:
    """Write the table as the viewer sees it, sitting at the lower edge."""
    yield from _player_lines(view, view.far)
    yield from _track_lines(view)
    if view.attack:
        yield f"  {view.attack_words()}:  >[{view.attack[0]}]< {_cards(view.attack[1:])}"
    else:
        for seat in (view.far, view.near):
            if view.aside[seat]:
                yield f"  {view.name(seat)}: {view.aside_words(seat)}:  {_cards(view.aside[seat])}"
    yield from _player_lines(view, view.near)[::-1]


def _player_lines(view: TacocatView, seat: int) -> list[str]:
    """Write a player's name with hand, and below it the discards of this round."""
    hand = view.hands[seat]
    replaced, *rest = (
        f"{kind}: {' '.join(map(str, view.position['discard'][kind][seat])) or '-'}"
        for kind in KINDS
    )
    return [
        ends(f"{view.name(seat)} ({view.seat_words(seat)})", f"won {view.rounds_won[seat]}"),
        f"  hand: {_cards(hand)} {count_cards(hand)}",
        f"  {replaced}",
        f"  {' | '.join(rest)}",
    ]


def _cards(cards: Sequence[int]) -> str:
    return "".join("[░]" if card == BACK else f"[{card}]" for card in cards)


def _track_lines(view: TacocatView) -> list[str]:
    """Write the nine places, the near seat's goal on the left."""
    cells = [_place_lines(view, space) for space in view.track]
    line = "─" * CELL
    return [
        "┌" + "┬".join([line] * TRACK) + "┐",
        *("".join(f"│{cell[row]:^{CELL}}" for cell in cells) + "│" for row in range(3)),
        "└" + "┴".join([line] * TRACK) + "┘",
    ]


def _place_lines(view: TacocatView, space: int) -> tuple[str, str, str]:
    """Write one place in three rows: letter, hand size with arrows, Tacocat."""
    token = TOKEN_TEXT if space == view.tacocat else ""
    if space in GOALS:
        return GOAL_NAMES[GOALS.index(space)], "goal", token
    if space in view.position["covered"]:
        return TILE_TEXT, TILE_TEXT, TILE_TEXT
    seats = view.points_to(space)
    left = "<" if view.near in seats else " "
    right = ">" if view.far in seats else " "
    return TRACK_LETTERS[space - 1], f"{left} {view.options.hand_sizes[space - 1]} {right}", token


PICTURE = Picture(
    view=TacocatView,
    size=Size(WIDTH, HEIGHT),
    paint=paint,
    write=write,
    legend=legend,
    drawings=Path(__file__).with_name("pieces.svg"),
    defs=card_faces,
    style=STYLE,
    colors=SEAT_COLORS,
)
