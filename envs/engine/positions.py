"""What every game checks of a JSON position, before what only its own rules know."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .dtypes import Json
from .errors import OptionsError, PositionError, shown
from .options import OptionsT, parse_options


def check_keys(mapping: Any, keys: Sequence[str], what: str) -> None:
    """Raise `PositionError` unless *mapping* is a JSON object with *keys* and no others."""
    if not isinstance(mapping, dict):
        raise PositionError(f"expected the {what} as a JSON object, got {shown(mapping)}")
    if set(mapping) != set(keys):
        missing = sorted(set(keys) - set(mapping))
        unknown = sorted(map(str, set(mapping) - set(keys)))
        raise PositionError(
            f"expected the keys {', '.join(keys)} in the {what}, "
            f"got missing {missing} and unknown {unknown}"
        )


def object_schema(properties: Json) -> Json:
    """The JSON Schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def options_of(config: Any, game: str, model: type[OptionsT]) -> OptionsT:
    """The options in the `config` of a position; raises `PositionError`."""
    if not isinstance(config, dict):
        raise PositionError(f"expected config as an object of options, got {shown(config)}")
    try:
        return parse_options(model, game, config)
    except OptionsError as error:
        raise PositionError(f"{error}, in config {shown(config)}") from None


def plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's; anything else as it is."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


class At(NamedTuple):
    """Where in a position a value stands, and what of the position decides how it is read."""

    where: str
    options: Any = None
    is_over: bool = False
    """whether the position's phase is "over" """
    otherwise: str = ""
    """what may stand here besides what the codec expects"""

    def item(self, key: int | str) -> "At":
        """The place of an item of a list or of an object."""
        suffix = f"[{key}]" if isinstance(key, int) else f".{key}"
        return At(self.where + suffix, self.options, self.is_over)

    def items(self, value: Any, length: int) -> Sequence[Any]:
        """The items of a list of *length*; raises `PositionError`."""
        if not isinstance(value := plain(value), list | tuple) or len(value) != length:
            raise self.wrong(f"a list of {length}", value)
        return value

    def values(self, value: Any, keys: Sequence[str]) -> list[Any]:
        """The values of an object with *keys* and no others; raises `PositionError`."""
        check_keys(value, keys, self.where)
        return [plain(value[key]) for key in keys]

    def wrong(self, expected: str, value: object) -> PositionError:
        """The error that *value* stands here, where *expected* should."""
        expected = self.otherwise + expected
        return PositionError(f"expected {self.where} as {expected}, got {shown(value)}")
