"""The rules of Tokken as verbs on one record.

Source: the Dutch regulations of the Texel Tokken tournament and their exact specification;
`[R4.9]` is paragraph 9 of section 4 of the specification, in our own words in this folder's
README. Each of these files builds on those before it: `rules_table` (where pawns stand),
`rules_moves` (how they move), `rules_ways` (how far they may), `rules_cards`, `rules_legal`, and
this one; `observe` has what a seat sees, and re-draws what it cannot know.
"""

from ..engine.dtypes import MOST_COUNTED, OVER, ChanceWeights, Floats, Mask, States
from ..engine.jit import kernel, outlined
from ..engine.verbs import to_move
from .board import (
    DEAL_DUE,
    DEALER_DUE,
    DECISIONS_PER_SEAT,
    ENTER,
    EXCHANGE,
    EXTRA_DUE,
    FINISHED,
    FOLD,
    GIVE,
    JOKER,
    KEEP,
    MOST_FIELDS,
    MOST_PARTS,
    NOTHING_DUE,
    PART,
    PAWNS,
    PLAY,
    RANKS,
    SEVEN,
    SEVEN_STEPS,
    SPLIT,
    YARD,
)
from .rules_cards import (
    begin_deal,
    card_of,
    collect,
    lay_off,
    new_deal,
    num_cards,
    play_card,
    ranks_held,
    spend,
    total,
)
from .rules_legal import mask_parts, mask_ranks
from .rules_moves import walk
from .rules_table import has_won, num_home, partner_of, pawn_in_slot, pawns_home, played_color

WIN_BONUS = 10
POINTS_PER_PAWN = 2

# Questions about a position ----------------------------------------------------------------------


@kernel
def decision_cap(states: States, i: int) -> int:
    """[R8.2] After how many decisions time is up; 0 for never."""
    state = states[i]
    limit = int(state["max_decisions"])
    return DECISIONS_PER_SEAT * int(state["players"]) if limit < 0 else limit


@kernel
def num_parts(states: States, i: int) -> int:
    """Parts of a seven that have been made."""
    state = states[i]
    parts = 0
    for seat in range(int(state["players"])):
        for pawn in range(PAWNS):
            parts += int(state["moved"][seat, pawn])
    return parts


# Set-up and chance [R3] --------------------------------------------------------------------------


@outlined
def reset(states: States, i: int) -> None:
    """[R3.1] All pawns in their yards, the whole pack in the pile, the first deal due."""
    state = states[i]
    players = int(state["players"])
    state["decisions"] = 0
    state["due_cards"] = 0
    for seat in range(players):
        state["given"][seat] = 0
        state["out"][seat] = 0
        for pawn in range(PAWNS):
            state["progress"][seat, pawn] = YARD
        for rank in range(RANKS):
            state["hands"][seat, rank] = 0
    for field in range(MOST_FIELDS):
        state["ring"][field] = 0
    clear_seven(states, i)
    collect(states, i)
    state["deal"] = 0
    first = int(state["first_dealer"])
    if first >= 0:
        state["dealer"] = first - 1
        new_deal(states, i)
    else:
        state["dealer"] = 0
        state["phase"] = PLAY
        state["mover"] = 0
        state["due"] = DEALER_DUE


@kernel
def chance_weights(states: States, i: int, weights: ChanceWeights) -> None:
    """[R3.4] A seat evenly, or a card by the copies left in the draw pile."""
    state = states[i]
    draws_dealer = int(state["due"]) == DEALER_DUE
    for rank in range(RANKS):
        weights[rank] = 0 if draws_dealer else int(state["pile"][rank])
    for seat in range(int(state["players"])):
        weights[RANKS + seat] = 1 if draws_dealer else 0


@outlined
def step_chance(states: States, i: int, outcome: int) -> None:
    """[R3.5] One card at a time, clockwise, the dealer last; or an extra card [R4.20]."""
    state = states[i]
    due = int(state["due"])
    if due == DEALER_DUE:
        state["dealer"] = outcome - RANKS
        state["deal"] = 1
        begin_deal(states, i)
        return
    state["pile"][outcome] -= 1
    if due == DEAL_DUE:
        # The first seat dealt to is the mover, and the last card goes to the dealer.
        players = int(state["players"])
        left = int(state["due_cards"])
        seat = (int(state["dealer"]) + players - (left - 1) % players) % players
        state["hands"][seat, outcome] += 1
        state["due_cards"] = left - 1
        if left == 1:
            state["due"] = NOTHING_DUE
        return
    seat = int(state["mover"])
    state["extras"][seat, outcome] += 1
    state["drawn"][seat] += 1
    state["due"] = NOTHING_DUE
    end_action(states, i, seat)


# Moves [R4] --------------------------------------------------------------------------------------


@outlined
def legal_mask(states: States, i: int, mask: Mask) -> None:
    """Write the legal actions of the seat to move."""
    for action in range(mask.size):
        mask[action] = 0
    seat = to_move(states, i)
    if seat < 0:
        return
    state = states[i]
    phase = int(state["phase"])
    if phase == EXCHANGE:
        for rank in range(RANKS):
            cards = int(state["hands"][seat, rank]) + int(state["extras"][seat, rank])
            mask[GIVE + rank] = cards > 0
    elif phase == SPLIT:
        mask_parts(states, i, seat, int(state["left"]), MOST_PARTS - 1 - num_parts(states, i), mask)
    else:
        plays = mask_ranks(states, i, seat, ranks_held(states, i, seat), mask)
        may_keep = total(state["hands"][seat]) == 0 and int(state["deal"]) < 3
        if may_keep:
            mask[KEEP] = 1
        elif plays == 0:
            mask[FOLD] = 1


