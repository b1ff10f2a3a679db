"""Checks of the arguments that a user passes to an environment, and its spaces."""

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from .errors import IllegalActionError, OptionsError
from .spec import GameSpec, Options


def observation_space(spec: GameSpec, options: Options, num_actions: int) -> spaces.Dict:
    """`Dict` of a float32 `Box` [D] with the bounds of the segments and an int8 mask [A]."""
    segments = spec.segments_of(options)
    sizes = [segment.size for segment in segments]
    low = np.repeat([segment.low for segment in segments], sizes).astype(np.float32)
    high = np.repeat([segment.high for segment in segments], sizes).astype(np.float32)
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (num_actions,), np.int8),
        }
    )


def one_of(name: str, value: Any, values: Sequence[Any]) -> Any:
    """*value* if it is one of *values*; raises `OptionsError`."""
    if value not in values or isinstance(value, bool):
        raise OptionsError(f"expected {name} as one of {list(values)}, got {value!r}")
    return value


def reset_options(options: object) -> Mapping[str, Any]:
    """The options of `reset` as a mapping, empty for None; raises `OptionsError`."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise OptionsError(f"expected the options of reset() as a mapping, got {options!r}")
    return options


def seed_number(seed: object) -> int:
    """A seed as a number; raises `OptionsError` unless it is whole and at least 0."""
    number = _whole(seed)
    if number < 0:
        raise OptionsError(f"expected seed as a whole number >= 0, got {seed!r}")
    return number


def action_number(action: object, num_actions: int) -> int:
    """An action as a number; raises `IllegalActionError` outside 0..num_actions-1."""
    number = _whole(action)
    if not 0 <= number < num_actions:
        raise IllegalActionError(f"expected an action 0..{num_actions - 1}, got {action!r}")
    return number


def _whole(value: object) -> int:
    """*value* as a whole number, -1 if it is none (a bool, a float, text)."""
    if isinstance(value, bool):
        return -1
    try:
        return operator.index(value)  # type: ignore[arg-type]  # that is what is tested
    except TypeError:
        return -1
