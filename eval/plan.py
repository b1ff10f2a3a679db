"""The plan of a match: who meets whom in which game, how often and on which deals."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..agents.agent import Agent
from ..envs.engine.errors import OptionsError, expect, shown
from ..envs.engine.spec import GameSpec, Options
from ..envs.engine.streams import Seed
from .seating import Seating, seat, sides_of

MOST_GAMES = 10_000_000
"""Every game is kept to the end of a match."""


@dataclass(frozen=True, kw_only=True)
class MatchPlan:
    """A match before it is played; raises `OptionsError` for one that is impossible."""

    spec: GameSpec
    options: Options
    agents: tuple[Agent, Agent]
    """the first, from whose side all is counted, and the second"""
    partners: tuple[Agent | None, Agent | None] = (None, None)
    """in a game with teams: who shares the sides of the first, and of the second agent"""
    games: int
    """games requested; `total` are played"""
    seed: Seed
    """root of the deals and of the agents' random numbers"""
    batch: int = 512
    """games side by side; does not change the result"""
    record: Path | None = None
    """the file to which the games are added as replays"""

    def __post_init__(self) -> None:
        are_possible = 0 < self.games <= MOST_GAMES
        wanted = f"1 to {MOST_GAMES} games"
        expect(are_possible, wanted, shown(self.games), error=OptionsError)
        expect(self.batch > 0, "a batch of at least 1 game", self.batch, error=OptionsError)
        self.seating  # noqa: B018  partners without teams are refused before anything is played

    @cached_property
    def seating(self) -> Seating:
        """Who sits where in the games of a deal."""
        sides, (partner, other_partner) = sides_of(self.spec, self.options), self.partners
        return seat(sides, *self.agents, partner=partner, other_partner=other_partner)

    @property
    def deals(self) -> int:
        """Blocks of games on one deal; the last one is whole too."""
        return -(-self.games // self.seating.rotations)

    @property
    def total(self) -> int:
        """Games that are played: those requested, rounded up to whole blocks."""
        return self.deals * self.seating.rotations
