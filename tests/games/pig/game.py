"""Pig, tied into one `GameSpec`."""

from spelkast.envs.engine.spec import GameSpec

from . import notation, observe, rules
from .board import FIELDS, MOVES, OUTCOMES, SEGMENTS
from .draw import PICTURE

SPEC = GameSpec.of(
    rules,
    observe,
    notation,
    title="Pig",
    home=__name__,
    fields=FIELDS,
    segments=SEGMENTS,
    seats=2,
    actions=len(MOVES),
    outcomes=len(OUTCOMES),
    picture=PICTURE,
)
