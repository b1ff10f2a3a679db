"""The loops over a game's verbs: chance, moves, looks and playouts, for one row or many.

Each function here is a template: `Loops.of` compiles a copy of it whose verbs are those of one
game. Arrays are written in place; `N` rows, `P` seats, `A` actions, `D` observation, `C` outcomes.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from .dtypes import (
    CHANCE,
    OVER,
    Actions,
    ChanceWeights,
    Checksum,
    Floats,
    Mask,
    States,
    Streams,
    Words,
)
from .jit import bind
from .streams import next_below
from .verbs import (
    Verbs,
    chance_weights,
    determinize,
    is_truncated,
    legal_mask,
    observe,
    reset,
    returns,
    step,
    step_chance,
    to_move,
)

RUNNING, TERMINATED, TRUNCATED = 0, 1, 2
"""What `ended` says of a row."""

# As uint64: a shift of the checksum by a signed number would make it a float.
ONE, LAST = np.uint64(1), np.uint64(63)
EVEN_BYTES = 0x00FF00FF00FF00FF
"""Every second byte of a word; see `bytes_set`."""


def draw_outcome(states: States, i: int, streams: Streams, k: int, weights: ChanceWeights) -> int:
    """A chance outcome for row *i*, drawn by its weights with stream *k*."""
    chance_weights(states, i, weights)
    total = 0
    for outcome in range(weights.size):
        total += weights[outcome]
    rest = next_below(streams, k, total)
    # How many running sums lie at or below `rest`, without a branch for the processor to guess.
    running, drawn = 0, 0
    for outcome in range(weights.size - 1):
        running += weights[outcome]
        drawn += 1 if rest >= running else 0
    return drawn


def settle(states: States, i: int, streams: Streams, k: int, weights: ChanceWeights) -> int:
    """Draw chance until a seat is to move or the game is over; returns that `to_move`."""
    # A loop, for one outcome may make the next one due: a bag that is empty after the last card.
    mover = to_move(states, i)
    while mover == CHANCE:
        step_chance(states, i, draw_outcome(states, i, streams, k, weights))
        mover = to_move(states, i)
    return mover


def with_report(report: int, more: int | None) -> int:
    """*report* and what an outcome reported; most games' outcomes report nothing."""
    if more is None:  # decided when compiled: no test is left in the loop
        return report
    return report | more


def settle_logged(
    states: States, i: int, streams: Streams, k: int, weights: ChanceWeights, log: Actions
) -> tuple[int, int]:
    """Like `settle`, but stops when *log* is full; `log[0]` counts the outcomes that follow it.

    Returns (`to_move`, what the outcomes reported).
    """
    mover = to_move(states, i)
    report = 0
    # The log has a size, the chance of a set-up has none: who calls plays the rest (`Course`).
    while mover == CHANCE and log[0] + 1 < log.size:
        outcome = draw_outcome(states, i, streams, k, weights)
        report = with_report(report, step_chance(states, i, outcome))
        log[0] += 1
        log[log[0]] = outcome
        mover = to_move(states, i)
    return mover, report


def show(
    states: States,
    streams: Streams,
    weights: ChanceWeights,
    log: Actions,
    observation: Floats,
    mask: Mask,
) -> tuple[int, int]:
    """Settle chance in row 0 and write the observation and mask of the seat to move."""
    log[0] = 0
    mover, report = settle_logged(states, 0, streams, 0, weights, log)
    observe(states, 0, max(mover, 0), observation)
    legal_mask(states, 0, mask)
    return mover, report


def play(
    states: States,
    action: int,
    streams: Streams,
    weights: ChanceWeights,
    log: Actions,
    observation: Floats,
    mask: Mask,
) -> tuple[int, int]:
    """One move of a single game: step, chance, what the next seat sees and may do.

    Returns (`to_move`, the report of the step and its chance).
    """
    report = step(states, 0, action)
    mover, more = show(states, streams, weights, log, observation, mask)
    return mover, report | more


def start(
    states: States,
    streams: Streams,
    weights: ChanceWeights,
    log: Actions,
    observation: Floats,
    mask: Mask,
) -> tuple[int, int]:
    """The set-up of a single game, like `play`."""
    reset(states, 0)
    return show(states, streams, weights, log, observation, mask)


def look(states: States, rows: Actions, seats: Actions, observations: Floats, masks: Mask) -> None:
    """For each of *rows*: who is to move, what that seat sees and may do.

    Writes `seats[row]`, `observations[row]`, `masks[row]`. A finished game is seen by seat 0.
    """
    for row in rows:
        mover = to_move(states, row)
        seats[row] = mover
        observe(states, row, max(mover, 0), observations[row])
        legal_mask(states, row, masks[row])


def reset_rows(states: States, rows: Actions, streams: Streams, weights: ChanceWeights) -> None:
    """Start a new game in each of *rows*."""
    for row in rows:
        reset(states, row)
        settle(states, row, streams, row, weights)


