"""What the time of training goes to."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter


@dataclass
class Split:
    """Seconds of training by what they were spent on."""

    environment: float = 0.0
    opponents: float = 0.0
    """random and heuristics, partners and the teacher too"""
    networks: float = 0.0
    """opponents and partners that are networks"""
    masks: float = 0.0
    """keeping the masks and choosing among the legal actions"""
    forward: float = 0.0
    """the learner's network, and keeping what it saw"""
    update: float = 0.0

    @property
    def total(self) -> float:
        """All seconds."""
        return float(sum(vars(self).values()))

    def shares(self) -> dict[str, float]:
        """The parts of the whole, by name."""
        total = self.total or 1.0
        return {name: seconds / total for name, seconds in vars(self).items()}

    @contextmanager
    def timing(self, name: str) -> Iterator[None]:
        """Count the seconds of a block as *name*, save those that it counts as something else."""
        start, before = perf_counter(), self.total
        yield
        elsewhere = self.total - before
        setattr(self, name, getattr(self, name) + perf_counter() - start - elsewhere)
