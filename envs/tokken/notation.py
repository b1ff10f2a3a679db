"""Tokken in text: moves, cards drawn and places [R6.3, R3.4, R2.1]; positions are in `positions`.

A move names the places where pawns stand before it, so its text depends on the position. Actions
that stand for nothing there, such as a walk of a pawn in the yard, are written `#` and their
number; they are never legal.
"""

import re
from typing import Any

from ..engine.dtypes import OVER, Json, States
from ..engine.errors import NotationError
from ..engine.names import draws_or_seats
from .board import (
    BACK,
    ENTER,
    ENTRY_CARDS,
    FOLD,
    KEEP,
    PART,
    PAWNS,
    PUSH,
    RANK_NAMES,
    SEGMENT,
    SEVEN_STEPS,
    WALK,
    WALK_CARDS,
    YARD,
    num_actions,
)
from .rules import score
from .rules_table import has_won, num_home, pawn_in_slot, played_color, slot_of

SEGMENT_NAMES = "abcdef"
ENTRY_NAMES = "".join(RANK_NAMES[card] for card in ENTRY_CARDS)
WALK_NAMES = "".join(RANK_NAMES[card] for card in WALK_CARDS)

MOVE = re.compile(
    r"give (?P<give>[A2-9TJQKX])"
    r"|(?P<enter>[AKX])\+"
    r"|(?P<walk>[A23689TQKX4]) (?P<from>\w+)"
    r"|7 (?P<part>\w+)\+(?P<steps>[1-7])"
    r"|5 (?P<push>\w+)"
    r"|J (?P<own>\w+)~(?P<target>\w+)"
    r"|#(?P<number>\d{1,3})"
)
SAMPLE = "give A, fold, keep, A+, 8 b3, 4 H1, 7 b3+4, 5 c9 or J b3~c9"


# Places ----------------------------------------------------------------------------------------


def place_name(state: Any, color: int, progress: int) -> str:
    """The name of a place: a5, H2 or Y."""
    fields = int(state["fields"])
    if progress == YARD:
        return "Y"
    if progress > fields:
        return f"H{progress - fields}"
    field = (int(state["starts"][color]) + progress) % fields
    return f"{SEGMENT_NAMES[field // SEGMENT]}{field % SEGMENT}"


def slot_at(states: States, i: int, color: int, name: str) -> int | None:
    """The slot of the pawn of a colour that stands on the place called *name*."""
    state = states[i]
    for pawn in range(PAWNS):
        progress = int(state["progress"][color, pawn])
        if progress != YARD and place_name(state, color, progress) == name:
            return int(slot_of(states, i, color, pawn))
    return None


def _name_in_slot(states: States, i: int, color: int, slot: int) -> str | None:
    """Where the pawn in a slot stands; None if in the yard."""
    pawn = pawn_in_slot(states, i, color, slot)
    name = place_name(states[i], color, int(states[i]["progress"][color, pawn]))
    return None if name == "Y" else name


def _seat(states: States, i: int) -> int:
    """Whose move is written: that of the seat to move, or of seat 0 after the end."""
    return max(int(states[i]["mover"]), 0)


# Moves -----------------------------------------------------------------------------------------


def action_to_move(states: States, i: int, action: int) -> str:
    """The notation of an action of the seat to move."""
    if action < FOLD:
        return f"give {RANK_NAMES[action]}"
    if action < ENTER:
        return "fold" if action == FOLD else "keep"
    if action < WALK:
        return f"{ENTRY_NAMES[action - ENTER]}+"
    return _pawn_move(states, i, action) or f"#{action}"


