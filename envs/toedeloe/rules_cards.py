"""What cards may do in ToedeLoe: values, targets, steps, declarations [R4.4 - R4.16]."""

from ..engine.dtypes import Mask, States
from ..engine.jit import kernel, outlined
from .board import (
    ACE,
    EMPTY,
    FIRST_SQUARE,
    GREY,
    HAND,
    IN_FRAME,
    IS_RED,
    JOKER_SUIT,
    KING,
    NEXT_SQUARE,
    NUMBER_SQUARES,
    RANK_OF,
    RED,
    SLOTS,
    SUIT_OF,
    THREE,
    TOEDELOE,
    WALL,
    WHITE,
)
from .board_file import SQUARES

ZERO = 24
"""The bit of value 0 while sums are added up; two cards never reach lower than -24."""

VALUES = 0x1FFE
"""The bits of the values 1..12 [R4.12]."""


# Slots of the hand -----------------------------------------------------------------------------


@kernel
def lowest_slot(slots: int) -> int:
    """The bit of the first of *slots*."""
    return slots & -slots  # -n turns all bits above the lowest one that is set, and keeps that one


@kernel
def slot_number(slots: int) -> int:
    """The number of the first of *slots*: 0, 1 or 2."""
    return 0 if slots & 1 else 1 if slots & 2 else 2


@kernel
def is_single(slots: int) -> bool:
    """Whether *slots* is one card."""
    return slots & (slots - 1) == 0  # n - 1 turns the lowest bit that is set off


@kernel
def offered_slots(states: States, i: int) -> int:
    """[R4.18] The cards that the owner did not declare."""
    return SLOTS - int(states[i]["used"])


@kernel
def is_special(states: States, i: int, slots: int) -> bool:
    """[R4.5] Both jokers, or three kings."""
    if is_single(slots):
        return False
    table = states[i]["table"]
    jokers, kings, cards = 0, 0, 0
    for slot in range(HAND):
        if slots >> slot & 1:
            card = int(table[slot])
            cards += 1
            jokers += 1 if SUIT_OF[card] == JOKER_SUIT else 0
            kings += 1 if RANK_OF[card] == KING else 0
    return (jokers == 2 and cards == 2) or kings == 3


@kernel
def places_red_or_green(states: States, i: int) -> bool:
    """Whether the card that is being resolved puts a red or green piece on an empty square."""
    action = int(states[i]["action"])
    if not is_single(action):
        return False
    card = int(states[i]["table"][slot_number(action)])
    return bool(SUIT_OF[card] == JOKER_SUIT or RANK_OF[card] == KING)


# Numbers [R4.7, R4.12] -------------------------------------------------------------------------


@kernel
def values(states: States, i: int, slots: int) -> int:
    """[R4.12] The values that *slots* may add up to: bit n is set for n in 1..12.

    None if the cards make no number: a lone ace or king, a joker, cards of different suits.
    """
    table = states[i]["table"]
    if is_single(slots):
        rank = int(RANK_OF[table[slot_number(slots)]])
        return 1 << rank if ACE < rank < KING else 0
    # Bit ZERO + n stands for the sum n. A card of value v moves all sums at once, up for +v and
    # down for -v; a king moves them up only, and an ace also leaves them.
    suit = suit_of_slots(states, i, slots)
    sums = 1 << ZERO
    for slot in range(HAND):
        if slots >> slot & 1:
            card = int(table[slot])
            if suit != SUIT_OF[card] or suit == JOKER_SUIT:
                return 0
            rank = int(RANK_OF[card])
            if rank == KING:
                sums = sums << KING
            elif rank == ACE:
                sums = sums | sums << 1 | sums >> 1
            else:
                sums = sums << rank | sums >> rank
    return sums >> ZERO & VALUES


@kernel
def suit_of_slots(states: States, i: int, slots: int) -> int:
    """The suit of the first of *slots*."""
    return int(SUIT_OF[states[i]["table"][slot_number(slots)]])


