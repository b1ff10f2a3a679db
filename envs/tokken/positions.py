"""Positions of Tokken as JSON, and options in records [R9]."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.dtypes import OVER, Json, States
from ..engine.errors import PositionError
from ..engine.positions import check_keys, check_position, options_of, whole
from .board import (
    DEFAULT_CAP,
    DOT_BLOCKED,
    EXCHANGE,
    FINISHED,
    HOME_ENTRY,
    MOST_PARTS,
    NOBODY,
    PAWNS,
    PHASES,
    PLAYERS,
    RANK_NAMES,
    RANKS,
    SEGMENT,
    SEVEN_STEPS,
    SPLIT,
    STATE,
    TEAMS,
    TEAMS_BY_DEFAULT,
    YARD,
    TokkenOptions,
)
from .notation import SEGMENT_NAMES, place_name
from .reachable import check_reachable

KEYS = (
    "game", "config", "phase", "to_move", "decisions", "dealer", "deal", "pieces", "hands",
    "extras", "given", "out", "drawn", "draw_pile", "discard", "split",
)  # fmt: skip

# Options <-> record ----------------------------------------------------------------------------


def write_options(states: States, i: int, options: TokkenOptions) -> None:
    """Put *options*, and what follows from them, into the record of row *i*."""
    state = states[i]
    players = options.players
    state["players"] = players
    state["teams_option"] = TEAMS_BY_DEFAULT if options.teams is None else int(options.teams)
    state["first_dealer"] = NOBODY if options.first_dealer is None else options.first_dealer
    state["max_decisions"] = DEFAULT_CAP if options.max_decisions is None else options.max_decisions
    state["jumps"] = _jumps(options.black_dots)
    state["dot_blocked"] = DOT_BLOCKED.index(options.dot_blocked)
    state["dot_on_swap"] = options.dot_on_swap
    state["home_entry"] = HOME_ENTRY.index(options.home_entry)
    state["five_on_start"] = options.five_on_start
    state["fields"] = options.ring
    state["sides"] = len(set(options.sides))
    state["starts"][:players] = np.arange(players) * (options.ring // players)


def _jumps(dots: tuple[int, ...]) -> list[int]:
    """Fields to the next dot, by offset; 0 where there is no dot. All segments are alike."""
    jumps = [0] * SEGMENT
    for dot, following in zip(dots, (*dots[1:], *dots[:1]), strict=True):
        jumps[dot] = (following - dot - 1) % SEGMENT + 1
    return jumps


def read_options(states: States, i: int) -> TokkenOptions:
    """The options that the record of row *i* holds."""
    state = states[i]
    teams, first = int(state["teams_option"]), int(state["first_dealer"])
    cap = int(state["max_decisions"])
    return TokkenOptions(
        players=PLAYERS[PLAYERS.index(int(state["players"]))],
        teams=None if teams == TEAMS_BY_DEFAULT else teams == TEAMS,
        first_dealer=None if first == NOBODY else first,
        max_decisions=None if cap == DEFAULT_CAP else cap,
        black_dots=tuple(state["jumps"].nonzero()[0].tolist()),
        dot_blocked=DOT_BLOCKED[int(state["dot_blocked"])],
        dot_on_swap=bool(state["dot_on_swap"]),
        home_entry=HOME_ENTRY[int(state["home_entry"])],
        five_on_start=bool(state["five_on_start"]),
    )


# Position -> JSON ------------------------------------------------------------------------------


def position(states: States, i: int) -> Json:
    """The full position as plain JSON, hidden cards included [R9.1]."""
    state = states[i]
    players, mover = int(state["players"]), int(state["mover"])
    seats = range(players)
    return {
        "game": "tokken",
        "config": read_options(states, i).changed(),
        "phase": PHASES[state["phase"]],
        "to_move": None if mover == OVER else mover,
        "decisions": int(state["decisions"]),
        "dealer": int(state["dealer"]),
        "deal": int(state["deal"]),
        "pieces": [
            [place_name(state, seat, int(progress)) for progress in state["progress"][seat]]
            for seat in seats
        ],
        "hands": [_cards(state["hands"][seat]) for seat in seats],
        "extras": [_cards(state["extras"][seat]) for seat in seats],
        "given": [RANK_NAMES[rank - 1] if rank else "" for rank in state["given"][:players]],
        "out": [bool(out) for out in state["out"][:players]],
        "drawn": state["drawn"][:players].tolist(),
        "draw_pile": _cards(state["pile"]),
        "discard": _cards(state["discard"]),
        "split": _split(state),
    }


def _cards(counts: Any) -> str:
    return "".join(name * int(count) for name, count in zip(RANK_NAMES, counts, strict=True))


def _split(state: Any) -> Json | None:
    if int(state["phase"]) != SPLIT:
        return None
    return {"left": int(state["left"]), "moved": np.argwhere(state["moved"]).tolist()}


# JSON -> position ------------------------------------------------------------------------------


def from_position(position: Json) -> States:
    """The record `[1]` of a JSON position; raises `PositionError` if the rules exclude it."""
    check_position(position, "tokken", KEYS)
    states: States = np.zeros(1, STATE)
    options = options_of(position["config"], "tokken", TokkenOptions)
    write_options(states, 0, options)
    state = states[0]
    _write_turn(state, position, options)
    _write_pieces(state, position, options)
    _write_cards(state, position, options)
    _write_split(state, position["split"], options)
    check_reachable(states, options)
    return states


def _write_turn(state: Any, position: Json, options: TokkenOptions) -> None:
    last = options.players - 1
    if position["phase"] not in PHASES:
        raise PositionError(f"expected a phase of {PHASES}, got {position['phase']!r}")
    phase = PHASES.index(position["phase"])
    if phase == EXCHANGE and not options.has_teams:
        raise PositionError("expected phase 'exchange' with teams only, got it without")
    if phase == FINISHED:
        if position["to_move"] is not None:
            raise PositionError(
                f"expected to_move null in phase 'over', got {position['to_move']!r}"
            )
        state["mover"] = OVER
    else:
        state["mover"] = whole(position["to_move"], "to_move", low=0, high=last)
    state["phase"] = phase
    state["decisions"] = whole(position["decisions"], "decisions", low=0, high=2**31 - 1)
    state["dealer"] = whole(position["dealer"], "dealer", low=0, high=last)
    state["deal"] = whole(position["deal"], "deal", low=1, high=3)


def _write_pieces(state: Any, position: Json, options: TokkenOptions) -> None:
    rows = _list(position["pieces"], "pieces", options.players)
    for seat, row in enumerate(rows):
        for pawn, name in enumerate(_list(row, f"pieces[{seat}]", PAWNS)):
            progress = _progress(
                state, seat, name, options=options, where=f"pieces[{seat}][{pawn}]"
            )
            if progress != YARD and progress in state["progress"][seat, :pawn]:
                raise PositionError(
                    f"expected one pawn on a place, got two of seat {seat} on {name}"
                )
            state["progress"][seat, pawn] = progress
            if 0 <= progress < options.ring:
                field = (int(state["starts"][seat]) + progress) % options.ring
                if state["ring"][field]:
                    raise PositionError(f"expected one pawn on a field, got two on {name}")
                state["ring"][field] = 1 + PAWNS * seat + pawn


def _progress(state: Any, seat: int, name: Any, *, options: TokkenOptions, where: str) -> int:
    """The progress of a pawn of *seat* that stands on the place called *name*."""
    if name == "Y":
        return YARD
    letters = SEGMENT_NAMES[: options.ring // SEGMENT]
    if isinstance(name, str) and name[:1] and name[1:].isascii() and name[1:].isdecimal():
        number = int(name[1:]) if len(name) < 4 else -1
        if f"{name[0]}{number}" == name:
            if name[0] == "H" and 1 <= number <= PAWNS:
                return options.ring + number
            if name[0] in letters and number < SEGMENT:
                field = SEGMENT * letters.index(name[0]) + number
                return (field - int(state["starts"][seat])) % options.ring
    raise PositionError(
        f"expected {where} as Y, H1..H{PAWNS} or a field a0..{letters[-1]}{SEGMENT - 1}, "
        f"got {name!r}"
    )


def _write_cards(state: Any, position: Json, options: TokkenOptions) -> None:
    seats = options.players
    for name in ("hands", "extras"):
        for seat, cards in enumerate(_list(position[name], name, seats)):
            state[name][seat] = _counts(cards, f"{name}[{seat}]")
    state["pile"] = _counts(position["draw_pile"], "draw_pile")
    state["discard"] = _counts(position["discard"], "discard")
    for seat, rank in enumerate(_list(position["given"], "given", seats)):
        if not isinstance(rank, str) or len(rank) > 1 or rank not in RANK_NAMES:
            raise PositionError(f"expected given[{seat}] as a rank or '', got {rank!r}")
        state["given"][seat] = RANK_NAMES.index(rank) + 1 if rank else 0
    for seat, out in enumerate(_list(position["out"], "out", seats)):
        if not isinstance(out, bool):
            raise PositionError(f"expected out[{seat}] true or false, got {out!r}")
        state["out"][seat] = out
    for seat, drawn in enumerate(_list(position["drawn"], "drawn", seats)):
        state["drawn"][seat] = whole(drawn, f"drawn[{seat}]", low=0, high=options.jokers)


def _write_split(state: Any, split: Any, options: TokkenOptions) -> None:
    if (split is not None) != (int(state["phase"]) == SPLIT):
        raise PositionError(f"expected split in phase 'split' and only there, got {split!r}")
    if split is None:
        return
    check_keys(split, ("left", "moved"), "split")
    state["left"] = whole(split["left"], "left", low=1, high=SEVEN_STEPS - 1)
    moved = split["moved"]
    if not isinstance(moved, list | tuple) or not 1 <= len(moved) < MOST_PARTS:
        raise PositionError(f"expected moved as 1 to {MOST_PARTS - 1} pawns, got {moved!r}")
    pairs = []
    for pair in moved:
        seat, pawn = _list(pair, "a pawn that has moved", 2)
        seat = whole(seat, "the seat of a pawn that has moved", low=0, high=options.players - 1)
        pawn = whole(pawn, "the number of a pawn that has moved", low=0, high=PAWNS - 1)
        pairs.append((seat, pawn))
        state["moved"][seat, pawn] = 1
    if pairs != sorted(set(pairs)):
        raise PositionError(f"expected moved as ascending different pawns, got {moved!r}")
    if int(state["left"]) + len(pairs) > SEVEN_STEPS:
        raise PositionError(
            f"expected at most {SEVEN_STEPS - len(pairs)} steps left after {len(pairs)} parts, "
            f"got {split['left']}"
        )


def _counts(cards: Any, where: str) -> Any:
    if not isinstance(cards, str) or set(cards) - set(RANK_NAMES):
        raise PositionError(f"expected {where} as cards of {RANK_NAMES}, got {cards!r}")
    ranks = [RANK_NAMES.index(card) for card in cards]
    if ranks != sorted(ranks):
        raise PositionError(f"expected {where} in the order {RANK_NAMES}, got {cards!r}")
    return np.bincount(np.asarray(ranks, np.int64), minlength=RANKS)


def _list(values: Any, where: str, count: int) -> list[Any]:
    if not isinstance(values, list | tuple) or len(values) != count:
        raise PositionError(f"expected {where} as a list of {count}, got {values!r}")
    return list(values)
