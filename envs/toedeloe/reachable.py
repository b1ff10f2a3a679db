"""Which positions of ToedeLoe the rules can reach: the invariants of [R9.3], one by one."""

from typing import Any

import numpy as np

from ..engine.dtypes import Json, States
from ..engine.errors import expect
from .board import (
    ACE,
    CARDS,
    FINISHED,
    HAND,
    IN_FRAME,
    JOKER_SUIT,
    KING,
    LAST_PENALTY,
    NONE,
    NUM_ACTIONS,
    OFFER,
    PASS,
    PIECES,
    PLAY,
    RANK_OF,
    RED,
    REDS,
    SIDES,
    STEP,
    SUIT_OF,
    THREE,
    TOEDELOE,
    WHITE,
)
from .board_file import SQUARES
from .rules import legal_mask
from .rules_cards import is_single, is_special, moved_by_three, slot_number, values


def check_reachable(states: States, position: Json) -> None:
    """Expect that row 0 keeps every invariant; *position* is its JSON."""
    _check_pieces(states[0])
    _check_piles(states[0])
    if int(states[0]["phase"]) == FINISHED:
        _check_end(states[0])
    else:
        _check_running(states)


def _check_pieces(state: Any) -> None:
    """[R1.3] Every piece is on the board or in supply."""
    counts = np.bincount(state["board"][:SQUARES], minlength=len(PIECES)).tolist()
    for side, name in enumerate(("white", "grey")):
        total, wanted = counts[WHITE + side] + int(state["pawns"][side]), int(state["max_pawns"])
        expect(total == wanted, f"{wanted} {name} pawns on the board and in supply", total)
    red = counts[RED] + int(state["red"].sum())
    expect(red == SIDES * REDS, f"{SIDES * REDS} red pawns on the board and waiting", red)
    green = counts[TOEDELOE] + int(state["toedeloe"].sum())
    expect(green == SIDES, f"{SIDES} ToedeLoes on the board and in stock", green)


def _check_piles(state: Any) -> None:
    """Whole hands are drawn, and what lies on the table is not in the owner's pile."""
    for side in range(SIDES):
        left = int(state["pile"][side].sum())
        expect(left % HAND == 0, f"a multiple of {HAND} cards in draw_pile[{side}]", left)
    owner = int(state["turn"]) % SIDES
    twice = [CARDS[card] for card in state["table"] if card != NONE and state["pile"][owner, card]]
    expect(not twice, "no card of the table in the owner's draw pile", twice)


def _check_end(state: Any) -> None:
    """[R8.1, R8.2] By a side's ninth penalty, with the dead hand; or by the turn limit."""
    penalty = state["penalty"].tolist()
    is_limit = int(state["turn_no"]) == int(state["max_turns"])
    idle = not state["used"] and not state["action"] and not state["queue"] and not state["placed"]
    expect(idle and int(state["square"]) == NONE, "no card or piece in play when over", "some")
    has_hand = int(state["table"][0]) != NONE
    if is_limit:
        expect(max(penalty) < LAST_PENALTY, "no ninth penalty at the turn limit", penalty)
        expect(not has_hand, "an empty table at the turn limit", "cards")
        return
    owner, most = int(state["turn"]) % SIDES, LAST_PENALTY
    wanted = f"{most} penalties of the owner of the last turn, or turn_no {state['max_turns']}"
    expect(penalty[owner] == most and penalty[1 - owner] < most, wanted, penalty)
    expect(has_hand, "the dead hand on the table", "none")


