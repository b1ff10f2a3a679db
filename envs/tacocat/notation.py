"""What both seats know of a match of Tacocat."""

from ..engine.dtypes import Json, States
from .board import BOTH
from .rules import rounds_won


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
