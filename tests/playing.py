"""A game of Tacocat in its environment, for tests that need one under way."""

from typing import Any

import numpy as np

from spelkast.envs.engine.aec import GameEnv
from spelkast.envs.tacocat import tacocat_v0


def new_env(seed: int = 0, options: dict[str, Any] | None = None, **kwargs: Any) -> Any:
    """An environment after its reset."""
    env = tacocat_v0.env(**kwargs)
    env.reset(seed=seed, options=options)
    return env


def play(env: GameEnv, most: int = 10**6, seed: int = 0) -> list[dict[str, Any]]:
    """Random moves; the infos of player_0 after each."""
    choose, infos = np.random.default_rng(seed), []
    while most and not is_over(env):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(choose.choice(np.flatnonzero(mask)))
        infos.append(env.infos["player_0"])
        most -= 1
    return infos


def is_over(env: GameEnv) -> bool:
    """Whether the game has ended."""
    return all(env.terminations.values()) or all(env.truncations.values())
