"""What an organiser prints: who sits where, a score sheet for every table, the standings.

One HTML page that needs nothing else. On paper (A4) two sheets share a side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from .report import outcome, remarks, time_text
from .sheets import BONUS, PAWNS, POINTS_PER_PAWN, Pair, Sheet
from .standings import Standing
from .teams import Team

COLORS = {"red": "#d0342c", "green": "#2e8b47", "yellow": "#e8b71a", "blue": "#2b62c0"}
SEATS_A, SEATS_B = ("red", "yellow"), ("green", "blue")
"""The colours of team a, on seats 0 and 2, and of team b, on seats 1 and 3 [R1.1, R13.2]."""
LONG_NAME = 30
"""Letters that fit on a sheet in large print."""
RULE = (
    f"{POINTS_PER_PAWN} points per pawn at home, {BONUS} more for the winner, who has all {PAWNS}. "
    "Nobody wins when time is up."
)

STYLE = """
@page { size: A4; margin: 12mm }
* { box-sizing: border-box }
body { font: 15px 'Trebuchet MS', Verdana, 'DejaVu Sans', sans-serif; color: #2b2118;
  max-width: 186mm; margin: 8mm auto; -webkit-print-color-adjust: exact; print-color-adjust: exact }
h1 { font-size: 26px; margin: 0 0 4mm } h2 { font-size: 21px; margin: 0 0 3mm }
section { margin-bottom: 12mm }
table.list { border-collapse: collapse; width: 100% }
table.list th { text-align: left; border-bottom: 2px solid; padding: 1mm 2mm }
table.list td { border-bottom: 1px solid #cbbfae; padding: 1.6mm 2mm; vertical-align: top }
.number { text-align: right !important; white-space: nowrap; font-variant-numeric: tabular-nums }
table.list .name { width: 40% } td.last { white-space: nowrap }
.won { font-weight: bold } .small { font-size: 13px; color: #5c5042 }
.dot { display: inline-block; width: 3.4mm; height: 3.4mm; border-radius: 50%;
  border: 1px solid #2b2118; vertical-align: -0.3mm; margin-right: 1mm }
.sheet { border: 2px solid; border-radius: 3mm; padding: 5mm 6mm; margin-bottom: 8mm;
  height: 125mm; display: flex; flex-direction: column; break-inside: avoid }
.head { display: flex; justify-content: space-between; align-items: baseline;
  border-bottom: 2px solid; padding-bottom: 2mm }
.head b { font-size: 30px } .head span { font-size: 17px }
.sides { display: flex; flex: 1; margin-top: 3mm }
.side { flex: 1; padding: 0 4mm } .side + .side { border-left: 1px solid #cbbfae }
.team { font-size: 19px; font-weight: bold; margin: 1mm 0; overflow-wrap: anywhere;
  height: 13mm; overflow: hidden }
.long { font-size: 15px }
.line { display: flex; justify-content: space-between; align-items: center; margin-top: 2mm }
.box { display: inline-flex; align-items: center; justify-content: center; border: 1.5px solid;
  min-width: 22mm; height: 11mm; padding: 0 2mm; font-size: 22px; font-weight: bold }
.tick { min-width: 9mm; width: 9mm; height: 9mm } .pawns { white-space: nowrap }
.pawn { width: 4.6mm; height: 4.6mm; margin: 0 0.7mm 0 0; border-radius: 50%;
  border: 1.5px solid #2b2118; display: inline-block; vertical-align: middle }
.home { background: #2b2118 }
.foot { border-top: 1px solid #cbbfae; padding-top: 3mm; display: flex; align-items: center;
  justify-content: space-between; white-space: nowrap }
.foot > span { display: inline-flex; align-items: center; gap: 2mm }
.rule { margin: 2mm 0 0 }
.note { max-height: 13mm; overflow: hidden; overflow-wrap: anywhere; margin: 1mm 0 0 }
@media print { body { margin: 0; max-width: none } .page { break-before: page }
  section { margin-bottom: 0 } thead { display: table-header-group } tr { break-inside: avoid } }
"""


@dataclass(frozen=True, kw_only=True)
class Round:
    """A round to print: sheets where games were played, pairs where they are to come."""

    number: int
    places: Sequence[Pair | Sheet]


def page(
    *,
    title: str,
    teams: Sequence[Team],
    rounds: Iterable[Round] = (),
    rows: Sequence[Standing] = (),
    after: int = 0,
    unit: str = "",
) -> str:
    """The page: standings after a round, then every round with its tables and its sheets.

    *unit* is what time counts, where that is known.
    """
    names = {team.number: team.name for team in teams}
    parts = [f"<h1>{escape(title)}</h1>"]
    if rows and after:
        parts.append(_standings(rows, names, after=after))
    for k, entry in enumerate(rounds):
        parts.append(_tables(entry, names, is_first=not after and not k))
        games = [place for place in entry.places if place.team_b is not None]
        sheets = "\n".join(_sheet(place, names, unit) for place in games)
        parts.append(f'<section class="page">\n{sheets}\n</section>')
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


# Lists -----------------------------------------------------------------------------------------


def _standings(rows: Sequence[Standing], names: dict[int, str], *, after: int) -> str:
    head = ("", "", "Team", "Wins", "For", "Against", "Time", "")
    kinds = ("number", "number", "", "number", "number", "number", "number", "last small")
    lines = [
        (
            row.place, row.team, escape(names[row.team]), row.wins, row.points_for,
            row.points_against, time_text(row.time), remarks(row),
        )
        for row in rows
    ]  # fmt: skip
    title = f"Standings after round {after}"
    return f"<section><h2>{title}</h2>{_list(head, lines, kinds)}</section>"


def _tables(entry: Round, names: dict[int, str], *, is_first: bool) -> str:
    head = ["Table", "Team a, deals first", "Team b"]
    is_played = any(isinstance(place, Sheet) for place in entry.places)
    if is_played:
        head += ["Result", ""]
    kinds = ("number", "name", "name", "number", "last small")
    lines = [_line(place, names) for place in entry.places]
    kind = "" if is_first else ' class="page"'
    return (
        f"<section{kind}><h2>Tables of round {entry.number}</h2>"
        f"{_list(head, lines, kinds)}</section>"
    )


def _line(place: Pair | Sheet, names: dict[int, str]) -> list[str]:
    """A table, who sits there in which colours, and the points that they got."""
    sheet = place if isinstance(place, Sheet) else None
    winner = "" if sheet is None else sheet.winner
    name_a = _named(place.team_a, names, won=winner == "a")
    name_b = "bye"
    if place.team_b is not None:
        name_a += f"<br>{_colors(SEATS_A)}"
        name_b = f"{_named(place.team_b, names, won=winner == 'b')}<br>{_colors(SEATS_B)}"
    cells = [str(place.table), name_a, name_b]
    if sheet is not None:
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


def _named(number: int, names: dict[int, str], *, won: bool) -> str:
    name = f"{number} {escape(names[number])}"
    return f'<span class="won">{name}</span>' if won else name


def _colors(colors: Sequence[str]) -> str:
    dots = " ".join(
        f'<span class="dot" style="background:{COLORS[color]}"></span>{color}' for color in colors
    )
    return f'<span class="small">{dots}</span>'


# Sheets ----------------------------------------------------------------------------------------


def _sheet(place: Pair | Sheet, names: dict[int, str], unit: str) -> str:
    """The sheet of a game: filled in, or to be filled in."""
    sheet = place if isinstance(place, Sheet) else None
    note = f'<p class="small note">{escape(sheet.note)}</p>' if sheet and sheet.note else ""
    return (
        '<article class="sheet">\n<div class="head"><span>Tokken · score sheet</span>'
        f"<span>round <b>{place.round}</b></span><span>table <b>{place.table}</b></span></div>\n"
        f'<div class="sides">{_side(place, "a", names)}{_side(place, "b", names)}</div>\n'
        f'<div class="foot">{_foot(sheet, unit)}</div>\n'
        f'<p class="small rule">{RULE}</p>{note}\n</article>'
    )


def _side(place: Pair | Sheet, side: str, names: dict[int, str]) -> str:
    is_a = side == "a"
    number = place.team_a if is_a else place.team_b
    assert number is not None  # a bye has no sheet
    name = names[number]
    long = " long" if len(name) > LONG_NAME else ""
    colors = _colors(SEATS_A if is_a else SEATS_B)
    pawns = points = winner = ""
    home = 0
    if isinstance(place, Sheet):
        home = place.pawns_a if is_a else place.pawns_b
        pawns, points = str(home), str(place.points[0 if is_a else 1])
        winner = "✕" if place.winner == side else ""
    circles = "".join(
        f'<span class="pawn{" home" if k < home else ""}"></span>' for k in range(PAWNS)
    )
    deals = ", deals first" if is_a else ""
    return (
        f'<div class="side"><div>Team {side}{deals}</div>'
        f'<div class="team{long}">{number} · {escape(name)}</div><div>{colors}</div>'
        f'<div class="line"><span>Pawns at home</span><span class="box">{pawns}</span></div>'
        f'<div class="line pawns"><span>{circles}</span></div>'
        f'<div class="line"><span>Winner</span><span class="box tick">{winner}</span></div>'
        f'<div class="line"><span>Points</span><span class="box">{points}</span></div></div>'
    )


def _foot(sheet: Sheet | None, unit: str) -> str:
    time = "" if sheet is None else time_text(sheet.time)
    is_time_out = sheet is not None and sheet.winner is None and sheet.forfeit is None
    forfeit = sheet.forfeit if sheet is not None else None
    ticks = (
        ("time is up", is_time_out),
        ("a absent", forfeit in {"a", "both"}),
        ("b absent", forfeit in {"b", "both"}),
    )
    boxes = "".join(
        f'<span><span class="box tick">{"✕" if is_so else ""}</span> {text}</span>'
        for text, is_so in ticks
    )
    what = f"Time ({unit})" if unit else "Time"
    return f'<span>{what} <span class="box">{time}</span></span>{boxes}'
