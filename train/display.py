"""What a training run shows while it runs: a bar on a terminal, plain lines elsewhere."""

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Column, Table
from rich.text import Text

from ..eval.match import MatchResult

LINE_SECONDS = 15.0
"""Between two lines where there is no terminal."""

SPEED_SECONDS = 30.0
"""Speed and time left are those of the last so many seconds."""


class Display:
    """Steps per second, scores and the time left."""

    def __init__(self, console: Console, *, total: int) -> None:
        self.console = console
        self.total = total
        self.points: deque[tuple[float, int]] = deque([(monotonic(), 0)])
        self.scores: dict[str, float] = {}
        self.last_line = monotonic()
        self.bar: Progress | None = None

    @contextmanager
    def showing(self, done: int) -> Iterator[None]:
        """Show progress from step *done* on."""
        self.points = deque([(monotonic(), done)])
        if not self.console.is_terminal:
            yield
            return
        # One line, however narrow the terminal: what matters most comes first.
        one_line = Column(no_wrap=True, overflow="ellipsis", ratio=1)
        percent = TextColumn("{task.percentage:3.0f}%")
        status = TextColumn("{task.description}", markup=False, table_column=one_line)
        with Progress(BarColumn(12), percent, status, console=self.console) as self.bar:
            self.task = self.bar.add_task(self.status(), total=self.total, completed=done)
            yield
        self.bar = None

    @property
    def speed(self) -> float:
        """Decisions of the learner per second, lately."""
        (then, before), (now, after) = self.points[0], self.points[-1]
        return (after - before) / (now - then) if now > then else 0.0

    def update(self, step: int, scores: Mapping[str, float]) -> None:
        """Show progress; *scores* are points per game against kinds of opponents."""
        now = monotonic()
        self.points.append((now, step))
        while len(self.points) > 2 and self.points[0][0] < now - SPEED_SECONDS:
            self.points.popleft()
        self.scores = dict(scores)
        if self.bar is not None:
            self.bar.update(self.task, completed=min(step, self.total), description=self.status())
        elif now - self.last_line >= LINE_SECONDS or step >= self.total:
            self.last_line = now
            self.note(f"{step:,} of {self.total:,} steps, {self.status()}")

    def status(self) -> str:
        """One line: speed, time left, scores."""
        step = self.points[-1][1]
        speed = self.speed
        left = _duration(max(0, self.total - step) / speed) if speed > 0 else "?"
        shown = " ".join(f"{name} {score:.0%}" for name, score in self.scores.items())
        return f"{speed:,.0f} steps/s, {left} left" + (f", {shown}" if shown else "")

    def note(self, text: str) -> None:
        """Say something beside the bar; a name in brackets is a name, no style."""
        try:
            self.console.print(text, soft_wrap=True, highlight=False, markup=False)
        except BrokenPipeError:
            raise
        except OSError:  # a log on a full disk is not worth the run
            return

    def evaluated(self, step: int, results: Mapping[str, MatchResult]) -> None:
        """Show an evaluation in one line."""
        shown = ", ".join(f"{name} {_in_line(result)}" for name, result in results.items())
        self.note(f"evaluation at {step:,} steps: {shown}")


def results_table(title: str, results: Mapping[str, MatchResult]) -> Table:
    """Matches as a table, with 95 % intervals; with more than two sides the mean rank leads."""
    has_ranks = any(result.sides > 2 for result in results.values())
    table = Table(title=Text(title), title_justify="left")
    table.add_column("against")
    names, cells = (RANKS, _ranks) if has_ranks else (COUNTS, _counts)
    for name in names:
        table.add_column(name, justify="right")
    for name, result in results.items():
        table.add_row(Text(name), *cells(result))
    return table


COUNTS = ("games", "won", "drawn", "lost", "score", "95 % interval")
RANKS = ("games", "mean rank", "95 % by deals", "equal", "score", "95 % interval")


def _counts(r: MatchResult) -> list[str]:
    counts = [f"{count:,}" for count in (r.games, r.wins, r.draws, r.losses)]
    return [*counts, f"{r.score:.1%}", f"{r.low:.1%} to {r.high:.1%}"]


def _ranks(r: MatchResult) -> list[str]:
    rank = [f"{r.mean_rank:.2f}", f"{r.rank_low:.2f} to {r.rank_high:.2f}", f"{r.even_rank:g}"]
    return [f"{r.games:,}", *rank, f"{r.score:.1%}", f"{r.low:.1%} to {r.high:.1%}"]


def _in_line(r: MatchResult) -> str:
    """A result in one line; with more than two sides the mean rank and what equal sides have."""
    score = f"{r.score:.1%} ({r.low:.1%} to {r.high:.1%})"
    if r.sides == 2:
        return score
    between = f"{r.rank_low:.2f} to {r.rank_high:.2f}"
    return f"rank {r.mean_rank:.2f} ({between}; equal {r.even_rank:g}), first {score}"


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
