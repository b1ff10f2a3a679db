"""Everything that a tournament of agents depends on."""

from functools import cached_property
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ... import envs
from ...envs.engine.dtypes import Json
from ...envs.engine.errors import TournamentError, expect
from ...envs.engine.explain import explain
from ...envs.engine.spec import GameSpec
from .sheets import MAX_DECISIONS, ROUNDS, Time, cap_time
from .teams import Team

GAME = "tokken"
"""The game of the format."""
Unit = Literal["decisions", "seconds"]
UNITS = get_args(Unit)
"""What `time` on a sheet may count [R13.2]."""
OWN = ("first_dealer", "max_decisions", "players", "teams")
"""Options of the game that the format sets [R13.1, R13.2]."""
MOST = 10_000
"""Rounds, and more than anybody plays."""
Seconds = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]


class Config(BaseModel):
    """A tournament of agents, so that it can be played again.

    Raises `TournamentError` for a value that cannot be, `OptionsError` for an option of the game.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    teams: tuple[Team, ...]
    rounds: int = Field(default=ROUNDS, strict=True, ge=1, le=MOST)
    seed: int = Field(default=0, strict=True, ge=0)
    """of the draw and of every game: the game of a round and table depends on these three alone"""
    max_decisions: int = Field(default=MAX_DECISIONS, strict=True, ge=1, le=2**31 - 1)
    """decisions after which a game is a time-out"""
    time: Unit = "decisions"
    """what time on a sheet counts: decisions of the game, or seconds of its agents"""
    options: Json = {}
    """options of the game besides those that the format sets"""
    decision_seconds: Seconds = 10.0
    """an agent that takes longer for one decision forfeits"""
    game_seconds: Seconds = 2250.0
    """a team that thinks longer in one game forfeits; half of the 75 minutes"""
    ready_seconds: Seconds = 60.0
    """an agent that takes longer to load and to choose a first time is absent"""

    def __init__(self, /, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            message = explain(error, Config, noun="key", where="of the tournament")
            raise TournamentError(message) from None
        self.game_options  # noqa: B018  an unknown option is refused now

    @cached_property
    def spec(self) -> GameSpec:
        """The game."""
        return envs.spec(GAME)

    @cached_property
    def game_options(self) -> Any:
        """The options of every game: team a deals first."""
        for name in OWN:
            others = f"options besides {', '.join(OWN)}, which the format sets"
            expect(name not in self.options, others, repr(name), error=TournamentError)
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
        """All fields as plain JSON; `Config(**values)` is the inverse."""
        return self.model_dump(mode="json")

    def with_changes(self, **changes: Any) -> Self:
        """The configuration with other values for some fields."""
        return type(self)(**{**self.model_dump(), **changes})
