"""The rules of Tokken as verbs on one record; how pawns move is told in `rules_table`.

Source: the Dutch regulations of the Texel Tokken tournament and their exact specification;
`[R4.9]` is paragraph 9 of section 4 of the specification, told in our own words in this folder's
README.
"""

from __future__ import annotations

from ..engine.dtypes import CHANCE, OVER, Floats, Mask, States, Streams, Weights
from ..engine.jit import kernel
from ..engine.streams import next_below
from .board import (
    BACK,
    DEAL_DUE,
    DEALER_DUE,
    DECISIONS_PER_SEAT,
    ENTER,
    ENTRY_CARDS,
    EXCHANGE,
    EXTRA_DUE,
    FINISHED,
    FIVE,
    FOLD,
    FOUR,
    GIVE,
    HAND_SIZES,
    JACK,
    JOKER,
    KEEP,
    KING,
    MOST_FIELDS,
    MOST_PARTS,
    NOTHING_DUE,
    PART,
    PAWNS,
    PLAY,
    PUSH,
    RANKS,
    SEVEN,
    SEVEN_STEPS,
    SPLIT,
    WALK,
    WALK_CARDS,
    WALK_STEPS,
    YARD,
)
from .rules_table import (
    BACKWARD,
    PUSHED,
    carry_on,
    exchange,
    field_at,
    has_won,
    hit,
    is_guarded,
    is_on_ring,
    land,
    may_be_pushed,
    may_go_back,
    may_swap,
    num_home,
    part_leads_on,
    partner_of,
    pawn_in_slot,
    played_color,
    put,
    seat_after,
    slot_of,
    steps_up_to,
    sweep,
    take,
    walk,
    walkable,
    wrapped,
)

WIN_BONUS = 10
POINTS_PER_PAWN = 2

# Questions about a position --------------------------------------------------------------------


@kernel
def total(counts: Weights) -> int:
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
def decision_cap(states: States, i: int) -> int:
    """[R8.2] After how many decisions time is up; 0 for never."""
    state = states[i]
    limit = int(state["max_decisions"])
    return DECISIONS_PER_SEAT * int(state["players"]) if limit < 0 else limit


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


@kernel
def num_parts(states: States, i: int) -> int:
    """Parts of a seven that have been made."""
    state = states[i]
    parts = 0
    for seat in range(int(state["players"])):
        for pawn in range(PAWNS):
            parts += int(state["moved"][seat, pawn])
    return parts


@kernel
def to_move(states: States, i: int) -> int:
    """The seat that decides, CHANCE while something is due, or OVER."""
    state = states[i]
    return CHANCE if int(state["due"]) != NOTHING_DUE else int(state["mover"])


# Set-up and chance [R3] ------------------------------------------------------------------------


@kernel
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


@kernel
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


@kernel
def chance_weights(states: States, i: int, weights: Weights) -> None:
    """[R3.4] A seat evenly, or a card by the copies left in the draw pile."""
    state = states[i]
    draws_dealer = int(state["due"]) == DEALER_DUE
    for rank in range(RANKS):
        weights[rank] = 0 if draws_dealer else int(state["pile"][rank])
    for seat in range(int(state["players"])):
        weights[RANKS + seat] = 1 if draws_dealer else 0


@kernel
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


# Legal actions [R4] ----------------------------------------------------------------------------


@kernel
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
        plays = mask_cards(states, i, seat, mask)
        may_keep = total(state["hands"][seat]) == 0 and int(state["deal"]) < 3
        if may_keep:
            mask[KEEP] = 1
        elif plays == 0:
            mask[FOLD] = 1


@kernel
def mask_cards(states: States, i: int, seat: int, mask: Mask) -> int:
    """[R4.3] The legal plays of every card of *seat*; returns how many there are."""
    return mask_ranks(states, i, seat, ranks_held(states, i, seat), mask)


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
def mask_ranks(states: States, i: int, seat: int, held: int, mask: Mask) -> int:
    """The legal plays that *seat* would have with cards of the ranks *held*; adds to the mask."""
    color = played_color(states, i, seat)
    plays = mask_entries(states, i, color, held, mask)
    plays += mask_walks(states, i, color, held, mask)
    if held >> SEVEN & 1:
        plays += mask_parts(states, i, seat, SEVEN_STEPS, MOST_PARTS - 1, mask)
    if held >> FIVE & 1:
        plays += mask_pushes(states, i, seat, mask)
    if held >> JACK & 1:
        plays += mask_swaps(states, i, seat, color, mask)
    return plays


