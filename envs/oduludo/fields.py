"""What a record of Oduludo holds, and how JSON writes it [R9]."""

from functools import cache
from typing import Any

from ..engine.codecs import (
    At,
    bits,
    choice,
    counter,
    each,
    flag,
    mover,
    named,
    nullable,
    number,
    until_over,
)
from ..engine.dtypes import States
from ..engine.fields import Fields, Hook, field, option
from ..engine.options import players
from ..engine.positions import object_schema
from .board import (
    BOARD,
    CARRIERS,
    COUNT_BITS,
    EARTH,
    FACE,
    HELD,
    NUM_ACTIONS,
    NUM_PIECES,
    OFF,
    ON_EARTH,
    PHASES,
    RING,
    ROUTE_LENGTH,
    SEATS,
    SHIP,
    SQUARE,
    OduludoOptions,
)
from .board_file import NUM_COLORS, PIECES

STATUSES = {
    "playing": 0,
    **{f"finished:{place}": place for place in range(1, SEATS + 1)},
    **{f"out:{place}": -place for place in range(1, SEATS + 1)},
}
UFOS = each(flag(), SEATS, count=players)


def _colors(letters: str) -> list[int]:
    colors = [BOARD.colors.index(letter) for letter in letters]
    return [*colors, *[-1] * (SEATS - len(colors))]


def _seat_of(options: OduludoOptions) -> list[int]:
    letters = [*options.colors]
    return [letters.index(color) if color in letters else -1 for color in BOARD.colors]


PLACES = (
    f"ship, r0..r{RING - 1} on its route, p1..p{EARTH - ROUTE_LENGTH}, earth, off "
    "or held:<seat>:<piece or earth>"
)

# Pieces and UFOs ---------------------------------------------------------------------------------


def _place_text(color: int, place: int, held: int) -> str:
    if place < ROUTE_LENGTH:
        return f"r{SQUARE[color, place]}"
    if place < EARTH:
        return f"p{place - ROUTE_LENGTH + 1}"
    if place == HELD:
        holder, lead = divmod(held - 1, CARRIERS)
        return f"held:{holder}:{'earth' if lead == ON_EARTH else PIECES[lead]}"
    return {EARTH: "earth", SHIP: "ship", OFF: "off"}[place]


@cache
def _places(color: int, num_seats: int) -> dict[str, tuple[int, int]]:
    """Place and captor by text, for a piece of a colour."""
    free = [(place, 0) for place in (*range(EARTH), EARTH, SHIP, OFF)]
    captive = [(HELD, held) for held in range(1, 1 + CARRIERS * num_seats)]
    return {_place_text(color, place, held): (place, held) for place, held in (*free, *captive)}


def _read_pieces(state: Any, options: OduludoOptions) -> list[dict[str, str]]:
    pieces = []
    for seat in range(options.players):
        color = state["color"][seat]
        places = zip(state["place"][seat].tolist(), state["held"][seat].tolist(), strict=True)
        texts = [_place_text(color, place, held) for place, held in places]
        pieces.append(dict(zip(PIECES, texts, strict=True)))
    return pieces


def _write_pieces(states: States, value: Any, at: At) -> None:
    state = states[0]
    num_seats = at.options.players
    for seat, pieces in enumerate(at.items(value, num_seats)):
        color, here = int(state["color"][seat]), at.item(seat)
        places = _places(color, num_seats)
        for p, text in enumerate(here.values(pieces, PIECES)):
            if not isinstance(text, str) or text not in places:
                raise here.item(PIECES[p]).wrong(PLACES, text)
            place, state["held"][seat, p] = places[text]
            state["place"][seat, p] = place
            if place < ROUTE_LENGTH:
                state["occupied"][SQUARE[color, place]] += 1 << COUNT_BITS * seat
    state["place"][num_seats:] = OFF


def _read_ufos(state: Any, options: OduludoOptions) -> list[bool]:
    return [bool(state["ufo"][color]) for color in state["color"][: options.players]]


def _write_ufos(states: States, value: Any, at: At) -> None:
    for color, ufo in zip(states[0]["color"], UFOS.from_json(value, at), strict=True):
        if color >= 0:
            states[0]["ufo"][color] = ufo


PLACE_SCHEMA = {
    "type": "string",
    "pattern": "^(ship|earth|off|r[0-9]+|p[0-9]+|held:[0-3]:(K|Q|S1|S2|S3|earth))$",
}
PIECES_SCHEMA = {"type": "array", "items": object_schema(dict.fromkeys(PIECES, PLACE_SCHEMA))}

FIELDS = Fields(
    "oduludo",
    OduludoOptions,
    option("players", field="num_seats"),
    option(
        "colors",
        number(-1, NUM_COLORS - 1),  # by seat; -1 for seats that do not play
        field="color",
        shape=(SEATS,),
        write=_colors,
        read=lambda colors: "".join(BOARD.colors[color] for color in colors if color >= 0),
    ),
    option("stack_protection", field="size_protects"),
    option("reward", field="by_score"),
    field(
        "seat_of",
        number(-1, SEATS - 1),
        "seat by colour; -1 for colours that do not play",
        shape=(NUM_COLORS,),
        of=_seat_of,
    ),
    field("phase", choice(PHASES), "what is to be decided"),
    field("seat", mover(SEATS, seats=players), "once nothing is due", key="to_move"),
    field("decisions", counter(), "decisions made so far"),
    field("die", until_over(number(1, 6), 0), "the roll that is to be used"),
    field("sixes", number(0, 100), "rolled in this turn"),
    field("star", flag(), "a Star was reached in this move"),
    field("lead", nullable(choice(PIECES)), "of the stack that is moving", key="mover"),
    field("at", nullable(choice([f"r{square}" for square in range(RING)])), "the Sun landed on"),
    field("fresh", bits(PIECES), "pieces of the seat to move, fresh on a foreign Moon"),
    Hook("pieces", "where each piece is, by seat", _read_pieces, _write_pieces, PIECES_SCHEMA),
    field("status", each(named(STATUSES), SEATS, count=players), "by seat: its place once done"),
    Hook(
        "ufos",
        "whether the UFO is on its parking square, by seat",
        *(_read_ufos, _write_ufos, UFOS.schema(None)),
    ),
    field("wins", each(number(0, NUM_PIECES), SEATS, count=players), "rounds won, by seat"),
    field("points", each(number(-(2**31), 2**31 - 1), SEATS, count=players), "by seat"),
    # what JSON does not hold, or holds in other words
    field("due", number(0, FACE), "chance event that is due", key=None),
    field("tries", number(0, 3), "rolls left while a die is due", key=None),
    field("ufo", number(0, 1), "by colour", shape=(NUM_COLORS,), key=None),
    field("place", number(0, OFF), "progress or place", shape=(SEATS, NUM_PIECES), key=None),
    field(
        "held",
        number(0, CARRIERS * SEATS),
        "0, or 1 + CARRIERS * holder + lead (or ON_EARTH)",
        shape=(SEATS, NUM_PIECES),
        key=None,
    ),
    field(
        "legal",
        number(0, (1 << NUM_ACTIONS) - 1),
        "set of legal actions in phase move, found when the die was rolled",
        key=None,
    ),
    field(
        "occupied",
        number(0, 2**31 - 1),
        "pieces by ring square, COUNT_BITS per seat; follows from `place`",
        shape=(RING,),
        key=None,
    ),
)
