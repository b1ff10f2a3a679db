"""What lies around each piece on a ring: where an observation holds it, for networks.

Whether somebody stands eight fields before my pawn is a relation of two places. An observation that
says where everybody stands leaves finding it to the network, which then learns it again for every
pair of places. A game with a ring may say where its observation holds it; see `GameSpec.windows`.
"""

from dataclasses import dataclass


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
