"""Reading score sheets that people have typed in: CSV from a spreadsheet, JSON or JSON lines.

CSV has a line of column names first, in any order, with `,`, `;` or a tab between the cells. Cells
that follow from the others may stay empty: the result of a bye or of a forfeit. A line without any
result is a table whose sheet has not come in yet: it says who meets there.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import normalize

from ...envs.engine.errors import TournamentError, expect
from ...envs.engine.textfiles import read_text
from .rows import Values, rows_of
from .sheets import PAWNS, SIDES, WALKOVERS, Forfeit, Pair, Sheet, Time, forfeited
from .teams import Team, listed

RESULT = ("pawns_a", "pawns_b", "winner", "time", "forfeit")
"""The columns that are empty while a game is being played."""
WHOLE = re.compile(r"(-?\d{1,9})(?:[.,]0{1,2})?", re.ASCII)
NUMBER = re.compile(r"-?\d{1,9}(?:[.,]\d{1,9})?", re.ASCII)
GROUPED = re.compile(
    r"[1-9]\d{0,2}(?P<sign>[.,'\u2019 \xa0\u202f])\d{3}(?:(?P=sign)\d{3})*"
    r"(?:(?!(?P=sign))[.,]\d{1,9})?",
    re.ASCII,
)
"""A number with a sign between its thousands: 4 500, 4'500, 1.200,5."""
AMBIGUOUS = re.compile(r"[1-9]\d{0,2}[.,]\d{3}", re.ASCII)
"""Three decimals, or thousands?"""
MOST_LETTERS = 200
MOST_TIME = 10**12
"""More than the cap of any game, and little enough to be summed."""
WINNER = "the winner as a, b or nothing (time was up)"

