"""The folder of a tournament of agents, which survives whatever happens to the command.

    OUT/tournament.json   the configuration
    OUT/sheets.jsonl      the sheets, one in a line, by round and table
    OUT/sheets.html       pairings, standings and sheets, to print

What is there is replaced as a whole or not at all. The games depend on nothing else, so a
tournament that was interrupted ends as it would have without.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...agents.files import read_json_object, write_json, write_text
from ...envs.engine.errors import SpelkastError, TournamentError, expect
from .check import check_sheets
from .config import Config
from .sheets import Sheet
from .typed import read_sheets

FORMAT = 1
SETTLED = ("teams", "seed", "max_decisions", "time", "options")
"""What the sheets depend on, and may not change once there are some."""


class Folder:
    """The sheets of a tournament, in a folder or, without one, in memory only."""

    def __init__(self, config: Config, path: Path | None = None) -> None:
        self.config = config
        self.path = path
        self.sheets: list[Sheet] = []
        self.pinned: dict[str, str] = {}
        """for trained agents, the checkpoint that plays"""

    def add(self, sheets: Iterable[Sheet]) -> None:
        """Keep more sheets."""
        self.sheets = sorted([*self.sheets, *sheets], key=lambda sheet: (sheet.round, sheet.table))
        if self.path is not None:
            lines = [json.dumps(sheet.to_json(), ensure_ascii=False) for sheet in self.sheets]
            write_text(self.path / "sheets.jsonl", "".join(f"{line}\n" for line in lines))

    def pin(self, pinned: dict[str, str]) -> None:
        """Remember which checkpoints play."""
        self.pinned = {**self.pinned, **pinned}
        self.save()

    def save(self) -> None:
        """Write the configuration."""
        if self.path is not None:
            values = {"format": FORMAT, **self.config.to_json(), "checkpoints": self.pinned}
            write_json(self.path / "tournament.json", values)


def is_tournament(path: Path) -> bool:
    """Whether a tournament has begun in this folder."""
    return (path / "tournament.json").is_file()


def read_config(path: Path) -> Config:
    """The configuration of the tournament in a folder."""
    return _read(path)[0]


def open_folder(path: Path, config: Config) -> Folder:
    """The tournament in a folder with its sheets; a new one where there is none.

    Raises `TournamentError` if another tournament than that of *config* has sheets there. More
    rounds may be played than at first, and the limits on an agent's time may change.
    Nothing is written yet.
    """
    is_free = path.is_dir() or not path.exists()
    expect(is_free, "a folder", f"the file {str(path)!r}", error=TournamentError)
    folder = Folder(config, path)
    has_sheets = (path / "sheets.jsonl").exists()
    if has_sheets and is_tournament(path):
        there, folder.pinned = _read(path)
        _check_same(there, config, path)
        folder.sheets = _sheets(path, config)
        played = max((sheet.round for sheet in folder.sheets), default=0)
        wanted = f"at least {played} rounds, which have begun in {path}"
        expect(played <= config.rounds, wanted, config.rounds, error=TournamentError)
    elif has_sheets:
        raise TournamentError(
            f"expected a folder without sheets, or with the tournament.json that they belong to, "
            f"got {str(path)!r}"
        )
    return folder


def _sheets(path: Path, config: Config) -> list[Sheet]:
    file = path / "sheets.jsonl"
    typed = read_sheets(file, config.teams, forfeit_time=config.forfeit_time)
    check_sheets(typed, config.numbers)
    return [entry.place for entry in typed if isinstance(entry.place, Sheet)]


def _check_same(there: Config, config: Config, path: Path) -> None:
    for name in SETTLED:
        old, new = _comparable(there, name), _comparable(config, name)
        wanted = f"{name} {old}, with which the tournament in {path} has begun"
        expect(old == new, wanted, new, error=TournamentError)


def _comparable(config: Config, name: str) -> Any:
    if name != "teams":
        return getattr(config, name)
    return ", ".join(f"{t.number} {t.name} ({'+'.join(t.agents)})" for t in config.teams)


def _read(path: Path) -> tuple[Config, dict[str, str]]:
    """The configuration in a folder, and the checkpoints that play for its trained agents."""
    file = path / "tournament.json"
    values = read_json_object(file, "a tournament", TournamentError)
    wanted = f"a tournament of format {FORMAT} in {file}"
    expect(values.pop("format", None) == FORMAT, wanted, "another", error=TournamentError)
    pinned = values.pop("checkpoints", None)
    if not isinstance(pinned, dict) or not all(isinstance(v, str) for v in pinned.values()):
        raise TournamentError(f"expected checkpoints by agent in {file}, got {pinned!r:.60}")
    try:
        return Config(**values), pinned
    except SpelkastError as error:
        raise TournamentError(f"{file}: {error}") from None
