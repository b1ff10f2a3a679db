"""What is public in Tacocat, and which positions the rules can reach [R9.3], one by one."""

from typing import Any

from ..engine.dtypes import Json, States
from ..engine.errors import expect
from .board import (
    ASIDE,
    ATTACK,
    BOTH,
    CENTRE,
    DECK_SIZE,
    DEFEND,
    DUEL,
    FINISHED,
    GOALS,
    HAND,
    PLAYED,
    RANKS,
    REPLACE,
    REPLACED,
    SACRIFICED,
    lying,
)
from .rules import first_replacer, highest, is_simultaneous, lowest, replace_limit, rounds_won


def infos(states: States, i: int) -> Json:
    """What both seats know about the match [R8.3]."""
    return {
        "scores": [int(rounds_won(states, i, seat)) for seat in range(2)],
        "round": int(states["round"][i]),
        "tacocat": int(states["tacocat"][i]),
    }


def report(code: int) -> Json:
    """The last cards and the winner of the round that a step ended [R8.3]."""
    winner = (code >> 8) - 1
    return {
        "last_cards": [code & 15, code >> 4 & 15],
        "round_winner": None if winner == BOTH else winner,
    }


def check_reachable(states: States, position: Json) -> None:
    """Expect that row 0 keeps every invariant; *position* is its JSON."""
    _check_track(states[0])
    _check_cards(states[0])
    _check_phase(states)
    _check_decisions(states)


def _check_track(state: Any) -> None:
    """Tiles and Tacocat form one block around the centre with Tacocat at an end [R4.14]."""
    tacocat = int(state["tacocat"])
    covered = state["covered"].nonzero()[0].tolist()
    used = sorted([*covered, tacocat])
    is_block = used == list(range(used[0], used[-1] + 1)) and CENTRE in used
    expect(
        is_block and tacocat in (used[0], used[-1]),
        "covered spaces and Tacocat to form one block around the centre with Tacocat at its end",
        f"Tacocat on {tacocat} and tiles on {covered}",
    )
    is_home, finished = tacocat in GOALS, int(state["phase"]) == FINISHED
    number, decisions, cap = (int(state[key]) for key in ("round", "decisions", "max_decisions"))
    rounds = len(covered) + (0 if is_home else 1)
    expect(number >= rounds, f"round {rounds} or later with these tiles", number)
    least = 4 * (number - (0 if is_home else 1))  # both say xx and lay a duel card
    expect(decisions >= least, f"at least {least} decisions by round {number}", decisions)
    expect(finished or not is_home, "phase 'over' with Tacocat in a goal", "another phase")
    if finished and not is_home:
        expect(decisions == cap, f"{cap} decisions in a game cut off", decisions)
    else:
        most = cap if finished else cap - 1
        expect(decisions <= most, f"at most {most} decisions", decisions)


def _check_decisions(states: States) -> None:
    """Cards set aside, both "xx" and both duel cards of this round were decisions [R4.3 - R4.8]."""
    state = states[0]
    said = {DUEL: 2, ATTACK: 4, DEFEND: 4}.get(int(state["phase"]), 0)
    if int(state["phase"]) == REPLACE:
        said = int(state["mover"] != first_replacer(states, 0))
    cards = sum(int(lying(state, place).sum()) for place in (REPLACED, ASIDE))
    least, decisions = 4 * (int(state["round"]) - 1) + said + cards, int(state["decisions"])
    is_home = int(state["tacocat"]) in GOALS  # the last round is over, and has been counted
    expect(is_home or decisions >= least, f"at least {least} decisions with these cards", decisions)


def _check_cards(state: Any) -> None:
    """Every card of the deck is in one place, and every seat had a full hand."""
    places = (state["pile"] + state["cards"].reshape(-1, RANKS).sum(axis=0)).tolist()
    deck = state["deck_counts"].tolist()
    expect(places == deck, f"the deck {deck} (copies of rank 1..12)", places)
    sizes, parts = _hand_sizes(state), (HAND, ASIDE, PLAYED, SACRIFICED)
    used = sum(lying(state, place).sum(axis=1) for place in parts).tolist()
    wanted = f"{' or '.join(map(str, sizes))} cards per seat (hand, aside, played, sacrificed)"
    expect(used[0] == used[1] and used[0] in sizes, wanted, used)
    pile = DECK_SIZE - sum(used) - lying(state, REPLACED).sum()
    expect(state["pile"].sum() == pile, f"{pile} cards in the draw pile", state["pile"].sum())
    for seat, cards in enumerate(state["cards"]):
        floor, least = highest(cards, SACRIFICED), lowest(cards, HAND)
        wanted = f"no card below {floor + 1}, the highest sacrifice, in the hand of seat {seat}"
        expect(least >= floor, wanted, least + 1)


def _hand_sizes(state: Any) -> list[int]:
    """The hand sizes that the round may have had."""
    tacocat = int(state["tacocat"])
    if tacocat not in GOALS:
        return [int(state["hand_sizes"][tacocat])]
    return sorted({int(state["hand_sizes"][space]) for space in _last_spaces(state)})


def _last_spaces(state: Any) -> list[int]:
    """Where Tacocat may have stood before it reached a goal: an end of the covered block."""
    covered = state["covered"].nonzero()[0]
    return [int(covered[0]), int(covered[-1])]


