"""Games played on by one baseline on all seats: what the loops of every search are made of.

Each function here is a template like those of `envs.engine.loops`: `bind_playouts` compiles a copy
for one game and one baseline. All that they write to is handed in as a `Room`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.dtypes import OVER, Actions, ChanceWeights, Floats, Mask, States, Streams
from ...envs.engine.jit import bind
from ...envs.engine.loops import settle
from ...envs.engine.spec import GameSpec, Shape
from ...envs.engine.verbs import determinize, legal_mask, observe, returns, scores, step
from ..agent import Choice, FromRecords, RecordChoice, WithScratch

DEALT, PLAYED = range(2)
"""Records of a room: what the block of games begins with, and the game that is being played."""

RESULT, MARGIN = range(2)
"""Of a game: the final reward, and by how many points the own side leads; see `standing`."""

Samples = NDArray[np.float64]
"""What games brought by block and candidate: RESULT and MARGIN, `[K, C, 2]`."""


class Room(NamedTuple):
    """The arrays that playouts work in; `P` seats, `A` actions, `D` observation, `C` outcomes."""

    states: States  # [2] by DEALT, PLAYED
    asked: States  # [1] what the baseline sees, if it reads records
    observations: Floats  # [1, D] what it sees otherwise
    bits: NDArray[np.uint32]  # [D] the memory of the observation
    masks: Mask  # [1, A]
    seats: Actions  # [1]
    actions: Actions  # [1] what it answers
    chance: Streams  # [1] of the game that is being played
    choices: Streams  # [1] of the baseline in it
    weights: ChanceWeights  # [C]
    rewards: Floats  # [P]
    scores: Floats  # [P]
    scratch: tuple[Any, ...]  # of the baseline

    @classmethod
    def of(cls, record: np.dtype[np.void], shape: Shape, choice: Choice | FromRecords) -> Self:
        """Room for a game of that *shape* and the baseline with that *choice*."""
        inner = choice.choice if isinstance(choice, FromRecords) else choice
        observations = np.zeros((1, shape.observation), np.float32)
        return cls(
            states=np.zeros(2, record),
            asked=np.zeros(1, record),
            observations=observations,
            bits=observations[0].view(np.uint32),
            masks=np.zeros((1, shape.actions), np.int8),
            seats=np.zeros(1, np.int32),
            actions=np.zeros(1, np.int32),
            chance=np.zeros(1, np.uint64),
            choices=np.zeros(1, np.uint64),
            weights=np.zeros(shape.outcomes, np.int64),
            rewards=np.zeros(shape.seats, np.float32),
            scores=np.zeros(shape.seats, np.float32),
            scratch=inner.room(shape.actions) if isinstance(inner, WithScratch) else (),
        )


def loop(*arrays: Any) -> None:
    """The loop of the baseline."""
    raise NotImplementedError


def ask_by_observation(states: States, i: int, seat: int, room: Room) -> None:
    """Have the baseline choose for *seat* in row *i*, from what it sees."""
    observe(states, i, seat, room.observations[0])
    loop(room.observations, room.masks, room.choices, room.actions, *room.scratch)


def ask_by_record(states: States, i: int, seat: int, room: Room) -> None:
    """The same from a record, in which all that the seat cannot know is re-drawn."""
    room.asked[0] = states[i]
    determinize(room.asked, 0, seat, room.choices, 0)
    room.seats[0] = seat
    loop(room.asked, room.masks, room.seats, room.choices, room.actions, *room.scratch)


ask = ask_by_observation


def choose(states: States, i: int, seat: int, room: Room) -> int:
    """The action of *seat* in row *i*: the only one, or the one that the baseline chooses."""
    mask = room.masks[0]
    legal_mask(states, i, mask)
    only = -1
    for action in range(mask.size):
        if mask[action]:
            if only >= 0:
                ask(states, i, seat, room)
                return int(room.actions[0])
            only = action
    return only


def play_out(room: Room, action: int, most: int) -> int:
    """Play *action* and then on, to the end or for *most* decisions; returns how many were made.

    It is one more than *most* if the game would have gone on.
    """
    states, made = room.states, 0
    while made < most:
        step(states, PLAYED, action)
        made += 1
        mover = settle(states, PLAYED, room.chance, 0, room.weights)
        if mover == OVER:
            return made
        action = choose(states, PLAYED, mover, room)
    return most + 1


def lead(scores: Floats, teams: Actions, team: int) -> float:
    """The mean score of the seats of *team* less that of the best other team, if there is one."""
    own, best, is_alone = 0.0, 0.0, True
    for other in range(teams.size):
        total, seats = 0.0, 0
        for seat in range(teams.size):
            if teams[seat] == other:
                total += scores[seat]
                seats += 1
        if seats == 0:
            continue
        mean = total / seats
        if other == team:
            own = mean
        elif is_alone or mean > best:
            best, is_alone = mean, False
    return own - best


def standing(room: Room, teams: Actions, team: int) -> tuple[float, float]:
    """RESULT and MARGIN of *team* in the game as it stands; partners share their rewards."""
    returns(room.states, PLAYED, room.rewards)
    scores(room.states, PLAYED, room.scores)
    total, seats = 0.0, 0
    for seat in range(teams.size):
        if teams[seat] == team:
            total += room.rewards[seat]
            seats += 1
    return total / seats, lead(room.scores, teams, team)


def bind_playouts(
    spec: GameSpec, choice: Choice | FromRecords, *templates: Callable[..., Any]
) -> dict[str, Any]:
    """Those of this module and *templates*, each after those that it calls, by name.

    They are compiled for the game of *spec*, with the baseline that chooses by *choice*.
    """
    reads_records = isinstance(choice, FromRecords)
    inner: Choice | RecordChoice = choice.choice if isinstance(choice, FromRecords) else choice
    names: dict[str, Any] = spec.verbs.by_name() | {
        "settle": spec.loops.settle,
        "loop": inner.loop if isinstance(inner, WithScratch) else inner,
    }
    names["ask"] = bind(ask_by_record if reads_records else ask_by_observation, names)
    shared: tuple[Callable[..., Any], ...] = (choose, play_out, lead, standing)
    for template in shared + templates:
        names[template.__name__] = bind(template, names)
    return names