@kernel
def has_number_target(states: States, i: int, side: int, slots: int) -> bool:
    """Whether *slots* are a number with an empty square for a pawn [R4.7]."""
    state = states[i]
    if int(state["pawns"][side]) == 0:
        return False
    found = values(states, i, slots)
    if found == 0:
        return False
    suit = suit_of_slots(states, i, slots)
    board = state["board"]
    n = 0
    while found != 0:
        if found & 1:
            for k in range(4):
                if board[NUMBER_SQUARES[suit, n, k]] == EMPTY:
                    return True
        found >>= 1
        n += 1
    return False


# Steps [R4.13 - R4.16] -------------------------------------------------------------------------


@kernel
def may_enter(states: States, i: int, side: int, is_green: bool, square: int) -> bool:
    """[R4.13] Whether a piece that *side* moves may enter *square*; who stands there is thrown."""
    state = states[i]
    there = int(state["board"][square])
    if there == EMPTY:
        return True
    if there == WALL or IN_FRAME[square]:
        return False
    return there <= GREY or (there == RED and is_green and int(state["red"][1 - side]) < 4)


@kernel
def can_go(states: States, i: int, side: int, square: int, direction: int) -> bool:
    """[R4.15, R4.16] Whether the piece on *square* may step (a pawn: three steps) that way."""
    piece = int(states[i]["board"][square])
    is_green = piece == TOEDELOE
    square = int(NEXT_SQUARE[square, direction])
    if piece > GREY:
        return may_enter(states, i, side, is_green, square)
    for _ in range(2):
        if not may_enter(states, i, side, is_green, square):
            return False
        square = int(NEXT_SQUARE[square, direction])
    return may_enter(states, i, side, is_green, square)


@kernel
def can_move(states: States, i: int, side: int, square: int) -> bool:
    """Whether the piece on *square* may move in any direction; a pawn in a frame never [R4.8]."""
    if IN_FRAME[square] and int(states[i]["board"][square]) <= GREY:
        return False
    moves = False
    for direction in range(4):
        moves = moves or can_go(states, i, side, square, direction)
    return moves


@outlined
def any_can_move(states: States, i: int, side: int, kinds: int) -> bool:
    """Whether there is a piece of *kinds* on the board that may move; bit k stands for piece k."""
    board = states[i]["board"]
    for square in range(SQUARES):
        if kinds >> int(board[square]) & 1 and can_move(states, i, side, square):
            return True
    return False


@kernel
def moved_by_three(side: int, card: int) -> int:
    """[R4.8] A red three moves a pawn of the other side, a black three an own one."""
    return WHITE + (1 - side if IS_RED[SUIT_OF[card]] else side)


@kernel
def kinds_moved(states: States, i: int, side: int, card: int) -> int:
    """Which pieces on the board *card* may move by itself [R4.8 - R4.11]: bit k for piece k."""
    state = states[i]
    rank = int(RANK_OF[card])
    if rank == THREE:
        return 1 << moved_by_three(side, card)
    if int(state["red"][side]) > 0:
        return 0
    green = 1 - int(state["toedeloe"][side]) << TOEDELOE  # only with the own one on the board
    if SUIT_OF[card] == JOKER_SUIT:
        return 1 << RED | green
    if rank == KING:
        return int(state["king_moves_red"]) << RED
    return green if rank == ACE else 0


@kernel
def places_piece(states: States, i: int, side: int, card: int) -> bool:
    """Whether *card* puts a waiting red pawn or the ToedeLoe on any empty square [R4.9, R4.10]."""
    state = states[i]
    is_joker = SUIT_OF[card] == JOKER_SUIT
    if int(state["red"][side]) > 0:
        return bool(is_joker or RANK_OF[card] == KING)
    return bool(is_joker and int(state["toedeloe"][side]) > 0)


# What may be played [R4.4 - R4.11] -------------------------------------------------------------


@kernel
def slot_playable(states: States, i: int, side: int, slot: int) -> bool:
    """Whether *side* may play the card of *slot* by itself."""
    card = int(states[i]["table"][slot])
    if places_piece(states, i, side, card):  # there is always an empty square
        return True
    if has_number_target(states, i, side, 1 << slot):
        return True
    kinds = kinds_moved(states, i, side, card)
    return kinds != 0 and any_can_move(states, i, side, kinds)