def _check_phase(states: States) -> None:
    state = states[0]
    phase = int(state["phase"])
    attack = int(state["attack"].sum())
    if phase == FINISHED:
        _check_end(state)
        return
    expect((phase == DEFEND) == (attack > 0), "attack cards in phase 'defend' only", attack)
    expect(phase == DEFEND or not state["trick_lost"], "trick_lost in phase 'defend' only", "true")
    if phase == REPLACE:
        _check_replace(states)
        return
    _check_replaced(states)
    seat = int(state["mover"])
    hands = lying(state, HAND).sum(axis=1)
    aside = lying(state, ASIDE).sum(axis=1).tolist()
    hidden = 1 if phase == DUEL and seat == 1 else 0
    expect(aside == [hidden, 0], f"{[hidden, 0]} cards face down", aside)
    expect(
        hands[seat] - attack - hidden == hands[1 - seat]
        and hands[1 - seat] >= (1 if phase == DEFEND or hidden else 2),
        "hands of equal size before the cards on the table, and more than the last card",
        hands.tolist(),
    )
    if phase == DUEL:
        expect(not lying(state, SACRIFICED).any(), "no sacrifice before an attack", "some")
        played = lying(state, PLAYED)
        expect((played[0] == played[1]).all(), "earlier duels of the round tied", "others")
    elif phase == DEFEND:
        _check_attack(state, seat)


def _check_end(state: Any) -> None:
    """[R4.13, R4.14] In a goal both show their last card, and the winner's is the lower."""
    tacocat = int(state["tacocat"])
    if tacocat not in GOALS:
        _check_cut_off(state)
        return
    hands = lying(state, HAND)
    sizes = hands.sum(axis=1).tolist()
    is_quiet = not (lying(state, ASIDE).any() or state["attack"].any() or state["trick_lost"])
    wanted = "one card each, nothing face down and no attack with Tacocat in a goal"
    expect(sizes == [1, 1] and is_quiet, wanted, sizes)
    winner = GOALS.index(tacocat)
    last = [int(lowest(hand, 0)) for hand in hands]
    by_arrow = state["arrow_breaks_ties"] and winner in state["arrows"][_last_spaces(state)]
    has_won = last[winner] < last[1 - winner] or (last[0] == last[1] and by_arrow)
    expect(has_won, f"a last card of seat {winner} that wins", [rank + 1 for rank in last])


def _check_cut_off(state: Any) -> None:
    """[R9.4] A game that was cut off keeps what holds in every phase."""
    held = (lying(state, HAND) + lying(state, ASIDE)).sum(axis=1).tolist()
    attack = int(state["attack"].sum())
    expect(max(held) - attack == min(held) >= 1, f"hands {attack} cards apart", held)
    expect(attack or not state["trick_lost"], "an attack where the trick is lost", "none")


def _check_replace(states: States) -> None:
    """[R4.3 - R4.7] Who has set aside and turned up what, by whose turn it is."""
    state = states[0]
    seat, first = int(state["mover"]), int(first_replacer(states, 0))
    played = lying(state, PLAYED).any() or lying(state, SACRIFICED).any()
    expect(not played, "no card played in phase 'replace'", "some")
    turned_up = not is_simultaneous(states, 0) and seat != first
    for other in range(2):
        replaced = int(lying(state, REPLACED)[other].sum())
        is_due = replaced == 0 or (turned_up and other == first)
        expect(is_due, f"nothing turned up by seat {other} yet", f"{replaced} cards")
    waits = turned_up or seat == first
    aside = int(lying(state, ASIDE)[1 - seat].sum())
    expect(not waits or aside == 0, f"nothing set aside by seat {1 - seat}", f"{aside} cards")
    limit = int(replace_limit(states, 0, seat))
    aside = int(lying(state, ASIDE)[seat].sum())
    expect(aside <= limit, f"at most {limit} cards set aside by seat {seat}", aside)


def _check_replaced(states: States) -> None:
    """[R4.5] The second to replace in turn replaced no more than the first."""
    state = states[0]
    if is_simultaneous(states, 0):
        return
    first = int(first_replacer(states, 0))
    replaced = lying(state, REPLACED).sum(axis=1)
    most, got = replaced[first], replaced[1 - first]
    expect(got <= most, f"seat {1 - first} to have replaced at most {most} cards", got)


def _check_attack(state: Any, defender: int) -> None:
    """[R4.9] What is left to answer lies among the attacker's cards and is a set or a run."""
    attack, played = state["attack"], lying(state, PLAYED)[1 - defender]
    ranks = (attack.nonzero()[0] + 1).tolist()
    wanted = f"the attack cards among those seat {1 - defender} played"
    expect((attack <= played).all(), wanted, ranks)
    is_run = attack.max() == 1 and ranks[-1] - ranks[0] + 1 == len(ranks)
    expect(len(ranks) == 1 or is_run, "an attack of one rank or a run", ranks)
    has_sacrificed = not state["trick_lost"] or lying(state, SACRIFICED)[defender].any()
    expect(has_sacrificed, f"a sacrifice of seat {defender} where the trick is lost", "none")
