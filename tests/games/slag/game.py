"""Slag: the rules [R1 to R5], what a seat sees, and all of it as one `GameSpec`."""

from spelkast.envs.engine.dtypes import OVER, ChanceWeights, Floats, Mask, States, Streams
from spelkast.envs.engine.jit import kernel
from spelkast.envs.engine.segments import starts
from spelkast.envs.engine.spec import GameSpec
from spelkast.envs.engine.streams import next_below
from spelkast.envs.engine.verbs import to_move

from . import board, draw
from .board import DECK, HAND, NONE, OPEN, PACK, RANKS, SEATS, beats

KNOWN, TABLE, TRUMP, TRICKS = starts(board.SEGMENTS, "cards", "table", "trump", "tricks")


@kernel
def reset(states: States, i: int) -> None:
    """All cards are in the pack, and those of [R1] are due; seat 0 will lead."""
    state = states[i]
    state["mover"], state["best"], state["up"] = 0, NONE, NONE
    state["due"] = HAND * int(state["players"]) + int(state["trump"])
    state["at"][:], state["table"][:], state["tricks"][:] = PACK, NONE, 0


@kernel
def chance_weights(states: States, i: int, weights: ChanceWeights) -> None:
    """Each card of the pack is as likely."""
    for card in range(DECK):
        weights[card] = states[i]["at"][card] == PACK


@kernel
def step_chance(states: States, i: int, outcome: int) -> None:
    """Turn up the first card, if there is trump; deal the others [R1]."""
    state = states[i]
    state["due"] -= 1
    seat = int(state["due"]) // HAND
    state["at"][outcome] = seat
    if seat == int(state["players"]):
        state["at"][outcome], state["up"] = OPEN, outcome


@kernel
def legal_mask(states: States, i: int, mask: Mask) -> None:
    """Any card of the hand [R2]."""
    for card in range(DECK):
        mask[card] = int(states[i]["at"][card]) == to_move(states, i)


@kernel
def step(states: States, i: int, action: int) -> int:
    """Lay a card [R2]; the last one of a trick returns 1, the others 0 [R3]."""
    state, seat, best = states[i], int(states[i]["mover"]), int(states[i]["best"])
    state["at"][action], state["table"][seat] = OPEN, action
    if best == NONE or beats(action, int(state["table"][best]), int(state["up"])):
        best = seat
    state["mover"], state["best"] = (seat + 1) % int(state["players"]), best
    if int(state["table"][int(state["mover"])]) == NONE:
        return 0
    state["tricks"][best] += 1
    state["mover"] = OVER if state["tricks"].sum() == HAND else best
    state["table"][:], state["best"] = NONE, NONE
    return 1


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """Tricks above the average of the table, as a part of what is the most [R4]."""
    players, is_over = int(states[i]["players"]), int(states[i]["mover"]) == OVER
    for seat in range(players):
        above = int(states[i]["tricks"][seat]) * players - HAND
        out[seat] = above / (HAND * (players - 1)) if is_over else 0.0


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write the numbers of `board.SEGMENTS`; seats count from *seat* on."""
    state = states[i]
    out[:] = 0.0
    out[0] = to_move(states, i) == seat
    for card in range(DECK):
        out[KNOWN + card] = int(state["at"][card]) == OPEN
        out[KNOWN + DECK + card] = int(state["at"][card]) == seat
    if int(state["up"]) != NONE:
        out[TRUMP + int(state["up"]) // RANKS] = 1.0
    for k in range(int(state["players"])):
        other = (seat + k) % int(state["players"])
        card = int(state["table"][other])
        if card != NONE:
            out[TABLE + DECK * k + card] = 1.0
        out[TRICKS + k] = int(state["tricks"][other]) / HAND


@kernel
def determinize(states: States, i: int, seat: int, streams: Streams, k: int) -> None:
    """Shuffle the cards that *seat* has not seen, by Fisher and Yates [R5]."""
    at, unseen = states[i]["at"], 0
    for card in range(DECK):  # sorted by place first: where they were must not matter
        for other in range(card):
            if int(at[card]) not in (OPEN, seat) and int(at[other]) not in (OPEN, seat):
                at[other], at[card] = min(at[other], at[card]), max(at[other], at[card])
    for card in range(DECK):
        if int(at[card]) not in (OPEN, seat):
            # The n-th unseen card changes places with one of the first n, itself among them.
            unseen += 1
            other, back = card, next_below(streams, k, unseen)
            while back:
                other -= 1
                back -= int(at[other]) not in (OPEN, seat)
            at[card], at[other] = at[other], at[card]


SPEC = GameSpec.of(board, draw, title="Slag", home=__name__, views=SEATS)
