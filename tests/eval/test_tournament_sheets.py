"""Score sheets typed in by people: what is read, and how a faulty one is reported."""

import json

import pytest

from spelkast.envs.engine.errors import TournamentError
from spelkast.eval.tournament.check import check_sheets
from spelkast.eval.tournament.sheets import (
    FIELDS,
    Pair,
    Sheet,
    bye,
    cap_time,
    forfeited,
)
from spelkast.eval.tournament.teams import read_teams, teams_of_agents, teams_of_people
from spelkast.eval.tournament.typed import read_sheets

TEAMS = teams_of_people(["Kees", "De Vuurtorens", "Robben", "Koog"])
HEADER = "round,table,team_a,team_b,pawns_a,pawns_b,winner,time,forfeit"
ROUND_1 = [
    Sheet(round=1, table=1, team_a=1, team_b=2, pawns_a=8, pawns_b=4, winner="a", time=310),
    Sheet(round=1, table=2, team_a=3, team_b=4, pawns_a=7, pawns_b=5, winner=None, time=600),
]


@pytest.fixture
def read(tmp_path):
    """The sheets in a file with this content."""

    def read(content, *, teams=TEAMS, name="sheets.csv", whole=True):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        typed = read_sheets(path, teams, forfeit_time=600)
        missing = check_sheets(typed, [team.number for team in teams])
        if whole:
            assert missing is None
        return [entry.place for entry in typed]

    return read


# What is read ----------------------------------------------------------------------------------

