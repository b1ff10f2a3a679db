"""Everything that a tournament of agents depends on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self

from ... import envs
from ...envs.engine.dtypes import Json
from ...envs.engine.errors import TournamentError
from ...envs.engine.spec import GameSpec
from .sheets import MAX_DECISIONS, ROUNDS, Time, cap_time
from .teams import Team

GAME = "tokken"
"""The game of the format."""
UNITS = ("decisions", "seconds")
"""What `time` on a sheet may count [R13.2]."""
OWN = ("first_dealer", "max_decisions", "players", "teams")
"""Options of the game that the format sets [R13.1, R13.2]."""
MOST = 10_000
"""Rounds, and more than anybody plays."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """A tournament of agents, so that it can be played again."""

    teams: tuple[Team, ...]
    rounds: int = ROUNDS
    seed: int = 0
    """of the draw and of every game: the game of a round and table depends on these three alone"""
    max_decisions: int = MAX_DECISIONS
    """decisions after which a game is a time-out"""
    time: str = "decisions"
    """what time on a sheet counts: decisions of the game, or seconds of its agents"""
    options: Json = field(default_factory=dict)
    """options of the game besides those that the format sets"""
    decision_seconds: float = 10.0
    """an agent that takes longer for one decision forfeits"""
    game_seconds: float = 2250.0
    """a team that thinks longer in one game forfeits; half of the 75 minutes"""
    ready_seconds: float = 60.0
    """an agent that takes longer to load and to choose a first time is absent"""

    def __post_init__(self) -> None:
        for name in ("rounds", "max_decisions"):
            if not 1 <= getattr(self, name) <= (MOST if name == "rounds" else 2**31 - 1):
                raise TournamentError(f"expected {name} from 1, got {getattr(self, name)}")
        for name in ("decision_seconds", "game_seconds", "ready_seconds"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise TournamentError(f"expected {name} above 0, got {value}")
        if self.time not in UNITS:
            raise TournamentError(f"expected time as {' or '.join(UNITS)}, got {self.time!r}")
        for name in OWN:
            if name in self.options:
                raise TournamentError(
                    f"expected options besides {', '.join(OWN)}, which the format sets, "
                    f"got {name!r}"
                )
        self.game_options  # noqa: B018  an unknown option is refused now

    @cached_property
    def spec(self) -> GameSpec:
        """The game."""
        return envs.spec(GAME)

    @cached_property
    def game_options(self) -> Any:
        """The options of every game: team a deals first."""
        limits = {"first_dealer": 0, "max_decisions": self.max_decisions}
        return self.spec.parse_options({**self.options, **limits})

    @property
    def agent_options(self) -> list[Json]:
        """The options that an agent may have been trained for; who deals first does not matter."""
        cap = {} if self.max_decisions == MAX_DECISIONS else {"max_decisions": self.max_decisions}
        return [{**self.options, **cap}, self.game_options.changed()]

    @property
    def forfeit_time(self) -> Time:
        """The time of a forfeit."""
        return cap_time(self.max_decisions, self.time)

    @property
    def numbers(self) -> list[int]:
        """The numbers of the teams."""
        return [team.number for team in self.teams]

    def to_json(self) -> Json:
        """All fields as plain JSON."""
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {**values, "teams": [team.to_json() for team in self.teams]}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`; raises `TypeError` or `KeyError` for something else."""
        teams = [Team(**{**team, "agents": tuple(team["agents"])}) for team in values["teams"]]
        return cls(**{**values, "teams": tuple(teams)})

    def with_changes(self, **changes: Any) -> Self:
        """The configuration with what is not None in *changes*."""
        return replace(self, **{k: value for k, value in changes.items() if value is not None})
