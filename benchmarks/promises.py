"""What the figures must reach, with the figure that decides; a slow test checks it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import getitem
from typing import Any

from .kernels import HARDEST_MASK
from .sampling import Json, markdown_table, number


@dataclass(frozen=True)
class Promise:
    """One figure of one benchmark, and the least or the most that it may be."""

    text: str
    benchmark: str
    path: tuple[str, ...]
    """the keys under which the figure stands, one inside the other"""
    least: float | None = None
    most: float | None = None
    reckon: Callable[[Any], float] = float
    """makes the figure of what stands there"""

    def figure(self, figures: Json) -> float:
        """The figure among those of the benchmark; KeyError where it was not measured."""
        return self.reckon(reduce(getitem, self.path, figures))

    def kept_by(self, figures: Json) -> bool:
        """Whether the figure is within its bound."""
        value = self.figure(figures)
        above = self.least is None or value >= self.least
        return above and (self.most is None or value <= self.most)

    @property
    def bound(self) -> str:
        """The bound in words."""
        bounds = {"at least": self.least, "at most": self.most}
        return ", ".join(f"{word} {number(x)}" for word, x in bounds.items() if x is not None)


def _batch(game: str, title: str, least: float) -> Promise:
    text = f"{title}, batch of 1024, one core: decisions/s"
    return Promise(text, "kernels", (game, "1024", "median"), least)


def _player(game: str, agent: str, least: float) -> Promise:
    text = f"`{agent}` of {game}, one core: decisions/s"
    return Promise(text, "baselines", (game, "agents", agent, "median"), least)


def _training(what: str, pair: str, least: float) -> Promise:
    text = f"Training {what}: times the decisions/s of stock MaskablePPO"
    return Promise(text, "training", ("ratios", f"{pair} / stock policy", "median"), least)


PROMISES = (
    _batch("tacocat", "Tacocat", 4_000_000),
    _batch("oduludo", "Oduludo", 1_500_000),
    _batch("tokken", "Tokken", 1_200_000),
    _batch("toedeloe", "ToedeLoe", 800_000),
    Promise(
        "Tokken, the hardest mask, a seven with four pawns in play: microseconds",
        "kernels", ("tokken", HARDEST_MASK, "median"), most=20, reckon=lambda rate: 1e6 / rate,
    ),
    _player("toedeloe", "scorer", 20_000),
    _player("toedeloe", "hoarder", 20_000),
    Promise(
        "Tacocat's environment: times the plies/s of PettingZoo's `connect_four_v3`",
        "aec", ("games", "tacocat", "ratio", "median"), least=10,
    ),
    Promise(
        "`import spelkast.envs`, warm, best of five: CPU seconds",
        "start", ("import", "cpu_seconds", "min"), most=0.8,
    ),
    Promise(
        "`import spelkast.envs`: heavy modules that it loads",
        "start", ("import", "heavy_modules"), most=0, reckon=len,
    ),
    Promise(
        "Tacocat, cold: CPU seconds to compile all that a first use needs",
        "start", ("games", "tacocat", "cold_cpu_seconds"), most=40,
    ),
    Promise(
        "Tacocat, warm: CPU seconds from nothing to the first step",
        "start", ("games", "tacocat", "warm_cpu_seconds", "median"), most=2,
    ),
    Promise(
        "`solid`: ms for a batch of 1024 decisions",
        "baselines", ("tacocat", "agents", "solid", "median"), most=5,
        reckon=lambda rate: 1.024e6 / rate,
    ),
    _training("at equal network", "ours, same network and optimizer", 1.25),
    _training("with ReLU and fused Adam", "ours, ReLU and fused Adam", 1.5),
    Promise(
        "Training: share of the time in environment, opponents and masks",
        "training", ("split",), most=0.15,
        # Beside the fastest learner, where it weighs most.
        reckon=lambda splits: max(float(split["overhead"]) for split in splits.values()),
    ),
)  # fmt: skip


def table(results: Mapping[str, Json]) -> str:
    """Every promise beside the figure of the results (by benchmark) that decides it."""
    rows = []
    for promise in PROMISES:
        try:
            figures = results[promise.benchmark]
            missed = "" if promise.kept_by(figures) else " (missed)"
            found = number(promise.figure(figures)) + missed
        except KeyError:
            found = "not measured"
        rows.append([promise.text, promise.bound, found])
    return markdown_table(("what", "promised", "measured"), rows)
