"""The rules of Oduludo as verbs on one record.

Source: the Dutch rules text and its exact specification; `[R4.9]` is paragraph 9 of section 4 of
the specification, in our own words in this folder's README. Read on in `rules_landing` (where
a stack may go), `rules_scoring`, `rules_turns` and `rules_moves`, each of which builds upon
those before it.
"""

from ..engine.dtypes import CHANCE, ChanceWeights, Mask, States
from ..engine.jit import kernel
from .board import (
    ABDUCT,
    BACKWARD,
    CAPTURE,
    DECLINE,
    DIE,
    FACE,
    FIRST_FACE,
    FIRST_PIP,
    FIRST_SEAT,
    MOVE,
    NOTHING,
    NUM_ACTIONS,
    NUM_OUTCOMES,
    ODULUDO,
    ROLL_FACE,
    SEATS,
    SEND,
    START,
    SUN_BACKWARD,
    SUN_FORWARD,
)
from .rules_landing import entering_piece
from .rules_moves import apply_face, capture, come_to_rest, jump, walk
from .rules_turns import begin_turn, end_move, roll_die, set_up_round, wait_for_die


@kernel
def to_move(states: States, i: int) -> int:
    """The seat that decides, CHANCE while a die is due, or OVER."""
    state = states[i]
    return CHANCE if int(state["due"]) != NOTHING else int(state["seat"])


# Set-up [R3] -------------------------------------------------------------------------------------


@kernel
def reset(states: States, i: int) -> None:
    """[R3.2] A new game: the first round, and chance says who begins."""
    state = states[i]
    state["decisions"] = 0
    for seat in range(SEATS):
        state["wins"][seat] = 0
        state["points"][seat] = 0
    set_up_round(states, i)
    state["seat"] = 0
    state["fresh"] = 0
    state["sixes"] = 0
    state["tries"] = 0
    wait_for_die(states, i)
    state["due"] = START


# Chance [R3.3] -----------------------------------------------------------------------------------


@kernel
def chance_weights(states: States, i: int, weights: ChanceWeights) -> None:
    """[R3.3] Equal weights: the seats at the start, six pips, six faces."""
    state = states[i]
    due = int(state["due"])
    first = FIRST_SEAT if due == START else (FIRST_PIP if due == DIE else FIRST_FACE)
    stop = first + (int(state["num_seats"]) if due == START else 6)
    # `&` for `and`: both sides are computed, without a branch for the processor to guess.
    for outcome in range(NUM_OUTCOMES):
        weights[outcome] = 1 if (first <= outcome) & (outcome < stop) else 0


@kernel
def step_chance(states: States, i: int, outcome: int) -> int:
    """Apply one outcome; returns a report like `step`, for a face can end a round."""
    due = int(states[i]["due"])
    if due == DIE:
        roll_die(states, i, outcome - FIRST_PIP + 1)
        return 0
    states[i]["due"] = NOTHING
    if due == START:
        begin_turn(states, i, outcome - FIRST_SEAT)
        return 0
    return apply_face(states, i, outcome)


# Legal actions [R6] ------------------------------------------------------------------------------


@kernel
def legal_mask(states: States, i: int, mask: Mask) -> None:
    """Write the legal actions of the seat to move."""
    moves = 0
    if to_move(states, i) >= 0:
        state = states[i]
        phase = int(state["phase"])
        if phase == MOVE:
            moves = int(state["legal"])
        elif phase == CAPTURE:
            moves = 1 << SEND | 1 << ABDUCT
        elif phase == ODULUDO:
            moves = 1 << ROLL_FACE | 1 << DECLINE
        else:
            moves = 1 << SUN_FORWARD | 1 << SUN_BACKWARD
    # A set of actions is a word, bit a for action a; that of a roll was found when it was rolled.
    for action in range(NUM_ACTIONS):
        mask[action] = moves >> action & 1


# Moves [R4] --------------------------------------------------------------------------------------


@kernel
def step(states: States, i: int, action: int) -> int:
    """Play a legal action; returns 0, or a report of points and of a round that ended."""
    state = states[i]
    seat = int(state["seat"])
    state["decisions"] += 1
    if action <= BACKWARD:
        return walk(states, i, seat, action)
    if action < SEND:
        piece = entering_piece(states, i, seat, action)
        return come_to_rest(states, i, seat, 1 << piece, 0)
    if action <= ABDUCT:
        return capture(states, i, seat, action)
    if action == ROLL_FACE:
        state["due"] = FACE
        return 0
    if action == DECLINE:
        return end_move(states, i)
    return jump(states, i, seat, action)
