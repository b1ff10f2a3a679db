"""Gifts: a tiny game whose best move is known; for players that search.

Seats move in turn, once each, and what their moves are worth is part of the position:

    TAKE   so many points for oneself
    ROLL   points for oneself, if a die shows more than 3
    GIVE   points for the seat two further on, who is the partner if there are teams
    GUESS  points for oneself, if the next seat holds the card 0 of 0, 1 and 2, which is hidden
"""

import sys
from dataclasses import replace

import numpy as np

from spelkast.agents.agent import FromRecords, Views
from spelkast.envs.engine.dtypes import OVER, ChanceWeights, Floats, Mask, States, Streams
from spelkast.envs.engine.jit import kernel
from spelkast.envs.engine.spec import Options, Shape
from spelkast.envs.engine.streams import next_below
from spelkast.envs.engine.verbs import Verbs, to_move

from .pig.game import SPEC as PIG

TAKE, ROLL, GIVE, GUESS = range(4)
SEATS, SIDES, CARDS = 4, 6, 3
STATE = np.dtype(
    [
        ("mover", np.int16),
        ("due", np.int16),  # the die
        ("players", np.int16),
        ("partners", np.int16),  # whether those two apart are a team
        ("left", np.int16),  # moves until the end
        ("card", np.int16, (SEATS,)),
        ("points", np.int16, (SEATS,)),
        ("worth", np.int16, (4,)),  # by action
    ],
    align=True,
)


@kernel
def legal_mask(states: States, i: int, mask: Mask) -> None:
    """All four."""
    mask[:] = to_move(states, i) >= 0


@kernel
def step(states: States, i: int, action: int) -> int:
    """Pay, or wait for the die."""
    state, seat = states[i], int(states[i]["mover"])
    players = int(state["players"])
    if action == ROLL:
        state["due"] = 1
    elif action == TAKE or (action == GUESS and int(state["card"][(seat + 1) % players]) == 0):
        state["points"][seat] += state["worth"][action]
    elif action == GIVE:
        state["points"][(seat + 2) % players] += state["worth"][action]
    if action != ROLL:
        move_on(states, i)
    return 0


@kernel
def move_on(states: States, i: int) -> None:
    """The next seat, or the end."""
    state = states[i]
    state["left"] -= 1
    following = (int(state["mover"]) + 1) % int(state["players"])
    state["mover"] = following if int(state["left"]) > 0 else OVER


@kernel
def chance_weights(states: States, i: int, weights: ChanceWeights) -> None:
    """A fair die."""
    weights[:] = 1


@kernel
def step_chance(states: States, i: int, outcome: int) -> None:
    """The upper half pays."""
    state = states[i]
    state["due"] = 0
    if outcome >= SIDES // 2:
        state["points"][int(state["mover"])] += state["worth"][ROLL]
    move_on(states, i)


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """The own points: they do not sum to 0, and partners do not share them."""
    for seat in range(out.size):
        out[seat] = int(states[i]["points"][seat]) if to_move(states, i) == OVER else 0


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """The own card, the moves left, and the points."""
    state = states[i]
    out[0], out[1] = int(state["card"][seat]), int(state["left"])
    for other in range(SEATS):
        out[2 + other] = int(state["points"][other])


@kernel
def determinize(states: States, i: int, seat: int, streams: Streams, k: int) -> None:
    """Deal the others new cards."""
    for other in range(SEATS):
        if other != seat:
            states[i]["card"][other] = next_below(streams, k, CARDS)


@kernel
def reset(states: States, i: int) -> None:
    """Nobody needs it: positions come from `views`."""


@kernel
def taker(states, masks, seats, streams, out):
    """Take what is safe."""
    out[:] = TAKE


TAKER = FromRecords(taker)


class GiftsOptions(Options):
    """Seats and teams."""

    players: int = 3
    partners: bool = False


def read_options(states: States, i: int) -> GiftsOptions:
    """Seats and teams."""
    return GiftsOptions(players=int(states[i]["players"]), partners=bool(states[i]["partners"]))


SPEC = replace(
    PIG,
    name="gifts",
    options=GiftsOptions,
    write_options=lambda states, i, options: None,
    record=STATE,
    verbs=Verbs.of(sys.modules[__name__]),
    shape=lambda options: Shape(
        seats=options.players, actions=4, observation=6, state=6, outcomes=SIDES
    ),
    read_options=read_options,
    teams=lambda options: [k % 2 if options.partners else k for k in range(options.players)],
)


def views(seat, *, worth, players=3, partners=False, card=0):
    """Views of the position in which *seat* moves first, and the next seat holds *card*."""
    states = np.zeros(1, STATE)
    state = states[0]
    state["mover"], state["players"], state["partners"] = seat, players, partners
    state["left"], state["worth"], state["card"] = players, worth, card
    observations, masks = np.zeros((1, 6), np.float32), np.ones((1, 4), np.int8)
    observe(states, 0, seat, observations[0])
    return Views(observations, masks, np.array([seat], np.int32), states)
