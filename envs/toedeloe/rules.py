"""The rules of ToedeLoe as verbs on one record: set-up, chance, legal actions, moves.

Source: the Dutch rules text and its exact specification; `[R4.9]` is paragraph 9 of section 4 of
the specification, in our own words in this folder's README. What a card may do stands in
`rules_cards`, the end and its count in `rules_score`.
"""

from ..engine.dtypes import MOST_COUNTED, OVER, ChanceWeights, Mask, States
from ..engine.jit import kernel, outlined
from ..engine.verbs import to_move
from .board import (
    BIT,
    DECK,
    EMPTY,
    FINISHED,
    FIRST_SEAT,
    FIRST_SQUARE,
    FIRST_STEP,
    GREY,
    HAND,
    LAST_PENALTY,
    LINE_WORDS,
    NEXT_SQUARE,
    NONE,
    NUM_ACTIONS,
    OFF,
    OFFER,
    PASS,
    PLAY,
    RED,
    REDS,
    SIDES,
    SLOTS,
    START,
    STAY,
    STEP,
    TARGET,
    TOEDELOE,
    WALL,
    WHITE,
    WORD,
)
from .board_file import SQUARES
from .rules_cards import (
    can_go,
    is_playable,
    is_special,
    lowest_slot,
    mask_plays,
    mask_targets,
    offered_slots,
    places_red_or_green,
    slot_playable,
)

# Set-up and chance [R3] ------------------------------------------------------------------------


@kernel
def reset(states: States, i: int) -> None:
    """[R3.1] An empty board and full supplies; the starting seat is to be drawn."""
    state = states[i]
    for square in range(state["board"].size):
        state["board"][square] = EMPTY if square < OFF else WALL
    for side in range(SIDES):
        for k in range(LINE_WORDS):
            state["lines"][side, k] = 0
        state["pawns"][side] = state["max_pawns"]
        state["red"][side] = REDS
        state["toedeloe"][side] = 1
        state["penalty"][side] = 0
        for card in range(DECK):
            state["pile"][side, card] = 1
    state["decisions"] = 0
    state["turn_no"] = 0
    state["phase"] = PLAY
    state["mover"] = 0
    state["turn"] = 0
    state["due"] = START
    clear_cards(states, i)


@kernel
def clear_cards(states: States, i: int) -> None:
    """[R4.19] The hand goes away; nothing is played, queued or moved."""
    state = states[i]
    for slot in range(HAND):
        state["table"][slot] = NONE
    state["used"] = 0
    state["action"] = 0
    state["queue"] = 0
    state["square"] = NONE
    state["placed"] = 0


@kernel
def chance_weights(states: States, i: int, weights: ChanceWeights) -> None:
    """[R3.2, R3.3] Every seat may start; every card left in the pile may be drawn."""
    state = states[i]
    if int(state["due"]) == START:
        for outcome in range(weights.size):
            weights[outcome] = 1 if outcome >= FIRST_SEAT else 0
    else:
        pile = state["pile"][int(state["turn"]) % SIDES]
        for card in range(DECK):
            weights[card] = int(pile[card])
        for outcome in range(FIRST_SEAT, weights.size):
            weights[outcome] = 0


@kernel
def step_chance(states: States, i: int, outcome: int) -> None:
    """The starting seat, or a card for the hand; a complete hand begins the turn [R4.3]."""
    state = states[i]
    if int(state["due"]) == START:
        state["turn"] = outcome - FIRST_SEAT
        begin_turn(states, i)
        return
    state["pile"][int(state["turn"]) % SIDES, outcome] = 0
    slot = HAND - int(state["due"])
    while slot > 0 and int(state["table"][slot - 1]) > outcome:
        state["table"][slot] = state["table"][slot - 1]
        slot -= 1
    state["table"][slot] = outcome
    state["due"] -= 1
    if int(state["due"]) == 0:
        open_turn(states, i)


@kernel
def begin_turn(states: States, i: int) -> None:
    """[R4.2, R3.4] The turn limit, an empty pile made whole, and three cards due."""
    state = states[i]
    turn = int(state["turn"])
    if int(state["turn_no"]) >= int(state["max_turns"]):
        state["due"] = 0
        finish(states, i)
        return
    pile = state["pile"][turn % SIDES]
    left = 0
    for card in range(DECK):
        left += int(pile[card])
    if left == 0:
        for card in range(DECK):
            pile[card] = 1
    state["due"] = HAND
    state["phase"] = PLAY
    state["mover"] = turn


@outlined
def open_turn(states: States, i: int) -> None:
    """[R4.3] The owner declares; without a legal declaration it is a pashand."""
    state = states[i]
    side = int(state["turn"]) % SIDES
    for declared in range(1, SLOTS + 1):
        if is_playable(states, i, side, declared):
            return
    state["penalty"][side] += 1
    if int(state["penalty"][side]) == LAST_PENALTY:
        finish(states, i)
    else:
        open_offer(states, i)


@kernel
def finish(states: States, i: int) -> None:
    """[R8.1, R8.2] The game is over."""
    states[i]["phase"] = FINISHED
    states[i]["mover"] = OVER


# Legal actions [R6] ----------------------------------------------------------------------------


