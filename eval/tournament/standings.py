"""The standings of a tournament: wins, points for, points against, time, number [R13.4]."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from math import fsum

from ...envs.engine.dtypes import Json
from .sheets import SIDES, Sheet, Time


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
    played: dict[int, list[tuple[Sheet, int]]] = {team: [] for team in teams}
    for sheet in sheets:
        for side, team in enumerate(sheet.teams):
            played[team].append((sheet, side))
    rows = [_standing(team, entries) for team, entries in played.items()]
    rows.sort(key=lambda row: (-row.wins, -row.points_for, row.points_against, row.time, row.team))
    return [replace(row, place=place) for place, row in enumerate(rows, 1)]


def _standing(team: int, played: Sequence[tuple[Sheet, int]]) -> Standing:
    """What the sheets of a team add up to; each comes with its side: 0 for a, 1 for b."""
    times = [sheet.time for sheet, _ in played]
    # Exact, so that the order of the sheets never decides.
    is_whole = all(isinstance(time, int) for time in times)
    return Standing(
        place=0,
        team=team,
        wins=sum(sheet.winner == SIDES[side] for sheet, side in played),
        points_for=sum(sheet.points[side] for sheet, side in played),
        points_against=sum(sheet.points[1 - side] for sheet, side in played),
        time=sum(times) if is_whole else round(fsum(times), 3),
        played=len(played),
        byes=sum(sheet.is_bye for sheet, _ in played),
        forfeits=sum(sheet.forfeit in {SIDES[side], "both"} for sheet, side in played),
    )
