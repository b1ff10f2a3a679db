"""ToedeLoe, tied into one `GameSpec`."""

from ..engine.spec import GameSpec
from . import board, draw, fields, notation, observe, reachable, rules, rules_score

SPEC = GameSpec.of(
    *(board, fields, rules, rules_score, observe, notation, reachable, draw),
    title="ToedeLoe",
    home=__name__,
    actions=board.NUM_ACTIONS,
    outcomes=lambda options: board.FIRST_SEAT + options.players,
    teams=lambda options: tuple(seat % board.SIDES for seat in range(options.players)),  # [R1.1]
)
