"""How fast a game's rules run on this machine, and a signature of how they behave.

Speeds are events per second of CPU time, so that a busy machine changes them little.
"""

from collections.abc import Callable, Sequence
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from ..envs.engine.aec import GameEnv
from ..envs.engine.batch import RandomPlayouts
from ..envs.engine.jit import announced
from ..envs.engine.spec import GameSpec, Options

DECISIONS_PER_CALL = 1 << 16
"""So many that calling costs nothing."""
SIGNATURE_ROWS, SIGNATURE_STEPS, SIGNATURE_SEED = 64, 2000, 0
PICKS = 4096
"""Random numbers drawn beforehand for the environment's measurement."""


def rate(run: Callable[[], int], seconds: float) -> float:
    """Events per second of CPU time: *run* again and again, which returns how many it did."""
    done, start = 0, process_time()
    while (elapsed := process_time() - start) < seconds or not done:
        done += run()
    return done / elapsed


def batch_speed(spec: GameSpec, options: Options, *, rows: int, seconds: float, seed: int) -> float:
    """Decisions per second on one core, the best of five stretches."""
    with announced(spec.title):
        playouts = RandomPlayouts(spec, rows, options=options, seed=seed)
        playouts.run(1)
    return max(playouts_speed(playouts, seconds / 5) for _ in range(5))


def playouts_speed(playouts: RandomPlayouts, seconds: float) -> float:
    """Decisions per second of random legal play in compiled code."""
    steps = max(1, DECISIONS_PER_CALL // playouts.batch.size)
    return rate(partial(playouts.run, steps), seconds)


def signature(spec: GameSpec, options: Options) -> str:
    """Eight hex digits that change when rules, masks or observations do."""
    playouts = RandomPlayouts(spec, SIGNATURE_ROWS, options=options, seed=SIGNATURE_SEED)
    playouts.run(SIGNATURE_STEPS)
    folded = playouts.checksum
    # Both halves of the word, so that no bit of it is without effect.
    return f"{(folded ^ folded >> 32) & 0xFFFFFFFF:08x}"


def environment_speed(spec: GameSpec, options: Options, *, seconds: float, seed: int) -> float:
    """Plies per second of the PettingZoo environment, `last()` and a legal pick."""
    env = GameEnv(spec, **options.model_dump())
    picks = np.random.default_rng(seed).random(PICKS).tolist()
    env.reset(seed=seed)
    play_along(env, picks[:100])  # compiles
    return rate(partial(play_along, env, picks), seconds)


def play_along(env: Any, picks: Sequence[float]) -> int:
    """A legal move for every random number in [0, 1), game after game, as an AEC environment.

    Returns how many moves were made; resets take none.
    """
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