PLAIN = f"{HEADER}\n1,1,1,2,8,4,a,310,\n1,2,3,4,7,5,,600,\n"
FORMS = {
    "plain": PLAIN.encode(),
    "no newline at the end": PLAIN.strip().encode(),
    "Windows newlines": PLAIN.replace("\n", "\r\n").encode(),
    "a mark in front": b"\xef\xbb\xbf" + PLAIN.encode(),
    "semicolons": PLAIN.replace(",", ";").encode(),
    "tabs": PLAIN.replace(",", "\t").encode(),
    "UTF-16 of a spreadsheet": PLAIN.replace(",", "\t").encode("utf-16"),
    "the first line of Excel": b"sep=;\r\n" + PLAIN.replace(",", ";").encode(),
    "empty columns and lines": PLAIN.replace("\n", ",,,\n,,,,,,,,,,,\n").encode(),
    "empty lines in front": b"\n\n" + PLAIN.encode(),
    "spaces": PLAIN.replace(",", " , ").encode(),
    "quotes": PLAIN.replace("310", '"310"').replace("round", '"round"').encode(),
    "names of columns by hand": PLAIN.replace(
        HEADER, "Round,TABLE,Team A,team-b,Pawns a,PAWNS_B,winner,time,forfeit"
    ).encode(),
    "another order of columns": (
        b"time,winner,pawns_b,pawns_a,team_b,team_a,table,round,forfeit\n"
        b"310,a,4,8,2,1,1,1,\n600,,5,7,4,3,2,1,\n"
    ),
    "winner in capitals": PLAIN.replace(",a,", ",A,").encode(),
    "hyphens for nothing": PLAIN.replace(",,600,", ",-,600,-").encode(),
    "teams by name": PLAIN.replace("1,1,1,2", "1,1,kees,De  Vuurtorens").encode(),
    "decimals of a spreadsheet": PLAIN.replace(",", ";").replace("310", "310,0").encode(),
    "short lines": PLAIN.replace("310,", "310").replace("600,", "600").encode(),
    "notes": f"{HEADER},note\n1,1,1,2,8,4,a,310,,\n1,2,3,4,7,5,,600,,\n".encode(),
    "JSON": json.dumps([sheet.to_json() for sheet in ROUND_1]).encode(),
    "JSON in an object": json.dumps({"sheets": [s.to_json() for s in ROUND_1]}).encode(),
    "JSON lines": "\n".join(json.dumps(s.to_json()) for s in ROUND_1).encode(),
    "JSON lines with a mark": b"\xef\xbb\xbf"
    + "\n\n".join(json.dumps(s.to_json()) for s in ROUND_1).encode(),
    "numbers as text in JSON": json.dumps(
        [{k: v if v is None else str(v) for k, v in s.to_json().items()} for s in ROUND_1]
    ).encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_reads_the_same(read, form):
    assert read(FORMS[form]) == ROUND_1


def test_one_sheet_is_a_line_of_json(read):
    assert read(json.dumps(ROUND_1[0].to_json()), whole=False) == ROUND_1[:1]


def test_an_accent_may_be_a_sign_of_its_own(read):
    """As some systems write it: the name of the team was unknown."""
    teams = teams_of_people(["Zoë", "Kees"])
    (sheet,) = read(f"{HEADER}\n1,1,Zoe\u0308,KEES,8,4,a,310,\n", teams=teams)

    assert (sheet.team_a, sheet.team_b) == (1, 2)


def test_notes_are_kept_in_any_encoding(read):
    text = f"{HEADER},note\n1,1,1,2,8,4,a,310,,café  gewonnen\n"

    for encoding in ("utf-8", "utf-8-sig", "cp1252", "utf-16"):
        (sheet,) = read(text.encode(encoding), whole=False)
        assert sheet.note == "café gewonnen"
        assert sheet.to_json()["note"] == "café gewonnen"


@pytest.mark.parametrize(("text", "time"), [("52", 52), ("52.5", 52.5), ('"52,5"', 52.5)])
def test_times_may_have_decimals(read, text, time):
    (sheet,) = read(f"{HEADER}\n1,1,1,2,8,4,a,{text},\n", whole=False)

    assert sheet.time == time
    assert type(sheet.time) is type(time)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("4 500", 4500),
        ("4'500", 4500),
        ("4\u2019500", 4500),
        ("4\xa0500", 4500),
        ("1.200,5", 1200.5),
        ("1,200.5", 1200.5),
        ("1.234.567", 1234567),
        ("0.500", 0.5),
        ("52.5000", 52.5),
    ],
)
def test_signs_between_thousands_are_understood(tmp_path, text, time):
    """They were no number; what can only be read one way needs no warning."""
    (tmp_path / "s.csv").write_text(f'{HEADER}\n1,1,1,2,8,4,a,"{text}",\n', "utf-8")
    (entry,) = read_sheets(tmp_path / "s.csv", TEAMS, forfeit_time=600)

    assert isinstance(entry.place, Sheet)
    assert (entry.place.time, entry.doubt) == (time, "")
    assert type(entry.place.time) is type(time)


@pytest.mark.parametrize(("text", "time"), [("4.500", 4.5), ("4,500", 4.5), ("900.000", 900)])
def test_thousands_or_decimals_are_doubted(tmp_path, text, time):
    """4.500 beside 900 was read as 4.5 without a word."""
    lines = f'{HEADER}\n1,1,1,2,8,4,a,"{text}",\n1,2,3,4,8,4,a,900,\n'
    (tmp_path / "s.csv").write_text(lines)
    first, second = read_sheets(tmp_path / "s.csv", TEAMS, forfeit_time=600)

    assert isinstance(first.place, Sheet)
    assert first.place.time == time
    whole = text.replace(".", "").replace(",", "")
    assert first.doubt == f"the time {text} was read as {time}, not as {whole}"
    assert second.doubt == ""


PAIR = Pair(round=1, table=1, team_a=1, team_b=2)


@pytest.mark.parametrize(
    ("line", "sheet"),
    [
        ("1,1,1,2,,,,,a", forfeited(PAIR, "a", time=600)),
        ("1,1,1,2,4,8,b,600,A", forfeited(PAIR, "a", time=600)),
        ("1,1,1,2,,,,,b", forfeited(PAIR, "b", time=600)),
        ("1,1,1,2,8,4,a,,b", forfeited(PAIR, "b", time=600)),
        ("1,1,1,2,,,,,both", forfeited(PAIR, "both", time=600)),
        ("1,1,1,2,4,4,,600,both", forfeited(PAIR, "both", time=600)),
    ],
)
def test_a_forfeit_is_filled_in(read, line, sheet):
    assert read(f"{HEADER}\n{line}\n", whole=False) == [sheet]


