"""Which positions of Tokken the rules allow: the conditions of [R9.4], one by one."""

from typing import Any

import numpy as np

from ..engine.dtypes import Json, States
from ..engine.errors import expect
from .board import (
    EXCHANGE,
    FINISHED,
    HAND_SIZES,
    JOKER,
    PLAY,
    RANK_NAMES,
    SPLIT,
    TokkenOptions,
    num_actions,
)
from .fields import FIELDS
from .rules import legal_mask
from .rules_cards import is_exchanging, num_cards
from .rules_table import has_won

MOST_IN_HAND = HAND_SIZES[1]


def check_reachable(states: States, position: Json) -> None:
    """Expect that row 0 keeps every condition; *position* is its JSON."""
    options = FIELDS.read_options(states, 0)
    _check_end(states, options)
    _check_given(states, options)
    _check_pack(states, options)
    _check_mover(states, options)
    _check_out(states[0], options)


def _check_end(states: States, options: TokkenOptions) -> None:
    """Over exactly if a side has won or time is up; inside a seven the time waits."""
    state = states[0]
    phase, decisions = int(state["phase"]), int(state["decisions"])
    won = any(has_won(states, 0, side) for side in range(int(state["sides"])))
    timed_out = 0 < options.cap <= decisions
    if phase == FINISHED:
        expect(won or timed_out, "phase 'over' after a win or time-out only", "neither")
    else:
        expect(not won, "phase 'over' when a side has won", "another phase")
        wanted = f"phase 'over' after {options.cap} decisions"
        expect(not timed_out or phase == SPLIT, wanted, f"{decisions} decisions")


def _check_given(states: States, options: TokkenOptions) -> None:
    """Cards are given in turn, from the seat after the dealer on; all of them before the play."""
    state = states[0]
    players, phase = options.players, int(state["phase"])
    given = [bool(rank) for rank in state["given"][:players]]
    if not options.has_teams:
        expect(phase != EXCHANGE, "phase 'exchange' with teams only", "it without teams")
        expect(not any(given), "nothing given without teams", given)
        return
    dealer = int(state["dealer"])
    in_turn = [given[(dealer + 1 + k) % players] for k in range(players)]
    count = sum(given)
    wanted = f"cards given in turn from seat {(dealer + 1) % players} on"
    expect(in_turn == [True] * count + [False] * (players - count), wanted, given)
    if phase in (PLAY, SPLIT):
        expect(count == players, "a card given by every seat", given)
    elif phase == EXCHANGE:
        giver, mover = (dealer + 1 + count) % players, int(state["mover"])
        wanted = f"cards given by the seats before the mover {mover}"
        expect(count < players and mover == giver, wanted, given)
    if is_exchanging(states, 0):
        out = state["out"][:players].tolist()
        expect(not any(out), "nobody out in the exchange", out)


def _check_pack(states: States, options: TokkenOptions) -> None:
    """Every card of the pack is in one place; the pile has the size that follows from the deal."""
    state = states[0]
    players = options.players
    cards = state["hands"].sum(axis=0) + state["extras"].sum(axis=0)
    cards = cards + state["pile"] + state["discard"]
    if is_exchanging(states, 0):
        for rank in state["given"][:players]:
            if rank:
                cards[rank - 1] += 1
    pack = np.full(len(RANK_NAMES), players)
    pack[JOKER] = options.jokers
    wanted = f"the pack, {players} of each rank and {options.jokers} jokers"
    expect((cards == pack).all(), wanted, dict(zip(RANK_NAMES, cards.tolist(), strict=True)))
    drawn = int(state["drawn"].sum())
    dealt = sum(HAND_SIZES[: int(state["deal"]) + 1]) * players
    left = int(pack.sum()) - dealt - drawn
    expect(int(state["pile"].sum()) == left, f"{left} cards in the draw pile", state["pile"].sum())
    played = int(state["discard"][JOKER])
    expect(drawn <= played, f"at most {played} extra cards drawn, one per joker played", drawn)
    kept, drawn_by = state["extras"].sum(axis=1), state["drawn"]
    expect((kept <= drawn_by).all(), "extra cards that were drawn", kept[:players].tolist())
    hands = state["hands"].sum(axis=1)[:players]
    if is_exchanging(states, 0):  # for the card that a seat gave it gets another
        hands = hands + (state["given"][:players] > 0)
    expect(max(hands) <= MOST_IN_HAND, f"at most {MOST_IN_HAND} cards in a hand", hands.tolist())


def _check_mover(states: States, options: TokkenOptions) -> None:
    """The seat to move can act."""
    state = states[0]
    mover = int(state["mover"])
    if mover < 0:
        return
    expect(not state["out"][mover], f"the mover {mover} not to be out", "out")
    if int(state["phase"]) != SPLIT:
        expect(num_cards(states, 0, mover) > 0, f"a card of the mover {mover}", "none")
        return
    mask = np.zeros(num_actions(options.players), np.int8)
    legal_mask(states, 0, mask)
    expect(mask.any(), "a legal part of the seven in phase 'split'", "none")


def _check_out(state: Any, options: TokkenOptions) -> None:
    """[R4.4] Who folds lays the hand off; who keeps has only extra cards left."""
    for seat in range(options.players):
        held = int(state["hands"][seat].sum())
        wanted = f"no card in the hand of seat {seat}, which is out"
        expect(held == 0 or not state["out"][seat], wanted, held)
