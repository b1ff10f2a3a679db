"""Tacocat in slow, plain Python: what the compiled rules are compared with.

Written from the rules text alone, without a look at the kernels, and meant to stay that way:
if you change one, do not copy from the other. Everything works on the JSON position of
[R9]: a dict of lists in which hands, piles and discards are sorted lists of ranks.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from typing import Any

Position = dict[str, Any]
Chance = Callable[[list[int]], str] | Iterable[str]

DEFAULTS: dict[str, Any] = {
    "deck_counts": [2, 3, 5, 5, 5, 5, 4, 3, 2, 2, 1, 1],
    "hand_sizes": [4, 6, 9, 7, 9, 6, 4],
    "arrows": "111*000",
    "tie_rule": "draw",
    "max_decisions": 1000,
}
RANKS = range(1, 13)
DIRECTION = (-1, 1)  # seat 0 pulls to index 0, seat 1 to index 8 [R2.2]
PHASES = ("replace", "duel", "attack", "defend")


class OracleError(ValueError):
    """A move, an outcome, an option or a position that the rules do not allow."""


# ------------------------------------------------------------------ options [R1.2]


def options(config: dict[str, Any]) -> dict[str, Any]:
    """All options of a game whose *config* names those that differ from the default [R1.2]."""
    unknown = set(config) - set(DEFAULTS)
    if unknown:
        raise OracleError(f"expected options {sorted(DEFAULTS)}, got {sorted(unknown)}")
    full = {**DEFAULTS, **config}
    counts, signs = full["deck_counts"], full["arrows"]
    good = {
        "deck_counts": _whole(counts, 12, 0, 6) and sum(counts) == 38,
        "hand_sizes": _whole(full["hand_sizes"], 7, 2, 9),
        "arrows": isinstance(signs, str) and len(signs) == 7 and set(signs) <= set("01*"),
        "tie_rule": full["tie_rule"] in ("draw", "arrow"),
        "max_decisions": _whole([full["max_decisions"]], 1, 1, float("inf")),
    }
    for key, is_good in good.items():
        if not is_good:
            raise OracleError(f"expected a legal {key}, got {full[key]!r}")
    return full


def _whole(values: Any, length: int, low: float, high: float) -> bool:
    if not isinstance(values, (list, tuple)) or len(values) != length:
        return False
    return all(type(value) is int and low <= value <= high for value in values)


def deck(config: dict[str, Any]) -> list[int]:
    """All 38 cards, ascending."""
    counts = options(config)["deck_counts"]
    return [rank for rank in RANKS for _ in range(counts[rank - 1])]


def hand_size(position: Position) -> int:
    """The number on Tacocat's space [R2.3]."""
    size: int = options(position["config"])["hand_sizes"][position["tacocat"] - 1]
    return size


def arrow(position: Position) -> int | None:
    """The seat the arrow of Tacocat's space points to; None for two arrows."""
    sign = options(position["config"])["arrows"][position["tacocat"] - 1]
    return None if sign == "*" else int(sign)


def is_simultaneous(position: Position) -> bool:
    """Both replace without seeing each other: the first round and two-arrow spaces [R4.2]."""
    return position["round"] == 1 or arrow(position) is None


def first_replacer(position: Position) -> int:
    """The seat that replaces first [R4.3]."""
    if is_simultaneous(position):
        return 0
    return arrow(position) or 0


def replace_limit(position: Position, seat: int) -> int:
    """How many cards *seat* may set aside in all this turn [R4.5]."""
    first = first_replacer(position)
    if is_simultaneous(position) or seat == first:
        return len(position["hands"][seat]) + len(position["aside"][seat])
    return len(position["discard"]["replaced"][first])


def scores(position: Position) -> list[int]:
    """Rounds won by seat 0 and by seat 1, read off the board [R4.16]."""
    used = [*position["covered"], position["tacocat"]]
    return [sum(index < 4 for index in used), sum(index > 4 for index in used)]


# ------------------------------------------------------------------ set-up and chance [R3]


