"""What a position of Tokken holds, each field stated once [R9.1]."""

from functools import cache
from typing import Any

import numpy as np

from ..engine.codecs import (
    At,
    Codec,
    choice,
    counter,
    each,
    flag,
    letters,
    mover,
    named,
    nullable,
    number,
    seat,
)
from ..engine.dtypes import Json, States
from ..engine.fields import Fields, Hook, field, option
from ..engine.options import players
from ..engine.positions import check_keys, object_schema
from .board import (
    EXTRA_DUE,
    HAND_SIZES,
    MOST_FIELDS,
    MOST_PARTS,
    MOST_SEATS,
    PAWNS,
    PHASES,
    RANK_NAMES,
    SEGMENT,
    SEVEN_STEPS,
    SPLIT,
    YARD,
    TokkenOptions,
)
from .notation import place_name

MOST_JOKERS = 3


def _jumps(dots: tuple[int, ...]) -> list[int]:
    """Fields to the next dot, by offset; 0 where there is no dot. All segments are the same."""
    jumps = [0] * SEGMENT
    for dot, following in zip(dots, (*dots[1:], *dots[:1]), strict=True):
        jumps[dot] = (following - dot - 1) % SEGMENT + 1
    return jumps


def _starts(options: TokkenOptions) -> list[int]:
    """The field on which each colour starts."""
    playing = range(options.players)
    step = options.ring // options.players
    return [step * color if color in playing else 0 for color in range(MOST_SEATS)]


# The pawns: the names of their places in JSON ---------------------------------------------------


def read_pieces(state: Any, options: TokkenOptions) -> list[list[str]]:
    """The places of each seat's pawns."""
    return [
        [place_name(state, color, int(progress)) for progress in state["progress"][color]]
        for color in range(options.players)
    ]


@cache
def _places(options: TokkenOptions, color: int) -> dict[str, int]:
    """The progress of a pawn of a colour by the name of its place."""
    board = {"fields": options.ring, "starts": _starts(options)}
    ring, home = range(options.ring), range(options.ring + 1, options.ring + PAWNS + 1)
    return {place_name(board, color, place): place for place in (YARD, *ring, *home)}


def write_pieces(states: States, value: Any, at: At) -> None:
    """Put the pawns on their places, and those on the ring on its fields."""
    state, options = states[0], at.options
    for color, row in enumerate(at.items(value, options.players)):
        places = _places(options, color)
        for pawn, name in enumerate(at.item(color).items(row, PAWNS)):
            where = at.item(color).item(pawn)
            progress = places.get(name) if isinstance(name, str) else None
            if progress is None:
                last = list(places)[options.ring]
                raise where.wrong(f"Y, H1..H{PAWNS} or a field a0..{last}", name)
            field = (int(state["starts"][color]) + progress) % options.ring
            is_out = 0 <= progress < options.ring
            if (progress != YARD and progress in state["progress"][color, :pawn]) or (
                is_out and state["ring"][field]
            ):
                raise where.wrong("a place of its own", name)
            state["progress"][color, pawn] = progress
            if is_out:
                state["ring"][field] = 1 + PAWNS * color + pawn


# A seven under way ------------------------------------------------------------------------------


def read_split(state: Any, options: TokkenOptions) -> Json | None:
    """The steps left and the pawns that have had their part; null outside of a seven."""
    if int(state["phase"]) != SPLIT:
        return None
    return {"left": int(state["left"]), "moved": np.argwhere(state["moved"]).tolist()}


def write_split(states: States, split: Any, at: At) -> None:
    """Put a seven that is under way into the record."""
    state = states[0]
    if (split is not None) != (int(state["phase"]) == SPLIT):
        raise at.wrong("an object in phase 'split' and null in the others", split)
    if split is None:
        return
    check_keys(split, ("left", "moved"), at.where)
    moved, where = split["moved"], at.item("moved")
    if not isinstance(moved, list | tuple) or not 1 <= len(moved) < MOST_PARTS:
        raise where.wrong(f"1 to {MOST_PARTS - 1} pawns", moved)
    pawns = [_pawn(pair, where.item(k)) for k, pair in enumerate(moved)]
    if pawns != sorted(set(pawns)):
        raise where.wrong("ascending different pawns", moved)
    # Each part took a step at least.
    most = SEVEN_STEPS - len(pawns)
    state["left"] = number(1, most).from_json(split["left"], at.item("left"))
    for pawn in pawns:
        state["moved"][pawn] = 1


