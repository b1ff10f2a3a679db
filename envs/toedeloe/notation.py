"""ToedeLoe in text: moves and outcomes [R6, R3.5], positions as JSON [R9]."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.dtypes import OVER, Json, States
from ..engine.errors import NotationError, OptionsError, PositionError
from .board import (
    BOARD,
    CARDS,
    COMPASS,
    EMPTY,
    FINISHED,
    FIRST_SEAT,
    FIRST_SQUARE,
    FIRST_STEP,
    FORCED,
    GREY,
    HAND,
    LAST_PENALTY,
    NONE,
    OFF,
    PASS,
    PHASES,
    PIECES,
    REDS,
    SIDES,
    STATE,
    STAY,
    WALL,
    WHITE,
    ToedeloeOptions,
)
from .board_file import SIDE, SQUARES
from .reachable import check_reachable
from .rules import put
from .rules_cards import own_square
from .rules_score import (
    bonus_points,
    frame_points,
    longest,
    net,
    row_points,
    unplaced,
)

SQUARE_NUMBER = {name: square for square, name in enumerate(BOARD.names)}
CARD_NUMBER = {name: card for card, name in enumerate(CARDS)}
PLACE_MARK, PICK_UP_MARK = "@", "^"

KEYS = (
    "game", "config", "phase", "to_move", "decisions", "turn", "turn_no", "board", "pawns", "red",
    "toedeloe", "penalty", "draw_pile", "table", "used", "action", "queue", "square", "placed",
)  # fmt: skip


# Moves and outcomes ----------------------------------------------------------------------------


def action_to_move(states: States, i: int, action: int) -> str:
    """The notation of an action, as the side to move (white after the end) means it [R6.1]."""
    state = states[i]
    side = _side_to_move(state)
    if action < FIRST_SQUARE:
        slots = action + 1
        return "+".join(_slot_name(state, k) for k in range(HAND) if slots >> k & 1)
    if action < FIRST_STEP:
        square = own_square(side, action - FIRST_SQUARE)
        is_empty = int(state["board"][square]) == EMPTY
        return (PLACE_MARK if is_empty else PICK_UP_MARK) + BOARD.names[square]
    if action < STAY:
        return COMPASS[(action - FIRST_STEP + 2 * side) % 4]
    return "stay" if action == STAY else "pass"


def move_to_action(states: States, i: int, text: str) -> int:
    """The action of a move; `NotationError` for text that is no move of this position."""
    state = states[i]
    side = _side_to_move(state)
    if not isinstance(text, str) or not text:
        raise _no_move(text)
    if text in ("stay", "pass"):
        return STAY if text == "stay" else PASS
    if len(text) == 1 and text in COMPASS:
        return FIRST_STEP + (COMPASS.index(text) + 2 * side) % 4
    if text[0] in (PLACE_MARK, PICK_UP_MARK):
        return _square_action(state, side, text)
    return _cards_action(state, text)


def _square_action(state: Any, side: int, text: str) -> int:
    square = SQUARE_NUMBER.get(text[1:])
    if square is None:
        raise _no_move(text)
    is_empty = int(state["board"][square]) == EMPTY
    mark = PLACE_MARK if is_empty else PICK_UP_MARK
    if text[0] != mark:
        standing = "empty" if is_empty else "occupied"
        raise NotationError(
            f"expected {mark}{text[1:]}, as that square is {standing}, got {text!r}"
        )
    return FIRST_SQUARE + own_square(side, square)


def _cards_action(state: Any, text: str) -> int:
    """Cards of the hand, joined in the order of their slots."""
    names = [_slot_name(state, slot) for slot in range(HAND)]
    parts = text.split("+")
    slots = [names.index(part) for part in parts if part in names]
    if len(slots) != len(parts) or slots != sorted(set(slots)):
        if all(part in CARD_NUMBER for part in parts):
            raise NotationError(
                f"expected cards of the open hand {', '.join(names)} in this order, got {text!r}"
            )
        raise _no_move(text)
    return sum(1 << slot for slot in slots) - 1


def _slot_name(state: Any, slot: int) -> str:
    """The card of a slot; after the turn limit, when there is none, the number of the slot."""
    card = int(state["table"][slot])
    return f"#{slot + 1}" if card == NONE else CARDS[card]


def _side_to_move(state: Any) -> int:
    return max(int(state["mover"]), 0) % SIDES


def _no_move(text: object) -> NotationError:
    return NotationError(
        f"expected a move of ToedeLoe such as C7, CA+C7, @wC7, ^gE2, N, stay or pass, got {text!r}"
    )


def outcome_to_text(states: States, i: int, outcome: int) -> str:
    """The notation of a chance outcome: a card, or the seat that starts [R3.5]."""
    return f"!seat{outcome - FIRST_SEAT}" if outcome >= FIRST_SEAT else f"!{CARDS[outcome]}"


def text_to_outcome(states: States, i: int, text: str) -> int:
    """The chance outcome of a text; `NotationError` if there is none in this game."""
    seats = int(states[i]["players"])
    if isinstance(text, str) and text[:1] == "!":
        if text[1:] in CARD_NUMBER:
            return CARD_NUMBER[text[1:]]
        for seat in range(seats):
            if text == f"!seat{seat}":
                return FIRST_SEAT + seat
    raise NotationError(
        f"expected a card drawn such as !C7, !HQ or !X1, or a seat !seat0 to !seat{seats - 1}, "
        f"got {text!r}"
    )


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


def infos(states: States, i: int) -> Json:
    """[R8.6] The net score per seat; at the end its parts, and what ended the game."""
    state = states[i]
    parts = [int(net(states, i, side)) for side in range(SIDES)]
    public: Json = {"scores": [parts[seat % SIDES] for seat in range(int(state["players"]))]}
    if int(state["mover"]) == OVER:
        public["score_parts"] = [score_parts(states, i, side) for side in range(SIDES)]
        by_penalty = int(state["penalty"].max()) == LAST_PENALTY
        public["ended_by"] = "penalty" if by_penalty else "turns"
    return public


def score_parts(states: States, i: int, side: int) -> dict[str, int]:
    """The nine numbers of [R8.3] for a side."""
    parts = {
        "frame": int(frame_points(states, i, side)),
        "rows": int(row_points(states, i, side)),
        "bonus": int(bonus_points(states, i, side)),
        "longest": int(longest(states, i, side)),
    }
    plus = sum(parts.values())
    left, penalty = int(unplaced(states, i, side)), int(states[i]["penalty"][side])
    minus = left + penalty
    return {
        **parts, "plus": plus, "unplaced": left, "penalty": penalty, "minus": minus,
        "net": plus - minus,
    }  # fmt: skip


def report(code: int) -> Json:
    """Nothing to tell of a move beyond the scores, which it may have changed."""
    return {}


# JSON -> position ------------------------------------------------------------------------------


def from_position(position: Json) -> States:
    """The record `[1]` of a JSON position; raises `PositionError` if the rules exclude it."""
    _check_keys(position)
    if position["game"] != "toedeloe":
        raise PositionError(f"expected game 'toedeloe', got {position['game']!r}")
    states: States = np.zeros(1, STATE)
    write_options(states, 0, _options(position["config"]))
    _write_turn(states[0], position)
    _write_board(states, position["board"])
    _write_supplies(states[0], position)
    _write_cards(states[0], position)
    check_reachable(states, position)
    return states


def _options(config: Any) -> ToedeloeOptions:
    # The spec knows how to explain a wrong option; importing it here would be a circle.
    from .game import SPEC

    if not isinstance(config, dict):
        raise PositionError(f"expected config as an object of options, got {config!r}")
    try:
        options: ToedeloeOptions = SPEC.parse_options(config)
    except OptionsError as error:
        raise PositionError(f"{error}, in config {config}") from None
    return options


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
        state["mover"] = _whole(position["to_move"], "to_move", low=0, high=last_seat)
    state["turn"] = _whole(position["turn"], "turn", low=0, high=last_seat)
    state["decisions"] = _whole(position["decisions"], "decisions", low=0, high=2**31 - 1)
    most = int(state["max_turns"])
    state["turn_no"] = _whole(position["turn_no"], "turn_no", low=0, high=most)


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
            state[name][side] = _whole(value, f"{name}[{side}]", low=0, high=high)


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


def _whole(value: Any, where: str, *, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise PositionError(f"expected {where} as a whole number {low}..{high}, got {value!r}")
    return value


def _check_keys(position: Any) -> None:
    if not isinstance(position, dict):
        raise PositionError(f"expected the position as a JSON object, got {position!r}")
    if set(position) != set(KEYS):
        missing = sorted(set(KEYS) - set(position))
        unknown = sorted(map(str, set(position) - set(KEYS)))
        raise PositionError(
            f"expected the keys {', '.join(KEYS)} in the position, "
            f"got missing {missing} and unknown {unknown}"
        )
