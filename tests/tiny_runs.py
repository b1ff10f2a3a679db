"""Small pieces of training for tests: opponents, games, a run of three seconds."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import torch
from rich.console import Console

from spelkast.agents.registry import make_agent
from spelkast.envs import spec
from spelkast.train.config import parse_config
from spelkast.train.selfplay import SelfPlay

TACOCAT = spec("tacocat")

TINY = {
    "steps": 6144,
    "rows": 64,
    "steps_per_update": 16,
    "network": {"hidden": [32, 32]},
    "ppo": {"batch_size": 256, "epochs": 2},
    "shaping": {"rounds I won / 4": 2.0, "rounds the opponent won / 4": -2.0},
    "opponents": {
        "weights": {"self": 0.4, "past": 0.3, "random": 0.1, "novice": 0.2},
        "snapshot_every": 1000,
        "active": 2,
    },
    "evaluation": {
        "every": 2048,
        "games": 4,
        "against": ["random"],
        "final_games": 4,
        "final_against": ["random", "novice"],
    },
    "checkpoints": {"every": 2048, "keep": 2},
}
"""A run of six updates: three seconds."""


class FixedCompany:
    """Named opponents drawn uniformly; remembers who was asked and what was credited."""

    def __init__(self, *names):
        self.agents = [make_agent(name, "tacocat") for name in names]
        self.credits = []

    def draw(self, units):
        return (units[:, 0] * len(self.agents)).astype(np.int32)

    def agent(self, who):
        return self.agents[who]

    def credit(self, who, points):
        self.credits.append((who, points))


def self_play(size=16, names=("random", "novice"), **settings):
    """Games at their first decisions, against *names*."""
    play = SelfPlay(TACOCAT, size, FixedCompany(*names), **{"seed": 3, **settings})
    play.reset()
    return play


def random_actions(play, rng):
    """A legal action for every learner."""
    return np.array([rng.choice(mask.nonzero()[0]) for mask in play.batch.masks], np.int32)


def tiny(**changes):
    """The tiny configuration, tables merged."""
    values = {
        key: {**TINY[key], **value} if isinstance(value, dict) and key in TINY else value
        for key, value in {**TINY, **changes}.items()
    }
    return parse_config(values, "tiny")


def quiet():
    """A console that keeps what is printed: `console.file.getvalue()`."""
    return Console(file=io.StringIO(), width=200)


def weights_of(run, step=None):
    """The weights of a checkpoint; of the latest without a step."""
    folder = Path(run) / "checkpoints"
    step = step or (folder / "latest").read_text().strip()
    return torch.load(folder / str(step) / "weights.pt", weights_only=True)


def same_weights(first, second):
    """Whether two sets of weights are equal to the bit."""
    return first.keys() == second.keys() and all(torch.equal(first[k], second[k]) for k in first)
