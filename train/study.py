"""Learning from lessons: the loss of a network on what a teacher made of positions."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import mse_loss

from ..agents.adviser import with_advice
from ..agents.agent import Agent, Views
from ..agents.network import PolicyNetwork, masked_log_softmax
from ..envs.engine.dtypes import Actions
from ..envs.engine.spec import GameSpec
from ..envs.engine.streams import new_streams
from .lessons import Lesson, Lessons


class Study:
    """Lessons in the order in which they are learned; what comes next depends on the seed alone."""

    def __init__(
        self,
        spec: GameSpec,
        lessons: Lessons,
        *,
        target: str,
        value_weight: float,
        seed: int,
        adviser: Agent | None = None,
    ) -> None:
        """An *adviser* of the network is asked about every lesson once, before all else."""
        self.spec = spec
        self.lessons = lessons
        self.advice = advise(adviser, spec, lessons, seed=seed) if adviser else None
        self.target = target
        self.value_weight = value_weight
        self.seed = seed
        self.begin(0)

    def begin(self, step: int) -> None:
        """What is drawn next is that of an update that begins at *step*."""
        self.rng = np.random.default_rng((self.seed, 7, step))

    def passes(self, count: int, size: int) -> Iterator[Lesson]:
        """Minibatches of *size* that go *count* times through all lessons, in random orders."""
        for number in range(count):
            order = np.random.default_rng((self.seed, 6, number)).permutation(len(self.lessons))
            for start in range(0, len(order), size):
                yield self._lesson(order[start : start + size])

    def draw(self, size: int) -> Lesson:
        """A random minibatch."""
        return self._lesson(self.rng.integers(len(self.lessons), size=size))

    def _lesson(self, rows: NDArray[np.integer]) -> Lesson:
        """Lessons as the network sees them."""
        lesson = self.lessons.batch(self.spec, rows)
        if self.advice is None:
            return lesson
        return replace(lesson, observations=with_advice(lesson.observations, self.advice[rows]))

    def loss(self, network: PolicyNetwork, lesson: Lesson) -> Tensor:
        """How far *network* is from the teacher: cross entropy, and squared error of values."""
        device = network.shift.device
        logits, values = network(torch.from_numpy(lesson.observations).to(device))
        log_probs = masked_log_softmax(logits, torch.from_numpy(lesson.masks).to(device))
        if self.target == "shares":
            policy_loss = -(torch.from_numpy(lesson.shares).to(device) * log_probs).sum(-1).mean()
        else:
            chosen = torch.from_numpy(lesson.chosen.astype(np.int64)).to(device)
            policy_loss = -log_probs.gather(-1, chosen.unsqueeze(-1)).mean()
        expected = torch.from_numpy(lesson.values).to(device)
        is_known = torch.isfinite(expected)
        if not is_known.any():
            return policy_loss
        return policy_loss + self.value_weight * mse_loss(values[is_known], expected[is_known])


CHUNK = 4096
"""Lessons about which an adviser is asked at once."""


def advise(adviser: Agent, spec: GameSpec, lessons: Lessons, *, seed: int) -> Actions:
    """What *adviser* would do in each of *lessons*, `int32[D]`."""
    said = [np.zeros(0, np.int32)]
    for rows in np.array_split(np.arange(len(lessons)), -(-len(lessons) // CHUNK)):
        lesson, root = lessons.batch(spec, rows), (seed, 8, int(rows[0]))
        spec.loops.redraw_rows(
            lesson.states, lesson.seats, new_streams(root, len(rows), "determinize")
        )
        views = Views(lesson.observations, lesson.masks, lesson.seats, lesson.states)
        said.append(adviser.act(views, new_streams(root, len(rows), "agents")))
    return np.concatenate(said)
