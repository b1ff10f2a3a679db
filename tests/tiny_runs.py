"""Small pieces of training for tests: opponents, games, a run of three seconds."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console

from spelkast.agents.agent import Agent
from spelkast.agents.checkpoint import find_checkpoint
from spelkast.agents.registry import make_agent
from spelkast.envs import spec
from spelkast.envs.engine.dtypes import Actions
from spelkast.train.config import TrainConfig, parse_config
from spelkast.train.selfplay import SelfPlay

TACOCAT = spec("tacocat")

TINY: dict[str, Any] = {
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
"""A run of six updates."""

NetworkWeights = dict[str, torch.Tensor]


class FixedCompany:
    """Named opponents drawn uniformly; remembers what was credited."""

    def __init__(self, *names: str) -> None:
        self.agents: list[Agent] = [make_agent(name, "tacocat") for name in names]
        self.credits: list[tuple[int, float]] = []

    def draw(self, units: NDArray[np.float64]) -> Actions:
        """An opponent for each row."""
        return (units[:, 0] * len(self.agents)).astype(np.int32)

    draw_partners = draw

    def agent(self, who: int) -> Agent:
        """One of the list."""
        return self.agents[who]

    def credit(self, who: int, points: float) -> None:
        """Remember the result."""
        self.credits.append((who, points))

    credit_partner = credit


def self_play(
    size: int = 16, names: tuple[str, ...] = ("random", "novice"), **settings: Any
) -> SelfPlay:
    """Games at their first decisions, against *names*."""
    play = SelfPlay(TACOCAT, size, FixedCompany(*names), **{"seed": 3, **settings})
    play.reset()
    return play


def random_actions(play: SelfPlay, rng: np.random.Generator) -> Actions:
    """A legal action for every learner."""
    return np.array([rng.choice(mask.nonzero()[0]) for mask in play.batch.masks], np.int32)


def tiny(**changes: Any) -> TrainConfig:
    """The tiny configuration, tables merged."""
    values = {
        key: {**TINY[key], **value} if isinstance(value, dict) and key in TINY else value
        for key, value in {**TINY, **changes}.items()
    }
    return parse_config(values, "tiny")


def quiet() -> Console:
    """A console that keeps what is printed; see `printed`."""
    return Console(file=io.StringIO(), width=200)


def printed(console: Console) -> str:
    """What was printed to a `quiet` console."""
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def weights_of(run: Path) -> NetworkWeights:
    """The weights of the latest checkpoint."""
    folder = find_checkpoint(run, "latest")
    weights: NetworkWeights = torch.load(folder / "weights.pt", weights_only=True)
    return weights


def same_weights(first: Mapping[str, torch.Tensor], second: Mapping[str, torch.Tensor]) -> bool:
    """Whether two sets of weights are equal to the bit."""
    return first.keys() == second.keys() and all(torch.equal(first[k], second[k]) for k in first)
