"""`spelkast tournament`: agents in one command, people round by round, mistakes in one line."""

import csv
import json
import random
import re
from collections import Counter

import pytest

from spelkast.agents import files as written
from spelkast.cli.app import load
from spelkast.eval.tournament.sheets import FIELDS

TEAMS = ["De Vuurtorens", "Kees & Co", "Robben", "Koog", "Den Burg", "[Oost]"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "teams.txt").write_text("".join(f"{team}\n" for team in TEAMS))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder):
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.name: path.read_bytes() for path in found if path.name != ".lock"}


def in_80_columns(text):
    return all(len(line.rstrip()) <= 80 for line in text.splitlines())


# Agents ----------------------------------------------------------------------------------------

CUP = "tournament tokken --teams kees racer Robben=kees+racer racer kees --rounds 3 --seed 2"


def test_a_full_disk_says_how_a_tournament_goes_on(spelkast, folder, monkeypatch):
    """It did not name the file, nor say that the same command continues."""

    def full(path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(written, "sync", full)
    ran = spelkast(CUP, "--out", "cup")

    assert ran.code == 1
    assert re.fullmatch(
        r"spelkast: No space left on device \(repeat the command to continue\): cup.\w+\.json",
        ran.err,
    )


@pytest.mark.compiled
def test_agents_play_a_tournament(spelkast, folder):
    ran = spelkast(CUP, "--json")
    result = json.loads(ran.out)

    assert (ran.code, ran.err) == (0, "")
    assert result["config"]["rounds"] == 3
    assert [team["name"] for team in result["config"]["teams"]] == [
        "kees", "racer", "Robben", "racer", "kees",
    ]  # fmt: skip
    assert [entry["round"] for entry in result["rounds"]] == [1, 2, 3]
    for entry in result["rounds"]:
        assert len(entry["tables"]) == len(entry["sheets"]) == 3
        assert [list(sheet) for sheet in entry["sheets"]] == [list(FIELDS)] * 3
    assert [row["place"] for row in result["standings"]] == [1, 2, 3, 4, 5]
    assert result["standings"] == [
        {"name": row["name"], **plain}
        for row, plain in zip(result["standings"], result["rounds"][2]["standings"], strict=True)
    ]
    assert files(folder).keys() == {"teams.txt"}


@pytest.mark.compiled
def test_rounds_and_standings_are_printed(spelkast, folder):
    ran = spelkast(CUP, "--print", "page.html")

    assert (ran.code, ran.err) == (0, "")
    assert in_80_columns(ran.out)
    for text in ("Round 1", "Standings after round 1", "Round 3", "Final standings", "3 Robben"):
        assert text in ran.out
    assert "Standings after round 3" not in ran.out
    page = (folder / "page.html").read_text()
    assert page.count('<article class="sheet">') == 6
    assert page.count("<b>3</b>") == 2


@pytest.mark.compiled
def test_tournament_in_a_folder_goes_on(spelkast, folder):
    """A tournament in a folder continues, and may be shown again."""
    first = spelkast(CUP.replace("--rounds 3", "--rounds 2"), "--out", "cup")
    assert files(folder / "cup").keys() == {"tournament.json", "sheets.jsonl", "sheets.html"}
    spelkast("tournament tokken --out cup --rounds 3")
    whole = files(folder / "cup")
    again = spelkast("tournament tokken --out cup --json")

    assert "cup/sheets.html" in first.out
    assert files(folder / "cup") == whole
    found, expected = json.loads(again.out), json.loads(spelkast(CUP, "--json").out)
    assert found == expected
    by_hand = spelkast(
        "tournament tokken --teams a b c d e --sheets cup/sheets.jsonl --rounds 3",
        "--time decisions --json",
    )
    assert [
        {**row, "name": "", "team": row["team"]} for row in json.loads(by_hand.out)["standings"]
    ] == [{**row, "name": ""} for row in expected["standings"]]


@pytest.mark.compiled
def test_game_may_have_options_and_time_be_seconds(spelkast, folder):
    """The game may have options, and time may be seconds."""
    ran = spelkast(
        "tournament tokken --teams racer racer --rounds 1 --max-decisions 60 --time seconds "
        "--set home_entry=free --json"
    )
    (entry,) = json.loads(ran.out)["rounds"]

    assert entry["sheets"][0]["winner"] is None
    assert entry["sheets"][0]["time"] < 10
    assert json.loads(ran.out)["config"]["options"] == {"home_entry": "free"}


# People ----------------------------------------------------------------------------------------


def hand(spelkast, rest):
    return spelkast("tournament tokken --teams-file teams.txt --rounds 3", rest)


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_people_play_a_whole_tournament(spelkast, folder, delimiter):
    """Pair, fill in, pair again: one file that grows; nobody meets twice."""
    rng = random.Random(1)
    hand(spelkast, "--next-round --seed 4 --fill-in cup.csv --print page.html")
    for number in range(1, 4):
        text = (folder / "cup.csv").read_text("utf-8-sig")
        rows = list(csv.DictReader(text.splitlines(), delimiter=delimiter if number > 1 else ","))
        assert Counter(row["round"] for row in rows) == {str(k): 3 for k in range(1, number + 1)}
        for row in rows:
            if not row["pawns_a"]:
                won = rng.choice("ab")
                row |= {"winner": won, "time": "52", "pawns_a": "5", "pawns_b": "5"}
                row[f"pawns_{won}"] = "8"
        lines = [delimiter.join(FIELDS), *(delimiter.join(row.values()) for row in rows)]
        (folder / "cup.csv").write_text("\n".join(lines))
        ran = hand(spelkast, "--sheets cup.csv --next-round --fill-in cup.csv --json")
        assert (ran.code, ran.err) == (0, "")
        result = json.loads(ran.out)
        assert result["round"] == number
        if number < 3:
            assert len(result["next_tables"]) == 3
    assert result["next_tables"] is None
    met = Counter(frozenset((sheet["team_a"], sheet["team_b"])) for sheet in result["sheets"])
    assert (len(met), set(met.values())) == (9, {1})
    ran = hand(spelkast, "--sheets cup.csv --next-round")
    assert "Final standings" in ran.out
    assert "All 3 rounds have been played" in ran.out
    assert in_80_columns(ran.out)


def test_the_first_round_may_have_been_drawn_by_hand(spelkast, folder):
    ran = hand(spelkast, "--next-round --draw 3 1 4 2 6 5 --json")

    assert json.loads(ran.out)["next_tables"] == [
        {"table": 1, "team_a": 3, "team_b": 1},
        {"table": 2, "team_a": 4, "team_b": 2},
        {"table": 3, "team_a": 6, "team_b": 5},
    ]
    assert hand(spelkast, "--next-round").out == hand(spelkast, "--next-round --seed 0").out


def test_names_are_printed_as_they_are(spelkast, folder):
    """Neither the markup of the terminal nor that of the page."""
    ran = hand(spelkast, "--next-round --print page.html")

    assert all(team in ran.out for team in TEAMS)
    page = (folder / "page.html").read_text()
    assert "Kees &amp; Co" in page
    assert "[Oost]" in page
    assert page.count('<article class="sheet">') == 3
    assert page.count("Signature") == 6
    assert not re.search(r"✕|class=\"pawn home\"", page)


HEADER = ",".join(FIELDS)
ROUND_1 = ["1,1,1,2,8,4,a,50,", "1,2,3,4,7,5,,75,", "1,3,5,6,,,,,a"]


def test_standings_so_far_say_what_is_missing(spelkast, folder):
    (folder / "s.csv").write_text("\n".join([HEADER, *ROUND_1[:2], "1,3,5,6,,,,,"]))
    ran = hand(spelkast, "--sheets s.csv")

    assert ran.code == 0
    assert "Standings after round 1" in ran.out
    assert "Not all sheets are in: round 1: table 3 missing (teams 5 and 6)" in ran.out


def test_page_of_a_played_round_has_its_results(spelkast, folder):
    (folder / "s.csv").write_text("\n".join([HEADER, *ROUND_1]))
    hand(spelkast, "--sheets s.csv --forfeit-time 75 --print page.html")
    page = (folder / "page.html").read_text()

    assert page.count('class="pawn home"') == 8 + 4 + 7 + 5 + 4 + 8
    assert page.count("✕") == 4  # two winners, a time-out, an absent team
    assert "Standings after round 1" in page


@pytest.mark.parametrize(
    ("words", "time"),
    [("", 75), ("--time seconds", 4500), ("--time decisions", 600), ("--forfeit-time 90", 90)],
)
def test_a_forfeit_counts_the_longest_time(spelkast, folder, words, time):
    """In minutes, as people write it down: 600 decided ties between teams that had a bye."""
    (folder / "s.csv").write_text("\n".join([HEADER, *ROUND_1]))
    ran = hand(spelkast, f"--sheets s.csv --json {words}")

    assert [sheet["time"] for sheet in json.loads(ran.out)["sheets"]] == [50, 75, time]


# What people have typed ------------------------------------------------------------------------

FIVE = ["1,1,4,2,8,5,a,48,", "1,2,1,5,6,7,,75,", "1,3,3,,,,,,"]
CHANGED = {
    "even": (6, ["1,1,1,2,8,4,a,50,", "1,2,3,4,7,5,,75,", "1,3,5,6,8,0,a,51,"],
             ["2,1,1,2,,,,,", "2,2,6,3,,,,,", "2,3,De Burg,De Koog,,,,,"]),
    "odd": (5, FIVE, ["2,1,4,2,,,,,", "2,2,5,3,,,,,", "2,3,1,,,,,,"]),
    "odd, with the result of the bye": (5, FIVE, ["2,1,4,2,,,,,", "2,2,5,3,,,,,",
                                                  "2,3,1,,8,4,a,75,b"]),
}  # fmt: skip
"""Teams, their first round, and the second as the organiser has changed it."""
NAMES = ["Zoë", "Robben", "Oost", "De Koog", "De Burg", "West"]


def sheets_of(folder, count, *lines):
    (folder / "teams.txt").write_text("\n".join(NAMES[:count]), "cp1252")
    text = "\r\n".join([HEADER, *lines])
    (folder / "cup.csv").write_bytes(text.encode())
    return text


@pytest.mark.parametrize("number", CHANGED)
def test_a_round_paired_by_hand_was_put_back(spelkast, folder, number):
    """It was silently paired anew, or, with an odd number of teams, refused."""
    count, first, second = CHANGED[number]
    sheets_of(folder, count, *first, *second)
    before = files(folder)
    command = "--sheets cup.csv --next-round --fill-in cup.csv"
    ran = hand(spelkast, command)
    tables = json.loads(hand(spelkast, f"{command} --json").out)["next_tables"]

    assert (ran.code, ran.err) == (0, "")
    assert "Round 2 stays as it is paired in cup.csv." in ran.out
    met = [frozenset((row["team_a"], row["team_b"])) for row in tables]
    assert met == [{1, 2}, {6, 3}, {5, 4}] if count == 6 else [{4, 2}, {5, 3}, {1, None}]
    assert all(list(row) == ["table", "team_a", "team_b"] for row in tables)
    assert files(folder) == before
    shown = json.loads(hand(spelkast, "--sheets cup.csv --json").out)
    assert (shown["round"], shown["missing_tables"]) == (1, [])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["2,1,1,2,,,,,", "2,2,1,3,,,,,"], "cup.csv, line 6 (round 2, table 2): expected team 1"),
        (["2,1,1,2,,,,,", "2,1,4,3,,,,,"], "line 6 (round 2, table 1): expected one sheet"),
        (["2,1,1,9,,,,,"], "line 5 (round 2, table 1): expected team_b as the number"),
        (["2,1,1,2,,,,,", "2,2,4,3,,,,,"], "in cup.csv, got round 2: table 3 missing (team 5)"),
        (["2,1,1,2,8,4,a,5,", "2,2,4,3,,,,,", "2,3,5"], "round 2: table 2 missing (teams 3 and 4)"),
        (["2,1,1,2,,,,,", "2,2,4,3,,,,,", "2,3,5"], "draw before the first round only, got one"),
    ],
)  # fmt: skip
def test_a_wrong_round_by_hand_is_named(spelkast, folder, change, message):
    sheets_of(folder, 5, *FIVE, *change)
    before = files(folder)
    draw = "--draw 1 2 3 4 5" if "draw" in message else ""
    ran = hand(spelkast, f"--sheets cup.csv --next-round --fill-in cup.csv {draw}")

    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 0)
    assert message in ran.err
    assert files(folder) == before


