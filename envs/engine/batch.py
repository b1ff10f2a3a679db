"""`Batch`: N games of one kind side by side, moved by one compiled call; random play in it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .dtypes import Actions, Floats, Mask, States, Streams
from .errors import IllegalActionError, NotResetError
from .jit import announced, kernel
from .spec import GameSpec, Options
from .streams import Seed, new_streams


class Batch:
    """N rows of one game under one set of options; where a game ends the next one starts at once.

    Row i plays the same games whatever N is, given the same actions: every row has a chance stream
    of its own. All arrays are allocated once and written in place; copy what you keep.

    Attributes:
        states: The records, `[N]`.
        observations: What the seat to move sees, float32 `[N, D]`.
        masks: What it may do, int8 `[N, A]`.
        seats: The seat to move, int32 `[N]`.
        rewards: Final rewards of the games that the last `step` ended, else 0; float32 `[N, P]`.
        ended: 0 running, 1 terminated, 2 truncated by the last `step`; int8 `[N]`.
        finals: The last position of the game that ended last in each row, `[N]`.
    """

    def __init__(
        self,
        spec: GameSpec,
        size: int,
        *,
        options: Mapping[str, Any] | Options | None = None,
        seed: Seed | None = None,
    ) -> None:
        """Make *size* rows; `seed` is the root of their chance streams. Call `reset` next."""
        if size < 1:
            raise ValueError(f"expected a batch of at least 1 row, got {size}")
        self.spec = spec
        self.options = spec.parse_options(options)
        self.shape = spec.shape(self.options)
        self.size = size
        self.states: States = spec.new_states(size, self.options)
        self.finals: States = self.states.copy()
        self.streams: Streams = new_streams(seed, size, "chance")
        self.observations: Floats = np.zeros((size, self.shape.observation), np.float32)
        self.masks: Mask = np.zeros((size, self.shape.actions), np.int8)
        self.seats: Actions = np.zeros(size, np.int32)
        self.rewards: Floats = np.zeros((size, self.shape.seats), np.float32)
        self.ended: Mask = np.zeros(size, np.int8)
        self.all_rows: Actions = np.arange(size, dtype=np.int32)
        self._weights = np.zeros(self.shape.outcomes, np.int64)
        self._is_named = np.zeros(size, np.bool_)

    def reset(self, rows: Actions | None = None) -> None:
        """Start a new game in each of *rows* (int32 `[K]`; all by default)."""
        rows = self._rows(rows)
        with announced(self.spec.title):
            self.spec.loops.reset_rows(self.states, rows, self.streams, self._weights)
            self.rewards[rows] = 0.0
            self.ended[rows] = 0
            self.refresh(rows)

    def step(self, actions: Actions, rows: Actions | None = None) -> None:
        """Play `actions[j]` in row `rows[j]`, each row at most once.

        Raises `IllegalActionError` for the first action that its row's mask does not allow; then no
        row has moved.
        """
        rows = self._rows(rows)
        self.check(actions, rows)
        self.step_unchecked(np.ascontiguousarray(actions, np.int32), rows)

    def step_unchecked(self, actions: Actions, rows: Actions) -> None:
        """Like `step` with actions `int32[K]` that are known to be legal: others crash Python."""
        self.spec.loops.step_rows(
            self.states,
            rows,
            actions,
            self.streams,
            self._weights,
            self.rewards,
            self.ended,
            self.finals,
        )
        self.refresh(rows)

    def refresh(self, rows: Actions | None = None) -> None:
        """Write `seats`, `observations` and `masks` of *rows* again, from `states`."""
        self.spec.loops.look(
            self.states, self._rows(rows), self.seats, self.observations, self.masks
        )

    def check(self, actions: Actions, rows: Actions | None = None) -> None:
        """Raise `IllegalActionError` for the first action that its row's mask does not allow.

        Raises `ValueError` for actions that are not one whole number per row, and for a row that
        comes twice.
        """
        rows = self._rows(rows)
        numbers = np.ascontiguousarray(_numbers(actions, rows), np.int64)
        wrong = first_wrong(self.masks, rows, numbers, self._is_named)
        if wrong >= 0:
            raise self._complaint(int(rows[wrong]), np.asarray(actions)[wrong])

    def _complaint(self, row: int, action: object) -> ValueError:
        """Why *action* cannot be played in *row*, or not once more."""
        if not self.masks[row].any():
            return NotResetError(f"expected reset() before a step in row {row}")
        moves = self.spec.legal_moves(self.states, row)
        if self.is_legal(np.array([action]), np.array([row])).all():
            return ValueError(f"expected each row at most once, got row {row} twice")
        return IllegalActionError(
            f"expected one of the legal moves {', '.join(moves)}, got action {action} in row {row}"
        )

    def is_legal(self, actions: NDArray[np.integer], rows: Actions) -> NDArray[np.bool_]:
        """Whether the mask of each of *rows* allows its action of *actions*, any numbers, `[K]`."""
        known = (actions >= 0) & (actions < self.shape.actions)
        legal: NDArray[np.bool_] = known & (self.masks[rows, np.where(known, actions, 0)] == 1)
        return legal

    def _rows(self, rows: Actions | None) -> Actions:
        """*rows* as compiled code takes them; it would write past the end of the arrays."""
        if rows is None:
            return self.all_rows
        rows = np.asarray(rows)
        are_numbers = rows.ndim == 1 and (rows.dtype.kind in "iu" or not rows.size)
        if not are_numbers or (rows.size and not 0 <= rows.min() <= rows.max() < self.size):
            raise ValueError(f"expected a list of rows 0..{self.size - 1}, got {rows!r}")
        return np.ascontiguousarray(rows, np.int32)


@kernel
def first_wrong(
    masks: Mask, rows: Actions, actions: NDArray[np.int64], is_named: NDArray[np.bool_]
) -> int:
    """The first j whose row came before, or whose action the row's mask does not allow; or -1.

    *is_named* `[N]`, by row, is all false before and after.
    """
    wrong = -1
    for j in range(rows.size):
        row, action = rows[j], actions[j]
        if is_named[row] or not 0 <= action < masks.shape[1] or masks[row, action] != 1:
            wrong = j
            break
        is_named[row] = True
    for j in range(rows.size if wrong < 0 else wrong):
        is_named[rows[j]] = False
    return wrong


def _numbers(actions: Actions, rows: Actions) -> Actions:
    """*actions* if there is one whole number for each of *rows*."""
    actions = np.asarray(actions)
    if actions.shape != rows.shape:
        raise ValueError(f"expected {rows.shape[0]} actions, one per row, got {actions.shape}")
    if actions.size and actions.dtype.kind not in "iu":
        raise ValueError(f"expected actions as whole numbers, got {actions.dtype}")
    return actions


MOST_ACTIONS = 2040
"""The legal actions of a decision are counted in bytes, one of 255 words each."""


class RandomPlayouts:
    """Uniformly random legal play in N rows, every observation and mask written and folded.

    Attributes:
        batch: The games; its arrays are not refreshed while playouts run.
        checksum: All observations and masks so far, folded bit for bit; 64 bits.
    """

    def __init__(
        self,
        spec: GameSpec,
        size: int,
        *,
        options: Mapping[str, Any] | Options | None = None,
        seed: Seed | None = 0,
    ) -> None:
        """Start *size* games; `seed` is the root of their chance and of the choices."""
        self.batch = Batch(spec, size, options=options, seed=seed)
        self.batch.reset()
        shape = self.batch.shape
        if shape.actions > MOST_ACTIONS:
            raise ValueError(f"expected at most {MOST_ACTIONS} actions, got {shape.actions}")
        self._choices = new_streams(seed, size, "agents")
        # Whole words of eight bytes, so that a row can be folded and counted a word at a time.
        numbers = -(-shape.observation // 2) * 2
        self._observations = np.zeros((size, numbers), np.float32)
        self._mask_words = np.zeros((size, -(-shape.actions // 8)), np.int64)
        self._weights = np.zeros(shape.outcomes, np.int64)
        self._checksum = np.zeros(1, np.uint64)

    def run(self, num_steps: int) -> int:
        """Play *num_steps* decisions in every row; returns how many decisions that were."""
        made: int = self.batch.spec.loops.play_random(
            self.batch.states,
            self.batch.streams,
            self._choices,
            self._weights,
            self._observations,
            self._observations.view(np.int64),
            self._mask_words.view(np.int8),
            self._mask_words,
            self.batch.shape.actions,
            num_steps,
            self._checksum,
        )
        return made

    @property
    def checksum(self) -> int:
        """All observations and masks so far, folded."""
        return int(self._checksum[0])
