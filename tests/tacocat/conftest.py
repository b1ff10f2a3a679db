"""Positions of Tacocat from real play."""

from random import Random

import pytest
from positions import play_mixed

from .oracle_games import random_config


@pytest.fixture(scope="session")
def played():
    """4096 positions of the default game, of all phases and seats."""
    return play_mixed(64, 64, seed=1)


@pytest.fixture(scope="session")
def played_variants():
    """Positions under thirty random sets of options: one array of records for each."""
    rng = Random(5)
    return [play_mixed(8, 8, options=random_config(rng), seed=seed) for seed in range(30)]