def _pawn_move(states: States, i: int, action: int) -> str | None:
    """A move that names places; None if no pawn stands where it has to."""
    seat = _seat(states, i)
    color = int(played_color(states, i, seat))
    if action < PART:
        place = _name_in_slot(states, i, color, (action - WALK) % PAWNS)
        card = "4" if action >= BACK else WALK_NAMES[(action - WALK) // PAWNS]
        return place and f"{card} {place}"
    if action < PUSH:
        slot, steps = divmod(action - PART, SEVEN_STEPS)
        place = _name_in_slot(states, i, color, slot)
        return place and f"7 {place}+{steps + 1}"
    players = int(states[i]["players"])
    row, number = divmod(action - PUSH, PAWNS * (players - 1))
    other = (seat + 1 + number // PAWNS) % players
    target = _name_in_slot(states, i, other, number % PAWNS)
    if target is None or target.startswith("H"):  # the same name in every lane
        return None
    if row == 0:
        return f"5 {target}"
    place = _name_in_slot(states, i, color, row - 1)
    return place and f"J {place}~{target}"


def move_to_action(states: States, i: int, text: str) -> int:
    """The action of a move in notation; its pawns must stand there, legality is not checked."""
    if text in ("fold", "keep"):
        return FOLD if text == "fold" else KEEP
    match = MOVE.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise NotationError(f"expected a move of Tokken such as {SAMPLE}, got {text!r}")
    found = match.groupdict()
    if found["give"]:
        return RANK_NAMES.index(found["give"])
    if found["enter"]:
        return ENTER + ENTRY_NAMES.index(found["enter"])
    if found["number"]:
        number, count = int(found["number"]), num_actions(int(states[i]["players"]))
        if number >= count or text != action_to_move(states, i, number):
            raise NotationError(f"expected a move of Tokken such as {SAMPLE}, got {text!r}")
        return number
    return _read_pawn_move(states, i, found, text)


def _read_pawn_move(states: States, i: int, found: dict[str, Any], text: str) -> int:
    seat = _seat(states, i)
    color = int(played_color(states, i, seat))
    if found["push"]:
        return PUSH + _target(states, i, seat, found["push"], text)
    place = found["from"] or found["part"] or found["own"]
    slot = slot_at(states, i, color, place)
    if slot is None:
        raise NotationError(f"expected a pawn of seat {color} on {place!r}, got none, in {text!r}")
    if found["part"]:
        return PART + SEVEN_STEPS * slot + int(found["steps"]) - 1
    if found["own"]:
        targets = PAWNS * (int(states[i]["players"]) - 1)
        return PUSH + targets * (1 + slot) + _target(states, i, seat, found["target"], text)
    if found["walk"] == "4":
        return BACK + slot
    return WALK + PAWNS * WALK_NAMES.index(found["walk"]) + slot


def _target(states: States, i: int, seat: int, place: str, text: str) -> int:
    """The number of another seat's pawn on a field of the ring: 4 (o - 1) + slot [R6.2]."""
    players = int(states[i]["players"])
    for offset in range(1, players):
        slot = slot_at(states, i, (seat + offset) % players, place)
        if slot is not None and not place.startswith("H"):
            return PAWNS * (offset - 1) + slot
    raise NotationError(
        f"expected a pawn of another seat than {seat} on {place!r}, got none, in {text!r}"
    )


# Chance ----------------------------------------------------------------------------------------


outcome_to_text, text_to_outcome = draws_or_seats(
    [f"!{rank}" for rank in RANK_NAMES], "a card drawn, !A to !X, or a first dealer,"
)


# Infos -----------------------------------------------------------------------------------------


def infos(states: States, i: int) -> Json:
    """What everybody knows about the match; at the end also how it ended [R8.3]."""
    state = states[i]
    seats = range(int(state["players"]))
    known: Json = {
        "scores": [int(score(states, i, seat)) for seat in seats],
        "pawns_home": [int(num_home(states, i, seat)) for seat in seats],
    }
    if int(state["mover"]) == OVER:
        winners = [side for side in range(int(state["sides"])) if has_won(states, i, side)]
        known["winner"] = winners[0] if winners else None
        known["timed_out"] = not winners
        known["decisions"] = int(state["decisions"])
    return known


def report(code: int) -> Json:
    """The seat whose pawn a step brought home."""
    return {"came_home": code - 1}