@pytest.mark.parametrize("end", [",,,,,,", ",,8,4,a,600,b", ",,,,,,b"])
def test_a_bye_is_filled_in(read, end):
    sheets = read(f"{HEADER}\n1,1,1,2,8,0,a,90,\n1,2,3{end}\n", teams=TEAMS[:3])

    assert sheets[1] == bye(Pair(round=1, table=2, team_a=3, team_b=None), time=600)
    assert sheets[1].points == (26, 8)


def test_both_absent_is_four_pawns_each():
    sheet = forfeited(PAIR, "both", time=600)

    assert (sheet.points, sheet.winner, sheet.time) == ((8, 8), None, 600)


def test_line_without_result_is_a_game_under_way(tmp_path):
    """A line without a result is a game that is being played."""
    path = tmp_path / "sheets.csv"
    path.write_text(f"{HEADER}\n1,1,1,2,8,4,a,310,\n1,2,3,4,,,,,\n")
    missing = check_sheets(read_sheets(path, TEAMS, forfeit_time=600), [1, 2, 3, 4])

    assert str(missing) == "round 1: table 2 missing (teams 3 and 4)"


def test_the_cap_in_seconds_is_75_minutes():
    assert cap_time(600, "decisions") == 600
    assert cap_time(600, "seconds") == 75 * 60


# What is wrong ---------------------------------------------------------------------------------

