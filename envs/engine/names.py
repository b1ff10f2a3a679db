"""`Names`: a notation of moves or chance outcomes that is the same in every position."""

from collections.abc import Iterable, Mapping
from typing import Self

from .dtypes import States
from .errors import NotationError, shown


class Names(tuple[str, ...]):
    """The names of moves or outcomes by number, where they do not depend on the position."""

    what: str
    _numbers: Mapping[str, int]

    def __new__(cls, names: Iterable[str], what: str) -> Self:
        """*what* ("a move of ...") is for the error message."""
        self = super().__new__(cls, names)
        self.what = what
        self._numbers = {name: number for number, name in enumerate(self)}
        return self

    def to_text(self, states: States, i: int, number: int) -> str:
        """The name of a move or an outcome."""
        return self[number]

    def to_number(self, states: States, i: int, text: str) -> int:
        """The move or the outcome of a name; raises `NotationError`."""
        number = self._numbers.get(text) if isinstance(text, str) else None
        if number is None:
            raise NotationError(f"expected {self.what}, got {shown(text)}")
        return number
