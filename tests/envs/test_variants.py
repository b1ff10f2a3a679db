"""What a game may do that Tacocat does not: chance that reports, layouts that follow options."""

from dataclasses import replace

import numpy as np
import pytest
from gymnasium.spaces import Box

from games.broken import with_verbs
from games.pig import rules
from games.pig.board import SEGMENTS
from games.pig.game import SPEC as PIG
from spelkast.envs.engine import contract
from spelkast.envs.engine.aec import GameEnv
from spelkast.envs.engine.spec import GameSpec

LOST = 1024
"""What the die reports when it ends a turn, as a bit beside the points banked."""


@pytest.fixture(scope="module")
def reporting() -> GameSpec:
    """Pig whose die reports a turn that was lost."""

    def step_chance(states, i, outcome):
        rules.step_chance(states, i, outcome)
        return LOST if outcome == 0 else 0

    return with_verbs(PIG, step_chance=step_chance)


@pytest.mark.parametrize("script", [["!1"], []], ids=["scripted", "by the stream"])
def test_report_of_an_outcome_reaches_the_infos(reporting, script):
    """Whether a script or the stream brought it; other outcomes report nothing."""
    env = GameEnv(reporting)
    env.reset(seed=0, options={"chance": script})
    told = set()
    for _ in range(60):
        env.step(env.move_to_action("roll"))
        lost = env.chance_log() == ["!1"]
        assert (env.infos["player_0"].get("banked") == LOST) == lost
        told.add(lost)

    assert told == {False, True}


def test_game_whose_chance_reports_keeps_the_contract(reporting, monkeypatch):
    """The contract took the report of the move for the whole report."""
    promises = [p for p in contract.PROMISES if p.__name__ != "copies_go_their_own_way"]
    # A variant is pickled by its home, so its copies are plain Pig.
    monkeypatch.setattr(contract, "PROMISES", promises)

    assert contract.check_game(reporting, games=2).decisions > 20


def test_observation_space_follows_the_options():
    """The observation space follows the layout of the options."""
    wide = replace(
        PIG, segments=lambda options: tuple(replace(s, high=options.goal) for s in SEGMENTS)
    )

    def highest(spec: GameSpec, *, goal: int) -> float:
        space = GameEnv(spec, goal=goal).observation_space("player_0")["observation"]
        assert isinstance(space, Box)
        return float(np.max(space.high))

    assert highest(wide, goal=50) == 50
    assert highest(PIG, goal=50) < 50
