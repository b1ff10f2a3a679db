"""The observation, segment by segment: sizes, bounds and offsets follow from this one statement."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Segment:
    """A named stretch of the observation."""

    name: str
    """what the numbers mean, in words; presets and trained agents know a segment by it"""
    size: int
    key: str = ""
    """a short name for code that writes the segment; see `starts`"""
    low: float = 0.0
    high: float = 1.0


def starts(segments: Sequence[Segment], *keys: str) -> tuple[int, ...]:
    """Where the segments with *keys* begin, for the constants of an `observe.py`.

    Raises `ValueError` for a key that no segment has, or that two have.
    """
    known = [segment.key for segment in segments]
    for key in keys:
        if known.count(key) != 1:
            raise ValueError(f"expected one segment with the key {key!r}, got {known.count(key)}")
    columns = columns_of(segments)
    by_key = {segment.key: columns[segment.name].start for segment in segments}
    return tuple(by_key[key] for key in keys)


def columns_of(segments: Sequence[Segment]) -> dict[str, range]:
    """The columns of each segment, by its name."""
    ends = itertools.accumulate(segment.size for segment in segments)
    return {s.name: range(end - s.size, end) for s, end in zip(segments, ends, strict=True)}


@dataclass(frozen=True, kw_only=True)
class Windows:
    """Columns of an observation that hold a ring, and pieces with their places on it."""

    ring: int
    """first column of the ring: *lanes* rows of *fields* numbers, such as who stands where"""
    lanes: int
    fields: int
    pieces: int
    """first column of the pieces: *count* rows of *places* numbers, one-hot"""
    count: int
    places: int
    first: int
    """the place of a piece's row that is field 0 of the ring; the next *fields* are the others"""
    offsets: tuple[int, ...]
    """how far ahead (or, below 0, behind) of each piece to look, in fields"""
    turned: int | None = None
    """a column that is 1 if the places are counted from the other side of the ring, half way on"""

    @property
    def size(self) -> int:
        """The numbers that all windows hold together."""
        return self.count * self.lanes * len(self.offsets)

    def fits(self, observation: int) -> bool:
        """Whether all that is looked at lies within so many numbers."""
        return (
            0 <= self.ring <= observation - self.lanes * self.fields
            and 0 <= self.pieces <= observation - self.count * self.places
            and 0 <= self.first <= self.places - self.fields
            and (self.turned is None or 0 <= self.turned < observation)
        )