GOOD = "1,1,1,2,8,4,a,310,"
WRONG = {
    "nine pawns": ("1,2,3,4,9,4,a,310,", "line 3 (round 1, table 2): expected pawns_a as 0 to 8"),
    "less than no pawns": ("1,2,3,4,8,-1,a,310,", "expected pawns_b as 0 to 8 pawns, got -1"),
    "two winners": ("1,2,3,4,8,4,ab,310,", "expected the winner as a, b or nothing"),
    "a winner by number": ("1,2,3,4,8,4,3,310,", "got '3'"),
    "unknown team": ("1,2,3,5,8,4,a,310,", "team_b as the number of a team (1 to 4), got 5"),
    "unknown name": ("1,2,3,Texel,8,4,a,310,", "got Texel"),
    "no team": ("1,2,,4,8,4,a,310,", "expected team_a as the number of a team"),
    "winner without 8 pawns": ("1,2,3,4,7,4,a,310,", "expected 8 pawns of the winner a, got 7"),
    "the other has 8": ("1,2,3,4,8,4,b,310,", "expected 8 pawns of the winner b, got 4"),
    "both 8": ("1,2,3,4,8,8,a,310,", "expected 8 pawns of one team at most, got 8 of both"),
    "8 pawns and no winner": ("1,2,3,4,4,8,,310,", "expected b as the winner with its 8 pawns"),
    "a team against itself": ("1,2,3,3,8,4,a,310,", "expected two teams, got team 3 twice"),
    "a team twice": ("1,2,1,4,8,4,a,310,", "expected team 1 once in round 1, got it a second"),
    "a table twice": ("1,1,3,4,8,4,a,310,", "line 3 (round 1, table 1): expected one sheet of"),
    "table 3": ("1,3,3,4,8,4,a,310,", "expected a table of 1 to 2 in round 1, got 3"),
    "table 0": ("1,0,3,4,8,4,a,310,", "expected table as a number from 1, got 0"),
    "round 0": ("0,2,3,4,8,4,a,310,", "expected round as a number from 1, got 0"),
    "negative time": ("1,2,3,4,8,4,a,-3,", "expected time as a number from 0, got -3"),
    "no time": ("1,2,3,4,8,4,a,,", "expected time as a number, got ''"),
    "time in words": ("1,2,3,4,8,4,a,long,", "expected time as a number, got 'long'"),
    "time without end": ("1,2,3,4,8,4,a,inf,", "expected time as a number, got 'inf'"),
    "pawns in words": ("1,2,3,4,eight,4,a,310,", "pawns_a as a whole number, got 'eight'"),
    "half a pawn": ("1,2,3,4,8,3.5,a,310,", "pawns_b as a whole number, got '3.5'"),
    "no pawns": ("1,2,3,4,8,,a,310,", "pawns_b as a whole number, got ''"),
    "underscores": ("1,2,3,4,8,4,a,3_10,", "got '3_10'"),
    "unknown forfeit": ("1,2,3,4,8,4,a,310,c", "expected forfeit as a, b, both"),
    "forfeit with other pawns": ("1,2,3,4,8,3,a,600,b", "expected pawns_b 4 or nothing for forf"),
    "forfeit with another time": ("1,2,3,4,8,4,a,310,b", "expected time 600 or nothing"),
    "forfeit with another winner": ("1,2,3,4,4,8,a,600,a", "expected b as the winner of forfeit a"),
    "forfeit of both with a winner": ("1,2,3,4,,,a,,both", "expected nobody as the winner of"),
    "bye of an even number": ("1,2,3,,8,4,a,600,b", "expected two teams, since their number"),
    "bye that forfeits": ("1,2,3,,8,4,a,600,a", "expected forfeit b or nothing for a bye"),
    "too many cells": ("1,2,3,4,8,4,a,310,,9", "expected at most 9 cells, as many as"),
    "a round too early": (
        "3,2,3,4,8,4,a,310,",
        "sheets.csv: expected whole rounds before round 2 begins, got round 1",
    ),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_wrong_sheet_is_named_by_line(read, mistake):
    line, message = WRONG[mistake]
    with pytest.raises(TournamentError) as refused:
        read(f"{HEADER}\n{GOOD}\n{line}\n", whole=False)

    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    if mistake != "a round too early":
        assert "sheets.csv, line 3" in str(refused.value)


NOTED = f"{HEADER},note"
SWALLOWED = {
    "to the end": '1,1,1,2,8,4,a,310,,"won\n1,2,3,4,7,5,,600,,\n',
    "to a quote at the end": '1,1,1,2,8,4,a,310,,"won\n1,2,3,4,7,5,,600,,well"\n',
    "to a quoted note": '1,1,1,2,8,4,a,310,,"won\n1,2,3,4,7,5,,600,,"well"\n',
    "names of teams": '1,1,1,2,8,4,a,310,,"won\n1,2,Robben,Koog,,,,,a,well"\n',
    "a cell that is no note": '1,1,1,2,8,4,a,310,"a\n",won\n1,2,3,4,7,5,,600,,\n',
    "several lines": '1,1,1,2,8,4,a,310,,"won\n\n1,2,3,4,,,,,\n2,1,1,3,,,,,\n"\n',
    "letters behind a quote": '1,1,1,2,8,4,a,310,,"won" well\n1,2,3,4,7,5,,600,,\n',
}


@pytest.mark.parametrize("quote", SWALLOWED)
def test_an_open_quote_swallowed_the_next_rows(read, quote):
    """They became part of a note, and the round was paired and written again."""
    with pytest.raises(TournamentError) as refused:
        read(f"{NOTED}\n{SWALLOWED[quote]}", whole=False)

    assert "sheets.csv, line 2: expected" in str(refused.value)
    assert "quote" in str(refused.value)
    with pytest.raises(TournamentError, match="line 2: expected"):
        read(f"{NOTED}\n{SWALLOWED[quote]}".replace(",", ";"), whole=False)


def test_an_open_quote_in_front_of_a_row_is_refused(read):
    line = '"won,1,1,1,2,8,4,a,310,\n",1,2,3,4,7,5,,600,\n'
    with pytest.raises(TournamentError, match=r"line 2: expected a quote .* 2 lines in note"):
        read(f"note,{HEADER}\n{line}", whole=False)


def test_a_note_may_have_lines_and_quotes(read):
    """As Excel writes them; the row after it is named by its own line."""
    text = f'{NOTED}\n1,1,1,2,8,4,a,310,,"2 jokers, well\n ""played"""\n'
    (sheet,) = read(text, whole=False)

    assert sheet.note == '2 jokers, well "played"'
    with pytest.raises(TournamentError, match=r"line 4 \(round 1, table 2\)"):
        read(f"{text}1,2,3,4,9,5,,600,,\n")


def test_rows_without_results_are_checked_too(read):
    """A table or a team that was paired twice went unnoticed until it had a result."""
    for line, message in [("1,1,3,4", "table 1"), ("1,2,1,4", "team 1"), ("1,3,3,4", "1 to 2")]:
        with pytest.raises(TournamentError, match=rf"line 3 .* expected .*{message}"):
            read(f"{HEADER}\n1,1,1,2,,,,,\n{line},,,,,\n", whole=False)


def test_a_second_bye_is_named(read):
    with pytest.raises(TournamentError, match=r"line 3 .* one bye in round 1, got a second"):
        read(f"{HEADER}\n1,1,1,,,,,,\n1,2,3,,,,,,\n", teams=TEAMS[:3])


@pytest.mark.parametrize("column", FIELDS)
def test_a_missing_column_is_named(read, column):
    cells = HEADER.split(",")
    k = cells.index(column)
    line = GOOD.split(",")
    with pytest.raises(TournamentError, match=f"line 1: .* got none called {column}"):
        read(f"{','.join(cells[:k] + cells[k + 1 :])}\n{','.join(line[:k] + line[k + 1 :])}\n")

    sheet = ROUND_1[0].to_json()
    del sheet[column]
    with pytest.raises(TournamentError, match=f"sheet 1: .* got none called {column}"):
        read(json.dumps([sheet]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "got an empty file"),
        ("\n \n;;;\n", "got an empty file"),
        (GOOD, "line 1: expected the columns round, table"),
        (HEADER.replace("time", "minutes"), "none called time, but 'minutes'"),
        (f"{HEADER},colour\n", "got 'colour'"),
        (f"{HEADER},time\n", "expected each column once, got time twice"),
        (b"\x00\x01\x02", "got a binary file"),
        ("[1, 2]", "sheet 1: expected a score sheet as an object, got 1"),
        ("[{", "expected a list of score sheets as JSON, got broken JSON"),
        ('{"sheets": 3}', "expected a list of score sheets, got 3"),
        ('{"round": 1}\n{"round": ', "line 1: expected the columns"),
        ('{"round": 1, "round": 2}', "a key that stands there twice"),
        ("[" * 100_000, "expected a list of score sheets as JSON"),
    ],
)
def test_a_file_of_something_else_is_reported(read, content, message):
    with pytest.raises(TournamentError) as refused:
        read(content)

    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("pawns_a", True, "pawns_a as a whole number, got True"),
        ("pawns_a", [8], "pawns_a as a whole number"),
        ("pawns_a", 1e300, "pawns_a as a whole number"),
        ("time", float("nan"), "time as a number, got nan"),
        ("time", float("inf"), "time as a number, got inf"),
        ("time", 10**400, "time as a number, got 1000"),
        ("time", True, "time as a number, got True"),
        ("team_a", True, "team_a as the number of a team"),
        ("team_a", {}, "team_a as the number of a team"),
        ("winner", ["a", "b"], "the winner as a, b or nothing"),
        ("winner", 0, "the winner as a, b or nothing"),
        ("forfeit", False, "expected forfeit as a, b, both"),
        ("note", 3, "expected note as text"),
        ("colour", "red", "got 'colour'"),
    ],
)
def test_values_of_json_are_looked_at_too(read, field, value, message):
    with pytest.raises(TournamentError) as refused:
        read(json.dumps([ROUND_1[0].to_json() | {field: value}]))

    assert "sheet 1" in str(refused.value)
    assert message in str(refused.value)


