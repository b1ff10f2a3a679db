"""What a seat of Tacocat cannot know [R5], re-drawn; what it sees stays the same."""

from ..engine.dtypes import OVER, States, Streams
from ..engine.jit import kernel
from ..engine.streams import next_below, take_one
from .board import ASIDE, HAND, RANKS, REPLACE, SACRIFICED
from .rules import highest, is_simultaneous, replace_limit, total


@kernel
def determinize(states: States, i: int, seat: int, streams: Streams, k: int) -> None:
    """Re-draw the opponent's hand, its face-down cards and, while cards are chosen, their number.

    Cards below the opponent's floor stay in the pile [R5.4]. The number of cards set aside is
    drawn evenly from what the rules allow; the clock follows it [R5.3].
    """
    state = states[i]
    if int(state["mover"]) == OVER:
        return
    other = 1 - seat
    aside = total(state["cards"][other], ASIDE)
    cards = total(state["cards"][other], HAND) + aside
    floor = highest(state["cards"][other], SACRIFICED)
    for rank in range(RANKS):
        state["pile"][rank] += (
            state["cards"][other, HAND + rank] + state["cards"][other, ASIDE + rank]
        )
        state["cards"][other, HAND + rank] = 0
        state["cards"][other, ASIDE + rank] = 0
    draw_from_pile(states, i, other, cards, max(floor, 0), streams, k)
    if int(state["phase"]) == REPLACE:
        state["decisions"] -= aside
        aside = redraw_number_aside(states, i, other, streams, k)
    for _ in range(aside):
        hide_one(states, i, other, streams, k)


@kernel
def draw_from_pile(
    states: States, i: int, seat: int, cards: int, floor: int, streams: Streams, k: int
) -> None:
    """Draw *cards* cards of rank >= *floor* from the pile into the hand of *seat*."""
    pile = states[i]["pile"][floor:]
    left = 0
    for count in pile:
        left += int(count)
    for drawn in range(cards):
        rank = floor + take_one(pile, left - drawn, streams, k)
        states[i]["cards"][seat, HAND + rank] += 1


@kernel
def redraw_number_aside(states: States, i: int, seat: int, streams: Streams, k: int) -> int:
    """How many cards *seat* may have set aside by now, for all that the other seat knows."""
    state = states[i]
    is_hidden = int(state["mover"]) == seat or (seat == 0 and is_simultaneous(states, i))
    if not is_hidden:
        return 0
    most = min(
        replace_limit(states, i, seat), int(state["max_decisions"]) - 1 - int(state["decisions"])
    )
    number = next_below(streams, k, most + 1)
    state["decisions"] += number
    return number


@kernel
def hide_one(states: States, i: int, seat: int, streams: Streams, k: int) -> None:
    """Turn a random card of the hand of *seat* face down."""
    cards = states[i]["cards"][seat]
    rank = take_one(cards[HAND : HAND + RANKS], total(cards, HAND), streams, k)
    cards[ASIDE + rank] += 1