def step_rows(
    states: States,
    rows: Actions,
    actions: Actions,
    streams: Streams,
    weights: ChanceWeights,
    rewards: Floats,
    ended: Mask,
    finals: States,
) -> None:
    """Play `actions[j]` in row `rows[j]`; a game that ends makes room for a new one.

    Writes `rewards[row]` (zeros before the end), `ended[row]` and, at an end, `finals[row]`.
    """
    for j in range(rows.size):
        row = rows[j]
        step(states, row, actions[j])
        ended[row] = RUNNING
        if settle(states, row, streams, row, weights) == OVER:
            ended[row] = TRUNCATED if is_truncated(states, row) else TERMINATED
            returns(states, row, rewards[row])
            finals[row] = states[row]
            reset(states, row)
            settle(states, row, streams, row, weights)
        else:
            rewards[row] = 0.0


def redraw_rows(states: States, seats: Actions, streams: Streams) -> None:
    """Re-draw, in every row, what `seats[row]` cannot know, with the row's own stream."""
    for row in range(states.size):
        determinize(states, row, seats[row], streams, row)


def bytes_set(word: int) -> int:
    """The sum of the eight bytes of *word*, each 0..255."""
    # Fold the word in halves; 16 bits hold each sum on the way, since 8 x 255 < 65536:
    #   7 6 5 4 3 2 1 0  ->  7+6 | 5+4 | 3+2 | 1+0  ->  .. | .. | 7+6+3+2 | 5+4+1+0  ->  all
    pairs = (word & EVEN_BYTES) + (word >> 8 & EVEN_BYTES)
    pairs += pairs >> 32
    pairs += pairs >> 16
    return pairs & 0xFFFF


def nth_legal(mask_words: Words, n: int) -> int:
    """The n-th (from 0) action whose byte is set, eight actions to a word."""
    # First the word, eight actions at a time, then its bytes from the lowest: action 8k + 0 lies
    # there, since the machine is little-endian. A byte is 0 or 1, so `word & 1` counts it.
    k = 0
    count = bytes_set(mask_words[0])
    while n >= count:
        n -= count
        k += 1
        count = bytes_set(mask_words[k])
    action = 8 * k
    word = mask_words[k]
    while n >= word & 1:
        n -= word & 1
        word >>= 8
        action += 1
    return action


def play_random(
    states: States,
    streams: Streams,
    choices: Streams,
    weights: ChanceWeights,
    observations: Floats,
    observation_bits: Words,
    masks: Mask,
    mask_words: Words,
    num_actions: int,
    num_steps: int,
    checksum: Checksum,
) -> int:
    """*num_steps* uniformly random decisions in every row; returns how many were made.

    Every observation and mask is written and folded, bit for bit, into `checksum[0]`.
    *observation_bits* is the memory of *observations* seen as integers, and *mask_words* that of
    *masks*, whose rows are padded with zeros to whole words of eight actions.
    """
    for _ in range(num_steps):
        for row in range(states.size):
            mover = to_move(states, row)
            observe(states, row, mover, observations[row])
            legal_mask(states, row, masks[row, :num_actions])
            bits = observation_bits[row]
            total = 0
            for k in range(bits.size):  # by index: loops over elements are not vectorised
                total += bits[k]
            # Words of 0s and 1s are added as they are: each of the eight bytes counts on its own,
            # and none carries into the next with at most 255 words, which are 2040 actions.
            words = mask_words[row]
            legal = 0
            for k in range(words.size):
                legal += words[k]
            # Turned by a bit each time, so that the order of positions counts.
            checksum[0] = (checksum[0] << ONE | checksum[0] >> LAST) ^ np.uint64(total ^ legal)
            step(states, row, nth_legal(words, next_below(choices, row, bytes_set(legal))))
            if settle(states, row, streams, row, weights) == OVER:
                reset(states, row)
                settle(states, row, streams, row, weights)
    return num_steps * states.size


@dataclass(frozen=True, kw_only=True)
class Loops:
    """The templates of this module, compiled for one game; each after those that it calls."""

    draw_outcome: Callable[..., int]
    settle: Callable[..., int]
    with_report: Callable[..., int]
    settle_logged: Callable[..., tuple[int, int]]
    show: Callable[..., tuple[int, int]]
    play: Callable[..., tuple[int, int]]
    start: Callable[..., tuple[int, int]]
    look: Callable[..., None]
    reset_rows: Callable[..., None]
    step_rows: Callable[..., None]
    redraw_rows: Callable[..., None]
    bytes_set: Callable[..., int]
    nth_legal: Callable[..., int]
    play_random: Callable[..., int]

    @classmethod
    def of(cls, verbs: Verbs) -> Self:
        """Bind every template to a game's *verbs*, and to the templates before it."""
        names = verbs.by_name()
        loops = [field.name for field in fields(cls)]
        for name in loops:
            names[name] = bind(globals()[name], names)
        return cls(**{name: names[name] for name in loops})
