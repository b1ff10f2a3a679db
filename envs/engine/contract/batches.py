"""Promises of the batch: its rows play the games of the environment, each on its own."""

import numpy as np

from ..aec import GameEnv
from ..batch import Batch
from .handling import new_env
from .sample import Sample, expect

BATCH, SMALL_BATCH, BATCH_STEPS = 5, 2, 400
BUFFERS = ["states", "streams", "observations", "masks", "seats", "rewards", "ended", "finals"]


def batches_play_the_same_games(sample: Sample) -> None:
    """Row i of a batch does not depend on N; row 0 plays the games of the environment."""
    large, small, env = _batch(sample, BATCH), _batch(sample, SMALL_BATCH), new_env(sample)
    env.reset(seed=sample.seed)
    choose = sample.random(5)
    for _ in range(BATCH_STEPS):
        _expect_same_rows(small, large)
        same = large.states[0].tobytes() == env._game.states[0].tobytes()
        expect(same, "row 0 as the environment", sample.spec.position(large.states, 0))
        seen = env.observe(env.agent_selection)
        expect((large.observations[0] == seen["observation"]).all(), "the same look", "another")
        actions = np.array(
            [row[choose.permutation(row.size)[0]] for row in map(np.flatnonzero, large.masks)]
        )
        large.check(actions)
        # The small batch moves its rows one by one, last first: the order must not matter.
        for row in reversed(range(SMALL_BATCH)):
            small.step(actions[row : row + 1], np.array([row], np.int32))
        large.step(actions)
        env.step(int(actions[0]))
        _expect_same_end(sample, large, env)


def _batch(sample: Sample, size: int) -> Batch:
    batch = Batch(sample.spec, size, options=sample.options, seed=sample.seed)
    batch.reset()
    return batch


def _expect_same_rows(small: Batch, large: Batch) -> None:
    for name in BUFFERS:
        few, many = getattr(small, name), getattr(large, name)[: small.size]
        expect(few.tobytes() == many.tobytes(), f"the same {name} in a larger batch", few)


def _expect_same_end(sample: Sample, batch: Batch, env: GameEnv) -> None:
    rewards = [env.rewards[agent] for agent in env.possible_agents]
    expect(batch.rewards[0].tolist() == rewards, f"rewards {rewards}", batch.rewards[0])
    ended = 1 if any(env.terminations.values()) else 2 * any(env.truncations.values())
    expect(batch.ended[0] == ended, f"ended {ended}", batch.ended[0])
    if ended:
        final = sample.spec.position(batch.finals, 0)
        expect(final == env.position(), f"the final position {env.position()}", final)
        env.reset()
