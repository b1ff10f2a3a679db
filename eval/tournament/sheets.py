"""Score sheets: what is written down of a game, and the points that it gives [R13.2, R13.3]."""

from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from ...envs.engine.dtypes import Json

ROUNDS = 4
"""Rounds of a tournament [R13.1]."""
MAX_DECISIONS = 600
"""Decisions after which a game is a time-out [R13.1]; they stand for 75 minutes [R8.2]."""
SECONDS_PER_DECISION = 7.5
"""So many seconds a decision stands for [R8.2]."""
MINUTES = 75
"""The longest time of a game at the table, in minutes: people do not count decisions."""

PAWNS = 8
"""Pawns of a team."""
POINTS_PER_PAWN = 2
BONUS = 10
"""Points for the winner besides those for its pawns [R8.1]."""

Side: TypeAlias = Literal["a", "b"]
Forfeit: TypeAlias = Literal["a", "b", "both"]
Time: TypeAlias = int | float


SIDES: tuple[Side, Side] = ("a", "b")
WALKOVERS: dict[Forfeit, tuple[int, int, Side | None]] = {
    "a": (4, 8, "b"), "b": (8, 4, "a"), "both": (4, 4, None),
}  # fmt: skip
"""By who was absent: the pawns of team a and of team b, and the winner [R13.3]."""
FIELDS = (
    "round", "table", "team_a", "team_b", "pawns_a", "pawns_b", "winner", "time", "forfeit",
)  # fmt: skip
"""What every sheet says, in this order; a note may follow."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Who meets at a table of a round.

    Team a sits on seats 0 and 2 and deals first, team b on seats 1 and 3.
    """

    round: int
    table: int
    team_a: int
    team_b: int | None
    """None: team a has the bye"""

    @property
    def is_bye(self) -> bool:
        """Whether team a has no opponent."""
        return self.team_b is None

    @property
    def pair(self) -> "Pair":
        """Who meets, without what else a sheet says."""
        return Pair(round=self.round, table=self.table, team_a=self.team_a, team_b=self.team_b)

    @property
    def teams(self) -> tuple[int, ...]:
        """The one or two teams at this table."""
        return (self.team_a,) if self.team_b is None else (self.team_a, self.team_b)

    def to_json(self) -> Json:
        """The pair as plain JSON."""
        return {"table": self.table, "team_a": self.team_a, "team_b": self.team_b}


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet(Pair):
    """The score sheet of a pair: how its game ended."""

    pawns_a: int
    pawns_b: int
    """pawns at home when the game ended"""
    winner: Side | None
    """None: the time was up, or nobody came"""
    time: Time
    """decisions of the game, or seconds; one unit for a whole tournament"""
    forfeit: Forfeit | None = None
    """which team was absent, or may not go on"""
    note: str = ""
    """why a team forfeited, or what else is to be remembered"""

    @property
    def points(self) -> tuple[int, int]:
        """Points of team a and of team b: 2 per pawn, and 10 for the winner."""
        return (
            POINTS_PER_PAWN * self.pawns_a + BONUS * (self.winner == "a"),
            POINTS_PER_PAWN * self.pawns_b + BONUS * (self.winner == "b"),
        )

    def to_json(self) -> Json:
        """The sheet as [R13.2] has it, with its note if there is one."""
        values = {name: getattr(self, name) for name in FIELDS}
        return values | ({"note": self.note} if self.note else {})


def forfeited(pair: Pair, absent: Forfeit, *, time: Time, note: str = "") -> Sheet:
    """The sheet of a game that was not played, or not to its end [R13.3].

    The team that is there wins 8 pawns to 4, and *time* is the cap. Nobody there: 4 pawns each, and
    nobody wins.
    """
    pawns_a, pawns_b, winner = WALKOVERS[absent]
    return Sheet(
        **asdict(pair),
        pawns_a=pawns_a,
        pawns_b=pawns_b,
        winner=winner,
        time=time,
        forfeit=absent,
        note=note,
    )


def bye(pair: Pair, *, time: Time) -> Sheet:
    """The sheet of a team without an opponent: it wins as if team b were absent."""
    return forfeited(pair, "b", time=time)


def cap_time(max_decisions: int, unit: str) -> Time:
    """The time that a forfeit counts [R13.3]: the cap, in the tournament's unit."""
    return max_decisions if unit == "decisions" else max_decisions * SECONDS_PER_DECISION
