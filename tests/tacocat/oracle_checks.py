"""What must hold in every position of Tacocat, and what a seat cannot distinguish."""

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

from .oracle import (
    Position,
    deck,
    first_replacer,
    floor,
    hand_size,
    is_simultaneous,
    legal_moves,
    options,
    replace_limit,
    unseen,
)

KEYS = {"game", "config", "phase", "to_move", "decisions", "round", "tacocat", "covered"}
KEYS |= {"hands", "draw_pile", "aside", "discard", "attack", "trick_lost"}


def is_valid(position: Position) -> bool:
    """Whether *position* keeps every invariant of [R9.3]."""
    return not faults(position)


def faults(position: Position) -> list[str]:
    """The invariants that *position* breaks, in words; none for a position of the game."""
    if set(position) != KEYS:
        return [f"expected keys {sorted(KEYS)}, got {sorted(position)}"]
    options(position["config"])
    if (position["phase"] == "over") != (position["to_move"] is None):
        return ["over, or somebody is to move"]
    if position["tacocat"] in (0, 8) and position["phase"] != "over":
        return ["a goal ends the game"]
    if position["phase"] == "defend" and not position["attack"]:
        return ["there is an attack to answer"]
    held = {**_board(position), **_cards(position), **_turn(position)}
    return [sentence for sentence, is_kept in held.items() if not is_kept]


def _board(position: Position) -> dict[str, bool]:
    """[R4.16] The used spaces are one stretch around the centre, Tacocat at one end of it."""
    used = sorted([*position["covered"], position["tacocat"]])
    goal = position["tacocat"] in (0, 8)
    rounds = position["round"] - (0 if goal else 1)
    return {
        "covered spaces are sorted and between the goals": position["covered"]
        == sorted(set(position["covered"]) & set(range(1, 8))),
        "used spaces are a stretch": used == list(range(used[0], used[-1] + 1)),
        "the centre is used": 4 in used,
        "Tacocat is at an end of the stretch": position["tacocat"] in (used[0], used[-1]),
        "every tile took a round": 0 <= len(position["covered"]) <= rounds,
        "a round takes four decisions": position["decisions"] >= 4 * rounds,
        "cards set aside, xx and duel cards were decisions": goal
        or position["decisions"]
        >= 4 * rounds
        + {"duel": 2, "attack": 4, "defend": 4}.get(position["phase"], 0)
        + (position["phase"] == "replace" and position["to_move"] != first_replacer(position))
        + sum(map(len, [*position["aside"], *position["discard"]["replaced"]])),
        "at most seven tiles": len(position["covered"]) <= 7,
        "over only by goal or cap": position["phase"] != "over"
        or goal
        or position["decisions"] == options(position["config"])["max_decisions"],
        "not beyond the cap": position["decisions"]
        < options(position["config"])["max_decisions"] + (position["phase"] == "over"),
    }


def _cards(position: Position) -> dict[str, bool]:
    """[R9.3] Where the 38 cards are."""
    hands, aside, discard = position["hands"], position["aside"], position["discard"]
    piles = [*hands, *aside, position["draw_pile"], *(p for pair in discard.values() for p in pair)]
    sizes = [
        len(hands[s]) + len(aside[s]) + len(discard["played"][s]) + len(discard["sacrificed"][s])
        for s in (0, 1)
    ]
    replaced = sum(map(len, discard["replaced"]))
    left = 38 - sum(sizes) - replaced
    is_goal = position["tacocat"] in (0, 8)
    return {
        "all 38 cards are there": sorted(c for p in piles for c in p) == deck(position["config"]),
        "every pile is ascending": all(pile == sorted(pile) for pile in piles),
        "both were dealt the same": sizes[0] == sizes[1],
        "they were dealt the number of the space": is_goal or sizes[0] == hand_size(position),
        "the draw pile is the rest": len(position["draw_pile"]) == left,
        "nothing is lower than an own sacrifice": all(
            card >= floor(position, s) for s in (0, 1) for card in hands[s] + aside[s]
        ),
        "one card each in a goal": not is_goal or [len(hands[0]), len(hands[1])] == [1, 1],
        "the second replaced no more than the first": is_goal or _is_within_limit(position),
        "the winner has the lower last card": not is_goal or _is_won(position),
        "nothing is open in a goal": not is_goal
        or (position["attack"], position["trick_lost"], aside) == ([], False, [[], []]),
    }


def _is_within_limit(position: Position) -> bool:
    """[R4.5] Also later in the round."""
    first = first_replacer(position)
    replaced = [len(pile) for pile in position["discard"]["replaced"]]
    return is_simultaneous(position) or replaced[1 - first] <= replaced[first]


def _is_won(position: Position) -> bool:
    """[R4.13] The last space was at an end of the covered stretch; which one is not known."""
    winner = 0 if position["tacocat"] == 0 else 1
    mine: list[int] = position["hands"][winner]
    theirs: list[int] = position["hands"][1 - winner]
    rules = options(position["config"])
    arrows = [rules["arrows"][space - 1] for space in position["covered"]]
    by_arrow = rules["tie_rule"] == "arrow" and str(winner) in (arrows[:1] + arrows[-1:])
    return mine < theirs or (mine == theirs and by_arrow)


