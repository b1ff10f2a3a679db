"""Oduludo, tied into one `GameSpec`."""

from ..engine.spec import GameSpec
from . import board, draw, fields, observe, reachable, rules, rules_scoring


def teams(options: board.OduludoOptions) -> tuple[int, ...]:
    """The team of each seat: partners sit opposite [R1.4]."""
    return (0, 1, 0, 1) if options.mode == "team" else tuple(range(options.players))


SPEC = GameSpec.of(
    *(board, fields, rules, rules_scoring, observe, reachable, draw),
    title="Oduludo",
    home=__name__,
    teams=teams,
)