class _Source:
    """Where outcomes come from; remembers them, refuses the impossible."""

    def __init__(self, chance: Chance) -> None:
        self.ask: Callable[[list[int]], str] | None = chance if callable(chance) else None
        self.script: Iterator[str] = iter(()) if callable(chance) else iter(chance)
        self.used: list[str] = []

    def draw(self, pile: list[int]) -> int:
        """Take one card out of *pile*."""
        outcome = self.ask(list(pile)) if self.ask else next(self.script, None)
        legal = {f"!{rank}": rank for rank in pile}
        if outcome not in legal:
            raise OracleError(f"expected an outcome of {sorted(legal)}, got {outcome!r}")
        self.used.append(outcome)
        pile.remove(legal[outcome])
        return legal[outcome]


def _deal(position: Position, source: _Source) -> None:
    """Start a round [R3.3]."""
    position["round"] += 1
    position["draw_pile"] = deck(position["config"])
    position["hands"] = [[], []]
    position["aside"] = [[], []]
    position["discard"] = {key: [[], []] for key in ("replaced", "played", "sacrificed")}
    position["attack"], position["trick_lost"] = [], False
    for seat in (0, 1):
        _draw(position, seat, hand_size(position), source)
    position["phase"] = "replace"
    position["to_move"] = first_replacer(position)


def _draw(position: Position, seat: int, number: int, source: _Source) -> None:
    for _ in range(number):
        position["hands"][seat].append(source.draw(position["draw_pile"]))
    position["hands"][seat].sort()


def initial(config: dict[str, Any], chance: Chance) -> tuple[Position, list[str]]:
    """The first position of a game and the outcomes of its deal [R3.1]."""
    position: Position = {
        "game": "tacocat",
        "config": deepcopy(config),
        "phase": "replace",
        "to_move": 0,
        "decisions": 0,
        "round": 0,
        "tacocat": 4,
        "covered": [],
    }
    source = _Source(chance)
    _deal(position, source)
    return position, source.used


# ------------------------------------------------------------------ moves [R4]


def attack_cards(move: str) -> list[int]:
    """The ranks an attack lays down, highest first: ``a9``, ``a5x3``, ``a4-7`` [R6.3]."""
    text = move[1:]
    if "x" in text:
        rank, copies = text.split("x")
        return [int(rank)] * int(copies)
    if "-" in text:
        low, high = text.split("-")
        return list(range(int(high), int(low) - 1, -1))
    return [int(text)]


def attacks(hand: list[int]) -> list[str]:
    """Every attack the rules allow with *hand*: one card at least stays behind [R4.9]."""
    most = len(hand) - 1
    held = Counter(hand)
    found = []
    for rank in held:
        found.append(f"a{rank}")
        found += [f"a{rank}x{copies}" for copies in range(2, held[rank] + 1)]
        high = rank + 1
        while held[high]:
            if high - rank >= 2:
                found.append(f"a{rank}-{high}")
            high += 1
    return [move for move in found if len(attack_cards(move)) <= most]


def legal_moves(position: Position) -> list[str]:
    """What the seat to move may do, as sorted notation; nothing when the game is over."""
    seat, phase = position["to_move"], position["phase"]
    if phase == "over":
        return []
    hand, aside = position["hands"][seat], position["aside"][seat]
    if phase == "replace":
        moves = ["xx"]
        if len(aside) < replace_limit(position, seat):
            moves += [f"x{rank}" for rank in set(hand) if rank >= max(aside, default=0)]
    elif phase == "duel":
        moves = [f"d{rank}" for rank in set(hand)]
    elif phase == "attack":
        moves = attacks(hand)
    else:
        moves = ["s"] + [f"b{rank}" for rank in set(hand) if rank >= position["attack"][0]]
    return sorted(moves)