def _pawn(pair: Any, at: At) -> tuple[int, int]:
    color, pawn = at.items(pair, 2)
    return SEAT.from_json(color, at.item(0)), number(0, PAWNS - 1).from_json(pawn, at.item(1))


MOVED_SCHEMA = {
    "type": "array",
    "minItems": 1,
    "maxItems": MOST_PARTS - 1,
    "items": each(number(0, MOST_SEATS - 1), 2).schema(None),
}
SPLIT_PARTS = {"left": number(1, SEVEN_STEPS - 1).schema(None), "moved": MOVED_SCHEMA}
SPLIT_SCHEMA: Json = {"anyOf": [object_schema(SPLIT_PARTS), {"type": "null"}]}


# The statement ----------------------------------------------------------------------------------

SEAT, MOVER = seat(MOST_SEATS, seats=players), mover(MOST_SEATS, seats=players)
CARDS = letters(RANK_NAMES, most=MOST_SEATS)
RANK_OR_NONE = named({"": 0, **{name: 1 + rank for rank, name in enumerate(RANK_NAMES)}})


def by_seat(codec: Codec) -> Codec:
    """A list with an entry for each seat that plays; the record holds 0 for the others."""
    return each(codec, MOST_SEATS, count=players)


FIELDS = Fields(
    "tokken",
    TokkenOptions,
    option("teams", field="teams_option"),
    option("first_dealer", nullable(seat(MOST_SEATS))),
    option(
        "black_dots",
        number(0, SEGMENT),
        field="jumps",  # fields to the next dot, by offset; 0 where there is none
        shape=(SEGMENT,),
        write=_jumps,
        read=lambda jumps: tuple(dot for dot, jump in enumerate(jumps) if jump),
    ),
    field("fields", number(0, MOST_FIELDS), "of the ring", of=lambda o: o.ring),
    field("sides", number(0, MOST_SEATS), "how many sides play", of=lambda o: len(set(o.sides))),
    field(
        "starts",
        number(0, MOST_FIELDS - 1),
        "the field on which each colour starts",
        shape=(MOST_SEATS,),
        of=_starts,
    ),
    field("phase", choice(PHASES), "what is to be decided"),
    field("mover", MOVER, "seat to move once nothing is due", key="to_move"),
    field("decisions", counter(), "decisions made so far"),
    field("dealer", SEAT, "who dealt"),
    field("deal", number(1, 3), "which deal of the pack, from 1 on"),
    Hook(
        "pieces",
        "places of each seat's pawns: a field such as a5, a home slot H1..H4, or Y for the yard",
        read_pieces,
        write_pieces,
        {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
    ),
    field("hands", by_seat(CARDS), "cards in hand"),
    field("extras", by_seat(CARDS), "extra cards, drawn for jokers"),
    field("given", by_seat(RANK_OR_NONE), "the rank that each seat gave; '' before"),
    field("out", by_seat(flag()), "seats that are out of this deal"),
    field(
        "drawn",
        by_seat(number(0, MOST_JOKERS, most=lambda o: o.jokers)),
        "extra cards drawn since the pack was collected",
    ),
    field("pile", CARDS, "cards in the draw pile", key="draw_pile"),
    field("discard", CARDS, "cards that were played"),
    Hook(
        "split",
        "a seven under way: the steps left, and the pawns (seat, number) that had their part",
        *(read_split, write_split, SPLIT_SCHEMA),
    ),
    field(
        "progress",
        number(YARD, MOST_FIELDS + PAWNS),
        "place of each pawn, counted from its own start",
        key=None,
        shape=(MOST_SEATS, PAWNS),
    ),
    field(
        "ring",
        number(0, MOST_SEATS * PAWNS),
        "1 + 4 seat + pawn by field; 0 for an empty one",
        key=None,
        shape=(MOST_FIELDS,),
    ),
    field("left", number(0, SEVEN_STEPS - 1), "steps of a seven left", key=None),
    field("moved", number(0, 1), "pawns that had their part", key=None, shape=(MOST_SEATS, PAWNS)),
    field("due", number(0, EXTRA_DUE), "what chance is due", key=None),
    field(
        "due_cards",
        number(0, max(HAND_SIZES) * MOST_SEATS),
        "cards of the deal still to be drawn",
        key=None,
    ),
)