@kernel
def legal_mask(states: States, i: int, mask: Mask) -> None:
    """Write the legal actions of the seat to move."""
    for action in range(NUM_ACTIONS):
        mask[action] = 0
    seat = to_move(states, i)
    if seat < 0:
        return
    phase = int(states[i]["phase"])
    side = seat % SIDES
    if phase == PLAY:
        mask_plays(states, i, side, mask)
    elif phase == TARGET:
        mask_targets(states, i, side, mask)
    elif phase == STEP:
        square = int(states[i]["square"])
        for direction in range(4):
            k = (direction + 2 * side) % 4  # turned by 180 degrees for side 1, as all it sees
            mask[FIRST_STEP + k] = can_go(states, i, side, square, direction)
        mask[STAY] = int(states[i]["placed"])
    else:
        offered = offered_slots(states, i)
        for slot in range(HAND):
            is_offered = offered >> slot & 1 == 1
            # Declarations are the sets of slots less 1, for there is no empty one.
            mask[(1 << slot) - 1] = is_offered and slot_playable(states, i, side, slot)
        mask[PASS] = 1


# Moves [R4] ------------------------------------------------------------------------------------


@kernel
def step(states: States, i: int, action: int) -> int:
    """Play a legal action; returns 1 if that may have changed the score, else 0."""
    state = states[i]
    state["decisions"] = min(int(state["decisions"]) + 1, MOST_COUNTED)
    if action < FIRST_SQUARE:
        declare(states, i, action + 1)
        return 0
    seat = int(state["mover"])
    side = seat % SIDES
    if action == PASS:
        end_turn(states, i)
    elif action == STAY:
        end_action(states, i, seat)
    elif action >= FIRST_STEP:
        move(states, i, side, (action - FIRST_STEP + 2 * side) % 4)
        end_action(states, i, seat)
    else:
        square = action - FIRST_SQUARE
        square = square if side == 0 else SQUARES - 1 - square  # [R6.2]
        choose_square(states, i, seat, square)
    return 1


@kernel
def declare(states: States, i: int, slots: int) -> None:
    """[R4.4, R4.18] The owner declares cards, or the responder takes one."""
    state = states[i]
    if int(state["phase"]) == PLAY:
        state["used"] = slots
    state["phase"] = TARGET
    if is_special(states, i, slots):
        first = lowest_slot(slots)
        state["action"] = first
        state["queue"] = slots - first
    else:
        state["action"] = slots


@kernel
def choose_square(states: States, i: int, seat: int, square: int) -> None:
    """[R4.7 - R4.11] Place a pawn or a red or green piece, or pick up what stands there."""
    state = states[i]
    side = seat % SIDES
    if int(state["board"][square]) != EMPTY:
        state["phase"] = STEP
        state["square"] = square
    elif places_red_or_green(states, i):
        if int(state["red"][side]) > 0:  # red pawns first, always [R4.10]
            state["red"][side] -= 1
            state["board"][square] = RED
        else:
            state["toedeloe"][side] = 0
            state["board"][square] = TOEDELOE
        state["phase"] = STEP
        state["square"] = square
        state["placed"] = 1
    else:
        state["pawns"][side] -= 1
        put(states, i, square, WHITE + side)
        end_action(states, i, seat)


@kernel
def move(states: States, i: int, side: int, direction: int) -> None:
    """[R4.13 - R4.16] One step of a red or green piece, three of a pawn; who is there is thrown."""
    state = states[i]
    square = int(state["square"])
    piece = int(state["board"][square])
    take(states, i, square)
    for _ in range(3 if piece <= GREY else 1):
        square = int(NEXT_SQUARE[square, direction])
        there = int(state["board"][square])
        if there != EMPTY:
            take(states, i, square)
            if there == RED:
                state["red"][1 - side] += 1
            else:
                state["pawns"][there - WHITE] += 1
    put(states, i, square, piece)


@kernel
def put(states: States, i: int, square: int, piece: int) -> None:
    """Put *piece* on an empty square."""
    state = states[i]
    state["board"][square] = piece
    if piece <= GREY:
        for k in range(2):
            state["lines"][piece - WHITE, WORD[square, k]] += BIT[square, k]


@kernel
def take(states: States, i: int, square: int) -> None:
    """Take what stands on *square* off the board."""
    state = states[i]
    piece = int(state["board"][square])
    state["board"][square] = EMPTY
    if piece <= GREY:
        for k in range(2):
            state["lines"][piece - WHITE, WORD[square, k]] -= BIT[square, k]


@kernel
def end_action(states: States, i: int, seat: int) -> None:
    """[R4.17] A queued card, else the offer, else the next turn."""
    state = states[i]
    state["square"] = NONE
    state["placed"] = 0
    state["action"] = 0
    while int(state["queue"]) != 0:
        card = lowest_slot(int(state["queue"]))
        state["queue"] -= card
        if is_playable(states, i, seat % SIDES, card):
            state["action"] = card
            state["phase"] = TARGET
            return
    if seat == int(state["turn"]):
        open_offer(states, i)
    else:
        end_turn(states, i)


@outlined
def open_offer(states: States, i: int) -> None:
    """[R4.18] The next seat may take one card, if it can play any; else the turn ends."""
    state = states[i]
    responder = (int(state["turn"]) + 1) % int(state["players"])
    offered = offered_slots(states, i)
    for slot in range(HAND):
        if offered >> slot & 1 == 1 and slot_playable(states, i, responder % SIDES, slot):
            state["phase"] = OFFER
            state["mover"] = responder
            return
    end_turn(states, i)


@kernel
def end_turn(states: States, i: int) -> None:
    """[R4.19] The hand is done with, and the next seat's turn begins."""
    state = states[i]
    clear_cards(states, i)
    state["turn"] = (int(state["turn"]) + 1) % int(state["players"])
    state["turn_no"] += 1
    begin_turn(states, i)


@kernel
def is_truncated(states: States, i: int) -> bool:
    """[R8.2] Never: the turn limit is a rule of the game, and the count is final."""
    return False
