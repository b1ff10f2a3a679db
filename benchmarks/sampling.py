"""How a speed is measured here, and how it is written down.

A figure is never one number: every row is measured several times, in turns with the rows it is
compared with, so that whatever else the machine does hits all of them alike. What is kept is the
smallest, the median and the largest; the distance between them shows how quiet the machine was.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from time import process_time
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

Rate: TypeAlias = Callable[[float], float]
"""Runs for about so many seconds of CPU time; returns events per second of CPU time."""

ROUNDS = 5
DIGITS = 4
"""Significant digits that are kept; the noise is in the third."""
SPREAD = ("median", "least", "most")
"""The columns that a spread fills in a table."""


def turns(rows: Mapping[str, Rate], seconds: float, rounds: int = ROUNDS) -> dict[str, list[float]]:
    """The rates of every row: A B C A B C ..., *seconds* in all for each row."""
    rates: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(rounds):
        for name, measure in rows.items():
            rates[name].append(measure(seconds / rounds))
    return rates


def in_turns(rows: Mapping[str, Rate], seconds: float, rounds: int = ROUNDS) -> Json:
    """The spread of every row's rate, measured in turns."""
    return {name: spread(rates) for name, rates in turns(rows, seconds, rounds).items()}


def spread(values: Sequence[float]) -> Json:
    """Smallest, median and largest of *values*, and how many there were."""
    figures = {"min": min(values), "median": median(values), "max": max(values)}
    return {name: rounded(value) for name, value in figures.items()} | {"samples": len(values)}


def ratio(ours: Sequence[float], peers: Sequence[float]) -> Json:
    """The spread of the ratios within each turn: slow drift of the machine cancels."""
    return spread([mine / peer for mine, peer in zip(ours, peers, strict=True)])


def durations(run: Callable[[], object], samples: int) -> Json:
    """The spread of the CPU seconds that *run* takes."""
    values = []
    for _ in range(samples):
        start = process_time()
        run()
        values.append(process_time() - start)
    return spread(values)


def rounded(value: float) -> float:
    """*value* with the digits that mean something; whole numbers stay whole."""
    short = float(f"{value:.{DIGITS}g}")
    return int(short) if short.is_integer() else short


def number(value: float) -> str:
    """A figure as people read it: 1,234,567 or 0.123."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def markdown_table(
    header: Sequence[str], rows: Iterable[Sequence[str | Json]], *, left: int = 1
) -> str:
    """A table in Markdown; the columns after the first *left* hold figures.

    A spread fills three cells, the columns `SPREAD`; a short row ends in empty ones.
    """
    lines = [list(header), ["---"] * left + ["---:"] * (len(header) - left)]
    for row in rows:
        cells = [text for cell in row for text in _texts(cell)]
        lines.append(cells + [""] * (len(header) - len(cells)))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _texts(cell: str | Json) -> list[str]:
    if isinstance(cell, str):
        return [cell]
    return [number(cell[key]) for key in ("median", "min", "max")]
