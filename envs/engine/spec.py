"""`GameSpec`: one game, described once. Spaces, loops, docs, command line and tests all read it."""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

import numpy as np

from .dtypes import Json, States
from .errors import MissingPartError, PositionError, SpelkastError, expect
from .loops import Loops
from .options import Options, OptionsT, parse_options, players
from .segments import Segment, Windows, columns_of
from .verbs import Verbs, found_in

if TYPE_CHECKING:
    # A game brings them along; `import spelkast.envs` does not wait for them.
    from .fields import Fields
    from .picture import LastMove

__all__ = [
    "GameSpec", "Options", "OptionsT", "Segment", "Shape", "columns_of", "load_spec",
    "parse_options",
]  # fmt: skip

T = TypeVar("T")
Under: TypeAlias = T | Callable[[Any], T]
"""A fact of a game, or a function from its options to the fact."""


def under(options: Any, fact: Under[T]) -> T:
    """The fact under *options*."""
    return fact(options) if callable(fact) else fact


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
    segments: Under[tuple[Segment, ...]]
    """the observation from its first number to its last; see `segments_of`"""
    write_options: Callable[[States, int, Any], None]
    """puts options into a zeroed record"""
    read_options: Callable[[States, int], Any]
    action_to_move: Callable[[States, int, int], str]
    move_to_action: Callable[[States, int, str], int]
    """raises `NotationError` for text that is not a move; it does not check legality"""
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
    describe_last_move: Callable[..., LastMove | None]
    """`(position, *, viewer, last_move)` -> what *viewer* may know of the move that led to
    *position*, in notation and in words; None if they may know nothing of it"""
    teams: Callable[[Any], Sequence[int]]
    """options -> the team of each seat"""
    zero_sum: bool = True
    """whether the final rewards of every game sum to 0"""
    windows: Callable[[Any], Windows] | None = None
    """options -> where the observation holds a ring, for a game with one: networks may ask"""
    fields: Fields
    """what a record holds"""

    @classmethod
    def of(
        cls,
        *modules: ModuleType,
        title: str,
        home: str,
        seats: Under[int] = players,
        actions: Under[int] | None = None,
        outcomes: Under[int] | None = None,
        state: Under[int] | None = None,
        views: int = 1,
        teams: Under[Sequence[int]] | None = None,
        zero_sum: bool = True,
    ) -> Self:
        """A game whose parts are found by name in *modules* and in the one that is its *home*.

        They hold, between them, the verbs (see `Verbs`), `FIELDS`, `SEGMENTS`, `PICTURE`, `infos`,
        `check_reachable(states, position)`, which `expect`s what the rules say of every position,
        and the notation: `Names` called `MOVES` and `OUTCOMES`, or the functions `action_to_move`
        and so on. `report` and `windows` are optional. Raises `ContractError` for what is missing.

        Args:
            modules: the modules of the game
            title: the game's name as people write it
            home: the module that holds the spec as `SPEC`
            seats: number of seats, by default the option `players`; like all that follows, a fact
                or a function of the options
            actions: number of actions; not needed with `MOVES`
            outcomes: how many chance outcomes the game can name; not needed with `OUTCOMES`
            state: size of the state vector of a game with a `full_state` of its own
            views: otherwise the state is what so many seats see, one after another: one where
                nothing is hidden
            teams: the team of each seat; each plays alone if it is not given
            zero_sum: see the attribute
        """
        parts = (sys.modules[home], *modules)
        find = partial(found_in, parts)
        fields, segments, picture = find("FIELDS"), find("SEGMENTS"), find("PICTURE")
        moves, events = find("MOVES", ()), find("OUTCOMES", ())

        def shape(options: Any) -> Shape:
            observation = sum(segment.size for segment in under(options, segments))
            return Shape(
                seats=under(options, seats),
                actions=len(moves) if actions is None else under(options, actions),
                observation=observation,
                state=views * observation if state is None else under(options, state),
                outcomes=len(events) if outcomes is None else under(options, outcomes),
            )

        return cls(
            name=fields.game,
            title=title,
            home=home,
            options=fields.model,
            shape=shape,
            record=fields.record,
            verbs=Verbs.of(*parts, views=views),
            segments=segments,
            write_options=fields.write_options,
            read_options=fields.read_options,
            action_to_move=find("action_to_move", getattr(moves, "to_text", None)),
            move_to_action=find("move_to_action", getattr(moves, "to_number", None)),
            outcome_to_text=find("outcome_to_text", getattr(events, "to_text", None)),
            text_to_outcome=find("text_to_outcome", getattr(events, "to_number", None)),
            position=fields.position,
            from_position=partial(_read_position, fields, find("check_reachable")),
            infos=find("infos"),
            report=find("report", lambda code: {}),
            draw_svg=picture.svg,
            draw_text=picture.text,
            describe_last_move=picture.last_move,
            teams=lambda options: under(options, teams) or range(under(options, seats)),
            zero_sum=zero_sum,
            windows=find("windows", ()) or None,
            fields=fields,
        )

    def segments_of(self, options: Any) -> tuple[Segment, ...]:
        """The observation under *options* from its first number to its last."""
        return under(options, self.segments)

    def columns_of(self, options: Any) -> dict[str, range]:
        """The columns of each segment, by its name."""
        return columns_of(self.segments_of(options))

    def layout(self, options: Any) -> str:
        """A fingerprint of the observation's segments: names, sizes and ranges, in order."""
        text = json.dumps([[s.name, s.size, s.low, s.high] for s in self.segments_of(options)])
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def position_schema(self, options: Mapping[str, Any] | Options | None = None) -> Json:
        """The JSON Schema of a position under *options*; without them, under any options."""
        return self.fields.schema(None if options is None else self.parse_options(options))

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
        return Loops.of(self.verbs)

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

    def check_states(self, states: States) -> None:
        """Raise `PositionError` for a record that no position describes: it may crash a verb."""
        self.fields.check_ranges(states)
        for i in range(len(states)):
            try:
                is_same = self.from_position(self.position(states, i)) == states[i]
            except (ArithmeticError, LookupError, TypeError, ValueError) as error:
                raise PositionError(f"expected the record of a position, got {error}") from None
            if not is_same.all():
                raise PositionError(f"expected the record of a position, got another in row {i}")

    def legal_moves(self, states: States, i: int) -> list[str]:
        """The legal moves of the seat to move in notation, sorted as text."""
        mask = np.zeros(self.shape(self.read_options(states, i)).actions, np.int8)
        self.verbs.legal_mask(states, i, mask)
        return sorted(self.action_to_move(states, i, int(action)) for action in mask.nonzero()[0])

    def __deepcopy__(self, memo: object) -> Self:
        """A spec is a fact: copies share it."""
        return self

    def __reduce__(self) -> tuple[Callable[[str], GameSpec], tuple[str]]:
        """Pickle by reference."""
        return load_spec, (self.home,)


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
    module = f"PettingZoo's module of the game {name!r}, called {name}_vN.py with its version for N"
    expect(versions, module, f"none in {folder}", error=MissingPartError)
    return max(versions)


def _read_position(
    fields: Fields, check_reachable: Callable[[States, Json], None], position: Json
) -> States:
    """A position of well-formed values that the rules can reach; raises `PositionError`."""
    states = fields.from_position(position)
    try:
        check_reachable(states, position)
    except SpelkastError as error:
        raise PositionError(f"{error}, in position {position}") from None
    return states
