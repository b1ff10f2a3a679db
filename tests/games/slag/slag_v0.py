"""Slag as a PettingZoo module: `slag_v0.env()`."""

from typing import Any

from spelkast.envs.engine.aec import GameEnv

from .game import SPEC


def env(**kwargs: Any) -> GameEnv:
    """The environment with all checks; keywords are those of `GameEnv` and the game's options."""
    return GameEnv(SPEC, **kwargs)


raw_env = env
