"""What an agent is: somebody who, shown a batch of decisions, chooses a move for each.

An agent keeps nothing between decisions, so one object can play any seat of any number of games at
once. It sees an observation and a mask per row and has one stream of random numbers per row, so
its choice in a row never depends on the other rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from ..envs.engine.dtypes import Actions, Floats, Mask, States, Streams
from ..envs.engine.errors import IllegalActionError, NoLegalActionError
from ..envs.engine.jit import kernel
from .parameters import Weights

if TYPE_CHECKING:
    from ..envs.engine.batch import Batch

Choice: TypeAlias = Callable[[Floats, Mask, Streams, Actions], None]
"""Writes an action per row: `(observations [N, D], masks [N, A], streams [N], out [N])`."""

RecordChoice: TypeAlias = Callable[[States, Mask, Actions, Streams, Actions], None]
"""Writes an action per row: `(states [N], masks [N, A], seats [N], streams [N], out [N])`."""


@dataclass(frozen=True)
class WithScratch:
    """A choice whose loop needs room to work in: new for each call, or kept by who calls the loop.

    A kernel allocates nothing, so a kernel that makes many choices is handed the room as well. The
    values of parameters are a part of it, so that one compiled loop serves all values.
    """

    loop: Callable[..., None]
    """a kernel that takes the arrays of a choice, and then what `room` returns"""
    scratch: Callable[[int], tuple[Any, ...]]
    """from the number of actions to what the loop works in"""
    weights: Weights | None = None
    """the parameters of the loop with their values, which come last in the room"""

    def room(self, num_actions: int) -> tuple[Any, ...]:
        """What the loop takes besides the arrays of a choice."""
        scratch = self.scratch(num_actions)
        return scratch if self.weights is None else (*scratch, self.weights.array())

    def __call__(self, *arrays: Any) -> None:
        """Choose for every row."""
        self.loop(*arrays, *self.room(arrays[1].shape[1]))  # of the masks


@dataclass(frozen=True)
class FromRecords:
    """Marks a choice that reads records, with everything re-drawn that its seat cannot know."""

    choice: RecordChoice


@dataclass(frozen=True, eq=False)
class Views:
    """A batch of `N` decisions, each as the seat that is to move sees it."""

    observations: Floats  # [N, D]
    masks: Mask  # [N, A]
    seats: Actions  # [N] who is to move
    states: States | None = None  # [N] what the seat cannot know is re-drawn; see `needs_states`
    advice: Actions | None = None  # [N] the adviser's choice, where it has been asked before

    def __len__(self) -> int:
        return len(self.masks)


class Agent(Protocol):
    """A player: chooses an action for each row of a batch."""

    @property
    def name(self) -> str:
        """The text that the agent was made from, and its adviser if it has one."""

    @property
    def needs_states(self) -> bool:
        """Whether `act` reads `views.states`; the other fields are always there."""

    def act(self, views: Views, streams: Streams) -> Actions:
        """Choose a legal action for every row, `int32[N]`.

        `streams[i]` belongs to row i and is advanced in place. Raises `NoLegalActionError` if a
        mask is all zero.
        """


class KernelAgent:
    """An agent whose choice is one compiled loop.

    It cannot cheat: it has observations and masks to look at or, marked by `FromRecords`, for games
    that hide little, records in which what a seat cannot know has been re-drawn.
    """

    def __init__(self, name: str, choice: Choice | FromRecords) -> None:
        self.name = name
        self.choice = choice
        self.needs_states = isinstance(choice, FromRecords)

    def act(self, views: Views, streams: Streams) -> Actions:
        """Choose a legal action for every row, `int32[N]`."""
        count = len(views)
        if len(streams) != count:
            raise ValueError(f"expected one stream for each of {count} rows, got {len(streams)}")
        check_masks(views.masks, self.name)
        # A second memory layout would cost a second compilation.
        masks, out = np.ascontiguousarray(views.masks, np.int8), np.empty(count, np.int32)
        if not isinstance(self.choice, FromRecords):
            observations = np.ascontiguousarray(views.observations, np.float32)
            self.choice(observations, masks, streams, out)
        elif views.states is None:
            raise ValueError(f"expected views with records for {self.name!r}, got none")
        else:
            seats = np.ascontiguousarray(views.seats, np.int32)
            # A copy: the choice may try moves out in the records.
            self.choice.choice(views.states.copy(), masks, seats, streams, out)
        return out

    def __repr__(self) -> str:
        return f"KernelAgent({self.name!r})"


def check_masks(masks: Mask, name: str) -> None:
    """Raise `NoLegalActionError` if a row of *masks* `[N, A]` allows nothing."""
    row = row_without_action(np.ascontiguousarray(masks, np.int8))
    if row >= 0:
        raise NoLegalActionError(
            f"expected at least one legal action in every row, got an all-zero mask in row {row} "
            f"of {len(masks)}: {name!r} has no move"
        )


@kernel
def row_without_action(masks: Mask) -> int:
    """The first row of *masks* that is all zero; -1 if there is none."""
    for row in range(masks.shape[0]):
        action = 0
        while action < masks.shape[1] and masks[row, action] == 0:
            action += 1
        if action == masks.shape[1]:
            return row
    return -1


def views_of(batch: Batch, rows: Actions | None = None, streams: Streams | None = None) -> Views:
    """What the seats to move in *rows* of *batch* (all rows if None) see, as copies.

    With *streams* (purpose "determinize", one per row of the batch, advanced in place) the views
    hold records as well, in which all that the seat cannot know has been re-drawn.
    """
    if rows is None:
        rows = np.arange(batch.size, dtype=np.int32)
    seats = batch.seats[rows]
    states = None
    if streams is not None:
        states, own = batch.states[rows], streams[rows]
        batch.spec.loops.redraw_rows(states, seats, own)
        streams[rows] = own
    return Views(batch.observations[rows], batch.masks[rows], seats, states)


def choose(
    agent: Agent,
    batch: Batch,
    rows: Actions,
    *,
    choices: Streams,
    redraws: Streams,
    advice: Actions | None = None,
) -> Actions:
    """What *agent* does in *rows* of *batch*, `int32[K]`, -1 for what is no action at all.

    Legality is not checked.

    *choices* and *redraws* are the streams of agents and of re-drawn records, one per row of the
    batch, and advance in place; *choices* may be one per row and seat, `[N, P]`, so that nobody
    can foresee what another draws. *advice* `[K]` is what the agent's adviser said, if it was asked
    before. Raises `IllegalActionError` for an answer that is not one whole number per row.
    """
    place = rows if choices.ndim == 1 else (rows, batch.seats[rows])
    own = choices[place]
    needs_states = agent.needs_states and advice is None
    views = replace(views_of(batch, rows, redraws if needs_states else None), advice=advice)
    actions = np.asarray(agent.act(views, own))
    if actions.shape != rows.shape or not np.issubdtype(actions.dtype, np.integer):
        raise IllegalActionError(
            f"expected {len(rows)} whole numbers from agent {agent.name!r}, "
            f"got {actions.dtype} of shape {actions.shape}"
        )
    choices[place] = own
    # Before they are made narrow, or 2**32 + 3 would be the action 3.
    is_one = (actions >= 0) & (actions < batch.shape.actions)
    return np.where(is_one, actions.astype(np.int32), np.int32(-1))
