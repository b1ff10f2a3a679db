"""The baseline `tactician` of Oduludo [R12.3 - R12.5]: weighs steps and dangers a move ahead."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....envs.engine.dtypes import OVER, Actions, Mask, States, Streams
from ....envs.engine.jit import kernel
from ....envs.oduludo.board import (
    CAPTURE,
    COUNT_BITS,
    DIE,
    FACE,
    FIRST_FACE,
    LEAD,
    NUM_ACTIONS,
    ODULUDO,
    ROLL_FACE,
    ROUTE_LENGTH,
    SEND,
    SIZE,
    SQUARE,
    SUN_FORWARD,
    TEAM,
)
from ....envs.oduludo.board_file import FACES
from ....envs.oduludo.fields import FIELDS
from ....envs.oduludo.rules import step, step_chance
from ....envs.oduludo.rules_landing import (
    are_enemies,
    bounced,
    land,
    land_back,
    may_go_back,
    owes_early_king,
    pieces_on_board,
    stack_at,
)
from ...agent import WithScratch
from ...parameters import Values, Weights
from .needs import (
    DANGER,
    EXTRA_ROLL,
    KING_AT_RISK,
    KING_IN_REACH,
    PARAMETERS,
    PIECE,
    PREY,
    STEP,
    THEIRS,
    need,
    next_stack,
    walk_left,
)

Worths: TypeAlias = NDArray[np.float64]
PER_POINT = 20.0
PLACE_VALUE = 2000.0
TIE = 1e-9
NUM_FACES = len(FACES)
LEVELS = 32
"""Records of scratch: how many decisions and faces of one move are looked at in a row."""


# The value of a move that is complete [R12.4, R12.5] -------------------------------------------


@kernel
def hit(states: States, i: int, attacker: int, target: int, progress: int, die: int) -> int:
    """A bit for the lead of the *target* stack at the attacker's *progress*, and for *die*."""
    state = states[i]
    if progress < 0 or progress >= ROUTE_LENGTH:
        return 0
    square = int(SQUARE[int(state["color"][attacker]), progress])
    if int(state["occupied"][square]) >> COUNT_BITS * target & (1 << COUNT_BITS) - 1 == 0:
        return 0
    # The square as a place on the target's own route, which begins on its Moon.
    place = (square - int(SQUARE[int(state["color"][target]), 0])) % state["occupied"].size
    return 1 << 8 * int(LEAD[stack_at(states, i, target, place)]) + die


@kernel
def hits(states: States, i: int, attacker: int, target: int) -> int:
    """Which stacks of *target* a walk of *attacker* can come to rest on, with which dice.

    Bit 8 * lead + die: Suns both ways, Lightning and the way back included, duty ignored.
    """
    # A byte for each of five possible leads, a bit for each die: a stack that can be reached in
    # two ways by one die is in danger from that die once.
    found = 0
    rest = pieces_on_board(states, i, attacker)
    while rest:
        stack = next_stack(states, i, attacker, rest)
        rest &= ~stack
        place = int(states[i]["place"][attacker, LEAD[stack]])
        size = int(SIZE[stack])
        early = owes_early_king(states, i, attacker, stack)
        back = may_go_back(states, i, stack)
        for die in range(1, 7):
            for way in range(2 if back and place >= die else 1):
                there = bounced(place + die) if way == 0 else place - die
                end = land(states, i, attacker, size, early, there)
                found |= hit(states, i, attacker, target, end, die)
                if back:
                    end = land_back(states, i, attacker, size, there)
                    found |= hit(states, i, attacker, target, end, die)
    return found


@kernel
def risk(
    states: States, i: int, attacker: int, target: int, share: float, king: int, weights: Values
) -> float:
    """What *target* has to fear: per stack, sixths of (*share* of its loss, and *king*)."""
    found = hits(states, i, attacker, target)
    total = 0.0
    rest = pieces_on_board(states, i, target) if found else 0
    while rest:
        stack = next_stack(states, i, target, rest)
        rest &= ~stack
        dice = found >> 8 * LEAD[stack] & 255
        ways = 0
        for die in range(1, 7):
            ways += dice >> die & 1
        loss = int(weights[PIECE]) * int(SIZE[stack])
        loss -= walk_left(states, i, target, stack, weights)
        total += ways / 6 * (share * (loss / STEP) + (king if stack & 1 else 0.0))
    return total


