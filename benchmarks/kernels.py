"""The rules themselves: random legal play in batches of every size, on one core.

The move of every row is chosen in compiled code; the observation and the mask of every decision are
written and folded into a checksum. Time is CPU time.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from spelkast.cli.speed import playouts_speed, rate
from spelkast.envs import games, spec
from spelkast.envs.engine.batch import RandomPlayouts

from .sampling import SPREAD, Json, Rate, in_turns, markdown_table

SECONDS = 2.0
"""CPU time per row."""
SIZES = (1, 16, 64, 256, 1024, 4096)
HARDEST_MASK = "1, its hardest mask"
"""The row of `HARDEST`."""
WARM_UP_STEPS = 200
"""So that the rows stand anywhere in their games, not all at the start."""
MASKS_PER_CALL = 1000

# fmt: off
HARDEST: dict[str, Json] = {
    # Four pawns in play and a seven whose parts mostly lead nowhere: of some 40,000 such tables,
    # random ones and what climbing made of them, the one whose mask took longest.
    "tokken": {
        "game": "tokken", "config": {}, "phase": "play", "to_move": 0, "decisions": 40,
        "dealer": 3, "deal": 1,
        "pieces": [["b13", "b14", "c13", "H3"], ["a2", "c15", "d1", "d5"],
                   ["d4", "c0", "c1", "d9"], ["d0", "d11", "c5", "b15"]],
        "hands": ["7", "", "", ""], "extras": [""] * 4, "given": ["2"] * 4,
        "out": [False] * 4, "drawn": [0] * 4,
        "draw_pile": "AA23334445556666778999TTTJJQQKKKXX", "discard": "AA22234578889TJJQQK",
        "split": None,
    },
}
# fmt: on
"""Positions in which it takes very long to find what is legal, by game."""


def under_way(game: str, rows: int, *, seed: int = 0) -> RandomPlayouts:
    """Random play in *rows* rows that stand at different points of their games."""
    playouts = RandomPlayouts(spec(game), rows, seed=seed)
    playouts.run(WARM_UP_STEPS)
    return playouts


def measure(*, seconds: float = SECONDS, sizes: Sequence[int] = SIZES) -> Json:
    """Decisions per second of every game, by the size of the batch."""
    return {game: in_turns(_rows(game, sizes), seconds) for game in games()}


def _rows(game: str, sizes: Sequence[int]) -> dict[str, Rate]:
    rows: dict[str, Rate] = {str(n): partial(playouts_speed, under_way(game, n)) for n in sizes}
    if game in HARDEST:
        rows[HARDEST_MASK] = partial(rate, partial(_write_masks, game, HARDEST[game]))
    return rows


def _write_masks(game: str, position: Json) -> int:
    """Write the mask of *position* again and again; returns how often."""
    legal_mask = spec(game).verbs.legal_mask
    states = spec(game).from_position(position)
    mask = np.zeros(spec(game).shape(spec(game).read_options(states, 0)).actions, np.int8)
    for _ in range(MASKS_PER_CALL):
        legal_mask(states, 0, mask)
    return MASKS_PER_CALL


def table(figures: Json) -> str:
    """The figures as Markdown."""
    rows = [
        [game, size, figure] for game, sizes in figures.items() for size, figure in sizes.items()
    ]
    return markdown_table(("game", "rows", *(f"decisions/s, {x}" for x in SPREAD)), rows)
