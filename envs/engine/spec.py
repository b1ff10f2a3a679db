"""`GameSpec`: one game, described once. Spaces, loops, docs, command line and tests all read it."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from .dtypes import Json, States
from .errors import MissingPartError, NotationError, OptionsError
from .explain import explain
from .loops import Loops
from .verbs import Verbs
from .windows import Windows


class Options(BaseModel):
    """Base of a game's options: frozen, strict, no unknown keys, a default and a text for each."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True
    )

    def changed(self) -> Json:
        """The options that differ from their default, as plain JSON."""
        return self.model_dump(mode="json", exclude_defaults=True)


OptionsT = TypeVar("OptionsT", bound=Options)


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The sizes of a game under given options."""

    seats: int
    actions: int
    observation: int
    state: int
    outcomes: int
    """how many chance outcomes the game can name"""


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A named stretch of the observation."""

    name: str
    size: int
    low: float = 0.0
    high: float = 1.0


def columns_of(segments: Sequence[Segment]) -> dict[str, range]:
    """The columns of each segment, by its name."""
    ends = itertools.accumulate(segment.size for segment in segments)
    return {s.name: range(end - s.size, end) for s, end in zip(segments, ends, strict=True)}


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """Everything the rest of spelkast knows about one game."""

    name: str
    title: str
    home: str
    """the module that holds this spec as `SPEC`; a pickled spec is found again by it"""
    options: type[Options]
    shape: Callable[[Any], Shape]
    record: np.dtype[np.void]
    verbs: Verbs
    segments: tuple[Segment, ...]
    """the observation under the default options, from its first number to its last"""
    write_options: Callable[[States, int, Any], None]
    """puts options into a zeroed record"""
    read_options: Callable[[States, int], Any]
    action_to_move: Callable[[States, int, int], str]
    move_to_action: Callable[[States, int, str], int]
    """raises `NotationError` for text that is no move; legality is not its business"""
    outcome_to_text: Callable[[States, int, int], str]
    text_to_outcome: Callable[[States, int, str], int]
    position: Callable[[States, int], Json]
    from_position: Callable[[Json], States]
    """a position as `[1]` record; raises `PositionError`"""
    infos: Callable[[States, int], Json]
    """what is public about the state of the match: `scores` per seat at least. It may change only
    with a move that reports something, itself or by its chance, and at the end"""
    report: Callable[[int], Json]
    """what the code of a `step` means, for `infos`"""
    draw_svg: Callable[..., str]
    """`(position, *, viewer, last_move) -> str`; viewer is a seat or None for all"""
    draw_text: Callable[..., str]
    teams: Callable[[Any], Sequence[int]]
    """options -> the team of each seat"""
    zero_sum: bool = True
    """whether the final rewards of every game sum to 0"""
    layout: Callable[[Any], tuple[Segment, ...]] | None = None
    """options -> segments, for a game whose observation depends on its options"""
    windows: Callable[[Any], Windows] | None = None
    """options -> where the observation holds a ring, for a game with one: networks may ask"""

    def segments_of(self, options: Any) -> tuple[Segment, ...]:
        """The observation under *options* from its first number to its last."""
        return self.segments if self.layout is None else self.layout(options)

    def columns_of(self, options: Any) -> dict[str, range]:
        """The columns of each segment, by its name."""
        return columns_of(self.segments_of(options))

    @property
    def folder(self) -> Path:
        """Where the game's sources lie."""
        return Path(str(importlib.import_module(self.home).__file__)).parent

    @cached_property
    def version(self) -> int:
        """The `N` of the module `NAME_vN`.

        Raised when behaviour, options or layout change; never for speed.
        """
        return version_in(self.folder, self.name)

    @cached_property
    def loops(self) -> Loops:
        """The engine's loops bound to this game's verbs, compiled when first called."""
        return Loops.of(self.verbs, self.folder)

    def parse_options(self, options: Mapping[str, Any] | Options | None) -> Any:
        """Options checked; raises `OptionsError` that names the option and what it expects."""
        return parse_options(self.options, self.name, options)

    def new_states(self, count: int, options: Mapping[str, Any] | Options | None = None) -> States:
        """`[count]` records that hold *options* and wait for `reset`."""
        parsed = self.parse_options(options)
        states: States = np.zeros(count, self.record)
        if count:
            self.write_options(states, 0, parsed)
            states[1:] = states[0]
        return states

    def legal_moves(self, states: States, i: int) -> list[str]:
        """The legal moves of the seat to move in notation, sorted as text."""
        mask = np.zeros(self.shape(self.read_options(states, i)).actions, np.int8)
        self.verbs.legal_mask(states, i, mask)
        return sorted(self.action_to_move(states, i, int(action)) for action in mask.nonzero()[0])

    def __deepcopy__(self, memo: object) -> GameSpec:
        """A spec is a fact: copies share it."""
        return self

    def __reduce__(self) -> tuple[Callable[[str], GameSpec], tuple[str]]:
        """Pickle by reference."""
        return load_spec, (self.home,)


def parse_options(
    model: type[OptionsT], game: str, options: Mapping[str, Any] | Options | None
) -> OptionsT:
    """The options of *game*, whose class is *model*, checked; see `GameSpec.parse_options`."""
    if isinstance(options, model):
        return options
    try:
        return model.model_validate(_plain(dict(options or {})))
    except ValidationError as error:
        raise OptionsError(explain(error, model, noun="option", where=f"of {game}")) from None


def load_spec(home: str) -> GameSpec:
    """The `SPEC` of the module *home*; raises `MissingPartError` if it has none."""
    spec = getattr(importlib.import_module(home), "SPEC", None)
    if not isinstance(spec, GameSpec):
        raise MissingPartError(f"expected a GameSpec as {home}.SPEC, got {type(spec).__name__}")
    return spec


def version_in(folder: Path, name: str) -> int:
    """The highest `N` of the modules `NAME_vN.py` in *folder*; raises `MissingPartError`."""
    numbers = [path.stem.removeprefix(f"{name}_v") for path in folder.glob(f"{name}_v*.py")]
    versions = [int(number) for number in numbers if number.isdecimal()]
    if not versions:
        raise MissingPartError(
            f"expected PettingZoo's module of the game {name!r}, called {name}_vN.py with its "
            f"version for N, got none in {folder}"
        )
    return max(versions)


def table_notation(
    names: Sequence[str], what: str
) -> tuple[Callable[[States, int, int], str], Callable[[States, int, str], int]]:
    """Both directions of a notation that does not depend on the position.

    *names* are the texts by number; *what* ("a move of ...") is for the error message.
    """
    numbers = {name: number for number, name in enumerate(names)}

    def to_text(states: States, i: int, number: int) -> str:
        return names[number]

    def to_number(states: States, i: int, text: str) -> int:
        number = numbers.get(text) if isinstance(text, str) else None
        if number is None:
            raise NotationError(f"expected {what}, got {text!r}")
        return number

    return to_text, to_number


def _plain(value: Any) -> Any:
    """*value* as strict validation takes it: lists as tuples, NumPy's numbers as Python's."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return tuple(map(_plain, value)) if isinstance(value, list | tuple) else value
