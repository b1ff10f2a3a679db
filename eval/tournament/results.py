"""A tournament as a page to print and as plain JSON."""

from __future__ import annotations

from collections.abc import Sequence

from ...envs.engine.dtypes import Json
from .config import GAME
from .folder import Folder
from .hand import Books
from .page import Round, page
from .run import pairs_of_round
from .sheets import Pair
from .standings import standings

TITLE = "Tokken tournament"


def page_of_folder(folder: Folder) -> str:
    """Standings and every sheet of a tournament of agents."""
    config, sheets = folder.config, folder.sheets
    after = max((sheet.round for sheet in sheets), default=0)
    return page(
        title=TITLE,
        teams=config.teams,
        rounds=[
            Round(number=n, places=[sheet for sheet in sheets if sheet.round == n])
            for n in range(1, after + 1)
        ],
        rows=standings(config.numbers, sheets),
        after=after,
        unit=config.time,
    )


def page_of_books(books: Books, pairs: Sequence[Pair] | None, *, unit: str) -> str:
    """Standings, and the next round to fill in; without one, the sheets of the last."""
    rounds = [Round(number=pairs[0].round, places=pairs)] if pairs else []
    if pairs is None and books.sheets:
        last = [sheet for sheet in books.sheets if sheet.round == books.last_round]
        rounds = [Round(number=books.last_round, places=last)]
    return page(
        title=TITLE,
        teams=books.teams,
        rounds=rounds,
        rows=books.rows,
        after=books.last_round,
        unit=unit,
    )


def json_of_folder(folder: Folder) -> Json:
    """Everything that a tournament of agents came to."""
    config = folder.config
    names = {team.number: team.name for team in config.teams}
    rows = standings(config.numbers, folder.sheets)
    return {
        "game": GAME,
        "config": config.to_json(),
        "checkpoints": folder.pinned,
        "rounds": [_round(folder, number) for number in range(1, config.rounds + 1)],
        "standings": [{"name": names[row.team], **row.to_json()} for row in rows],
    }


def _round(folder: Folder, number: int) -> Json:
    config = folder.config
    until = [sheet for sheet in folder.sheets if sheet.round <= number]
    pairs = pairs_of_round(config, folder.sheets, number)
    return {
        "round": number,
        "tables": [pair.to_json() for pair in pairs],
        "sheets": [sheet.to_json() for sheet in until if sheet.round == number],
        "standings": [row.to_json() for row in standings(config.numbers, until)],
    }
