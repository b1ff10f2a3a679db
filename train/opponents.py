"""Whom the learner meets and plays with: named agents, itself as it is now, and its past selves.

An opponent or partner is drawn when a game begins and stays, with the same weights, to its end;
the result is credited to it. They are numbered as they appear; a number is never used again.
"""

import copy
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ..agents.agent import Agent
from ..agents.checkpoint import NetworkAgent, load_tensors, save_tensors
from ..agents.network import NetworkConfig, blank_network
from ..envs.engine.dtypes import Actions
from ..envs.engine.streams import new_streams
from .config import OpponentsSection
from .kernels import draw_units
from .selfplay import LEARNER

SELF, PAST, LEARNER_TOO = "self", "past", "learner"
"""Names in the tables of weights: the learner as a game begins, its past selves, and as a partner
the learner itself, which then learns from both seats."""

FADE = 0.98
"""What a result still counts for after one more update: hardness follows the learner."""

NetworkWeights: TypeAlias = dict[str, Tensor]
"""A network's weights by name, as torch keeps them."""


@dataclass
class Tally:
    """The learner's results against an opponent, or with a partner."""

    games: float = 0.0
    points: float = 0.0

    @property
    def score(self) -> float:
        """Points per game; a half before the first."""
        return self.points / self.games if self.games else 0.5

    def add(self, points: float) -> None:
        """Count one more game."""
        self.games += 1
        self.points += points


@dataclass
class Member:
    """A past self in the pool; its weights are in `pool/<step>.pt` of the run."""

    step: int
    recent: Tally = field(default_factory=Tally)
    """results that fade"""
    total: Tally = field(default_factory=Tally)

    @property
    def hardness(self) -> float:
        """From 0 (always beaten) to 1; before the first game it counts as even."""
        prior = 10.0  # games worth of even results, so that one lost game does not decide
        score = (self.recent.points + prior / 2) / (self.recent.games + prior)
        return (1.0 - score) ** 2


