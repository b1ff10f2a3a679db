"""The cards of Tokken: who holds what, laying them, and the deals."""

from ..engine.dtypes import ChanceWeights, States
from ..engine.jit import kernel, outlined
from .board import (
    BACK,
    DEAL_DUE,
    ENTER,
    ENTRY_CARDS,
    EXCHANGE,
    FIVE,
    FOUR,
    HAND_SIZES,
    JACK,
    JOKER,
    PART,
    PAWNS,
    PLAY,
    PUSH,
    RANKS,
    SEVEN,
    SPLIT,
    WALK,
    WALK_CARDS,
)
from .rules_moves import move_pawn
from .rules_table import played_color

# What is held ------------------------------------------------------------------------------------


@kernel
def total(counts: ChanceWeights) -> int:
    """How many cards *counts* holds."""
    cards = 0
    for rank in range(RANKS):
        cards += int(counts[rank])
    return cards


@kernel
def num_cards(states: States, i: int, seat: int) -> int:
    """How many cards *seat* holds, extra cards included."""
    state = states[i]
    return total(state["hands"][seat]) + total(state["extras"][seat])


@kernel
def ranks_held(states: States, i: int, seat: int) -> int:
    """The ranks that *seat* holds, as a set of bits."""
    state = states[i]
    held = 0
    for rank in range(RANKS):
        cards = int(state["hands"][seat, rank]) + int(state["extras"][seat, rank])
        held |= (1 << rank) if cards else 0
    return held


@kernel
def is_exchanging(states: States, i: int) -> bool:
    """[R4.2] Whether cards given in this deal still lie face down, also if time was up then."""
    state = states[i]
    if int(state["sides"]) == int(state["players"]) or int(state["phase"]) in (PLAY, SPLIT):
        return False
    missing = 0
    for seat in range(int(state["players"])):
        missing += int(state["given"][seat]) == 0
    return missing > 0


# Laying cards ------------------------------------------------------------------------------------


@kernel
def card_of(states: States, i: int, action: int) -> int:
    """The rank of the card that is played by an action."""
    if action < WALK:
        return int(ENTRY_CARDS[action - ENTER])
    if action < BACK:
        return int(WALK_CARDS[(action - WALK) // PAWNS])
    if action < PUSH:
        return FOUR if action < PART else SEVEN
    return FIVE if action < PUSH + PAWNS * (int(states[i]["players"]) - 1) else JACK


@kernel
def spend(states: States, i: int, seat: int, rank: int) -> None:
    """[R4.21] A card leaves *seat*: the ordinary one if it holds an extra one as well."""
    state = states[i]
    if int(state["hands"][seat, rank]) > 0:
        state["hands"][seat, rank] -= 1
    else:
        state["extras"][seat, rank] -= 1


@outlined
def play_card(states: States, i: int, seat: int, action: int) -> None:
    """What a play does, but for a part of a seven, before the turn passes."""
    rank = card_of(states, i, action)
    spend(states, i, seat, rank)
    states[i]["discard"][rank] += 1
    move_pawn(states, i, seat, played_color(states, i, seat), action)


@kernel
def lay_off(states: States, i: int, seat: int) -> None:
    """[R4.4] Hand and extra cards of *seat* go openly to the discard pile."""
    state = states[i]
    for rank in range(RANKS):
        state["discard"][rank] += state["hands"][seat, rank] + state["extras"][seat, rank]
        state["hands"][seat, rank] = 0
        state["extras"][seat, rank] = 0


# Deals [R3, R4.6] --------------------------------------------------------------------------------


@kernel
def collect(states: States, i: int) -> None:
    """[R3.2] All cards go back to the draw pile."""
    state = states[i]
    players = int(state["players"])
    for rank in range(RANKS):
        state["pile"][rank] = players
        state["discard"][rank] = 0
    state["pile"][JOKER] = (players + 1) // 2
    for seat in range(players):
        state["drawn"][seat] = 0
        for rank in range(RANKS):
            state["extras"][seat, rank] = 0


@outlined
def new_deal(states: States, i: int) -> None:
    """[R4.6] The next seat deals the next deal; after the third all cards are collected."""
    state = states[i]
    players = int(state["players"])
    dealer = int(state["dealer"]) + 1
    state["dealer"] = dealer if dealer < players else 0
    deal = int(state["deal"]) + 1
    if deal > 3:
        collect(states, i)
        deal = 1
    state["deal"] = deal
    begin_deal(states, i)


@kernel
def begin_deal(states: States, i: int) -> None:
    """The cards of this deal are due; then the seat after the dealer begins."""
    state = states[i]
    players = int(state["players"])
    for seat in range(players):
        state["given"][seat] = 0
        state["out"][seat] = 0
    state["due"] = DEAL_DUE
    state["due_cards"] = HAND_SIZES[int(state["deal"])] * players
    state["phase"] = PLAY if int(state["sides"]) == players else EXCHANGE
    first = int(state["dealer"]) + 1
    state["mover"] = first if first < players else 0
