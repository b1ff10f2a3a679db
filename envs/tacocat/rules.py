"""The rules of Tacocat Spelled Backwards as verbs on one record.

`[R4.9]` is paragraph 9 of section 4 of the specification, in our own words in this folder's
README. Ranks are 1..12 in the rules and 0..11 here, as indices.
"""

from ..engine.dtypes import CHANCE, OVER, ChanceWeights, Counts, Floats, Mask, States
from ..engine.jit import kernel
from .board import (
    ASIDE,
    ATTACK,
    ATTACK_CARDS,
    BOTH,
    CENTRE,
    DEFENCE,
    DEFEND,
    DONE,
    DUEL,
    DUEL_CARD,
    FINISHED,
    HAND,
    NUM_ACTIONS,
    PLACES,
    PLAYED,
    RANKS,
    REPLACE,
    REPLACED,
    RUN_FIRST,
    SACRIFICE,
    SACRIFICED,
    SET,
    SET_ASIDE,
    SINGLE,
    TRACK,
)

LAST_GOAL = TRACK - 1


# Questions about a position --------------------------------------------------------------------


@kernel
def total(counts: Counts, place: int) -> int:
    """How many cards lie in the twelve counts from `counts[place]`."""
    cards = 0
    for rank in range(RANKS):
        cards += int(counts[place + rank])
    return cards


@kernel
def highest(counts: Counts, place: int) -> int:
    """The highest rank in the twelve counts from `counts[place]`; -1 if there is none."""
    found = -1
    for rank in range(RANKS):  # without a branch, so the processor never guesses wrong
        found = rank if counts[place + rank] else found
    return found


@kernel
def lowest(counts: Counts, place: int) -> int:
    """The lowest rank in the twelve counts from `counts[place]`; RANKS if there is none."""
    found = RANKS
    for rank in range(RANKS - 1, -1, -1):
        found = rank if counts[place + rank] else found
    return found


@kernel
def is_simultaneous(states: States, i: int) -> bool:
    """[R4.2] Both replace at once: in round 1 and on a space with two arrows."""
    state = states[i]
    return int(state["round"]) == 1 or int(state["arrows"][state["tacocat"]]) == BOTH


@kernel
def first_replacer(states: States, i: int) -> int:
    """[R4.3] The seat that replaces first."""
    state = states[i]
    return 0 if is_simultaneous(states, i) else int(state["arrows"][state["tacocat"]])


@kernel
def replace_limit(states: States, i: int, seat: int) -> int:
    """[R4.5] How many cards *seat* may replace in all; the whole hand where there is no limit."""
    state = states[i]
    if is_simultaneous(states, i) or seat == first_replacer(states, i):
        return total(state["cards"][seat], HAND) + total(state["cards"][seat], ASIDE)
    return total(state["cards"][1 - seat], REPLACED)


@kernel
def to_move(states: States, i: int) -> int:
    """The seat that decides, CHANCE while cards are due, or OVER."""
    state = states[i]
    if int(state["due"][0]) + int(state["due"][1]) > 0:
        return CHANCE
    return int(state["mover"])


# Set-up and chance [R3] ------------------------------------------------------------------------


@kernel
def reset(states: States, i: int) -> None:
    """[R3.1] Tacocat in the centre, no tiles, and the deal of round 1."""
    state = states[i]
    state["decisions"] = 0
    state["round"] = 0
    state["tacocat"] = CENTRE
    for space in range(TRACK):
        state["covered"][space] = 0
    deal(states, i)


@kernel
def deal(states: States, i: int) -> None:
    """[R3.3] A new round: all cards back to the pile, then each seat is due a hand."""
    state = states[i]
    state["round"] += 1
    for rank in range(RANKS):
        state["pile"][rank] = state["deck_counts"][rank]
        state["attack"][rank] = 0
    for seat in range(2):
        for k in range(len(PLACES) * RANKS):
            state["cards"][seat, k] = 0
    state["trick_lost"] = 0
    size = int(state["hand_sizes"][state["tacocat"]])
    state["due"][0] = size
    state["due"][1] = size
    state["phase"] = REPLACE
    state["mover"] = first_replacer(states, i)


@kernel
def chance_weights(states: States, i: int, weights: ChanceWeights) -> None:
    """[R3.2] A card is drawn evenly from what is left: the copies of each rank."""
    for rank in range(RANKS):
        weights[rank] = int(states[i]["pile"][rank])


