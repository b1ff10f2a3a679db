"""The worked examples of Tokken [R9.5], played in the environment."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from spelkast.envs import spec
from spelkast.envs.engine.aec import GameEnv

TOKKEN = spec("tokken")
CASES: dict[str, dict[str, Any]] = {
    case["name"]: case
    for case in json.loads((TOKKEN.folder / "cases" / "positions.json").read_text("utf-8"))
}


def environment(case: dict[str, Any], **options: Any) -> GameEnv:
    env = GameEnv(TOKKEN, **case["config"])
    env.reset(seed=1, options={"position": case["position"], **options})
    return env


def having(key: str) -> list[str]:
    found = [name for name, case in CASES.items() if key in case]
    assert found, f"expected examples with {key!r}"
    return found


@pytest.mark.parametrize("name", CASES)
def test_position_comes_back(name: str):
    case = CASES[name]

    assert environment(case).position() == case["position"]
    assert list(environment(case).position()) == list(case["position"])


@pytest.mark.parametrize("name", having("legal_moves"))
def test_legal_moves(name: str):
    case = CASES[name]
    env = environment(case)

    assert env.legal_moves() == case["legal_moves"]
    for move, action in case.get("action_index", {}).items():
        assert env.move_to_action(move) == action
        assert env.action_to_move(action) == move


@pytest.mark.parametrize("name", having("move"))
def test_move_with_its_chance(name: str):
    case = CASES[name]
    env = environment(case, chance=case["chance"])
    after = dict(case["after"])
    rewards = after.pop("rewards", None)

    env.step(env.move_to_action(case["move"]))

    position = env.position()
    assert {key: position[key] for key in after} == after
    assert env.chance_log() == case["chance"]
    if rewards is not None:
        assert list(env.rewards.values()) == pytest.approx(rewards)
    info = env.infos["player_0"]
    for key in ("scores", "timed_out"):
        if key in case:
            assert info[key] == case[key]


@pytest.mark.parametrize("name", having("observation"))
def test_observation(name: str):
    case = CASES[name]
    env = environment(case)
    wanted = np.zeros(env._shape.observation, np.float32)
    for index, value in case["observation"].items():
        wanted[int(index)] = value

    seen = env.observe(f"player_{case['seat']}")["observation"]

    different = np.flatnonzero(~np.isclose(seen, wanted, atol=2e-6))
    assert [(int(k), seen[k], wanted[k]) for k in different] == []
