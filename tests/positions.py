"""Positions of Tacocat from real play, as records and as batches, for the tests of agents."""

from typing import Any

import numpy as np

from spelkast.agents.agent import views_of
from spelkast.agents.registry import make_agent
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.streams import new_streams
from spelkast.envs.tacocat.game import SPEC

MIX = ("random", "novice", "solid", "solid")


def play_mixed(
    size: int, steps: int, *, options: dict[str, Any] | None = None, seed: int = 0
) -> Any:
    """The records of *steps* positions in each of *size* games that players of all sorts play."""
    batch = Batch(SPEC, size, options=options, seed=seed)
    batch.reset()
    agents = [make_agent(name, "tacocat") for name in MIX]
    streams, rng = new_streams(seed, size, "agents"), np.random.default_rng(seed)
    records = []
    for _ in range(steps):
        records.append(batch.states.copy())
        views = views_of(batch)
        choices = np.stack([agent.act(views, streams) for agent in agents])
        batch.step(choices[rng.integers(len(agents), size=size), np.arange(size)])
    return np.concatenate(records)


def batch_of(records: Any) -> Batch:
    """A batch that stands in the positions of *records*, which share their options."""
    batch = Batch(SPEC, len(records), options=SPEC.read_options(records, 0), seed=0)
    batch.states[:] = records
    batch.refresh()
    return batch