def apply(
    position: Position, move: str, chance: Chance
) -> tuple[Position, list[str], list[float], dict[str, Any]]:
    """Play *move*: the position after it, the outcomes it used, rewards and report [R8.3]."""
    if move not in legal_moves(position):
        raise OracleError(f"expected one of {legal_moves(position)}, got {move!r} in {position}")
    after, source = deepcopy(position), _Source(chance)
    after["decisions"] += 1
    play = {"replace": _replace, "duel": _duel, "attack": _attack, "defend": _defend}
    result = play[position["phase"]](after, move, source)
    rewards = [0.0, 0.0]
    if after["tacocat"] in (0, 8):  # [R8.1]
        rewards = [1.0, -1.0] if after["tacocat"] == 0 else [-1.0, 1.0]
    elif after["decisions"] >= options(after["config"])["max_decisions"]:  # [R8.2]
        after["phase"], after["to_move"] = "over", None
    return after, source.used, rewards, {**infos(after), **(result or {})}


def _take(position: Position, seat: int, ranks: list[int], pile: list[int]) -> None:
    """Move cards of *seat* from its hand to *pile*."""
    for rank in ranks:
        position["hands"][seat].remove(rank)
        pile.append(rank)
    pile.sort()


def _replace(position: Position, move: str, source: _Source) -> None:
    seat = position["to_move"]
    if move != "xx":
        _take(position, seat, [int(move[1:])], position["aside"][seat])
        return
    is_first = seat == first_replacer(position)
    ready = [seat]  # [R4.6] revealed and drawn at once
    if is_simultaneous(position):
        ready = [] if is_first else [0, 1]  # [R4.7] both, when seat 1 is done
    for revealed in ready:
        position["discard"]["replaced"][revealed] = position["aside"][revealed]
        position["aside"][revealed] = []
    for drawing in ready:
        _draw(position, drawing, len(position["discard"]["replaced"][drawing]), source)
    if is_first:
        position["to_move"] = 1 - seat
    else:
        position["phase"], position["to_move"] = "duel", 0


def _duel(position: Position, move: str, source: _Source) -> dict[str, Any] | None:
    seat = position["to_move"]
    _take(position, seat, [int(move[1:])], position["aside"][seat])
    if seat == 0:
        position["to_move"] = 1
        return None
    shown = [position["aside"][0][0], position["aside"][1][0]]
    position["aside"] = [[], []]
    for owner in (0, 1):
        played = position["discard"]["played"]
        played[owner] = sorted([*played[owner], shown[owner]])
    if len(position["hands"][0]) == len(position["hands"][1]) == 1:  # [R4.8] first check
        return _end_round(position, source)
    if shown[0] == shown[1]:
        position["to_move"] = 0
    else:
        position["phase"], position["to_move"] = "attack", int(shown[1] > shown[0])
    return None


def _attack(position: Position, move: str, source: _Source) -> None:
    seat, cards = position["to_move"], attack_cards(move)
    _take(position, seat, cards, position["discard"]["played"][seat])
    position["attack"], position["trick_lost"] = cards, False
    position["phase"], position["to_move"] = "defend", 1 - seat


def _defend(position: Position, move: str, source: _Source) -> dict[str, Any] | None:
    seat, discard = position["to_move"], position["discard"]
    if move == "s":
        lowest = min(position["hands"][seat])
        _take(position, seat, [lowest], discard["sacrificed"][seat])
        position["trick_lost"] = True
    else:
        _take(position, seat, [int(move[1:])], discard["played"][seat])
    position["attack"] = position["attack"][1:]
    if position["attack"]:
        return None
    was_lost, position["trick_lost"] = position["trick_lost"], False
    if len(position["hands"][0]) == len(position["hands"][1]) == 1:  # [R4.12] first check
        return _end_round(position, source)
    position["phase"] = "attack"
    position["to_move"] = 1 - seat if was_lost else seat
    return None


