"""Tokken, tied into one `GameSpec`."""

from ..engine.spec import GameSpec
from . import board, draw, fields, notation, observe, reachable, rules

SPEC = GameSpec.of(
    *(board, fields, rules, observe, notation, reachable, draw),
    title="Tokken",
    home=__name__,
    actions=lambda options: board.num_actions(options.players),
    outcomes=lambda options: board.RANKS + options.players,
    state=observe.state_size,
    teams=lambda options: options.sides,
)
