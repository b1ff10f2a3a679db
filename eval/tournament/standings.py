"""The standings of a tournament: wins, points for, points against, time, number [R13.4]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import fsum

from ...envs.engine.dtypes import Json
from .sheets import Sheet, Time


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """A team's line in the standings."""

    place: int
    """1 is the best; no two teams share a place, since the number decides at last"""
    team: int
    wins: int
    points_for: int
    points_against: int
    time: Time
    """sum over the sheets of the team"""
    played: int
    """sheets of the team, byes and forfeits too"""
    byes: int
    forfeits: int
    """games that the team itself forfeited"""

    def to_json(self) -> Json:
        """All fields as plain JSON."""
        return asdict(self)


def standings(teams: Sequence[int], sheets: Iterable[Sheet]) -> list[Standing]:
    """The *teams* in order, the best first [R13.4].

    More wins, then more points, then fewer against, then less time, then the lower number.
    """
    tallies = {team: _Tally() for team in teams}
    for sheet in sheets:
        points_a, points_b = sheet.points
        absent_a, absent_b = sheet.forfeit in {"a", "both"}, sheet.forfeit in {"b", "both"}
        tallies[sheet.team_a].add(
            sheet, points_a, points_b, won=sheet.winner == "a", absent=absent_a
        )
        if sheet.team_b is not None:
            tallies[sheet.team_b].add(
                sheet, points_b, points_a, won=sheet.winner == "b", absent=absent_b
            )
    order = sorted(teams, key=lambda team: (*tallies[team].key(), team))
    return [tallies[team].standing(team, place) for place, team in enumerate(order, 1)]


class _Tally:
    """What the sheets of one team add up to."""

    def __init__(self) -> None:
        self.wins = self.points_for = self.points_against = 0
        self.played = self.byes = self.forfeits = 0
        self.times: list[Time] = []

    def add(
        self, sheet: Sheet, points: int, points_against: int, *, won: bool, absent: bool
    ) -> None:
        self.wins += won
        self.points_for += points
        self.points_against += points_against
        self.times.append(sheet.time)
        self.played += 1
        self.byes += sheet.is_bye
        self.forfeits += absent

    @property
    def time(self) -> Time:
        """Exact, so that the order of the sheets never decides."""
        whole = all(isinstance(time, int) for time in self.times)
        return sum(self.times) if whole else round(fsum(self.times), 3)

    def key(self) -> tuple[int, int, int, Time]:
        return -self.wins, -self.points_for, self.points_against, self.time

    def standing(self, team: int, place: int) -> Standing:
        return Standing(
            place=place,
            team=team,
            wins=self.wins,
            points_for=self.points_for,
            points_against=self.points_against,
            time=self.time,
            played=self.played,
            byes=self.byes,
            forfeits=self.forfeits,
        )
