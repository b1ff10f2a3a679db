"""The lines in which a game states its fields: `field`, `option`, `part`, `Hook`; see `fields`."""

from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np
from pydantic.fields import FieldInfo

from .codecs import At, Codec, choice, each, flag, named, nullable, number
from .dtypes import Json, States
from .errors import FieldsError
from .options import Options

Dtype = type[np.signedinteger[Any]]
SAME = "="
"""A field's key in JSON is its name."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of the record, or some columns of one; see `field` and `part`."""

    name: str
    codec: Codec
    text: str
    key: str | None
    dtype: Dtype | None = None
    of: Callable[[Any], Any] | None = None
    columns: slice | None = None

    def read(self, state: Any, options: Any) -> Any:
        """The JSON of a record."""
        return self.codec.to_json(self._view(state).tolist(), options)

    def write(self, states: States, value: Any, at: At) -> None:
        """Put a JSON value into row 0; raises `PositionError`."""
        numbers = self.codec.from_json(value, at)
        if self.codec.shape:
            self._view(states[0])[...] = numbers
        else:
            states[0][self.name] = numbers

    def schema(self, options: Any) -> Json:
        """The JSON Schema."""
        return self.codec.schema(options)

    def _view(self, state: Any) -> Any:
        numbers = state[self.name]
        return numbers if self.columns is None else numbers[..., self.columns]


@dataclass(frozen=True, kw_only=True)
class Option:
    """A field that holds an option; see `option`."""

    option: str
    name: str
    codec: Codec
    to_record: Callable[[Any], Any] | None
    from_record: Callable[[Any], Any] | None
    dtype: Dtype | None = None
    columns: None = None

    def write(self, state: Any, options: Any) -> None:
        """Put the option into a record."""
        value = getattr(options, self.option)
        to_record = self.to_record
        numbers = to_record(value) if to_record else self.codec.from_json(value, At(self.name))
        state[self.name] = numbers

    def read(self, state: Any) -> Any:
        """The option's value in a record."""
        numbers = state[self.name].tolist()
        from_record = self.from_record
        value = from_record(numbers) if from_record else self.codec.to_json(numbers, None)
        return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class Hook:
    """A JSON key of the game's own making, for what no codec can say."""

    key: str
    text: str
    read: Callable[[Any, Any], Any]
    """`(record, options)` -> its JSON"""
    write: Callable[[States, Any, At], None]
    """`(states, value, at)` puts a JSON value into row 0, or raises `at.wrong(expected, value)`"""
    form: Json
    """its JSON Schema"""

    def schema(self, options: Any) -> Json:
        """The JSON Schema."""
        return self.form


def field(
    name: str,
    codec: Codec,
    text: str,
    *,
    key: str | None = SAME,
    shape: tuple[int, ...] = (),
    dtype: Dtype | None = None,
    of: Callable[[Any], Any] | None = None,
) -> Field:
    """A field of the record.

    Args:
        name: the field's name in the record
        codec: its range, its shape, and how JSON writes it; see `codecs`
        text: what it means
        key: its name in JSON; None if JSON does not hold it
        shape: how often the codec is repeated, such as `(2,)` for one per seat
        dtype: only for a field that is to be wider than its range needs
        of: options -> its value, for a field that follows from the options; it has no key
    """
    json_key = None if of else name if key == SAME else key
    codec = _shaped(codec, shape)
    return Field(name=name, codec=codec, text=text, key=json_key, dtype=dtype, of=of)


def option(
    name: str,
    codec: Codec | None = None,
    *,
    field: str = "",
    shape: tuple[int, ...] = (),
    write: Callable[[Any], Any] | None = None,
    read: Callable[[Any], Any] | None = None,
) -> Callable[[type[Options]], Option]:
    """The option *name* of the model, in the record's *field* (by default of the same name).

    The codec follows from the model where it can. *write* turns the option's value into what the
    record holds, *read* turns that (a whole number, or lists of them) into the option's value.
    """

    def of_model(model: type[Options]) -> Option:
        info = model.model_fields.get(name)
        if info is None:
            known = ", ".join(model.model_fields)
            raise FieldsError(f"expected an option of {model.__name__} ({known}), got {name!r}")
        whole = _shaped(codec or _codec_of(name, info), shape)
        return Option(
            option=name, name=field or name, codec=whole, to_record=write, from_record=read
        )

    return of_model


def part(key: str, codec: Codec, text: str, *, of: str, at: int) -> Field:
    """The JSON key for the columns from *at* on of the field *of*, in its last axis."""
    columns = slice(at, at + codec.shape[-1]) if codec.shape else slice(at, at)
    return Field(name=of, codec=codec, text=text, key=key, columns=columns)


def _shaped(codec: Codec, shape: tuple[int, ...]) -> Codec:
    for length in reversed(shape):
        codec = each(codec, length)
    return codec


def _codec_of(name: str, info: FieldInfo) -> Codec:
    """The codec of an option whose type says all that it may be; null is -1 in the record."""
    annotation = info.annotation
    is_union = get_origin(annotation) in {Union, UnionType}
    kinds = [kind for kind in get_args(annotation) if kind is not NoneType] if is_union else []
    kind = kinds[0] if len(kinds) == 1 else annotation
    codec = None
    if kind is bool:
        codec = flag()
    elif kind is int:
        low, high = (_bound(info, name) for name in ("ge", "le"))
        codec = None if low is None or high is None else number(low, high)
    elif get_origin(kind) is Literal:
        names = get_args(kind)
        codec = named({n: n for n in names}) if isinstance(names[0], int) else choice(names)
    if codec is None:
        raise FieldsError(
            f"expected a codec for the option {name!r}: its type {annotation} gives no range"
        )
    return nullable(codec) if kinds else codec


def _bound(info: FieldInfo, name: str) -> int | None:
    return next((getattr(m, name) for m in info.metadata if hasattr(m, name)), None)