def test_unfinished_round_names_the_missing_tables(read, tmp_path):
    """A round that is not whole says which tables are missing."""
    teams = teams_of_people([f"team {k}" for k in range(1, 10)])
    path = tmp_path / "sheets.csv"
    path.write_text(f"{HEADER}\n1,2,3,9,8,0,a,310,\n1,4,5,6,0,8,b,310,\n")
    missing = check_sheets(
        read_sheets(path, teams, forfeit_time=600), [team.number for team in teams]
    )

    assert missing is not None
    assert str(missing) == "round 1: tables 1, 3 and 5 missing (teams 1, 2, 4, 7 and 8)"


# Teams -----------------------------------------------------------------------------------------


def test_options_of_a_search_do_not_name_a_team():
    """Its first `=` is no name; a name may still come before it, and a partner after it."""
    search = "search:rollout,policy=racer,budget=300"
    alone, named = teams_of_agents([search, f"Seekers={search}+racer"])

    assert (alone.name, alone.agents) == (search, (search, search))
    assert (named.name, named.agents) == ("Seekers", (search, "racer"))


def test_teams_of_agents():
    teams = teams_of_agents(["kees", "racer+kees", "De Robben = kees", "X=racer + random"])

    assert [(team.number, team.name) for team in teams] == [
        (1, "kees"), (2, "racer+kees"), (3, "De Robben"), (4, "X"),
    ]  # fmt: skip
    assert [team.agents for team in teams] == [
        ("kees", "kees"), ("racer", "kees"), ("kees", "kees"), ("racer", "random"),
    ]  # fmt: skip


