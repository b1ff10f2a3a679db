"""How a speed is measured here, and how it is written down.

A figure is never one number: every row is measured several times, in turns with the rows it is
compared with, so that whatever else the machine does hits all of them alike. What is kept is the
smallest, the median and the largest; the distance between them shows how quiet the machine was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import process_time
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

Rate: TypeAlias = Callable[[float], float]
"""Runs for about so many seconds of CPU time; returns events per second of CPU time."""

ROUNDS = 5
DIGITS = 4
"""Significant digits that are kept; the noise is in the third."""


def rate(run: Callable[[], int], seconds: float) -> float:
    """Events per second of CPU time: *run* again and again, which returns how many it did."""
    done, start = 0, process_time()
    while (elapsed := process_time() - start) < seconds or not done:
        done += run()
    return done / elapsed


def in_turns(rows: Mapping[str, Rate], seconds: float, rounds: int = ROUNDS) -> dict[str, Json]:
    """The spread of every row's rate: A B C A B C ..., *seconds* in all for each row."""
    rates: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(rounds):
        for name, measure in rows.items():
            rates[name].append(measure(seconds / rounds))
    return {name: spread(values) for name, values in rates.items()}


def spread(values: Sequence[float]) -> Json:
    """Smallest, median and largest of *values*, and how many there were."""
    return {
        "min": rounded(min(values)),
        "median": rounded(median(values)),
        "max": rounded(max(values)),
        "samples": len(values),
    }


def rounded(value: float) -> float:
    """*value* with the digits that mean something; whole numbers stay whole."""
    short = float(f"{value:.{DIGITS}g}")
    return int(short) if short.is_integer() else short


def cells(figure: Json) -> list[str]:
    """A spread as three cells of a table: median, smallest, largest."""
    return [number(figure[key]) for key in ("median", "min", "max")]


SPREAD_HEADER = ("median", "least", "most")


def number(value: float) -> str:
    """A figure as people read it: 1,234,567 or 0.123."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """A table in Markdown; the columns after the first *left* hold figures."""
    ruler = ["---"] * left + ["---:"] * (len(header) - left)
    return "\n".join("| " + " | ".join(row) + " |" for row in (header, ruler, *rows))