@kernel
def step_chance(states: States, i: int, outcome: int) -> None:
    """[R3.4] The card goes to seat 0 while it is due one, then to seat 1."""
    state = states[i]
    seat = 0 if int(state["due"][0]) > 0 else 1
    state["pile"][outcome] -= 1
    state["cards"][seat, HAND + outcome] += 1
    state["due"][seat] -= 1
    stop_at_cap(states, i)


@kernel
def stop_at_cap(states: States, i: int) -> None:
    """[R8.2] The technical cap, once the move has been carried out with all its cards."""
    state = states[i]
    if to_move(states, i) >= 0 and int(state["decisions"]) >= int(state["max_decisions"]):
        state["phase"] = FINISHED
        state["mover"] = OVER


# Legal actions [R4] ----------------------------------------------------------------------------


@kernel
def legal_mask(states: States, i: int, mask: Mask) -> None:
    """Write the legal actions of the seat to move."""
    for action in range(NUM_ACTIONS):
        mask[action] = 0
    seat = to_move(states, i)
    if seat < 0:
        return
    state = states[i]
    phase = int(state["phase"])
    cards = state["cards"][seat]
    if phase == REPLACE:
        mask_replace(states, i, seat, mask)
    elif phase == DUEL:
        for rank in range(RANKS):
            mask[DUEL_CARD + rank] = cards[HAND + rank] > 0
    elif phase == ATTACK:
        mask_attack(cards, mask)
    else:
        for rank in range(highest(state["attack"], 0), RANKS):  # [R4.11]
            mask[DEFENCE + rank] = cards[HAND + rank] > 0
        mask[SACRIFICE] = 1


@kernel
def mask_replace(states: States, i: int, seat: int, mask: Mask) -> None:
    """[R4.4] Ascending ranks up to the limit; `xx` always."""
    state = states[i]
    mask[DONE] = 1
    cards = state["cards"][seat]
    if total(cards, ASIDE) < replace_limit(states, i, seat):
        for rank in range(max(highest(cards, ASIDE), 0), RANKS):
            mask[SET_ASIDE + rank] = cards[HAND + rank] > 0


@kernel
def mask_attack(cards: Counts, mask: Mask) -> None:
    """[R4.9] Singles, sets and runs, never with the last card."""
    most = total(cards, HAND) - 1
    run = 0
    for rank in range(RANKS):
        held = int(cards[HAND + rank])
        if held == 0:
            run = 0
            continue
        run += 1
        mask[SINGLE + rank] = 1
        for size in range(2, min(held, most) + 1):
            mask[SET + 5 * rank + size - 2] = 1
        for size in range(3, min(run, most) + 1):
            mask[RUN_FIRST[size] + rank - size + 1] = 1


# Moves [R4] ------------------------------------------------------------------------------------


@kernel
def step(states: States, i: int, action: int) -> int:
    """Play a legal action; returns 0, or the last cards of the round that it ended (`report`)."""
    state = states[i]
    seat = int(state["mover"])
    state["decisions"] += 1
    report = 0
    if action < DONE:
        state["cards"][seat, HAND + action] -= 1
        state["cards"][seat, ASIDE + action] += 1
    elif action == DONE:
        finish_replacing(states, i, seat)
    elif action < SINGLE:
        report = lay_duel_card(states, i, seat, action - DUEL_CARD)
    elif action < DEFENCE:
        attack(states, i, seat, action)
    else:
        report = answer(states, i, seat, action)
    stop_at_cap(states, i)
    return report


@kernel
def finish_replacing(states: States, i: int, seat: int) -> None:
    """[R4.6, R4.7] Turn up what was set aside and draw as many; both at once or in turn."""
    state = states[i]
    both_at_once = is_simultaneous(states, i)
    is_first = seat == first_replacer(states, i)
    if not (both_at_once and is_first):
        turn_up(states, i, seat)
        if both_at_once:
            turn_up(states, i, 1 - seat)
    if is_first:
        state["mover"] = 1 - seat
    else:
        state["phase"] = DUEL
        state["mover"] = 0


@kernel
def turn_up(states: States, i: int, seat: int) -> None:
    """Put the cards that *seat* set aside on the discards; as many are due."""
    state = states[i]
    for rank in range(RANKS):
        cards = int(state["cards"][seat, ASIDE + rank])
        state["cards"][seat, REPLACED + rank] += cards
        state["cards"][seat, ASIDE + rank] = 0
        state["due"][seat] += cards


