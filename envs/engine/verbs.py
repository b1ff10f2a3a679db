"""The verbs of a game: what a game's folder must define, and what each promises.

Every verb is a kernel over row *i* of an array of records. It works in place, allocates nothing,
keeps nothing outside the record and never draws a random number (`determinize` alone does).
The functions below are the contract; the engine's loops name them and are rebound to a game's
own (see `jit.bind`). Those that do something here are what a game gets that does not define them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from types import ModuleType
from typing import Any, Self

from .dtypes import CHANCE, ChanceWeights, Floats, Mask, States, Streams
from .errors import ContractError
from .jit import bind, kernel

VIEWS = 1
"""How many seats' views `full_state` writes; bound to the number of the game's spec."""


def reset(states: States, i: int) -> None:
    """Clear the row but for its options and set the game up, up to its first chance event."""
    raise NotImplementedError


@kernel
def to_move(states: States, i: int) -> int:
    """The seat that decides, `CHANCE` or `OVER`; here the field `mover`, and CHANCE while `due`."""
    state = states[i]
    return CHANCE if int(state["due"]) != 0 else int(state["mover"])


def legal_mask(states: States, i: int, mask: Mask) -> None:
    """Write 1 for every action that the seat to move may take, 0 for the others: `int8[A]`.

    All 0 when the game is over or waits for chance.
    """
    raise NotImplementedError


def step(states: States, i: int, action: int) -> int:
    """Play a legal *action* up to the next decision, chance event or the end.

    Returns 0, or a code of what the move brought about (a round that ended, say), which
    `GameSpec.report` turns into `infos`. The caller has checked the mask.
    """
    raise NotImplementedError


def chance_weights(states: States, i: int, weights: ChanceWeights) -> None:
    """Write the weight of every outcome of the chance event that is due: `int64[C]`."""
    raise NotImplementedError


def step_chance(states: States, i: int, outcome: int) -> int | None:
    """Apply one outcome with a positive weight.

    Returns nothing or, in every case, a report like `step`: bits that are added to those of the
    step whose chance it is.
    """
    raise NotImplementedError


def returns(states: States, i: int, out: Floats) -> None:
    """Write the final reward of every seat, `float32[P]`; zeros before the end."""
    raise NotImplementedError


def scores(states: States, i: int, out: Floats) -> None:
    """Write the score of every seat as it stands, `float32[P]`: the `scores` of `infos`.

    Without it a game has its final rewards in this place, so that all points are in them.
    """
    raise NotImplementedError


@kernel
def is_truncated(states: States, i: int) -> bool:
    """Whether the game is over by a technical cap, not by its rules; here never."""
    return False


def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write what *seat* sees, `float32[D]`: never anything that it may not know."""
    raise NotImplementedError


def full_state(states: States, i: int, out: Floats) -> None:
    """Write the full-information vector, `float32[S]`; here the views of the first seats."""
    size = out.size // VIEWS
    for seat in range(VIEWS):
        observe(states, i, seat, out[size * seat : size * (seat + 1)])


@kernel
def determinize(states: States, i: int, seat: int, streams: Streams, k: int) -> None:
    """Re-draw, with stream *k*, all that *seat* cannot know; what it sees stays the same.

    What is drawn depends on the stream and on what the seat sees, and not on what it was before.
    Here nothing: a game that hides nothing does without.
    """


@dataclass(frozen=True, kw_only=True)
class Verbs:
    """The compiled verbs of one game, by the names of this module."""

    reset: Callable[..., None]
    to_move: Callable[..., int]
    legal_mask: Callable[..., None]
    step: Callable[..., int]
    chance_weights: Callable[..., None]
    step_chance: Callable[..., int | None]
    returns: Callable[..., None]
    scores: Callable[..., None]
    is_truncated: Callable[..., bool]
    observe: Callable[..., None]
    full_state: Callable[..., None]
    determinize: Callable[..., None]

    @classmethod
    def of(cls, *modules: ModuleType, views: int = 1) -> Self:
        """The verbs that *modules* define between them; see `found_in` and `full_state`."""
        seen = {"observe": found_in(modules, "observe"), "VIEWS": views}
        defaults = {
            "scores": found_in(modules, "returns"),
            "to_move": to_move,
            "is_truncated": is_truncated,
            "full_state": bind(full_state, seen),
            "determinize": determinize,
        }
        names = [field.name for field in fields(cls)]
        return cls(**{name: found_in(modules, name, defaults.get(name)) for name in names})

    def by_name(self) -> dict[str, Callable[..., Any]]:
        """The verbs as a dictionary from name to kernel."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def found_in(modules: Sequence[ModuleType], name: str, default: Any = None) -> Any:
    """What is called *name* in *modules*, or the *default*.

    Raises `ContractError` with a name that no module has, if there is no default, or that two have.
    """
    found = [vars(module).get(name) for module in modules]
    different = {id(it): it for it in found if it is not None and not isinstance(it, ModuleType)}
    if len(different) > 1 or (not different and default is None):
        where = ", ".join(module.__name__ for module in modules)
        raise ContractError(f"expected one {name!r} in {where}, got {len(different) or 'none'}")
    return next(iter(different.values()), default)
