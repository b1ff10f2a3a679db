"""`Fields`: what a record of a game holds, each field stated once.

A game writes one line per field:

    FIELDS = Fields(
        "pig", PigOptions,
        field("mover", nullable(seat(2), OVER), "seat to move", key="to_move"),
        field("is_rolling", flag(), "the die is due", key=None),
        field("points", number(0, MOST), "banked, by seat", shape=(2,)),
    )

and the rest follows: the dtype of the record (without gaps, each field as wide as its range needs),
options in and out of records, positions as JSON and back, every error of type and range with its
place in the position, the JSON Schema of a position, and the bounds that an observation is scaled
by (`FIELDS.high("points")`).

- `field(name, codec, text)`: a field of the record. *key* is its name in JSON, by default *name*;
  None for what JSON does not hold because it follows from the rest (see `of`) or is always 0 where
  a position is. Codecs are in `codecs`; *shape* repeats one.
- `option(name)`: an option of the model. Codec and range come from the model, for whole numbers
  with both bounds, booleans, `Literal` and `| None`; the text is the model's. It only takes a line
  where its field has another name, where it is of any other type (give a codec), or where the
  record holds something else than the option (*write* and *read*).
- `part(key, of, at, codec, text)`: a JSON key for columns of a field, from column *at* on.
- `Hook(key, text, read, write, form)`: a JSON key that the game reads and writes by itself.

The entries are read and written in the order of the statement, which is that of the keys. A dotted
key (`discard.played`) stands in an object. What only the rules know (which positions can be
reached) and fields that follow from others are the business of the game's `check_reachable`.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from .codecs import OVER_PHASE, At, Codec, plain
from .dtypes import Json, States
from .entries import Field, Hook, Option, field, option, part
from .errors import FieldsError, PositionError, expect, shown
from .options import Options
from .positions import check_keys, object_schema, options_of

__all__ = ["Field", "Fields", "Hook", "Option", "field", "option", "part"]

WIDTHS = (np.dtype(np.int16), np.dtype(np.int32), np.dtype(np.int64))
"""How wide a field may be; kernels compute in 64 bits."""

FILLER = "filler"
"""The field that fills the record up to a multiple of its widest field; always 0."""

HEAD = ("game", "config")
"""Keys of every position before those of its fields."""


class Fields:
    """The statement of a game's fields, and what follows from it; see the module."""

    def __init__(self, game: str, model: type[Options], *entries: "Field | Hook | _OptionOf"):
        """Raises `FieldsError`, with the name, where the statement contradicts itself.

        Args:
            game: the game's name
            model: its options
            entries: from `field`, `option`, `part` and `Hook`, in the order of the JSON keys
        """
        self.game = game
        self.model = model
        self._options = _options(model, (of for of in entries if not isinstance(of, Field | Hook)))
        others = (entry for entry in entries if isinstance(entry, Field | Hook))
        self._entries: list[Field | Hook | Option] = [*self._options, *others]
        self._keyed = [
            (entry.key.split("."), entry)
            for entry in self._entries
            if not isinstance(entry, Option) and entry.key
        ]
        fields = _fields(self._entries)
        self._codecs = {entry.name: entry.codec for entry in fields}
        _check_parts(self._entries, self._codecs)
        self._objects = _objects([path for path, _ in self._keyed])
        self.record = _record(fields)
        self._template = lru_cache(maxsize=64)(self._new_template)
        self._check_options()

    def _check_options(self) -> None:
        states: States = np.zeros(1, self.record)
        options = self.model()
        try:
            self.write_options(states, 0, options)
        except PositionError as error:
            raise FieldsError(f"{error}, as default of the option") from None
        for entry in self._options:
            numbers, low, high = states[entry.name], entry.codec.low, entry.codec.high
            is_in = low <= numbers.min() <= numbers.max() <= high
            _expect(is_in, f"the default of {entry.option!r} in {low}..{high}", numbers[0])
            default, got = getattr(options, entry.option), entry.read(states[0])
            wanted = f"the default {default!r} of {entry.option!r} back from its field"
            _expect(got == default, wanted, repr(got))

    def low(self, name: str) -> int:
        """The lowest number that the field *name* may hold."""
        return self._codecs[name].low

    def high(self, name: str) -> int:
        """The highest number that the field *name* may hold, to scale an observation by."""
        return self._codecs[name].high

    def write_options(self, states: States, i: int, options: Any) -> None:
        """Put *options*, and what follows from them, into the zeroed record of row *i*."""
        states[i] = self._template(options)

    def _new_template(self, options: Any) -> Any:
        """A record that is zero but for *options* and what follows from them."""
        states: States = np.zeros(1, self.record)
        for entry in self._entries:
            if isinstance(entry, Option):
                entry.write(states[0], options)
            elif isinstance(entry, Field) and entry.of:
                states[0][entry.name] = entry.of(options)
        return states[0]

    def read_options(self, states: States, i: int) -> Any:
        """The options that the record of row *i* holds."""
        state = states[i]
        return self.model(**{entry.option: entry.read(state) for entry in self._options})

    def position(self, states: States, i: int) -> Json:
        """The full position of row *i* as plain JSON, hidden things included."""
        state, options = states[i], self.read_options(states, i)
        position: Json = {"game": self.game, "config": options.changed()}
        for (*outer, key), entry in self._keyed:
            target = position
            for name in outer:
                target = target.setdefault(name, {})
            target[key] = entry.read(state, options)
        return position

    def from_position(self, position: Any) -> States:
        """The record `[1]` of a JSON position with all values of their types and in their ranges.

        Raises `PositionError`. What only the rules exclude is not checked here.
        """
        check_keys(position, self._objects[()], "position")
        if plain(position["game"]) != self.game:
            raise PositionError(f"expected game {self.game!r}, got {shown(position['game'])}")
        options = options_of(position["config"], self.game, self.model)
        states: States = np.zeros(1, self.record)
        self.write_options(states, 0, options)
        phase = plain(position.get("phase"))
        is_over = isinstance(phase, str) and phase == OVER_PHASE
        for path, entry in self._keyed:
            value = position
            for depth, name in enumerate(path):
                if depth:
                    check_keys(value, self._objects[tuple(path[:depth])], ".".join(path[:depth]))
                value = value[name]
            entry.write(states, value, At(".".join(path), options, is_over))
        return states

    def check_ranges(self, states: States) -> None:
        """Raise `PositionError` for a number that its field may not hold."""
        for name, codec in self._codecs.items():
            numbers = states[name]
            if numbers.size and not codec.low <= numbers.min() <= numbers.max() <= codec.high:
                raise PositionError(
                    f"expected {name} in {codec.low}..{codec.high}, "
                    f"got {numbers.min()}..{numbers.max()}"
                )

    def schema(self, options: Any = None) -> Json:
        """The JSON Schema of a position under *options*; without them, under any options."""
        objects = {path: object_schema(dict.fromkeys(keys)) for path, keys in self._objects.items()}
        for path in objects:
            if path:
                objects[path[:-1]]["properties"][path[-1]] = objects[path]
        top = objects[()]["properties"]
        top["game"] = {"const": self.game}
        top["config"] = self.model.model_json_schema() | {"description": "options that differ"}
        for (*outer, key), entry in self._keyed:
            schema = {"description": entry.text, **entry.schema(options)}
            objects[tuple(outer)]["properties"][key] = schema
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"A position of {self.game}",
            **objects[()],
        }