def _end_round(position: Position, source: _Source) -> dict[str, Any]:
    """Show the last cards, pull Tacocat, deal again or stop [R4.13-R4.15]."""
    last = [position["hands"][0][0], position["hands"][1][0]]
    winner: int | None
    if last[0] != last[1]:
        winner = 0 if last[0] < last[1] else 1
    else:
        is_arrow_rule = options(position["config"])["tie_rule"] == "arrow"
        winner = arrow(position) if is_arrow_rule else None
    if winner is not None:
        position["covered"] = sorted([*position["covered"], position["tacocat"]])
        position["tacocat"] += DIRECTION[winner]
        while position["tacocat"] in position["covered"]:
            position["tacocat"] += DIRECTION[winner]
    if position["tacocat"] in (0, 8):
        position["phase"], position["to_move"] = "over", None
    else:
        _deal(position, source)
    return {"last_cards": last, "round_winner": winner}


def infos(position: Position) -> dict[str, Any]:
    """What both players learn besides the observation [R8.3]."""
    return {
        "scores": scores(position),
        "round": position["round"],
        "tacocat": position["tacocat"],
    }


# ------------------------------------------------------------------ observation [R7]


def _counts(cards: list[int]) -> list[float]:
    return [cards.count(rank) / 6 for rank in RANKS]


def _face_up(position: Position) -> list[int]:
    return [card for pair in position["discard"].values() for pile in pair for card in pile]


def unseen(position: Position, seat: int) -> list[int]:
    """The cards *seat* has not seen this round, ascending [R5.4]."""
    left = Counter(deck(position["config"]))
    left.subtract(position["hands"][seat] + position["aside"][seat] + _face_up(position))
    return sorted(left.elements())


def floor(position: Position, seat: int) -> int:
    """The highest card *seat* has sacrificed this round: it holds none that is lower [R5.4]."""
    return max(position["discard"]["sacrificed"][seat], default=0)


def observation(position: Position, seat: int) -> list[float]:
    """The 180 numbers *seat* sees, in any phase, to move or not [R7.1]."""
    full, opp, phase = options(position["config"]), 1 - seat, position["phase"]
    hands, aside, discard = position["hands"], position["aside"], position["discard"]
    is_mine = position["to_move"] == seat
    is_replace = phase == "replace"
    is_open = is_replace and not is_simultaneous(position)
    left = replace_limit(position, seat) - len(aside[seat]) if is_replace and is_mine else 0
    now = position["attack"][0] if position["attack"] else 0
    clock = position["decisions"] - (len(aside[opp]) if is_replace else 0)  # [R7.3]
    spaces = list(range(1, 8)) if seat == 0 else list(range(7, 0, -1))
    track = list(range(9)) if seat == 0 else list(range(8, -1, -1))
    won = scores(position)
    toward = {str(seat): 1.0, str(opp): -1.0, "*": 0.0}
    view: list[float] = [float(phase == name) for name in PHASES]
    view += [float(is_mine), float(is_replace and not is_open)]
    view += [float(is_open and first_replacer(position) == seat), left / 9]
    view += [float(position["trick_lost"]), float(full["tie_rule"] == "arrow")]
    view += _counts(hands[seat]) + _counts(aside[seat])
    view += _counts(position["attack"]) + [float(rank == now) for rank in RANKS]
    for owner in (seat, opp):
        for kind in ("replaced", "played", "sacrificed"):
            view += _counts(discard[kind][owner])
    view += _counts(unseen(position, seat))
    view += [(len(hands[who]) + len(aside[who])) / 9 for who in (seat, opp)]
    view += [len(position["draw_pile"]) / 38]
    view += [floor(position, who) / 12 for who in (seat, opp)]
    view += [won[seat] / 4, won[opp] / 4, min(1.0, clock / full["max_decisions"])]
    view += [float(index == position["tacocat"]) for index in track]
    view += [float(index in position["covered"]) for index in spaces]
    view += [full["hand_sizes"][index - 1] / 9 for index in spaces]
    view += [toward[full["arrows"][index - 1]] for index in spaces]
    return view


def state(position: Position) -> list[float]:
    """The 218 numbers of somebody who sees all cards [R7.4]."""
    to_move = [float(position["to_move"] == seat) for seat in (0, 1)]
    others = (position["hands"][1], position["aside"][1], position["draw_pile"])
    return sum((_counts(cards) for cards in others), observation(position, 0) + to_move)
