"""What the figures must reach, with the figure that decides; a slow test holds us to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .kernels import HARDEST_MASK
from .sampling import Json, markdown_table, number


@dataclass(frozen=True, kw_only=True)
class Promise:
    """One figure of one benchmark, and the least or the most that it may be."""

    text: str
    benchmark: str
    figure: Callable[[Json], float]
    """takes it from the benchmark's figures; KeyError where it was not measured"""
    least: float | None = None
    most: float | None = None

    def kept_by(self, figures: Json) -> bool:
        """Whether the figure is within its bound."""
        value = self.figure(figures)
        above = self.least is None or value >= self.least
        return above and (self.most is None or value <= self.most)

    @property
    def bound(self) -> str:
        """The bound in words."""
        words = [
            f"{word} {number(limit)}"
            for word, limit in (("at least", self.least), ("at most", self.most))
            if limit is not None
        ]
        return ", ".join(words)


def _at(*path: str) -> Callable[[Json], float]:
    """The figure that stands under these keys, one inside the other."""

    def figure(figures: Json) -> float:
        found: Any = figures
        for key in path:
            found = found[key]
        return found  # type: ignore[no-any-return]  # a number: results are JSON

    return figure


def _share_of_heaviest(figures: Json) -> float:
    """The overhead beside the fastest learner, where it weighs most."""
    return max(float(split["overhead"]) for split in figures["split"].values())


def _batch(game: str, title: str, least: float) -> Promise:
    return Promise(
        text=f"{title}, batch of 1024, one core: decisions/s",
        benchmark="kernels",
        figure=_at(game, "1024", "median"),
        least=least,
    )


def _player(game: str, agent: str, least: float) -> Promise:
    return Promise(
        text=f"`{agent}` of {game}, one core: decisions/s",
        benchmark="baselines",
        figure=_at(game, "agents", agent, "median"),
        least=least,
    )


def _training(what: str, pair: str, least: float) -> Promise:
    return Promise(
        text=f"Training {what}: times the decisions/s of stock MaskablePPO",
        benchmark="training",
        figure=_at("ratios", f"{pair} / stock policy", "median"),
        least=least,
    )


PROMISES = (
    _batch("tacocat", "Tacocat", 4_000_000),
    _batch("oduludo", "Oduludo", 1_500_000),
    _batch("tokken", "Tokken", 1_200_000),
    _batch("toedeloe", "ToedeLoe", 800_000),
    Promise(
        text="Tokken, the mask of a seven with four pawns in play, at its worst: microseconds",
        benchmark="kernels",
        figure=lambda figures: 1e6 / figures["tokken"][HARDEST_MASK]["median"],
        most=20,
    ),
    _player("toedeloe", "scorer", 20_000),
    _player("toedeloe", "hoarder", 20_000),
    Promise(
        text="Tacocat's environment: times the plies/s of PettingZoo's `connect_four_v3`",
        benchmark="aec",
        figure=_at("games", "tacocat", "ratio", "median"),
        least=10,
    ),
    Promise(
        text="`import spelkast.envs`, warm, best of five: CPU seconds",
        benchmark="start",
        figure=_at("import", "cpu_seconds", "min"),
        most=0.8,
    ),
    Promise(
        text="`import spelkast.envs`: heavy modules that come along",
        benchmark="start",
        figure=lambda figures: len(figures["import"]["heavy_modules"]),
        most=0,
    ),
    Promise(
        text="Tacocat, cold: CPU seconds to compile all that a first use needs",
        benchmark="start",
        figure=_at("games", "tacocat", "cold_cpu_seconds"),
        most=40,
    ),
    Promise(
        text="Tacocat, warm: CPU seconds from nothing to the first step",
        benchmark="start",
        figure=_at("games", "tacocat", "warm_cpu_seconds", "median"),
        most=2,
    ),
    Promise(
        text="`solid`: ms for a batch of 1024 decisions",
        benchmark="baselines",
        figure=lambda figures: 1.024e6 / figures["tacocat"]["agents"]["solid"]["median"],
        most=5,
    ),
    _training("at equal network", "ours, same network and optimizer", 1.25),
    _training("with ReLU and fused Adam", "ours, ReLU and fused Adam", 1.5),
    Promise(
        text="Training: share of the time in environment, opponents and masks",
        benchmark="training",
        figure=_share_of_heaviest,
        most=0.15,
    ),
)


def table(results: Mapping[str, Json]) -> str:
    """Every promise beside the figure of the results (by benchmark) that decides it."""
    rows = []
    for promise in PROMISES:
        found = "not measured"
        if promise.benchmark in results:
            try:
                found = number(promise.figure(results[promise.benchmark]))
                found += "" if promise.kept_by(results[promise.benchmark]) else " (missed)"
            except KeyError:
                pass
        rows.append([promise.text, promise.bound, found])
    return markdown_table(("what", "promised", "measured"), rows)