def test_a_folder_may_have_any_sign_in_its_name(tmp_path, monkeypatch):
    (tmp_path / "a+b=c").mkdir()
    monkeypatch.chdir(tmp_path)

    assert teams_of_agents(["a+b=c", "X=a+b=c"])[0].agents == ("a+b=c", "a+b=c")
    assert teams_of_agents(["a+b=c", "X=a+b=c"])[1].agents == ("a+b=c", "a+b=c")


@pytest.mark.parametrize("text", ["a+b+c", "+kees", "kees+", "=kees", "X=", " "])
def test_a_team_that_is_no_team(text):
    with pytest.raises(TournamentError, match="team 2"):
        teams_of_agents(["kees", text])


def teams_in(tmp_path, text):
    path = tmp_path / "teams.txt"
    path.write_text(text)
    return [(team.number, team.name) for team in read_teams(path)]


def test_a_file_of_teams_has_one_in_a_line(tmp_path):
    assert teams_in(tmp_path, "\ufeffKees\n\n  De  Vuurtorens \n") == [
        (1, "Kees"), (2, "De Vuurtorens"),
    ]  # fmt: skip
    assert teams_in(tmp_path, "7;Kees;\n3;De Vuurtorens;\n;;\n") == [
        (7, "Kees"), (3, "De Vuurtorens"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Kees\n", "at least 2 teams, got 1"),
        ("", "at least 2 teams, got 0"),
        ("1;Kees\nRobben\n", "line 2: expected a team with a number like the first"),
        ("Kees\n2;Robben\n", "line 2: expected a team without a number like the first"),
        ("1;Kees\n1;Robben\n", "a different number from 1 on for every team, got 1 for 'Robben'"),
        ("0;Kees\n1;Robben\n", "got 0 for 'Kees'"),
        ("1;Kees\n2;\n", "line 2: expected a name of 1 to 60 letters"),
        (f"Kees\n{'x' * 61}\n", "line 2: expected a name of 1 to 60 letters"),
    ],
)
def test_a_file_of_teams_that_is_wrong(tmp_path, text, message):
    with pytest.raises(TournamentError) as refused:
        teams_in(tmp_path, text)

    assert message in str(refused.value)
