"""What is public in Pig, and which positions there are."""

from spelkast.envs.engine.dtypes import OVER, Json, States
from spelkast.envs.engine.errors import expect


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
