"""What every search is given, and what it gives back."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.dtypes import Actions, States, Streams
from ...envs.engine.spec import GameSpec, Shape
from ..agent import Agent, Views, check_masks
from .playouts import MARGIN, RESULT, Samples

FEWEST = 8
"""Fewer games say nothing of how much a lead varies."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a search makes of a decision."""

    action: int
    default: int | None
    """what the baseline would do; None without one"""
    simulated: int = 0
    """decisions that were simulated for it"""
    shares: Mapping[int, float] = field(default_factory=dict)
    """by legal action its share of the games that were tried; they sum to 1"""
    reward: float | None = None
    """mean reward of the mover's side in the tried games of `action`: the final one, or 0 where
    they were stopped before the end; None if none was played"""
    lead: float | None = None
    """by how many points that side led in them on average"""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One decision that is to be searched."""

    root: States
    """`[1]` the record, in which all that the seat cannot know is re-drawn"""
    seat: int
    teams: Actions
    """`[P]` the team of each seat, from 0 on"""
    candidates: Actions
    """the legal actions, what the baseline would do first"""
    shape: Shape
    seen: Views
    """`[1]` what the seat sees"""
    own: Streams
    """`[1]` all that the search draws comes from it"""


class SearchAgent(ABC):
    """A player that tries its actions out in games of a baseline before it chooses one."""

    needs_states = True

    def __init__(self, name: str, spec: GameSpec, baseline: Agent | None) -> None:
        """What *baseline* would do is tried first; without one no action comes first."""
        self.name = name
        self.spec = spec
        self.baseline = baseline

    def act(self, views: Views, streams: Streams) -> Actions:
        """Choose a legal action for every row, `int32[N]`."""
        check_masks(views.masks, self.name)
        rows = range(len(views))
        return np.array([self.search(views, streams, row).action for row in rows], np.int32)

    def search(self, views: Views, streams: Streams, row: int) -> Found:
        """What to do in one row."""
        if views.states is None:
            raise ValueError(f"expected views with records for {self.name!r}, got none")
        legal = np.flatnonzero(views.masks[row]).astype(np.int32)
        if len(legal) == 1:
            only = int(legal[0])
            default = None if self.baseline is None else only
            return Found(action=only, default=default, shares={only: 1.0})
        own, here = streams[row : row + 1], slice(row, row + 1)
        # Whatever hidden cards come in, none of them counts.
        root, seats = views.states[here].copy(), np.ascontiguousarray(views.seats[here], np.int32)
        self.spec.loops.redraw_rows(root, seats, own)
        seen = Views(views.observations[here], views.masks[here], seats, root)
        if self.baseline is not None:
            first = self.baseline.act(seen, own)[0]
            legal = np.array([first, *legal[legal != first]], np.int32)
        options = self.spec.read_options(root, 0)
        teams = np.unique(np.array(self.spec.teams(options)), return_inverse=True)[1]
        return self.decide(
            Decision(
                root=root,
                seat=int(seats[0]),
                teams=teams.astype(np.int32),
                candidates=legal,
                shape=self.spec.shape(options),
                seen=seen,
                own=own,
            )
        )

    @abstractmethod
    def decide(self, decision: Decision) -> Found:
        """What to do with more than one legal action."""


def worths(samples: Samples) -> NDArray[np.float64]:
    """What games are worth: the reward, and the lead as a part of what is usual here."""
    margins = samples[..., MARGIN]
    worth: NDArray[np.float64] = samples[..., RESULT] + np.tanh(margins / (margins.std() or 1.0))
    return worth


def is_better(samples: Samples, *, caution: float) -> bool:
    """Whether the second of *samples* leads the first by more than so many standard errors."""
    if len(samples) < FEWEST:
        return False
    values = worths(samples)
    leads = values[:, 1] - values[:, 0]
    return bool(leads.mean() > max(0.0, caution * leads.std(ddof=1) / len(leads) ** 0.5))


def halve(candidates: Actions, play: Callable[..., Samples], *, caution: float) -> Found:
    """Try *candidates*, of which the first is what the baseline does, until one other is left.

    `play(candidates, share=S)` uses the share S of what is left of the budget. Every time the worse
    half of the others is dropped. The last one is chosen if it is clearly better than the first.
    """
    tried = dict.fromkeys(candidates.tolist(), 0)
    samples = np.zeros((0, len(candidates), 2))
    rounds = (len(candidates) - 2).bit_length() + 1
    for rest in range(rounds, 0, -1):
        more = play(candidates, share=1 / rest)
        for action in candidates.tolist():
            tried[action] += len(more)
        samples = np.concatenate([samples, more])
        if not len(samples):
            break
        others = worths(samples)[:, 1:].mean(axis=0)
        best = 1 + np.argsort(-others, kind="stable")[: (len(others) + 1) // 2]
        kept = np.array([0, *best])
        candidates, samples = candidates[kept], samples[:, kept]
    place, games = int(is_better(samples, caution=caution)), sum(tried.values())
    means = samples[:, place].mean(axis=0) if len(samples) else None
    return Found(
        action=int(candidates[place]),
        default=int(candidates[0]),
        shares={a: n / games for a, n in tried.items()} if games else {int(candidates[0]): 1.0},
        reward=None if means is None else float(means[RESULT]),
        lead=None if means is None else float(means[MARGIN]),
    )
