"""Search that a trained network guides: it says what is worth a try, and how the tries stand.

The actions that the network thinks likeliest are tried in blocks, in which all meet the same
hidden cards and the same chance. A try plays on with the network on all seats for some decisions,
until the seat is to move again, and is worth what the network then expects. Actions are dropped
by halves, and the network's own choice is given up only for one that is clearly better, as in
`rollout`.

All tries of a round move side by side, so the network is asked about hundreds of positions at once.
"""

from dataclasses import replace
from typing import Protocol

import numpy as np

from ...envs.engine.batch import Batch
from ...envs.engine.dtypes import Actions, Floats, Streams
from ...envs.engine.loops import RUNNING
from ...envs.engine.spec import GameSpec
from ...envs.engine.streams import NO_GAME, split
from ..agent import Agent, Views, choose, views_of
from .decision import Decision, Found, SearchAgent, halve
from .playouts import RESULT, Samples

CAUTION = 1.0
"""Standard errors by which another action must lead the network's choice."""

WIDTH = 16
"""Actions that are tried at most."""

DEPTH = 8
"""Decisions after which the network is asked, if nothing else was said."""


class Guide(Agent, Protocol):
    """A network that plays and judges."""

    def judge(self, views: Views, streams: Streams) -> tuple[Floats, Floats]:
        """Logits `[N, A]` and, for the seats to move, what they may expect of the game `[N]`."""

    def worth(self, result: float, observation: Floats) -> float:
        """What the end of a game is worth to a seat that gets *result* and sees *observation*."""


class GuidedAgent(SearchAgent):
    """Plays as a network does, but for the decisions in which a look ahead finds it wrong."""

    def __init__(
        self, name: str, spec: GameSpec, guide: Guide, *, simulations: int, depth: int = DEPTH
    ) -> None:
        super().__init__(name, spec, None)
        self.guide, self.simulations, self.depth = guide, simulations, depth

    def decide(self, decision: Decision) -> Found:
        """Try what the network thinks likeliest, its own choice first."""
        logits = self.guide.judge(decision.seen, decision.own)[0][0]
        order = np.argsort(-logits[decision.candidates], kind="stable")
        tries = _Tries(self, decision)
        found = halve(decision.candidates[order[:WIDTH]], tries.play, caution=CAUTION)
        # What a network expects may hold other rewards than the last one, and it knows no points.
        return replace(found, simulated=tries.made, reward=None, lead=None)


class _Tries:
    """What is tried for one decision, and what is left of its simulations."""

    def __init__(self, agent: GuidedAgent, decision: Decision) -> None:
        self.guide, self.spec, self.depth = agent.guide, agent.spec, agent.depth
        self.decision, self.left = decision, agent.simulations
        self.options = agent.spec.read_options(decision.root, 0)
        self.made = 0
        """decisions that were simulated"""

    def play(self, candidates: Actions, *, share: float) -> Samples:
        """Use that *share* of what is left, in whole blocks."""
        blocks = int(self.left / len(candidates) * share + 0.5)
        blocks = min(max(1, blocks), self.left // len(candidates))
        samples = np.zeros((blocks, len(candidates), 2))
        if blocks:
            self.left -= blocks * len(candidates)
            values = self._values(np.tile(candidates, blocks), blocks)
            samples[:, :, RESULT] = values.reshape(blocks, -1)
        return samples

    def _values(self, actions: Actions, blocks: int) -> Floats:
        """What each of *actions* `[blocks * C]` leads to, by block."""
        seat, count = self.decision.seat, len(actions) // blocks
        batch = Batch(self.spec, len(actions), options=self.options, seed=NO_GAME)
        dealt = np.repeat(self.decision.root, blocks)
        seats = np.full(blocks, seat, np.int32)
        self.spec.loops.redraw_rows(dealt, seats, self._streams(blocks))
        batch.states[:] = np.repeat(dealt, count)
        batch.streams[:] = np.repeat(self._streams(blocks), count)
        choices, redraws = (np.repeat(self._streams(blocks), count) for _ in range(2))
        batch.refresh()
        values, rows = np.zeros(len(actions), np.float32), batch.all_rows
        for made in range(1, 2**31):
            batch.step(actions, rows)
            self.made += len(rows)
            for row in rows[batch.ended[rows] != RUNNING].tolist():
                values[row] = self._end(batch, row)
            rows = rows[batch.ended[rows] == RUNNING]
            if made >= self.depth:
                is_leaf = batch.seats[rows] == seat
                values[rows[is_leaf]] = self._expected(batch, rows[is_leaf], redraws)
                rows = rows[~is_leaf]
            if not rows.size:
                break
            actions = choose(self.guide, batch, rows, choices=choices, redraws=redraws)
        return values

    def _streams(self, count: int) -> Streams:
        return np.array([split(self.decision.own, 0) for _ in range(count)], np.uint64)

    def _expected(self, batch: Batch, rows: Actions, redraws: Streams) -> Floats:
        """What the network expects in *rows*, all at decisions of the seat."""
        if not rows.size:
            return np.zeros(0, np.float32)
        return self.guide.judge(views_of(batch, rows, redraws), redraws[rows])[1]

    def _end(self, batch: Batch, row: int) -> float:
        """What the game that has just ended in *row* is worth."""
        seat, view = self.decision.seat, np.zeros(batch.shape.observation, np.float32)
        self.spec.verbs.observe(batch.finals, row, seat, view)
        is_own = self.decision.teams == self.decision.teams[seat]
        return self.guide.worth(float(batch.rewards[row, is_own].mean()), view)
