"""The baselines of Tokken: as described, legal, and blind to what their seat may not know."""

from typing import Any

import numpy as np
import pytest

from spelkast.agents.agent import Views
from spelkast.agents.registry import baselines, make_agent
from spelkast.envs import spec
from spelkast.envs.engine.aec import GameEnv
from spelkast.envs.engine.streams import new_streams
from spelkast.eval.match import play_match

from . import oracle_baselines

TOKKEN = spec("tokken")
NAMES = ("racer", "kees")
OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "two": {"players": 2},
    "three, free": {"players": 3, "home_entry": "free"},
    "six": {"players": 6},
}


def chosen(agent: Any, env: GameEnv) -> str:
    """The move of an agent for the seat to move."""
    seat = env.possible_agents.index(env.agent_selection)
    seen = env.observe(env.agent_selection)
    views = Views(
        seen["observation"][None], seen["action_mask"][None], np.array([seat], np.int32),
        TOKKEN.from_position(env.position()),
    )  # fmt: skip
    return env.action_to_move(int(agent.act(views, new_streams(0, 1, "agents"))[0]))


def test_baselines_come_in_order_of_strength():
    assert baselines("tokken") == list(NAMES)


@pytest.mark.compiled
@pytest.mark.parametrize("options", OPTIONS.values(), ids=list(OPTIONS))
@pytest.mark.parametrize("name", NAMES)
def test_choices_are_those_of_the_rules(name: str, options: dict[str, Any]):
    env = GameEnv(TOKKEN, **options)
    env.reset(seed=4)
    agent = make_agent(name, "tokken")
    oracle = getattr(oracle_baselines, name)
    for _ in range(90):
        move = chosen(agent, env)
        assert move == oracle(env.position(), env.move_to_action), env.position()
        env.step(env.move_to_action(move))
        if not env.legal_moves():
            break


@pytest.mark.parametrize("name", NAMES)
def test_choice_is_the_same_whatever_the_others_hold(name: str):
    agent = make_agent(name, "tokken")
    env = GameEnv(TOKKEN)
    env.reset(seed=2)
    for _ in range(30):
        move = chosen(agent, env)
        seat = env.possible_agents.index(env.agent_selection)
        states = TOKKEN.from_position(env.position())
        TOKKEN.verbs.determinize(states, 0, seat, new_streams(1, 1, "determinize"), 0)
        other = GameEnv(TOKKEN)
        other.reset(options={"position": TOKKEN.position(states, 0)})
        assert chosen(agent, other) == move
        env.step(env.move_to_action(move))


def test_record_agent_asks_for_records():
    agent = make_agent("racer", "tokken")
    views = Views(np.zeros((1, 698), np.float32), np.ones((1, 151), np.int8), np.zeros(1, np.int32))

    assert agent.needs_states
    with pytest.raises(ValueError, match="expected views with records for 'racer', got none"):
        agent.act(views, new_streams(0, 1, "agents"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "two", "least"), [("racer", "random", 0.9), ("kees", "racer", 0.7)]
)
def test_stronger_baseline_wins(one: str, two: str, least: float):
    result = play_match(
        TOKKEN, None, make_agent(one, "tokken"), make_agent(two, "tokken"), games=200, seed=1
    )

    assert result.illegal == 0
    assert result.score > least
