"""A game's options: a strict model, and errors that name the option and what it expects."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from .dtypes import Json
from .errors import OptionsError
from .explain import explain


class Options(BaseModel):
    """Base of a game's options: frozen, strict, no unknown keys, a default and a text for each."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True
    )

    def changed(self) -> Json:
        """The options that differ from their default, as plain JSON."""
        return self.model_dump(mode="json", exclude_defaults=True)


def players(options: Any) -> int:
    """How many play, in a game with such an option."""
    seats: int = options.players
    return seats


OptionsT = TypeVar("OptionsT", bound=Options)


def parse_options(
    model: type[OptionsT], game: str, options: Mapping[str, Any] | Options | None
) -> OptionsT:
    """The options of *game*, whose class is *model*, checked; see `GameSpec.parse_options`."""
    if isinstance(options, model):
        return options
    given = _plain(dict(options or {}))
    try:
        parsed = model.model_validate(given)
    except ValidationError as error:
        raise OptionsError(explain(error, model, noun="option", where=f"of {game}")) from None
    for name, value in given.items():
        # Where whole numbers are choices, the model takes 4.0 and True for the choices 4 and 1.
        if type(getattr(parsed, name)) is int and type(value) is not int:
            raise OptionsError(f"option {name!r} of {game}: expected a whole number, got {value!r}")
    return parsed


DEEPEST = 3
"""Lists within lists in an option; what lies deeper is left to the model, which refuses it."""


def _plain(value: Any, depth: int = 0) -> Any:
    """*value* as strict validation takes it: lists as tuples, NumPy's numbers as Python's."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if depth > DEEPEST:
        return value
    if isinstance(value, Mapping):
        return {key: _plain(item, depth + 1) for key, item in value.items()}
    return tuple(_plain(v, depth + 1) for v in value) if isinstance(value, list | tuple) else value
