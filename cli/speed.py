"""How fast a game's rules run on this machine, and a signature of how they behave."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import numpy as np

from ..envs.engine.aec import GameEnv
from ..envs.engine.jit import announced
from ..envs.engine.playouts import RandomPlayouts
from ..envs.engine.spec import GameSpec, Options

CHUNK = 64
"""Decisions per row between two looks at the clock."""

SIGNATURE_ROWS, SIGNATURE_STEPS, SIGNATURE_SEED = 64, 2000, 0
PICKS = 4096
"""Random numbers drawn beforehand for the environment's measurement."""


def batch_speed(spec: GameSpec, options: Options, *, rows: int, seconds: float, seed: int) -> float:
    """Decisions per second of CPU time on one core, the best of several stretches.

    Random legal moves are chosen in the kernel; the observation and the mask of every decision are
    written and folded into a checksum.
    """
    with announced(spec.title):
        playouts = RandomPlayouts(spec, rows, options=options, seed=seed)
        playouts.run(1)
    return max(_stretches(playouts, seconds))


def _stretches(playouts: RandomPlayouts, seconds: float) -> Iterator[float]:
    """The speed of five stretches that together last *seconds*."""
    for _ in range(5):
        decisions, start = 0, process_time()
        while (elapsed := process_time() - start) < seconds / 5 or not decisions:
            decisions += playouts.run(CHUNK)
        yield decisions / elapsed


def signature(spec: GameSpec, options: Options) -> str:
    """Eight hex digits that change when rules, masks or observations do."""
    playouts = RandomPlayouts(spec, SIGNATURE_ROWS, options=options, seed=SIGNATURE_SEED)
    playouts.run(SIGNATURE_STEPS)
    folded = playouts.checksum
    return f"{(folded ^ folded >> 32) & 0xFFFFFFFF:08x}"


def environment_speed(spec: GameSpec, options: Options, *, seconds: float, seed: int) -> float:
    """Plies per second of CPU time of the PettingZoo environment, `last()` and a legal pick."""
    env = GameEnv(spec, **options.model_dump())
    picks = np.random.default_rng(seed).random(PICKS).tolist()
    env.reset(seed=seed)
    _play_along(env, picks[:100])  # compiles
    plies, start = 0, process_time()
    while (elapsed := process_time() - start) < seconds or not plies:
        plies += _play_along(env, picks)
    return plies / elapsed


def _play_along(env: GameEnv, picks: list[float]) -> int:
    """A legal move for every random number; returns how many moves were made."""
    plies = 0
    for pick in picks:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated or observation is None:
            env.reset()
            continue
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(legal[int(pick * len(legal))]))
        plies += 1
    return plies
