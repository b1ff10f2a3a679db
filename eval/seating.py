"""Who sits where in the games of a deal: the first agent takes every side in turn.

A *side* is a team, or a single seat where there are no teams.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..agents.agent import Agent
from ..envs.engine.spec import GameSpec, Options

FIRST, SECOND, NOBODY = 0, 1, -1
"""The two agents of a match, and none of them."""


@dataclass(frozen=True, kw_only=True)
class Seating:
    """The games of a deal, one after the other: `R` rotations at a table of `P` seats."""

    agents: tuple[Agent, ...]
    """FIRST, SECOND"""
    teams: NDArray[np.int32]
    """the side of each seat, 0..n-1, `[P]`"""
    sides: NDArray[np.int32]
    """the side of the first agent, `[R]`"""
    table: NDArray[np.int32]
    """which of the agents has each seat, `[R, P]`"""

    @property
    def rotations(self) -> int:
        """Games per deal."""
        return len(self.sides)

    @property
    def num_sides(self) -> int:
        """Sides at the table."""
        return int(self.teams.max()) + 1

    def is_own(self, rotation: int) -> NDArray[np.bool_]:
        """Which seats are on the first agent's side, `[P]`."""
        own: NDArray[np.bool_] = self.teams == self.sides[rotation]
        return own

    def seats(self, rotation: int) -> tuple[int, ...]:
        """The seats of the first agent."""
        return tuple(np.flatnonzero(self.table[rotation] == FIRST).tolist())

    def names(self, rotation: int) -> list[str]:
        """The names of the agents by seat."""
        return [self.agents[who].name for who in self.table[rotation]]


def sides_of(spec: GameSpec, options: Options) -> list[list[int]]:
    """The seats of each side: the teams of the game, or its seats one by one."""
    teams = list(spec.teams(options))
    return [[s for s, team in enumerate(teams) if team == side] for side in sorted(set(teams))]


def seat(sides: Sequence[Sequence[int]], first: Agent, second: Agent) -> Seating:
    """*first* takes each of *sides* (lists of seats) once, and *second* all others."""
    teams = np.zeros(sum(map(len, sides)), np.int32)
    for side, seats in enumerate(sides):
        teams[list(seats)] = side
    own = np.arange(len(sides), dtype=np.int32)
    table = np.where(teams == own[:, None], FIRST, SECOND).astype(np.int32)
    return Seating(agents=(first, second), teams=teams, sides=own, table=table)
