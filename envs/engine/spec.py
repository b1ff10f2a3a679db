"""`GameSpec`: one game, described once. Spaces, loops, docs, command line and tests all read it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

import numpy as np

from .dtypes import Json, States
from .errors import MissingPartError, NotationError, PositionError, SpelkastError, shown
from .loops import Loops
from .options import Options, OptionsT, parse_options
from .segments import Segment, columns_of
from .verbs import Verbs, found_in
from .windows import Windows

if TYPE_CHECKING:
    # A game brings them along; `import spelkast.envs` does not wait for them.
    from .fields import Fields
    from .picture import LastMove, Picture

__all__ = [
    "GameSpec", "Options", "OptionsT", "Segment", "Shape", "columns_of", "load_spec",
    "parse_options", "table_notation",
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


NOTATION = (
    "action_to_move", "move_to_action", "outcome_to_text", "text_to_outcome", "infos", "report",
)  # fmt: skip
"""What a game's modules hold beside the verbs: text of moves and outcomes, and public facts."""


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
        *parts: ModuleType,
        title: str,
        home: str,
        fields: Fields,
        segments: Under[tuple[Segment, ...]],
        seats: Under[int],
        actions: Under[int],
        outcomes: Under[int],
        picture: Picture[Any],
        state: Under[int] | None = None,
        teams: Under[Sequence[int]] | None = None,
        zero_sum: bool = True,
        windows: Callable[[Any], Windows] | None = None,
    ) -> Self:
        """A game whose functions are found by name in its modules.

        Args:
            parts: the modules that hold, between them, the verbs (see `Verbs`), the `NOTATION`
                (`action_to_move` and so on; see the attributes) and `check_reachable(states,
                position)`, which `expect`s what the rules say of every position
            title: the game's name as people write it
            home: the module that holds the spec as `SPEC`
            fields: what a record holds; it has the game's name and options
            segments: the observation; like all that follows, a fact or a function of the options
            seats: number of seats
            actions: number of actions
            outcomes: how many chance outcomes the game can name
            picture: how the game is drawn, and its last move described
            state: size of the state vector; the observation's if it is not given
            teams: the team of each seat; each plays alone if it is not given
            zero_sum: see the attribute
            windows: see the attribute
        """

        def shape(options: Any) -> Shape:
            observation = sum(segment.size for segment in under(options, segments))
            return Shape(
                seats=under(options, seats),
                actions=under(options, actions),
                observation=observation,
                state=observation if state is None else under(options, state),
                outcomes=under(options, outcomes),
            )

        def from_position(position: Json) -> States:
            states = fields.from_position(position)
            try:
                functions["check_reachable"](states, position)
            except SpelkastError as error:
                raise PositionError(f"{error}, in position {position}") from None
            return states

        def teams_of(options: Any) -> Sequence[int]:
            return range(under(options, seats)) if teams is None else under(options, teams)

        functions = found_in(parts, (*NOTATION, "check_reachable"))
        return cls(
            name=fields.game,
            title=title,
            home=home,
            options=fields.model,
            shape=shape,
            record=fields.record,
            verbs=Verbs.of(*parts),
            segments=segments,
            write_options=fields.write_options,
            read_options=fields.read_options,
            position=fields.position,
            from_position=from_position,
            **{name: functions[name] for name in NOTATION},
            draw_svg=picture.svg,
            draw_text=picture.text,
            describe_last_move=picture.last_move,
            teams=teams_of,
            zero_sum=zero_sum,
            windows=windows,
            fields=fields,
        )

    def segments_of(self, options: Any) -> tuple[Segment, ...]:
        """The observation under *options* from its first number to its last."""
        return under(options, self.segments)

    def columns_of(self, options: Any) -> dict[str, range]:
        """The columns of each segment, by its name."""
        return columns_of(self.segments_of(options))

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
            raise NotationError(f"expected {what}, got {shown(text)}")
        return number

    return to_text, to_number
