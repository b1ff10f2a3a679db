"""ToedeLoe, tied into one `GameSpec`."""

from ..engine.spec import GameSpec
from . import notation, observe, reachable, rules, rules_score
from .board import FIRST_SEAT, NUM_ACTIONS, SEGMENTS, SIDES
from .draw import PICTURE
from .fields import FIELDS, seats

SPEC = GameSpec.of(
    rules,
    rules_score,
    observe,
    notation,
    reachable,
    title="ToedeLoe",
    home=__name__,
    fields=FIELDS,
    segments=SEGMENTS,
    seats=seats,
    actions=NUM_ACTIONS,
    outcomes=lambda options: FIRST_SEAT + options.players,
    teams=lambda options: tuple(seat % SIDES for seat in range(options.players)),  # [R1.1]
    picture=PICTURE,
)