@kernel
def lay_duel_card(states: States, i: int, seat: int, rank: int) -> int:
    """[R4.8] Seat 0 lays a card face down; when seat 1 has chosen both are turned up."""
    state = states[i]
    state["cards"][seat, HAND + rank] -= 1
    if seat == 0:
        state["cards"][0, ASIDE + rank] = 1
        state["mover"] = 1
        return 0
    other = highest(state["cards"][0], ASIDE)
    state["cards"][0, ASIDE + other] = 0
    state["cards"][0, PLAYED + other] += 1
    state["cards"][1, PLAYED + rank] += 1
    if total(state["cards"][0], HAND) == 1:
        return end_round(states, i)
    if other == rank:
        state["mover"] = 0
    else:
        state["phase"] = ATTACK
        state["mover"] = 0 if other > rank else 1
    return 0


@kernel
def attack(states: States, i: int, seat: int, action: int) -> None:
    """[R4.9, R4.10] Lay the attack's cards face up; the other seat has to answer them."""
    state = states[i]
    for rank in range(RANKS):
        cards = int(ATTACK_CARDS[action, rank])
        state["cards"][seat, HAND + rank] -= cards
        state["cards"][seat, PLAYED + rank] += cards
        state["attack"][rank] = cards
    state["phase"] = DEFEND
    state["mover"] = 1 - seat


@kernel
def answer(states: States, i: int, seat: int, action: int) -> int:
    """[R4.11, R4.12] Answer the highest open attack card: with a card as high, or a sacrifice."""
    state = states[i]
    if action == SACRIFICE:
        rank = lowest(state["cards"][seat], HAND)
        state["cards"][seat, SACRIFICED + rank] += 1
        state["trick_lost"] = 1
    else:
        rank = action - DEFENCE
        state["cards"][seat, PLAYED + rank] += 1
    state["cards"][seat, HAND + rank] -= 1
    state["attack"][highest(state["attack"], 0)] -= 1
    if highest(state["attack"], 0) >= 0:
        return 0
    lost = int(state["trick_lost"])
    state["trick_lost"] = 0
    if total(state["cards"][seat], HAND) == 1:
        return end_round(states, i)
    state["phase"] = ATTACK
    state["mover"] = 1 - seat if lost else seat
    return 0


# The end of a round [R4.13 - R4.16] ------------------------------------------------------------


@kernel
def end_round(states: States, i: int) -> int:
    """Compare the last cards, move Tacocat, deal again or end the game; returns the report."""
    state = states[i]
    cards_0 = lowest(state["cards"][0], HAND)
    cards_1 = lowest(state["cards"][1], HAND)
    if cards_0 != cards_1:
        winner = 0 if cards_0 < cards_1 else 1
    elif int(state["arrow_breaks_ties"]):
        winner = int(state["arrows"][state["tacocat"]])
    else:
        winner = BOTH
    if winner != BOTH:
        pull(states, i, winner)
    if int(state["tacocat"]) % LAST_GOAL == 0:  # 0 or LAST_GOAL: one test for both goals
        state["phase"] = FINISHED
        state["mover"] = OVER
    else:
        deal(states, i)
    # The report for `infos`, never 0: both last cards (1..12, four bits each) and the winner.
    return (cards_0 + 1) | (cards_1 + 1) << 4 | (winner + 1) << 8


@kernel
def pull(states: States, i: int, winner: int) -> None:
    """[R4.14] A tile where Tacocat stood, which moves towards *winner*, over covered spaces."""
    state = states[i]
    state["covered"][state["tacocat"]] = 1
    direction = -1 if winner == 0 else 1
    while state["covered"][state["tacocat"]]:
        state["tacocat"] += direction


@kernel
def rounds_won(states: States, i: int, seat: int) -> int:
    """[R4.16] The used spaces on the winner's side, Tacocat's own included."""
    state = states[i]
    tacocat = int(state["tacocat"])
    won = 0
    for k in range(1, CENTRE + 1):
        space = CENTRE - k if seat == 0 else CENTRE + k
        won += 1 if space == tacocat else int(state["covered"][space])
    return won


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    """[R4.16] The rounds won."""
    out[0], out[1] = rounds_won(states, i, 0), rounds_won(states, i, 1)


@kernel
def is_truncated(states: States, i: int) -> bool:
    """[R8.2] Over, but Tacocat has reached no goal."""
    state = states[i]
    return int(state["mover"]) == OVER and int(state["tacocat"]) % LAST_GOAL != 0


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """[R8.1] +1 for the seat in whose goal Tacocat stands, -1 for the other; else zeros."""
    place = int(states[i]["tacocat"])
    out[0] = 0.0
    out[1] = 0.0
    if place == 0:
        out[0] = 1.0
        out[1] = -1.0
    elif place == LAST_GOAL:
        out[0] = -1.0
        out[1] = 1.0
