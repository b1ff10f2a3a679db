"""Tacocat in text: moves and outcomes by table, positions as JSON [R9]."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.dtypes import OVER, Json, States
from ..engine.errors import PositionError
from ..engine.positions import check_keys, check_position, options_of, whole
from ..engine.spec import table_notation
from .board import (
    BOTH,
    FINISHED,
    GOALS,
    HAND,
    MOVES,
    OUTCOMES,
    PHASES,
    PLACES,
    RANKS,
    REPLACED,
    SACRIFICED,
    STATE,
    TRACK,
    TacocatOptions,
    lying,
)
from .reachable import check_reachable
from .rules import rounds_won

action_to_move, move_to_action = table_notation(
    MOVES, "a move of Tacocat such as x5, xx, d12, a9, a5x3, a4-7, b10 or s"
)
outcome_to_text, text_to_outcome = table_notation(OUTCOMES, "a card drawn, !1 to !12")

KINDS = PLACES[REPLACED // RANKS :]
"""The discards of a seat."""

KEYS = (
    "game", "config", "phase", "to_move", "decisions", "round", "tacocat", "covered",
    "hands", "draw_pile", "aside", "discard", "attack", "trick_lost",
)  # fmt: skip


# Options <-> record ----------------------------------------------------------------------------


def write_options(states: States, i: int, options: TacocatOptions) -> None:
    """Put *options* into the record of row *i*."""
    state = states[i]
    state["deck_counts"] = options.deck_counts
    state["hand_sizes"] = (0, *options.hand_sizes, 0)
    state["arrows"] = (BOTH, *(BOTH if a == "*" else int(a) for a in options.arrows), BOTH)
    state["arrow_breaks_ties"] = options.tie_rule == "arrow"
    state["max_decisions"] = options.max_decisions


def read_options(states: States, i: int) -> TacocatOptions:
    """The options that the record of row *i* holds."""
    state = states[i]
    arrows = ["*" if arrow == BOTH else str(arrow) for arrow in state["arrows"][1:-1]]
    return TacocatOptions(
        deck_counts=tuple(state["deck_counts"].tolist()),
        hand_sizes=tuple(state["hand_sizes"][1:-1].tolist()),
        arrows="".join(arrows),
        tie_rule="arrow" if state["arrow_breaks_ties"] else "draw",
        max_decisions=int(state["max_decisions"]),
    )


# Position -> JSON ------------------------------------------------------------------------------


def position(states: States, i: int) -> Json:
    """The full position as plain JSON, hidden cards included [R9.1]."""
    state = states[i]
    mover = int(state["mover"])
    return {
        "game": "tacocat",
        "config": read_options(states, i).changed(),
        "phase": PHASES[state["phase"]],
        "to_move": None if mover == OVER else mover,
        "decisions": int(state["decisions"]),
        "round": int(state["round"]),
        "tacocat": int(state["tacocat"]),
        "covered": state["covered"].nonzero()[0].tolist(),
        "hands": _lists(state, "hands"),
        "draw_pile": _ranks(state["pile"]),
        "aside": _lists(state, "aside"),
        "discard": {kind: _lists(state, kind) for kind in KINDS},
        "attack": _ranks(state["attack"])[::-1],
        "trick_lost": bool(state["trick_lost"]),
    }


def _lists(state: Any, place: str) -> list[list[int]]:
    return [_ranks(counts) for counts in lying(state, RANKS * PLACES.index(place))]


def _ranks(counts: Any) -> list[int]:
    return np.repeat(np.arange(1, RANKS + 1), counts).tolist()


def infos(states: States, i: int) -> Json:
    """What both seats know about the match [R8.3]."""
    return {
        "scores": [int(rounds_won(states, i, seat)) for seat in range(2)],
        "round": int(states["round"][i]),
        "tacocat": int(states["tacocat"][i]),
    }


def report(code: int) -> Json:
    """The last cards and the winner of the round that a step ended [R8.3]."""
    winner = (code >> 8) - 1
    return {
        "last_cards": [code & 15, code >> 4 & 15],
        "round_winner": None if winner == BOTH else winner,
    }


# JSON -> position ------------------------------------------------------------------------------


def from_position(position: Json) -> States:
    """The record `[1]` of a JSON position; raises `PositionError` if the rules exclude it."""
    check_position(position, "tacocat", KEYS)
    states: States = np.zeros(1, STATE)
    write_options(states, 0, options_of(position["config"], "tacocat", TacocatOptions))
    state = states[0]
    _write_turn(state, position)
    _write_track(state, position)
    check_keys(position["discard"], KINDS, "discard")
    for place, name in zip(range(HAND, SACRIFICED + 1, RANKS), PLACES, strict=True):
        source = position["discard"] if name in KINDS else position
        lists = source[name]
        if not isinstance(lists, list | tuple) or len(lists) != 2:
            raise PositionError(f"expected {name} as two lists of ranks, got {lists!r}")
        for seat in range(2):
            lying(state, place)[seat] = _counts(lists[seat], f"{name}[{seat}]")
    state["pile"] = _counts(position["draw_pile"], "draw_pile")
    if not isinstance(position["attack"], list | tuple):
        raise PositionError(f"expected attack as a list of ranks, got {position['attack']!r}")
    state["attack"] = _counts(position["attack"][::-1], "attack, read from its last card")
    check_reachable(states, position)
    return states


def _write_turn(state: Any, position: Json) -> None:
    if position["phase"] not in PHASES:
        raise PositionError(f"expected a phase of {PHASES}, got {position['phase']!r}")
    phase = PHASES.index(position["phase"])
    to_move = position["to_move"]
    seats = (None,) if phase == FINISHED else (0, 1)
    if isinstance(to_move, bool | float) or to_move not in seats:  # False and 0.0 equal 0
        raise PositionError(
            f"expected to_move {' or '.join(map(str, seats))} in phase "
            f"{position['phase']!r}, got {to_move!r}"
        )
    if not isinstance(position["trick_lost"], bool):
        raise PositionError(f"expected trick_lost true or false, got {position['trick_lost']!r}")
    state["phase"] = phase
    state["mover"] = OVER if to_move is None else to_move
    state["trick_lost"] = position["trick_lost"]
    state["decisions"] = whole(position["decisions"], "decisions", low=0, high=2**31 - 1)
    state["round"] = whole(position["round"], "round", low=1, high=2**31 - 1)


def _write_track(state: Any, position: Json) -> None:
    state["tacocat"] = whole(position["tacocat"], "tacocat", low=GOALS[0], high=GOALS[1])
    covered = position["covered"]
    if not isinstance(covered, list | tuple):
        raise PositionError(f"expected covered as a list of track indices, got {covered!r}")
    for index in covered:
        state["covered"][whole(index, "covered", low=1, high=TRACK - 2)] = 1
    if list(covered) != sorted(set(covered)):
        raise PositionError(f"expected covered ascending without repeats, got {covered!r}")


def _counts(ranks: Any, where: str) -> Any:
    if not isinstance(ranks, list | tuple):
        raise PositionError(f"expected {where} as a list of ranks, got {ranks!r}")
    for rank in ranks:
        whole(rank, where, low=1, high=RANKS)
    if list(ranks) != sorted(ranks):
        raise PositionError(f"expected {where} in ascending order, got {ranks!r}")
    return np.bincount(np.asarray(ranks, np.int64) - 1, minlength=RANKS)
