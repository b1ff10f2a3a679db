"""Tacocat in text: moves and outcomes by table, and what both seats know of the match."""

from ..engine.dtypes import Json, States
from ..engine.spec import table_notation
from .board import BOTH, MOVES, OUTCOMES
from .rules import rounds_won

action_to_move, move_to_action = table_notation(
    MOVES, "a move of Tacocat such as x5, xx, d12, a9, a5x3, a4-7, b10 or s"
)
outcome_to_text, text_to_outcome = table_notation(OUTCOMES, "a card drawn, !1 to !12")


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