def test_rows_that_were_typed_were_written_anew(spelkast, folder):
    """Names, notes, empty cells and the order of the columns were lost; now rows are added."""
    typed = (
        'note;round;table;team_a;team_b;pawns_a;pawns_b;winner;time;forfeit;;\r\n"a long\n'
        f'""{"x" * 300}""";1;1;zoë;Robben;8;04;A;1.200,50;\r\n;1;2;3;;;;;;\r\n;;;\r\n'
    )
    (folder / "teams.txt").write_text("Zoë\nRobben\nOost\n", "utf-16")
    (folder / "cup.csv").write_bytes(typed.encode("cp1252"))
    ran = hand(spelkast, "--sheets cup.csv --next-round --fill-in cup.csv")

    assert (ran.code, ran.err) == (0, "")
    assert "What cup.csv was before: cup.kept-1.csv" in ran.out
    assert (folder / "cup.kept-1.csv").read_bytes() == typed.encode("cp1252")
    lines = (folder / "cup.csv").read_text("utf-8-sig")
    added = ";2;1;3;1;;;;;;;\n;2;2;2;;8;4;a;75;b;;\n"
    assert lines == typed.replace("\r\n", "\n") + added


def test_what_is_overwritten_is_kept_beside_it(spelkast, folder):
    """Every older state stays; a file that is no text is not replaced."""
    for number in range(3):
        (folder / "cup.csv").write_text(f"typed {number}")
        assert hand(spelkast, "--next-round --fill-in cup.csv").code == 0
    hand(spelkast, "--next-round --fill-in cup.csv")  # changes nothing

    kept = {name: text for name, text in files(folder).items() if "kept" in name}
    assert kept == {f"cup.kept-{k + 1}.csv": f"typed {k}".encode() for k in range(3)}
    (folder / "link.csv").symlink_to("cup.csv")
    (folder / "cup.csv").write_text("typed 3")
    hand(spelkast, "--next-round --fill-in link.csv")
    assert (folder / "link.csv").is_symlink()
    assert (folder / "cup.kept-4.csv").read_text() == "typed 3"
    (folder / "cup.xlsx").write_bytes(b"PK\3\4\0\0")
    before = files(folder)
    ran = hand(spelkast, "--next-round --fill-in cup.xlsx --print page.html")
    assert (ran.code, "got a binary file" in ran.err, files(folder)) == (2, True, before)
    ran = hand(spelkast, "--next-round --print cup.csv")
    assert (ran.code, "expected a page" in ran.err, files(folder)) == (2, True, before)


