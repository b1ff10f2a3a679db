"""Cautious rollouts: a baseline's own choice, unless playing on shows that another is better.

Each legal action is played on, to the end of the game or to some depth, with the baseline on all
seats, in blocks: within a block all actions meet the same hidden cards and the same chance (common
random numbers). Actions that do worse are dropped by halves (sequential halving: Karnin, Koren and
Somekh 2013), and what is left is played more often. The baseline's choice stays to the end, and is
given up only for an action whose lead over it, block by block, is more than two standard errors:
among many actions one always looks better by luck.
"""

from dataclasses import dataclass
from functools import partial
from math import inf
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.dtypes import Actions, States, Streams
from ...envs.engine.spec import GameSpec
from ..agent import Choice, FromRecords, KernelAgent, Views, check_masks
from .playouts import MARGIN, RESULT, Room, Samples, bind_playouts

CAUTION = 2.0
"""Standard errors by which another action must lead."""

FEWEST_BLOCKS = 8
"""Fewer say nothing of how much the lead varies."""

BLOCKS, AT_ONCE = 256, 5000
"""Blocks, and decisions, after which a compiled call looks at the clock and hears Ctrl-C."""

MOST = 10**9
"""Decisions that a budget may allow, or that one of seconds ever needs."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What a decision may cost: decisions or seconds, one of the two."""

    decisions: int | None = None
    """simulated decisions; repeatable, and never exceeded"""
    seconds: float | None = None
    """of wall time, and then what remains of a block; the choice may differ each time"""
    depth: int | None = None
    """decisions after which a game is judged by its scores; None plays all games to the end"""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a search makes of a decision."""

    action: int
    default: int
    """what the baseline would do"""
    simulated: int = 0
    """decisions that were simulated for it"""
    blocks: int = 0
    """games played with `action` as well as with `default`"""


class RolloutAgent:
    """Plays as a baseline does, but for the decisions in which rollouts find it wrong."""

    needs_states = True

    def __init__(
        self, name: str, spec: GameSpec, choice: Choice | FromRecords, *, budget: Budget
    ) -> None:
        """*choice* is the baseline's."""
        self.name = name
        self.spec = spec
        self.choice = choice
        self.budget = budget
        self.baseline = KernelAgent(name, choice)
        self.play_blocks = bind_playouts(spec, choice)

    def act(self, views: Views, streams: Streams) -> Actions:
        """Choose a legal action for every row, `int32[N]`."""
        check_masks(views.masks, self.name)
        rows = range(len(views))
        return np.array([self.search(views, streams, row).action for row in rows], np.int32)

    def search(self, views: Views, streams: Streams, row: int) -> Found:
        """What to do in one row."""
        if views.states is None:
            raise ValueError(f"expected views with records for {self.name!r}, got none")
        legal = np.flatnonzero(views.masks[row])
        if len(legal) == 1:
            return Found(action=int(legal[0]), default=int(legal[0]))
        own, here = streams[row : row + 1], slice(row, row + 1)
        # Whatever hidden cards come in, none of them counts.
        root, seats = views.states[here].copy(), np.ascontiguousarray(views.seats[here], np.int32)
        self.spec.loops.redraw_rows(root, seats, own)
        view = Views(views.observations[here], views.masks[here], seats, root)
        default = int(self.baseline.act(view, own)[0])
        candidates = np.array([default, *legal[legal != default]], np.int32)
        return self._halve(_Games(self, root, seat=int(seats[0]), own=own), candidates)

    def _halve(self, games: "_Games", candidates: Actions) -> Found:
        """Play *candidates*, of which the first is the baseline's, until one other is left."""
        default, samples = int(candidates[0]), np.zeros((0, len(candidates), 2))
        rounds = (len(candidates) - 2).bit_length() + 1
        for rest in range(rounds, 0, -1):
            samples = np.concatenate([samples, games.play(candidates, share=1 / rest)])
            if not len(samples):
                break
            others = worths(samples)[:, 1:].mean(axis=0)
            best = 1 + np.argsort(-others, kind="stable")[: (len(others) + 1) // 2]
            kept = np.array([0, *best])
            candidates, samples = candidates[kept], samples[:, kept]
        return Found(
            action=int(candidates[1]) if is_better(samples) else default,
            default=default,
            simulated=games.simulated,
            blocks=len(samples),
        )


def worths(samples: Samples) -> NDArray[np.float64]:
    """What games are worth, `[K, C]`: the reward, and the lead as a part of what is usual here."""
    margins = samples[:, :, MARGIN]
    worth: NDArray[np.float64] = samples[:, :, RESULT] + np.tanh(margins / (margins.std() or 1.0))
    return worth


def is_better(samples: Samples) -> bool:
    """Whether the second candidate of *samples* is clearly worth more than the first."""
    if len(samples) < FEWEST_BLOCKS:
        return False
    values = worths(samples)
    leads = values[:, 1] - values[:, 0]
    return bool(leads.mean() > max(0.0, CAUTION * leads.std(ddof=1) / len(leads) ** 0.5))


class _Games:
    """The games that are played for one decision, and what is left of its budget."""

    def __init__(self, agent: RolloutAgent, root: States, *, seat: int, own: Streams) -> None:
        spec, options = agent.spec, agent.spec.read_options(root, 0)
        # As numbers from 0 on.
        teams = np.unique(np.array(spec.teams(options)), return_inverse=True)[1].astype(np.int32)
        self.play_blocks = partial(agent.play_blocks, root, seat, teams)
        self.own, self.room = own, Room.of(spec.record, spec.shape(options), agent.choice)
        self.budget, self.simulated, self.begun = agent.budget, 0, perf_counter()

    def play(self, candidates: Actions, *, share: float) -> Samples:
        """Use that *share* of what is left, or somewhat more: a block is played whole."""
        limit = (self.budget.decisions or MOST) - self.simulated
        enough = max(1, int(limit * share))
        depth, now = self.budget.depth or MOST, perf_counter()
        seconds = (self.budget.seconds or inf) - (now - self.begun)
        played = []
        while True:
            samples = np.empty((BLOCKS, len(candidates), 2))
            blocks, made = self.play_blocks(
                candidates, self.own, self.room, samples, depth, min(enough, AT_ONCE), limit
            )
            self.simulated, enough, limit = self.simulated + made, enough - made, limit - made
            played.append(samples[:blocks])
            if not blocks or enough <= 0 or perf_counter() > now + seconds * share:
                return np.concatenate(played)
