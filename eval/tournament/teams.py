"""The teams of a tournament: their numbers, their names, and the agents that play for them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...agents.search.text import PREFIX
from ...envs.engine.errors import TournamentError, expect
from ...envs.engine.textfiles import read_text

NUMBERED = re.compile(r"\s*(\d{1,6})\s*[;,\t]\s*(.*)")
MOST_LETTERS = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Team:
    """A team: two partners who sit opposite each other."""

    number: int
    name: str
    agents: tuple[str, ...] = ()
    """who plays on its first and on its second seat; empty where people play"""


def teams_of_agents(texts: Sequence[str]) -> list[Team]:
    """Teams 1, 2, ... from "AGENT", "AGENT+PARTNER" or either with a name: "NAME=AGENT"."""
    return _checked([_team_of_agents(number, text) for number, text in enumerate(texts, 1)])


def read_agents(path: Path) -> list[Team]:
    """Teams from a file, one in a line as for `teams_of_agents`; empty lines are skipped."""
    lines = (line.strip() for line in read_text(path, TournamentError).split("\n"))
    return teams_of_agents([line for line in lines if line])


def teams_of_people(names: Sequence[str]) -> list[Team]:
    """Teams 1, 2, ... of these names."""
    return _checked([_named(number, name, "team") for number, name in enumerate(names, 1)])


def read_teams(path: Path) -> list[Team]:
    """Teams from a file, one name in a line: "De Vuurtorens", or with its number "7;De Vuurtorens".

    Either all lines have a number or none; empty lines are skipped.
    """
    lines = [
        (k, line.strip()) for k, line in enumerate(read_text(path, TournamentError).split("\n"), 1)
    ]
    lines = [(k, line) for k, line in lines if line.strip(";, \t")]
    numbered = [NUMBERED.fullmatch(line) for _, line in lines]
    teams = []
    for place, ((k, line), match) in enumerate(zip(lines, numbered, strict=True), 1):
        if (match is None) != (numbered[0] is None):
            first = "without" if numbered[0] is None else "with"
            raise TournamentError(
                f"{path}, line {k}: expected a team {first} a number like the first, got {line!r}"
            )
        number, name = (place, line) if match is None else (int(match[1]), match[2])
        teams.append(_named(number, name.strip(";, \t\"'"), f"{path}, line {k}"))
    return _checked(teams, str(path))


def _team_of_agents(number: int, text: str) -> Team:
    name, equals, rest = text.partition("=")
    # A search has these signs in its options, and a folder may have them in its name.
    if not equals or text.startswith(PREFIX) or Path(text).exists():
        name, rest = _short(text), text
    partners = [rest] if Path(rest).exists() else rest.split("+")
    is_team = len(partners) < 3 and all(partner.strip() for partner in partners)
    wanted = f"team {number} as AGENT, AGENT+PARTNER or NAME=AGENT"
    expect(is_team, wanted, repr(text), error=TournamentError)
    agents = tuple(partner.strip() for partner in partners)
    named = _named(number, name.strip(), "team")
    return Team(number=number, name=named.name, agents=agents * (3 - len(agents)))


def _short(text: str) -> str:
    """The end of a long path says more than its beginning."""
    return text if len(text) <= MOST_LETTERS else f"…{text[1 - MOST_LETTERS :]}"


def _named(number: int, name: str, where: str) -> Team:
    name = " ".join(name.split())
    if not name or len(name) > MOST_LETTERS or not name.isprintable():
        raise TournamentError(
            f"{where}: expected a name of 1 to {MOST_LETTERS} letters for team {number}, "
            f"got {name!r:.80}"
        )
    return Team(number=number, name=name)


def _checked(teams: list[Team], where: str = "") -> list[Team]:
    """The teams if there are two at least, and all numbers are different and positive."""
    at = f"{where}: " if where else ""
    if len(teams) < 2:
        raise TournamentError(f"{at}expected at least 2 teams, got {len(teams)}")
    seen: set[int] = set()
    for team in teams:
        if team.number in seen or team.number < 1:
            raise TournamentError(
                f"{at}expected a different number from 1 on for every team, "
                f"got {team.number} for {team.name!r}"
            )
        seen.add(team.number)
    return teams


def listed(numbers: Sequence[int]) -> str:
    """The numbers of teams in few words: "1 to 6", or "1, 3, 7"."""
    if sorted(numbers) == list(range(1, len(numbers) + 1)):
        return f"1 to {len(numbers)}"
    return ", ".join(map(str, sorted(numbers)))
