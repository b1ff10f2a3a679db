"""Positions from real play, and a small arena, for the tests of agents."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from oracles.tacocat_games import random_config
from spelkast.agents.agent import views_of
from spelkast.agents.registry import make_agent
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.streams import new_streams
from spelkast.envs.tacocat.game import SPEC

MIX = ("random", "novice", "solid", "solid")


def play_mixed(size, steps, *, options=None, seed=0):
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


def batch_of(records):
    """A batch that stands in the positions of *records*, which share their options."""
    batch = Batch(SPEC, len(records), options=SPEC.read_options(records, 0), seed=0)
    batch.states[:] = records
    batch.refresh()
    return batch


@pytest.fixture(scope="session")
def played():
    """4096 positions of the default game, of all phases and seats."""
    return play_mixed(64, 64, seed=1)


@pytest.fixture(scope="session")
def played_variants():
    """Positions under thirty random sets of options: one array of records for each."""
    rng = Random(5)
    return [play_mixed(8, 8, options=random_config(rng), seed=seed) for seed in range(30)]


def play_games(first, second, games, *, seed=0):
    """The share of *games* that *first* wins, seats alternating; nothing illegal may be played."""
    batch = Batch(SPEC, games, seed=seed)
    batch.reset()
    streams = new_streams(seed, games, "agents")
    first_seats = np.arange(games) % 2
    running, won = np.ones(games, bool), np.zeros(games)
    while running.any():
        actions = batch.masks.argmax(axis=1).astype(np.int32)
        for agent, is_its_turn in (
            (first, batch.seats == first_seats),
            (second, batch.seats != first_seats),
        ):
            rows = np.flatnonzero(is_its_turn & running).astype(np.int32)
            own = streams[rows]
            actions[rows] = agent.act(views_of(batch, rows), own)
            streams[rows] = own
        batch.check(actions)
        batch.step(actions)
        just_ended = running & (batch.ended > 0)
        won[just_ended] = batch.rewards[just_ended, first_seats[just_ended]] > 0
        running &= batch.ended == 0
    return won.mean()
