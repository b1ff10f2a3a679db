"""Pig in text: moves and pips by table, positions as JSON."""

from __future__ import annotations

import numpy as np

from spelkast.envs.engine.dtypes import OVER, Json, States
from spelkast.envs.engine.errors import PositionError
from spelkast.envs.engine.positions import check_position, options_of
from spelkast.envs.engine.spec import table_notation

from .board import MOVES, OUTCOMES, STATE, PigOptions

action_to_move, move_to_action = table_notation(MOVES, "roll or hold")
KEYS = ("game", "config", "to_move", "points", "turn", "decisions")
outcome_to_text, text_to_outcome = table_notation(OUTCOMES, "the pips of a die, !1 to !6")


def write_options(states: States, i: int, options: PigOptions) -> None:
    """Put *options* into the record of row *i*."""
    states[i]["goal"], states[i]["max_decisions"] = options.goal, options.max_decisions


def read_options(states: States, i: int) -> PigOptions:
    """The options that the record of row *i* holds."""
    state = states[i]
    return PigOptions(goal=int(state["goal"]), max_decisions=int(state["max_decisions"]))


def position(states: States, i: int) -> Json:
    """The position as plain JSON."""
    state = states[i]
    return {
        "game": "pig",
        "config": read_options(states, i).changed(),
        "to_move": None if state["mover"] == OVER else int(state["mover"]),
        "points": state["points"].tolist(),
        "turn": int(state["turn"]),
        "decisions": int(state["decisions"]),
    }


def from_position(position: Json) -> States:
    """The record `[1]` of a JSON position; raises `PositionError` if the rules exclude it."""
    check_position(position, "pig", KEYS)
    options = options_of(position["config"], "pig", PigOptions)
    mover, points = position["to_move"], position["points"]
    numbers = [
        *(points if isinstance(points, list) else ()),
        *map(position.get, ("turn", "decisions")),
    ]
    if len(numbers) != 4 or not all(type(n) is int and 0 <= n < 2**15 for n in numbers):
        raise PositionError(f"expected two points, turn and decisions from 0, got {position!r}")
    over = max(points) >= options.goal or numbers[3] >= options.max_decisions
    if isinstance(mover, bool | float) or mover not in ((None,) if over else (0, 1)):
        raise PositionError(f"expected to_move {None if over else '0 or 1'}, got {position!r}")
    states: States = np.zeros(1, STATE)
    write_options(states, 0, options)
    states[0]["mover"] = OVER if mover is None else mover
    states[0]["points"], states[0]["turn"], states[0]["decisions"] = points, numbers[2], numbers[3]
    return states


def infos(states: States, i: int) -> Json:
    """What is public about the match."""
    return {"scores": states[i]["points"].tolist()}
