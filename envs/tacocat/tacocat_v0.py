"""Tacocat Spelled Backwards as a PettingZoo module: `tacocat_v0.env()`."""

from typing import Any

from ..engine.aec import GameEnv
from .game import SPEC


def env(**kwargs: Any) -> GameEnv:
    """The environment with all checks; keywords are those of `GameEnv` and the game's options."""
    return GameEnv(SPEC, **kwargs)


raw_env = env
"""The same: the checks cost next to nothing and are part of the environment."""
