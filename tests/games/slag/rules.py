"""The rules of Slag [R1 to R4], and what a seat sees."""

from spelkast.envs.engine.dtypes import CHANCE, OVER, ChanceWeights, Floats, Mask, States, Streams
from spelkast.envs.engine.jit import kernel
from spelkast.envs.engine.segments import starts
from spelkast.envs.engine.streams import next_below

from .board import CARDS, HAND, HANDS, NONE, OPEN, PACK, RANKS, SEATS, SEGMENTS, SUITS, strength

DECK, KINDS, SWAPS = len(CARDS), len(SUITS), 200
KNOWN, BEST, LED, LAID, VOIDS = starts(SEGMENTS, "cards", "best", "suits", "seats", "voids")
SIZE = sum(segment.size for segment in SEGMENTS)


@kernel
def reset(states: States, i: int) -> None:
    """All cards are in the pack, and those of [R1] are due; seat 0 will lead."""
    state = states[i]
    state["mover"], state["led"], state["best"], state["up"] = 0, NONE, NONE, NONE
    state["due"] = HAND * int(state["players"]) + int(state["trump"])
    state["cards"][:] = 0
    state["cards"][PACK, :] = 1
    state["table"][:] = NONE
    state["tricks"][:], state["voids"][:] = 0, 0


@kernel
def to_move(states: States, i: int) -> int:
    """The seat that decides, CHANCE while a card is due, or OVER."""
    return CHANCE if states[i]["due"] else int(states[i]["mover"])


@kernel
def chance_weights(states: States, i: int, weights: ChanceWeights) -> None:
    """Each card of the pack is as likely."""
    for card in range(DECK):
        weights[card] = states[i]["cards"][PACK, card]


@kernel
def step_chance(states: States, i: int, outcome: int) -> None:
    """Turn up the first card, if there is trump; deal the others [R1]."""
    state = states[i]
    state["due"] -= 1
    seat = int(state["due"]) // HAND
    state["cards"][PACK, outcome] = 0
    if seat < int(state["players"]):
        state["cards"][HANDS + seat, outcome] = 1
    else:
        state["cards"][OPEN, outcome], state["up"] = 1, outcome


@kernel
def legal_mask(states: States, i: int, mask: Mask) -> None:
    """A card of the suit that was led; any card if there is none [R2]."""
    seat, led, follows = to_move(states, i), int(states[i]["led"]), False
    for card in range(DECK):
        mask[card] = seat >= 0 and states[i]["cards"][HANDS + seat, card]
        follows |= mask[card] == 1 and card // RANKS == led
    for card in range(DECK):
        mask[card] &= not follows or card // RANKS == led


@kernel
def step(states: States, i: int, action: int) -> int:
    """Lay a card; the last one of a trick returns 1 + the seat that takes it, others 0 [R3]."""
    state, suit = states[i], action // RANKS
    seat, led, best, up = (
        int(state["mover"]),
        int(state["led"]),
        int(state["best"]),
        int(state["up"]),
    )
    state["cards"][HANDS + seat, action], state["cards"][OPEN, action] = 0, 1
    state["table"][seat] = action
    if led == NONE or strength(action, led, up) > strength(int(state["table"][best]), led, up):
        state["best"] = seat
    if led == NONE:
        state["led"] = suit
    elif led != suit:
        state["voids"][seat, led] = 1
    state["mover"] = (seat + 1) % int(state["players"])
    if int(state["table"][int(state["mover"])]) == NONE:
        return 0
    winner = int(state["best"])
    state["tricks"][winner] += 1
    state["mover"] = OVER if state["tricks"].sum() == HAND else winner
    state["table"][:] = NONE
    state["led"], state["best"] = NONE, NONE
    return winner + 1


@kernel
def is_truncated(states: States, i: int) -> bool:
    """Never: there are five tricks."""
    return False


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
        out[KNOWN + card] = state["cards"][OPEN, card]
        out[KNOWN + DECK + card] = state["cards"][HANDS + seat, card]
        out[BEST + card] = card == int(state["table"][int(state["best"])])
    for suit in range(KINDS):
        out[LED + suit] = suit == int(state["led"])
        out[LED + KINDS + suit] = suit == int(state["up"]) // RANKS
    for k in range(int(state["players"])):
        other = (seat + k) % int(state["players"])
        out[LAID + k] = int(state["table"][other]) != NONE
        out[LAID + SEATS + k] = int(state["tricks"][other]) / HAND
        for suit in range(KINDS):
            out[VOIDS + KINDS * k + suit] = state["voids"][other, suit]


@kernel
def full_state(states: States, i: int, out: Floats) -> None:
    """What each seat sees; the views of four seats hold all hands."""
    for seat in range(SEATS):
        observe(states, i, seat, out[SIZE * seat : SIZE * (seat + 1)])


@kernel
def determinize(states: States, i: int, seat: int, streams: Streams, k: int) -> None:
    """Swap cards that *seat* cannot see, so often that all deals are equally likely [R5]."""
    cards = states[i]["cards"]
    for _ in range(SWAPS):
        one, two = next_below(streams, k, DECK), next_below(streams, k, DECK)
        here, there = place(states, i, one), place(states, i, two)
        if may_get(states, i, seat, here, two) and may_get(states, i, seat, there, one):
            cards[here, one], cards[there, two] = 0, 0
            cards[here, two], cards[there, one] = 1, 1


@kernel
def place(states: States, i: int, card: int) -> int:
    """Where a card is: PACK, OPEN, or HANDS + seat."""
    at = PACK
    while not states[i]["cards"][at, card]:
        at += 1
    return at


@kernel
def may_get(states: States, i: int, seat: int, at: int, card: int) -> bool:
    """Whether *card* may be at a place, for all that *seat* knows."""
    can_hold = at == PACK or not states[i]["voids"][at - HANDS, card // RANKS]
    return can_hold and at not in (OPEN, HANDS + seat)