@outlined
def step(states: States, i: int, action: int) -> int:
    """Play a legal action; returns 1 + the colour of the pawn that it brought home, else 0."""
    state = states[i]
    seat = int(state["mover"])
    state["decisions"] = min(int(state["decisions"]) + 1, MOST_COUNTED)
    if action < ENTER:
        if action < FOLD:
            give(states, i, seat, action - GIVE)
        else:
            leave(states, i, seat, action)
        end_action(states, i, seat)
        return 0
    color = played_color(states, i, seat)
    before = num_home(states, i, color)
    rank = card_of(states, i, action)
    if rank == SEVEN:
        play_part(states, i, seat, color, action - PART)
    else:
        play_card(states, i, seat, action)
    came_home = num_home(states, i, color) > before
    if came_home and has_won(states, i, seat):
        finish(states, i)
    elif rank == JOKER:
        state["due"] = EXTRA_DUE
    elif int(state["phase"]) == PLAY:
        end_action(states, i, seat)
    return 1 + color if came_home else 0


@kernel
def give(states: States, i: int, seat: int, rank: int) -> None:
    """[R4.2] A card is laid face down for the partner; after the last all change hands."""
    state = states[i]
    spend(states, i, seat, rank)
    state["given"][seat] = 1 + rank
    if seat == int(state["dealer"]):
        for giver in range(int(state["players"])):
            state["hands"][partner_of(states, i, giver), int(state["given"][giver]) - 1] += 1
        state["phase"] = PLAY


@kernel
def leave(states: States, i: int, seat: int, action: int) -> None:
    """[R4.4] Fold or keep: *seat* is out of this deal."""
    if action == FOLD:
        lay_off(states, i, seat)
    states[i]["out"][seat] = 1


@kernel
def play_part(states: States, i: int, seat: int, color: int, part: int) -> None:
    """[R4.23, R4.24] One part of a seven, 7 slot + steps - 1; the card is laid with the first."""
    state = states[i]
    pawn = pawn_in_slot(states, i, color, part // SEVEN_STEPS)
    steps = part % SEVEN_STEPS + 1
    if int(state["phase"]) == PLAY:
        spend(states, i, seat, SEVEN)
        state["discard"][SEVEN] += 1
        state["left"] = SEVEN_STEPS
        state["phase"] = SPLIT
    walk(states, i, color, pawn, steps)
    state["moved"][color, pawn] = 1
    state["left"] -= steps
    if int(state["left"]) == 0:
        clear_seven(states, i)
        state["phase"] = PLAY


@kernel
def clear_seven(states: States, i: int) -> None:
    """No seven is under way any more."""
    state = states[i]
    state["left"] = 0
    for seat in range(int(state["players"])):
        for pawn in range(PAWNS):
            state["moved"][seat, pawn] = 0


@outlined
def end_action(states: States, i: int, seat: int) -> None:
    """[R3.6] Time may be up; else the turn passes, and a deal in which nobody can act is over."""
    state = states[i]
    cap = decision_cap(states, i)
    if 0 < cap <= int(state["decisions"]):
        finish(states, i)
        return
    players = int(state["players"])
    other = seat
    for _ in range(players):
        other = other + 1 if other + 1 < players else 0
        if not int(state["out"][other]) and num_cards(states, i, other) > 0:
            state["mover"] = other
            return
    new_deal(states, i)


# The end [R8] ------------------------------------------------------------------------------------


@kernel
def finish(states: States, i: int) -> None:
    """The game is over, won or timed out."""
    state = states[i]
    clear_seven(states, i)
    state["phase"] = FINISHED
    state["mover"] = OVER


@kernel
def score(states: States, i: int, seat: int) -> int:
    """[R8.1] Two points per pawn of the side at home, and ten for the winner."""
    points = POINTS_PER_PAWN * pawns_home(states, i, seat)
    return points + WIN_BONUS if has_won(states, i, seat) else points


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    """[R8.1] Of each seat, those of its side."""
    for seat in range(int(states[i]["players"])):
        out[seat] = score(states, i, seat)


@kernel
def is_truncated(states: States, i: int) -> bool:
    """Never: the time limit is a rule of the game, with a score of its own [R8.6]."""
    return False


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """[R8.4] A win is +1, shared out among the losers; a time-out counts the pawns at home."""
    state = states[i]
    players, sides = int(state["players"]), int(state["sides"])
    for seat in range(players):
        out[seat] = 0.0
    if int(state["mover"]) != OVER:
        return
    winner = -1
    pawns = 0
    for side in range(sides):
        pawns += pawns_home(states, i, side)
        winner = side if has_won(states, i, side) else winner
    most = PAWNS * players // sides
    for seat in range(players):
        if winner >= 0:
            out[seat] = 1.0 if seat % sides == winner else -1.0 / (sides - 1)
        else:
            out[seat] = (pawns_home(states, i, seat) - pawns / sides) / most
