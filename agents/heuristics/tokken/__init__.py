"""The baselines of Tokken [R12], the weaker first."""

from collections.abc import Callable

import numpy as np

from ....envs.engine.dtypes import Actions, Mask, States, Streams
from ...agent import FromRecords
from . import kees, racer


def _with_scratch(choose: Callable[..., None]) -> FromRecords:
    """A choice that brings the records and arrays that its kernel tries plays in."""

    def choice(states: States, masks: Mask, seats: Actions, streams: Streams, out: Actions) -> None:
        scratch: States = np.zeros(4, states.dtype)
        trials: Mask = np.zeros((2, masks.shape[1]), np.int8)
        stack = np.zeros(kees.STACK_SHAPE, np.int64)
        choose(states, seats, masks, streams, scratch, trials, stack, out)

    return FromRecords(choice)


BASELINES: dict[str, FromRecords] = {
    "racer": _with_scratch(racer.choose),
    "kees": _with_scratch(kees.choose),
}
