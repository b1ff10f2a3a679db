"""Score sheets with random damage: what is typed is read, or refused in a line; nothing is lost."""

import random

import pytest

from spelkast.agents.files import replace_kept
from spelkast.envs.engine.errors import TournamentError
from spelkast.eval.tournament.hand import lines_to_fill_in, open_books
from spelkast.eval.tournament.teams import teams_of_people

HEADER = "round{0}table{0}team_a{0}team_b{0}pawns_a{0}pawns_b{0}winner{0}time{0}forfeit{0}note"
ROWS = (
    "1{0}1{0}4{0}2{0}8{0}5{0}a{0}48{0}{0}",
    '1{0}2{0}1{0}Robben{0}6{0}7{0}{0}75{0}{0}"2 jokers, and a\nsecond line"',
    "1{0}3{0}3{0}{0}{0}{0}{0}{0}{0}",
    "2{0}1{0}4{0}1{0}{0}{0}{0}{0}{0}",
    "2{0}2{0}3{0}5{0}{0}{0}{0}{0}{0}well",
    "2{0}3{0}2{0}{0}8{0}4{0}a{0}75{0}b{0}",
)
PIECES = (
    '"',
    '""',
    '"\n',
    '\n"',
    "\n",
    "\r",
    ",",
    ";",
    "\t",
    "é",
    "\ufeff",
    "\u2028",
    " ",
    "1",
    "-",
)
TEAMS = teams_of_people(["Zoë", "Oost", "West", "Koog", "Robben"])


def damaged(choose, delimiter):
    """Some of the sheets with a few pieces put in, left out or doubled."""
    rows = ROWS[: choose.choice((3, 6, 6))]
    text = "\n".join([HEADER, *rows, ""]).replace("{0}", delimiter)
    for _ in range(choose.randint(0, 3)):
        where, piece = choose.randrange(len(text)), choose.choice(PIECES)
        if choose.random() < 0.5:  # a quote where a row ends
            where, piece = choose.choice([k for k, sign in enumerate(text) if sign == "\n"]), '"'
        end = where + choose.choice((0, 0, 0, 0, 1, 5))
        text = text[:where] + piece * choose.choice((1, 1, 1, 0, 2)) + text[end:]
    return text


def is_row(line, delimiter):
    return sum(cell.strip(' "').isdecimal() for cell in line.split(delimiter)) > 1


@pytest.mark.parametrize("number", [500, pytest.param(5_000, marks=pytest.mark.slow)])
def test_damaged_sheets_lose_nothing(tmp_path, number):
    """Each row is read or the file refused; what is written begins with what was typed."""
    choose, refused = random.Random(number), list[str]()
    for _ in range(number):
        path, delimiter = tmp_path / "cup.csv", choose.choice(",;\t")
        text = damaged(choose, delimiter)
        content = text.encode(choose.choice(("utf-8", "utf-8-sig", "utf-16")))
        path.write_bytes(content)
        try:
            books = open_books(TEAMS, path, rounds=4, forfeit_time=75)
            pairs = books.next_round(seed=0, drawn=None)
        except TournamentError as error:
            refused.append(str(error))
            continue
        lines = books.text.split("\n")
        assert len(books.places) == sum(is_row(line, delimiter) for line in lines), text
        kept = replace_kept(path, lines_to_fill_in(books, pairs, forfeit_time=75))
        assert kept is not None or path.read_bytes() == content, text
        assert kept is None or kept.read_bytes() == content, text
        again = open_books(TEAMS, path, rounds=4, forfeit_time=75)
        assert again.text.startswith(books.text), text
        assert (again.sheets, again.paired) == (books.sheets, pairs), text
        for file in tmp_path.glob("*kept*"):
            file.unlink()
    assert 0 < len(refused) < number * 4 / 5
    assert "\n" not in "".join(refused)