@kernel
def value(states: States, i: int, seat: int, before: States, k: int, weights: Values) -> float:
    """[R12.5] V of row *i* for *seat*, who decided in row *k* of *before*."""
    state = states[i]
    num_seats = int(state["num_seats"])
    others = 2 if int(state["mode"]) == TEAM else num_seats - 1
    own = num_seats - others
    if has_round_ended(states, i, before, k):
        gained = 0.0
        for other in range(num_seats):
            points = float(int(state["points"][other]) - int(before[k]["points"][other]))
            enemy = are_enemies(states, i, seat, other)
            gained += -points / others if enemy else points / own
        return PER_POINT * gained
    # The round goes on: places taken, then how far everybody is, then who threatens whom. The mean
    # over enemies is scaled by the own side's size, so that both sides weigh the same.
    theirs, danger, prey = weights[THEIRS] / 100, weights[DANGER] / 100, weights[PREY] / 100
    at_risk, in_reach = int(weights[KING_AT_RISK]), int(weights[KING_IN_REACH])
    total = 0.0
    for other in range(num_seats):
        enemy = are_enemies(states, i, seat, other)
        status = int(state["status"][other])
        if status > 0:
            total += -PLACE_VALUE / status if enemy else PLACE_VALUE / status
        elif status < 0:
            total += PLACE_VALUE / others if enemy else -PLACE_VALUE
        elif enemy:
            total += theirs * own / others * (need(states, i, other, weights) / STEP)
            for mine in range(num_seats):
                if not are_enemies(states, i, seat, mine):
                    total -= risk(states, i, other, mine, danger, at_risk, weights)
                    total += risk(states, i, mine, other, prey, in_reach, weights)
        else:
            total -= need(states, i, other, weights) / STEP
    is_extra = int(state["due"]) == DIE and int(state["seat"]) == seat
    if is_extra and int(before[k]["die"]) != 6:
        total += weights[EXTRA_ROLL] / 10
    return total


@kernel
def has_round_ended(states: States, i: int, before: States, k: int) -> bool:
    """Whether a round has been won since row *k* of *before*."""
    if int(states[i]["seat"]) == OVER:
        return True
    wins = 0
    for seat in range(int(states[i]["num_seats"])):
        wins += int(states[i]["wins"][seat]) - int(before[k]["wins"][seat])
    return wins > 0


# The rest of the move [R12.3] ------------------------------------------------------------------


@kernel
def num_branches(scratch: States, level: int, before: States, k: int) -> int:
    """How many ways there are to continue the move: 6 faces, 2 choices, 0 when it is complete."""
    state = scratch[level]
    due = int(state["due"])
    if due == DIE or level + 1 == scratch.size or has_round_ended(scratch, level, before, k):
        return 0
    return NUM_FACES if due == FACE else 2


@kernel
def first_action(phase: int) -> int:
    """The first of the two actions of a phase within a move; the second is the next one."""
    if phase == CAPTURE:
        return SEND
    return ROLL_FACE if phase == ODULUDO else SUN_FORWARD


@kernel
def go_on(scratch: States, level: int, action: int, branch: int) -> None:
    """Row *level* becomes the row before it after *branch*; row 1 is after *action*."""
    scratch[level] = scratch[level - 1]
    if int(scratch[level]["due"]) == FACE:
        step_chance(scratch, level, FIRST_FACE + branch)
    else:
        choice = action if level == 1 else first_action(int(scratch[level]["phase"])) + branch
        step(scratch, level, choice)


@kernel
def outlook(
    states: States,
    row: int,
    seat: int,
    action: int,
    scratch: States,
    branches: Actions,
    worths: Worths,
    weights: Values,
) -> float:
    """The value of *action* once the move is complete: own choices at best, faces on average.

    A walk through the tree of what may follow, by hand: numba loses a kernel that calls itself
    when it comes from the cache. `scratch[level]` is where the walk is, `branches[level]` how many
    ways from there it has gone and `worths[level]` what they were worth.
    """
    scratch[0] = states[row]
    level = 0
    branches[0] = 0
    while True:
        count = 1 if level == 0 else num_branches(scratch, level, states, row)
        if int(branches[level]) < count:
            level += 1
            go_on(scratch, level, action, int(branches[level - 1]))
            branches[level - 1] += 1
            branches[level] = 0
            continue
        # All ways from here have been gone; hand their worth to the decision or die above.
        worth = float(worths[level])
        if level == 0:
            return worth
        if count == 0:
            worth = value(scratch, level, seat, states, row, weights)
        elif count == NUM_FACES:
            worth /= NUM_FACES
        level -= 1
        if int(branches[level]) == 1:
            worths[level] = worth
        elif int(scratch[level]["due"]) == FACE:
            worths[level] += worth
        else:
            worths[level] = max(float(worths[level]), worth)


@kernel
def tactician_rows(
    states: States,
    masks: Mask,
    seats: Actions,
    streams: Streams,
    out: Actions,
    scratch: States,
    branches: Actions,
    worths: Worths,
    weights: Values,
) -> None:
    """Choose for every row the action of the highest value, the first of equals.

    *scratch*, *branches* and *worths* have LEVELS places.
    """
    for row in range(out.size):
        seat = int(seats[row])
        best, best_value = -1, 0.0
        for action in range(NUM_ACTIONS):
            if masks[row, action]:
                worth = outlook(states, row, seat, action, scratch, branches, worths, weights)
                if best < 0 or worth > best_value + TIE:
                    best, best_value = action, worth
        out[row] = best


def tactician_room(_num_actions: int) -> tuple[States, Actions, Worths]:
    """A place for each level."""
    branches, worths = np.zeros(LEVELS, np.int32), np.zeros(LEVELS, np.float64)
    return np.zeros(LEVELS, FIELDS.record), branches, worths


tactician = WithScratch(tactician_rows, tactician_room, Weights.of(PARAMETERS))
"""Choose for every row like somebody who looks where the others can come to."""
