"""Pig: roll as often as you dare. A 1 loses the points of the turn, holding banks them [R1]."""

from spelkast.envs.engine.dtypes import CHANCE, OVER, ChanceWeights, Floats, Mask, States
from spelkast.envs.engine.jit import kernel

from .board import HOLD, ROLL, SIDES


@kernel
def reset(states: States, i: int) -> None:
    """Nobody has a point; seat 0 begins."""
    state = states[i]
    state["mover"], state["is_rolling"], state["turn"], state["decisions"] = 0, 0, 0, 0
    state["points"][0], state["points"][1] = 0, 0


@kernel
def to_move(states: States, i: int) -> int:
    """The seat that decides, CHANCE while the die is due, or OVER."""
    return CHANCE if states[i]["is_rolling"] else int(states[i]["mover"])


@kernel
def legal_mask(states: States, i: int, mask: Mask) -> None:
    """Roll at any time; hold what there is to hold [R2]."""
    decides = to_move(states, i) >= 0
    mask[ROLL] = decides
    mask[HOLD] = decides and int(states[i]["turn"]) > 0


@kernel
def step(states: States, i: int, action: int) -> int:
    """Roll, or bank the points of this turn; returns how many were banked."""
    state = states[i]
    state["decisions"] += 1
    if action == ROLL:
        state["is_rolling"] = 1
        return 0
    banked = int(state["turn"])
    state["points"][int(state["mover"])] += banked
    end_turn(states, i)
    return banked


@kernel
def end_turn(states: States, i: int) -> None:
    """The other seat is next, unless the game is over [R3]."""
    state = states[i]
    seat = int(state["mover"])
    state["turn"] = 0
    state["mover"] = OVER if int(state["points"][seat]) >= int(state["goal"]) else 1 - seat
    stop_at_cap(states, i)


@kernel
def stop_at_cap(states: States, i: int) -> None:
    """[R4] A technical cap, once the die of the move has been thrown."""
    state = states[i]
    if int(state["decisions"]) >= int(state["max_decisions"]):
        state["mover"] = OVER


@kernel
def chance_weights(states: States, i: int, weights: ChanceWeights) -> None:
    """A fair die."""
    for outcome in range(SIDES):
        weights[outcome] = 1


@kernel
def step_chance(states: States, i: int, outcome: int) -> None:
    """A 1 ends the turn; other pips count [R1]."""
    state = states[i]
    state["is_rolling"] = 0
    if outcome == 0:
        end_turn(states, i)
    else:
        state["turn"] += outcome + 1
        stop_at_cap(states, i)


@kernel
def is_truncated(states: States, i: int) -> bool:
    """Over, but nobody has reached the goal."""
    state = states[i]
    best = max(int(state["points"][0]), int(state["points"][1]))
    return int(state["mover"]) == OVER and best < int(state["goal"])


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """+1 for the seat that reached the goal, -1 for the other."""
    state = states[i]
    for seat in range(2):
        mine = int(state["points"][seat]) >= int(state["goal"])
        others = int(state["points"][1 - seat]) >= int(state["goal"])
        out[seat] = int(mine) - int(others)
