"""How JSON writes what a record holds: a codec for each kind of value.

A codec turns whole numbers of the record into JSON and back. It says how many numbers it stands
for (`shape`) and in which range they lie (`low`, `high`), from which the record's dtype follows.
Codecs are combined: `each(copies(number(1, 12), most=6), 2)` is a list of two hands, each a sorted
list of ranks in JSON and twelve counts in the record. All errors of type and range come from here:
they say what was expected, where in the position, and what stood there. NumPy's numbers and arrays
are accepted; a boolean is not a number, a number not a boolean, 1.0 not a whole number.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .dtypes import MOST_COUNTED, OVER, Json
from .errors import PositionError
from .positions import At as At
from .positions import plain as plain

OVER_PHASE = "over"
"""What every game calls the phase in which nobody moves."""

MOST_NAMES = 24
"""So many choices are listed in a message, if there are no more than these."""


@dataclass(frozen=True)
class Codec:
    """One kind of value; `to_json` and `from_json` are inverse to one another."""

    low: int
    high: int
    shape: tuple[int, ...]

    def to_json(self, stored: Any, options: Any) -> Any:
        """JSON for what the record holds: a whole number, or (nested) lists of them."""
        raise NotImplementedError

    def from_json(self, value: Any, at: At) -> Any:
        """What the record holds for a JSON value; raises `PositionError`."""
        raise NotImplementedError

    def schema(self, options: Any) -> Json:
        """The JSON Schema under *options*; None stands for all options."""
        raise NotImplementedError

    def faults(self) -> Iterator[str]:
        """How the codec contradicts itself."""
        if self.low > self.high:
            yield f"expected the lowest number below the highest, got {self.low}..{self.high}"


@dataclass(frozen=True)
class _Number(Codec):
    """See `number`."""

    most: Callable[[Any], int] | None

    def to_json(self, stored: Any, options: Any) -> Any:
        return stored

    def from_json(self, value: Any, at: At) -> Any:
        value, high = plain(value), self._highest(at.options)
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= high:
            raise at.wrong(f"a whole number {self.low}..{high}", value)
        return int(value)

    def schema(self, options: Any) -> Json:
        return {"type": "integer", "minimum": self.low, "maximum": self._highest(options)}

    def _highest(self, options: Any) -> int:
        return self.high if self.most is None or options is None else self.most(options)


def number(low: int, high: int, *, most: Callable[[Any], int] | None = None) -> Codec:
    """A whole number from *low* to *high*; *most* is the highest under given options."""
    return _Number(low, high, (), most)


def counter(low: int = 0) -> Codec:
    """A number that grows by one for a decision, a round or a turn, and fits 32 bits."""
    return number(low, MOST_COUNTED)


def seat(most_seats: int, *, seats: Callable[[Any], int] | None = None) -> Codec:
    """The number of a seat; *seats* is their number under given options."""
    return number(0, most_seats - 1, most=seats and (lambda options: seats(options) - 1))


@dataclass(frozen=True)
class _Flag(Codec):
    """See `flag`."""

    def to_json(self, stored: Any, options: Any) -> Any:
        return bool(stored)

    def from_json(self, value: Any, at: At) -> Any:
        if not isinstance(value := plain(value), bool):
            raise at.wrong("true or false", value)
        return int(value)

    def schema(self, options: Any) -> Json:
        return {"type": "boolean"}


def flag() -> Codec:
    """True or false; 1 or 0 in the record."""
    return _Flag(0, 1, ())


@dataclass(frozen=True)
class _Named(Codec):
    """See `named`."""

    numbers: Mapping[Any, int]
    names: Mapping[int, Any]

    def to_json(self, stored: Any, options: Any) -> Any:
        return self.names[stored]

    def from_json(self, value: Any, at: At) -> Any:
        value = plain(value)
        # True and 1.0 equal 1, and what cannot be hashed cannot be looked up.
        found = self.numbers.get(value) if type(value) in {str, int} else None
        if found is None:
            raise at.wrong(f"one of {self.listed}", value)
        return found

    def schema(self, options: Any) -> Json:
        return {"enum": list(self.numbers)}

    def faults(self) -> Iterator[str]:
        if len(self.names) != len(self.numbers):
            yield f"expected a number of its own for each name, got {dict(self.numbers)}"

    @property
    def listed(self) -> str:
        names = list(map(str, self.numbers))
        if len(names) > MOST_NAMES:
            names[3:-1] = ["..."]
        return ", ".join(names)


def named(numbers: Mapping[Any, int]) -> Codec:
    """One of several texts (or numbers), each with its number in the record."""
    names = {number: name for name, number in numbers.items()}
    return _Named(min(names), max(names), (), numbers, names)


def choice(names: Sequence[Any]) -> Codec:
    """One of *names*; its index in the record."""
    return named({name: index for index, name in enumerate(names)})


@dataclass(frozen=True)
class _Nullable(Codec):
    """See `nullable` and `until_over`."""

    inner: Codec
    null: int
    ends: bool

    def to_json(self, stored: Any, options: Any) -> Any:
        return None if stored == self.null else self.inner.to_json(stored, options)

    def from_json(self, value: Any, at: At) -> Any:
        if self.ends and at.is_over and value is not None:
            raise at.wrong(f"null in phase {OVER_PHASE!r}", value)
        if value is None and (at.is_over or not self.ends):
            return self.null
        return self.inner.from_json(value, at if self.ends else at._replace(otherwise="null or "))

    def schema(self, options: Any) -> Json:
        return {"anyOf": [self.inner.schema(options), {"type": "null"}]}

    def faults(self) -> Iterator[str]:
        yield from self.inner.faults()
        if self.inner.low <= self.null <= self.inner.high:
            yield f"expected a number for null outside of what it stands beside, got {self.null}"


def _or_null(inner: Codec, null: int, *, ends: bool) -> Codec:
    low, high = min(inner.low, null), max(inner.high, null)
    return _Nullable(low, high, inner.shape, inner, null, ends)


def nullable(inner: Codec, null: int = -1) -> Codec:
    """*inner*, or null, for which the record holds *null*."""
    return _or_null(inner, null, ends=False)


def until_over(inner: Codec, null: int = OVER) -> Codec:
    """*inner*, and null (in the record *null*) in the phase "over" and only there."""
    return _or_null(inner, null, ends=True)


def mover(most_seats: int, *, seats: Callable[[Any], int] | None = None) -> Codec:
    """The seat that decides, null in the phase "over"; the record holds `OVER` then."""
    return until_over(seat(most_seats, seats=seats))


def _items(inner: Codec, values: Sequence[Any], at: At) -> list[Any]:
    try:
        return [inner.from_json(value, at) for value in values]
    except PositionError:  # once more, to name the place; naming each costs more than reading it
        return [inner.from_json(value, at.item(index)) for index, value in enumerate(values)]


@dataclass(frozen=True)
class _Each(Codec):
    """See `each`."""

    inner: Codec
    most: int
    count: Callable[[Any], int] | None
    fill: int

    def to_json(self, stored: Any, options: Any) -> Any:
        return [self.inner.to_json(item, options) for item in stored[: self._length(options)]]

    def from_json(self, value: Any, at: At) -> Any:
        value = at.items(value, self._length(at.options))
        items = _items(self.inner, value, at)
        others = np.full((self.most - len(value), *self.inner.shape), self.fill)
        return [*items, *others.tolist()]

    def schema(self, options: Any) -> Json:
        least = 0 if self.count and options is None else self._length(options)
        items = self.inner.schema(options)
        most = self._length(options)
        return {"type": "array", "items": items, "minItems": least, "maxItems": most}

    def faults(self) -> Iterator[str]:
        yield from self.inner.faults()
        if self.most < 1:
            yield f"expected a list of at least one, got {self.most}"

    def _length(self, options: Any) -> int:
        return self.most if self.count is None or options is None else self.count(options)


def each(
    inner: Codec, most: int, *, count: Callable[[Any], int] | None = None, fill: int = 0
) -> Codec:
    """A list of *inner*, one per seat say.

    There are *most* in the record, and in JSON as many as *count* says of the options; those that
    are not in JSON (seats that do not play) hold *fill*.
    """
    bounds = (inner.low, inner.high, *([fill] if count else []))
    return _Each(min(bounds), max(bounds), (most, *inner.shape), inner, most, count, fill)


@dataclass(frozen=True)
class _Sorted(Codec):
    """See `copies`, `marks` and `letters`."""

    inner: Codec
    first: int
    size: int
    descending: bool = False
    text: bool = False

    def to_json(self, stored: Any, options: Any) -> Any:
        numbers = [index + self.first for index, count in enumerate(stored) for _ in range(count)]
        items = [self.inner.to_json(number, options) for number in numbers]
        if self.descending:
            items.reverse()
        return "".join(items) if self.text else items

    def from_json(self, value: Any, at: At) -> Any:
        value = plain(value)
        kind = "a text" if self.text else "a list"
        if not isinstance(value, str if self.text else list | tuple):
            raise at.wrong(kind, value)
        if len(value) > self.size * self.high:
            raise at.wrong(f"{kind} of at most {self.size * self.high}", value)
        numbers = _items(self.inner, value, at)
        if numbers != sorted(numbers, reverse=self.descending):
            raise at.wrong(f"{kind} in {self._order()}", value)
        counts = [0] * self.size
        for number in numbers:
            counts[number - self.first] += 1
        if max(counts) > self.high:
            often = "none twice" if self.high == 1 else f"none more than {self.high} times"
            raise at.wrong(f"items of which {often}", value)
        return counts

    def schema(self, options: Any) -> Json:
        if self.text:
            return {"type": "string"}
        unique = {"uniqueItems": True} if self.high == 1 else {}
        return {"type": "array", "items": self.inner.schema(options), **unique}

    def _order(self) -> str:
        if isinstance(self.inner, _Named):
            return f"the order {self.inner.listed}"
        return f"{'descending' if self.descending else 'ascending'} order"

    def faults(self) -> Iterator[str]:
        yield from self.inner.faults()
        if not self.first <= self.inner.low <= self.inner.high < self.first + self.size:
            got = f"{self.inner.low}..{self.inner.high}"
            yield f"expected values {self.first}..{self.first + self.size - 1}, got {got}"


def copies(inner: Codec, *, most: int, descending: bool = False) -> Codec:
    """How often each value of *inner* is there, at most *most* times: in JSON a sorted list."""
    size = inner.high - inner.low + 1
    return _Sorted(0, most, (size,), inner, inner.low, size, descending)


def letters(names: str, *, most: int) -> Codec:
    """How often each letter of *names* is there, at most *most* times: in JSON a sorted text."""
    return _Sorted(0, most, (len(names),), choice(names), 0, len(names), text=True)


def marks(inner: Codec, size: int | None = None) -> Codec:
    """Which values of *inner* are there: 0 or 1 by value in the record, in JSON a sorted list.

    The record has *size* marks, as many as there are values from 0 on if it is not given.
    """
    size = inner.high + 1 if size is None else size
    return _Sorted(0, 1, (size,), inner, 0, size)


@dataclass(frozen=True)
class _Bits(Codec):
    """See `bits`."""

    marks: Codec

    def to_json(self, stored: Any, options: Any) -> Any:
        marks = [stored >> bit & 1 for bit in range(*self.marks.shape)]
        return self.marks.to_json(marks, options)

    def from_json(self, value: Any, at: At) -> Any:
        marks = self.marks.from_json(value, at)
        return sum(1 << bit for bit, mark in enumerate(marks) if mark)

    def schema(self, options: Any) -> Json:
        return self.marks.schema(options)

    def faults(self) -> Iterator[str]:
        yield from self.marks.faults()


def bits(names: Sequence[str]) -> Codec:
    """A set of *names*: bit k for the k-th in the record, a list in their order in JSON."""
    return _Bits(0, (1 << len(names)) - 1, (), marks(choice(names)))
