"""The contract under the options of Tacocat."""

import pytest

from spelkast.envs import spec
from spelkast.envs.engine.contract import check_game

ALL_OPTIONS = {
    "deck_counts": [4, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2, 2],
    "hand_sizes": [2, 3, 4, 3, 9, 2, 2],
    "arrows": "0*1*01*",
    "tie_rule": "arrow",
    "max_decisions": 60,
}


@pytest.mark.parametrize(
    "options",
    [ALL_OPTIONS, {"max_decisions": 1}, {"hand_sizes": [2] * 7, "arrows": "*******"}],
    ids=["all options", "one decision", "shortest hands"],
)
def test_contract_under_other_options(options: dict[str, object]):
    assert check_game(spec("tacocat"), options=options, games=2, seed=5).options == options


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("options", [{}, ALL_OPTIONS], ids=["default", "all options"])
def test_contract_in_many_games(options: dict[str, object], seed: int):
    check_game(spec("tacocat"), options=options, games=40, seed=100 * seed)
