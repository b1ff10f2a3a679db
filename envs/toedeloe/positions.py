"""Positions of ToedeLoe as JSON, and options in records [R9]."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.dtypes import OVER, Json, States
from ..engine.errors import PositionError
from ..engine.positions import check_position, options_of, whole
from .board import (
    BOARD,
    CARDS,
    FINISHED,
    FORCED,
    GREY,
    HAND,
    LAST_PENALTY,
    NONE,
    OFF,
    PHASES,
    PIECES,
    REDS,
    SIDES,
    STATE,
    WALL,
    WHITE,
    ToedeloeOptions,
)
from .board_file import SIDE, SQUARES
from .notation import CARD_NUMBER, SQUARE_NUMBER
from .reachable import check_reachable
from .rules import put

KEYS = (
    "game", "config", "phase", "to_move", "decisions", "turn", "turn_no", "board", "pawns", "red",
    "toedeloe", "penalty", "draw_pile", "table", "used", "action", "queue", "square", "placed",
)  # fmt: skip


# Options <-> record ----------------------------------------------------------------------------


def write_options(states: States, i: int, options: ToedeloeOptions) -> None:
    """Put *options* into the record of row *i*."""
    state = states[i]
    state["players"] = options.players
    state["max_pawns"] = options.pawns
    state["forced"] = FORCED.index(options.forced)
    state["king_moves_red"] = options.king_moves_red
    state["longest_is_group"] = options.longest == "group"
    state["max_turns"] = options.max_turns
    state["reward_is_margin"] = options.reward == "margin"


def read_options(states: States, i: int) -> ToedeloeOptions:
    """The options that the record of row *i* holds."""
    state = states[i]
    return ToedeloeOptions(
        players=2 if state["players"] == 2 else 4,
        pawns=30 if state["max_pawns"] == 30 else 40,
        forced=FORCED[state["forced"]],
        king_moves_red=bool(state["king_moves_red"]),
        longest="group" if state["longest_is_group"] else "straight",
        max_turns=int(state["max_turns"]),
        reward="margin" if state["reward_is_margin"] else "win",
    )


# Position -> JSON ------------------------------------------------------------------------------


def position(states: States, i: int) -> Json:
    """The full position as plain JSON [R9.1]."""
    state = states[i]
    mover, square = int(state["mover"]), int(state["square"])
    return {
        "game": "toedeloe",
        "config": read_options(states, i).changed(),
        "phase": PHASES[state["phase"]],
        "to_move": None if mover == OVER else mover,
        "decisions": int(state["decisions"]),
        "turn": int(state["turn"]),
        "turn_no": int(state["turn_no"]),
        "board": _board_lines(state["board"]),
        "pawns": state["pawns"].tolist(),
        "red": state["red"].tolist(),
        "toedeloe": state["toedeloe"].tolist(),
        "penalty": state["penalty"].tolist(),
        "draw_pile": [[CARDS[card] for card in pile.nonzero()[0]] for pile in state["pile"]],
        "table": [CARDS[card] for card in state["table"] if card != NONE],
        "used": _slot_cards(state, "used"),
        "action": _slot_cards(state, "action"),
        "queue": _slot_cards(state, "queue"),
        "square": None if square == NONE else BOARD.names[square],
        "placed": bool(state["placed"]),
    }


def _board_lines(board: Any) -> list[str]:
    grid = [[" "] * SIDE for _ in range(SIDE)]
    for piece, (row, column) in zip(board[:SQUARES], BOARD.places, strict=True):
        grid[row][column] = PIECES[piece]
    return ["".join(line) for line in grid]


def _slot_cards(state: Any, field: str) -> list[str]:
    slots = int(state[field])
    return [CARDS[state["table"][slot]] for slot in range(HAND) if slots >> slot & 1]


# JSON -> position ------------------------------------------------------------------------------


def from_position(position: Json) -> States:
    """The record `[1]` of a JSON position; raises `PositionError` if the rules exclude it."""
    check_position(position, "toedeloe", KEYS)
    states: States = np.zeros(1, STATE)
    write_options(states, 0, options_of(position["config"], "toedeloe", ToedeloeOptions))
    _write_turn(states[0], position)
    _write_board(states, position["board"])
    _write_supplies(states[0], position)
    _write_cards(states[0], position)
    check_reachable(states, position)
    return states


def _write_turn(state: Any, position: Json) -> None:
    phase = position["phase"]
    if not isinstance(phase, str) or phase not in PHASES:
        raise PositionError(f"expected a phase of {PHASES}, got {phase!r}")
    state["phase"] = PHASES.index(phase)
    last_seat = int(state["players"]) - 1
    if state["phase"] == FINISHED:
        if position["to_move"] is not None:
            raise PositionError(f"expected to_move None when over, got {position['to_move']!r}")
        state["mover"] = OVER
    else:
        state["mover"] = whole(position["to_move"], "to_move", low=0, high=last_seat)
    state["turn"] = whole(position["turn"], "turn", low=0, high=last_seat)
    state["decisions"] = whole(position["decisions"], "decisions", low=0, high=2**31 - 1)
    most = int(state["max_turns"])
    state["turn_no"] = whole(position["turn_no"], "turn_no", low=0, high=most)


def _write_board(states: States, lines: Any) -> None:
    empty = _board_lines(np.zeros(SQUARES, np.int16))
    if not isinstance(lines, list | tuple) or len(lines) != SIDE:
        raise PositionError(f"expected board as {SIDE} strings, got {lines!r}")
    for row, (line, shape) in enumerate(zip(lines, empty, strict=True)):
        if (
            not isinstance(line, str)
            or len(line) != SIDE
            or set(line) - set(PIECES + " ")
            or any((mark == " ") != (there == " ") for mark, there in zip(line, shape, strict=True))
        ):
            raise PositionError(
                f"expected row {row} of the board like {shape!r} with pieces {PIECES!r}, "
                f"got {line!r}"
            )
    board = states[0]["board"]
    board[OFF:] = WALL
    for square, (row, column) in enumerate(BOARD.places):
        piece = PIECES.index(lines[row][column])
        if WHITE <= piece <= GREY:
            put(states, 0, square, piece)
        else:
            board[square] = piece


def _write_supplies(state: Any, position: Json) -> None:
    most = {"pawns": int(state["max_pawns"]), "red": REDS, "toedeloe": 1, "penalty": LAST_PENALTY}
    for name, high in most.items():
        values = position[name]
        if not isinstance(values, list | tuple) or len(values) != SIDES:
            raise PositionError(f"expected {name} as two numbers, white and grey, got {values!r}")
        for side, value in enumerate(values):
            state[name][side] = whole(value, f"{name}[{side}]", low=0, high=high)


def _write_cards(state: Any, position: Json) -> None:
    piles = position["draw_pile"]
    if not isinstance(piles, list | tuple) or len(piles) != SIDES:
        raise PositionError(f"expected draw_pile as two lists of cards, got {piles!r}")
    for side, pile in enumerate(piles):
        state["pile"][side, _cards(pile, f"draw_pile[{side}]")] = 1
    table = _cards(position["table"], "table")
    if len(table) not in (0, HAND):
        raise PositionError(
            f"expected {HAND} cards or none on the table, got {position['table']!r}"
        )
    state["table"] = table or [NONE] * HAND
    for name in ("used", "action", "queue"):
        cards = _cards(position[name], name)
        if not set(cards) <= set(table):
            raise PositionError(
                f"expected {name} among the cards on the table, got {position[name]!r}"
            )
        state[name] = sum(1 << table.index(card) for card in cards)
    square, placed = position["square"], position["placed"]
    if square is not None and (not isinstance(square, str) or square not in SQUARE_NUMBER):
        raise PositionError(f"expected square as the name of a square or None, got {square!r}")
    if not isinstance(placed, bool):
        raise PositionError(f"expected placed true or false, got {placed!r}")
    state["square"] = NONE if square is None else SQUARE_NUMBER[square]
    state["placed"] = placed


def _cards(names: Any, where: str) -> list[int]:
    if not isinstance(names, list | tuple):
        raise PositionError(f"expected {where} as a list of cards, got {names!r}")
    for name in names:
        if not isinstance(name, str) or name not in CARD_NUMBER:
            raise PositionError(f"expected cards such as C7, HQ or X1 in {where}, got {name!r}")
    cards = [CARD_NUMBER[name] for name in names]
    if cards != sorted(set(cards)):
        raise PositionError(f"expected {where} sorted by card and without repeats, got {names!r}")
    return cards
