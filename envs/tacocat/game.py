"""Tacocat Spelled Backwards, tied into one `GameSpec`."""

from ..engine.spec import GameSpec
from . import board, draw, observe, reachable, rules

SPEC = GameSpec.of(
    *(board, rules, observe, reachable, draw),
    title="Tacocat Spelled Backwards",
    home=__name__,
    seats=2,
    state=board.STATE_SIZE,
)
