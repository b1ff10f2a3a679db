"""Cautious rollouts: a baseline's own choice, unless playing on shows that another is better.

Each legal action is played on, to the end of the game or to some depth, with the baseline on all
seats, in blocks: within a block all actions meet the same hidden cards and the same chance (common
random numbers). Actions that do worse are dropped by halves (sequential halving: Karnin, Koren and
Somekh 2013), and what is left is played more often. The baseline's choice stays to the end, and is
given up only for an action whose lead over it, block by block, is more than two standard errors:
among many actions one always looks better by luck.
"""

from dataclasses import dataclass, replace
from functools import partial
from math import inf
from time import perf_counter

import numpy as np

from ...envs.engine.dtypes import Actions, States, Streams
from ...envs.engine.spec import GameSpec
from ...envs.engine.streams import split
from ...envs.engine.verbs import determinize
from ..agent import Choice, FromRecords, KernelAgent
from .decision import Decision, Found, SearchAgent, halve
from .playouts import (
    DEALT,
    MARGIN,
    PLAYED,
    RESULT,
    Room,
    Samples,
    bind_playouts,
    play_out,
    standing,
)

CAUTION = 2.0
"""Standard errors by which another action must lead the baseline's."""

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


def play_blocks(
    root: States,
    seat: int,
    teams: Actions,
    candidates: Actions,
    own: Streams,
    room: Room,
    samples: Samples,
    depth: int,
    enough: int,
    limit: int,
) -> tuple[int, int]:
    """Try each of *candidates* once in every block, with the same hidden cards and the same chance.

    A block begins if fewer than *enough* decisions were made and *samples* has a place for it; one
    that would bring them beyond *limit* is given up. Returns how many blocks were completed and
    how many decisions were made. After *depth* decisions a game counts as it stands.

    *root* `[1]` is the record at the decision of *seat*, *teams* the team of each seat, from 0 on;
    `own[0]` is all that the blocks are drawn from.
    """
    made, block = 0, 0
    while block < samples.shape[0] and made < enough:
        room.states[DEALT] = root[0]
        determinize(room.states, DEALT, seat, own, 0)
        chance, choices = split(own, 0), split(own, 0)
        for j in range(candidates.size):
            room.states[PLAYED] = room.states[DEALT]
            room.chance[0], room.choices[0] = chance, choices
            left = limit - made
            played = play_out(room, candidates[j], min(depth, left))
            if played > left:
                return block, limit
            made += min(depth, played)
            result, margin = standing(room, teams, teams[seat])
            samples[block, j, RESULT], samples[block, j, MARGIN] = result, margin
        block += 1
    return block, made


class RolloutAgent(SearchAgent):
    """Plays as a baseline does, but for the decisions in which rollouts find it wrong."""

    def __init__(
        self, name: str, spec: GameSpec, choice: Choice | FromRecords, *, budget: Budget
    ) -> None:
        """*choice* is the baseline's."""
        super().__init__(name, spec, KernelAgent(name, choice))
        self.choice, self.budget = choice, budget
        self.play_blocks = bind_playouts(spec, choice, play_blocks)["play_blocks"]

    def decide(self, decision: Decision) -> Found:
        """Play the candidates, of which the first is the baseline's, until one other is left."""
        games = _Games(self, decision)
        found = halve(decision.candidates, games.play, caution=CAUTION)
        return replace(found, simulated=games.simulated)


class _Games:
    """The games that are played for one decision, and what is left of its budget."""

    def __init__(self, agent: RolloutAgent, decision: Decision) -> None:
        self.play_blocks = partial(agent.play_blocks, decision.root, decision.seat, decision.teams)
        self.own = decision.own
        self.room = Room.of(agent.spec.record, decision.shape, agent.choice)
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