class Opponents:
    """The company of a training run."""

    def __init__(
        self,
        config: OpponentsSection,
        network: NetworkConfig,
        folder: Path,
        *,
        make: Callable[[str], Agent],
        seed: int,
        adviser: Agent | None = None,
    ) -> None:
        """`make` builds a named agent; *folder* is the pool's.

        *network* is the learner's kind, and *adviser* the one it has, if any.
        """
        self.config = config
        self.adviser = adviser
        self.folder = folder
        self.template = blank_network(network)
        known = dict.fromkeys((*config.weights, *config.partners))
        names = [name for name in known if name not in (SELF, PAST, LEARNER_TOO)]
        self.named = {k: make(name) for k, name in enumerate(names)}
        self.numbers = {name: k for k, name in enumerate(names)}
        self.next_number = len(names)
        self.latest: dict[int, tuple[int, NetworkAgent]] = {}  # number -> step, agent
        self.past: dict[int, int] = {}  # number -> step
        self.active: list[int] = []  # numbers of past selves that new games may draw
        self.members: list[Member] = []
        kinds = (*names, SELF, PAST)
        self.tallies = {name: Tally() for name in (*kinds, *map(_with, (*kinds, LEARNER_TOO)))}
        self.stream = new_streams((seed, 2), 1, "learner")
        self.cache: OrderedDict[int, NetworkAgent] = OrderedDict()

    def draw(self, units: NDArray[np.float64]) -> Actions:
        """An opponent for each row of two random numbers, `[K, 2]` -> `[K]`."""
        return self._draw(self.config.weights, units)

    def draw_partners(self, units: NDArray[np.float64]) -> Actions:
        """A partner, or LEARNER, for each row of two random numbers, `[K, 2]` -> `[K]`."""
        return self._draw(self.config.partners, units)

    def _draw(self, weights: Mapping[str, float], units: NDArray[np.float64]) -> Actions:
        names, shares = list(weights), np.array(list(weights.values()), np.float64)
        edges = np.cumsum(shares / shares.sum())
        kinds = np.searchsorted(edges[:-1], units[:, 0], side="right")
        newest = max(self.latest, default=-1)  # numbers only grow
        out = np.empty(len(units), np.int32)
        for j, kind in enumerate(kinds.tolist()):
            name = names[kind]
            if name == LEARNER_TOO:
                out[j] = LEARNER
            elif name == PAST and self.active:
                out[j] = self.active[int(units[j, 1] * len(self.active))]
            elif name in (SELF, PAST):  # before the first snapshot the past is the present
                out[j] = newest
            else:
                out[j] = self.numbers[name]
        return out

    def agent(self, who: int) -> Agent:
        """The agent of an opponent."""
        if who in self.named:
            return self.named[who]
        if who in self.latest:
            return self.latest[who][1]
        step = self.past[who]
        if step not in self.cache:
            self.cache[step] = self._network_agent(step, load_tensors(self._path(step)))
        self.cache.move_to_end(step)
        return self.cache[step]

    def credit(self, who: int, points: float) -> None:
        """Count a result of the learner against an opponent."""
        self.tallies[self._name(who)].add(points)
        if who in self.past:
            step = self.past[who]
            for member in self.members:
                if member.step == step:
                    member.recent.add(points)
                    member.total.add(points)

    def credit_partner(self, who: int, points: float) -> None:
        """Count a result of the learner with a partner, who is not made easier or harder by it."""
        self.tallies[_with(LEARNER_TOO if who == LEARNER else self._name(who))].add(points)

    def add_snapshot(self, step: int, weights: NetworkWeights) -> None:
        """Put the learner as it is now into the pool. An `OSError` leaves the pool as it was."""
        save_tensors(self._path(step), weights)
        self.members.append(Member(step))
        if len(self.members) > self.config.pool_size:
            self.members.remove(min(self.members[:-1], key=lambda member: member.hardness))

    def refresh(self, step: int, weights: NetworkWeights, in_use: Actions) -> None:
        """Before a rollout: take the learner as the latest self, choose the active past selves.

        *in_use* are the opponents of games that still run; they stay as they are.
        """
        used = set(np.unique(in_use).tolist())
        self.latest = {k: v for k, v in self.latest.items() if k in used}
        self.latest[self._number()] = (step, self._network_agent(step, weights))
        for member in self.members:
            member.recent.games *= FADE
            member.recent.points *= FADE
        known = {step: k for k, step in self.past.items()}
        chosen = [member.step for member in self._choose()]
        self.active = [known[s] if s in known else self._number() for s in chosen]
        self.past = {k: s for k, s in self.past.items() if k in used}
        self.past.update(zip(self.active, chosen, strict=True))
        while len(self.cache) > 2 * self.config.active:
            self.cache.popitem(last=False)

    def take_tallies(self) -> dict[str, Tally]:
        """Results by kind of opponent since they were last taken."""
        taken = self.tallies
        self.tallies = {name: Tally() for name in taken}
        return taken

    def state(self) -> dict[str, Any]:
        """All that a resumed run needs, as tensors and plain values."""
        return {
            "next_number": self.next_number,
            "latest": {
                k: {"step": step, "weights": agent.network.state_dict()}
                for k, (step, agent) in self.latest.items()
            },
            "past": dict(self.past),
            "active": list(self.active),
            "members": [
                [m.step, m.recent.games, m.recent.points, int(m.total.games), m.total.points]
                for m in self.members
            ],
            "tallies": {name: [t.games, t.points] for name, t in self.tallies.items()},
            "stream": int(self.stream[0]) - 2**63,  # signed, as tensors and JSON like it
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a `state`."""
        self.next_number = state["next_number"]
        self.latest = {
            k: (entry["step"], self._network_agent(entry["step"], entry["weights"]))
            for k, entry in state["latest"].items()
        }
        self.past = dict(state["past"])
        self.active = [who for who in state["active"] if self.past[who] >= 0]
        self.members = [
            Member(step, Tally(recent, recent_points), Tally(games, points))
            for step, recent, recent_points, games, points in state["members"]
        ]
        for step in {*self.past.values(), *(member.step for member in self.members)}:
            if not self._path(step).is_file():
                raise ValueError(f"expected a past self in {self._path(step)}, got none")
        self.tallies |= {name: Tally(*values) for name, values in state["tallies"].items()}
        self.stream[0] = np.uint64(state["stream"] + 2**63)

    def pool_json(self) -> list[dict[str, Any]]:
        """The pool for people: who is in it and how the learner does against them."""
        return [
            {
                "step": m.step,
                "games": int(m.total.games),
                "score": round(m.total.score, 4) if m.total.games else None,
                "recent_score": round(m.recent.score, 4),
                "hardness": round(m.hardness, 4),
            }
            for m in self.members
        ]

    def _choose(self) -> list[Member]:
        """The active past selves: drawn without repetition, the hard ones more often."""
        count = len(self.members)
        if count <= self.config.active:
            return list(self.members)
        hardness = np.array([member.hardness for member in self.members])
        share = self.config.prioritized
        odds = (1 - share) / count + share * hardness / hardness.sum()
        units = np.empty((1, count))
        draw_units(self.stream, np.zeros(1, np.int32), units)
        # Each has a key log(u) / odds with a random u in 0..1: the largest keys are a draw without
        # repetition by the odds [Efraimidis and Spirakis 2006].
        keys = np.log(np.maximum(units[0], 1e-12)) / odds
        return [self.members[k] for k in sorted(np.argsort(-keys)[: self.config.active])]

    def _network_agent(self, step: int, weights: NetworkWeights) -> NetworkAgent:
        network = copy.deepcopy(self.template)
        network.load_state_dict(weights)
        return NetworkAgent(
            f"self@{step}",
            network,
            adviser=self.adviser,
            deterministic=self.config.deterministic,
        )

    def _name(self, who: int) -> str:
        if who in self.named:
            return self.named[who].name
        return SELF if who in self.latest else PAST

    def _number(self) -> int:
        self.next_number += 1
        return self.next_number - 1

    def _path(self, step: int) -> Path:
        return self.folder / f"{step}.pt"


def _with(name: str) -> str:
    """The name of results with a partner, beside those against the same agent as opponent."""
    return f"with {name}"
