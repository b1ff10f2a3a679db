"""The contract under the options of Oduludo, in every mode and with every number of seats."""

from typing import Any

import pytest

from spelkast.envs import spec
from spelkast.envs.engine.contract import check_game

ALL_OPTIONS = {
    "mode": "last_piece",
    "players": 3,
    "target_wins": 2,
    "reward": "score",
    "six_limit": 3,
    "stack_protection": "size",
    "queen_carries_stack": False,
}
OPTIONS: list[dict[str, Any]] = [
    {"players": 3},
    {"players": 4},
    {"mode": "team"},
    {"mode": "last_piece", "target_wins": 2},
    ALL_OPTIONS,
    {"mode": "team", "six_limit": 2, "stack_protection": "size", "reward": "score"},
    {"colors": "RB", "six_limit": 1},
    {"players": 4, "reward": "score", "max_decisions": 77},
    {"max_decisions": 1},
]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_contract(options: dict[str, Any]):
    check_game(spec("oduludo"), options=options, games=3, seed=3)
