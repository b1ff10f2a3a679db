"""`spelkast tournament`: the format of the Texel tournament, for agents and for people."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from .options import (
    AsJson,
    Game,
    Set,
    console,
    game_options,
    game_spec,
    option,
    print_json,
    progress_bar,
)

if TYPE_CHECKING:
    from ..eval.tournament.config import Config
    from ..eval.tournament.hand import Books
    from ..eval.tournament.sheets import Pair
    from ..eval.tournament.teams import Team

EXAMPLES = (
    "spelkast tournament tokken --teams kees racer kees+racer --rounds 4",
    "spelkast tournament tokken --teams Robben=kees Koog=runs/demo --out cup",
    "spelkast tournament tokken --out cup",
    "spelkast tournament tokken --teams-file t.txt --next-round",
    "spelkast tournament tokken --teams-file t.txt --sheets s.csv --next-round",
)
LISTS = ("--teams", "--draw")
"""Options that several values follow."""


class COMMAND(TyperCommand):
    """Lets several values follow an option: `--teams A B C` is `--teams A --teams B --teams C`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat the options of `LISTS` for each of their values."""
        words: list[str] = []
        current = ""
        for word in args:
            if word.startswith("-"):
                current = word if word in LISTS else ""
                words.append(word)
            elif current and words[-1] != current:
                words += [current, word]
            else:
                words.append(word)
        return super().parse_args(ctx, words)


@dataclass(frozen=True, kw_only=True)
class Given:
    """The values of the command line; None for an option that is not given."""

    game: Game
    teams: Annotated[
        list[str] | None,
        option(
            "A B ...",
            "The teams: agents (AGENT, AGENT+PARTNER, NAME=AGENT), or the names of people.",
        ),
    ] = None
    teams_file: Annotated[Path | None, option("FILE", "The teams, one per line.")] = None
    rounds: Annotated[
        int | None, option("N", "Number of rounds; by default 4.", min=1, max=1000)
    ] = None
    seed: Annotated[
        int | None, option("N", "Seed of the draw and the games; by default 0.", min=0)
    ] = None
    out: Annotated[
        Path | None, option("DIR", "Keep the tournament here, or continue the one that is here.")
    ] = None
    max_decisions: Annotated[
        int | None, option("N", "Cap on a game's decisions; by default 600.", min=1)
    ] = None
    time: Annotated[
        str | None, option("UNIT", "The unit of time: decisions (default) or seconds.")
    ] = None
    decision_seconds: Annotated[
        float | None, option("S", "Limit for one decision of an agent; by default 10.")
    ] = None
    game_seconds: Annotated[
        float | None, option("S", "Limit for a team in one game; by default 2250.")
    ] = None
    ready_seconds: Annotated[
        float | None, option("S", "Limit for loading an agent; by default 60.")
    ] = None
    settings: Set = None
    sheets: Annotated[
        Path | None, option("FILE", "People: score sheets as CSV, JSON or JSON lines.")
    ] = None
    next_round: Annotated[
        bool, typer.Option("--next-round", help="People: pair the next round.")
    ] = False
    draw: Annotated[list[int] | None, option("N N ...", "People: the draw of the first round.")] = (
        None
    )
    forfeit_time: Annotated[
        float | None,
        option("T", "People: the time of a forfeit; by default 75 (minutes).", min=0, max=10**9),
    ] = None
    fill_in: Annotated[
        Path | None, option("FILE", "People: write all lines, and the next round's, as CSV.")
    ] = None
    print_to: Annotated[
        Path | None, option("FILE", "Write score sheets and standings as HTML.", "--print")
    ] = None
    as_json: AsJson = False


def tournament(given: Given) -> None:
    """Play a tournament of agents, or record one of people.

    It has Swiss pairing without repeats, byes, forfeits, score sheets and standings. An agent that
    crashes, makes an illegal move or takes too long forfeits its game.
    """
    _check_game(given.game)
    _check_values(given)
    if given.sheets is None and not given.next_round:
        _refuse(given, ("draw", "forfeit_time", "fill_in"), "for people, with --next-round")
        _play(given)
    else:
        _refuse(given, ("out", *LIMITS, "settings"), "of a tournament of agents")
        _keep_books(given)


LIMITS = ("decision_seconds", "game_seconds", "ready_seconds")
FLAGS = {"settings": "--set", "print_to": "--print"}


def _check_game(game: str) -> None:
    from ..envs.engine.errors import UnknownNameError
    from ..eval.tournament.config import GAME

    if game_spec(game).name != GAME:
        raise UnknownNameError(f"expected {GAME}, the game of this tournament, got {game!r}")


def _check_values(given: Given) -> None:
    """Refuse an unknown unit, and a file that is not to be written, now rather than after hours."""
    from ..envs.engine.errors import OptionsError
    from ..eval.tournament.config import UNITS

    if given.time not in {None, *UNITS}:
        raise OptionsError(f"expected --time {' or '.join(UNITS)}, got {given.time!r}")
    for path in (given.print_to, given.fill_in):
        if path is not None and path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if given.print_to is not None and not _may_be_page(given.print_to):
        raise OptionsError(f"expected a page or no file for --print, got {str(given.print_to)!r}")


def _may_be_page(path: Path) -> bool:
    """Whether there is nothing, or an older page: what people have typed is no page."""
    if not path.is_file():
        return not path.exists()
    with path.open("rb") as file:
        return file.read(14).lower() in {b"", b"<!doctype html"}


def _refuse(given: Given, names: Sequence[str], where: str) -> None:
    from ..envs.engine.errors import OptionsError

    for name in names:
        if getattr(given, name) is not None:
            flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
            raise OptionsError(f"expected {flag} only {where}, got it without")


# Agents ----------------------------------------------------------------------------------------


def _play(given: Given) -> None:
    from itertools import groupby

    from ..agents.files import write_text
    from ..eval.tournament.folder import Folder, open_folder
    from ..eval.tournament.page import page
    from ..eval.tournament.report import round_report
    from ..eval.tournament.run import play_tournament, results

    config = _config(given)
    folder = Folder(config) if given.out is None else open_folder(given.out, config)
    targets = [given.print_to, given.out and given.out / "sheets.html"]
    with ExitStack() as stack:
        bar: list[Any] = []

        def progress(count: int) -> None:
            if not bar:
                tables = -(-len(config.teams) // 2)
                bar.append(stack.enter_context(progress_bar("tables", tables, quiet=given.as_json)))
            if bar[0] is not None:
                bar[0](count)

        def on_round(number: int) -> None:
            stack.close()  # the bar, which must not stand between the lines
            bar.clear()
            sheets = folder.sheets
            for target in filter(None, targets):
                rounds = [list(places) for _, places in groupby(sheets, lambda sheet: sheet.round)]
                write_text(target, page(config.teams, sheets, rounds=rounds, unit=config.time))
            if not given.as_json:
                is_final = number == config.rounds
                console().print(round_report(config.teams, sheets, number, is_final=is_final))

        with _says_how_to_go_on(given.out):
            play_tournament(folder, progress=progress, on_round=on_round)
    if given.as_json:
        print_json(results(folder))
    elif given.out is not None:
        console().print(f"Sheets: {given.out / 'sheets.jsonl'}, to print: {targets[-1]}")


@contextmanager
def _says_how_to_go_on(out: Path | None) -> Iterator[None]:
    """Say how a tournament with a folder goes on after something that the disk refused."""
    try:
        yield
    except OSError as error:
        if out is not None:
            error.strerror = f"{error.strerror or error} (repeat the command to continue)"
        raise


def _config(given: Given) -> Config:
    """The tournament in the folder, if there is one, with what else is given."""
    from ..envs.engine.errors import TournamentError
    from ..eval.tournament.config import OWN, Config
    from ..eval.tournament.folder import is_tournament, read_config
    from ..eval.tournament.teams import read_agents, teams_of_agents

    names = ("rounds", "seed", "max_decisions", "time", *LIMITS)
    changes = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    if given.teams:
        changes["teams"] = tuple(teams_of_agents(given.teams))
    elif given.teams_file:
        changes["teams"] = tuple(read_agents(given.teams_file))
    if given.settings:
        options = game_options(game_spec(given.game), given.settings).changed()
        words = [text.partition("=")[0].strip() for text in given.settings]
        changes["options"] = options | {name: None for name in OWN if name in words}
    if given.out is not None and is_tournament(given.out):
        return read_config(given.out).with_changes(**changes)
    if "teams" not in changes:
        raise TournamentError("expected --teams A B ... or an --out with a tournament, got neither")
    return Config(**changes)


# People ----------------------------------------------------------------------------------------


def _keep_books(given: Given) -> None:
    from ..agents.files import replace_kept, write_text
    from ..envs.engine.errors import remark
    from ..eval.tournament.hand import lines_to_fill_in, open_books
    from ..eval.tournament.page import page
    from ..eval.tournament.sheets import MAX_DECISIONS, MINUTES, ROUNDS, cap_time

    limit = given.forfeit_time
    if limit is None and given.time is None and given.max_decisions is None:
        limit = MINUTES
    elif limit is None:
        limit = cap_time(given.max_decisions or MAX_DECISIONS, given.time or "decisions")
    limit = int(limit) if limit == int(limit) else limit
    rounds = given.rounds or ROUNDS
    books = open_books(_people(given), given.sheets, rounds=rounds, forfeit_time=limit)
    kept: Path | None = None
    pairs: list[Pair] | None = None
    if given.next_round:
        pairs = books.next_round(seed=given.seed or 0, drawn=given.draw)
    else:
        _refuse(given, ("draw", "fill_in"), "with --next-round")
    if given.fill_in is not None:
        lines = lines_to_fill_in(books, pairs or [], forfeit_time=limit)
        # The mark lets a spreadsheet see that it is UTF-8.
        kept = replace_kept(given.fill_in, f"\ufeff{lines}")
    if given.print_to is not None:
        places = books.last_sheets if pairs is None else pairs
        text = page(
            books.teams, books.sheets, rounds=[places] if places else [], unit=given.time or ""
        )
        write_text(given.print_to, text)
    if books.doubts:
        more = f" ({len(books.doubts) - 1} more like it)" if len(books.doubts) > 1 else ""
        remark(f"{books.doubts[0]}{more}")
    if given.as_json:
        tables = None if not pairs else [pair.to_json() for pair in pairs]
        print_json({"game": given.game, **books.to_json(), "next_tables": tables})
    else:
        _print_books(books, pairs)
        if kept is not None:
            console().print(f"What {given.fill_in} was before: {kept}", soft_wrap=True)


def _people(given: Given) -> list[Team]:
    from ..envs.engine.errors import TournamentError
    from ..eval.tournament.teams import read_teams, teams_of_people

    if given.teams and given.teams_file:
        raise TournamentError("expected --teams or --teams-file, got both")
    if given.teams_file:
        return read_teams(given.teams_file)
    if not given.teams:
        raise TournamentError("expected the teams by --teams or --teams-file, got none")
    return teams_of_people(given.teams)


def _print_books(books: Books, pairs: list[Pair] | None) -> None:
    from ..eval.tournament.report import round_report, round_table

    out = console()
    if books.sheets:
        number, is_final = books.last_round, books.is_over
        out.print(round_report(books.teams, books.sheets, number, is_final=is_final))
    if books.missing is not None:
        out.print(f"Not all sheets are in: {books.missing}")
    if pairs or (pairs is None and books.paired):
        out.print(round_table(books.teams, pairs or books.paired))
        if books.paired:
            number = books.last_round + 1
            out.print(f"Round {number} stays as it is paired in {books.path}.", soft_wrap=True)
    elif pairs is not None:
        out.print(f"All {books.rounds} rounds have been played; --rounds allows more.")