@kernel
def mask_entries(states: States, i: int, color: int, held: int, mask: Mask) -> int:
    """[R4.11] Enter with A, K or X."""
    if is_guarded(states, i, color):
        return 0
    waiting = 0
    for pawn in range(PAWNS):
        waiting += int(states[i]["progress"][color, pawn]) == YARD
    if waiting == 0:
        return 0
    plays = 0
    for card in range(ENTRY_CARDS.size):
        has = held >> int(ENTRY_CARDS[card]) & 1
        mask[ENTER + card] = has
        plays += has
    return plays


@kernel
def mask_walks(states: States, i: int, color: int, held: int, mask: Mask) -> int:
    """[R4.12 - R4.14] Forward with ten kinds of cards, and four back."""
    plays = 0
    for pawn in range(PAWNS):
        if int(states[i]["progress"][color, pawn]) == YARD:
            continue
        slot = slot_of(states, i, color, pawn)
        ways = walkable(states, i, color, pawn)
        for card in range(WALK_CARDS.size):
            can = (held >> int(WALK_CARDS[card])) & (ways >> int(WALK_STEPS[card])) & 1
            mask[WALK + PAWNS * card + slot] = can
            plays += can
        if held >> FOUR & 1 and may_go_back(states, i, color, pawn):
            mask[BACK + slot] = 1
            plays += 1
    return plays


@kernel
def mask_parts(states: States, i: int, seat: int, left: int, parts: int, mask: Mask) -> int:
    """[R4.23 - R4.25] Parts of a seven with *left* steps; *parts* more may follow."""
    plays = 0
    color = played_color(states, i, seat)
    for pawn in range(PAWNS):
        if int(states[i]["moved"][color, pawn]):
            continue
        ways = walkable(states, i, color, pawn) & steps_up_to(left)
        if ways == 0:
            continue
        first = PART + SEVEN_STEPS * slot_of(states, i, color, pawn) - 1
        for steps in range(1, left + 1):
            if ways >> steps & 1 and part_leads_on(
                states, i, seat, color, pawn, steps, left, parts
            ):
                mask[first + steps] = 1
                plays += 1
    return plays


@kernel
def mask_pushes(states: States, i: int, seat: int, mask: Mask) -> int:
    """[R4.15] A 5 with a pawn of another side."""
    plays = 0
    players = int(states[i]["players"])
    sides = int(states[i]["sides"])
    for offset in range(1, players):
        if offset == sides:  # the partner
            continue
        other = seat_after(states, i, seat, offset)
        for pawn in range(PAWNS):
            if may_be_pushed(states, i, other, pawn):
                mask[PUSH + PAWNS * (offset - 1) + slot_of(states, i, other, pawn)] = 1
                plays += 1
    return plays


@kernel
def mask_swaps(states: States, i: int, seat: int, color: int, mask: Mask) -> int:
    """[R4.16] An own ring pawn against any pawn of another colour on the ring."""
    plays = 0
    players = int(states[i]["players"])
    targets = PAWNS * (players - 1)
    for pawn in range(PAWNS):
        if not is_on_ring(states, i, color, pawn):
            continue
        first = PUSH + targets * (1 + slot_of(states, i, color, pawn))
        for offset in range(1, players):
            other = seat_after(states, i, seat, offset)
            if other == color:
                continue
            for target in range(PAWNS):
                if may_swap(states, i, color, pawn, other, target):
                    slot = slot_of(states, i, other, target)
                    mask[first + PAWNS * (offset - 1) + slot] = 1
                    plays += 1
    return plays


# Moves [R4] ------------------------------------------------------------------------------------


