"""The contract under the options of ToedeLoe, for two and for four players."""

from typing import Any

import pytest

from spelkast.envs import spec
from spelkast.envs.engine.contract import check_game

OPTIONS = [
    {"players": 4},
    {"players": 4, "pawns": 40, "forced": "every", "longest": "group", "reward": "margin"},
    {"king_moves_red": True, "forced": "off", "max_turns": 90, "reward": "margin"},
    {"max_turns": 1},
]


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_contract_under_other_options(options: dict[str, Any]):
    assert check_game(spec("toedeloe"), options=options, games=1, seed=7).options == options
