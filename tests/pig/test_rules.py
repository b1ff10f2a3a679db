"""What the worked examples of Pig, in its `cases/`, do not show."""

import pytest

from games.pig.game import SPEC
from spelkast.envs.engine.aec import GameEnv


def play(*moves: str, chance: list[str]) -> GameEnv:
    """The game after *moves*, with the outcomes of *chance*."""
    env = GameEnv(SPEC)
    env.reset(seed=0, options={"chance": chance})
    for move in moves:
        env.step(env.move_to_action(move))
    return env


def test_a_turn_is_banked_when_it_is_held():
    """[R2] The points are the seat's own, and the other seat is next."""
    env = play("roll", "roll", "hold", chance=["!4", "!6"])

    assert env.infos["player_0"]["scores"] == [10, 0]
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize("pips", ["!2", "!6"])
def test_a_one_costs_the_turn_alone(pips: str):
    """[R1] What was banked before stays."""
    moves = ("roll", "hold", "roll", "hold", "roll", "roll")
    env = play(*moves, chance=["!5", "!3", pips, "!1"])

    assert env.infos["player_0"]["scores"] == [5, 3]
    assert env.agent_selection == "player_1"
