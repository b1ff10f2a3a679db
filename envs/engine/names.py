"""`Names`: a notation of moves or chance outcomes that is the same in every position."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
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


def draws_or_seats(
    draws: Iterable[str], what: str
) -> tuple[Callable[[States, int, int], str], Callable[[States, int, str], int]]:
    """Both directions of a notation of what is drawn and, after it, of the seat that begins.

    *what* ("a card drawn, !A to !X, or a first dealer") is for the error message.
    """

    @cache
    def names(players: int) -> Names:
        seats = [f"!seat{seat}" for seat in range(players)]
        return Names([*draws, *seats], f"{what} {seats[0]} to {seats[-1]}")

    def to_text(states: States, i: int, outcome: int) -> str:
        return names(int(states[i]["players"]))[outcome]

    def to_outcome(states: States, i: int, text: str) -> int:
        return names(int(states[i]["players"])).to_number(states, i, text)

    return to_text, to_outcome
