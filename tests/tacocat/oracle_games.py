"""Games of Tacocat by the slow rules: chance, options, players, and the table of actions."""

from collections.abc import Callable
from random import Random
from typing import Any

from . import oracle_baselines
from .oracle import RANKS, Position, legal_moves

Player = Callable[[Position, int, Random], str]

RUNS = [f"a{low}-{low + more}" for more in range(2, 7) for low in range(1, 13 - more)]
ACTIONS = [
    *(f"x{rank}" for rank in RANKS),
    "xx",
    *(f"d{rank}" for rank in RANKS),
    *(f"a{rank}" for rank in RANKS),
    *(f"a{rank}x{copies}" for rank in RANKS for copies in range(2, 7)),
    *RUNS,
    *(f"b{rank}" for rank in RANKS),
    "s",
]
"""The notation of action 0..149 [R6.1]."""


def chance_of(rng: Random) -> Callable[[list[int]], str]:
    """Draw uniformly from the cards that are left [R3.2]."""
    return lambda pile: f"!{rng.choice(pile)}"


def random_config(rng: Random) -> dict[str, Any]:
    """Some legal options, the extremes among them [R1.2]."""
    counts = [0] * 12
    while sum(counts) < 38:
        rank = rng.randrange(12)
        counts[rank] = min(6, counts[rank] + rng.randint(1, 38 - sum(counts)))
    config: dict[str, Any] = {
        "deck_counts": counts,
        "hand_sizes": [rng.choice([2, 3, 4, 5, 6, 7, 8, 9, 9]) for _ in range(7)],
        "arrows": "".join(rng.choice("01*") for _ in range(7)),
        "tie_rule": "arrow",
        "max_decisions": rng.choice([1, 5, 40, 150, 300, 12345]),
    }
    return {key: value for key, value in config.items() if rng.random() < 0.6}


def random_move(position: Position, seat: int, rng: Random) -> str:
    """Any legal move [R12.2]."""
    return rng.choice(legal_moves(position))


def novice(position: Position, seat: int, rng: Random) -> str:
    """The baseline of [R12.3]."""
    return oracle_baselines.novice(position, seat)


def solid(position: Position, seat: int, rng: Random) -> str:
    """The baseline of [R12.4]."""
    return oracle_baselines.solid(position, seat)


def strong(position: Position, seat: int, rng: Random) -> str:
    """The baseline of [R12.5], with hands of its own."""
    if not oracle_baselines.is_searched(position, seat):
        return oracle_baselines.solid(position, seat)
    hands = oracle_baselines.sample_hands(position, seat, rng)
    return oracle_baselines.strong(position, seat, hands)


def any_move(position: Position, seat: int, rng: Random) -> str:
    """Mostly random, now and then sensible: reaches what neither reaches alone."""
    player = rng.choice([random_move, random_move, novice, solid])
    return player(position, seat, rng)