def _check_running(states: States) -> None:
    state = states[0]
    penalty = state["penalty"].tolist()
    expect(max(penalty) < LAST_PENALTY, "fewer than nine penalties before the end", penalty)
    turn, last = int(state["turn_no"]), int(state["max_turns"])
    expect(turn < last, f"turn_no below {last} before the end", turn)
    expect(int(state["table"][0]) != NONE, f"{HAND} cards on the table", "none")
    phase, mover, owner = int(state["phase"]), int(state["mover"]), int(state["turn"])
    responder = (owner + 1) % int(state["players"])
    seats = (owner,) if phase == PLAY else (responder,) if phase == OFFER else (owner, responder)
    expect(mover in seats, f"to_move {' or '.join(map(str, seats))}", mover)
    _check_square(state)
    if phase in (PLAY, OFFER):
        expect(not state["action"] and not state["queue"], "no card being resolved", "some")
    if phase == PLAY:
        expect(not state["used"], "no card used in phase 'play'", "some")
    else:
        _check_used(states)
    if phase not in (PLAY, OFFER):
        _check_action(states, is_owner=mover == owner)
    if phase == STEP:
        _check_step(states)
    mask = np.zeros(NUM_ACTIONS, np.int8)
    legal_mask(states, 0, mask)
    if phase == OFFER:
        mask[PASS] = 0  # [R11.12]
    expect(mask.any(), "a legal move", "none")


def _check_used(states: States) -> None:
    """[R4.4] What the owner declared is one card, a combination or a special."""
    state = states[0]
    used, owner = int(state["used"]), int(state["turn"])
    if int(state["mover"]) == owner:
        expect(used, "used cards once the owner has declared", "none")
    is_play = is_single(used) or is_special(states, 0, used) or values(states, 0, used)
    expect(not used or is_play, "one card, a combination or a special as used", _names(state, used))


def _check_action(states: States, *, is_owner: bool) -> None:
    """What is being resolved, and what is queued, of the owner's cards or the responder's."""
    state = states[0]
    used, action, queue = int(state["used"]), int(state["action"]), int(state["queue"])
    is_one = action and is_single(action)
    got = f"{_names(state, action)} and {_names(state, queue)}"
    if not is_owner:
        is_free = is_one and not action & used and not queue
        wanted = "one card that the owner did not use as the responder's action"
        expect(is_free, wanted, _names(state, action | queue))
    elif is_special(states, 0, used):
        # The cards of a special are resolved in the order of their slots.
        is_next = is_one and action & used and queue == used & ~(2 * action - 1)
        expect(is_next, "one card of the special as action and the later ones as queue", got)
    else:
        wanted = f"action {_names(state, used)} and an empty queue"
        expect(action == used and not queue, wanted, got)


def _check_square(state: Any) -> None:
    """A piece moves in phase step, and only there."""
    square = int(state["square"])
    if int(state["phase"]) != STEP:
        expect(square == NONE and not state["placed"], "no moving piece but in phase 'step'", "one")
    else:
        expect(square != NONE, "the square of the moving piece in phase 'step'", None)


def _check_step(states: States) -> None:
    """[R4.8 - R4.11] The moving piece is one that the card can place or pick up."""
    state = states[0]
    action, side = int(state["action"]), int(state["mover"]) % SIDES
    piece = int(state["board"][state["square"]])
    kinds: list[tuple[int, bool]] = []
    if is_single(action):
        card = int(state["table"][slot_number(action)])
        kinds = _moving_pieces(state, side, card)
    got = f"{PIECES[piece]!r}{' just placed' if state['placed'] else ''}"
    can_move = (piece, bool(state["placed"])) in kinds
    expect(can_move, f"a piece that {_names(state, action)} can move", got)


def _moving_pieces(state: Any, side: int, card: int) -> list[tuple[int, bool]]:
    """Which pieces a card may set in motion now, and whether they were just placed."""
    red, stock = int(state["red"][side]), int(state["toedeloe"][side])
    rank, is_joker = int(RANK_OF[card]), int(SUIT_OF[card]) == JOKER_SUIT
    kinds: list[tuple[int, bool]] = []
    if is_joker or rank == KING:
        if red < REDS:
            kinds.append((RED, True))
        if red == 0 and (is_joker or state["king_moves_red"]):
            kinds.append((RED, False))
        if is_joker and red == 0 and stock == 0:
            kinds += [(TOEDELOE, True), (TOEDELOE, False)]
    elif rank == ACE and red == 0 and stock == 0:
        kinds.append((TOEDELOE, False))
    elif rank == THREE and not IN_FRAME[state["square"]]:
        kinds.append((moved_by_three(side, card), False))
    return kinds


def _names(state: Any, slots: int) -> str:
    return "+".join(CARDS[state["table"][k]] for k in range(HAND) if slots >> k & 1) or "no card"