@kernel
def step(states: States, i: int, action: int) -> int:
    """Play a legal action; returns 1 + the colour of the pawn that it brought home, else 0."""
    state = states[i]
    seat = int(state["mover"])
    state["decisions"] += 1
    if action < FOLD:
        give(states, i, seat, action - GIVE)
        return 0
    if action <= KEEP:
        if action == FOLD:
            lay_off(states, i, seat)
        state["out"][seat] = 1
        end_action(states, i, seat)
        return 0
    color = played_color(states, i, seat)
    if PART <= action < PUSH:
        slot = (action - PART) // SEVEN_STEPS
        steps = (action - PART) % SEVEN_STEPS + 1
        return play_part(states, i, seat, pawn_in_slot(states, i, color, slot), steps)
    rank = card_of(states, i, action)
    before = num_home(states, i, color)
    play_card(states, i, seat, action)
    came_home = num_home(states, i, color) > before
    if came_home and has_won(states, i, seat):
        finish(states, i)
    elif rank == JOKER:
        state["due"] = EXTRA_DUE
    else:
        end_action(states, i, seat)
    return 1 + color if came_home else 0


@kernel
def card_of(states: States, i: int, action: int) -> int:
    """The rank of the card that is played by an action other than a part of a seven."""
    if action < WALK:
        return int(ENTRY_CARDS[action - ENTER])
    if action < BACK:
        return int(WALK_CARDS[(action - WALK) // PAWNS])
    if action < PART:
        return FOUR
    return FIVE if action < PUSH + PAWNS * (int(states[i]["players"]) - 1) else JACK


@kernel
def spend(states: States, i: int, seat: int, rank: int) -> None:
    """[R4.21] A card leaves *seat*: the ordinary one if it holds an extra one as well."""
    state = states[i]
    if int(state["hands"][seat, rank]) > 0:
        state["hands"][seat, rank] -= 1
    else:
        state["extras"][seat, rank] -= 1


@kernel
def play_card(states: States, i: int, seat: int, action: int) -> None:
    """What a play does, but for a part of a seven, before the turn passes."""
    rank = card_of(states, i, action)
    spend(states, i, seat, rank)
    states[i]["discard"][rank] += 1
    move_pawn(states, i, seat, played_color(states, i, seat), action)


@kernel
def move_pawn(states: States, i: int, seat: int, color: int, action: int) -> None:
    """What a card does on the table, but for a seven."""
    state = states[i]
    if action < WALK:
        pawn = 0
        while int(state["progress"][color, pawn]) != YARD:
            pawn += 1
        hit(states, i, int(state["starts"][color]))
        put(states, i, color, pawn, 0)
    elif action < BACK:
        card = (action - WALK) // PAWNS
        pawn = pawn_in_slot(states, i, color, (action - WALK) % PAWNS)
        if int(WALK_CARDS[card]) == KING:
            sweep(states, i, color, pawn, int(WALK_STEPS[card]))
        walk(states, i, color, pawn, int(WALK_STEPS[card]))
    elif action < PART:
        pawn = pawn_in_slot(states, i, color, action - BACK)
        progress = int(state["progress"][color, pawn])
        take(states, i, color, pawn)
        land(states, i, color, pawn, wrapped(progress - BACKWARD, int(state["fields"])), 0)
    else:
        target_pawn(states, i, seat, color, action - PUSH)


@kernel
def target_pawn(states: States, i: int, seat: int, color: int, number: int) -> None:
    """[R4.15, R4.16] A 5 with, or a swap with, another seat's pawn; *number* counts from PUSH."""
    state = states[i]
    players = int(state["players"])
    targets = PAWNS * (players - 1)
    row = number // targets
    other = (seat + 1 + number % targets // PAWNS) % players
    target = pawn_in_slot(states, i, other, number % PAWNS)
    progress = int(state["progress"][other, target])
    if row == 0:
        fields = int(state["fields"])
        take(states, i, other, target)
        land(states, i, other, target, (progress + PUSHED) % fields, 1)
        return
    pawn = pawn_in_slot(states, i, color, row - 1)
    mine = field_at(states, i, color, int(state["progress"][color, pawn]))
    exchange(states, i, color, pawn, other, target)
    if int(state["dot_on_swap"]):
        carry_on(states, i, color, pawn)
        if int(state["ring"][mine]) == 1 + PAWNS * other + target:
            carry_on(states, i, other, target)


@kernel
def play_part(states: States, i: int, seat: int, pawn: int, steps: int) -> int:
    """[R4.23, R4.24] One part of a seven; the card is laid with the first."""
    state = states[i]
    color = played_color(states, i, seat)
    if int(state["phase"]) == PLAY:
        spend(states, i, seat, SEVEN)
        state["discard"][SEVEN] += 1
        state["left"] = SEVEN_STEPS
    before = num_home(states, i, color)
    walk(states, i, color, pawn, steps)
    came_home = num_home(states, i, color) > before
    state["moved"][color, pawn] = 1
    state["left"] -= steps
    if came_home and has_won(states, i, seat):
        finish(states, i)
    elif int(state["left"]) > 0:
        state["phase"] = SPLIT
    else:
        clear_seven(states, i)
        state["phase"] = PLAY
        end_action(states, i, seat)
    return 1 + color if came_home else 0


@kernel
def clear_seven(states: States, i: int) -> None:
    """No seven is under way any more."""
    state = states[i]
    state["left"] = 0
    for seat in range(int(state["players"])):
        for pawn in range(PAWNS):
            state["moved"][seat, pawn] = 0


@kernel
def lay_off(states: States, i: int, seat: int) -> None:
    """[R4.4] Hand and extra cards of *seat* go openly to the discard pile."""
    state = states[i]
    for rank in range(RANKS):
        state["discard"][rank] += state["hands"][seat, rank] + state["extras"][seat, rank]
        state["hands"][seat, rank] = 0
        state["extras"][seat, rank] = 0


@kernel
def give(states: States, i: int, seat: int, rank: int) -> None:
    """[R4.2] A card is laid face down for the partner; after the last all change hands."""
    state = states[i]
    spend(states, i, seat, rank)
    state["given"][seat] = 1 + rank
    if seat != int(state["dealer"]):
        end_action(states, i, seat)
        return
    for giver in range(int(state["players"])):
        state["hands"][partner_of(states, i, giver), int(state["given"][giver]) - 1] += 1
    state["phase"] = PLAY
    end_action(states, i, seat)


@kernel
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


# The end [R8] ----------------------------------------------------------------------------------


@kernel
def finish(states: States, i: int) -> None:
    """The game is over, won or timed out."""
    state = states[i]
    clear_seven(states, i)
    state["phase"] = FINISHED
    state["mover"] = OVER


@kernel
def pawns_home(states: States, i: int, seat: int) -> int:
    """How many pawns the side of *seat* has at home."""
    partner = partner_of(states, i, seat)
    own = num_home(states, i, seat)
    return own if partner == seat else own + num_home(states, i, partner)


@kernel
def score(states: States, i: int, seat: int) -> int:
    """[R8.1] Two points per pawn of the side at home, and ten for the winner."""
    points = POINTS_PER_PAWN * pawns_home(states, i, seat)
    return points + WIN_BONUS if has_won(states, i, seat) else points


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


# What a seat cannot know [R5.5] ----------------------------------------------------------------


@kernel
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
                state["given"][other] = 1 + draw_from(state["pile"], left, streams, k)
                left -= 1
            elif other != partner_of(states, i, seat):
                state["given"][other] = 1 + next_below(streams, k, RANKS)


@kernel
def pool(cards: Weights, pile: Weights) -> None:
    """Move *cards* to the pile; their number is kept in their first place meanwhile."""
    number = total(cards)
    for rank in range(RANKS):
        pile[rank] += cards[rank]
        cards[rank] = 0
    cards[0] = number


@kernel
def redraw(cards: Weights, pile: Weights, left: int, streams: Streams, k: int) -> int:
    """Draw the *cards* that `pool` has moved from a pile of *left*; returns their number."""
    number = int(cards[0])
    cards[0] = 0
    for drawn in range(number):
        cards[draw_from(pile, left - drawn, streams, k)] += 1
    return number


@kernel
def draw_from(pile: Weights, left: int, streams: Streams, k: int) -> int:
    """Take a random card from a pile of *left* cards; returns its rank."""
    rest = next_below(streams, k, left)
    rank = 0
    while rest >= int(pile[rank]):
        rest -= int(pile[rank])
        rank += 1
    pile[rank] -= 1
    return rank