_OptionOf = Callable[[type[Options]], Option]
_expect = partial(expect, error=FieldsError)


def _options(model: type[Options], stated: Iterable[_OptionOf]) -> list[Option]:
    """A field for each option, in the order of the model; raises `FieldsError`."""
    found: dict[str, Option] = {}
    for entry in (of(model) for of in stated):
        _expect(entry.option not in found, f"one field for the option {entry.option!r}", "two")
        found[entry.option] = entry
    return [found.get(name) or option(name)(model) for name in model.model_fields]


def _fields(entries: Iterable[Field | Option | Hook]) -> list[Field | Option]:
    """The fields of the record; raises `FieldsError`."""
    fields: dict[str, Field | Option] = {}
    for entry in entries:
        if isinstance(entry, Hook) or entry.columns is not None:
            continue
        _expect(entry.name not in {*fields, FILLER}, f"one field called {entry.name!r}", "two")
        for fault in entry.codec.faults():
            raise FieldsError(f"{fault}, in the field {entry.name!r}")
        fields[entry.name] = entry
    return list(fields.values())


def _check_parts(entries: Iterable[Field | Option | Hook], codecs: dict[str, Codec]) -> None:
    """Parts lie in their fields, and no number has two keys; raises `FieldsError`."""
    taken: dict[str, set[int]] = {}
    for entry in entries:
        if not isinstance(entry, Field) or entry.key is None:
            continue
        known = entry.name in codecs
        _expect(known, f"a field {entry.name!r} for the key {entry.key!r}", "none")
        whole, codec, columns = codecs[entry.name], entry.codec, entry.columns
        last = whole.shape[-1] if whole.shape else 1
        mine = set(range(last) if columns is None else range(columns.start, columns.stop))
        if columns is not None:
            fits = codec.shape[:-1] == whole.shape[:-1] and len(mine) > 0 and max(mine) < last
            _expect(
                fits and whole.low <= codec.low <= codec.high <= whole.high,
                f"the key {entry.key!r} within the shape {whole.shape} and the range "
                f"{whole.low}..{whole.high} of the field {entry.name!r}",
                f"the shape {codec.shape} from column {columns.start} and "
                f"{codec.low}..{codec.high}",
            )
        both = mine & taken.setdefault(entry.name, set())
        got = f"{entry.key!r} and another for column {min(both, default='')}"
        _expect(not both, f"one key for each column of the field {entry.name!r}", got)
        taken[entry.name] |= mine


