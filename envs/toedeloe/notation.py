"""ToedeLoe in text: moves and outcomes [R6, R3.5], and `infos`; positions are in `positions`."""

from typing import Any

from ..engine.dtypes import OVER, Json, States
from ..engine.errors import NotationError, expect
from ..engine.names import draws_or_seats
from .board import (
    BOARD,
    CARDS,
    COMPASS,
    EMPTY,
    FIRST_SQUARE,
    FIRST_STEP,
    HAND,
    LAST_PENALTY,
    NONE,
    PASS,
    SIDES,
    STAY,
)
from .rules_cards import own_square
from .rules_score import bonus_points, frame_points, longest, net, row_points, unplaced

SQUARE_NUMBER = {name: square for square, name in enumerate(BOARD.names)}
PLACE_MARK, PICK_UP_MARK = "@", "^"


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
    """The action of a move; `NotationError` for text that is not a move of this position."""
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
    wanted = f"{mark}{text[1:]}, as that square is {'empty' if is_empty else 'occupied'}"
    expect(text[0] == mark, wanted, repr(text), error=NotationError)
    return FIRST_SQUARE + own_square(side, square)


def _cards_action(state: Any, text: str) -> int:
    """Cards of the hand, joined in the order of their slots."""
    names = [_slot_name(state, slot) for slot in range(HAND)]
    parts = text.split("+")
    slots = [names.index(part) for part in parts if part in names]
    if len(slots) != len(parts) or slots != sorted(set(slots)):
        if all(part in CARDS for part in parts):
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


outcome_to_text, text_to_outcome = draws_or_seats(
    [f"!{card}" for card in CARDS], "a card drawn such as !C7, !HQ or !X1, or a seat"
)


# Infos -----------------------------------------------------------------------------------------


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