def _turn(position: Position) -> dict[str, bool]:
    """What belongs to the phase: attack, face-down cards, hand sizes."""
    phase, seat, attack = position["phase"], position["to_move"], position["attack"]
    size = [len(hand) for hand in position["hands"]]
    aside = [len(cards) for cards in position["aside"]]
    total = [size[s] + aside[s] for s in (0, 1)]
    held = {
        "attack cards are highest first": attack == sorted(attack, reverse=True),
        "no empty mask": phase == "over" or len(legal_moves(position)) > 0,
        "hands differ by the attack": max(total) - min(total) == len(attack),
        "everybody keeps a card": min(total) >= 1,
        "a lost trick has an attack": attack != [] or not position["trick_lost"],
    }
    if phase == "defend":
        played = Counter(position["discard"]["played"][1 - seat])
        held["the attack is face up"] = not Counter(attack) - played
        held["the defender is that much ahead"] = size[seat] - len(attack) == size[1 - seat] >= 1
        held["a lost trick has a sacrifice"] = (
            not position["trick_lost"] or position["discard"]["sacrificed"][seat] != []
        )
    elif phase != "over":
        held["an attack only while defending"] = attack == []
    if phase in ("attack", "defend"):
        held["nothing is face down"] = aside == [0, 0]
        held["both keep one"] = phase == "defend" or min(size) >= 2
    if phase == "duel":
        played = position["discard"]["played"]
        held["only seat 0 has a card face down"] = aside == [int(seat == 1), 0]
        held["earlier duels were tied"] = played[0] == played[1]
    if phase == "replace":
        held.update(_replacing(position, aside))
    return held


def _replacing(position: Position, aside: list[int]) -> dict[str, bool]:
    seat, first = position["to_move"], first_replacer(position)
    replaced = [len(pile) for pile in position["discard"]["replaced"]]
    return {
        "within the limit": all(aside[s] <= replace_limit(position, s) for s in (0, 1)),
        "nothing is played yet": not any(
            position["discard"]["played"] + position["discard"]["sacrificed"]
        ),
        "the second has not begun": seat != first or aside[1 - first] == 0,
        "the first has shown his": is_simultaneous(position) or seat == first or aside[first] == 0,
        "nothing is shown too early": replaced[1 - first] == 0
        and (replaced[first] == 0 or not (is_simultaneous(position) or seat == first)),
    }


def hidden_swaps(position: Position, seat: int, rng: Random) -> Position:
    """Another position that *seat* cannot distinguish from this one: all it cannot see is redrawn.

    That is the opponent's hand and face-down cards, the draw pile and, while the opponent may
    have set cards aside, their number [R5.3]. In a goal everything is known.
    """
    after: dict[str, Any] = deepcopy(position)
    if position["tacocat"] in (0, 8):
        return after
    opp, pile = 1 - seat, unseen(position, seat)
    total = len(position["hands"][opp]) + len(position["aside"][opp])
    number = len(position["aside"][opp])
    if position["phase"] == "replace" and _may_have_set_aside(position, opp):
        seen = position["decisions"] - number
        cap = options(position["config"])["max_decisions"] - 1 - seen
        number = rng.randint(0, min(replace_limit(position, opp), cap))
        after["decisions"] = seen + number
    cards = rng.sample([card for card in pile if card >= floor(position, opp)], total)
    after["aside"][opp], after["hands"][opp] = sorted(cards[:number]), sorted(cards[number:])
    after["draw_pile"] = sorted((Counter(pile) - Counter(cards)).elements())
    return after


def _may_have_set_aside(position: Position, opp: int) -> bool:
    if position["to_move"] == opp:
        return True
    return is_simultaneous(position) and opp == 0


def damaged(position: Position, rng: Random) -> Position:
    """A copy with one thing changed, which is mostly no position of the game any more."""
    after: dict[str, Any] = deepcopy(position)
    discard = after["discard"]
    face_up = [pile for pair in discard.values() for pile in pair]
    piles = [*after["hands"], *after["aside"], after["draw_pile"], *face_up]
    kind = rng.randrange(7)
    if kind <= 1:  # a card in the wrong place, or two cards that change places
        source, target = rng.sample([pile for pile in piles if pile], 2)
        target.append(source.pop(rng.randrange(len(source))))
        if kind == 1:
            source.append(target.pop(rng.randrange(len(target))))
        source.sort()
        target.sort()
    elif kind == 2:
        after["to_move"] = rng.choice([0, 1, None])
    elif kind == 3:
        after["phase"] = rng.choice(["replace", "duel", "attack", "defend", "over"])
    elif kind == 4:
        after["tacocat"] = rng.randrange(9)
        after["covered"] = sorted(rng.sample(range(1, 8), rng.randrange(6)))
    elif kind == 5:
        after["trick_lost"] = not after["trick_lost"]
    else:
        after["attack"] = after["attack"][1:] if after["attack"] else [rng.randint(1, 12)]
    return after
