"""Oduludo in text: moves and outcomes by table, positions as JSON [R9]."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..engine.dtypes import OVER, Json, States
from ..engine.errors import PositionError
from ..engine.positions import check_position, options_of, whole
from ..engine.spec import table_notation
from .board import (
    BOARD,
    CARRIERS,
    COUNT_BITS,
    EARTH,
    FINISHED,
    HELD,
    MODES,
    MOVE,
    MOVES,
    NUM_PIECES,
    OFF,
    ON_EARTH,
    OUTCOMES,
    PHASES,
    RING,
    ROUTE_LENGTH,
    SEATS,
    SHIP,
    SQUARE,
    STATE,
    OduludoOptions,
)
from .data import PIECES
from .reachable import check_reachable
from .rules_landing import roll_moves
from .rules_scoring import seat_at, standings
from .rules_turns import ROUND_ENDED, STANDINGS_SHIFT

action_to_move, move_to_action = table_notation(
    MOVES, "a move of Oduludo such as mK, mS1, mQ-, dS, send, abduct, oduludo, decline or sun+"
)
outcome_to_text, text_to_outcome = table_notation(
    OUTCOMES, "an outcome of Oduludo: !seat0 to !seat3, !1 to !6, or a face such as !plus3"
)

KEYS = (
    "game", "config", "phase", "to_move", "decisions", "die", "sixes", "star", "mover", "at",
    "fresh", "pieces", "status", "ufos", "wins", "points",
)  # fmt: skip
PLAYING = "playing"


# Options <-> record ----------------------------------------------------------------------------


def write_options(states: States, i: int, options: OduludoOptions) -> None:
    """Put *options* into the record of row *i*."""
    state = states[i]
    colors = [BOARD.colors.index(letter) for letter in options.colors]
    state["color"] = [*colors, *[-1] * (SEATS - len(colors))]
    state["seat_of"] = [colors.index(c) if c in colors else -1 for c in range(SEATS)]
    state["mode"] = MODES.index(options.mode)
    state["num_seats"] = options.players
    state["queen_carries_stack"] = options.queen_carries_stack
    state["size_protects"] = options.stack_protection == "size"
    state["six_limit"] = options.six_limit
    state["target_wins"] = options.target_wins
    state["by_score"] = options.reward == "score"
    state["max_decisions"] = options.max_decisions


def read_options(states: States, i: int) -> OduludoOptions:
    """The options that the record of row *i* holds."""
    state = states[i]
    num_seats = int(state["num_seats"])
    return OduludoOptions(
        mode=MODES[state["mode"]],
        players=num_seats,
        colors="".join(BOARD.colors[color] for color in state["color"][:num_seats]),
        queen_carries_stack=bool(state["queen_carries_stack"]),
        stack_protection="size" if state["size_protects"] else "none",
        six_limit=int(state["six_limit"]),
        target_wins=int(state["target_wins"]),
        reward="score" if state["by_score"] else "rank",
        max_decisions=int(state["max_decisions"]),
    )


# Position -> JSON ------------------------------------------------------------------------------


def position(states: States, i: int) -> Json:
    """The full position as plain JSON [R9.1]."""
    state = states[i]
    seats = range(int(state["num_seats"]))
    seat, lead, at = int(state["seat"]), int(state["lead"]), int(state["at"])
    return {
        "game": "oduludo",
        "config": read_options(states, i).changed(),
        "phase": PHASES[state["phase"]],
        "to_move": None if seat == OVER else seat,
        "decisions": int(state["decisions"]),
        "die": int(state["die"]) or None,
        "sixes": int(state["sixes"]),
        "star": bool(state["star"]),
        "mover": None if lead < 0 else PIECES[lead],
        "at": None if at < 0 else f"r{at}",
        "fresh": [name for p, name in enumerate(PIECES) if int(state["fresh"]) >> p & 1],
        "pieces": [_pieces(state, seat) for seat in seats],
        "status": [_status_text(int(state["status"][seat])) for seat in seats],
        "ufos": [bool(state["ufo"][state["color"][seat]]) for seat in seats],
        "wins": state["wins"][: len(seats)].tolist(),
        "points": state["points"][: len(seats)].tolist(),
    }


def _pieces(state: Any, seat: int) -> dict[str, str]:
    color = state["color"][seat]
    places = zip(PIECES, state["place"][seat].tolist(), state["held"][seat].tolist(), strict=True)
    return {name: _place_text(color, place, held) for name, place, held in places}


def _place_text(color: int, place: int, held: int) -> str:
    if place < ROUTE_LENGTH:
        return f"r{SQUARE[color, place]}"
    if place < EARTH:
        return f"p{place - ROUTE_LENGTH + 1}"
    if place == HELD:
        holder, lead = divmod(held - 1, CARRIERS)
        return f"held:{holder}:{'earth' if lead == ON_EARTH else PIECES[lead]}"
    return {EARTH: "earth", SHIP: "ship", OFF: "off"}[place]


def _status_text(status: int) -> str:
    if status == 0:
        return PLAYING
    return f"finished:{status}" if status > 0 else f"out:{-status}"


def infos(states: States, i: int) -> Json:
    """What everybody knows about the match [R8.10]."""
    state = states[i]
    num_seats = int(state["num_seats"])
    public: Json = {
        "scores": state["points"][:num_seats].tolist(),
        "wins": state["wins"][:num_seats].tolist(),
    }
    if int(state["seat"]) == OVER:
        public["standings"] = _seats(int(standings(states, i)), num_seats)
    return public


def report(code: int) -> Json:
    """The standings of the round that a step ended [R8.10]."""
    if not code & ROUND_ENDED:
        return {}
    order = code >> STANDINGS_SHIFT
    # Seats beyond those that play are 0 in a packed ranking, and only seat 0 itself is 0 once.
    seats = _seats(order, SEATS)
    while seats.count(0) > 1:
        seats.pop()
    return {"standings": seats}


def _seats(order: int, num_seats: int) -> list[int]:
    return [int(seat_at(order, place)) for place in range(num_seats)]


# JSON -> position ------------------------------------------------------------------------------


def from_position(position: Json) -> States:
    """The record `[1]` of a JSON position; raises `PositionError` if the rules exclude it."""
    check_position(position, "oduludo", KEYS)
    states: States = np.zeros(1, STATE)
    write_options(states, 0, options_of(position["config"], "oduludo", OduludoOptions))
    state = states[0]
    _write_turn(state, position)
    _write_pieces(state, position)
    _write_seats(state, position)
    _write_mover(state, position)
    if int(state["phase"]) == MOVE and not position["star"]:
        seat, die = int(state["seat"]), int(state["die"])
        state["legal"] = roll_moves(states, 0, seat, die)
    check_reachable(states)
    return states


def _write_turn(state: Any, position: Json) -> None:
    if position["phase"] not in PHASES:
        raise PositionError(f"expected a phase of {PHASES}, got {position['phase']!r}")
    phase = PHASES.index(position["phase"])
    is_over = phase == FINISHED
    to_move, die = position["to_move"], position["die"]
    seats = (None,) if is_over else tuple(range(int(state["num_seats"])))
    pips = (None,) if is_over else tuple(range(1, 7))
    for name, value, values in (("to_move", to_move, seats), ("die", die, pips)):
        if isinstance(value, bool | float) or value not in values:
            raise PositionError(
                f"expected {name} of {values} in phase {position['phase']!r}, got {value!r}"
            )
    if not isinstance(position["star"], bool):
        raise PositionError(f"expected star true or false, got {position['star']!r}")
    state["phase"] = phase
    state["seat"] = OVER if to_move is None else to_move
    state["die"] = 0 if die is None else die
    state["star"] = position["star"]
    state["decisions"] = whole(position["decisions"], "decisions", low=0, high=2**31 - 1)
    state["sixes"] = whole(position["sixes"], "sixes", low=0, high=100)


def _write_pieces(state: Any, position: Json) -> None:
    state["place"] = OFF
    num_seats = int(state["num_seats"])
    for seat, pieces in enumerate(_by_seat(position, "pieces", num_seats)):
        if not isinstance(pieces, dict) or set(pieces) != set(PIECES):
            raise PositionError(f"expected pieces {', '.join(PIECES)}, got {pieces!r}")
        color = int(state["color"][seat])
        for p, name in enumerate(PIECES):
            place, held = _place(pieces[name], color, num_seats, where=f"pieces[{seat}].{name}")
            state["place"][seat, p], state["held"][seat, p] = place, held
            if place < ROUTE_LENGTH:
                state["occupied"][SQUARE[color, place]] += 1 << COUNT_BITS * seat


@cache
def _places(color: int, num_seats: int) -> dict[str, tuple[int, int]]:
    """Place and captor by text, for a piece of a colour."""
    free = [(place, 0) for place in (*range(EARTH), EARTH, SHIP, OFF)]
    captive = [(HELD, held) for held in range(1, 1 + CARRIERS * num_seats)]
    return {_place_text(color, place, held): (place, held) for place, held in (*free, *captive)}


def _place(text: Any, color: int, num_seats: int, *, where: str) -> tuple[int, int]:
    """Place and captor of a piece from its text."""
    found = _places(color, num_seats).get(text) if isinstance(text, str) else None
    if found:
        return found
    raise PositionError(
        f"expected {where} as ship, r0..r{RING - 1} on its route, p1..p{EARTH - ROUTE_LENGTH}, "
        f"earth, off or held:<seat>:<piece or earth>, got {text!r}"
    )


def _write_seats(state: Any, position: Json) -> None:
    num_seats = int(state["num_seats"])
    texts = {_status_text(status): status for status in range(-num_seats, num_seats + 1)}
    for seat, text in enumerate(_by_seat(position, "status", num_seats)):
        if not isinstance(text, str) or text not in texts:
            raise PositionError(f"expected status of {', '.join(texts)}, got {text!r}")
        state["status"][seat] = texts[text]
    for seat, ufo in enumerate(_by_seat(position, "ufos", num_seats)):
        if not isinstance(ufo, bool):
            raise PositionError(f"expected ufos of true and false, got {ufo!r}")
        state["ufo"][state["color"][seat]] = ufo
    for seat, wins in enumerate(_by_seat(position, "wins", num_seats)):
        state["wins"][seat] = whole(wins, "wins", low=0, high=NUM_PIECES)
    for seat, points in enumerate(_by_seat(position, "points", num_seats)):
        state["points"][seat] = whole(points, "points", low=-(2**31), high=2**31 - 1)


def _write_mover(state: Any, position: Json) -> None:
    mover, at, fresh = position["mover"], position["at"], position["fresh"]
    if mover is not None and (not isinstance(mover, str) or mover not in PIECES):
        raise PositionError(f"expected mover null or one of {', '.join(PIECES)}, got {mover!r}")
    squares = {f"r{square}": square for square in range(RING)}
    if at is not None and (not isinstance(at, str) or at not in squares):
        raise PositionError(f"expected at null or r0..r{RING - 1}, got {at!r}")
    if not isinstance(fresh, list | tuple) or [p for p in PIECES if p in fresh] != list(fresh):
        raise PositionError(f"expected fresh as pieces in the order {PIECES}, got {fresh!r}")
    state["lead"] = -1 if mover is None else PIECES.index(mover)
    state["at"] = -1 if at is None else squares[at]
    state["fresh"] = sum(1 << PIECES.index(piece) for piece in fresh)


def _by_seat(position: Json, key: str, num_seats: int) -> list[Any]:
    values = position[key]
    if not isinstance(values, list | tuple) or len(values) != num_seats:
        raise PositionError(f"expected {key} as a list for {num_seats} seats, got {values!r}")
    return list(values)
