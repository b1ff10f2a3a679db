"""The worked examples of Oduludo: legal moves, moves with scripted dice, observations."""

import json
from typing import Any

import numpy as np
import pytest

from spelkast.envs import make, spec

ODULUDO = spec("oduludo")
CASES = json.loads((ODULUDO.folder / "cases" / "positions.json").read_text("utf-8"))


def named(key: str) -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in CASES if key in case]


@pytest.mark.parametrize("case", named("legal_moves"))
def test_legal_moves(case: dict[str, Any]):
    env = make("oduludo", **case["config"])

    env.reset(options={"position": case["position"]})

    assert env.legal_moves() == case["legal_moves"]
    assert env.position() == case["position"]


@pytest.mark.parametrize("case", named("move"))
def test_move_with_its_chance(case: dict[str, Any]):
    """All that the example does not name stays as it was."""
    env = make("oduludo", **case["config"])
    env.reset(options={"position": case["position"], "chance": case["chance"]})
    after = dict(case["after"])
    rewards = after.pop("rewards", None)

    env.step(env.move_to_action(case["move"]))

    assert env.chance_log() == case["chance"]
    assert env.position() == {**case["position"], **after}
    if rewards is None:
        assert not any(env.terminations.values())
    else:
        assert list(env.rewards.values()) == pytest.approx(rewards)


@pytest.mark.parametrize("case", named("observation"))
def test_observation(case: dict[str, Any]):
    """Every number that the example does not list is 0."""
    env = make("oduludo", **case["config"])
    env.reset(options={"position": case["position"]})

    seen = env.observe(f"player_{case['seat']}")["observation"]

    expected = np.zeros(696, np.float32)
    for offset, value in case["observation"].items():
        expected[int(offset)] = value
    np.testing.assert_allclose(seen, expected, rtol=0, atol=1e-6)
