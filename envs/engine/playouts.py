"""Random playouts of a whole batch in one compiled call: for benchmarks and signatures."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .batch import Batch
from .spec import GameSpec, Options
from .streams import Seed, new_streams

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
