"""Positions from real play for the tests of agents."""

import pytest
from positions import play_mixed


@pytest.fixture(scope="session")
def played():
    """4096 positions of the default game, of all phases and seats."""
    return play_mixed(64, 64, seed=1)
