"""What a seat of Tokken cannot know [R5.5], re-drawn; what it sees stays the same."""

from ..engine.dtypes import ChanceWeights, States, Streams
from ..engine.jit import kernel, outlined
from ..engine.streams import next_below, take_one
from .board import RANKS
from .rules_cards import is_exchanging, total
from .rules_table import partner_of


@outlined
def determinize(states: States, i: int, seat: int, streams: Streams, k: int) -> None:
    """Re-draw the others' cards, the pile, and what others have given face down.

    What members of other sides gave is re-drawn too; after the exchange no rule reads it.
    """
    state = states[i]
    players = int(state["players"])
    exchanging = is_exchanging(states, i)
    for other in range(players):
        if other != seat:
            pool(state["hands"][other], state["pile"])
            pool(state["extras"][other], state["pile"])
            if exchanging and int(state["given"][other]) > 0:
                state["pile"][int(state["given"][other]) - 1] += 1
    left = total(state["pile"])
    for other in range(players):
        if other != seat:
            left -= redraw(state["hands"][other], state["pile"], left, streams, k)
            left -= redraw(state["extras"][other], state["pile"], left, streams, k)
            if int(state["given"][other]) == 0:
                continue
            if exchanging:
                state["given"][other] = 1 + take_one(state["pile"], left, streams, k)
                left -= 1
            elif other != partner_of(states, i, seat):
                state["given"][other] = 1 + next_below(streams, k, RANKS)


@kernel
def pool(cards: ChanceWeights, pile: ChanceWeights) -> None:
    """Move *cards* to the pile; their number is kept in their first place meanwhile."""
    number = total(cards)
    for rank in range(RANKS):
        pile[rank] += cards[rank]
        cards[rank] = 0
    cards[0] = number


@outlined
def redraw(cards: ChanceWeights, pile: ChanceWeights, left: int, streams: Streams, k: int) -> int:
    """Draw the *cards* that `pool` has moved from a pile of *left*; returns their number."""
    number = int(cards[0])
    cards[0] = 0
    for drawn in range(number):
        cards[take_one(pile, left - drawn, streams, k)] += 1
    return number
