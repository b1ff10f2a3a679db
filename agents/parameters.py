"""The numbers of a baseline's evaluation as data: whole numbers with names, defaults and ranges."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.errors import OptionsError, expect, shown

Values: TypeAlias = NDArray[np.int64]
"""The values of a baseline's parameters, in their order, `[W]`."""


@dataclass(frozen=True)
class Parameter:
    """A number that a baseline weighs with."""

    name: str
    default: int
    low: int
    high: int
    meaning: str


@dataclass(frozen=True)
class Weights:
    """The parameters of a baseline and a value for each."""

    parameters: tuple[Parameter, ...]
    values: tuple[int, ...]

    @classmethod
    def of(cls, parameters: tuple[Parameter, ...], **values: int) -> Self:
        """The defaults of *parameters*, but for the *values* that are given."""
        return cls(parameters, tuple(p.default for p in parameters)).changed(values)

    def changed(self, values: Mapping[str, Any]) -> Self:
        """The same with some *values* by name; raises `OptionsError` for impossible ones."""
        named = self.by_name()
        for name, value in values.items():
            expect(
                name in named, f"a parameter ({', '.join(named)})", shown(name), error=OptionsError
            )
            named[name] = value
        for parameter in self.parameters:
            _check(parameter, named[parameter.name])
        return replace(self, values=tuple(named.values()))

    def by_name(self) -> dict[str, int]:
        """The values by name, in the order of the parameters."""
        return {p.name: value for p, value in zip(self.parameters, self.values, strict=True)}

    def array(self) -> Values:
        """What the loop reads."""
        return np.array(self.values, np.int64)


def _check(parameter: Parameter, value: object) -> None:
    low, high = parameter.low, parameter.high
    is_one = isinstance(value, int) and not isinstance(value, bool)
    is_in_range = is_one and value in range(low, high + 1)
    wanted = f"{parameter.name} as a whole number from {low} to {high}"
    expect(is_in_range, wanted, shown(value), error=OptionsError)