@kernel
def is_playable(states: States, i: int, side: int, slots: int) -> bool:
    """Whether the owner may declare *slots*, but for the duty [R4.4, R4.5]."""
    if not is_single(slots):
        if not is_special(states, i, slots):
            return has_number_target(states, i, side, slots)
        state = states[i]
        if slots == SLOTS and int(state["red"][side]) < HAND and int(state["king_moves_red"]) == 0:
            return False
    return slot_playable(states, i, side, slot_number(slots))


@kernel
def royal_slots(states: States, i: int) -> int:
    """[R4.6] The kings and jokers that the hand has a duty to play; 0 if there is no duty."""
    state = states[i]
    forced = int(state["forced"])
    if forced == 2 or (forced == 0 and int(state["turn_no"]) >= int(state["players"])):
        return 0
    royal = 0
    for slot in range(HAND):
        card = int(state["table"][slot])
        if RANK_OF[card] == KING or SUIT_OF[card] == JOKER_SUIT:
            royal |= 1 << slot
    return royal


@kernel
def mask_plays(states: States, i: int, side: int, mask: Mask) -> None:
    """[R4.4 - R4.6] The declarations; with a duty only those that fulfil it."""
    royal = royal_slots(states, i)
    fulfilled = False
    for slots in range(1, SLOTS + 1):
        playable = is_playable(states, i, side, slots)
        mask[slots - 1] = playable
        fulfilled = fulfilled or (playable and slots & royal != 0)
    if fulfilled:
        for slots in range(1, SLOTS + 1):
            if slots & royal == 0:
                mask[slots - 1] = 0


@outlined
def mask_targets(states: States, i: int, side: int, mask: Mask) -> None:
    """[R4.7 - R4.11] The squares of the action that is being resolved."""
    state = states[i]
    slots = int(state["action"])
    if is_single(slots):
        card = int(state["table"][slot_number(slots)])
        if places_piece(states, i, side, card):
            mask_empty(states, i, side, mask)
        kinds = kinds_moved(states, i, side, card)
        if kinds != 0:
            mask_kinds(states, i, side, kinds, mask)
    if int(state["pawns"][side]) > 0:
        mask_numbers(states, i, side, slots, mask)


@kernel
def own_square(side: int, square: int) -> int:
    """[R6.2] A square as *side* sees it, and back again."""
    return square if side == 0 else SQUARES - 1 - square


@kernel
def mask_empty(states: States, i: int, side: int, mask: Mask) -> None:
    """Every empty square."""
    board = states[i]["board"]
    if side == 0:
        for square in range(SQUARES):
            mask[FIRST_SQUARE + square] = board[square] == EMPTY
    else:
        for square in range(SQUARES):
            mask[FIRST_SQUARE + square] = board[SQUARES - 1 - square] == EMPTY


@kernel
def mask_kinds(states: States, i: int, side: int, kinds: int, mask: Mask) -> None:
    """The squares of every piece of *kinds* that may move."""
    board = states[i]["board"]
    # Bit k of *kinds* stands for piece k; bit 0, an empty square, is never set.
    for square in range(SQUARES):
        if kinds >> int(board[square]) & 1 and can_move(states, i, side, square):
            mask[FIRST_SQUARE + own_square(side, square)] = 1


@kernel
def mask_numbers(states: States, i: int, side: int, slots: int, mask: Mask) -> None:
    """[R4.7] The empty squares of every value, in the suit and in the rows."""
    board = states[i]["board"]
    suit = suit_of_slots(states, i, slots)
    found = values(states, i, slots)
    n = 0
    while found != 0:  # bit by bit: n is a value, and has four squares at most
        if found & 1:
            for k in range(4):
                square = int(NUMBER_SQUARES[suit, n, k])
                if board[square] == EMPTY:
                    mask[FIRST_SQUARE + own_square(side, square)] = 1
        found >>= 1
        n += 1
