"""How much a seat of Oduludo has still to do [R12.4], and what `tactician` weighs with."""

import numpy as np
from numpy.typing import NDArray

from ....envs.engine.dtypes import States
from ....envs.engine.jit import kernel
from ....envs.oduludo.board import (
    EARTH,
    IS_SAFE,
    KING,
    LANDING_KIND,
    LAST,
    LEAD,
    LIGHTNING,
    NEXT_SUN,
    OTHER_SUN,
    PARKING,
    PARKING_OF,
    PREVIOUS_LIGHTNING,
    ROUTE_LENGTH,
    SHIP,
    SIZE,
    SQUARE,
    TOP_SUN,
)
from ....envs.oduludo.board_file import NUM_COLORS
from ....envs.oduludo.rules_landing import owes_early_king, pieces_on_board, stack_at
from ....envs.oduludo.rules_scoring import count_at
from ...parameters import Parameter, Values

HOME = LAST + 1
STEP = 10
"""Needs are counted in tenths of a step."""

(
    PIECE,
    KING_WAITS,
    NOBODY_OUT,
    CARRIED,
    PATH,
    SAFE,
    JUMPS,
    UFO,
    ON_EARTH,
    THEIRS,
    DANGER,
    KING_AT_RISK,
    PREY,
    KING_IN_REACH,
    EXTRA_ROLL,
) = range(15)

PARAMETERS = (
    Parameter("piece", 700, 200, 2500, "need of a piece in the ship, in tenths of a step"),
    Parameter("king_waits", 0, -900, 600, "more of it for the King"),
    Parameter("nobody_out", 0, -300, 600, "more of it while no piece is on the board"),
    Parameter("carried", 30, -600, 300, "need of each piece that a stack carries along"),
    Parameter("path", 0, -200, 600, "what a stack on the own path spares"),
    Parameter("safe", 0, -150, 700, "what a stack on a safe square spares"),
    Parameter("jumps", 0, -80, 60, "weight of jumps within a roll's reach, in tenths"),
    Parameter("ufo", 0, -50, 150, "what each die spares that takes a stack to a UFO"),
    Parameter("on_earth", 0, -300, 500, "what a piece on Earth spares"),
    Parameter("theirs", 100, 0, 400, "weight of the enemies' need, in hundredths"),
    Parameter("danger", 100, 0, 400, "weight of what may be lost, in hundredths"),
    Parameter("king_at_risk", 180, 0, 900, "what is lost with the King besides, in steps"),
    Parameter("prey", 35, 0, 500, "weight of what may be captured, in hundredths"),
    Parameter("king_in_reach", 40, -200, 600, "what an enemy's King is worth besides, in steps"),
    Parameter("extra_roll", 35, -50, 900, "an extra roll to come"),
)


def _die_by_die(gain: NDArray[np.int64]) -> NDArray[np.int64]:
    """By colour and progress: the sum over the dice of what *gain* says of where they lead."""
    sums = np.zeros((NUM_COLORS, EARTH), np.int64)
    for die in range(1, 7):
        for progress in range(EARTH):
            sums[:, progress] += gain[:, min(progress + die, LAST)]
    return sums


def _jumps() -> NDArray[np.int64]:
    """By colour and progress: steps that a landing there gains."""
    kind, places = LANDING_KIND, np.arange(LAST + 1)
    steps = np.where(kind == OTHER_SUN, NEXT_SUN - places, 0)
    steps += np.where(kind == TOP_SUN, LAST - places, 0)
    return steps + np.where(kind == LIGHTNING, PREVIOUS_LIGHTNING - places, 0)


def _parkings() -> NDArray[np.int64]:
    """By colour and progress: whose UFO can be reached with a die; -1 if none."""
    found = np.full((NUM_COLORS, EARTH), -1, np.int64)
    for color in range(NUM_COLORS):
        for progress in range(EARTH):
            for there in range(progress + 1, min(progress + 7, ROUTE_LENGTH)):
                if LANDING_KIND[color, there] == PARKING:
                    found[color, progress] = PARKING_OF[SQUARE[color, there]]
    return found


JUMPS_AHEAD = _die_by_die(_jumps())
UFO_AHEAD = _parkings()


@kernel
def next_stack(states: States, i: int, seat: int, rest: int) -> int:
    """The stack of the first piece in *rest*."""
    return stack_at(states, i, seat, int(states[i]["place"][seat, LEAD[rest]]))


@kernel
def walk_left(states: States, i: int, seat: int, stack: int, weights: Values) -> int:
    """[R12.4] How far a stack has to go, and a little for every piece it carries along."""
    place = int(states[i]["place"][seat, LEAD[stack]])
    return STEP * (HOME - place) + int(weights[CARRIED]) * (int(SIZE[stack]) - 1)


@kernel
def need(states: States, i: int, seat: int, weights: Values) -> int:
    """[R12.4] How much a seat has still to do, in tenths of a step."""
    state = states[i]
    total = int(weights[PIECE]) * count_at(states, i, seat, SHIP)
    if int(state["place"][seat, KING]) == SHIP:
        total += int(weights[KING_WAITS])
    if weights[ON_EARTH] != 0:
        total -= int(weights[ON_EARTH]) * count_at(states, i, seat, EARTH)
    looks_at_places = weights[PATH] | weights[SAFE] | weights[JUMPS] | weights[UFO] != 0
    rest = pieces_on_board(states, i, seat)
    if rest == 0:
        total += int(weights[NOBODY_OUT])
    while rest:
        stack = next_stack(states, i, seat, rest)
        rest &= ~stack
        total += walk_left(states, i, seat, stack, weights)
        if looks_at_places:
            total -= spared(states, i, seat, stack, weights)
    return total


@kernel
def spared(states: States, i: int, seat: int, stack: int, weights: Values) -> int:
    """What the place of a stack is worth beyond the way that it has come."""
    state = states[i]
    place, color = int(state["place"][seat, LEAD[stack]]), int(state["color"][seat])
    if place >= ROUTE_LENGTH:
        return int(weights[PATH])
    points = int(weights[SAFE]) if IS_SAFE[SQUARE[color, place]] else 0
    points += int(weights[JUMPS]) * int(JUMPS_AHEAD[color, place]) // 6
    if weights[UFO] != 0 and UFO_AHEAD[color, place] >= 0:
        is_there = int(state["ufo"][UFO_AHEAD[color, place]]) == 1
        if is_there and not owes_early_king(states, i, seat, stack):
            points += int(weights[UFO])
    return points
