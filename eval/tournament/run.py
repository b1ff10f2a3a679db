"""Playing a tournament of agents, round by round, from wherever it stands."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial

from ...agents.files import claimed
from ...agents.registry import make_agent
from ...envs.engine.dtypes import Json
from ...envs.engine.errors import TournamentError
from .config import GAME, Config
from .folder import Folder
from .games import play_round
from .pairing import draw, next_pairs
from .players import Company, Make
from .sheets import Pair, Sheet, bye
from .standings import standings

Progress = Callable[[int], None]
"""Called with the number of sheets that have come in."""
OnRound = Callable[[int], None]
"""Called with the number of a round whose last sheet has come in."""


def play_tournament(
    folder: Folder,
    *,
    make: Make = make_agent,
    progress: Progress | None = None,
    on_round: OnRound | None = None,
) -> list[Sheet]:
    """Play what is missing of the tournament in *folder*; returns all sheets.

    The sheets are the same however often it is interrupted and called again, as long as agents
    answer within their limits.
    """
    config = folder.config
    with ExitStack() as stack:
        if folder.path is not None:
            stack.enter_context(claimed(folder.path, TournamentError))
        company: Company | None = None
        for number in range(1, config.rounds + 1):
            pairs = pairs_of_round(config, folder.sheets, number)
            todo = _not_played(pairs, folder.sheets)
            if progress is not None:
                progress(len(pairs) - len(todo))
            if todo and company is None:
                company = stack.enter_context(closing(Company(config, make, folder.pinned)))
                company.gather()
                folder.pin(company.pinned())
            if todo and company is not None:
                on_sheets = partial(_keep, folder, progress)
                on_sheets([bye(p, time=config.forfeit_time) for p in todo if p.team_b is None])
                tables = [pair for pair in todo if pair.team_b is not None]
                play_round(config, tables, company, on_sheets=on_sheets)
            if on_round is not None:
                on_round(number)
    folder.save()
    return folder.sheets


def pairs_of_round(config: Config, sheets: list[Sheet], number: int) -> list[Pair]:
    """The tables of a round, from the sheets of those before it."""
    before = [sheet for sheet in sheets if sheet.round < number]
    return next_pairs(config.numbers, before, drawn=draw(config.numbers, config.seed))


def _not_played(pairs: list[Pair], sheets: list[Sheet]) -> list[Pair]:
    """The pairs without a sheet; the others' sheets must be those of their pairs."""
    there = {(sheet.round, sheet.table): sheet for sheet in sheets}
    todo = []
    for pair in pairs:
        sheet = there.get((pair.round, pair.table))
        if sheet is None:
            todo.append(pair)
        elif (sheet.team_a, sheet.team_b) != (pair.team_a, pair.team_b):
            raise TournamentError(
                f"expected team {pair.team_a} against {pair.team_b or 'nobody'} at table "
                f"{pair.table} in round {pair.round}, got the sheet of {sheet.team_a} against "
                f"{sheet.team_b or 'nobody'}: another tournament's, or changed by hand"
            )
    return todo


def _keep(folder: Folder, progress: Progress | None, sheets: list[Sheet]) -> None:
    if sheets:
        folder.add(sheets)
    if sheets and progress is not None:
        progress(len(sheets))


def results(folder: Folder) -> Json:
    """Everything that a tournament came to, as plain JSON."""
    config, sheets = folder.config, folder.sheets
    names = {team.number: team.name for team in config.teams}
    rounds = []
    for number in range(1, config.rounds + 1):
        until = [sheet for sheet in sheets if sheet.round <= number]
        pairs = pairs_of_round(config, sheets, number)
        rounds.append(
            {
                "round": number,
                "tables": [pair.to_json() for pair in pairs],
                "sheets": [sheet.to_json() for sheet in until if sheet.round == number],
                "standings": [row.to_json() for row in standings(config.numbers, until)],
            }
        )
    return {
        "game": GAME,
        "config": config.to_json(),
        "checkpoints": folder.pinned,
        "rounds": rounds,
        "standings": [
            {"name": names[row.team], **row.to_json()} for row in standings(config.numbers, sheets)
        ],
    }