Word = TypeVar("Word", bound=str)


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed of a table, and where."""

    place: Pair
    """its sheet, or who meets there while it has no result"""
    line: str
    """where in the file: "line 3", or "sheet 3" of a list"""
    path: Path
    doubt: str = ""
    """what may have been meant otherwise"""

    def __str__(self) -> str:
        return f"{self.path}, {self.line} (round {self.place.round}, table {self.place.table})"


def read_sheets(path: Path, teams: Sequence[Team], *, forfeit_time: Time) -> list[Typed]:
    """The sheets of a file, each by itself as it must be; whole rounds are `check.check_sheets`.

    Raises `TournamentError` that names the line, the round and the table.
    """
    return parse_sheets(read_text(path, TournamentError), path, teams, forfeit_time=forfeit_time)


def parse_sheets(
    text: str, path: Path, teams: Sequence[Team], *, forfeit_time: Time
) -> list[Typed]:
    """The sheets in the *text* of a file; see `read_sheets`."""
    clerk = _Clerk(teams, forfeit_time)
    typed = []
    for line, values in rows_of(text, path):
        where = f"{path}, {line}"
        try:
            number, table = (_from_one(values, name) for name in ("round", "table"))
            where = f"{where} (round {number}, table {table})"
            place = clerk.place(values, number, table)
        except ValueError as error:
            raise TournamentError(f"{where}: {error}") from None
        typed.append(Typed(place, line, path, _doubt(values, place)))
    return typed


# One sheet -------------------------------------------------------------------------------------
#
# What is raised here does not say where it was found; `read_sheets` does.


class _Clerk:
    """Turns what was typed into sheets."""

    def __init__(self, teams: Sequence[Team], forfeit_time: Time) -> None:
        self.numbers = [team.number for team in teams]
        names = [_key(team.name) for team in teams]
        known = [(name, team.number) for name, team in zip(names, teams, strict=True)]
        self.known = {name: number for name, number in known if names.count(name) == 1}
        self.known |= {str(number): number for number in self.numbers}
        self.forfeit_time = forfeit_time

    def place(self, values: Values, number: int, table: int) -> Pair:
        """The sheet of a round and table; only who meets if nothing is known of the game yet."""
        team_a = self._team(values, "team_a")
        team_b = None if _is_empty(values["team_b"]) else self._team(values, "team_b")
        pair = Pair(round=number, table=table, team_a=team_a, team_b=team_b)
        expect(team_a != team_b, "two teams", f"team {team_a} twice")
        if not pair.is_bye and all(_is_empty(values[name]) for name in RESULT):
            return pair
        note = _note(values)
        forfeit = _forfeit(values, pair)
        if forfeit is None:
            return _played(values, pair, note)
        expected = forfeited(pair, forfeit, time=self.forfeit_time, note=note)
        _check_forfeit(values, expected)
        return expected

    def _team(self, values: Values, name: str) -> int:
        text = " ".join(str(values[name]).split())
        match = WHOLE.fullmatch(text)
        key = str(int(match[1])) if match else _key(text)
        is_team = key in self.known and not _is_empty(values[name])
        expected = f"{name} as the number of a team ({listed(self.numbers)})"
        expect(is_team, expected, f"{text or repr(text):.60}")
        return self.known[key]


def _key(name: str) -> str:
    """A name as it is compared: capitals do not count, nor does how a system writes an accent."""
    return normalize("NFC", name.casefold())


def _played(values: Values, pair: Pair, note: str) -> Sheet:
    """The sheet of a game that was played, if pawns and winner agree [R13.2]."""
    pawns = {side: _whole(values, f"pawns_{side}") for side in SIDES}
    for side, count in pawns.items():
        expect(0 <= count <= PAWNS, f"pawns_{side} as 0 to {PAWNS} pawns", count)
    winner = _word(values, "winner", SIDES, expected=WINNER)
    full = [side for side, count in pawns.items() if count == PAWNS]
    expect(len(full) < 2, f"{PAWNS} pawns of one team at most", f"{PAWNS} of both")
    if winner is not None:
        expect(winner in full, f"{PAWNS} pawns of the winner {winner}", pawns[winner])
    else:
        expect(not full, f"{''.join(full)} as the winner with its {PAWNS} pawns", "no winner")
    return Sheet(
        **asdict(pair),
        pawns_a=pawns["a"],
        pawns_b=pawns["b"],
        winner=winner,
        time=_time(values),
        note=note,
    )


def _forfeit(values: Values, pair: Pair) -> Forfeit | None:
    if pair.is_bye:
        _word(values, "forfeit", ("b",), expected="forfeit b or nothing for a bye (no team b)")
        return "b"
    expected = "forfeit as a, b, both (who was absent) or nothing"
    return _word(values, "forfeit", tuple(WALKOVERS), expected=expected)


def _check_forfeit(values: Values, expected: Sheet) -> None:
    """What was typed of a forfeit may be nothing, or what the rules give [R13.3]."""
    what = "a bye" if expected.is_bye else f"forfeit {expected.forfeit}"
    for name in ("pawns_a", "pawns_b", "time"):
        if _is_empty(values[name]):
            continue
        got = _time(values) if name == "time" else _whole(values, name)
        right = getattr(expected, name)
        expect(got == right, f"{name} {right} or nothing for {what}", got)
    winner = _word(values, "winner", SIDES, expected=WINNER)
    is_right = winner in {None, expected.winner}
    expect(is_right, f"{expected.winner or 'nobody'} as the winner of {what}", winner)


# Cells -----------------------------------------------------------------------------------------


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip() in {"", "-"})


def _word(values: Values, name: str, known: Sequence[Word], *, expected: str) -> Word | None:
    """A cell that is one of the *known* words, in letters of any size, or empty."""
    value = values[name]
    if _is_empty(value):
        return None
    for word in known:
        if isinstance(value, str) and value.strip().lower() == word:
            return word
    raise ValueError(f"expected {expected}, got {value!r:.40}")


def _whole(values: Values, name: str) -> int:
    # What is neither a number nor text looks like none: str(True) is "True".
    match = WHOLE.fullmatch(str(values[name]).strip())
    if match is None:
        raise ValueError(f"expected {name} as a whole number, got {values[name]!r:.40}")
    return int(match[1])


def _from_one(values: Values, name: str) -> int:
    number = _whole(values, name)
    expect(number > 0, f"{name} as a number from 1", number)
    return number


def _time(values: Values) -> Time:
    """A time from 0; the decimal sign of a spreadsheet may be a comma."""
    time = values["time"]
    if isinstance(time, str):
        text = time.strip()
        grouped = GROUPED.fullmatch(text)
        if grouped and not AMBIGUOUS.fullmatch(text):
            text = text.replace(grouped["sign"], "")
        if NUMBER.fullmatch(text):
            time = float(text.replace(",", "."))
    is_number = isinstance(time, int | float) and not isinstance(time, bool)
    is_finite = is_number and abs(time) < MOST_TIME  # NaN is not below it either
    expect(is_finite, "time as a number", f"{values['time']!r:.40}")
    expect(time >= 0, "time as a number from 0", values["time"])
    return int(time) if time == int(time) else float(time)


def _doubt(values: Values, place: Pair) -> str:
    """What to say of a time that may have been meant otherwise; nothing of any other."""
    text = str(values["time"]).strip()
    if not (
        isinstance(place, Sheet) and isinstance(values["time"], str) and AMBIGUOUS.fullmatch(text)
    ):
        return ""
    return f"the time {text} was read as {place.time}, not as {re.sub('[.,]', '', text)}"


def _note(values: Values) -> str:
    note = values.get("note")
    expect(note is None or isinstance(note, str), "note as text", f"{note!r:.40}")
    return " ".join((note or "").split())[:MOST_LETTERS]