def test_an_unclear_time_is_told_in_one_line(spelkast, folder):
    sheets_of(folder, 2, '1,1,1,2,8,4,a,"4,500",', "2,1,1,2,8,4,a,4.500,", "3,1,1,2,8,4,a,900,")
    ran = hand(spelkast, "--sheets cup.csv --json")

    assert [sheet["time"] for sheet in json.loads(ran.out)["sheets"]] == [4.5, 4.5, 900]
    assert ran.err == (
        "spelkast: cup.csv, line 2 (round 1, table 1): the time 4,500 was read as 4.5, not as 4500 "
        "(1 more like it)"
    )


# Mistakes --------------------------------------------------------------------------------------

SHEETS = "tournament tokken --teams-file teams.txt --sheets wrong.csv --next-round"
MISTAKES = {
    "nine pawns": ("1,3,5,6,9,4,a,310,", "wrong.csv, line 4 (round 1, table 3): expected pawns_a"),
    "two winners": ("1,3,5,6,8,4,a+b,310,", "expected the winner as a, b or nothing"),
    "unknown team": ("1,3,5,7,8,4,a,310,", "the number of a team (1 to 6), got 7"),
    "winner without 8": ("1,3,5,6,7,4,a,310,", "expected 8 pawns of the winner a, got 7"),
    "both 8": ("1,3,5,6,8,8,a,310,", "got 8 of both"),
    "team twice": ("1,3,1,6,8,4,a,310,", "expected team 1 once in round 1"),
    "table twice": ("1,2,5,6,8,4,a,310,", "(round 1, table 2): expected one sheet of"),
    "negative time": ("1,3,5,6,8,4,a,-1,", "expected time as a number from 0, got -1"),
    "unknown forfeit": ("1,3,5,6,8,4,a,310,x", "expected forfeit as a, b, both"),
    "not a number": ("1,3,5,6,eight,4,a,310,", "expected pawns_a as a whole number, got 'eight'"),
    "missing table": ("", "rounds in wrong.csv, got round 1: table 3 missing (teams 5 and 6)"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_bad_sheet_is_one_line_and_changes_nothing(spelkast, folder, mistake):
    """A bad sheet is reported in one line and changes nothing."""
    line, message = MISTAKES[mistake]
    (folder / "wrong.csv").write_text("\n".join([HEADER, *ROUND_1[:2], line]))
    before = files(folder)
    ran = spelkast(SHEETS, "--fill-in wrong.csv --print page.html")

    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert ran.err.startswith("spelkast: ")
    assert message in ran.err
    assert files(folder) == before


COMMANDS = {
    "another game": ("tacocat --teams a b", "expected tokken, the game of this tournament"),
    "unknown game": ("chess --teams a b", "expected a game of"),
    "no teams": ("tokken", "expected --teams A B ... or an --out with a tournament"),
    "one team": ("tokken --teams kees", "expected at least 2 teams, got 1"),
    "unknown agent": ("tokken --teams kees keez", "did you mean 'kees'?"),
    "unknown partner": ("tokken --teams kees kees+keez", "did you mean 'kees'?"),
    "unknown run": ("tokken --teams kees runs/none", "there is no folder 'runs/none'"),
    "three partners": ("tokken --teams kees a+b+c", "AGENT+PARTNER or NAME=AGENT, got 'a+b+c'"),
    "no rounds": ("tokken --teams kees kees --rounds 0", "got '0'"),
    "unit": ("tokken --teams kees kees --time minutes", "expected --time decisions or seconds"),
    "unit by hand": ("tokken --teams a b --next-round --time minutes", "expected --time decisions"),
    "no time": ("tokken --teams kees kees --decision-seconds 0", "greater than 0, got 0"),
    "players": ("tokken --teams kees kees --set players=2", "the format sets, got 'players'"),
    "players as they are": ("tokken --teams kees kees --set players=4", "got 'players'"),
    "unknown option": ("tokken --teams kees kees --set dots=2", "got 'dots'"),
    "out is a file": ("tokken --teams kees kees --out teams.txt", "expected a folder, got the"),
    "draw of agents": ("tokken --teams kees kees --draw 1 2", "expected --draw only for people"),
    "fill in nothing": ("tokken --teams kees kees --fill-in x", "expected --fill-in only for"),
    "folder by hand": ("tokken --teams a b --next-round --out x", "expected --out only of a"),
    "limits by hand": ("tokken --teams a b --next-round --game-seconds 3", "--game-seconds only"),
    "options by hand": ("tokken --teams a b --next-round --set a=1", "expected --set only of"),
    "no teams by hand": ("tokken --next-round", "expected the teams by --teams or --teams-file"),
    "teams in two ways": ("tokken --teams a b --teams-file teams.txt --next-round", "got both"),
    "no file of teams": ("tokken --teams-file none.txt --next-round", "No such file"),
    "no sheets": ("tokken --teams a b --sheets none.csv", "No such file"),
    "folder as sheets": ("tokken --teams a b --sheets .", "Is a directory"),
    "short draw": ("tokken --teams a b --next-round --draw 1", "expected a draw of the 2 teams"),
    "draw in words": ("tokken --teams a b --next-round --draw a b", "got 'a'"),
    "print into a folder": ("tokken --teams a b --next-round --print .", "Is a directory"),
    "a draw and no next round": ("tokken --teams-file teams.txt --sheets s.csv --draw 1 2",
                                 "expected --draw only with --next-round"),
    "a draw too late": ("tokken --teams-file teams.txt --sheets s.csv --next-round --draw 1 2",
                        "expected a draw before the first round only, got one after round 1"),
    "too many rounds": ("tokken --teams a b --sheets late.csv --rounds 1",
                        "late.csv, line 3 (round 2, table 1): expected a round of 1 to 1, got 2"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", COMMANDS)
def test_a_mistake_takes_one_line(spelkast, folder, mistake):
    arguments, message = COMMANDS[mistake]
    (folder / "s.csv").write_text("\n".join([HEADER, *ROUND_1]))
    (folder / "late.csv").write_text("\n".join([HEADER, "1,1,1,2,8,4,a,5,", "2,1,1,2,8,4,a,5,"]))
    before = files(folder)
    ran = spelkast(f"tournament {arguments}")

    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert message in ran.err
    assert files(folder) == before


def test_mistake_in_the_teams_is_mended_in_the_folder(spelkast, folder):
    """A mistake in the teams can be mended in the same folder."""
    spelkast("tournament tokken --teams kees keez --out cup --rounds 1")
    assert not (folder / "cup").exists()
    ran = spelkast("tournament tokken --teams kees racer --out cup --rounds 1")

    assert ran.code == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("tokken --teams a b c --rounds 2", ["a", "b", "c"]),
        ("tokken --rounds 2 --teams a --teams b c", ["a", "b", "c"]),
        ("--teams a b --json tokken", ["a", "b"]),
        ("tokken --draw 1 2 --teams=a", ["a"]),
    ],
)
def test_several_values_follow_an_option(words, expected):
    context = load("tournament").make_context("tournament", words.split())

    assert list(context.params["teams"]) == expected
    assert context.params["game"] == "tokken"
