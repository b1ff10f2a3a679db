"""What an organiser prints: who sits where, a score sheet for every table, the standings.

One HTML page that needs nothing else. On paper (A4) two sheets share a side.
"""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from string import Template

from .report import figures, outcome, time_text
from .sheets import BONUS, PAWNS, POINTS_PER_PAWN, SIDES, Pair, Sheet
from .standings import standings
from .teams import Team

COLORS = {"red": "#d0342c", "green": "#2e8b47", "yellow": "#e8b71a", "blue": "#2b62c0"}
SEATS = {"a": ("red", "yellow"), "b": ("green", "blue")}
"""The colours of team a, on seats 0 and 2, and of team b, on seats 1 and 3 [R1.1, R13.2]."""
LONG_NAME = 30
"""Letters that fit on a sheet in large print."""
TICK = {False: "", True: "✕"}
TITLE = "Tokken tournament"
RULE = (
    f"{POINTS_PER_PAWN} points per pawn at home, {BONUS} more for the winner, who has all {PAWNS}. "
    "Nobody wins when time is up."
)


def page(
    teams: Sequence[Team],
    sheets: Sequence[Sheet],
    *,
    rounds: Iterable[Sequence[Pair]],
    unit: str = "",
) -> str:
    """The page: standings after all *sheets*, then each of *rounds* with its tables and its sheets.

    A round holds sheets where games were played, pairs where they are to come. *unit* is what time
    counts, where that is known.
    """
    names = {team.number: team.name for team in teams}
    parts = [_standings(teams, sheets, names)] if sheets else []
    for places in rounds:
        parts.append(_tables(places, names, is_first=not parts))
        filled = "\n".join(_sheet(place, names, unit) for place in places if not place.is_bye)
        parts.append(f'<section class="page">\n{filled}\n</section>')
    return _fill("page", title=TITLE, body="\n".join(parts))


def _fill(name: str, /, **values: object) -> str:
    """The HTML file of that name with *values* in its gaps."""
    text = Path(__file__).with_name(f"{name}.html").read_text("utf-8")
    return Template(text).substitute(values)


# Lists -----------------------------------------------------------------------------------------


def _standings(teams: Sequence[Team], sheets: Sequence[Sheet], names: dict[int, str]) -> str:
    head = ("", "", "Team", "Wins", "For", "Against", "Time", "")
    kinds = ("number", "number", "", "number", "number", "number", "number", "last small")
    rows = standings([team.number for team in teams], sheets)
    lines = [(row.place, row.team, escape(names[row.team]), *figures(row)) for row in rows]
    title = f"Standings after round {max(sheet.round for sheet in sheets)}"
    return f"<section><h2>{title}</h2>{_list(head, lines, kinds)}</section>"


def _tables(places: Sequence[Pair], names: dict[int, str], *, is_first: bool) -> str:
    head = ["Table", "Team a, deals first", "Team b"]
    if any(isinstance(place, Sheet) for place in places):
        head += ["Result", ""]
    kinds = ("number", "name", "name", "number", "last small")
    lines = _list(head, [_line(place, names) for place in places], kinds)
    kind = "" if is_first else ' class="page"'
    return f"<section{kind}><h2>Tables of round {places[0].round}</h2>{lines}</section>"


def _line(place: Pair, names: dict[int, str]) -> list[str]:
    """A table, who sits there in which colours, and the points that they got."""
    sheet = place if isinstance(place, Sheet) else None
    cells = [str(place.table)]
    for side, team in zip(SIDES, place.teams, strict=False):  # a bye has no team b
        name = f"{team} {escape(names[team])}"
        if sheet and sheet.winner == side:
            name = f'<span class="won">{name}</span>'
        cells.append(name if place.is_bye else f"{name}<br>{_colors(SEATS[side])}")
    if place.is_bye:
        cells.append("bye")
    if sheet:
        cells += [f"{sheet.points[0]} – {sheet.points[1]}", outcome(sheet)]
    return cells


def _list(head: Sequence[str], lines: Iterable[Sequence[object]], kinds: Sequence[str]) -> str:
    """A table of these cells, whose columns are of these kinds."""
    rows = "".join(_row("td", line, kinds) for line in lines)
    return (
        f'<table class="list"><thead>{_row("th", head, kinds)}</thead><tbody>{rows}</tbody></table>'
    )


def _row(tag: str, cells: Sequence[object], kinds: Sequence[str]) -> str:
    marked = (f'<{tag} class="{kinds[k]}">{cell}</{tag}>' for k, cell in enumerate(cells))
    return f"<tr>{''.join(marked)}</tr>"


def _colors(colors: Sequence[str]) -> str:
    dots = " ".join(
        f'<span class="dot" style="background:{COLORS[color]}"></span>{color}' for color in colors
    )
    return f'<span class="small">{dots}</span>'


# Sheets ----------------------------------------------------------------------------------------


def _sheet(place: Pair, names: dict[int, str], unit: str) -> str:
    """The sheet of a game: filled in, or to be filled in."""
    sheet = place if isinstance(place, Sheet) else None
    forfeit = sheet.forfeit if sheet else None
    ticks = (
        ("time is up", sheet is not None and sheet.winner is None and forfeit is None),
        ("a absent", forfeit in {"a", "both"}),
        ("b absent", forfeit in {"b", "both"}),
    )
    return _fill(
        "sheet",
        round=place.round,
        table=place.table,
        sides="".join(_side(place, k, names) for k in range(len(SIDES))),
        unit=f" ({unit})" if unit else "",
        time=time_text(sheet.time) if sheet else "",
        ticks="".join(
            f'<span><span class="box tick">{TICK[is_so]}</span> {text}</span>'
            for text, is_so in ticks
        ),
        rule=RULE,
        note=f'<p class="small note">{escape(sheet.note)}</p>' if sheet and sheet.note else "",
    )


def _side(place: Pair, k: int, names: dict[int, str]) -> str:
    """Team a (0) or b (1) on a sheet."""
    side, number = SIDES[k], place.teams[k]
    sheet = place if isinstance(place, Sheet) else None
    home = (sheet.pawns_a, sheet.pawns_b)[k] if sheet else 0
    return _fill(
        "side",
        side=side,
        deals=", deals first" if side == "a" else "",
        long=" long" if len(names[number]) > LONG_NAME else "",
        number=number,
        name=escape(names[number]),
        colors=_colors(SEATS[side]),
        pawns=home if sheet else "",
        circles="".join(
            f'<span class="pawn{" home" if pawn < home else ""}"></span>' for pawn in range(PAWNS)
        ),
        winner=TICK[sheet is not None and sheet.winner == side],
        points=sheet.points[k] if sheet else "",
    )
