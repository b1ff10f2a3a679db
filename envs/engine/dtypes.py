"""The words that every game and every loop of the engine share."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

CHANCE = -1
"""`to_move` of a position that waits for a die or a card."""

OVER = -2
"""`to_move` of a finished game."""

MOST_COUNTED = 2**31 - 1
"""Where a counter of decisions stays: a position may hold it, and one more would be negative."""

States: TypeAlias = NDArray[np.void]
"""Records of one game, `[N]`; the dtype is the game's `STATE`."""

Mask: TypeAlias = NDArray[np.int8]
"""Legal actions, 0 or 1: `[A]` for one decision, `[N, A]` for a batch."""

Floats: TypeAlias = NDArray[np.float32]
"""Observations `[D]` or `[N, D]`, rewards `[P]` or `[N, P]`."""

Actions: TypeAlias = NDArray[np.int32]
"""One action (or seat) per row, `[N]`."""

Streams: TypeAlias = NDArray[np.uint64]
"""One stream of random numbers per row, `[N]`; see `streams`."""

ChanceWeights: TypeAlias = NDArray[np.int64]
"""How often each chance outcome comes, `[C]`; whole numbers, not normalised, 0 if impossible."""

Counts: TypeAlias = NDArray[np.int64]
"""How many there are of each kind, such as the cards of each rank, `[K]`."""

Words: TypeAlias = NDArray[np.int64]
"""The bytes of observations or masks, eight to a word: `[W]` or `[N, W]`."""

Checksum: TypeAlias = NDArray[np.uint64]
"""All that was seen, folded into one word, `[1]`."""

Json: TypeAlias = dict[str, Any]
"""A plain JSON object: a position, an options table, a replay."""