def _objects(paths: Iterable[list[str]]) -> dict[tuple[str, ...], list[str]]:
    """The keys of the position, `()`, and of each object in it; raises `FieldsError`."""
    objects: dict[tuple[str, ...], list[str]] = {(): list(HEAD)}
    ends: set[tuple[str, ...]] = {(name,) for name in HEAD}
    for path in paths:
        for depth, name in enumerate(path):
            keys = objects.setdefault(tuple(path[:depth]), [])
            is_end = depth == len(path) - 1
            is_twice = name in keys and (is_end or (*path[:depth], name) in ends)
            _expect(not is_twice, f"one meaning of the key {'.'.join(path)!r}", "two")
            if name not in keys:
                keys.append(name)
            if is_end:
                ends.add(tuple(path))
    return objects


def _record(fields: Iterable[Field | Option]) -> np.dtype[np.void]:
    """The fields, wide ones first, and what fills the record: no gaps; raises `FieldsError`."""
    kinds = [(entry.name, _width(entry), entry.codec.shape) for entry in fields]
    kinds.sort(key=lambda kind: -kind[1].itemsize)
    size = np.dtype(kinds).itemsize
    missing = -size % kinds[0][1].itemsize // WIDTHS[0].itemsize
    filler = [(FILLER, WIDTHS[0], (missing,))] if missing else []
    return np.dtype([*kinds, *filler], align=True)


def _width(entry: Field | Option) -> np.dtype[Any]:
    low, high = entry.codec.low, entry.codec.high
    widths = WIDTHS if entry.dtype is None else (np.dtype(entry.dtype),)
    for width in widths:
        if np.iinfo(width).min <= low and high <= np.iinfo(width).max:
            return width
    raise FieldsError(
        f"expected the range of the field {entry.name!r} within {widths[-1]}, got {low}..{high}"
    )
