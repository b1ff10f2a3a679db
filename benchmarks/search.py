"""Simulated decisions per second of rollouts, and what their baseline alone and one step allow.

Both begin in the same positions, which the baseline has reached, and play on from there with it:
the search in one compiled loop, game after game; the other in a batch, decision by decision, where
nothing but the baseline's loop and the steps is timed. What else a search needs, observations or
re-drawn records, masks and scores, is its own cost. Time is CPU time, one core.
"""

from functools import partial
from time import process_time
from typing import Any

import numpy as np

from spelkast.agents.agent import FromRecords, KernelAgent, views_of
from spelkast.agents.registry import baselines, make_agent
from spelkast.agents.search.playouts import Room
from spelkast.agents.search.rollout import MOST, Budget, RolloutAgent
from spelkast.cli.speed import rate
from spelkast.envs import games, spec
from spelkast.envs.engine.batch import Batch
from spelkast.envs.engine.dtypes import Actions
from spelkast.envs.engine.streams import new_streams

from .sampling import SPREAD, Json, markdown_table, number, ratio, spread, turns

SECONDS = 5.0
"""CPU time per row."""
ROWS, BEFORE = 128, 60
"""Positions, and the decisions that lead to them, so that games are under way."""
DEPTH, BLOCKS = 40, 8
"""Decisions that are played on from a position, and how often the search does."""


def measure(*, seconds: float = SECONDS, rows: int = ROWS) -> Json:
    """Decisions per second with every baseline of every game."""
    return {
        game: {name: Playing(game, name, rows).measure(seconds) for name in baselines(game)}
        for game in games()
    }


class Playing:
    """A baseline in the positions that it has reached."""

    def __init__(self, game: str, name: str, rows: int) -> None:
        agent = make_agent(name, game)
        assert isinstance(agent, KernelAgent)
        self.agent, self.batch = agent, Batch(spec(game), rows, seed=0)
        self.batch.reset()
        self.streams = new_streams(0, rows, "agents")
        self.redraws = new_streams(0, rows, "determinize")
        for _ in range(BEFORE):
            self.batch.step(self.first_moves(self.batch))
        search = RolloutAgent(name, spec(game), agent.choice, budget=Budget())
        self.play_blocks = search.play_blocks

    def first_moves(self, batch: Batch) -> Actions:
        """What the baseline does in *batch*."""
        return self.agent.act(views_of(batch, streams=self.redraws), self.streams)

    def measure(self, seconds: float) -> Json:
        """What the search does, what is allowed, and the share of the first in the second."""
        self.searched(), self.allowed(0.0)  # compiles
        rates = turns({"search": partial(rate, self.searched), "allowed": self.allowed}, seconds)
        shares = ratio(rates["search"], rates["allowed"])
        return {name: spread(values) for name, values in rates.items()} | {"share": shares}

    def searched(self) -> int:
        """Play on from each position in the loop of the search; returns the decisions made."""
        batch, moves, made = self.batch, self.first_moves(self.batch), 0
        room = Room.of(batch.spec.record, batch.shape, self.agent.choice)
        teams, own = np.arange(batch.shape.seats, dtype=np.int32), new_streams(1, 1, "agents")
        samples = np.zeros((BLOCKS, 1, 2))
        for row in range(batch.size):
            here = slice(row, row + 1)
            root, seat = batch.states[here], int(batch.seats[row])
            made += self.play_blocks(
                root, seat, teams, moves[here], own, room, samples, DEPTH, MOST, MOST
            )[1]
        return made

    def allowed(self, seconds: float) -> float:
        """Decisions per second of the baseline's loop and one step."""
        spent, made = 0.0, 0
        while spent < seconds or not made:
            batch = Batch(self.batch.spec, self.batch.size, seed=1)
            batch.states[:] = self.batch.states
            batch.refresh()
            for _ in range(DEPTH):
                spent += self._decide(batch)
                made += batch.size
        return made / spent

    def _decide(self, batch: Batch) -> float:
        """One decision in every row; returns the seconds that loop and steps take."""
        views, moves = views_of(batch, streams=self.redraws), np.zeros(batch.size, np.int32)
        choice: Any = self.agent.choice
        arrays: tuple[Any, ...] = (views.observations, views.masks, self.streams, moves)
        if isinstance(choice, FromRecords):
            choice = choice.choice
            arrays = (views.states, views.masks, views.seats, self.streams, moves)
        weights = np.zeros(batch.shape.outcomes, np.int64)
        ends = (batch.rewards, batch.ended, batch.finals)
        begun = process_time()
        choice(*arrays)
        batch.spec.loops.step_rows(
            batch.states, batch.all_rows, moves, batch.streams, weights, *ends
        )
        spent = process_time() - begun
        batch.refresh()
        return spent


def table(figures: Json) -> str:
    """The figures as Markdown."""
    rows = [
        [game, policy, facts["search"], number(facts["allowed"]["median"]), facts["share"]]
        for game, policies in figures.items()
        for policy, facts in policies.items()
    ]
    simulated = (f"decisions/s, {x}" for x in SPREAD)
    shares = (f"share, {x}" for x in SPREAD)
    return markdown_table(("game", "policy", *simulated, "baseline and step", *shares), rows)
