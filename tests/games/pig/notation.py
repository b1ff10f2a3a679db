"""Pig in text: moves and pips by table; what is public; which positions there are."""

from spelkast.envs.engine.dtypes import OVER, Json, States
from spelkast.envs.engine.errors import expect
from spelkast.envs.engine.spec import table_notation

from .board import MOVES, OUTCOMES

action_to_move, move_to_action = table_notation(MOVES, "roll or hold")
outcome_to_text, text_to_outcome = table_notation(OUTCOMES, "the pips of a die, !1 to !6")


def infos(states: States, i: int) -> Json:
    """What is public about the match."""
    return {"scores": states[i]["points"].tolist()}


def report(code: int) -> Json:
    """The points that a step banked."""
    return {"banked": code}


def check_reachable(states: States, position: Json) -> None:
    """The game is over when a seat has reached the goal or the cap has come, and only then."""
    state = states[0]
    is_over = state["points"].max() >= state["goal"] or state["decisions"] >= state["max_decisions"]
    wanted = f"to_move {'null' if is_over else '0 or 1'}"
    expect(is_over == (state["mover"] == OVER), wanted, position["to_move"])
