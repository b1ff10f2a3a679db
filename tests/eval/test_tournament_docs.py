"""The page on tournaments says what the command does."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from spelkast.cli.app import load
from spelkast.eval.tournament.hand import open_books
from spelkast.eval.tournament.sheets import Sheet
from spelkast.eval.tournament.standings import Standing
from spelkast.eval.tournament.teams import teams_of_people

PAGE = (Path(__file__).parents[2] / "docs" / "tournament.md").read_text("utf-8")


def block(kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.compiled
def test_the_example_runs(capsys):
    (code,) = block("python")
    exec(compile(code, "docs/tournament.md", "exec"), {})

    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]


def test_the_sheets_can_be_read(tmp_path):
    (text,) = block("csv")
    (tmp_path / "cup.csv").write_text(text)
    teams = teams_of_people(["a", "b", "c", "d", "e"])
    books = open_books(teams, tmp_path / "cup.csv", rounds=4, forfeit_time=75)

    assert (books.last_round, books.missing) == (2, None)
    assert [sheet.is_bye for sheet in books.sheets] == [False, False, True] * 2
    assert books.next_round(seed=0, drawn=None)[-1].team_b is None


def test_the_commands_can_be_parsed():
    for line in "".join(block("console")).splitlines():
        words = line.split()
        assert words[:2] == ["spelkast", "tournament"]
        load("tournament").make_context("tournament", words[2:])


def test_every_option_is_on_the_page():
    options = {o for parameter in load("tournament").params for o in parameter.opts}
    named = set(re.findall(r"--[a-z]+(?:-[a-z]+)*", PAGE))

    assert {option for option in options if option.startswith("--")} - named <= {"--help"}


@pytest.mark.parametrize("name", sorted({f.name for f in (*fields(Sheet), *fields(Standing))}))
def test_every_key_is_explained(name):
    assert f"`{name}`" in PAGE
