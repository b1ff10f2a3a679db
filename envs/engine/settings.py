"""`--set NAME=VALUE`: text of the command line as the values that the fields of a model take."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from .dtypes import Json
from .errors import OptionsError

PART = re.compile(r'"[^"]*"|[^."]+')
"""A part of a dotted name; one that holds dots itself stands in quotes."""


def apply_settings(
    values: Json,
    settings: Iterable[str],
    model: type[BaseModel],
    *,
    tables: Mapping[str, type[BaseModel]] | None = None,
) -> None:
    """Put each of *settings*, `name=value` or `table.name=value`, into *values* for *model*.

    *tables* are the models of those fields that the model itself leaves open. Whether a value fits
    is for the model to say.

    Raises:
        OptionsError: A setting has no name or no value, or names something inside a single value.
    """
    for setting in settings:
        name, equals, text = setting.partition("=")
        path = [part.strip().strip('"') for part in PART.findall(name)]
        if not (equals and path and all(path)):
            raise OptionsError(f"expected --set NAME=VALUE, got {setting!r}")
        table = values
        for part in path[:-1]:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                raise OptionsError(f"expected a table before the last dot, got --set {setting!r}")
        table[path[-1]] = read_value(text, _kind(model, path, tables or {}))


def read_value(text: str, kind: Any = Any) -> Any:
    """The value that *text* stands for where *kind*, a type, is expected.

    It is written as in TOML (12, 0.5, true, [1, 2], "text"); all else is text, and so is
    everything where only text will do. `null` stands for nothing where that is allowed.
    """
    text = text.strip()
    members = _members(kind)
    if text == "null" and NoneType in members:
        return None
    try:
        parsed = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):  # not TOML, a huge number, or nested too deeply
        return text
    value = parsed.pop("value")
    is_text = all(isinstance(member, str) or member in {str, NoneType} for member in members)
    return text if parsed or (is_text and not isinstance(value, str)) else value


def _members(kind: Any) -> Sequence[Any]:
    """The types and the literal values that *kind* allows."""
    if get_origin(kind) is Annotated:
        return _members(get_args(kind)[0])
    if get_origin(kind) in {Union, UnionType}:
        return [member for each in get_args(kind) for member in _members(each)]
    return get_args(kind) if get_origin(kind) is Literal else [kind]


def _kind(model: Any, path: Sequence[str], tables: Mapping[str, type[BaseModel]]) -> Any:
    """The type of the field at *path*; anything if there is no such field."""
    kind = model
    for name in path:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            field = kind.model_fields.get(name)
            kind = tables.get(name, field.annotation if field else Any)
        else:
            kind = get_args(kind)[1] if get_origin(kind) is dict else Any
    return kind
