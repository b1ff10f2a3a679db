"""Shaping: extra reward for each change of what the observation says, such as rounds won."""

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.dtypes import Floats
from ..envs.engine.errors import OptionsError, expect
from ..envs.engine.spec import GameSpec, Options

SLICE = re.compile(r"(?P<segment>.*)\[(?P<start>\d+):(?P<stop>\d+)\]")


def shaping_columns(
    spec: GameSpec, shaping: Mapping[str, float], options: Options
) -> tuple[NDArray[np.intp], Floats]:
    """The columns of the observation that *shaping* names, and their weights.

    A key is the name of a segment, or of a part of it: "yard[0:1]" is its first number.
    """
    columns: list[int] = []
    weights: list[float] = []
    places = spec.columns_of(options)
    for key, weight in shaping.items():
        part = SLICE.fullmatch(key)
        name = part["segment"] if part and key not in places else key
        known = f"a segment of the observation of {spec.name} in shaping ({'; '.join(places)})"
        expect(name in places, known, repr(name), error=OptionsError)
        start, size = places[name].start, len(places[name])
        first, stop = (int(part["start"]), int(part["stop"])) if name != key and part else (0, size)
        part_of = f"a part of the {size} numbers of {name!r} in shaping"
        expect(first < stop <= size, part_of, repr(key), error=OptionsError)
        columns += range(start + first, start + stop)
        weights += [weight] * (stop - first)
    return np.array(columns, np.intp), np.array(weights, np.float32)
