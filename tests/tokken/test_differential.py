"""The kernels of Tokken against an oracle in plain Python, move by move, under all options."""

from typing import Any

import numpy as np
import pytest

from spelkast.envs import spec
from spelkast.envs.engine.aec import GameEnv

from .oracle import Oracle

TOKKEN = spec("tokken")
OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "two": {"players": 2},
    "three": {"players": 3, "home_entry": "free"},
    "six": {"players": 6, "first_dealer": 5},
    "six alone": {"players": 6, "teams": False, "max_decisions": 400},
    "four alone": {"teams": False, "dot_blocked": "illegal", "black_dots": [3, 8, 12]},
    "all dots": {"black_dots": [1, 5, 9, 13], "dot_blocked": "illegal", "dot_on_swap": True},
    "fly": {"black_dots": [2, 7], "dot_blocked": "fly", "dot_on_swap": True, "five_on_start": True},
    "free": {"home_entry": "free", "five_on_start": True, "dot_on_swap": True},
    "no dots": {"black_dots": [], "players": 2, "home_entry": "free"},
}


def choose(moves: list[str], random: np.random.Generator) -> str:
    """A random move, seldom one that hits back or folds, so that games come to the end."""
    forward = [move for move in moves if move[0] not in "45J" or move == "fold"]
    return str(random.choice(forward if forward and random.random() < 0.8 else moves))


def play_and_compare(options: dict[str, Any], seed: int, most: int) -> str:
    """Play a game, comparing every position; returns the last phase."""
    env = GameEnv(TOKKEN, **options)
    env.reset(seed=seed)
    random = np.random.default_rng(seed)
    for _ in range(most):
        position = env.position()
        oracle = Oracle(position)
        moves = env.legal_moves()
        assert moves == oracle.legal_moves(), position
        if not moves:
            break
        move = choose(moves, random)
        env.step(env.move_to_action(move))
        assert env.position() == oracle.play(move, env.chance_log()), (move, position)
    return str(env.position()["phase"])


@pytest.mark.compiled
@pytest.mark.parametrize("name", OPTIONS)
def test_games_follow_the_oracle(name: str):
    play_and_compare(OPTIONS[name], seed=1, most=250)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", OPTIONS)
def test_many_games_follow_the_oracle(name: str, seed: int):
    assert play_and_compare(OPTIONS[name], seed=100 + seed, most=10_000) == "over"
