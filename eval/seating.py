"""Who sits where in the games of a deal: the first agent takes every side in turn.

Where partners are two agents they take the seats of their side in every order.

A *side* is a team, or a single seat where there are no teams.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..agents.agent import Agent
from ..envs.engine.errors import OptionsError, expect
from ..envs.engine.spec import GameSpec, Options

FIRST, SECOND, NOBODY = 0, 1, -1
"""The two agents of a match, and neither; partners follow as 2 and 3."""


@dataclass(frozen=True, kw_only=True)
class Seating:
    """The games of a deal, one after the other: `R` rotations at a table of `P` seats."""

    agents: tuple[Agent, ...]
    """FIRST, SECOND, and the partners, if any, of the first and of the second"""
    teams: NDArray[np.int32]
    """the side of each seat, 0..n-1, `[P]`"""
    sides: NDArray[np.int32]
    """the side of the first agent, `[R]`"""
    table: NDArray[np.int32]
    """which of the agents has each seat, `[R, P]`"""
    partners: tuple[Agent | None, Agent | None]
    """who shares the sides of the first, and of the second agent"""

    @property
    def rotations(self) -> int:
        """Games per deal."""
        return len(self.sides)

    @property
    def num_sides(self) -> int:
        """Sides at the table."""
        return int(self.teams.max()) + 1

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


def seat(
    sides: Sequence[Sequence[int]],
    first: Agent,
    second: Agent,
    *,
    partner: Agent | None = None,
    other_partner: Agent | None = None,
) -> Seating:
    """*first* takes each of *sides* (lists of seats) once, and *second* all others.

    With a *partner* the first agent has one seat of its side, each in turn, and the partner the
    rest of it; likewise *other_partner* on each side of *second*. An agent is no partner of its
    own: that is the same as none.
    """
    agents = [first, second]
    mates = [FIRST, SECOND]
    for who, mate in enumerate((partner, other_partner)):
        if mate is not None and mate is not agents[who]:
            _check_teams(sides, mate)
            mates[who] = len(agents)
            agents.append(mate)
    orders = [range(1) if mate == who else range(len(sides[0])) for who, mate in enumerate(mates)]
    games = list(product(range(len(sides)), *orders))
    teams = np.zeros(sum(map(len, sides)), np.int32)
    table = np.zeros((len(games), len(teams)), np.int32)
    for side, seats in enumerate(sides):
        teams[list(seats)] = side
        for row, (own, *places) in zip(table, games, strict=True):
            who = FIRST if side == own else SECOND
            row[list(seats)] = mates[who]
            row[seats[places[who]]] = who
    own_sides = np.array([own for own, *_ in games], np.int32)
    partners = [None if mate == who else agents[mate] for who, mate in enumerate(mates)]
    return Seating(
        agents=tuple(agents),
        teams=teams,
        sides=own_sides,
        table=table,
        partners=(partners[FIRST], partners[SECOND]),
    )


def _check_teams(sides: Sequence[Sequence[int]], mate: Agent) -> None:
    wanted = f"a game with teams for the partner {mate.name!r}"
    got = f"a table at which all {len(sides)} seats play for themselves"
    expect(min(map(len, sides)) > 1, wanted, got, error=OptionsError)
